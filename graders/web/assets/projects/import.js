// Bringing in a file: drop it, look at what was seen, change it, stage it unseen, read the report, then bring
// it in or drop it.
import { getJSON, postJSON } from "../lead/api.js";
import { el, fill, once, pager } from "../lead/el.js";
import { arrived, problem } from "../lead/frame.js";
import { whenOffered } from "../lead/offered.js";
import { several } from "../lead/several.js";
import { turns } from "../lead/turns.js";
import { ask } from "../session.js";
import { go } from "../lead/url.js";
import { doneCard } from "./done.js";

/** The encodings of text files that can be chosen, as the server offers them. */
let encodings = [];
/** How the answers were chosen that people rated: the value, and how it reads. */
const CHOSEN = [
  ["", "as the file says, else unknown"],
  ["all", "all answers were rated"],
  ["random", "at random"],
  ["unknown", "unknown"],
];
/** What follows from labels that are blind and of random answers. */
const UNSEEN =
  "Blind ratings of random answers can test the judge: those on half of the questions, by a coin, are then " +
  "kept for the test on Routing, and no figure shows them before.";
const SEPARATORS = [
  [",", "comma"],
  [";", "semicolon"],
  ["\t", "tab"],
  ["|", "bar"],
];
/** How many rows a header has. */
const HEADERS = [
  ["0", "none"],
  ["1", "one row"],
  ["2", "two rows"],
  ["3", "three rows"],
  ["4", "four rows"],
];
/** What is guessed again where the cells change. */
const ANEW = { skip: null, header_rows: null, columns: [] };
/** Columns of a table shown at once. */
const COLUMNS = 20;
/** Bad rows listed at once. */
const BAD_ROWS = 25;

/** The card with the drop zone; `opened(seen)` is called with the first look at a file that arrived. */
export function dropCard(opened) {
  const input = el("input.vh", {
    type: "file",
    tabindex: "-1",
    "aria-label": "File with questions and answers",
    onchange: () => input.files[0] && send(input.files[0]),
  });
  const kinds = el("span.s.m", {}, "Questions and answers as a table, or a folder as zip");
  let most = Number.POSITIVE_INFINITY; // until it is known, the server alone refuses what is too large
  whenOffered("files", (found) => {
    const words = found.suffixes.filter((ending) => ending !== ".zip").map((ending) => ending.slice(1));
    kinds.textContent = `Questions and answers as ${words.join(", ").toUpperCase()}, or a folder as zip`;
    input.accept = found.suffixes.join(",");
    most = found.most;
    encodings = found.encodings;
  });
  const state = el("p.s", { role: "status", "aria-live": "polite" });
  const zone = el(
    "div.drop",
    {
      ondragover: (event) => (event.preventDefault(), zone.classList.add("over")),
      ondragleave: () => zone.classList.remove("over"),
      ondrop: (event) => {
        event.preventDefault();
        zone.classList.remove("over");
        const items = [...event.dataTransfer.items];
        if (items.some((item) => item.webkitGetAsEntry?.()?.isDirectory))
          return refuse("A folder cannot be dropped as it is: please make it a zip.");
        if (event.dataTransfer.files.length > 1) return refuse("Please bring in one file at a time.");
        if (event.dataTransfer.files[0]) send(event.dataTransfer.files[0]);
      },
    },
    el("b", {}, "Drop a file here"),
    kinds,
    el("button.btn", { type: "button", onclick: () => input.click() }, "Choose a file"),
    input,
    state,
  );

  const refuse = (words) => fill(state, problem(new Error(words)));
  const turn = turns(); // of two files that were brought in a row the last one is looked at

  async function send(file) {
    if (file.size > most)
      return refuse(
        `${file.name}: found ${Math.ceil(file.size / 1048576).toLocaleString("en")} MB, expected ` +
          `at most ${Math.floor(most / 1048576)} MB. Use: cograde import FILE.`,
      );
    const current = turn();
    state.textContent = `Sending ${file.name}…`;
    try {
      const reply = await ask("/api/import/upload", {
        method: "POST",
        body: file,
        headers: { "x-file-name": encodeURIComponent(file.name), "content-type": "application/octet-stream" },
      });
      const body = await reply.json().catch(() => null);
      if (!reply.ok) throw new Error(body?.error || `The server refused the file (status ${reply.status}).`);
      if (current()) opened(body);
    } catch (error) {
      if (!current()) return;
      fill(state, problem(error));
      input.value = "";
    }
  }

  return el(
    "section.card",
    { id: "new" },
    el("header", {}, el("h2", {}, "New project")),
    zone,
    el("p.s.m", {}, "You see the first rows and the guessed columns before anything is written."),
  );
}

