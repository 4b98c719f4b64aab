// One answer: its text with the evidence in it, what helps to judge it, the faults found, and the rows of
// criteria.
/** @import { Answer, Cell, Criterion, Id, Screen } from "./data.js" */
/** @import { Row, RowEvents } from "./criteria.js" */
/** @import { Added, FoundFault, Work } from "./state.js" */
/** @import { Words } from "./words.js" */
import { cellRow, criterionOf } from "./criteria.js";
import { el, scrollWay, setText } from "./dom.js";
import { markQuotes, marksOf } from "./evidence.js";
import { faultsOn, foldedCells, leftIn, shownCells } from "./state.js";
import { fillText, missingList, quotesOf } from "./texts.js";

/**
 * What an answer asks for.
 * @typedef {object} AnswerEvents
 * @property {(a: number) => void} touch
 * @property {(fault: FoundFault, value: string) => void} fault
 * @property {(name: string) => string} faultTitle
 * @property {(one: Added) => void} removeFault
 * @property {(owner: Id) => void} showMarks
 * @property {(id: Id) => void} apart
 * @property {(a: number) => void} folded
 * @property {(a: number, r: number, cell: Cell) => RowEvents} cell
 */

/**
 * @typedef {object} CardOf
 * @property {Answer} answer
 * @property {number} place
 * @property {Screen} screen
 * @property {Work} work
 * @property {Map<string, Criterion>} criteria
 * @property {Words} t
 * @property {AnswerEvents} on
 */

/**
 * The text of an answer: `scroll(step)` by a part of the window; `endSeen(floor)`, whether its end is on the
 * screen, above `floor` pixels; the marks of a cell or fault stand out (`emphasise`), or come into sight one
 * after the other (`showMarks`, false where there is none).
 * @typedef {object} Scrolling
 * @property {(step: number) => void} scroll
 * @property {(floor: number) => boolean} endSeen
 * @property {(owner: Id | null) => boolean} emphasise
 * @property {(owner: Id) => boolean} showMarks
 */

/**
 * An answer as it is shown; `focus` is the row with the focus in it, or -1.
 * @typedef {object} Drawn
 * @property {Answer} answer
 * @property {Row[]} rows
 * @property {string} letter
 * @property {HTMLElement} node
 * @property {(work: Work, focus: number) => void} paint
 */

/** @typedef {Drawn & Scrolling} Card */

const LETTERS = "ABCDEFGHIJKL";
/**
 * What an answer is called on its screen; a pair has a number, because the letters are those of its two
 * answers.
 * @type {(answer: Answer, place: number) => string}
 */
export const letterOf = (answer, place) => (answer.pair ? String(place + 1) : LETTERS[place]);

/**
 * A small copy of a fault with the two things one can say about it.
 * @param {FoundFault} fault
 * @param {Words} t
 * @param {AnswerEvents} on
 */
function faultItem(fault, t, on) {
  const yes = el(
    "button",
    {
      type: "button",
      class: "cg-mini",
      title: t("fault.confirm"),
      "aria-label": `${t("fault.confirm")}: ${fault.title}`,
      onclick: () => on.fault(fault, "present"),
    },
    "✓",
  );
  const no = el(
    "button",
    {
      type: "button",
      class: "cg-mini",
      title: t("fault.reject"),
      "aria-label": `${t("fault.reject")}: ${fault.title}`,
      onclick: () => on.fault(fault, "absent"),
    },
    "✗",
  );
  const node = el(
    "li",
    {},
    el(
      "button",
      {
        type: "button",
        class: "cg-fault-name",
        tabindex: "-1",
        title: [t("fault.by", { by: fault.by }), fault.rationale, fault.why].filter(Boolean).join("\n"),
        onclick: () => on.showMarks(fault.id),
      },
      fault.title,
    ),
    yes,
    no,
  );
  return { fault, node, yes, no };
}

/**
 * A fault that the person added: its name leads to the words that were selected for it.
 * @param {Added} one
 * @param {string} owner
 * @param {Words} t
 * @param {AnswerEvents} on
 */
