// Audits of what the machine decided: drawn afterwards and graded blind, so that drift is seen; and what a
// run does with the evidence.

import { axis, dotRow } from "../lead/chart.js";
import { copyButton } from "../lead/copy.js";
import { el, fill, once } from "../lead/el.js";
import { several } from "../lead/several.js";
import { percent } from "./sentence.js";

const words = {
  none: (unit) =>
    `No automatic cell was audited yet. After routing, ${unit.many} with automatic cells are ` +
    "drawn and graded blind.",
  back: "If the alarm sounds, the cells go back to people at once.",
  voids: "A new judge, prompt, wording or task type voids a proof by itself.",
  promises: "What is proven is the machine's, what labels or audits speak against is people's",
  answer: "An answer that people read is graded whole",
  whole: (unit) => `${unit.one === "pair" ? "A pair" : "An answer or pair"} that people read is graded whole`,
  route: "Route again",
  press: "Nothing changes until you press.",
};

/**
 * `acts` does steps, each with a path and a body, before the page is drawn anew; `kept` holds ticks that were
 * not sent yet, and the line that says what the last routing came to.
 */
export function auditCard(found, acts, kept) {
  const rows = found.rows.filter((row) => row.audit.audits || row.audit.alarm || row.audit.objection);
  const rang = rows.some((row) => row.audit.alarm);
  const to = Math.max(0.3, ...rows.map((row) => row.audit.high ?? 0));
  const wide = to > 0.5 ? 0.2 : 0.1;
  const ticks = Array.from({ length: Math.floor(to / wide + 1e-9) + 1 }, (_, i) => i * wide);
  const title = !rows.length ? "Audits" : rang ? "Audits: the alarm sounded" : "Audits: no alarm so far";
  const lines = rows.flatMap((row) => line(row, to, ticks));
  const list = el("ul", {}, el("li", {}, words.back), el("li.m", {}, words.voids));
  return el(
    "section.card",
    {},
    el(
      "header",
      {},
      el("h2", {}, title),
      el("span.r", {}, "error rate, 95 % CI; vertical line: guaranteed maximum"),
    ),
    rows.length
      ? el(
          "div.aud",
          {},
          lines,
          el("span"),
          el(
            "div.axp",
            {},
            axis(
              ticks.map((t) => 100 * t),
              0,
              100 * to,
              0,
            ),
          ),
          el("span.s.m", {}, "%"),
        )
      : el("p.m", {}, words.none(found.unit)),
    list,
    settings(found, acts, kept),
  );
}

function line(row, to, ticks) {
  const a = row.audit;
  const name = el("div", {}, el("div.b", {}, row.title), el("div.s.m", {}, row.task_type));
  const label = a.audits
    ? `${a.errors} of ${several(a.audits, "audit")} ` +
      `off${a.low === null ? "" : `, between ${percent(a.low)} and ${percent(a.high)}`}`
    : "no audits";
  const drawing = a.audits
    ? dotRow({
        value: a.errors / a.audits,
        low: a.low,
        high: a.high,
        from: 0,
        to,
        label,
        grey: a.audits < 25,
        ticks,
        band: { value: a.alpha, low: null, high: null },
      })
    : el("div");
  const next =
    a.alarm ||
    a.objection ||
    (a.rings === null
      ? `Next look at ${a.next}.`
      : `Next check after ${several(a.next, "audit")}; ${several(a.rings, "error")} raise an alert.`);
  const said = el(
    a.alarm || a.objection ? "p.note.wide" : "p.s.m.wide",
    {},
    next,
    " ",
    a.sentence ? copyButton(a.sentence, "Copy") : null,
  );
  return [name, drawing, el("div.n", {}, a.audits ? `${a.errors} of ${a.audits}` : "–"), said];
}

/** What a run does with all this; nothing changes until the button is pressed. */
function settings(found, acts, kept) {
  const box = (key, text) => {
    const input = el("input", {
      type: "checkbox",
      checked: kept[key] ?? found.settings[key],
      "data-key": key,
      onchange: () => (kept[key] = input.checked),
    });
    return [input, el("label.check", {}, input, ` ${text}`)];
  };
  const [promises, one] = box("promises", words.promises);
  const [whole, two] = box("whole", found.unit.one === "answer" ? words.answer : words.whole(found.unit));
  const keep = async () => {
    const changes = { promises: promises.checked, whole: whole.checked };
    const done = await acts([
      ["/api/settings", { changes }],
      ["/api/route", {}],
    ]);
    if (!done) return;
    for (const [name, sent] of Object.entries(changes)) if (kept[name] === sent) delete kept[name];
    fill(kept.said, routed(done.routes));
  };
  kept.said ??= el("span.s.m", { role: "status" }, words.press);
  return el(
    "div.cols",
    {},
    one,
    two,
    el(
      "div.bar",
      {},
      el(
        "button.btn",
        { type: "button", "data-key": "route", onclick: (event) => once(event.currentTarget, keep) },
        words.route,
      ),
      kept.said,
    ),
  );
}

/** How many cells each route has now; `routes`: route -> reason -> cells. */
function routed(routes) {
  const count = (name) => Object.values(routes[name] ?? {}).reduce((sum, n) => sum + n, 0);
  const people = count("people");
  return (
    `Routed: ${people.toLocaleString("en")} ${people === 1 ? "cell" : "cells"} to people, ` +
    `${count("automatic").toLocaleString("en")} to the machine.`
  );
}
