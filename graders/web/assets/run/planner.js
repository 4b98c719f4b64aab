// Planning a run: which judges, how many calls at once, how much money; the plan is shown before anything is
// sent.
import { postJSON } from "../lead/api.js";
import { el, fill, once } from "../lead/el.js";
import { problem } from "../lead/frame.js";
import { several } from "../lead/several.js";
import { turns } from "../lead/turns.js";
import { batchWords, providersLine } from "./providers.js";
import { scoresField } from "./scores.js";
import { judgeNames, panelField, waysFields } from "./ways.js";
import { money, seconds } from "./words.js";

const field = (label, control, hint = "") =>
  el("label.field", {}, el("span.s.m", {}, label), control, hint ? el("span.s.m", {}, hint) : null);
const text = (attributes) =>
  el("input.txt", { type: "text", spellcheck: "false", autocomplete: "off", ...attributes });

/** So long nobody has typed into the field of the judges when they are looked at, in milliseconds. */
const TYPED_MS = 500;
/** Answers that a judge is tried on before all are asked about. */
const TRIES = 5;
/** How long a batch takes, whatever it holds. */
const DAY = "within a day";

/**
 * The card that plans and starts a run, `again(run)`, which plans anew like that run, `keep(run)`, which only
 * takes over what it was told, and `claims(there)`, which says whether answers may be split into claims;
 * `started()` is called when one began.
 */
export function planner(project, started) {
  const judges = text({ placeholder: "openai:gpt-4o-mini, openai:gpt-4o" });
  const odd = el("div", { "aria-live": "polite" });
  const concurrency = text({ inputmode: "numeric", value: "64" });
  const budget = text({ inputmode: "decimal", placeholder: "no limit" });
  const calls = text({ inputmode: "numeric", placeholder: "no limit" });
  const ways = waysFields();
  const panel = panelField();
  const scores = scoresField(project);
  const split = text({ placeholder: "each sentence is a claim" });
  const splits = el(
    "div",
    { hidden: true },
    field(
      "Split answers into claims by, as PROVIDER:MODEL",
      split,
      "One call per answer, once; each claim is then graded by itself.",
    ),
  );
  const faults = el("input", { type: "checkbox" });
  const batch = el("input", { type: "checkbox" });
  const anchors = el("input", { type: "checkbox", checked: true });
  const anchored = el(
    "label.row",
    { hidden: true },
    el(
      "span",
      {},
      "Where a judge changed, grade anchor questions first ",
      el("span.s.m", {}, "(one more call per answer to them: drift is told from noise)"),
    ),
    anchors,
  );
  const out = el("div", { "aria-live": "polite" });
  // Nothing is spent before its plan was seen: the button comes with the plan, and goes when anything is
  // changed.
  const begin = el("button.btn.p", { type: "button", onclick: () => press(), hidden: true }, "Start");
  const attempt = el("button.btn", { type: "button", onclick: () => press({ tries: TRIES }), hidden: true });
  const reached = el("details", {}, el("summary.s", {}, "Another address, or a key of your own"), ways.node);
  const form = el(
    "form",
    { onsubmit: (event) => (event.preventDefault(), plan()), oninput: (event) => changed(event) },
    field(
      "Judges, as PROVIDER:MODEL",
      judges,
      "None: only rules and metrics, for nothing, and the judges that a rubric names.",
    ),
    providersLine(),
    odd,
    el(
      "div.bar",
      {},
      field("Max concurrent requests", concurrency),
      field("Budget limit ($)", budget),
      field("Call limit", calls),
    ),
    panel.node,
    scores.node,
    splits,
    el(
      "label.row",
      {},
      el(
        "span",
        {},
        "Ask the judges for named faults too ",
        el("span.s.m", {}, "(one more call per answer)"),
      ),
      faults,
    ),
    el("label.row", {}, el("span", {}, "Use the provider's batch API ", batchWords()), batch),
    anchored,
    reached,
    el("div.bar", {}, el("button.btn", {}, "Show the plan"), begin, attempt),
  );

  const names = () => judgeNames(judges.value);

  const splitter = () => (splits.hidden || !split.value.trim() ? [] : [split.value.trim()]);

  let looking = 0;
  let touched = false;
  const turn = turns(); // of the plan: one that comes after something was changed is of other settings
  const checks = turns();

  function changed(event) {
    touched = true;
    check();
    if (ways.isKey(event.target)) return;
    turn();
    begin.hidden = attempt.hidden = true;
    fill(out); // a plan of other settings says nothing any more
    if (event.target === judges || event.target === split) follow();
  }

  /**
   * What is odd about the judges, or missing, stands below their field as soon as they are named; what is no
   * judge yet is being typed.
   */
  function check() {
    clearTimeout(looking);
    const current = checks();
    looking = setTimeout(async () => {
      const found = judges.value.trim()
        ? await postJSON("/api/run/check", {
            project,
            options: { judges: names(), ...ways.addresses() },
            keyed: ways.keyed(),
          }).catch(() => [])
        : [];
      if (!current()) return;
      const said = [...new Set(found.flatMap((one) => one.notes))];
      const whose = (note) =>
        found
          .filter((one) => one.notes.includes(note))
          .map((one) => one.name)
          .join(", ");
      fill(
        odd,
        said.map((note) => el("p.s.note", {}, el("b", {}, whose(note)), ` ${note}`)),
      );
      // A key may have been typed since the plan was made.
      for (const note of out.querySelectorAll(".lacks"))
        if (!said.some((one) => one.startsWith(note.textContent))) note.remove();
    }, TYPED_MS);
  }

  function follow() {
    ways.follow([...names(), ...splitter()]);
    panel.follow(names());
  }

  const options = () => ({
    judges: names(),
    panel: panel.value(),
    split: splitter()[0] ?? "",
    metrics: scores.value(),
    concurrency: number(concurrency.value),
    budget_money: number(budget.value),
    budget_calls: number(calls.value),
    ...ways.addresses(),
    faults: faults.checked,
    batch: batch.checked,
    anchors: anchors.checked,
  });

  async function plan() {
    const current = turn();
    try {
      const found = await postJSON("/api/run/plan", { project, options: options(), keyed: ways.keyed() });
      if (!current()) return;
      fill(out, table(found));
      anchored.hidden = !found.anchors;
      begin.hidden = false;
      attempt.hidden = !found.judges.some((judge) => judge.calls - judge.known > TRIES);
      attempt.textContent = `Try five answers first${price(found)}`;
    } catch (error) {
      if (current()) fill(out, problem(error));
    }
  }

  const press = (more = {}) => once([begin, attempt], () => go(more));

  async function go(more) {
    try {
      const { plan: agreed, headers } = await postJSON("/api/run/start", {
        project,
        options: { ...options(), ...more, ...(more.tries ? { batch: false } : {}) },
        ...ways.keys(),
      });
      if (!more.tries) ways.forget(headers);
      fill(out, table(agreed));
      started();
    } catch (error) {
      fill(out, problem(error));
    }
  }

  /** Take over what a run was told, unless somebody has begun to fill in the form. */
  function keep(run) {
    if (touched) return;
    for (const [input, value] of [
      [concurrency, run.concurrency],
      [budget, run.budget_money],
      [calls, run.budget_calls],
    ])
      if (value != null) input.value = String(value);
    anchors.checked = run.anchors;
    takeOver(run);
    check();
  }

  function again(run) {
    takeOver(run);
    plan();
  }

  function takeOver(run) {
    judges.value ||= run.judges.join(", ");
    split.value ||= run.split || "";
    follow();
    ways.fill(run);
    const { base_url = "", base_urls = {}, headers } = ways.addresses();
    // what is taken over is seen
    reached.open ||= Boolean(base_url || Object.keys(base_urls).length || Object.keys(headers).length);
    panel.fill(run.panel);
    faults.checked ||= run.faults;
    batch.checked ||= run.batch;
  }

  return {
    node: el("section.card.plan", {}, el("header", {}, el("h2", {}, "Plan a run")), form, out),
    again,
    keep,
    claims: (there) => (splits.hidden = !there),
  };
}

