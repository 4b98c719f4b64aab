// Elements: the list of each question, the draft that waits beside it, and the one field in which a person
// edits and accepts it.
import { openStore } from "../desk/store.js";
import { getJSON, postJSON } from "../lead/api.js";
import { el, fill, once, pager } from "../lead/el.js";
import { arrived, frame, problem } from "../lead/frame.js";
import { stillAt } from "../kit/keep.js";
import { several } from "../lead/several.js";
import { turns } from "../lead/turns.js";
import { follow, go, here } from "../lead/url.js";

const words = {
  about:
    "What every complete answer must have, one element a line. Answers to a question with a list " +
    "are graded element by element, and completeness is the share that is there. A judge may " +
    "draft a list; it counts when you have accepted it.",
  unused:
    "No criterion of this project grades such lists: give one of its rubrics a criterion with " +
    "parts: must_have.",
  judge: "Judge for drafts",
  judgeHint: "such as openai:gpt-4o-mini; its key is the server's",
  draftAll: "Draft all without a list",
  stop: "Stop",
  draft: "Draft",
  again: "Draft anew",
  accept: "Accept",
  change: "Accept the change",
  dismiss: "Lay aside",
  remove: "Take the list away",
  field: "Elements, one a line",
  none: "No question here.",
  filters: { "": "All", draft: "Drafts that wait", without: "Without a list", with: "With a list" },
};
const A_PAGE = 20;
const KEPT = "draft-judge";

export async function start(mount) {
  const { main, project } = await frame(mount, "/elements");
  if (!project)
    return fill(main, problem({ message: "No project yet: import a file on the Projects page." }));
  await follow((event) => draw(main, project, Boolean(event)));
}

const turn = turns();

async function draw(main, project, move) {
  const current = turn();
  try {
    const found = await getJSON("/api/elements", { project });
    if (!current()) return;
    const note = el("p.s", { role: "status", "aria-live": "polite" });
    const top = el("div");
    /** The counts above the list; each card tells what came of a change. */
    const count = (now) =>
      fill(
        top,
        head(now),
        now.used ? null : el("p.alert", {}, words.unused),
        bar(now, project, note, () => draw(main, project, false)),
      );
    count(found);
    fill(main, top, note, list(found, project, note, count));
    arrived(main, move);
  } catch (error) {
    if (current()) fill(main, problem(error));
  }
}

function head(found) {
  const waits = found.drafts
    ? `; ${several(found.drafts, "draft")} ${found.drafts === 1 ? "waits" : "wait"} for a person`
    : "";
  return el(
    "div.top",
    {},
    el(
      "div",
      {},
      el(
        "h1",
        {},
        `${found.with_list.toLocaleString("en")} of ` +
          `${several(found.questions.length, "question")} ` +
          `${found.with_list === 1 || found.questions.length === 1 ? "has" : "have"} a list of ` +
          `required elements${waits}.`,
      ),
      el("p", {}, words.about),
    ),
  );
}

function bar(found, project, note, again) {
  const judge = el("input", {
    type: "text",
    value: openStore().get(KEPT) ?? "",
    placeholder: words.judgeHint,
    "aria-label": words.judge,
    size: 34,
    spellcheck: "false",
  });
  judge.addEventListener("change", () => openStore().set(KEPT, judge.value.trim()));
  const show = here().show ?? "";
  const choice = (value) =>
    el(
      "button",
      { type: "button", "aria-pressed": String(show === value), onclick: () => go({ show: value, p: "" }) },
      words.filters[value],
    );
  const todo = found.questions
    .filter((row) => !row.elements.length && !row.emptied && !row.draft)
    .map((row) => row.question_id);
  const all = el(
    "button.btn",
    { type: "button", disabled: !todo.length },
    `${words.draftAll} (${todo.length.toLocaleString("en")})`,
  );
  let stopped = true;
  all.addEventListener("click", async () => {
    if (!stopped) return void (stopped = true);
    stopped = false;
    all.textContent = words.stop;
    let done = 0;
    let money = 0;
    for (const question of todo) {
      if (stopped) break;
      try {
        const made = await postJSON("/api/elements/draft", {
          project,
          question_id: question,
          judge: judge.value.trim(),
        });
        money += made.money;
        if (made.error) throw new Error(made.error);
        const why = made.failed[question];
        note.textContent =
          `${++done} of ${todo.length} asked, ` +
          `${price(money, made.unpriced)}${why ? `; ${question}: ${why}` : ""}`;
      } catch (error) {
        return fill(
          note,
          problem(error),
          el("button.btn.xs", { type: "button", onclick: again }, "Show what came"),
        );
      }
    }
    return again();
  });
  return el(
    "div.bar",
    {},
    el("div.seg", { role: "group", "aria-label": "Questions shown" }, Object.keys(words.filters).map(choice)),
    el("span", { style: { flex: "1" } }),
    el("label.s", {}, `${words.judge} `, judge),
    all,
  );
}

const price = (money, unpriced) => (unpriced ? "price unknown" : `$${money.toFixed(4)}`);

