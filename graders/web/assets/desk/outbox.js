// Saves on their way to the server. Each job has a key of its own in the browser's storage and leaves it only
// when the server has acknowledged it, so a reload, a lost connection or a second tab neither loses nor
// doubles anything.
/** @import { Id, SaveReply } from "./data.js" */
/** @import { Store } from "./store.js" */
/** @import { Trouble } from "./trouble.js" */

import { ask } from "../session.js";
import { kindOf } from "./trouble.js";

/**
 * One thing to tell the server. What it changes of my counts until the server has it: `delta` screens out of
 * hand, `counted` screens done, `blind` ones of them, `flags`.
 * @typedef {object} Job
 * @property {string} id
 * @property {string} path
 * @property {object} body
 * @property {Id} [screen]
 * @property {number} delta
 * @property {number} [counted]
 * @property {number} [blind]
 * @property {number} [flags]
 */

/** @typedef {Job & {key: string}} KeptJob with the key under which the browser keeps it */
/** @typedef {"offline" | "unsaved" | "full" | "read_only"} Failing */
/** @typedef {{kind: "saved" | "saving" | "draft" | "tab_only" | Failing, n: number}} Status */

/**
 * @typedef {object} Events
 * @property {(status: Status) => void} onStatus
 * @property {(job: Job, reply: SaveReply) => void} onAck
 * @property {(job: Job, sentence: string) => void} onRefused
 * @property {() => void} onSignedOut
 * @property {(status: number, reply: Trouble | null) => void} onTrouble
 */

/**
 * What a request came to: status 0 when nobody answered, no reply where it cannot be read.
 * @template {object} T
 * @typedef {{status: number, reply: (T & {error?: string}) | null}} Reply
 */

/** @typedef {(path: string, body: object) => Promise<Reply<SaveReply>>} Send */
/** @typedef {{tab: string, until: number}} Lease which tab sends, and until when */

const LOCK = "cograde-outbox";
const SETTLE_MS = 100;
const LEASE_MS = 20_000;
const LEASE_LOOK_MS = 80;
const WAIT_MS = { first: 500, most: 8000 };
const SEND_TIMEOUT_MS = 15_000;

let counter = 0;

/** Sortable: jobs are sent in the order in which they were made, whatever tab made them. */
function sequence() {
  counter = (counter + 1) % 1000;
  return String(Date.now() * 1000 + counter).padStart(17, "0");
}

/**
 * Keeps and sends jobs `{id, path, body}`. `onTrouble` is told what came instead of an acknowledgement;
 * status 0 once all is well.
 */
export class Outbox {
  /**
   * @param {Store} store
   * @param {string} person
   * @param {Events} events
   * @param {Send} send
   */
  constructor(store, person, events, send = postJson) {
    this.store = store;
    this.prefix = `out.${person}.`;
    this.events = events;
    this.send = send;
    this.wait = WAIT_MS.first;
    this.timer = 0;
    this.running = false;
    this.stopped = false;
    /** @type {"" | Failing} */
    this.failing = "";
    this.tab = Math.random().toString(36).slice(2);
  }

  /**
   * Jobs not yet acknowledged, oldest first.
   * @returns {KeptJob[]}
   */
  jobs() {
    return this.store
      .keys(this.prefix)
      .map((key) => ({ key, ...this.store.get(key) }))
      .filter((job) => job.id);
  }

  get pending() {
    return this.store.keys(this.prefix).length;
  }

  /**
   * Keep a job; it is sent after the next paint. False when it will not survive a reload.
   * @param {Job} job
   */
  add(job) {
    const kept = this.store.set(`${this.prefix}${sequence()}.${job.id}`, job);
    this.report("saving");
    setTimeout(() => this.flush(), 0);
    return kept;
  }

  /**
   * Take over what was kept under another id of the same person (a renewed cookie).
   * @param {string} other
   */
  adopt(other) {
    for (const key of this.store.keys(`out.${other}.`)) {
      this.store.set(key.replace(`out.${other}.`, this.prefix), this.store.get(key));
      this.store.remove(key);
    }
  }

