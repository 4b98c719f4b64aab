// The next try of a judge: what is changed, what asking costs, and the asking.
import { getJSON, postJSON } from "../lead/api.js";
import { el, fill, once } from "../lead/el.js";
import { problem } from "../lead/frame.js";
import { focusOn } from "../kit/keep.js";
import { several } from "../lead/several.js";
import { turns } from "../lead/turns.js";
import { keyField, money, number } from "../lead/typed.js";

export const field = (label, control, hint = "") =>
  el("label.field", {}, el("span.s.m", {}, label), control, hint ? el("span.s.m", {}, hint) : null);
export const text = (placeholder = "") =>
  el("input.txt", { type: "text", spellcheck: "false", autocomplete: "off", placeholder });
const OVER = ["done", "stopped", "failed", "paused", "waiting_for_key"];
const asText = (value) => (value === true ? "" : value === false ? "no" : String(value ?? ""));

/**
 * Wait until a run is over and return it; `tell` hears how far it is. Throws what made it fail.
 * @param {(words: string) => unknown} tell
 */
export async function over(project, run, tell = () => null) {
  for (;;) {
    const found = (await getJSON("/api/run", { project, run })).run;
    if (OVER.includes(found.state)) {
      if (found.state === "failed" || found.state === "waiting_for_key") throw new Error(found.message);
      return found;
    }
    const stage = (found.progress.stages || []).find((one) => one.name === "judge");
    tell(stage?.total ? `Asking: ${stage.done} of ${stage.total}.` : "Asking…");
    await new Promise((done) => setTimeout(done, 500));
  }
}

/** What asking came to: `done` where nothing was left out, else why the run ended before. */
export const outcome = (run, done) => (run.state === "done" ? done : run.message);

/**
 * The card; `show(found, choose)` puts a judge's present fields in, `changed(judge, number)` is called after
 * a try was asked, with 0 where the keyboard shall not go there.
 */
