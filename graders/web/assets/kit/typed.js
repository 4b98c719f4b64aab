// What is half typed outlives the page: the browser keeps it for the tab until the server shows something else
// in that field. Gradio loads a page anew after the server was away.

const place = () => `cograde ${location.pathname}${location.search}`;

function all() {
  try {
    return JSON.parse(sessionStorage.getItem(place()) ?? "{}");
  } catch {
    return {}; // a browser may keep nothing here
  }
}

/** Keep something by a name for this address; empty things are forgotten. */
export function keep(name, value) {
  const found = all();
  if (value === undefined || (Array.isArray(value) && !value.length)) {
    if (!(name in found)) return;
    delete found[name];
  } else found[name] = value;
  try {
    sessionStorage.setItem(place(), JSON.stringify(found));
  } catch {
    // it stands in the field as long as the page does
  }
}

/** What is kept by a name. */
export const kept = (name) => all()[name];

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
let drawn = { at: "", values: {} };
/** Id of a text of Gradio's -> the name that its contents are kept by. */
let texts = {};

/** A person changed a field of Gradio's. */
export function typed(name, value) {
  const base = drawn.at === place() ? drawn.values[name] : undefined;
  keep(name, same(base, value) ? undefined : { base: base ?? null, value });
}

/** The server has what was typed in a field so far. */
export function accepted(name, value) {
  const one = all()[name];
  drawn.values[name] = value;
  if (one) keep(name, same(one.value, value) ? undefined : { base: value, value: one.value });
}

/**
 * The page was drawn: `values` stand in the fields `names`, of which those that are texts have the `ids`;
 * returns what is to be in each.
 */
export function restored(names, ids, values) {
  texts = Object.fromEntries(names.map((name, at) => [ids[at], name]));
  drawn = { at: place(), values: {} };
  const found = all();
  return names.map((name, at) => {
    drawn.values[name] = values[at];
    const one = found[name];
    if (!one || same(one.value, values[at])) return { __type__: "update" };
    if (same(one.base, values[at] ?? null)) return one.value;
    keep(name);
    return { __type__: "update" };
  });
}

const FIELDS = ".cgl input:not([type=file], [type=password], [type=checkbox], [type=radio]), .cgl textarea";
const called = (field) => `field ${field.getAttribute("aria-label") ?? field.id ?? field.name}`;

/**
 * Fields in HTML of the kit: what was drawn last stands in `defaultValue`. Texts of Gradio's are heard here
 * too, for Gradio itself hears nothing any more once the server was away.
 */
export function watched(page) {
  page.addEventListener("input", ({ target }) => {
    const name = texts[target.closest?.("[id^=k-typed-]")?.id];
    if (name) typed(name, target.value);
    if (target.matches?.(FIELDS)) keep(called(target), { base: target.defaultValue, value: target.value });
  });
}

export function refilled(page) {
  const found = all();
  for (const field of page.querySelectorAll(FIELDS)) {
    const one = found[called(field)];
    if (!one || field === document.activeElement) continue;
    if (one.base === field.defaultValue) field.value = one.value;
    else keep(called(field));
  }
}
