// The keyboard's place on a page whose parts are drawn anew: the same control has the focus again, what was
// unfolded stays open. Watching the page serves every way of drawing; without it a control that is replaced,
// disabled or hidden drops the focus to the body.

const CONTROLS = "a[href], button, input, select, textarea, summary, [tabindex]";
const HEADING = "h1, h2, h3";

/**
 * What may have the focus: not everything has what some controls have.
 * @typedef {HTMLElement & { disabled?: boolean, type?: string }} Control
 */

/** @param {Node} node */
const words = (node) => (node.textContent ?? "").replace(/\s+/gu, " ").trim();
/** @param {Control} node */
const usable = (node) =>
  node.isConnected && !node.disabled && node.checkVisibility({ visibilityProperty: true });

/**
 * What a control is called: `data-key` where its words change with what it does, a link by where it leads,
 * else what a reader hears.
 * @param {Control} node
 */
function name(node) {
  if (node.dataset.key) return `key ${node.dataset.key}`;
  if (node.matches("a[href]")) return `to ${node.getAttribute("href")}`;
  const label = node.matches("input, select, textarea") ? node.closest("label") : null;
  // The words of a list to choose from are not its name.
  const around =
    label &&
    [...label.childNodes]
      .filter((part) => !part.contains(node))
      .map((part) => (part.textContent ?? "").trim())
      .join(" ");
  return [node.tagName, node.type ?? "", node.getAttribute("aria-label") ?? around ?? words(node)].join(" ");
}

/**
 * A fold is known by its `data-key`, else by its first words: numbers in it change.
 * @param {HTMLElement} node
 */
const fold = (node) => node.dataset.key ?? node.querySelector("summary")?.textContent.split(" (")[0];
/** @param {Element} node */
const section = (node) => node.getAttribute("aria-label") ?? node.querySelector(HEADING)?.textContent;

/** @type {(part: ParentNode, selector: string) => HTMLElement[]} */
const all = (part, selector) => [.../** @type {NodeListOf<HTMLElement>} */ (part.querySelectorAll(selector))];

/** @type {(nodes: Node[], selector: string) => HTMLElement[]} */
const within = (nodes, selector) =>
  nodes.flatMap((node) => {
    if (!(node instanceof Element)) return [];
    return [...(node.matches(selector) ? [/** @type {HTMLElement} */ (node)] : []), ...all(node, selector)];
  });

const free = () => !document.activeElement || document.activeElement === document.body;

/**
 * Whether the hands are still at `from`, or nowhere: who has gone on by the time that a reply comes is not
 * called back.
 * @param {Node | null | undefined} from
 */
export const stillAt = (from) => free() || Boolean(from?.contains(document.activeElement));

/**
 * Give `node` the focus; what may not have it by itself (a heading, a status line) may from now on.
 * @param {HTMLElement | null} node
 * @param {FocusOptions} [options]
 */
export function focusOn(node, options) {
  if (!node) return;
  if (!node.matches(CONTROLS)) node.tabIndex = -1;
  node.focus(options);
}

/**
 * Watch `mount`, the part of the page that is ours.
 * @param {HTMLElement} mount
 */
export function keepPlace(mount) {
  /** @type {Control | null} */
  let last = null; // what had the focus last, and was not left
  let keys = false; // it got there by the keyboard
  let away = false; // the page was scrolled by hand since then: it is not scrolled back
  mount.addEventListener("focusin", (event) => {
    last = /** @type {Control} */ (event.target);
    keys = last.matches(":focus-visible");
    away = false;
  });
  // between two controls nothing has the focus: what is drawn just then takes none back
  let between = false;
  /** @param {FocusEvent} event */
  const left = (event) => {
    between = true;
    setTimeout(() => {
      between = false;
      if (last && last === event.target && free() && usable(last)) last = null;
    });
  };
  mount.addEventListener("blur", left, true);
  const scrolled = () => {
    away = true;
  };
  for (const kind of ["wheel", "touchmove"]) addEventListener(kind, scrolled, { passive: true });

  /** @param {Control} control */
  const lost = (control) => {
    const on = document.activeElement === control;
    return (free() || on) && !(on && usable(control));
  };

  /** @param {HTMLElement} node */
  function give(node, scroll = true) {
    const stay = away; // the focus itself would forget it: focusin comes at once
    focusOn(node, { preventScroll: true });
    away = stay;
    if (scroll && !stay) node.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  keepOpen(mount);
  new MutationObserver((records) => {
    const changes = records.filter((record) => record.type === "childList");
    for (const place of new Set(changes.map((record) => record.target))) unfold(place, changes);
    if (!last || !lost(last)) return;
    if (usable(last)) return void (between || give(last));
    if (last.isConnected && last.disabled) return; // while something is asked for
    const taken = changes.find((record) => [...record.removedNodes].some((node) => node.contains(last)));
    const place = taken?.target.isConnected ? /** @type {HTMLElement} */ (taken.target) : mount;
    const same = taken && again(place, last, changes);
    if (same) {
      give(same);
      return caret(last, same);
    }
    // A hand on the mouse shall not see the page jump to a heading.
    const other = instead(place, last, mount);
    if (other) give(other, keys);
  }).observe(mount, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["disabled", "hidden"],
  });
}

