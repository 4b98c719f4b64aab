// What a named fault is: why it hurts, examples that have it, that have it not, and that are hard to tell.
/** @import { Example, FaultTold } from "./data.js" */
/** @import { Words } from "./words.js" */
import { el } from "./dom.js";

/**
 * Milliseconds for which a fault stays in focus before its explanation is fetched: arrows run through the
 * list.
 */
const REST = 120;
/** @type {Map<string, FaultTold>} */
const known = new Map();

/**
 * @param {string} title
 * @param {Example[]} found
 */
function examples(title, found) {
  if (!found?.length) return null;
  const rows = found.map(({ question, answer, why }) =>
    el(
      "li",
      {},
      el("i", { dir: "auto" }, question),
      el("q", { dir: "auto" }, answer),
      el("small", { dir: "auto" }, why),
    ),
  );
  return el("section", {}, el("h4", {}, title), el("ul", {}, rows));
}

/**
 * `{node, show(name)}`: a box that explains one fault after the other; empty for one that nobody has
 * described.
 * @param {Words} t
 * @param {(name: string) => Promise<FaultTold | null>} fetchFault
 */
export function explanation(t, fetchFault) {
  const node = el("div", {
    class: "cg-about",
    tabindex: "0",
    role: "region",
    "aria-label": t("fault.about"),
    hidden: true,
  });
  let wanted = "";
  let waiting = 0;
  /** @param {FaultTold | null | undefined} told */
  const draw = (told) => {
    node.hidden = !told;
    if (!told) return node.replaceChildren();
    node.replaceChildren(
      el("h3", {}, told.title),
      el("p", {}, `${t("fault.why")} ${told.why}`),
      el("p", {}, told.found),
      ...[
        examples(t("fault.has"), told.present),
        examples(t("fault.has_not"), told.absent),
        examples(t("fault.hard"), told.missed),
      ].filter((part) => part !== null),
      el("p", { class: "cg-muted" }, told.about),
      el("p", { class: "cg-muted" }, `${t("fault.misses")} ${told.misses}`),
    );
    node.scrollTop = 0;
  };
  /** @param {string} name */
  const show = (name) => {
    if (name === wanted) return;
    wanted = name;
    clearTimeout(waiting);
    if (known.has(name)) return draw(known.get(name));
    waiting = setTimeout(async () => {
      const told = name ? await fetchFault(name) : null;
      if (told) known.set(name, told);
      if (name === wanted) draw(told);
    }, REST);
  };
  return { node, show };
}
