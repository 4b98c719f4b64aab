// Tabs of one browser tell each other which screens they have in hand, so that each is given others and none
// is graded twice.
/** @import { Id } from "./data.js" */
/** @import { Desk } from "./desk.js" */
/** @import { Entry } from "./pool.js" */
import { button, el } from "./dom.js";
import { paintState } from "./counts.js";
import { newId } from "./store.js";

/** @typedef {[screen: Id, question: string]} InHand */
/** @typedef {{tab: string, since: number, screens: InHand[], ask?: boolean}} News of a tab */
/** @typedef {{tab: string, since: number, screens: Map<Id, string>}} Other another tab */

const CHANNEL = "cograde-desk";
/**
 * So long a new tab waits for the others to answer, in milliseconds: they need a few, unless the browser has
 * put them to sleep.
 */
const ANSWER_MS = 80;
const LOOK_MS = 300;

/** The other tabs as this one knows them: `held()` are their screens, by id, each with its question. */
export class Tabs {
  constructor() {
    this.id = newId();
    this.since = Date.now();
    /** @type {Map<string, Other>} */
    this.others = new Map();
    /** @type {() => InHand[]} */
    this.mine = () => [];
    this.onNews = () => {};
    this.told = "[]";
    this.channel = new BroadcastChannel(CHANNEL);
    this.channel.onmessage = ({ data }) => this.hear(data);
    this.send({ ask: true });
    this.answered = new Promise((done) => setTimeout(done, ANSWER_MS));
  }

  /** @param {{ask?: boolean}} more */
  send(more = {}) {
    const screens = this.mine();
    this.told = JSON.stringify(screens);
    this.channel.postMessage({ tab: this.id, since: this.since, screens, ...more });
  }

  /** Say what this tab has in hand, where that has changed. */
  tell() {
    if (JSON.stringify(this.mine()) !== this.told) this.send();
  }

  /** @param {News} news */
  hear({ tab, since, screens, ask }) {
    if (screens.length) this.others.set(tab, { since, tab, screens: new Map(screens) });
    else this.others.delete(tab);
    if (ask) this.send();
    this.onNews();
  }

  /** @returns {Map<Id, string>} */
  held() {
    return new Map([...this.others.values()].flatMap((other) => [...other.screens]));
  }

  /**
   * Whether a tab that was opened before this one has the screen.
   * @param {Id} screen
   */
  isOlders(screen) {
    /** @param {Other} other */
    const earlier = (other) =>
      other.since < this.since || (other.since === this.since && other.tab < this.id);
    return [...this.others.values()].some((other) => other.screens.has(screen) && earlier(other));
  }

  close() {
    this.mine = () => [];
    this.send();
    this.channel.close();
  }
}

/**
 * Keep a desk and the other tabs in step, until the page is left.
 * @param {Desk} desk
 * @param {Tabs} tabs
 * @param {AbortSignal} signal
 */
export function followTabs(desk, tabs, signal) {
  let later = 0;
  tabs.mine = () => desk.pool.waiting().map(({ screen }) => [screen.id, screen.question.id]);
  tabs.onNews = () => {
    yieldTo(desk, tabs);
    clearTimeout(later);
    if (waitsForOthers(desk)) later = setTimeout(() => waitsForOthers(desk) && desk.advance(), LOOK_MS);
  };
  window.addEventListener(
    "pagehide",
    () => tabs.channel.postMessage({ tab: tabs.id, since: tabs.since, screens: [] }),
    { signal },
  );
  window.addEventListener("pageshow", (event) => event.persisted && tabs.send({ ask: true }), { signal });
  signal.addEventListener("abort", () => tabs.close());
}

/**
 * Of screens that two tabs came by at once the older tab keeps them, and this one goes on; work that was
 * begun here is not thrown away.
 * @param {Desk} desk
 * @param {Tabs} tabs
 */
async function yieldTo(desk, tabs) {
  const { pool, entry } = desk;
  /** @type {(one: Entry) => boolean} */
  const theirs = (one) => !one.done && tabs.isOlders(one.screen.id);
  const leave = entry && theirs(entry) && !entry.dirty;
  /** @type {(one: Entry) => boolean} */
  const stay = (one) => !theirs(one) || one.dirty;
  if (pool.list.every(stay)) return;
  const current = pool.current;
  pool.list = pool.list.filter(stay);
  pool.at = pool.list.indexOf(current);
  paintState(desk);
  if (!leave) return desk.fetchAhead();
  await desk.advance();
  return desk.entry && desk.view.remark(desk.t("say.other_tab"));
}

/** @type {(desk: Desk) => boolean} */
const waitsForOthers = (desk) =>
  Boolean(desk.view.plain.querySelector("[data-tabs]")) && !desk.view.plain.hidden;

/**
 * Where another tab has all that is left.
 * @param {Desk} desk
 */
export function othersPage(desk) {
  const { t, tabs } = desk;
  const again = button(t("tabs.again"), "", () => desk.advance(), { class: "primary" });
  return [
    el("h1", { tabindex: "-1", "data-tabs": "" }, t("tabs.title")),
    el("p", {}, t("tabs.text", { n: tabs.held().size })),
    el("p", { class: "cg-line center" }, again),
  ];
}
