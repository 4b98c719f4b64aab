// The list of faults of one answer: confirm or reject what was found, type to filter the names and add one.
/** @import { FaultTold, NamedFault } from "./data.js" */
/** @import { FoundFault } from "./state.js" */
/** @import { Words } from "./words.js" */
import { openDialog } from "./dialogs.js";
import { el } from "./dom.js";
import { explanation } from "./explained.js";

/** @typedef {NamedFault & {fault?: FoundFault}} Item one that was found, or one that can be added */

/**
 * @typedef {object} FaultsOf
 * @property {Words} t
 * @property {string} letter
 * @property {FoundFault[]} found
 * @property {NamedFault[]} names
 * @property {Set<string>} impossible
 * @property {(fault: FoundFault) => string | undefined} said
 * @property {(fault: FoundFault, value: string) => void} decide
 * @property {(name: string, quote: string) => void} add
 * @property {string} quote
 * @property {(name: string) => Promise<FaultTold | null>} explain
 */

/** @type {(text: string) => string} */
const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/**
 * What is selected inside the text of an answer, else "".
 * @param {Node} node
 */
export function selectedQuote(node) {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || !selection.rangeCount) return "";
  return node.contains(selection.getRangeAt(0).commonAncestorContainer) ? selection.toString().trim() : "";
}

/**
 * `found` are the faults of the answer, `said(fault)` present, absent or undefined, `names` what can be
 * added; those that are `impossible` for the question come only to who types their words.
 * `decide(fault, value)` and `add(name, quote)` do it; `explain(name)` fetches what is said of a fault.
 * @param {HTMLElement} root
 * @param {FaultsOf} faults
 */
export function faultsDialog(root, faults) {
  const { t, letter, found, names, impossible, said, decide, add, quote, explain } = faults;
  const input = el("input", {
    type: "text",
    class: "cg-input",
    role: "combobox",
    "aria-expanded": "true",
    "aria-controls": "cg-fault-list",
    "aria-label": t("fault.filter"),
    placeholder: t("fault.filter"),
    autocomplete: "off",
  });
  const list = el("ul", {
    id: "cg-fault-list",
    role: "listbox",
    class: "cg-options",
    "aria-label": t("fault.title", { letter }),
  });
  const words = quote
    ? el("p", { class: "cg-quoted", dir: "auto" }, `“${quote}”`)
    : el("p", { class: "cg-muted" }, t("fault.select"));
  const about = explanation(t, explain);
  /** @type {Item[]} */
  let items = [];
  let at = 0;

  const foundNames = new Set(found.map((fault) => fault.name));
  const addable = names.filter(({ name }) => !foundNames.has(name));
  /** @param {string} title */
  const match = (title) => folded(title).includes(folded(input.value.trim()));
  /**
   * @param {Item} item
   * @param {string} value
   */
  const choose = (item, value) => {
    if (item.fault) decide(item.fault, value);
    else {
      add(item.name, quote);
      return close();
    }
    draw();
  };
  /** @param {Item} item */
  const hint = ({ name, fault, severity, speaks_to }) =>
    (fault
      ? [t("fault.by", { by: fault.by }), fault.differs, fault.severity, fault.rationale]
      : [
          severity,
          speaks_to && t("fault.against", { criterion: speaks_to.replaceAll("_", " ") }),
          impossible.has(name) && t("fault.not_here"),
        ]
    )
      .filter(Boolean)
      .join(" · ");
  /**
   * @param {Item} item
   * @param {number} place
   */
  const option = (item, place) => {
    const now = item.fault ? said(item.fault) : null;
    const keys = item.fault
      ? [
          el(
            "button",
            {
              type: "button",
              class: "cg-mini",
              tabindex: "-1",
              "aria-pressed": String(now === "present"),
              onclick: () => choose(item, "present"),
            },
            `✓ ${t("fault.confirm")}`,
            el("kbd", {}, "Enter"),
          ),
          el(
            "button",
            {
              type: "button",
              class: "cg-mini",
              tabindex: "-1",
              "aria-pressed": String(now === "absent"),
              onclick: () => choose(item, "absent"),
            },
            `✗ ${t("fault.reject")}`,
            el("kbd", {}, "Del"),
          ),
        ]
      : [
          el(
            "button",
            { type: "button", class: "cg-mini", tabindex: "-1", onclick: () => choose(item, "present") },
            `+ ${t("fault.add")}`,
            el("kbd", {}, "Enter"),
          ),
        ];
    return el(
      "li",
      {
        role: "option",
        id: `cg-fault-${place}`,
        "aria-selected": String(place === at),
        class: now ?? "",
        title: item.why || null,
        onpointermove: () => place !== at && move(place),
      },
      el("span", {}, item.title, el("small", {}, hint(item))),
      keys,
    );
  };
  function draw() {
    items = [
      ...found.map((fault) => ({ fault, name: fault.name, title: fault.title, why: fault.why })),
      ...addable.filter(({ name }) => !impossible.has(name)),
      ...(input.value.trim() ? addable.filter(({ name }) => impossible.has(name)) : []),
    ].filter((item) => match(item.title));
    at = Math.max(0, Math.min(at, items.length - 1));
    list.replaceChildren(
      ...(items.length ? items.map(option) : [el("li", { class: "none" }, t("fault.none"))]),
    );
    input.setAttribute("aria-activedescendant", items.length ? `cg-fault-${at}` : "");
    tell();
  }
  const tell = () => about.show(items[at]?.fault?.name ?? items[at]?.name ?? "");
  /** @param {number} place */
  function move(place) {
    at = place;
    for (const [i, node] of [...list.children].entries())
      node.setAttribute("aria-selected", String(i === at));
    input.setAttribute("aria-activedescendant", `cg-fault-${at}`);
    list.children[at]?.scrollIntoView({ block: "nearest" });
    tell();
  }
  input.addEventListener("input", () => {
    at = 0;
    draw();
  });
  input.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || !items.length) return;
    if (event.key === "ArrowDown") move((at + 1) % items.length);
    else if (event.key === "ArrowUp") move((at + items.length - 1) % items.length);
    else if (event.key === "Enter") choose(items[at], "present");
    else if (event.key === "Delete" && items[at].fault) choose(items[at], "absent");
    else return;
    event.preventDefault();
  });
  const { close } = openDialog(root, {
    title: t("fault.title", { letter }),
    body: [words, el("div", { class: "cg-beside" }, el("div", {}, input, list), about.node)],
    t,
    wide: true,
  });
  draw();
  input.focus();
}
