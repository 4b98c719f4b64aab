// Making elements. Text goes in as text nodes, never as markup; signs in it that nobody sees are shown.
import { seen } from "../unseen.js";

const reduced = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * An element with attributes (`on…` listens, false/null is left out, true is a bare attribute) and children.
 */
export function el(tag, attrs = {}, ...kids) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attrs)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") node.style.cssText = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  const given = kids.flat(Infinity).filter((kid) => kid !== null && kid !== undefined && kid !== false);
  node.append(...(tag === "textarea" ? given : given.flatMap(seen)));
  return node;
}

/**
 * A button that shows its key. `shortcut` is written as aria-keyshortcuts wants it, `shown` as people read
 * it.
 */
export function button(label, shortcut, onclick, attrs = {}, shown = shortcut) {
  const { class: extra = "", ...rest } = attrs;
  const text = el("span", { class: "cg-btn-text" }, label);
  const key = shown ? el("kbd", { "aria-hidden": "true" }, shown) : null;
  return el(
    "button",
    { type: "button", class: `cg-btn ${extra}`, "aria-keyshortcuts": shortcut || null, onclick, ...rest },
    text,
    key,
  );
}

/** Replace the text of a node only when it differs, so that a live region does not speak twice. */
export function setText(node, text) {
  if (node.textContent !== text) node.replaceChildren(...seen(text));
}

/** Show for 160 ms which button a key pressed. */
export function pulse(node) {
  if (!node || reduced()) return;
  node.animate([{ boxShadow: "0 0 0 4px var(--pulse)" }, { boxShadow: "0 0 0 0 transparent" }], {
    duration: 160,
    easing: "ease-out",
  });
}

/** Scroll smoothly unless the person asked for less motion. */
export function scrollWay() {
  return reduced() ? "auto" : "smooth";
}

/** Whether `node` takes typed text. */
export function takesText(node) {
  return Boolean(
    node?.closest?.(
      "textarea, select, [contenteditable=''], [contenteditable=true], " +
        "input:not([type=radio]):not([type=checkbox]):not([type=range])",
    ),
  );
}

/** Modifier key as people of this machine call it. */
export const CTRL = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";
