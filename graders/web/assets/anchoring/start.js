// Anchoring: per criterion how far a suggestion pulls people, how often a wrong one is accepted, and the time
// it saves.

import { query } from "../lead/api.js";
import { axis, dotRow } from "../lead/chart.js";
import { copyButton } from "../lead/copy.js";
import { el, fill } from "../lead/el.js";
import { chosen as filtersOf, clearFilters, filterBar, fillBar } from "../lead/filters.js";
import { arrived, empty, frame, problem } from "../lead/frame.js";
import { whole } from "../lead/reading.js";
import { several } from "../lead/several.js";
import { turns } from "../lead/turns.js";
import { follow, here } from "../lead/url.js";

const words = {
  nothing:
    "The share of screens that are blind is set where a run is planned. People grade them like any others.",
  filtered: "With fewer filters there may be verdicts to compare.",
  run: "Settings of a run",
  review: "Review",
  unsettled: "No cell of these screens is adjudicated yet: which suggestions were wrong is not known.",
  settle: "Adjudicate",
  open: "INCONCLUSIVE",
  real:
    "Suggestions pull people here: mind figures that rest on assisted verdicts, and think about " +
    "more blind screens.",
  how:
    "Share of cells where a person says what the machine suggests, assisted minus blind, mean over " +
    "people; errors by person and question, t",
};
const known = (x) => x !== null && x !== undefined;
const points = (x) => `${Math.round(100 * x) > 0 ? "+" : ""}${Math.round(100 * x)}`;
const share = (x) => (known(x) ? `${(100 * x).toFixed(0)} %` : "–");
const between = (ends) => (known(ends) ? `${(100 * ends[0]).toFixed(0)}–${share(ends[1])}` : "–");

export async function start(mount) {
  const { main, data, project } = await frame(mount, "/anchoring");
  if (!project) return empty(main, "There is nothing to compare yet.");
  const top = el("div.top");
  const bar = el("div.bar");
  const status = el("div", { role: "status" });
  const body = el("div.cols");
  fill(main, top, bar, status, body);
  const turn = turns();

  async function draw() {
    const current = turn();
    body.classList.add("busy");
    try {
      const found = await whole("/api/anchoring", { project, ...filtersOf(here()) }, status, current);
      if (current()) drawReport(found);
    } catch (error) {
      if (current()) fill(body, problem(error), clearFilters());
    } finally {
      if (current()) body.classList.remove("busy");
    }
  }

  function drawReport(found) {
    const notice = data.notice ? el("span.notice", {}, data.notice) : null;
    fill(top, el("div", {}, el("h1", {}, found.title), el("p", {}, found.subtitle, " ", notice)));
    arrived(top);
    fillBar(bar, filterBar(found.choices, true));
    fill(
      body,
      found.rows.length
        ? [warning(found), pullCard(found), restCard(found, project)]
        : nothing(found, project),
    );
  }

  return follow(draw);
}

/** What to do where nothing can be compared: where filters left nothing, the bar above takes them back. */
function nothing(found, project) {
  if (found.only) return el("section.card.empty", {}, el("p.m", {}, words.filtered));
  const way = (path, text) => el("a.btn", { href: path + query({ project }) }, text);
  return el(
    "section.card.empty",
    {},
    el("p", {}, words.nothing),
    el("div.bar", {}, way("/run", words.run), way("/review", words.review)),
  );
}

function warning(found) {
  const real = found.rows.filter((row) => row.real);
  return real.length
    ? el("p.note", { role: "note" }, el("b", {}, real.map((row) => row.title).join(", ")), ". ", words.real)
    : null;
}

