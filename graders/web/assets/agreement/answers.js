// One answer on which authors are compared, and what a lead may do from it in one click.

import { postJSON, query } from "../lead/api.js";
import { el, fill, once } from "../lead/el.js";
import { exampleButton } from "../lead/example.js";
import { several } from "../lead/several.js";

const words = {
  references: "reference",
  open: "Show answer",
  adjudicate: "Adjudicate",
  rubric: "Open the rubric",
  assisted: "(assisted)",
  mend: "Mend the reference",
  mendHint:
    "One reference per field; an empty one is taken away. Verdicts of people stay; judges that " +
    "saw the old ones are asked again about just these cells.",
  add: "Add another",
  keep: "Keep",
  cancel: "Cancel",
  one: "Reference",
  working: "Working: it is kept, and what is measured against it is made anew…",
  close: "Close",
  review: "Send to review",
};

/** Says that some answers of a page are left out, and why; null where none is. */
export function hiddenNote(count) {
  if (!count) return null;
  const them = count === 1 ? "it" : "them";
  const text = `${several(count, "answer")} on this page hidden until you have graded ${them} blind.`;
  return el("p.s.m", {}, text);
}

/** The pages that there are: an action whose page is missing is not offered. */
const has = (path) =>
  [...document.querySelectorAll(".cgl nav a[href]")].some(
    (link) => new URL(link.getAttribute("href"), location.href).pathname === path,
  );

/**
 * Question -> its references as the page knows them: several answers of a list may share a question that is
 * mended.
 */
const known = new Map();

/** An answer as a list item; `criterion` is the key of the one that is compared. */
export function answerItem(row, project, criterion) {
  const said = (side) =>
    el(
      "div.s",
      { dir: "auto" },
      el("b", {}, `${side.name}: ${side.value}`),
      side.word && side.word !== String(side.value) ? ` ${side.word}` : "",
      side.rationale ? ` “${side.rationale}”` : "",
      side.arm === "assisted" ? el("span.m", {}, ` ${words.assisted}`) : "",
    );
  known.set(row.question_id, row.references);
  const reference = el("span.s.m", { "data-references": row.question_id }, referenceWords(row.references));
  const short = row.answer.length > 320 ? row.answer.slice(0, 320) + "…" : row.answer;
  const question = row.question.length > 200 ? row.question.slice(0, 200) + "…" : row.question;
  const text = el(
    "div",
    {},
    el("div.s.m", { dir: "auto" }, question),
    el("div", { dir: "auto" }, short.length < 90 ? el("b", {}, short) : short, reference),
  );
  const about = row.criterion
    ? el("div.s.m", {}, row.criterion.title, row.reason ? el("b", {}, ` · ${row.reason}`) : "")
    : null;
  return el(
    "li.an",
    {},
    text,
    el(
      "div",
      {},
      about,
      row.said.map(said),
      el("div.acts", {}, actions(row, project, criterion), el("span.s.m", {}, row.model)),
    ),
  );
}

const referenceWords = (references) =>
  references.length ? ` · ${words.references}: ${references.slice(0, 2).join("; ").slice(0, 160)}` : "";

function actions(row, project, criterion) {
  const link = (text, path, more) => el("a.btn.xs", { href: path + query({ project, ...more }) }, text);
  const [rubric, name] = criterion.split("/");
  return [
    link(words.open, "/results", { question: row.question_id, model: row.model }),
    has("/adjudicate")
      ? link(words.adjudicate, "/adjudicate", { subject: row.subject_id, criterion, part: row.part })
      : null,
    el(
      "button.btn.xs",
      { type: "button", onclick: (event) => mend(event.currentTarget, row, project) },
      words.mend,
    ),
    sendButton(row, project),
    has("/judges") ? exampleButton(project, row.cell) : null,
    has("/rubrics") ? link(words.rubric, "/rubrics", { rubric, criterion: name }) : null,
  ];
}

/** A press sends the answer to the next person; what came of it takes the button's place. */
function sendButton(row, project) {
  const button = el("button.btn.xs", { type: "button" }, words.review);
  const send = async () => {
    const said = el("span.s", { role: "status" });
    button.after(said);
    try {
      const done = await postJSON("/api/agreement/opinion", {
        project,
        question: row.question_id,
        model: row.model,
        version: row.version,
      });
      fill(said, done.words);
      button.remove();
    } catch (error) {
      fill(said, error.message);
    }
  };
  button.addEventListener("click", () => once(button, send));
  return button;
}

function mend(button, row, project) {
  const field = (text) => el("textarea.txt", { rows: "3", "aria-label": words.one, dir: "auto" }, text);
  const fields = el(
    "div.cols",
    {},
    (known.get(row.question_id).length ? known.get(row.question_id) : [""]).map(field),
  );
  const said = el("p.s", { role: "status" });
  const dialog = el("dialog.mend", { "aria-label": words.mend });
  const keep = el("button.btn.p", { type: "button" }, words.keep);
  const save = async () => {
    const references = [...fields.querySelectorAll("textarea")].map((node) => node.value);
    fill(said, words.working);
    try {
      const done = await postJSON("/api/agreement/references", {
        project,
        question: row.question_id,
        references,
      });
      known.set(
        row.question_id,
        references.filter((text) => text.trim()),
      );
      for (const node of document.querySelectorAll("[data-references]"))
        if (node.getAttribute("data-references") === row.question_id)
          fill(node, referenceWords(known.get(row.question_id)));
      fill(said, done.words);
      dialog.querySelector(".end").textContent = words.close;
    } catch (error) {
      fill(said, error.message);
    }
  };
  keep.addEventListener("click", () => once(keep, save));
  dialog.append(
    el("h2", {}, words.mend),
    el("p.s.m", { dir: "auto" }, row.question),
    fields,
    el("button.btn.q.xs", { type: "button", onclick: () => fields.append(field("")) }, words.add),
    el("p.s.m", {}, words.mendHint),
    said,
    el(
      "div.bar",
      {},
      keep,
      el("button.btn.end", { type: "button", onclick: () => dialog.close() }, words.cancel),
    ),
  );
  dialog.addEventListener("close", () => (dialog.remove(), button.focus()));
  button.closest(".cgl").append(dialog);
  dialog.showModal();
}
