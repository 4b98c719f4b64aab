// Finding quotes in the text of a page: as they are, without white space, without Markdown's signs.

/** @typedef {{node: Text, start: number, end: number}} Source where a character of a page comes from */
/** @typedef {{text: string, back: number[]}} Thin a text without some of its characters, and the way back */

/**
 * A rendered text as one string, and where each of its characters comes from; null between blocks.
 * @typedef {object} Page
 * @property {string} flat
 * @property {(Source | null)[]} from
 * @property {Map<string, Thin>} thin by what was left out
 */

const SPACE = /\s/u;
const MARKUP = /[\s*_`#|>~\\]/u;

/**
 * Pieces of a text with their offsets, each normalised (NFKC) so that é and e + accent, or ﬁ and fi, are the
 * same.
 * @param {string} text
 * @returns {Generator<{text: string, start: number, end: number}>}
 */
function* pieces(text) {
  if (text.normalize("NFKC") === text) {
    for (let i = 0; i < text.length; i++) yield { text: text[i], start: i, end: i + 1 };
    return;
  }
  for (const { segment, index } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)) {
    yield { text: segment.normalize("NFKC"), start: index, end: index + segment.length };
  }
}

/**
 * Text nodes as one string with folded white space, and where each of its characters comes from; a space
 * where a block ends before a node (`fresh`).
 * @param {Iterable<{node: Text, fresh: boolean}>} nodes
 * @returns {Page}
 */
export function flatten(nodes) {
  let flat = "";
  /** @type {(Source | null)[]} */
  const from = [];
  /**
   * @param {string} text
   * @param {Source | null} place
   */
  const push = (text, place) => {
    for (const char of text) {
      const folded = SPACE.test(char) ? " " : char;
      if (folded === " " && (flat === "" || flat.endsWith(" "))) continue;
      flat += folded;
      for (let i = 0; i < folded.length; i++) from.push(place);
    }
  };
  for (const { node, fresh } of nodes) {
    if (fresh) push(" ", null);
    for (const piece of pieces(node.data)) push(piece.text, { node, start: piece.start, end: piece.end });
  }
  return { flat, from, thin: new Map() };
}

/**
 * The same without the characters that `drop` matches, and the way back.
 * @param {string} flat
 * @param {RegExp} drop
 * @returns {Thin}
 */
function thinned(flat, drop) {
  let text = "";
  /** @type {number[]} */
  const back = [];
  for (let i = 0; i < flat.length; i++) {
    if (drop.test(flat[i])) continue;
    text += flat[i];
    back.push(i);
  }
  return { text, back };
}

/**
 * A quote as a judge may write it, in Markdown, without list numbers and link targets.
 * @param {string} quote
 */
function plain(quote) {
  return quote.replace(/^\s*(?:[-*+]|\d+[.)])\s+/gmu, "").replace(/!?\[([^\]]*)\]\([^)]*\)/gu, "$1");
}

/** @type {(text: string) => string} */
const fold = (text) => text.normalize("NFKC").replace(/\s+/gu, " ").trim();

/**
 * `[start, end)` in the flat text, or null. Tried: as it is, without white space, without Markdown's signs.
 * @param {Page} page
 * @param {string} quote
 * @returns {[start: number, end: number] | null}
 */
export function locate(page, quote) {
  const wanted = fold(quote);
  if (!wanted) return null;
  const exact = page.flat.indexOf(wanted);
  if (exact >= 0) return [exact, exact + wanted.length];
  for (const { drop, text } of [
    { drop: SPACE, text: wanted },
    { drop: MARKUP, text: fold(plain(quote.normalize("NFKC"))) },
  ]) {
    const thin = page.thin.get(drop.source) ?? thinned(page.flat, drop);
    page.thin.set(drop.source, thin);
    const needle = thinned(text, drop).text;
    const at = needle.length > 1 ? thin.text.indexOf(needle) : -1;
    if (at >= 0) return [thin.back[at], thin.back[at + needle.length - 1] + 1];
  }
  return null;
}
