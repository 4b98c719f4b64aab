// Values of a scale: which key means which value, and how a value is written.
/** @import { NumberScale, Range, Scale, Value } from "./data.js" */
/** @typedef {{value: Value} | {field: string}} Meant what a key means: a value, or its beginning */
import { plainNumber } from "./words.js";

const MOST_SEGMENTS = 11;

/**
 * Whether the scale is drawn as a track with a handle instead of one button per value; labels never are.
 * @param {Scale} scale
 * @returns {scale is NumberScale}
 */
export function isTrack(scale) {
  return scale.kind === "numeric" || (scale.kind === "integer" && scale.values.length > MOST_SEGMENTS);
}

/**
 * The smallest step of a track.
 * @param {Scale} scale
 */
export function stepOf(scale) {
  if (scale.kind !== "numeric") return 1;
  return scale.high - scale.low <= 1 ? 0.01 : 0.1;
}

/**
 * The value as it stands on its button: the number, the letter of a preference, or the label's place counted
 * from 1.
 * @param {Scale} scale
 * @param {Value} value
 */
export function shortValue(scale, value) {
  if (scale.kind === "integer" || scale.kind === "numeric") return plainNumber(Number(value));
  const place = scale.values.indexOf(value);
  return place < 0 || scale.preference ? String(value) : String(place + 1);
}

/**
 * The value in words: its label or anchor.
 * @param {Scale} scale
 * @param {Value | null} value
 */
export function wordValue(scale, value) {
  const place = value === null ? -1 : (scale.values?.indexOf(value) ?? -1);
  const word = place >= 0 ? scale.words?.[place] : null;
  return word ?? (typeof value === "number" ? plainNumber(value) : String(value));
}

/**
 * What a digit means here: `{value}`, `{field: text}` where more digits are needed, or null.
 * Whole numbers mean themselves (0 is 10 on 1-10), labels are counted from 1, on 0-1 a digit is a tenth.
 * @param {Scale} scale
 * @param {number} digit
 * @returns {Meant | null}
 */
export function digitValue(scale, digit) {
  if (scale.kind === "numeric") {
    if (scale.low === 0 && scale.high === 1) return { value: digit / 10 };
    return digit >= scale.low && digit <= scale.high && scale.high <= 10
      ? { value: digit }
      : { field: String(digit) };
  }
  if (scale.kind === "integer") {
    if (scale.values.length > MOST_SEGMENTS) return { field: String(digit) };
    if (scale.values.includes(digit)) return { value: digit };
    return digit === 0 && scale.values.includes(10) ? { value: 10 } : null;
  }
  const place = digit === 0 ? 9 : digit - 1;
  return place < scale.values.length ? { value: scale.values[place] } : null;
}

/**
 * `y` and `n`: on a scale of two values the labels Yes and No, else the second (better) and the first; on a
 * range of numbers its ends.
 * @param {Scale} scale
 * @param {boolean} yes
 * @returns {{value: Value} | null}
 */
export function yesNoValue(scale, yes) {
  if (scale.kind === "numeric") return { value: yes ? scale.high : scale.low };
  if (isTrack(scale) || scale.values.length !== 2) return null;
  const named = scale.values.find((value) => String(value).toLowerCase() === (yes ? "yes" : "no"));
  return { value: named ?? scale.values[yes ? 1 : 0] };
}

/**
 * A typed text as a value of the scale, or null; a decimal comma is a point.
 * @param {Scale} scale
 * @param {string} text
 * @returns {Value | null}
 */
export function parseValue(scale, text) {
  const number = Number(text.trim().replace(",", "."));
  if (text.trim() === "" || !Number.isFinite(number)) return null;
  if (scale.kind === "ordered" || scale.kind === "nominal")
    return Number.isInteger(number) ? (scale.values[number - 1] ?? null) : null;
  if (number < scale.low || number > scale.high) return null;
  if (scale.kind === "integer" && !Number.isInteger(number)) return null;
  return number;
}

/**
 * Where a value lies between low and high, from 0 to 1.
 * @param {Range} scale
 * @param {number} value
 */
export function shareOf(scale, value) {
  return (value - scale.low) / (scale.high - scale.low);
}
