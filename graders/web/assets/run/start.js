// Run: the plan with its price, the graders at work, and what may be changed before and after.
import { getJSON, postJSON, query } from "../lead/api.js";
import { el, fill } from "../lead/el.js";
import { empty, frame, problem } from "../lead/frame.js";
import { several } from "../lead/several.js";
import { turns } from "../lead/turns.js";
import { typesCard } from "../lead/types.js";

/** The address of Results says so where cells of any reason are meant. */
const ANY = "any";
import { agreedCard } from "./agreed.js";
import { authorCard } from "./author.js";
import { collector } from "./collect.js";
import { number, planner } from "./planner.js";
import { rubricsCard } from "./rubrics.js";
import { settingsCard } from "./settings.js";
import { triedCard } from "./tried.js";
import { keyField } from "./ways.js";
import { seconds, money } from "./words.js";

const EVERY = 1000;

export async function start(mount) {
  const { main, data, project } = await frame(mount, "/run");
  if (!project) return empty(main, "There is nothing to run yet.");
  // A project that is not there: the server's sentence, once, and nothing that could be pressed.
  if (!data.project) return getJSON("/api/run", { project }).catch((error) => fill(main, problem(error)));
  const heading = el("div");
  const buttons = el("div");
  const top = el("div.top", {}, heading, buttons);
  const left = el("div.main-col");
  const right = el("div.main-col");
  const rubrics = el("div.main-col.last");
  fill(main, top, el("div.cols.two.rn", {}, el("div.main-col", {}, left, rubrics), right));
  const agreed = el("div.main-col", { hidden: true });
  const { node: plan, again, keep, claims } = planner(project, () => look());
  const more = await getJSON("/api/settings", { project }).then(
    (found) => {
      fill(
        rubrics,
        rubricsCard(project, found, () => look()),
      );
      return settingsCard(project, found, () => look());
    },
    (error) => problem(error),
  );
  const types = await getJSON("/api/task-types", { project }).then(
    (found) => (found.categories.length ? typesCard(project, found.categories, () => look()) : null),
    (error) => problem(error),
  );
  const author = await getJSON("/api/author-texts", { project }).then(
    (found) => authorCard(project, found, () => look()),
    (error) => problem(error),
  );
  const collects = collector(project, () => look());
  fill(right, agreed, plan, collects, more, types, author);
  let shown = "";
  let offered = "";
  let tried = { run: 0, card: null };
  let kept = 0;
  let timer = 0;
  const turn = turns(); // what was asked before a press says nothing of what the press did

  async function look() {
    clearTimeout(timer);
    const current = turn();
    try {
      const found = await getJSON("/api/run", { project });
      if (!current()) return;
      const text = JSON.stringify(found);
      if (text !== shown) draw(found);
      shown = text;
      const busy = !["none", "over"].includes(found.phase);
      plan.hidden = collects.hidden = busy;
      agreed.hidden = !busy;
      timer = setTimeout(look, ["none", "over"].includes(found.phase) ? 5 * EVERY : EVERY);
    } catch (error) {
      if (!current()) return;
      if (!left.querySelector(".alert")) left.prepend(problem(error));
      shown = "";
      timer = setTimeout(look, 3 * EVERY);
    }
  }

  async function wish(run, want, keys = {}, renewed = {}) {
    try {
      await postJSON("/api/run/wish", { project, run: run.id, want, keys, renewed });
    } catch (error) {
      left.prepend(problem(error));
    }
    await look();
  }

  function draw(found) {
    document.title = `${found.title} · Cograde`;
    const { run, phase } = found;
    claims(found.claims);
    fill(
      heading,
      el("h1", {}, found.title),
      el("p", {}, found.subtitle, " ", data.notice ? el("span.notice", {}, data.notice) : null),
    );
    // The buttons stay the same nodes while a run goes on: a key half typed, the focus and a press under way
    // survive the next look.
    const offer = JSON.stringify([run?.id, phase, run?.state, run?.needs_key, run?.reached]);
    if (offer !== offered) {
      const held = buttons.contains(document.activeElement);
      fill(buttons, run ? actions(run, phase, wish) : null);
      if (held) buttons.querySelector("button, input")?.focus();
    }
    offered = offer;
    fill(agreed, run ? agreedCard(run) : null);
    const broken = brokenParts(found.broken_parts);
    if (!run) return fill(left, whatHappens(found.unit), broken);
    const after = found.next.length
      ? el(
          "section.card",
          {},
          el("header", {}, el("h2", {}, "Next")),
          el(
            "div.bar",
            {},
            found.next.map((step, n) => el(`a.btn${n ? "" : ".p"}`, { href: step.href }, step.label)),
          ),
        )
      : null;
    if (run.tries && phase === "over" && tried.run !== run.id) {
      tried = { run: run.id, card: triedCard(project, run) };
      again(run);
    } else if (kept !== run.id && !run.tries && !run.workshop && !run.collects) keep(run);
    kept = run.id;
    fill(
      left,
      figures(project, run, phase, found.unit),
      stages(run, phase),
      judges(project, run, found.reasons, found.causes),
      tried.run === run.id ? tried.card : null,
      after,
      broken,
    );
  }

  addEventListener("keydown", (event) => {
    if (
      event.code === "KeyP" &&
      !event.ctrlKey &&
      !event.metaKey &&
      !(/** @type {Element} */ (event.target).closest("input, select, textarea"))
    )
      top.querySelector("[data-key=p]")?.click();
  });
  await look();
}

