// The answers on which judges and people differ, in groups: whose fault, which fault of the answer, like
// texts.

import { getJSON } from "../lead/api.js";
import { copyButton } from "../lead/copy.js";
import { el, fill, pager } from "../lead/el.js";
import { filterBar, fillBar } from "../lead/filters.js";
import { arrived, problem } from "../lead/frame.js";
import { several } from "../lead/several.js";
import { go, here } from "../lead/url.js";
import { answerItem, hiddenNote } from "./answers.js";

const words = {
  criterion: "Criterion",
  judge: "Judge",
  everyCriterion: "All criteria",
  everyJudge: "All judges",
  by: "In groups by",
  all: "All",
  counted: "Counted",
  compared: (n, all) =>
    `${n.toLocaleString("en")} of ${several(all, "text")} ${n === 1 ? "is" : "are"} compared, evenly spread.`,
  named: (n, all) =>
    `${n.toLocaleString("en")} of ${all.toLocaleString("en")} ${n === 1 ? "has" : "have"} a reason.`,
};

/** Fill top, bar and body with the view that the address asks for, while it is `current()`. */
export async function drawDisagreements({ top, bar, body, notice, tabs, current }, options, choices) {
  const asked = here();
  const grouping = asked.grouping || "fault_of";
  body.classList.add("busy");
  try {
    const found = await getJSON("/api/agreement/disagreements", {
      ...options,
      blind: "",
      population: "",
      criterion: asked.criterion,
      judge: asked.a,
      grouping,
      group: asked.group,
      page: asked.p,
    });
    if (!current()) return;
    fill(
      top,
      el(
        "div",
        {},
        el("h1", {}, found.title),
        el(
          "p",
          {},
          found.mended.words,
          " ",
          words.named(found.mended.named, found.mended.of),
          " ",
          found.mended.figure.value === null ? null : copyButton(found.mended.sentence),
          " ",
          notice,
        ),
        el("p.s", {}, `${words.counted}: ${found.counted}.`),
      ),
    );
    arrived(top);
    fillBar(
      bar,
      tabs,
      select(words.criterion, "criterion", words.everyCriterion, found.criteria, asked.criterion),
      select(words.judge, "a", words.everyJudge, found.judges, asked.a),
      filterBar(choices, false),
    );
    fill(body, groups(found), list(found, options.project));
  } catch (error) {
    if (current()) fill(body, problem(error));
  } finally {
    if (current()) body.classList.remove("busy");
  }
}

function select(label, name, all, options, on) {
  const node = el("select.chip", {
    "aria-label": label,
    onchange: () => go({ [name]: node.value, group: "", p: "", b: "", value_a: "", value_b: "" }),
  });
  node.append(
    el("option", { value: "" }, all),
    ...options.map((o) => el("option", { value: o.value, selected: o.value === on }, o.words)),
  );
  return node;
}

function groups(found) {
  const button = (o) =>
    el(
      "button",
      {
        type: "button",
        "data-key": `by ${o.value}`,
        "aria-pressed": String(found.grouping === o.value),
        onclick: () => go({ grouping: o.value === "fault_of" ? "" : o.value, group: "", p: "" }),
      },
      o.words,
    );
  const most = Math.max(1, ...found.groups.map((g) => g.count));
  const row = (g) =>
    el(
      "button.gr",
      {
        type: "button",
        "data-key": `group ${g.key}`,
        "aria-pressed": String(found.group === g.key),
        onclick: () => go({ group: found.group === g.key ? "" : g.key, p: "" }),
      },
      el("span", { dir: "auto" }, g.key),
      el("span.gb", { "aria-hidden": "true" }, el("i", { style: { width: `${(100 * g.count) / most}%` } })),
      el("b.n", {}, g.count.toLocaleString("en")),
    );
  return el(
    "section.card",
    {},
    el(
      "header",
      {},
      el("h2", {}, words.by),
      el("div.seg", { role: "group", "aria-label": words.by }, found.groupings.map(button)),
    ),
    found.compared !== null && found.compared < found.all
      ? el("p.s.m", {}, words.compared(found.compared, found.all))
      : null,
    found.groups.map(row),
  );
}

function list(found, project) {
  if (!found.total) return null;
  const title = `${found.group || words.all}: ${found.total.toLocaleString("en")}`;
  return el(
    "section.card",
    { "aria-label": title },
    el("header", {}, el("h2", { dir: "auto" }, title)),
    el(
      "ul",
      {},
      found.rows.map((row) => answerItem(row, project, row.criterion.key)),
    ),
    hiddenNote(found.hidden),
    pager(found.page, found.pages, (p) => go({ p })),
  );
}
