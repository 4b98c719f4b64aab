// Dialogs: all keys, the reason of a skip, the comment, and who you are. One at a time, each closes with Esc.
/** @import { Kid } from "./dom.js" */
/** @import { Words } from "./words.js" */
import { CTRL, el } from "./dom.js";
import { keyTable } from "./keys.js";

/**
 * @typedef {object} DialogOf
 * @property {string} title
 * @property {Kid} body
 * @property {Words} t
 * @property {() => void} [onClose]
 * @property {boolean} [wide]
 * @property {boolean} [closable]
 */

/**
 * Open a modal with a heading; `onClose` runs however it closes. One that is not `closable` ends by its own
 * `close` alone. Returns `{dialog, close}`.
 * @param {HTMLElement} root
 * @param {DialogOf} dialog
 */
export function openDialog(root, { title, body, t, onClose, wide = false, closable = true }) {
  const before = document.activeElement;
  let over = closable;
  const cross = closable
    ? el(
        "button",
        {
          type: "button",
          class: "cg-btn quiet",
          "aria-label": t("dialog.close"),
          onclick: () => void dialog.close(),
        },
        el("kbd", {}, "Esc"),
      )
    : null;
  const dialog = el(
    "dialog",
    { class: `cg-dialog${wide ? " wide" : ""}`, "aria-label": title },
    el("div", { class: "cg-dialog-head" }, el("h2", {}, title), cross),
    body,
  );
  dialog.addEventListener("click", (event) => closable && event.target === dialog && dialog.close());
  dialog.addEventListener("cancel", (event) => closable || event.preventDefault());
  dialog.addEventListener("keydown", (event) => closable || event.key !== "Escape" || event.preventDefault());
  dialog.addEventListener("close", () => {
    if (!over) return dialog.showModal(); // a browser closes a dialog that refused once or twice
    dialog.remove();
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    onClose?.();
  });
  root.append(dialog);
  dialog.showModal();
  const close = () => {
    over = true;
    dialog.close();
  };
  return { dialog, close };
}

/**
 * Every key with what it does.
 * @param {HTMLElement} root
 * @param {{t: Words, autoMove: boolean, setAutoMove: (on: boolean) => void}} help
 */
export function helpDialog(root, { t, autoMove, setAutoMove }) {
  const list = el(
    "dl",
    { class: "cg-keys" },
    keyTable(CTRL).map(([keys, word]) =>
      el(
        "div",
        {},
        el(
          "dt",
          {},
          keys.split("  ").map((key) => el("kbd", {}, key.trim())),
        ),
        el("dd", {}, t(word)),
      ),
    ),
  );
  const box = el("input", {
    type: "checkbox",
    checked: autoMove,
    onchange: () => void setAutoMove(box.checked),
  });
  const toggle = el("label", { class: "cg-check" }, box, t("help.auto_move"));
  const { dialog } = openDialog(root, {
    title: t("help.title"),
    body: [list, toggle, el("p", { class: "cg-muted" }, t("help.layouts"))],
    t,
    wide: true,
  });
  dialog.addEventListener("keydown", (event) => event.key === "?" && dialog.close());
  dialog.focus();
}

const REASONS = ["unknown_subject", "unknown_language", "broken", "unpleasant"];

/**
 * Why this screen is skipped: a digit chooses, or words of one's own.
 * @param {HTMLElement} root
 * @param {{t: Words, skip: (reason: string) => unknown}} reason
 */
export function skipDialog(root, { t, skip }) {
  const own = el("input", {
    type: "text",
    class: "cg-input",
    placeholder: t("skip.own"),
    "aria-label": t("skip.own"),
    maxlength: "500",
  });
  /** @param {string} reason */
  const choose = (reason) => {
    close();
    skip(reason);
  };
  const choices = REASONS.map((name, place) =>
    el(
      "button",
      { type: "button", class: "cg-btn", onclick: () => choose(name) },
      el("span", {}, t(`skip.${name}`)),
      el("kbd", {}, String(place + 1)),
    ),
  );
  const form = el(
    "form",
    { class: "cg-choices" },
    choices,
    el(
      "div",
      { class: "cg-line" },
      own,
      el("button", { class: "cg-btn primary" }, t("skip.do"), el("kbd", {}, "Enter")),
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = own.value.trim();
    if (text) choose(text);
    else own.focus();
  });
  form.addEventListener("keydown", (event) => {
    if (event.target === own && own.value) return;
    const digit = /^Digit([1-4])$/.exec(event.code)?.[1] ?? /^[1-4]$/.exec(event.key)?.[0];
    if (!digit || event.isComposing) return;
    event.preventDefault();
    choose(REASONS[Number(digit) - 1]);
  });
  const { close } = openDialog(root, { title: t("skip.title"), body: [form], t });
  choices[0].focus();
}

