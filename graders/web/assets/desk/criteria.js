// One row of an answer: a criterion (or a part of it) with its scale, the suggestion, the judges' marks and
// the decision.
/** @import { Cell, Criterion, Metric, Scale, Value } from "./data.js" */
/** @import { Mark } from "./state.js" */
/** @import { Words } from "./words.js" */
import { paintRange, segments, track } from "./controls.js";
import { el, setText } from "./dom.js";
import { doubtWords } from "./doubts.js";
import { isCorrection } from "./state.js";
import { isTrack, parseValue, shortValue, wordValue } from "./scale.js";
import { plainNumber, reasonWords } from "./words.js";

/**
 * What a row asks for: to set its value (with `stay` the focus does not move), and what it has buttons for.
 * @typedef {object} RowEvents
 * @property {() => void} touch
 * @property {(value: Value, options?: {stay?: boolean}) => void} choose
 * @property {() => void} notApplicable
 * @property {(name: string) => void} [faultOf]
 * @property {() => void} [evidence]
 * @property {() => void} [details]
 */

/**
 * @typedef {object} RowOf
 * @property {Cell} cell
 * @property {Criterion} criterion
 * @property {string} letter of its answer
 * @property {boolean} blind
 * @property {Words} t
 * @property {RowEvents} on
 */
/**
 * One row of an answer.
 * @typedef {object} Row
 * @property {Cell} cell
 * @property {HTMLElement} node
 * @property {(mark: Mark | undefined, focused: boolean) => void} paint
 * @property {(reveal?: boolean) => void} focus
 * @property {(text: string) => void} openField
 * @property {(chosen?: string) => void} openFaultOf
 * @property {() => boolean} closeStrip
 */

/** What a correction may be put down to. */
export const FAULTS_OF = ["judge wrong", "rubric unclear", "reference wrong", "matter of taste"];

/**
 * The criterion of a cell; the server sends no cell without its criterion.
 * @param {Map<string, Criterion>} criteria
 * @param {Cell} cell
 * @returns {Criterion}
 */
export function criterionOf(criteria, cell) {
  const found = criteria.get(cell.criterion);
  if (!found) throw new Error(`The criterion ${cell.criterion} of a cell is not among those of the project.`);
  return found;
}

/**
 * The line of a metric: a bar where the value lies between 0 and 1, the number, its rank, which reference.
 * @param {Metric} metric
 * @param {Words} t
 * @param {boolean} brief
 */
export function metricLine(metric, t, brief = false) {
  const why = metric.why || reasonWords(t, metric.reason);
  if (metric.value === null)
    return el(
      "span",
      { class: "cg-metric", title: brief ? why : null },
      `${metric.name.replaceAll("_", " ")}: ${brief ? t("metric.none") : why}`,
    );
  const bar =
    metric.value >= 0 && metric.value <= 1
      ? el("i", { class: "cg-meter", style: `--v:${metric.value}`, "aria-hidden": "true" })
      : null;
  const rank = metric.rank && metric.of ? t("metric.rank", { rank: metric.rank, of: metric.of }) : null;
  const reference =
    metric.reference !== null && metric.reference !== undefined
      ? t("metric.reference", { n: metric.reference + 1 })
      : null;
  const rest = [rank, reference].filter(Boolean).join(" · ");
  return el(
    "span",
    { class: "cg-metric" },
    metric.name.replaceAll("_", " "),
    bar,
    el("b", {}, metric.value.toFixed(2)),
    rest && el("span", {}, rest),
  );
}

/**
 * A row with `paint(mark, focused)`, `focus()`, `openField(text)` and `openFaultOf(chosen)`.
 * `on` has: choose(value, options), notApplicable(), faultOf(name), evidence(), details(), touch().
 * @param {RowOf} row
 * @returns {Row}
 */
