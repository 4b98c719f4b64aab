// What the keys and buttons call: moving about, and everything that opens something. The desk decides, these
// only ask it.
/** @import { Cell, Id } from "./data.js" */
/** @import { Desk } from "./desk.js" */
/** @typedef {(desk: Desk, detail?: unknown) => unknown} Action false leaves the key to the browser */
import { toggleFold } from "./helps.js";
import { commentDialog, helpDialog, skipDialog } from "./dialogs.js";
import { openedDialog, pulse } from "./dom.js";
import { criterionOf, FAULTS_OF } from "./criteria.js";
import { faultsDialog, selectedQuote } from "./faults.js";
import { drawInspector } from "./inspector.js";
import { marks, showEvidence } from "./marks.js";
import { moreDialog } from "./more.js";
import { paintState } from "./counts.js";
import { digitValue, yesNoValue } from "./scale.js";
import { saveNext, skip, undo } from "./saving.js";
import * as state from "./state.js";
import { workDialog } from "./work.js";

/**
 * Up or down through the rows of an answer, on into its neighbours.
 * @param {Desk} desk
 * @param {number} by
 */
function step(desk, by) {
  const { screen, work, place } = desk.inHand;
  const answers = state.shownAnswers(screen, work);
  /** @param {number} a */
  const count = (a) => state.shownCells(answers[a], work).length;
  let { a, r } = place;
  r += by;
  if (r >= count(a)) [a, r] = a + 1 < answers.length ? [a + 1, 0] : [a, count(a) - 1];
  if (r < 0) [a, r] = a > 0 ? [a - 1, count(a - 1) - 1] : [a, 0];
  desk.move({ a, r });
}

/**
 * Another answer, same row where it has one. Past the ends: around with brackets, out of the cells with Tab.
 * @param {Desk} desk
 * @param {number} by
 * @param {boolean} around
 * @returns {unknown}
 */
export function turn(desk, by, around = true) {
  const { screen, work, place } = desk.inHand;
  const answers = state.shownAnswers(screen, work);
  let a = place.a + by;
  if (a < 0 || a >= answers.length) {
    if (!around) return leave(desk, by);
    a = (a + answers.length) % answers.length;
  }
  const last = state.shownCells(answers[a], work).length - 1;
  desk.move({ a, r: Math.max(0, Math.min(place.r, last)) });
}

/**
 * Tab leaves the cells towards the foot or the head, so that everything can be reached with it.
 * @param {Desk} desk
 * @param {number} by
 */
function leave(desk, by) {
  const { foot, fold, head } = desk.view;
  /** @param {HTMLElement} part */
  const shown = (part) => [...part.querySelectorAll("button")].filter((node) => node.offsetParent);
  const target = by > 0 ? shown(foot)[0] : fold.hidden ? shown(head).at(-1) : fold.querySelector("summary");
  target?.focus();
}

/**
 * Tab means "other answer" only inside the cells; elsewhere, also between foot and head, the browser does
 * what it always does.
 * @param {Desk} desk
 * @param {number} by
 */
function tab(desk, by) {
  if (!document.activeElement?.closest(".cg-row")) return false;
  return turn(desk, by, false);
}

/**
 * @param {Desk} desk
 * @param {number} number
 */
function digit(desk, number) {
  if (desk.strip) {
    const name = FAULTS_OF[number - 1];
    return name && faultOf(desk, desk.strip.cell, name);
  }
  const { cell } = desk;
  if (!cell) return desk.toOpen();
  const meant = digitValue(criterionOf(desk.criteria, cell).scale, number);
  if (!meant) return desk.view.tell(desk.t("say.no_such_value"));
  return "field" in meant ? desk.row?.openField(meant.field) : desk.choose(meant.value);
}

/**
 * @param {Desk} desk
 * @param {boolean} yes
 */
function yesNo(desk, yes) {
  const meant = desk.cell && yesNoValue(criterionOf(desk.criteria, desk.cell).scale, yes);
  if (meant) desk.choose(meant.value);
}

/**
 * The value just given, for the other open parts of the criterion too: one key for an answer with nothing in
 * the way.
 * @param {Desk} desk
 */
function parts(desk) {
  const { work } = desk.inHand;
  const next = desk.cell && state.withParts(work, desk.answer, desk.cell);
  if (!next) return desk.view.tell(desk.t("say.no_parts"));
  return desk.change(next, { place: desk.afterDecision(next) });
}

/** @param {Desk} desk */
function field(desk) {
  if (desk.cell) desk.row?.openField("");
}

/**
 * Open the four choices at the last correction (or the focused one); `j` again closes them.
 * @param {Desk} desk
 */
