// On a phone the foot has room for what is pressed all the time; a sheet holds the rest, and what the head
// cannot show.
/** @import { Desk } from "./desk.js" */
/** @import { View } from "./view.js" */
/** @typedef {(desk: Desk, name: string, detail?: unknown) => unknown} Act */
import { openDialog } from "./dialogs.js";
import { button, el } from "./dom.js";

/** @type {(keyof View["buttons"])[]} */
const SCREEN = ["details", "guide", "comment", "flag", "faults", "skip"];
const ANYWHERE = [
  ["work", "head.work", "w"],
  ["help", "head.keys", "?"],
];

/**
 * Open the sheet; each button closes it and does what its twin in the foot or head does.
 * @param {Desk} desk
 * @param {Act} act
 */
export function moreDialog(desk, act) {
  const { t, view } = desk;
  /** @param {string} name */
  const run = (name) => {
    close();
    act(desk, name);
  };
  const twins = SCREEN.map((name) => {
    const twin = view.buttons[name];
    const label = twin.querySelector(".cg-btn-text")?.textContent ?? "";
    return button(label, twin.getAttribute("aria-keyshortcuts") ?? "", () => run(name), {
      "aria-pressed": twin.getAttribute("aria-pressed"),
    });
  });
  const rest = ANYWHERE.map(([name, word, key]) => button(t(word), key, () => run(name)));
  const moves = view.autoMove.getAttribute("aria-pressed");
  const auto = button(t("head.auto_move"), "m", () => run("autoMove"), { "aria-pressed": moves });
  const about = [view.project, view.category, view.task, view.inForce]
    .filter((node) => !node.hidden)
    .map((node) => node.textContent);
  const { notice } = desk.info.project;
  const { close } = openDialog(view.root, {
    title: t("foot.more"),
    body: [
      el("p", { class: "cg-muted", dir: "auto" }, about.filter(Boolean).join(" · ")),
      notice ? el("p", { class: "cg-muted" }, notice) : [],
      el("div", { class: "cg-sheet" }, twins, rest, auto),
      orderOf(desk, act, () => close()),
    ],
    t,
  });
}

/**
 * The queue's order, where there is a choice.
 * @param {Desk} desk
 * @param {Act} act
 * @param {() => void} close
 */
function orderOf(desk, act, close) {
  const { order } = desk.view;
  if (!order) return [];
  const change = () => {
    order.value = select.value;
    close();
    act(desk, "order", order.value);
  };
  /** @type {HTMLSelectElement} */
  const select = el(
    "select",
    { class: "cg-select", "aria-label": desk.t("head.order"), onchange: change },
    [...order.options].map((one) =>
      el("option", { value: one.value, selected: one.value === order.value }, one.textContent),
    ),
  );
  return [el("div", { class: "cg-line" }, select)];
}
