// Adjudicate: the list of cells on which people differ, one cell with what they said, and the keyboard as at
// the desk.
import { Clock } from "../desk/clock.js";
import { CTRL } from "../desk/dom.js";
import { listen } from "../desk/keys.js";
import { digitValue, isTrack, yesNoValue } from "../desk/scale.js";
import { openStore } from "../desk/store.js";
import { getJSON, postJSON } from "../lead/api.js";
import { el, fill } from "../lead/el.js";
import { arrived, empty, frame, problem } from "../lead/frame.js";
import { follow, go, here } from "../lead/url.js";
import { cardView, footView } from "./card.js";
import { listView, nothing } from "./list.js";

const words = {
  value: "Choose a value first.",
  reason: "Write why, in a sentence: those who said otherwise read it.",
  saving: "Saving…",
  saved: "Saved.",
  undone: "Taken back.",
  noUndo: "Nothing to take back here.",
  back: "Back to it",
};

export async function start(mount) {
  const { main, project } = await frame(mount, "/adjudicate");
  if (!project) return empty(main, "There is nothing to adjudicate yet.");
  await new Adjudicate(mount, main, project).begin();
}

/** Press the button of the head that asks for a name. */
function sayWho() {
  /** @type {HTMLElement | null} */
  const who = document.querySelector(".cgl .who");
  who?.click();
}

class Adjudicate {
  constructor(mount, main, project) {
    this.mount = mount;
    this.main = main;
    this.project = project;
    this.list = null;
    this.card = null;
    this.shown = null;
    this.view = null;
    this.settled = [];
    this.token = 0;
    this.store = openStore();
    this.cards = new Map();
    this.said = el("p.s", { role: "status", "aria-live": "polite" });
    this.side = el("div");
    this.middle = el("div.adj-main");
    this.foot = el("footer.adj-foot");
    this.clock = new Clock(
      (ms) => this.card && this.change({ seconds: (this.draft().seconds ?? 0) + ms / 1000 }),
    );
  }

  async begin() {
    fill(this.main, el("div.adj", {}, this.side, this.middle), this.foot);
    this.clock.follow(document);
    listen(this.mount, (action, digit) => this.act(action, digit));
    document.addEventListener("keydown", (event) => this.letter(event), { capture: true });
    await follow(() => this.draw());
  }

  // What is shown
  // -----------------------------------------------------------------------------------------------

  get asked() {
    const { show = "left", criterion: only = "", subject, cell, part = "", p = 1 } = here();
    return { show, only: subject ? "" : only, subject, cell, part, p, criterion: subject ? only : "" };
  }

  async draw() {
    const mine = ++this.token;
    const asked = this.asked;
    try {
      const key = JSON.stringify([asked.show, asked.only, asked.p]);
      while (this.listed !== key) {
        await this.load(key);
        if (mine !== this.token) return;
      }
      const chosen = asked.cell
        ? { cell: Number(asked.cell) }
        : asked.subject
          ? { subject: Number(asked.subject), criterion: asked.criterion, part: asked.part }
          : this.list.rows[0]
            ? { cell: this.list.rows[0].cell }
            : null;
      this.clock.tick();
      const card = chosen ? await this.fetch(chosen) : null;
      if (mine !== this.token) return; // a value is given to what is shown
      this.card = card;
      this.paint();
    } catch (error) {
      if (mine === this.token) fill(this.middle, problem(error));
    }
  }

  async load(key) {
    const { show, only, p } = this.asked;
    const mine = (this.loading = {});
    const found = await getJSON("/api/adjudicate", { project: this.project, show, criterion: only, page: p });
    if (mine !== this.loading) return; // a later question has overtaken this one
    this.list = found;
    this.listed = key ?? JSON.stringify([show, only, p]);
  }

  fetch(chosen) {
    if (!chosen.cell) return getJSON("/api/adjudicate/cell", { project: this.project, ...chosen });
    const known = this.cards.get(chosen.cell);
    if (known) return known;
    const asked = getJSON("/api/adjudicate/cell", { project: this.project, ...chosen });
    this.cards.set(chosen.cell, asked);
    asked.catch(() => this.cards.delete(chosen.cell));
    return asked;
  }

