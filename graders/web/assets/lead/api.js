// Asking the server. Every failure becomes an Error whose message a person can read.

import { ask as send } from "../session.js";

async function ask(address, options) {
  let reply;
  try {
    reply = await send(address, { credentials: "same-origin", ...options });
  } catch {
    throw new Error("The server does not answer. Please check the connection and try again.");
  }
  const text = await reply.text();
  let body = null;
  try {
    body = text ? JSON.parse(text) : null;
  } catch {
    throw new Error(
      `The server sent something that this page cannot read (status ${reply.status}). Please reload.`,
    );
  }
  if (!reply.ok) {
    const error = new Error(body?.error || `The server refused (status ${reply.status}).`);
    throw Object.assign(error, { status: reply.status, ask: body?.ask });
  }
  return body;
}

/**
 * Parameters as a query; empty ones are left out, one that is a list stands there once for each of its
 * values.
 */
export function query(params = {}) {
  const all = Object.entries(params).flatMap(([name, value]) =>
    Array.isArray(value) ? value.map((one) => [name, one]) : [[name, value]],
  );
  const kept = all.filter(([, value]) => value !== "" && value !== null && value !== undefined);
  return kept.length ? "?" + new URLSearchParams(kept).toString() : "";
}

export const getJSON = (path, params, signal) => ask(path + query(params), { signal });

export const postJSON = (path, body) =>
  ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
