// What is half typed outlives the page: the browser keeps it for the tab until the server shows something
// else in that field. Gradio loads a page anew after the server was away.

const place = () => `cograde ${location.pathname}${location.search}`;

/** @returns {Record<string, unknown>} what is kept for this address, by its name */
function all() {
  try {
    return JSON.parse(sessionStorage.getItem(place()) ?? "{}");
  } catch {
    return {}; // a browser may keep nothing here
  }
}

/**
 * Keep something by a name for this address; empty things are forgotten.
 * @param {string} name
 * @param {unknown} [value]
 */
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

/**
 * What is kept by a name.
 * @param {string} name
 */
export const kept = (name) => all()[name];

/**
 * @param {unknown} one
 * @param {unknown} other
 */
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
/**
 * What is half typed in a field, and what the server had there.
 * @typedef {{ base: unknown, value: unknown }} Half
 */

/** What is half typed here, by the names of fields. */
const halves = () => /** @type {Record<string, Half | undefined>} */ (all());

/** @type {{ at: string, values: Record<string, unknown> }} */
let drawn = { at: "", values: {} };
/**
 * Id of a text of Gradio's -> the name that its contents are kept by.
 * @type {Record<string, string>}
 */
let texts = {};

/**
 * A person changed a field of Gradio's.
 * @param {string} name
 * @param {unknown} value
 */
export function typed(name, value) {
  const base = drawn.at === place() ? drawn.values[name] : undefined;
  keep(name, same(base, value) ? undefined : { base: base ?? null, value });
}

/**
 * The server has what was typed in a field so far.
 * @param {string} name
 * @param {unknown} value
 */
export function accepted(name, value) {
  const one = halves()[name];
  drawn.values[name] = value;
  if (one) keep(name, same(one.value, value) ? undefined : { base: value, value: one.value });
}

/**
 * The page was drawn: `values` stand in the fields `names`, of which those that are texts have the `ids`;
 * returns what is to be in each.
 * @param {string[]} names
 * @param {string[]} ids
 * @param {unknown[]} values
 */
export function restored(names, ids, values) {
  texts = Object.fromEntries(names.map((name, at) => [ids[at], name]));
  drawn = { at: place(), values: {} };
  const found = halves();
  return names.map((name, at) => {
    drawn.values[name] = values[at];
    const one = found[name];
    if (!one || same(one.value, values[at])) return { __type__: "update" };
    if (same(one.base, values[at] ?? null)) return one.value;
    keep(name);
    return { __type__: "update" };
  });
}

/** What may hold a key is not kept. */
const FIELDS =
  ".cgl input:not([type=file], [type=password], [type=checkbox], [type=radio]), " +
  ".cgl textarea:not([data-unkept])";

/** @typedef {HTMLInputElement | HTMLTextAreaElement} Field */

/** @param {Field} field */
const called = (field) => `field ${field.getAttribute("aria-label") || field.id || field.name}`;

/**
 * @param {EventTarget | null} node
 * @returns {node is Field}
 */
const isField = (node) => node instanceof Element && node.matches(FIELDS);

/**
 * Fields in HTML of the kit: what was drawn last stands in `defaultValue`. Texts of Gradio's are heard here
 * too, for Gradio itself hears nothing any more once the server was away.
 * @param {HTMLElement} page
 */
export function watched(page) {
  page.addEventListener("input", ({ target }) => {
    const id = target instanceof Element && target.closest("[id^=k-typed-]")?.id;
    if (id && texts[id]) typed(texts[id], /** @type {Field} */ (target).value);
    if (isField(target)) keep(called(target), { base: target.defaultValue, value: target.value });
  });
}

/** @param {HTMLElement} page */
export function refilled(page) {
  const found = halves();
  for (const field of /** @type {NodeListOf<Field>} */ (page.querySelectorAll(FIELDS))) {
    const one = found[called(field)];
    if (!one || field === document.activeElement) continue;
    if (one.base === field.defaultValue) field.value = String(one.value);
    else keep(called(field));
  }
}
