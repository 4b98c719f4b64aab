// Workshop: what was tried with a judge, before and after beside people, and the form of the next try.
import { getJSON, postJSON, query } from "../lead/api.js";
import { dotRow } from "../lead/chart.js";
import { copyButton } from "../lead/copy.js";
import { el, fill, once } from "../lead/el.js";
import { arrived, empty, frame, problem } from "../lead/frame.js";
import { several } from "../lead/several.js";
import { turns } from "../lead/turns.js";
import { follow, go, here } from "../lead/url.js";
import { askAgain } from "./again.js";
import { leftOut, newTry, outcome } from "./form.js";
import { wordingCard } from "./wording.js";

const WORDS = {
  better: ["ok", "better"],
  worse: ["no", "worse"],
  "no difference shown": ["", "no difference shown"],
  INCONCLUSIVE: ["pd", "INCONCLUSIVE"],
};
const PARTS = { looked_at: "looked at", held_out: "held out" };
const known = (x) => x !== null && x !== undefined;
const plain = (x) => `${x <= -0.005 ? "−" : ""}${Math.abs(x).toFixed(2)}`;
const signed = (x) => (x >= 0.005 ? `+${plain(x)}` : plain(x));

export async function start(mount) {
  const { main, project } = await frame(mount, "/workshop");
  if (!project) return empty(main, "There are no judges to change yet.");
  const heading = el("div");
  const tries = el("div.main-col");
  const cards = new Map(); // of the judge that is shown: a run may be over when another one is
  const turn = turns();
  const key = (judge, number) => `${judge} ${number}`;
  const form = newTry(project, async (judge, made) => {
    await look();
    cards.get(key(judge, made))?.node.focus();
  });
  fill(
    main,
    el("div.top", {}, heading),
    el("div.cols.two.jd", {}, tries, el("div.main-col", {}, form.node, partNote(), wordingCard(project))),
  );

  async function look() {
    const current = turn();
    try {
      const found = await getJSON("/api/workshop", { project, judge: here().judge });
      if (!current()) return;
      fill(heading, el("h1", {}, found.title), el("p", {}, found.subtitle));
      cards.clear();
      if (!found.judge)
        fill(
          tries,
          el(
            "section.card.empty",
            {},
            el("h2", {}, "No judge is set up under a name yet."),
            el("div.bar", {}, el("a.btn.p", { href: "/judges" + query({ project }) }, "Set up a judge")),
          ),
        );
      else if (!found.tries.length)
        fill(
          tries,
          el(
            "section.card",
            { "aria-label": "Tries" },
            el("header", {}, el("h2", {}, "Tries")),
            el("p.m", {}, counts(found.part)),
          ),
        );
      else
        fill(
          tries,
          found.tries.map((one) => card(found, one)),
        );
      form.show(found, (name) => go({ judge: name }));
    } catch (error) {
      if (!current()) return;
      fill(tries, problem(error));
    }
    arrived(main);
  }

  function card(found, one) {
    const state = el("p.s", { role: "status", "aria-live": "polite" });
    const act = (label, value) =>
      el(
        "button.btn",
        {
          type: "button",
          onclick: (event) => once(event.currentTarget, () => end(found.judge, one.number, value)),
          "aria-label": `${label}: try ${one.number}`,
        },
        label,
      );
    const missing = one.asked.some((side) => side.known < side.calls);
    const panel = el("div");
    const shut = () => (fill(panel), again.focus());
    const asked = async (run) => {
      await look();
      say(found.judge, one.number, outcome(run, "What was missing is asked."));
    };
    const again = el(
      "button.btn",
      {
        type: "button",
        onclick: () => fill(panel, askAgain(project, found.judge, one.number, asked, shut)),
        "aria-label": `Ask what is missing: try ${one.number}`,
      },
      "Ask what is missing",
    );
    const buttons = [
      one.state !== "kept" ? act("Keep", "kept") : null,
      one.state === "open" ? act("Drop", "dropped") : null,
      missing ? again : null,
    ];
    const right = { open: "", kept: "kept", dropped: "dropped" }[one.state];
    const node = el(
      "section.card.try",
      { "aria-label": `Try ${one.number}`, tabindex: "-1" },
      el(
        "header",
        {},
        el("h2", {}, `Try ${one.number} of ${one.of}`),
        one.note ? el("span.m", { dir: "auto" }, one.note) : null,
        right ? el("span.r", {}, right) : null,
      ),
      el(
        "p",
        { dir: "auto" },
        one.changed.join("; "),
        el("span.s.m", {}, `${one.address ? ` Asked at ${one.address}.` : ""}${leftOut(one.left_out)}`),
      ),
      one.lost
        ? el("p.s.note", {}, one.lost)
        : missing
          ? el(
              "p.s.m",
              {},
              "Replies: " +
                `${one.asked.map((side) => `${side.known} of ${side.calls}`).join(" before, ")} ` +
                "after.",
            )
          : null,
      one.criteria.length ? figures(one) : null,
      el("div.bar", {}, buttons.filter(Boolean)),
      panel,
      state,
    );
    cards.set(key(found.judge, one.number), { node, state });
    return node;
  }

  /**
   * Say it at a try that may have been drawn anew, and go on from there; nothing where another judge is shown
   * by now.
   */
  function say(judge, number, words) {
    const shown = cards.get(key(judge, number));
    if (!shown) return;
    fill(shown.state, words);
    shown.node.focus();
  }

  async function end(judge, number, state) {
    try {
      const done = await postJSON("/api/workshop/end", { project, judge, number, state });
      await look();
      say(judge, number, done.message);
    } catch (error) {
      say(judge, number, problem(error));
    }
  }

  await follow(look);
}

