// The entry: fetches what the desk needs, puts it into the page, keeps the address and the browser's events
// in step.
/** @import { Info, KnownInfo, Person, Screen } from "./data.js" */
/** @import { Outbox, Reply } from "./outbox.js" */
/** @import { Api } from "./pool.js" */
/** @import { Store } from "./store.js" */
/** @import { ViewOf } from "./view.js" */
/** @import { Words } from "./words.js" */
import { act, apart, foldedCells, inspect, showPart } from "./acts.js";
import { openBatch, revealDue } from "./batch.js";
import { Desk } from "./desk.js";
import { whoDialog } from "./dialogs.js";
import { el, openedDialog } from "./dom.js";
import { followHistory, keepAddress } from "./history.js";
import { listen } from "./keys.js";
import { showEvidence } from "./marks.js";
import { postJson } from "./outbox.js";
import { leavePractice } from "./practice.js";
import { getJson, spareWords, transport } from "./server.js";
import * as state from "./state.js";
import { openStore } from "./store.js";
import { listenSwipes } from "./swipes.js";
import { followTabs, Tabs } from "./tabs.js";
import { View } from "./view.js";
import { reasonOf } from "./trouble.js";
import { makeWords } from "./words.js";
import { errorPage, loadingPage, unknownQuestion } from "./no_screen.js";

/**
 * What the address asks for.
 * @typedef {{project: string, question: string, screen: number}} Wanted
 */

/**
 * What is around a desk.
 * @typedef {object} DeskEvents
 * @property {() => void} onSignedOut
 * @property {(screen: Screen | null) => void} onScreen
 * @property {() => void} onFocus
 * @property {(counts: {left: number}) => void} onCounts
 */

/**
 * @typedef {object} DeskOf
 * @property {KnownInfo} info
 * @property {string} project
 * @property {Store} store
 * @property {Api} api
 * @property {Tabs} tabs
 * @property {(desk: Desk) => View} makeView
 * @property {DeskEvents} events
 * @property {Words} t
 */

/**
 * Put the review desk into `mount`. Project and question come from the address when they are not given.
 * @param {HTMLElement} mount
 * @param {{project?: string, question?: string}} wanted
 * @returns {Promise<void>}
 */
export async function start(mount, { project, question } = {}) {
  const address = new URLSearchParams(location.search);
  const wanted = {
    project: project ?? address.get("project") ?? "",
    question: question ?? address.get("question") ?? "",
    screen: Number(address.get("screen")) || 0,
  };
  mount.replaceChildren(loadingPage());
  const tabs = new Tabs();
  /** @type {Reply<Info>} */
  const { status, reply } = await getJson("/api/desk", { project: wanted.project });
  if (status !== 200 || !reply?.person) tabs.close();
  const again = () => start(mount, wanted);
  if (status !== 200 && status !== 401) {
    const t = makeWords(await spareWords(), "en");
    const sentence = reasonOf(t, status, reply) || t(status ? "error.server" : "error.away", { status });
    return mount.replaceChildren(
      el(
        "div",
        { class: "cg", "data-error": String(status) },
        el("section", { class: "cg-plain" }, errorPage({ t, sentence, again })),
      ),
    );
  }
  const info = status === 200 ? reply : null;
  const t = info ? makeWords(info.words, info.language) : makeWords(await spareWords(), "en");
  if (!info?.person) return askName(mount, t, again);
  const known = { ...info, person: info.person };
  return begin(mount, {
    info: known,
    t,
    tabs,
    wanted: { ...wanted, project: wanted.project || info.project.name },
  });
}

/**
 * Nobody is signed in: a name first, then the desk.
 * @param {HTMLElement} mount
 * @param {Words} t
 * @param {() => unknown} then
 */
function askName(mount, t, then) {
  const root = el("div", { class: "cg" }, el("section", { class: "cg-plain" }));
  mount.replaceChildren(root);
  whoDialog(root, {
    t,
    choose: (name, code) => named(t, name, code),
    known: () => {
      dispatchEvent(new Event("cograde:person"));
      then();
    },
  });
}

