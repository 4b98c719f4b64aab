// What keeps the server from saving, in the desk's words. The server's own sentence says to try again; the desk does that by itself.

const NAMED = new Set(["full", "read_only", "missing", "disk", "damaged", "busy"]);
const SAID_BY_STATUS = new Set(["full", "read_only"]);

/** Why a request was not done; empty where nobody answered or no reason was given. */
export function reasonOf(t, status, reply) {
  if (!status) return "";
  return NAMED.has(reply?.trouble) ? t(`trouble.${reply.trouble}`) : (reply?.error ?? "");
}

/** The kind of status while saves wait: "offline" where nobody answers, else what the server says, as far as a word can. */
export function kindOf(status, reply) {
  if (!status || !reply?.error) return "offline";
  return SAID_BY_STATUS.has(reply.trouble) ? reply.trouble : "unsaved";
}
