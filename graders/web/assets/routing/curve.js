// What people must read for each risk: a line over the accepted risk, the chosen point on it.

import { el } from "../lead/el.js";
import { several } from "../lead/several.js";
import { hours, percent } from "./sentence.js";

const capital = (text) => text[0].toUpperCase() + text.slice(1);
const SVG = "http://www.w3.org/2000/svg";

function svg(tag, attributes, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

export function curveCard(found, now, choose) {
  const timed = found.effort !== null;
  const value = (p) => (timed ? p.seconds : p.answers);
  const most = Math.max(...found.curve.map(value), 1);
  const last = found.curve.at(-1).alpha;
  const x = (alpha) => (100 * alpha) / last;
  const y = (p) => 100 - (100 * value(p)) / most;
  const line = found.curve
    .map((p, i) => `${i ? "L" : "M"}${x(p.alpha).toFixed(2)} ${y(p).toFixed(2)}`)
    .join(" ");
  const drawing = svg(
    "svg",
    { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" },
    ...[0, 25, 50, 75, 100].map((g) => svg("path", { class: g === 100 ? "bs" : "gr", d: `M0 ${g}H100` })),
    svg("path", { class: "ar", d: `${line} L100 100 L${x(found.curve[0].alpha).toFixed(2)} 100Z` }),
    svg("path", { class: "hp", d: `M${x(now.alpha)} 100V${y(now)}H0` }),
    svg("path", { class: "ln", d: line }),
  );
  const tick = (share) =>
    timed ? hours(Math.max(60, share * most)) : Math.round(share * most).toLocaleString("en");
  const marks = [0.5, 1].map((s) => el("span.w.y", { style: { top: `${100 - 100 * s}%` } }, tick(s)));
  const risks = [0, 0.1, 0.2, 0.3]
    .filter((a) => a <= last)
    .map((a) => el("span.w.x", { style: { left: `${x(a)}%` } }, percent(a)));
  const right = x(now.alpha) > 38;
  const read =
    `${now.answers.toLocaleString("en")} of ` +
    `${several(found.totals.answers, found.unit.one, found.unit.many)}`;
  const label = el(
    right ? "span.w.at.ra" : "span.w.at",
    {
      style: {
        left: `${x(now.alpha)}%`,
        top: y(now) < 30 ? `calc(${y(now)}% + 8px)` : `calc(${y(now)}% - 46px)`,
        "max-width": `${right ? x(now.alpha) : 100 - x(now.alpha)}%`,
      },
    },
    el("b", {}, `${percent(now.alpha)}: ${timed ? hours(now.seconds) : read}`),
    el("br"),
    el("span.m", {}, `${read}, ${several(now.cells, "cell")}`),
  );
  const spoken = `What people must read: ${found.curve
    .filter((_, i) => i % 5 === 4)
    .map((p) => `${percent(p.alpha)}: ${several(p.answers, found.unit.one, found.unit.many)}`)
    .join("; ")}`;
  const area = el(
    "div.rplot",
    {
      role: "img",
      "aria-label": spoken,
      onclick: (event) => {
        const box = event.currentTarget.getBoundingClientRect();
        choose(Math.min(last, Math.max(0.01, ((event.clientX - box.left) / box.width) * last)));
      },
    },
    drawing,
    marks,
    risks,
    el("i.mk.f", { style: { left: `${x(now.alpha)}%`, top: `${y(now)}%` } }),
    label,
  );
  const table = el(
    "details",
    {},
    el("summary.s.m", {}, "As a table"),
    el(
      "div.scroll",
      {},
      el(
        "table",
        {},
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            ["At most", capital(found.unit.many), "Cells", "Time"].map((t) => el("th.n", {}, t)),
          ),
        ),
        el(
          "tbody",
          {},
          found.curve.map((p) =>
            el(
              "tr",
              {},
              el("td.n", {}, percent(p.alpha)),
              el("td.n", {}, p.answers.toLocaleString("en")),
              el("td.n", {}, p.cells.toLocaleString("en")),
              el("td.n", {}, p.seconds === null ? "–" : hours(p.seconds)),
            ),
          ),
        ),
      ),
    ),
  );
  const cost = timed
    ? `${Math.round(found.effort.per_answer)} s to read ` +
      (`${found.unit.one === "pair" ? "a pair" : `an ${found.unit.one}`}` +
        `${found.effort.per_cell ? `, ${found.effort.per_cell.toFixed(1)} s to grade a cell` : ""}; `) +
      `from ${several(found.effort.screens, "screen")}`
    : "How long it takes is known once three screens were timed";
  return el(
    "section.card",
    {},
    el(
      "header",
      {},
      el("h2", {}, "What people must read, for each risk you accept"),
      el("span.r", {}, `with ${percent(1 - found.delta)} confidence`),
    ),
    area,
    el("p.s.m.mid2", {}, "accepted risk: the machine's cells off, at most →"),
    el(
      "p.s.m",
      {},
      `At ${percent(now.alpha)} people grade ${now.cells.toLocaleString("en")} of ` +
        `${several(found.totals.cells, "cell")}. ${cost}.`,
    ),
    table,
  );
}
