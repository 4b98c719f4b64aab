// The address carries the state of a page, so that it can be sent to somebody and the back button works.

import { query } from "./api.js";

/** The parameters of the address as a plain object. */
export const here = () => Object.fromEntries(new URLSearchParams(location.search));

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
