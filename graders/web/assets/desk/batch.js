// The end of a batch: blind screens that were saved, each cell with my value beside the judges'. One key
// amends, Enter goes on.
/** @import { Row, RowEvents } from "./criteria.js" */
/** @import { Answer, Cell, Counts, Criterion, Opinion, Scale, Screen, Value } from "./data.js" */
/** @import { Desk } from "./desk.js" */
/** @import { Reply } from "./outbox.js" */
/** @import { Meant } from "./scale.js" */
/** @import { Mark, Work } from "./state.js" */
import { letterOf } from "./answer.js";
import { cellRow, criterionOf } from "./criteria.js";
import { button, el, setText } from "./dom.js";
import { postJson } from "./outbox.js";
import { underWay } from "./counts.js";
import { digitValue, shortValue, wordValue, yesNoValue } from "./scale.js";
import { saveBody } from "./sent.js";
import * as state from "./state.js";
import { newId } from "./store.js";
import { fillText } from "./texts.js";
import { reasonWords } from "./words.js";
import { waitingPage } from "./no_screen.js";

/** @typedef {{screen: Screen, before: Work, work: Work}} Item a screen of the batch */

/**
 * A cell of the batch with its row, what was said first, and what the judges said.
 * @typedef {object} BatchRow
 * @property {Item} item
 * @property {Cell} cell
 * @property {Criterion} criterion
 * @property {Row} row
 * @property {HTMLElement} first
 * @property {Opinion[]} judges
 * @property {boolean} differs
 */

const DRAIN_MS = 3000;
const CLOSE = "/api/reveal/close";

/**
 * Whether a batch is full, also with saves that are still on their way.
 * @param {Desk} desk
 */
export function revealDue(desk) {
  const missing = desk.counts.to_reveal ?? null;
  if (missing === null) return false;
  const jobs = desk.outbox.jobs();
  return !jobs.some((job) => job.path === CLOSE) && missing - underWay(jobs, "blind") <= 0;
}

/**
 * Fetch the batch and show it; false where there is none to show now (the server is away, or the lead
 * switched it off).
 * @param {Desk} desk
 */
export async function openBatch(desk) {
  const { outbox, view, t } = desk;
  if (desk.entry) desk.clock.tick();
  view.showPlain(...waitingPage({ t, n: 0 }));
  // The server must have every screen of the batch before it shows one.
  await outbox.drained(DRAIN_MS);
  /** @type {Reply<{screens: Screen[], counts: Counts}>} */
  const { status, reply } = outbox.pending
    ? { status: 0, reply: null }
    : await postJson("/api/reveal", { project: desk.project });
  if (status !== 200 || !reply?.screens.length) {
    desk.counts = { ...desk.counts, to_reveal: null };
    return false;
  }
  desk.counts = reply.counts;
  desk.batch = new Batch(desk, reply.screens);
  return true;
}

/**
 * Equal answers that the person judged apart stay apart.
 * @param {Screen} screen
 */
function judgedApart(screen) {
  /** @param {{cells: Cell[]}} one */
  const marks = (one) => JSON.stringify(one.cells.map((cell) => cell.mine));
  return screen.answers
    .filter((answer) => answer.twins?.some((twin) => marks(twin) !== marks(answer)))
    .map((answer) => answer.id);
}

export class Batch {
  /**
   * @param {Desk} desk
   * @param {Screen[]} screens
   */
  constructor(desk, screens) {
    this.desk = desk;
    this.t = desk.t;
    /** @type {BatchRow[]} */
    this.rows = [];
    /** @type {{item: Item, work: Work, at: number}[]} */
    this.past = [];
    this.at = 0;
    /** @type {Item[]} */
    this.items = screens.map((screen) => {
      const before = { ...state.newWork(screen), apart: judgedApart(screen) };
      return { screen, before, work: desk.drafts.read(`batch.${screen.id}`)?.work ?? before };
    });
    this.draw();
  }

