// What a person has decided on one screen: plain data and functions without a page, so that every change can
// be undone.
// A work is `{marks, faults, added, comment, flagged, apart, opened}`; it is never changed in place. A mark
// is `{value, status, reason, action, fault_of}`; a place is `{a, r}`: answer as shown, row as shown.
/** @import { Answer, Cell, Fault, Id, Screen, Twin, Value } from "./data.js" */

/**
 * What a person says of a cell.
 * @typedef {object} Mark
 * @property {Value | null} value
 * @property {string} status "ok" or "unscored"
 * @property {string} reason
 * @property {string} action "typed", "edited" or "accepted"
 * @property {string} fault_of whose fault a correction is
 */

/** @typedef {{answer: Id, name: string, quote: string}} Added a fault that the person added to an answer */

/**
 * All that a person has decided on one screen.
 * @typedef {object} Work
 * @property {Record<string, Mark | undefined>} marks by cell
 * @property {Record<string, string>} faults what was said of a found fault, by its cell
 * @property {Added[]} added
 * @property {string} comment
 * @property {boolean} flagged
 * @property {Id[]} apart answers that were taken apart from their twins
 * @property {Id[]} opened answers whose decided cells are shown
 */

/** @typedef {{a: number, r: number}} Place answer as shown, row as shown */
/** @typedef {{total: number, cells: Record<string, number>}} Time seconds on a screen, and by cell */
/** @typedef {Fault & {cells: Id[]}} FoundFault a fault with all cells that one word about it decides */

/**
 * Without what comes from machines, should the server ever send it on a blind screen. What the answer itself
 * lacks is no opinion.
 * @param {Screen} screen
 * @returns {Screen}
 */
export function blinded(screen) {
  if (screen.arm !== "blind") return screen;
  /**
   * @param {Cell} cell
   * @returns {Cell}
   */
  const bare = (cell) => ({
    ...cell,
    open: cell.final?.source !== "closed",
    route: null,
    route_reason: cell.final?.source === "closed" ? cell.route_reason : "",
    suggestion: null,
    judges: [],
    rules: [],
    metrics: [],
    final: cell.final?.source === "closed" ? { value: null, source: "closed" } : null,
  });
  const answers = screen.answers.map((answer) => ({
    ...answer,
    chips: [],
    faults: [],
    cells: answer.cells.map(bare),
    twins: (answer.twins ?? []).map((twin) => ({ ...twin, faults: [], cells: twin.cells.map(bare) })),
  }));
  return { ...screen, answers };
}

/**
 * The marks that the server already has of this person, by cell.
 * @param {Screen} screen
 */
export function givenMarks(screen) {
  /** @type {Record<string, Mark>} */
  const marks = {};
  for (const answer of screen.answers) {
    for (const one of [answer, ...(answer.twins ?? [])]) {
      for (const cell of one.cells) {
        if (cell.mine)
          marks[cell.id] = {
            value: cell.mine.value,
            status: cell.mine.status ?? "ok",
            reason: cell.mine.reason ?? "",
            action: "typed",
            fault_of: "",
          };
      }
    }
  }
  return marks;
}

/**
 * A screen as it opens: what the server knows of this person, else nothing decided.
 * @param {Screen} screen
 * @returns {Work}
 */
export function newWork(screen) {
  /** @type {Record<string, string>} */
  const faults = {};
  for (const one of screen.answers.flatMap(alike))
    for (const fault of one.faults ?? []) if (fault.mine) faults[fault.id] = fault.mine.value;
  return {
    marks: givenMarks(screen),
    faults,
    added: [],
    comment: screen.saved?.comment ?? "",
    flagged: Boolean(screen.saved?.flagged),
    apart: [],
    opened: [],
  };
}

/**
 * An answer and those with equal text.
 * @type {(answer: Answer) => (Answer | Twin)[]}
 */
export const alike = (answer) => [answer, ...(answer.twins ?? [])];

/**
 * The faults of an answer and of those judged with it, once each; `cells` are all that one word about it
 * decides.
 * @param {Answer} answer
 */
export function faultsOn(answer) {
  /** @type {Map<string, FoundFault>} */
  const found = new Map();
  for (const one of alike(answer)) {
    for (const fault of one.faults ?? []) {
      const known = found.get(fault.name) ?? { ...fault, cells: [] };
      known.cells.push(fault.id);
      found.set(fault.name, known);
    }
  }
  return [...found.values()];
}

