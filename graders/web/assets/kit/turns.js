// What is done on a page goes to the server one after the other: a reply is drawn before the next thing is
// asked for, so no older one comes after a newer one. A choice that the server did not answer, because it was
// away, is asked for again when the page is there again; what a button does is not.

import { ask } from "../session.js";
import { accepted, kept, keep } from "./typed.js";

/**
 * What is done: the server's words for it, the field of Gradio's that it comes from, and what stands there.
 * What has a `do` is pressed, not chosen.
 * @typedef {Record<string, unknown> & { field?: string, value?: unknown, do?: string }} Deed
 */

const NAME = "turns";
/** Letters typed in a list choose again and again: the choice stands after a short rest. */
const TYPING_MS = 700;
/** After this long a reply is not waited for any more. */
const LOST_MS = 60_000;

/** What says that it was changed when it is left. */
const CHANGED = "select[data-act], input[data-act], textarea[data-act]";

/** @type {HTMLElement} */
let page = document.body;
/** @type {((data: Deed) => void) | null} */
let send = null; // a page is drawn before anything can be done on it
/** @type {Deed[]} */
const waiting = [];
/** @type {Deed | null} */
let under_way = null;
let begun = { at: 0, address: "" };
/** A text of Gradio's that what is done on a page is written into. */
const WRITTEN = ".k-written textarea";
/**
 * What was typed in it since that which is under way was sent, and where the caret stood.
 * @type {{ text: HTMLTextAreaElement, value: string, at: number } | null}
 */
let newer = null;
let moving = false;
let count = 0;

/**
 * Begin on a page; `trigger` sends what is done.
 * @param {HTMLElement} mount
 * @param {(data: Deed) => void} trigger
 */
export function turns(mount, trigger) {
  page = mount.closest(".gradio-container") ?? document.body;
  send = trigger;
  listen();
  next();
}

/**
 * What stood in a field when the keyboard came to it.
 * @type {Record<string, unknown>}
 */
const before = {};

/**
 * @param {string} name
 * @param {unknown} value
 */
act.held = (name, value) => {
  before[name] = value;
};

/**
 * Do something as soon as what was done before is drawn: `data` says what.
 * @param {Deed} data
 */
export function act(data) {
  if (data.field && before[data.field] === data.value) return;
  if (data.field) delete before[data.field];
  /** @param {Deed | null} one */
  const same = (one) => one && JSON.stringify(one) === JSON.stringify(data);
  if (data.do && [under_way, ...waiting].some(same)) return; // of two presses the second does nothing
  if (under_way && Date.now() - begun.at > LOST_MS) under_way = null;
  const last = waiting.at(-1);
  if (data.field && last?.field === data.field) waiting.pop(); // while somebody types the last text counts
  waiting.push(data);
  remember();
  next();
}

const remember = () =>
  keep(
    NAME,
    [under_way, ...waiting].filter((one) => one && !one.do),
  );

function next() {
  if (!send || under_way || moving || !waiting.length) return;
  under_way = waiting.shift() ?? null;
  begun = { at: Date.now(), address: location.search };
  newer = null;
  send({ ...under_way, n: ++count });
}

/**
 * The server has answered: `reply` is the number of what was done, and the address to go to.
 * @param {string} reply
 */
export function answered(reply) {
  const [n, to] = reply.split(" ");
  if (Number(n) !== count || !under_way) return;
  if (under_way.field) accepted(under_way.field, under_way.value);
  else if (!to && overwritten()) waiting.unshift(under_way);
  under_way = null;
  remember();
  requestAnimationFrame(() => waiting.forEach(shown));
  if (!to || location.search !== begun.address) return next(); // who has gone on stays there
  moving = true;
  if (to.startsWith("=")) history.replaceState(null, "", location.pathname + to.slice(1));
  else if (to !== location.search) history.pushState(null, "", location.pathname + to);
  /** @type {Window & { cograde?: { again: () => void } }} */ (window).cograde?.again();
}

/**
 * Whether the reply was written over a text that somebody went on typing in. What was typed stands there
 * again, so that the same is done in it once more.
 */