function actions(run, phase, wish) {
  const button = (words, want, extra = {}) =>
    el("button.btn", { onclick: () => wish(run, want), ...extra }, words);
  // What is not over can be stopped, whatever it waits for: until then nothing else can be planned.
  const stop = phase === "over" ? null : button("Stop, keep everything", "stop", { type: "button" });
  if (phase === "working" || phase === "waiting")
    return el(
      "div.bar",
      {},
      button(["Pause ", el("kbd", {}, "p")], "pause", { "data-key": "p", "aria-keyshortcuts": "p" }),
      stop,
    );
  if (phase === "pausing") return el("div.bar", {}, stop);
  if (phase === "key") return keyForm(run, wish, "Go on", stop);
  if (phase === "paused" && (run.needs_key || run.keyed.length))
    return keyForm(run, wish, "Go on where it was", stop);
  if (run.reached?.length) return limitForm(run, wish, stop);
  if (phase === "paused" || phase === "gone" || run.state === "stopped" || run.state === "failed")
    return el("div.bar", {}, button("Go on where it was", "run"), stop);
  return null;
}

/**
 * The limits that a run was stopped at, to be raised before it goes on: filled with what will be enough,
 * about.
 */
function limitForm(run, wish, more) {
  const words = {
    budget_calls: (spent) => `Call limit (${spent.toLocaleString("en")} made)`,
    budget_money: (spent) => `Budget limit, $ (${money(spent)} spent)`,
  };
  const fields = run.reached.map((one) => [
    one,
    el("input.txt", {
      type: "text",
      spellcheck: "false",
      autocomplete: "off",
      inputmode: "decimal",
      value: String(one.enough),
    }),
  ]);
  const send = (event) => {
    event.preventDefault();
    wish(run, "run", {}, Object.fromEntries(fields.map(([one, input]) => [one.name, number(input.value)])));
  };
  return el(
    "form.bar.limits",
    { onsubmit: send },
    fields.map(([one, input]) =>
      el("label.field", {}, el("span.s.m", {}, words[one.name](one.spent)), input),
    ),
    el("button.btn.p", {}, "Go on with this limit"),
    more,
  );
}

/**
 * What was typed and is kept nowhere, in words: a key of a provider, or a header ("header:PROVIDER:NAME").
 */
function typedName(name) {
  const [, provider, header] = /^header:(.*):([^:]+)$/.exec(name) ?? [];
  if (header) return provider ? `Header ${header} of ${provider}` : `Header ${header}`;
  return name ? `Key of ${name}` : "";
}

/**
 * The keys that a run was started with, to be typed again: one field for each provider that had its own, for
 * each header that held one, and for each provider whose judge waits for a key.
 */
function keyForm(run, wish, words, more = null) {
  const headers = (run.keyed ?? []).filter((name) => name.startsWith("header:"));
  const own = (run.keyed ?? []).filter((name) => !headers.includes(name));
  const names = [...new Set([...(own.length || !run.needs_key ? own : [""]), ...headers, ...run.waits])];
  const fields = names.map((name) => [name, keyField(typedName(name) || undefined)]);
  const send = (event) => {
    event.preventDefault();
    wish(run, "run", Object.fromEntries(fields.map(([name, key]) => [name, key.value])));
    for (const [, key] of fields) key.value = "";
  };
  const labelled = fields.map(([name, key]) =>
    name ? el("label.field", {}, el("span.s.m", {}, typedName(name)), key) : key,
  );
  return el("form.bar", { onsubmit: send }, labelled, el("button.btn.p", {}, words), more);
}

