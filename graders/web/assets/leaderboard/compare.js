// Compare two: differences by criterion with their intervals, verdicts, and the answers side by side, those
// first that got worse.

import { query } from "../lead/api.js";
import { dotRow, steps } from "../lead/chart.js";
import { copyButton } from "../lead/copy.js";
import { el, fill, pager } from "../lead/el.js";
import { go } from "../lead/url.js";

const words = {
  title: "Difference, question by question",
  first: "First side",
  second: "Second side",
  minus: "minus",
  swap: "Swap",
  worse: "worse",
  better: "better",
  share: "% of the scale",
  verdict: "Verdict",
  criterion: "Criterion",
  difference: "Difference",
  seen: "What these questions can show",
  chance: (n) =>
    n > 1
      ? `Each verdict has 95 % confidence by itself: where nothing differs, one of ${n} criteria seems ` +
        `to with a chance of ${Math.round(100 * (1 - 0.95 ** n))} %.`
      : "",
  cases: "Answers side by side",
  order: "Order of the answers",
  orders: { worse: "Got worse first", better: "Got better first" },
  open: "Open",
  cut: "The text goes on: open it to read all.",
  none: "No question has values of both that count.",
  judged: "Count the judge alone",
};
const SIGNS = { better: "ok", worse: "no", "cannot be told": "q" };
const known = (x) => x !== null && x !== undefined;

/** The cards of a comparison; `project` for links. */
export function compareCards(found, project) {
  if (!found.a) return [el("section.card.empty", {}, el("p.m", {}, found.title))];
  return [differences(found), cases(found, project)];
}

function sides(found) {
  const choose = (label, key, value) => {
    const select = el("select", {
      "aria-label": label,
      "data-key": key,
      onchange: () =>
        go({
          ...both(found),
          [key]: select.value,
          ...(select.value === both(found)[other(key)] ? { [other(key)]: value } : {}),
          cpage: "",
        }),
    });
    select.append(
      ...found.choices.map((c) =>
        el(
          "option",
          { value: c.ref, selected: c.ref === value },
          known(c.answers)
            ? `${c.label}: ${c.answers.toLocaleString("en")} earlier answer${c.answers === 1 ? "" : "s"}`
            : c.label,
        ),
      ),
    );
    return select;
  };
  const swap = el(
    "button.btn.xs",
    { type: "button", "data-key": "swap", onclick: () => go({ a: found.b.ref, b: found.a.ref, cpage: "" }) },
    words.swap,
  );
  return el(
    "div.two",
    {},
    choose(words.first, "a", found.a.ref),
    el("span.m", {}, words.minus),
    choose(words.second, "b", found.b.ref),
    swap,
  );
}

/** @type {(found: any) => Record<string, string>} */
const both = (found) => ({ a: found.a.ref, b: found.b.ref });
const other = (key) => (key === "a" ? "b" : "a");

function differences(found) {
  const rows = found.rows.filter((r) => known(r.apart));
  const share = (r, x) => (known(x) ? (100 * x) / (r.high_end - r.low_end) : null);
  const ends = rows.flatMap((r) => [share(r, r.apart), share(r, r.low), share(r, r.high)]).filter(known);
  const reach = Math.min(100, 10 * Math.ceil((Math.max(5, ...ends.map(Math.abs)) + 0.5) / 10));
  const without = found.rows.filter((r) => !known(r.apart));
  const tests = rows.filter((r) => r.key !== "overall").length;
  const axis = el(
    "div.dtc.hd2",
    {},
    el(
      "div.ax",
      { "aria-hidden": "true" },
      [`${words.worse} −${reach}`, "0", `+${reach} ${words.better}`].map((name, i) =>
        el("span", { style: { left: `${50 * i}%` } }, name),
      ),
    ),
  );
  const grid = el(
    "div.cp2",
    {},
    el("div.hd2", {}, words.criterion),
    axis,
    el("div.hd2.n", {}, words.difference),
    el("div.hd2", {}, words.verdict),
    rows.flatMap((r) => row(r, found, reach, share)),
  );
  const seen = rows.filter((r) => r.seen);
  return el(
    "section.card",
    { "aria-label": words.title },
    el("header", {}, el("h2", {}, words.title), el("span.r", {}, words.share)),
    sides(found),
    rows.length
      ? grid
      : el(
          "p.m",
          {},
          words.none,
          found.show === "judge" ? null : " ",
          found.show === "judge" || !found.judges.length
            ? null
            : el("button.lnk", { type: "button", onclick: () => go({ show: "judge" }) }, words.judged),
        ),
    without.length
      ? el("p.s.m", {}, `Without a figure: ${without.map((r) => `${r.title} (${r.why})`).join(", ")}.`)
      : null,
    words.chance(tests) ? el("p.s.m", {}, words.chance(tests)) : null,
    leading(found)?.seen ? el("p.s", {}, leading(found).seen) : null,
    seen.length > 1
      ? el(
          "details",
          {},
          el("summary", {}, words.seen),
          el(
            "ul",
            {},
            seen.map((r) => el("li.s", {}, el("b", {}, `${r.title}: `), r.seen)),
          ),
        )
      : null,
  );
}

