// Which verdicts count: a chip per filter, several values of one are alternatives; the address holds them.

import { el, fill } from "./el.js";
import { several } from "./several.js";
import { go, here } from "./url.js";

const names = {
  category: "Category",
  task_type: "Task type",
  language: "Language",
  model: "Model",
  annotator: "Annotator",
  action: "How given",
  neighbours: "Shown",
};
const words = {
  all: "all",
  since: "from",
  until: "to",
  wording: "Version of the rubric",
  present: "as worded now",
  clear: "Clear filters",
  date: "Date",
  filters: "Filters",
};
const counts = {
  group: "Which verdicts of people count",
  blind: "Blind only",
  all: "All, assisted marked",
  blindHint: "Only verdicts that people gave without seeing a suggestion: the true figure",
  allHint: "Also verdicts that people gave with a suggestion in view: these lean towards it",
  population: "Drawn from",
};
/** What waits to be drawn, by the field that is typed into. */
const waiting = new WeakMap();
/** Whether a telephone shows them; it stays so while the page is drawn anew. */
let unfolded = false;
/**
 * What of an address belongs to the verdicts that a filter takes out: a cell of a matrix, a page of a list.
 */
const AGAIN = { value_a: "", value_b: "", p: "", cpage: "" };

/** The names of all filters, as the address has them. */
export const FILTERS = [...Object.keys(names), "since", "until", "wording"];

/** The filters of an address. */
export const chosen = (asked) =>
  Object.fromEntries(FILTERS.filter((name) => asked[name]).map((name) => [name, asked[name]]));

const listed = (value) => (value === undefined || value === "" ? [] : Array.isArray(value) ? value : [value]);

/**
 * The chips, and a button that takes all filters back where one is set. A filter with nothing to choose from
 * has no chip: so a page shows those that mean something for its figures, which its `choices` say.
 * `reworded`: what of the address another wording may not have.
 * @param {any} choices
 * @param {boolean} [blindOnly]
 * @param {Record<string, string>} reworded
 */
export function filterBar(choices, blindOnly, reworded = { criterion: "", a: "", b: "" }) {
  const asked = here();
  // What was given blind was typed: there is nothing to choose from.
  const offered = Object.keys(names).filter((name) => name !== "action" || !blindOnly || asked.action);
  const chips = offered
    .filter((name) => (choices[name] ?? []).length > 1 || listed(asked[name]).length)
    .map((name) => chip(name, choices[name] ?? [], listed(asked[name])));
  const bar = el("div.bar.fb", { role: "group", "aria-label": words.filters });
  bar.append(
    fold(bar, asked),
    ...chips,
    dates(asked),
    ...[choices.wording ? wording(choices.wording, asked.wording, reworded) : null, clearFilters()].filter(
      Boolean,
    ),
  );
  return bar;
}

/**
 * On a telephone, where the filters would fill the screen, they are behind this button, which is not seen
 * elsewhere.
 */
function fold(bar, asked) {
  const set = FILTERS.filter((name) => asked[name]).length;
  const button = el(
    "button.chip.ff",
    { type: "button", "data-key": "filters" },
    words.filters,
    set ? el("b", {}, `${set}`) : null,
  );
  const show = () => (
    bar.classList.toggle("open", unfolded), button.setAttribute("aria-expanded", String(unfolded))
  );
  button.addEventListener("click", () => ((unfolded = !unfolded), show()));
  show();
  return button;
}

/**
 * A button that takes all filters back; null where none is set. Beside an error it is the way out of an
 * address that asks for what is not there.
 */
export function clearFilters() {
  const asked = here();
  if (!FILTERS.some((name) => asked[name])) return null;
  return el(
    "button.btn.q.xs",
    {
      type: "button",
      onclick: () => go({ ...Object.fromEntries(FILTERS.map((name) => [name, ""])), ...AGAIN }),
    },
    words.clear,
  );
}

