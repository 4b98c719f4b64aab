// Values of a scale: what a key or a typed text means, and how a value is written.
import assert from "node:assert/strict";
import test from "node:test";
import {
  digitValue,
  isTrack,
  parseValue,
  shareOf,
  shortValue,
  stepOf,
  wordValue,
  yesNoValue,
} from "../../../../graders/web/assets/desk/scale.js";

const whole = (low, high, words = []) => ({
  kind: "integer",
  values: Array.from({ length: high - low + 1 }, (_, i) => low + i),
  words,
  low,
  high,
});
const range = (low, high) => ({ kind: "numeric", values: [], words: [], low, high });
const labels = (values, more = {}) => ({ kind: "ordered", values, words: values, ...more });

test("numbers mean themselves, and 0 is 10 where the scale goes from 1 to 10", () => {
  assert.deepEqual(digitValue(whole(1, 10), 7), { value: 7 });
  assert.deepEqual(digitValue(whole(1, 10), 0), { value: 10 });
  assert.deepEqual(digitValue(whole(0, 5), 0), { value: 0 });
  assert.equal(digitValue(whole(1, 5), 9), null);
});

test("labels are counted from 1, the tenth is 0, and one that is not there is none", () => {
  const ten = labels("abcdefghij".split(""));
  assert.deepEqual(digitValue(ten, 1), { value: "a" });
  assert.deepEqual(digitValue(ten, 0), { value: "j" });
  assert.equal(digitValue(labels(["no", "yes"]), 3), null);
});

test("from 0 to 1 a digit is a tenth; where more digits are needed it begins a number", () => {
  assert.deepEqual(digitValue(range(0, 1), 7), { value: 0.7 });
  assert.deepEqual(digitValue(range(1, 7), 7), { value: 7 });
  assert.deepEqual(digitValue(range(1, 7), 9), { field: "9" });
  assert.deepEqual(digitValue(range(0, 100), 4), { field: "4" });
  assert.deepEqual(digitValue(whole(1, 20), 4), { field: "4" });
});

test("y and n are Yes and No wherever these stand, else the better and the worse, else the ends", () => {
  assert.deepEqual(yesNoValue(labels(["Yes", "No"]), true), { value: "Yes" });
  assert.deepEqual(yesNoValue(labels(["irrelevant", "relevant"]), true), { value: "relevant" });
  assert.deepEqual(yesNoValue(labels(["irrelevant", "relevant"]), false), { value: "irrelevant" });
  assert.deepEqual(yesNoValue(range(0, 100), false), { value: 0 });
  assert.equal(yesNoValue(labels(["bad", "fair", "good"]), true), null);
  assert.equal(yesNoValue(whole(0, 20), true), null);
});

test("a typed text is a value or nothing, never a guess", () => {
  assert.equal(parseValue(range(0, 1), " 0,25 "), 0.25);
  assert.equal(parseValue(range(0, 1), "1.01"), null);
  assert.equal(parseValue(whole(1, 20), "12"), 12);
  assert.equal(parseValue(whole(1, 20), "12.5"), null);
  assert.equal(parseValue(labels(["no", "yes"]), "2"), "yes");
  for (const text of ["", "  ", "two", "3", "0", "1e999"])
    assert.equal(parseValue(labels(["no", "yes"]), text), null, text);
});

test("ranges and long rows of numbers are drawn as a track, labels never", () => {
  assert.equal(isTrack(range(0, 1)), true);
  assert.equal(isTrack(whole(0, 10)), false);
  assert.equal(isTrack(whole(0, 11)), true);
  assert.equal(isTrack(labels("abcdefghijkl".split(""))), false);
  assert.deepEqual([stepOf(range(0, 1)), stepOf(range(0, 10)), stepOf(whole(0, 20))], [0.01, 0.1, 1]);
  assert.equal(shareOf(range(1, 5), 2), 0.25);
});

test("a value is written short on its button and in words beside it", () => {
  const anchored = whole(1, 3, ["poor", "fair", "good"]);
  assert.equal(shortValue(anchored, 2), "2");
  assert.equal(wordValue(anchored, 2), "fair");
  assert.equal(shortValue(labels(["no", "yes"]), "yes"), "2");
  assert.equal(shortValue(labels(["A", "B", "tie"], { preference: true }), "B"), "B");
  assert.equal(wordValue(range(0, 1), 0.123), "0.12");
  assert.equal(wordValue(labels(["no", "yes"]), "maybe"), "maybe");
});
