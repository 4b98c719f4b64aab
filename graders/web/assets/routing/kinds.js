// Who decides what: each criterion on each task type with its label, its promise in words and what is
// missing.

import { query } from "../lead/api.js";
import { copyButton } from "../lead/copy.js";
import { el } from "../lead/el.js";
import { several } from "../lead/several.js";
import { percent } from "./sentence.js";

const LABELS = { PROVEN: "span.v.ok", UNPROVEN: "span.v.q", "BY YOUR RULE": "span.v.pd" };
const PARTS = [
  ["people", "people"],
  ["audit", "automatic, checked by a person"],
  ["automatic", "automatic"],
  ["pending", "pending"],
];
const CLASS = { people: "people", audit: "audit", automatic: "auto", pending: "pend" };

export function kindsCard(found, project, act) {
  const off = constants(found.rows);
  const key = el(
    "div.key",
    {},
    PARTS.map(([name, text]) => el("span", {}, el(`i.${CLASS[name]}`), text)),
  );
  const rows = found.rows.map((row) => kind(row, found, act));
  const hint = el(
    "p.s.m",
    {},
    found.rows.some((row) => row.state === "PROVEN") ? null : "Default rule, no evidence yet. ",
    el("a", { href: "/agreement" + query({ project }) }, "How judges and people agree"),
  );
  return el(
    "section.card",
    {},
    el("header", {}, el("h2", {}, "Who decides what"), el("span.r", {}, "share automatic")),
    rows,
    key,
    off.length ? el("p.s.m", {}, off.join(" ")) : null,
    hint,
  );
}

/**
 * What always saying the same would do, once for task types that share the figure: those that are tested
 * together.
 */
function constants(rows) {
  const types = new Map();
  for (const r of rows.filter((r) => r.constant)) {
    const said =
      `Always saying “${r.constant.value}” would be ` +
      `off on ${percent(r.constant.off)} of the labelled cells of ${r.title}`;
    types.set(said, [...(types.get(said) ?? []), r.task_type]);
  }
  return [...types].map(([said, names]) => `${said} (${names.join(", ")}).`);
}

function kind(row, found, act) {
  const decided = row.decided;
  const total = Math.max(1, row.cells);
  const bar = el(
    "div.stk",
    { role: "img", "aria-label": PARTS.map(([name]) => `${name} ${decided[name]}`).join(", ") },
    PARTS.filter(([name]) => decided[name]).map(([name]) =>
      el(`i.${CLASS[name]}`, { style: { flex: String(decided[name]) } }),
    ),
  );
  const free = found.free[row.task_type] ?? 0;
  const answers = row.answers === null ? null : Math.min(row.answers, free);
  const many = (n) => several(n, row.unit.one, row.unit.many);
  const button = answers
    ? el(
        "button.btn.xs",
        {
          type: "button",
          "data-key": `draw ${row.criterion} ${row.task_type}`,
          "aria-label": `Draw ${many(answers)} for ${row.title}, ${row.task_type}`,
          onclick: () => act("/api/routing/draw", { answers, task_type: row.task_type }),
        },
        `Draw ${many(answers)}`,
      )
    : null;
  const short =
    row.answers !== null && row.answers > free
      ? `Only ${many(free)} ${free === 1 ? "is" : "are"} left to draw. `
      : "";
  const stake = button ? (found.stake[row.task_type]?.same ?? "") : "";
  const missing =
    row.missing === null
      ? null
      : el(
          "div.s.m",
          {},
          `${several(row.missing, row.tested ? "fresh label" : "more label")} would do. ${short}${stake} `,
          button,
        );
  return el(
    "div.rt",
    {},
    el(
      "div",
      {},
      el("div.b", {}, row.title),
      el("div.s.m", {}, `${row.task_type}, ${several(row.cells, "cell")}`),
    ),
    bar,
    el("div.n.b", {}, percent((decided.automatic + decided.audit) / total)),
    el(
      "div",
      {},
      el(LABELS[row.state], {}, row.state),
      el("div.s.m", {}, row.words, " ", copyButton(row.sentence, "Copy")),
      sorted(row),
      missing,
    ),
  );
}

/**
 * By what the cells are sorted, where an order was fixed and the promise does not say so already; else why
 * there is none yet.
 */
function sorted({ order, words }) {
  if (order.note) return el("div.s.m", {}, order.note);
  if (order.kind !== "fixed" || words.includes(order.words)) return null;
  return el(
    "div.s.m",
    { title: `Fixed on ${order.at.slice(0, 10)} as ${order.digest}, from ${order.judges.join(", ")}` },
    order.words,
  );
}
