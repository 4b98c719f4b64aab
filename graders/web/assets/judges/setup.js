// Setting a judge up: the model with its date, and how it is asked.
import { postJSON } from "../lead/api.js";
import { el, fill } from "../lead/el.js";
import { problem } from "../lead/frame.js";

const field = (label, control, hint = "") =>
  el("label.field", {}, el("span.s.m", {}, label), control, hint ? el("span.s.m", {}, hint) : null);
const text = (placeholder = "") =>
  el("input.txt", { type: "text", spellcheck: "false", autocomplete: "off", placeholder });

/**
 * The card of the form; `edit(judge)` puts a judge's fields into it, `kept()` is called after one was kept.
 */
export function setupCard(project, kept) {
  const name = text("strict");
  const judge = text("openai:gpt-4o-2024-08-06");
  const inputs = {
    temperature: text("0"),
    top_p: text("the model's own"),
    max_output_tokens: text("2000"),
    reasoning_effort: text("the model's own"),
    prompt_language: text("the rubric's own, or ru, zh, ja"),
    slot: el(
      "select.txt",
      {},
      el("option", { value: "" }, "as system message"),
      el("option", { value: "user" }, "in the message itself"),
    ),
    per: el(
      "select.txt",
      {},
      el("option", { value: "" }, "an answer, by all criteria of a rubric"),
      el("option", { value: "criterion" }, "an answer, by one criterion"),
      el("option", { value: "question" }, "all answers to a question"),
    ),
    order_seed: text("0"),
    reference: el(
      "select.txt",
      {},
      el("option", { value: "" }, "where there is one"),
      el("option", { value: "no" }, "never"),
    ),
    window: text("as known"),
    samples: text("1"),
    confidence: el(
      "select.txt",
      {},
      el("option", { value: "" }, "what it states"),
      el("option", { value: "logprobs" }, "its tokens' probabilities"),
    ),
    base_url: text("the provider's own"),
    headers: el("textarea.txt", { rows: "2", spellcheck: "false", placeholder: "X-Team: blue" }),
    persona: text("a strict teacher"),
    input_price: text("as listed"),
    output_price: text("as listed"),
  };
  const state = el("div", { role: "status", "aria-live": "polite" });
  const two = (...children) => el("div.two", {}, children);
  const form = el(
    "form.jform",
    { onsubmit: (event) => (event.preventDefault(), keep()) },
    field("Name", name),
    field("Model, as PROVIDER:MODEL", judge, "Best with its date, so that it stays the same model."),
    field("System role", inputs.persona, "Begins: You are ..."),
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
        two(field("Language of the criteria", inputs.prompt_language), field("Instructions", inputs.slot)),
        two(field("One call is about", inputs.per), field("Confidence", inputs.confidence)),
        two(
          field("Order of answers drawn by", inputs.order_seed, "For calls about all answers to a question."),
          field("Ask so often, take the middle", inputs.samples, "More than once needs a temperature."),
        ),
        two(
          field("It is shown a reference", inputs.reference),
          field("Window of its model, tokens", inputs.window, "Where nobody knows it, as over Ollama."),
        ),
        field("Address", inputs.base_url),
        field(
          "Headers of every call",
          inputs.headers,
          "Name: value, one in a line; $VARIABLE stands for a secret.",
        ),
        two(
          field("$ per million tokens in", inputs.input_price),
          field("$ per million tokens out", inputs.output_price),
        ),
      ),
    ),
    el("div.bar", {}, el("button.btn.p", {}, "Keep the judge")),
    state,
  );

  async function keep() {
    const fields = Object.fromEntries(
      Object.entries(inputs).map(([key, input]) => [key, number(key, input.value.trim())]),
    );
    try {
      const made = await postJSON("/api/judges/set", {
        project,
        name: name.value,
        judge: judge.value,
        fields,
      });
      fill(
        state,
        el("p.s", {}, `Kept: ${made.name}. A run takes it by this name.`),
        made.notes.map((note) => el("p.s.note", {}, note)),
      );
      kept();
    } catch (error) {
      fill(state, problem(error));
    }
  }

  /** A judge's fields; how it was set up before there was "one call is about" is told by a switch. */
  function edit(one) {
    name.value = one.name;
    judge.value = one.judge;
    for (const [key, input] of Object.entries(inputs))
      input.value = asText(
        one.options?.[key] ?? one[key] ?? (key === "per" && one.options?.per_criterion ? "criterion" : ""),
      );
    form.querySelector("details").open = true;
    fill(state);
    (one.name ? judge : name).focus();
  }

  return {
    node: el(
      "section.card",
      { "aria-label": "Set up a judge" },
      el("header", {}, el("h2", {}, "Set up a judge")),
      form,
    ),
    edit,
  };
}

const asText = (value) => (value === true ? "" : value === false ? "no" : value);

/** Decimal commas are understood; what is no number goes on as it is, for the server to say so. */
function number(key, value) {
  return ["temperature", "top_p", "input_price", "output_price"].includes(key)
    ? value.replace(",", ".")
    : value;
}
