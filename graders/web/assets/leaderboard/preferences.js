// Preferences: which of two answers was better, as a ranking; beside it how often each model won.

import { el } from "../lead/el.js";
import { rankCard } from "./ranks.js";

const words = { wins: "Won, tied, lost", model: "Model", won: "won", tied: "tied", lost: "lost", nothing: "No two answers were compared yet." };

/** The ranking of a report of /api/preferences. */
export function preferenceCard(found) {
  return found.models.some((m) => m.figure.value !== null) ? rankCard(found) : el("section.card.empty", {}, el("p", {}, words.nothing));
}

/** How often each model won, tied and lost. */
export function winsCard(found) {
  const rows = found.models.filter((m) => m.won + m.tied + m.lost);
  if (!rows.length) return null;
  const count = (n) => el("td.n", {}, n.toLocaleString("en"));
  const head = el("tr", {}, el("th", {}, words.model), ["won", "tied", "lost"].map((name) => el("th.n", {}, words[name])));
  const body = rows.map((m) => el("tr", {}, el("td", { dir: "auto" }, m.model), count(m.won), count(m.tied), count(m.lost)));
  return el("section.card", {}, el("header", {}, el("h2", {}, words.wins)), el("div.scroll", {}, el("table", {}, el("thead", {}, head), el("tbody", {}, body))));
}
