// The chart: one row per judge, the band behind it is how far people agree among themselves.

import { between, unbroken } from "../lead/interval.js";
import { axis, dotRow } from "../lead/chart.js";
import { copyButton } from "../lead/copy.js";
import { el } from "../lead/el.js";
import { several } from "../lead/several.js";
import { go } from "../lead/url.js";

const words = {
  title: "How far each judge agrees with people",
  first: "best judges first",
  inAll: "in all",
  showAll: "Show all",
  criterion: "Criterion",
  judge: "Judge",
  agreement: "agreement",
  against: "against a person",
  people: "human–human agreement",
  key: "judge, with 95 % interval",
  ceiling: "human–human agreement: the ceiling",
  self: "test–retest agreement, at least 50 items apart: a second ceiling",
  few: "early estimate, or too few labels to say",
  adjudicated: "against adjudicated",
  short: "adjudicated",
  open: "INCONCLUSIVE",
  early: "early estimate",
  assisted: "assisted, optimistic:",
  inPairs: "in pairs",
  scale: "0 chance, 1 always the same",
  how:
    "Where everybody graded every cell: Cohen's kappa, quadratic weights on ordered scales, rank " +
    "correlation on plain ranges, as a mean over pairs. With gaps: Krippendorff's alpha, every pair of " +
    "people on every cell that two of them graded, each question alike; a judge with each person in " +
    "pairs, never pooled with them. Interval: jackknife over questions",
  answers: "the answers on which they differ",
};
/** What is no judge that was asked. */
const KINDS = { panel: "panel", learned: "learned, out of fold" };
const TOP = 3;
const SIGN = { "as good": "ok", better: "ok", worse: "no", INCONCLUSIVE: "q" };
let showAll = false;

const two = (x) => x.toFixed(2);
const size = (criterion, f) => several(f.n_cells, criterion.unit);
const span = (f) => (f.low === null ? "" : between(f.low, f.high, two));
const same = (share) =>
  share === null || share === undefined ? "" : `${Math.round(100 * share)} % raw agreement`;

export function chartCard(report) {
  const judges = new Set(report.criteria.flatMap((c) => c.judges.map((j) => j.ref))).size;
  const more = !showAll && report.criteria.some((c) => c.judges.length > TOP);
  const card = el("section.card");
  const open = () => ((showAll = true), card.replaceWith(chartCard(report)));
  const right = el(
    "span.r",
    {},
    `${words.first} · ${several(judges, "judge")} ${words.inAll} `,
    more ? el("button.btn.q.xs", { type: "button", onclick: open }, words.showAll) : null,
  );
  const low = lowest(report);
  const ticks = Array.from({ length: Math.round((1 - low) / 0.2) + 1 }, (_, i) => low + i * 0.2);
  const grid = el(
    "div.ag",
    {},
    el("div.hd2", {}, words.criterion),
    el("div.hd2", {}, words.judge),
    el("div.dtc.hd2", { style: { "align-self": "end" } }, axis(ticks, low, 1)),
    el("div.hd2", { style: { "justify-content": "flex-end" } }, words.agreement),
    el("div.hd2", {}, words.against),
  );
  for (const [i, criterion] of report.criteria.entries())
    grid.append(...(i ? [el("div.sep")] : []), ...criterionRows(criterion, low, ticks));
  card.append(el("header", {}, el("h2", {}, words.title), right), grid, legend());
  return card;
}

/** The chart begins at 0 unless a figure lies below it. */
function lowest(report) {
  const lows = report.criteria.flatMap((c) => c.judges.map((j) => j.shown.low ?? j.shown.value ?? 0));
  return Math.min(0, Math.floor(Math.min(0, ...lows) * 5) / 5);
}

function criterionRows(criterion, low, ticks) {
  const judges = showAll ? criterion.judges : criterion.judges.slice(0, TOP);
  const extra = [
    peopleLine(criterion),
    ...criterion.groups.map(groupLine),
    controlLine(criterion),
    ...criterion.silent.map(silentLine),
  ].filter(Boolean);
  const name = el(
    "div.crit",
    { style: { "grid-row": `span ${judges.length + extra.length}` } },
    el("span.b", { title: criterion.question }, criterion.title),
    el("span.s.m", {}, `${several(criterion.cells, "cell")}, ${several(criterion.questions, "question")}`),
  );
  const rows = judges.flatMap((judge) => judgeRow(criterion, judge, low, ticks));
  return [name, ...rows, ...extra];
}

