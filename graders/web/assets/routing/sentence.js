// The finding as a sentence: each number in it is a native slider, for the mouse, a finger and the arrow
// keys.

import { el } from "../lead/el.js";
import { several } from "../lead/several.js";

export const percent = (x, digits = 0) => `${(100 * x).toFixed(digits)} %`;

/** Seconds as ``3.4 hours`` or ``25 minutes``. */
export function hours(seconds) {
  if (seconds >= 5400) return `${(seconds / 3600).toFixed(1)} hours`;
  const minutes = Math.max(1, Math.round(seconds / 60));
  return `${minutes} minute${minutes === 1 ? "" : "s"}`;
}

/**
 * A number with a slider over it. Dragging redraws what follows from it, and leaves the slider itself in the
 * hand.
 */
function number(key, label, text, { min, max, step, value, onchange, oninput }) {
  const input = el("input", {
    type: "range",
    min,
    max,
    step,
    value,
    "aria-label": label,
    "aria-valuetext": text,
    "data-key": key,
    onchange,
    oninput,
  });
  return el("span.num", {}, el("output", { "aria-hidden": "true" }, text), input);
}

export function sentence(found, now, go) {
  const { answers } = found.totals;
  const all = several(answers, found.unit.one, found.unit.many);
  const effort = now.seconds === null ? "" : ` (${hours(now.seconds)})`;
  const reach = found.curve.map((p) => p.answers);
  // Fewer: the least risk at which people read no more than that. More: the greatest at which they read as
  // much, or a step would fall back.
  const nearest = (wanted) => {
    const fits =
      wanted > now.answers
        ? found.curve.findLast((p) => p.answers >= wanted)
        : found.curve.find((p) => p.answers <= wanted);
    return (fits ?? found.curve.at(wanted > now.answers ? 0 : -1)).alpha;
  };
  const within = found.terms?.within ?? 0;
  const by = within ? ` by more than ${within} step${within === 1 ? "" : "s"}` : "";
  const others = found.people === null ? "." : `; human–human disagreement is ${percent(1 - found.people)}.`;
  const read = number(
    "read",
    `How many ${found.unit.many} people read`,
    `${now.answers.toLocaleString("en")} of ${all}`,
    {
      min: Math.min(...reach),
      max: Math.max(...reach),
      step: 1,
      value: now.answers,
      onchange: (e) => go.risk(nearest(Number(e.target.value))),
      oninput: (e) =>
        (e.target.previousSibling.textContent = `${Number(e.target.value).toLocaleString("en")} of ${all}`),
    },
  );
  const risk = number("risk", "Share of the machine's cells that may differ", percent(now.alpha), {
    min: 0.01,
    max: 0.3,
    step: 0.01,
    value: now.alpha,
    onchange: (e) => go.risk(Number(e.target.value)),
    oninput: (e) => (e.target.previousSibling.textContent = percent(Number(e.target.value))),
  });
  const sure = number("sure", "How sure the promise is", percent(1 - found.delta), {
    min: 0.7,
    max: 0.99,
    step: 0.01,
    value: 1 - found.delta,
    onchange: (e) => go.sure(Math.round(100 * (1 - Number(e.target.value))) / 100),
    oninput: (e) => (e.target.previousSibling.textContent = percent(Number(e.target.value))),
  });
  return el(
    "h1.say",
    {},
    "People read ",
    read,
    `${effort}; automatic grades differ from a person's${by} on at most `,
    risk,
    ", with ",
    sure,
    ` confidence${others}`,
  );
}

const words = {
  fix: "Fix these terms",
  anew: "Draw a new calibration sample",
  steps: "Steps that do not count",
  stepsHint:
    "On scales of four values or more: 1 means that one step off is no difference. A step of a " +
    "numeric range is a tenth of it",
  open: "Labels were opened",
  fixed: "Fixed",
  none: "Not fixed yet: the first draw fixes 10 %, with 90 % confidence.",
};

/**
 * What it costs, what is fixed, and the button that fixes other terms: before labels are opened, or with a
 * fresh draw.
 */
export function termsCard(found, now, state, act, saved) {
  const terms = found.terms;
  const within = el("select", { "aria-label": words.steps, title: words.stepsHint, "data-key": "within" });
  within.append(
    ...[0, 1, 2, 3].map((n) =>
      el(
        "option",
        { value: n, selected: n === (terms?.within ?? 0) },
        n === 0 ? "exact value" : `${n} step${n === 1 ? "" : "s"} off is fine`,
      ),
    ),
  );
  const opened =
    Object.values(terms?.tasks ?? {})
      .map((t) => t.opened)
      .filter(Boolean)
      .sort()[0] ?? "";
  const wanted = () => ({
    alpha: now.alpha,
    delta: state.delta ?? found.delta,
    within: Number(within.value),
  }); // what the sentence shows, also while its figures are on their way
  const said = !terms
    ? words.none
    : `${words.fixed} ${terms.at.slice(0, 10)}: at most ${percent(terms.alpha)}, with ` +
      (`${percent(1 - terms.delta)} confidence` +
        `${terms.within ? `, ${terms.within} step${terms.within === 1 ? "" : "s"} off is fine` : ""}. `) +
      `${several(terms.drawn, found.unit.one, found.unit.many)} drawn. ` +
      `${opened ? `${words.open} ${opened.slice(0, 10)}: another number is exploratory.` : ""}`;
  const before = terms?.earlier
    ? ` ${several(terms.earlier, found.unit.one, found.unit.many)} of earlier draws ` +
      `${terms.earlier === 1 ? "is" : "are"} in no test under these terms.`
    : "";
  const free = Object.values(found.free).reduce((a, b) => a + b, 0);
  // Before the click: what becomes of proofs that stand.
  const same = () =>
    Object.values(terms?.tasks ?? {}).every((t) =>
      Object.entries(wanted()).every(([name, value]) => t[name] === value),
    );
  const stake = opened && free ? el("p.s", { role: "status" }) : null;
  const tell = () => stake?.replaceChildren(found.stake.all[same() ? "same" : "other"]);
  within.addEventListener("change", tell);
  tell();
  const count = el("input.wt", {
    type: "number",
    min: 1,
    max: free,
    value: Math.min(free, 60),
    "aria-label": `How many ${found.unit.many} to draw`,
    "data-key": "count",
  });
  const button = opened
    ? [
        el("label.s", {}, "with ", count, ` further ${found.unit.many}`),
        el(
          "button.btn",
          {
            type: "button",
            disabled: !free,
            "data-key": "anew",
            onclick: () =>
              count.reportValidity()
                ? act("/api/routing/draw", { answers: Number(count.value), ...wanted() })
                : null,
          },
          words.anew,
        ),
      ]
    : [
        el(
          "button.btn.p",
          { type: "button", "data-key": "fix", onclick: () => act("/api/routing/terms", wanted()) },
          words.fix,
        ),
      ];
  const figure = (name, value) => el("div", {}, el("div.s.m", {}, name), el("b.fig", {}, value));
  const figures = [
    figure("People", now.seconds === null ? "not timed yet" : hours(now.seconds)),
    figure(
      "Cells they grade",
      `${now.cells.toLocaleString("en")} of ${found.totals.cells.toLocaleString("en")}`,
    ),
    saved === null ? null : figure("Saves people", saved),
  ];
  return el(
    "section.card.terms",
    { "aria-label": "Terms" },
    el("div.bar.figrow", {}, figures),
    el("p.s.m", {}, said + before),
    stake,
    el("div.bar", {}, within, ...button),
  );
}