const field = (label, control, hint = "") =>
  el("label.field", {}, el("span.s.m", {}, label), control, hint ? el("span.s.m", {}, hint) : null);

const TYPING_MS = 700;
const choose = (options, value, change, label) => {
  // Whoever types a choice letter by letter is at work until a short rest: a table drawn anew in between
  // would begin the word again.
  let typing = false,
    timer = 0;
  const tell = () => {
    clearTimeout(timer);
    timer = 0;
    change(select.value);
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(tell, TYPING_MS);
  };
  const select = el("select.pick", {
    "aria-label": label,
    onpointerdown: () => (typing = false),
    onkeydown: (event) => {
      typing = event.key.length === 1;
      if (typing && timer) later();
    },
    onchange: () => (typing ? later() : tell()),
    onblur: () => timer && tell(),
  });
  select.append(...options.map(([v, words]) => el("option", { value: v, selected: v === value }, words)));
  return select;
};

/** The page of an upload, wherever it is on its way: looked at, being read, or staged already. */
export async function openUpload(token, projects, again, present) {
  const job = await getJSON("/api/import/progress", { token });
  if (job.state === "staged")
    return reportCard(await getJSON("/api/import/report", { id: job.import }), token, again, present);
  const seen = await postJSON("/api/import/look", { token });
  const root = lookCard(seen, projects, again);
  if (job.state === "staging")
    follow(root, token, (error) => fill(root, problem(error), lookCard(seen, projects, again)));
  return root;
}

