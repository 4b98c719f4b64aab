// The keyboard's place on a page whose parts are drawn anew: the same control has the focus again, what was
// unfolded stays open. Watching the page serves every way of drawing; without it a control that is replaced,
// disabled or hidden drops the focus to the body.

const CONTROLS = "a[href], button, input, select, textarea, summary, [tabindex]";
const HEADING = "h1, h2, h3";

const words = (node) => node.textContent.replace(/\s+/gu, " ").trim();
const usable = (node) =>
  node.isConnected && !node.disabled && node.checkVisibility({ visibilityProperty: true });

/**
 * What a control is called: `data-key` where its words change with what it does, a link by where it leads,
 * else what a reader hears.
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
      .map((part) => part.textContent.trim())
      .join(" ");
  return [node.tagName, node.type ?? "", node.getAttribute("aria-label") ?? around ?? words(node)].join(" ");
}

/** A fold is known by its `data-key`, else by its first words: numbers in it change. */
const fold = (node) => node.dataset.key ?? node.querySelector("summary")?.textContent.split(" (")[0];
const section = (node) => node.getAttribute("aria-label") ?? node.querySelector(HEADING)?.textContent;

const within = (nodes, selector) =>
  nodes.flatMap((node) =>
    node.nodeType === 1
      ? [...(node.matches(selector) ? [node] : []), ...node.querySelectorAll(selector)]
      : [],
  );

const free = () => !document.activeElement || document.activeElement === document.body;

/**
 * Whether the hands are still at `from`, or nowhere: who has gone on by the time that a reply comes is not
 * called back.
 */
export const stillAt = (from) => free() || Boolean(from?.contains(document.activeElement));

/** Give `node` the focus; what may not have it by itself (a heading, a status line) may from now on. */
export function focusOn(node, options) {
  if (!node.matches(CONTROLS)) node.tabIndex = -1;
  node.focus(options);
}

/** Watch `mount`, the part of the page that is ours. */
export function keepPlace(mount) {
  let last = null; // what had the focus last, and was not left
  let keys = false; // it got there by the keyboard
  let away = false; // the page was scrolled by hand since then: it is not scrolled back
  mount.addEventListener(
    "focusin",
    (event) => ((last = event.target), (keys = last.matches(":focus-visible")), (away = false)),
  );
  // between two controls nothing has the focus: what is drawn just then takes none back
  let between = false;
  const left = (event) => {
    between = true;
    setTimeout(() => {
      between = false;
      if (last === event.target && free() && usable(last)) last = null;
    });
  };
  mount.addEventListener("blur", left, true);
  for (const kind of ["wheel", "touchmove"]) addEventListener(kind, () => (away = true), { passive: true });

  const lost = () =>
    last && (free() || document.activeElement === last) && !(document.activeElement === last && usable(last));

  function give(node, scroll = true) {
    const stay = away; // the focus itself would forget it: focusin comes at once
    focusOn(node, { preventScroll: true });
    away = stay;
    if (scroll && !stay) node.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  new MutationObserver((records) => {
    const changes = records.filter((record) => record.type === "childList");
    for (const place of new Set(changes.map((record) => record.target))) unfold(place, changes);
    if (!lost()) return;
    if (usable(last)) return void (between || give(last));
    if (last.isConnected && last.disabled) return; // while something is asked for
    const taken = changes.find((record) => [...record.removedNodes].some((node) => node.contains(last)));
    const place = taken?.target.isConnected ? taken.target : mount;
    const same = taken && again(place, last, changes);
    if (same) return void (give(same), caret(last, same));
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

/** Typing goes on where it was. */
function caret(last, now) {
  const at = last.selectionStart ?? null; // null where there is none
  if (at !== null && now.selectionStart !== null)
    now.setSelectionRange(Math.min(at, now.value.length), Math.min(at, now.value.length));
}

const nodes = (which, place, changes) =>
  changes.filter((record) => record.target === place).flatMap((record) => [...record[which]]);
const removed = (place, changes) => nodes("removedNodes", place, changes);

/**
 * Folds that were open in what was taken out of `place` are open in what was put in. Of several with one name
 * the one that stands where that stood, if it says the same: else it is of something else. A menu closes when
 * something of it is chosen.
 */
function unfold(place, changes) {
  if (!place.isConnected) return;
  const gone = new Set(within(removed(place, changes), "details"));
  if (![...gone].some((node) => node.open)) return;
  const came = new Set(within(nodes("addedNodes", place, changes), "details"));
  // not what was drawn and replaced at once
  const before = [...gone].filter((node) => !node.isConnected && !came.has(node));
  const now = [...came].filter((node) => node.isConnected && !gone.has(node));
  for (const node of before.filter((one) => one.open && !one.matches(".menu:not([data-key])"))) {
    const [same, there] = [before, now].map((folds) => folds.filter((one) => fold(one) === fold(node)));
    const next = same.length === there.length ? there[same.indexOf(node)] : null;
    if (next && (same.length === 1 || next.textContent === node.textContent)) next.open = true;
  }
}

/**
 * The control in `place` that is what `last` was before it was taken out: of several the one that stands
 * where that stood.
 */
function again(place, last, changes) {
  if (last.matches(HEADING)) return [...place.querySelectorAll(last.tagName)].find(usable);
  const same = (node) => name(node) === name(last);
  const before = within(removed(place, changes), CONTROLS).filter(same).indexOf(last);
  const now = [...place.querySelectorAll(CONTROLS)].filter((node) => same(node) && usable(node));
  return now[before] ?? now.at(-1);
}

/**
 * Where the keyboard goes on when a control is gone: what is said in its place, else the heading of its card,
 * else that of the page.
 */
function instead(place, last, mount) {
  const old = last.closest("section");
  const sections =
    old && !old.isConnected
      ? [...place.querySelectorAll("section")].filter((node) => section(node) === section(old))
      : [];
  const said = [...place.querySelectorAll(":scope > [role=status]")].filter(words);
  const cards = [...sections, ...(old?.isConnected ? [old] : []), place.closest("section")].filter(Boolean);
  return [...said, ...cards.map((node) => node.querySelector(HEADING)), mount.querySelector("h1")].find(
    (node) => node && usable(node),
  );
}
