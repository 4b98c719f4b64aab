// The buttons below a screen.
/** @import { Attributes } from "./dom.js" */
/** @import { Words } from "./words.js" */
import { button, CTRL } from "./dom.js";

/**
 * The buttons of the foot, by the action that each runs.
 * @param {Words} t
 * @param {(name: string) => unknown} act
 */
export function footButtons(t, act) {
  /**
   * @param {string} name
   * @param {string} label
   * @param {string} key
   * @param {Attributes} [attrs]
   * @param {string} [shown]
   */
  const make = (name, label, key, attrs, shown) => button(t(label), key, () => act(name), attrs, shown);
  return {
    more: make("more", "foot.more", "", { class: "more", "aria-haspopup": "dialog" }),
    comment: make("comment", "foot.comment", "c"),
    flag: make("flag", "foot.flag", "f", { "aria-pressed": "false" }),
    skip: make("skip", "foot.skip", "s"),
    undo: make("undo", "foot.undo", "u", { class: "undo" }),
    faults: make("faults", "foot.faults", "e", { class: "sub" }),
    details: make("details", "foot.details", "d", { class: "sub wide", "aria-pressed": "false" }),
    guide: make("guide", "foot.guide", "g", { class: "sub wide", "aria-pressed": "false" }),
    confirmAll: make("confirmAll", "foot.confirm_all", "Shift+A", {
      class: "all",
      "aria-describedby": "cg-why",
    }),
    saveNext: make("saveNext", "foot.save", "Control+Enter", { class: "primary" }, `${CTRL}+Enter`),
  };
}