export function newTry(project, changed) {
  let card = null;
  let name = "";
  const pick = el("select.txt");
  const judge = text();
  const inputs = {
    persona: el("textarea.txt", { rows: "3" }),
    temperature: text("0"),
    top_p: text("the model's own"),
    max_output_tokens: text("2000"),
    reasoning_effort: text("the model's own"),
    prompt_language: text("the rubric's own"),
    per: el(
      "select.txt",
      {},
      el("option", { value: "" }, "an answer, by all criteria of a rubric"),
      el("option", { value: "criterion" }, "an answer, by one criterion"),
      el("option", { value: "question" }, "all answers to a question"),
    ),
    reference: el(
      "select.txt",
      {},
      el("option", { value: "" }, "where there is one"),
      el("option", { value: "no" }, "never"),
    ),
    samples: text("1"),
  };
  const examples = el(
    "select.txt",
    {},
    el("option", { value: "same" }, "those that it has"),
    el("option", { value: "suggested" }, "suggested ones, from corrections"),
    el("option", { value: "none" }, "none"),
  );
  const note = text("a kinder prompt");
  const answers = text("100");
  const budget = text("no limit");
  const calls = text("no limit");
  const address = text("the provider's own");
  const key = keyField();
  const out = el("div", { "aria-live": "polite" });
  const said = el("p.s", { role: "status", "aria-live": "polite" });
  const ask = el(
    "button.btn.p",
    { type: "button", hidden: true, onclick: (event) => once(event.currentTarget, send) },
    "Ask both",
  );
  const two = (...children) => el("div.two", {}, children);
  const form = el(
    "form.jform",
    { onsubmit: (event) => (event.preventDefault(), plan()), oninput: () => unplanned() },
    field("Judge", pick),
    field("System role", inputs.persona, "Begins: You are ..."),
    field(
      "Examples from people's corrections",
      examples,
      "Suggested ones are of no question that is held out. Questions that gave an example are " +
        "left out of the comparison.",
    ),
    field("Model", judge),
    el(
      "details",
      {},
      el("summary.s", {}, "How it is asked"),
      el(
        "div.jform",
        {},
        two(field("Temperature", inputs.temperature), field("Top p", inputs.top_p)),
        two(
          field("Longest reply, tokens", inputs.max_output_tokens),
          field("Reasoning effort", inputs.reasoning_effort),
        ),
        two(
          field("Language of the criteria", inputs.prompt_language),
          field("Ask so often, take the middle", inputs.samples),
        ),
        two(field("One call is about", inputs.per), field("It is shown a reference", inputs.reference)),
      ),
    ),
    field("What is tried, in a few words", note),
    two(field("Labelled answers to ask about", answers), field("Budget limit ($)", budget)),
    el(
      "details",
      {},
      el("summary.s", {}, "Calls, another address, or a key of your own"),
      el(
        "div.jform",
        {},
        field("Stop after so many calls", calls),
        field("Address", address),
        field("Key", key, "It goes to these calls alone and is kept nowhere."),
      ),
    ),
    el("div.bar", {}, el("button.btn", {}, "See the plan"), ask),
  );
  const options = () => ({
    budget_money: number(budget.value),
    budget_calls: number(calls.value),
    base_url: address.value.trim(),
  });

  function body() {
    const typed = Object.fromEntries(
      Object.entries(inputs).map(([one, input]) => [
        one,
        ["temperature", "top_p"].includes(one) ? input.value.trim().replace(",", ".") : input.value.trim(),
      ]),
    );
    return {
      project,
      judge: name,
      options: options(),
      change: {
        judge: judge.value.trim(),
        fields: { ...card.fields, ...typed },
        examples: examples.value,
        note: note.value,
        answers: answers.value.trim(),
      },
    };
  }

  const turn = turns(); // of the plan: one that comes after something was changed is of another try
  const unplanned = () => (turn(), (ask.hidden = true));

  async function plan() {
    const current = turn();
    fill(said);
    try {
      const found = await postJSON("/api/workshop/plan", body());
      if (!current()) return;
      fill(out, planTable(found));
      ask.hidden = false;
    } catch (error) {
      if (current()) fill(out, problem(error));
    }
  }

  async function send() {
    fill(said, "Asking…");
    const asked = name; // another judge may be looked at before the run is over
    try {
      const { run, number: made } = await postJSON("/api/workshop/start", { ...body(), key: key.value });
      key.value = "";
      const ended = await over(project, run, (words) => fill(said, words));
      fill(out);
      const here = document.activeElement === ask;
      if (here) focusOn(said);
      ask.hidden = true;
      await changed(asked, here ? made : 0);
      fill(said, name === asked ? "" : `${asked}: `, outcome(ended, `Try ${made} was asked.`));
    } catch (error) {
      fill(said);
      fill(out, problem(error));
      changed(asked, 0);
    }
  }

  function show(found, choose) {
    node.hidden = !found.judge;
    if (!found.judge) return;
    fill(
      pick,
      found.judges.map((one) =>
        el("option", { value: one.name, selected: one.name === found.judge }, one.name),
      ),
    );
    pick.onchange = () => choose(pick.value);
    const fresh = JSON.stringify([found.judge, found.card]) !== JSON.stringify([name, card]);
    [name, card] = [found.judge, found.card];
    if (!fresh) return; // what was typed for the next try stays
    judge.value = card.judge;
    address.placeholder = card.fields.base_url || "the provider's own";
    for (const [one, input] of Object.entries(inputs)) input.value = asText(card.fields[one]);
    examples.value = "same";
    unplanned();
    fill(out);
  }

  const node = el(
    "section.card",
    { "aria-label": "A new try" },
    el("header", {}, el("h2", {}, "A new try")),
    form,
    out,
    said,
  );
  return { node, show, said };
}

/** How many questions gave an example, as a sentence after others; empty for none. */
export const leftOut = (count) =>
  count
    ? ` ${count.toLocaleString("en")} ` +
      `${count === 1 ? "question that gave an example is" : "questions that gave an example are"} ` +
      "left out."
    : "";

/** What asking a try costs: the part that it is about, where, and a row per judge. */
export function planTable(plan) {
  const price = (one) =>
    one.money == null ? (one.calls > one.known ? "price unknown" : "$0.00") : money(one.money);
  const row = (one) =>
    el(
      "tr",
      {},
      el(
        "td",
        {},
        one.name,
        el("div.s.m", {}, `${one.known.toLocaleString("en")} known, not paid again`),
        (one.notes || []).map((words) => el("div.s.note", {}, words)),
        one.key ? el("div.s.m", {}, one.key) : null,
      ),
      el("td.n", {}, several(one.calls - one.known, "call")),
      el("td.n", {}, price(one)),
    );
  const part = plan.part;
  return el(
    "div",
    {},
    plan.changed.length ? el("p", { dir: "auto" }, plan.changed.join("; ")) : null,
    el(
      "p.s",
      {},
      `About ${several(part.answers, "answer")} to ${several(part.questions, "question")}; ` +
        `${several(part.held_out_answers, "answer")} to ` +
        `${several(part.held_out_questions, "question")} ` +
        `${part.held_out_answers === 1 ? "is" : "are"} held ` +
        `out.${leftOut(part.left_out)}${plan.address ? ` Both are asked at ${plan.address}.` : ""}`,
    ),
    el("table", {}, el("tbody", {}, plan.judges.map(row))),
  );
}
