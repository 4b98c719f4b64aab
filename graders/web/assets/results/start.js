// Results: grid of models and criteria -> the answers of one cell -> one answer in the drawer. The address
// carries all of it.

import { getJSON } from "../lead/api.js";
import { el, fill } from "../lead/el.js";
import { arrived, empty, frame, problem } from "../lead/frame.js";
import { follow, go, here } from "../lead/url.js";
import { answersCard } from "./answers.js";
import { drawer } from "./drawer.js";
import { filterBars, gridCard, markPressed } from "./grid.js";
import { scoresCard } from "./scores.js";
import { ANY, unscoredCard } from "./unscored.js";

const FILTERS = ["category", "task_type", "language"];

export async function start(mount) {
  const { main, data, project } = await frame(mount, "/results");
  if (!project) return empty(main, "There are no results yet.");
  const top = el("div.top");
  const filters = el("div.main-col");
  const grid = el("div");
  const answers = el("div");
  const scores = el("div");
  const unscored = el("div");
  const column = el("div.main-col", {}, top, unscored, filters, grid, answers, scores);
  const side = el("div");
  const layout = el("div.res", {}, column);
  fill(main, layout);
  const parts = {
    grid: part(grid, "/api/results", gridParams, (found) => drawGrid(found)),
    answers: part(answers, "/api/results/answers", answersParams, (found) => {
      behind = found;
      drawAnswers();
      // Chosen by a click, the answers must not open out of sight below the grid.
      if (clicked) answers.scrollIntoView({ block: "nearest" });
    }),
    scores: part(scores, "/api/results/scores", scoresParams, (found) => fill(scores, scoresCard(found))),
    unscored: part(unscored, "/api/results/unscored", unscoredParams, (found) =>
      fill(unscored, unscoredCard(found)),
    ),
    answer: part(side, "/api/results/answer", answerParams, (found) => {
      fill(side, drawer(found, close));
      // On a narrow screen the drawer stands above the grid: without this it would open out of sight.
      if (matchMedia("(max-width: 1160px)").matches) side.scrollIntoView();
    }),
  };
  let shown = null; // the grid
  let behind = null; // the answers of one of its cells
  let opener = null;
  let clicked = false;

  function close() {
    go({ question: "", version: "" });
    opener?.focus();
  }

  const cellOf = (found) =>
    shown?.models.find((row) => row.model === found.model)?.cells[found.criterion.key];

  function drawAnswers() {
    fill(answers, answersCard(behind, cellOf(behind)));
  }

  function drawGrid(found) {
    const knew = behind && cellOf(behind)?.sentence;
    shown = found;
    if (answers.firstChild && behind && cellOf(behind)?.sentence !== knew) drawAnswers();
    const notice = data.notice ? el("span.notice", {}, data.notice) : null;
    fill(top, el("div", {}, el("h1", {}, found.title), el("p", {}, found.subtitle, " ", notice)));
    arrived(top);
    fill(filters, filterBars(found, project, data.person?.name ?? ""));
    fill(grid, gridCard(found));
    markPressed(grid, here());
  }

  addEventListener("keydown", (event) => {
    if (
      event.key === "Escape" &&
      here().question &&
      !(/** @type {Element} */ (event.target).closest("dialog, details[open]"))
    )
      close();
  });
  follow(async (event) => {
    const asked = here();
    clicked = event?.type === "cograde:address";
    if (asked.question) {
      if (!side.isConnected) {
        opener = document.activeElement;
        layout.append(side);
      }
    } else side.remove();
    layout.classList.toggle("open", Boolean(asked.question));
    markPressed(grid, asked);
    await Promise.all(Object.values(parts).map((update) => update({ ...asked, project })));
    markPressed(grid, here());
  });
}

/**
 * A part of the page that is fetched again only when its own parameters change; a late reply to an old
 * question is dropped.
 */
function part(node, path, params, draw) {
  let shown = null;
  return async (asked) => {
    const wanted = params(asked);
    const key = wanted && JSON.stringify(wanted);
    if (key === shown) return;
    shown = key;
    if (!wanted) {
      fill(node);
      return;
    }
    node.classList.add("busy");
    try {
      const found = await getJSON(path, wanted);
      if (shown === key) draw(found);
    } catch (error) {
      const said = problem(error); // parts that fail for one reason say it once
      const twice = [...document.querySelectorAll("[role=alert]")].some(
        (other) => !node.contains(other) && other.textContent === said.textContent,
      );
      if (shown === key) fill(node, twice ? null : said);
    } finally {
      if (shown === key) node.classList.remove("busy");
    }
  };
}

const pick = (from, names) =>
  Object.fromEntries(names.filter((name) => from[name]).map((name) => [name, from[name]]));

// The address says "p": Gradio reads "page" as the name of one of its own pages.
const gridParams = (asked) => ({
  ...pick(asked, ["project", ...FILTERS, "search", "sort"]),
  ...(asked.p ? { page: asked.p } : {}),
});

const scoresParams = (asked) => ({
  ...pick(asked, ["project", ...FILTERS, "search"]),
  ...(asked.spage ? { page: asked.spage } : {}),
});

function answersParams(asked) {
  if (!asked.model || !asked.criterion) return null;
  return {
    ...pick(asked, ["project", ...FILTERS, "model", "criterion", "state"]),
    ...(asked.apage ? { page: asked.apage } : {}),
  };
}

function unscoredParams(asked) {
  if (!asked.unscored) return null;
  return {
    ...pick(asked, ["project", "judge"]),
    ...(asked.unscored === ANY ? {} : { reason: asked.unscored }),
    ...(asked.upage ? { page: asked.upage } : {}),
  };
}

function answerParams(asked) {
  if (!asked.question || !asked.model) return null;
  return pick(asked, ["project", "question", "model", "version"]);
}
