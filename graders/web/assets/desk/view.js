// The frame of the desk: head, question, tabs, answers, foot. Draws a whole screen once and repaints rows
// after that.
import { answerCard, letterOf } from "./answer.js";
import { button, CTRL, el, setText } from "./dom.js";
import { fillHelps } from "./helps.js";
import { noteOf, tellOfControls } from "./practice.js";
import { QuestionText } from "./question.js";
import { leftIn, shownAnswers } from "./state.js";

const FOLD = "pref.fold";
const MESSAGE_MS = 4500;

/**
 * The first words of what a project says of its verdicts, up to a colon or the end of the sentence; "d" and
 * "More" say the whole.
 */
const shortNotice = (notice) => (notice ?? "").split(/:\s|(?<=[.!?])\s|(?<=[。！？：])/u)[0];

export class View {
  /**
   * `act(name)` runs an action of the desk; `on` are the handlers that answers and rows need; `controls` is
   * the key under which it is kept that this person was told of the project's copies, empty where it has
   * none.
   */
  constructor(mount, { t, store, project, language, criteria, act, on, orders, controls }) {
    Object.assign(this, { t, store, criteria, act, on, toldKey: controls });
    this.cards = [];
    this.say = el("div", { class: "cg-say", role: "status", "aria-live": "polite" });
    this.live = el("span", { class: "cg-status", role: "status", "aria-live": "polite" });
    this.head = this.makeHead(project, orders);
    this.fold = this.makeFold();
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
    this.foot = this.makeFoot();
    this.root = el(
      "div",
      { class: "cg", lang: language },
      this.head,
      el("div", { class: "cg-bar", role: "presentation" }, (this.bar = el("i"))),
      this.main,
      this.plain,
      this.dock,
      this.say,
      this.foot,
    );
    mount.replaceChildren(this.root);
  }

