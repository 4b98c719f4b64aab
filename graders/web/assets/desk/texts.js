// The text of an answer: made inert, with the quotes of graders that belong to it.
/** @import { Answer, Criterion, Evidence, Id } from "./data.js" */
/** @import { Words } from "./words.js" */
import { el } from "./dom.js";
import { faultsOn } from "./state.js";

const BLOCKS = "p, li, h1, h2, h3, h4, h5, h6, td, th, blockquote, dd, dt";

/**
 * The server's sanitised HTML, made inert: nothing loads by itself, links open elsewhere, each block has its
 * direction.
 * @param {HTMLElement} node
 * @param {string} html
 */
export function fillText(node, html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const content = template.content;
  for (const picture of content.querySelectorAll(
    "img, picture, video, audio, source, iframe, object, embed, svg image",
  )) {
    picture.replaceWith(el("span", { class: "cg-picture" }, picture.getAttribute("alt") || "▢"));
  }
  for (const link of content.querySelectorAll("a[href]")) {
    link.setAttribute("target", "_blank");
    link.setAttribute("rel", "noopener noreferrer nofollow");
    link.setAttribute("tabindex", "-1");
  }
  for (const block of content.querySelectorAll(BLOCKS)) block.setAttribute("dir", "auto");
  for (const table of content.querySelectorAll("table")) {
    const frame = el("div", { class: "cg-wide" });
    table.replaceWith(frame);
    frame.append(table);
  }
  node.replaceChildren(content);
}

/** Words that a quote leaves out. */
const GAP = /\s*[([]?\s?(?:…|\.{3,})\s?[)\]]?\s*/u;

/**
 * Every quote of judges, rules and faults, with the cell that it belongs to.
 * @param {Answer} answer
 * @param {Map<string, Criterion>} criteria
 */
export function quotesOf(answer, criteria) {
  /** @type {{owner: Id, hue: number, by: string, quote: string, found: boolean | null}[]} */
  const quotes = [];
  /**
   * @param {Evidence[] | undefined} evidence
   * @param {Id} owner
   * @param {number} hue
   * @param {string} by
   */
  const take = (evidence, owner, hue, by) => {
    for (const one of evidence ?? []) {
      // What is in the text, with words left out, is marked before and after them.
      const parts = one.found ? (one.quote ?? "").split(GAP).filter((part) => part.trim()) : [one.quote];
      for (const quote of parts) if (quote) quotes.push({ owner, hue, by, quote, found: one.found });
    }
  };
  for (const cell of answer.cells) {
    for (const one of [...cell.judges, ...cell.rules])
      take(one.evidence, cell.id, criteria.get(cell.criterion)?.hue ?? 0, one.name);
  }
  for (const fault of faultsOn(answer)) take(fault.evidence, fault.id, 1, fault.by);
  return quotes;
}

/**
 * The same quote by several graders is listed once.
 * @param {{quote: string, by: string}[]} missing
 * @param {Words} t
 */
export function missingList(missing, t) {
  const by = new Map();
  for (const { quote, by: name } of missing) by.set(quote, [...(by.get(quote) ?? []), name]);
  if (!by.size) return null;
  return el(
    "ul",
    { class: "cg-missing", "aria-label": t("answer.not_found") },
    [...by].map(([quote, names]) =>
      el(
        "li",
        { dir: "auto" },
        el("b", {}, t("answer.not_found")),
        ` “${quote}” `,
        el("span", {}, [...new Set(names)].join(", ")),
      ),
    ),
  );
}
