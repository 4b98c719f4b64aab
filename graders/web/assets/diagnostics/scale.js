// How a judge uses the scale: how often each value, beside people on the same verdicts. One small chart per
// criterion.

import { copyButton } from "../lead/copy.js";
import { el } from "../lead/el.js";

const words = {
  title: "Use of the scale",
  right: "share of the verdicts: people above, judge below",
  people: "people",
  judge: "judge",
  none: "No verdict of a person meets one of this judge's.",
};
const percent = (count, all) => (all ? `${Math.round((100 * count) / all)} %` : "–");

export function scaleCard(judge) {
  const rows = judge.criteria.filter((row) => row.use);
  const key = el(
    "div.key",
    {},
    el("span", {}, el("i.people"), words.people),
    el("span", {}, el("i.auto"), words.judge),
  );
  return el(
    "section.card",
    {},
    el("header", {}, el("h2", {}, words.title), el("span.r", {}, words.right)),
    rows.length ? [el("div.smalls", {}, rows.map(small)), key] : el("p.m", {}, words.none),
  );
}

function small(row) {
  const { values, judge, people } = row.use;
  const all = row.verdicts;
  const most = Math.max(...judge, ...people, 1);
  const bars = values.map((value, i) =>
    el(
      "div.vb",
      {
        role: "img",
        "aria-label":
          `${value}: ${words.people} ${percent(people[i], all)}, ${words.judge} ` +
          `${percent(judge[i], all)}`,
      },
      el("span.s.vn", { title: value }, value),
      el(
        "span.vt",
        {},
        el("i.people", { style: { width: `${(100 * people[i]) / most}%` } }),
        el("i.auto", { style: { width: `${(100 * judge[i]) / most}%` } }),
      ),
      el("span.s.m.n", {}, percent(people[i], all), el("br"), percent(judge[i], all)),
    ),
  );
  const spread = row.figures.spread;
  return el(
    "figure",
    {},
    el("figcaption.b", {}, row.title),
    bars,
    spread ? el("p.s.m", {}, spread.words, " ", copyButton(spread.sentence, "Copy")) : null,
  );
}
