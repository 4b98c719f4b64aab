// What came back from the few answers that judges were tried on.
import { getJSON } from "../lead/api.js";
import { el, fill } from "../lead/el.js";
import { problem } from "../lead/frame.js";
import { several } from "../lead/several.js";
import { money } from "./words.js";

/** The card of a try; it fills itself, once. */
export function triedCard(project, run) {
  const root = el(
    "section.card.tried",
    { "aria-live": "polite" },
    el("header", {}, el("h2", {}, "What came back")),
  );
  getJSON("/api/run/tried", { project, run: run.id }).then(
    (found) => draw(root, found),
    (error) => root.append(problem(error)),
  );
  return root;
}

function draw(root, found) {
  fill(
    root,
    el(
      "header",
      {},
      el("h2", {}, "What came back"),
      el("span.r", {}, `${several(found.answers.length, "answer")}, drawn over the categories`),
    ),
    el(
      "p",
      {},
      found.title,
      found.measured
        ? " The plan goes by these calls from now on; they are not bought again."
        : " Fewer than five usable replies: the plan still assumes its times.",
    ),
    found.answers.map(answer),
  );
}

function answer(one) {
  return el(
    "article.vd1",
    {},
    el("h3", { dir: "auto" }, el("b", {}, one.question)),
    el("p.s.m", {}, [one.model, one.category].filter(Boolean).join(", ")),
    one.judges.flatMap((judge) => [
      el("p.s", {}, el("b", {}, judge.name), ` ${facts(judge)}`),
      ...judge.cells.map(cell),
    ]),
  );
}

function facts(judge) {
  if (judge.seconds == null) return judge.asked ? "no usable reply" : "not asked";
  return [
    `${judge.seconds.toFixed(1)} s`,
    judge.money == null ? "price unknown" : money(judge.money, true),
    judge.tokens == null ? "" : `${several(judge.tokens, "token")}`,
  ]
    .filter(Boolean)
    .join(", ");
}

function cell(said) {
  const name = [said.title, said.part].filter(Boolean).join(", ");
  const word =
    typeof said.value === "number" && said.word !== String(said.value)
      ? `${said.value} ${said.word}`
      : said.word || String(said.value);
  const value =
    said.value === null ? el("span.m", {}, `no verdict: ${said.why || said.status}`) : el("b", {}, word);
  const sure = said.confidence == null ? "" : ` confidence ${said.confidence.toFixed(2)}`;
  return el(
    "div.vd1",
    {},
    el("div", {}, `${name}: `, value, el("span.s.m", {}, sure)),
    said.rationale && said.rationale !== said.why ? el("div.s", { dir: "auto" }, said.rationale) : null,
    said.note ? el("div.s.m", {}, said.note) : null,
    said.evidence.map(quote),
  );
}

function quote(evidence) {
  if (!evidence.quote)
    return evidence.absent ? el("span.quote.m", {}, "something is missing in the answer") : null;
  return el(
    "span.quote",
    { dir: "auto" },
    `“${evidence.quote}” `,
    evidence.found === false ? el("span.v.q", {}, "not in the answer") : null,
  );
}
