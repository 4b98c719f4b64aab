// One cell: question and answer, what people said side by side, the judges when asked for, and one's own
// decision.
import { isTrack, parseValue, shortValue, stepOf, wordValue } from "../desk/scale.js";
import { getJSON, query } from "../lead/api.js";
import { el, once } from "../lead/el.js";
import { exampleButton } from "../lead/example.js";
import { goldChoice } from "../lead/gold.js";

const words = {
  question: "Question",
  answer: "Answer",
  answers: ["Answer A", "Answer B"],
  hidden: "model hidden",
  guide: "Guide",
  reference: "References",
  hiddenJudges: "Judges’ marks are hidden, so that they do not pull you. Looking is noted.",
  noJudges: "No judge or rule has graded this cell.",
  show: "Show judges",
  looked: "You looked: a verdict of yours on this answer does not count as blind.",
  seenBefore: "You have seen judges’ marks on this answer elsewhere: your verdict does not count as blind.",
  final: "final, with your name; what the others said stays as it is",
  na: "Not applicable",
  reason: "Why (kept, and shown to those who said otherwise)",
  stale: "earlier wording: does not count",
  notCounted: "not in the group that decides",
  back: "Take it back",
  weigh: "Weigh people",
  weighed: "Advice from people’s verdicts alone; it settles nothing.",
  settle: "Settle, next",
  skip: "Skip",
  undo: "Undo",
  keys: "All keys",
  results: "All about this answer",
  range: (scale) => `a number from ${scale.low} to ${scale.high}`,
  wrong: "This is no value of the scale: ",
};

const letters = (name) => ([...name.trim()][0] ?? "?").toUpperCase();
const said = (one) =>
  one.value === null ? words.na : one.word === String(one.value) ? one.word : `${one.value} ${one.word}`;

/** `{nodes, mark(draft), focusScale, focusReason, focusField, focusJudges, toggleGuide}` of a card. */
export function cardView(card, draft, project, on) {
  const { criterion } = card;
  const hue = { "--c": `var(--h${criterion.hue})` };
  const guide = guideOf(card);
  const choice = isTrack(criterion.scale) ? track(card, on) : segments(card, on);
  const reason = el("textarea", {
    rows: 2,
    maxlength: "20000",
    dir: "auto",
    "aria-label": words.reason,
    placeholder: words.reason,
    oninput: () => on.reason(reason.value),
  });
  reason.value = draft.reason ?? "";
  reason.addEventListener(
    "keydown",
    (event) => event.key === "Escape" && (event.preventDefault(), reason.blur()),
  );
  const judges = judgesOf(card, on);
  const head = el(
    "header",
    {},
    el(
      "h2.sq",
      { style: hue },
      `Your decision on ${[criterion.title, card.part_title].filter(Boolean).join(", ")}`,
    ),
    el("span.r", {}, words.final),
  );
  const decision = el(
    "section.card",
    { "aria-label": "Your decision" },
    card.settled ? settledNote(card, project, on) : null,
    head,
    choice.node,
    reason,
  );
  choice.mark(draft);
  return {
    nodes: [
      title(card),
      content(card, guide, project),
      people(card, hue),
      weighed(card, project),
      judges.node,
      decision,
    ].filter(Boolean),
    mark: choice.mark,
    focusScale: choice.focus,
    focusReason: () => (reason.focus(), reason.scrollIntoView({ block: "nearest" })),
    focusField: choice.field ?? (() => null),
    focusJudges: () => judges.node.focus(),
    toggleGuide: () => guide?.toggleAttribute("open"),
  };
}

