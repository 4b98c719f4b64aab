// One answer on which authors are compared, and what a lead may do from it in one click.

import { query } from "../lead/api.js";
import { el } from "../lead/el.js";

const words = {
  references: "reference",
  open: "Show answer",
  adjudicate: "Adjudicate",
  rubric: "Open the rubric",
  assisted: "(assisted)",
};

/** The pages that there are: an action whose page is missing is not offered. */
const has = (path) => [...document.querySelectorAll(".cgl nav a")].some((link) => new URL(link.href).pathname === path);

/** An answer as a list item; `criterion` is the key of the one that is compared. */
export function answerItem(row, project, criterion) {
  const said = (side) => el("div.s", { dir: "auto" }, el("b", {}, `${side.name}: ${side.value}`), side.word && side.word !== String(side.value) ? ` ${side.word}` : "", side.rationale ? ` “${side.rationale}”` : "", side.arm === "assisted" ? el("span.m", {}, ` ${words.assisted}`) : "");
  const reference = row.references.length ? el("span.s.m", {}, ` · ${words.references}: ${row.references.slice(0, 2).join("; ").slice(0, 160)}`) : null;
  const short = row.answer.length > 320 ? row.answer.slice(0, 320) + "…" : row.answer;
  const question = row.question.length > 200 ? row.question.slice(0, 200) + "…" : row.question;
  const text = el("div", {}, el("div.s.m", { dir: "auto" }, question), el("div", { dir: "auto" }, short.length < 90 ? el("b", {}, short) : short, reference));
  const about = row.criterion ? el("div.s.m", {}, row.criterion.title, row.reason ? el("b", {}, ` · ${row.reason}`) : "") : null;
  return el("li.an", {}, text, el("div", {}, about, row.said.map(said), el("div.acts", {}, actions(row, project, criterion), el("span.s.m", {}, row.model))));
}

function actions(row, project, criterion) {
  const link = (text, path, more) => el("a.btn.xs", { href: path + query({ project, ...more }) }, text);
  const [rubric, name] = criterion.split("/");
  return [
    link(words.open, "/results", { question: row.question_id, model: row.model }),
    has("/adjudicate") ? link(words.adjudicate, "/adjudicate", { subject: row.subject_id }) : null,
    has("/rubrics") ? link(words.rubric, "/rubrics", { rubric, criterion: name }) : null,
  ];
}