/**
 * A fold that was opened by hand stays open where a part is drawn into the nodes that stand there, which
 * takes `open` off. Another fold's words in them are another fold.
 * @param {HTMLElement} mount
 */
function keepOpen(mount) {
  /** @type {WeakMap<Node, string | undefined>} */
  const opened = new WeakMap();
  mount.addEventListener("click", (event) => {
    const summary = /** @type {HTMLElement} */ (event.target).closest("summary");
    const node = /** @type {HTMLDetailsElement | null | undefined} */ (summary?.parentElement);
    if (!node?.matches("details:not(.menu)")) return;
    if (node.open) opened.delete(node);
    else opened.set(node, fold(node));
  });
  new MutationObserver((records) => {
    for (const record of records) {
      const node = /** @type {HTMLDetailsElement} */ (record.target);
      if (!node.open && opened.has(node) && opened.get(node) === fold(node)) node.open = true;
    }
  }).observe(mount, { subtree: true, attributes: true, attributeFilter: ["open"] });
}

/** @param {Node} node */
const selects = (node) => node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement;

/**
 * Typing goes on where it was.
 * @param {HTMLElement} last
 * @param {HTMLElement} now
 */
function caret(last, now) {
  if (!selects(last) || !selects(now)) return;
  const at = last.selectionStart ?? null; // null where there is none
  if (at !== null && now.selectionStart !== null)
    now.setSelectionRange(Math.min(at, now.value.length), Math.min(at, now.value.length));
}

/** @type {(which: "addedNodes" | "removedNodes", place: Node, changes: MutationRecord[]) => Node[]} */
const nodes = (which, place, changes) =>
  changes.filter((record) => record.target === place).flatMap((record) => [...record[which]]);
/** @type {(place: Node, changes: MutationRecord[]) => Node[]} */
const removed = (place, changes) => nodes("removedNodes", place, changes);

/** @param {Node[]} nodes */
const folds = (nodes) => /** @type {HTMLDetailsElement[]} */ (within(nodes, "details"));

/**
 * Folds that were open in what was taken out of `place` are open in what was put in. Of several with one name
 * the one that stands where that stood, if it says the same: else it is of something else. A menu closes when
 * something of it is chosen.
 * @param {Node} place
 * @param {MutationRecord[]} changes
 */
function unfold(place, changes) {
  if (!place.isConnected) return;
  const gone = new Set(folds(removed(place, changes)));
  if (![...gone].some((node) => node.open)) return;
  const came = new Set(folds(nodes("addedNodes", place, changes)));
  // not what was drawn and replaced at once
  const before = [...gone].filter((node) => !node.isConnected && !came.has(node));
  const now = [...came].filter((node) => node.isConnected && !gone.has(node));
  for (const node of before.filter((one) => one.open && !one.matches(".menu:not([data-key])"))) {
    const [same, there] = [before, now].map((some) => some.filter((one) => fold(one) === fold(node)));
    const next = same.length === there.length ? there[same.indexOf(node)] : null;
    if (next && (same.length === 1 || next.textContent === node.textContent)) next.open = true;
  }
}

/**
 * The control in `place` that is what `last` was before it was taken out: of several the one that stands
 * where that stood.
 * @param {HTMLElement} place
 * @param {Control} last
 * @param {MutationRecord[]} changes
 */
function again(place, last, changes) {
  if (last.matches(HEADING)) return all(place, last.tagName).find(usable);
  /** @param {Control} node */
  const same = (node) => name(node) === name(last);
  const before = within(removed(place, changes), CONTROLS).filter(same).indexOf(last);
  const now = all(place, CONTROLS).filter((node) => same(node) && usable(node));
  return now[before] ?? now.at(-1);
}

/**
 * Where the keyboard goes on when a control is gone: what is said in its place, else the heading of its card,
 * else that of the page.
 * @param {HTMLElement} place
 * @param {Control} last
 * @param {HTMLElement} mount
 */
function instead(place, last, mount) {
  const old = last.closest("section");
  const sections =
    old && !old.isConnected ? all(place, "section").filter((node) => section(node) === section(old)) : [];
  const said = all(place, ":scope > [role=status]").filter(words);
  const cards = [...sections, ...(old?.isConnected ? [old] : []), place.closest("section")];
  /** @type {(part: Element | null) => HTMLElement[]} */
  const heading = (part) => (part ? all(part, HEADING).slice(0, 1) : []);
  const title = all(mount, "h1").slice(0, 1);
  return [...said, ...cards.flatMap(heading), ...title].find(usable);
}