/**
 * The reasons for which a judge gave cells no verdict, each with its count and a link to the answers; `words`
 * are the reasons' sentences.
 */
function reasonLinks(project, reasons, words, judge) {
  const link = ([reason, count]) =>
    el(
      "a",
      { href: "/results" + query({ project, unscored: reason, judge }) },
      `${several(count, "cell")} without a verdict: ${words[reason] || reason.replaceAll("_", " ")}`,
    );
  return Object.entries(reasons || {}).map((one) => el("div.s.m", {}, link(one)));
}

function figures(project, run, phase, unit) {
  const p = run.progress;
  const list = p.judges || [];
  const done = list.reduce((sum, j) => sum + j.done, 0);
  const total = list.reduce((sum, j) => sum + j.total, 0);
  const measure = (p.stages || []).find((s) => s.name === "measure") || { done: 0, total: 0 };
  // A run that rests has no time left to foretell.
  const now = phase === "working" ? (p.stages || []).find((s) => s.state === "working") : null;
  const spent = p.money === null ? "unknown" : money(p.money || 0);
  const planned = run.plan?.money;
  const figure = (label, big, rest) =>
    el("div", {}, el("div.s.m", {}, label), el("div", {}, el("b.big", {}, big), " ", el("span.m", {}, rest)));
  const share = list.length ? done / Math.max(1, total) : measure.done / Math.max(1, measure.total);
  return el(
    "section.card",
    {},
    el(
      "div.figs",
      {},
      list.length
        ? figure("Replies read", done.toLocaleString("en"), `of ${total.toLocaleString("en")}`)
        : figure(
            unit.one === "answer" ? "Answers measured" : "Answers and pairs measured",
            measure.done.toLocaleString("en"),
            `of ${measure.total.toLocaleString("en")}`,
          ),
      figure(
        "Time left",
        now?.left_seconds != null ? seconds(now.left_seconds) : "–",
        now?.rate ? `at ${now.rate.toFixed(1)} a second` : "",
      ),
      figure(
        "Spent",
        spent,
        planned != null
          ? `of ${money(planned)} planned`
          : p.unpriced
            ? `${several(p.unpriced, "reply", "replies")} without a known price`
            : "",
      ),
      run.collects
        ? figure(
            "Without an answer",
            (
              list.reduce((sum, j) => sum + j.without_verdict, 0) + (phase === "over" ? total - done : 0)
            ).toLocaleString("en"),
            "",
          )
        : figure(
            "Unscored by judges",
            (p.without_verdict || 0).toLocaleString("en"),
            p.without_verdict
              ? el("a", { href: "/results" + query({ project, unscored: ANY }) }, "see which and why")
              : "",
          ),
    ),
    el(
      "div.prog",
      {
        role: "progressbar",
        "aria-label": "Progress",
        "aria-valuenow": String(Math.round(share * 100)),
        "aria-valuemin": "0",
        "aria-valuemax": "100",
      },
      el("i", { style: { width: `${share * 100}%` } }),
    ),
  );
}

const MARKS = { done: "✓", failed: "!", stopped: "■", skipped: "–" };

function stages(run, phase) {
  const rows = (run.progress.stages || []).map((stage, n) => {
    const share = stage.total ? stage.done / stage.total : stage.state === "done" ? 1 : 0;
    const time = ["skipped", "stopped", "failed"].includes(stage.state)
      ? stage.state
      : stage.state === "done"
        ? `took ${seconds(stage.took_seconds || 0)}`
        : phase === "working" && stage.left_seconds != null
          ? `${seconds(stage.left_seconds)} left`
          : "";
    return el(
      `div.st.${stage.state}`,
      {},
      el(
        "span.o",
        { title: stage.state, role: "img", "aria-label": stage.state },
        MARKS[stage.state] || String(n + 1),
      ),
      el("div", {}, el("b", {}, stage.title), el("div.s.m", {}, stage.detail)),
      el("div.prog.pg", {}, el("i", { style: { width: `${share * 100}%` } })),
      el(
        "span.n",
        {},
        stage.total ? `${stage.done.toLocaleString("en")} of ${stage.total.toLocaleString("en")}` : "",
      ),
      el("span.n.m.hm", {}, stage.rate ? `${stage.rate.toFixed(stage.rate < 10 ? 1 : 0)} / s` : ""),
      el("span.n.hm", {}, time),
    );
  });
  return el(
    "section.card",
    {},
    el("header", {}, el("h2", {}, "Stages"), el("span.r", {}, "safe to stop at any moment")),
    rows,
  );
}

