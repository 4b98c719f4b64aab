// Intervals in words.
import { el } from "./el.js";

/**
 * Both ends, with "to" where a dash would look like a minus.
 * @param {number} low
 * @param {number} high
 * @param {(end: number) => string} write
 */
export const between = (low, high, write) => `${write(low)}${low < 0 ? " to " : "–"}${write(high)}`;

const INTERVAL = /(\(?-?\d[\d.]*(?:–| to )-?\d[\d.]*\)?)/;

/** A text whose intervals are not broken over two lines. */
export const unbroken = (text) =>
  text.split(INTERVAL).map((piece, at) => (at % 2 ? el("span.nw", {}, piece) : piece));
