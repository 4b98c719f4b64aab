// The desk: what each action does to the work in hand. Nothing here waits for the server; the outbox and the
// pool do that.
/** @import { Batch } from "./batch.js" */
/** @import { Row } from "./criteria.js" */
/** @import { Counts, Criterion, Id, SaveReply, Value } from "./data.js" */
/** @import { Job, Status } from "./outbox.js" */
/** @import { Entry, Filter } from "./pool.js" */
/** @import { DeskOf } from "./start.js" */
/** @import { Mark, Place, Work } from "./state.js" */
/** @import { Draft } from "./store.js" */
import { openBatch, revealDue } from "./batch.js";
import { Clock } from "./clock.js";
import { CTRL, hasKeys } from "./dom.js";
import { Outbox } from "./outbox.js";
import { paintCounts, paintState, paintStatus } from "./counts.js";
import { Pool } from "./pool.js";
import { tellOnce } from "./dialogs.js";
import { explain } from "./practice.js";
import { look, offerAll, whyNotAll } from "./reading.js";
import { asSent, keptAside, refused } from "./saving.js";
import * as state from "./state.js";
import { openDrafts } from "./store.js";
import { othersPage } from "./tabs.js";
import { reasonOf } from "./trouble.js";
import { nothingLeft, waitingPage } from "./no_screen.js";

const RETRY_MS = 2000;
const LOOK_AGAIN_MS = 60_000;
const LEASE_MS = 500;
const DRAIN_MS = 3000;
const PREPARE_MS = 60;

export class Desk {
  /**
   * `makeView(desk)` draws the frame; `events` has onSignedOut() and onScreen(screen or null).
   * @param {DeskOf} desk
   */
  constructor({ info, project, store, api, tabs, makeView, events, t }) {
    this.info = info;
    this.project = project;
    this.store = store;
    this.api = api;
    this.tabs = tabs;
    this.events = events;
    this.t = t;
    /** @type {Map<string, Criterion>} */
    this.criteria = new Map(info.criteria.map((one) => [one.key, one]));
    this.drafts = openDrafts(store, info.person.id, project);
    this.view = makeView(this);
    this.outbox = new Outbox(store, info.person.id, {
      onStatus: (status) => paintStatus(this, status),
      onAck: (job, reply) => this.acknowledged(job, reply),
      onRefused: (job, sentence) => refused(this, job, sentence),
      onSignedOut: () => events.onSignedOut(),
      onTrouble: (status, reply) => this.view.trouble(reasonOf(t, status, reply)),
    });
    this.pool = new Pool(
      api,
      this.drafts,
      () =>
        new Set(
          this.outbox
            .jobs()
            .flatMap((job) => (job.delta > 0 && job.screen !== undefined ? [job.screen] : [])),
        ),
      () => this.acks,
      () => tabs.held(),
    );
    this.clock = new Clock((ms) => this.spend(ms));
    this.counts = info.counts;
    /** @type {Status} */
    this.sending = { kind: "saved", n: 0 };
    /** @type {Batch | null} */
    this.batch = null;
    /** @type {Filter} */
    this.filter = {};
    this.acks = 0;
    /** @type {boolean} */
    this.autoMove = store.get("pref.autoMove") ?? true;
    /** @type {{details: boolean, guide: boolean}} */
    this.show = store.get("pref.show") ?? { details: false, guide: false };
    /** @type {Id | null} the cell of the last correction */
    this.corrected = null;
    /** @type {Row | null} the row whose four choices are open */
    this.strip = null;
    /** @type {Id | null} the cell whose handle is dragged */
    this.dragging = null;
    this.preparing = 0;
    this.retry = 0;
  }

  /** @returns {Entry | null} */
  get entry() {
    return this.view.main.hidden ? null : this.pool.current;
  }

  /** The entry, for what is done only while a screen is in hand. */
  get inHand() {
    const { entry } = this;
    if (!entry) throw new Error("No screen is in hand.");
    return entry;
  }

  get answer() {
    const { screen, work, place } = this.inHand;
    return state.shownAnswers(screen, work)[place.a];
  }

  get cell() {
    const { screen, work, place } = this.inHand;
    return state.cellAt(screen, work, place);
  }

  get card() {
    return this.view.cards[this.inHand.place.a];
  }

  /** @returns {Row | undefined} */
  get row() {
    return this.card?.rows[this.inHand.place.r];
  }