function title(card) {
  const q = card.question;
  const tags = [q.category, q.task_type, q.language]
    .filter(Boolean)
    .map((tag) => el("span.chip.tag", {}, tag));
  const counted = card.people.filter((one) => !one.stale).map((one) => one.value);
  const place = (value) =>
    value === null
      ? Infinity
      : typeof value === "number"
        ? value
        : card.criterion.scale.values.indexOf(value);
  const distinct = [...new Set(counted)]
    .sort((a, b) => place(a) - place(b))
    .map((value) => (value === null ? "not applicable" : String(value)));
  const list =
    distinct.length > 1 ? `${distinct.slice(0, -1).join(", ")} and ${distinct.at(-1)}` : (distinct[0] ?? "");
  const finding = !counted.length
    ? "No person has graded this cell."
    : distinct.length > 1
      ? `People say ${list}.`
      : counted.length > 1
        ? `People agree on ${list}.`
        : `One person says ${list}.`;
  const part = card.part_title ? ` ${card.part_title}:` : "";
  return el(
    "div",
    {},
    el("div.bar", {}, tags, el("span.s.m", {}, card.model ?? words.hidden)),
    el("h1", { dir: "auto" }, `${part} ${card.criterion.question} ${finding}`.trim()),
  );
}

function guideOf(card) {
  const text = card.criterion.part_guides?.[card.part] || card.criterion.guide;
  return text
    ? el(
        "details",
        { open: true },
        el("summary", {}, words.guide, " ", el("kbd", { "aria-hidden": "true" }, "g")),
        el("p.s", { dir: "auto" }, text),
      )
    : null;
}

function content(card, guide, project) {
  const q = card.question;
  const reference = q.references.length
    ? el(
        "details",
        {},
        el("summary", {}, `${words.reference} (${q.references.length})`),
        q.references.map((text) => el("p.s", { dir: "auto" }, text)),
      )
    : null;
  const answers = card.html.map((html, place) => {
    const text = el("div.text", { dir: "auto" });
    text.innerHTML = html; // sanitised on the server by graders/web/markdown.py
    return el("div", {}, el("p.s.m", {}, card.html.length > 1 ? words.answers[place] : words.answer), text);
  });
  const more = card.model
    ? el("a.s", { href: "/results" + query({ project, question: q.id, model: card.model }) }, words.results)
    : null;
  return el(
    "section.card.adj-text",
    { "aria-label": "Question and answer" },
    el(
      "div",
      {},
      el("p.s.m", {}, words.question),
      el("p.b", { dir: "auto" }, q.text),
      guide,
      reference,
      more,
    ),
    el("div", {}, answers),
  );
}

function people(card, hue) {
  const one = (p) => {
    const how = [
      p.arm,
      p.design && p.design !== "ordinary screen" ? p.design : "",
      p.seconds ? `${Math.round(p.seconds)} s` : "",
      p.mine ? "you" : "",
    ]
      .filter(Boolean)
      .join(" · ");
    const off = p.stale ? words.stale : p.counts ? "" : words.notCounted;
    const value =
      p.value === null
        ? el("b", {}, words.na)
        : el(
            "span",
            {},
            el("b.big", {}, String(p.value)),
            " ",
            el("b", {}, p.word === String(p.value) ? "" : p.word),
          );
    return el(
      "section.card",
      { "aria-label": `${p.name}: ${said(p)}`, class: off ? "card off" : null },
      el(
        "p",
        {},
        el("span.who1", { "aria-hidden": "true" }, letters(p.name)),
        el("b", { dir: "auto" }, p.name),
        el("span.s.m", {}, ` ${how}`),
      ),
      el("p", { dir: "auto" }, value),
      off ? el("p.s.v.q", {}, off) : null,
      p.comment ? el("p", { dir: "auto" }, `“${p.comment}”`) : null,
      p.fault_of ? el("p.s.m", {}, p.fault_of) : null,
      p.quotes.map((quote) => el("span.quote", { dir: "auto", style: hue }, `“${quote}”`)),
    );
  };
  return card.people.length
    ? el("div.adj-people", { role: "group", "aria-label": "What people said" }, card.people.map(one))
    : null;
}

/**
 * What people's answers point to, each person weighed: told only when it is asked for, and only where there
 * are enough to weigh.
 */
