// The grid and the filters above it.

import { query } from "../lead/api.js";
import { dotRow } from "../lead/chart.js";
import { el, pager } from "../lead/el.js";
import { whenOffered } from "../lead/offered.js";
import { several } from "../lead/several.js";
import { go, here } from "../lead/url.js";
import { sheetButton } from "./sheet.js";

const words = {
  model: "Model",
  mean: "mean of final values",
  unconfirmed: "mean of final values, or of judges' and rules' where it is marked",
  interval: "95 % interval, by question",
  order: "people before automatic",
  all: "All",
  more: "more",
  download: "Download",
  search: "Find a model",
  best: "Best first",
  name: "By name",
  ceiling: "the author's own text: the ceiling",
  control: "Author's own text",
  controlHint:
    "A real text of the named author, graded unnamed among the answers. No model, and in no mean " +
    "or rank: its marks are the ceiling.",
  faults: "Faults",
  task_type: "Task type",
  language: "Language",
  category: "Category",
  empty: "No model has an answer here.",
};
const REPORTS = [
  ["html", "Report, one HTML file"],
  ["md", "Report as Markdown"],
  ["xlsx", "Report as Excel workbook"],
];
const CATEGORIES = 7;
let allCategories = false;

export function filterBars(found, project, person) {
  const bars = [
    el(
      "div.bar",
      {},
      order(),
      search(found),
      el("span", { style: { flex: "1" } }),
      choice(found, "task_type"),
      choice(found, "language"),
      sheetButton(project, person),
      downloads(project),
    ),
  ];
  const categories = found.filter_values.category;
  if (categories.length > 1) bars.push(categoryBar(found, categories));
  return bars;
}

function order() {
  const sort = here().sort || "best";
  const button = (name) =>
    el(
      "button",
      {
        type: "button",
        "aria-pressed": String(sort === name),
        onclick: () => go({ sort: name === "best" ? "" : name, p: "" }),
      },
      words[name],
    );
  return el("div.seg", { role: "group", "aria-label": "Order of models" }, button("best"), button("name"));
}

function search(found) {
  if (found.counts.models <= 12 && !here().search) return null;
  const field = el("input", {
    type: "search",
    value: here().search || "",
    placeholder: words.search,
    "aria-label": words.search,
  });
  const form = el(
    "form",
    {
      role: "search",
      onsubmit: (event) => (event.preventDefault(), go({ search: field.value.trim(), p: "", spage: "" })),
    },
    field,
  );
  field.addEventListener("search", () => go({ search: field.value.trim(), p: "", spage: "" }));
  return form;
}

function choice(found, name) {
  const values = found.filter_values[name];
  if (values.length < 2 && !here()[name]) return null;
  const select = el("select.chip", {
    "aria-label": words[name],
    onchange: () => go({ [name]: select.value, p: "", spage: "", apage: "" }),
  });
  select.append(
    el("option", { value: "" }, words[name]),
    ...values.map((v) =>
      el(
        "option",
        { value: v.value, selected: here()[name] === v.value },
        `${v.value} ${v.cells.toLocaleString("en")}`,
      ),
    ),
  );
  return select;
}

function downloads(project) {
  // a report is narrowed down as the page is; other files are always whole
  const { category, task_type, language } = here();
  const link =
    (address) =>
    ([format, text]) =>
      el(
        "a",
        {
          href:
            address +
            query({
              project,
              format,
              ...(address === "/api/report" ? { category, task_type, language } : {}),
            }),
          download: true,
        },
        text,
      );
  const list = el("div.list", {}, REPORTS.map(link("/api/report")));
  whenOffered("downloads", (found) => {
    list.append(...found.map(({ format, title }) => [format, title]).map(link("/api/export")));
  });
  return el("details.menu", {}, el("summary.btn", {}, words.download), list);
}

/** `22 answers`; without a count the unit alone. */
function counted(found, count) {
  const [one, ...of] = found.filter_unit.split(" ");
  const unit = [count === 1 ? one : `${one}s`, ...of].join(" ");
  return count === undefined ? unit : `${count.toLocaleString("en")} ${unit}`;
}

function categoryBar(found, categories) {
  const chosen = here().category || "";
  const chip = (value, text) =>
    el(
      "button.chip",
      {
        type: "button",
        "aria-pressed": String(chosen === value),
        onclick: () => go({ category: value, p: "", spage: "", apage: "" }),
      },
      text,
    );
  const shown = allCategories
    ? categories
    : categories.filter((c, i) => i < CATEGORIES || c.value === chosen);
  const bar = el(
    "div.bar.catbar",
    { role: "group", "aria-label": `${words.category}, with the number of ${counted(found)}` },
    chip("", `${words.all} ${counted(found, found.filter_all)}`),
    shown.map((c) => chip(c.value, `${c.value} ${c.cells.toLocaleString("en")}`)),
  );
  if (shown.length < categories.length) {
    const open = () => ((allCategories = true), bar.replaceWith(categoryBar(found, categories)));
    bar.append(
      el(
        "button.chip",
        { type: "button", onclick: open },
        `${categories.length - shown.length} ${words.more}`,
      ),
    );
  }
  return bar;
}

