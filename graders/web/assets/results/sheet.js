// A sheet that comes back: choose the file, see what would change, take it in.

import { postJSON, query } from "../lead/api.js";
import { el, fill } from "../lead/el.js";
import { several } from "../lead/several.js";
import { ask } from "../session.js";

const words = {
  open: "Bring back a sheet",
  hint:
    "Values that somebody changed in a sheet of this project become that person's verdicts. First " +
    "you see what would change.",
  file: "The sheet (XLSX)",
  person: "Who changed the values",
  look: "See what would change",
  take: "Take in",
  close: "Close",
  nothing: "Nothing in this sheet differs from what was written.",
  was: "was",
};

/** The button, with its dialog behind it; `person` is the name of whoever looks, if it is known. */
export function sheetButton(project, person) {
  const button = el(
    "button.btn",
    { type: "button", onclick: () => open(project, person, button) },
    words.open,
  );
  return button;
}

function open(project, person, button) {
  const file = el("input", { type: "file", accept: ".xlsx,.xlsm", required: true, "aria-label": words.file });
  const name = el("input", {
    type: "text",
    value: person,
    maxlength: "80",
    required: true,
    "aria-label": words.person,
  });
  const said = el("div.sheet-said", { role: "status", "aria-live": "polite" });
  const take = el("button.btn.p", { type: "button", disabled: true, onclick: taking }, words.take);
  const look = el("button.btn", { type: "submit" }, words.look);
  const close = el("button.btn", { type: "button", onclick: () => dialog.close() }, words.close);
  const field = (text, input) => el("label.sheet-field", {}, el("span.s.m", {}, text), input);
  const form = el(
    "form",
    { onsubmit: looking },
    el("h2", {}, words.open),
    el("p.s.m", {}, words.hint),
    field(words.file, file),
    field(words.person, name),
    el("div.bar", {}, look, take, close),
    said,
  );
  const dialog = el("dialog.sheet", { "aria-label": words.open }, form);
  let seen = null; // what the server has looked at: its token, file and person
  let taken = false;

  // What was looked at is no longer what would be taken in.
  for (const input of [file, name]) input.addEventListener("input", () => (take.disabled = true));
  dialog.addEventListener("close", async () => {
    dialog.remove();
    button.focus();
    if (seen && !taken) await postJSON("/api/import/drop", { token: seen.token }).catch(() => null);
    if (taken) location.reload();
  });

  async function looking(event) {
    event.preventDefault();
    await work(look, async () => {
      const [chosen] = file.files;
      const person = name.value;
      const found =
        seen?.file === chosen
          ? await postJSON("/api/sheet/look", { token: seen.token, project, person })
          : await upload(chosen);
      seen = { token: found.token, file: chosen };
      // only what was looked at is taken in
      take.disabled = !found.verdicts || name.value !== person || file.files[0] !== chosen;
      fill(
        said,
        summary(found),
        changes(found),
        bad(found),
        found.notes.map((note) => el("p.s", {}, note)),
      );
    });
  }

  async function upload(chosen) {
    if (seen) await postJSON("/api/import/drop", { token: seen.token }).catch(() => null);
    seen = null;
    const headers = {
      "x-file-name": encodeURIComponent(chosen.name),
      "content-type": "application/octet-stream",
    };
    const reply = await ask("/api/sheet/upload" + query({ project, person: name.value }), {
      method: "POST",
      credentials: "same-origin",
      headers,
      body: chosen,
    });
    const body = await reply.json().catch(() => null);
    if (!reply.ok) throw new Error(body?.error ?? `The server refused (status ${reply.status}).`);
    return body;
  }

  async function taking() {
    await work(take, async () => {
      const made = await postJSON("/api/sheet/take", { token: seen.token, project, person: name.value });
      taken = true;
      fill(
        said,
        el(
          "p",
          {},
          el("b", {}, `${made.person}${made.new_person ? " (new)" : ""}: `),
          several(made.verdicts, "verdict", "verdicts"),
          " taken in.",
        ),
        bad(made),
      );
      look.disabled = true;
      close.focus();
    });
    take.disabled = taken || take.disabled;
  }

  async function work(by, doing) {
    by.disabled = true;
    said.textContent = "Working…";
    try {
      await doing();
    } catch (error) {
      fill(said, el("p.alert", { role: "alert" }, error.message));
    }
    if (by === look) look.disabled = taken;
  }

  button.closest(".cgl").append(dialog);
  dialog.showModal();
}

function summary(found) {
  if (!found.verdicts && !found.unchanged && !found.bad) return el("p", {}, words.nothing);
  const parts = [
    several(found.verdicts, "new verdict", "new verdicts"),
    ...(found.unchanged ? [`${found.unchanged} known already`] : []),
    ...(found.bad ? [several(found.bad, "bad value", "bad values")] : []),
  ];
  return el(
    "p",
    {},
    el("b", {}, `${found.person}${found.new_person ? " (new)" : ""}: `),
    parts.join(", "),
    ".",
  );
}

function changes(found) {
  if (!found.changes.length) return null;
  const row = (c) =>
    el(
      "tr",
      {},
      el(
        "td",
        {},
        el("b", {}, c.question_id),
        el("div.s.m", { dir: "auto" }, c.question.length > 70 ? c.question.slice(0, 70) + "…" : c.question),
      ),
      el("td", {}, c.model),
      el("td", {}, c.criterion, c.part ? el("div.s.m", {}, c.part) : null),
      el(
        "td",
        {},
        el("b", {}, c.value === null ? "n/a" : String(c.value)),
        el("span.s.m", {}, ` ${words.was} ${c.before === "" ? "empty" : c.before}`),
      ),
    );
  const more = found.verdicts - found.changes.length;
  return el(
    "div.scroll",
    {},
    el("table", {}, el("tbody", {}, found.changes.map(row))),
    more > 0 ? el("p.s.m", {}, `and ${more.toLocaleString("en")} more`) : null,
  );
}

function bad(found) {
  if (!found.bad) return null;
  const row = (b) =>
    el(
      "li.s",
      { dir: "auto" },
      el("b", {}, `Row ${b.row}, column ${b.column}: `),
      `found ${b.found}, expected ${b.expected}. ${b.remedy}`,
    );
  return el(
    "details",
    { open: found.bad <= 5 },
    el("summary", {}, `${several(found.bad, "value", "values")} that cannot be taken in`),
    el("ul", {}, found.bad_rows.map(row)),
  );
}
