// Estimate and interval on an axis: dot = estimate, line = 95 % interval, band = ceiling, hollow = machine,
// filled = people.

import { el } from "./el.js";

/** Where `value` lies between `from` and `to`, in percent. */
const at = (value, from, to) => Math.max(0, Math.min(100, (100 * (value - from)) / (to - from)));

/** The same as a length of CSS. */
export const place = (value, from, to) => `${at(value, from, to).toFixed(2)}%`;

/**
 * One row: `{value, low, high, from, to, label, hollow, grey, band: {value, low, high}, second}`. `second` is
 * a further estimate, drawn as a small mark; `label` is read out instead of the drawing.
 * @param {Record<string, any>} row
 */
export function dotRow({
  value,
  low,
  high,
  from,
  to,
  label,
  hollow = false,
  grey = false,
  band = null,
  second = null,
  ticks = [],
}) {
  const left = (x) => place(x, from, to);
  const span = (a, b) => ({ left: left(a), width: `${(at(b, from, to) - at(a, from, to)).toFixed(2)}%` });
  const known = (x) => x !== null && x !== undefined;
  return el(
    "div.dt",
    { role: "img", "aria-label": label },
    ticks.map((tick) => el("i.gl", { style: { left: left(tick) } })),
    band && known(band.low) ? el("i.band", { style: span(band.low, band.high) }) : null,
    band && known(band.value) ? el("i.mid", { style: { left: left(band.value) } }) : null,
    known(low) ? el(grey ? "i.iv.g" : "i.iv", { style: span(low, high) }) : null,
    known(second) ? el("i.mk.d", { style: { left: left(second), width: "7px", height: "7px" } }) : null,
    known(value) ? el(grey ? "i.mk.g" : hollow ? "i.mk" : "i.mk.f", { style: { left: left(value) } }) : null,
  );
}

/** The numbers above a chart. */
export function axis(ticks, from, to, decimals = 1) {
  return el(
    "div.ax",
    { "aria-hidden": "true" },
    ticks.map((tick) => el("span", { style: { left: `${at(tick, from, to)}%` } }, tick.toFixed(decimals))),
  );
}

/** Round numbers between `from` and `to`, at most seven. */
export function steps(from, to) {
  const wide =
    [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100].find((s) => (to - from) / s <= 6) ?? (to - from) / 4;
  const first = Math.ceil(from / wide - 1e-9) * wide;
  return Array.from({ length: Math.floor((to - first) / wide + 1e-9) + 1 }, (_, i) => first + i * wide);
}