function chip(name, options, on) {
  const said = on.length
    ? options
        .filter((o) => on.includes(o.value))
        .map((o) => o.words)
        .join(", ") || on.join(", ")
    : words.all;
  const box = el("details.menu.fl", { "data-key": name });
  const summary = el(
    "summary.chip",
    { "data-key": `list ${name}`, "aria-label": `${names[name]}: ${said}` },
    `${names[name]}: `,
    el("b", {}, said.length > 28 ? `${said.slice(0, 28)}…` : said),
  );
  const pick = (option) => {
    const field = el("input", {
      type: "checkbox",
      "data-key": `${name} ${option.value}`,
      checked: on.includes(option.value),
    });
    field.addEventListener("change", () => {
      const next = field.checked ? [...on, option.value] : on.filter((value) => value !== option.value);
      go({ [name]: next.length ? next : "", ...AGAIN });
    });
    return el("label.check", {}, field, ` ${option.words}`);
  };
  box.append(summary, el("div.list", {}, options.map(pick)));
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !box.open) return;
    box.open = false;
    summary.focus();
  });
  return box;
}

function dates(asked) {
  const field = (name) => {
    const input = el("input.chip", {
      type: "date",
      min: "1900-01-01",
      max: "2999-12-31",
      value: asked[name] ?? "",
      "aria-label": `${words.date} ${words[name]}`,
      "data-key": name,
    });
    const set = () => {
      delete input.dataset.typed;
      if (input.checkValidity() && input.value !== (here()[name] ?? ""))
        go({ [name]: input.value, ...AGAIN });
    };
    // A date is whole at the first digit of its year: what is typed counts when the field is left, or by
    // Enter.
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") set();
      else if (/^([0-9]|Arrow(Up|Down)|Backspace|Delete)$/u.test(event.key) && !event.altKey)
        input.dataset.typed = "1";
    });
    input.addEventListener("change", () => input.dataset.typed || set());
    input.addEventListener("blur", () => setTimeout(set)); // once the keyboard has gone on
    return el("label.s.m", {}, `${words[name]} `, input);
  };
  return el("span.bar", {}, field("since"), field("until"));
}

function wording(versions, on, reworded) {
  const select = el("select.chip", {
    "aria-label": words.wording,
    "data-key": "wording",
    onchange: () => go({ wording: select.value, ...reworded, ...AGAIN }),
  });
  select.append(
    el("option", { value: "" }, `${words.wording}: ${words.present}`),
    ...versions
      .filter((v) => !v.active)
      .map((v) => el("option", { value: v.value, selected: v.value === on }, v.words)),
  );
  return select;
}

/**
 * Fill the bar; not under somebody who types a date into it: then the latest drawing waits until the field is
 * left.
 */
export function fillBar(bar, ...children) {
  const typed = bar.querySelector("input[data-typed]");
  if (!typed) return void fill(bar, ...children);
  if (!waiting.has(typed))
    typed.addEventListener("blur", () => setTimeout(() => late(bar, typed)), { once: true });
  waiting.set(typed, { children, address: location.href });
}

/** The drawing that waited, unless the date that was typed asks for another one. */
function late(bar, typed) {
  const { children, address } = waiting.get(typed);
  waiting.delete(typed);
  if (typed.isConnected && address === location.href) fill(bar, ...children);
}

/** Blind verdicts alone, or all. */
export function blindSwitch(found) {
  const button = (on, text, hint) =>
    el(
      "button",
      {
        type: "button",
        title: hint,
        "aria-pressed": String(found.blind_only === on),
        onclick: () => go({ blind: on ? "" : "0", population: "", value_a: "", value_b: "", p: "" }),
      },
      text,
    );
  return el(
    "div.seg",
    { role: "group", "aria-label": counts.group },
    button(true, counts.blind, counts.blindHint),
    button(false, counts.all, counts.allHint),
  );
}

/** Which draw's blind verdicts count, where there are several. */
export function populations(found) {
  if (!found.blind_only || found.population.choices.length < 2) return null;
  const select = el("select.chip", {
    "aria-label": counts.population,
    onchange: () => go({ population: select.value, value_a: "", value_b: "", p: "" }),
  });
  select.append(
    ...found.population.choices.map((c) =>
      el(
        "option",
        { value: c.name, selected: c.name === found.population.name },
        `${c.words}: ${several(c.verdicts, "blind verdict")}`,
      ),
    ),
  );
  return select;
}
