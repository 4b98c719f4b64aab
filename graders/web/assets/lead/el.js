// Making elements. Texts go in as text nodes only: data never become markup here. Signs in them that nobody
// sees are shown.
import { seen } from "../unseen.js";

const given = (children) =>
  children.flat().filter((child) => child !== null && child !== undefined && child !== false);

/**
 * `el("button.btn.xs", {onclick, "aria-pressed": "true"}, "text", child)`; attributes that are null or false
 * are left out.
 */
export function el(spec, attributes = {}, ...children) {
  const [tag, ...classes] = spec.split(".");
  const node = document.createElement(tag || "div");
  if (classes.length) node.className = classes.join(" ");
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style")
      for (const [key, set] of Object.entries(value)) node.style.setProperty(key, set);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...(tag === "textarea" ? given(children) : given(children).flatMap(seen)));
  return node;
}

/** Take everything out of a node and put `children` in. */
export function fill(node, ...children) {
  node.replaceChildren(...given(children).flatMap(seen));
  return node;
}

/** Take everything out of a node. */
export function clear(node) {
  return fill(node);
}

/**
 * Do `work` for a pressed button, or for one of several, once at a time: it says that it waits, and keeps the
 * focus, which a disabled one would lose.
 */
export async function once(pressed, work) {
  const buttons = [pressed].flat();
  if (buttons.some((button) => button.getAttribute("aria-disabled") === "true")) return;
  for (const button of buttons) button.setAttribute("aria-disabled", "true");
  try {
    await work();
  } finally {
    for (const button of buttons) button.removeAttribute("aria-disabled");
  }
}

/** Two buttons to turn pages; nothing where there is one page. */
export function pager(page, pages, go) {
  if (pages < 2) return null;
  return el(
    "div.pager",
    {},
    el("span", {}, `page ${page} of ${pages}`),
    el("button.btn.xs", { onclick: () => go(page - 1), disabled: page <= 1 }, "Previous"),
    el("button.btn.xs", { onclick: () => go(page + 1), disabled: page >= pages }, "Next"),
  );
}
