// Audits of what the machine decided: drawn afterwards and graded blind, so that drift is seen; and what a run does with the evidence.

import { axis, dotRow } from "../lead/chart.js";
import { el } from "../lead/el.js";
import { percent } from "./sentence.js";

const words = {
  none: "No automatic cell was audited yet. After routing, answers with automatic cells are drawn and graded blind.",
  back: "If the alarm sounds, the cells go back to people at once.",
  voids: "A new judge, prompt, wording or task type voids a proof by itself.",
  promises: "What is proven is the machine's, what labels or audits speak against is people's",
  whole: "An answer that people read is graded whole",
  route: "Route again",
};

export function auditCard(found, project, act) {
  const rows = found.rows.filter((row) => row.audit.audits || row.audit.alarm || row.audit.objection);
  const rang = rows.some((row) => row.audit.alarm);
  const to = Math.max(0.3, ...rows.map((row) => row.audit.high ?? 0));
  const ticks = [0, 0.1, 0.2, 0.3].filter((t) => t <= to);
  const title = !rows.length ? "Audits" : rang ? "Audits: the alarm sounded" : "Audits: no alarm so far";
  const lines = rows.flatMap((row) => line(row, to, ticks));
  const list = el("ul", {}, el("li", {}, words.back), el("li.m", {}, words.voids));
  return el("section.card", {}, el("header", {}, el("h2", {}, title), el("span.r", {}, "off, 95 % interval; upright line: the promise")), rows.length ? el("div.aud", {}, lines, el("span"), el("div.axp", {}, axis(ticks.map((t) => 100 * t), 0, 100 * to, 0)), el("span.s.m", {}, "%")) : el("p.m", {}, words.none), list, settings(found, project, act));
}

function line(row, to, ticks) {
  const a = row.audit;
  const name = el("div", {}, el("div.b", {}, row.title), el("div.s.m", {}, row.task_type));
  const label = a.audits ? `${a.errors} of ${a.audits} audits off${a.low === null ? "" : `, between ${percent(a.low)} and ${percent(a.high)}`}` : "no audits";
  const drawing = a.audits ? dotRow({ value: a.errors / a.audits, low: a.low, high: a.high, from: 0, to, label, grey: a.audits < 25, ticks, band: { value: a.alpha, low: null, high: null } }) : el("div");
  const next = a.alarm || a.objection || (a.rings === null ? `Next look at ${a.next}.` : `Next look at ${a.next} audits: ${a.rings} off ring the alarm.`);
  const said = el(a.alarm || a.objection ? "p.note.wide" : "p.s.m.wide", {}, next);
  return [name, drawing, el("div.n", {}, a.audits ? `${a.errors} of ${a.audits}` : "–"), said];
}

/** What a run does with all this; nothing changes until the button is pressed. */
function settings(found, project, act) {
  const box = (key, text) => {
    const input = el("input", { type: "checkbox", checked: found.settings[key], "data-key": key });
    return [input, el("label.check", {}, input, ` ${text}`)];
  };
  const [promises, one] = box("promises", words.promises);
  const [whole, two] = box("whole", words.whole);
  const keep = async () => {
    await act("/api/settings", { changes: { promises: promises.checked, whole: whole.checked } });
    await act("/api/route", {});
  };
  return el("div.cols", {}, one, two, el("div.bar", {}, el("button.btn", { type: "button", "data-key": "route", onclick: keep }, words.route), el("span.s.m", {}, "Nothing changes until you press.")));
}