  /**
   * Book time on the screen and on the cell with the focus.
   * @param {number} ms
   */
  spend(ms) {
    const entry = this.entry;
    if (!entry) return;
    const cell = this.cell;
    entry.time.total += ms / 1000;
    if (cell) entry.time.cells[cell.id] = (entry.time.cells[cell.id] ?? 0) + ms / 1000;
  }

  // Screens
  // ------------------------------------------------------------------------------------------------------

  /**
   * Show the screen at a place of the pool.
   * @param {number} index
   */
  open(index) {
    this.clock.tick();
    if (this.entry) this.pool.keep(this.entry);
    this.pool.at = index;
    const entry = this.pool.current;
    if (!entry) return;
    entry.opened = true;
    entry.warned = false;
    this.corrected = this.strip = null;
    this.view.drawScreen(entry.screen, entry.work);
    this.move(state.firstOpen(entry.screen, entry.work, entry.place), false);
    this.row?.focus(false);
    paintState(this);
    this.view.root.dataset.ready = "1";
    // What need not be painted waits until it is.
    setTimeout(() => {
      this.events.onScreen(entry.screen);
      this.drafts.setPlace({ screen: entry.screen.id, question: entry.screen.question.id });
      this.look();
      this.fetchAhead();
    }, 0);
  }

  async fetchAhead() {
    const reply = await this.pool.refill(this.filter);
    this.takeCounts(reply?.counts);
    this.prepareNext();
    return reply;
  }

  /** Make the next screen's cards in a quiet moment, so that saving only has to put them into the page. */
  prepareNext() {
    clearTimeout(this.preparing);
    this.preparing = setTimeout(() => {
      const next = this.pool.list[this.pool.nextWaiting()];
      if (next) this.view.prepare(next.screen, next.work);
    }, PREPARE_MS);
  }

  /**
   * The next screen that is not done; while there is none, a page that says why.
   * @returns {Promise<void>}
   */
  async advance() {
    if (this.batch || (revealDue(this) && (await openBatch(this)))) return;
    const next = this.pool.nextWaiting();
    if (next >= 0) return this.open(next);
    if (this.entry) this.clock.tick();
    if (this.view.plain.hidden) this.view.showPlain(...waitingPage({ t: this.t, n: 0 }));
    const { acks } = this;
    const reply = await this.fetchAhead();
    if (this.entry) return;
    if (this.pool.nextWaiting() >= 0) return this.advance();
    if (!reply) {
      this.view.showPlain(...waitingPage({ t: this.t, n: this.outbox.pending, why: this.api.why() }));
      this.later(RETRY_MS);
    } else await (reply.counts ? this.finish(acks) : this.later(RETRY_MS));
  }