export function cellRow({ cell, criterion, letter, blind, t, on }) {
  const { scale } = criterion;
  const title = cell.part || criterion.title;
  const name = t("cell.name", {
    answer: letter,
    criterion: cell.part ? `${criterion.title}, ${cell.part}` : criterion.title,
    question: criterion.question,
  });
  const context = { cell, scale, t, name, choose: on.choose };
  const quotes = [...cell.judges, ...cell.rules]
    .flatMap((one) => one.evidence ?? [])
    .filter((one) => one.quote).length;

  const badge = el("button", {
    type: "button",
    class: "cg-ai",
    tabindex: "-1",
    title: t("cell.fault_of_hint"),
    onclick: () => row.openFaultOf(),
  });
  const nameButton = el(
    "button",
    {
      type: "button",
      class: "cg-name",
      tabindex: "-1",
      title: cell.part
        ? `${criterion.title}: ${criterion.part_guides?.[cell.part] || cell.part}`
        : criterion.question,
      onclick: on.details,
    },
    title,
  );
  const quote = quotes
    ? el(
        "button",
        {
          type: "button",
          class: "cg-quote",
          tabindex: "-1",
          title: t("cell.evidence_hint"),
          "aria-label": t("cell.evidence", { n: quotes }),
          onclick: on.evidence,
        },
        `❝${quotes}`,
      )
    : null;
  const turned = cell.judges.some((one) => one.reason === "position_dependent"); // else a reference was cut
  const cut = cell.judges.filter((one) => one.note).map((one) => `${one.name}: ${one.note}`);
  const note = cut.length
    ? el(
        "button",
        {
          type: "button",
          class: "cg-quote cg-cut",
          tabindex: "-1",
          title: cut.join("\n"),
          "aria-label": cut.join(" "),
          onclick: on.details,
        },
        turned ? "⇄" : "✂",
      )
    : null;
  const astray = cell.judges
    .filter((one) => one.misquotes)
    .map((one) => `${one.name}: ${t("details.misquotes")}`);
  const misquoted = astray.length
    ? el(
        "button",
        {
          type: "button",
          class: "cg-quote cg-cut",
          tabindex: "-1",
          title: astray.join("\n"),
          "aria-label": astray.join(" "),
          onclick: on.details,
        },
        "❝✕",
      )
    : null;
  const said = el("div", { class: "cg-said", id: `said-${cell.id}` });

  const none = el("input", {
    type: "radio",
    name: `cell-${cell.id}`,
    value: "na",
    "aria-label": t("cell.na_long"),
    "aria-keyshortcuts": "x",
  });
  none.addEventListener("change", on.notApplicable);
  const noneLabel = el(
    "label",
    { class: "cg-na", title: `${t("cell.na_long")} (x)` },
    none,
    el("span", {}, el("b", {}, t("cell.na"))),
  );
  const range = isTrack(scale) ? track({ ...context, scale }) : null;
  const choices = range ? [] : segments(context);
  const control = range
    ? el("div", { class: "cg-seg cg-ranged" }, range.node, noneLabel)
    : el(
        "div",
        { class: "cg-seg" },
        choices.map((one) => one.label),
        noneLabel,
      );
  const first = cell.metrics.find((metric) => metric.value !== null) ?? cell.metrics[0];
  const strip = el("div", { class: "cg-strip", hidden: true });

  const node = el(
    "div",
    {
      class: `cg-row${cell.part ? " cg-part" : ""}${cell.open ? "" : " cg-auto"}`,
      role: isTrack(scale) ? "group" : "radiogroup",
      "aria-label": name,
      "aria-describedby": said.id,
      "data-cell": cell.id,
      "data-criterion": criterion.key,
      style: `--c:var(--h${criterion.hue})`,
      onpointerdown: on.touch,
    },
    el("div", { class: "cg-nm" }, nameButton, quote, misquoted, note, badge),
    said,
    control,
    first ? el("div", { class: "cg-metrics" }, metricLine(first, t, true)) : null,
    strip,
  );

  /**
   * @param {Mark | undefined} mark
   * @param {boolean} focused
   */
  const paint = (mark, focused) => {
    node.classList.toggle("on", focused);
    for (const { value, input, label } of choices) {
      input.checked = mark?.status === "ok" && mark.value === value;
      label.classList.toggle("sug", !mark && cell.suggestion?.value === value);
    }
    none.checked = mark?.reason === "not_applicable";
    if (range) paintRange(range, mark);
    const corrected = isCorrection(cell, mark);
    badge.hidden = !corrected;
    if (corrected && mark && cell.suggestion) {
      setText(
        badge,
        t("cell.ai", { value: shortValue(scale, cell.suggestion.value) }) +
          (mark.fault_of ? ` · ${t(`fault_of.${mark.fault_of}`)}` : ""),
      );
      badge.title = `${badge.textContent}. ${t("cell.fault_of_hint")}`;
    }
    said.className = `cg-said ${mark ? "done" : cell.suggestion ? "sg" : ""}`;
    said.replaceChildren(...saidWords({ cell, mark, scale, blind, t }));
  };
  const focus = (reveal = true) => {
    const best =
      choices.find((one) => one.input.checked) ??
      choices.find((one) => one.value === cell.suggestion?.value) ??
      choices[0];
    (none.checked ? none : (range?.input ?? best.input)).focus({ preventScroll: true });
    if (reveal) node.scrollIntoView({ block: "nearest" });
  };
  /** @type {Row} */
  const row = {
    cell,
    node,
    paint,
    focus,
    openField: (text) => openField(row, { strip, scale, t, text, choose: on.choose }),
    openFaultOf: (chosen = "") => openFaultOf(row, { strip, t, chosen, faultOf: on.faultOf }),
    closeStrip() {
      const was = !strip.hidden;
      strip.hidden = true;
      strip.replaceChildren();
      return was;
    },
  };
  return row;
}