function addedItem(one, owner, t, on) {
  const title = on.faultTitle(one.name);
  const name = {
    type: "button",
    class: "cg-fault-name",
    tabindex: "-1",
    title: one.quote || null,
    onclick: () => on.showMarks(owner),
  };
  const remove = {
    type: "button",
    class: "cg-mini",
    "aria-label": t("fault.remove", { name: title }),
    onclick: () => on.removeFault(one),
  };
  return el("li", {}, el("button", name, `+ ${title}`), el("button", remove, "✗"));
}

/**
 * A card with `node`, `rows`, `paint(work, focus)`, `scroll(step)`, `endSeen()`, `showMarks(owner)`.
 * `focus` is the row with the focus in this answer, or -1.
 * @param {CardOf} card
 * @returns {Card}
 */
export function answerCard({ answer, place, screen, work, criteria, t, on }) {
  const letter = letterOf(answer, place);
  const blind = screen.arm === "blind";
  const text = el("div", {
    class: answer.pair ? "cg-text both" : "cg-text",
    dir: "auto",
    lang: screen.question.language || null,
  });
  fillText(text, answer.html);
  const found = quotesOf(answer, criteria);
  const missing = markQuotes(text, found).filter((one) => !one.found);
  let selected = "[]";
  const end = el("i", { class: "cg-end", "aria-hidden": "true" });
  const scroller = el(
    "div",
    {
      class: "cg-scroll",
      "data-answer": answer.id,
      tabindex: "0",
      role: "region",
      "aria-label": t("answer.text", { letter }),
    },
    text,
    missingList(missing, t),
    end,
  );
  const left = el("span", { class: "cg-left" });
  const faults = faultsOn(answer).map((fault) => faultItem(fault, t, on));
  const added = el("ul", { class: "cg-added" });
  const twins =
    answer.twins?.length || answer.parted
      ? el(
          "button",
          { type: "button", class: "cg-mini", "aria-keyshortcuts": "=", onclick: () => on.apart(answer.id) },
          answer.parted ? t("answer.together") : t("answer.twins", { n: (answer.twins?.length ?? 0) + 1 }),
          el("kbd", { "aria-hidden": "true" }, "="),
        )
      : null;
  const names = [answer.model, ...(answer.twins ?? []).map((twin) => twin.model)].filter(Boolean).join(" = ");
  /** @type {Row[]} */
  const made = [];

  /** @type {(cell: Cell, r: number) => HTMLElement} */
  const rowOf = (cell, r) => {
    const row = cellRow({
      cell,
      criterion: criterionOf(criteria, cell),
      letter,
      blind,
      t,
      on: on.cell(place, r, cell),
    });
    made.push(row);
    return row.node;
  };
  const shown = shownCells(answer, work);
  const folded = foldedCells(answer);
  const fold = folded.length
    ? el(
        "button",
        {
          type: "button",
          class: "cg-fold",
          "aria-expanded": String(work.opened.includes(answer.id)),
          "aria-keyshortcuts": "o",
          onclick: () => on.folded(place),
        },
        t(folded.some((cell) => cell.final?.source === "closed") ? "answer.spared" : "answer.folded", {
          n: folded.length,
        }),
        el("kbd", { "aria-hidden": "true" }, "o"),
      )
    : null;
  const openCount = shown.filter((cell) => cell.open).length;
  const rows = el(
    "div",
    { class: "cg-crit" },
    groups(shown.slice(0, openCount), criteria, rowOf, 0),
    fold,
    groups(shown.slice(openCount), criteria, rowOf, openCount),
  );

  const node = el(
    "article",
    {
      class: "cg-a",
      "aria-label": t("answer.name", { letter }),
      "data-answer": answer.id,
      onpointerdown: () => on.touch(place),
    },
    el(
      "header",
      {},
      el("span", { class: "cg-letter", "aria-hidden": "true" }, letter),
      names && el("b", { class: "cg-model" }, names),
      twins,
      left,
    ),
    el(
      "div",
      { class: "cg-read" },
      scroller,
      el(
        "div",
        { class: "cg-aid" },
        el(
          "div",
          { class: "cg-chips" },
          blind ? null : el("span", {}, t("answer.length", { n: answer.length })),
          answer.chips.map((chip) => el("span", {}, `${chip.value} ${chip.label}`)),
        ),
        el(
          "div",
          { class: "cg-faults" },
          faults.length
            ? el(
                "ul",
                { "aria-label": t("fault.found") },
                faults.map((one) => one.node),
              )
            : null,
          added,
        ),
      ),
    ),
    rows,
  );

  /**
   * @param {Work} now
   * @param {number} focus
   */
  const paint = (now, focus) => {
    const open = leftIn(answer, now);
    setText(left, open ? t("answer.left", { n: open }) : t("answer.done"));
    node.classList.toggle("on", focus >= 0);
    node.classList.toggle("complete", open === 0);
    for (const [r, row] of made.entries()) row.paint(now.marks[row.cell.id], r === focus);
    for (const { fault, node: item, yes, no } of faults) {
      const said = now.faults[fault.id];
      item.className = said ?? "";
      yes.setAttribute("aria-pressed", String(said === "present"));
      no.setAttribute("aria-pressed", String(said === "absent"));
    }
    const own = now.added
      .filter((one) => one.answer === answer.id)
      .map((one, i) => ({ one, owner: `${answer.id}.added.${i}` }));
    added.replaceChildren(...own.map(({ one, owner }) => addedItem(one, owner, t, on)));
    // Words that the person selected for a fault are marked like those that a machine quotes.
    const words = own
      .filter(({ one }) => one.quote)
      .map(({ one, owner }) => ({ owner, hue: 1, quote: one.quote }));
    if (JSON.stringify(words) === selected) return;
    selected = JSON.stringify(words);
    fillText(text, answer.html);
    markQuotes(text, [...found, ...words]);
  };
  return { answer, rows: made, letter, node, paint, ...scrolling({ text, scroller, end }) };
}

