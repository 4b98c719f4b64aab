// Each criterion by its wordings: the present one above the earlier ones, every row with its own verdicts.

import { getJSON } from "../lead/api.js";
import { between } from "../lead/interval.js";
import { axis, dotRow } from "../lead/chart.js";
import { copyButton } from "../lead/copy.js";
import { el, fill } from "../lead/el.js";
import { blindSwitch, filterBar, fillBar } from "../lead/filters.js";
import { arrived, problem } from "../lead/frame.js";
import { several } from "../lead/several.js";

const words = {
  present: "in force",
  earlier: "earlier",
  none: "nothing to compare",
  nothing:
    "As long as question, guide and scale of a criterion stay as they are, all verdicts on it " +
    "count together.",
};
const two = (x) => x.toFixed(2);
const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1];

/** Fill top, bar and body with the wordings of all criteria, while they are `current()`. */
export async function drawVersions({ top, bar, body, notice, tabs, current }, options, choices) {
  body.classList.add("busy");
  try {
    const found = await getJSON("/api/agreement/versions", { ...options, wording: "" });
    if (!current()) return;
    fill(top, el("div", {}, el("h1", {}, found.title), el("p", {}, found.subtitle, " ", notice)));
    arrived(top);
    const blind = options.blind !== "0";
    fillBar(bar, tabs, blindSwitch({ blind_only: blind }), filterBar({ ...choices, wording: null }, blind));
    fill(
      body,
      found.criteria.length
        ? found.criteria.map(card)
        : el("section.card.empty", {}, el("p", {}, words.nothing)),
    );
  } catch (error) {
    if (current()) fill(body, problem(error));
  } finally {
    if (current()) body.classList.remove("busy");
  }
}

function card(criterion) {
  const more = criterion.left_out
    ? el("p.s.m", {}, `${criterion.left_out} older wordings are not shown.`)
    : null;
  return el(
    "section.card",
    { "aria-label": criterion.title },
    el("header", {}, el("h2", {}, criterion.title)),
    el(
      "div.vsn",
      {},
      el("span"),
      el("span"),
      axis(TICKS, 0, 1),
      el("span"),
      criterion.wordings.flatMap(wording),
    ),
    more,
  );
}

function wording(one) {
  const said = [
    el("b", {}, `Version ${one.version}`),
    el("span.s.m", {}, ` since ${one.since}, ${one.present ? words.present : words.earlier}`),
    el("div.s", { dir: "auto" }, one.question),
    one.guide ? el("div.s.m", { dir: "auto" }, one.guide) : null,
  ];
  const count =
    one.figure === ""
      ? null
      : el("div.s.m", {}, `${several(one.cells, "cell")}, ${several(one.questions, "question")}`);
  const rows = one.judges.length
    ? one.judges.map((judge) => judgeRow(one, judge))
    : [[el("span"), el("span"), el("span.s.m", {}, one.words || words.none)]];
  return rows.flatMap((row, at) => [
    at ? el("span") : el(one.present ? "div.wd.on" : "div.wd", {}, said, count),
    ...row,
  ]);
}

function judgeRow(one, judge) {
  const { shown, verdict } = judge;
  const known = shown.value !== null;
  const interval = shown.low === null ? "" : ` ${between(shown.low, shown.high, two)}`;
  const label =
    `${judge.name}, version ${one.version}: ` + `${known ? two(shown.value) + interval : shown.reason}`;
  const kind = { "as good": "ok", better: "ok", worse: "no", INCONCLUSIVE: "q" }[verdict.word];
  return [
    el("div", {}, judge.name),
    el(
      "div.dtc",
      {},
      dotRow({
        value: shown.value,
        low: shown.low,
        high: shown.high,
        from: 0,
        to: 1,
        hollow: true,
        grey: shown.status !== "OK" || kind === "q",
        band: one.people,
        ticks: TICKS,
        label,
      }),
    ),
    el(
      "div",
      {},
      known
        ? el("span.nw", {}, el("b", {}, two(shown.value)), el("span.s.m", {}, interval))
        : el("span.s.m", {}, shown.reason),
      el(
        "div",
        {},
        el(kind ? `span.v.${kind}` : "span.m", {}, verdict.word),
        verdict.reason ? el("div.s.m", {}, verdict.reason) : null,
      ),
      copyButton(judge.sentence, "Copy"),
    ),
  ];
}
