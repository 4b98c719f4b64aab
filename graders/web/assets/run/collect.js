// Collecting answers: which models are asked all questions; the plan with its price comes before anything is
// sent.
import { postJSON } from "../lead/api.js";
import { el, fill, once } from "../lead/el.js";
import { problem } from "../lead/frame.js";
import { several } from "../lead/several.js";
import { turns } from "../lead/turns.js";
import { providersLine } from "./providers.js";
import { waysFields } from "./ways.js";
import { money, seconds } from "./words.js";

const field = (label, control, hint = "") =>
  el("label.field", {}, el("span.s.m", {}, label), control, hint ? el("span.s.m", {}, hint) : null);
const text = (attributes) =>
  el("input.txt", { type: "text", spellcheck: "false", autocomplete: "off", ...attributes });

/** The card that plans and starts a collection; `started()` is called when one began. */
export function collector(project, started) {
  const models = text({ placeholder: "openai:gpt-4o-mini, llama=ollama:llama3" });
  const system = text({ placeholder: "none" });
  const temperature = text({ inputmode: "decimal", placeholder: "its own" });
  const longest = text({ inputmode: "numeric", placeholder: "its own" });
  const budget = text({ inputmode: "decimal", placeholder: "no limit" });
  const missing = el("input", { type: "checkbox" });
  const ways = waysFields({ address: "Where the models are", key: "Key for the models of" });
  const out = el("div", { "aria-live": "polite" });
  const begin = el(
    "button.btn.p",
    { type: "button", onclick: () => once(begin, go), hidden: true },
    "Collect",
  );
  const names = () => models.value.split(/[,\s]+/).filter(Boolean);
  const form = el(
    "form",
    { onsubmit: (event) => (event.preventDefault(), plan()), oninput: (event) => changed(event) },
    field(
      "Models to ask, as PROVIDER:MODEL",
      models,
      "NAME= before it keeps the answers under another name.",
    ),
    providersLine(),
    field("System prompt for all", system),
    el(
      "div.bar",
      {},
      field("Temperature", temperature),
      field("Longest answer, tokens", longest),
      field("Budget limit ($)", budget),
    ),
    el("label.check", {}, missing, " Leave out what a model has answered already"),
    el("details", {}, el("summary.s", {}, "Addresses, headers and keys of the models"), ways.node),
    el("div.bar", {}, el("button.btn", {}, "Show what it costs"), begin),
  );

  const turn = turns(); // of the plan: one that comes after something was changed is of other settings

  function changed(event) {
    if (ways.isKey(event.target)) return;
    turn();
    begin.hidden = true;
    if (event.target === models) ways.follow(names().map((name) => name.replace(/^[^:=]*=/, "")));
  }

  const number = (typed) => typed.trim().replace(",", ".");
  const options = () => ({
    models: names(),
    system: system.value.trim(),
    temperature: number(temperature.value),
    max_output_tokens: number(longest.value),
    budget_money: number(budget.value),
    missing: missing.checked,
    ...ways.addresses(),
  });

  async function plan() {
    const current = turn();
    try {
      const found = await postJSON("/api/collect/plan", { project, options: options(), keyed: ways.keyed() });
      if (!current()) return;
      fill(out, table(found));
      begin.hidden = false;
    } catch (error) {
      if (current()) fill(out, problem(error));
    }
  }

  async function go() {
    try {
      const { headers } = await postJSON("/api/collect/start", {
        project,
        options: options(),
        ...ways.keys(),
      });
      ways.forget(headers);
      begin.hidden = true;
      fill(out);
      started();
    } catch (error) {
      fill(out, problem(error));
    }
  }

  return el(
    "section.card.plan",
    { "aria-label": "Collect answers" },
    el("details", {}, el("summary", {}, el("b", {}, "Collect answers from models")), form, out),
  );
}

function table(plan) {
  const price = (one) => (one.money == null ? (one.calls ? "unknown" : "$0.00") : money(one.money));
  const note = (one) =>
    [
      one.known ? `${one.known.toLocaleString("en")} known, not paid again` : "",
      `about ${(one.input_tokens + one.output_tokens).toLocaleString("en")} tokens`,
      one.left_out.length ? `does not take ${one.left_out.join(" and ")}` : "",
      one.replaces
        ? `${several(one.replaces, "answer is", "answers are")} there already: another text ` +
          "becomes a new version"
        : "",
      one.key.replace(/\.$/u, ""),
      one.lacking,
    ]
      .filter(Boolean)
      .join("; ");
  const row = (one) =>
    el(
      "tr",
      {},
      el("td", {}, one.name, el("div.s.m", {}, note(one))),
      el("td.n", {}, one.calls.toLocaleString("en")),
      el("td.n", {}, seconds(one.seconds)),
      el("td.n", {}, price(one)),
    );
  const head = el(
    "tr",
    {},
    ["Model", "calls", "time", "price"].map((word, at) => el(at ? "th.n" : "th", {}, word)),
  );
  const foot = el(
    "tr",
    {},
    el(
      "td",
      {},
      `In all, ${plan.questions.toLocaleString("en")} ${plan.questions === 1 ? "question" : "questions"}`,
    ),
    el("td.n", {}, plan.calls.toLocaleString("en")),
    el("td.n", {}, seconds(plan.seconds)),
    el("td.n", {}, plan.money == null ? "unknown" : money(plan.money)),
  );
  return el(
    "div.scroll",
    {},
    el("table", {}, el("thead", {}, head), el("tbody", {}, plan.models.map(row)), el("tfoot", {}, foot)),
  );
}