/**
 * Rows in the order of the criteria; parts of one criterion stand under its name.
 * @param {Cell[]} cells
 * @param {Map<string, Criterion>} criteria
 * @param {(cell: Cell, r: number) => HTMLElement} rowOf
 * @param {number} from
 */
function groups(cells, criteria, rowOf, from) {
  /** @type {HTMLElement[]} */
  const nodes = [];
  let last = "";
  for (const [i, cell] of cells.entries()) {
    const criterion = criterionOf(criteria, cell);
    if (cell.part && cell.criterion !== last)
      nodes.push(
        el(
          "div",
          { class: "cg-group", style: `--c:var(--h${criterion.hue})`, title: criterion.question },
          criterion.title,
        ),
      );
    last = cell.criterion;
    nodes.push(rowOf(cell, from + i));
  }
  return nodes;
}

/**
 * Scrolling of the text, whether its end has been seen, and the marks in it.
 * @param {{text: HTMLElement, scroller: HTMLElement, end: HTMLElement}} parts
 * @returns {Scrolling}
 */
function scrolling({ text, scroller, end }) {
  /** @type {Id | null} whose marks were shown last, and which of them */
  let shown = null;
  let at = 0;
  const own = () => scroller.scrollHeight > scroller.clientHeight + 2;
  return {
    scroll(step) {
      const height = own() ? scroller.clientHeight : window.innerHeight;
      (own() ? scroller : document.scrollingElement)?.scrollBy({
        top: step * height * 0.85,
        behavior: scrollWay(),
      });
    },
    /**
     * Whether the end of the text is on the screen now: inside its own scroll area and above `floor` pixels.
     */
    endSeen(floor) {
      const box = end.getBoundingClientRect();
      if (!end.offsetParent) return false;
      const frame = scroller.getBoundingClientRect();
      return box.top >= -2 && box.bottom <= Math.min(frame.bottom + 3, floor + 3);
    },
    /** Make the marks of one cell stand out; true when there are some. */
    emphasise(owner) {
      for (const mark of text.querySelectorAll("mark.now")) mark.classList.remove("now");
      const marks = owner ? marksOf(text, owner) : [];
      for (const mark of marks) mark.classList.add("now");
      return marks.length > 0;
    },
    /** Bring the next mark of a cell into sight; false when it has none. */
    showMarks(owner) {
      const marks = marksOf(text, owner);
      if (!marks.length) return false;
      at = shown === owner ? (at + 1) % marks.length : 0;
      shown = owner;
      this.emphasise(owner);
      marks[at].scrollIntoView({ block: "center", behavior: scrollWay() });
      return true;
    },
  };
}