function counts(part) {
  if (!part.labelled)
    return (
      "People have graded no answer blind yet: draw some for calibration on the Routing page, or " +
      "import verdicts."
    );
  return (
    `A try asks about ${several(part.answers, "answer", "answers")} of ` +
    `${several(part.questions, "question", "questions")} that people graded blind; ` +
    `${part.held_out_answers.toLocaleString("en")} of ` +
    `${several(part.held_out_questions, "question", "questions")} are held ` +
    `out.${leftOut(part.left_out)}`
  );
}

/** Two rows a criterion: the part that one looks at, and the one that is held out. */
function figures(one) {
  const reach = Math.max(
    0.1,
    ...one.criteria.flatMap((figure) =>
      Object.values(figure.parts).flatMap((part) =>
        [part.difference.low, part.difference.high, part.difference.value].filter(known).map(Math.abs),
      ),
    ),
  );
  const row = (figure, name) => {
    const part = figure.parts[name];
    const apart = part.difference;
    const [kind, word] = WORDS[part.word];
    const value = known(apart.value) ? signed(apart.value) : "–";
    const interval = known(apart.low) ? `${signed(apart.low)} to ${signed(apart.high)}` : "";
    const label =
      `${figure.title}, ${PARTS[name]}: ` + `${known(apart.value) ? `${value} ${interval}` : apart.reason}`;
    const title =
      name === "looked_at"
        ? el(
            "th",
            { scope: "rowgroup", rowspan: "2" },
            el("b", {}, figure.title),
            el("div.s.m", {}, figure.figure),
          )
        : null;
    return el(
      name === "held_out" ? "tr.held" : "tr",
      {},
      title,
      el(
        "td",
        {},
        name === "held_out" ? el("b", {}, PARTS[name]) : PARTS[name],
        el(
          "div.s.m",
          {},
          `${several(part.cells, "cell", "cells")}, ` +
            `${several(part.questions, "question", "questions")}; ` +
            `${part.changed.toLocaleString("en")} changed`,
        ),
      ),
      el(
        "td.n",
        {},
        known(part.before.value) && known(part.after.value)
          ? `${plain(part.before.value)} → ${plain(part.after.value)}`
          : "–",
      ),
      el(
        "td.dtc",
        {},
        known(apart.value)
          ? dotRow({
              value: apart.value,
              low: apart.low,
              high: apart.high,
              from: -reach,
              to: reach,
              label,
              grey: apart.status !== "OK",
              ticks: [0],
              band: { value: 0, low: null, high: null },
            })
          : null,
      ),
      el("td.n", {}, el("b", {}, value), el("div.s.m", {}, interval)),
      el(
        "td",
        {},
        el(kind ? `span.v.${kind}` : "span.b", {}, word),
        known(apart.value) && apart.status === "OK" ? null : el("div.s.m", {}, apart.reason),
        part.sentence ? copyButton(part.sentence, "Copy") : null,
      ),
    );
  };
  const head = ["Criterion", "Answers", "Before → after", "", "Difference, 95 %", ""];
  const note =
    one.of > 1 ? `Best of ${one.of} tries: “better” needs an interval that is widened for so many.` : "";
  return el(
    "div",
    {},
    el(
      "div.scroll",
      { tabindex: "0", role: "group", "aria-label": `Figures of try ${one.number}` },
      el(
        "table.shop",
        {},
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            head.map((text, at) => el(at === 2 || at === 4 ? "th.n" : "th", { scope: "col" }, text)),
          ),
        ),
        one.criteria.map((figure) => el("tbody", {}, row(figure, "looked_at"), row(figure, "held_out"))),
      ),
    ),
    note ? el("p.s.m", {}, note) : null,
  );
}

function partNote() {
  return el(
    "section.card",
    { "aria-label": "How a try is counted" },
    el("header", {}, el("h2", {}, "Looked at and held out")),
    el(
      "p.s",
      {},
      "Half of the questions are held out, drawn once by the project's seed. No example is " +
        "suggested from them, and their answers are listed nowhere here: what is changed until it " +
        "fits the answers that one looks at fits these answers.",
    ),
    el(
      "p.s",
      {},
      "Figures are agreement with people's blind verdicts, before and after on the same cells; " +
        "the interval pairs them question by question. A question that gave one of the two an " +
        "example is left out. Every try counts, also a dropped one: the best of many is partly " +
        "luck.",
    ),
  );
}
