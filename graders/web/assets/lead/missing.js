// The page of an address that leads nowhere: what was asked for, and where to go on.
import { el, fill } from "./el.js";
import { arrived, frame } from "./frame.js";
import { query } from "./api.js";

export const words = {
  heading: (path) => `There is no page at ${path}.`,
  why: "The address may be mistyped, or the page has another name. All pages stand in the rows above.",
};

export async function start(mount) {
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => document.body.classList.toggle("dark", scheme.matches);
  follow();
  scheme.addEventListener("change", follow);
  const asked = decoded(location.pathname);
  const { main, data, project } = await frame(mount, "");
  const [first] = data.pages;
  const near = data.pages.find(
    (page) =>
      page !== first && (asked.startsWith(page.path) || page.path.startsWith(asked.replace(/\/+$/u, ""))),
  );
  const ways = (near ? [near, first] : [first]).map((page, at) =>
    el(at ? "a.btn" : "a.btn.p", { href: page.path + query({ project }) }, page.nav),
  );
  fill(
    main,
    el(
      "section.card.empty",
      {},
      el("h1", { dir: "auto" }, words.heading(asked)),
      el("p.m", {}, words.why),
      el("div.bar", {}, ways),
    ),
  );
  arrived(main);
  ways[0].focus();
}

/** An address as people read it; one that is not well written stays as it is. */
function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
