// Projects: what is there, what to do next, and how a file comes in.
import { getJSON } from "../lead/api.js";
import { el, fill } from "../lead/el.js";
import { frame, problem } from "../lead/frame.js";
import { follow, here } from "../lead/url.js";
import { importCard, reportCard } from "./import.js";

const LEGEND = [
  ["people", "people decided it"],
  ["audit", "machine, and a person checked it blind"],
  ["auto", "the machine alone decided it"],
  ["pend", "nobody yet"],
];
const STEPS = [
  ["Plan", "see the price, start the judges"],
  ["Review", "confirm or correct the rest"],
  ["Agreement", "whom to trust, how far"],
  ["Results", "who leads, what is pending"],
];

export async function start(mount) {
  const { main } = await frame(mount, "/");
  await follow(() => draw(main));
}

async function draw(main) {
  let found;
  try {
    found = await getJSON("/api/projects");
  } catch (error) {
    return fill(main, problem(error));
  }
  document.title = "Projects · Cograde";
  const aside = el("div.main-col");
  const column = el("div.main-col", {}, found.projects.map(card), legend(found), lately(found));
  const top = el("div.top", {}, el("div", {}, el("h1", {}, found.title), el("p", {}, found.subtitle)));
  const layout = el("div.cols.two", {}, column, aside);
  fill(main, top, layout);
  const again = () => draw(main);
  // An import in progress takes the whole width; the rest of the page comes back when it is done.
  const wide = (node) => fill(main, node);
  fill(aside, importCard(found.projects, { wide, again }), then(), el("p.s.m", {}, "From a terminal: ", el("code", {}, "cograde import answers.csv")));
  const staged = here().staged;
  if (staged) {
    try {
      wide(reportCard(await getJSON("/api/import/report", { id: staged }), "", again));
    } catch (error) {
      fill(aside, problem(error), aside.firstChild);
    }
  }
}

function card(project) {
  const t = project.totals;
  const parts = [["people", t.people], ["audit", t.audit], ["auto", t.automatic], ["pend", t.pending]];
  const words = { people: "people", audit: "audit", auto: "automatic", pend: "pending" };
  const said = parts.map(([kind, n]) => `${words[kind]} ${n.toLocaleString("en")}`).join(", ");
  const bar = el("div.stk", { role: "img", "aria-label": `Who decided the cells: ${said}` }, parts.filter(([, n]) => n).map(([kind, n]) => el(`i.${kind}`, { style: { flex: String(n) } })));
  const key = el("div.key", {}, parts.map(([kind, n]) => el("span", {}, el(`i.${kind}`), `${words[kind]} `, el("b", {}, n.toLocaleString("en")))));
  const next = project.next;
  return el(
    "section.card.proj",
    { "aria-label": project.title },
    el("div", {}, el("h2", {}, project.title, " ", project.demo ? el("span.chip.tag.s", { title: project.notice }, "demo, illustrative") : null), project.lines.map((line) => el("div.s.m", {}, line))),
    el("div", {}, bar, key, project.notice ? el("p.s.m", {}, project.notice) : null),
    el("div.next", {}, el(`a.btn${next.waits ? ".p" : ""}`, { href: next.href }, next.label), el("span.s.m", {}, next.why)),
  );
}

function legend(found) {
  return found.projects.length ? el("div.key", {}, LEGEND.map(([kind, words]) => el("span", {}, el(`i.${kind}`), words))) : null;
}

function lately(found) {
  if (!found.lately.length) return null;
  const rows = found.lately.map((event) => el("li", {}, el("b", {}, event.title), " ", event.text, el("span.m", {}, ` · ${event.ago}`)));
  return el("section.card", {}, el("header", {}, el("h2", {}, "Lately")), el("ul.lately.s", {}, rows));
}

function then() {
  return el("section.card", {}, el("header", {}, el("h2", {}, "Then")), el("ol.steps", {}, STEPS.map(([name, why], n) => el("li", {}, el("b", {}, `${n + 1} ${name} `), el("span.m", {}, why)))));
}
