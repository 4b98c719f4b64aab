// Making elements. Texts go in as text nodes only: data never become markup here.

/** `el("button.btn.xs", {onclick, "aria-pressed": "true"}, "text", child)`; attributes that are null or false are left out. */
export function el(spec, attributes = {}, ...children) {
  const [tag, ...classes] = spec.split(".");
  const node = document.createElement(tag || "div");
  if (classes.length) node.className = classes.join(" ");
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, set] of Object.entries(value)) node.style.setProperty(key, set);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Take everything out of a node and put `children` in. */
export function fill(node, ...children) {
  node.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Take everything out of a node. */
export function clear(node) {
  return fill(node);
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