/** What trying a few answers will cost, about; empty where no price is known. */
function price(plan) {
  const calls = plan.judges.reduce((sum, judge) => sum + judge.calls - judge.known, 0);
  return plan.money
    ? ` (about ${money((plan.money * Math.min(calls, TRIES * plan.judges.length)) / calls)})`
    : "";
}

/**
 * A number as it was typed, decimal commas too; what is no number goes on as it is, for the server to say so.
 */
export function number(typed) {
  const value = typed.trim().replace(",", ".");
  return value === "" ? null : Number.isFinite(Number(value)) ? Number(value) : value;
}

function table(plan) {
  const price = (judge) =>
    judge.money == null ? (judge.calls > judge.known ? "unknown" : "$0.00") : money(judge.money);
  const rows = [
    el(
      "tr",
      {},
      el(
        "td",
        {},
        "Rules and metrics",
        el("div.s.m", {}, [...plan.rules, ...plan.metrics].join(", ").replaceAll("_", " ") || "none"),
        plan.detecting.length
          ? el("div.s.m", {}, `Only point out: ${plan.detecting.join(", ").replaceAll("_", " ")}`)
          : null,
      ),
      el("td.n", {}, plan.subjects.toLocaleString("en")),
      el("td.n", {}, seconds(plan.measure_seconds)),
      el("td.n", {}, "$0.00"),
    ),
    ...plan.judges.map((j) =>
      el(
        "tr",
        {},
        el(
          "td",
          {},
          j.name,
          el(
            "div.s.m",
            {},
            `${j.done ? `${several(j.done, "answer")} done already; ` : ""}${j.known} known, not ` +
              `paid again; about ${(j.input_tokens + j.output_tokens).toLocaleString("en")} ` +
              "tokens" +
              (j.batch ? "; as a batch at half the price" : "") +
              (j.batch || j.measured ? "" : "; time assumed until the first replies"),
          ),
          (j.notes || []).map((note) => el("div.s.note", {}, note)),
          j.key ? el("div.s.m", {}, j.key) : null,
          j.lacking ? el("div.s.note.lacks", {}, j.lacking.replace(/(?<=\.) .*/u, "")) : null,
        ),
        el("td.n", {}, (j.calls - j.known).toLocaleString("en")),
        el("td.n", {}, j.batch && j.calls > j.known ? DAY : seconds(j.seconds)),
        el("td.n", {}, price(j)),
      ),
    ),
  ];
  const foot = el(
    "tr",
    {},
    el("td", {}, `In all, ${several(plan.cells, "cell")}`),
    el("td"),
    el("td.n", {}, plan.judges.some((j) => j.batch && j.calls > j.known) ? DAY : seconds(plan.seconds)),
    el("td.n", {}, plan.money == null ? "unknown" : money(plan.money)),
  );
  const head = el(
    "tr",
    {},
    ["Grader", "calls", "time", "price"].map((t, n) => el(n ? "th.n" : "th", {}, t)),
  );
  return el(
    "div",
    {},
    el(
      "div.scroll",
      {},
      el("table", {}, el("thead", {}, head), el("tbody", {}, rows), el("tfoot", {}, foot)),
    ),
    plan.problems.map((p) => el("p.note", {}, p)),
  );
}
