// The text in the editor tried on one real answer: rules at once, metrics as measured, a judge when asked
// for.
import { getJSON, postJSON } from "../lead/api.js";
import { el, fill, once } from "../lead/el.js";
import { problem } from "../lead/frame.js";

const words = {
  title: "Try it on an answer",
  about: "Nothing becomes a verdict. Rules cost nothing; a judge is asked once about this answer.",
  answer: "Answer",
  judge: "Judge (empty: rules and metrics alone)",
  hint: "such as openai:gpt-4o-mini",
  go: "Try",
  none: "No rule of this text speaks of this answer, and nothing was measured.",
  nothing: "No answer yet.",
};

/** `source()` gives the text as it stands in the editor. */
export function tryCard(project, source) {
  const pick = el("select.pick", { "aria-label": words.answer });
  const judge = el("input", {
    type: "text",
    list: "rub-judges",
    "aria-label": words.judge,
    placeholder: words.hint,
    size: 30,
    spellcheck: "false",
  });
  const judges = el("datalist", { id: "rub-judges" });
  const state = el("div", { role: "status", "aria-live": "polite" });
  // until the answers are there
  const button = el("button.btn", { type: "submit", disabled: true }, words.go);
  const run = async () => {
    try {
      const found = await postJSON("/api/rubrics/try", {
        project,
        source: source(),
        subject: Number(pick.value),
        judge: judge.value.trim(),
      });
      fill(state, result(found));
    } catch (error) {
      fill(state, problem(error));
    }
  };
  const form = el(
    "form.bar",
    { onsubmit: (event) => (event.preventDefault(), button.disabled || once(button, run)) },
    el("label.s", {}, `${words.answer} `, pick),
    el("label.s", {}, `${words.judge} `, judge),
    judges,
    button,
  );
  Promise.all([getJSON("/api/judges/answers", { project }), getJSON("/api/judges", { project })]).then(
    ([answers, known]) => {
      pick.append(
        ...answers.map((one) =>
          el("option", { value: one.id }, `${one.model}: ${one.question.slice(0, 70)}`),
        ),
      );
      judges.append(
        ...known.judges.filter((one) => !one.derived).map((one) => el("option", { value: one.name })),
      );
      button.disabled = !answers.length;
      if (!answers.length) fill(state, el("p.m", {}, words.nothing));
    },
    (error) => fill(state, problem(error)),
  );
  return el(
    "section.card",
    { "aria-label": words.title },
    el("header", {}, el("h2", {}, words.title), el("span.r", {}, words.about)),
    form,
    state,
  );
}

function result(found) {
  const row = (one) =>
    el(
      "tr",
      {},
      el("td", {}, one.criterion, one.part ? el("span.s.m", {}, ` ${one.part}`) : null),
      el("td.m.s", {}, one.grader.replaceAll("_", " ")),
      el("td", {}, one.word ? el("b", {}, one.word) : el("span.m", {}, "no value")),
      el("td.s", { dir: "auto" }, one.why),
    );
  const text = el("div.text.rub-answer", { dir: "auto" });
  text.innerHTML = found.html; // sanitised on the server by graders/web/markdown.py
  const price = found.judge
    ? el(
        "p.s.m",
        {},
        `${found.judge}: ` +
          `${found.money === null ? "price unknown" : `$${found.money.toFixed(4)}`}, ` +
          `${(found.seconds ?? 0).toFixed(1)} s`,
      )
    : null;
  const table = found.rows.length
    ? el("div.scroll", {}, el("table.al", {}, el("tbody", {}, found.rows.map(row))))
    : el("p.m", {}, words.none);
  return el(
    "div.cols.rub-tried",
    {},
    el("div", {}, table, price),
    el("details", { open: true }, el("summary.s", { dir: "auto" }, found.question.slice(0, 200)), text),
  );
}
