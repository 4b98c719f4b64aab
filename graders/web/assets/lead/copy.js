// A figure as a sentence, to be pasted into a report.

import { el } from "./el.js";

const words = {
  copy: "Copy as sentence",
  copied: "Copied",
  failed: "Could not be copied: select the sentence in the dialog",
  close: "Close",
};

/**
 * A small button that puts `sentence` into the clipboard; where the browser forbids that, the sentence is
 * shown to be selected.
 */
export function copyButton(sentence, label = words.copy) {
  // There are many of them on a page: each is called by what it copies.
  const called = `${label}: ${sentence}`;
  const button = el(
    "button.btn.xs.q.cp",
    { type: "button", title: `${words.copy}: ${sentence}`, "aria-label": called },
    label,
  );
  const say = (text, heard) => ((button.textContent = text), button.setAttribute("aria-label", heard));
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(sentence);
      say(words.copied, words.copied);
      setTimeout(() => say(label, called), 2000);
    } catch {
      shown(sentence, button);
    }
  });
  return button;
}

function shown(sentence, button) {
  const text = el("textarea.txt", { readonly: true, rows: "6", "aria-label": words.copy }, sentence);
  const dialog = el(
    "dialog",
    { "aria-label": words.copy },
    el("p.s.m", {}, words.failed),
    text,
    el("div.bar", {}, el("button.btn", { type: "button", onclick: () => dialog.close() }, words.close)),
  );
  dialog.addEventListener("close", () => (dialog.remove(), button.focus()));
  button.closest(".cgl").append(dialog);
  dialog.showModal();
  text.select();
}
