// What the kit's parts do in the browser. The address is the state of a page: links within it, fields and the
// back button change the address, and one event asks the server for what it says. Scripts here are constant:
// what pages show comes as HTML from the server.

import { markQuotes } from "../desk/evidence.js";
import { ask, keepsNothing } from "../session.js";
import { copy, keepPicker, upload } from "./controls.js";
import { focusOn, keepPlace } from "./keep.js";
import { act, answered, turns, went, within } from "./turns.js";
import { refilled, restored, typed, watched } from "./typed.js";

export { act, turns, upload };

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

/**
 * The part of the page that is ours.
 * @param {HTMLElement} mount
 * @returns {HTMLElement}
 */
const pageOf = (mount) => mount.closest(".gradio-container") ?? document.body;

const INSIDE = { childList: true, subtree: true };
/** @type {(quiet?: unknown) => void} */
let ask_again = () => {};
let opener = "";
/** Whether somebody went from view to view since the page was loaded. */
let moved = false;
/** @type {() => void} */
let begin = () => {};
/** Until a page has begun, frames that are asked for on it are called off, and nothing is sent. */
const begun = new Promise((done) => (begin = () => done(null)));

/**
 * Begin on a page: `mount` stands in it, `props.value` is the address that the server draws for.
 * @param {HTMLElement} mount
 * @param {{ value: string }} props
 * @param {() => void} go
 */
export function start(mount, props, go) {
  const page = pageOf(mount);
  ask_again = (quiet) => {
    if (quiet !== true) document.body.classList.add("k-busy");
    begun.then(() => {
      props.value = location.search || "?";
      go();
    });
  };
  addEventListener("popstate", ask_again);
  page.addEventListener("click", clicked);
  page.addEventListener("submit", submitted);
  for (const heard of [escaped, shortcut]) addEventListener("keydown", heard);
  const titled = new MutationObserver(() => entitle(page));
  for (const where of [page, document.head]) titled.observe(where, INSIDE);
  keepPlace(page);
  const early = /** @type {Window & { cogradeRest?: () => void, cogradeMoved?: boolean }} */ (window);
  early.cogradeRest?.();
  if (early.cogradeMoved) ask_again();
  requestAnimationFrame(begin); // what is sent while Gradio sets its parts up may be lost
  document.documentElement.classList.add("k-on");
  keepPicker(page);
  watched(page);
}

// parts may speak before the page has begun
/** @param {unknown} [quiet] */
const again = (quiet) => ask_again(quiet);
const shared = /** @type {Window & { cograde?: object }} */ (window);
shared.cograde = Object.assign(shared.cograde ?? {}, { act, set, given, again, typed, restored });

/**
 * Say that the page shows what was asked for; called whenever that changes.
 * @param {HTMLElement} mount
 * @param {string} address
 */
export function drawn(mount, address) {
  const page = pageOf(mount);
  document.body.classList.remove("k-busy");
  /** @param {string} search */
  const project = (search) => new URLSearchParams(search).get("project");
  if (address.startsWith("?") && project(address) !== project(location.search))
    history.replaceState(null, "", location.pathname + address);
  went();
  begun.then(() => requestAnimationFrame(() => settle(page)));
}

/**
 * What was done is drawn: the reply to it.
 * @param {HTMLElement} mount
 * @param {string} reply
 */
export function acted(mount, reply) {
  requestAnimationFrame(() => settle(pageOf(mount)));
  answered(reply); // what waits is shown after that
}

/**
 * Mark the passages in a text that graders cite, and say which of them are not in it.
 * @param {HTMLElement} text
 */
function mark(text) {
  const lost = markQuotes(text, JSON.parse(text.dataset.quotes ?? "[]"));
  delete text.dataset.quotes;
  const missing = new Set(lost.map((one) => `${one.owner} ${one.quote}`));
  for (const node of all(document, "[data-lost]"))
    if (missing.has(node.dataset.lost ?? "")) node.hidden = false;
}

/**
 * @param {ParentNode} part
 * @param {string} selector
 * @returns {NodeListOf<HTMLElement>}
 */
const all = (part, selector) => part.querySelectorAll(selector);

/**
 * @param {ParentNode} part
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
const one = (part, selector) => part.querySelector(selector);

/**
 * The finding is the title of the page.
 * @param {HTMLElement} page
 */
function entitle(page) {
  const heading = page.querySelector("h1")?.textContent;
  if (heading && document.title !== `${heading} · Cograde`) document.title = `${heading} · Cograde`;
}

/**
 * What came into view, and the keyboard's place after something closed.
 * @param {HTMLElement} page
 */
