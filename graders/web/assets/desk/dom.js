// Making elements. Text goes in as text nodes, never as markup; signs in it that nobody sees are shown.
import { seen } from "../unseen.js";

/** @typedef {Node | string | number | null | undefined | false | Kid[]} Kid what stands in an element */
/** @typedef {string | number | boolean | null | undefined} Plain */
/** @typedef {(event: Event) => unknown} Handler */
/** @typedef {{[name: `on${string}`]: Handler | null | undefined}} Handlers */
/** @typedef {Handlers & {[name: string]: Plain | Handler}} Attributes */

const reduced = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * An element with attributes (`on…` listens, false/null is left out, true is a bare attribute) and children.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} attrs
 * @param {Kid[]} kids
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attrs = {}, ...kids) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attrs)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else if (name === "style") node.style.cssText = String(value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  const given = flat(kids);
  node.append(...(tag === "textarea" ? given : given.flatMap(seen)));
  return node;
}

/**
 * What stands in an element, in a row: nothing for null, undefined and false.
 * @param {Kid[]} kids
 * @returns {(Node | string)[]}
 */
function flat(kids) {
  return kids.flatMap((kid) => {
    if (Array.isArray(kid)) return flat(kid);
    if (kid === null || kid === undefined || kid === false) return [];
    return [typeof kid === "number" ? String(kid) : kid];
  });
}

/**
 * A button that shows its key. `shortcut` is written as aria-keyshortcuts wants it, `shown` as people read
 * it.
 * @param {string} label
 * @param {string} shortcut
 * @param {(event: Event) => unknown} onclick
 * @param {Attributes} attrs
 * @param {string} shown
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

/**
 * Replace the text of a node only when it differs, so that a live region does not speak twice.
 * @param {Node & ParentNode} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.replaceChildren(...seen(text));
}

/**
 * Show for 160 ms which button a key pressed.
 * @param {HTMLElement | null | undefined} node
 */
export function pulse(node) {
  if (!node || reduced()) return;
  node.animate([{ boxShadow: "0 0 0 4px var(--pulse)" }, { boxShadow: "0 0 0 0 transparent" }], {
    duration: 160,
    easing: "ease-out",
  });
}

/**
 * Scroll smoothly unless the person asked for less motion.
 * @returns {ScrollBehavior}
 */
export function scrollWay() {
  return reduced() ? "auto" : "smooth";
}

/**
 * The dialog that is open, if one is.
 * @returns {HTMLDialogElement | null}
 */
export function openedDialog() {
  return document.querySelector("dialog[open]");
}

/**
 * Whether `node` takes typed text.
 * @param {EventTarget | null} node
 */
export function takesText(node) {
  const field =
    "textarea, select, [contenteditable=''], [contenteditable=true], " +
    "input:not([type=radio]):not([type=checkbox]):not([type=range])";
  return node instanceof Element && Boolean(node.closest(field));
}

/** Modifier key as people of this machine call it. */
export const CTRL = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";

/** Whether there is a keyboard to name keys of: a telephone has none. */
export const hasKeys = () => !matchMedia("(pointer: coarse)").matches;
