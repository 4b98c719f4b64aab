// Where people say that the rubric is unclear, and sentences that a judge drafted for it; the rubric editor
// is where one is taken.
import { getJSON, postJSON, query } from "../lead/api.js";
import { el, fill, once } from "../lead/el.js";
import { problem } from "../lead/frame.js";
import { stillAt } from "../kit/keep.js";

export function wordingCard(project) {
  const body = el("div", { tabindex: "-1" });
  const parts = new Map(); // criterion -> its part of the card, which is drawn anew after a draft
  const open = el("button.btn", { type: "button", onclick: () => look() }, "Show where");
  const node = el(
    "section.card",
    { "aria-label": "Where the rubric is unclear" },
    el("header", {}, el("h2", {}, "Where the rubric is unclear")),
    el(
      "p.s.m",
      {},
      "Disagreements that people put down to the rubric. Whoever looks has seen marks of these answers.",
    ),
    body,
  );
  fill(body, el("div.bar", {}, open));

  async function look(key = "") {
    try {
      const found = await getJSON("/api/workshop/wording", { project });
      parts.clear();
      fill(
        body,
        found.length
          ? found.map(one)
          : el(
              "p",
              {},
              "Nobody has said yet that the rubric is unclear: the desk asks after a correction (key j).",
            ),
      );
      if (stillAt(body)) (parts.get(key) || body).focus();
    } catch (error) {
      fill(body, problem(error));
    }
  }

  function one(found) {
    const state = el("p.s", { role: "status", "aria-live": "polite" });
    const judge = el("input.txt", {
      type: "text",
      spellcheck: "false",
      autocomplete: "off",
      placeholder: "openai:gpt-4o-mini",
      "aria-label": `Model that drafts for ${found.title}`,
    });
    const ask = el("button.btn", { type: "submit" }, "Draft a sentence");
    const send = async () => {
      fill(state, "Asking…");
      try {
        const done = await postJSON("/api/workshop/wording", {
          project,
          criterion: found.key,
          judge: judge.value.trim(),
        });
        if (!done.sentence) throw new Error(`No sentence came: ${done.why}`);
        await look(found.key);
      } catch (error) {
        fill(state, problem(error));
      }
    };
    const said = (who) =>
      el("div.s", { dir: "auto" }, `${who.name}: `, el("b", {}, who.word), who.why ? `, ${who.why}` : "");
    const row = (item) =>
      el(
        "li.vr",
        {},
        el("div.s.m", { dir: "auto" }, `${item.model}: ${item.question.slice(0, 120)}`),
        el("div.s", {}, item.judges.map(said), item.people.map(said)),
      );
    const node = el(
      "div.unclear",
      { tabindex: "-1" },
      el(
        "p",
        {},
        el("b", {}, found.title),
        `: ${found.total.toLocaleString("en")} ${found.total === 1 ? "disagreement" : "disagreements"}`,
      ),
      found.cases.length
        ? el(
            "details",
            { "data-key": `said of ${found.key}` },
            el("summary.s", {}, "What was said"),
            el("ul", {}, found.cases.map(row)),
          )
        : null,
      found.drafts.map((draft) => sentence(found, draft)),
      found.cases.length
        ? el("form.bar", { onsubmit: (event) => (event.preventDefault(), once(ask, send)) }, judge, ask)
        : el(
            "p.s.m",
            {},
            "No case to draft from: all are on questions that are held out, or about an earlier wording.",
          ),
      state,
    );
    parts.set(found.key, node);
    return node;
  }

  function sentence(found, draft) {
    const way = draft.taken
      ? el("span.v.ok", {}, "in the rubric")
      : el(
          "a.btn.xs",
          { href: "/rubrics" + query({ project, criterion: found.key, sentence: draft.sentence }) },
          "Take it to the rubric",
        );
    return el(
      "div.note",
      {},
      el("q", { dir: "auto" }, draft.sentence),
      el("div.s.m", {}, `drafted by ${draft.by} from ${draft.cases} ${draft.cases === 1 ? "case" : "cases"}`),
      way,
    );
  }

  return node;
}
