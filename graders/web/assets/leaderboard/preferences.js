// Preferences: which of two answers was better, as a ranking; beside it how often each model won.

import { postJSON, query } from "../lead/api.js";
import { el, fill } from "../lead/el.js";
import { rankCard } from "./ranks.js";

const words = {
  wins: "Won, tied, lost",
  model: "Model",
  won: "won",
  tied: "tied",
  lost: "lost",
  nothing: "No two answers were compared yet.",
};
const drawing = {
  title: "Pairs to compare",
  about:
    "People compare two answers at the desk, without names; which stands first is drawn. Where a " +
    "question gets some of its pairs, every two models meet equally often. A judge is asked at " +
    "the next run, in both orders.",
  design: "Which pairs",
  designs: {
    balanced: "some of each question",
    baseline: "one against the others",
    all: "all of each question",
  },
  per: "Pairs on each question",
  baseline: "The one model",
  draw: "Draw pairs",
  waits: " They wait at the desk.",
  next: [" They are not at the desk yet: ", "route the cells first", "."],
  done: (n, there) =>
    `${n.toLocaleString("en")} pair${n === 1 ? "" : "s"} drawn, ${there.toLocaleString("en")} were there.`,
};

/** The ranking of a report of /api/preferences. */
export function preferenceCard(found) {
  return found.models.some((m) => m.figure.value !== null)
    ? rankCard(found)
    : el("section.card.empty", {}, el("p", {}, words.nothing));
}

/** How often each model won, tied and lost. */
export function winsCard(found) {
  const rows = found.models.filter((m) => m.won + m.tied + m.lost);
  if (!rows.length) return null;
  const count = (n) => el("td.n", {}, n.toLocaleString("en"));
  const head = el(
    "tr",
    {},
    el("th", {}, words.model),
    ["won", "tied", "lost"].map((name) => el("th.n", {}, words[name])),
  );
  const body = rows.map((m) =>
    el("tr", {}, el("td", { dir: "auto" }, m.model), count(m.won), count(m.tied), count(m.lost)),
  );
  return el(
    "section.card",
    {},
    el("header", {}, el("h2", {}, words.wins)),
    el("div.scroll", {}, el("table", {}, el("thead", {}, head), el("tbody", {}, body))),
  );
}

/** A form that draws pairs. */
export function drawCard(found, project) {
  const option = (value, text) => el("option", { value }, text);
  const design = el("select", { "aria-label": drawing.design });
  design.append(...Object.entries(drawing.designs).map(([value, text]) => option(value, text)));
  const per = el("input.wt", { type: "number", min: "1", max: "100", value: "1", "aria-label": drawing.per });
  const baseline = el("select", { "aria-label": drawing.baseline });
  baseline.append(...found.answering.map((model) => option(model, model)));
  const said = el("p.s", { role: "status" });
  const rows = {
    per: el("label.row", {}, drawing.per, per),
    baseline: el("label.row", {}, drawing.baseline, baseline),
  };
  const choose = () => {
    rows.per.style.display = design.value === "balanced" ? "" : "none";
    rows.baseline.style.display = design.value === "baseline" ? "" : "none";
  };
  design.addEventListener("change", choose);
  choose();
  const send = async (event) => {
    event.preventDefault();
    try {
      const made = await postJSON("/api/preferences/draw", {
        project,
        design: design.value,
        per_question: Number(per.value),
        baseline: design.value === "baseline" ? baseline.value : "",
      });
      const [before, link, after] = drawing.next;
      const next = made.routed
        ? [drawing.waits]
        : [before, el("a", { href: "/run" + query({ project }) }, link), after];
      fill(said, drawing.done(made.pairs, made.there), ...(made.pairs || !made.routed ? next : []));
    } catch (error) {
      fill(said, error.message);
    }
  };
  const form = el(
    "form.cols",
    { onsubmit: send },
    el("label.row", {}, drawing.design, design),
    rows.per,
    rows.baseline,
    el("div.bar", {}, el("button.btn", { type: "submit" }, drawing.draw)),
    said,
  );
  return el(
    "section.card",
    {},
    el("header", {}, el("h2", {}, drawing.title)),
    el("p.s.m", {}, drawing.about),
    form,
  );
}