/**
 * The answers as shown: equal ones as one, unless they were taken apart.
 * @param {Screen} screen
 * @param {Work} work
 * @returns {Answer[]}
 */
export function shownAnswers(screen, work) {
  return screen.answers.flatMap((answer) => {
    if (!answer.twins?.length || !work.apart.includes(answer.id)) return [answer];
    const others = answer.twins.map((twin) => ({
      ...answer,
      ...twin,
      twins: [],
      faults: twin.faults ?? [],
      parted: true,
    }));
    return [{ ...answer, twins: [], parted: true }, ...others];
  });
}

/**
 * The rows of an answer as shown: open cells, then those decided by the machine if they were opened.
 * @param {Answer} answer
 * @param {Work} work
 */
export function shownCells(answer, work) {
  const open = answer.cells.filter((cell) => cell.open);
  return work.opened.includes(answer.id) ? [...open, ...foldedCells(answer)] : open;
}

/** @param {Answer} answer */
export function foldedCells(answer) {
  return answer.cells.filter((cell) => !cell.open);
}

/**
 * How many open cells of an answer wait for a decision.
 * @param {Answer} answer
 * @param {Work} work
 */
export function leftIn(answer, work) {
  return answer.cells.filter((cell) => cell.open && !work.marks[cell.id]).length;
}

/**
 * @param {Screen} screen
 * @param {Work} work
 */
export function leftOn(screen, work) {
  return shownAnswers(screen, work).reduce((sum, answer) => sum + leftIn(answer, work), 0);
}

/**
 * The cell at a place, or null.
 * @param {Screen} screen
 * @param {Work} work
 * @param {Place} place
 * @returns {Cell | null}
 */
export function cellAt(screen, work, place) {
  const answer = shownAnswers(screen, work)[place.a];
  return answer ? (shownCells(answer, work)[place.r] ?? null) : null;
}

/**
 * The next open cell after `place`: first in this answer, then in the following ones, then from the start.
 * Null: none left.
 * @param {Screen} screen
 * @param {Work} work
 * @param {Place} place
 * @returns {Place | null}
 */
export function nextOpen(screen, work, place) {
  const places = shownAnswers(screen, work).flatMap((answer, a) =>
    shownCells(answer, work).map((cell, r) => ({ a, r, cell })),
  );
  const here = places.findIndex((one) => one.a === place.a && one.r === place.r);
  const inTurn = [...places.slice(here + 1), ...places.slice(0, here + 1)];
  const found = inTurn.find(({ cell }) => cell.open && !work.marks[cell.id]);
  return found ? { a: found.a, r: found.r } : null;
}

/**
 * Where the focus stands when a screen opens: the first open cell, else where it was, else the first cell.
 * @param {Screen} screen
 * @param {Work} work
 * @param {Place} was
 * @returns {Place}
 */
export function firstOpen(screen, work, was) {
  const open = nextOpen(screen, work, { a: -1, r: -1 });
  if (open) return open;
  if (cellAt(screen, work, was)) return was;
  const a = shownAnswers(screen, work).findIndex((answer) => shownCells(answer, work).length);
  return { a: Math.max(0, a), r: 0 };
}

/**
 * A mark that a person types: `edited` when it differs from a suggestion, else `typed`.
 * @param {Cell} cell
 * @param {Value} value
 * @returns {Mark}
 */
export function typedMark(cell, value) {
  const edited = cell.suggestion && cell.suggestion.value !== value;
  return { value, status: "ok", reason: "", action: edited ? "edited" : "typed", fault_of: "" };
}

/**
 * @param {Cell} cell
 * @returns {Mark}
 */
export function notApplicable(cell) {
  return {
    value: null,
    status: "unscored",
    reason: "not_applicable",
    action: cell.suggestion ? "edited" : "typed",
    fault_of: "",
  };
}

/**
 * The suggestion as a mark, or null where there is none.
 * @param {Cell} cell
 * @returns {Mark | null}
 */
export function acceptedMark(cell) {
  return cell.suggestion
    ? { value: cell.suggestion.value, status: "ok", reason: "", action: "accepted", fault_of: "" }
    : null;
}

/**
 * Whether a mark goes against the suggestion.
 * @param {Cell} cell
 * @param {Mark | undefined} mark
 */
export function isCorrection(cell, mark) {
  return Boolean(mark && cell.suggestion && (mark.status !== "ok" || mark.value !== cell.suggestion.value));
}

