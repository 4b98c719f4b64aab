// The form of a rubric: one card per criterion. What a field says goes into the text when it is left.
import { el } from "../lead/el.js";

const words = {
  about: "What the rubric is about",
  fields: {
    name: "Name",
    question: "Question",
    guide: "Guide for people and judges",
    scale: "Scale",
    graders: "Graders",
    review: "Who decides",
  },
  hints: {
    scale: "[worst, …, best] or {from: 1, to: 5}",
    graders: "[judge, length, …]",
    review: "people, automatic, or by task type",
  },
  text: "written over several lines: change it in the text",
  more: "more in the text: ",
  add: "Add a criterion",
  name: "Name of the new criterion, such as tone",
};
const LONG = new Set(["question", "guide"]);

/**
 * `change(criterion, field, value)` is called when a field was changed and left, or Ctrl+Enter pressed in it;
 * the `defaultValue` of a field is what was told last.
 */
export function formCard(form, change) {
  const fresh = el("input", {
    type: "text",
    "aria-label": words.name,
    placeholder: words.name,
    maxlength: "60",
  });
  const add = (event) => {
    event.preventDefault();
    fresh.defaultValue = fresh.value;
    if (fresh.value.trim()) change(fresh.value.trim(), "add", "");
  };
  return el(
    "section.card.rub-form",
    { "aria-label": "Form" },
    el("header", {}, el("h2", {}, "Form"), el("span.r", {}, `version ${form.version}`)),
    field("", "about", words.about, form.about, "", true, change),
    form.criteria.map((criterion) => card(criterion, change)),
    el("form.bar", { onsubmit: add }, fresh, el("button.btn", { type: "submit" }, words.add)),
  );
}

function card(criterion, change) {
  const known = Object.entries(words.fields).map(([name, label]) => {
    const found = criterion.fields[name];
    return field(
      criterion.name,
      name,
      label,
      found?.text ?? "",
      words.hints[name] ?? "",
      found?.editable ?? true,
      change,
    );
  });
  const rest = Object.keys(criterion.fields).filter((name) => !(name in words.fields));
  return el(
    "fieldset",
    { id: `criterion-${criterion.name}`, tabindex: "-1" },
    el(
      "legend",
      {},
      el("b", {}, criterion.title),
      el("span.s.m", {}, ` ${criterion.name} · ${criterion.scale_words}`),
    ),
    known,
    rest.length ? el("p.s.m", {}, words.more + rest.join(", ")) : null,
  );
}

function field(criterion, name, label, text, hint, editable, change) {
  const spoken = criterion ? `${label} of ${criterion}` : label;
  if (!editable) return el("div.rub-field", {}, el("span.s.m", {}, label), el("p.s", {}, words.text));
  const node = LONG.has(name)
    ? el("textarea", { rows: name === "guide" ? 3 : 1, dir: "auto", "aria-label": spoken })
    : el("input", {
        type: "text",
        "aria-label": spoken,
        placeholder: hint,
        spellcheck: name === "name" ? null : "false",
      });
  node.defaultValue = text;
  const tell = () => {
    node.defaultValue = node.value;
    if (node.value.trim() !== text) change(criterion, name, node.value);
  };
  node.addEventListener("change", () => node.value !== node.defaultValue && tell());
  node.addEventListener(
    "keydown",
    (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && (event.preventDefault(), tell()),
  );
  return el("label.rub-field", {}, el("span.s.m", {}, label), node);
}
