// The address names the question on the screen, and the browser's own back and forward go through the screens
// that were seen.
/** @import { Screen } from "./data.js" */
/** @import { Desk } from "./desk.js" */
import { openedDialog } from "./dom.js";

/**
 * `/review?project=…&question=…` for the screen now shown, or for the page behind the last one (null).
 * @param {string} project
 * @param {Screen | null} screen
 */
export function keepAddress(project, screen) {
  const url = new URL(location.href);
  url.searchParams.set("project", project);
  url.searchParams.delete("screen");
  if (screen) url.searchParams.set("question", screen.question.id);
  else url.searchParams.delete("question");
  const shown = { screen: screen?.id ?? 0 };
  const before = history.state?.screen;
  if (before !== undefined && before !== shown.screen) history.pushState(shown, "", url);
  else if (before === undefined || url.href !== location.href)
    history.replaceState({ ...history.state, ...shown }, "", url);
}

/**
 * Back and forward open what the browser's entry names; what is on the present screen stays as it is.
 * @param {Desk} desk
 * @param {AbortSignal} signal
 */
export function followHistory(desk, signal) {
  /** @param {PopStateEvent} event */
  const open = ({ state }) => {
    const id = state?.screen;
    if (id === undefined || desk.batch || id === desk.entry?.screen.id) return;
    openedDialog()?.close();
    if (id) desk.openById(id);
    else desk.advance();
  };
  window.addEventListener("popstate", open, { signal });
}
