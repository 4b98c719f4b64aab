// The list of cells: those on which people differ, widest first, or those that are settled.
import { query } from "../lead/api.js";
import { el, pager } from "../lead/el.js";
import { go, here } from "../lead/url.js";

const words = {
  left: "To settle",
  settled: "Settled",
  widest: "Widest first",
  latest: "Latest first",
  all: "All criteria",
  criterion: "Criterion",
  tie: "tie",
  tieHint: "nothing stands for these people: the cell is pending until somebody settles it",
  none: "No cell here.",
  more:
    "A cell comes here when two people said different things of it. Give answers to several " +
    "people: set how many see each screen under Run.",
  agreement: "How far people agree",
};

export function listView(list, current, open) {
  const show = here().show ?? "left";
  const view = (value) =>
    el(
      "button",
      {
        type: "button",
        "aria-pressed": String(show === value),
        onclick: () => go({ show: value === "left" ? "" : value, cell: "", subject: "", part: "", p: "" }),
      },
      words[value],
    );
  const share = list.left + list.settled ? (100 * list.settled) / (list.left + list.settled) : 0;
  const head = el(
    "header",
    {},
    el("div.seg", { role: "group", "aria-label": "Cells shown" }, view("left"), view("settled")),
    el("h2", {}, list.title),
    el("p.s.m", {}, show === "settled" ? words.latest : words.widest),
    el(
      "div.prog",
      { role: "img", "aria-label": `${list.settled} settled, ${list.left} left` },
      el("i", { style: { width: `${share}%` } }),
    ),
    picker(list),
  );
  const rows = list.rows.map((row) => entry(row, row.cell === current, open));
  return el(
    "section.card.adj-list",
    { "aria-label": "Cells" },
    head,
    rows.length ? el("ul", {}, rows) : el("p.m", {}, words.none),
    pager(list.page, list.pages, (p) => go({ p, cell: "" })),
  );
}

function picker(list) {
  if (list.criteria.length < 2) return null;
  const chosen = here().subject ? "" : (here().criterion ?? "");
  const select = el("select.pick", {
    "aria-label": words.criterion,
    "data-key": "criterion",
    onchange: () => go({ criterion: select.value, cell: "", subject: "", part: "", p: "" }),
  });
  const count = (c) => (list.show === "settled" ? c.settled : c.left);
  select.append(
    el("option", { value: "" }, words.all),
    ...list.criteria.map((c) =>
      el(
        "option",
        { value: c.key, selected: c.key === chosen },
        `${c.title} (${count(c).toLocaleString("en")})`,
      ),
    ),
  );
  return select;
}

function entry(row, on, open) {
  const name = [row.title, row.part].filter(Boolean).join(" · ");
  const values = row.settled ? row.settled.said : row.values.join(" · ");
  const below = row.settled
    ? el("span.s.m", { dir: "auto" }, `${row.settled.by ? `${row.settled.by}: ` : ""}${row.settled.reason}`)
    : null;
  return el(
    "li",
    {},
    el(
      "button",
      { type: "button", "aria-current": on ? "true" : null, onclick: () => open(row.cell) },
      el("span.q", { dir: "auto" }, row.question || row.question_id),
      el("b.vals", {}, values),
      el("span.s.m", {}, name),
      row.tied ? el("abbr.s", { title: words.tieHint }, words.tie) : null,
      below,
    ),
  );
}

/** What stands in the middle when no cell is left. */
export function nothing(list, project) {
  const hint = list.left + list.settled ? null : el("p.m", {}, words.more);
  return el(
    "section.card.empty",
    {},
    el("h1", {}, list.title),
    hint,
    el("div.bar", {}, el("a.btn", { href: "/agreement" + query({ project }) }, words.agreement)),
  );
}
