// The head that all pages of the lead share, and the place for the page below it.

import { getJSON, postJSON, query } from "./api.js";
import { el, fill } from "./el.js";
import { focusOn, keepPlace } from "../kit/keep.js";
import { here } from "./url.js";
import { keepsNothing } from "../session.js";

export const words = {
  skip: "Skip to the page",
  project: "Project",
  open: "Enter opens this project",
  none: "No project yet",
  who: "Enter your name",
  whoTitle: "The name that colleagues know you by",
  save: "Keep name",
  newCode: "New code",
  noCode: "This browser does not show your code: a new one replaces it.",
  close: "Close",
  mine: "screens wait that you can do",
  bring: "Import questions and answers to begin.",
  choose: "Choose a file",
  refused:
    "This browser keeps no cookies inside other sites, so your work here lasts until you leave this page.",
  ownTab: "Open Cograde in its own tab",
};

/**
 * Draw the head into `mount` for the page at `path`; returns `{main, data, project, choose}`: where the page
 * goes, what the head knows (see /api/frame), the name of the present project ("" where there is none), and a
 * function that makes another project, also one that was not there before, the present one of head and
 * address without leaving the page.
 */
export async function frame(mount, path) {
  mount.classList.add("cgl");
  const main = el("div.mn", { tabindex: "-1" });
  const skip = el(
    "button.skip",
    { type: "button", onclick: () => focusOn(main.querySelector("h1") ?? main) },
    words.skip,
  );
  const head = el("header.hd", {}, el("a.brand", { href: "/" }, "Cograde"));
  const alarm = el("div");
  fill(mount, skip, head, alarm, main);
  keepPlace(mount);
  let data;
  try {
    data = await getJSON("/api/frame", { project: here().project, path });
  } catch (error) {
    fill(main, problem(error));
    throw error;
  }
  if (data.damage) fill(alarm, el("p.alert.damage", { role: "alert" }, data.damage));
  else if (keepsNothing()) fill(alarm, ownTab());
  const project = data.project;
  if (here().project !== project && project) {
    history.replaceState(null, "", location.pathname + query({ ...here(), project }));
  }
  drawHead(head, data, path);
  // A project that is not there keeps its name: the page then asks for it and shows the server's sentence.
  return { main, data, project: project || here().project || "", choose: (name) => choose(head, path, name) };
}

function drawHead(head, data, path) {
  const again = async () =>
    drawHead(head, await getJSON("/api/frame", { project: here().project, path }), path);
  fill(head, head.querySelector(".brand"), picker(data, path));
  head.insertAdjacentHTML("beforeend", data.nav); // made by the server's template, which escapes
  head.append(who(data, again));
}

async function choose(head, path, name) {
  const data = await getJSON("/api/frame", { project: name, path });
  if (data.project !== name) return;
  history.replaceState(null, "", location.pathname + query({ ...here(), project: name }));
  drawHead(head, data, path);
}

/** The way out of a frame in which nothing can be kept. */
function ownTab() {
  const link = el("a", { href: location.href, target: "_blank", rel: "noopener" }, words.ownTab);
  return el("p.alert.frame", { role: "note" }, words.refused, " ", link);
}

/** A sentence that says what went wrong, for the place where the page would be. */
export function problem(error) {
  return el("p.alert", { role: "alert" }, error.message);
}

/**
 * The title of the tab is the heading of the page. After a change of view (`move`) the keyboard goes on from
 * the heading: what had the focus before is gone.
 */
export function arrived(main, move = false) {
  const heading = main.querySelector("h1");
  if (!heading) return;
  document.title = `${heading.textContent} · Cograde`;
  if (move) focusOn(heading);
}

/**
 * The page of a workspace without projects: `heading` says what is missing, a button leads to where it comes
 * from.
 */
export function empty(main, heading) {
  const way = el("div.bar", {}, el("a.btn.p", { href: "/" }, words.choose));
  fill(main, el("section.card.empty", {}, el("h1", {}, heading), el("p.m", {}, words.bring), way));
  arrived(main);
}

function picker(data, path) {
  if (!data.projects.length) return el("span.m", {}, words.none);
  const tip = el("span.tip", { role: "status" });
  let passing = false; // arrows and letters pass from project to project: Enter opens the one they stopped at
  const open = () => location.assign(path + query({ project: select.value }));
  const changed = () => (passing ? fill(tip, select.value === data.project ? null : words.open) : open());
  const select = el("select.pick", { "aria-label": words.project, "data-key": "project", onchange: changed });
  select.addEventListener("pointerdown", () => (passing = false));
  select.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && select.value !== data.project) open();
    passing =
      !event.altKey &&
      (/^(Arrow|Home|End|Page)/u.test(event.key) || (event.key.length === 1 && event.key !== " "));
  });
  select.addEventListener("blur", () => ((select.value = data.project), fill(tip)));
  select.append(
    ...data.projects.map((p) =>
      el("option", { value: p.name, selected: p.name === data.project }, p.title || p.name),
    ),
  );
  return el("span.pickbar", {}, select, tip);
}

function who(data, again) {
  const name = data.person?.name ?? "";
  const letters = name
    .split(/\s+/u)
    .map((word) => [...word][0] ?? "")
    .slice(0, 2)
    .join("")
    .toUpperCase();
  if (name && keepsNothing()) return el("span.nm", { style: { "margin-left": "auto" }, title: name }, name);
  // Where no cookie is kept, the name lasts as long as the page: then the head alone is drawn anew.
  const dialog = nameDialog(data, () => (keepsNothing() ? again() : location.reload()));
  const button = el(
    name ? "button.who" : "button.who.anon",
    { type: "button", onclick: () => dialog.showModal() },
    name ? [el("span", { "aria-hidden": "true" }, letters), el("span.nm", { title: name }, name)] : words.who,
  );
  return el("div", { style: { "margin-left": "auto" } }, button, dialog);
}

function nameDialog(data, named) {
  const typed = (name, more) => el("input", { type: "text", name, autocomplete: "off", ...more });
  const name = data.person?.name ?? "";
  const hasCode = name && data.code !== null; // a visitor needs none
  const field = typed("name", { value: name, maxlength: "80", "aria-label": words.whoTitle, required: true });
  const code = typed("code", { maxlength: "20", autocapitalize: "characters" });
  const asked = el("span");
  const coded = el("label", { hidden: true }, asked, " ", code);
  const said = el("p.m", { role: "status" }, hasCode ? data.code || words.noCode : null);
  const dialog = el("dialog", { "aria-label": words.who });
  const post = async (path) => {
    try {
      const reply = await postJSON(path, { name: field.value, code: code.value });
      dialog.addEventListener("close", named, { once: true });
      if (!reply.told) return dialog.close();
      fill(form, said, el("div.bar", {}, close));
      fill(said, reply.told);
      close.focus();
    } catch (error) {
      fill(said, error.message);
      if (!error.ask) return;
      fill(asked, error.ask);
      coded.hidden = false;
      code.focus();
    }
  };
  const close = el("button.btn", { type: "button", onclick: () => dialog.close() }, words.close);
  const another = el("button.btn", { type: "button", onclick: () => post("/api/me/code") }, words.newCode);
  const keep = el("button.btn.p", { type: "submit" }, words.save);
  const buttons = el("div.bar", {}, keep, hasCode ? another : null, close);
  const onsubmit = (event) => {
    event.preventDefault();
    return post("/api/me");
  };
  const form = el("form.cols", { onsubmit }, el("label", {}, words.whoTitle), field, coded, said, buttons);
  dialog.append(form);
  return dialog;
}
