// Estimate and interval on an axis: dot = estimate, line = 95 % interval, band = ceiling, hollow = machine, filled = people.

import { el } from "./el.js";

/** Where `value` lies between `from` and `to`, in percent. */
const at = (value, from, to) => Math.max(0, Math.min(100, (100 * (value - from)) / (to - from)));

/**
 * One row: `{value, low, high, from, to, label, hollow, grey, band: {value, low, high}, second}`. `second` is a further
 * estimate, drawn as a small mark; `label` is read out instead of the drawing.
 */
export function dotRow({ value, low, high, from, to, label, hollow = false, grey = false, band = null, second = null, ticks = [] }) {
  const place = (x) => `${at(x, from, to).toFixed(2)}%`;
  const span = (a, b) => ({ left: place(a), width: `${(at(b, from, to) - at(a, from, to)).toFixed(2)}%` });
  const known = (x) => x !== null && x !== undefined;
  return el(
    "div.dt",
    { role: "img", "aria-label": label },
    ticks.map((tick) => el("i.gl", { style: { left: place(tick) } })),
    band && known(band.low) ? el("i.band", { style: span(band.low, band.high) }) : null,
    band && known(band.value) ? el("i.mid", { style: { left: place(band.value) } }) : null,
    known(low) ? el(grey ? "i.iv.g" : "i.iv", { style: span(low, high) }) : null,
    known(second) ? el("i.mk.d", { style: { left: place(second), width: "7px", height: "7px" } }) : null,
    known(value) ? el(grey ? "i.mk.g" : hollow ? "i.mk" : "i.mk.f", { style: { left: place(value) } }) : null,
  );
}

/** The numbers above a chart. */
export function axis(ticks, from, to, decimals = 1) {
  return el("div.ax", { "aria-hidden": "true" }, ticks.map((tick) => el("span", { style: { left: `${at(tick, from, to)}%` } }, tick.toFixed(decimals))));
}
