// People side by side, what those who are set aside move, what is left to do and where minutes went.

import { getJSON, postJSON } from "../lead/api.js";
import { copyButton } from "../lead/copy.js";
import { el, fill, once } from "../lead/el.js";
import { filterBar, fillBar } from "../lead/filters.js";
import { arrived, problem } from "../lead/frame.js";
import { several } from "../lead/several.js";
import { go } from "../lead/url.js";

const words = {
  head: [
    "Person",
    "counted verdicts",
    "same as colleagues",
    "same as before",
    "gold right",
    "severity",
    "seconds a screen",
    "suggestions accepted",
    "",
  ],
  hints: [
    "",
    "Those that agreement and severity rest on: blind ones of drawn answers, unless others are chosen",
    "Share of colleagues' verdicts on the same cells that are the same value",
    "Share of cells given the same value again, blind, when a screen came back 50 screens and more later",
    "Share of the cells of gold questions given the value that the lead knows to be right",
    "Mean distance from the others' mean, as a share of the scale: below 0 is more severe, above " +
      "more lenient",
    "Mean, with input in the last minute and the page in view",
    "Share of the suggestions that were left as they were",
    "",
  ],
  aside: "Set aside",
  back: "Let in again",
  away: "set aside",
  note: "Small: the 95 % interval over questions; ? says that there are too few of them to carry a decision.",
  moves: "What setting aside moves in Agreement",
  none: "Nothing: no figure of a judge changes by 0.005 or more.",
  movesHead: ["Criterion", "Judge", "with everybody", "without"],
  progress: "Progress",
  minutes: "Where people's minutes go",
  noMinutes: "No minutes were measured yet.",
  idle: "Idle for three days and more",
  last: "last saved",
};

/** Fill top, bar and body, while they are `current()`. */
export async function drawPeople(place, options, choices) {
  const { top, bar, body, notice, tabs, current } = place;
  body.classList.add("busy");
  try {
    const found = await getJSON("/api/agreement/people", options);
    if (!current()) return;
    fill(top, el("div", {}, el("h1", {}, found.title), el("p", {}, found.progress.words, " ", notice)));
    arrived(top);
    fillBar(bar, tabs, filterBar(choices, options.blind !== "0"));
    fill(
      body,
      table(found, options.project),
      found.people.some((p) => p.aside) ? moves(found.moves) : null,
      progress(found.progress),
    );
  } catch (error) {
    if (current()) fill(body, problem(error));
  } finally {
    if (current()) body.classList.remove("busy");
  }
}

const share = (f) => figure(f, (x) => `${Math.round(100 * x)} %`);

/** With its sign, where it is not nought once it is rounded. */
function signed(x) {
  const near = Math.round(x);
  return `${near > 0 ? "+" : ""}${near} %`;
}

function figure(f, write) {
  if (f.value === null) return el("abbr.m", { title: f.reason, tabindex: "0" }, "–");
  const sure = f.status === "OK" && f.low !== null;
  const small = f.low === null ? "?" : `${write(f.low)} to ${write(f.high)}${sure ? "" : " ?"}`;
  return el(
    "span",
    {
      class: sure ? null : "m",
      title: f.reason || `${f.n_cells.toLocaleString("en")} on ${several(f.n_questions, "question")}`,
    },
    write(f.value),
    " ",
    el("span.m.s.nw", {}, small),
  );
}

function table(found, project) {
  const head = words.head.map((text, i) =>
    el(i ? "th.n" : "th", { scope: "col", title: words.hints[i] || null }, text),
  );
  const row = (p) =>
    el(
      "tr",
      { class: p.aside ? "on" : null },
      el(
        "td",
        {},
        p.name,
        p.group ? el("span.s.m", {}, ` ${p.group}`) : null,
        p.aside ? el("span.chip.tag", {}, words.away) : null,
        " ",
        copyButton(p.sentence, "Copy"),
      ),
      el("td.n", {}, p.verdicts.toLocaleString("en")),
      el("td.n", {}, share(p.same)),
      el("td.n", {}, share(p.self)),
      el("td.n", {}, share(p.gold)),
      el(
        "td.n",
        {},
        figure(p.severity, (x) => signed(100 * x)),
      ),
      el(
        "td.n",
        {},
        figure(p.pace, (x) => x.toFixed(0)),
      ),
      el("td.n", {}, share(p.accepted)),
      el("td.n", {}, asideButton(p, project)),
    );
  return el(
    "section.card",
    {},
    el(
      "div.scroll",
      {},
      el("table.al", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, found.people.map(row))),
    ),
    el("p.s.m", {}, words.note),
  );
}

function asideButton(person, project) {
  const button = el(
    "button.btn.xs",
    {
      type: "button",
      "data-key": `aside ${person.person}`,
      "aria-label": `${person.aside ? words.back : words.aside}: ${person.name}`,
    },
    person.aside ? words.back : words.aside,
  );
  const change = async () => {
    try {
      await postJSON("/api/agreement/aside", { project, person: person.person, aside: !person.aside });
      go({});
    } catch (error) {
      button.after(problem(error));
    }
  };
  button.addEventListener("click", () => once(button, change));
  return button;
}

function moves(rows) {
  const two = (x) => (x === null ? "–" : x.toFixed(2));
  const head = words.movesHead.map((text, i) => el(i > 1 ? "th.n" : "th", { scope: "col" }, text));
  const row = (m) =>
    el(
      "tr",
      {},
      el("td", {}, m.criterion),
      el("td", {}, m.judge),
      el("td.n", {}, `${two(m.before)} ${m.words[0]}`),
      el("td.n", {}, `${two(m.after)} ${m.words[1]} `, copyButton(m.sentence, "Copy")),
    );
  const list = rows.length
    ? el(
        "div.scroll",
        {},
        el("table.al", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows.map(row))),
      )
    : el("p.m", {}, words.none);
  return el("section.card", {}, el("header", {}, el("h2", {}, words.moves)), list);
}

function progress(found) {
  const all = found.minutes.reduce((sum, one) => sum + one.minutes, 0);
  const said = (minutes) => (minutes < 90 ? `${minutes.toFixed(0)} min` : `${(minutes / 60).toFixed(1)} h`);
  const kinds = found.minutes.filter((one) => one.minutes > 0);
  const bar = el(
    "div.stk",
    { role: "img", "aria-label": kinds.map((one) => `${one.words} ${said(one.minutes)}`).join(", ") },
    kinds.map((one) => el(`i.mn-${one.kind}`, { style: { width: `${(100 * one.minutes) / all}%` } })),
  );
  const key = el(
    "div.key",
    {},
    kinds.map((one) =>
      el("span", {}, el(`i.mn-${one.kind}`), one.words, " ", el("b", {}, said(one.minutes))),
    ),
  );
  return el(
    "section.card",
    {},
    el("header", {}, el("h2", {}, words.progress)),
    el("p", {}, found.words),
    el("h3", { style: { "font-size": "14px", margin: "10px 0 6px" } }, words.minutes),
    all ? [bar, key] : el("p.m", {}, words.noMinutes),
    found.idle.length
      ? el(
          "p",
          { style: { "margin-top": "10px" } },
          `${words.idle}: ` +
            `${found.idle.map((one) => `${one.name} (${words.last} ${one.last.slice(0, 10)})`).join(", ")}`,
        )
      : null,
  );
}