export function gridCard(found) {
  if (!found.models.length) return el("section.card", {}, words.empty);
  const faults = found.models.some((row) => row.faults.found || row.faults.open);
  const head = found.criteria.map((c) =>
    el(
      "th",
      { title: c.question, scope: "col" },
      el("span.sq.b", { style: { "--c": `var(--h${c.hue})`, color: "var(--ink)" } }, c.title),
      el("div.s", {}, c.words),
    ),
  );
  const corner = el(
    "th",
    { scope: "col" },
    words.model,
    el("div.s", {}, `${found.found.toLocaleString("en")} in all`),
  );
  const table = el(
    "table.gd",
    {},
    el("thead", {}, el("tr", {}, corner, head, faults ? el("th.n", { scope: "col" }, words.faults) : null)),
  );
  table.append(
    el(
      "tbody",
      {},
      found.models.map((row) => modelRow(row, found, faults)),
    ),
  );
  const reached = Object.values(found.ceilings);
  if (reached.length) table.append(el("tfoot", {}, ceilingRow(found, faults)));
  const key = el(
    "div.key",
    { style: { "margin-top": "10px" } },
    el(
      "span",
      {},
      el("i.mk.f", { style: { width: "9px", height: "9px" } }),
      marked(found) ? words.unconfirmed : words.mean,
    ),
    el(
      "span",
      {},
      el("i", { style: { height: "2px", width: "18px", background: "var(--ink)" } }),
      words.interval,
    ),
    reached.length
      ? el(
          "span",
          {},
          el("i", { style: { height: "12px", width: "1.5px", background: "var(--accent)" } }),
          words.ceiling,
        )
      : null,
    el("span", {}, words.order),
  );
  return el(
    "section.card",
    { style: { padding: "8px 18px 12px" } },
    el("div.scroll", {}, table),
    key,
    pager(found.page, found.pages, (p) => go({ p })),
  );
}

function modelRow(row, { criteria, ceilings }, faults) {
  const cells = criteria.map((c) =>
    el(
      "td",
      {},
      row.cells[c.key]
        ? cellButton(row.model, c, row.cells[c.key], ceilings[c.key])
        : el("span.m.s", { style: { padding: "8px 12px", display: "block" } }, "no cell"),
    ),
  );
  const found = faults
    ? el(
        "td.n",
        { style: { padding: "0 0 0 12px" } },
        row.faults.found ? el("b", {}, String(row.faults.found)) : "0",
        row.faults.open ? el("div.s", { style: { color: "var(--warn)" } }, `${row.faults.open} open`) : null,
      )
    : null;
  return el("tr", {}, el("td", {}, el("span.b", {}, row.model)), cells, found);
}

/**
 * What the authors' own texts reach, which is as high as models can get, and what models reach on the same
 * questions.
 */
function ceilingRow(found, faults) {
  const names = [...new Set(Object.values(found.ceilings).flatMap((one) => one.names))];
  const cell = (criterion) => {
    const one = found.ceilings[criterion.key];
    if (!one) return el("td");
    const on = `${one.questions.toLocaleString("en")} ${one.questions === 1 ? "question" : "questions"}`;
    const label =
      `${words.control}, ${criterion.title}: ${one.author.shown}; models on the same ${on}: ` +
      `${one.models.shown || "none yet"}`;
    const inside = [
      el("b", {}, one.author.shown),
      el("small", {}, `${one.models.shown ? `models ${one.models.shown}` : "no model yet"}, ${on}`),
      dotRow({ ...one.author, from: criterion.low, to: criterion.high, label: "", hollow: true }),
    ];
    const open = () =>
      go({
        model: `author: ${one.names[0]}`,
        criterion: criterion.key,
        apage: "",
        state: "",
        question: "",
        version: "",
      });
    return el(
      "td",
      {},
      one.names.length === 1
        ? el(
            "button.gc",
            {
              type: "button",
              "aria-label": label,
              "data-model": `author: ${one.names[0]}`,
              "data-criterion": criterion.key,
              onclick: open,
            },
            inside,
          )
        : el("div.gc", { role: "img", "aria-label": label }, inside),
    );
  };
  return el(
    "tr",
    { style: { "font-weight": "400" } },
    el(
      "td",
      {},
      el("span.b", {}, words.control),
      el(
        "div.s",
        { title: words.controlHint },
        names.length > 3 ? `${names.length} authors` : names.join(", "),
      ),
    ),
    found.criteria.map(cell),
    faults ? el("td") : null,
  );
}

/** Whether values stand in the grid that no person confirmed. */
const marked = (found) => found.models.some((m) => Object.values(m.cells).some((c) => c.unconfirmed));

function cellButton(model, criterion, cell, ceiling) {
  const note = cell.pending ? el("span.pn", {}, cell.note) : cell.note;
  const span = cell.low === null ? "" : `, ${cell.low.toFixed(1)} to ${cell.high.toFixed(1)}`;
  const label =
    `${model}, ${criterion.title}: ${cell.shown || cell.reason}${span}, ${cell.n} ` +
    `${criterion.counts}, ${cell.pending} of ${several(cell.cells, "cell")} pending`;
  const open = () => go({ model, criterion: criterion.key, apage: "", state: "", question: "", version: "" });
  return el(
    "button.gc",
    {
      type: "button",
      "aria-label": label,
      title: cell.reason || null,
      "data-model": model,
      "data-criterion": criterion.key,
      onclick: open,
    },
    cell.shown
      ? el(cell.value === null ? "b.wd" : cell.unconfirmed ? "span.m" : "b", {}, cell.shown)
      : el(
          "span.m.s",
          {},
          cell.n ? "labels" : cell.pending || cell.closed < cell.cells ? "none yet" : cell.reason,
        ),
    el("small", {}, note),
    cell.value === null
      ? el("span.dt")
      : dotRow({ ...cell, from: criterion.low, to: criterion.high, label: "", band: ceiling?.author }),
  );
}

/** Show which cell of the grid is open below it. */
export function markPressed(grid, asked) {
  for (const button of grid.querySelectorAll(".gc")) {
    button.setAttribute(
      "aria-pressed",
      String(button.dataset.model === asked.model && button.dataset.criterion === asked.criterion),
    );
  }
}
