// Finding quotes in a text as it is rendered, across bold, code, tables and line breaks, and wrapping them in
// <mark>.
import { quoted } from "../unseen.js";

const BLOCKS = new Set(
  "P LI UL OL DL DT DD TABLE THEAD TBODY TR TD TH DIV PRE BLOCKQUOTE H1 H2 H3 H4 H5 H6 BR HR SECTION".split(
    " ",
  ),
);
const SPACE = /\s/u;
const MARKUP = /[*_`#|>~\\]/u;

/**
 * Text nodes in order, with whether a block ends before each. Of boxes with hidden text the words, or nothing
 * (`without`).
 */
function* textNodes(root, without) {
  let fresh = true;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  let block = null;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeType === Node.ELEMENT_NODE) {
      if (BLOCKS.has(node.tagName)) fresh = true;
      continue;
    }
    if (node.parentElement.closest(without ? ".unseen" : ".unseen > strong")) continue;
    let parent = node.parentElement;
    while (parent !== root && !BLOCKS.has(parent.tagName)) parent = parent.parentElement;
    yield { node, fresh: fresh || parent !== block };
    block = parent;
    fresh = false;
  }
}

/**
 * Pieces of a text with their offsets, each normalised (NFKC) so that é and e + accent, or ﬁ and fi, are the
 * same.
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

/** The rendered text as one string with folded white space, and where each of its characters comes from. */
function flatten(root, without = false) {
  let flat = "";
  const from = [];
  const push = (text, place) => {
    for (const char of text) {
      const folded = SPACE.test(char) ? " " : char;
      if (folded === " " && (flat === "" || flat.endsWith(" "))) continue;
      flat += folded;
      for (let i = 0; i < folded.length; i++) from.push(place);
    }
  };
  for (const { node, fresh } of textNodes(root, without)) {
    if (fresh) push(" ", null);
    for (const piece of pieces(node.data)) push(piece.text, { node, start: piece.start, end: piece.end });
  }
  return { flat, from };
}

/** The same without the characters that `drop` matches, and the way back. */
function thinned(flat, drop) {
  let text = "";
  const back = [];
  for (let i = 0; i < flat.length; i++) {
    if (drop.test(flat[i])) continue;
    text += flat[i];
    back.push(i);
  }
  return { text, back };
}

/** A quote as a judge may write it, in Markdown, without list numbers and link targets. */
function plain(quote) {
  return quote.replace(/^\s*(?:[-*+]|\d+[.)])\s+/gmu, "").replace(/!?\[([^\]]*)\]\([^)]*\)/gu, "$1");
}

const fold = (text) => text.normalize("NFKC").replace(/\s+/gu, " ").trim();

/**
 * `[start, end)` in the flat text, or null. Tried: as it is, without white space, without Markdown's signs.
 */
function locate(page, quote) {
  const wanted = fold(quote);
  if (!wanted) return null;
  const exact = page.flat.indexOf(wanted);
  if (exact >= 0) return [exact, exact + wanted.length];
  for (const [drop, text] of [
    [/\s/u, wanted],
    [new RegExp(`\\s|${MARKUP.source}`, "u"), fold(plain(quote.normalize("NFKC")))],
  ]) {
    const thin = (page.thin ??= new Map()).get(drop.source) ?? thinned(page.flat, drop);
    page.thin.set(drop.source, thin);
    const needle = thinned(text, drop).text;
    const at = needle.length > 1 ? thin.text.indexOf(needle) : -1;
    if (at >= 0) return [thin.back[at], thin.back[at + needle.length - 1] + 1];
  }
  return null;
}

/**
 * Cut one text node into marked and unmarked pieces; overlapping quotes share a mark that names all owners.
 */
function wrapNode(node, spans) {
  const cuts = [...new Set([0, node.data.length, ...spans.flatMap((span) => [span.start, span.end])])].sort(
    (x, y) => x - y,
  );
  const parts = document.createDocumentFragment();
  for (let i = 0; i + 1 < cuts.length; i++) {
    const text = node.data.slice(cuts[i], cuts[i + 1]);
    const owners = spans.filter((span) => span.start <= cuts[i] && span.end >= cuts[i + 1]);
    if (!owners.length) {
      parts.append(text);
      continue;
    }
    const mark = document.createElement("mark");
    mark.textContent = text;
    mark.dataset.owners = [...new Set(owners.map((span) => span.owner))].join(" ");
    mark.style.setProperty("--c", `var(--h${owners[0].hue})`);
    parts.append(mark);
  }
  node.replaceWith(parts);
}

/**
 * Mark quotes in `root`. `wanted` is a list of `{owner, hue, quote}`; returns those that are not in the text.
 * `owner` is the id by which a criterion finds its marks again (data-owners).
 */
export function markQuotes(root, wanted) {
  if (!wanted.length) return [];
  const whole = flatten(root);
  const seen = root.querySelector(".unseen") ? flatten(root, true) : whole;
  const byNode = new Map();
  const missing = [];
  for (const one of wanted) {
    // A quote may have what is hidden in the text, or go across it.
    const { spoken, bare } = quoted(one.quote);
    const inWhole = locate(whole, spoken);
    const span = inWhole ?? locate(seen, bare);
    const page = inWhole ? whole : seen;
    if (!span) {
      missing.push(one);
      continue;
    }
    for (let i = span[0]; i < span[1]; i++) {
      const place = page.from[i];
      if (!place) continue;
      if (!byNode.has(place.node)) byNode.set(place.node, []);
      const spans = byNode.get(place.node);
      const last = spans.at(-1);
      if (last && last.one === one) last.end = Math.max(last.end, place.end);
      else spans.push({ one, owner: one.owner, hue: one.hue, start: place.start, end: place.end });
    }
  }
  for (const [node, spans] of byNode) wrapNode(node, spans);
  return missing;
}

/** The marks of one owner, in reading order. */
export function marksOf(root, owner) {
  return [...root.querySelectorAll("mark[data-owners]")].filter((mark) =>
    mark.dataset.owners.split(" ").includes(owner),
  );
}
