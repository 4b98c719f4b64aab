// The words of a question above its answers: a long one shows its beginning, until the reader wants all of
// it.
/** @import { Question } from "./data.js" */
/** @import { Store } from "./store.js" */
/** @import { Words } from "./words.js" */
import { el, setText } from "./dom.js";

const WHOLE = "pref.question";
const HUGE = 600; // characters; longer questions are set smaller still
const LONG = 160;

export class QuestionText {
  /** @param {{t: Words, store: Store}} view */
  constructor({ t, store }) {
    this.t = t;
    this.store = store;
    this.h1 = el("h1", { dir: "auto", id: "cg-question" });
    this.whole = el("button", {
      type: "button",
      class: "cg-whole",
      hidden: true,
      "aria-controls": "cg-question",
      onclick: () => this.unfold(),
    });
    addEventListener("resize", () => this.fold());
  }

  /**
   * Show another question.
   * @param {Question} question
   */
  show({ text, language }) {
    setText(this.h1, text);
    this.h1.lang = language || "";
    this.h1.className = text.length > HUGE ? "huge" : text.length > LONG ? "long" : "";
    this.fold();
  }

  /**
   * Show the beginning of a long question, or all of it where the reader wants it so; what fits has nothing
   * to unfold.
   */
  fold() {
    const { h1, whole, t } = this;
    if (!h1.className) {
      whole.hidden = true;
      return;
    }
    h1.classList.remove("whole", "cut");
    const more = h1.scrollHeight > h1.clientHeight + 2;
    const open = more && Boolean(this.store.get(WHOLE));
    h1.classList.toggle("whole", open);
    h1.classList.toggle("cut", more && !open);
    whole.hidden = !more;
    whole.setAttribute("aria-expanded", String(open));
    setText(whole, t(open ? "question.less" : "question.more"));
  }

  unfold() {
    this.store.set(WHOLE, !this.store.get(WHOLE));
    this.fold();
    this.h1.scrollTop = 0;
  }
}