  draw() {
    const { desk, t } = this;
    const parts = this.items.map((item) => this.drawScreen(item));
    const same = this.rows.filter((row) => row.judges.length && !row.differs).length;
    const of = this.rows.filter((row) => row.judges.length).length;
    const heading = el("h1", { tabindex: "-1" }, t("batch.title", { n: this.items.length }));
    const said = el("p", { role: "status" });
    const goOn = button(t("batch.go_on"), "Enter", () => this.goOn(), { class: "primary" });
    const undo = button(t("foot.undo"), "u", () => this.undo());
    desk.view.showPlain(
      el(
        "div",
        { class: "cg-batch" },
        el("header", {}, heading, said, el("p", {}, t("batch.how"))),
        parts,
        el("div", { class: "cg-line cg-batch-foot" }, undo, goOn),
      ),
    );
    desk.view.root.dataset.ready = "1";
    this.paint();
    const first = this.rows.findIndex((row) => row.differs);
    if (this.rows.length) this.move(Math.max(0, first));
    else heading.focus();
    desk.view.plain.scrollTop = 0;
    // a live region speaks what comes after it was there
    setTimeout(() => setText(said, t("batch.same", { same, n: of })), 0);
  }

  /** @param {Item} item */
  drawScreen(item) {
    const { screen } = item;
    return el(
      "section",
      { class: "cg-batch-screen" },
      el("h2", { dir: "auto", lang: screen.question.language || null }, screen.question.text),
      state
        .shownAnswers(screen, item.work)
        .map((answer, place) => this.drawAnswer(item, answer, letterOf(answer, place))),
    );
  }

  /**
   * @param {Item} item
   * @param {Answer} answer
   * @param {string} letter
   */
  drawAnswer(item, answer, letter) {
    if (!answer.cells.length) return null;
    const text = el("div", { class: "cg-text", dir: "auto", lang: item.screen.question.language || null });
    fillText(text, answer.html);
    return el(
      "article",
      { class: "cg-batch-answer", "aria-label": this.t("answer.name", { letter }) },
      el(
        "details",
        { class: "cg-batch-text" },
        el(
          "summary",
          {},
          el("span", { class: "cg-letter" }, letter),
          el("span", {}, (text.textContent ?? "").trim().slice(0, 160)),
        ),
        text,
      ),
      el(
        "div",
        { class: "cg-crit" },
        answer.cells.map((cell) => this.drawRow(item, cell, letter)),
      ),
    );
  }

  /**
   * @param {Item} item
   * @param {Cell} cell
   * @param {string} letter
   */
  drawRow(item, cell, letter) {
    const { desk, t } = this;
    const criterion = criterionOf(desk.criteria, cell);
    const at = this.rows.length;
    /** @type {RowEvents} */
    const on = {
      touch: () => this.move(at, false),
      choose: (value) => this.amend(at, state.typedMark(cell, value)),
      notApplicable: () => this.amend(at, state.notApplicable(cell)),
    };
    const shown = { ...cell, judges: cell.judges.map((one) => ({ ...one, evidence: [] })) };
    const row = cellRow({ cell: shown, criterion, letter, blind: true, t, on });
    const judges = cell.judges.filter((one) => one.value !== null);
    const said = cell.judges.map(({ name, value, why, reason }) => {
      const words = value === null ? why || reasonWords(t, reason) : valueWords(criterion.scale, value);
      return `${name}: ${words}`;
    });
    const note = el("p", { class: "cg-batch-judges" }, said.join(" · ") || t("batch.no_judge"));
    const first = el("p", { class: "cg-batch-first" });
    row.node.append(note, first);
    const differs = judges.some((one) => one.value !== cell.mine?.value);
    row.node.classList.toggle("differs", differs);
    this.rows.push({ item, cell, criterion, row, first, judges, differs });
    return row.node;
  }

  paint() {
    for (const [at, { item, cell, criterion, row, first }] of this.rows.entries()) {
      row.paint(item.work.marks[cell.id], at === this.at);
      const changed = JSON.stringify(markOf(item.work, cell)) !== JSON.stringify(markOf(item.before, cell));
      const value = cell.mine?.status === "ok" ? cell.mine.value : null;
      const was = value === null ? this.t("cell.na_long") : valueWords(criterion.scale, value);
      setText(first, changed ? this.t("batch.first", { value: was }) : "");
    }
  }