function weighed(card, project) {
  if (!card.advice) return null;
  const said = el("span", { role: "status" });
  const ask = async () => {
    try {
      said.textContent = (await getJSON("/api/adjudicate/advice", { project, cell: card.cell })).words;
    } catch (error) {
      said.textContent = error.message;
    }
  };
  return el(
    "div.bar.s",
    {},
    el("button.btn.xs", { type: "button", onclick: (event) => once(event.currentTarget, ask) }, words.weigh),
    el("span.m", {}, words.weighed),
    said,
  );
}

function judgesOf(card, on) {
  if (!card.machines) return { node: el("p.s.m.adj-judges", {}, words.noJudges) };
  if (!card.looked) {
    const button = el(
      "button.btn.xs",
      { type: "button", onclick: on.judges, "aria-keyshortcuts": "j" },
      words.show,
      el("kbd", { "aria-hidden": "true" }, "j"),
    );
    return {
      node: el(
        "div.adj-judges",
        {},
        el("span.m", {}, card.seen_before ? words.seenBefore : words.hiddenJudges),
        button,
      ),
    };
  }
  const row = (j) =>
    el(
      "div.vd1",
      {},
      el(
        "div",
        {},
        "○ ",
        j.name,
        " ",
        j.value === null ? el("span.m", {}, "unscored") : el("b", {}, said(j)),
        el("span.s.m", {}, j.confidence === null ? "" : ` · confidence ${j.confidence.toFixed(2)}`),
      ),
      j.why && j.value === null ? el("div.s", { dir: "auto" }, j.why) : null,
      j.rationale && j.rationale !== j.why ? el("div.s", { dir: "auto" }, j.rationale) : null,
      j.note ? el("div.s", { style: { color: "var(--warn)" } }, j.note) : null,
      j.evidence
        .filter((e) => e.quote)
        .map((e) =>
          el("span.quote", { dir: "auto" }, `“${e.quote}”`, e.found === false ? " (not in the answer)" : ""),
        ),
    );
  return {
    node: el(
      "section.card.adj-shown",
      { tabindex: "-1", "aria-label": "What judges and rules said" },
      el("p.s.m", {}, words.looked),
      card.judges.map(row),
    ),
  };
}

function settledNote(card, project, on) {
  const s = card.settled;
  const by = s.by ? ` by ${s.by}` : "";
  const text =
    `Settled${by} as ` +
    (`${said(s)}${s.at ? `, ${s.at.slice(0, 10)}` : ""}` +
      `${s.stale ? ", under an earlier wording: it no longer counts" : ""}. `) +
    `${s.reason}`;
  return el(
    "div.note.bar",
    {},
    el("span", { dir: "auto", style: { flex: "1" } }, text),
    el("button.btn.xs", { type: "button", onclick: on.takeBack }, words.back),
    s.stale ? null : [goldChoice(project, card.cell, s.gold), exampleButton(project, card.cell)],
  );
}

/** Initials of those who said a value. */
function dots(card, value) {
  const who = card.people.filter((one) => one.value === value && !one.stale);
  return who.length
    ? el(
        "em",
        { title: who.map((one) => one.name).join(", "), "aria-hidden": "true" },
        who.map((one) => el("i", {}, letters(one.name))),
      )
    : null;
}

function segments(card, on) {
  const { scale } = card.criterion;
  const boxes = [...scale.values, null].map((value, place) => {
    const short = value === null ? "x" : shortValue(scale, value);
    const word = value === null ? words.na : wordValue(scale, value);
    const who = card.people.filter((one) => one.value === value && !one.stale).map((one) => one.name);
    const spoken = [value === null || word === short ? word : `${short}, ${word}`, ...who].join(", ");
    const input = el("input", {
      type: "radio",
      name: `cell-${card.cell}`,
      value: String(place),
      "aria-label": spoken,
      "aria-keyshortcuts": value === null ? "x" : null,
      onchange: () => on.choose(value),
    });
    const label = el(
      value === null ? "label.na" : "label",
      { title: word },
      input,
      el("span", {}, el("b", {}, short), word === short ? null : el("small", {}, word), dots(card, value)),
    );
    return { value, input, label };
  });
  const node = el(
    "div.adj-seg",
    { role: "radiogroup", "aria-label": card.criterion.question },
    boxes.map((box) => box.label),
  );
  const mark = (draft) => {
    for (const box of boxes) box.input.checked = Boolean(draft.chosen) && draft.value === box.value;
  };
  return { node, mark, focus: () => (boxes.find((box) => box.input.checked) ?? boxes[0]).input.focus() };
}