function askFaultOf(desk) {
  if (desk.strip) return desk.closeStrip();
  const { work } = desk.inHand;
  const rows = desk.view.cards.flatMap((card) => card.rows);
  const wanted = [desk.row?.cell.id, desk.corrected];
  const row = wanted
    .map((id) => rows.find((one) => one.cell.id === id))
    .find((one) => one && state.isCorrection(one.cell, work.marks[one.cell.id]));
  if (!row) return desk.view.tell(desk.t("say.no_correction"));
  desk.strip = row;
  return row.openFaultOf(work.marks[row.cell.id]?.fault_of);
}

/**
 * @param {Desk} desk
 * @param {Cell} cell
 * @param {string} name
 */
function faultOf(desk, cell, name) {
  const { work } = desk.inHand;
  const chosen = work.marks[cell.id]?.fault_of === name ? "" : name;
  const rows = desk.view.cards.flatMap((card) => card.rows);
  desk.strip = desk.strip ?? rows.find((row) => row.cell.id === cell.id) ?? null;
  desk.change(state.withFaultOf(work, cell, chosen));
  desk.closeStrip();
}

/** @param {Desk} desk */
function faults(desk) {
  const { card, inHand: entry, answer, info } = desk;
  const quote = selectedQuote(card.node);
  faultsDialog(desk.view.root, {
    t: desk.t,
    letter: card.letter,
    found: state.faultsOn(answer),
    names: info.fault_names,
    impossible: new Set(entry.screen.question.impossible),
    said: (fault) => desk.inHand.work.faults[fault.id],
    quote,
    explain: (name) => desk.api.fault(name),
    decide: (fault, value) => desk.change(state.withFault(desk.inHand.work, fault, value)),
    add: (name, words) => {
      const same = [answer, ...(answer.twins ?? [])].map((one) => ({ answer: one.id, name, quote: words }));
      desk.change({ ...entry.work, added: [...entry.work.added, ...same] });
    },
  });
}

/**
 * A comment is one change, undone at once. Its step is kept with the first letter: a quick `u` comes before
 * the dialog's own close event.
 * @param {Desk} desk
 */
function comment(desk) {
  const { inHand: entry, view, t } = desk;
  const was = entry.work;
  const step = { work: was, place: entry.place };
  commentDialog(view.root, {
    t,
    text: was.comment,
    keep: (text) => {
      entry.past = entry.past.filter((one) => one !== step);
      if (text !== was.comment) entry.past.push(step);
      entry.work = { ...entry.work, comment: text };
      desk.pool.keep(entry);
      paintState(desk);
    },
    onClose: () => desk.entry === entry && desk.paint(),
  });
}

/** @param {Desk} desk */
function flag(desk) {
  const { work } = desk.inHand;
  desk.change({ ...work, flagged: !work.flagged });
  desk.view.tell(desk.t(work.flagged ? "say.unflagged" : "say.flagged"));
}

/**
 * @param {Desk} desk
 * @param {boolean} on
 */
function setAutoMove(desk, on) {
  desk.autoMove = on;
  desk.store.set("pref.autoMove", on);
  desk.view.autoMove.setAttribute("aria-pressed", String(on));
}

/**
 * Draw the panel of the focused cell, and say on its buttons whether it is open.
 * @param {Desk} desk
 */
export function inspect(desk) {
  const { view, entry, show, t } = desk;
  const cell = entry ? desk.cell : null;
  view.buttons.details.setAttribute("aria-pressed", String(show.details));
  view.buttons.guide.setAttribute("aria-pressed", String(show.guide));
  if (!(show.details || show.guide) && view.dock.hidden) return;
  const criterion = cell && criterionOf(desk.criteria, cell);
  drawInspector(view.dock, {
    cell,
    criterion,
    blind: entry?.screen.arm === "blind",
    show,
    t,
    notice: desk.info.project.notice,
    close: () => showPart(desk, {}),
  });
}

/**
 * Open or close parts of the panel; remembered.
 * @param {Desk} desk
 * @param {{details?: boolean, guide?: boolean}} parts
 */
export function showPart(desk, parts) {
  desk.show = { details: false, guide: false, ...parts };
  desk.store.set("pref.show", desk.show);
  inspect(desk);
  desk.row?.node.scrollIntoView({ block: "nearest" });
}

/** @param {Desk} desk */
export function foldedCells(desk) {
  if (!state.foldedCells(desk.answer).length) return desk.view.tell(desk.t("say.no_folded"));
  const work = state.withOpened(desk.inHand.work, desk.answer);
  const open = state.shownCells(desk.answer, work).filter((cell) => cell.open).length;
  const opened = work.opened.includes(desk.answer.id);
  const { a, r } = desk.inHand.place;
  return desk.change(work, {
    redraw: true,
    place: { a, r: opened ? open : Math.max(0, Math.min(r, open - 1)) },
  });
}

