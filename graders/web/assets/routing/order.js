// In which order people get the screens that are not drawn, and the choice of another one.

import { el, once } from "../lead/el.js";

export const ORDERS = {
  adaptive: "Likeliest errors first",
  came: "As answers came in",
  question: "Question after question",
};

/** `kept` holds a choice that was not sent yet. */
export function orderCard(found, act, kept) {
  const { setting, words } = found.order;
  const select = el(
    "select",
    { "aria-label": "Order of screens", "data-key": "order" },
    Object.entries(ORDERS).map(([value, text]) =>
      el("option", { value, selected: value === (kept.order ?? setting) }, text),
    ),
  );
  select.addEventListener("change", () => (kept.order = select.value));
  const use = async () => {
    const order = select.value;
    if ((await act("/api/settings", { changes: { review_order: order } })) && kept.order === order)
      delete kept.order;
  };
  const button = el(
    "button.btn",
    { type: "button", "data-key": "use order", onclick: (event) => once(event.currentTarget, use) },
    "Use this order",
  );
  return el(
    "section.card",
    {},
    el("header", {}, el("h2", {}, "Review order")),
    el("p", { role: "status" }, words),
    el("p.s.m", {}, "Screens that were drawn keep their places and their chances."),
    el("div.bar", {}, select, button),
  );
}