/**
 * Say a name, with its code where it is in use; what the server says of it.
 * @param {Words} t
 * @param {string} name
 * @param {string} code
 * @returns {Promise<import("./dialogs.js").Named>}
 */
async function named(t, name, code) {
  /** @type {Reply<import("./dialogs.js").Named>} */
  const { status, reply } = await postJson("/api/me", { name, code });
  return status === 200 ? { told: reply?.told } : { error: reply?.error ?? t("who.failed"), ask: reply?.ask };
}

/**
 * @param {HTMLElement} mount
 * @param {{info: KnownInfo, t: Words, tabs: Tabs, wanted: Wanted}} known
 */
async function begin(mount, { info, t, tabs, wanted }) {
  const store = openStore();
  const life = new AbortController();
  /** @type {{desk?: Desk}} */
  const made = {};
  const signedOut = () => {
    if (made.desk) signInAgain(made.desk, t);
  };
  const api = transport(wanted.project, t, signedOut);
  const desk = new Desk({
    info,
    store,
    api,
    tabs,
    t,
    project: wanted.project,
    makeView: (owner) => makeView(mount, owner, t),
    events: {
      onSignedOut: signedOut,
      onScreen: (screen) => keepAddress(wanted.project, screen),
      onFocus: () => inspect(desk),
      onCounts: tellCounts,
    },
  });
  made.desk = desk;
  desk.view.autoMove.setAttribute("aria-pressed", String(desk.autoMove));
  adoptOldName(store, info.person, desk.outbox);
  listen(desk.view.root, (name, detail) => act(desk, name, detail), life.signal);
  followPage(desk, mount, life);
  followTabs(desk, tabs, life.signal);
  await tabs.answered;
  await firstScreen(desk, wanted.question);
  if (wanted.screen) await desk.openById(wanted.screen);
  desk.outbox.flush();
}

/**
 * @param {HTMLElement} mount
 * @param {Desk} desk
 * @param {Words} t
 */
function makeView(mount, desk, t) {
  /** @type {ViewOf["on"]} */
  const on = {
    touch: (a) => desk.inHand.place.a !== a && desk.move({ a, r: 0 }, false),
    fault: (fault, value) => desk.change(state.withFault(desk.inHand.work, fault, value)),
    leavePractice: () => void leavePractice(desk),
    faultTitle: (name) => desk.info.fault_names.find((one) => one.name === name)?.title ?? name,
    removeFault: (one) => desk.change(state.withoutAdded(desk.inHand.screen, desk.inHand.work, one)),
    showMarks: (owner) => showEvidence(desk, desk.card, owner),
    apart: (id) => apart(desk, id),
    folded: (a) => {
      desk.move({ a, r: desk.inHand.place.a === a ? desk.inHand.place.r : 0 }, false);
      foldedCells(desk);
    },
    cell: (a, r, cell) => ({
      touch: () => desk.move({ a, r }, false),
      choose: (value, options) => at(a, r, () => desk.choose(value, options)),
      notApplicable: () => at(a, r, () => desk.decide(state.notApplicable(cell))),
      faultOf: (name) => {
        desk.change(
          state.withFaultOf(
            desk.inHand.work,
            cell,
            desk.inHand.work.marks[cell.id]?.fault_of === name ? "" : name,
          ),
        );
        desk.closeStrip();
        desk.view.cards[a].rows[r].closeStrip();
      },
      evidence: () => at(a, r, () => showEvidence(desk, desk.card, cell.id)),
      details: () => at(a, r, () => showPart(desk, { ...desk.show, details: !desk.show.details })),
    }),
  };
  /**
   * @param {number} a
   * @param {number} r
   * @param {() => void} then
   */
  function at(a, r, then) {
    const { place } = desk.inHand;
    if (place.a !== a || place.r !== r) desk.move({ a, r }, false);
    then();
  }
  const { info, store } = desk;
  return new View(mount, {
    t,
    store,
    project: info.project,
    language: info.language,
    criteria: desk.criteria,
    act: (name, detail) => act(desk, name, detail),
    on,
    settings: info.settings,
    controls: info.settings.controls ? `told.controls.${info.person.id}.${info.project.id}` : "",
  });
}