/**
 * @param {Desk} desk
 * @param {Id} id
 */
export function apart(desk, id) {
  const { screen, work } = desk.inHand;
  const next = state.withApart(screen, work, id);
  if (next === work) return desk.view.tell(desk.t("say.no_twins"));
  const at = state.shownAnswers(screen, next).findIndex((answer) => answer.id === id);
  return desk.change(next, { redraw: true, place: { a: Math.max(0, at), r: 0 } });
}

/** @param {Desk} desk */
function work(desk) {
  const { t, info, view, api } = desk;
  workDialog(view.root, {
    t,
    language: info.language,
    load: api.myWork,
    open: (row) => desk.openById(row.screen),
  });
}

/**
 * @param {Desk} desk
 * @param {string} key
 */
async function order(desk, key) {
  // it comes in the old order, and is given back with the rest
  while (desk.pool.asking) await desk.pool.asking;
  desk.api.release(desk.pool.unopened());
  desk.pool.dropUnopened();
  desk.filter = { order: key };
  desk.fetchAhead();
}

/** @param {Desk} desk */
function reference({ view, t }) {
  if (view.fold.hidden) return view.tell(t("say.no_reference"));
  toggleFold(view);
}

/**
 * Actions that make sense without a screen in hand.
 * @type {Record<string, Action>}
 */
const ANYWHERE = {
  help: (desk) =>
    helpDialog(desk.view.root, {
      t: desk.t,
      autoMove: desk.autoMove,
      setAutoMove: (on) => setAutoMove(desk, on),
    }),
  work,
  order: (desk, key) => order(desk, String(key)),
  autoMove: (desk) => setAutoMove(desk, !desk.autoMove),
  undo,
  previous: (desk) => desk.previous(),
};

/** @type {Record<string, Action>} */
const ON_A_SCREEN = {
  digit: (desk, number) => digit(desk, Number(number)),
  field,
  comment,
  faults,
  flag,
  parts,
  yes: (desk) => yesNo(desk, true),
  no: (desk) => yesNo(desk, false),
  down: (desk) => step(desk, 1),
  up: (desk) => step(desk, -1),
  answerOn: (desk) => turn(desk, 1),
  answerBack: (desk) => turn(desk, -1),
  tabOn: (desk) => tab(desk, 1),
  tabBack: (desk) => tab(desk, -1),
  scrollDown: (desk) => desk.card.scroll(1),
  scrollUp: (desk) => desk.card.scroll(-1),
  enter: (desk) => desk.confirm(),
  confirmAll: (desk) => desk.confirmAll(),
  notApplicable: (desk) => (desk.cell ? desk.decide(state.notApplicable(desk.cell)) : desk.toOpen()),
  following: (desk) => desk.following(),
  skip: (desk) => skipDialog(desk.view.root, { t: desk.t, skip: (reason) => skip(desk, reason) }),
  details: (desk) => showPart(desk, { ...desk.show, details: !desk.show.details }),
  guide: (desk) => showPart(desk, { ...desk.show, guide: !desk.show.guide }),
  reference,
  evidence: (desk) => desk.row && showEvidence(desk, desk.card, desk.row.cell.id),
  marks,
  enlarge: ({ view }) => void view.main.classList.toggle("zoomed"),
  folded: foldedCells,
  more: (desk) => moreDialog(desk, act),
  faultOf: askFaultOf,
  apart: (desk) => apart(desk, desk.answer.id),
  saveNext,
};

/**
 * Run an action by name; false leaves the key to the browser.
 * @param {Desk} desk
 * @param {string} name
 * @param {unknown} [detail]
 */
export function act(desk, name, detail) {
  if (desk.batch) return name === "help" ? ANYWHERE.help(desk) : desk.batch.act(name, detail);
  if (name === "escape") return leaveOpen(desk);
  if (name === "saveNext") {
    openedDialog()?.close();
    if (!desk.entry) return false;
  }
  const action = ANYWHERE[name] ?? (desk.entry ? ON_A_SCREEN[name] : null);
  if (!action) return false;
  if (desk.strip && name !== "digit" && name !== "faultOf") desk.closeStrip();
  /** @type {Record<string, HTMLElement | undefined>} */
  const buttons = { ...desk.view.buttons, autoMove: desk.view.autoMove };
  pulse(buttons[name]);
  return action(desk, detail) !== false;
}

/**
 * Close what is open, innermost first.
 * @param {Desk} desk
 */
function leaveOpen(desk) {
  if (desk.strip) return desk.closeStrip();
  if (desk.show.details || desk.show.guide) return showPart(desk, {});
  if (desk.view.main.classList.contains("zoomed")) return desk.view.main.classList.remove("zoomed");
  return false;
}
