// What a blind screen says of itself, and practice before a first queue: what is right and why comes after
// each save; one press leaves the rest out.
/** @import { Explained, Screen } from "./data.js" */
/** @import { Desk } from "./desk.js" */
/** @import { View } from "./view.js" */
/** @import { Words } from "./words.js" */
import { openDialog } from "./dialogs.js";
import { button, el } from "./dom.js";
import { postJson } from "./outbox.js";

/**
 * What stands above a blind screen; above a practice question which it is, that it counts nowhere, and a way
 * past it.
 * @param {Screen} screen
 * @param {Words} t
 * @param {() => unknown} leave
 */
export function noteOf(screen, t, leave) {
  if (screen.arm !== "blind") return [];
  if (!screen.practice) return [el("b", {}, t("blind.title")), " ", t(`blind.${screen.design}`)];
  return [
    el("b", {}, t("practice.title", screen.practice)),
    " ",
    t("practice.note"),
    " ",
    button(t("practice.skip"), "", leave),
  ];
}

/**
 * Where some screens are copies with a fault put in, a person is told so once, on the first screen: never
 * which screen is one.
 * @param {View} view
 * @param {Screen} screen
 */
export function tellOfControls(view, screen) {
  if (view.controlsTold === undefined) view.controlsTold = view.store.get(view.toldKey) ? null : screen.id;
  const told = view.controlsTold !== screen.id;
  if (view.controls) view.controls.hidden = told;
  if (told) toldOfControls(view);
}

/**
 * That screen was left or saved: it need not be said again.
 * @param {View} view
 */
export function toldOfControls(view) {
  if (view.controlsTold) view.store.set(view.toldKey, true);
}

/**
 * Leave practice out: the queue begins anew, without what was fetched for practice.
 * @param {Desk} desk
 */
export async function leavePractice(desk) {
  desk.drafts.setPlace(null);
  const { status, reply } = await postJson("/api/practice/skip", { project: desk.project });
  if (status !== 200) return desk.view.tell(reply?.error ?? desk.t("say.away"));
  return location.assign(`/review?${new URLSearchParams({ project: desk.project })}`);
}

/**
 * Say what is right and why, beside what the person said.
 * @param {Desk} desk
 * @param {Explained[]} told
 */
export function explain(desk, told) {
  const { t, view } = desk;
  const rows = told.map((one) =>
    el(
      "li",
      {},
      el("b", {}, [one.criterion, one.part].filter(Boolean).join(", ")),
      " ",
      t(one.same ? "practice.same" : one.said ? "practice.differs" : "practice.open", {
        said: one.said,
        right: one.right,
      }),
      el("p", { class: "cg-muted", dir: "auto" }, one.why),
    ),
  );
  const go = el(
    "button",
    { type: "button", class: "cg-btn primary", onclick: () => close() },
    t("practice.go_on"),
    el("kbd", {}, "Enter"),
  );
  const { close } = openDialog(view.root, {
    title: t("practice.explained"),
    body: [el("ul", { class: "cg-explained" }, rows), el("div", { class: "cg-line end" }, go)],
    t,
  });
  go.focus();
}
