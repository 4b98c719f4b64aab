// Judges: who they are, what they cost and could not say, what the learned judge rests on, what is recorded.
import { getJSON, postJSON, query } from "../lead/api.js";
import { el, fill, once } from "../lead/el.js";
import { arrived, empty, frame, problem } from "../lead/frame.js";
import { several } from "../lead/several.js";
import { turns } from "../lead/turns.js";
import { money } from "../lead/typed.js";
import { examplesCard } from "./examples.js";
import { setupCard } from "./setup.js";
import { tryCard } from "./try.js";

export async function start(mount) {
  const { main, project } = await frame(mount, "/judges");
  if (!project) return empty(main, "There are no answers to judge yet.");
  const heading = el("div");
  const left = el("div.main-col");
  const list = el("section.card", { "aria-label": "Judges" });
  const counted = el("section.card", { "aria-label": "Cost and what could not be read" });
  const learned = el("section.card", { "aria-label": "Learned judge" });
  const recorded = el("section.card", { "aria-label": "Recorded content" });
  const setup = setupCard(project, () => look());
  const attempt = tryCard(project, () => look());
  const examples = examplesCard(project, () => look());
  fill(left, list, examples.node, attempt.node, counted);
  fill(
    main,
    el("div.top", {}, heading),
    el("div.cols.two.jd", {}, left, el("div.main-col", {}, setup.node, learned, recorded)),
  );

  const turn = turns();

  async function look(first = false) {
    const current = turn();
    try {
      const found = await getJSON("/api/judges", { project });
      if (!current()) return;
      fill(heading, el("h1", {}, found.title), el("p", {}, found.subtitle));
      fill(list, head("Judges", "a run takes them by name"), judgeTable(found, setup, take, examples.open));
      fill(
        learned,
        lessons(project, found.lessons, () => setTimeout(look, 4000)),
      );
      fill(recorded, content(project, found, look));
      attempt.offer(
        found.judges.filter((judge) => !judge.derived || judge.present).map((judge) => judge.name),
      );
      if (first) arrived(main);
    } catch (error) {
      return void (current() && fill(list, problem(error)));
    }
    getJSON("/api/judges/figures", { project }).then(
      (rows) =>
        current() &&
        fill(
          counted,
          head("What they cost, and what could not be read", "by criterion"),
          figures(project, rows),
        ),
      (error) => current() && fill(counted, problem(error)),
    );
  }

  async function take(name) {
    try {
      await postJSON("/api/judges/remove", { project, name });
      await look();
    } catch (error) {
      list.append(problem(error));
    }
  }

  await look(true);
  attempt.start();
}

const head = (title, right = "") =>
  el("header", {}, el("h2", {}, title), right ? el("span.r", {}, right) : null);
const count = (number) => number.toLocaleString("en");

function judgeTable(found, setup, remove, examples) {
  if (!found.judges.length)
    return el("p.m", {}, "None yet. Set one up, or name one in a run as PROVIDER:MODEL.");
  const row = (judge) => {
    const options = Object.entries({
      ...judge.options,
      base_url: judge.base_url,
      headers: judge.headers,
      input_price: judge.input_price,
      output_price: judge.output_price,
    }).filter(([, value]) => value !== null && value !== undefined && value !== "");
    const fields = options
      .map(([name, value]) =>
        value === false ? `no ${name.replaceAll("_", " ")}` : `${name.replaceAll("_", " ")} ${value}`,
      )
      .join(", ");
    const what = judge.derived
      ? "made from what other judges and people say"
      : judge.judge === judge.name
        ? ""
        : judge.judge;
    const change = judge.set_up
      ? el("button.btn.xs", { type: "button", onclick: () => setup.edit(judge) }, "Change")
      : null;
    const away = judge.set_up
      ? el(
          "button.btn.xs",
          {
            type: "button",
            onclick: (event) => once(event.currentTarget, () => remove(judge.name)),
            "aria-label": `Remove ${judge.name}`,
          },
          "Remove",
        )
      : null;
    const shown =
      judge.set_up && !judge.derived
        ? el(
            "button.btn.xs",
            {
              type: "button",
              onclick: () => examples(judge.name),
              "aria-label": `Examples for ${judge.name}`,
            },
            "Examples",
          )
        : null;
    const copy =
      !judge.set_up && !judge.derived
        ? el("button.btn.xs", { type: "button", onclick: () => setup.edit({ ...judge, name: "" }) }, "Set up")
        : null;
    const name = el(
      "td",
      {},
      el("b", {}, judge.name),
      judge.present ? el("div.s.m", {}, "makes the suggestions") : null,
      judge.only_tried && !judge.set_up ? el("div.s.m", {}, "only tried") : null,
    );
    return el(
      "tr",
      {},
      name,
      el(
        "td",
        {},
        what,
        fields ? el("div.s.m", {}, fields) : null,
        judge.examples
          ? el(
              "div.s.m",
              {},
              `${judge.examples} ${judge.examples === 1 ? "example" : "examples"} from corrections`,
            )
          : null,
      ),
      el("td", {}, el("div.bar", {}, change, shown, away, copy)),
    );
  };
  return el("table.jlist.stack", {}, el("tbody", {}, found.judges.map(row)));
}