  paint() {
    const { card, list } = this;
    this.paintList();
    const moved = this.shown !== (card?.cell ?? null) && this.middle.contains(document.activeElement);
    this.shown = card?.cell ?? null;
    if (!card) {
      fill(this.middle, nothing(list, this.project), this.said);
      fill(this.foot);
      return arrived(this.main, moved);
    }
    this.view = cardView(card, this.draft(), this.project, {
      choose: (value) => this.choose(value),
      reason: (text) => this.change({ reason: text }),
      judges: () => this.judges(),
      takeBack: () => this.takeBack(card.cell, card.settled.id),
    });
    fill(this.middle, this.view.nodes, this.said);
    fill(
      this.foot,
      footView(card, CTRL, {
        settle: () => this.settle(),
        skip: () => this.step(1),
        undo: () => this.undo(),
      }),
    );
    arrived(this.main, moved); // a field of the last cell is none of this one
    const next = list.rows[list.rows.findIndex((row) => row.cell === card.cell) + 1];
    if (next) this.fetch({ cell: next.cell }).catch(() => null);
  }

  // One's own decision, kept in the browser until the server has it
  // ---------------------------------------------------

  key(cell = this.card.cell) {
    return `adjudicate.${this.project}.${cell}`;
  }

  draft(cell = this.card.cell) {
    return this.store.get(this.key(cell)) ?? {};
  }

  change(changes) {
    const known = this.draft();
    this.store.set(this.key(), {
      ...known,
      save_id: known.save_id ?? crypto.randomUUID?.() ?? `s-${Date.now()}-${Math.random()}`,
      ...changes,
    });
  }

  choose(value) {
    this.change({ value, chosen: true });
    this.view.mark(this.draft());
    this.tell("");
  }

  tell(...content) {
    fill(this.said, ...content);
  }

  async settle() {
    const { card } = this;
    if (!card || this.settled.some((one) => one.cell === card.cell && !one.verdict)) return; // on its way
    this.clock.tick();
    const mine = this.draft();
    if (!mine.chosen) return void (this.tell(words.value), this.view.focusScale());
    if (!mine.reason?.trim()) return void (this.tell(words.reason), this.view.focusReason());
    const body = {
      project: this.project,
      cell: card.cell,
      value: mine.value,
      reason: mine.reason,
      save_id: mine.save_id,
      before: card.settled?.id ?? "",
      seconds: Math.round(10 * (mine.seconds ?? 0)) / 10,
    };
    const done = { cell: card.cell, draft: mine, made: postJSON("/api/adjudicate/settle", body) };
    this.settled.push(done);
    this.tell(words.saving);
    this.cards.delete(card.cell);
    this.leave(card.cell);
    try {
      done.verdict = (await done.made).verdict;
      this.store.remove(this.key(done.cell));
      this.tell(words.saved);
      await this.relist();
    } catch (error) {
      this.settled = this.settled.filter((one) => one !== done);
      this.listed = null;
      const who =
        error.status === 401
          ? [el("button.btn.xs", { type: "button", onclick: sayWho }, "Enter your name")]
          : [];
      this.tell(
        problem(error),
        el(
          "div.bar",
          {},
          el("button.btn.xs", { type: "button", onclick: () => this.open(done.cell) }, words.back),
          who,
        ),
      );
    }
  }

  /** Go on to the next cell; the settled one leaves the list at once. */
  leave(cell) {
    const at = this.list.rows.findIndex((row) => row.cell === cell);
    const next = this.list.rows[at + 1] ?? this.list.rows[at - 1];
    if (at >= 0 && this.list.show === "left") this.list.rows.splice(at, 1);
    this.open(next && next.cell !== cell ? next.cell : null);
  }

  /** The list as the server has it now; what is on the screen stays. */
  async relist() {
    await this.load();
    if (this.card && this.view) this.paintList();
    else await this.draw();
  }

