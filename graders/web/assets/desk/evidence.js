// Marking quotes in a text as it is rendered, across bold, code, tables and line breaks: each in a <mark>.
/** @import { Id } from "./data.js" */
import { quoted } from "../unseen.js";
import { flatten, locate } from "./quotes.js";

/** @typedef {{owner?: Id, hue?: number, quote: string}} Wanted a quote, and whose it is */
/** @typedef {{one: Wanted, owner?: Id, hue?: number, start: number, end: number}} Span */

const BLOCKS = new Set(
  "P LI UL OL DL DT DD TABLE THEAD TBODY TR TD TH DIV PRE BLOCKQUOTE H1 H2 H3 H4 H5 H6 BR HR SECTION".split(
    " ",
  ),
);

/**
 * Text nodes in order, with whether a block ends before each. Of boxes with hidden text the words, or nothing
 * (`without`).
 * @param {Element} root
 * @param {boolean} without
 * @returns {Generator<{node: Text, fresh: boolean}>}
 */
function* textNodes(root, without) {
  let fresh = true;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  /** @type {Element | null} */
  let block = null;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Element) {
      if (BLOCKS.has(node.tagName)) fresh = true;
      continue;
    }
    let parent = node.parentElement;
    if (!(node instanceof Text) || parent?.closest(without ? ".unseen" : ".unseen > strong")) continue;
    while (parent && parent !== root && !BLOCKS.has(parent.tagName)) parent = parent.parentElement;
    yield { node, fresh: fresh || parent !== block };
    block = parent;
    fresh = false;
  }
}

/**
 * Cut one text node into marked and unmarked pieces; overlapping quotes share a mark that names all owners.
 * @param {Text} node
 * @param {Span[]} spans
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
 * @template {Wanted} T
 * @param {Element} root
 * @param {T[]} wanted
 * @returns {T[]}
 */
export function markQuotes(root, wanted) {
  if (!wanted.length) return [];
  const whole = flatten(textNodes(root, false));
  const seen = root.querySelector(".unseen") ? flatten(textNodes(root, true)) : whole;
  /** @type {Map<Text, Span[]>} */
  const byNode = new Map();
  /** @type {T[]} */
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
      const spans = byNode.get(place.node) ?? [];
      byNode.set(place.node, spans);
      const last = spans.at(-1);
      if (last && last.one === one) last.end = Math.max(last.end, place.end);
      else spans.push({ one, owner: one.owner, hue: one.hue, start: place.start, end: place.end });
    }
  }
  for (const [node, spans] of byNode) wrapNode(node, spans);
  return missing;
}

/**
 * The marks of one owner, in reading order.
 * @param {Element} root
 * @param {Id} owner
 */
export function marksOf(root, owner) {
  /** @type {NodeListOf<HTMLElement>} */
  const marks = root.querySelectorAll("mark[data-owners]");
  return [...marks].filter((mark) => mark.dataset.owners?.split(" ").includes(String(owner)));
}
