// The frame of the desk: head, question, tabs, answers, foot. Draws a whole screen once and repaints rows
// after that.
/** @import { AnswerEvents, Card } from "./answer.js" */
/** @import { Counts, Criterion, Id, Info, Order, Screen } from "./data.js" */
/** @import { Status } from "./outbox.js" */
/** @import { Place, Work } from "./state.js" */
/** @import { Store } from "./store.js" */
/** @import { Words } from "./words.js" */
import { answerCard, letterOf } from "./answer.js";
import { button, el, setText } from "./dom.js";
import { footButtons } from "./foot.js";
import { fillHelps, makeFold } from "./helps.js";
import { fitNames } from "./names.js";
import { noteOf, tellOfControls } from "./practice.js";
import { QuestionText } from "./question.js";
import { leftIn, shownAnswers } from "./state.js";

/**
 * @typedef {object} ViewOf
 * @property {Words} t
 * @property {Store} store
 * @property {Info["project"]} project
 * @property {string} language
 * @property {Map<string, Criterion>} criteria
 * @property {(name: string, detail?: unknown) => unknown} act
 * @property {AnswerEvents & {leavePractice: () => void}} on
 * @property {Info["settings"]} settings
 * @property {string} controls
 */

/** @typedef {{screen: Screen, work: Work, cards: Card[]}} Ready cards that were made before they are shown */

const MESSAGE_MS = 4500;

/**
 * The first words of what a project says of its verdicts, up to a colon or the end of the sentence; "d" and
 * "More" say the whole.
 * @type {(notice: string | undefined) => string}
 */
const shortNotice = (notice) => (notice ?? "").split(/:\s|(?<=[.!?])\s|(?<=[。！？：])/u)[0];

export class View {
  /**
   * `act(name)` runs an action of the desk; `on` are the handlers that answers and rows need; `controls` is
   * the key under which it is kept that this person was told of the project's copies, empty where it has
   * none.
   * @param {HTMLElement} mount
   * @param {ViewOf} view
   */
  constructor(mount, { t, store, project, language, criteria, act, on, settings, controls }) {
    this.t = t;
    this.store = store;
    this.criteria = criteria;
    this.act = act;
    this.on = on;
    this.toldKey = controls;
    /** @type {Id | null | undefined} where the copies are told of; null: they were */
    this.controlsTold = undefined;
    /** @type {Card[]} */
    this.cards = [];
    /** @type {Ready | null} */
    this.ready = null;
    this.telling = 0;
    this.troubled = "";
    this.category = el("span", { class: "cg-tag", hidden: true });
    this.task = el("span", { class: "cg-tag", hidden: true });
    this.count = el("span", { class: "cg-count" });
    this.project = el("b", { class: "cg-project" }, project.title || project.name);
    this.autoMove = button(t("head.auto_move"), "m", () => act("autoMove"), { class: "quiet" });
    this.order = settings.orders?.length ? this.makeOrder(settings.orders) : null;
    this.inForce = el(
      "span",
      { class: "cg-order", title: settings.order_words || null, hidden: !settings.order },
      settings.order,
    );
    this.bar = el("i");
    this.foldTitle = el("span");
    this.foldBody = el("div", { class: "cg-helps" });
    this.why = el("span", { class: "cg-vh", id: "cg-why" });
    this.say = el("div", { class: "cg-say", role: "status", "aria-live": "polite" });
    this.live = el("span", { class: "cg-status", role: "status", "aria-live": "polite" });
    this.head = this.makeHead(project);
    this.fold = makeFold(this);
    this.question = new QuestionText(this);
    this.note = el("p", { class: "cg-note", hidden: true });
    this.controls = controls ? el("p", { class: "cg-note", hidden: true }, t("checks.note")) : null;
    this.word = el("p", { class: "cg-word", role: "status", hidden: true });
    this.tabs = el("div", { class: "cg-tabs", role: "tablist", "aria-label": t("answer.tabs") });
    this.answers = el("div", { class: "cg-answers" });
    this.plain = el("section", { class: "cg-plain", hidden: true });
    this.main = el(
      "main",
      { class: "cg-main" },
      el(
        "section",
        { class: "cg-q", "aria-label": t("question.name") },
        this.word,
        this.question.h1,
        this.question.whole,
        this.note,
        this.controls,
        this.fold,
      ),
      this.tabs,
      this.answers,
    );
    this.dock = el("aside", { class: "cg-dock", "aria-label": t("details.name"), hidden: true });
    this.buttons = footButtons(t, act);
    this.foot = this.makeFoot();
    this.root = el(
      "div",
      { class: "cg", lang: language, "data-marks": store.get("pref.marks") ?? "focus" },
      this.head,
      el("div", { class: "cg-bar", role: "presentation" }, this.bar),
      this.main,
      this.plain,
      this.dock,
      this.say,
      this.foot,
    );
    mount.replaceChildren(this.root);
  }

