// One answer with all that is known of it.

import { markQuotes } from "../desk/evidence.js";
import { query } from "../lead/api.js";
import { el } from "../lead/el.js";
import { go, here } from "../lead/url.js";

const words = {
  close: "Close",
  verdicts: "Verdicts",
  measures: "Measures",
  answer: "Answer",
  history: "how it came about",
  desk: "Open at the desk",
  settle: "Adjudicate",
  pending: "pending",
  closed: "not applicable",
  unscored: "unscored",
  noVerdict: "no verdict yet",
  notFound: "not found in the answer",
  absent: "says that something is missing",
  stale: "given under an earlier wording of the criterion",
  faults: "Faults",
  noFaults: "Faults found: none.",
  references: "References",
  earlier: "This is an earlier version; verdicts below are on this text.",
  noMeasures: "none computed",
};

export function drawer(found, close) {
  const text = el("div.text", { dir: "auto" });
  text.innerHTML = found.html; // sanitised on the server by graders/web/markdown.py
  const missing = new Set(markQuotes(text, quotes(found)).map((quote) => `${quote.owner}\n${quote.quote}`));
  const q = found.question;
  const tags = [q.category, q.task_type, q.language]
    .filter(Boolean)
    .map((tag) => el("span.chip.tag", {}, tag));
  const head = el(
    "div.bar",
    {},
    el("b", {}, found.model),
    el("span.bar.tags", {}, tags),
    el("button.btn.xs", { type: "button", onclick: close }, words.close, el("kbd", {}, "Esc")),
  );
  const old = found.versions.find((v) => v.version === found.version)?.current === false;
  return el(
    "aside.card.draw",
    { "aria-label": words.answer },
    head,
    el(
      "h3",
      { dir: "auto", style: { margin: "8px 0 0" } },
      q.text.length > 1200 ? q.text.slice(0, 1200) + "…" : q.text,
    ),
    versions(found),
    old ? el("p.note.s", {}, words.earlier) : null,
    text,
    q.references.length
      ? el(
          "details",
          { "data-key": `references of ${q.id}` },
          el("summary", {}, `${words.references} (${q.references.length})`),
          q.references.map((r) => el("p.s", { dir: "auto" }, r)),
        )
      : null,
    el("h2", {}, words.verdicts),
    found.cells.map((cell) => cellRow(cell, missing)),
    el(
      "div.two",
      {},
      el("div", {}, el("h2", {}, words.measures), measures(found.metrics)),
      el("div", {}, el("h2", {}, words.answer), list(found.facts)),
    ),
    faults(found.faults),
    el(
      "div.bar",
      { style: { "margin-top": "14px" } },
      el("a.btn", { href: "/review" + query({ project: here().project, question: q.id }) }, words.desk),
    ),
  );
}

function versions(found) {
  if (found.versions.length < 2) return null;
  const button = (v) =>
    el(
      "button",
      {
        type: "button",
        "aria-pressed": String(v.version === found.version),
        onclick: () => go({ version: v.current ? "" : v.version }),
      },
      `version ${v.version}`,
    );
  return el(
    "div.seg",
    { role: "group", "aria-label": "Versions", style: { "margin-top": "8px" } },
    [...found.versions].reverse().map(button),
  );
}

/** All quotes to be marked in the text, each in its criterion's colour. */
function quotes(found) {
  return found.cells.flatMap((cell) =>
    cell.verdicts.flatMap((v) =>
      v.evidence.filter((e) => e.quote).map((e) => ({ owner: ownerOf(cell), hue: cell.hue, quote: e.quote })),
    ),
  );
}

const ownerOf = (cell) => `${cell.criterion}/${cell.part}`.replaceAll(" ", "_");

function cellRow(cell, missing) {
  const name = el(
    "span.sq",
    { style: { "--c": `var(--h${cell.hue})` } },
    cell.title,
    cell.part ? el("small.m", {}, ` ${cell.part}`) : null,
  );
  const count = cell.verdicts.length;
  const details = el(
    "details",
    { "data-key": `verdicts of ${cell.cell}` },
    el("summary", {}, count ? `${count} ${count === 1 ? "verdict" : "verdicts"}` : words.noVerdict),
    cell.verdicts.map((v) => verdict(v, cell, missing)),
    history(cell),
  );
  return el(
    "div.vr",
    {},
    name,
    el(
      "div",
      {},
      finalValue(cell),
      cell.reason ? el("div.s.m", {}, cell.reason) : null,
      count || cell.history.length ? details : null,
      settleLink(cell),
    ),
  );
}

/**
 * Where a person said something of a cell, somebody may settle it: with all that people said side by side.
 */
function settleLink(cell) {
  const people = cell.verdicts.filter((v) => v.kind === "person").length;
  return people
    ? el(
        "a.s.lnk",
        {
          href: "/adjudicate" + query({ project: here().project, cell: cell.cell }),
          "aria-label": `${words.settle} ${cell.title}${cell.part ? `, ${cell.part}` : ""}`,
        },
        words.settle,
      )
    : null;
}

