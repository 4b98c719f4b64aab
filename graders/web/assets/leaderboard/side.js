// Beside the ranking: where the judge misleads, quality against price, speed or length, two models, and the
// single criteria.

import { postJSON, query } from "../lead/api.js";
import { place, steps } from "../lead/chart.js";
import { copyButton } from "../lead/copy.js";
import { el } from "../lead/el.js";
import { between } from "../lead/interval.js";
import { several } from "../lead/several.js";
import { go, here } from "../lead/url.js";
import { SHOWN } from "./ranks.js";

const words = {
  misleads: "alone would mislead.",
  behind: "See where they differ",
  pair: "Two models, question by question",
  first: "First model",
  second: "Second model",
  chance: "Chance that the order is wrong",
  under: "To bring it under 5 %",
  doubt: "INCONCLUSIVE",
  few: "Dashed: too few labels to say.",
  beside: "Compare their answers",
  weights: "Weight in the overall mean",
  criteria: "By criterion",
  worthless: "not graded",
  chosen: "How rated answers were chosen",
  chosenHint:
    "Labels of all answers, or of answers chosen at random, speak for all. Where it is unknown, " +
    "figures are of the labelled answers alone.",
  kept: "more wait for their test on Routing. Another choice than at random lets go of them for good.",
};
/** What may be stated. */
const CHOSEN = { unknown: "unknown", random: "at random", all: "all were rated" };
/** What quality is set against: the field, its title, its unit. */
const AGAINST = {
  cost: ["price", "dollars for 1,000 answers", (x) => 1000 * x],
  first: ["first word", "seconds to the first token", (x) => x],
  seconds: ["speed", "seconds for an answer", (x) => x],
  tokens: ["length", "tokens of an answer", (x) => x],
};
const known = (x) => x !== null && x !== undefined;
let showAll = false;

export function warningNote(found, project) {
  if (!found.warning) return null;
  return el(
    "section.note",
    {},
    el("b", {}, `${found.judge || "The judge"} ${words.misleads}`),
    ` ${found.warning} `,
    el("a", { href: "/agreement" + query({ project }) }, words.behind),
  );
}

/** Which imports brought labels and how their answers were chosen, which a lead may state otherwise. */
export function choiceCard(found, project, again) {
  const imports = found.choice?.imports ?? [];
  if (!imports.length) return null;
  const status = el("p.s.m", { role: "status" });
  const line = (one) => {
    const select = el("select.chip", {
      "aria-label": `${words.chosen}: ${one.source}`,
      onchange: async () => {
        try {
          await postJSON("/api/labels", { project, import: one.id, chosen: select.value });
          again();
        } catch (error) {
          select.value = one.chosen;
          status.textContent = error.message;
        }
      },
    });
    select.append(
      ...Object.entries(CHOSEN).map(([value, text]) =>
        el("option", { value, selected: value === one.chosen }, text),
      ),
    );
    return el(
      "p",
      {},
      el("span.s", { dir: "auto" }, `${one.source}, ${several(one.labels, "label")} `),
      select,
      one.kept ? el("span.s.m", {}, ` ${several(one.kept, "label")} ${words.kept}`) : null,
    );
  };
  return el(
    "section.card",
    { "aria-label": words.chosen },
    el("header", {}, el("h2", {}, words.chosen)),
    imports.map(line),
    el("p.s.m", {}, words.chosenHint),
    status,
  );
}

