// How steady a judge is, without a single label: repeated samples, quotes that are not in the answer, replies
// that could not be read.

import { query } from "../lead/api.js";
import { copyButton } from "../lead/copy.js";
import { el } from "../lead/el.js";
import { known } from "./lean.js";

const words = {
  title: "How steady its replies are",
  right: "without a single label; 95 % intervals by question",
  criterion: "Criterion",
  asked: "Cells asked",
  list: "Cells without a value",
};
const COLUMNS = [
  [
    "consistency",
    "Two samples say the same",
    "Of two samples of one call, how often they bring the same value",
  ],
  ["quotes", "Quote not in the answer", "Of the verdicts that rest on a quote"],
  [
    "unread",
    "Reply could not be read",
    "Of all cells that it was asked about: no JSON, off the scale, empty, cut off",
  ],
];
/** Only where pairs are compared. */
const CHANGED = [
  "changed",
  "Winner changed with the order",
  "Of the pairs that were compared in both orders",
];

export function repliesCard(judge, project) {
  const columns = judge.criteria.some((row) => row.figures.changed) ? [...COLUMNS, CHANGED] : COLUMNS;
  const head = [
    el("th", { scope: "col" }, words.criterion),
    el("th.n", { scope: "col" }, words.asked),
    ...columns.map(([, text, hint]) => el("th.n", { scope: "col", title: hint }, text)),
  ];
  const rows = judge.criteria.map((row) =>
    el(
      "tr",
      {},
      el("td", {}, row.title),
      el("td.n", {}, row.asked.toLocaleString("en")),
      columns.map(([name]) => cell(row.figures[name])),
    ),
  );
  const link = el(
    "a.r",
    { href: "/results" + query({ project, unscored: "any", judge: judge.name }) },
    words.list,
  );
  return el(
    "section.card",
    {},
    el("header", {}, el("h2", {}, words.title), el("span.r", {}, words.right)),
    el(
      "div.scroll",
      { tabindex: "0" },
      el("table.byc", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows)),
    ),
    el("p.s", {}, link),
  );
}

function cell(f) {
  if (!f) return el("td.n.m", {}, "–");
  if (!known(f.value)) return el("td.n.s.m.wr", {}, f.reason, " ", copyButton(f.sentence, "Copy"));
  const bounds = known(f.low)
    ? el("span.s.m", {}, ` ${(100 * f.low).toFixed(0)} to ${(100 * f.high).toFixed(0)}`)
    : null;
  return el(
    f.status === "OK" ? "td.n" : "td.n.wr",
    { title: f.reason || null },
    el(
      f.status === "OK" ? "b" : "span.m",
      {},
      `${(100 * f.value).toFixed(f.value > 0 && f.value < 0.1 ? 1 : 0)} %`,
    ),
    bounds,
    f.status === "OK" ? null : el("span.s.m", {}, ` ? ${f.reason}`),
    " ",
    copyButton(f.sentence, "Copy"),
  );
}