function figures(project, rows) {
  if (!rows.length) return el("p.m", {}, "No judge has spoken under the criteria as they are worded now.");
  const titles = ["Judge", "Criterion", "cells", "not readable", "cost"];
  const reason = (row, one) =>
    el(
      "div.s.m",
      {},
      el(
        "a",
        { href: "/results" + query({ project, unscored: one.reason, judge: row.judge }) },
        `${count(one.cells)}: ${one.why}`,
      ),
    );
  const line = (row) =>
    el(
      "tr",
      {},
      el("td", {}, row.judge),
      el(
        "td",
        {},
        row.criterion,
        row.reasons.map((one) => reason(row, one)),
      ),
      el("td.n", { "data-label": "cells" }, `${count(row.given)} of ${count(row.asked)}`),
      el(
        "td.n",
        { "data-label": "not readable" },
        row.unreadable ? `${count(row.unreadable)} (${(100 * row.share).toFixed(1)} %)` : "none",
      ),
      el(
        "td.n",
        { "data-label": "cost" },
        row.money == null ? "unknown" : money(row.money),
        row.money && row.unpriced ? el("div.s.m", {}, `${count(row.unpriced)} without a known price`) : null,
      ),
    );
  return el(
    "div.scroll",
    {},
    el(
      "table.stack",
      {},
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          titles.map((text, at) => el(at > 1 ? "th.n" : "th", { scope: "col" }, text)),
        ),
      ),
      el("tbody", {}, rows.map(line)),
    ),
  );
}

function lessons(project, found, later) {
  const state = el("p.s", { role: "status", "aria-live": "polite" });
  const learn = async () => {
    try {
      await postJSON("/api/judges/learn", { project });
      fill(state, "It learns in the background; this takes some seconds.");
      later();
    } catch (error) {
      fill(state, problem(error));
    }
  };
  const one = (lesson) =>
    el(
      "details",
      {},
      el(
        "summary",
        {},
        el("b", {}, lesson.title),
        " ",
        lesson.refused ? short(lesson) : several(lesson.labels, "label"),
        !lesson.refused && lesson.deployed ? ", judges by itself" : null,
      ),
      el("p.s", {}, lesson.rests_on),
    );
  return [
    head("Learned judge"),
    el(
      "p.s.m",
      {},
      "It learns from what people said blind how likely a suggestion is right. No key, no network.",
    ),
    el("div.lessons", {}, found.map(one)),
    el("div.bar", {}, el("button.btn", { type: "button", onclick: learn }, "Learn now")),
    state,
  ].flat();
}

const short = (lesson) => lesson.refused.replace(/^Nothing is learned yet: it /, "").replace(/\.$/, "");

function content(project, found, changed) {
  const kept = found.recorded.filter((row) => row.kept);
  const state = el("p.s", { role: "status", "aria-live": "polite" });
  const row = (one) => {
    const sure = el(
      "button.btn.xs",
      { type: "button", hidden: true, onclick: () => once(sure, () => forget(one.model)) },
      "Delete for good",
    );
    const ask = el(
      "button.btn.xs",
      {
        type: "button",
        "aria-label": `Delete what ${one.model} was asked and replied`,
        onclick: () => ((ask.hidden = true), (sure.hidden = false), sure.focus(), fill(state, found.lost)),
      },
      "Delete",
    );
    return el(
      "tr",
      {},
      el("td", {}, one.model, el("div.s.m", {}, one.provider.replaceAll("_", " "))),
      el("td.n", { "data-label": "replies" }, count(one.kept)),
      el("td", {}, ask, sure),
    );
  };
  async function forget(model) {
    try {
      const done = await postJSON("/api/judges/forget", { project, model });
      await changed();
      document
        .querySelector("[aria-label='Recorded content']")
        ?.append(el("p.s", { role: "status" }, done.message));
    } catch (error) {
      fill(state, problem(error));
    }
  }
  return [
    head("Recorded content"),
    el(
      "p.s.m",
      {},
      kept.length
        ? "What models were asked and replied is kept, so that nothing is bought twice."
        : "Nothing that models were asked or replied is kept.",
    ),
    kept.length ? el("table.jlist.stack", {}, el("tbody", {}, kept.map(row))) : null,
    state,
  ];
}
