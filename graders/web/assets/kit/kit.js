// What the kit's parts do in the browser. The address is the state of a page: links within it, fields and the
// back button change the address, and one event asks the server for what it says. Scripts here are constant:
// what pages show comes as HTML from the server.

import { markQuotes } from "../desk/evidence.js";
import { focusOn, keepPlace } from "../lead/keep.js";
import { ask, keepsNothing } from "../session.js";
import { act, answered, refuse, turns, went } from "./turns.js";
import { refilled, restored, typed, watched } from "./typed.js";

export { act, turns };

let ask_again = () => {};
let opener = "";
/** Whether somebody went from view to view since the page was loaded. */
let moved = false;

/** Begin on a page: `mount` stands in it, `props.value` is the address that the server draws for. */
export function start(mount, props, go) {
  const page = mount.closest(".gradio-container") ?? document.body;
  ask_again = (quiet) => {
    if (quiet !== true) document.body.classList.add("k-busy");
    props.value = location.search || "?";
    go();
  };
  addEventListener("popstate", ask_again);
  page.addEventListener("click", clicked);
  page.addEventListener("submit", submitted);
  page.addEventListener("change", picked);
  addEventListener("keydown", escaped);
  addEventListener("keydown", shortcut);
  new MutationObserver(() => entitle(page)).observe(page, { childList: true, subtree: true });
  keepPlace(page);
  rest();
  document.documentElement.classList.add("k-on");
  keepPicker(page);
  watched(page);
}

// parts may speak before the page has begun
const again = (quiet) => ask_again(quiet);
window.cograde = Object.assign(window.cograde ?? {}, { act, set, given, again, typed, restored });

/** Say that the page shows what was asked for; called whenever that changes. */
export function drawn(mount, address) {
  const page = mount.closest(".gradio-container") ?? document.body;
  document.body.classList.remove("k-busy");
  const project = (search) => new URLSearchParams(search).get("project");
  if (address.startsWith("?") && project(address) !== project(location.search))
    history.replaceState(null, "", location.pathname + address);
  went();
  requestAnimationFrame(() => settle(page));
}

/** Gradio's waiting sign turns on unseen, sixty times a second: nothing else moves before the page is shown. */
function rest() {
  for (let frame = requestAnimationFrame(() => {}); frame > 0; frame--) cancelAnimationFrame(frame);
}

/** What was done is drawn: the reply to it. */
export function acted(mount, reply) {
  answered(reply);
  requestAnimationFrame(() => settle(mount.closest(".gradio-container") ?? document.body));
}

/** Mark the passages in a text that graders cite, and say which of them are not in it. */
function mark(text) {
  const lost = markQuotes(text, JSON.parse(text.dataset.quotes));
  delete text.dataset.quotes;
  const missing = new Set(lost.map((one) => `${one.owner} ${one.quote}`));
  for (const node of document.querySelectorAll("[data-lost]"))
    if (missing.has(node.dataset.lost)) node.hidden = false;
}

/** The finding is the title of the page. */
function entitle(page) {
  const heading = page.querySelector("h1")?.textContent;
  if (heading && document.title !== `${heading} · Cograde`) document.title = `${heading} · Cograde`;
}

/** What came into view, and the keyboard's place after something closed. */
function settle(page) {
  entitle(page);
  for (const node of page.querySelectorAll("[data-own-tab]")) node.hidden = !keepsNothing();
  for (const text of page.querySelectorAll("[data-quotes]")) mark(text);
  refilled(page);
  const screen = page.querySelector("[data-screen]")?.dataset.screen ?? "";
  if (screen !== (page.dataset.screen ?? screen)) focusOn(page.querySelector("h1"));
  page.dataset.screen = screen;
  const came = page.querySelector("[data-arrives]");
  const which = came?.dataset.arrives ?? "";
  if (which !== (page.dataset.arrived ?? "")) {
    if (!came) page.querySelector(`a[href="${CSS.escape(opener)}"]`)?.focus();
    else came.scrollIntoView({ block: "nearest" });
    if (moved && came?.matches("[data-focus]")) focusOn(came.querySelector("h2"), { preventScroll: true });
  }
  page.dataset.arrived = which;
}

/** Go to another view of the page, as an address from its question mark on. */
function view(address) {
  moved = true;
  if (address !== location.search) history.pushState(null, "", location.pathname + address);
  ask_again();
}