function settle(page) {
  entitle(page);
  for (const node of all(page, "[data-own-tab]")) node.hidden = !keepsNothing();
  for (const text of all(page, "[data-quotes]")) mark(text);
  for (const list of /** @type {NodeListOf<HTMLSelectElement>} */ (page.querySelectorAll("select[data-act]")))
    chosen(list);
  refilled(page);
  const screen = one(page, "[data-screen]")?.dataset.screen ?? "";
  if (screen !== (page.dataset.screen ?? screen)) focusOn(one(page, "h1"));
  page.dataset.screen = screen;
  const came = one(page, "[data-arrives]");
  // a page that is not seen yet takes no focus
  if (came && getComputedStyle(came).visibility === "hidden")
    return void requestAnimationFrame(() => settle(page));
  const which = came?.dataset.arrives ?? "";
  if (which !== (page.dataset.arrived ?? "")) {
    if (!came) one(page, `a[href="${CSS.escape(opener)}"]`)?.focus();
    else came.scrollIntoView({ block: "nearest" });
    const called = came?.dataset.focus === "always"; // also when the page is opened there
    if (came && (called || (moved && came.matches("[data-focus]"))))
      focusOn(one(came, "h2") ?? came, { preventScroll: true });
  }
  page.dataset.arrived = which;
}

/**
 * A list in which somebody chose shows what is drawn, which its nodes do not where they are used again.
 * @param {HTMLSelectElement} list
 */
function chosen(list) {
  const at = [...list.options].findIndex((option) => option.defaultSelected);
  if (at >= 0 && list !== document.activeElement) list.selectedIndex = at;
}

/**
 * Go to another view of the page, as an address from its question mark on.
 * @param {string} address
 */
function view(address) {
  moved = true;
  const how = document.activeElement?.matches("[type=range]") ? "replaceState" : "pushState"; // dragged
  if (address !== location.search) history[how](null, "", location.pathname + address);
  ask_again();
}

/**
 * Set parameters of the address to what fields hold; `resets` are taken out, pages of lists among them.
 * @param {string[]} names
 * @param {unknown[]} values
 * @param {string[]} resets
 */
function set(names, values, resets) {
  const next = new URLSearchParams(location.search);
  names.forEach((name, at) => {
    next.delete(name);
    for (const value of [values[at]].flat())
      if (value !== null && value !== "") next.append(name, String(value));
  });
  const before = new URLSearchParams(location.search);
  if (names.every((name) => `${next.getAll(name)}` === `${before.getAll(name)}`)) return;
  for (const name of resets) next.delete(name);
  view(`?${next}`);
}

/**
 * What is pressed or changed in a part sends the JSON of its `data-act`, a field with its value, a form
 * with its fields when it is sent; what has `data-now` sends as soon as it is drawn. What was typed stays
 * when its form is drawn anew, unless that was sent, or has another `data-since`; a text whose node is used
 * again for something else shows that.
 * @param {HTMLElement} mount
 * @param {(data: Record<string, unknown>) => void} send
 */
export function acts(mount, send) {
  /** @type {Map<string, string>} */
  const typed = new Map();
  /** @param {Field} field */
  const called = (field) => [field.form?.dataset.act, field.form?.dataset.since, field.name].join(" ");
  /** @type {(part: HTMLElement) => Field[]} */
  const named = (part) => [.../** @type {NodeListOf<Field>} */ (part.querySelectorAll("[name]"))];
  /** @param {Event} event */
  const told = (event) => {
    /** @type {HTMLInputElement | null | undefined} */
    const node = within(event.target)?.closest("[data-act]");
    if (!node || node.matches("button") !== (event.type === "click")) return;
    if (node.matches("form") && !("live" in node.dataset)) return;
    if (node.getAttribute("aria-disabled") === "true") return;
    const value = node.type === "checkbox" ? node.checked : node.value;
    send({
      ...JSON.parse(node.dataset.act ?? ""),
      ...(event.type === "click" || node.matches("form") ? {} : { value }),
    });
  };
  /** @type {WeakMap<Field, string>} */
  const held = new WeakMap();
  const settled = () => {
    const fields = named(mount);
    for (const key of typed.keys()) if (!fields.some((field) => called(field) === key)) typed.delete(key);
    for (const field of fields) {
      const base = field instanceof HTMLTextAreaElement ? field.defaultValue : undefined;
      const now = JSON.stringify([called(field), base]);
      const before = held.get(field);
      const value = typed.get(called(field)) ?? (before && before !== now ? base : undefined);
      if (value !== undefined && value !== field.value) field.value = value;
      held.set(field, now);
    }
    for (const node of all(mount, "[data-now]")) {
      node.removeAttribute("data-now");
      send(JSON.parse(node.dataset.act ?? ""));
    }
  };
  mount.addEventListener("click", told);
  mount.addEventListener("change", told);
  mount.addEventListener("input", ({ target }) => {
    const field = /** @type {Field} */ (target);
    if (field.form) typed.set(called(field), field.value);
  });
  mount.addEventListener("submit", (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (!form.dataset.act) return;
    event.preventDefault();
    send({ ...JSON.parse(form.dataset.act), ...Object.fromEntries(new FormData(form)) });
    for (const field of named(form)) typed.delete(called(field));
  });
  new MutationObserver(settled).observe(mount, {
    ...INSIDE,
    attributeFilter: ["data-now", "data-act", "data-since"],
  });
  settled();
}

