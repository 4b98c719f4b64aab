// Leaderboard: the models ranked; switches for view, correction, judge, filters, weights and the pair stand
// in the address.

import { query } from "../lead/api.js";
import { el, fill } from "../lead/el.js";
import { chosen as filtersOf, clearFilters, filterBar, fillBar } from "../lead/filters.js";
import { arrived, empty, frame, problem } from "../lead/frame.js";
import { whole } from "../lead/reading.js";
import { turns } from "../lead/turns.js";
import { follow, go, here } from "../lead/url.js";
import { compareCards } from "./compare.js";
import { drawCard, preferenceCard, winsCard } from "./preferences.js";
import { rankCard, shareCard } from "./ranks.js";
import { choiceCard, criteriaCard, pairCard, plotCard, warningNote } from "./side.js";

const words = {
  mode: "What is shown",
  ranking: "Ranking",
  two: "Compare two",
  preferences: "Preferences",
  by: "Who preferred",
  people: "People",
  show: "Whose values count",
  view: "Rank by",
  judge: "Judge",
  overall: "Overall",
  paired:
    "Which of two answers is better is what people and judges say here; no answer has a grade of its own.",
  nothing: "A ranking appears once answers are graded: by a judge, and by people blind, on a part of them.",
  filtered: "With fewer filters there may be verdicts to rank by.",
  run: "Run a judge",
  review: "Review blind screens",
};
const WAYS = {
  corrected: ["Corrected", "The judge's values of all answers, corrected by people's blind labels of a part"],
  people: ["People only", "People's blind labels alone: no judge, wider intervals"],
  judge: ["Judge alone", "The judge's values as they are: certain of themselves, not of being right"],
};
const NAMES = ["view", "show", "judge", "weights", "rogan", "a", "b"];
/** What is shown, where it comes from, and the parameters of the address that it takes beside the filters. */
/** @type {Record<string, [path: string, names: string[]]>} */
const MODES = {
  ranking: ["/api/leaderboard", NAMES],
  two: ["/api/compare", [...NAMES.filter((name) => name !== "rogan"), "order"]],
  preferences: ["/api/preferences", ["criterion", "by"]],
};

/** The address of the ranking: without what belongs to the other two. */
const OFF = { compare: "", cpage: "", order: "", preferences: "", criterion: "", by: "" };
/** What another wording of the criteria may not have. */
const REWORDED = { view: "", criterion: "", weights: "" };

export async function start(mount) {
  const { main, data, project } = await frame(mount, "/leaderboard");
  if (!project) return empty(main, "There is nothing to rank yet.");
  const top = el("div.top");
  const bar = el("div.bar");
  const status = el("div", { role: "status" });
  const ranks = el("div");
  const side = el("div.cols");
  const below = el("div");
  const layout = el("div.lbc", {}, el("div.main-col", {}, ranks, below), side);
  fill(main, top, bar, status, layout);
  let shown = ""; // what was asked for last
  // once from a ranking without anything to rank to the preferences: whoever goes back to it stays there
  let led = false;
  const turn = turns();

  async function draw() {
    const asked = here();
    const mode = asked.preferences ? "preferences" : asked.compare ? "two" : "ranking";
    const [path, names] = MODES[mode];
    const named = Object.fromEntries(names.filter((name) => asked[name]).map((name) => [name, asked[name]]));
    // The address says "cpage": Gradio reads "page" as the name of one of its own pages.
    const options = {
      project,
      ...named,
      ...filtersOf(asked),
      ...(mode === "two" && asked.cpage ? { page: asked.cpage } : {}),
    };
    const key = path + JSON.stringify(options);
    if (key !== shown) {
      shown = key;
      const current = turn();
      ranks.classList.add("busy");
      try {
        const found = await whole(path, options, status, current);
        if (current() && !led && mode === "ranking" && onlyPairs(found)) {
          led = true;
          history.replaceState(null, "", location.pathname + query({ ...here(), preferences: "1" }));
          return void (await draw());
        }
        if (current()) drawReport(found, here(), mode);
      } catch (error) {
        if (current()) failed(error, mode);
      } finally {
        if (current()) {
          ranks.classList.remove("busy");
          fill(status);
        }
      }
    } else if (last && mode === "ranking") drawPlot(last, asked);
  }

  let last = null;
  /** What went wrong, and a way out of an address that names what is not there. */
  function failed(error, mode) {
    const back =
      mode === "ranking"
        ? null
        : el("button.btn", { type: "button", onclick: () => go({ ...OFF, a: "", b: "" }) }, words.ranking);
    fill(ranks, problem(error), back, clearFilters());
    fill(side);
    fill(below);
  }

  function drawReport(found, asked, mode) {
    last = found;
    const notice = data.notice ? el("span.notice", {}, data.notice) : null;
    fill(
      top,
      el(
        "div",
        {},
        el("h1", {}, found.title),
        el("p", {}, found.subtitle, " ", notice),
        found.rests_on ? el("p.s", {}, [found.rests_on, found.alone].filter(Boolean).join(" ")) : null,
        found.choice?.warning ? el("p.note", { role: "note" }, found.choice.warning) : null,
        found.ceiling ? el("p.s", {}, found.ceiling) : null,
      ),
    );
    arrived(top);
    fillBar(
      bar,
      modes(mode, found),
      mode === "preferences" ? preferers(found) : [views(found), ways(found), judges(found)],
      filterBar(found.filter_choices, true, REWORDED),
    );
    layout.classList.toggle("whole", mode === "two");
    if (mode !== "ranking") {
      const two = mode === "two";
      fill(ranks, two ? el("div.cols", {}, compareCards(found, project)) : preferenceCard(found));
      fill(side, two ? null : [winsCard(found), drawCard(found, project)]);
      fill(below);
      return;
    }
    const any = found.models.some((m) => m.figure?.value != null);
    fill(ranks, any ? rankCard(found) : nothing(project, found));
    drawPlot(found, asked);
    fill(below, shareCard(found), criteriaCard(found));
  }

  function drawPlot(found, asked) {
    const again = () => ((shown = ""), draw());
    fill(
      side,
      warningNote(found, project),
      choiceCard(found, project, again),
      plotCard(found, asked.against || ""),
      pairCard(found),
    );
  }

  follow(draw);
}

