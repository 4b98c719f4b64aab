// My work (today, search, what was adjudicated), and the pages that stand in place of a screen.
/** @import { Counts, MyWork, Today, WorkRow } from "./data.js" */
/** @import { Desk } from "./desk.js" */
/** @import { Words } from "./words.js" */
import { openDialog } from "./dialogs.js";
import { button, el } from "./dom.js";
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
function todayTiles(today, t) {
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
    body: [today, search, note, list],
    t,
    wide: true,
  });
  search.focus();
  fetchRows();
}

/**
 * Screens with colleagues, and those that wait for somebody else, in sentences.
 * @param {Counts} counts
 * @param {string} language
 * @param {Words} t
 */
function elsewhere({ held, others }, language, t) {
  const time = held?.screens
    ? new Date(Date.now() + (held.back_in ?? 0) * 1000).toLocaleTimeString(language, {
        hour: "2-digit",
        minute: "2-digit",
        hourCycle: "h23",
      })
    : "";
  return [
    held?.screens ? el("p", { class: "cg-held" }, t("empty.held", { n: held.screens, time })) : null,
    others ? el("p", { class: "cg-others" }, t("empty.others", { n: others })) : null,
  ];
}

/**
 * Nothing is left: what was done today, what others still hold, and where to go from here.
 * @param {Desk} desk
 * @param {Today | undefined} today
 */
export function nothingLeft(desk, today) {
  const { t, project, counts } = desk;
  const { language } = desk.info;
  const unrouted = counts.routed === false;
  // somebody who came when nothing was left has finished nothing
  const none = !counts.done && !today?.screens;
  const title = unrouted
    ? "empty.title_unrouted"
    : none
      ? "empty.title_none"
      : counts.held?.screens
        ? "empty.title_held"
        : "empty.title";
  const back = desk.pool.list.length ? () => desk.previous() : null;
  const again = () => desk.advance();
  const query = `?project=${encodeURIComponent(project)}`;
  return [
    unrouted || none ? null : el("div", { class: "cg-mark", "aria-hidden": "true" }, "✓"),
    el("h1", { tabindex: "-1" }, t(title)),
    el("p", {}, t(unrouted ? "empty.unrouted" : none ? "empty.none" : "empty.text")),
    ...elsewhere(counts, language, t),
    today && !none ? todayTiles(today, t) : null,
    el(
      "p",
      { class: "cg-line center" },
      unrouted ? el("a", { class: "cg-btn primary", href: `/run${query}` }, t("empty.route")) : null,
      el(
        "a",
        { class: unrouted ? "cg-btn" : "cg-btn primary", href: `/results${query}` },
        t("empty.results"),
      ),
      el("a", { class: "cg-btn", href: `/agreement${query}` }, t("empty.agreement")),
    ),
    el(
      "p",
      { class: "cg-line center" },
      back ? button(t("empty.back"), "ArrowLeft", back, { class: "quiet" }, "←") : null,
      button(t("empty.again"), "", again, { class: "quiet" }),
    ),
  ].filter((part) => part !== null);
}

/**
 * The server is away while the next screen is needed.
 * @param {{t: Words, n: number, why?: string}} waiting
 */
export function waitingPage({ t, n, why = "" }) {
  return [
    el("div", { class: "cg-spin", "aria-hidden": "true" }),
    el("h1", { tabindex: "-1" }, t("waiting.title")),
    el("p", { role: "status" }, why || (n ? t("waiting.kept", { n }) : t("waiting.text"))),
  ];
}

/**
 * Something went wrong before the first screen.
 * @param {{t: Words, sentence: string, again: () => unknown}} error
 */
export function errorPage({ t, sentence, again }) {
  return [
    el("h1", { tabindex: "-1" }, t("error.title")),
    el("p", {}, sentence),
    el("p", { class: "cg-line center" }, button(t("error.again"), "", again, { class: "primary" })),
  ];
}

/**
 * The address names a question that the project does not have: the way on is the queue.
 * @param {Desk} desk
 * @param {string} sentence
 */
export function unknownQuestion(desk, sentence) {
  const { t } = desk;
  const on = button(t("unknown.queue"), "", () => desk.advance(), { class: "primary", autofocus: "" });
  return [
    el("h1", { tabindex: "-1" }, t("unknown.title")),
    el("p", { dir: "auto" }, sentence),
    el("p", { class: "cg-line center" }, on),
  ];
}

/** A calm outline of a screen while the first one is on its way. */
export function loadingPage() {
  /** @param {number} width */
  const line = (width) => el("i", { style: `width:${width}%` });
  const card = () => el("div", { class: "cg-a" }, [92, 97, 88, 60].map(line));
  return el(
    "div",
    { class: "cg", "aria-busy": "true" },
    el(
      "div",
      { class: "cg-ghost" },
      line(45),
      el("div", { class: "cg-answers", style: "--n:3" }, card(), card(), card()),
    ),
  );
}
