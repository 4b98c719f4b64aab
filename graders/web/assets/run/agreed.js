// The plan that a run was started with, and how near its hard limit it is.
import { el } from "../lead/el.js";
import { several } from "../lead/several.js";
import { money, seconds } from "./words.js";

/** The card of the agreed plan; null for a run that was started without one. */
export function agreedCard(run) {
  const plan = run.plan;
  if (!plan?.judges) return null;
  const count = (number) => number.toLocaleString("en");
  const price = (value, calls) => (value == null ? (calls ? "unknown" : "$0.00") : money(value));
  const row = (name, calls, time, value) =>
    el(
      "tr",
      {},
      el("td", {}, name),
      el("td.n", {}, count(calls)),
      el("td.n", {}, seconds(time)),
      el("td.n", {}, value),
    );
  const left = (judge) => judge.calls - judge.known;
  const rows = [
    ...(run.collects ? [] : [row("Rules and metrics", plan.subjects, plan.measure_seconds, "$0.00")]),
    ...plan.judges.map((j) => row(j.name, left(j), j.seconds, price(j.money, left(j)))),
  ];
  const calls = plan.judges.reduce((sum, judge) => sum + left(judge), 0);
  const known = plan.judges.reduce((sum, judge) => sum + judge.known, 0);
  const head = el(
    "tr",
    {},
    ["Grader", "calls", "time", "price"].map((word, place) => el(place ? "th.n" : "th", {}, word)),
  );
  const foot = el(
    "tr",
    {},
    el("td", {}, "In all"),
    el("td.n", {}, count(calls + plan.subjects)),
    el("td.n", {}, seconds(plan.seconds)),
    el("td.n", {}, price(plan.money, calls)),
  );
  const done = plan.judges.reduce((sum, judge) => sum + (judge.done ?? 0), 0);
  const facts = [
    ...(done ? [["Answers done before", count(done)]] : []),
    ["Already known, not paid again", several(known, "call")],
    ["Max concurrent requests", count(plan.concurrency)],
  ];
  return el(
    "section.card.plan",
    {},
    el("header", {}, el("h2", {}, "The plan you agreed to"), el("span.r", {}, clock(run.created_at))),
    el(
      "div.scroll",
      {},
      el("table", {}, el("thead", {}, head), el("tbody", {}, rows), el("tfoot", {}, foot)),
    ),
    plan.judges.length
      ? el(
          "dl.dl",
          {},
          facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]),
        )
      : null,
    limits(run),
  );
}

/** One bar per hard limit: what is spent, what was planned, where it stops. */
function limits(run) {
  const { plan, progress } = run;
  const calls = plan.judges.reduce((sum, judge) => sum + judge.calls - judge.known, 0);
  return [
    [plan.budget_money, progress.money ?? 0, plan.money, money],
    [plan.budget_calls, progress.calls ?? 0, calls, (value) => several(value, "call")],
  ]
    .filter(([limit]) => limit != null)
    .map(([limit, spent, planned, say]) => {
      const share = (value) => `${Math.min(100, (100 * value) / Math.max(limit, 1e-9))}%`;
      const tick =
        planned != null && planned < limit
          ? el("i.tick", { style: { left: share(planned) }, title: `planned: ${say(planned)}` })
          : null;
      const bar = el(
        "div.prog",
        {
          role: "progressbar",
          "aria-label": "Spent of the hard limit",
          "aria-valuenow": String(Math.round(parseFloat(share(spent)))),
          "aria-valuemin": "0",
          "aria-valuemax": "100",
        },
        el("i", { style: { width: share(spent) } }),
      );
      const said = el(
        "div.ends.s.m",
        {},
        el("span", {}, `${say(spent)} so far`),
        planned == null ? null : el("span", {}, `planned ${say(planned)}`),
      );
      return el(
        "div.limit",
        {},
        el(
          "div.ends",
          {},
          el("span", {}, el("b", {}, "Stop at "), el("span.m", {}, "hard limit")),
          el("b", {}, say(limit)),
        ),
        el("div.lane", {}, bar, tick),
        said,
      );
    });
}

function clock(at) {
  const when = new Date(at);
  return Number.isNaN(when.getTime())
    ? ""
    : when.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
}
