// What the head and the foot say of my work: counts and the state of saving, with what the server does not
// know yet.
/** @import { Desk } from "./desk.js" */
/** @import { Job, Status } from "./outbox.js" */

/**
 * What jobs on their way add up to: `counted` screens done, `blind` ones of them, `flags`.
 * @param {Job[]} jobs
 * @param {"counted" | "blind" | "flags"} what
 */
export function underWay(jobs, what) {
  return jobs.reduce((sum, job) => sum + (job[what] ?? 0), 0);
}

/**
 * The server's counts, moved by what is on its way and by flags that are still drafts.
 * @param {Desk} desk
 */
export function paintCounts(desk) {
  const { counts } = desk;
  const jobs = desk.outbox.jobs();
  const sent = underWay(jobs, "counted");
  const done = Math.max(0, Math.min(counts.total, counts.done + sent));
  const flagged = Math.max(0, counts.flagged + underWay(jobs, "flags") + desk.pool.unsent().flags);
  desk.view.counts({ ...counts, done, flagged });
  desk.events.onCounts({ left: counts.total - done });
}

/**
 * Nothing is called saved while something on a screen is only a draft. `status` comes from the outbox.
 * @param {Desk} desk
 * @param {Status} status
 */
export function paintStatus(desk, status = desk.sending) {
  desk.sending = status;
  const { n, lasting } = desk.pool.unsent();
  if (status.kind !== "saved" || !n) desk.view.status(status);
  else desk.view.status({ kind: lasting ? "draft" : "tab_only", n });
}

/** @param {Desk} desk */
export function paintState(desk) {
  desk.view.root.dataset.ahead = String(desk.pool.unopened().length);
  desk.tabs.tell();
  paintCounts(desk);
  paintStatus(desk);
}