  /**
   * @param {number} at
   * @param {boolean} focus
   */
  move(at, focus = true) {
    this.at = Math.max(0, Math.min(this.rows.length - 1, at));
    this.paint();
    if (focus) this.rows[this.at].row.focus();
  }

  /**
   * A second verdict; the first is kept by the server.
   * @param {number} at
   * @param {Mark} mark
   */
  amend(at, mark) {
    const { item, cell } = this.rows[at];
    this.past.push({ item, work: item.work, at });
    this.set(item, state.withMark(item.work, cell, mark), at);
  }

  /**
   * @param {Item} item
   * @param {Work} work
   * @param {number} at
   */
  set(item, work, at) {
    item.work = work;
    this.desk.drafts.write(`batch.${item.screen.id}`, { work });
    this.move(at);
  }

  undo() {
    const last = this.past.pop();
    if (last) this.set(last.item, last.work, last.at);
    else this.desk.view.tell(this.t("say.nothing_to_undo"));
  }

  /** @param {Meant | null} meant */
  choose(meant) {
    if (!meant) return this.desk.view.tell(this.t("say.no_such_value"));
    const { row, cell } = this.rows[this.at];
    return "field" in meant
      ? row.openField(meant.field)
      : this.amend(this.at, state.typedMark(cell, meant.value));
  }

  /**
   * What a key means here; false leaves it to the browser.
   * @param {string} name
   * @param {unknown} [detail]
   */
  act(name, detail) {
    const row = this.rows[this.at];
    /** @type {Record<string, () => unknown>} */
    const acts = {
      enter: () => this.goOn(),
      saveNext: () => this.goOn(),
      undo: () => this.undo(),
      down: () => row && this.move(this.at + 1),
      up: () => row && this.move(this.at - 1),
      digit: () => row && this.choose(digitValue(row.criterion.scale, Number(detail))),
      yes: () => row && this.choose(yesNoValue(row.criterion.scale, true)),
      no: () => row && this.choose(yesNoValue(row.criterion.scale, false)),
      field: () => row?.row.openField(""),
      notApplicable: () => row && this.amend(this.at, state.notApplicable(row.cell)),
    };
    if (!acts[name]) return false;
    acts[name]();
    return true;
  }

  /** Send what was amended, and go on with the queue. */
  goOn() {
    const { desk } = this;
    for (const { screen, work, before } of this.items) {
      desk.drafts.drop(`batch.${screen.id}`);
      if (!state.differs(work, before)) continue;
      const id = newId();
      const body = saveBody({
        id,
        project: desk.project,
        screen,
        work,
        before,
        time: { total: 0, cells: {} },
        afterReveal: true,
      });
      desk.outbox.add({ id, path: "/api/save", body, screen: screen.id, delta: 0 });
      const after = screen.saved?.save_id ?? "";
      desk.drafts.pushSave({
        save_id: id,
        screen: screen.id,
        work,
        before,
        done: true,
        skipped: null,
        read: [],
        after,
      });
      const entry = desk.pool.list[desk.pool.find(screen.id)];
      if (!entry) continue;
      entry.screen.saved = { save_id: id };
      entry.work = { ...entry.work, marks: { ...entry.work.marks, ...work.marks } };
      entry.before = entry.work;
    }
    desk.outbox.add({ id: newId(), path: CLOSE, body: { project: desk.project }, delta: 0 });
    desk.batch = null;
    return desk.advance();
  }
}

/** @type {(work: Work, cell: Cell) => (Value | null)[]} */
const markOf = (work, cell) => [work.marks[cell.id]?.value ?? null, work.marks[cell.id]?.reason ?? ""];

/**
 * A value as number and word, once when they are the same.
 * @param {Scale} scale
 * @param {Value} value
 */
function valueWords(scale, value) {
  return [...new Set([shortValue(scale, value), wordValue(scale, value)])].join(" ");
}
