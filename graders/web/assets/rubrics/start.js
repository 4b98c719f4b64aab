// Rubrics: form and text side by side, checked while they are typed, what would change, a try on an answer,
// versions.
import { openStore } from "../desk/store.js";
import { getJSON, postJSON, query } from "../lead/api.js";
import { el, fill } from "../lead/el.js";
import { arrived, empty, frame, problem } from "../lead/frame.js";
import { follow, go, here } from "../lead/url.js";
import { againCard, changesCard, versionsCard } from "./changes.js";
import { formCard } from "./form.js";
import { tryCard } from "./try.js";

const words = {
  sub:
    "A rubric says what is graded and how. What you type is checked at once and changes nothing " +
    "until you put it in force.",
  text: "Text",
  gallery: "Start from the gallery",
  galleryHint: "Take one as it is, or as a beginning; it counts when you put it in force.",
  take: "Take this one",
  here: "in this project",
  fine: "The text can be used.",
  line: "Go to line",
  kept: "A draft of yours is kept in this browser.",
  drop: "Drop the draft",
  put: "Put in force",
  putNew: "Add to the project",
  done: "In force.",
  raised: (version) => `In force as version ${version}: another text had the version that it named.`,
  byHand: "The guide stands on several lines; add this to it in the text: ",
};
/** Milliseconds without a key press before the text is checked. */
const PAUSE = 250;

export async function start(mount) {
  const { main, project } = await frame(mount, "/rubrics");
  if (!project) return empty(main, "There is no rubric yet.");
  await new Editor(main, project).begin();
}

class Editor {
  constructor(main, project) {
    this.main = main;
    this.project = project;
    this.store = openStore();
    this.found = null;
    this.name = null;
    this.base = "";
    this.looked = null;
    this.timer = 0;
    this.token = 0;
    this.edits = Promise.resolve();
    this.waiting = 0;
  }

  async begin() {
    await follow((event) => this.draw(Boolean(event)));
  }

  async draw(move) {
    try {
      this.found = await getJSON("/api/rubrics", { project: this.project });
      const wanted = here().rubric ?? here().criterion?.split("/")[0];
      const fresh = here().gallery && this.found.gallery.find((one) => one.file === here().gallery);
      const rubric = fresh
        ? null
        : (this.found.rubrics.find((one) => one.name === wanted) ?? this.found.rubrics[0] ?? null);
      this.rubric = rubric;
      this.name = rubric?.name ?? "";
      this.base = rubric?.source ?? "";
      this.key = `rubric.${this.project}.${rubric ? rubric.name : `new-${fresh?.file ?? ""}`}`;
      const draft = this.store.get(this.key);
      this.layout(rubric || fresh ? (draft ?? fresh?.source ?? this.base) : null, Boolean(draft));
      arrived(this.main, move);
    } catch (error) {
      fill(this.main, problem(error));
    }
  }

  layout(source, drafted) {
    const { found } = this;
    const choice = (one) =>
      el(
        "button",
        {
          type: "button",
          "aria-pressed": String(!here().gallery && one.name === this.name),
          onclick: () => go({ rubric: one.name, gallery: "" }),
        },
        one.name,
      );
    const bar =
      found.rubrics.length > 1 || here().gallery
        ? el("div.seg", { role: "group", "aria-label": "Rubrics" }, found.rubrics.map(choice))
        : null;
    const top = el("div.top", {}, el("div", {}, el("h1", {}, found.title), el("p", {}, words.sub)), bar);
    if (source === null) return fill(this.main, top, this.gallery(true));
    this.text = el("textarea.rub-text", {
      spellcheck: "false",
      wrap: "off",
      "aria-label": `Text of the rubric ${this.name}`,
      rows: 30,
      oninput: () => this.typed(),
    });
    this.text.value = source;
    this.errors = el("div.rub-said", { role: "status", "aria-live": "polite" });
    this.form = el("div");
    this.changes = changesCard(this.rubric ? words.put : words.putNew, () => this.put());
    const again = this.rubric?.stale ? againCard(this.project, this.rubric) : null;
    this.note = el(
      "p.s",
      {},
      drafted
        ? [words.kept, " ", el("button.btn.xs", { type: "button", onclick: () => this.drop() }, words.drop)]
        : this.fresh
          ? el("span.v.ok", {}, this.fresh)
          : "",
    );
    this.fresh = "";
    const right = el(
      "section.card",
      { "aria-label": words.text },
      el("header", {}, el("h2", {}, words.text), el("span.r", {}, "YAML; comments are kept")),
      this.text,
      this.errors,
      this.note,
    );
    fill(
      this.main,
      top,
      el("div.cols.rub", {}, this.form, el("div.main-col", {}, right, this.changes.node)),
      again,
      tryCard(this.project, () => this.text.value),
      this.rubric ? versionsCard(this.project, this.rubric, (old) => this.take(old)) : null,
      this.gallery(false),
    );
    this.check();
  }

  gallery(open) {
    const one = (item) =>
      el(
        "li.vr",
        {},
        el("b", {}, item.name),
        el("div", {}, el("div.s", {}, item.about), el("div.s.m", {}, item.criteria.join(" · "))),
        item.here
          ? el("span.s.m", {}, words.here)
          : el(
              "button.btn.xs",
              {
                type: "button",
                "aria-label": `${words.take}: ${item.name}`,
                onclick: () => go({ gallery: item.file, rubric: "" }),
              },
              words.take,
            ),
      );
    return el(
      "section.card",
      { "aria-label": words.gallery },
      el(
        "details",
        { open },
        el("summary", {}, el("b", {}, words.gallery)),
        el("p.s.m", {}, words.galleryHint),
        el("ul", {}, this.found.gallery.map(one)),
      ),
    );
  }