  /**
   * Send what is there, one job at a time; on failure wait longer each time and try again.
   * @returns {Promise<void>}
   */
  async flush() {
    if (this.running || this.stopped) return;
    clearTimeout(this.timer);
    if (!this.pending) return this.report("saved");
    this.running = true;
    let done = false;
    try {
      done = await this.alone(() => this.sendAll());
    } finally {
      this.running = false;
    }
    if (done && this.pending) return this.flush();
    if (done) return this.report("saved");
    if (this.stopped) return;
    this.timer = setTimeout(() => this.flush(), this.wait * (0.8 + 0.4 * Math.random()));
    this.wait = Math.min(this.wait * 2, WAIT_MS.most);
  }

  /** The network may be back: try at once. */
  hurry() {
    this.wait = WAIT_MS.first;
    this.flush();
  }

  /**
   * Wait until all is acknowledged, at most `ms` milliseconds.
   * @param {number} ms
   */
  async drained(ms) {
    const until = Date.now() + ms;
    while (this.pending && Date.now() < until) await new Promise((done) => setTimeout(done, 25));
  }

  stop() {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  resume() {
    this.stopped = false;
    this.hurry();
  }

  /**
   * Say how things stand; while sending keeps failing, why.
   * @param {"saved" | "saving"} kind
   */
  report(kind) {
    const n = this.pending;
    if (!n) this.failing = "";
    this.events.onStatus({ kind: n ? this.failing || kind : "saved", n });
  }

  /**
   * What keeps jobs here for now: nobody answers, or the server says why it cannot save.
   * @param {number} status
   * @param {Trouble | null} reply
   */
  fail(status, reply) {
    this.failing = kindOf(status, reply);
    this.report("saving");
    this.events.onTrouble(status, reply);
  }

  /** True when everything was sent, false when something stays for later. */
  async sendAll() {
    for (const job of this.jobs()) {
      this.report("saving");
      const { status, reply } = await this.send(job.path, job.body);
      if (status === 200 && reply?.ok) {
        this.store.remove(job.key);
        if (this.failing) this.events.onTrouble(0, null);
        this.failing = "";
        this.wait = WAIT_MS.first;
        this.events.onAck(job, reply);
      } else if (status === 422) {
        this.store.remove(job.key);
        this.events.onRefused(job, reply?.error ?? "");
      } else if (status === 401) {
        this.stop();
        this.events.onSignedOut();
        return false;
      } else {
        this.fail(status, reply);
        return false;
      }
    }
    return true;
  }

  /**
   * Run `work` in one tab at a time: with the browser's locks, else (no https) with a lease in the storage.
   * @param {() => Promise<boolean>} work
   * @returns {Promise<boolean>}
   */
  async alone(work) {
    if (navigator.locks) return navigator.locks.request(LOCK, () => work().finally(settle));
    /** @type {() => Lease | null} */
    const lease = () => this.store.get("lease");
    const mine = () => lease()?.tab === this.tab;
    const held = lease();
    if (held && held.tab !== this.tab && held.until > Date.now()) return false;
    this.store.set("lease", { tab: this.tab, until: Date.now() + LEASE_MS });
    // Two tabs may have written at the same moment: whoever is still named a moment later has it. Should both
    // believe so, the server stores a save_id once.
    await new Promise((done) => setTimeout(done, LEASE_LOOK_MS));
    if (!mine()) return false;
    const renew = setInterval(
      () => this.store.set("lease", { tab: this.tab, until: Date.now() + LEASE_MS }),
      LEASE_MS / 3,
    );
    try {
      return await work();
    } finally {
      clearInterval(renew);
      if (mine()) this.store.remove("lease");
    }
  }
}

/**
 * What one tab takes out of the storage another sees a moment later: where one waits for the lock it is kept
 * until then.
 */
async function settle() {
  const { pending } = await navigator.locks.query();
  if (pending?.some(({ name }) => name === LOCK)) await new Promise((done) => setTimeout(done, SETTLE_MS));
}

/**
 * POST JSON; `{status, reply}`, status 0 when nobody answered.
 * @template {object} T
 * @param {string} path
 * @param {object} body
 * @returns {Promise<Reply<T>>}
 */
export async function postJson(path, body) {
  try {
    const response = await ask(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
    });
    const reply = await response.json().catch(() => null);
    return { status: response.status, reply };
  } catch {
    return { status: 0, reply: null };
  }
}
