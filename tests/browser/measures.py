"""What the tests of looks measure in a page: small targets, texts that leave their card or the
screen, weak contrast, hidden focus."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

_SMALL = """() => {
  const found = [];
  const all = ".cgl a[href], .cgl button, .cgl select, .cgl input, .cgl textarea, .cgl summary, .cgl [tabindex='0']";
  for (const node of document.querySelectorAll(all)) {
    // The field for files is hidden: the button "Choose a file" opens its dialog.
    if (!node.checkVisibility() || node.disabled || node.matches("input.vh")) continue;
    // A tick is set by its label too: the label is the target.
    const box = ["checkbox", "radio"].includes(node.type) && node.closest("label") ? node.closest("label") : node;
    const { width, height } = box.getBoundingClientRect();
    if (width < 43.5 || height < 43.5) found.push(`${node.tagName} ${(node.getAttribute("aria-label") || node.textContent).slice(0, 40)} ${width} x ${height}`);
  }
  return found;
}"""

_OUTSIDE = """() => {
  const found = [];
  const width = document.documentElement.clientWidth;
  const scrolls = (node) => { const x = getComputedStyle(node).overflowX; return (x === "auto" || x === "scroll") };
  for (const node of document.querySelectorAll(".cgl *")) {
    if (!node.checkVisibility() || node.closest(".vh, .pager[hidden]") || ![...node.childNodes].some((c) => c.nodeType === 3 && c.data.trim())) continue;
    let edge = width, box = node.parentElement, inside = false;
    for (; box && !box.classList.contains("cgl"); box = box.parentElement) {
      if (scrolls(box) || getComputedStyle(box).clipPath !== "none") { inside = true; break }
      if (box.classList.contains("card")) { edge = Math.min(edge, box.getBoundingClientRect().right); break }
    }
    if (inside || scrolls(node)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { right } = range.getBoundingClientRect();
    if (right > edge + 0.5) found.push(`${node.textContent.trim().slice(0, 40)} ends at ${right}, its place at ${edge}`);
  }
  return found;
}"""

# What stands beside something in a grid or a row keeps to its own width: what is wider lies over
# its neighbour.
_OVER = """() => {
  const found = [];
  const said = (node) => { const range = document.createRange(); range.selectNodeContents(node); return range.getBoundingClientRect() };
  for (const box of document.querySelectorAll(".cgl *")) {
    const { display } = getComputedStyle(box);
    if (!(display.endsWith("grid") || display.endsWith("flex")) || !box.checkVisibility()) continue;
    const parts = [...box.children].filter((part) => part.textContent.trim() && part.checkVisibility() && !part.matches('details, :has(details, select)') && getComputedStyle(part).overflowX === "visible" && getComputedStyle(part).position === "static");
    const all = parts.map((part) => ({ text: part.textContent.trim().slice(0, 40), at: said(part), own: part.getBoundingClientRect() }));
    for (const a of all) for (const b of all) {
      if (a === b || a.at.right < a.own.right + 2 || a.at.right < b.at.left + 2 || a.own.right > b.own.left + 1) continue;
      if (Math.min(a.at.bottom, b.at.bottom) - Math.max(a.at.top, b.at.top) > 2) found.push(`${a.text} over ${b.text}`);
    }
  }
  return found;
}"""

# A list to choose from has an arrow; an example in an empty field is set apart from a value; a
# field of several lines shows them all.
_UNCLEAR = """() => {
  const found = [];
  const name = (node) => node.getAttribute("aria-label") || node.closest("label")?.textContent.slice(0, 40) || node.placeholder;
  for (const node of document.querySelectorAll(".cgl select, .cgl input, .cgl textarea")) {
    if (!node.checkVisibility()) continue;
    const own = getComputedStyle(node), example = getComputedStyle(node, "::placeholder");
    if (node.matches("select") && own.backgroundImage === "none") found.push(`no arrow: ${name(node)}`);
    if (node.placeholder && (example.color === own.color || example.fontStyle !== "italic")) found.push(`like a value: ${name(node)}`);
    if (node.matches(".rub-field textarea") && node.scrollHeight > node.clientHeight + 1) found.push(`cut off: ${name(node)}`);
  }
  return found;
}"""

# WCAG 2.2, 1.4.3: (L1 + 0.05) / (L2 + 0.05) with relative luminance L; colours are read back from a
# canvas, which knows all notations.
_PALE = """() => {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => { pen.clearRect(0, 0, 1, 1); pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1); const d = pen.getImageData(0, 0, 1, 1).data; return [d[0], d[1], d[2], d[3] / 255] };
  const over = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
  const light = (c) => { const f = c.slice(0, 3).map((v) => ((v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)); return 0.2126 * f[0] + 0.7152 * f[1] + 0.0722 * f[2] };
  const found = new Set();
  const walk = document.createTreeWalker(document.querySelector(".cgl"), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || !node.checkVisibility() || node.closest(":disabled, option, .vh")) continue;
    let ground = [255, 255, 255, 1], seen = 1;
    const line = [];
    for (let up = node; up; up = up.parentElement) line.unshift(up);
    for (const up of line) { const style = getComputedStyle(up); ground = over(rgba(style.backgroundColor), ground); seen *= style.opacity }
    const ink = rgba(getComputedStyle(node).color);
    const [a, b] = [light(over([...ink.slice(0, 3), ink[3] * seen], ground)), light(ground)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) found.add(`${walk.currentNode.data.trim().slice(0, 30)} ${ratio.toFixed(2)}`);
  }
  return [...found];
}"""

_FOCUSED = """() => {
  const node = document.activeElement;
  if (!node || !node.closest(".cgl, .k-page")) return null;
  const style = getComputedStyle(node);
  return { name: node.getAttribute("aria-label") || (node.labels?.[0] ?? node).textContent.trim().slice(0, 40), seen: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 };
}"""


def small_targets(page: Page) -> list[str]:
    """Whatever can be pressed or typed into and is smaller than 44 x 44 CSS pixels."""
    return list(page.evaluate(_SMALL))


def texts_outside(page: Page) -> list[str]:
    """Texts whose right edge lies outside their card or the screen; what stands in a box that
    scrolls may."""
    return list(page.evaluate(_OUTSIDE))


def texts_over_texts(page: Page) -> list[str]:
    """Neighbours in a grid or a row whose texts are drawn over each other."""
    return list(page.evaluate(_OVER))


def pale_texts(page: Page) -> list[str]:
    """Texts with less than 4.5 to 1 against their ground (WCAG AA)."""
    return list(page.evaluate(_PALE))


def unclear_fields(page: Page) -> list[str]:
    """Lists without their arrow, examples that look like values, and fields whose text is cut
    off."""
    return list(page.evaluate(_UNCLEAR))


def overflow(page: Page) -> int:
    """Pixels by which the page can be scrolled sideways."""
    return int(
        page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    )


def focused(page: Page) -> dict[str, Any] | None:
    """Name of what has the focus, and whether an outline shows it; None outside the page's own
    part."""
    return page.evaluate(_FOCUSED)


def tab_to(page: Page, name: str, most: int = 120) -> None:
    """Press Tab until the element of that name has the focus."""
    met: list[str] = []
    for _ in range(most):
        page.keyboard.press("Tab")
        now = focused(page)
        if now and now["name"].startswith(name):
            assert now["seen"], f"nothing shows that {name!r} has the focus"
            return
        met.append(now["name"] if now else "outside")
    raise AssertionError(f"{name!r} was not reached by Tab; met were {met}")
