// The matrix of two authors, all pairs of the criterion, and the answers behind a cell of the matrix.

import { getJSON } from "../lead/api.js";
import { between, unbroken } from "../lead/interval.js";
import { copyButton } from "../lead/copy.js";
import { el, fill, pager } from "../lead/el.js";
import { problem } from "../lead/frame.js";
import { focusOn } from "../lead/keep.js";
import { several } from "../lead/several.js";
import { go } from "../lead/url.js";
import { answerItem, hiddenNote } from "./answers.js";
import { moreFigures } from "./more.js";

const words = {
  same: "raw agreement",
  agree: "agree",
  strict: "too strict",
  lenient: "too lenient",
  pairs: "All pairs",
  none: "These two share no cell.",
  noPair: "Nobody graded what this judge graded.",
  with: "with",
  hint: "Choose a number to see its answers.",
  back: "Back to the matrix",
  open: "INCONCLUSIVE",
};
/** @type {() => HTMLElement | null} the cell of the matrix that is open */
const pressed = () => document.querySelector(".cgl .cm [aria-pressed=true]");

/** A cell or a page of answers was chosen by hand: they must not open out of sight. */
let clicked = false;

/**
 * Fill `side` with the card of `chosen` (see selection in start.js), `behind` with the answers of its chosen
 * cell; a reply that comes when it is no longer `current()` is dropped.
 */
export async function matrixCard(side, behind, chosen, options, current) {
  if (!chosen) {
    fill(side);
    fill(behind);
    return;
  }
  side.classList.add("busy");
  try {
    const { pairs } = await getJSON("/api/agreement/pairs", { ...options, criterion: chosen.criterion.key });
    if (!current()) return;
    redraw(side, card(chosen, pairs, options));
    side.classList.remove("busy");
    const pair = pairOf(chosen, pairs);
    if (!pair || !chosen.value_a || !chosen.value_b) return void fill(behind);
    await answers(behind, chosen, pair, options, current);
    if (!current()) return;
    if (clicked) shown(behind);
    clicked = false;
  } catch (error) {
    if (current()) fill(side, problem(error));
  } finally {
    if (current()) side.classList.remove("busy");
  }
}

/** The card drawn anew; a matrix of the same two stays scrolled to where it was. */
function redraw(side, node) {
  const was = side.querySelector(".cmw");
  const left = was?.scrollLeft ?? 0;
  fill(side, node);
  const now = side.querySelector(".cmw");
  if (now && now.getAttribute("aria-label") === was?.getAttribute("aria-label")) now.scrollLeft = left;
}

/** The answers that were asked for: in sight, and the keyboard at their heading. */
function shown(behind) {
  const heading = behind.querySelector("h2");
  if (heading) focusOn(heading, { preventScroll: true });
  behind.scrollIntoView({ block: "nearest" });
}

/** The pair of the address, else the judge against `adjudicated`, else against the first person. */
function pairOf(chosen, pairs) {
  const mine = pairs.filter((pair) => pair.a === chosen.a || (!chosen.a && !pair.a.startsWith("judge:")));
  return (
    mine.find((pair) => pair.b === chosen.b) ??
    mine.find((pair) => pair.kind === "judge-adjudicated") ??
    mine[0] ??
    null
  );
}

function card(chosen, pairs, options) {
  const pair = pairOf(chosen, pairs);
  const { criterion } = chosen;
  if (!pair) return el("section.card", {}, el("h2", {}, criterion.title), el("p.m", {}, words.noPair));
  const others = pairs.filter((p) => p.a === pair.a);
  const select = el("select.chip", {
    "aria-label": words.with,
    onchange: () =>
      go({ criterion: criterion.key, a: pair.a, b: select.value, value_a: "", value_b: "", p: "" }),
  });
  select.append(...others.map((p) => el("option", { value: p.b, selected: p === pair }, p.b_name)));
  const raw = pair.raw.value === null ? "" : `${words.same} ${Math.round(100 * pair.raw.value)} %`;
  const figure =
    pair.lead.value === null
      ? pair.lead.reason
      : `${criterion.pair_figure} ` +
        `${fixed(pair.lead, 4)}${pair.lead.status === "OK" ? "" : ` ${words.open}: ${pair.lead.reason}`}`;
  return el(
    "section.card",
    { "aria-label": "Matrix and its answers" },
    el(
      "header",
      { style: { "margin-bottom": "6px" } },
      el("h2", {}, `${criterion.title}: ${pair.a_name}`),
      el("span", {}, `${words.with} `, select),
      el("span.r", {}, raw),
    ),
    el(
      "p.s.m",
      {},
      unbroken(figure),
      ` · ${several(pair.cells, "cell")}, ` +
        `${several(pair.questions, "question")}${pair.ac === null ? "" : ` · AC ${pair.ac.toFixed(2)}`}`,
      " ",
      pair.lead.value === null ? null : copyButton(pair.sentence, "Copy"),
    ),
    matrix(chosen, pair),
    el("p.s.m", { style: { margin: "6px 0 0" } }, words.hint),
    pair.a.startsWith("judge:") ? moreFigures(criterion.key, pair.a, options) : null,
    allPairs(criterion, pairs, pair),
  );
}

