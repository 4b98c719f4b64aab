// One judge tried on one answer: what it is asked, what came back, how that is read.
import { getJSON, postJSON } from "../lead/api.js";
import { el, fill, once } from "../lead/el.js";
import { problem } from "../lead/frame.js";
import { turns } from "../lead/turns.js";
import { keyField, money } from "../lead/typed.js";

const field = (label, control, hint = "") =>
  el("label.field", {}, el("span.s.m", {}, label), control, hint ? el("span.s.m", {}, hint) : null);
const OVER = ["done", "stopped", "failed", "paused", "waiting_for_key"];

/**
 * The card of a try; `offer(names)` lists judges, `start()` loads the answers, `tried()` is called after one
 * was asked.
 */
export function tryCard(project, tried) {
  const known = el("datalist", { id: "judges-known" });
  const judge = el("input.txt", {
    type: "text",
    list: "judges-known",
    spellcheck: "false",
    autocomplete: "off",
    placeholder: "strict, or openai:gpt-4o-mini",
    required: true,
  });
  const panel = el(
    "select.txt",
    {},
    el("option", { value: "median" }, "the median"),
    el("option", { value: "majority" }, "what most say"),
  );
  const answer = el("select.txt");
  const address = el("input.txt", {
    type: "text",
    spellcheck: "false",
    autocomplete: "off",
    placeholder: "the provider's own",
  });
  const key = keyField();
  const out = el("div", { "aria-live": "polite" });
  const ask = el("button.btn.p", { type: "button", onclick: () => once(ask, send) }, "Ask about this answer");
  const form = el(
    "form.jform",
    { onsubmit: (event) => (event.preventDefault(), show()) },
    field("Judge", judge),
    known,
    field(
      "Several are made one by",
      panel,
      "Name several with commas between them, or the panel as it is listed.",
    ),
    field("Answer", answer),
    el(
      "details",
      {},
      el("summary.s", {}, "Another address, or a key of your own"),
      el(
        "div.jform",
        {},
        field("Address", address),
        field("Key", key, "It goes to this call alone and is kept nowhere."),
      ),
    ),
    el("div.bar", {}, el("button.btn", {}, "Show the prompt"), ask),
  );
  const what = () => ({
    project,
    judge: judge.value.trim(),
    subject: Number(answer.value),
    base_url: address.value.trim(),
    panel: judge.value.includes("(") ? "" : panel.value,
  });

  const turn = turns(); // of the prompt: what a judge replied is not covered by one that comes late

  async function show() {
    const current = turn();
    try {
      const found = await getJSON("/api/judges/tried", what());
      if (current()) fill(out, drawn(found));
    } catch (error) {
      if (current()) fill(out, problem(error));
    }
  }

  async function send() {
    turn();
    fill(out, el("p.m", {}, "Asking…"));
    try {
      const asked = what();
      const { run } = await postJSON("/api/judges/try", { ...asked, key: key.value });
      key.value = "";
      await over(run);
      fill(out, drawn(await getJSON("/api/judges/tried", asked)));
      tried();
    } catch (error) {
      fill(out, problem(error));
    }
  }

  async function over(run) {
    for (;;) {
      const found = (await getJSON("/api/run", { project, run })).run;
      if (OVER.includes(found.state)) {
        if (found.state === "failed") throw new Error(found.message);
        return;
      }
      await new Promise((done) => setTimeout(done, 500));
    }
  }

  async function start() {
    try {
      const found = await getJSON("/api/judges/answers", { project });
      fill(
        answer,
        found.map((one) => el("option", { value: String(one.id) }, `${one.model}: ${one.question}`)),
      );
    } catch (error) {
      fill(out, problem(error));
    }
  }

  return {
    node: el(
      "section.card",
      { "aria-label": "Try a judge" },
      el(
        "header",
        {},
        el("h2", {}, "Try a judge on one answer"),
        el("span.r", {}, "the prompt costs nothing"),
      ),
      form,
      out,
    ),
    offer: (names) =>
      fill(
        known,
        names.map((name) => el("option", { value: name })),
      ),
    start,
  };
}

function drawn(found) {
  return el(
    "div",
    {},
    el("p", {}, el("b", {}, found.title), ` ${found.author} on ${found.model}.`),
    together(found),
    found.calls.map((one, at) => call(one, at, Boolean(found.method))),
  );
}

const TOGETHER = {
  majority: "Together, what most say:",
  median: "Together, the median:",
  "": "Together, the middle of its samples:",
};

function together(found) {
  if (!found.together.length) return null;
  return el(
    "section",
    { "aria-label": "Together" },
    el("p.s.m", {}, TOGETHER[found.method]),
    el("div.read", {}, found.together.map(item)),
  );
}

function call(one, at, named) {
  const settings = Object.entries(one.settings)
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`)
    .join(", ");
  const paid =
    one.raw === null
      ? ""
      : "; " +
        (`${one.seconds == null ? "" : `${one.seconds.toFixed(1)} s, `}` +
          `${one.money == null ? "price unknown" : money(one.money, true)}`);
  const left = one.left_out.length ? `; its model does not take ${one.left_out.join(" and ")}` : "";
  const prompt = el(
    "details",
    { open: one.raw === null },
    el("summary.s", {}, `Prompt of call ${at + 1}`),
    one.messages.flatMap((message) => [
      el("div.s.m", {}, message.role),
      el("pre.said", { dir: "auto", tabindex: "0" }, message.text),
    ]),
  );
  const raw =
    one.raw === null
      ? null
      : el(
          "details",
          {},
          el("summary.s", {}, "Raw reply"),
          el("pre.said", { dir: "auto", tabindex: "0" }, one.raw),
        );
  return el(
    "article",
    {},
    el("p.s.m", {}, named ? `${one.judge}: ` : "", `${settings}${left}${paid}`),
    one.cause ? el("p.note", {}, one.cause) : null,
    one.read.length ? el("div.read", {}, one.read.map(item)) : null,
    prompt,
    raw,
  );
}

function item(said) {
  const name = [said.model, said.criterion, said.part].filter(Boolean).join(", ");
  const sure = said.confidence == null ? "" : ` confidence ${said.confidence.toFixed(2)}`;
  const quotes = (said.evidence || [])
    .filter((one) => one.quote)
    .map((one) =>
      el("div.s", { dir: "auto" }, `“${one.quote}”${one.found === false ? " (not in the answer)" : ""}`),
    );
  return el(
    "div",
    {},
    name ? `${name}: ` : "",
    said.word ? el("b", {}, said.word) : el("span.m", {}, `no verdict: ${said.why}`),
    el("span.s.m", {}, sure),
    said.rationale ? el("div.s", { dir: "auto" }, said.rationale) : null,
    said.note ? el("div.s.m", {}, said.note) : null,
    quotes,
  );
}
