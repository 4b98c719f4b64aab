// What a key press means, on keyboards of any layout.
import assert from "node:assert/strict";
import test from "node:test";
import { readFileSync } from "node:fs";
import { keyTable, meaning } from "../../../../graders/web/assets/desk/keys.js";

const ASSETS = new URL("../../../../graders/web/assets/", import.meta.url);
const press = (code, key, more = {}) => meaning({ code, key, ...more });
const shift = { shiftKey: true };

test("letters go by their place, so that every layout works alike", () => {
  assert.deepEqual(press("KeyY", "z"), { action: "yes" });
  assert.deepEqual(press("KeyF", "а"), { action: "flag" });
  assert.equal(press("KeyQ", "q"), null);
});

test("digits count wherever they are: in the row, on the pad, on a layout that shifts them", () => {
  assert.deepEqual(press("Digit3", "3"), { action: "digit", digit: 3 });
  assert.deepEqual(press("Numpad7", "7"), { action: "digit", digit: 7 });
  assert.deepEqual(press("Digit2", "é"), { action: "digit", digit: 2 });
  assert.deepEqual(press("Digit2", "2", shift), { action: "digit", digit: 2 });
  assert.equal(press("Digit2", '"', shift), null);
});

test("signs are found by what they write, also where they stand elsewhere", () => {
  assert.deepEqual(press("IntlBackslash", "["), { action: "answerBack" });
  assert.deepEqual(press("Minus", "?", shift), { action: "help" });
  assert.deepEqual(press("IntlRo", "="), { action: "apart" });
  assert.deepEqual(press("Equal", "´"), { action: "apart" });
});

test("with Control or Command only saving and undo are the desk's; the browser keeps the others", () => {
  for (const held of [{ ctrlKey: true }, { metaKey: true }]) {
    assert.deepEqual(press("Enter", "Enter", held), { action: "saveNext" });
    assert.deepEqual(press("KeyZ", "z", held), { action: "undo" });
    assert.deepEqual(press("KeyY", "z", held), { action: "undo" });
    assert.equal(press("KeyZ", "Z", { ...held, ...shift }), null);
    assert.equal(press("KeyF", "f", held), null);
    assert.equal(press("Digit1", "1", held), null);
  }
  assert.equal(press("KeyF", "f", { altKey: true }), null);
});

test("a shifted letter is no letter, but for confirming all, scrolling back and going back", () => {
  assert.deepEqual(press("KeyA", "A", shift), { action: "confirmAll" });
  assert.deepEqual(press("Space", " ", shift), { action: "scrollUp" });
  assert.deepEqual(press("Tab", "Tab", shift), { action: "tabBack" });
  assert.equal(press("KeyS", "S", shift), null);
});

test("every key of the help is explained by a word that there is", () => {
  const words = JSON.parse(readFileSync(new URL("../../words/en/desk.json", ASSETS), "utf-8"));
  for (const [keys, word] of keyTable("Ctrl")) assert.ok(words[word], `${keys}: ${word}`);
});
