// From hours to what will be known, and the draw that gets there.

import { getJSON } from "../lead/api.js";
import { copyButton } from "../lead/copy.js";
import { el, fill } from "../lead/el.js";
import { problem } from "../lead/frame.js";
import { several } from "../lead/several.js";
import { turns } from "../lead/turns.js";

/** The card, and how it is asked `again` once something was drawn: nothing where nobody has asked yet. */
export function planCard(project, act) {
  const people = el("input.wt", {
    type: "number",
    min: 1,
    max: 1000,
    step: 1,
    value: 2,
    "aria-label": "People",
    "data-key": "people",
  });
  const time = el("input.wt", {
    type: "number",
    min: 0.1,
    max: 10000,
    step: "any",
    value: 6,
    "aria-label": "Hours each",
    "data-key": "hours",
  });
  const out = el("div", { role: "status" });
  const turn = turns();
  const show = async (event) => {
    event?.preventDefault();
    if (!people.reportValidity() || !time.reportValidity()) return;
    const current = turn();
    try {
      const found = await getJSON("/api/routing/plan", { project, people: people.value, hours: time.value });
      if (!current()) return;
      const rows = found.rows.map((row) =>
        el(
          "tr",
          {},
          el("td", {}, el("div.b", {}, row.title), el("div.s.m", {}, row.task_type)),
          el(
            "td.s",
            {},
            row.words,
            " ",
            copyButton(`${row.title}, ${row.task_type} questions: ${row.words} ${found.words}`, "Copy"),
          ),
        ),
      );
      const button = found.answers
        ? el(
            "button.btn.p",
            { type: "button", onclick: () => act("/api/routing/draw", { answers: found.answers }) },
            `Draw ${several(found.answers, found.unit.one, found.unit.many)}`,
          )
        : null;
      const placed = found.labels
        ? el("p.s.m", {}, `Or ${several(found.labels, "label")} of one criterion, sampled actively.`)
        : null;
      fill(
        out,
        el("p", {}, found.words),
        found.stake ? el("p.s", {}, found.stake) : null,
        el("table", {}, el("tbody", {}, rows)),
        button,
        placed,
        found.offers.map((offer) => el("p.s.m", {}, offer.words)),
      );
    } catch (error) {
      if (current()) fill(out, problem(error));
    }
  };
  const form = el(
    "form.bar",
    { onsubmit: show },
    people,
    "people,",
    time,
    "hours each",
    el("button.btn", { type: "submit" }, "What will be known?"),
  );
  const card = el("section.card", {}, el("header", {}, el("h2", {}, "Plan from hours")), form, out);
  return { card, again: () => out.firstChild && show() };
}
