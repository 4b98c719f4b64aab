// A settled cell as a gold question: people are checked by it, or practise on it.

import { postJSON } from "./api.js";
import { el } from "./el.js";

const USES = { none: "no gold question", check: "gold: checks people", practice: "gold: for practice" };

/**
 * A choice of what a settled cell is used for; it is kept when it is made. `use`: gold, practice or "" as the
 * server has it.
 */
export function goldChoice(project, cell, use) {
  const said = el("span.s", { role: "status" });
  const now = use === "gold" ? "check" : use || "none";
  const select = el(
    "select",
    { "aria-label": "Gold question", onchange: () => keep() },
    Object.entries(USES).map(([value, text]) => el("option", { value, selected: value === now }, text)),
  );
  const keep = async () => {
    try {
      await postJSON("/api/gold", { project, cell, use: select.value });
      said.textContent = "Kept";
    } catch (error) {
      said.textContent = error.message;
    }
  };
  return el("span.bar", {}, select, said);
}
