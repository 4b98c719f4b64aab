// Seconds of work, and how a save divides them among cells.
import assert from "node:assert/strict";
import test from "node:test";
import { Clock } from "../../../../graders/web/assets/desk/clock.js";
import { saveBody } from "../../../../graders/web/assets/desk/sent.js";
import { newWork, typedMark, withMark } from "../../../../graders/web/assets/desk/state.js";

/** A clock whose time is told, and what it booked. */
function told() {
  const time = { now: 0, booked: 0 };
  const clock = new Clock(
    (ms) => {
      time.booked += ms;
    },
    () => time.now,
  );
  const at = (seconds) => {
    time.now = 1000 * seconds;
    return clock;
  };
  return { at, booked: () => time.booked / 1000 };
}

test("time counts while somebody works, and is booked once", () => {
  const { at, booked } = told();
  at(10).tick();
  at(10).tick();
  at(25).input();
  assert.equal(booked(), 25);
});

test("who does nothing for a minute is away from then on, until the next input", () => {
  const { at, booked } = told();
  at(20).input();
  at(300).tick();
  assert.equal(booked(), 80);
  at(500).input();
  assert.equal(booked(), 80);
  at(510).tick();
  assert.equal(booked(), 90);
});

test("a page that is not seen takes no time", () => {
  const { at, booked } = told();
  at(5).setVisible(false);
  at(50).tick();
  at(55).setVisible(true);
  at(58).tick();
  assert.equal(booked(), 8);
});

test("input of any kind counts, a moving mouse once a second, and nothing after the page is left", () => {
  const { at, booked } = told();
  const page = new EventTarget();
  const life = new AbortController();
  at(0).follow(page, life.signal);
  at(50);
  page.dispatchEvent(new Event("pointermove"));
  at(50.5);
  page.dispatchEvent(new Event("pointermove"));
  at(105).tick();
  assert.equal(booked(), 105);
  at(120).tick();
  assert.equal(booked(), 110, "the second move was too soon after the first");
  page.dispatchEvent(new Event("keydown"));
  at(130).tick();
  assert.equal(booked(), 120);
  life.abort();
  page.dispatchEvent(new Event("keydown"));
  at(300).tick();
  assert.equal(booked(), 170);
});

const cell = (id) => ({ id, criterion: "q/clarity", part: "", open: true, suggestion: null, mine: null });
const screen = {
  id: 7,
  arm: "assisted",
  saved: null,
  answers: [{ id: 1, cells: [cell(11), cell(12)], twins: [{ id: 2, cells: [cell(21)] }] }],
};

test("a save says its seconds to a tenth; those of a cell that equal answers share are divided", () => {
  const before = newWork(screen);
  const work = withMark(before, screen.answers[0].cells[0], typedMark(screen.answers[0].cells[0], 4));
  const time = { total: 12.345, cells: { 11: 9.06, 12: 3 } };
  const body = saveBody({ id: "s", project: "p", screen, work, before, time });
  assert.equal(body.seconds, 12.3);
  assert.deepEqual(
    body.verdicts.map(({ cell, seconds, value }) => [cell, seconds, value]),
    [
      [11, 4.5, 4],
      [21, 4.5, 4],
    ],
  );
});

test("what is skipped sends its time and no verdict; what did not change is not sent again", () => {
  const before = newWork(screen);
  const marked = withMark(before, screen.answers[0].cells[0], typedMark(screen.answers[0].cells[0], 4));
  const time = { total: 3, cells: {} };
  const given = { id: "s", project: "p", screen, time };
  assert.deepEqual(saveBody({ ...given, work: marked, before, skipped: "broken" }).verdicts, []);
  assert.deepEqual(saveBody({ ...given, work: marked, before: marked }).verdicts, []);
});
