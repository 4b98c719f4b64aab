// Leaving a screen: save and go on, skip, and undo, also of what was saved already.
/** @import { Screen } from "./data.js" */
/** @import { Desk } from "./desk.js" */
/** @import { Job } from "./outbox.js" */
/** @import { Entry } from "./pool.js" */
/** @import { Work } from "./state.js" */
import { toldOfControls } from "./practice.js";
import { paintState } from "./counts.js";
import { saveBody } from "./sent.js";
import * as state from "./state.js";
import { newId } from "./store.js";

/** @typedef {{work: Work, before: Work, done: boolean, skipped: string | null}} Changed */

/**
 * What a save changes of my counts until the server has it: screens out of hand, screens done, blind ones of
 * them, flags. A screen with open cells is done for me and goes on waiting for somebody else.
 * @param {Pick<Screen, "arm">} screen
 * @param {Changed} changed
 */
function changesOf(screen, { work, before, done, skipped }) {
  const counted = done || skipped !== null ? 0 : 1;
  return {
    delta: done ? 0 : 1,
    counted,
    blind: screen.arm === "blind" ? counted : 0,
    flags: Number(work.flagged) - Number(before.flagged),
  };
}

/**
 * Put one save of a screen into the outbox; from here on the screen counts as done.
 * @param {Desk} desk
 * @param {Entry} entry
 * @param {string | null} skipped
 */
function commit(desk, entry, skipped = null) {
  desk.clock.tick();
  const { screen, work, before, time } = entry;
  const id = newId();
  const body = saveBody({ id, project: desk.project, screen, work, before, time, skipped });
  const changes = changesOf(screen, { work, before, done: entry.done, skipped });
  const kept = desk.outbox.add({ id, path: "/api/save", body, screen: screen.id, ...changes });
  if (!kept) desk.view.tell(desk.t("say.not_kept"));
  const after = screen.saved?.save_id ?? "";
  desk.drafts.pushSave({
    save_id: id,
    screen: screen.id,
    work,
    before,
    done: entry.done,
    skipped,
    read: [...entry.read],
    after,
  });
  screen.saved = { save_id: id };
  desk.drafts.drop(screen.id);
  toldOfControls(desk.view);
  Object.assign(entry, { before: work, done: true, dirty: false, time: { total: 0, cells: {} } });
}

/**
 * Save what was decided and go on. Open cells are pointed out once; saving again leaves them open.
 * @param {Desk} desk
 */
export function saveNext(desk) {
  const { inHand: entry } = desk;
  const left = state.leftOn(entry.screen, entry.work);
  if (left && !entry.warned && !entry.done) {
    const cell = desk.cell;
    const waits = cell?.open && !entry.work.marks[cell.id];
    if (!waits) desk.move(state.nextOpen(entry.screen, entry.work, entry.place) ?? entry.place);
    entry.warned = true;
    return desk.view.tell(desk.t("say.still_open", { n: left }));
  }
  if (!entry.done || state.differs(entry.work, entry.before)) commit(desk, entry);
  return desk.advance();
}

/**
 * @param {Desk} desk
 * @param {string} reason
 */
export async function skip(desk, reason) {
  commit(desk, desk.inHand, reason);
  await desk.advance();
  desk.view.tell(desk.t("say.skipped"));
}

/**
 * Take back the last change on this screen, else the last save.
 * @param {Desk} desk
 */
export function undo(desk) {
  const { entry } = desk;
  const last = entry?.past.pop();
  if (!entry || !last) return undoSave(desk);
  const redraw = last.work.apart !== entry.work.apart || last.work.opened !== entry.work.opened;
  entry.work = last.work;
  if (redraw) desk.view.drawAnswers(entry.screen, entry.work);
  desk.move(last.place);
  desk.pool.keep(entry);
  return paintState(desk);
}

/**
 * The undo travels through the outbox behind its save, so it is in order also when the server is away.
 * @param {Desk} desk
 */
async function undoSave(desk) {
  const save = desk.drafts.popSave();
  if (!save) return desk.view.tell(desk.t("say.nothing_to_undo"));
  const id = newId();
  const body = { undo_id: id, project: desk.project, save_id: save.save_id };
  const job = { id, path: "/api/undo", body, screen: save.screen, delta: save.done ? 0 : -1 };
  const known = desk.pool.list[desk.pool.find(save.screen)]?.screen;
  const back = changesOf(known ?? { arm: "" }, { ...save, skipped: save.skipped ?? null });
  desk.outbox.add({ ...job, counted: -back.counted, blind: -back.blind, flags: -back.flags });
  const draft = { work: save.work, read: save.read, time: { total: 0, cells: {} }, place: { a: 0, r: 0 } };
  desk.drafts.write(save.screen, draft);
  if (desk.pool.find(save.screen) < 0) await desk.openById(save.screen, draft);
  const entry = desk.pool.list[desk.pool.find(save.screen)];
  if (!entry) return undefined;
  Object.assign(entry, { work: save.work, before: save.before, done: save.done });
  entry.screen.saved = save.after ? { save_id: save.after } : null;
  desk.pool.keep(entry);
  desk.open(desk.pool.find(save.screen));
  return desk.view.tell(desk.t("say.undone"));
}

/**
 * The server will never take this save: say why and hand the screen back.
 * @param {Desk} desk
 * @param {Job} job
 * @param {string} sentence
 */
export function refused(desk, job, sentence) {
  const entry = desk.pool.list[desk.pool.find(job.screen)];
  if (entry && job.delta > 0) entry.done = false;
  const save = desk.drafts.saves().find((one) => one.save_id === job.id);
  if (entry && save) {
    entry.screen.saved = save.after ? { save_id: save.after } : null;
    desk.pool.keep(Object.assign(entry, { before: save.before }));
  }
  desk.view.tell(desk.t("say.refused", { sentence }));
  paintState(desk);
}

/**
 * The screen was saved in another tab, and that stands: what was chosen here is kept as a draft on it, where
 * it says something else.
 * @param {Desk} desk
 * @param {Job} job
 * @param {{same: boolean}} elsewhere
 */
export async function keptAside(desk, job, { same }) {
  const save = desk.drafts.saves().find((one) => one.save_id === job.id);
  desk.drafts.dropSave(job.id);
  if (save && !same)
    desk.drafts.write(save.screen, {
      work: save.work,
      read: save.read,
      time: { total: 0, cells: {} },
      place: { a: 0, r: 0 },
    });
  const held = desk.pool.list[desk.pool.find(job.screen)]?.screen.id;
  const shown = desk.entry?.screen.id === held;
  const reply = held !== undefined ? await desk.api.screen(held) : null;
  const at = reply ? desk.pool.renew(reply.screen) : -1;
  if (at >= 0 && shown && desk.pool.at === at) desk.open(at);
  paintState(desk);
}

/**
 * A screen as the server will have it once the saves on their way have arrived.
 * @param {Desk} desk
 * @param {Screen} screen
 */
export function asSent(desk, screen) {
  const job = desk.outbox.jobs().findLast((one) => one.screen === screen.id);
  if (job?.path === "/api/save") screen.saved = { ...screen.saved, save_id: job.id };
  return screen;
}
