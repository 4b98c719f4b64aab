// Intervals in words.

/**
 * Both ends, with "to" where a dash would look like a minus.
 * @param {number} low
 * @param {number} high
 * @param {(end: number) => string} write
 */
export const between = (low, high, write) => `${write(low)}${low < 0 ? " to " : "–"}${write(high)}`;
