// Routing: a sentence with numbers to drag, the curve behind it, who decides what, terms and draws, a plan
// from hours.

import { postJSON, query } from "../lead/api.js";
import { copyButton } from "../lead/copy.js";
import { el, fill } from "../lead/el.js";
import { arrived, empty, frame, problem } from "../lead/frame.js";
import { whole } from "../lead/reading.js";
import { auditCard } from "./audits.js";
import { curveCard } from "./curve.js";
import { keptCard } from "./kept.js";
import { kindsCard } from "./kinds.js";
import { orderCard } from "./order.js";
import { planCard } from "./plan.js";
import { placingCard } from "./placing.js";
import { hours, sentence, termsCard } from "./sentence.js";

const words = {
  nothing: "There is something to decide once answers are imported and routed.",
  run: "Start a run",
  agree: "Draw them without suggestions",
  whole: (unit) => `${unit.many[0].toUpperCase()}${unit.many.slice(1)} that are read are graded whole`,
  wholeHint: "A cell that is saved where people read anyway saves little reading",
};

/** The status of an answer that asks for the lead's consent. */
const CONSENT = 428;

export async function start(mount) {
  const { main, data, project } = await frame(mount, "/routing");
  if (!project) return empty(main, "There is nothing to route yet.");
  // `kept` is over a new drawing: what is chosen and not yet sent.
  const state = { alpha: null, delta: null, whole: null, found: null, kept: {} };
  const top = el("div.rtop");
  const status = el("div", { role: "status" });
  const curve = el("div");
  const kinds = el("div");
  const waiting = el("div");
  const audits = el("div");
  const order = el("div");
  const plan = el("div");
  const placing = el("div");
  fill(
    main,
    top,
    status,
    el(
      "div.cols.rcols",
      {},
      el("div.main-col", {}, curve, audits, order),
      el("div.main-col", {}, waiting, kinds, plan, placing),
    ),
  );
  let asked = 0;
  let planned = null;
  const doing = new Set();

  async function load() {
    const mine = ++asked;
    const options = { project, delta: state.delta, whole: state.whole === null ? null : Number(state.whole) };
    try {
      const found = await whole("/api/routing", options, status, () => mine === asked);
      if (mine !== asked) return;
      state.found = found;
      draw();
    } catch (error) {
      if (mine === asked) fill(status, problem(error));
    }
  }

  const act = (path, body) => acts([[path, body]]);

  /**
   * Do what a button says, step by step ([path, body]), then show things as they are now; returns the last
   * reply, null after a failure.
   */
  async function acts(steps) {
    const key = JSON.stringify(steps);
    if (doing.has(key)) return null; // pressed again on a button that was drawn anew meanwhile
    doing.add(key);
    try {
      let done = null;
      for (const [path, body] of steps) done = await postJSON(path, { project, ...body });
      state.delta = null;
      state.alpha = null;
      await load();
      planned?.again();
      return done;
    } catch (error) {
      fill(status, problem(error), error.status === CONSENT ? agree(steps) : null);
      status.scrollIntoView({ block: "nearest" });
      return null;
    } finally {
      doing.delete(key);
    }
  }

  /** More than half would be drawn: the lead may agree to the same steps. */
  const agree = (steps) =>
    el(
      "button.btn",
      {
        type: "button",
        onclick: () => acts(steps.map(([path, body]) => [path, { ...body, consent: true }])),
      },
      words.agree,
    );

  /** The point of the curve at the risk that was chosen. */
  const point = () => {
    const wanted = state.alpha ?? state.found.alpha;
    return state.found.curve.reduce((best, p) =>
      Math.abs(p.alpha - wanted) < Math.abs(best.alpha - wanted) ? p : best,
    );
  };

  function draw() {
    const found = state.found;
    if (!found.rows.length) {
      fill(
        top,
        el("h1", {}, `${found.title}.`),
        el("p.m", {}, words.nothing),
        el("div.bar", {}, el("a.btn", { href: "/run" + query({ project }) }, words.run)),
      );
      arrived(top);
      return;
    }
    const notice = data.notice ? el("span.notice", {}, data.notice) : null;
    const say = sentence(found, point(), {
      risk: (alpha) => ((state.alpha = alpha), moved()),
      sure: (delta) => ((state.delta = delta), load()),
    });
    const now = point();
    const all =
      found.effort &&
      found.totals.answers * found.effort.per_answer + found.totals.cells * found.effort.per_cell;
    const saved = all && all - now.seconds >= 60 ? hours(all - now.seconds) : null;
    const label = el(
      "label.check",
      { title: words.wholeHint },
      el("input", {
        type: "checkbox",
        "data-key": "whole",
        checked: found.whole,
        onchange: (event) => ((state.whole = event.target.checked), load()),
      }),
      ` ${words.whole(found.unit)}`,
    );
    const told = `${say.textContent} ${found.title}. ${found.basis}`;
    fill(
      top,
      el(
        "div",
        {},
        say,
        el("p.m", {}, `${found.title}. ${found.basis} `, copyButton(told), " ", notice),
        label,
      ),
      termsCard(found, now, state, act, saved),
    );
    arrived(top);
    fill(
      curve,
      curveCard(found, now, (alpha) => ((state.alpha = alpha), moved())),
    );
    fill(waiting, keptCard(found, act));
    fill(kinds, kindsCard(found, project, act));
    fill(audits, auditCard(found, acts, state.kept));
    fill(order, orderCard(found, act, state.kept));
    fill(placing, placingCard(found, project, act, state.kept));
    if (planned) return;
    planned = planCard(project, act);
    fill(plan, planned.card);
  }

  /** A number was dragged: sentence, terms and curve follow; what has the focus keeps it. */
  function moved() {
    draw();
  }

  await load();
}