  typed() {
    this.keep();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), PAUSE);
  }

  keep() {
    if (this.text.value === this.base) this.store.remove(this.key);
    else this.store.set(this.key, this.text.value);
  }

  drop() {
    this.store.remove(this.key);
    this.draw(false);
  }

  take(source) {
    this.text.value = source;
    this.keep();
    this.check();
    this.text.focus();
  }

  async check() {
    const mine = ++this.token;
    try {
      const looked = await postJSON("/api/rubrics/look", {
        project: this.project,
        source: this.text.value,
        name: this.name,
      });
      if (mine === this.token) this.show(looked);
    } catch (error) {
      if (mine === this.token) fill(this.errors, problem(error));
    }
  }

  /**
   * Change one field by the form: one after the other, each in the text that the last one gave.
   * @param {[criterion: string, field: string, value: string]} change
   */
  field(...change) {
    const { text, key, name } = this;
    this.waiting += 1;
    this.edits = this.edits.then(async () => {
      this.waiting -= 1;
      try {
        await this.edit(text, key, name, change);
      } catch (error) {
        if (text === this.text) fill(this.errors, problem(error));
      }
    });
  }

  /** The server writes it into the text, comments kept; again, where somebody typed in the text meanwhile. */
  async edit(text, key, name, [criterion, field, value]) {
    const source = text.value;
    const looked = await postJSON("/api/rubrics/edit", {
      project: this.project,
      source,
      criterion,
      field,
      value,
      name,
    });
    if (text.value !== source) return this.edit(text, key, name, [criterion, field, value]);
    text.value = looked.source;
    if (text !== this.text) return void this.store.set(key, looked.source); // another rubric is open by now
    this.token += 1; // a check under way is of the text before
    this.keep();
    this.show(looked);
  }

  show(looked) {
    this.looked = looked;
    const error = (one) =>
      el(
        "div.alert",
        {},
        one.text,
        " ",
        one.line
          ? el(
              "button.btn.xs",
              { type: "button", onclick: () => this.line(one.line) },
              `${words.line} ${one.line}`,
            )
          : null,
      );
    fill(this.errors, looked.errors.length ? looked.errors.map(error) : el("p.s.v.ok", {}, words.fine));
    // While the text cannot be read, or somebody types in the form, it stays as it was, so that nothing jumps
    // under the hands.
    if (looked.form && !this.inForm()) {
      fill(
        this.form,
        formCard(looked.form, (criterion, field, value) => this.field(criterion, field, value)),
      );
      this.arrive();
    }
    this.suggested(looked);
    this.changes.show(looked);
  }

  /** Whether a field of the form holds what the text does not have yet: it is told when the field is left. */
  inForm() {
    const field = document.activeElement;
    return (
      this.waiting > 0 ||
      (this.form.contains(field) &&
        (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
        field.value !== field.defaultValue)
    );
  }

  /** The address may name a criterion: it is in sight when the page opens. */
  arrive() {
    const wanted = here().criterion?.split("/").at(-1);
    if (!wanted || this.arrived === wanted) return;
    this.arrived = wanted;
    const card = document.getElementById(`criterion-${wanted}`);
    if (!card || this.atWork()) return; // who works elsewhere by now is not called away
    card.scrollIntoView();
    card.focus({ preventScroll: true });
  }

  /** Whether a control of the page has been taken up since it opened. */
  atWork() {
    return (
      this.main.contains(document.activeElement) &&
      document.activeElement.matches("a, button, input, select, textarea, summary")
    );
  }

  /**
   * The address may bring a sentence for the guide of its criterion: it goes into the text once, and counts
   * when it is put in force.
   */
  suggested(looked) {
    const { sentence, criterion } = here();
    const name = criterion?.split("/").at(-1);
    const guide = looked.form?.criteria.find((one) => one.name === name)?.fields.guide ?? {
      text: "",
      editable: true,
    };
    if (!sentence || !looked.form?.criteria.some((one) => one.name === name)) return;
    history.replaceState(null, "", location.pathname + query({ ...here(), sentence: "" }));
    if (guide.text.includes(sentence)) return;
    if (guide.editable) this.field(name, "guide", [guide.text.trim(), sentence].filter(Boolean).join(" "));
    else fill(this.note, words.byHand, el("q", { dir: "auto" }, sentence));
  }

  line(number) {
    const lines = this.text.value.split("\n");
    const at = lines.slice(0, number - 1).reduce((sum, line) => sum + line.length + 1, 0);
    this.text.focus();
    this.text.setSelectionRange(at, at + (lines[number - 1]?.length ?? 0));
    this.text.scrollTop = Math.max(0, (number - 6) * parseFloat(getComputedStyle(this.text).lineHeight));
  }

  async put() {
    try {
      await this.edits; // a field that was left by this very press
      const made = await postJSON("/api/rubrics/put", {
        project: this.project,
        source: this.text.value,
        name: this.name,
        before: this.rubric?.hash ?? "",
      });
      this.store.remove(this.key);
      this.fresh = made.raised ? words.raised(made.version) : words.done;
      const same = here().rubric === made.name && !here().gallery && !here().criterion;
      go({ rubric: made.name, gallery: "", criterion: "" });
      if (same) await this.draw(true);
    } catch (error) {
      fill(this.errors, problem(error));
    }
  }
}
