// A finished import: what came in, what kind of task each category is, what to do next.
import { el } from "../lead/el.js";
import { several } from "../lead/several.js";
import { typesCard } from "../lead/types.js";

/** What came in and what stayed out, in numbers. */
function figures(found) {
  const r = found.report;
  const left = r.bad
    ? el("a", { href: `/api/import/bad?id=${found.import}` }, "which ones (CSV)")
    : "every row came in";
  const parts = [
    [
      "Questions",
      r.questions,
      r.changed_questions ? `and ${r.changed_questions.toLocaleString("en")} changed` : "",
    ],
    [
      "Answers",
      r.answers,
      r.new_versions ? several(r.new_versions, "of them a new version", "of them new versions") : "",
    ],
    ["Verdicts", r.verdicts, ""],
    ["Rows left out", r.bad, left],
  ];
  const figure = ([label, count, rest]) =>
    el(
      "div",
      {},
      el("div.s.m", {}, label),
      el("div", {}, el("b.big", {}, count.toLocaleString("en")), " ", el("span.m", {}, rest)),
    );
  return el("section.card", { "aria-label": "What came in" }, el("div.figs.in", {}, parts.map(figure)));
}

/** The page of a finished import; `present(name)` makes its project the head's. */
export function doneCard(found, present) {
  const { name, title } = found.project;
  // the page is right without it; the links below name the project themselves
  present(name).catch(() => null);
  const open = found.categories.filter((c) => c.questions > c.stated);
  const step = found.next.label;
  const heading = el(
    "div.top",
    {},
    el(
      "div",
      {},
      el("h1", {}, `Imported: ${title}.`),
      el("p", {}, `${found.brought}. All rows became visible at once.`),
    ),
  );
  const next = el(
    "div.bar",
    {},
    el("a.btn.p", { href: found.next.href }, `Next: ${step[0].toLowerCase()}${step.slice(1)}`),
    el("a.btn", { href: `/?project=${encodeURIComponent(name)}` }, "All projects"),
  );
  return el("div.main-col", {}, heading, figures(found), open.length ? typesCard(name, open) : null, next);
}