/**
 * What an event gives the server of its `values`: for the part with the id `ids[at]` the fields of its
 * forms. What is typed into a field for a key leaves the browser only with `keys`; else
 * the server learns that it is there.
 * @param {unknown[]} values
 * @param {string[]} ids
 * @param {boolean} keys
 */
function given(values, ids, keys) {
  /** @param {Field} field */
  const seen = (field) => {
    const { name, value, type } = field;
    if (type === "checkbox" && !(/** @type {HTMLInputElement} */ (field).checked)) return [name, ""];
    return [name, type === "password" && value && !keys ? "typed" : value];
  };
  /** @type {(id: string) => NodeListOf<Field>} */
  const fields = (id) => document.querySelectorAll(`#${id} form [name]`);
  return values.map((value, at) => (ids[at] ? Object.fromEntries([...fields(ids[at])].map(seen)) : value));
}

/** @param {MouseEvent} event */
function clicked(event) {
  const at = within(event.target);
  const link = at?.closest("a[href^='?']");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
    event.preventDefault();
    if (!link.closest("[data-arrives]")) opener = link.getAttribute("href") ?? "";
    view(link.getAttribute("href") ?? "");
  }
  const button = at?.closest("button");
  if (button?.dataset.copy !== undefined) copy(button);
  if (button?.dataset.line) to_line(Number(button.dataset.line), button.dataset.of ?? "");
  if (button?.dataset.opens) page_dialog(button.dataset.opens)?.showModal();
  if (button && "close" in button.dataset) button.closest("dialog")?.close();
  if (button && "skip" in button.dataset) focusOn(document.querySelector("h1") ?? document.body);
  for (const menu of document.querySelectorAll("details.menu[open]"))
    if (!menu.contains(at)) menu.removeAttribute("open");
}

/**
 * Select a line of the text in the component of a class.
 * @param {number} number
 * @param {string} name
 */
function to_line(number, name) {
  const text = /** @type {HTMLTextAreaElement | null} */ (document.querySelector(`.${name} textarea`));
  if (!text) return;
  const lines = text.value.split("\n");
  const at = lines.slice(0, number - 1).join("\n").length + (number > 1 ? 1 : 0);
  text.focus();
  text.setSelectionRange(at, at + (lines[number - 1]?.length ?? 0));
  text.scrollTop = Math.max(0, (number - 6) * parseFloat(getComputedStyle(text).lineHeight));
}

/** @type {(name: string) => HTMLDialogElement | null} */
const page_dialog = (name) => document.querySelector(`dialog[data-dialog="${name}"]`);

/**
 * Escape closes what was opened last: a menu, then what a link within `data-escape` closes.
 * @param {KeyboardEvent} event
 */
function escaped(event) {
  if (event.key !== "Escape" || within(event.target)?.closest("dialog, [role=combobox]")) return;
  const menu = one(document, "details.menu[open]");
  if (menu) {
    menu.removeAttribute("open");
    one(menu, "summary")?.focus();
  } else one(document, "a[data-escape]")?.click();
}

/**
 * A button is pressed by the key that it names, but while somebody types; Ctrl+Enter sends the form of a
 * text.
 * @param {KeyboardEvent} event
 */
function shortcut(event) {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
    within(event.target)?.closest("textarea")?.form?.requestSubmit();
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (within(event.target)?.closest("input, select, textarea, dialog")) return;
  const key = event.code.replace(/^Key/u, "").toLowerCase();
  one(document, `button[aria-keyshortcuts="${CSS.escape(key)}"]`)?.click();
}

/**
 * A form of a dialog is posted as JSON; then the page is loaded anew, for the head knows more. What the
 * server tells about it, or asks first, stands in the dialog.
 * @param {SubmitEvent} event
 */
async function submitted(event) {
  /** @type {HTMLFormElement | null | undefined} */
  const form = within(event.target)?.closest("form[data-post]");
  if (!form) return;
  event.preventDefault();
  const to = event.submitter?.getAttribute("formaction") ?? form.dataset.post ?? "";
  const body = JSON.stringify(Object.fromEntries(new FormData(form)));
  const headers = { "content-type": "application/json" };
  const reply = await ask(to, { method: "POST", headers, body });
  const said = await reply.json().catch(() => null);
  const dialog = form.closest("dialog");
  const again = () => (keepsNothing() ? ask_again() : location.reload());
  if (reply.ok) {
    dialog?.addEventListener("close", again, { once: true });
    if (!said?.told) return dialog?.close();
    for (const part of form.querySelectorAll(":scope > *, button"))
      part.toggleAttribute("hidden", !part.matches(".bar, [role=status], [data-close]"));
    one(form, "[data-close]")?.focus();
  }
  const status = one(form, "[role=status]");
  if (status) status.textContent = said?.told ?? said?.error ?? reply.statusText;
  const asked = one(form, "[data-ask]");
  if (!asked || !said?.ask) return;
  asked.hidden = false;
  if (asked.firstElementChild) asked.firstElementChild.textContent = said.ask;
  asked.querySelector("input")?.focus();
}
