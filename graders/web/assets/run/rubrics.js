// What is graded: the project's rubrics, to look at and to change.
import { postJSON, query } from "../lead/api.js";
import { el, fill } from "../lead/el.js";
import { problem } from "../lead/frame.js";

/** A card per rubric, from /api/settings; `changed()` is called after one was kept. */
export function rubricsCard(project, found, changed) {
  return found.rubrics.map((rubric) => {
    const root = el("section.card", { "aria-label": `Rubric ${rubric.name}` });
    draw(root, project, rubric, changed);
    return root;
  });
}

function draw(root, project, rubric, changed) {
  const state = el("div", { role: "status", "aria-live": "polite" });
  const source = el("textarea.yaml", {
    "aria-label": `Text of the rubric ${rubric.name}`,
    spellcheck: "false",
    rows: "16",
  });
  source.value = rubric.source;
  async function keep() {
    const sent = source.value;
    try {
      const next = await postJSON("/api/rubric", { project, name: rubric.name, source: sent });
      const mine = next.rubrics.find((other) => other.name === rubric.name) ?? rubric;
      fill(list, criteria(mine));
      if (source.value === sent) source.value = mine.source; // what was typed meanwhile stays
      fill(state, el("p.s", {}, "Kept. Verdicts on criteria that changed are kept too, and count as stale."));
      changed();
    } catch (error) {
      fill(state, problem(error));
    }
  }
  const list = el("ul.crits", {}, criteria(rubric));
  const edit = el(
    "details",
    {},
    el("summary.s", {}, "Change its text"),
    source,
    el("div.bar", {}, el("button.btn", { type: "button", onclick: keep }, "Keep the rubric")),
  );
  fill(
    root,
    el(
      "header",
      {},
      el("h2", {}, "What is graded"),
      el("a.r", { href: "/rubrics" + query({ project, rubric: rubric.name }) }, rubric.name),
    ),
    rubric.about ? el("p.s.m", {}, rubric.about) : null,
    list,
    edit,
    state,
  );
}

function criteria(rubric) {
  const line = (criterion) =>
    el(
      "li",
      {},
      el("b", {}, criterion.name.replaceAll("_", " ")),
      " ",
      criterion.question,
      el(
        "div.s.m",
        {},
        criterion.scale,
        criterion.graders.length ? `; graded by ${criterion.graders.join(", ").replaceAll("_", " ")}` : null,
      ),
    );
  return rubric.criteria.map(line);
}