export function plotCard(found, asked) {
  const rows = found.models.filter((m) => m.figure?.value != null);
  const choices = Object.keys(AGAINST).filter((name) => rows.filter((m) => known(m[name])).length > 1);
  if (!choices.length) return null;
  const name = choices.includes(asked) ? asked : choices[0];
  const [title, unit, scale] = AGAINST[name];
  const points = rows.filter((m) => known(m[name])).map((m) => ({ m, x: scale(m[name]), y: m.figure.value }));
  const chosen =
    choices.length < 2
      ? null
      : el(
          "div.seg",
          { role: "group", "aria-label": "Set quality against" },
          choices.map((c) =>
            el(
              "button",
              {
                type: "button",
                "data-key": `against ${c}`,
                "aria-pressed": String(c === name),
                onclick: () => go({ against: c === choices[0] ? "" : c }),
              },
              AGAINST[c][0],
            ),
          ),
        );
  const line = points.some(sure)
    ? " Line: the Pareto frontier, where no model is better and " +
      `${name === "cost" ? "cheaper" : name === "tokens" ? "shorter" : "quicker"}; ` +
      "bars: 95 % CI."
    : "";
  const note = el("p.s.m", {}, `Across: ${unit}, mean.${line}${points.every(sure) ? "" : ` ${words.few}`}`);
  return el(
    "section.card",
    {},
    el("header", {}, el("h2", {}, `Quality against ${title}`)),
    chosen,
    plot(points, found.axis),
    note,
  );
}

/** Whether a model's figure carries a decision: the others are on no line. */
const sure = (p) => p.m.figure.status === "OK";

function plot(points, axis) {
  const xs = points.map((p) => p.x);
  const positive = Math.min(...xs) > 0;
  const log = positive && Math.max(...xs) / Math.min(...xs) > 8;
  const f = (x) => (log ? Math.log10(x) : x);
  const pad = (f(Math.max(...xs)) - f(Math.min(...xs)) || 1) * 0.12;
  const [x0, x1] = [
    log ? f(Math.min(...xs)) - pad : Math.max(0, f(Math.min(...xs)) - pad),
    f(Math.max(...xs)) + pad,
  ];
  const ends = points.flatMap((p) => [p.m.figure.low ?? p.y, p.m.figure.high ?? p.y]);
  const room = (Math.max(...ends) - Math.min(...ends) || 1) * 0.06;
  const [y0, y1] = [
    Math.max(axis.low, Math.min(...ends) - room),
    Math.min(axis.high, Math.max(...ends) + room),
  ];
  const left = (x) => place(f(x), x0, x1);
  const down = (y) => place(y, y1, y0);
  const best = frontier(points.filter(sure));
  const names = naming(points, best, (p) => [parseFloat(left(p.x)), parseFloat(down(p.y))]);
  const area = el("div.plot", {
    role: "img",
    "aria-label": points
      .map((p) => `${p.m.model}: ${p.y.toFixed(axis.decimals)} at ${short(p.x)}`)
      .join("; "),
  });
  for (const y of steps(y0, y1))
    area.append(
      el("i.gr", { style: { top: down(y) } }),
      el("span.w.y", { style: { top: down(y) } }, y.toFixed(y1 - y0 > 10 ? 0 : 1)),
    );
  for (const x of new Set([Math.min(...xs), Math.max(...xs)]))
    area.append(el("span.w.x", { style: { left: left(x) } }, short(x)));
  for (const style of pieces(best, left, down)) area.append(el("i.ln", { style }));
  for (const p of points)
    if (known(p.m.figure.low))
      area.append(
        el("i.up", {
          style: {
            left: left(p.x),
            top: down(p.m.figure.high),
            height: `calc(${down(p.m.figure.low)} - ${down(p.m.figure.high)})`,
          },
        }),
      );
  for (const p of points)
    area.append(
      el(best.includes(p) ? "i.mk.f" : sure(p) ? "i.mk.d" : "i.mk.g", {
        title: `${p.m.model}: ${p.y.toFixed(axis.decimals)}, ${short(p.x)}`,
        style: { left: left(p.x), top: down(p.y) },
      }),
    );
  for (const [p, { side, below }] of names)
    area.append(
      el(
        `span.w.nm${side < 0 ? ".ra" : ""}${below ? ".lo" : ""}`,
        { style: { left: left(p.x), top: down(p.y) } },
        p.m.model,
      ),
    );
  return area;
}

/** Models that no other beats in both, the cheapest first. */
function frontier(points) {
  const sorted = [...points].sort((p, q) => p.x - q.x || q.y - p.y);
  let top = -Infinity;
  return sorted.filter((p) => p.y > top && ((top = p.y), true));
}

