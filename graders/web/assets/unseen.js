// Signs that a program reads and a person does not see, shown in a box: what graders/core/hidden.py does, for
// texts that pages show as they are. SIGNS is made by graders/web/unseen.py; a test compares the two.
import { SIGNS } from "./unseen_signs.js";

const ANY = new RegExp(`[${SIGNS.invisible}]`, "u");
const RUN = new RegExp(SIGNS.pattern, "gu");
const QUIET = SIGNS.quiet.map(([marks, among]) => [new RegExp(marks, "u"), new RegExp(among, "u")]);
const HIDDEN = /[\p{C}\ufffd\u2028\u2029]|(?! )\p{Zs}/u;

/** @type {(sign: string) => number} */
const codeOf = (sign) => sign.codePointAt(0) ?? 0;

/**
 * What a variation selector stands for in a row of them, -1 for other signs.
 * @param {string} sign
 */
function octet(sign) {
  const code = codeOf(sign);
  if (code >= 0xfe00 && code <= 0xfe0f) return code - 0xfe00;
  return code >= 0xe0100 && code <= 0xe01ef ? code - 0xe0100 + 16 : -1;
}

/** @type {(octets: number[]) => string} */
const readable = (octets) => {
  const words = new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(octets));
  return words && !HIDDEN.test(words) ? words : "";
};

/**
 * Signs with how often each is there, the most frequent first.
 * @param {string[]} signs
 */
function counted(signs) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const sign of signs) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
}

/**
 * The text that signs spell: tags as ASCII, variation selectors as bytes, zero-width signs as bits; "" for
 * none.
 * @param {string[]} run
 */
function spelled(run) {
  const tags = run
    .filter((sign) => sign >= "\u{e0020}" && sign <= "\u{e007e}")
    .map((sign) => String.fromCodePoint(codeOf(sign) - 0xe0000));
  if (tags.length) return tags.join("");
  const octets = run.map(octet).filter((one) => one >= 0);
  if (octets.length > 1) return readable(octets);
  const two = counted(run)
    .slice(0, 2)
    .map(([sign]) => sign)
    .sort();
  for (const nought of two.length === 2 && run.length >= 16 ? two : []) {
    const bits = run
      .filter((sign) => two.includes(sign))
      .map((sign) => (sign === nought ? "0" : "1"))
      .join("");
    const words = readable(bits.match(/.{8}/gu)?.map((eight) => parseInt(eight, 2)) ?? []);
    if (words) return words;
  }
  return "";
}

/**
 * @param {string} sign
 * @returns {string}
 */
function nameOf(sign) {
  /** @type {Record<string, string>} */
  const names = SIGNS.names;
  if (names[sign]) return names[sign];
  if (octet(sign) >= 0) return "variation selector";
  if (sign >= "\u{e0000}" && sign <= "\u{e007f}") return "tag character";
  return `U+${codeOf(sign).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** @param {string[]} run */
function namesOf(run) {
  const names = counted(run.map(nameOf));
  const words = names
    .slice(0, SIGNS.names_shown)
    .map(([name, n]) => (n > 1 ? `${name} × ${n.toLocaleString("en")}` : name));
  return words.join(", ") + (names.length > SIGNS.names_shown ? " and others" : "");
}

/**
 * The runs in `text` that nobody sees: `{start, end, words, spells}`.
 * @param {string} text
 */
export function unseen(text) {
  if (!ANY.test(text)) return [];
  const quiet = QUIET.filter(([, among]) => among.test(text)).map(([marks]) => marks);
  /** @type {{start: number, end: number, signs: string[]}[]} */
  const runs = [];
  for (const found of text.matchAll(RUN)) {
    if (found[1] !== undefined || quiet.some((marks) => marks.test(found[0]))) continue;
    runs.push({ start: found.index, end: found.index + found[0].length, signs: [...found[0]] });
    if (runs.length === SIGNS.most_read) break;
  }
  const told = runs.length > SIGNS.most ? [{ ...runs[0], signs: runs.flatMap((run) => run.signs) }] : runs;
  return told.map(({ start, end, signs }) => {
    const words = spelled(signs);
    return { start, end, words: words || namesOf(signs), spells: Boolean(words) };
  });
}

/**
 * A text for a page: its pieces, with a box in the place of each run that nobody sees. Anything else comes
 * back as it is.
 * @template T
 * @param {T} text
 * @returns {(T | string | HTMLElement)[]}
 */
export function seen(text) {
  if (typeof text !== "string" || !ANY.test(text)) return [text];
  /** @type {(T | string | HTMLElement)[]} */
  const parts = [];
  let at = 0;
  for (const run of unseen(text)) {
    const box = document.createElement("span");
    const name = document.createElement("strong");
    box.className = "unseen";
    name.textContent = run.spells ? "Hidden text:" : "Hidden:";
    box.append(name, ` ${run.words}`);
    parts.push(text.slice(at, run.start), box);
    at = run.end;
  }
  return [...parts, text.slice(at)];
}

/**
 * A quote as it reads on the page: with the words of what is hidden in it (`spoken`), or without them
 * (`bare`).
 * @param {string} quote
 */
export function quoted(quote) {
  let [spoken, bare] = ["", ""];
  let at = 0;
  for (const run of unseen(quote)) {
    const before = quote.slice(at, run.start);
    spoken += `${before} ${run.words}`;
    bare += before;
    at = run.end;
  }
  return { spoken: spoken + quote.slice(at), bare: bare + quote.slice(at) };
}
