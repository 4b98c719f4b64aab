// What a person has decided on one screen: plain data and functions without a page, so that every change can
// be undone.
// A work is `{marks, faults, added, comment, flagged, apart, opened}`; it is never changed in place. A mark
// is `{value, status, reason, action, fault_of}`; a place is `{a, r}`: answer as shown, row as shown.

/**
 * Without what comes from machines, should the server ever send it on a blind screen. What the answer itself
 * lacks is no opinion.
 */
export function blinded(screen) {
  if (screen.arm !== "blind") return screen;
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

/** The marks that the server already has of this person, by cell. */
export function givenMarks(screen) {
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

/** A screen as it opens: what the server knows of this person, else nothing decided. */
export function newWork(screen) {
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

/** An answer and those with equal text. */
const alike = (answer) => [answer, ...(answer.twins ?? [])];

/**
 * The faults of an answer and of those judged with it, once each; `cells` are all that one word about it
 * decides.
 */
export function faultsOn(answer) {
  const found = new Map();
  for (const one of alike(answer)) {
    for (const fault of one.faults ?? []) {
      if (!found.has(fault.name)) found.set(fault.name, { ...fault, cells: [] });
      found.get(fault.name).cells.push(fault.id);
    }
  }
  return [...found.values()];
}

/** The answers as shown: equal ones as one, unless they were taken apart. */
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

/** The rows of an answer as shown: open cells, then those decided by the machine if they were opened. */
export function shownCells(answer, work) {
  const open = answer.cells.filter((cell) => cell.open);
  return work.opened.includes(answer.id) ? [...open, ...foldedCells(answer)] : open;
}

export function foldedCells(answer) {
  return answer.cells.filter((cell) => !cell.open);
}

/** How many open cells of an answer wait for a decision. */
export function leftIn(answer, work) {
  return answer.cells.filter((cell) => cell.open && !work.marks[cell.id]).length;
}

export function leftOn(screen, work) {
  return shownAnswers(screen, work).reduce((sum, answer) => sum + leftIn(answer, work), 0);
}

/** The cell at a place, or null. */
export function cellAt(screen, work, place) {
  const answer = shownAnswers(screen, work)[place.a];
  return answer ? (shownCells(answer, work)[place.r] ?? null) : null;
}

/**
 * The next open cell after `place`: first in this answer, then in the following ones, then from the start.
 * Null: none left.
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

/** A mark that a person types: `edited` when it differs from a suggestion, else `typed`. */
export function typedMark(cell, value) {
  const edited = cell.suggestion && cell.suggestion.value !== value;
  return { value, status: "ok", reason: "", action: edited ? "edited" : "typed", fault_of: "" };
}

export function notApplicable(cell) {
  return {
    value: null,
    status: "unscored",
    reason: "not_applicable",
    action: cell.suggestion ? "edited" : "typed",
    fault_of: "",
  };
}

/** The suggestion as a mark, or null where there is none. */
export function acceptedMark(cell) {
  return cell.suggestion
    ? { value: cell.suggestion.value, status: "ok", reason: "", action: "accepted", fault_of: "" }
    : null;
}

/** Whether a mark goes against the suggestion. */
export function isCorrection(cell, mark) {
  return Boolean(mark && cell.suggestion && (mark.status !== "ok" || mark.value !== cell.suggestion.value));
}

export const withMark = (work, cell, mark) => ({ ...work, marks: { ...work.marks, [cell.id]: mark } });

export const withFaultOf = (work, cell, fault) =>
  withMark(work, cell, { ...work.marks[cell.id], fault_of: fault });

/**
 * Give the open parts of a cell's criterion the value that stands in it, or in the nearest decided part
 * above; null where there is none.
 */
export function withParts(work, answer, cell) {
  const parts = answer.cells.filter((one) => one.criterion === cell.criterion && one.part);
  const said = parts.slice(0, parts.indexOf(cell) + 1).findLast((one) => work.marks[one.id]);
  const rest = parts.filter((one) => one.open && !work.marks[one.id]);
  if (!said || !rest.length) return null;
  const { value, status } = work.marks[said.id];
  const marks = { ...work.marks };
  for (const one of rest) marks[one.id] = status === "ok" ? typedMark(one, value) : notApplicable(one);
  return { ...work, marks };
}

/** Confirm every suggestion of an answer that is still open. */
export function withRest(work, answer) {
  const marks = { ...work.marks };
  for (const cell of answer.cells)
    if (cell.open && !marks[cell.id] && cell.suggestion) marks[cell.id] = acceptedMark(cell);
  return { ...work, marks };
}

export function withFault(work, fault, value) {
  const faults = { ...work.faults };
  const again = faults[fault.id] === value;
  for (const id of fault.cells) {
    if (again) delete faults[id];
    else faults[id] = value;
  }
  return { ...work, faults };
}

/** Take back a fault that the person added, for all answers that are judged together. */
export function withoutAdded(screen, work, one) {
  const answer = shownAnswers(screen, work).find(({ id }) => id === one.answer);
  const ids = alike(answer).map(({ id }) => id);
  const same = (other) => other.name === one.name && other.quote === one.quote && ids.includes(other.answer);
  return { ...work, added: work.added.filter((other) => !same(other)) };
}

const toggled = (list, item) => (list.includes(item) ? list.filter((one) => one !== item) : [...list, item]);

export const withOpened = (work, answer) => ({ ...work, opened: toggled(work.opened, answer.id) });

/** Take equal answers apart: each starts with what was decided for all of them. */
export function withApart(screen, work, id) {
  const answer = screen.answers.find((one) => one.id === id || one.twins?.some((twin) => twin.id === id));
  if (!answer?.twins?.length) return work;
  if (work.apart.includes(answer.id)) return { ...work, apart: toggled(work.apart, answer.id) };
  const marks = { ...work.marks };
  for (const [cell, twin] of twinCells(answer)) if (marks[cell.id]) marks[twin.id] ??= marks[cell.id];
  return { ...work, marks, apart: [...work.apart, answer.id] };
}

/** Pairs of a cell and the same cell of an equal answer. */
function twinCells(answer) {
  return (answer.twins ?? []).flatMap((twin) =>
    answer.cells
      .map((cell) => [
        cell,
        twin.cells.find((other) => other.criterion === cell.criterion && other.part === cell.part),
      ])
      .filter(([, other]) => other),
  );
}

const sameMark = (one, other) =>
  Boolean(
    one &&
      other &&
      one.value === other.value &&
      one.reason === other.reason &&
      one.fault_of === other.fault_of,
  );

/**
 * The verdicts that differ from `before` (what the server has). Seconds of a cell shared by equal answers are
 * divided.
 */
export function verdictsOf(screen, work, before, cellSeconds) {
  const verdicts = [];
  for (const answer of shownAnswers(screen, work)) {
    for (const cell of answer.cells) {
      const mark = work.marks[cell.id];
      if (!mark || sameMark(mark, before.marks[cell.id])) continue;
      const all = [
        cell,
        ...twinCells(answer)
          .filter(([own]) => own === cell)
          .map(([, twin]) => twin),
      ];
      const seconds = Math.round(((cellSeconds[cell.id] ?? 0) / all.length) * 10) / 10;
      for (const one of all) verdicts.push({ cell: one.id, ...mark, seconds });
    }
  }
  return verdicts;
}

/**
 * The opinions on faults that are new since `before`, each of every answer it belongs to: found ones, and
 * those that the person added.
 */
export function faultsOf(screen, work, before) {
  const found = screen.answers.flatMap(alike).flatMap((answer) =>
    (answer.faults ?? [])
      .filter((fault) => work.faults[fault.id] && work.faults[fault.id] !== before.faults[fault.id])
      .map((fault) => ({
        cell: fault.id,
        answer: answer.id,
        name: fault.name,
        value: work.faults[fault.id],
        quote: "",
      })),
  );
  const known = new Set(before.added.map((one) => JSON.stringify(one)));
  const added = work.added.filter((one) => !known.has(JSON.stringify(one)));
  return [
    ...found,
    ...added.map(({ answer, name, quote }) => ({ cell: null, answer, name, value: "present", quote })),
  ];
}

/** The body of one save: everything about this screen. */
export function saveBody({ id, project, screen, work, before, time, skipped = null, afterReveal = false }) {
  return {
    save_id: id,
    project,
    screen: screen.id,
    seconds: Math.round(time.total * 10) / 10,
    comment: work.comment,
    flagged: work.flagged,
    skipped,
    order: shownAnswers(screen, work).map((answer) => answer.id),
    verdicts: skipped === null ? verdictsOf(screen, work, before, time.cells) : [],
    faults: skipped === null ? faultsOf(screen, work, before) : [],
    after_reveal: afterReveal,
    after: screen.saved?.save_id ?? "",
  };
}

/** Whether `work` says something else than `before`. */
export function differs(work, before) {
  const said = (one) => JSON.stringify([one.marks, one.faults, one.added, one.comment, one.flagged]);
  return said(work) !== said(before);
}