/** Whether answers are compared in pairs here and none is graded by itself. */
const onlyPairs = (found) => !found.criteria.length && found.preferences.length > 0;

/** What to do where nothing can be ranked yet. */
function nothing(project, found) {
  if (Object.values(found.only).some(Boolean))
    return el("section.card.empty", {}, el("p.m", {}, words.filtered));
  const way = (path, text) => el("a.btn", { href: path + query({ project }) }, text);
  const pairs = found.preferences.length
    ? (kind) =>
        el(kind, { type: "button", onclick: () => go({ ...OFF, preferences: "1" }) }, words.preferences)
    : () => null;
  if (onlyPairs(found))
    return el("section.card.empty", {}, el("p", {}, words.paired), el("div.bar", {}, pairs("button.btn.p")));
  return el(
    "section.card.empty",
    {},
    el("p", {}, words.nothing),
    el("div.bar", {}, way("/run", words.run), way("/review", words.review), pairs("button.btn")),
  );
}

/** The ranking of all, two of them beside each other, or what was preferred of two. */
function modes(mode, found) {
  const pair = found.pair ? { a: found.pair.a, b: found.pair.b } : {};
  const button = (name, changes) =>
    el(
      "button",
      {
        type: "button",
        "data-key": `mode ${name}`,
        "aria-pressed": String(name === mode),
        onclick: () => go({ ...OFF, ...changes }),
      },
      words[name],
    );
  const pairs = found.preferences.length ? button("preferences", { preferences: "1" }) : null;
  return el(
    "div.seg",
    { role: "group", "aria-label": words.mode },
    button("ranking", {}),
    button("two", { compare: "1", ...pair }),
    pairs,
  );
}

/** Whose preferences count, and on which criterion. */
function preferers(found) {
  const choose = (label, key, value, choices) => {
    if (choices.length < 2) return null;
    const select = el("select.chip", {
      "aria-label": label,
      "data-key": key,
      onchange: () => go({ [key]: select.value }),
    });
    select.append(
      ...choices.map(([name, text]) => el("option", { value: name, selected: name === value }, text)),
    );
    return select;
  };
  return [
    choose(
      words.view,
      "criterion",
      found.view,
      found.criteria.map((c) => [c.key, c.title]),
    ),
    choose(words.by, "by", found.by, [["people", words.people], ...found.judges.map((name) => [name, name])]),
  ];
}

function views(found) {
  if (!found.criteria) return null; // of two their rows lead
  const ranked = found.criteria.filter(
    (c) => c.weight !== null || c.key === found.view || found.view !== "overall",
  );
  const select = el("select.chip", {
    "aria-label": words.view,
    "data-key": "view",
    onchange: () => go({ view: select.value, a: "", b: "" }),
  });
  select.append(
    ...[{ key: "overall", title: words.overall }, ...ranked].map((c) =>
      el("option", { value: c.key, selected: c.key === found.view }, c.title),
    ),
  );
  return select;
}

function ways(found) {
  const button = ([name, [text, hint]]) =>
    el(
      "button",
      {
        type: "button",
        title: hint,
        "data-key": `show ${name}`,
        "aria-pressed": String(found.show === name),
        onclick: () => go({ show: name === found.show ? "" : name }),
      },
      text,
    );
  return el("div.seg", { role: "group", "aria-label": words.show }, Object.entries(WAYS).map(button));
}

function judges(found) {
  if (found.judges.length < 2) return null;
  const select = el("select.chip", {
    "aria-label": words.judge,
    "data-key": "judge",
    onchange: () => go({ judge: select.value }),
  });
  // Criteria may have different judges: then none is the one.
  if (found.judge === undefined) return null;
  const names = found.judges.includes(found.judge) ? found.judges : [found.judge, ...found.judges];
  select.append(
    ...names.map((name) =>
      el(
        "option",
        { value: found.judges.includes(name) ? name : "", selected: name === found.judge },
        name || "no judge",
      ),
    ),
  );
  return select;
}