/** What was seen in an upload, with everything that may be changed. */
function lookCard(first, projects, again) {
  const root = el("div.main-col");
  let seen = first;
  // bad rows go where their file went
  const of = projects.some((p) => p.name === first.project) ? first.project : "";
  const want = {
    project: of,
    title: first.stem.replace(/[_-]+/g, " ").trim(),
    blind: true,
    chosen: "",
    labels_blind: false,
    rubric: { kind: "guess", name: "", text: "" },
  };

  // One look after the other, each on what the last one gave; the table is drawn anew after the last. Reading
  // waits for them all.
  let looking = Promise.resolve();
  let waiting = 0;
  let reading = null;

  /** Look again with changes: fields of the look, or a function of the present look that gives them. */
  function relook(changes) {
    waiting += 1;
    looking = looking.then(async () => {
      let failed = null;
      try {
        const wanted = typeof changes === "function" ? changes(seen.look) : changes;
        const look = { ...seen.look, ...wanted };
        look.chosen ??= []; // nobody chose a column yet: all may be guessed anew
        const { project, rubric } = want; // their criteria tell which columns are ratings
        const asked = { token: seen.token, look, project, rubric };
        seen = { ...seen, ...(await postJSON("/api/import/look", asked)) };
        if (seen.error) seen.look = { ...(seen.look || first.look) };
      } catch (error) {
        failed = error;
      }
      waiting -= 1;
      if (failed || !waiting) draw(failed);
    });
  }

  // one for all drawings, as it alone holds the file
  const file = el("input", {
    type: "file",
    accept: ".yaml,.yml",
    "aria-label": "Rubric file",
    onchange: async () => {
      const text = (await file.files[0]?.text()) || "";
      want.rubric = { kind: "file", name: file.files[0]?.name || "", text };
      relook({});
    },
  });

  function draw(error = null) {
    const look = seen.look;
    const cancel = el(
      "button.btn",
      {
        type: "button",
        onclick: async () => (
          await postJSON("/api/import/drop", { token: seen.token }).catch(() => null), again()
        ),
      },
      "Cancel",
    );
    const read = el(
      "button.btn.p",
      {
        type: "button",
        onclick: () =>
          (reading ??= looking.then(() => stage(root, seen, want, draw)).finally(() => (reading = null))),
      },
      "Read all rows",
    );
    fill(
      root,
      el(
        "div.top",
        {},
        el(
          "div",
          {},
          el("h1", {}, "Check the column mapping."),
          el(
            "p",
            {},
            `${seen.label}, read as ` +
              `${seen.importer || "a table"}${look?.rows ? `, ${several(look.rows, "row")}` : ""}. ` +
              "Nothing is written yet.",
          ),
        ),
      ),
      error || seen.error ? problem(error || new Error(seen.error)) : null,
      look
        ? el(
            "section.card",
            {},
            el("header", {}, el("h2", {}, "How it is read")),
            choices(look, relook),
            look.notes.map((note) => el("p.s.m", {}, note)),
          )
        : null,
      look?.columns.length
        ? el(
            "section.card",
            {},
            el(
              "header",
              {},
              el("h2", {}, "Columns"),
              el("span.r", {}, "what each column is; the first rows below it"),
            ),
            columns(seen, relook),
          )
        : null,
      el(
        "section.card",
        {},
        el("header", {}, el("h2", {}, "Where it goes")),
        target(projects, want, seen, look, file, () => relook({})),
      ),
      el("div.bar", {}, read, cancel),
    );
  }

  draw();
  return root;
}

function choices(look, relook) {
  const row = [];
  if (look.layout === "wide" || look.layout === "long") {
    row.push(
      field(
        "Layout",
        choose(
          [
            ["wide", "a column per model"],
            ["long", "a row per answer"],
          ],
          look.layout,
          (layout) => relook({ layout }),
          "Layout",
        ),
      ),
    );
  } else
    row.push(
      field(
        "Layout",
        el(
          "span.check",
          {},
          look.layout === "exchange" ? "Cograde's own format" : look.layout || "not known yet",
        ),
      ),
    );
  if (look.encoding) {
    const known = encodings.includes(look.encoding) ? encodings : [look.encoding, ...encodings];
    row.push(
      field(
        "Encoding",
        choose(
          known.map((e) => [e, e]),
          look.encoding,
          (encoding) => relook({ encoding, ...ANEW }),
          "Encoding",
        ),
      ),
    );
  }
  if (look.separator)
    row.push(
      field(
        "Separator",
        choose(SEPARATORS, look.separator, (separator) => relook({ separator, ...ANEW }), "Separator"),
      ),
    );
  if (look.sheets.length > 1)
    row.push(
      field(
        "Sheet",
        choose(
          look.sheets.map((s) => [s, s]),
          look.sheet,
          (sheet) => relook({ sheet, ...ANEW }),
          "Sheet",
        ),
      ),
    );
  if (look.columns.length && (look.separator || look.sheet)) {
    // the fields of JSON and Parquet have names of their own
    const above = el("input.txt", {
      type: "number",
      min: "0",
      value: look.skip ?? 0,
      "aria-label": "Rows above the header",
      onchange: () => relook({ skip: Number(above.value) || 0, header_rows: null, columns: [] }),
    });
    row.push(field("Rows above the header", above));
    row.push(
      field(
        "Header",
        choose(
          HEADERS,
          String(look.has_header ? Math.min(look.header_rows ?? 1, HEADERS.length - 1) : 0),
          (rows) => relook({ header_rows: Number(rows), has_header: rows !== "0", columns: [] }),
          "Header",
        ),
      ),
    );
  }
  return el("div.bar", {}, row);
}

