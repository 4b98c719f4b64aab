// Which way a judge leans: leniency, length, place in the call, own family; one axis for all scales, in
// percent of the scale.

import { axis, dotRow, steps } from "../lead/chart.js";
import { copyButton } from "../lead/copy.js";
import { el } from "../lead/el.js";
import { several } from "../lead/several.js";

const KINDS = [
  ["leniency", "Leniency", "judge minus people: to the right it is kinder"],
  ["length", "Length", "what an answer twice as long gains beyond what people give it"],
  [
    "position",
    "Place in the call",
    "what the last answer of a call gains over the first; the order is drawn, so no label is needed",
  ],
  [
    "first",
    "Place in the pair",
    "what the answer shown first wins more often: than in the other order, or else than people say",
  ],
  ["family", "Own family", "what answers of its own family gain beyond what people give them"],
  [
    "drift",
    "Drift",
    "what it gives more since its prompt, its model or the wording changed, on the same answers",
  ],
];
const words = {
  title: "Bias: which way it leans",
  right: "percent of the scale, 95 % interval",
  how:
    "Mean of judge minus person, and slopes of it within questions; errors by question, t. Significant: " +
    "at 5 % after Holm's correction over all judges, criteria and figures of this page",
  real: "significant",
  none: "not significant after Holm",
  short: "not significant", // the sentence beside it says the rest
};
export const known = (x) => x !== null && x !== undefined;
/** What a figure says; where a sign beside it says that it carries no decision, only why. */
export const why = (figure) =>
  figure.status === "OK" ? figure.words : `${figure.reason[0].toUpperCase()}${figure.reason.slice(1)}.`;
const TWICE = Math.log(2);

/** A figure in percent of the scale; slopes on log length for an answer twice as long. */
function scaled(name, figure, row) {
  const by = (100 / row.range) * (name === "length" ? TWICE : 1);
  return Object.fromEntries(
    ["value", "low", "high"].map((key) => [key, known(figure[key]) ? figure[key] * by : null]),
  );
}

export function leanCard(judge) {
  const drawn = KINDS.map(([name, title, about]) => ({
    name,
    title,
    about,
    rows: judge.criteria.filter((row) => row.figures[name]),
  })).filter((kind) => kind.rows.length);
  const ends = drawn
    .flatMap(({ name, rows }) => rows.flatMap((row) => Object.values(scaled(name, row.figures[name], row))))
    .filter(known);
  const reach = Math.min(100, Math.max(10, Math.ceil(Math.max(0, ...ends.map(Math.abs)) / 10) * 10));
  const ticks = steps(-reach, reach);
  const grid = el(
    "div.lean",
    {},
    el("span"),
    axis(ticks, -reach, reach, 0),
    el("span.hm"),
    el("span.hm"),
    drawn.flatMap((kind) => group(kind, reach, ticks)),
  );
  return el(
    "section.card",
    {},
    el(
      "header",
      {},
      el("h2", {}, words.title),
      el("span.r", {}, `${words.right} · `, el("abbr", { title: words.how, tabindex: "0" }, "how")),
    ),
    grid,
  );
}

function group({ name, title, about, rows }, reach, ticks) {
  const head = el("h3.lh", {}, title, el("span.s.m", {}, ` ${about}`));
  // What cannot be drawn is told in one line for each reason.
  const without = Map.groupBy(
    rows.filter((row) => !known(row.figures[name].value)),
    (row) => why(row.figures[name]),
  );
  const told = [...without].map(([reason, of]) =>
    el(
      "p.s.m.lh",
      {},
      of.length < rows.length ? el("b", {}, `${of.map((row) => row.title).join(", ")}: `) : null,
      `${reason} `,
      copyButton(of[0].figures[name].sentence, "Copy"),
    ),
  );
  return [
    head,
    ...rows.filter((row) => known(row.figures[name].value)).flatMap((row) => line(name, row, reach, ticks)),
    ...told,
  ];
}

function line(name, row, reach, ticks) {
  const figure = row.figures[name];
  const at = scaled(name, figure, row);
  const firm = figure.status === "OK";
  const mark = figure.real
    ? el("span.v.q.real", {}, words.real)
    : firm
      ? el("span.v.ok", {}, name === "drift" ? words.short : words.none)
      : el("span.v.pd", {}, "INCONCLUSIVE");
  const bounds = known(at.low) && firm ? `${at.low.toFixed(0)} to ${at.high.toFixed(0)}` : "";
  const label =
    `${row.title}: ${figure.words}` + (bounds ? ` ${at.value.toFixed(0)} % of the scale, ${bounds}.` : "");
  return [
    el(
      "div",
      {},
      el("div.b", {}, row.title),
      el("div.s.m", {}, `${several(figure.n_cells, "verdict")}, ${several(figure.n_questions, "question")}`),
    ),
    dotRow({
      ...at,
      from: -reach,
      to: reach,
      label,
      grey: !firm,
      ticks,
      band: { value: 0, low: null, high: null },
    }),
    el("div", {}, mark),
    el(
      "div.s",
      {},
      firm && !figure.real && name !== "drift" ? "" : `${why(figure)} `,
      copyButton(figure.sentence, "Copy"),
    ),
  ];
}
