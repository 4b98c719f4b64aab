// The cells on which judges gave no verdict, by reason.

import { el, pager } from "../lead/el.js";
import { go } from "../lead/url.js";

/** The address says `unscored=any`, or names one reason; `judge` names one judge. */
export const ANY = "any";

export function unscoredCard(found) {
  const chip = (reason, text) =>
    el(
      "button.chip",
      {
        type: "button",
        "aria-pressed": String(found.reason === reason),
        onclick: () => go({ unscored: reason || ANY, upage: "" }),
      },
      text,
    );
  const all = found.reasons.reduce((sum, one) => sum + one.cells, 0);
  const chips = el(
    "div.bar",
    { role: "group", "aria-label": "Reason", style: { "margin-bottom": "8px" } },
    chip("", `All ${cells(all)}`),
    found.reasons.map((one) => chip(one.reason, `${cells(one.cells)}: ${one.why}`)),
  );
  const close = el(
    "button.btn.xs",
    { type: "button", onclick: () => go({ unscored: "", judge: "", upage: "" }) },
    "Close",
  );
  const header = el(
    "header",
    {},
    el("h2", {}, `Without a verdict by ${found.judge || "a judge"}`),
    el("span.r", {}, cells(found.total)),
    close,
  );
  const head = el(
    "tr",
    {},
    ["Question", "Model", "Criterion", "Judge", "Reason"].map((text) => el("th", { scope: "col" }, text)),
  );
  const table = el(
    "div.scroll",
    {},
    el("table.al", {}, el("thead", {}, head), el("tbody", {}, found.rows.map(cellRow))),
  );
  return el(
    "section.card.unscored",
    {},
    header,
    chips,
    found.rows.length
      ? table
      : el("p.m", { style: { "margin-top": "8px" } }, "Every cell that was asked about has a verdict now."),
    pager(found.page, found.pages, (page) => go({ upage: page })),
  );
}

function cellRow(row) {
  const open = () => go({ question: row.question_id, model: row.model, version: "" });
  const text = row.question.length > 130 ? row.question.slice(0, 130) + "…" : row.question;
  const part = row.part ? el("div.s.m", {}, row.part) : null;
  return el(
    "tr",
    {},
    el("td", {}, el("button.lnk", { type: "button", dir: "auto", onclick: open }, text || row.question_id)),
    el("td", {}, row.model),
    el("td", {}, row.criterion, part),
    el("td.m.s", {}, row.judge),
    el("td", {}, row.why, row.detail ? el("div.s.m", { dir: "auto" }, row.detail) : null),
  );
}

const cells = (count) => `${count.toLocaleString("en")} ${count === 1 ? "cell" : "cells"}`;