function columns(seen, relook) {
  const look = seen.look;
  /** A column as somebody chose it: no guess takes its place. */
  const change = (index, changes) =>
    relook((now) => ({
      columns: now.columns.map((c) => (c.index === index ? { ...c, ...changes } : c)),
      chosen: [...new Set([...(now.chosen ?? []), index])],
    }));
  const root = el("div");
  const head = (c) => {
    const name = c.header || `column ${c.index + 1}`;
    const roles = choose(
      seen.roles.map((r) => [r, r.replaceAll("_", " ")]),
      c.role,
      (role) => change(c.index, { role, model: "" }),
      `Role of column ${c.header || c.index + 1}`,
    );
    const model = el("input.txt", {
      value: c.model,
      "aria-label": `Model of column ${c.header}`,
      placeholder: "model",
      onchange: (event) => change(c.index, { model: event.target.value }),
    });
    return el(
      "th",
      {},
      el("div.b", {}, name),
      roles,
      seen.of_one_model.includes(c.role) && (look.layout === "wide" || (c.model && c.role !== "answer"))
        ? model
        : null,
    );
  };
  const pages = Math.ceil(look.columns.length / COLUMNS);
  const show = (page) => {
    seen.page = page;
    const shown = look.columns.slice((page - 1) * COLUMNS, page * COLUMNS);
    const body = look.first_rows.slice(0, 6).map((cells) =>
      el(
        "tr",
        {},
        shown.map((c) => el("td", { dir: "auto" }, clip(cells[c.index] ?? ""))),
      ),
    );
    const table = el("table.look", {}, el("thead", {}, el("tr", {}, shown.map(head))), el("tbody", {}, body));
    fill(root, el("div.scroll", {}, table), pager(page, pages, show));
  };
  show(Math.min(seen.page ?? 1, pages));
  return root;
}

const clip = (text) => (text.length > 120 ? `${text.slice(0, 120)}…` : text);

/**
 * Where the rows go; `file` is the field for a rubric file, `changed()` follows a choice of project or
 * rubric.
 */
function target(projects, want, seen, look, file, changed) {
  const title = el("input.txt", {
    value: want.title,
    maxlength: "120",
    oninput: () => (want.title = title.value),
  });
  const named = field("Title of the new project", title);
  const into = choose(
    [["", "a new project"], ...projects.map((p) => [p.name, p.title])],
    want.project,
    (project) => ((want.project = project), (named.hidden = Boolean(project)), changed()),
    "Project",
  );
  named.hidden = Boolean(want.project);
  file.hidden = want.rubric.kind !== "file";
  const rubrics = [
    ["guess", "From file, or answer-quality"],
    ...seen.rubrics.map((r) => [`bundled:${r}`, r]),
    ["file", "a YAML file of yours"],
  ];
  const rubric = choose(
    rubrics,
    want.rubric.kind === "bundled" ? `bundled:${want.rubric.name}` : want.rubric.kind,
    (value) => {
      const [kind, name = ""] = value.split(":");
      want.rubric = { kind, name, text: "" };
      file.hidden = kind !== "file";
      if (kind !== "file") changed(); // else once there is one
    },
    "Rubric",
  );
  const blind = el("input", {
    type: "checkbox",
    checked: want.blind,
    onchange: () => (want.blind = blind.checked),
  });
  const verdicts =
    look?.layout === "exchange"
      ? el("label.check", {}, blind, " People's verdicts in this file were made without seeing suggestions")
      : null;
  const rated = look?.layout === "exchange" || look?.columns.some((c) => c.role === "verdict");
  const unseen = el("input", {
    type: "checkbox",
    checked: want.labels_blind,
    onchange: () => (want.labels_blind = unseen.checked),
  });
  const stated = rated
    ? [
        field(
          "How the answers were chosen that people rated",
          choose(CHOSEN, want.chosen, (value) => (want.chosen = value), "How rated answers were chosen"),
        ),
        el("label.check", {}, unseen, " Nobody saw a judge's value while rating"),
        el("p.s.m", {}, UNSEEN),
      ]
    : [];
  return el("div.bar", {}, field("Project", into), named, field("Rubric", rubric), file, verdicts, stated);
}

