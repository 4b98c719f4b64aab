// Labels of one criterion placed where they decide: the choice beside answers drawn at random, and what is
// under way.

import { getJSON } from "../lead/api.js";
import { el, fill, once } from "../lead/el.js";
import { problem } from "../lead/frame.js";
import { several } from "../lead/several.js";
import { turns } from "../lead/turns.js";
import { hours } from "./sentence.js";

const words = {
  title: "Sample actively or at random?",
  right: (unit) => `labels of one criterion, or whole ${unit.many}`,
  criterion: "Criterion and task type",
  labels: "Labels to place",
  asked: "labels: what to expect",
  stop: "Ask for no more",
};

/**
 * `kept` holds a choice that was not sent yet. Nothing where no criterion has two values, or values without
 * order.
 */
export function placingCard(found, project, act, kept) {
  const rows = found.rows.filter((row) => row.placeable);
  if (!rows.length) return null;
  const busy = rows.filter((row) => row.draw.open);
  return el(
    "section.card",
    {},
    el("header", {}, el("h2", {}, words.title), el("span.r", {}, words.right(found.unit))),
    busy.length ? el("p.s.m", {}, found.trade) : null,
    busy.map((row) => underWay(row, act)),
    form(
      found,
      rows.filter((row) => !row.draw.open),
      act,
      kept,
      project,
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

/** What so many labels are expected to bring, and a button for the kinds where placing them gains. */
function form(found, rows, act, kept, project) {
  if (!rows.length) return null;
  const count = el("input.wt", {
    type: "number",
    min: 1,
    max: 1e6,
    step: 1,
    value: kept.labels ?? 200,
    required: true,
    "aria-label": words.labels,
    "data-key": "place labels",
  });
  const time = el("span.s.m");
  const out = el("div", { role: "status" });
  const turn = turns();
  const told = async () => {
    kept.labels = Number(count.value);
    time.textContent = found.effort
      ? `about ${hours(kept.labels * (found.effort.per_answer + found.effort.per_cell))} of one person`
      : "";
    if (!count.checkValidity()) return;
    const current = turn();
    try {
      const { labels } = kept;
      // the page is drawn again while numbers are dragged, and nothing is simulated for that
      if (kept.offers?.of !== found || kept.offers.labels !== labels)
        kept.offers = { of: found, labels, reply: getJSON("/api/routing/offers", { project, labels }) };
      const offers = await kept.offers.reply;
      if (current()) fill(out, ...offered(offers, act, kept));
    } catch (error) {
      if (current()) fill(out, problem(error));
    }
  };
  count.addEventListener("change", told);
  told();
  return el("div", {}, el("div.bar", {}, count, el("span.s", {}, words.asked), time), out);
}

function offered(offers, act, kept) {
  const told = offers.rows.map((row) => el("p.s", {}, row.words));
  const worth = offers.rows.filter((row) => row.recommended === "placed");
  if (!worth.length) return told;
  const name = (row) => `${row.title}, ${row.task_type}`;
  const select = el(
    "select",
    { "aria-label": words.criterion, "data-key": "place what" },
    worth.map((row, at) => el("option", { value: at, selected: name(row) === kept.what }, name(row))),
  );
  select.addEventListener("change", () => (kept.what = name(worth[Number(select.value)])));
  const place = async () => {
    const row = worth[Number(select.value)];
    const body = { criterion: row.criterion, task_type: row.task_type, labels: offers.labels };
    if (await act("/api/routing/place", body)) delete kept.labels;
  };
  const button = el(
    "button.btn",
    { type: "button", "data-key": "place", onclick: (event) => once(event.currentTarget, place) },
    "Place them",
  );
  return [...told, el("div.bar", {}, select, button)];
}
