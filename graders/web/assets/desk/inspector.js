// The panel above the foot that follows the focused cell: its guide, what judges and rules said, the metrics.
/** @import { Cell, Criterion, Evidence, Opinion, Value } from "./data.js" */
/** @import { Words } from "./words.js" */
import { metricLine } from "./criteria.js";
import { el } from "./dom.js";
import { shortValue, wordValue } from "./scale.js";
import { reasonWords } from "./words.js";

/**
 * @typedef {object} Inspected
 * @property {Cell | null} cell
 * @property {Criterion | null} criterion
 * @property {boolean} blind
 * @property {{details: boolean, guide: boolean}} show
 * @property {Words} t
 * @property {string} [notice]
 * @property {() => void} close
 */

/**
 * Evidence of one grader: quotes that are in the text, quotes that are not, and what it found missing.
 * @param {Evidence[] | undefined} evidence
 * @param {Words} t
 */
function evidenceList(evidence, t) {
  if (!evidence?.length) return null;
  return el(
    "ul",
    { class: "cg-evidence" },
    evidence.map((one) => {
      if (one.absent && !one.quote) return el("li", { class: "absent" }, t("details.absent"));
      const wrong = one.found === false;
      return el(
        "li",
        { dir: "auto", class: wrong ? "wrong" : "" },
        one.absent ? `${t("details.absent")}: ` : "",
        `“${one.quote}”`,
        wrong ? el("b", {}, ` ${t("details.not_in_text")}`) : "",
      );
    }),
  );
}

/**
 * A value as number and word, once when they are the same.
 * @param {Criterion} criterion
 * @param {Value} value
 */
function valueWords({ scale }, value) {
  return [...new Set([shortValue(scale, value), wordValue(scale, value)])].join(" · ");
}

/**
 * What one judge or rule said.
 * @param {Opinion} one
 * @param {Criterion} criterion
 * @param {Words} t
 * @param {string} kind
 */
function opinion(one, criterion, t, kind) {
  const said =
    one.value === null || one.value === undefined
      ? one.why || reasonWords(t, one.reason || one.status)
      : valueWords(criterion, one.value);
  const sure =
    one.confidence === null || one.confidence === undefined
      ? null
      : t("details.sure", { percent: Math.round(one.confidence * 100) });
  return el(
    "li",
    { class: "cg-opinion" },
    el(
      "div",
      {},
      el("b", {}, one.name),
      el("span", { class: "cg-tag" }, t(kind)),
      sure && el("span", { class: "cg-sure", title: reasonWords(t, one.confidence_kind) }, sure),
    ),
    el("div", { class: "cg-value" }, said),
    one.rationale && one.rationale !== one.why ? el("p", { dir: "auto" }, one.rationale) : null,
    one.misquotes ? el("p", { class: "cg-note" }, t("details.misquotes")) : null,
    one.note ? el("p", { class: "cg-note" }, one.note) : null,
    evidenceList(one.evidence, t),
  );
}

/**
 * Guide and the values in words; the question stands above it.
 * @param {Criterion} criterion
 * @param {string} part
 * @param {Words} t
 */
function guidePart(criterion, part, t) {
  const guide = criterion.part_guides?.[part];
  const { scale } = criterion;
  const values =
    scale.kind === "numeric"
      ? el("p", {}, t("cell.field", { low: scale.low, high: scale.high }))
      : el(
          "ol",
          { class: "cg-scale" },
          scale.values.map((value) =>
            el("li", {}, el("b", {}, shortValue(scale, value)), ` ${wordValue(scale, value)}`),
          ),
        );
  return el(
    "section",
    { class: "cg-guide" },
    el("h3", {}, t("details.guide")),
    criterion.guide ? el("p", { dir: "auto" }, criterion.guide) : null,
    guide ? el("p", { dir: "auto" }, el("b", {}, part), `: ${guide}`) : null,
    values,
  );
}

/**
 * Who said what about the cell, and why it is here; `notice` is what the project says of its verdicts.
 * @param {Cell} cell
 * @param {Criterion} criterion
 * @param {boolean} blind
 * @param {Words} t
 * @param {string} [notice]
 */
function judgesPart(cell, criterion, blind, t, notice) {
  if (blind) return el("section", {}, el("p", {}, t("details.blind")));
  const suggestion = cell.suggestion
    ? t("details.suggestion", {
        value: valueWords(criterion, cell.suggestion.value),
        reason: cell.suggestion.reason,
      }) +
      (cell.suggestion.chance == null
        ? ""
        : `; ${t("details.chance", { percent: Math.round(100 * cell.suggestion.chance) })}`)
    : t("cell.no_suggestion");
  const route = cell.route_reason
    ? t(cell.route === "automatic" ? "details.route_automatic" : "details.route_people", {
        reason: reasonWords(t, cell.route_reason),
      })
    : null;
  const opinions = [
    ...cell.judges.map((one) => opinion(one, criterion, t, "details.judge")),
    ...cell.rules.map((one) => opinion(one, criterion, t, "details.rule")),
  ];
  return el(
    "section",
    { class: "cg-who" },
    el("p", { class: "cg-muted" }, [suggestion, route].filter(Boolean).join(" — ")),
    opinions.length ? el("ul", { class: "cg-opinions" }, opinions) : el("p", {}, t("details.nobody")),
    cell.metrics.length
      ? el(
          "div",
          { class: "cg-all-metrics" },
          cell.metrics.map((metric) => metricLine(metric, t)),
        )
      : null,
    notice ? el("p", { class: "cg-muted" }, notice) : null,
  );
}

/**
 * Fill `dock` for a cell; `show` says which parts are open. Hidden when none is.
 * @param {HTMLElement} dock
 * @param {Inspected} inspected
 */
export function drawInspector(dock, { cell, criterion, blind, show, t, notice, close }) {
  dock.hidden = !cell || !(show.details || show.guide);
  if (!cell || !criterion || dock.hidden) return dock.replaceChildren();
  dock.style.setProperty("--c", `var(--h${criterion.hue})`);
  dock.replaceChildren(
    el(
      "div",
      { class: "cg-dock-head" },
      el("b", {}, cell.part ? `${criterion.title}: ${cell.part}` : criterion.title),
      el("span", { class: "cg-muted" }, criterion.question),
      el(
        "button",
        { type: "button", class: "cg-btn quiet", "aria-label": t("dialog.close"), onclick: close },
        el("kbd", {}, "Esc"),
      ),
    ),
    el(
      "div",
      { class: "cg-dock-body" },
      show.guide ? guidePart(criterion, cell.part, t) : null,
      show.details ? judgesPart(cell, criterion, blind, t, notice) : null,
    ),
  );
}
