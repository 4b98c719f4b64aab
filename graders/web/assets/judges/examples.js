// Where people decided otherwise than a judge, and which of that it is shown as examples.
import { getJSON, postJSON } from "../lead/api.js";
import { el, fill, once } from "../lead/el.js";
import { problem } from "../lead/frame.js";
import { stillAt } from "../kit/keep.js";
import { turns } from "../lead/turns.js";

/**
 * The card of corrections; `open(name)` shows a judge's, `kept()` is called after its examples were changed.
 */
export function examplesCard(project, kept) {
  const node = el("section.card", {
    "aria-label": "Examples from corrections",
    hidden: true,
    tabindex: "-1",
  });
  const state = el("p.s", { role: "status", "aria-live": "polite" });
  const turn = turns();
  let shown = ""; // whose card is open

  async function open(name) {
    shown = name;
    node.hidden = false;
    fill(node, head(name), el("p.m", {}, "Looking…"));
    node.scrollIntoView({ block: "nearest" });
    node.focus({ preventScroll: true });
    await look(name);
  }

  async function look(name) {
    const current = turn();
    try {
      const found = await getJSON("/api/judges/corrections", { project, judge: name });
      if (current()) show(name, found);
    } catch (error) {
      if (current()) fill(node, head(name), problem(error));
    }
  }

  function show(name, found) {
    const rows = found.corrections;
    const any = rows.some((one) => one.picked);
    const boxes = rows.map((one) =>
      el("input", {
        type: "checkbox",
        value: String(one.cell),
        checked: any ? one.picked : one.suggested,
        onchange: () => counted(),
      }),
    );
    const number = el("span.s.m");
    const keep = el(
      "button.btn.p",
      { type: "button", onclick: () => once(keep, () => take(name, boxes)) },
      "Show it these",
    );
    const counted = () => {
      const count = boxes.filter((box) => box.checked).length;
      fill(number, `${count} of at most ${found.most} chosen`);
      keep.disabled = count > found.most || (!count && !any);
      fill(keep, count || !any ? "Show it these" : "Show it none");
    };
    counted();
    const advice = any
      ? "Ticked are those that it is shown now."
      : "Ticked are those that are suggested: far apart, from different questions and criteria.";
    fill(
      node,
      head(name),
      el("p", {}, found.title),
      rows.length
        ? el(
            "p.s.m",
            {},
            `${advice} Each makes every call longer. A question is never graded with a ` +
              "correction of its own answers.",
          )
        : null,
      el(
        "div.corrections",
        {},
        rows.map((one, at) => correction(one, boxes[at])),
      ),
      rows.length ? el("div.bar", {}, number, keep) : null,
      state,
    );
  }

  async function take(name, boxes) {
    try {
      const done = await postJSON("/api/judges/examples", {
        project,
        judge: name,
        cells: boxes.filter((box) => box.checked).map((box) => Number(box.value)),
      });
      await kept();
      if (shown !== name || node.hidden) return; // another judge's examples are looked at by now
      await look(name);
      if (stillAt(node)) node.focus({ preventScroll: true });
      fill(state, done.message);
    } catch (error) {
      fill(state, problem(error));
    }
  }

  const head = (name) =>
    el(
      "header",
      {},
      el("h2", {}, `Examples for ${name}`),
      el("button.btn.xs", { type: "button", onclick: () => (node.hidden = true) }, "Close"),
    );
  return { node, open: (name) => (fill(state), open(name)) };
}

function correction(one, box) {
  const said = el(
    "span",
    {},
    el("b", {}, [one.criterion, one.part].filter(Boolean).join(", ")),
    `: it said ${one.judge}, people `,
    el("b", {}, one.people),
  );
  const why = one.why ? el("div.s", { dir: "auto" }, one.why) : null;
  return el(
    "label.correction",
    {},
    box,
    el(
      "div",
      {},
      said,
      el("div.s.m", { dir: "auto" }, `${one.model}: ${one.question}`),
      why,
      el("details", {}, el("summary.s", {}, "Answer"), el("div.s.said", { dir: "auto" }, one.answer)),
    ),
  );
}