const leading = (found) => found.rows.find((r) => r.key === found.view);

function row(r, found, reach, share) {
  const number = (x) => signed(x, r.decimals);
  const grey = r.verdict === "cannot be told";
  const label =
    `${r.title}: ` +
    `${number(r.apart)}${known(r.low) ? `, between ${number(r.low)} and ${number(r.high)}` : ""}: ` +
    `${r.verdict}${r.why ? `, ${r.why}` : ""}`;
  const chart = dotRow({
    value: share(r, r.apart),
    low: share(r, r.low),
    high: share(r, r.high),
    from: -reach,
    to: reach,
    label,
    grey: Boolean(r.why),
    hollow: found.show === "judge",
    ticks: [0, ...steps(-reach, reach)],
  });
  const leads = r.key === found.view;
  const name = el(
    "button.lnk",
    {
      type: "button",
      "data-key": `lead ${r.key}`,
      "aria-pressed": String(leads),
      onclick: () => go({ view: r.key === "overall" ? "" : r.key, cpage: "" }),
    },
    el(leads ? "b" : "span", {}, r.title),
  );
  return [
    el("div.c1", { title: r.question }, name, el("span.s.m", {}, ` ${r.words}`)),
    el("div.dtc", {}, chart),
    el(
      "div.n.c3",
      { title: `${found.a.label} ${r.a.toFixed(r.decimals)}, ${found.b.label} ${r.b.toFixed(r.decimals)}` },
      el(grey ? "span" : "b", {}, number(r.apart)),
      el("span.s.m", {}, known(r.low) ? ` ${number(r.low)} to ${number(r.high)}` : ""),
    ),
    el(
      "div.c4",
      {},
      el(`span.v.${SIGNS[r.verdict]}`, {}, r.verdict),
      r.why ? el("small.s.m", {}, r.why) : null,
      copyButton(r.sentence),
    ),
  ];
}

const signed = (x, decimals) => `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(decimals)}`;

function cases(found, project) {
  const { worse, better, same, rows, page, pages } = found.cases;
  const count = (n) => n.toLocaleString("en");
  const order = el(
    "div.seg",
    { role: "group", "aria-label": words.order },
    Object.entries(words.orders).map(([name, text]) =>
      el(
        "button",
        {
          type: "button",
          "data-key": `order ${name}`,
          "aria-pressed": String(found.order === name),
          onclick: () => go({ order: name === "worse" ? "" : name, cpage: "" }),
        },
        text,
      ),
    ),
  );
  const card = el(
    "section.card",
    { "aria-label": words.cases },
    el(
      "header",
      {},
      el("h2", {}, words.cases),
      el("span.r", {}, `${count(worse)} worse, ${count(better)} better, ${count(same)} equal`),
    ),
  );
  if (!rows.length) return fill(card, ...card.childNodes, el("p.m", {}, words.none));
  card.append(order, ...rows.map((r) => one(r, project)));
  const turn = pager(page, pages, (to) => go({ cpage: to > 1 ? to : "" }));
  if (turn) card.append(turn);
  return card;
}

function one(r, project) {
  const values = r.values.filter((v) => v.a !== v.b);
  const said = values.length
    ? values.map((v) =>
        el(
          "li",
          {},
          el("b", {}, `${v.title}: `),
          el("span", { dir: "auto" }, v.a),
          " against ",
          el("span", { dir: "auto" }, v.b),
          el("span.m", {}, v.by === "people" ? " (people)" : ` (${v.by})`),
        ),
      )
    : [el("li.m", {}, "the same values")];
  return el(
    "article.case",
    {},
    el("h3", { dir: "auto" }, r.question),
    el("ul.s.vals", {}, said),
    el("div.pair", {}, answer(r.a, r, project), answer(r.b, r, project)),
  );
}

function answer(side, r, project) {
  const text = el("div.text", {
    dir: "auto",
    tabindex: "0",
    role: "region",
    "aria-label": `${side.label}: ${r.question.slice(0, 80)}`,
  });
  text.innerHTML = side.html; // sanitised on the server by graders/web/markdown.py
  const open = el(
    "a.r",
    {
      href:
        "/results" + query({ project, model: side.model, question: r.question_id, version: side.version }),
      "aria-label": `${words.open} ${side.label}`,
    },
    words.open,
  );
  return el(
    "div.side",
    {},
    el("header.bar", {}, el("b", { dir: "auto" }, side.label), open),
    text,
    side.cut ? el("p.s.m", {}, words.cut) : null,
  );
}
