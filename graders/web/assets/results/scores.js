// The mean of every text score by model.
import { copyButton } from "../lead/copy.js";
import { el, pager } from "../lead/el.js";
import { go } from "../lead/url.js";

const words = {
  title: "Text scores",
  what: "means with 95 % intervals; they compare texts with a reference and are no verdicts",
  model: "Model",
  none: "–",
};

/** The card of `/api/results/scores`; nothing where no metric was computed. */
export function scoresCard({ scores, models, page, pages }) {
  if (!scores.length) return null;
  const head = el(
    "tr",
    {},
    el("th", { scope: "col" }, words.model),
    scores.map((score) => el("th.n", { scope: "col" }, score.title)),
  );
  const body = models.map((row) =>
    el(
      "tr",
      {},
      el("td", {}, el("b", {}, row.model)),
      scores.map((score) => el("td.n.why", {}, cell(row.cells[score.key]))),
    ),
  );
  const table = el("table.sc", {}, el("thead", {}, head), el("tbody", {}, body));
  const header = el("header", {}, el("h2", {}, words.title), el("span.r", {}, words.what));
  return el(
    "section.card",
    { "aria-label": words.title },
    header,
    el("div.scroll", {}, table),
    pager(page, pages, (spage) => go({ spage })),
  );
}

function cell(found) {
  if (!found) return words.none;
  if (!found.shown) return [words.none, el("div.s.m.reason", {}, found.reason)];
  const digits = found.shown.split(".")[1].length;
  const span = found.low === null ? "" : `${found.low.toFixed(digits)} to ${found.high.toFixed(digits)}`;
  const count =
    `${found.n.toLocaleString("en")} ` +
    (`${found.n === 1 ? "answer" : "answers"}` +
      `${found.without ? `, ${found.without.toLocaleString("en")} without` : ""}`);
  return [
    el("b", {}, found.shown),
    span ? el("div.s.m", {}, span) : null,
    el("div.s.m", {}, count),
    copyButton(found.sentence, "Copy"),
  ];
}
