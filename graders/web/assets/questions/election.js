// One question: who is its reference, by what numbers, and the way to appoint another.

import { query } from "../lead/api.js";
import { el } from "../lead/el.js";
import { referenceWords } from "./words.js";

const words = {
  close: "Close",
  appoint: "Appoint",
  reference: "★ reference",
  stale: "Values changed since the votes were counted.",
  count: "Count again",
  back: "Back to the numbers",
  answer: "Answer",
  results: "All about it",
  given: "This question brings references of its own: nobody is elected.",
  own: "References",
  none: "No reference is elected here: only factual questions elect, under a criterion that asks for it.",
  depends: "Cells whose judge saw another reference",
  run: "Ask again",
};

export function electionCard(found, project, { close, act }) {
  const { question } = found;
  const elects = ["elected", "appointed", "nobody"].includes(found.kind);
  const head = el(
    "div.bar",
    {},
    el("b", {}, question),
    el("span", { style: { flex: "1" } }),
    el("button.btn.xs", { type: "button", onclick: close }, words.close, el("kbd", {}, "Esc")),
  );
  const now = elects
    ? referenceWords(found)
    : el("p.m", {}, found.kind === "given" ? words.given : words.none);
  const back =
    found.kind === "appointed"
      ? el(
          "button.btn",
          {
            type: "button",
            onclick: () =>
              act("/api/questions/appoint", { question, model: "" }, "Given back to the numbers."),
          },
          found.counted_model ? `${words.back}: ${found.counted_model}` : words.back,
        )
      : null;
  const stale = found.stale
    ? el(
        "p.note.s",
        {},
        words.stale,
        " ",
        el(
          "button.btn.xs",
          { type: "button", onclick: () => act("/api/questions/count", { question }, "Counted.") },
          words.count,
        ),
      )
    : null;
  const late = Object.entries(found.depends);
  const depends = late.length
    ? el(
        "p.note.s",
        {},
        `${words.depends}: ${late.map(([title, n]) => `${title} ${n}`).join(", ")}. `,
        el("a", { href: "/run" + query({ project }) }, words.run),
      )
    : null;
  return el(
    "section.card",
    { "aria-label": question },
    head,
    el("h2", { dir: "auto", tabindex: "-1", style: { "margin-top": "8px" } }, found.text),
    el("div.bar", {}, now, back),
    found.kind === "given"
      ? el(
          "ul",
          { "aria-label": words.own },
          found.texts.map((text) => el("li.s", { dir: "auto" }, text)),
        )
      : null,
    stale,
    depends,
    ranked(found).map((row) => candidate(row, found, project, elects, act)),
  );
}

/** The reference first, then by their sums; those without all values last. */
const ranked = (found) =>
  [...found.rows].sort(
    (a, b) =>
      Number(b.reference) - Number(a.reference) ||
      (b.sum ?? -1) - (a.sum ?? -1) ||
      (b.mean ?? -1) - (a.mean ?? -1) ||
      a.model.localeCompare(b.model),
  );

function candidate(row, found, project, elects, act) {
  const { question } = found;
  const appoint = () =>
    act("/api/questions/appoint", { question, model: row.model }, `${row.model} is the reference.`);
  const button = !elects
    ? null
    : row.reference
      ? el("span.star", {}, words.reference)
      : el(
          "button.btn.xs",
          { type: "button", "aria-label": `${words.appoint} ${row.model}`, onclick: appoint },
          words.appoint,
        );
  const numbers = row.values
    ? [
        ...found.electors.map((title, at) => [title, row.values[at].toFixed(2)]),
        ["sum", `${row.sum.toFixed(2)} of ${found.electors.length}`],
      ]
    : [["not counted", row.why || "no value"]];
  if (row.mean !== null)
    numbers.push([`${found.measure.replaceAll("_", " ")} to the others`, row.mean.toFixed(3)]);
  numbers.push(["characters", row.characters.toLocaleString("en")]);
  const all = el("a", { href: "/results" + query({ project, question, model: row.model }) }, words.results);
  return el(
    "div.cand",
    {},
    el("header", {}, el("b", {}, row.model), row.best ? el("span.chip.tag", {}, "best") : null, button),
    el(
      "dl.dl",
      {},
      numbers.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]),
    ),
    el(
      "details",
      { "data-key": `answer of ${row.model} to ${question}` },
      el("summary", {}, words.answer),
      el("p.s", { dir: "auto" }, row.text + (row.characters > 400 ? "…" : "")),
      el("p.s", {}, all),
    ),
  );
}
