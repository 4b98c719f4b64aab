// Asking again what is missing of a try, where it was asked: its plan first, then its own limits and key,
// then the asking.
import { postJSON } from "../lead/api.js";
import { el, fill, once } from "../lead/el.js";
import { problem } from "../lead/frame.js";
import { stillAt } from "../kit/keep.js";
import { keyField, number } from "../lead/typed.js";
import { field, over, planTable, text } from "./form.js";

/** The panel of a try; `asked(run)` is called when the run is over, `close()` when nothing shall be asked. */
export function askAgain(project, judge, made, asked, close) {
  const budget = text("no limit");
  const calls = text("no limit");
  const key = keyField();
  const out = el("div", { "aria-live": "polite" });
  const said = el("p.s", { role: "status", "aria-live": "polite" });
  const ask = el("button.btn.p", { disabled: true }, "Ask");
  const body = () => ({
    project,
    judge,
    number: made,
    options: { budget_money: number(budget.value), budget_calls: number(calls.value) },
  });
  const node = el(
    "form.jform",
    {
      "aria-label": `What is missing of try ${made}`,
      onsubmit: (event) => (event.preventDefault(), once(ask, send)),
      onkeydown: (event) => event.key === "Escape" && close(),
    },
    out,
    el("div.two", {}, field("Budget limit ($)", budget), field("Call limit", calls)),
    el(
      "details",
      {},
      el("summary.s", {}, "A key of your own"),
      el("div.jform", {}, field("Key", key, "It goes to these calls alone and is kept nowhere.")),
    ),
    el("div.bar", {}, ask, el("button.btn", { type: "button", onclick: close }, "Not now")),
    said,
  );

  async function plan() {
    const from = document.activeElement;
    try {
      fill(out, planTable(await postJSON("/api/workshop/plan", body())));
      ask.disabled = false;
      if (stillAt(from)) ask.focus();
    } catch (error) {
      fill(out, problem(error));
    }
  }

  async function send() {
    fill(said, "Asking…");
    try {
      const { run } = await postJSON("/api/workshop/start", { ...body(), key: key.value });
      key.value = "";
      await asked(await over(project, run, (words) => fill(said, words)));
    } catch (error) {
      fill(said);
      fill(out, problem(error));
    }
  }

  plan();
  return node;
}
