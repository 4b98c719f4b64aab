// What a question brings along: references, facts, what an answer must have, context. Folded above the
// answers.
/** @import { Question } from "./data.js" */
/** @import { Words } from "./words.js" */
import { el, setText } from "./dom.js";

/**
 * Title and texts of it; only what is there is shown.
 * @param {Question} question
 * @param {Words} t
 */
function helpsOf(question, t) {
  const brought = {
    "question.references": question.references,
    "question.facts": question.facts,
    "question.must_have": question.must_have,
    "question.context": question.context,
  };
  return Object.entries(brought)
    .filter(([, texts]) => texts?.length)
    .map(([key, texts]) => ({ title: t(key, { n: texts.length }), texts }));
}

/**
 * Fill the fold of a view with what the question brings; without anything it is hidden.
 * @param {{fold: HTMLElement, foldTitle: HTMLElement, foldBody: HTMLElement}} view
 * @param {Question} question
 * @param {Words} t
 */
export function fillHelps({ fold, foldTitle, foldBody }, question, t) {
  const helps = helpsOf(question, t);
  fold.hidden = !helps.length;
  setText(foldTitle, helps.map((one) => one.title).join(" · "));
  foldBody.replaceChildren(
    ...helps.map(({ title, texts }) =>
      el(
        "div",
        {},
        helps.length > 1 ? el("h2", {}, title) : null,
        el(
          texts.length > 1 ? "ol" : "div",
          {},
          texts.map((text) =>
            el(texts.length > 1 ? "li" : "p", { dir: "auto", lang: question.language || null }, text),
          ),
        ),
      ),
    ),
  );
}
