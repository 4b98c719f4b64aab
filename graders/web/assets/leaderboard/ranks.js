// The table: rank, model, dot with its interval, the judge's own value, people's labels alone; brackets join
// what is tied.

import { axis, place, steps } from "../lead/chart.js";
import { copyButton } from "../lead/copy.js";
import { el } from "../lead/el.js";
import { between } from "../lead/interval.js";
import { go } from "../lead/url.js";

const words = {
  rank: "Rank",
  model: "Model",
  people: "people",
  judge: "judge",
  corrected: "corrected by people, 95 % interval",
  peopleOnly: "people's labels, 95 % interval",
  judgeOnly: "judge alone, 95 % interval of its mean",
  alone: "judge alone",
  labels: "people's labels alone",
  tied: "cannot be told apart",
  few: "too few labels to say",
  rogan: "Shares by Rogan and Gladen",
  roganHint:
    "The judge's share of each model, corrected by how often it is wrong on that model's own " +
    "labels: wider than the figures above, for comparison with other reports",
  rankHint: "95 % confidence interval of the rank",
  how:
    "PPI++ with one weight for all models, clustered by question, t; ranks by Holm's rule over " +
    "each model's differences",
};
/** So many models at first. */
export const SHOWN = 40;
let showAll = false;

const known = (x) => x !== null && x !== undefined;

export function rankCard(found) {
  const { decimals, low, high, words: unit } = found.axis;
  const rows = found.models.filter((m) => m.figure?.value != null);
  const without = found.models.filter((m) => m.figure?.value == null);
  const shown = showAll ? rows : rows.slice(0, SHOWN);
  const [from, to] = range(shown, found, low, high);
  const ticks = steps(from, to);
  const card = el("section.card", { "aria-label": "Ranking" });
  const title = found.criteria.find((c) => c.key === found.view)?.title ?? "Overall";
  const lambda = found.how
    ? found.how
    : found.show === "corrected" && known(found.lambda)
      ? `${words.how}; weight of the judge ${found.lambda.toFixed(2)}`
      : words.how;
  const right = el(
    "span.r",
    {},
    `${rows.length.toLocaleString("en")} model${rows.length === 1 ? "" : "s"} · ${unit} · `,
    el("abbr", { title: lambda, tabindex: "0" }, "how"),
  );
  const head = [
    el("div.hd2", {}, el("abbr", { title: words.rankHint, tabindex: "0" }, words.rank)),
    el("div.hd2", {}, words.model),
    el("div.hd2.brh"),
    el("div.dtc.hd2", {}, axis(ticks, from, to, to - from > 10 ? 0 : 1)),
    el("div.hd2.n", {}, unit),
    el("div.hd2.n.hm", {}, words.judge),
    el("div.hd2.n.hm", {}, words.people),
  ];
  const grid = el(
    "div.lb",
    {},
    head,
    shown.flatMap((m, i) => row(m, i, found, { from, to, ticks, decimals })),
    brackets(found.ties, shown.length),
  );
  card.append(el("header", {}, el("h2", {}, title), right), grid);
  if (rows.length > shown.length)
    card.append(
      el(
        "button.btn.q.xs",
        { type: "button", onclick: () => ((showAll = true), card.replaceWith(rankCard(found))) },
        `Show all ${rows.length}`,
      ),
    );
  const lacks = found.show === "judge" ? "the judge graded none" : "no blind label counts";
  if (without.length)
    card.append(
      el(
        "p.s.m",
        {},
        `Without a figure: ${without.map((m) => `${m.model} (${m.figure?.reason ?? lacks})`).join(", ")}.`,
      ),
    );
  card.append(legend(found));
  return card;
}

/** The part of the scale that the rows need. */
function range(rows, found, low, high) {
  const all = rows
    .flatMap((m) => [m.figure, m.people, found.judge ? m.judge : null])
    .flatMap((f) => [f?.low, f?.high, f?.value])
    .filter(known);
  const step = (high - low) / 10;
  return [
    Math.max(low, low + Math.floor((Math.min(...all) - low) / step) * step),
    Math.min(high, low + Math.ceil((Math.max(...all) - low) / step + 1e-9) * step),
  ];
}