async function stage(root, seen, want, back) {
  try {
    await postJSON("/api/import/stage", { token: seen.token, look: seen.look, ...want });
    await follow(root, seen.token, back);
  } catch (error) {
    back(error);
  }
}

/** Show how far the reading of an upload is; its report becomes the page, a failure goes to `back`. */
async function follow(root, token, back) {
  const status = el("p", { role: "status", "aria-live": "polite" }, "Reading…");
  const bar = el("div.prog.wait", {}, el("i"));
  fill(root, el("div.top", {}, el("div", {}, el("h1", {}, "Reading all rows."), status)), bar);
  try {
    for (let first = true; first || root.isConnected; first = false) {
      const job = await getJSON("/api/import/progress", { token });
      if (!root.isConnected) return; // who has gone elsewhere by now stays there
      if (job.state === "staged") return go({ staged: job.import });
      if (job.state !== "staging")
        throw new Error(job.error || "The server was started anew meanwhile. Please read the file again.");
      status.textContent = soFar(job);
      bar.classList.toggle("wait", !job.total);
      bar.firstChild.style.width = job.total ? `${(100 * job.done) / job.total}%` : "";
      await new Promise((next) => setTimeout(next, 400));
    }
  } catch (error) {
    back(error);
  }
}

/** Rows while they are read, then what is done with them. */
function soFar(job) {
  const rows = `${(job.rows || 0).toLocaleString("en")} ${job.rows === 1 ? "row" : "rows"}`;
  if (!job.doing) return `${rows} so far. They are not in the project yet.`;
  const share = job.total ? `: ${job.done.toLocaleString("en")} of ${job.total.toLocaleString("en")}.` : ".";
  return `${rows} read. ${job.doing}${share} They are not in the project yet.`;
}

/**
 * What a staged or finished import brought; `present(name)` makes the project of a finished one the head's.
 */
export function reportCard(found, token, again, present) {
  if (found.state === "done") return doneCard(found, present);
  if (found.state !== "staged")
    return el(
      "div.main-col",
      {},
      problem(new Error("This import was dropped. Please choose the file again.")),
      el("div.bar", {}, el("button.btn", { type: "button", onclick: again }, "All projects")),
    );
  const root = el("div.main-col");
  const r = found.report;
  const n = (count, one, many = `${one}s`) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
  const parts = [
    [r.questions, "question"],
    [r.changed_questions, "changed question"],
    [r.answers, "answer"],
    [r.verdicts, "verdict"],
  ];
  const good = parts.filter(([count]) => count).map(([count, one]) => n(count, one));
  const counts = [n(r.questions, "question"), n(r.answers, "answer"), n(r.verdicts, "verdict")].join(", ");
  const act = async (path, body) => {
    try {
      const next = await postJSON(path, body);
      if (!path.endsWith("finish")) return history.replaceState(null, "", "/"), again();
      fill(root, doneCard(next, present));
      arrived(root, true);
    } catch (error) {
      root.prepend(problem(error));
    }
  };
  const bring = el(
    "button.btn.p",
    { onclick: () => once([bring, drop], () => act("/api/import/finish", { import: found.import, token })) },
    good.length ? `Import ${new Intl.ListFormat("en").format(good)}` : "Nothing new: go on",
  );
  const drop = el(
    "button.btn",
    { onclick: () => once([bring, drop], () => act("/api/import/drop", { import: found.import, token })) },
    "Discard import",
  );
  fill(
    root,
    el(
      "div.top",
      {},
      el(
        "div",
        {},
        el(
          "h1",
          {},
          r.bad ? `${n(r.bad, "row")} cannot come in; the others can.` : `All rows can come in: ${counts}.`,
        ),
        el(
          "p",
          {},
          `${found.source}: ${counts}; ${n(r.new_versions, "new version")}, ` +
            `${n(r.unchanged, "record")} unchanged. Rubric: ${r.rubrics.join(", ") || "none"}.`,
        ),
      ),
    ),
    rubricChanges(r.rubric_changes || []),
    r.labels_note ? el("section.note", {}, r.labels_note) : null,
    r.notes.length
      ? el(
          "section.card",
          {},
          el("header", {}, el("h2", {}, "Please note")),
          el(
            "ul.s",
            {},
            r.notes.map((note) => el("li", {}, note)),
          ),
        )
      : null,
    slipped(r.slipped || []),
    badRows(found, r),
    el("div.bar", {}, bring, drop),
  );
  return root;
}

