// What sets the value of a row: a button for each value, or a range with a handle.
/** @import { RowEvents } from "./criteria.js" */
/** @import { Cell, NumberScale, Scale, Value } from "./data.js" */
/** @import { Mark } from "./state.js" */
/** @import { Words } from "./words.js" */
import { el } from "./dom.js";
import { digitValue, shareOf, shortValue, stepOf, wordValue } from "./scale.js";
import { plainNumber } from "./words.js";

/** @typedef {{cell: Cell, scale: Scale, t: Words, name: string, choose: RowEvents["choose"]}} Context */
/** @typedef {{value: Value, input: HTMLInputElement, label: HTMLElement}} Choice a value with its button */

/**
 * A range with its handle.
 * @typedef {object} RangeParts
 * @property {HTMLElement} node
 * @property {HTMLInputElement} input
 * @property {HTMLElement} fill
 * @property {HTMLElement} handle
 * @property {HTMLElement | null} hollow where the suggestion stands
 * @property {(value: Value) => string} at the place of a value, as style
 * @property {string} silent what is said while nothing is decided
 */

const WORDS_FIT = 13;

/**
 * One dot for each judge who chose this value; the names are in the details.
 * @param {number} count
 */
function dots(count) {
  return count
    ? el(
        "em",
        { "aria-hidden": "true" },
        Array.from({ length: count }, () => el("i")),
      )
    : null;
}

/**
 * The radio buttons of a scale with values that can be listed.
 * @param {Context} context
 */
export function segments({ cell, scale, t, choose }) {
  /** @type {Choice[]} */
  const choices = [];
  const wordy =
    scale.values.length === 2 && scale.values.every((value) => wordValue(scale, value).length <= WORDS_FIT);
  for (const [place, value] of scale.values.entries()) {
    const short = shortValue(scale, value);
    const word = wordValue(scale, value);
    const suggested = cell.suggestion?.value === value;
    const spoken = [word === short ? short : `${short}, ${word}`, suggested ? t("cell.suggested") : ""]
      .filter(Boolean)
      .join(", ");
    const input = el("input", {
      type: "radio",
      name: `cell-${cell.id}`,
      value: String(place),
      "aria-label": spoken,
    });
    const key = keyFor(scale, value);
    if (key) input.setAttribute("aria-keyshortcuts", key);
    input.addEventListener("change", () => choose(value));
    const judges = cell.judges.filter((judge) => judge.value === value).length;
    const face = el(
      "span",
      { class: wordy && word !== short ? "wordy" : null },
      el("b", {}, short),
      wordy && word !== short ? el("small", {}, word) : null,
      dots(judges),
    );
    const label = el("label", { title: word }, input, face);
    choices.push({ value, input, label });
  }
  return choices;
}

/**
 * The digit that chooses a value, if one does.
 * @param {Scale} scale
 * @param {Value} value
 */
function keyFor(scale, value) {
  for (let digit = 0; digit <= 9; digit++) {
    const meant = digitValue(scale, digit);
    if (meant && "value" in meant && meant.value === value) return String(digit);
  }
  return null;
}

/**
 * A range with a handle for numbers; without a decision the handle is not shown.
 * @param {Context & {scale: NumberScale}} context
 * @returns {RangeParts}
 */
export function track({ cell, scale, t, choose, name }) {
  /** @param {Value} value */
  const at = (value) => `--at:${shareOf(scale, Number(value)) * 100}%`;
  const input = el("input", {
    type: "range",
    min: scale.low,
    max: scale.high,
    step: stepOf(scale),
    "aria-label": name,
  });
  input.addEventListener("input", () => choose(Number(input.value), { stay: true }));
  const fill = el("i", { class: "cg-fill" });
  const handle = el("i", { class: "cg-handle" });
  const hollow = cell.suggestion ? el("i", { class: "cg-hollow", style: at(cell.suggestion.value) }) : null;
  const judges = cell.judges.map(
    ({ value }) => value !== null && el("i", { class: "cg-dot", style: at(value) }),
  );
  const node = el(
    "div",
    { class: "cg-track" },
    el("i", { class: "cg-rail" }),
    fill,
    hollow,
    judges,
    handle,
    input,
    tenths(scale).map((tenth) =>
      el("span", { class: "cg-tick", "aria-hidden": "true", style: at(tenth) }, plainNumber(tenth).slice(1)),
    ),
    el("span", { class: "cg-end-low", "aria-hidden": "true" }, plainNumber(scale.low)),
    el("span", { class: "cg-end-high", "aria-hidden": "true" }, plainNumber(scale.high)),
  );
  return { node, input, fill, handle, hollow, at, silent: t("cell.open") };
}

/**
 * What the keys 1 to 9 set on a scale from 0 to 1.
 * @param {NumberScale} scale
 */
function tenths(scale) {
  const keyed = scale.kind === "numeric" && scale.low === 0 && scale.high === 1;
  return keyed ? Array.from({ length: 9 }, (_, i) => (i + 1) / 10) : [];
}

/**
 * @param {RangeParts} range
 * @param {Mark | undefined} mark
 */
export function paintRange(range, mark) {
  const value = mark?.status === "ok" ? mark.value : null;
  range.fill.hidden = range.handle.hidden = value === null;
  if (range.hollow) range.hollow.hidden = Boolean(mark);
  if (value !== null) {
    range.fill.style.cssText = range.handle.style.cssText = range.at(value);
    range.input.value = String(value);
  }
  range.input.setAttribute("aria-valuetext", value === null ? range.silent : plainNumber(Number(value)));
}