function track(card, on) {
  const { scale } = card.criterion;
  const hint = el("span.s.m", { role: "status" }, words.range(scale));
  const field = el("input", {
    type: "text",
    inputmode: "decimal",
    size: "6",
    autocomplete: "off",
    "aria-label": words.range(scale),
  });
  const range = el("input", {
    type: "range",
    min: scale.low,
    max: scale.high,
    step: stepOf(scale),
    "aria-label": card.criterion.question,
    oninput: () => on.choose(Number(range.value)),
  });
  const read = () => {
    const value = parseValue(scale, field.value);
    field.toggleAttribute("aria-invalid", value === null && field.value.trim() !== "");
    hint.textContent =
      value === null && field.value.trim() ? words.wrong + words.range(scale) : words.range(scale);
    if (value !== null) on.choose(value);
  };
  field.addEventListener("change", read);
  field.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) event.preventDefault(), read();
      if (event.key === "Escape") event.preventDefault(), field.blur();
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) read();
    },
    { capture: true },
  );
  const none = el(
    "button.btn.xs",
    { type: "button", onclick: () => on.choose(null) },
    words.na,
    el("kbd", { "aria-hidden": "true" }, "x"),
  );
  const others = el(
    "span.s.m",
    {},
    card.people
      .filter((one) => !one.stale)
      .map((one) => `${one.name} ${one.value ?? words.na}`)
      .join(" · "),
  );
  const node = el("div.bar.adj-track", {}, range, field, hint, none, others);
  const mark = (draft) => {
    const known = draft.chosen && draft.value !== null;
    field.value = known ? String(draft.value) : "";
    if (known) range.value = String(draft.value);
    range.classList.toggle("unset", !known);
    none.setAttribute("aria-pressed", String(Boolean(draft.chosen) && draft.value === null));
  };
  return { node, mark, focus: () => field.focus(), field: (text) => (field.focus(), (field.value = text)) };
}

/** The foot: what the keys do, and the buttons. */
export function footView(card, ctrl, on) {
  const key = (keys, text) =>
    el(
      "span",
      {},
      keys.map((one) => el("kbd", {}, one)),
      ` ${text}`,
    );
  const digits = isTrack(card.criterion.scale)
    ? ["0", "–", "9"]
    : ["1", "–", String(Math.min(9, card.criterion.scale.values.length))];
  const all = [
    key([digits.join("")], "value"),
    key(["a"], "take a person’s"),
    key(["x"], "not applicable"),
    key(["c"], "reason"),
    key(["j"], "judges"),
    key(["g"], "guide"),
    key(["↑", "↓"], "cell"),
    key(["s"], "skip"),
    key(["u"], "undo"),
    key(["Esc"], "leave the field"),
    key([`${ctrl}+Enter`], "settle, also while typing"),
  ];
  const button = (spec, text, shortcut, shown, onclick) =>
    el(
      spec,
      { type: "button", "aria-keyshortcuts": shortcut, onclick },
      text,
      el("kbd", { "aria-hidden": "true" }, shown),
    );
  return [
    el(
      "details.adj-keys.s",
      {},
      el("summary", {}, words.keys, " ", el("kbd", { "aria-hidden": "true" }, "?")),
      el("div.key", {}, all),
    ),
    el(
      "div.bar",
      {},
      button("button.btn", words.skip, "s", "s", on.skip),
      button("button.btn", words.undo, "u", "u", on.undo),
      button("button.btn.p", words.settle, "Control+Enter", `${ctrl}+Enter`, on.settle),
    ),
  ];
}
