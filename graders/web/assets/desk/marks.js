// The quotes marked in the texts: which of them are drawn, and the next one of a criterion.
/** @import { Card } from "./answer.js" */
/** @import { Id } from "./data.js" */
/** @import { Desk } from "./desk.js" */

/** @type {[kind: string, word: string][]} */
const MARKS = [
  ["focus", "say.marks_focus"],
  ["all", "say.marks_all"],
  ["none", "say.marks_none"],
];

/**
 * The marks in the texts: those of the cell with the focus, all, none, and again; remembered.
 * @param {Desk} desk
 */
export function marks({ view, store, t }) {
  const at = MARKS.findIndex(([kind]) => kind === view.root.dataset.marks);
  const [next, word] = MARKS[(at + 1) % MARKS.length];
  view.root.dataset.marks = next;
  store.set("pref.marks", next);
  view.tell(t(word));
}

/**
 * @param {Desk} desk
 * @param {Card} card
 * @param {Id} owner
 */
export function showEvidence(desk, card, owner) {
  if (!card.showMarks(owner)) desk.view.tell(desk.t("say.no_evidence"));
}
