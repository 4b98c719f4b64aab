// A report that takes a while: while much has to be read, the page is told how far that is and asks again.

import { getJSON } from "./api.js";
import { el, fill } from "./el.js";

const words = { reading: "Reading what machines and people said" };

/**
 * The report from `path`; how far reading is stands in `status` meanwhile. `current` says whether the page
 * still wants it.
 */
export async function whole(path, options, status, current) {
  let found = await getJSON(path, options);
  while (found.progress && current()) {
    const { done, of } = found.progress;
    fill(
      status,
      el("p.m", {}, `${words.reading}: ${done} of ${of} ${of === 1 ? "criterion" : "criteria"}.`),
      el("div.prog", {}, el("i", { style: { width: `${(100 * done) / Math.max(1, of)}%` } })),
    );
    found = await getJSON(path, { ...options, begun: 1 });
  }
  if (current()) fill(status);
  return found;
}
