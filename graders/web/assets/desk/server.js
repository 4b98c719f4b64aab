// The server's routes as the desk asks them.
/** @import { NextReply } from "./data.js" */
/** @import { Reply } from "./outbox.js" */
/** @import { Api } from "./pool.js" */
/** @import { Trouble } from "./trouble.js" */
/** @import { Words } from "./words.js" */
import { ask, keepsNothing } from "../session.js";
import { reasonOf } from "./trouble.js";

/**
 * GET JSON: `{status, reply}`; status 0 when nobody answered.
 * @template {object} T
 * @param {string} path
 * @param {Record<string, unknown>} query
 * @returns {Promise<Reply<T>>}
 */
export async function getJson(path, query) {
  try {
    const given = Object.entries(query).flatMap(([name, value]) =>
      value === null || value === undefined || value === "" ? [] : [[name, String(value)]],
    );
    const response = await ask(`${path}?${new URLSearchParams(given)}`, {
      headers: { accept: "application/json" },
      signal: AbortSignal.timeout(15_000),
    });
    return { status: response.status, reply: await response.json().catch(() => null) };
  } catch {
    return { status: 0, reply: null };
  }
}

/**
 * The server's routes as the desk needs them; null stands for "no usable reply".
 * @param {string} project
 * @param {Words} t
 * @param {() => void} onSignedOut
 * @returns {Api}
 */
export function transport(project, t, onSignedOut) {
  let why = "";
  /**
   * @template {object} T
   * @param {string} path
   * @param {Record<string, unknown>} query
   * @returns {Promise<T | null>}
   */
  const get = async (path, query) => {
    /** @type {Reply<T>} */
    const { status, reply } = await getJson(path, { project, ...query });
    if (status === 401) onSignedOut();
    return status === 200 ? reply : null;
  };
  return {
    /**
     * The next screens; for a question that the project does not have, the server's sentence as `unknown`.
     */
    next: async ({ have, sent, n, question, order }) => {
      const wanted = { project, have: have.join(","), sent: sent.join(","), n, question, order };
      /** @type {Reply<NextReply & Trouble>} */
      const { status, reply } = await getJson("/api/next", wanted);
      if (status === 401) onSignedOut();
      if (status === 404 && question) return { screens: [], counts: null, unknown: reply?.error ?? "" };
      why = status !== 200 && reply?.trouble ? reasonOf(t, status, reply) : "";
      return status === 200 ? reply : null;
    },
    /** What the server said of its disk when it could not give screens; empty where it said nothing of it. */
    why: () => why,
    screen: (id) => get("/api/screen", { id }),
    fault: (name) => get("/api/fault", { name }),
    myWork: (text) => get("/api/my-work", { q: text }),
    release: (screens) => screens.length && giveBack("/api/release", JSON.stringify({ project, screens })),
  };
}

/**
 * Tell the server something as the page goes; nobody waits for an answer.
 * @param {string} path
 * @param {string} body
 */
function giveBack(path, body) {
  const type = "application/json";
  if (!keepsNothing()) return navigator.sendBeacon(path, new Blob([body], { type }));
  return ask(path, { method: "POST", keepalive: true, headers: { "content-type": type }, body }).catch(
    () => null,
  );
}

/**
 * The words in English, from beside this module, for the moments when the server could not give any.
 * @returns {Promise<Record<string, string>>}
 */
export async function spareWords() {
  try {
    return await (await fetch(new URL("../words/en.json", import.meta.url))).json();
  } catch {
    return {};
  }
}
