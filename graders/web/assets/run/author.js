// A real text of the named author, mixed in unnamed among the answers: what is there, and the form that adds
// one.
import { postJSON } from "../lead/api.js";
import { el, fill, once } from "../lead/el.js";
import { problem } from "../lead/frame.js";

const field = (label, control) => el("label.field", {}, el("span.s.m", {}, label), control);

/**
 * The card, from /api/author-texts; null where no criterion has a ceiling. `changed()` is called after a text
 * came in.
 */
export function authorCard(project, found, changed) {
  if (!found.wanted) return null;
  const state = el("div.s", { role: "status", "aria-live": "polite" });
  const list = el("div");
  const question = el(
    "select.chip",
    { required: true, style: { "max-width": "100%" } },
    found.questions.map((one) => el("option", { value: one.id }, `${one.id}: ${one.text}`)),
  );
  const author = el("input.txt", {
    type: "text",
    required: true,
    maxlength: "100",
    autocomplete: "off",
    placeholder: "Emily Dickinson",
  });
  const source = el("input.txt", {
    type: "text",
    maxlength: "500",
    autocomplete: "off",
    placeholder: "Poems, Boston 1890; public domain",
  });
  const text = el("textarea.yaml", { required: true, rows: "6", dir: "auto" });
  const send = el("button.btn", {}, "Mix it in");

  async function add() {
    try {
      const body = {
        project,
        question: question.value,
        author: author.value,
        text: text.value,
        source: source.value,
      };
      draw((await postJSON("/api/author-text", body)).texts);
      if (text.value === body.text) text.value = source.value = ""; // the next one may be under way
      fill(state, "It is among the answers now, under no name.");
      changed();
    } catch (error) {
      fill(state, problem(error));
    }
  }

  function draw(texts) {
    const row = (one) =>
      el(
        "li",
        {},
        el("b", {}, one.author),
        ` on ${one.question_id}`,
        el("div.s.m", {}, `${one.characters.toLocaleString("en")} characters; ${one.question.slice(0, 90)}`),
      );
    fill(list, texts.length ? el("ul.crits", {}, texts.map(row)) : el("p.s.m", {}, "None yet."));
  }

  draw(found.texts);
  const form = el(
    "form",
    { onsubmit: (event) => (event.preventDefault(), once(send, add)) },
    field("Question", question),
    field("Author", author),
    field("Text", text),
    field("Where it is from", source),
    el("div.bar", {}, send),
  );
  const about =
    "A real text that is free to use stands among the answers at the desk, unnamed. It is no " +
    "model and in no mean: its marks show how high models can get.";
  return el(
    "section.card",
    { "aria-label": "Author's own text" },
    el("header", {}, el("h2", {}, "Author's own text")),
    el("p.s.m", {}, about),
    list,
    found.questions.length ? el("details", {}, el("summary.s", {}, "Mix one in"), form) : null,
    state,
  );
}
