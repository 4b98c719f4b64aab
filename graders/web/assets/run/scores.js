// Text scores such as BLEU: which of them a run computes beside those of the rubrics.
import { getJSON } from "../lead/api.js";
import { el, fill } from "../lead/el.js";

/** What does away with the scores that were chosen before. */
const NONE = "none";

/** The folded list of scores to tick; `value()` are their names for the run, none where nothing is ticked. */
export function scoresField(project) {
  const boxes = [];
  const list = el("div");
  const state = el("span.m");
  const node = el(
    "details",
    { onchange: () => tell() },
    el("summary.s", {}, "Text scores against the reference ", state),
    list,
  );

  function tell() {
    const names = boxes.filter(({ box }) => box.checked).map(({ title }) => title);
    state.textContent = names.length ? `(${names.join("; ")})` : "(those of the rubrics only)";
  }

  function row(score) {
    const box = el("input", {
      type: "checkbox",
      checked: score.chosen || score.rubric,
      disabled: score.rubric,
    });
    if (!score.rubric) boxes.push({ box, name: score.name, title: score.title });
    const hint = score.rubric
      ? `${score.about}. A rubric of this project has it already.`
      : `${score.about}.`;
    return el("label.row", {}, el("span", {}, score.title, el("div.s.m", {}, hint)), box);
  }

  getJSON("/api/run/scores", { project }).then(
    (found) => (fill(list, found.map(row)), tell()),
    (error) => fill(list, el("p.note", {}, error.message)),
  );

  return {
    node,
    value() {
      const names = boxes.filter(({ box }) => box.checked).map(({ name }) => name);
      return !boxes.length ? [] : names.length ? names : [NONE];
    },
  };
}
