// What a save tells the server: what differs from what it has.
/** @import { Screen } from "./data.js" */
/** @import { Mark, Time, Work } from "./state.js" */
import { alike, shownAnswers, twinCells } from "./state.js";

/**
 * @typedef {object} SaveOf
 * @property {string} id
 * @property {string} project
 * @property {Screen} screen
 * @property {Work} work
 * @property {Work} before
 * @property {Time} time
 * @property {string | null} [skipped] the reason of a skip
 * @property {boolean} [afterReveal]
 */

/** @type {(one: Mark | undefined, other: Mark | undefined) => boolean} */
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
 * @param {Screen} screen
 * @param {Work} work
 * @param {Work} before
 * @param {Record<string, number>} cellSeconds
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
 * @param {Screen} screen
 * @param {Work} work
 * @param {Work} before
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

/**
 * The body of one save: everything about this screen.
 * @param {SaveOf} save
 */
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