function pullCard(found) {
  const ends = found.rows
    .flatMap((row) => [row.pull.low ?? row.pull.value, row.pull.high ?? row.pull.value])
    .filter(known);
  const from = Math.min(-0.1, Math.floor(10 * Math.min(...ends, 0)) / 10);
  const to = Math.max(0.3, Math.ceil(10 * Math.max(...ends, 0)) / 10);
  const ticks = Array.from(
    { length: Math.round(10 * (to - from)) + 1 },
    (_, i) => Math.round(10 * from + i) / 10,
  ).filter((t) => to - from < 0.9 || Math.round(10 * t) % 5 === 0);
  const line = (row) => {
    const p = row.pull;
    const value = known(p.value)
      ? `${points(p.value)}${known(p.low) ? ` (${points(p.low)} to ${points(p.high)})` : ""}`
      : "–";
    const label = `${row.title}: ${known(p.value) ? `${value} of 100 verdicts` : p.reason}`;
    const mark = row.real
      ? el("span.v.q.real", {}, "significant")
      : p.status === "OK"
        ? el("span.v.ok", {}, "not significant")
        : el("span.v.pd", {}, "INCONCLUSIVE");
    const more = known(row.needed)
      ? ` About ${several(row.needed, "cell")} per arm would show a pull of 10 of 100.`
      : "";
    return [
      el(
        "div",
        {},
        el("div.b", {}, row.title),
        el(
          "div.s.m",
          {},
          `${row.arms.blind.toLocaleString("en")} blind, ${row.arms.assisted.toLocaleString("en")} assisted`,
        ),
      ),
      dotRow({
        value: p.value,
        low: p.low,
        high: p.high,
        from,
        to,
        label,
        grey: p.status !== "OK",
        ticks,
        band: { value: 0, low: null, high: null },
      }),
      el("div.n", {}, value),
      el(
        "div",
        {},
        mark,
        el(
          "div.s.m",
          {},
          row.words.replace("INCONCLUSIVE: ", "") + more,
          " ",
          copyButton(row.sentences.pull, "Copy"),
        ),
      ),
    ];
  };
  return el(
    "section.card",
    {},
    el(
      "header",
      {},
      el("h2", {}, "Anchoring effect"),
      el(
        "span.r",
        {},
        "of 100 verdicts, 95 % interval · ",
        el("abbr", { title: words.how, tabindex: "0" }, "how"),
      ),
    ),
    el(
      "div.anc",
      {},
      found.rows.flatMap(line),
      el("span"),
      axis(
        ticks.map((t) => 100 * t),
        100 * from,
        100 * to,
        0,
      ),
    ),
  );
}

/** A figure of both arms: grey with the word where too little decides it. */
function cell(f, text) {
  const short = f.status === "OK" ? "" : f.reason;
  return el(
    "td.n",
    { title: short || null },
    known(f.value) ? el(short ? "span.m" : "b", {}, text(f.value)) : "–",
    known(f.low) ? el("span.s.m", {}, ` ${text(f.low)} to ${text(f.high)}`) : null,
    known(f.value) && short ? el("div.s.m", {}, words.open) : null,
  );
}

/** Each arm's share above its 95 % interval and what it rests on; `short`: why that is too little. */
function shares(of, short) {
  if (!of.arms.blind && !of.arms.assisted) return el("td.n", {}, "–");
  const rests =
    `${of.arms.blind.toLocaleString("en")} / ` +
    `${several(of.arms.assisted, "cell")}${of.questions ? `, ${several(of.questions, "question")}` : ""}`;
  return el(
    "td.n",
    { title: short || null },
    el(short ? "span.m" : "b", {}, `${share(of.blind)} / ${share(of.assisted)}`),
    el("div.s.m", {}, `${between(of.blind_between)} / ${between(of.assisted_between)}`),
    el("div.s.m", {}, rests),
    short ? el("div.s.m", {}, words.open) : null,
  );
}

function restCard(found, project) {
  const same = (row) =>
    shares({ ...row.equal, arms: row.arms }, row.pull.status === "OK" ? "" : row.pull.reason);
  const rows = found.rows.map((row) =>
    el(
      "tr",
      {},
      el("td", {}, row.title, " ", copyButton(row.sentences.rest, "Copy")),
      same(row),
      cell(row.wrong, points),
      shares(row.wrong, row.wrong.short),
      shares(row.accuracy, row.accuracy.short),
      cell(row.time, (x) => `${x.toFixed(2)}×`),
    ),
  );
  const head = [
    "Criterion",
    "Says the same: blind / assisted",
    "Wrong ones, accepted more often",
    "Wrong ones accepted: blind / assisted",
    "Right, by adjudication: blind / assisted",
    "Time, assisted to blind",
  ];
  const unsettled = found.rows.every((row) => !row.wrong.cells && !row.accuracy.cells)
    ? el(
        "p.s.m",
        {},
        words.unsettled,
        " ",
        el("a", { href: "/adjudicate" + query({ project }) }, words.settle),
      )
    : null;
  const without = found.without.length
    ? el("p.s.m", {}, `Nothing to compare yet: ${found.without.join(", ")}.`)
    : null;
  return el(
    "section.card",
    {},
    el(
      "header",
      {},
      el("h2", {}, "Wrong suggestions, and time"),
      el(
        "span.r",
        {},
        "95 % intervals by questions; wrong: an adjudicated value says so; below 1× suggestions save time",
      ),
    ),
    el(
      "div.scroll",
      { tabindex: "0" },
      el(
        "table.byc",
        {},
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            head.map((text, i) => el(i ? "th.n" : "th", {}, text)),
          ),
        ),
        el("tbody", {}, rows),
      ),
    ),
    unsettled,
    without,
  );
}
