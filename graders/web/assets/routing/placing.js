// Labels of one criterion placed where they decide: the choice beside answers drawn at random, and what is
// under way.

import { el, once } from "../lead/el.js";
import { several } from "../lead/several.js";
import { hours } from "./sentence.js";

const words = {
  title: "Sample actively: label the items that settle the decision",
  right: (unit) => `instead of ${unit.many} at random`,
  criterion: "Criterion and task type",
  labels: "Labels to place",
  stop: "Ask for no more",
};

/**
 * `kept` holds a choice that was not sent yet. Nothing where no criterion has two values, or values without
 * order.
 */
export function placingCard(found, act, kept) {
  const rows = found.rows.filter((row) => row.placeable);
  if (!rows.length) return null;
  const busy = rows.filter((row) => row.draw.open);
  return el(
    "section.card",
    {},
    el("header", {}, el("h2", {}, words.title), el("span.r", {}, words.right(found.unit))),
    el("p.s.m", {}, found.trade),
    busy.map((row) => underWay(row, act)),
    form(
      found,
      rows.filter((row) => !row.draw.open),
      act,
      kept,
    ),
  );
}

function underWay(row, act) {
  const said =
    `${row.title}, ${row.task_type}: ${several(row.draw.open, "label is", "labels are")} open, ` +
    `${row.draw.budget.toLocaleString("en")} at most.`;
  const stop = (event) =>
    once(event.currentTarget, () =>
      act("/api/routing/stop", { criterion: row.criterion, task_type: row.task_type }),
    );
  return el(
    "div.bar",
    {},
    el("span", {}, said),
    el(
      "button.btn.xs",
      { type: "button", "data-key": `stop ${row.criterion} ${row.task_type}`, onclick: stop },
      words.stop,
    ),
  );
}

function form(found, rows, act, kept) {
  if (!rows.length) return null;
  const select = el(
    "select",
    { "aria-label": words.criterion, "data-key": "place what" },
    rows.map((row, at) =>
      el("option", { value: at, selected: at === (kept.what ?? 0) }, `${row.title}, ${row.task_type}`),
    ),
  );
  const count = el("input.wt", {
    type: "number",
    min: 1,
    max: 1e6,
    step: 1,
    value: kept.labels ?? 200,
    "aria-label": words.labels,
    "data-key": "place labels",
  });
  const time = el("span.s.m");
  const told = () => {
    kept.what = Number(select.value);
    kept.labels = Number(count.value);
    time.textContent = found.effort
      ? `about ${hours(kept.labels * (found.effort.per_answer + found.effort.per_cell))} of one person`
      : "";
  };
  select.addEventListener("change", told);
  count.addEventListener("input", told);
  told();
  const place = async () => {
    const row = rows[Number(select.value)];
    if (
      count.reportValidity() &&
      (await act("/api/routing/place", {
        criterion: row.criterion,
        task_type: row.task_type,
        labels: Number(count.value),
      }))
    )
      delete kept.labels;
  };
  return el(
    "div.bar",
    {},
    select,
    count,
    el("span.s", {}, "labels"),
    time,
    el(
      "button.btn",
      { type: "button", "data-key": "place", onclick: (event) => once(event.currentTarget, place) },
      "Place them",
    ),
  );
}
