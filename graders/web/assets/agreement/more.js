// Behind "more": every figure of one judge on one criterion, the alternative annotator test, the best
// constant answer.

import { getJSON } from "../lead/api.js";
import { between } from "../lead/interval.js";
import { copyButton } from "../lead/copy.js";
import { el, fill } from "../lead/el.js";
import { problem } from "../lead/frame.js";

const words = {
  more: "More figures",
  figure: "figure",
  judge: "judge and people",
  people: "people",
  alt: "Alternative annotator test",
  altHint:
    "May the judge stand in for one of several people? Wins: share of the people against whom it " +
    "does at least as well, given the margin; passed at half and more",
  who: {
    experts: "experts, margin 0.2",
    skilled: "skilled people, margin 0.15",
    crowd: "a crowd, margin 0.1",
  },
  wins: "wins",
  advantage: "advantage",
  constant: "Best constant answer",
  constantHint:
    "What always saying the same would reach: a tolerance that a constant passes says nothing about a judge",
  stepped: "The scale is long: these figures are of its values in eleven steps.",
};

const two = (x) => x.toFixed(2);
const figure = (f) =>
  f === null || f === undefined
    ? "–"
    : f.value === null
      ? el("abbr", { title: f.reason, tabindex: "0" }, "none")
      : el(
          "span",
          { title: f.reason || null },
          `${two(f.value)} `,
          el(
            "span.m.s.nw",
            {},
            f.low === null
              ? f.status === "OK"
                ? ""
                : "?"
              : `${between(f.low, f.high, two)}${f.status === "OK" ? "" : " ?"}`,
          ),
        );
const share = (f) =>
  f.value === null
    ? "–"
    : `${Math.round(100 * f.value)} ` +
      `%${f.low === null ? "" : ` (${between(f.low, f.high, (x) => String(Math.round(100 * x)))})`}`;

/** A fold that asks for the figures when it is opened. */
export function moreFigures(criterion, judge, options) {
  const box = el("div");
  const fold = el("details", { style: { "margin-top": "12px" } }, el("summary", {}, words.more), box);
  fold.addEventListener("toggle", async () => {
    if (!fold.open || box.childElementCount) return;
    fill(box, el("p.s.m", { role: "status" }, "…"));
    try {
      fill(box, tables(await getJSON("/api/agreement/details", { ...options, criterion, judge })));
    } catch (error) {
      fill(box, problem(error));
    }
  });
  return fold;
}

function tables(found) {
  const row = (f) =>
    el(
      "tr",
      {},
      el("td", {}, el("span", { title: f.about }, f.name), " ", copyButton(f.sentence, "Copy")),
      el("td.n", {}, figure(f.judge)),
      el("td.n", {}, figure(f.people)),
    );
  const head = el(
    "thead",
    {},
    el(
      "tr",
      {},
      [words.figure, words.judge, words.people].map((text, i) =>
        el(i === 1 || i === 2 ? "th.n" : "th", { scope: "col" }, text),
      ),
    ),
  );
  return [
    found.stepped ? el("p.s.m", {}, words.stepped) : null,
    el("div.scroll", {}, el("table.al", {}, head, el("tbody", {}, found.figures.map(row)))),
    ...alt(found),
    ...constants(found),
    el("p.s.m", {}, `Counted: ${found.counted}.`),
  ];
}

function alt(found) {
  const row = ([who, test]) =>
    el(
      "tr",
      {},
      el("td", {}, words.who[who]),
      el("td.n", {}, test.omega === null ? "–" : `${Math.round(100 * test.omega)} %`),
      el("td", {}, outcome(test)),
    );
  const first = Object.values(found.alt_test)[0];
  const { value, low, high, reason } = first.rho;
  const range = low === null ? "" : ` (${between(low, high, two)})`;
  const advantage = value === null ? reason : two(value) + range;
  return [
    el(
      "h3",
      { style: { "margin-top": "10px", "font-size": "14px" } },
      el("abbr", { title: words.altHint, tabindex: "0" }, words.alt),
      " ",
      copyButton(found.sentences[0], "Copy"),
    ),
    el(
      "p.s.m",
      {},
      `${words.advantage} ${advantage}${first.reason ? `. INCONCLUSIVE: ${first.reason}` : ""}`,
    ),
    el("div.scroll", {}, el("table.al", {}, el("tbody", {}, Object.entries(found.alt_test).map(row)))),
  ];
}

const outcome = (test) =>
  test.omega === null
    ? test.reason
    : test.status === "INCONCLUSIVE"
      ? el("span.v.q", {}, "INCONCLUSIVE")
      : el(test.passed ? "span.v.ok" : "span.v.no", {}, test.passed ? "passed" : "not passed");

function constants(found) {
  const row = (c, i) =>
    el(
      "tr",
      {},
      el("td", {}, `always ${c.value ?? "–"}${c.tolerance ? `, within ${c.tolerance}` : ""}`),
      el("td.n", {}, share(c.constant)),
      el("td.wide", {}, `${found.judge.name} ${share(c.judge)} `, copyButton(found.sentences[i + 1], "Copy")),
    );
  return [
    el(
      "h3",
      { style: { "margin-top": "10px", "font-size": "14px" } },
      el("abbr", { title: words.constantHint, tabindex: "0" }, words.constant),
    ),
    el("div.scroll", {}, el("table.al", {}, el("tbody", {}, found.constant.map(row)))),
  ];
}
