// What a question brings along: references, facts, what an answer must have, context. Folded above the
// answers.
/** @import { Question } from "./data.js" */
/** @import { Store } from "./store.js" */
/** @import { Words } from "./words.js" */
import { el, setText } from "./dom.js";

const FOLD = "pref.fold";

/**
 * The fold, open where the person left it open.
 * @param {{foldTitle: HTMLElement, foldBody: HTMLElement, store: Store}} view
 */
export function makeFold({ foldTitle, foldBody, store }) {
  /** @type {(event: Event) => void} */
  const onclick = (event) => {
    event.preventDefault();
    toggleFold({ fold, store });
  };
  const key = el("kbd", { "aria-hidden": "true" }, "r");
  const summary = el("summary", { "aria-keyshortcuts": "r", onclick }, foldTitle, key);
  const fold = el("details", { hidden: true }, summary, foldBody);
  fold.open = Boolean(store.get(FOLD));
  return fold;
}

/**
 * Open or close it. It is kept at once: the event that tells of it comes late, and whoever leaves before it
 * would find the old state.
 * @param {{fold: HTMLDetailsElement, store: Store}} view
 */
export function toggleFold({ fold, store }) {
  fold.open = !fold.open;
  store.set(FOLD, fold.open);
}

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
