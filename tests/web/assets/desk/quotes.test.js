// Quotes of graders found in the text of a page, however it is set.
import assert from "node:assert/strict";
import test from "node:test";
import { marksOf } from "../../../../graders/web/assets/desk/evidence.js";
import { flatten, locate } from "../../../../graders/web/assets/desk/quotes.js";

/** A page of text nodes; one that begins a block has a bar in front. */
const page = (...texts) =>
  flatten(texts.map((text) => ({ node: { data: text.replace(/^\|/u, "") }, fresh: text.startsWith("|") })));

/** What is found, as it stands in the nodes: the pieces of each node in turn. */
function found(where, quote) {
  const span = locate(where, quote);
  if (!span) return null;
  const pieces = new Map();
  for (const place of where.from.slice(...span))
    if (place) {
      const { start } = pieces.get(place.node) ?? place;
      pieces.set(place.node, { start, end: place.end });
    }
  return [...pieces].map(([node, { start, end }]) => node.data.slice(start, end));
}

test("a quote goes across bold words and blocks", () => {
  const text = page("|The leaf ", "keeps", " its sugar.", "|The night is cold.");
  assert.deepEqual(found(text, "leaf keeps its"), ["leaf ", "keeps", " its"]);
  assert.deepEqual(found(text, "sugar. The night"), ["sugar.", "The night"]);
  assert.equal(found(text, "leaf loses its"), null);
});

test("white space and the ways to write a letter do not matter", () => {
  assert.deepEqual(found(page("|one\n   two"), "one two"), ["one\n   two"]);
  assert.deepEqual(found(page("|the cafe\u0301 is"), "caf\u00e9"), ["cafe\u0301"]);
  assert.deepEqual(found(page("|the \ufb01nal word"), "final"), ["\ufb01nal"]);
  assert.deepEqual(found(page("|日が短く", "|なると"), "日が短くなると"), ["日が短く", "なると"]);
});

test("a quote in Markdown is found in what it became", () => {
  const text = page("|", "Red", " is made anew, see ", "here", ".", "|use ", "dict.fromkeys", "|kept");
  assert.deepEqual(found(text, "**Red** is made"), ["Red", " is made"]);
  assert.deepEqual(found(text, "- Red is made"), ["Red", " is made"]);
  assert.deepEqual(found(text, "see [here](https://example.org)."), ["see ", "here", "."]);
  assert.deepEqual(found(text, "| use `dict.fromkeys` | kept |"), ["use ", "dict.fromkeys", "kept"]);
});

test("what is empty, or one sign of a text without white space, is nowhere", () => {
  const text = page("|a b");
  for (const quote of ["", "  ", "**"]) assert.equal(locate(text, quote), null, quote);
  assert.deepEqual(found(text, "b"), ["b"]);
});

test("a cell finds its marks again by the number that the server gave it, and not those of 1 in 12", () => {
  const mark = (owners) => ({ dataset: { owners } });
  const marks = [mark("12"), mark("1 12"), mark("2")];
  const root = { querySelectorAll: () => marks };
  assert.deepEqual(marksOf(root, 12), marks.slice(0, 2));
  assert.deepEqual(marksOf(root, 1), marks.slice(1, 2));
  assert.deepEqual(marksOf(root, "2"), marks.slice(2));
});