/** Set parameters of the address to what fields hold; `resets` are taken out, pages of lists among them. */
function set(names, values, resets) {
  const next = new URLSearchParams(location.search);
  names.forEach((name, at) => {
    next.delete(name);
    for (const value of [values[at]].flat()) if (value !== null && value !== "") next.append(name, value);
  });
  const before = new URLSearchParams(location.search);
  if (next.toString() === before.toString()) return;
  if (names.every((name) => `${next.getAll(name)}` === `${before.getAll(name)}`)) return;
  for (const name of resets) next.delete(name);
  view(`?${next}`);
}

/**
 * What is pressed or changed in a part sends the JSON of its `data-act`, a field with its value, a form
 * with its fields when it is sent; what has `data-now` sends as soon as it is drawn. What was typed stays when its form is
 * drawn anew, unless that was sent, or has another `data-since`.
 */
export function acts(mount, send) {
  const typed = new Map();
  const called = (field) => [field.form?.dataset.act, field.form?.dataset.since, field.name].join(" ");
  const named = (within) => [...within.querySelectorAll("[name]")];
  const told = (event) => {
    const node = event.target.closest("[data-act]");
    if (!node || node.matches("button") !== (event.type === "click")) return;
    if (node.matches("form") && !("live" in node.dataset)) return;
    if (node.getAttribute("aria-disabled") === "true") return;
    const value = node.type === "checkbox" ? node.checked : node.value;
    send({
      ...JSON.parse(node.dataset.act),
      ...(event.type === "click" || node.matches("form") ? {} : { value }),
    });
  };
  const settled = () => {
    const fields = named(mount);
    for (const key of typed.keys()) if (!fields.some((field) => called(field) === key)) typed.delete(key);
    for (const field of fields) if (typed.has(called(field))) field.value = typed.get(called(field));
    for (const node of mount.querySelectorAll("[data-now]")) {
      node.removeAttribute("data-now");
      send(JSON.parse(node.dataset.act));
    }
  };
  mount.addEventListener("click", told);
  mount.addEventListener("change", told);
  mount.addEventListener(
    "input",
    (event) => event.target.form && typed.set(called(event.target), event.target.value),
  );
  mount.addEventListener("submit", (event) => {
    if (!event.target.dataset.act) return;
    event.preventDefault();
    send({ ...JSON.parse(event.target.dataset.act), ...Object.fromEntries(new FormData(event.target)) });
    for (const field of named(event.target)) typed.delete(called(field));
  });
  new MutationObserver(settled).observe(mount, { childList: true, subtree: true });
  settled();
}

/**
 * What an event gives the server of its `values`: for the part with the id `ids[at]` the fields of its
 * forms. What is typed into a field for a key leaves the browser only with `keys`; else the server learns that it is there.
 */
function given(values, ids, keys) {
  const seen = ([name, value, type]) => [name, type === "password" && value && !keys ? "typed" : value];
  return values.map((value, at) =>
    ids[at]
      ? Object.fromEntries(
          [...document.querySelectorAll(`#${ids[at]} form [name]`)].map((f) =>
            seen([f.name, f.value, f.type]),
          ),
        )
      : value,
  );
}

/** A field for a file, which goes to the server as it is chosen or dropped; `sent` tells what became of it.
 */
export function upload(mount, sent) {
  const field = mount.querySelector("input[type=file]");
  const status = mount.querySelector("[role=status]");
  const zone = mount.querySelector("[data-drop]");
  const words = field.dataset;
  let latest = null; // of two files in a row the last one counts

  async function take(file) {
    latest = file;
    const large = words.large
      ?.replace("{file}", file.name)
      .replace("{found}", Math.ceil(file.size / 2 ** 20));
    if (file.size > Number(words.most ?? Infinity)) return refuse(status, large);
    status.textContent = words.working;
    const headers = {
      "x-file-name": encodeURIComponent(file.name),
      "content-type": "application/octet-stream",
    };
    try {
      const reply = await ask(words.to, { method: "POST", headers, body: file });
      const said = await reply.json().catch(() => null);
      if (latest !== file) return;
      if (!reply.ok) throw new Error(said?.error ?? reply.statusText);
      status.textContent = "";
      sent(said);
    } catch (error) {
      if (latest === file) refuse(status, error.message);
    }
  }

  const chosen = () => {
    if (field.files[0]) take(field.files[0]);
    if (zone) field.value = ""; // the same file may be chosen again
  };
  field.addEventListener("change", chosen);
  chosen(); // before this script came
  if (!zone) return;
  zone.querySelector("button").addEventListener("click", () => field.click());
  // a file that misses the place must not replace the page
  for (const kind of ["dragover", "drop"]) addEventListener(kind, (event) => event.preventDefault());
  zone.addEventListener("dragover", () => zone.classList.add("over"));
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", ({ dataTransfer }) => {
    zone.classList.remove("over");
    const folder = [...dataTransfer.items].some((item) => item.webkitGetAsEntry?.()?.isDirectory);
    if (folder) refuse(status, words.folder);
    else if (dataTransfer.files.length > 1) refuse(status, words.several);
    else if (dataTransfer.files[0]) take(dataTransfer.files[0]);
  });
}

