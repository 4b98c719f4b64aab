// Questions: a list of all, one of them opened beside it. The address carries which.

import { getJSON, postJSON } from "../lead/api.js";
import { el, fill, pager } from "../lead/el.js";
import { arrived, empty, frame, problem } from "../lead/frame.js";
import { stillAt } from "../kit/keep.js";
import { turns } from "../lead/turns.js";
import { follow, go, here } from "../lead/url.js";
import { electionCard } from "./election.js";
import { referenceWords, said } from "./words.js";

const words = {
  all: "All",
  kinds: {
    elected: "elected",
    appointed: "appointed",
    nobody: "nobody yet",
    given: "brings its own",
    none: "none",
  },
  filter: "Where the reference comes from",
  question: "Question",
  category: "Category",
  reference: "Reference",
  detail: "Detail asked for",
  back: "as before",
  none: "No question matches.",
};

export async function start(mount) {
  const { main, data, project } = await frame(mount, "/questions");
  if (!project) return empty(main, "There are no questions yet.");
  const top = el("div.top");
  const status = el("p.s", { role: "status", "aria-live": "polite" });
  const list = el("div");
  const side = el("div.qside");
  const column = el("div.main-col", {}, top, status, list);
  const layout = el("div.res", {}, column);
  fill(main, layout);
  let shown = "";
  let opener = null;
  const turn = turns();
  const listing = turns();

  async function drawList(force = false) {
    const asked = { project, kind: here().kind, page: here().p };
    if (!force && shown === JSON.stringify(asked)) return;
    shown = JSON.stringify(asked);
    const current = listing();
    try {
      const found = await getJSON("/api/questions", asked);
      if (!current()) return;
      const notice = data.notice ? el("span.notice", {}, data.notice) : null;
      fill(top, el("div", {}, el("h1", {}, found.title), el("p", {}, found.subtitle, " ", notice)));
      arrived(top);
      fill(list, filter(found), table(found));
    } catch (error) {
      if (current()) fill(list, problem(error));
    }
  }

  /** The open question; true where it is still the one that is open. */
  async function drawOne() {
    const current = turn();
    const question = here().question;
    layout.classList.toggle("open", Boolean(question));
    for (const row of list.querySelectorAll("tr[data-question]"))
      row.classList.toggle("on", row.dataset.question === question);
    if (!question) {
      side.remove();
      return false;
    }
    if (!side.isConnected) layout.append(side);
    try {
      const found = await getJSON("/api/questions/one", { project, question });
      if (current()) fill(side, electionCard(found, project, { close, act }));
    } catch (error) {
      if (current()) fill(side, problem(error));
    }
    return current();
  }

  function close() {
    go({ question: "" });
    opener?.focus();
  }

  /** Send what a lead decided about the open question, and say what was computed again. */
  async function act(path, body, done) {
    if (side.classList.contains("busy")) return; // it says "Working…"
    side.classList.add("busy");
    side.prepend(status);
    status.textContent = "Working…";
    try {
      const made = await postJSON(path, { project, ...body });
      status.textContent = `${done} ${said(made)}`;
      await drawList(true);
      await drawOne();
      side.prepend(status);
      if (stillAt(side)) side.querySelector("h2")?.focus({ preventScroll: true });
    } catch (error) {
      fill(status, problem(error));
    } finally {
      side.classList.remove("busy");
    }
  }

  function filter(found) {
    const kinds = Object.entries(found.kinds);
    if (kinds.length < 2 && !here().kind) return null;
    const chip = (kind, text) =>
      el(
        "button.chip",
        {
          type: "button",
          "aria-label": text,
          "aria-pressed": String((here().kind || "") === kind),
          onclick: () => go({ kind, p: "" }),
        },
        text,
      );
    const all = kinds.reduce((sum, [, count]) => sum + count, 0);
    return el(
      "div.bar",
      { role: "group", "aria-label": words.filter, style: { "margin-bottom": "12px" } },
      chip("", `${words.all} ${all.toLocaleString("en")}`),
      kinds.map(([kind, count]) => chip(kind, `${words.kinds[kind]} ${count.toLocaleString("en")}`)),
    );
  }

  function table(found) {
    const columns = [
      words.question,
      words.category,
      words.reference,
      ...(found.matters ? [words.detail] : []),
    ];
    const head = el(
      "thead",
      {},
      el(
        "tr",
        {},
        columns.map((text) => el("th", { scope: "col" }, text)),
      ),
    );
    const body = el(
      "tbody",
      {},
      found.rows.map((row) => questionRow(row, found.matters)),
    );
    return el(
      "section.card",
      {},
      found.rows.length ? el("div.scroll", {}, el("table.qs", {}, head, body)) : el("p.m", {}, words.none),
      pager(found.page, found.pages, (p) => go({ p })),
    );
  }

  function questionRow(row, matters) {
    const text = row.text.length > 130 ? row.text.slice(0, 130) + "…" : row.text;
    const open = (event) => ((opener = event.target), go({ question: row.question }));
    const name = el("button.lnk", { type: "button", dir: "auto", onclick: open }, text || row.question);
    const kind = [row.category, row.task_type].filter(Boolean).join(", ");
    return el(
      "tr",
      { "data-question": row.question, class: here().question === row.question ? "on" : null },
      el("td", {}, name),
      el("td.m.s", {}, kind),
      el("td", { "data-label": words.reference }, referenceWords(row)),
      matters ? el("td", { "data-label": words.detail }, detailChoice(row)) : null,
    );
  }

  function detailChoice(row) {
    const { detail, by, who } = row.detail;
    const whose = {
      column: "by its column",
      rule: "by its words",
      judge: `by the judge ${who}`,
      person: `by ${who}`,
      "": "nobody says; counts as short",
    }[by];
    const select = el("select.pick", {
      "aria-label": `${words.detail}: ${row.question}`,
      onchange: () => change(row, select),
    });
    select.append(
      ...["short", "detailed"].map((value) => el("option", { value, selected: value === detail }, value)),
    );
    if (by === "person") select.append(el("option", { value: "" }, words.back));
    return el("div", {}, select, el("div.s.m", {}, whose));
  }

  async function change(row, select) {
    select.disabled = true;
    column.insertBefore(status, list);
    status.textContent = "Saving…";
    try {
      const made = await postJSON("/api/questions/detail", {
        project,
        question: row.question,
        detail: select.value,
      });
      const cells =
        made.changed === 1 ? "1 cell has another value now" : `${made.changed} cells have other values now`;
      status.textContent =
        `Saved: ${row.question} asks for a ${made.detail} answer; ` +
        `${made.changed ? cells : "no value changed"}.`;
    } catch (error) {
      fill(status, problem(error));
    }
    select.disabled = false;
    if (stillAt(select)) select.focus();
    await drawList(true);
  }

  addEventListener("keydown", (event) => {
    if (
      event.key === "Escape" &&
      here().question &&
      !(/** @type {Element} */ (event.target).closest("dialog, select"))
    )
      close();
  });
  await follow(async (event) => {
    await drawList();
    // Chosen by a click, the question must not open out of sight.
    if ((await drawOne()) && event?.type === "cograde:address" && stillAt(opener)) {
      if (matchMedia("(max-width: 1160px)").matches) side.scrollIntoView();
      side.querySelector("h2")?.focus({ preventScroll: true });
    }
  });
}