function finalValue(cell) {
  if (cell.source === "pending") {
    const hint =
      cell.suggestion === null
        ? ""
        : `suggested: ${valueWords(cell.suggestion, cell.suggestion_word)}${likely(cell)}`;
    return el("span", {}, el("span.v.pd", {}, words.pending), hint ? el("span.s.m", {}, ` ${hint}`) : null);
  }
  if (cell.source === "closed") return el("span.m", {}, words.closed);
  return el(
    "span",
    {},
    el("b", {}, valueWords(cell.value, cell.word)),
    cell.source === "automatic" && likely(cell) ? el("span.s.m", {}, likely(cell)) : null,
  );
}

/**
 * How likely the suggestion is right, as learned from what people said blind; nothing where nothing was
 * learned.
 */
const likely = (cell) => (cell.chance == null ? "" : `, ${Math.round(100 * cell.chance)} % likely right`);

const valueWords = (value, word) =>
  typeof value === "number" && word !== String(value) ? `${value} ${word}` : word || String(value);

function verdict(v, cell, missing) {
  const by = [
    v.kind,
    v.arm,
    v.design && v.design !== "ordinary screen" ? v.design : "",
    v.action && v.action !== "typed" ? v.action : "",
    v.seconds ? `${Math.round(v.seconds)} s` : "",
  ];
  const value =
    v.value === null ? el("span.m", {}, words.unscored) : el("b", {}, valueWords(v.value, v.word));
  const sure = v.confidence === null ? "" : ` · confidence ${v.confidence.toFixed(2)}`;
  return el(
    "div.vd1",
    {},
    el(
      "div",
      {},
      v.kind === "person" ? "● " : "○ ",
      v.author,
      " ",
      value,
      el("span.s.m", {}, ` ${by.filter(Boolean).join(", ")}${sure}`),
    ),
    v.stale ? el("div.s", { style: { color: "var(--warn)" } }, words.stale) : null,
    v.value === null && v.why ? el("div.s", { dir: "auto" }, v.why) : null,
    v.rationale && v.rationale !== v.why ? el("div.s", { dir: "auto" }, v.rationale) : null,
    v.note ? el("div.s", { style: { color: "var(--warn)" } }, v.note) : null,
    v.comment ? el("div.s", { dir: "auto" }, `“${v.comment}”`) : null,
    v.evidence.map((e) => evidence(e, cell, missing)),
  );
}

function evidence(e, cell, missing) {
  if (!e.quote) return e.absent ? el("span.quote.m", {}, words.absent) : null;
  const lost = e.found === false || missing.has(`${ownerOf(cell)}\n${e.quote}`);
  return el(
    "span.quote",
    { dir: "auto", style: { "--c": `var(--h${cell.hue})` } },
    `“${e.quote}” `,
    lost ? el("span.v.q", {}, words.notFound) : null,
  );
}

function history(cell) {
  if (!cell.history.length) return null;
  const day = (at) => (at ? `${at.slice(0, 10)} ${at.slice(11, 16)}` : "");
  return el(
    "details",
    { "data-key": `history of ${cell.cell}` },
    el("summary", {}, `${cell.title}, ${words.history}`),
    cell.history.map((row) => el("div.s", {}, el("span.m", {}, `${day(row.at)} `), row.text)),
  );
}

function measures(metrics) {
  if (!metrics.length) return el("p.s.m", {}, words.noMeasures);
  return list(
    metrics.map((m) => ({
      name: m.name.replaceAll("_", " "),
      value: m.value === null ? words.unscored : m.value.toFixed(2),
      hint: [m.reference == null ? "" : `best of the references: number ${m.reference}`, m.why]
        .filter(Boolean)
        .join(". "),
    })),
  );
}

function list(rows) {
  return el(
    "dl.dl",
    {},
    rows.flatMap((row) => [
      el("dt", {}, row.name, row.hint ? el("div.s", {}, row.hint) : null),
      el("dd", {}, row.value),
    ]),
  );
}

function faults(found) {
  if (!found.length) return el("p.s", { style: { "margin-top": "12px" } }, words.noFaults);
  const row = (fault) =>
    el(
      "div.vr",
      {},
      el("span", {}, fault.title),
      el(
        "div",
        {},
        el("b", {}, fault.state),
        el("div.s.m", { title: fault.why || null }, [...fault.by, fault.severity].filter(Boolean).join(", ")),
        fault.differs ? el("div.s", {}, fault.differs) : null,
        fault.rationale ? el("div.s", {}, fault.rationale) : null,
        fault.evidence
          .filter((e) => e.quote)
          .map((e) =>
            el(
              "span.quote",
              { dir: "auto" },
              `“${e.quote}”`,
              e.found === false ? " (not in the answer)" : "",
            ),
          ),
      ),
    );
  return el("div", {}, el("h2", {}, words.faults), found.map(row));
}