/** @type {(work: Work, cell: Cell, mark: Mark) => Work} */
export const withMark = (work, cell, mark) => ({ ...work, marks: { ...work.marks, [cell.id]: mark } });

/** @type {(work: Work, cell: Cell, fault: string) => Work} */
export const withFaultOf = (work, cell, fault) => {
  const mark = work.marks[cell.id];
  return mark ? withMark(work, cell, { ...mark, fault_of: fault }) : work;
};

/**
 * Give the open parts of a cell's criterion the value that stands in it, or in the nearest decided part
 * above; null where there is none.
 * @param {Work} work
 * @param {Answer} answer
 * @param {Cell} cell
 * @returns {Work | null}
 */
export function withParts(work, answer, cell) {
  const parts = answer.cells.filter((one) => one.criterion === cell.criterion && one.part);
  const above = parts.slice(0, parts.indexOf(cell) + 1).map((one) => work.marks[one.id]);
  const said = above.findLast((mark) => mark);
  const rest = parts.filter((one) => one.open && !work.marks[one.id]);
  if (!said || !rest.length) return null;
  const { value, status } = said;
  const marks = { ...work.marks };
  for (const one of rest)
    marks[one.id] = status === "ok" && value !== null ? typedMark(one, value) : notApplicable(one);
  return { ...work, marks };
}

/**
 * Confirm every suggestion of an answer that is still open.
 * @param {Work} work
 * @param {Answer} answer
 * @returns {Work}
 */
export function withRest(work, answer) {
  const marks = { ...work.marks };
  for (const cell of answer.cells) {
    const mark = acceptedMark(cell);
    if (mark && cell.open && !marks[cell.id]) marks[cell.id] = mark;
  }
  return { ...work, marks };
}

/**
 * @param {Work} work
 * @param {FoundFault} fault
 * @param {string} value
 * @returns {Work}
 */
export function withFault(work, fault, value) {
  const faults = { ...work.faults };
  const again = faults[fault.id] === value;
  for (const id of fault.cells) {
    if (again) delete faults[id];
    else faults[id] = value;
  }
  return { ...work, faults };
}

/**
 * Take back a fault that the person added, for all answers that are judged together.
 * @param {Screen} screen
 * @param {Work} work
 * @param {Added} one
 * @returns {Work}
 */
export function withoutAdded(screen, work, one) {
  const answer = shownAnswers(screen, work).find(({ id }) => id === one.answer);
  const ids = answer ? alike(answer).map(({ id }) => id) : [];
  /** @param {Added} other */
  const same = (other) => other.name === one.name && other.quote === one.quote && ids.includes(other.answer);
  return { ...work, added: work.added.filter((other) => !same(other)) };
}

/** @type {(list: Id[], item: Id) => Id[]} */
const toggled = (list, item) => (list.includes(item) ? list.filter((one) => one !== item) : [...list, item]);

/** @type {(work: Work, answer: Answer) => Work} */
export const withOpened = (work, answer) => ({ ...work, opened: toggled(work.opened, answer.id) });

/**
 * Take equal answers apart: each starts with what was decided for all of them.
 * @param {Screen} screen
 * @param {Work} work
 * @param {Id} id
 * @returns {Work}
 */
export function withApart(screen, work, id) {
  const answer = screen.answers.find((one) => one.id === id || one.twins?.some((twin) => twin.id === id));
  if (!answer?.twins?.length) return work;
  if (work.apart.includes(answer.id)) return { ...work, apart: toggled(work.apart, answer.id) };
  const marks = { ...work.marks };
  for (const [cell, twin] of twinCells(answer)) if (marks[cell.id]) marks[twin.id] ??= marks[cell.id];
  return { ...work, marks, apart: [...work.apart, answer.id] };
}

/**
 * Pairs of a cell and the same cell of an equal answer.
 * @param {Answer} answer
 * @returns {[own: Cell, twin: Cell][]}
 */
export function twinCells(answer) {
  return (answer.twins ?? []).flatMap((twin) =>
    answer.cells.flatMap((cell) => {
      const same = twin.cells.find((one) => one.criterion === cell.criterion && one.part === cell.part);
      return same ? [/** @type {[Cell, Cell]} */ ([cell, same])] : [];
    }),
  );
}

/**
 * Whether `work` says something else than `before`.
 * @param {Work} work
 * @param {Work} before
 */
export function differs(work, before) {
  /** @param {Work} one */
  const said = (one) => JSON.stringify([one.marks, one.faults, one.added, one.comment, one.flagged]);
  return said(work) !== said(before);
}