function judgeRow(criterion, judge, low, ticks) {
  const figure = judge.shown;
  const people = judge.ceiling;
  const grey = figure.status !== "OK" || judge.verdict.word === "INCONCLUSIVE";
  const choose = () => go({ criterion: criterion.key, a: judge.ref, b: "", value_a: "", value_b: "", p: "" });
  const differ = () =>
    go({
      view: "disagreements",
      criterion: criterion.key,
      a: judge.ref,
      b: "",
      value_a: "",
      value_b: "",
      group: "",
      p: "",
    });
  const final = judge.adjudicated?.lead ?? null;
  const label =
    `${judge.name} on ${criterion.title}: ` +
    (`${figure.status === "EARLY" ? `${words.early} ` : ""}` +
      `${figure.value === null ? figure.reason : two(figure.value)}` +
      `${figure.low === null ? "" : `, between ${two(figure.low)} and ${two(figure.high)}`}` +
      `${people.value === null ? "" : `; people ${two(people.value)}`}`);
  const button = el(
    "button.jn",
    {
      type: "button",
      "data-criterion": criterion.key,
      "data-ref": judge.ref,
      title: `${several(judge.cells, "cell")}, ${several(judge.questions, "question")}`,
      onclick: choose,
    },
    judge.name,
  );
  const drawing = dotRow({
    ...figure,
    from: low,
    to: 1,
    hollow: true,
    grey,
    band: people,
    ticks,
    label,
    second: judge.shown_against === "people" && final?.status === "OK" ? final.value : null,
  });
  const point = el(
    "button.pt",
    { type: "button", "aria-label": `${label}: ${words.answers}`, title: words.answers, onclick: differ },
    drawing,
  );
  const early = figure.status === "EARLY";
  const value =
    figure.value === null
      ? el("span.m.s", { title: figure.reason }, "undefined")
      : el(
          early ? "span.nw.m" : "span.nw",
          {},
          el("b", {}, two(figure.value)),
          " ",
          el("span.m.s", {}, span(figure)),
        );
  const raw = judge.raw === null ? judge.adjudicated?.raw : { value: judge.raw, status: "OK" };
  const small = [
    early ? el("span.m.s", { title: figure.reason }, `${words.early}, ${size(criterion, figure)}`) : null,
    criterion.gaps && judge.people.value !== null
      ? el(
          "span.m.s",
          { title: judge.people.reason },
          unbroken(
            `${criterion.pair_figure} ${words.inPairs} ${two(judge.people.value)} ${span(judge.people)}`,
          ),
        )
      : null,
    judge.assisted
      ? el(
          "span.m.s",
          { title: judge.assisted.words },
          unbroken(`${words.assisted} ${two(judge.assisted.figure.value)} ${span(judge.assisted.figure)}`),
        )
      : null,
    ...line(same(raw?.value), raw),
    ...line(
      judge.shown_against !== "adjudicated" && final?.value != null
        ? `${words.short} ${two(final.value)} ${span(final)}`
        : "",
      final,
    ),
  ];
  const kind = KINDS[judge.kind] ? el("span.s.m.nw", {}, KINDS[judge.kind]) : null;
  const computing = judge.verdict.word === "…";
  const apart =
    judge.apart.value === null ? null : `judge minus people ${two(judge.apart.value)} ${span(judge.apart)}`;
  const word = el(
    SIGN[judge.verdict.word] ? `span.v.${SIGN[judge.verdict.word]}` : "span.m",
    { title: apart },
    judge.verdict.word,
  );
  return [
    el("div.jnw", {}, button, kind),
    el("div.dtc", {}, point),
    el("div.vl.n", {}, value, small),
    el(
      "div.vd",
      {},
      el(
        "span",
        {},
        word,
        judge.verdict.reason ? el("small.s", {}, judge.verdict.reason) : null,
        el("div", {}, computing ? null : copyButton(judge.sentence)),
      ),
    ),
  ];
}