  /** @param {number} ms */
  later(ms) {
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.entry || this.advance(), ms);
  }

  /**
   * Everything is done, as it stood when `acks` saves had arrived.
   * @param {number} acks
   */
  async finish(acks) {
    // What was done today is complete when the last saves are in; and what they let go of may be for this
    // person.
    await this.outbox.drained(DRAIN_MS);
    if (acks !== this.acks) return this.entry || this.advance();
    this.drafts.setPlace(null);
    this.events.onScreen(null);
    const work = await this.api.myWork("");
    if (this.entry) return;
    this.view.showWithFocus(...(this.tabs.held().size ? othersPage(this) : nothingLeft(this, work)));
    paintCounts(this);
    this.view.root.dataset.ready = "1";
    // A lease that ends gives its screen to whoever asks first.
    this.later(Math.min(LOOK_AGAIN_MS, (this.counts.held?.back_in ?? Infinity) * 1000 + LEASE_MS));
  }

  async previous() {
    const before = this.entry ? this.pool.at - 1 : this.pool.at;
    if (this.pool.list[before]) return this.open(before);
    const earlier = this.drafts
      .saves()
      .filter((save) => this.pool.find(save.screen) < 0)
      .at(-1);
    const reply = earlier ? await this.api.screen(earlier.screen) : null;
    if (reply) this.open(this.pool.insert(asSent(this, reply.screen)));
    else this.view.tell(this.t("say.first"));
  }

  following() {
    if (this.pool.at + 1 < this.pool.list.length) return this.open(this.pool.at + 1);
    this.view.tell(this.t("say.last"));
  }

  /**
   * Open a screen by its id, from my work or the address.
   * @param {Id} id
   * @param {Draft | null} draft
   */
  async openById(id, draft = null) {
    const known = this.pool.find(id);
    if (known >= 0) return this.open(known);
    const reply = await this.api.screen(id);
    if (reply) this.open(this.pool.insert(asSent(this, reply.screen), draft));
    else this.view.tell(this.t("say.away"));
  }

  // Deciding
  // -----------------------------------------------------------------------------------------------------

  /**
   * Replace the work, remember the old one for undo, repaint.
   * @param {Work} work
   * @param {{place?: Place | null, redraw?: boolean, merge?: boolean}} how
   */
  change(work, { place = null, redraw = false, merge = false } = {}) {
    const entry = this.inHand;
    if (!merge) entry.past.push({ work: entry.work, place: entry.place });
    entry.work = work;
    entry.warned = false;
    if (redraw) this.view.drawAnswers(entry.screen, work);
    if (place) this.move(place);
    else this.paint();
    this.pool.keep(entry);
    paintState(this);
  }

  /**
   * Put the focus on a place.
   * @param {Place} place
   * @param {boolean} focus
   */
  move(place, focus = true) {
    this.clock.tick();
    this.closeStrip();
    this.inHand.place = place;
    this.paint();
    if (focus) this.row?.focus();
    this.look();
  }

  paint() {
    const { work, place } = this.inHand;
    this.view.paint(work, place);
    offerAll(this);
    this.events.onFocus();
  }

  /**
   * Where to go after a decision: the next open cell, or stay.
   * @param {Work} work
   * @returns {Place}
   */
  afterDecision(work) {
    const { screen, place } = this.inHand;
    const next = state.nextOpen(screen, work, place);
    if (!next && !state.leftOn(screen, work))
      this.view.tell(
        this.t("say.all_decided", { key: hasKeys() ? `${CTRL}+Enter` : `“${this.t("foot.save")}”` }),
      );
    return this.autoMove && next ? next : place;
  }

  /**
   * Set the cell with the focus; with `stay` (a handle is dragged) the focus does not move.
   * @param {Mark} mark
   * @param {{stay?: boolean}} how
   */
  decide(mark, { stay = false } = {}) {
    const { work, place, past } = this.inHand;
    const cell = this.cell;
    if (!cell) return;
    const next = state.withMark(work, cell, mark);
    if (state.isCorrection(cell, mark)) this.corrected = cell.id;
    const merge = stay && this.dragging === cell.id && past.length > 0;
    this.dragging = stay ? cell.id : null;
    this.change(next, stay ? { merge } : { place: this.autoMove ? this.afterDecision(next) : place });
  }

  /**
   * @param {Value} value
   * @param {{stay?: boolean}} [options]
   */
  choose(value, options) {
    if (this.cell) this.decide(state.typedMark(this.cell, value), options);
  }

  confirm() {
    const { screen, work, place } = this.inHand;
    const cell = this.cell;
    if (!cell) return this.toOpen();
    if (work.marks[cell.id]) return this.move(state.nextOpen(screen, work, place) ?? place);
    const mark = state.acceptedMark(cell);
    if (!mark) return this.view.tell(this.t("say.nothing_to_confirm"));
    const next = state.withMark(work, cell, mark);
    this.change(next, { place: state.nextOpen(screen, next, place) ?? this.afterDecision(next) });
  }

  /** Where an answer has nothing to decide, a key that decides goes to the next open cell and says so. */
  toOpen() {
    const { screen, work, place } = this.inHand;
    const next = state.nextOpen(screen, work, place);
    if (next) this.move(next);
    this.view.tell(this.t("say.no_cell"));
  }

  confirmAll() {
    const { screen, work, place } = this.inHand;
    this.look();
    const why = whyNotAll(this);
    if (why) return this.view.tell(why);
    const next = state.withRest(work, this.answer);
    this.change(next, { place: state.nextOpen(screen, next, place) ?? this.afterDecision(next) });
  }

  closeStrip() {
    this.strip?.closeStrip();
    this.strip = null;
  }

  look() {
    look(this);
  }

  // What the server says
  // ----------------------------------------------------------------------------------------

  /**
   * @param {Job} job
   * @param {SaveReply} reply
   */
  acknowledged(job, reply) {
    this.acks += 1;
    if (reply.message) this.view.tell(reply.message);
    if (reply.pace) tellOnce(this.view.root, this.t, { title: this.t("pace.title"), text: reply.pace });
    if (reply.elsewhere) keptAside(this, job, reply.elsewhere);
    if (reply.explained?.length) explain(this, reply.explained);
    this.takeCounts(reply.counts);
    // Of the last screens nobody holds more than a share: with this one saved, the next may be there.
    if (this.entry && job.delta > 0) this.fetchAhead();
  }

  /** @param {Counts | null | undefined} counts */
  takeCounts(counts) {
    if (counts) this.counts = counts;
    paintState(this);
  }
}
