// The screens in hand: done ones to go back to, the current one, and the next three, fetched ahead.
/** @import { Counts, Id, MyWork, FaultTold, NextReply, Screen, ScreenReply } from "./data.js" */
/** @import { Place, Time, Work } from "./state.js" */
/** @import { Draft, Drafts } from "./store.js" */
import { doubted } from "./doubts.js";
import { blinded, differs, newWork } from "./state.js";

/**
 * The server's routes as the desk needs them; null stands for "no usable reply".
 * @typedef {object} Api
 * @property {(wanted: Wanted) => Promise<NextReply | null>} next
 * @property {(id: Id) => Promise<ScreenReply | null>} screen
 * @property {(name: string) => Promise<FaultTold | null>} fault
 * @property {(text: string) => Promise<MyWork | null>} myWork
 * @property {(screens: Id[]) => unknown} release
 * @property {() => string} why
 */

/** @typedef {{question?: string, order?: string}} Filter */
/** @typedef {Filter & {have: Id[], sent: Id[], n: number}} Wanted with how many more */
/** @typedef {Pick<NextReply, "held" | "unknown"> & {counts: Counts | null}} PoolReply */

/**
 * A screen with what the person did on it.
 * @typedef {object} Entry
 * @property {Screen} screen
 * @property {Work} work
 * @property {Work} before what the server has
 * @property {{work: Work, place: Place}[]} past what undo goes back to
 * @property {Time} time
 * @property {Set<Id>} read answers that were on the screen to their end
 * @property {Place} place
 * @property {boolean} dirty something on it was not sent
 * @property {boolean} done
 * @property {boolean} opened
 * @property {boolean} [warned] it was said that cells are open
 * @property {boolean} [lasting] what is on it survives a reload
 */

export const AHEAD = 3;
const MOST_WAITING = 9;

/**
 * A screen with what the person did on it. `before` is what the server has, `past` what undo goes back to.
 * @param {Screen} screen
 * @param {Draft | null} draft
 * @returns {Entry}
 */
function entryOf(screen, draft) {
  const clean = doubted(blinded(screen));
  const fresh = newWork(clean);
  const work = draft?.work ? { ...fresh, ...draft.work } : fresh;
  const time = draft?.time ?? { total: 0, cells: {} };
  const place = draft?.place ?? { a: 0, r: 0 };
  const read = new Set(draft?.read ?? []);
  const dirty = differs(work, fresh);
  return {
    screen: clean,
    work,
    before: fresh,
    past: [],
    time,
    read,
    place,
    dirty,
    done: Boolean(screen.saved),
    opened: Boolean(draft),
  };
}

export class Pool {
  /**
   * `api.next({have, sent, n, question, order})` and `api.screen(id)` fetch; `drafts` remembers; `inFlight()`
   * names screens whose saves travel; `acks()` counts the saves that arrived; `others()` has the screens of
   * other tabs by id.
   * @param {Api} api
   * @param {Drafts} drafts
   * @param {() => Set<Id>} inFlight
   * @param {() => number} acks
   * @param {() => Map<Id, string>} others
   */
  constructor(api, drafts, inFlight, acks, others) {
    this.api = api;
    this.drafts = drafts;
    this.inFlight = inFlight;
    this.acks = acks;
    this.others = others;
    /** @type {Entry[]} */
    this.list = [];
    this.at = -1;
    /** @type {Promise<PoolReply | null> | null} */
    this.asking = null;
  }

  get current() {
    return this.list[this.at] ?? null;
  }

  /** @param {Id | undefined} id */
  find(id) {
    return this.list.findIndex((entry) => entry.screen.id === id);
  }

  /** Screens that were fetched and never shown. */
  unopened() {
    return this.list.filter((entry) => !entry.opened && !entry.done).map((entry) => entry.screen.id);
  }

  waiting() {
    return this.list.filter((entry) => !entry.done);
  }

