// How far labels are: a bar with its sentence, as the server counts them.
import { el } from "./el.js";

/** The bar toward the next answer; nothing where nothing is known. */
export function labelsBar(found) {
  if (!found?.words) return null;
  const bar = found.needed
    ? el("progress", { max: String(found.needed), value: String(found.labels), "aria-label": found.words })
    : null;
  return el(
    "div.labels",
    {},
    bar,
    el("span.s", {}, `${found.words}.`),
    found.note ? el("span.s.m", {}, ` ${found.note}`) : null,
  );
}