/**
 * Where the person was before a reload, else the question of the address, else the queue's next.
 * @param {Desk} desk
 * @param {string} question
 */
async function firstScreen(desk, question) {
  const place = desk.drafts.place();
  const reply = await desk.pool.refill({ question });
  desk.takeCounts(reply?.counts);
  if (reply?.unknown !== undefined) return desk.view.showWithFocus(...unknownQuestion(desk, reply.unknown));
  if (revealDue(desk) && (await openBatch(desk))) return undefined;
  const wasHere = place && (!question || place.question === question);
  const elsewhere = desk.tabs.held();
  if (
    wasHere &&
    !elsewhere.has(place.screen) &&
    desk.pool.find(place.screen) < 0 &&
    desk.drafts.read(place.screen)
  ) {
    const kept = await desk.api.screen(place.screen);
    if (kept) desk.pool.insert(kept.screen);
  }
  const index = wasHere ? desk.pool.find(place.screen) : -1;
  if (index >= 0) return desk.open(index);
  const none = reply && question && !desk.pool.list.length;
  await desk.advance();
  const why = [...elsewhere.values()].includes(question)
    ? "say.question_tab"
    : reply?.held
      ? "say.question_held"
      : "say.question_done";
  if (none && desk.entry) desk.view.remark(desk.t(why));
}

/**
 * The cookie was renewed under the same name: what was kept for the old id is sent for the new one.
 * @param {Store} store
 * @param {Person} person
 * @param {Outbox} outbox
 */
function adoptOldName(store, person, outbox) {
  const last = store.get("person");
  if (last && last.id !== person.id && last.name === person.name) outbox.adopt(last.id);
  store.set("person", person);
}

/**
 * The server does not know the person any more: ask again, keep the work.
 * @param {Desk} desk
 * @param {Words} t
 */
function signInAgain(desk, t) {
  if (document.querySelector("dialog[open] #cg-who")) return;
  openedDialog()?.close();
  desk.outbox.stop();
  whoDialog(desk.view.root, {
    t,
    choose: (name, code) => named(t, name, code),
    known: () => {
      desk.outbox.resume();
      desk.fetchAhead();
    },
  });
}

/**
 * The head of the page, drawn by others, follows what is saved here.
 * @param {{left: number}} counts
 */
function tellCounts(counts) {
  dispatchEvent(new CustomEvent("cograde:counts", { detail: counts }));
}

/**
 * Leave and return, size, scrolling, the network: what the browser tells.
 * @param {Desk} desk
 * @param {HTMLElement} mount
 * @param {AbortController} life
 */
function followPage(desk, mount, life) {
  const { view, clock, outbox, pool } = desk;
  const { signal } = life;
  clock.follow(document, signal);
  followHistory(desk, signal);
  const fit = () => {
    view.root.style.setProperty(
      "--top",
      `${Math.max(0, Math.round(mount.getBoundingClientRect().top + window.scrollY))}px`,
    );
    view.root.style.setProperty("--foot", `${view.foot.offsetHeight}px`);
    desk.look();
  };
  fit();
  const sizes = new ResizeObserver(fit);
  for (const node of [document.body, view.foot]) sizes.observe(node);
  let frame = 0;
  const seen = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => desk.look());
  };
  document.addEventListener("scroll", seen, { capture: true, passive: true, signal });
  window.addEventListener("online", () => outbox.hurry(), { signal });
  window.addEventListener("storage", () => outbox.pending || outbox.report("saved"), { signal });
  document.addEventListener(
    "visibilitychange",
    () => {
      if (document.visibilityState === "visible" && outbox.pending) outbox.hurry();
    },
    { signal },
  );
  window.addEventListener(
    "pagehide",
    () => {
      clock.tick();
      if (desk.entry) pool.keep(desk.entry);
      desk.api.release(pool.unopened());
    },
    { signal },
  );
  window.addEventListener(
    "pageshow",
    (event) => {
      if (!event.persisted) return;
      pool.dropUnopened();
      desk.fetchAhead();
    },
    { signal },
  );
  listenSwipes(desk, signal);
}