  makeHead(project, orders) {
    const { t, act } = this;
    this.category = el("span", { class: "cg-tag", hidden: true });
    this.task = el("span", { class: "cg-tag", hidden: true });
    this.count = el("span", { class: "cg-count" });
    this.autoMove = button(t("head.auto_move"), "m", () => act("autoMove"), { class: "quiet" });
    this.order = orders.length
      ? el(
          "select",
          {
            class: "cg-select",
            "aria-label": t("head.order"),
            onchange: (event) => act("order", event.target.value),
          },
          orders.map((one) => el("option", { value: one.key }, one.title)),
        )
      : null;
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
      (this.project = el("b", { class: "cg-project" }, project.title || project.name)),
      this.category,
      this.task,
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

  makeFold() {
    this.foldTitle = el("span");
    this.foldBody = el("div", { class: "cg-helps" });
    const fold = el(
      "details",
      { hidden: true },
      el("summary", { "aria-keyshortcuts": "r" }, this.foldTitle, el("kbd", { "aria-hidden": "true" }, "r")),
      this.foldBody,
    );
    fold.open = Boolean(this.store.get(FOLD));
    fold.addEventListener("toggle", () => this.store.set(FOLD, fold.open));
    return fold;
  }

  makeFoot() {
    const { t, act } = this;
    const make = (name, label, key, attrs, shown) =>
      (this.buttons[name] = button(t(label), key, () => act(name), attrs, shown));
    this.buttons = {};
    return el(
      "footer",
      { class: "cg-foot", role: "group", "aria-label": t("foot.name") },
      make("more", "foot.more", "", { class: "more", "aria-haspopup": "dialog" }),
      make("comment", "foot.comment", "c"),
      make("flag", "foot.flag", "f", { "aria-pressed": "false" }),
      make("skip", "foot.skip", "s"),
      make("undo", "foot.undo", "u", { class: "undo" }),
      make("faults", "foot.faults", "e", { class: "sub" }),
      make("details", "foot.details", "d", { class: "sub wide", "aria-pressed": "false" }),
      make("guide", "foot.guide", "g", { class: "sub wide", "aria-pressed": "false" }),
      this.live,
      make("confirmAll", "foot.confirm_all", "Shift+A", { class: "all", "aria-describedby": "cg-why" }),
      (this.why = el("span", { class: "cg-vh", id: "cg-why" })),
      make("saveNext", "foot.save", "Control+Enter", { class: "primary" }, `${CTRL}+Enter`),
    );
  }

  /** Draw a screen from nothing. */
  drawScreen(screen, work) {
    const { question } = screen;
    const { t } = this;
    this.say.replaceChildren();
    this.plain.hidden = this.word.hidden = true;
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

  tag(node, text) {
    node.hidden = !text;
    setText(node, text ?? "");
  }

  makeCards(screen, work) {
    const { criteria, t, on } = this;
    return shownAnswers(screen, work).map((answer, place) =>
      answerCard({ answer, place, screen, work, criteria, t, on }),
    );
  }

  /** Make the cards of a screen before it is shown. */
  prepare(screen, work) {
    if (this.ready?.screen !== screen || this.ready.work !== work)
      this.ready = { screen, work, cards: this.makeCards(screen, work) };
  }

  /** Draw the cards again (a fold was opened, equal answers were taken apart). */
  drawAnswers(screen, work) {
    const { t } = this;
    const answers = shownAnswers(screen, work);
    const { ready } = this;
    this.cards = ready?.screen === screen && ready.work === work ? ready.cards : this.makeCards(screen, work);
    this.ready = null;
    this.answers.style.setProperty("--n", Math.min(answers.length, 3));
    this.main.classList.toggle("alone", answers.length === 1);
    this.answers.replaceChildren(...this.cards.map((card) => card.node));
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

  /** Repaint what a decision or a move can change. */
  paint(screen, work, place) {
    this.cards.forEach((card, a) => card.paint(work, a === place.a ? place.r : -1));
    [...this.tabs.children].forEach((tab, a) => {
      tab.setAttribute("aria-selected", String(a === place.a));
      const left = leftIn(this.cards[a].answer, work);
      setText(tab.lastChild, left ? String(left) : "✓");
    });
    this.buttons.flag.setAttribute("aria-pressed", String(work.flagged));
    this.buttons.comment.classList.toggle("has", Boolean(work.comment));
    const card = this.cards[place.a];
    for (const other of this.cards) other.emphasise(other === card ? card.rows[place.r]?.cell.id : null);
  }

  /** "Confirm all" is offered, or says why it is not. */
  offerAll(why) {
    const { confirmAll } = this.buttons;
    confirmAll.setAttribute("aria-disabled", String(Boolean(why)));
    confirmAll.title = why;
    setText(this.why, why);
  }

  /** Mine, counted in screens. */
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

  status({ kind, n }) {
    setText(this.live, this.t(`status.${kind}`, { n }));
    this.live.className = `cg-status ${kind}`;
  }

  /** A word to the person, gone after a while. */
  tell(text) {
    clearTimeout(this.telling);
    this.say.replaceChildren(el("span", {}, text));
    this.telling = setTimeout(() => this.say.replaceChildren(), MESSAGE_MS);
  }

  /** Why the server cannot save for now; empty once it can. */
  trouble(text) {
    if (text) this.remark(text);
    else if (this.word.textContent === this.troubled) this.word.hidden = true;
    this.troubled = text;
  }

  /**
   * A word about the screen itself: it stands above the question as long as the screen is shown, and covers
   * nothing.
   */
  remark(text) {
    this.word.hidden = false;
    setText(this.word, text);
  }

  /** Show a page without answers (nothing left, waiting, an error) instead of the screen. */
  showPlain(...nodes) {
    this.say.replaceChildren();
    this.main.hidden = this.foot.hidden = this.dock.hidden = this.category.hidden = this.task.hidden = true;
    this.plain.hidden = false;
    this.plain.replaceChildren(...nodes);
    this.plain.classList.toggle("list", nodes[0].classList.contains("cg-batch"));
    for (const name of ["screen", "question", "arm"]) delete this.root.dataset[name];
  }

  /** The same, again and again while somebody waits: what had the focus keeps it. */
  showWithFocus(...nodes) {
    const had = this.plain.contains(document.activeElement) ? document.activeElement.textContent : null;
    this.showPlain(...nodes);
    const same = [...this.plain.querySelectorAll("a, button")].find((node) => node.textContent === had);
    (same ?? this.plain.querySelector("[autofocus]") ?? this.plain.querySelector("h1")).focus();
  }

  /** How many pixels from the top are not covered by the foot. */
  get floor() {
    return this.foot.getBoundingClientRect().top;
  }
}