  /**
   * @param {Order[]} orders
   * @returns {HTMLSelectElement}
   */
  makeOrder(orders) {
    const select = el(
      "select",
      {
        class: "cg-select",
        "aria-label": this.t("head.order"),
        onchange: () => void this.act("order", select.value),
      },
      orders.map((one) => el("option", { value: one.key }, one.title)),
    );
    return select;
  }

  /** @param {Info["project"]} project */
  makeHead(project) {
    const { t, act } = this;
    /** @type {(name: string, sign: string, key: string) => HTMLElement} */
    const arrow = (name, sign, key) =>
      el(
        "button",
        {
          type: "button",
          class: "cg-btn quiet cg-arrow",
          "aria-label": t(name),
          title: t(name),
          "aria-keyshortcuts": key,
          onclick: () => act(key === "ArrowLeft" ? "previous" : "following"),
        },
        el("kbd", { "aria-hidden": "true" }, sign),
      );
    return el(
      "header",
      { class: "cg-head" },
      this.project,
      this.category,
      this.task,
      this.inForce,
      this.order,
      el(
        "span",
        { class: "cg-notice", dir: "auto", title: project.notice || null, hidden: !project.notice },
        shortNotice(project.notice),
      ),
      el(
        "span",
        { class: "cg-right" },
        this.count,
        arrow("head.previous", "←", "ArrowLeft"),
        arrow("head.next", "→", "ArrowRight"),
        this.autoMove,
        button(t("head.work"), "w", () => act("work"), { class: "quiet" }),
        button(t("head.keys"), "?", () => act("help"), { class: "quiet" }),
      ),
    );
  }

  makeFoot() {
    const { confirmAll, saveNext, ...others } = this.buttons;
    return el(
      "footer",
      { class: "cg-foot", role: "group", "aria-label": this.t("foot.name") },
      Object.values(others),
      this.live,
      confirmAll,
      this.why,
      saveNext,
    );
  }

  /**
   * Draw a screen from nothing.
   * @param {Screen} screen
   * @param {Work} work
   */
  drawScreen(screen, work) {
    const { question } = screen;
    const { t } = this;
    this.say.replaceChildren();
    this.plain.hidden = this.word.hidden = true;
    if (this.troubled) this.remark(this.troubled);
    this.plain.replaceChildren();
    this.main.hidden = this.foot.hidden = false;
    this.root.removeAttribute("aria-busy");
    this.question.show(question);
    this.tag(this.category, question.category);
    this.tag(this.task, t(`task.${question.task_type}`));
    if (this.controls) tellOfControls(this, screen);
    this.note.hidden = screen.arm !== "blind";
    this.note.replaceChildren(...noteOf(screen, t, this.on.leavePractice));
    fillHelps(this, question, t);
    this.drawAnswers(screen, work);
    this.main.scrollTop = 0;
    // Where the page itself scrolls (a phone), a new screen begins at its question.
    if (window.scrollY > this.root.offsetTop) window.scrollTo(0, this.root.offsetTop);
    Object.assign(this.root.dataset, { screen: screen.id, question: question.id, arm: screen.arm });
  }

  /**
   * @param {HTMLElement} node
   * @param {string | null} text
   */
  tag(node, text) {
    node.hidden = !text;
    setText(node, text ?? "");
  }

  /**
   * @param {Screen} screen
   * @param {Work} work
   */
  makeCards(screen, work) {
    const { criteria, t, on } = this;
    return shownAnswers(screen, work).map((answer, place) =>
      answerCard({ answer, place, screen, work, criteria, t, on }),
    );
  }

  /**
   * Make the cards of a screen before it is shown.
   * @param {Screen} screen
   * @param {Work} work
   */
  prepare(screen, work) {
    if (this.ready?.screen !== screen || this.ready.work !== work)
      this.ready = { screen, work, cards: this.makeCards(screen, work) };
  }

  /**
   * Draw the cards again (a fold was opened, equal answers were taken apart).
   * @param {Screen} screen
   * @param {Work} work
   */
  drawAnswers(screen, work) {
    const { t } = this;
    const answers = shownAnswers(screen, work);
    const { ready } = this;
    this.cards = ready?.screen === screen && ready.work === work ? ready.cards : this.makeCards(screen, work);
    this.ready = null;
    this.answers.style.setProperty("--n", String(Math.min(answers.length, 3)));
    this.main.classList.toggle("alone", answers.length === 1);
    this.answers.replaceChildren(...this.cards.map((card) => card.node));
    fitNames(this.root, this.answers.querySelectorAll(".cg-name"));
    this.tabs.hidden = answers.length < 2;
    this.tabs.replaceChildren(
      ...answers.map((answer, place) =>
        el(
          "button",
          { type: "button", role: "tab", id: `tab-${place}`, onclick: () => this.on.touch(place) },
          t("answer.tab", { letter: letterOf(answer, place) }),
          el("small"),
        ),
      ),
    );
  }