const two = (x) => x.toFixed(2);
const fixed = (f, digits = 2) =>
  f.value === null
    ? "undefined"
    : `${f.value.toFixed(digits)}${f.low === null ? "" : ` (${between(f.low, f.high, two)})`}`;

/** A figure that rests on too little is grey and has a question mark. */
const doubted = (f, text) =>
  f.status === "OK" || f.value === null
    ? text
    : el("span.m", { title: `${words.open}: ${f.reason}` }, `${text} ?`);

function matrix(chosen, pair) {
  const { ranges, words: long, ordered } = chosen.criterion;
  const total = pair.counts.flat().reduce((sum, n) => sum + n, 0) || 1;
  const box = el("div.cm", { style: { "--cols": `auto repeat(${ranges.length}, minmax(54px, 1fr))` } });
  box.append(
    el("span"),
    ...long.map((text, i) =>
      el("span", { title: text }, i === 0 ? `${pair.b_name}: ${ranges[i]}` : ranges[i]),
    ),
  );
  pair.counts.forEach((row, i) => {
    box.append(el("span", { title: long[i] }, i === 0 ? `${pair.a_name}: ${ranges[i]}` : ranges[i]));
    row.forEach((n, j) => {
      const on = chosen.value_a === ranges[i] && chosen.value_b === ranges[j];
      const note =
        ranges.length === 2
          ? i === j
            ? words.agree
            : !ordered
              ? ""
              : i < j
                ? words.strict
                : words.lenient
          : "";
      const shade = i === j ? Math.round((45 * n) / total) : 0;
      const open = () => (
        (clicked = true),
        go({
          criterion: chosen.criterion.key,
          a: pair.a,
          b: pair.b,
          value_a: ranges[i],
          value_b: ranges[j],
          p: "",
        })
      );
      box.append(
        el(
          "button",
          {
            type: "button",
            "aria-pressed": String(on),
            style: { "--p": `${shade}%` },
            "aria-label": `${pair.a_name} ${ranges[i]}, ${pair.b_name} ${ranges[j]}: ${n}`,
            disabled: n === 0,
            onclick: open,
          },
          el("b", {}, n.toLocaleString("en")),
          note ? el("span.s.m", {}, note) : null,
        ),
      );
    });
  });
  // A stop of Tab: columns of empty cells have no button that would bring them into sight.
  return el(
    "div.scroll.cmw",
    { role: "group", tabindex: "0", "aria-label": `${pair.a_name} in rows, ${pair.b_name} in columns` },
    box,
  );
}

async function answers(behind, chosen, pair, options, current) {
  const asked = {
    ...options,
    criterion: chosen.criterion.key,
    a: pair.a,
    b: pair.b,
    value_a: chosen.value_a,
    value_b: chosen.value_b,
    page: chosen.page,
  };
  try {
    const found = await getJSON("/api/agreement/answers", asked);
    if (!current()) return;
    const title = el(
      "h2",
      {},
      `${found.a.name} ${found.a.value}, ${found.b.name} ${found.b.value}: ` +
        `${found.total.toLocaleString("en")} ${found.total === 1 ? "answer" : "answers"}`,
    );
    const back = el("button.btn.xs.r", { type: "button", onclick: () => pressed()?.focus() }, words.back);
    const list = el(
      "ul",
      {},
      found.rows.map((row) => answerItem(row, options.project, chosen.criterion.key)),
    );
    fill(
      behind,
      el(
        "section.card",
        { "aria-label": title.textContent },
        el("header", {}, title, back),
        list,
        hiddenNote(found.hidden),
        pager(found.page, found.pages, (p) => ((clicked = true), go({ p }))),
      ),
    );
  } catch (error) {
    if (current()) fill(behind, problem(error));
  }
}

function allPairs(criterion, pairs, shown) {
  const row = (p) => {
    const open = () => go({ criterion: criterion.key, a: p.a, b: p.b, value_a: "", value_b: "", p: "" });
    return el(
      "tr",
      { class: p === shown ? "on" : null },
      el(
        "td.wide",
        {},
        el("button.lnk", { type: "button", onclick: open }, `${p.a_name} · ${p.b_name}`),
        " ",
        p.lead.value === null ? null : copyButton(p.sentence, "Copy"),
      ),
      el("td.n", {}, p.cells.toLocaleString("en")),
      el("td.n", {}, doubted(p.raw, p.raw.value === null ? "–" : `${Math.round(100 * p.raw.value)} %`)),
      el("td.n", {}, doubted(p.lead, fixed(p.lead))),
    );
  };
  const head = ["Pair", "cells", "same", criterion.pair_figure].map((text, i) =>
    el(i ? "th.n" : "th", { scope: "col" }, text),
  );
  return el(
    "details",
    { style: { "margin-top": "12px" } },
    el("summary", {}, `${words.pairs} (${pairs.length})`),
    el(
      "div.scroll",
      {},
      el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, pairs.map(row))),
    ),
  );
}
