// The address carries the state of a page, so that it can be sent to somebody and the back button works.

import { query } from "./api.js";

/**
 * The parameters of the address as a plain object; one that stands there several times is a list.
 * @returns {Record<string, any>}
 */
export function here() {
  const found = new URLSearchParams(location.search);
  return Object.fromEntries(
    [...new Set(found.keys())].map((name) => [
      name,
      found.getAll(name).length > 1 ? found.getAll(name) : found.get(name),
    ]),
  );
}

/** Change parameters of the address (null or "" takes one out) and tell the page. */
export function go(changes) {
  const next = { ...here(), ...changes };
  const address = location.pathname + query(next);
  if (address !== location.pathname + location.search) history.pushState(null, "", address);
  dispatchEvent(new Event("cograde:address"));
}

/** Call `draw` now and whenever the address changes, also by the back button. */
export function follow(draw) {
  addEventListener("popstate", draw);
  addEventListener("cograde:address", draw);
  return draw();
}