/**
 * A comment on the screen; what is typed is kept as it is typed.
 * @param {HTMLElement} root
 * @param {{t: Words, text: string, keep: (text: string) => void, onClose: () => void}} comment
 */
export function commentDialog(root, { t, text, keep, onClose }) {
  const field = el("textarea", {
    class: "cg-input",
    rows: "5",
    dir: "auto",
    "aria-label": t("comment.title"),
    placeholder: t("comment.hint"),
    maxlength: "5000",
  });
  field.value = text;
  field.addEventListener("input", () => keep(field.value));
  const done = el(
    "button",
    { type: "button", class: "cg-btn primary", onclick: () => close() },
    t("comment.done"),
    el("kbd", {}, "Esc"),
  );
  const { close } = openDialog(root, {
    title: t("comment.title"),
    body: [
      field,
      el(
        "div",
        { class: "cg-line end" },
        el("span", { class: "cg-muted" }, t("comment.saves", { key: `${CTRL}+Enter` })),
        done,
      ),
    ],
    t,
    onClose,
  });
  field.focus();
}

/**
 * Ask for a name, and for its code where it is in use; `choose` answers with what became of it. A code that
 * was made just now is told before `known` goes on.
 * @param {HTMLElement} root
 * @param {{t: Words, choose: (name: string, code: string) => Promise<Named>, known: () => unknown}} who
 * @typedef {{error?: string, ask?: string, told?: string}} Named
 */
export function whoDialog(root, { t, choose, known }) {
  const field = { type: "text", class: "cg-input", dir: "auto" };
  const name = el("input", { ...field, autocomplete: "name", required: true, maxlength: "80", id: "cg-who" });
  const code = el("input", { ...field, autocomplete: "off", maxlength: "20", id: "cg-code" });
  const asked = el("label", { for: "cg-code" });
  const coded = el("div", { hidden: true }, asked, code);
  const wrong = el("p", { class: "cg-wrong", role: "alert" });
  const look = el("p", { hidden: true }, el("a", { href: "/results" }, t("who.look")));
  const button = el("button", { class: "cg-btn primary" }, t("who.start"), el("kbd", {}, "Enter"));
  const line = el("div", { class: "cg-line end" }, button);
  const form = el(
    "form",
    { class: "cg-choices" },
    el("label", { for: "cg-who" }, t("who.label")),
    name,
    coded,
    wrong,
    look,
    el("p", { class: "cg-muted" }, t("who.why")),
    line,
  );
  let over = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (over) return close();
    if (!name.value.trim()) return name.focus();
    const { error = "", ask = "", told = "" } = await choose(name.value.trim(), code.value);
    wrong.textContent = error;
    look.hidden = !error; // nobody is held up here: the rest can be looked at without a name
    if (ask) {
      asked.textContent = ask;
      coded.hidden = false;
      return code.focus();
    }
    if (error) return;
    over = true;
    if (!told) return close();
    form.replaceChildren(el("p", { role: "status" }, told), line);
    button.focus();
  });
  const shown = { title: t("who.title"), body: [form], t, closable: false, onClose: known };
  const { close } = openDialog(root, shown);
  name.focus();
}

/**
 * Tell a person something once. Enter of somebody who is quick does not close it unread: the text has the
 * focus, Esc and a button go on.
 * @param {HTMLElement} root
 * @param {Words} t
 * @param {{title: string, text: string}} told
 */
export function tellOnce(root, t, { title, text }) {
  const said = el("p", { tabindex: "-1" }, text);
  const button = el(
    "button",
    { type: "button", class: "cg-btn", onclick: () => close() },
    t("practice.go_on"),
  );
  const { close } = openDialog(root, { title, body: [said, el("div", { class: "cg-line end" }, button)], t });
  said.focus();
}
