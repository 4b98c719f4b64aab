// What a text would change, what became stale and what grading it again costs, and the versions that there
// were.
import { getJSON, postJSON, query } from "../lead/api.js";
import { el, fill, once } from "../lead/el.js";
import { problem } from "../lead/frame.js";
import { several } from "../lead/several.js";

const words = {
  title: "What would change",
  same: "Nothing that decides a verdict changes.",
  lines: "Line by line",
  stale: "Verdicts that no longer count, and are kept",
  none: "No verdict becomes stale.",
  again: "Under an earlier wording",
  ask: "What would it cost to ask the judges again?",
  start: "Grade these again",
  nobody: "No judge was asked here by name: start one under Run.",
  nothing: "No judge grades these criteria now: nothing is to be asked again.",
  versions: "Versions",
  present: "in force",
  compare: "What has changed since",
  take: "Take this text into the editor",
};
const counted = (counts) =>
  Object.entries(counts)
    .filter(([, n]) => n)
    .map(([kind, n]) => `${n.toLocaleString("en")} by ${kind}`)
    .join(", ");

/**
 * The card; `show(looked)` fills it. Its button stays the same: a press on it that leaves a changed field is
 * not lost when the reply comes before the finger is lifted.
 */
export function changesCard(label, put) {
  const body = el("div");
  const button = el("button.btn.p", { type: "button", onclick: () => once(button, put) }, label);
  const node = el(
    "section.card",
    { "aria-label": words.title, hidden: true },
    el("header", {}, el("h2", {}, words.title)),
    body,
    el("div.bar", { style: { "margin-top": "10px" } }, button),
  );

  function show(looked) {
    node.hidden = !looked.form;
    if (!looked.form) return;
    const differs = looked.lines.length > 0;
    const stale = Object.entries(looked.stale).map(([name, counts]) =>
      el("li", {}, el("b", {}, name), ` ${counted(counts) || "none"}`),
    );
    button.disabled = !differs || looked.errors.length > 0;
    fill(
      body,
      differs ? sentences(looked) : el("p.m", {}, words.same),
      stale.length
        ? el("div", {}, el("p.s.m", {}, words.stale), el("ul", {}, stale))
        : differs
          ? el("p.s.m", {}, words.none)
          : null,
    );
  }

  return { node, show };
}

/** The changes in words, and behind a fold line by line. */
function sentences(found) {
  const said = found.said.length
    ? el(
        "ul.rub-changes",
        {},
        found.said.map((text) => el("li", { dir: "auto" }, text)),
      )
    : el("p.m", {}, words.same);
  const line = (one) =>
    el(
      one.sign === "+" ? "ins" : one.sign === "-" ? "del" : one.sign === "@" ? "i" : "span",
      {},
      `${one.sign === "@" ? "…" : one.sign} ${one.text}\n`,
    );
  return el(
    "div",
    {},
    said,
    found.lines.length
      ? el("details", {}, el("summary.s", {}, words.lines), el("pre.rub-lines", {}, found.lines.map(line)))
      : null,
  );
}

/** The card of what is under an earlier wording; the price comes before anything is asked. */
export function againCard(project, rubric) {
  const state = el("div", { role: "status", "aria-live": "polite" });
  const rows = rubric.criteria
    .filter((c) => c.people || c.judges || c.rules)
    .map((c) =>
      el(
        "li",
        {},
        el("b", {}, c.title),
        ` ${counted({ people: c.people, judges: c.judges, rules: c.rules })}; ` +
          `${c.now.toLocaleString("en")} under the present wording`,
      ),
    );
  const ask = async () => {
    try {
      const found = await getJSON("/api/rubrics/again", { project, name: rubric.name });
      if (!found.plan) return fill(state, el("p", {}, found.answers ? words.nobody : words.nothing));
      const calls = found.plan.judges.reduce((sum, judge) => sum + judge.calls - judge.known, 0);
      const price =
        found.plan.money === null
          ? "an unknown price"
          : `about $${found.plan.money.toFixed(found.plan.money < 1 ? 4 : 2)}`;
      fill(
        state,
        el(
          "p",
          {},
          `${several(found.answers, "answer")}, ${several(calls, "call")} to ` +
            `${found.judges.join(", ")}, ${price}. `,
          el("button.btn.p", { type: "button", onclick: begin }, words.start),
        ),
      );
    } catch (error) {
      fill(state, problem(error));
    }
  };
  const begin = async () => {
    try {
      await postJSON("/api/rubrics/again", { project, name: rubric.name });
      location.assign("/run" + query({ project }));
    } catch (error) {
      fill(state, problem(error));
    }
  };
  return el(
    "section.card",
    { "aria-label": words.again },
    el("header", {}, el("h2", {}, words.again)),
    el("ul", {}, rows),
    el(
      "p",
      { style: { "margin-top": "8px" } },
      el("button.btn", { type: "button", onclick: ask }, words.ask),
    ),
    state,
  );
}

export function versionsCard(project, rubric, take) {
  const shown = el("div");
  const open = async (one) => {
    try {
      const old = await getJSON("/api/rubrics/version", { project, name: rubric.name, id: one.id });
      fill(
        shown,
        el("h3", {}, `${words.compare} ${one.at.slice(0, 16).replace("T", " ")}`),
        sentences(old),
        el("button.btn.xs", { type: "button", onclick: () => take(old.source) }, words.take),
      );
    } catch (error) {
      fill(shown, problem(error));
    }
  };
  const row = (one) =>
    el(
      "tr",
      {},
      el("td", {}, `version ${one.version}`),
      el("td", {}, one.at.slice(0, 16).replace("T", " ")),
      el("td", {}, one.by),
      el(
        "td.n",
        {},
        one.active
          ? el("span.v.ok", {}, words.present)
          : el("button.btn.xs", { type: "button", onclick: () => open(one) }, words.compare),
      ),
    );
  return el(
    "section.card",
    { "aria-label": words.versions },
    el(
      "header",
      {},
      el("h2", {}, words.versions),
      el("span.r", {}, "every text that was put in force is kept"),
    ),
    el("div.scroll", {}, el("table", {}, el("tbody", {}, rubric.versions.map(row)))),
    shown,
  );
}
