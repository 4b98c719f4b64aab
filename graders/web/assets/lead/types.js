// What kind of task each category is: a choice is saved when it is made.
import { postJSON } from "./api.js";
import { el, fill, pager } from "./el.js";
import { problem } from "./frame.js";
import { several } from "./several.js";

const WORDS = {
  unknown: "unknown: people decide",
  factual: "factual: the machine may decide",
  creative: "creative: people decide",
};
/** Categories shown at once. */
const ROWS = 25;

/**
 * The card of a project's categories, from /api/task-types. What the file's own column says about a question
 * stays; a choice is about the others. `changed()` is called after one was saved.
 */
export function typesCard(project, categories, changed = () => null) {
  const state = el("p.s", { role: "status", "aria-live": "polite" });
  const body = el("tbody");
  const turn = el("div");
  let last = Promise.resolve();

  function row(c) {
    const name = c.category || "(no category)";
    const stated = Object.entries(c.stated_types)
      .map(([type, count]) => `${count.toLocaleString("en")} ${type}`)
      .join(", ");
    const words = c.stated ? `${stated} by the file's own column` : "";
    const select = el("select.pick", {
      "aria-label": `Task type of ${name}`,
      onchange: () => (last = last.then(() => save(c, name, select))),
    });
    select.append(
      ...Object.entries(WORDS).map(([value, text]) =>
        el("option", { value, selected: value === c.chosen }, text),
      ),
    );
    const choice = c.questions > c.stated ? select : null;
    return el(
      "tr",
      {},
      el("td", { dir: "auto" }, name),
      el("td.n", {}, several(c.questions, "question", "questions")),
      el("td", {}, choice, words ? el("span.s.m", {}, choice ? ` ${words}` : words) : null),
    );
  }

  async function save(c, name, select) {
    const chosen = select.value;
    state.textContent = `Saving ${name}…`;
    try {
      const { changed: count } = await postJSON("/api/task-types", {
        project,
        mapping: { [c.category]: chosen },
      });
      c.chosen = chosen;
      state.textContent = `Saved: ${name} is ${chosen}; ${several(count, "question", "questions")} changed.`;
      changed();
    } catch (error) {
      select.value = c.chosen;
      fill(state, problem(error));
    }
  }

  const show = (page) => {
    fill(body, categories.slice((page - 1) * ROWS, page * ROWS).map(row));
    fill(turn, pager(page, Math.ceil(categories.length / ROWS), show));
  };
  show(1);
  const header = el(
    "header",
    {},
    el("h2", {}, "What kind of task is each category?"),
    el("span.r", {}, "Decides human or automatic grading. Saved immediately."),
  );
  return el(
    "section.card",
    { "aria-label": "Task types" },
    header,
    el("div.scroll", {}, el("table.stack", {}, body)),
    turn,
    state,
  );
}
