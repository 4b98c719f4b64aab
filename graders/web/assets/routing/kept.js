// Imported labels that wait for their test: terms and order are fixed, then they are opened.

import { el, once } from "../lead/el.js";

export function keptCard(found, act) {
  if (!found.kept.length) return null;
  const half = (one) =>
    el(
      "div",
      {},
      el("p", { dir: "auto" }, one.words),
      one.stake ? el("p.s", {}, one.stake) : null,
      el(
        "button.btn.p",
        {
          type: "button",
          disabled: !one.ready,
          "data-key": `open ${one.id}`,
          onclick: (event) => once(event.currentTarget, () => act("/api/routing/open", { import: one.id })),
        },
        "Fix terms and order, then open",
      ),
    );
  return el(
    "section.card",
    { "aria-label": "Imported labels kept for a test" },
    el("header", {}, el("h2", {}, "Imported labels kept for a test")),
    found.kept.map(half),
  );
}