function clicked(event) {
  const at = event.target instanceof Element ? event.target : null;
  const link = at?.closest("a[href^='?']");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
    event.preventDefault();
    if (!link.closest("[data-arrives]")) opener = link.getAttribute("href");
    view(link.getAttribute("href"));
  }
  const button = at?.closest("button");
  if (button?.dataset.copy !== undefined) copy(button);
  if (button?.dataset.opens) page_dialog(button.dataset.opens)?.showModal();
  if (button && "close" in button.dataset) button.closest("dialog")?.close();
  if (button && "skip" in button.dataset) focusOn(document.querySelector("h1") ?? document.body);
  for (const menu of document.querySelectorAll("details.menu[open]"))
    if (!menu.contains(at)) menu.removeAttribute("open");
}

const page_dialog = (name) => document.querySelector(`dialog[data-dialog="${name}"]`);

/** Escape closes what was opened last: a menu, then what a link within `data-escape` closes. */
function escaped(event) {
  if (event.key !== "Escape" || event.target.closest?.("dialog")) return;
  const menu = document.querySelector("details.menu[open]");
  if (menu) {
    menu.removeAttribute("open");
    menu.querySelector("summary")?.focus();
  } else document.querySelector("a[data-escape]")?.click();
}

/** A button is pressed by the key that it names, but while somebody types. */
function shortcut(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.("input, select, textarea, dialog")) return;
  const key = event.code.replace(/^Key/u, "").toLowerCase();
  document.querySelector(`button[aria-keyshortcuts="${CSS.escape(key)}"]`)?.click();
}

async function copy(button) {
  const [label, called] = [button.textContent, button.getAttribute("aria-label")];
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
  } catch {
    // Where the browser forbids that, the sentence stands there to be selected.
    const text = document.createElement("textarea");
    Object.assign(text, { value: button.dataset.copy, readOnly: true, rows: 4, className: "txt" });
    button.after(text);
    text.select();
    return;
  }
  button.textContent = button.dataset.done;
  button.setAttribute("aria-label", button.dataset.done);
  setTimeout(() => {
    button.textContent = label;
    button.setAttribute("aria-label", called);
  }, 2000);
}

/** A form of a dialog is posted as JSON; then the page is loaded anew, for the head knows more. */
async function submitted(event) {
  const form = event.target.closest("form[data-post]");
  if (!form) return;
  event.preventDefault();
  const body = JSON.stringify(Object.fromEntries(new FormData(form)));
  const headers = { "content-type": "application/json" };
  const reply = await ask(form.dataset.post, { method: "POST", headers, body });
  if (reply.ok) {
    if (!keepsNothing()) return location.reload();
    form.closest("dialog")?.close();
    return ask_again();
  }
  const said = await reply.json().catch(() => null);
  form.querySelector("[role=status]").textContent = said?.error ?? reply.statusText;
}

// In a list of projects arrows and letters pass from one to the next: Enter opens the one they stopped at.
let passing = false;

function keepPicker(page) {
  page.addEventListener("pointerdown", () => (passing = false));
  page.addEventListener("keydown", (event) => {
    const list = event.target.closest("select[data-pick]");
    if (!list) return;
    if (event.key === "Enter") open_picked(list);
    passing =
      !event.altKey &&
      (/^(Arrow|Home|End|Page)/u.test(event.key) || (event.key.length === 1 && event.key !== " "));
  });
}

const open_picked = (list) => location.assign(list.dataset.pick + encodeURIComponent(list.value));

function picked(event) {
  const list = event.target.closest("select[data-pick]");
  if (!list) return;
  if (!passing) return open_picked(list);
  const tip = list.parentElement.querySelector("[role=status]");
  if (tip) tip.textContent = list.selectedOptions[0]?.defaultSelected ? "" : list.dataset.hint;
}
