// Projects: what is there, what to do next, and how a file comes in.
import { getJSON, postJSON, query } from "../lead/api.js";
import { el, fill, once } from "../lead/el.js";
import { arrived, frame, problem } from "../lead/frame.js";
import { labelsBar } from "../lead/labels_bar.js";
import { turns } from "../lead/turns.js";
import { follow, go, here } from "../lead/url.js";
import { dropCard, openUpload, reportCard } from "./import.js";
import { openManage } from "./manage.js";

const LEGEND = [
  ["people", "graded by people"],
  ["audit", "graded automatically and checked by a person"],
  ["auto", "graded automatically"],
  ["pend", "still open"],
];
const STEPS = [
  ["Plan", "see the price, start the judges"],
  ["Review", "confirm or correct the rest"],
  ["Agreement", "how far judges can be trusted"],
  ["Results", "who leads, what is pending"],
];

/** Milliseconds between two looks at the cards while a run is under way. */
const EVERY = 4000;

export async function start(mount) {
  const { main, choose } = await frame(mount, "/");
  // A file that misses the drop zone must not replace the page.
  for (const name of ["dragover", "drop"]) addEventListener(name, (event) => event.preventDefault());
  await follow((event) => draw(main, Boolean(event), choose));
}

let timer = 0;
const turn = turns();

/**
 * ?staged=ID is an import's report, ?import=TOKEN a file that is looked at, ?manage=NAME one project; else
 * all projects. `move`: the view changes; `choose` names the head's project.
 */
async function draw(main, move, choose) {
  clearTimeout(timer);
  const current = turn();
  const asked = here();
  const again = () => (history.replaceState(null, "", "/"), draw(main, true, choose));
  try {
    const found = await getJSON("/api/projects");
    const report = asked.staged ? await getJSON("/api/import/report", { id: asked.staged }) : null;
    const upload =
      !report && asked.import ? await openUpload(asked.import, found.projects, again, choose) : null;
    const managed = !report && !upload && asked.manage ? await openManage(asked.manage, again, choose) : null;
    if (!current()) return; // the address has changed since
    if (report) fill(main, reportCard(report, asked.import ?? "", again, choose));
    else if (upload ?? managed) fill(main, upload ?? managed);
    else home(main, found);
    arrived(main, move);
  } catch (error) {
    if (!current()) return;
    const lost = asked.staged || asked.import || asked.manage;
    fill(
      main,
      problem(error),
      lost ? el("p", {}, el("button.btn", { type: "button", onclick: again }, "All projects")) : null,
    );
  }
}

function home(main, found) {
  const top = el("div.top");
  const column = el("div.main-col");
  const command = el("p.s.m", {}, "From a terminal: ", el("code", {}, "cograde import answers.csv"));
  const aside = el(
    "div.main-col",
    {},
    dropCard((seen) => go({ import: seen.token, staged: "" })),
    then(),
    command,
  );
  fill(main, top, el("div.cols.two", {}, column, aside));
  const looks = turns();

  function show(known) {
    fill(top, el("div", {}, el("h1", {}, known.title), el("p", {}, known.subtitle)));
    fill(
      column,
      known.imports.map((one) => waiting(one, look)),
      known.projects.map(card),
      legend(known),
      lately(known),
    );
    if (
      known.projects.some((project) => project.next.kind === "run") ||
      known.imports.some((one) => one.state === "staging")
    )
      timer = setTimeout(look, EVERY);
  }

  async function look() {
    clearTimeout(timer);
    const current = looks();
    try {
      const known = await getJSON("/api/projects");
      if (!current() || !column.isConnected) return;
      show(known);
      arrived(main);
    } catch {
      if (current()) timer = setTimeout(look, 3 * EVERY);
    }
  }

  show(found);
}

function card(project) {
  const t = project.totals;
  const parts = [
    ["people", t.people],
    ["audit", t.audit],
    ["auto", t.automatic],
    ["pend", t.pending],
  ];
  const words = { people: "people", audit: "both", auto: "automatic", pend: "pending" };
  const said = parts.map(([kind, n]) => `${words[kind]} ${n.toLocaleString("en")}`).join(", ");
  const bar = el(
    "div.stk",
    { role: "img", "aria-label": `Who decided the cells: ${said}` },
    parts.filter(([, n]) => n).map(([kind, n]) => el(`i.${kind}`, { style: { flex: String(n) } })),
  );
  const key = el(
    "div.key",
    {},
    parts.map(([kind, n]) =>
      el("span", {}, el(`i.${kind}`), `${words[kind]} `, el("b", {}, n.toLocaleString("en"))),
    ),
  );
  const next = project.next;
  return el(
    "section.card.proj",
    { "aria-label": project.title },
    el(
      "div",
      {},
      el(
        "h2",
        {},
        project.title,
        " ",
        project.demo ? el("span.chip.tag.s", { title: project.notice }, "demo, illustrative") : null,
      ),
      project.lines.map((line) => el("div.s.m", {}, line)),
    ),
    el(
      "div",
      {},
      bar,
      key,
      labelsBar(project.labels_missing),
      project.notice ? el("p.s.m", {}, project.notice) : null,
    ),
    el(
      "div.next",
      {},
      el(`a.btn${next.waits ? ".p" : ""}`, { href: next.href }, next.label),
      el("span.s.m", {}, next.why),
      el(
        "a.btn.q.xs",
        {
          href: `/${query({ project: project.name, manage: project.name })}`,
          title: "Imports, name, deletion",
        },
        "Manage",
      ),
    ),
  );
}

/** An import that nobody has said yes to; it is no project yet, or none of its rows is in one. */
function waiting(one, look) {
  const drop = async () => {
    try {
      await postJSON("/api/import/drop", { import: one.id });
      await look();
    } catch (error) {
      node.append(problem(error));
    }
  };
  const buttons = el(
    "div.bar",
    {},
    el("a.btn.p", { href: `/?staged=${one.id}` }, "Go on"),
    el(
      "button.btn",
      { type: "button", onclick: (event) => once(event.currentTarget, drop) },
      "Discard import",
    ),
  );
  const node = el(
    "section.card.waiting",
    { "aria-label": one.title },
    el("div", {}, el("h2", { dir: "auto" }, one.title), el("div.s.m", { dir: "auto" }, one.text)),
    one.state === "staged" ? buttons : null,
  );
  return node;
}

function legend(found) {
  return found.projects.length
    ? el(
        "div.key",
        {},
        LEGEND.map(([kind, words]) => el("span", {}, el(`i.${kind}`), words)),
      )
    : null;
}

function lately(found) {
  if (!found.lately.length) return null;
  const rows = found.lately.map((event) =>
    el("li", {}, el("b", {}, event.title), " ", event.text, el("span.m", {}, ` · ${event.ago}`)),
  );
  return el(
    "section.card",
    {},
    el("header", {}, el("h2", {}, "Recent activity")),
    el("ul.lately.s", {}, rows),
  );
}

function then() {
  return el(
    "section.card",
    {},
    el("header", {}, el("h2", {}, "Then")),
    el(
      "ol.steps",
      {},
      STEPS.map(([name, why], n) => el("li", {}, el("b", {}, `${n + 1} ${name} `), el("span.m", {}, why))),
    ),
  );
}