function list(found, project, note, count) {
  const show = here().show ?? "";
  const rows = found.questions.filter((row) =>
    show === "draft"
      ? row.draft
      : show === "without"
        ? !row.elements.length
        : show === "with"
          ? row.elements.length
          : true,
  );
  const pages = Math.max(1, Math.ceil(rows.length / A_PAGE));
  const page = Math.min(pages, Math.max(1, Number(here().p) || 1));
  const cards = rows.slice((page - 1) * A_PAGE, page * A_PAGE).map((row) => card(row, project, note, count));
  return el(
    "div",
    {},
    cards.length ? cards : el("p.m", {}, words.none),
    pager(page, pages, (p) => go({ p })),
  );
}

/** One question; it draws itself anew after each change, so that the page stays where it is. */
function card(row, project, note, count) {
  const root = el("section.card.ele", { "aria-label": `Question ${row.question_id}` });
  const typed = () => root.querySelector("textarea").value;
  const act = (path, body, said) => once([...root.querySelectorAll("button")], () => send(path, body, said));
  const send = async (path, body, said) => {
    const sent = typed();
    try {
      const made = await postJSON(path, { project, question_id: row.question_id, ...body });
      const found = await getJSON("/api/elements", { project });
      Object.assign(
        row,
        found.questions.find((one) => one.question_id === row.question_id),
      );
      count(found);
      fill(note, made.error || made.failed?.[row.question_id] || said(made));
    } catch (error) {
      return fill(note, problem(error)); // what was typed stays
    }
    const now = typed();
    const here = stillAt(root);
    paint();
    const field = root.querySelector("textarea");
    // it was typed on meanwhile
    if (now !== sent) (field.value = now), field.dispatchEvent(new Event("input"));
    if (here) field.focus();
  };
  function paint() {
    const entries = row.draft ? row.draft.elements : row.elements;
    const field = el("textarea", {
      rows: Math.min(10, Math.max(3, entries.length + 1)),
      dir: "auto",
      "aria-label": `${words.field}, ${row.question_id}`,
    });
    field.value = entries.join("\n");
    const lines = () =>
      field.value
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean);
    const accept = () =>
      act(
        "/api/elements/accept",
        { elements: lines() },
        (made) =>
          `${row.question_id}: ${several(made.elements.length, "element")}, ` +
          `${several(made.cells, "cell")} to grade. The next run asks about them and nothing ` +
          "else.",
      );
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
        event.preventDefault(), lines().length && accept();
    });
    /** @type {() => HTMLInputElement | null} */
    const judgeField = () => document.querySelector(`[aria-label="${words.judge}"]`);
    const judge = () => (judgeField()?.value ?? "").trim();
    const ask = () =>
      act(
        "/api/elements/draft",
        { judge: judge() },
        (made) => `${row.question_id}: drafted by ${made.judge} for ${price(made.money, made.unpriced)}.`,
      );
    const take = el(
      "button.btn.p",
      { type: "button", onclick: accept, title: "Ctrl+Enter in the field" },
      row.draft || !row.elements.length ? words.accept : words.change,
    );
    const guard = () => (take.disabled = !lines().length);
    field.addEventListener("input", guard);
    guard();
    fill(
      root,
      el(
        "header",
        {},
        el("h2", { dir: "auto" }, row.question),
        el("span.r", {}, [row.question_id, row.category, row.task_type].filter(Boolean).join(", ")),
      ),
      el("p.s", {}, state(row)),
      field,
      el(
        "div.bar",
        {},
        take,
        el(
          "button.btn",
          { type: "button", onclick: ask },
          row.past.some((step) => step.state === "drafted") ? words.again : words.draft,
        ),
        row.draft
          ? el(
              "button.btn",
              {
                type: "button",
                onclick: () =>
                  act("/api/elements/dismiss", {}, () => `${row.question_id}: the draft is laid aside.`),
              },
              words.dismiss,
            )
          : null,
        row.elements.length && !row.draft
          ? el(
              "button.btn",
              {
                type: "button",
                onclick: () =>
                  act(
                    "/api/elements/accept",
                    { elements: [] },
                    () => `${row.question_id}: graded on the scale again.`,
                  ),
              },
              words.remove,
            )
          : null,
      ),
      row.past.length
        ? el(
            "details.s",
            { "data-key": `steps of ${row.question_id}` },
            el("summary", {}, several(row.past.length, "step")),
            row.past.map((step) =>
              el(
                "div",
                { dir: "auto" },
                `${when(step.at)} ${step.state} by ` +
                  `${step.by}${step.money ? ` for $${step.money.toFixed(4)}` : ""}: ` +
                  `${step.elements.join("; ") || "no list"}`,
              ),
            ),
          )
        : null,
    );
  }
  paint();
  return root;
}

const when = (at) => at.slice(0, 16).replace("T", " ");

function state(row) {
  const kept = row.elements.length ? ` In force until you decide: ${row.elements.join("; ")}.` : "";
  if (row.draft)
    return [
      el("span.v.pd", {}, "draft"),
      ` by ${row.draft.by}, ${when(row.draft.at)}; nothing is graded against it.${kept}`,
    ];
  if (!row.elements.length)
    return `${row.emptied ? "A person took the list away" : "No list"}: completeness is graded on its scale.`;
  const { accepted_by: by, accepted_at: at, drafted_by: judge } = row.origin;
  return by
    ? `Accepted by ${by}, ${when(at)}${judge ? `; drafted by ${judge}` : ""}.`
    : "Came with the questions.";
}
