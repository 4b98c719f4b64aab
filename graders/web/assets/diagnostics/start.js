// Diagnostics: one judge at a time: which way it leans, how it uses the scale, what its confidence is worth,
// how steady it is.

import { query } from "../lead/api.js";
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
import { whole } from "../lead/reading.js";
import { turns } from "../lead/turns.js";
import { follow, go, here } from "../lead/url.js";
import { anchorsCard } from "./anchors.js";
import { confidenceCard } from "./chances.js";
import { leanCard } from "./lean.js";
import { repliesCard } from "./replies.js";
import { scaleCard } from "./scale.js";
import { seededCard } from "./seeded.js";

const words = {
  computing: "The figures are being computed.",
  judge: "Judge",
  run: "Run a judge",
  review: "Review blind screens",
};
/** With more judges a list is shorter than a row of buttons. */
const BUTTONS = 5;

export async function start(mount) {
  const { main, data, project } = await frame(mount, "/diagnostics");
  if (!project) return empty(main, "There is nothing to diagnose yet.");
  const top = el("div.top");
  const bar = el("div.bar");
  const body = el("div.dgb");
  const status = el("div", { role: "status" }, el("p.m", {}, words.computing));
  fill(main, status);
  let shown = ""; // what was asked for last
  let report = null;
  const turn = turns();
  const own = [anchorsCard(project), seededCard(project)];

  async function draw() {
    const asked = here();
    const options = { project, blind: asked.blind, population: asked.population, ...filtersOf(asked) };
    const key = JSON.stringify(options);
    if (key !== shown) {
      shown = key;
      const current = turn();
      body.classList.add("busy");
      let found = null;
      try {
        found = await whole("/api/diagnostics", options, status, current);
      } catch (error) {
        if (current()) fill(main, problem(error), clearFilters());
      }
      if (!current()) return; // another question has overtaken this one
      body.classList.remove("busy");
      report = found;
      if (!report) return;
      fill(status);
      if (!top.isConnected) fill(main, top, bar, status, body);
      const notice = data.notice ? el("span.notice", {}, data.notice) : null;
      fill(
        top,
        el(
          "div",
          {},
          el("h1", {}, report.title),
          el("p", {}, report.subtitle, " ", notice),
          el("p.s", {}, report.population.words ? `Beside people: ${report.population.words}.` : ""),
        ),
      );
      arrived(main);
    }
    if (!report) return;
    const judge = report.judges.find((one) => one.ref === here().judge) ?? report.judges[0] ?? null;
    fillBar(
      bar,
      judge ? judges(report, judge) : null,
      blindSwitch(report),
      populations(report),
      filterBar(report.choices, report.blind_only),
    );
    fill(
      body,
      judge
        ? [
            leanCard(judge),
            el("div.dg2", {}, scaleCard(judge), confidenceCard(judge)),
            repliesCard(judge, project),
            ...own,
          ]
        : [nothing(project), ...own],
    );
  }

  follow(draw);
}

/** The judges; a number says how many of its leans are real. */
function judges(report, now) {
  const real = (judge) => judge.criteria.reduce((sum, row) => sum + row.findings.length, 0);
  const name = (judge) => judge.name + (real(judge) ? ` (${real(judge)})` : "");
  if (report.judges.length > BUTTONS) {
    const select = el("select.chip", {
      "aria-label": words.judge,
      onchange: () => go({ judge: select.value }),
    });
    select.append(
      ...report.judges.map((judge) =>
        el("option", { value: judge.ref, selected: judge === now }, name(judge)),
      ),
    );
    return select;
  }
  const button = (judge) =>
    el(
      "button",
      {
        type: "button",
        "aria-pressed": String(judge === now),
        "data-key": `judge ${judge.ref}`,
        onclick: () => go({ judge: judge.ref }),
      },
      name(judge),
    );
  return el("div.seg", { role: "group", "aria-label": words.judge }, report.judges.map(button));
}

function nothing(project) {
  const way = (path, text) => el("a.btn", { href: path + query({ project }) }, text);
  return el(
    "section.card.empty",
    {},
    el("div.bar", {}, way("/run", words.run), way("/review", words.review)),
  );
}