/**
 * What stands under the name: the decision, the suggestion, who decided, or that there is none.
 * @param {{cell: Cell, mark: Mark | undefined, scale: Scale, blind: boolean, t: Words}} said
 * @returns {(string | HTMLElement)[]}
 */
function saidWords({ cell, mark, scale, blind, t }) {
  if (mark) return [el("b", {}, mark.status === "ok" ? wordValue(scale, mark.value) : t("cell.na_long"))];
  if (cell.final?.source === "closed") return [`${t("cell.na_long")}: ${reasonWords(t, cell.route_reason)}`];
  if (cell.final && !cell.open) return [t("cell.decided", { value: wordValue(scale, cell.final.value) })];
  if (cell.suggestion) {
    const { value, chance } = cell.suggestion;
    const sure =
      chance == null
        ? null
        : el(
            "small",
            { class: "cg-chance", "data-percent": `${Math.round(100 * chance)} %` },
            ` ${t("cell.chance", { percent: Math.round(100 * chance) })}`,
          );
    const said = [el("span", { class: "cg-vh" }, `${t("cell.suggested")}: `), wordValue(scale, value)];
    return sure ? [el("span", { class: "cg-worded" }, said), sure] : said;
  }
  return [blind ? t("cell.open") : doubtWords(cell, scale, t)];
}

/**
 * A field for values that no single key can say.
 * @param {Row} row
 * @param {{strip: HTMLElement, scale: Scale, t: Words, text: string, choose: RowEvents["choose"]}} field
 */
function openField(row, { strip, scale, t, text, choose }) {
  const numbers = scale.kind === "integer" || scale.kind === "numeric";
  const { low, high } = numbers ? scale : { low: 1, high: scale.values.length };
  const range = t("cell.field", { low: plainNumber(low), high: plainNumber(high) });
  const input = el("input", {
    type: "text",
    inputmode: "decimal",
    class: "cg-input",
    "aria-label": range,
    value: text,
    size: "6",
    autocomplete: "off",
  });
  const hint = el("span", { role: "status" }, range);
  input.addEventListener("keydown", (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter") {
      event.preventDefault();
      const value = parseValue(scale, input.value);
      if (value === null) {
        input.setAttribute("aria-invalid", "true");
        return setText(hint, t("cell.field_wrong", { range }));
      }
      row.closeStrip();
      choose(value);
    } else if (event.key === "Escape") {
      event.preventDefault();
      row.closeStrip();
      row.focus();
    }
  });
  input.addEventListener("blur", () =>
    setTimeout(() => strip.contains(document.activeElement) || row.closeStrip(), 0),
  );
  strip.replaceChildren(input, hint, el("kbd", {}, "Enter"));
  strip.hidden = false;
  input.focus();
  input.setSelectionRange(text.length, text.length);
}

/**
 * Four choices with the keys 1-4; the same choice again takes it back.
 * @param {Row} row
 * @param {{strip: HTMLElement, t: Words, chosen: string, faultOf: RowEvents["faultOf"]}} choice
 */
function openFaultOf(row, { strip, t, chosen, faultOf }) {
  const choices = FAULTS_OF.map((name, place) =>
    el(
      "button",
      {
        type: "button",
        class: "cg-mini",
        "aria-pressed": String(name === chosen),
        onclick: () => faultOf?.(name),
      },
      t(`fault_of.${name}`),
      el("kbd", {}, String(place + 1)),
    ),
  );
  strip.replaceChildren(el("span", {}, t("fault_of.ask")), ...choices);
  strip.hidden = false;
  row.node.scrollIntoView({ block: "nearest" });
}
