// What was on the screen to its end, and whether "Confirm all" may be offered: nothing is confirmed unread.
/** @import { Desk } from "./desk.js" */
import { letterOf } from "./answer.js";
import { leftIn } from "./state.js";

/**
 * Note which answers have been on the screen to their end; a text that fits counts as read.
 * @param {Desk} desk
 */
export function look(desk) {
  const { entry, view } = desk;
  if (!entry || document.visibilityState !== "visible") return;
  const { floor } = view;
  const before = entry.read.size;
  for (const card of view.cards)
    if (!entry.read.has(card.answer.id) && card.endSeen(floor)) entry.read.add(card.answer.id);
  if (entry.read.size > before) offerAll(desk);
}

/**
 * Why the focused answer cannot be confirmed as a whole, in a sentence; "" where it can.
 * @param {Desk} desk
 */
export function whyNotAll(desk) {
  const { t, inHand: entry, answer, view } = desk;
  if (entry.screen.arm === "blind") return t("say.blind");
  const unread = view.cards.flatMap((card, place) =>
    entry.read.has(card.answer.id) ? [] : [letterOf(card.answer, place)],
  );
  if (unread.length) return t("say.unread", { n: unread.length, letters: unread.join(", ") });
  const open = answer.cells.filter((cell) => cell.open && !entry.work.marks[cell.id]);
  if (!leftIn(answer, entry.work) || !open.some((cell) => cell.suggestion)) return t("say.none_to_confirm");
  return "";
}

/**
 * Say it on the button.
 * @param {Desk} desk
 */
export function offerAll(desk) {
  if (desk.entry) desk.view.offerAll(whyNotAll(desk));
}