function judges(project, run, words, causes) {
  const list = run.progress.judges || [];
  if (!list.length) return null;
  if (run.collects) return modelsTable(list, words);
  const head = [
    "Judge",
    "done",
    "rate-limited (429)",
    "repaired",
    "cells without a verdict",
    "quote not in answer",
    "seconds, median",
    "money",
  ];
  const rows = list.map((j) => {
    const again = Object.entries(j.resends || {})
      .map(([cause, n]) => `${causes[cause] || cause.replaceAll("_", " ")} ${n.toLocaleString("en")}`)
      .join(", ");
    const cells = [
      `${j.done.toLocaleString("en")} / ${j.total.toLocaleString("en")}`,
      j.waits,
      j.repaired,
      (j.without_verdict || 0).toLocaleString("en"),
      j.quotes_missing,
      j.seconds == null ? "–" : j.seconds.toFixed(1),
      j.unpriced || j.money === null ? "unknown" : money(j.money || 0),
    ];
    const author = (run.plan?.judges || []).find((one) => one.name === j.name)?.author || j.name;
    return el(
      "tr",
      {},
      el(
        "td",
        {},
        el("b", {}, j.name),
        j.known ? el("div.s.m", {}, `${j.known} known already`) : null,
        again ? el("div.s.m", {}, `sent again: ${again}`) : null,
        reasonLinks(project, j.reasons, words, author),
      ),
      cells.map((c) => el("td.n", {}, String(c))),
    );
  });
  const table = el(
    "table",
    {},
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        head.map((t, n) => el(n ? "th.n" : "th", {}, t)),
      ),
    ),
    el("tbody", {}, rows),
  );
  return el(
    "section.card",
    {},
    el(
      "header",
      {},
      el("h2", {}, "Judges"),
      el("span.r", {}, "what cannot be read is asked again, at most five sends in all"),
    ),
    el("div.scroll", {}, table),
  );
}

/** The models of a collection. */
function modelsTable(list, words) {
  const why = (j) =>
    Object.entries(j.reasons || {}).map(([reason, count]) =>
      el(
        "div.s.m",
        {},
        `${count.toLocaleString("en")} without an answer: ${words[reason] || reason.replaceAll("_", " ")}`,
      ),
    );
  const price = (j) => (j.unpriced || j.money === null ? "unknown" : money(j.money || 0));
  const row = (j) =>
    el(
      "tr",
      {},
      el(
        "td",
        {},
        el("b", {}, j.name),
        j.known ? el("div.s.m", {}, `${j.known} known already`) : null,
        why(j),
      ),
      el("td.n", {}, `${j.done.toLocaleString("en")} / ${j.total.toLocaleString("en")}`),
      el("td.n", {}, price(j)),
    );
  const head = ["Model", "asked", "money"].map((word, at) => el(at ? "th.n" : "th", {}, word));
  return el(
    "section.card",
    {},
    el("header", {}, el("h2", {}, "Models"), el("span.r", {}, "what is kept is not asked again")),
    el(
      "div.scroll",
      {},
      el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, list.map(row))),
    ),
  );
}

/** Parts of the installation that could not be loaded, each with its sentence. */
function brokenParts(parts) {
  if (!parts.length) return null;
  return el(
    "section.card",
    { "aria-label": "Parts that could not be loaded" },
    el("header", {}, el("h2", {}, "Not loaded"), el("span.r", {}, "all else works")),
    parts.map((part) => el("p.s", {}, part.reason)),
  );
}

function whatHappens(unit) {
  const call =
    unit.one === "pair"
      ? "two calls per pair, one in each order of its answers, evidence before the value"
      : "one call per answer and rubric for all its criteria, evidence before the value";
  const steps = [
    ["Measure", "rules and similarity, computed here for nothing"],
    ["Judge", call],
    ["Route", "every cell gets a reason: people or the machine"],
  ];
  return el(
    "section.card",
    {},
    el("header", {}, el("h2", {}, "What a run does")),
    el(
      "ol.steps",
      {},
      steps.map(([name, why], n) => el("li", {}, el("b", {}, `${n + 1} ${name} `), el("span.m", {}, why))),
    ),
  );
}
