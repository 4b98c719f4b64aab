// Anchor questions: a judge that changed grades their answers again first, and each once more. Named here by
// their ids, or drawn.

import { getJSON, postJSON } from "../lead/api.js";
import { el, fill, once } from "../lead/el.js";
import { problem } from "../lead/frame.js";
import { several } from "../lead/several.js";

const words = {
  title: "Anchor questions",
  right: "graded again where a judge changed",
  about:
    "When the model, the prompt or the rubric of a judge has changed, its next run grades the " +
    "answers to these questions first, and each once more by the same prompt: what moves between " +
    "the two is noise, the rest is drift. The plan of the run says so with its price.",
  none: "No question is an anchor yet.",
  few: (n, enough) => (n < enough ? ` A figure of drift needs ${enough}.` : ""),
  now: (n, of) => `${n} of ${several(of, "question")} ${n === 1 ? "is an anchor" : "are anchors"}.`,
  list: "Show them",
  answers: (n) => `${n} ${n === 1 ? "answer" : "answers"}`,
  remove: "Remove",
  count: "How many to draw",
  draw: "Draw by chance",
  id: "Id of a question",
  add: "Name one",
  range: "Type a whole number from 1 to 200.",
};

/** A card that fills itself. Only its list is drawn anew: what is typed, unfolded and focused stays. */
export function anchorsCard(project) {
  const said = el("b", { role: "status" });
  const status = el("span.s", { role: "status" });
  const rows = el("ul.s");
  const list = el(
    "details",
    { "data-key": "anchors", hidden: true },
    el("summary.s", { "data-key": "anchors shown" }, words.list),
    rows,
  );
  const count = el("input", {
    type: "text",
    inputmode: "numeric",
    size: "4",
    maxlength: "3",
    "aria-label": words.count,
    "data-key": "anchors count",
  });
  const id = el("input", {
    type: "text",
    size: "14",
    "aria-label": words.id,
    placeholder: words.id,
    "data-key": "anchor id",
  });
  const draw = el("button.btn", { type: "submit", "data-key": "anchors draw" }, words.draw);
  const add = el("button.btn", { type: "submit", "data-key": "anchor add" }, words.add);
  const body = el("div.cols");

  function show(found) {
    const n = found.questions.length;
    fill(said, n ? words.now(n, found.of) + words.few(n, found.enough) : words.none);
    fill(rows, found.questions.map(row));
    list.hidden = !n;
  }

  function row(one) {
    const remove = (event) => once(event.currentTarget, () => send({ remove: [one.id] }));
    const button = el(
      "button.btn",
      {
        type: "button",
        "aria-label": `${words.remove} ${one.id}`,
        "data-key": `anchor remove ${one.id}`,
        onclick: remove,
      },
      words.remove,
    );
    return el(
      "li",
      {},
      el("b", {}, one.id),
      " ",
      el("span", { dir: "auto" }, one.text),
      el("span.m", {}, ` ${words.answers(one.answers)} `),
      button,
    );
  }

  // One after the other: the last reply is the last state.
  let before = Promise.resolve(true);
  const send = (change) => (before = before.then(() => sent(change)));

  /** Send a change and show what is now; true where it was taken. */
  async function sent(change) {
    try {
      show(await postJSON("/api/anchors", { project, ...change }));
      fill(status);
      return true;
    } catch (error) {
      fill(status, error.message);
      return false;
    }
  }

  function drawSome() {
    const wanted = Number(count.value.trim());
    if (!(Number.isInteger(wanted) && wanted >= 1 && wanted <= 200))
      return void (fill(status, words.range), count.focus());
    return send({ draw: wanted });
  }

  async function addOne() {
    const typed = id.value.trim();
    if (typed && (await send({ add: [typed] })) && id.value.trim() === typed) id.value = "";
  }

  const form = (button, work, ...parts) =>
    el("form.bar", { onsubmit: (event) => (event.preventDefault(), once(button, work)) }, ...parts);
  const drawing = form(draw, drawSome, el("label.s", {}, `${words.count} `, count), draw);
  const naming = form(add, addOne, id, add, status);
  const begin = (found) => {
    count.value = String(Math.min(found.enough, found.of));
    show(found);
    fill(body, el("p", {}, said, " ", el("span.m", {}, words.about)), list, drawing, naming);
  };
  getJSON("/api/anchors", { project }).then(begin, (error) => fill(body, problem(error)));
  return el(
    "section.card",
    {},
    el("header", {}, el("h2", {}, words.title), el("span.r", {}, words.right)),
    body,
  );
}
