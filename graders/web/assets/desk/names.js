// How much room the names of criteria need: no word of them is broken where there is room for it.

const DOT = 17; // the criterion's colour beside its name
const BREAKS = /[\s/\-\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/u;

/** @type {Map<string, number>} */
const known = new Map();
const pen = document.createElement("canvas").getContext("2d");

/**
 * Say in `--name` how wide the longest word among the names of the criteria is, with the colour beside it.
 * @param {HTMLElement} root
 * @param {Iterable<HTMLElement>} names
 */
export function fitNames(root, names) {
  let most = 0;
  for (const name of names)
    for (const word of (name.textContent ?? "").split(BREAKS)) most = Math.max(most, widthOf(word, root));
  root.style.setProperty("--name", `${Math.ceil(most) + DOT}px`);
}

/**
 * @param {string} word
 * @param {HTMLElement} root
 */
function widthOf(word, root) {
  const before = known.get(word);
  if (before !== undefined || !pen) return before ?? 0;
  pen.font = `600 13px ${getComputedStyle(root).fontFamily}`;
  const { width } = pen.measureText(word);
  known.set(word, width);
  return width;
}
