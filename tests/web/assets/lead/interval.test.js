// Intervals in words.
import assert from "node:assert/strict";
import test from "node:test";
import { between } from "../../../../graders/web/assets/lead/interval.js";

const two = (x) => x.toFixed(2);

test("a dash stands between numbers without a sign, a word where one has it", () => {
  assert.equal(between(0.1, 0.55, two), "0.10–0.55");
  assert.equal(between(-0.31, 0.55, two), "-0.31 to 0.55");
  assert.equal(between(-0.31, -0.05, two), "-0.31 to -0.05");
});
