// Seeded faults: copies of answers with one fault put in by code, and who noticed it. The copies are made
// here, judges asked in a run.

import { getJSON, postJSON, query } from "../lead/api.js";
import { copyButton } from "../lead/copy.js";
import { el, fill, once } from "../lead/el.js";
import { problem } from "../lead/frame.js";
import { known } from "./lean.js";

const words = {
  title: "Seeded faults",
  right: "copies of answers with one fault put in by code; no label is needed",
  about:
    "A copy is noticed when its values are lower than the untouched answer's, or when a fault is " +
    "named that the answer had not. Whoever gives values at random lowers as often as he raises. " +
    "Copies are in no result or ranking.",
  share: "Share of the answers",
  range: "Type a number above 0, at most 100.",
  make: "Make copies",
  more: "Make more copies",
  making: "Copies are made, and the rules run on them.",
  run: "Ask judges: plan with its price",
  silent: (names) => `Not asked about the copies yet: ${names.join(", ")}.`,
  stale: (n) =>
    `${n} ${n === 1 ? "copy is" : "copies are"} of answers that have changed since: they are left out.`,
  people: (share) =>
    share
      ? `People get copies too: ${Math.round(1000 * share) / 10} % of their screens, after 50 ` +
        "others and only of answers that they graded blind."
      : "People get none: the share of their screens that are copies is 0 %.",
  settings: "Change the share",
  grader: "Noticed by",
  all: "all",
};

/** A card that fills itself. */
export function seededCard(project) {
  const body = el("div.cols");
  const card = el(
    "section.card",
    {},
    el("header", {}, el("h2", {}, words.title), el("span.r", {}, words.right)),
    body,
  );
  getJSON("/api/seeded", { project }).then(
    (found) => draw(body, project, found),
    (error) => fill(body, problem(error)),
  );
  return card;
}

function draw(body, project, found, said = "") {
  const share = el("input", {
    type: "text",
    inputmode: "numeric",
    size: "4",
    maxlength: "5",
    value: String(Math.round(100 * found.share)),
    required: true,
    "aria-label": `${words.share}, %`,
  });
  const status = el("span.s", { role: "status" }, said);
  const button = el(
    found.copies ? "button.btn" : "button.btn.p",
    { type: "submit" },
    found.copies ? words.more : words.make,
  );
  const form = el(
    "form.bar",
    {},
    el("label.s", {}, `${words.share} `, share, " %"),
    button,
    found.project ? el("a.btn", { href: "/run" + query({ project: found.project }) }, words.run) : null,
    status,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const wanted = Number(share.value.trim().replace(",", "."));
    if (!(wanted > 0 && wanted <= 100)) return void (fill(status, words.range), share.focus());
    await once(button, () => make(wanted / 100));
  });
  const make = async (part) => {
    fill(status, words.making);
    try {
      const made = await postJSON("/api/seeded", { project, share: part });
      draw(
        body,
        project,
        { ...made, share: part },
        `${made.made} new ${made.made === 1 ? "copy" : "copies"}.`,
      );
      body.querySelector("form button")?.focus();
    } catch (error) {
      fill(status, error.message);
    }
  };
  const kinds = el(
    "ul.s.m",
    {},
    found.faults
      .filter((fault) => !found.copies || fault.copies)
      .map((fault) => el("li", {}, el("b", {}, fault.title), `: ${fault.about}`)),
  );
  fill(
    body,
    el("p", {}, el("b", {}, found.words), " ", el("span.m", {}, words.about)),
    found.graders.length ? table(found) : kinds,
    found.silent.length && found.copies ? el("p.s.m", {}, words.silent(found.silent)) : null,
    found.stale ? el("p.s.m", {}, words.stale(found.stale)) : null,
    found.copies
      ? el(
          "p.s.m",
          {},
          words.people(found.control),
          " ",
          el("a", { href: "/run" + query({ project }) }, words.settings),
        )
      : null,
    form,
  );
}

function table(found) {
  const shown = found.faults.filter((fault) => fault.copies);
  const head = [
    el("th", { scope: "col" }, words.grader),
    el("th.n", { scope: "col" }, words.all),
    ...shown.map((fault) =>
      el(
        "th.n",
        { scope: "col", title: fault.about },
        fault.title,
        el("div.s", {}, fault.copies === 1 ? "1 copy" : `${fault.copies} copies`),
      ),
    ),
  ];
  const rows = found.graders.map((one) =>
    el(
      "tr",
      {},
      el("td", {}, one.name, el("div.s.m", {}, one.kind === "rule" ? null : beyond(one.all))),
      cell(one.all),
      shown.map((fault) => cell(one.faults[fault.name])),
    ),
  );
  return el(
    "div.scroll",
    { tabindex: "0" },
    el("table.byc", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows)),
  );
}

/** How much oftener a judge lowers than it raises. */
function beyond({ raised, beyond: f }) {
  if (raised === null) return `? ${f.reason}`;
  const bounds = known(f.low) ? ` (${Math.round(100 * f.low)} to ${Math.round(100 * f.high)} %)` : "";
  return (
    `${raised} raised; beyond chance ` +
    `${f.status === "OK" ? `${Math.round(100 * f.value)} %${bounds}` : `? ${f.reason}`}`
  );
}

function cell(f) {
  if (f && f.noticed === null)
    return el(
      "td.n.m",
      { title: f.reason },
      `? of ${f.copies}`,
      el("div.s.m", {}, "INCONCLUSIVE"),
      copyButton(f.sentence, "Copy"),
    );
  if (!f || !known(f.value)) return el("td.n.m", {}, "–");
  const firm = f.status === "OK";
  const bounds = known(f.low) ? `${Math.round(100 * f.low)} to ${Math.round(100 * f.high)} %` : "";
  return el(
    "td.n",
    { title: firm ? null : f.reason },
    el(firm ? "b" : "span.m", {}, `${f.noticed} of ${f.copies}`),
    el("div.s.m", {}, firm ? bounds : `? ${bounds}`),
    copyButton(f.sentence, "Copy"),
  );
}