  /** The list scrolls by itself, not with the page: the present cell stays in its sight. */
  paintList() {
    const held = document.activeElement?.closest(".adj-list li");
    const was = this.side.querySelector("ul")?.scrollTop ?? 0;
    fill(
      this.side,
      listView(this.list, this.card?.cell, (cell) => this.open(cell)),
    );
    const rows = this.side.querySelector("ul");
    const on = rows?.querySelector("[aria-current]");
    if (!on) return;
    rows.scrollTop = Math.max(
      on.offsetTop + on.offsetHeight - rows.clientHeight,
      Math.min(was, on.offsetTop),
    );
    if (held) on.focus({ preventScroll: true });
  }

  open(cell) {
    go({ cell: cell ?? "", subject: "", part: "", ...(here().subject ? { criterion: "" } : {}) });
  }

  step(by) {
    const { rows } = this.list;
    // the one that was asked for: two presses are two steps, however late it comes
    const now = Number(here().cell) || this.card?.cell;
    const at = rows.findIndex((row) => row.cell === now);
    const next = rows[at < 0 ? 0 : at + by];
    if (next) this.open(next.cell);
  }

  async judges() {
    const { card } = this;
    if (!card || card.looked || !card.machines || card.asked) return;
    card.asked = true;
    try {
      const asked = postJSON("/api/adjudicate/judges", { project: this.project, cell: card.cell });
      const found = await asked;
      this.cards.set(card.cell, asked);
      if (this.card !== card) return;
      const typing = document.activeElement?.matches("textarea, input[type=text]");
      this.card = found;
      this.paint();
      if (!typing) this.view.focusJudges();
    } catch (error) {
      card.asked = false;
      this.tell(problem(error));
    }
  }

  async undo() {
    const last = this.settled.pop();
    if (!last)
      return this.card?.settled
        ? this.takeBack(this.card.cell, this.card.settled.id)
        : this.tell(words.noUndo);
    try {
      await last.made;
    } catch {
      return this.open(last.cell);
    }
    await this.takeBack(last.cell, last.verdict ?? (await last.made).verdict);
    this.store.set(this.key(last.cell), { ...last.draft, save_id: undefined });
    if (this.card?.cell === last.cell) this.paint();
  }

  async takeBack(cell, verdict) {
    try {
      await postJSON("/api/adjudicate/undo", { project: this.project, cell, verdict });
      this.cards.delete(cell);
      this.settled = this.settled.filter((one) => one.cell !== cell);
      this.listed = null;
      if (Number(here().cell) === cell) await this.draw();
      else this.open(cell);
      this.tell(words.undone);
    } catch (error) {
      this.tell(problem(error));
    }
  }

  // Keys.

  /** `a` is no key of the desk: the next value that somebody gave. */
  letter(event) {
    if (
      event.code !== "KeyA" ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.shiftKey ||
      event.isComposing ||
      event.repeat
    )
      return;
    if (
      document.querySelector("dialog[open]") ||
      event.target.closest?.("textarea, select, input[type=text], input[type=search]") ||
      !this.card
    )
      return;
    event.preventDefault();
    const given = [
      ...new Map(
        this.card.people.filter((one) => !one.stale).map((one) => [String(one.value), one.value]),
      ).values(),
    ];
    if (!given.length) return;
    const mine = this.draft();
    const at = mine.chosen ? given.indexOf(mine.value) : -1;
    this.choose(given[(at + 1) % given.length]);
  }

  act(action, digit) {
    const acts = {
      saveNext: () => this.settle(),
      down: () => this.step(1),
      following: () => this.step(1),
      skip: () => this.step(1),
      up: () => this.step(-1),
      previous: () => this.step(-1),
      undo: () => this.undo(),
      faultOf: () => this.judges(),
      comment: () => this.view?.focusReason(),
      guide: () => this.view?.toggleGuide(),
      help: () => this.foot.querySelector(".adj-keys")?.toggleAttribute("open"),
    };
    if (acts[action]) return void acts[action]();
    if (!this.card) return false;
    const { scale } = this.card.criterion;
    if (action === "notApplicable") return void this.choose(null);
    if (action === "field") return isTrack(scale) ? void this.view.focusField("") : false;
    const meant =
      action === "digit"
        ? digitValue(scale, digit)
        : action === "yes" || action === "no"
          ? yesNoValue(scale, action === "yes")
          : null;
    if (!meant) return false;
    if ("field" in meant) return void this.view.focusField(meant.field);
    return void this.choose(meant.value);
  }
}
