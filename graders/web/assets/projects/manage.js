// One project: its imports, which can be taken back; its title and name; its end, after its own export.
import { getJSON, postJSON, query } from "../lead/api.js";
import { el, fill, once } from "../lead/el.js";
import { problem } from "../lead/frame.js";
import { several } from "../lead/several.js";
import { ask } from "../session.js";

const day = (at) => `${at.slice(0, 16).replace("T", " ")} UTC`;

/** The page of a project to manage; `again` shows all projects, `choose` makes a project the head's. */
export async function openManage(name, again, choose) {
  const [{ projects }, { imports }] = await Promise.all([
    getJSON("/api/projects"),
    getJSON("/api/imports", { project: name }),
  ]);
  const project = projects.find((one) => one.name === name) ?? { name, title: name };
  const back = el("button.btn", { type: "button", onclick: again }, "All projects");
  const top = el("div.top", {}, el("div", {}, el("h1", {}, `Manage ${project.title}`)), back);
  const page = el("div.main-col", {}, top);
  const redraw = async (next = name) => page.replaceWith(await openManage(next, again, choose));
  page.append(importsCard(imports, redraw), renameCard(project, redraw, choose), deleteCard(project, page));
  return page;
}

function importsCard(imports, redraw) {
  const row = (one) =>
    el(
      "tr",
      {},
      el("td", { dir: "auto" }, el("b", {}, one.source)),
      el("td", { "data-label": "When" }, day(one.at)),
      el("td", { "data-label": "By", dir: "auto" }, one.by || "no name"),
      el("td", { "data-label": "Brought" }, brought(one)),
      el("td", {}, action(one, redraw)),
    );
  const heads = ["File", "When", "By", "Brought", ""].map((text) => el("th", { scope: "col" }, text));
  const table = el(
    "table.stack.imports",
    {},
    el("thead", {}, el("tr", {}, heads)),
    el("tbody", {}, imports.map(row)),
  );
  return el(
    "section.card",
    { "aria-label": "Imports" },
    el(
      "header",
      {},
      el("h2", {}, "Imports"),
      el(
        "span.r",
        {},
        "Newest first. An import can be taken back until a person or judge grades what it brought.",
      ),
    ),
    imports.length ? el("div.scroll", {}, table) : el("p.m", {}, "No file was imported yet."),
  );
}

function brought(one) {
  const rest = [
    one.unchanged ? `${one.unchanged.toLocaleString("en")} unchanged` : "",
    one.bad ? several(one.bad, "row left out", "rows left out") : "",
  ].filter(Boolean);
  return [one.brought, rest.length ? el("div.s.m", {}, rest.join(", ")) : null];
}

function action(one, redraw) {
  if (one.taken_back) return el("span.s.m", {}, `Taken back ${day(one.taken_back)}`);
  if (!one.can_take_back) return el("span.s.m", { dir: "auto" }, one.why_not);
  const button = el("button.btn.xs", { type: "button" }, "Take back");
  button.addEventListener("click", () => confirmation(button, one, redraw));
  return button;
}

function confirmation(button, one, redraw) {
  const said = el("p.s", { role: "status" });
  const yes = el("button.btn.p", { type: "button" }, "Take back");
  const no = el("button.btn", { type: "button", onclick: () => dialog.close() }, "Cancel");
  const dialog = el(
    "dialog",
    { "aria-label": "Take back an import" },
    el("h2", { dir: "auto" }, `Take back ${one.source}?`),
    el("p", {}, `It brought ${one.brought}. All of it leaves the project; what it replaced is put back.`),
    el("p.s.m", {}, "The log keeps that it was here. Replies that were paid for stay stored."),
    said,
    el("div.bar", {}, yes, no),
  );
  const work = async () => {
    fill(said, "Taking back…");
    try {
      await postJSON("/api/import/take-back", { import: one.id });
      dialog.close();
      await redraw();
    } catch (error) {
      fill(said, problem(error));
    }
  };
  yes.addEventListener("click", () => once([yes, no], work));
  dialog.addEventListener("close", () => (dialog.remove(), button.focus()));
  button.closest(".cgl").append(dialog);
  dialog.showModal();
}

