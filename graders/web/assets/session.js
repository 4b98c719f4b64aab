// Asks the server. In a frame of another site a browser may keep no cookie: then the page was given its
// session, keeps it in its memory, for as long as it is open, and sends it along.

const HEADER = "x-cograde-session";
const KEPT = "kept";
/** @type {HTMLMetaElement | null} */
const given = document.querySelector("meta[name=cograde-session]");
let token = given?.content ?? "";
let refused = false;
given?.remove();

/** Whether this browser keeps no cookie here: known after the first answer of the server. */
export const keepsNothing = () => refused;

/**
 * `fetch`, with the session of this page where the browser keeps no cookie.
 * @param {string} address
 * @param {RequestInit} options
 */
export async function ask(address, options = {}) {
  if (!token) return fetch(address, options);
  const headers = new Headers(options.headers);
  headers.set(HEADER, token);
  const reply = await fetch(address, { ...options, headers });
  const said = reply.headers.get(HEADER);
  refused = said !== KEPT;
  if (said) token = refused ? said : "";
  return reply;
}
