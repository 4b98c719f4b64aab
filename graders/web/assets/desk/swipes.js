// On a touch screen: from one answer to the next.
/** @import { Desk } from "./desk.js" */
import { turn } from "./acts.js";

/**
 * On touch screens a swipe turns to the next answer, except inside what scrolls sideways itself.
 * @param {Desk} desk
 * @param {AbortSignal} signal
 */
export function listenSwipes(desk, signal) {
  const { answers } = desk.view;
  /** @type {Touch | null} */
  let from = null;
  answers.addEventListener(
    "touchstart",
    (event) => {
      const at = event.target instanceof Element ? event.target : null;
      const wide = at?.closest("pre, .cg-wide, .cg-track");
      const scrolls = wide && wide.scrollWidth > wide.clientWidth;
      const alone = event.touches.length === 1 && !scrolls && !at?.closest(".cg-track");
      from = alone ? event.touches[0] : null;
    },
    { passive: true, signal },
  );
  answers.addEventListener(
    "touchend",
    (event) => {
      if (!from || !desk.entry) return;
      const across = event.changedTouches[0].clientX - from.clientX;
      const down = event.changedTouches[0].clientY - from.clientY;
      from = null;
      const alone = getComputedStyle(desk.view.tabs).display !== "none";
      if (alone && Math.abs(across) > 60 && Math.abs(across) > 2 * Math.abs(down))
        turn(desk, across < 0 ? 1 : -1, true);
    },
    { passive: true, signal },
  );
}
