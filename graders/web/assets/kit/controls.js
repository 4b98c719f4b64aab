// Controls that browsers lack: a place to drop a file, a button that copies, a list that leads to what is
// chosen.

import { ask } from "../session.js";
import { refuse, within } from "./turns.js";

/**
 * A field for a file, which goes to the server as it is chosen or dropped; `sent` tells what became of it.
 * @param {HTMLElement} mount
 * @param {(said: unknown) => void} sent
 */
export function upload(mount, sent) {
  const field = /** @type {HTMLInputElement} */ (mount.querySelector("input[type=file]"));
  const status = /** @type {HTMLElement} */ (mount.querySelector("[role=status]"));
  const zone = /** @type {HTMLElement | null} */ (mount.querySelector("[data-drop]"));
  const words = field.dataset;
  /** @type {File | null} */
  let latest = null; // of two files in a row the last one counts

  /** @param {File} file */
  async function take(file) {
    latest = file;
    const large = words.large
      ?.replace("{file}", file.name)
      .replace("{found}", `${Math.ceil(file.size / 2 ** 20)}`);
    if (file.size > Number(words.most ?? Infinity)) return refuse(status, large);
    status.textContent = words.working ?? "";
    const headers = {
      "x-file-name": encodeURIComponent(file.name),
      "content-type": "application/octet-stream",
    };
    try {
      const reply = await ask(words.to ?? "", { method: "POST", headers, body: file });
      const said = await reply.json().catch(() => null);
      if (latest !== file) return;
      if (!reply.ok) throw new Error(said?.error ?? reply.statusText);
      status.textContent = "";
      sent(said);
    } catch (error) {
      if (latest === file) refuse(status, /** @type {Error} */ (error).message);
    }
  }

  const chosen = () => {
    if (field.files?.[0]) take(field.files[0]);
    if (zone) field.value = ""; // the same file may be chosen again
  };
  field.addEventListener("change", chosen);
  chosen(); // before this script came
  if (!zone) return;
  zone.querySelector("button")?.addEventListener("click", () => field.click());
  // a file that misses the place must not replace the page
  for (const kind of ["dragover", "drop"]) addEventListener(kind, (event) => event.preventDefault());
  zone.addEventListener("dragover", () => zone.classList.add("over"));
  zone.addEventListener("dragleave", () => zone.classList.remove("over"));
  zone.addEventListener("drop", ({ dataTransfer }) => {
    zone.classList.remove("over");
    if (!dataTransfer) return;
    const folder = [...dataTransfer.items].some((item) => item.webkitGetAsEntry?.()?.isDirectory);
    if (folder) refuse(status, words.folder);
    else if (dataTransfer.files.length > 1) refuse(status, words.several);
    else if (dataTransfer.files[0]) take(dataTransfer.files[0]);
  });
}

/**
 * Copy the text of a button.
 * @param {HTMLButtonElement} button
 */
export async function copy(button) {
  const { textContent: label, dataset } = button;
  const called = button.getAttribute("aria-label");
  try {
    await navigator.clipboard.writeText(dataset.copy ?? "");
  } catch {
    // Where the browser forbids that, the sentence stands there to be selected.
    const text = document.createElement("textarea");
    Object.assign(text, { value: dataset.copy, readOnly: true, rows: 4, className: "txt" });
    button.after(text);
    text.select();
    return;
  }
  button.textContent = dataset.done ?? "";
  button.setAttribute("aria-label", dataset.done ?? "");
  setTimeout(() => {
    button.textContent = label;
    if (called === null) button.removeAttribute("aria-label");
    else button.setAttribute("aria-label", called);
  }, 2000);
}

// In a list of projects arrows and letters pass from one to the next: Enter opens the one they stopped at.
let passing = false;

/** @type {(node: EventTarget | null) => HTMLSelectElement | null | undefined} */
const picker = (node) => within(node)?.closest("select[data-pick]");

/**
 * Watch the lists that lead to what is chosen.
 * @param {HTMLElement} page
 */
export function keepPicker(page) {
  page.addEventListener("change", picked);
  page.addEventListener("pointerdown", () => {
    passing = false;
  });
  page.addEventListener("keydown", (event) => {
    const list = picker(event.target);
    if (!list) return;
    if (event.key === "Enter") open_picked(list);
    passing =
      !event.altKey &&
      (/^(Arrow|Home|End|Page)/u.test(event.key) || (event.key.length === 1 && event.key !== " "));
  });
}

/** @param {HTMLSelectElement} list */
const open_picked = (list) => location.assign((list.dataset.pick ?? "") + encodeURIComponent(list.value));

/** @param {Event} event */
function picked(event) {
  const list = picker(event.target);
  if (!list) return;
  if (!passing) return open_picked(list);
  const tip = list.parentElement?.querySelector("[role=status]");
  if (tip) tip.textContent = list.selectedOptions[0]?.defaultSelected ? "" : (list.dataset.hint ?? "");
}
