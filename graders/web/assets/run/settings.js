// What is drawn and who decides: a project's settings, and routing again.
import { postJSON } from "../lead/api.js";
import { el, fill, once } from "../lead/el.js";
import { problem } from "../lead/frame.js";
import { several } from "../lead/several.js";
import { ORDERS } from "../routing/order.js";

/** @type {[string, string, number][]} */
const FIELDS = [
  ["calibration", "Answers drawn for calibration, %", 100],
  ["audit", "Answers drawn for audit, %", 100],
  ["blind", "Screens that are blind, %", 100],
  ["repeat", "Repeated items for intra-rater agreement, %", 100],
  ["gold", "Screens that are gold questions, %", 100],
  ["control", "Screens that are copies with a seeded fault, %", 100],
  ["low_confidence", "People decide below a confidence of, %", 100],
  ["answers_per_screen", "Answers on a screen", 1],
  ["overlap", "Annotators per item (overlap)", 1],
];

const BATCH = "Blind screens in a batch";
const COST =
  "It costs labels: seeing the judges sways people towards them, so what somebody grades blind " +
  "after the first batch no longer counts as blind in Agreement.";

const CONSENT =
  "Draw more than half. Drawn answers get no suggestion, and a whole draw leaves nothing to automate.";

/**
 * The consent that a share above half asks for: shown while the field holds such a share, and more
 * than `before`.
 */
function consentBox(input, before) {
  const box = el("input", { type: "checkbox" });
  const node = el("label.check", { hidden: true }, box, el("span", {}, CONSENT));
  const asked = () => Number(input.value.replace(",", ".")) / 100 > Math.max(0.5, before);
  input.addEventListener("input", () => {
    node.hidden = !asked();
    if (node.hidden) box.checked = false;
  });
  return { node, given: () => asked() && box.checked };
}

/**
 * The card of a project's settings, from /api/settings; `changed()` is called after cells were routed again.
 */
export function settingsCard(project, found, changed) {
  const state = el("p.s", { role: "status", "aria-live": "polite" });
  const inputs = FIELDS.map(([name, label, unit]) => {
    const input = el("input.txt.num", {
      inputmode: "decimal",
      value: String(Math.round(found.settings[name] * unit * 100) / 100),
      "aria-label": label,
    });
    return { name, unit, input, node: el("label.row", {}, el("span", {}, label), input) };
  });
  const share = el("p.s", { role: "status", "aria-live": "polite" }, found.sample.words);
  const consent = consentBox(inputs[0].input, found.settings.calibration);
  const metric = el("input", { type: "checkbox", checked: found.settings.judge_against_metric });
  const reveal = el("input", {
    type: "checkbox",
    checked: found.settings.reveal,
    "aria-describedby": "reveal-cost",
  });
  const batch = el("input.txt.num", {
    inputmode: "numeric",
    value: String(found.settings.reveal_batch),
    "aria-label": BATCH,
  });
  const names = el("input", { type: "checkbox", checked: found.settings.show_models });

  const order = el(
    "select",
    { "aria-label": "Review order" },
    Object.entries(ORDERS).map(([value, text]) =>
      el("option", { value, selected: value === found.settings.review_order }, text),
    ),
  );

  async function keep() {
    const changes = {
      review_order: order.value,
      show_models: names.checked,
      judge_against_metric: metric.checked,
      reveal: reveal.checked,
      reveal_batch: Number(batch.value),
    };
    for (const { name, unit, input } of inputs) changes[name] = Number(input.value.replace(",", ".")) / unit;
    try {
      const { sample } = await postJSON("/api/settings", { project, changes, consent: consent.given() });
      share.textContent = sample.words;
      state.textContent =
        "Kept. The share drawn for calibration holds at once; other shares, sizes and routes take effect " +
        "when the cells are routed again.";
    } catch (error) {
      fill(state, problem(error));
    }
  }

  async function again() {
    state.textContent = "Routing…";
    try {
      const routed = await postJSON("/api/route", { project });
      const said = Object.entries(routed.routes).map(
        ([route, reasons]) =>
          `${Object.values(reasons)
            .reduce((a, b) => a + b, 0)
            .toLocaleString("en")} ${route}`,
      );
      state.textContent =
        `Routed: ${said.join(", ")}; ` + `${several(routed.screens, "screen waits", "screens wait")}.`;
      changed();
    } catch (error) {
      fill(state, problem(error));
    }
  }

  return el(
    "section.card.sets",
    {},
    el("header", {}, el("h2", {}, "Who decides, and what is drawn")),
    inputs[0].node,
    consent.node,
    share,
    inputs.slice(1).map((i) => i.node),
    el(
      "label.row",
      {},
      el("span", {}, "Send to review: top judge score, but similarity to the reference in the bottom 10 %"),
      metric,
    ),
    el("label.row", {}, el("span", {}, "Show models' names while grading"), names),
    el(
      "label.row",
      {},
      el("span", {}, "Show what the judges chose at the end of a batch of blind screens"),
      reveal,
    ),
    el("p.s", { id: "reveal-cost" }, COST),
    el("label.row", {}, el("span", {}, BATCH), batch),
    el("label.row", {}, el("span", {}, "Review order"), order),
    el(
      "div.bar",
      {},
      el("button.btn", { onclick: (event) => once(event.currentTarget, keep) }, "Keep"),
      el("button.btn", { onclick: (event) => once(event.currentTarget, again) }, "Route again"),
    ),
    state,
  );
}