  /**
   * Repaint what a decision or a move can change.
   * @param {Work} work
   * @param {Place} place
   */
  paint(work, place) {
    for (const [a, card] of this.cards.entries()) card.paint(work, a === place.a ? place.r : -1);
    for (const [a, tab] of [...this.tabs.children].entries()) {
      tab.setAttribute("aria-selected", String(a === place.a));
      const left = leftIn(this.cards[a].answer, work);
      if (tab.lastElementChild) setText(tab.lastElementChild, left ? String(left) : "✓");
    }
    this.buttons.flag.setAttribute("aria-pressed", String(work.flagged));
    this.buttons.comment.classList.toggle("has", Boolean(work.comment));
    const card = this.cards[place.a];
    const cell = card.rows[place.r]?.cell.id;
    const wanted = cell && !work.marks[cell] ? cell : null;
    for (const other of this.cards) other.emphasise(other === card ? wanted : null);
  }

  /**
   * "Confirm all" is offered, or says why it is not.
   * @param {string} why
   */
  offerAll(why) {
    const { confirmAll } = this.buttons;
    confirmAll.setAttribute("aria-disabled", String(Boolean(why)));
    confirmAll.title = why;
    setText(this.why, why);
  }

  /**
   * Mine, counted in screens.
   * @param {Counts} counts
   */
  counts({ done, total, held, flagged, minutes_left: minutes }) {
    const { t } = this;
    const parts = [
      t("head.done", { done, total }),
      held?.screens ? t("head.held", { n: held.screens }) : "",
      flagged ? t("head.flagged", { n: flagged }) : "",
      minutes ? t("head.minutes", { n: minutes }) : "",
    ];
    setText(this.count, parts.filter(Boolean).join(" · "));
    this.count.title = t("head.done_long", { done, total });
    this.bar.style.width = `${total ? Math.min(100, (done / total) * 100) : 0}%`;
  }

  /** @param {Status} status */
  status({ kind, n }) {
    setText(this.live, this.t(`status.${kind}`, { n }));
    this.live.className = `cg-status ${kind}`;
  }

  /**
   * A word to the person, gone after a while.
   * @param {string} text
   */
  tell(text) {
    clearTimeout(this.telling);
    this.say.replaceChildren(el("span", {}, text));
    this.telling = setTimeout(() => this.say.replaceChildren(), MESSAGE_MS);
  }

  /** @param {string} text why the server cannot save for now; empty once it can */
  trouble(text) {
    if (text) this.remark(text);
    else if (this.word.textContent === this.troubled) this.word.hidden = true;
    this.troubled = text;
  }

  /**
   * A word about the screen itself: it stands above the question while the screen is shown, covering nothing.
   * @param {string} text
   */
  remark(text) {
    this.word.hidden = false;
    setText(this.word, text);
  }

  /**
   * Show a page without answers (nothing left, waiting, an error) instead of the screen.
   * @param {HTMLElement[]} nodes
   */
  showPlain(...nodes) {
    this.say.replaceChildren();
    this.main.hidden = this.foot.hidden = this.dock.hidden = this.category.hidden = this.task.hidden = true;
    this.plain.hidden = false;
    this.plain.replaceChildren(...nodes);
    this.plain.classList.toggle("list", nodes[0].classList.contains("cg-batch"));
    for (const name of ["screen", "question", "arm"]) delete this.root.dataset[name];
  }

  /**
   * The same, again and again while somebody waits: what had the focus keeps it.
   * @param {HTMLElement[]} nodes
   */
  showWithFocus(...nodes) {
    const focused = document.activeElement;
    const had = focused && this.plain.contains(focused) ? focused.textContent : null;
    this.showPlain(...nodes);
    const same = [...this.plain.querySelectorAll("a, button")].find((node) => node.textContent === had);
    /** @type {HTMLElement | null} */
    const first = this.plain.querySelector("[autofocus]") ?? this.plain.querySelector("h1");
    (same instanceof HTMLElement ? same : first)?.focus();
  }

  /** How many pixels from the top are not covered by the foot, and on a phone by the sheet of criteria. */
  get floor() {
    const sheet = this.answers.querySelector(".cg-a.on>.cg-crit");
    const stays = sheet && getComputedStyle(sheet).position === "sticky";
    return (stays ? sheet : this.foot).getBoundingClientRect().top;
  }
}