  /**
   * Add fetched screens behind the ones in hand; those already here stay as they are.
   * @param {Screen[]} screens
   */
  take(screens) {
    const travelling = this.inFlight();
    const others = this.others();
    for (const screen of screens) {
      if (this.find(screen.id) < 0 && !travelling.has(screen.id) && !others.has(screen.id))
        this.list.push(entryOf(screen, this.drafts.read(screen.id)));
    }
  }

  /**
   * Put a screen that was fetched by itself before the current one; returns its place in the list.
   * @param {Screen} screen
   * @param {Draft | null} draft
   */
  insert(screen, draft = null) {
    const known = this.find(screen.id);
    if (known >= 0) return known;
    const place = Math.max(this.at, 0);
    this.list.splice(place, 0, entryOf(screen, draft ?? this.drafts.read(screen.id)));
    if (this.at >= 0) this.at += 1;
    return place;
  }

  /**
   * Fetch until three wait beside the current one; while a fetch is under way, its reply is everybody's. Null
   * when the server did not answer. Counts that were made before a save arrived are left out: they would undo
   * what its acknowledgement said.
   * @param {Filter} filter
   * @returns {Promise<PoolReply | null>}
   */
  refill(filter = {}) {
    this.asking ??= this.ask(filter).finally(() => {
      this.asking = null;
    });
    return this.asking;
  }

  /**
   * @param {Filter} filter
   * @returns {Promise<PoolReply | null>}
   */
  async ask(filter) {
    const ahead = this.list.slice(this.at + 1).filter((entry) => !entry.done).length;
    if (ahead >= AHEAD || this.waiting().length >= MOST_WAITING) return { counts: null };
    const sent = [...this.inFlight()];
    const have = [
      ...new Set([...this.waiting().map((entry) => entry.screen.id), ...sent, ...this.others().keys()]),
    ];
    const acks = this.acks();
    const reply = await this.api.next({ have, sent, n: AHEAD - ahead + (this.current ? 0 : 1), ...filter });
    if (!reply) return null;
    this.take(reply.screens);
    return acks === this.acks() ? reply : { ...reply, counts: null };
  }

  /** The next screen that is not done: after the current one, else before it. -1 when none is in hand. */
  nextWaiting() {
    const after = this.list.findIndex((entry, i) => i > this.at && !entry.done);
    return after >= 0 ? after : this.list.findIndex((entry, i) => i !== this.at && !entry.done);
  }

  /**
   * Put a screen, fetched anew, in the place of the one in hand; what is drafted on it stays.
   * @param {Screen} screen
   */
  renew(screen) {
    const at = this.find(screen.id);
    if (at >= 0)
      this.list[at] = Object.assign(entryOf(screen, this.drafts.read(screen.id)), { opened: true });
    return at;
  }

  /** Forget screens that were never shown (another order was chosen, or they were given back). */
  dropUnopened() {
    /** @returns {Entry | null} */
    const current = this.current;
    this.list = this.list.filter((entry) => entry.opened || entry.done || entry === current);
    this.at = current ? this.list.indexOf(current) : -1;
  }

  /**
   * Write down what is on the current screen, so that a reload finds it.
   * @param {Entry} entry
   */
  keep(entry) {
    entry.dirty = differs(entry.work, entry.before);
    if (entry.done && !entry.dirty) return this.drafts.drop(entry.screen.id);
    const { work, time, read, place } = entry;
    entry.lasting = this.drafts.write(entry.screen.id, { work, time, read: [...read], place });
  }

  /**
   * Screens with something on them that was not sent yet: how many, whether all survive a reload, how they
   * change my flags.
   */
  unsent() {
    const dirty = this.list.filter((entry) => entry.dirty);
    const flags = dirty.reduce(
      (sum, { work, before }) => sum + Number(work.flagged) - Number(before.flagged),
      0,
    );
    return { n: dirty.length, lasting: dirty.every((entry) => entry.lasting !== false), flags };
  }
}
