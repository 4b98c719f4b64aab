// What a judge's confidence is worth: stated chance against the share of people who gave the same value, in
// bins of equally many verdicts.

import { copyButton } from "../lead/copy.js";
import { el } from "../lead/el.js";
import { known, why } from "./lean.js";

const words = {
  title: "What its confidence is worth",
  right: "across: the chance that it stated; upwards: how often a person gave the same value",
  none: "This judge stated no confidence on what people graded.",
  few: "No bin has 10 verdicts.",
  how:
    "Ten bins of equally many verdicts, those with fewer than 10 left out; Wilson bars for " +
    "verdicts that come in questions. On the line stated chances come true",
};
const KINDS = {
  stated: "as stated",
  logprobs: "from the probabilities of its tokens",
  samples: "from repeated samples",
  orders: "halved where the order of a pair decided",
};
const CURVES = { platt: "Platt's curve", isotonic: "steps" };

export function confidenceCard(judge) {
  const rows = judge.criteria.filter((row) => row.confidence);
  return el(
    "section.card",
    {},
    el(
      "header",
      {},
      el("h2", {}, words.title),
      el("span.r", {}, `${words.right} · `, el("abbr", { title: words.how, tabindex: "0" }, "how")),
    ),
    rows.length ? el("div.smalls", {}, rows.map(small)) : el("p.m", {}, words.none),
  );
}

function small(row) {
  const { bins, stated, met, floor, better, ece_floor: missFloor } = row.confidence;
  const { over, brier, ece } = row.figures;
  const spoken = bins.map((b) => `stated ${whole(b.chance)}, met ${whole(b.share)}`).join("; ");
  const mark = over.real
    ? el("span.v.q.real", {}, "significant")
    : over.status === "OK"
      ? el("span.v.ok", {}, "not significant after Holm")
      : el("span.v.pd", {}, "INCONCLUSIVE");
  const kinds = row.kinds.map((kind) => KINDS[kind] ?? kind).join(" and ");
  const learned =
    better && known(better.brier.value)
      ? ` After ${CURVES[better.curve]}, learned from other questions: ${better.brier.value.toFixed(3)}.`
      : "";
  return el(
    "figure",
    {},
    el("figcaption", {}, el("b", {}, row.title), kinds ? el("span.s.m", {}, ` ${kinds}`) : null),
    el(
      "div.rel",
      { role: "img", "aria-label": `${row.title}: ${spoken || words.few}` },
      bins.flatMap(bin),
      [0, 0.5, 1].flatMap((t) => [
        el("span.y", { style: { bottom: `${100 * t}%` } }, whole(t)),
        el("span.x", { style: { left: `${100 * t}%` } }, whole(t)),
      ]),
    ),
    bins.length ? null : el("p.s.m", {}, words.few),
    el(
      "div.s",
      {},
      el("div", {}, mark),
      `States ${whole(stated)}, meets ${whole(met)}. `,
      over.status === "OK" && over.real ? `${over.words} ` : "",
      over.status === "OK" ? "" : `${why(over)} `,
      copyButton(over.sentence, "Copy"),
    ),
    el(
      "p.s.m",
      {},
      `Brier ${span(brier, 3)}; floor ${floor.toFixed(3)}.${learned} `,
      copyButton(brier.sentence, "Copy"),
    ),
    el(
      "p.s.m",
      {},
      `Misses by ${span(ece, 2)}; a perfect judge by ${missFloor.toFixed(2)} here. `,
      copyButton(ece.sentence, "Copy"),
    ),
  );
}

const whole = (x) => `${Math.round(100 * x)} %`;
const span = (f, n) =>
  `${f.value.toFixed(n)}${known(f.low) ? ` (${f.low.toFixed(n)} to ${f.high.toFixed(n)})` : ""}`;

function bin({ chance, share, low, high }) {
  const left = `${100 * chance}%`;
  return [
    el("i.bar2", { style: { left, bottom: `${100 * low}%`, height: `${100 * (high - low)}%` } }),
    el("i.mk.f", { style: { left, top: `${100 - 100 * share}%` } }),
  ];
}
