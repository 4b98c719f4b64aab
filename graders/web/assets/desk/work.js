// My work: today, search, what was adjudicated.
/** @import { MyWork, Today, WorkRow } from "./data.js" */
/** @import { Words } from "./words.js" */
import { openDialog } from "./dialogs.js";
import { el } from "./dom.js";
import { plainNumber } from "./words.js";

/**
 * @typedef {object} WorkOf
 * @property {Words} t
 * @property {string} language
 * @property {(text: string) => Promise<MyWork | null>} load
 * @property {(row: WorkRow) => unknown} open
 */

const TYPING_MS = 200;

/**
 * Today's count and pace as tiles; nothing for what is not known.
 * @param {Today} today
 * @param {Words} t
 */
export function todayTiles(today, t) {
  const tiles = {
    "today.screens": today.screens,
    "today.cells": today.cells,
    "today.minutes": today.minutes,
    "today.pace": today.cells_per_hour,
  };
  return el(
    "dl",
    { class: "cg-tiles" },
    Object.entries(tiles).map(([key, value]) =>
      value === null || value === undefined
        ? null
        : el("div", {}, el("dd", {}, plainNumber(value)), el("dt", {}, t(key, { n: value }))),
    ),
  );
}

/**
 * One verdict of mine; a click opens its screen.
 * @param {WorkRow} row
 * @param {string} language
 * @param {Words} t
 * @param {(row: WorkRow) => void} open
 */
function workRow(row, language, t, open) {
  const when = new Date(row.at);
  const judged = row.adjudicated
    ? el(
        "div",
        { class: "cg-judged" },
        t("work.adjudicated", { value: row.adjudicated.value }),
        " ",
        el("span", { dir: "auto" }, row.adjudicated.why),
      )
    : null;
  return el(
    "li",
    {},
    el(
      "button",
      { type: "button", onclick: () => open(row) },
      el("b", { dir: "auto" }, row.question),
      el(
        "span",
        {},
        `${row.criterion}: `,
        el("strong", {}, row.word || String(row.value ?? "")),
        Number.isNaN(when.getTime())
          ? ""
          : ` · ${when.toLocaleString(language, { dateStyle: "medium", timeStyle: "short" })}`,
      ),
      el("small", { dir: "auto" }, row.answer),
      judged,
    ),
  );
}

/**
 * My work: `load(text)` fetches, `open(row)` shows the screen of a verdict.
 * @param {HTMLElement} root
 * @param {WorkOf} work
 */
export function workDialog(root, { t, language, load, open }) {
  const search = el("input", {
    type: "search",
    class: "cg-input",
    placeholder: t("work.search"),
    "aria-label": t("work.search"),
  });
  const today = el("div");
  const list = el("ul", { class: "cg-work", "aria-label": t("work.rows") });
  const note = el("p", { class: "cg-muted", role: "status" }, t("work.loading"));
  const project = new URLSearchParams(location.search).get("project") ?? "";
  const href = `/my-work?${new URLSearchParams({ project })}`;
  const page = el("a", { class: "cg-btn quiet", href }, t("work.page"));
  let asked = 0;
  const fetchRows = async () => {
    const turn = ++asked;
    const work = await load(search.value.trim());
    if (turn !== asked) return;
    if (!work) return note.replaceChildren(t("work.offline"));
    today.replaceChildren(todayTiles(work.today, t));
    list.replaceChildren(
      ...work.rows.map((row) =>
        workRow(row, language, t, (one) => {
          close();
          open(one);
        }),
      ),
    );
    note.replaceChildren(work.rows.length ? "" : t("work.none"));
  };
  let timer = 0;
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(fetchRows, TYPING_MS);
  });
  const { close } = openDialog(root, {
    title: t("work.title"),
    body: [today, search, note, list, page],
    t,
    wide: true,
  });
  search.focus();
  fetchRows();
}
