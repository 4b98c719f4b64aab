// The answers behind one cell of the grid.

import { query } from "../lead/api.js";
import { copyButton } from "../lead/copy.js";
import { el, pager } from "../lead/el.js";
import { between } from "../lead/interval.js";
import { go, here } from "../lead/url.js";

const words = {
  question: "Question",
  category: "Category",
  who: "who",
  pending: "pending",
  closed: "not applicable",
  anyState: "All values",
  states: {
    pending: "pending",
    people: "by people",
    automatic: "automatic",
    adjudicated: "adjudicated",
    closed: "not applicable",
  },
  earlier: "version",
  none: "No answer matches.",
  close: "Close",
  parts: "Mean of each part",
  none_yet: "none yet",
};

/** `cell` is that of the grid, as far as it is known: its mean, which the answers below are behind. */
export function answersCard(found, cell) {
  const state = here().state || "";
  const select = el("select.chip", {
    "aria-label": words.anyState,
    onchange: () => go({ state: select.value, apage: "" }),
  });
  select.append(
    el("option", { value: "" }, words.anyState),
    ...Object.entries(words.states).map(([value, text]) =>
      el("option", { value, selected: value === state }, text),
    ),
  );
  const spread = found.values.map((v) => `${v.word} ${v.count.toLocaleString("en")}`).join(" · ");
  const close = el(
    "button.btn.xs",
    { type: "button", onclick: () => go({ criterion: "", question: "", version: "", apage: "", state: "" }) },
    words.close,
  );
  const header = el(
    "header",
    {},
    el("h2", {}, `${found.model}, ${found.criterion.title}`),
    mean(cell),
    select,
    el("span.r", {}, found.summary),
    close,
  );
  const metric = found.rows.find((row) => row.metric)?.metric.name;
  const columns = [words.question, words.category, found.criterion.title, words.who];
  const measured = metric?.replaceAll("_", " ");
  const head = el(
    "tr",
    {},
    columns.map((text) => el("th", { scope: "col" }, text)),
    metric ? el("th.n", { scope: "col" }, measured) : null,
  );
  const body = found.rows.map((row) => answerRow(row, found.model, measured));
  const table = el("div.scroll", {}, el("table.al", {}, el("thead", {}, head), el("tbody", {}, body)));
  const below =
    spread && found.values.length <= 12 ? el("p.s.m", { style: { "margin-top": "8px" } }, spread) : null;
  return el(
    "section.card",
    {},
    header,
    partMeans(found.parts),
    found.rows.length ? table : el("p.m", {}, words.none),
    missing(found.rows, measured),
    below,
    pager(found.page, found.pages, (page) => go({ apage: page })),
  );
}

/** The mean in numbers, with its interval, to be copied. */
function mean(cell) {
  if (!cell?.sentence) return null;
  const digits = (cell.shown.replace(" %", "").split(".")[1] ?? "").length;
  return el(
    "span",
    {},
    el("b", {}, cell.shown),
    cell.low === null
      ? null
      : el("span.s.m", {}, ` ${between(cell.low, cell.high, (end) => end.toFixed(digits))}`),
    " ",
    copyButton(cell.sentence, "Copy"),
  );
}

/** The mean of each named part: which of them pulls the criterion down. */
function partMeans(parts) {
  if (!parts.length) return null;
  const one = (p) =>
    el(
      "span",
      { title: p.guide || null },
      `${p.part} `,
      el("b", {}, p.shown || words.none_yet),
      p.pending ? el("span.pn", {}, ` ${p.pending.toLocaleString("en")} ${words.pending}`) : null,
    );
  return el("p.s.key", { "aria-label": words.parts }, parts.map(one));
}

/** Why the measure is not there, each reason once with the number of its rows. */
function missing(rows, measured) {
  const counts = new Map();
  for (const { metric } of rows)
    if (metric && metric.value === null) counts.set(metric.why, (counts.get(metric.why) ?? 0) + 1);
  return [...counts].map(([why, n]) =>
    el(
      "p.s",
      { style: { "margin-top": "8px" } },
      `${measured} n/a for ${n.toLocaleString("en")} of these: ${why}`,
    ),
  );
}

function answerRow(row, model, metric) {
  const open = () => go({ question: row.question_id, model, version: "" });
  const text = row.question.length > 130 ? row.question.slice(0, 130) + "…" : row.question;
  const name = el("button.lnk", { type: "button", dir: "auto", onclick: open }, text || row.question_id);
  const part = row.part ? el("div.s.m", {}, row.part) : null;
  const on = here().question === row.question_id;
  return el(
    "tr",
    { class: on ? "on" : null },
    el("td", {}, name, part),
    el("td.m.s", {}, row.category),
    el("td", {}, value(row)),
    el("td.m.s", {}, why(row)),
    metric ? el("td.n", { title: row.metric?.why || null, "data-label": metric }, measure(row.metric)) : null,
  );
}

/**
 * Why a cell stands as it does; where people differ or somebody settled it, the way to what each of them
 * said.
 */
function why(row) {
  const text = row.reason || words.states[row.source] || "";
  return row.source === "adjudicated" || row.reason === "people differ"
    ? el(
        "span.s",
        {},
        el("a", { href: "/adjudicate" + query({ project: here().project, cell: row.cell }) }, text),
      )
    : text;
}

function value(row) {
  if (row.source === "pending") return el("span.v.pd", {}, words.pending);
  if (row.source === "closed") return el("span.m", {}, words.closed);
  const number = typeof row.value === "number" && row.word !== String(row.value);
  return el("span", {}, el("b", {}, number ? `${row.value} ` : row.word), number ? row.word : null);
}

const measure = (metric) =>
  metric?.value === null || metric?.value === undefined ? "n/a" : metric.value.toFixed(2);
