// Sentences about references that the list and the card share.

import { el } from "../lead/el.js";
import { several } from "../lead/several.js";

/** Where a question's reference comes from. */
export function referenceWords(row) {
  const few = row.out
    ? el(
        "div.s.m",
        {},
        `${row.out} of ${several(row.candidates, "answer")} ${row.out === 1 ? "has" : "have"} a ` +
          "value pending",
      )
    : null;
  if (row.kind === "given")
    return el("span.m", {}, row.references === 1 ? "its own" : `${row.references} of its own`);
  if (row.kind === "none") return el("span.m", {}, "none");
  if (row.kind === "nobody") return el("div", {}, el("span.v.pd", {}, "nobody yet"), few);
  const by =
    row.kind === "appointed"
      ? `appointed by ${row.by}`
      : `elected with ${row.score} of ` +
        `${row.of}${row.best.length > 1 ? `, among ${row.best.length} as good` : ""}`;
  return el("div", {}, el("span.star", {}, "★ "), el("b", {}, row.model), el("div.s.m", {}, by), few);
}

/** What was computed again after a decision, from {measured, judged}. */
export function said(made) {
  const list = Object.entries(made.measured)
    .map(([name, count]) => `${name.replaceAll("_", " ")} of ${count}`)
    .join(", ");
  const measured = list
    ? `Computed again, with another value for so many answers: ${list}.`
    : "No measure came out otherwise.";
  const judged = Object.entries(made.judged)
    .map(([title, count]) => `${title} ${count}`)
    .join(", ");
  return judged
    ? `${measured} Cells whose judge saw another reference: ${judged}; the next run asks about these alone.`
    : measured;
}