/** Whether a piece of the line through `best` goes through the box of a name; all in percent of the plot. */
function struck(best, at, { from, to, mid }) {
  const [top, bottom] = [mid - 4, mid + 4];
  return best.some((p, i) => {
    const [x, y] = at(p);
    const [nextX, nextY] = best[i + 1] ? at(best[i + 1]) : [100, y];
    const level = y > top && y < bottom && x < to && nextX > from;
    return level || (nextX > from && nextX < to && nextY < bottom && y > top);
  });
}

/** The line through them as level and upright pieces. */
function pieces(best, left, down) {
  return best.flatMap((p, i) => {
    const next = best[i + 1];
    const level = {
      left: left(p.x),
      top: down(p.y),
      width: next ? `calc(${left(next.x)} - ${left(p.x)})` : `calc(100% - ${left(p.x)})`,
      height: "0",
    };
    return next
      ? [
          level,
          {
            left: left(next.x),
            top: down(next.y),
            height: `calc(${down(p.y)} - ${down(next.y)})`,
            width: "0",
          },
        ]
      : [level];
  });
}

/**
 * Names that find room, each with its box: those on the line first, of these the best. A name stands beside
 * its point, above or else below, and where it can clear of the line.
 */
function naming(points, best, at) {
  const taken = [];
  return [...[...best].reverse(), ...points.filter((p) => !best.includes(p))].flatMap((p) => {
    const [x, y] = at(p);
    const wide = Math.min(45, 3 + 2.7 * p.m.model.length); // of 100, as `x` and `y`
    const first = x > 62 ? -1 : 1;
    const boxes = [-5, 5].flatMap((off) =>
      [first, -first].map((side) => {
        const [from, to] = side > 0 ? [x + 2, x + wide] : [x - wide, x - 2];
        return { from, to, mid: y + off, side, below: off > 0 };
      }),
    );
    const free = boxes.filter(
      (box) =>
        box.from >= 0 &&
        box.to <= 100 &&
        box.mid <= 96 &&
        !taken.some((o) => Math.abs(o.mid - box.mid) < 9 && box.from < o.to && o.from < box.to),
    );
    const box = free.find((one) => !struck(best, at, one)) ?? free[0];
    if (!box) return [];
    taken.push(box);
    return [[p, box]];
  });
}

const short = (x) => (x >= 100 ? Math.round(x).toLocaleString("en") : String(Number(x.toPrecision(2))));

export function pairCard(found) {
  const pair = found.pair;
  if (!pair) return null;
  const names = found.models.filter((m) => known(m.place)).map((m) => m.model);
  const choose = (label, key, value, other) => {
    const select = el("select", {
      "aria-label": label,
      "data-key": key,
      onchange: () =>
        go({
          a: pair.a,
          b: pair.b,
          [key]: select.value,
          ...(select.value === other ? { [key === "a" ? "b" : "a"]: value } : {}),
        }),
    });
    select.append(...names.map((name) => el("option", { value: name, selected: name === value }, name)));
    return select;
  };
  const sign = (x) => `${x > 0 ? "+" : ""}${x.toFixed(found.axis.decimals)}`;
  const more =
    pair.more === null
      ? pair.why
      : pair.more
        ? `about ${several(pair.more, "more labelled question")}${pair.why ? `: ${pair.why}` : ""}`
        : "it is already";
  return el(
    "section.card",
    {},
    el("header", {}, el("h2", {}, words.pair)),
    el(
      "div.two",
      {},
      choose(words.first, "a", pair.a, pair.b),
      el("span.m", {}, "minus"),
      choose(words.second, "b", pair.b, pair.a),
    ),
    el(
      "dl.dl",
      {},
      el("dt", {}, `Difference, ${several(pair.questions, "question")}`),
      el(
        "dd",
        {},
        el(pair.doubt ? "span.m" : "b", {}, sign(pair.apart)),
        known(pair.low) ? el("span.s.m", {}, ` ${sign(pair.low)} to ${sign(pair.high)}`) : null,
      ),
      pair.doubt
        ? [el("dt", {}, words.doubt), el("dd", {}, pair.doubt)]
        : [
            el("dt", {}, words.chance),
            el(
              "dd",
              {},
              known(pair.p_flip)
                ? pair.p_flip < 0.01
                  ? "under 1 %"
                  : `${Math.round(100 * pair.p_flip)} %`
                : "–",
              pair.tied ? " · tied" : "",
            ),
            el("dt", {}, words.under),
            el("dd", {}, more),
          ],
    ),
    el(
      "div.bar",
      { style: { "margin-top": "10px" } },
      el(
        "button.btn.xs",
        { type: "button", onclick: () => go({ compare: "1", a: pair.a, b: pair.b }) },
        words.beside,
      ),
      copyButton(pair.sentence),
    ),
  );
}