function renameCard(project, redraw, choose) {
  const field = (label, value) =>
    el(
      "label.field",
      {},
      label,
      el("input.txt", { type: "text", value, maxlength: "120", required: true, dir: "auto" }),
    );
  const title = field("Title", project.title);
  const name = field("Name in links and commands", project.name);
  const said = el("p.s", { role: "status" });
  const keep = el("button.btn", { type: "submit" }, "Rename");
  const work = async () => {
    try {
      const done = await postJSON("/api/project/rename", {
        project: project.name,
        title: title.querySelector("input").value,
        name: name.querySelector("input").value,
      });
      const address = query({ manage: done.name, project: done.name });
      history.replaceState(null, "", location.pathname + address);
      await choose(done.name);
      await redraw(done.name);
    } catch (error) {
      fill(said, problem(error));
    }
  };
  const rename = (event) => (event.preventDefault(), once(keep, work));
  return el(
    "section.card",
    { "aria-label": "Rename" },
    el(
      "header",
      {},
      el("h2", {}, "Rename"),
      el(
        "span.r",
        {},
        "Links and commands with the earlier name go on working until another project has it.",
      ),
    ),
    el("form.bar.ask", { onsubmit: rename }, title, name, keep),
    said,
  );
}

function deleteCard(project, page) {
  let state = "";
  let file = "";
  const said = el("p.s", { role: "status" });
  const save = el("button.btn", { type: "button" }, "1. Export all of it");
  const typed = el("input.txt", { type: "text", autocomplete: "off", spellcheck: "false" });
  const label = el("label.field", {}, `Type “${project.name}” to delete it`, typed);
  const end = el("button.btn", { type: "submit", disabled: true }, "2. Delete the project");
  const ready = () => (end.disabled = !(state && typed.value.trim() === project.name));
  typed.addEventListener("input", ready);
  const write = async () => {
    fill(said, "Writing the export, and reading it again…");
    try {
      ({ state, file } = await download(project.name));
      fill(said, `${file} holds all of the project; importing it brings all back.`);
    } catch (error) {
      state = "";
      fill(said, problem(error));
    }
    ready();
  };
  const work = async () => {
    fill(said, "Deleting…");
    try {
      const done = await postJSON("/api/project/delete", {
        project: project.name,
        typed: typed.value,
        state,
      });
      history.replaceState(null, "", "/");
      fill(page, ...gone(done, file));
    } catch (error) {
      fill(said, problem(error));
    }
  };
  save.addEventListener("click", () => once(save, write));
  const remove = (event) => (event.preventDefault(), once(end, work));
  return el(
    "section.card",
    { "aria-label": "Delete" },
    el(
      "header",
      {},
      el("h2", {}, "Delete"),
      el("span.r", {}, "All questions, answers and ratings go, those by people too. The export holds them."),
    ),
    el("div.bar", {}, save),
    el("form.bar.ask", { onsubmit: remove }, label, end),
    said,
  );
}

/** Save the export of a project as a file; the state of the project that it holds. */
async function download(name) {
  const reply = await ask(`/api/project/export${query({ project: name })}`, { credentials: "same-origin" });
  if (!reply.ok) {
    const told = await reply.json().catch(() => null);
    throw new Error(told?.error || `The server refused (status ${reply.status}).`);
  }
  const file = `${name.replace(/[^\p{L}\p{N}_-]+/gu, "-")}.zip`;
  const address = URL.createObjectURL(await reply.blob());
  el("a", { href: address, download: file }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  return { state: reply.headers.get("x-cograde-state") ?? "", file };
}

function gone(done, file) {
  const free = (done.free_bytes / 1e6).toLocaleString("en", { maximumFractionDigits: 1 });
  document.title = `Deleted: ${done.title} · Cograde`;
  return [
    el("div.top", {}, el("div", {}, el("h1", { tabindex: "-1" }, `Deleted: ${done.title}`))),
    el(
      "section.card",
      {},
      el("p", {}, `To bring it back, import ${file}.`),
      el("p.s.m", {}, `The workspace keeps its size; ${free} MB in it are free for what comes next.`),
      el("div.bar", {}, el("a.btn.p", { href: "/" }, "All projects")),
    ),
  ];
}
