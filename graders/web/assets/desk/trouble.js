// What keeps the server from saving, in the desk's words. The server's own sentence says to try again; the
// desk does that by itself.

/** @import { Failing } from "./outbox.js" */
/** @import { Words } from "./words.js" */

/** @typedef {{error?: string, trouble?: string}} Trouble what the server says of what it could not do */

const NAMED = new Set(["full", "read_only", "missing", "disk", "damaged", "busy"]);

/**
 * Why a request was not done; empty where nobody answered or no reason was given.
 * @param {Words} t
 * @param {number} status
 * @param {Trouble | null} reply
 */
export function reasonOf(t, status, reply) {
  if (!status) return "";
  return reply?.trouble && NAMED.has(reply.trouble) ? t(`trouble.${reply.trouble}`) : (reply?.error ?? "");
}

/**
 * The kind of status while saves wait: "offline" where nobody answers, else what the server says, as far as a
 * word can.
 * @param {number} status
 * @param {Trouble | null} reply
 * @returns {Failing}
 */
export function kindOf(status, reply) {
  if (!status || !reply?.error) return "offline";
  return reply.trouble === "full" || reply.trouble === "read_only" ? reply.trouble : "unsaved";
}
