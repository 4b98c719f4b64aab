// "Use as example": an answer on which people decided otherwise than a judge, shown to that judge from the
// next run on.

import { getJSON, postJSON, query } from "./api.js";
import { el, fill, once } from "./el.js";
import { stillAt } from "../kit/keep.js";

const words = {
  use: "Use as example",
  forWhom: "Show it to:",
  has: (name) => `${name} has it as an example already.`,
  judges: "Open Judges",
};

/**
 * A button that asks which judges could learn from a cell; a press on one of their names gives it to that
 * judge.
 */
export function exampleButton(project, cell) {
  const button = el("button.btn.xs", { type: "button" }, words.use);
  const said = el("span.s", { role: "status" });
  const guard = (pressed, work) => once(pressed, () => work().catch((error) => fill(said, error.message)));
  const give = (name, pressed) =>
    guard(pressed, async () => {
      const done = await postJSON("/api/judges/example", { project, cell, judge: name });
      const here = stillAt(said);
      fill(said, `${done.message} `, el("a", { href: "/judges" + query({ project }) }, words.judges));
      if (here) button.focus();
    });
  const choice = (one) => {
    if (one.picked) return el("span", {}, words.has(one.judge), " ");
    const pressed = el(
      "button.btn.xs",
      { type: "button", onclick: () => give(one.judge, pressed) },
      one.judge,
    );
    return pressed;
  };
  button.addEventListener("click", () =>
    guard(button, async () => {
      const found = await getJSON("/api/judges/example", { project, cell });
      const open = found.judges.some((one) => !one.picked);
      fill(said, open ? `${words.forWhom} ` : null, found.judges.map(choice), found.message);
      if (stillAt(button)) said.querySelector("button")?.focus();
    }),
  );
  return el("span.bar", {}, button, said);
}