/** A small line below a figure, and the word for what too few cells carry. */
function line(text, found) {
  if (!text) return [];
  const open = found.status === "OK" ? null : el("span.m.s.nw", { title: found.reason }, words.open);
  return [el("span.m.s.nw", {}, text), open];
}

function peopleLine(criterion) {
  const { ceiling, raw, names, called_in, population, graders } = criterion.people;
  const who = names.length <= 4 ? names.join(", ") : `${names.length} people`;
  const cells = several(ceiling.n_cells, "cell");
  const rests = `${several(graders, "person", "people")}, ${cells} that two of them graded`;
  const parts = [
    ceiling.value === null
      ? `${words.people}: ${ceiling.reason}`
      : `${words.people}: ` +
        (`${[two(ceiling.value), span(ceiling)].filter(Boolean).join(" ")}` +
          `${ceiling.status === "EARLY" ? `, ${words.early}` : ""}` +
          `${raw === null ? "" : `, ${same(raw)}`} `) +
        `(${rests}; ${who}; ${population})` +
        `${ceiling.status === "OK" ? "" : `: ${ceiling.reason}`}`,
  ];
  const own = criterion.people.self;
  if (own.value !== null)
    parts.push(
      `${words.self}: ` +
        (`${[two(own.value), span(own)].filter(Boolean).join(" ")}` +
          `${own.status === "OK" ? "" : ` ${own.status}: ${own.reason}`}, `) +
        `${several(own.n_cells, "cell")}`,
    );
  if (called_in.length) parts.push(`${called_in.join(", ")} graded only where others differ: in no mean`);
  return el(
    "div.full",
    {},
    unbroken(parts.join(". ")),
    " ",
    ceiling.value === null ? null : copyButton(criterion.people.sentence, "Copy"),
  );
}

/**
 * What people and judges gave the author's own text: a judge that does not see the ceiling cannot grade what
 * lies below it.
 */
function controlLine({ control }) {
  return control.length
    ? el(
        "div.full",
        {},
        `On the author's own text: ${control.map((one) => `${one.by} ${one.shown}`).join(", ")}`,
      )
    : null;
}

function groupLine(group) {
  const best = group.judges
    .filter((j) => j.people.value !== null)
    .sort((x, y) => y.people.value - x.people.value)[0];
  const among =
    group.mean.value === null
      ? group.mean.reason
      : `${[two(group.mean.value), span(group.mean)].filter(Boolean).join(" ")} among themselves`;
  return el(
    "div.full",
    {},
    unbroken(
      `Apart, ${group.group} (${several(group.people, "person", "people")}): ` +
        `${among}${best ? `; best judge ${best.name} ${two(best.people.value)}` : ""}`,
    ),
  );
}

/** A judge without a figure has no row, and is named all the same, with the reason. */
function silentLine(one) {
  return el("div.full", {}, one.words);
}

function legend() {
  const dot = (kind) => el(`i.${kind}`, { style: { width: "11px", height: "11px" } });
  return el(
    "div.key",
    { style: { "margin-top": "12px", gap: "4px 18px" } },
    el("span", {}, dot("mk"), words.key),
    el(
      "span",
      {},
      el("i", { style: { background: "var(--band)", "border-left": "1.5px solid var(--accent)" } }),
      words.ceiling,
    ),
    el("span", {}, dot("mk.g"), words.few),
    el("span", {}, el("i.mk.d", { style: { width: "7px", height: "7px" } }), words.adjudicated),
    el("span", {}, words.scale),
    el("span", {}, el("abbr", { title: words.how, tabindex: "0" }, "how")),
  );
}

/** Show which judge's matrix is open. */
export function markRow(chart, chosen) {
  for (const button of chart.querySelectorAll(".jn")) {
    button.setAttribute(
      "aria-pressed",
      String(
        Boolean(chosen) &&
          button.dataset.criterion === chosen.criterion.key &&
          button.dataset.ref === chosen.a,
      ),
    );
  }
}
