// In which order people get the screens that are not drawn, and the choice of another one.

import { el } from "../lead/el.js";

export const ORDERS = { adaptive: "Likeliest errors first", came: "As answers came in", question: "Question after question" };

export function orderCard(found, act) {
  const { setting, words } = found.order;
  const select = el("select", { "aria-label": "Order of screens", "data-key": "order" }, Object.entries(ORDERS).map(([value, text]) => el("option", { value, selected: value === setting }, text)));
  const use = () => act("/api/settings", { changes: { review_order: select.value } });
  const button = el("button.btn", { type: "button", "data-key": "use order", onclick: use }, "Use this order");
  return el("section.card", {}, el("header", {}, el("h2", {}, "Review order")), el("p", { role: "status" }, words), el("p.s.m", {}, "Screens that were drawn keep their places and their chances."), el("div.bar", {}, select, button));
}
