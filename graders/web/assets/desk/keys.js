// The keyboard. Letters and signs match the physical key, so that every layout works alike; digits match
// either.
import { takesText } from "./dom.js";

/**
 * What a key press means: the name of an action of the desk, or null. Digits come as `digit` with a number.
 * @param {KeyboardEvent} event
 * @returns {{action: string, digit?: number} | null}
 */
export function meaning(event) {
  const { code, key, shiftKey: shift } = event;
  const command = event.ctrlKey || event.metaKey;
  if (command && key === "Enter") return { action: "saveNext" };
  if (command) return !shift && (code === "KeyZ" || key === "z") ? { action: "undo" } : null;
  if (event.altKey) return null;
  if (/^[0-9]$/.test(key)) return { action: "digit", digit: Number(key) };
  const digit = !shift && /^Digit([0-9])$/.exec(code);
  if (digit) return { action: "digit", digit: Number(digit[1]) };
  if (key === "?" || (shift && code === "Slash")) return { action: "help" };
  if (shift) return SHIFTED[code] ? { action: SHIFTED[code] } : null;
  const action = PLAIN[code] ?? SIGNS[key];
  return action ? { action } : null;
}

/** @type {Record<string, string>} */
const SHIFTED = { KeyA: "confirmAll", KeyV: "marks", Space: "scrollUp", Tab: "tabBack" };

/** @type {Record<string, string>} */
const PLAIN = {
  ArrowDown: "down",
  ArrowUp: "up",
  ArrowLeft: "previous",
  ArrowRight: "following",
  BracketLeft: "answerBack",
  BracketRight: "answerOn",
  Tab: "tabOn",
  Space: "scrollDown",
  Enter: "enter",
  NumpadEnter: "enter",
  KeyC: "comment",
  KeyD: "details",
  KeyE: "faults",
  KeyF: "flag",
  KeyG: "guide",
  KeyJ: "faultOf",
  KeyM: "autoMove",
  KeyN: "no",
  KeyO: "folded",
  KeyP: "parts",
  KeyR: "reference",
  KeyS: "skip",
  KeyU: "undo",
  KeyV: "evidence",
  KeyW: "work",
  KeyX: "notApplicable",
  KeyY: "yes",
  KeyZ: "enlarge",
  Equal: "apart",
  Period: "field",
  NumpadDecimal: "field",
  Escape: "escape",
};

// Signs that stand elsewhere on some layouts.
/** @type {Record<string, string>} */
const SIGNS = { "=": "apart", ".": "field", "[": "answerBack", "]": "answerOn" };

// What a focused button or link does by itself when pressed.
const NATIVE = new Set(["enter", "scrollDown", "scrollUp"]);

/**
 * Listen until `signal` aborts or `root` leaves the page. `run(action, digit)` returns false to let the
 * browser act.
 * @param {HTMLElement} root
 * @param {(action: string, digit: number | undefined) => unknown} run
 * @param {AbortSignal} [signal]
 */
export function listen(root, run, signal) {
  document.addEventListener(
    "keydown",
    (event) => {
      if (!root.isConnected || event.isComposing || event.keyCode === 229 || event.defaultPrevented) return;
      const meant = meaning(event);
      if (!meant) return;
      const always = meant.action === "saveNext";
      const dialog = document.querySelector("dialog[open]");
      if (!always && (dialog || takesText(event.target))) return;
      const at = event.target instanceof Element ? event.target : null;
      const foreign = at !== document.body && at !== document.documentElement && !root.contains(at);
      if (foreign && NATIVE.has(meant.action)) return;
      if (NATIVE.has(meant.action) && at?.closest("button, summary, a[href]")) return;
      if (
        event.repeat &&
        !["down", "up", "scrollDown", "scrollUp", "answerBack", "answerOn"].includes(meant.action)
      )
        return event.preventDefault();
      if (run(meant.action, meant.digit) !== false) {
        event.preventDefault();
        event.stopPropagation();
      }
    },
    { capture: true, signal },
  );
}

/**
 * All keys for the help: `[keys, word key]`, in the order in which they are explained.
 * @param {string} ctrl
 * @returns {[keys: string, word: string][]}
 */
export function keyTable(ctrl) {
  return [
    ["1 – 9, 0", "key.digit"],
    ["y  n", "key.yesno"],
    [".", "key.field"],
    ["p", "key.parts"],
    ["Enter", "key.enter"],
    ["Shift+A", "key.confirm_all"],
    [`${ctrl}+Enter`, "key.save"],
    ["x", "key.na"],
    ["u", "key.undo"],
    ["↑  ↓", "key.rows"],
    ["[  ]  Tab", "key.answers"],
    ["Space", "key.scroll"],
    ["←  →", "key.screens"],
    ["d", "key.details"],
    ["g", "key.guide"],
    ["v", "key.evidence"],
    ["Shift+V", "key.marks"],
    ["z", "key.enlarge"],
    ["r", "key.reference"],
    ["o", "key.folded"],
    ["=", "key.apart"],
    ["j", "key.fault_of"],
    ["e", "key.faults"],
    ["f", "key.flag"],
    ["c", "key.comment"],
    ["s", "key.skip"],
    ["m", "key.auto_move"],
    ["w", "key.work"],
    ["?", "key.help"],
  ];
}
