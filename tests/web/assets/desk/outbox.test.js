// Saves on their way: none is lost, none is doubled, none overtakes another.
import assert from "node:assert/strict";
import test from "node:test";

globalThis.document = { querySelector: () => null };
const { Outbox } = await import("../../../../graders/web/assets/desk/outbox.js");

/** What the browser keeps, as the desk's store has it: JSON by key. */
function storage(kept = new Map()) {
  return {
    get: (key) => JSON.parse(kept.get(key) ?? "null"),
    set: (key, value) => Boolean(kept.set(key, JSON.stringify(value))),
    remove: (key) => void kept.delete(key),
    keys: (prefix) => [...kept.keys()].filter((key) => key.startsWith(prefix)).sort(),
  };
}

/** An outbox before a server that says what is in `replies`, at last always yes; with all that happened. */
function outbox(replies = [], store = storage(), person = "ada") {
  const seen = { sent: [], said: [], status: [] };
  const send = async (_path, body) => {
    seen.sent.push(body.n);
    return replies.shift() ?? { status: 200, reply: { ok: true } };
  };
  const events = {
    onStatus: ({ kind, n }) => seen.status.push(`${kind} ${n}`),
    onAck: (job) => seen.said.push(`ack ${job.id}`),
    onRefused: (job, sentence) => seen.said.push(`refused ${job.id}: ${sentence}`),
    onSignedOut: () => seen.said.push("signed out"),
    onTrouble: (status, reply) => seen.said.push(`trouble: ${status} ${reply?.error ?? ""}`.trim()),
  };
  const box = new Outbox(store, person, events, send);
  return { box, store, seen, add: (n) => box.add({ id: `j${n}`, path: "/api/save", body: { n }, delta: 1 }) };
}

const away = { status: 0, reply: null };
const full = { status: 507, reply: { ok: false, error: "The disk is full." } };

/** The outbox waits before it tries again: its timer is put aside, and the try made now. */
async function again(box) {
  clearTimeout(box.timer);
  await box.flush();
}

test("jobs go out one by one in the order in which they were made, and leave the browser when acknowledged", async () => {
  const { box, store, seen, add } = outbox();
  for (const n of [1, 2, 3]) add(n);
  assert.equal(box.pending, 3);
  await box.drained(2000);
  assert.deepEqual(seen.sent, [1, 2, 3]);
  assert.deepEqual(seen.said, ["ack j1", "ack j2", "ack j3"]);
  assert.deepEqual(store.keys(""), []);
  assert.equal(seen.status.at(-1), "saved 0");
});

test("while nobody answers a job stays, says that it is kept, and goes out before the later ones", async () => {
  const { box, seen, add } = outbox([away, away]);
  add(1);
  await again(box);
  add(2);
  await again(box);
  assert.deepEqual(seen.sent, [1, 1]);
  assert.equal(box.pending, 2);
  assert.equal(seen.status.at(-1), "offline 2");
  await again(box);
  assert.deepEqual(seen.sent, [1, 1, 1, 2]);
  assert.equal(seen.status.at(-1), "saved 0");
  assert.equal(seen.said.filter((one) => one.startsWith("ack")).length, 2);
});

test("each try that fails waits longer, up to eight seconds; the network coming back tries at once", async () => {
  const { box, add } = outbox(Array.from({ length: 12 }, () => away));
  add(1);
  const waits = [];
  for (let n = 0; n < 7; n++) {
    await again(box);
    waits.push(box.wait);
  }
  assert.deepEqual(waits, [1000, 2000, 4000, 8000, 8000, 8000, 8000]);
  box.hurry();
  assert.equal(box.wait, 500);
  box.stop();
});

test("a server that cannot save is not called offline: its sentence is shown, and taken away when it can", async () => {
  const { box, seen, add } = outbox([full]);
  add(1);
  await again(box);
  assert.equal(seen.status.at(-1), "unsaved 1");
  assert.deepEqual(seen.said, ["trouble: 507 The disk is full."]);
  await again(box);
  assert.deepEqual(seen.said, ["trouble: 507 The disk is full.", "trouble: 0", "ack j1"]);
});

test("what will never be taken is handed back and holds up nothing", async () => {
  const { box, seen, add } = outbox([{ status: 422, reply: { error: "No such cell." } }]);
  add(1);
  add(2);
  await again(box);
  assert.deepEqual(seen.said, ["refused j1: No such cell.", "ack j2"]);
  assert.equal(box.pending, 0);
});

test("somebody who is not known any more sends nothing until a name is said, and loses nothing", async () => {
  const { box, seen, add } = outbox([{ status: 401, reply: null }]);
  add(1);
  await again(box);
  add(2);
  await again(box);
  assert.deepEqual(seen.sent, [1]);
  assert.deepEqual(seen.said, ["signed out"]);
  box.resume();
  await box.drained(2000);
  assert.deepEqual(seen.sent, [1, 1, 2]);
});

test("what one person left is not sent for another, but taken over under a renewed name", async () => {
  const store = storage();
  const ada = outbox([away], store);
  ada.add(1);
  await again(ada.box);
  ada.box.stop();
  const bob = outbox([], store, "bob");
  assert.equal(bob.box.pending, 0);
  bob.box.adopt("ada");
  await again(bob.box);
  assert.deepEqual(bob.seen.said, ["ack j1"]);
  assert.equal(ada.box.pending, 0);
});

test("two tabs send each job once: with the browser's locks, and with a lease where there are none", async () => {
  const { locks } = navigator;
  for (const there of [true, false]) {
    Object.defineProperty(navigator, "locks", { value: there ? locks : undefined, configurable: true });
    const store = storage();
    const [one, other] = [outbox([], store), outbox([], store)];
    for (const n of [1, 2, 3]) one.add(n);
    await Promise.all([again(one.box), again(other.box)]);
    for (const { box } of [one, other]) await box.drained(2000);
    assert.deepEqual([...one.seen.sent, ...other.seen.sent].sort(), [1, 2, 3], `locks: ${there}`);
    for (const { box } of [one, other]) box.stop();
  }
  Object.defineProperty(navigator, "locks", { value: locks, configurable: true });
});

test("without locks a tab waits while another holds the lease, and takes it over once that has run out", async () => {
  const { locks } = navigator;
  Object.defineProperty(navigator, "locks", { value: undefined, configurable: true });
  const store = storage();
  const { box, seen, add } = outbox([], store);
  store.set("lease", { tab: "another", until: Date.now() + 60_000 });
  add(1);
  await again(box);
  assert.deepEqual([seen.sent, box.pending], [[], 1]);
  store.set("lease", { tab: "another", until: Date.now() - 1 });
  await again(box);
  assert.deepEqual([seen.sent, box.pending], [[1], 0]);
  assert.equal(store.get("lease"), null);
  Object.defineProperty(navigator, "locks", { value: locks, configurable: true });
});
