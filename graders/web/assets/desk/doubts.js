// Suggestions that are more likely wrong than right: they are said, not filled in.
/** @import { Cell, Scale, Screen } from "./data.js" */
/** @import { Words } from "./words.js" */
import { wordValue } from "./scale.js";

const EVEN = 0.5;

/**
 * A screen whose doubtful suggestions are no suggestions: none is confirmed by a key.
 * @param {Screen} screen
 * @returns {Screen}
 */
export function doubted(screen) {
  /** @type {(cell: Cell) => Cell} */
  const told = (cell) =>
    cell.suggestion && (cell.suggestion.chance ?? 1) < EVEN
      ? { ...cell, suggestion: null, doubt: cell.suggestion }
      : cell;
  const answers = screen.answers.map((answer) => ({
    ...answer,
    cells: answer.cells.map(told),
    twins: (answer.twins ?? []).map((twin) => ({ ...twin, cells: twin.cells.map(told) })),
  }));
  return { ...screen, answers };
}

/**
 * What is said instead of a doubtful suggestion: what the judges chose where they differ, else the value and
 * how little is to be said for it.
 * @param {Cell} cell
 * @param {Scale} scale
 * @param {Words} t
 */
export function doubtWords({ doubt, judges }, scale, t) {
  if (!doubt) return t("cell.no_suggestion");
  const values = [
    ...new Set(judges.flatMap(({ value }) => (value === null ? [] : [wordValue(scale, value)]))),
  ];
  return values.length > 1
    ? t("cell.judges_differ", { values: values.join(" / ") })
    : t("cell.doubt", {
        value: wordValue(scale, doubt.value),
        percent: Math.round(100 * (doubt.chance ?? 0)),
      });
}