function row(m, i, found, { from, to, ticks, decimals }) {
  const figure = m.figure;
  const number = (x) => x.toFixed(decimals);
  const at = (x) => place(x, from, to);
  const line = (kind, f) =>
    known(f?.low)
      ? el(kind, { style: { left: at(f.low), width: `calc(${at(f.high)} - ${at(f.low)})` } })
      : null;
  const [best, worst] = m.ranks ?? ["–", "–"]; // a figure that carries no decision has no rank
  const grey = figure.status !== "OK";
  const third = (style) => ({ style: { "grid-row": String(i + 2), ...style } });
  const spoken =
    `${m.model}: ` +
    (`${number(figure.value)}` +
      `${known(figure.low) ? `, between ${number(figure.low)} and ${number(figure.high)}` : ""}` +
      `${grey ? `, inconclusive: ${figure.reason}` : ""}`);
  const second = found.show === "corrected";
  const drawing = el(
    "div.dt",
    { role: "img", "aria-label": spoken },
    ticks.map((t) => el("i.gl", { style: { left: at(t) } })),
    second ? line("i.iv.t", m.people) : null,
    line(grey ? "i.iv.g" : found.show === "judge" ? "i.iv" : "i.iv.k", figure),
    second && known(m.judge?.value) ? el("i.mk", { style: { left: at(m.judge.value) } }) : null,
    el(grey ? "i.mk.g" : found.show === "judge" ? "i.mk" : "i.mk.f", { style: { left: at(figure.value) } }),
  );
  const moved = second && !grey && m.judge?.status === "OK" ? m.judge_place - m.place : 0;
  const arrow = el(
    "span.ar",
    { title: moved ? `judge alone: place ${m.judge_place}` : null },
    moved ? `${moved > 0 ? "▼" : "▲"}${Math.abs(moved)}` : "",
  );
  return [
    el(
      grey ? "div.rk.m" : "div.rk.b",
      { ...third(), title: grey ? figure.reason : null },
      best === worst ? `${best}` : `${best}–${worst}`,
    ),
    el(
      "div.nm",
      third(),
      el("span", { dir: "auto" }, m.model),
      m.sentence ? copyButton(m.sentence, "Copy") : null,
    ),
    el("div.dtc", third(), drawing),
    el(
      "div.cv.n",
      { ...third(), title: grey ? figure.reason : null },
      el(grey ? "span.m" : "b", {}, number(figure.value)),
      el("span.s.m", {}, known(figure.low) ? ` ${between(figure.low, figure.high, number)}` : ""),
    ),
    el("div.jg.n.hm", third(), known(m.judge?.value) ? number(m.judge.value) : "–", arrow),
    el("div.pe.n.hm.m", third(), known(m.people?.value) ? number(m.people.value) : "–"),
  ];
}

/** On a scale of two values another correction may be asked for. */
export function shareCard(found) {
  if (!found.two_valued) return null;
  const asked = found.rogan_gladen;
  const button = el(
    "button.btn.q.xs",
    {
      type: "button",
      "data-key": "rogan",
      "aria-expanded": String(Boolean(asked)),
      title: words.roganHint,
      onclick: () => go({ rogan: asked ? "" : "1" }),
    },
    words.rogan,
  );
  if (!asked) return el("p", {}, button);
  const { decimals, words: unit } = found.axis;
  const line = (m) => {
    const f = asked.figures[m.model];
    const text = known(f.value)
      ? `${f.value.toFixed(decimals)} ` +
        (`(${f.low.toFixed(decimals)}–${f.high.toFixed(decimals)})` +
          `${f.status === "OK" ? "" : `, ${f.status}: ${f.reason}`}`)
      : f.reason;
    return el(
      "tr",
      {},
      el("td", { dir: "auto" }, m.model),
      el(f.status === "OK" ? "td.n" : "td.n.m", {}, text),
      el("td", {}, f.sentence ? copyButton(f.sentence, "Copy") : null),
    );
  };
  return el(
    "section.card",
    { "aria-label": words.rogan },
    el("header", {}, el("h2", {}, button), el("span.r", {}, `${unit}, 95 % interval`)),
    el("p.s.m", {}, `${words.roganHint}.`),
    el("div.scroll", {}, el("table", {}, el("tbody", {}, found.models.map(line)))),
  );
}

/** Runs of tied models, beside each other where they overlap. */
function brackets(ties, rows) {
  const free = [];
  return ties
    .filter(([first]) => first < rows)
    .map(([first, last]) => {
      const end = Math.min(last, rows - 1);
      let lane = free.findIndex((until) => until < first);
      if (lane < 0) lane = free.push(end) - 1;
      else free[lane] = end;
      return el(
        "div.br",
        {
          "aria-hidden": "true",
          style: { "grid-row": `${first + 2} / ${end + 3}`, "--l": `${18 - 9 * Math.min(lane, 2)}px` },
        },
        el("i"),
      );
    });
}

function legend(found) {
  const dot = (kind) => el(`i.${kind}`, { style: { width: "11px", height: "11px" } });
  const span = (...parts) => el("span", {}, ...parts);
  const main =
    found.show === "judge"
      ? span(dot("mk"), words.judgeOnly)
      : span(dot("mk.f"), found.show === "people" ? words.peopleOnly : words.corrected);
  const more =
    found.show === "corrected"
      ? [
          span(dot("mk"), words.alone),
          span(
            el("i", { style: { height: "1px", width: "18px", background: "var(--muted)" } }),
            words.labels,
          ),
        ]
      : [];
  const bracket = {
    border: "1.5px solid var(--muted)",
    "border-right": "0",
    "border-radius": "4px 0 0 4px",
    width: "7px",
  };
  return el(
    "div.key",
    { style: { "margin-top": "10px", gap: "4px 18px" } },
    main,
    ...more,
    span(dot("mk.g"), words.few),
    found.ties.length ? span(el("i", { style: bracket }), words.tied) : null,
  );
}
