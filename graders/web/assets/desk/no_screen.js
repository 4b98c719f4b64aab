// What stands in place of a screen: nothing left, waiting, an error, an unknown question, loading.
/** @import { Counts, MyWork } from "./data.js" */
/** @import { Desk } from "./desk.js" */
/** @import { Words } from "./words.js" */
import { button, el } from "./dom.js";
import { todayTiles } from "./work.js";

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
 * What the last screens brought, and how far labels are on the way to the next answer: a sentence and a bar.
 * @param {MyWork | null | undefined} work
 */
function towards(work) {
  if (!work?.labels_missing.words) return [];
  const { words, note, labels, needed } = work.labels_missing;
  const said = [work.brought, `${words}.`, note].filter(Boolean).join(" ");
  const bar = el("progress", { class: "cg-towards", max: needed, value: labels, "aria-label": words });
  return [el("p", { class: "cg-brought" }, said), needed ? bar : null];
}

/**
 * Nothing is left: what was done today, what others still hold, and where to go from here.
 * @param {Desk} desk
 * @param {MyWork | null | undefined} work
 */
export function nothingLeft(desk, work) {
  const { t, project, counts } = desk;
  const today = work?.today;
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
    ...(unrouted ? [] : towards(work)),
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
