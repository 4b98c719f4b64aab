// Agreement: judges beside people, one criterion under the other; a row opens its matrix, a cell of it the
// answers.

import { getJSON, query } from "../lead/api.js";
import { el, fill } from "../lead/el.js";
import {
  blindSwitch,
  chosen as filtersOf,
  clearFilters,
  filterBar,
  fillBar,
  populations,
} from "../lead/filters.js";
import { arrived, empty, frame, problem } from "../lead/frame.js";
import { labelsBar } from "../lead/labels_bar.js";
import { turns } from "../lead/turns.js";
import { follow, go, here } from "../lead/url.js";
import { chartCard, markRow } from "./chart.js";
import { drawDisagreements } from "./disagreements.js";
import { matrixCard } from "./matrix.js";
import { drawPeople } from "./people.js";
import { drawVersions } from "./versions.js";

const words = {
  computing: "The intervals, and the finding that hangs on them, are being computed.",
  run: "Run a judge",
  review: "Review blind screens",
  views: "Views",
};
/** What the page shows, by the name in the address. */
const VIEWS = {
  "": "Judges",
  disagreements: "Disagreements",
  people: "People and progress",
  versions: "Rubric versions",
};

export async function start(mount) {
  const { main, data, project } = await frame(mount, "/agreement");
  if (!project) return empty(main, "There is nothing to compare yet.");
  const top = el("div.top");
  const bar = el("div.bar");
  const chart = el("div");
  const side = el("div");
  const behind = el("div.behind");
  const judges = el("div.agc", {}, chart, side, behind);
  const body = el("div.vw");
  fill(main, top, bar, judges, body);
  let shown = "";
  let report = null;
  let choices = null;
  let asking = null; // the report that is on its way
  const turn = turns(); // one for all views: they share head and bar
  const noticeOf = () => (data.notice ? el("span.notice", {}, data.notice) : null);

  async function draw() {
    const current = turn();
    const asked = here();
    const options = { project, blind: asked.blind, population: asked.population, ...filtersOf(asked) };
    const view = Object.hasOwn(VIEWS, asked.view) ? asked.view : "";
    judges.hidden = Boolean(view);
    body.hidden = !view;
    if (view) {
      shown = "";
      return other(view, options, current);
    }
    const key = JSON.stringify(options);
    if (key !== shown) {
      shown = key;
      asking = ask(key, options);
    }
    await asking;
    if (!report || !current()) return;
    const chosen = selection(report, asked);
    markRow(chart, chosen);
    await matrixCard(side, behind, chosen, options, current);
  }

  /** One of the views beside the judges. */
  async function other(view, options, current) {
    try {
      choices ??= (await getJSON("/api/agreement", { project })).choices;
    } catch (error) {
      if (current()) fill(body, problem(error), clearFilters());
      return;
    }
    if (!current()) return;
    const drawn = { people: drawPeople, versions: drawVersions }[view] ?? drawDisagreements;
    await drawn({ top, bar, body, notice: noticeOf(), tabs: tabs(view), current }, options, choices);
  }

  /** Ask for the report and draw it, if the page still shows the same by then. */
  async function ask(key, options) {
    chart.classList.add("busy");
    let found = null;
    try {
      found = await getJSON("/api/agreement", options);
    } catch (error) {
      if (shown === key) fill(chart, problem(error), clearFilters());
    }
    if (shown !== key) return;
    chart.classList.remove("busy");
    report = found;
    if (!found) return;
    drawReport(found);
    if (!found.intervals) fillIn(key, options);
  }

  /**
   * Counts, figures and matrices come first; the intervals take longer, and are drawn if the page still shows
   * the same.
   */
  async function fillIn(key, options) {
    try {
      const whole = await getJSON("/api/agreement", { ...options, intervals: 1 });
      if (shown !== key) return;
      report = whole;
      drawReport(report);
      await draw();
    } catch (error) {
      if (shown === key) fill(bar, problem(error));
    }
  }

  function drawReport(found) {
    const notice = noticeOf();
    fill(
      top,
      el(
        "div",
        {},
        el("h1", {}, found.title),
        el(
          "p",
          {},
          found.subtitle,
          " ",
          found.intervals ? null : el("span", { role: "status" }, words.computing),
          " ",
          notice,
        ),
        el("p.s", {}, found.population.words ? `Counted: ${found.population.words}.` : ""),
        found.idle ? el("p.s", {}, found.idle) : null,
        found.choice?.warning ? el("p.note", { role: "note" }, found.choice.warning) : null,
        labelsBar(found.labels_missing),
      ),
    );
    arrived(top);
    fillBar(
      bar,
      tabs(""),
      blindSwitch(found),
      populations(found),
      filterBar(found.choices, found.blind_only),
    );
    fill(chart, found.criteria.length ? chartCard(found) : nothing(project));
  }

  follow(draw);
}

function tabs(on) {
  const link = ([view, text]) =>
    el(
      "button",
      {
        type: "button",
        "aria-pressed": String(on === view),
        onclick: () => go({ view, group: "", grouping: "", p: "", value_a: "", value_b: "" }),
      },
      text,
    );
  return el("div.seg", { role: "group", "aria-label": words.views }, Object.entries(VIEWS).map(link));
}

/** What to do where nothing can be compared yet. */
function nothing(project) {
  const way = (path, text) => el("a.btn", { href: path + query({ project }) }, text);
  return el(
    "section.card.empty",
    {},
    el("div.bar", {}, way("/run", words.run), way("/review", words.review)),
  );
}

/** The pair whose matrix is shown: the address's, else the best judge of the first criterion. */
function selection(report, asked) {
  const criterion = report.criteria.find((c) => c.key === asked.criterion) ?? report.criteria[0] ?? null;
  return (
    criterion && {
      criterion,
      a: asked.a || criterion.judges[0]?.ref || "",
      b: asked.b || "",
      value_a: asked.value_a || "",
      value_b: asked.value_b || "",
      page: asked.p || "",
    }
  );
}