/** Models x criteria, with the weights of the overall mean. */
export function criteriaCard(found) {
  const shown = found.criteria.filter((c) => Object.keys(c.cells).length);
  if (found.view !== "overall" || shown.length < 2) return null;
  const weigh = (c, value) =>
    go({
      weights: shown
        .map((o) => [o.key, o.key === c.key ? value : o.weight])
        .filter(([, w]) => w !== 1)
        .map(([key, w]) => `${key}:${w}`)
        .join(";"),
    });
  const weight = (c) => {
    const input = el("input.wt", {
      type: "number",
      min: "0",
      max: "100",
      step: "any",
      value: String(c.weight),
      "aria-label": `${words.weights}: ${c.title}`,
      "data-key": `weight ${c.key}`,
      onchange: () =>
        input.value !== "" && input.checkValidity() ? weigh(c, Number(input.value)) : input.reportValidity(),
    });
    return el("td.n", {}, input);
  };
  const cell = (c, m) => {
    const f = c.cells[m.model];
    if (!known(f?.value)) return el("td.n.m", { title: f?.reason ?? null }, "–");
    return el(
      "td.n",
      { title: f.status === "OK" ? null : f.reason },
      el(f.status === "OK" ? "b" : "span.m", {}, f.value.toFixed(c.decimals)),
      el(
        "span.s.m",
        {},
        known(f.low) ? ` ${between(f.low, f.high, (end) => end.toFixed(c.decimals))} ` : " ",
      ),
      copyButton(`${f.sentence} ${c.ground}`, "Copy"),
    );
  };
  const name = (c) =>
    el(
      "th.n",
      { title: c.question },
      el("button.lnk", { type: "button", onclick: () => go({ ...here(), view: c.key }) }, c.title),
      el("div.s.m", {}, c.words),
    );
  const rest = found.criteria
    .filter((c) => !shown.includes(c))
    .map(
      (c) =>
        `${c.title} (${words.worthless} ${found.show === "judge" ? "by the judge" : "by people, blind"})`,
    )
    .concat(
      found.criteria.filter((c) => c.aside).map((c) => `${c.title} (${c.aside})`),
      found.without.map((c) => `${c.title} (${c.reason})`),
    );
  const models = showAll ? found.models : found.models.slice(0, SHOWN);
  const card = el(
    "section.card",
    {},
    el("header", {}, el("h2", {}, words.criteria)),
    el(
      "div.scroll",
      {},
      el(
        "table.byc",
        {},
        el(
          "thead",
          {},
          el("tr", {}, el("th", {}, "Model"), shown.map(name)),
          el("tr", {}, el("th", {}, words.weights), shown.map(weight)),
        ),
        el(
          "tbody",
          {},
          models.map((m) =>
            el(
              "tr",
              {},
              el("td", { dir: "auto" }, m.model),
              shown.map((c) => cell(c, m)),
            ),
          ),
        ),
      ),
    ),
    models.length < found.models.length
      ? el(
          "button.btn.q.xs",
          { type: "button", onclick: () => ((showAll = true), card.replaceWith(criteriaCard(found))) },
          `Show all ${found.models.length}`,
        )
      : null,
    rest.length ? el("p.s.m", {}, `Not in the mean: ${rest.join(", ")}.`) : null,
  );
  return card;
}