function overwritten() {
  if (!newer || newer.text.value === newer.value) return false;
  const { text, value, at } = newer;
  text.value = value;
  text.setSelectionRange(at, at);
  return text.dispatchEvent(new Event("input", { bubbles: true }));
}

/** A page was drawn: what waits for that goes on, at first also what the server did not answer before. */
export function went() {
  moving = false;
  if (!count) for (const one of /** @type {Deed[] | undefined} */ (kept(NAME)) ?? []) act(one);
  next();
}

/**
 * What is chosen and not asked for yet stands in the field that was drawn anew.
 * @param {Deed} data
 */
function shown(data) {
  const { value, ...rest } = data;
  /** @type {NodeListOf<HTMLInputElement | HTMLSelectElement>} */
  const fields = page.querySelectorAll("[data-act]");
  const field = [...fields].find((node) => node.dataset.act === JSON.stringify(rest));
  if (field && value !== undefined) field.value = /** @type {string} */ (value);
}

/**
 * The element that an event comes from, if it comes from one.
 * @param {EventTarget | null} target
 */
export const within = (target) => (target instanceof Element ? target : null);

function listen() {
  /** @type {Deed | null} */
  let late = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let typing = false;
  const tell = () => {
    clearTimeout(timer);
    if (late) act(late);
    late = null;
  };
  const rest = () => {
    clearTimeout(timer);
    timer = setTimeout(tell, TYPING_MS);
  };
  page.addEventListener("pointerdown", () => {
    typing = false;
  });
  page.addEventListener("focusout", tell);
  page.addEventListener("input", ({ target }) => {
    const text = /** @type {HTMLTextAreaElement | null | undefined} */ (within(target)?.closest(WRITTEN));
    if (text && under_way) newer = { text, value: text.value, at: text.selectionStart };
  });
  page.addEventListener("keydown", (event) => {
    const area = within(event.target)?.closest("textarea[data-act]");
    if (area && event.key === "Enter" && (event.ctrlKey || event.metaKey))
      area.dispatchEvent(new Event("change", { bubbles: true }));
    if (!within(event.target)?.closest("select[data-act]")) return;
    typing = event.key.length === 1;
    if (typing && late) rest();
  });
  page.addEventListener("change", ({ target }) => {
    /** @type {HTMLSelectElement | HTMLInputElement | null | undefined} */
    const field = within(target)?.closest(CHANGED);
    if (!field) return;
    const data = { ...JSON.parse(field.dataset.act ?? ""), value: field.value };
    if (!typing || !field.matches("select")) return act(data);
    late = data;
    rest();
  });
  page.addEventListener("click", ({ target }) => {
    /** @type {HTMLButtonElement | null | undefined} */
    const button = within(target)?.closest("button[data-act]");
    if (!button) return;
    if (button.dataset.save) save(button);
    else act(JSON.parse(button.dataset.act ?? ""));
  });
}

/**
 * Save what comes from `data-save` as a file, and tell the server which state of the project it holds.
 * @param {HTMLButtonElement} button
 */
async function save(button) {
  if (button.getAttribute("aria-disabled") === "true") return;
  const status = /** @type {HTMLElement} */ (button.closest("section")?.querySelector("[role=status]"));
  const { save: address = "", file, act: data = "", working = "" } = button.dataset;
  button.setAttribute("aria-disabled", "true");
  status.textContent = working;
  try {
    const reply = await ask(address);
    if (!reply.ok) throw new Error((await reply.json().catch(() => null))?.error ?? reply.statusText);
    const href = URL.createObjectURL(await reply.blob());
    Object.assign(document.createElement("a"), { href, download: file }).click();
    setTimeout(() => URL.revokeObjectURL(href), 60_000);
    act({ ...JSON.parse(data), state: reply.headers.get("x-cograde-state") ?? "" });
  } catch (error) {
    refuse(status, /** @type {Error} */ (error).message);
  }
  button.removeAttribute("aria-disabled");
}

/**
 * Say in a status line what went wrong.
 * @param {Element} status
 * @param {string} [text]
 */
export function refuse(status, text) {
  const alert = Object.assign(document.createElement("p"), { className: "alert", textContent: text });
  alert.setAttribute("role", "alert");
  status.replaceChildren(alert);
}