/** What the import would do to the project's rubrics; nothing of it is done before it is brought in. */
function rubricChanges(changes) {
  if (!changes.length) return null;
  const header = el("header", {}, el("h2", {}, "Rubrics"), el("span.r", {}, "in force once the rows are in"));
  const items = changes.map((change) => el(change.replaces ? "li.b" : "li", {}, change.text));
  return el("section.card", { "aria-label": "Rubrics" }, header, el("ul.s", {}, items));
}

function slipped(rows) {
  if (!rows.length) return null;
  const items = rows
    .slice(0, 20)
    .map((s) =>
      el(
        "li",
        {},
        s.model ? "The answer of " : "The answers to ",
        s.model ? [el("b", { dir: "auto" }, clip(s.model)), " to "] : null,
        el("b", { dir: "auto" }, clip(s.question)),
        s.model ? " looks like an answer to " : " look like answers to ",
        el("b", { dir: "auto" }, clip(s.nearest)),
        ".",
      ),
    );
  return el(
    "section.card",
    {},
    el(
      "header",
      {},
      el("h2", {}, "Possible misaligned rows"),
      el("span.r", {}, `${several(rows.length, "question")}`),
    ),
    el("ul.s", {}, items),
  );
}

function badRows(found, r) {
  if (!r.bad) return null;
  const names = ["File", "Row", "Column", "Found", "Expected"];
  const line = (b) =>
    el(
      "tr",
      {},
      [
        b.file,
        b.line ? `${b.row} (line ${b.line})` : b.row,
        b.column,
        b.found,
        `${b.expected}. ${b.remedy}`,
      ].map((cell, n) =>
        cell === "" ? el("td") : el("td", { dir: "auto", "data-label": names[n] }, clip(String(cell))),
      ),
    );
  const head = el(
    "tr",
    {},
    names.map((t) => el("th", { scope: "col" }, t)),
  );
  const body = el("tbody");
  const turn = el("div");
  const show = (page) => {
    fill(body, r.bad_rows.slice((page - 1) * BAD_ROWS, page * BAD_ROWS).map(line));
    fill(turn, pager(page, Math.ceil(r.bad_rows.length / BAD_ROWS), show));
  };
  show(1);
  const some =
    r.bad_rows.length < r.bad
      ? el(
          "span.s.m",
          {},
          `the first ${r.bad_rows.length.toLocaleString("en")} of ${r.bad.toLocaleString("en")}`,
        )
      : null;
  const header = el(
    "header",
    {},
    el("h2", {}, "Rows that stay out"),
    some,
    el("a.r", { href: `/api/import/bad?id=${found.import}` }, "Download as CSV"),
  );
  return el(
    "section.card",
    {},
    header,
    el("div.scroll", {}, el("table.stack", {}, el("thead", {}, head), body)),
    turn,
  );
}
