"""The shape of a workspace file. Append only: a step that has shipped is never edited.

Values of verdicts are JSON texts (``"relevant"``, ``4``, ``0.6``). Times are ISO 8601 in UTC.
`import_id` names the import that brought a row; rows of an import that is not done are invisible
(see `graders.store.imports`).
"""

from __future__ import annotations

from sqlite_utils.db import Database
from sqlite_utils.migrations import Migrations

workspace_migrations = Migrations("cograde")


def _run(db: Database, script: str) -> None:
    """Run statements one by one: `executescript` would commit the migration's transaction."""
    for statement in script.split(";\n"):
        if statement.strip():
            db.conn.execute(statement)


@workspace_migrations()
def m001_house(db: Database) -> None:
    """Workspace settings, projects, people, rubrics and their criteria, events."""
    _run(
        db,
        """
    CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE activity (id INTEGER PRIMARY KEY CHECK (id = 1), last_person_at REAL NOT NULL);
    INSERT INTO activity VALUES (1, 0);
    CREATE TABLE project (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, title TEXT NOT NULL, notice TEXT NOT NULL DEFAULT '',
        settings TEXT NOT NULL DEFAULT '{}', seed INTEGER NOT NULL, created_at TEXT NOT NULL);
    CREATE TABLE person (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, grp TEXT NOT NULL DEFAULT '', created_at TEXT NOT NULL);
    CREATE TABLE rubric (
        id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project(id), name TEXT NOT NULL,
        version TEXT NOT NULL, hash TEXT NOT NULL, source TEXT NOT NULL, active INTEGER NOT NULL, created_at TEXT NOT NULL);
    CREATE INDEX rubric_active ON rubric(project_id) WHERE active = 1;
    CREATE TABLE criterion (
        id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project(id), key TEXT NOT NULL,
        position INTEGER NOT NULL, hash TEXT NOT NULL, scale TEXT NOT NULL, active INTEGER NOT NULL,
        UNIQUE (project_id, key));
    CREATE TABLE event (
        id INTEGER PRIMARY KEY, project_id INTEGER REFERENCES project(id), at TEXT NOT NULL, actor TEXT NOT NULL,
        kind TEXT NOT NULL, body TEXT NOT NULL DEFAULT '{}');
    CREATE INDEX event_project ON event(project_id, id);
    """,
    )


@workspace_migrations()
def m002_content(db: Database) -> None:
    """Imports, questions, answers and subjects."""
    _run(
        db,
        """
    CREATE TABLE import (
        id INTEGER PRIMARY KEY, project_id INTEGER REFERENCES project(id), state TEXT NOT NULL, source TEXT NOT NULL,
        fingerprint TEXT NOT NULL DEFAULT '', report TEXT NOT NULL DEFAULT '{}', started_at TEXT NOT NULL, heartbeat REAL NOT NULL);
    INSERT INTO import (id, project_id, state, source, started_at, heartbeat) VALUES (0, NULL, 'done', 'workspace', '', 0);
    CREATE TABLE question (
        id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project(id), key TEXT NOT NULL, text TEXT NOT NULL,
        category TEXT NOT NULL, task_type TEXT NOT NULL, language TEXT NOT NULL, detail TEXT NOT NULL,
        refs TEXT NOT NULL, context TEXT NOT NULL, facts TEXT NOT NULL, must_have TEXT NOT NULL, metadata TEXT NOT NULL,
        import_id INTEGER NOT NULL REFERENCES import(id), UNIQUE (project_id, key));
    CREATE TABLE answer (
        id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project(id),
        question_id INTEGER NOT NULL REFERENCES question(id), model TEXT NOT NULL, version INTEGER NOT NULL,
        text TEXT NOT NULL, text_hash TEXT NOT NULL, time_to_first_token REAL, total_seconds REAL, input_tokens INTEGER,
        output_tokens INTEGER, cost REAL, finish_reason TEXT NOT NULL, metadata TEXT NOT NULL, current INTEGER NOT NULL DEFAULT 1,
        import_id INTEGER NOT NULL REFERENCES import(id), UNIQUE (question_id, model, version));
    CREATE INDEX answer_project ON answer(project_id, model);
    CREATE TABLE subject (
        id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project(id),
        question_id INTEGER NOT NULL REFERENCES question(id), answer_id INTEGER NOT NULL REFERENCES answer(id),
        other_id INTEGER REFERENCES answer(id), import_id INTEGER NOT NULL REFERENCES import(id));
    CREATE UNIQUE INDEX subject_pair ON subject(answer_id, coalesce(other_id, 0));
    CREATE INDEX subject_question ON subject(question_id);
    CREATE INDEX subject_project ON subject(project_id);
    CREATE TABLE question_change (
        import_id INTEGER NOT NULL REFERENCES import(id), question_id INTEGER NOT NULL REFERENCES question(id), text TEXT NOT NULL,
        category TEXT NOT NULL, task_type TEXT NOT NULL, language TEXT NOT NULL, detail TEXT NOT NULL, refs TEXT NOT NULL,
        context TEXT NOT NULL, facts TEXT NOT NULL, must_have TEXT NOT NULL, metadata TEXT NOT NULL,
        PRIMARY KEY (import_id, question_id)) WITHOUT ROWID;
    CREATE TABLE kept (import_id INTEGER NOT NULL REFERENCES import(id), tbl TEXT NOT NULL, body TEXT NOT NULL);
    CREATE INDEX kept_import ON kept(import_id, tbl);
    CREATE INDEX question_import ON question(import_id);
    CREATE INDEX answer_import ON answer(import_id);
    CREATE INDEX subject_import ON subject(import_id);
    """,
    )


@workspace_migrations()
def m003_verdicts(db: Database) -> None:
    """Cells, the append-only verdicts, each author's present opinion, metric values, tallies."""
    _run(
        db,
        """
    CREATE TABLE author (
        id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project(id), kind TEXT NOT NULL, name TEXT NOT NULL,
        UNIQUE (project_id, kind, name));
    CREATE TABLE cell (
        id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project(id), question_id INTEGER NOT NULL REFERENCES question(id),
        subject_id INTEGER NOT NULL REFERENCES subject(id), criterion_id INTEGER NOT NULL REFERENCES criterion(id),
        part TEXT NOT NULL DEFAULT '', tally_id INTEGER,
        suggestion TEXT, suggestion_confidence REAL, suggestion_reason TEXT NOT NULL DEFAULT '',
        route TEXT NOT NULL DEFAULT '', route_reason TEXT NOT NULL DEFAULT '',
        final TEXT, final_number REAL, final_source TEXT NOT NULL DEFAULT 'pending', final_reason TEXT NOT NULL DEFAULT '',
        open INTEGER NOT NULL DEFAULT 1, import_id INTEGER NOT NULL DEFAULT 0 REFERENCES import(id),
        UNIQUE (subject_id, criterion_id, part));
    CREATE INDEX cell_criterion ON cell(criterion_id, question_id);
    CREATE INDEX cell_question ON cell(question_id);
    CREATE TABLE verdict (
        id INTEGER PRIMARY KEY, uid TEXT NOT NULL, project_id INTEGER NOT NULL REFERENCES project(id),
        cell_id INTEGER NOT NULL REFERENCES cell(id), author_id INTEGER NOT NULL REFERENCES author(id),
        value TEXT, status TEXT NOT NULL, reason TEXT NOT NULL DEFAULT '', kind TEXT NOT NULL DEFAULT 'given',
        amends TEXT NOT NULL DEFAULT '', confidence REAL, confidence_kind TEXT NOT NULL DEFAULT '',
        rationale TEXT NOT NULL DEFAULT '', evidence TEXT NOT NULL DEFAULT '[]', criterion_hash TEXT NOT NULL DEFAULT '',
        recipe_hash TEXT NOT NULL DEFAULT '', grader_version TEXT NOT NULL DEFAULT '', cost REAL,
        provenance TEXT, screen_id INTEGER, save_id TEXT NOT NULL DEFAULT '', call_key TEXT NOT NULL DEFAULT '',
        metadata TEXT NOT NULL DEFAULT '{}', created_at TEXT NOT NULL, import_id INTEGER NOT NULL DEFAULT 0 REFERENCES import(id));
    CREATE UNIQUE INDEX verdict_uid ON verdict(uid, project_id);
    CREATE INDEX verdict_cell ON verdict(cell_id, author_id);
    CREATE INDEX verdict_save ON verdict(save_id) WHERE save_id <> '';
    CREATE TABLE opinion (
        criterion_id INTEGER NOT NULL REFERENCES criterion(id), author_id INTEGER NOT NULL REFERENCES author(id),
        cell_id INTEGER NOT NULL REFERENCES cell(id), question_id INTEGER NOT NULL, verdict_id INTEGER NOT NULL REFERENCES verdict(id),
        value TEXT, number REAL, status TEXT NOT NULL, blind INTEGER NOT NULL, probability REAL NOT NULL, design TEXT NOT NULL,
        criterion_hash TEXT NOT NULL, import_id INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (criterion_id, author_id, cell_id)) WITHOUT ROWID;
    CREATE INDEX opinion_cell ON opinion(cell_id);
    CREATE INDEX opinion_import ON opinion(import_id) WHERE import_id > 0;
    CREATE INDEX verdict_import ON verdict(import_id) WHERE import_id > 0;
    CREATE INDEX cell_import ON cell(import_id) WHERE import_id > 0;
    CREATE TABLE metric_value (
        subject_id INTEGER NOT NULL REFERENCES subject(id), metric TEXT NOT NULL, project_id INTEGER NOT NULL, value REAL,
        status TEXT NOT NULL, reason TEXT NOT NULL DEFAULT '', reference INTEGER, version TEXT NOT NULL DEFAULT '', inputs TEXT NOT NULL DEFAULT '',
        PRIMARY KEY (subject_id, metric)) WITHOUT ROWID;
    CREATE INDEX metric_project ON metric_value(project_id, metric, value);
    CREATE TABLE vector (key TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE tally (
        id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project(id), criterion_id INTEGER NOT NULL REFERENCES criterion(id),
        model TEXT NOT NULL, category TEXT NOT NULL, task_type TEXT NOT NULL, language TEXT NOT NULL,
        cells INTEGER NOT NULL DEFAULT 0, people INTEGER NOT NULL DEFAULT 0, audit INTEGER NOT NULL DEFAULT 0,
        automatic INTEGER NOT NULL DEFAULT 0, total REAL NOT NULL DEFAULT 0, squares REAL NOT NULL DEFAULT 0,
        closed INTEGER NOT NULL DEFAULT 0,
        UNIQUE (project_id, criterion_id, model, category, task_type, language));
    """,
    )


@workspace_migrations()
def m004_queue(db: Database) -> None:
    """Screens, the queue of open ones, assignments with their leases, saves, flags."""
    _run(
        db,
        """
    CREATE TABLE screen (
        id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project(id), question_id INTEGER NOT NULL REFERENCES question(id),
        design TEXT NOT NULL, probability REAL NOT NULL, seed INTEGER NOT NULL, needed INTEGER NOT NULL DEFAULT 1,
        done INTEGER NOT NULL DEFAULT 0, created_at TEXT NOT NULL);
    CREATE INDEX screen_question ON screen(question_id);
    CREATE INDEX screen_project ON screen(project_id, design);
    CREATE TABLE screen_subject (
        screen_id INTEGER NOT NULL REFERENCES screen(id), subject_id INTEGER NOT NULL REFERENCES subject(id),
        PRIMARY KEY (screen_id, subject_id)) WITHOUT ROWID;
    CREATE INDEX screen_subject_subject ON screen_subject(subject_id);
    CREATE TABLE seen (
        person_id TEXT NOT NULL REFERENCES person(id), subject_id INTEGER NOT NULL REFERENCES subject(id), at TEXT NOT NULL,
        PRIMARY KEY (person_id, subject_id)) WITHOUT ROWID;
    CREATE TABLE queue (
        screen_id INTEGER PRIMARY KEY REFERENCES screen(id), project_id INTEGER NOT NULL, priority REAL NOT NULL, free INTEGER NOT NULL);
    CREATE INDEX queue_open ON queue(project_id, priority, screen_id) WHERE free > 0;
    CREATE TABLE assignment (
        id INTEGER PRIMARY KEY, screen_id INTEGER NOT NULL REFERENCES screen(id), project_id INTEGER NOT NULL,
        person_id TEXT NOT NULL REFERENCES person(id), occasion INTEGER NOT NULL DEFAULT 0, arm TEXT NOT NULL, probability REAL NOT NULL,
        order_seed INTEGER NOT NULL, state TEXT NOT NULL, lease_until REAL NOT NULL, save_id TEXT NOT NULL DEFAULT '',
        comment TEXT NOT NULL DEFAULT '', flagged INTEGER NOT NULL DEFAULT 0, reason TEXT NOT NULL DEFAULT '',
        seconds REAL NOT NULL DEFAULT 0, saved_at TEXT NOT NULL DEFAULT '', UNIQUE (screen_id, person_id, occasion));
    CREATE INDEX assignment_person ON assignment(project_id, person_id, state);
    CREATE INDEX assignment_leased ON assignment(lease_until) WHERE state = 'leased';
    CREATE TABLE save (
        id TEXT PRIMARY KEY, screen_id INTEGER NOT NULL REFERENCES screen(id), person_id TEXT NOT NULL, body TEXT NOT NULL,
        extra INTEGER NOT NULL, undone INTEGER NOT NULL DEFAULT 0, at TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE flag (
        project_id INTEGER NOT NULL, subject_id INTEGER NOT NULL REFERENCES subject(id), person_id TEXT NOT NULL, at TEXT NOT NULL,
        PRIMARY KEY (subject_id, person_id)) WITHOUT ROWID;
    """,
    )


@workspace_migrations()
def m005_runs(db: Database) -> None:
    """Runs and the ledger of calls."""
    _run(
        db,
        """
    CREATE TABLE run (
        id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project(id), state TEXT NOT NULL, want TEXT NOT NULL DEFAULT 'run',
        settings TEXT NOT NULL, plan TEXT NOT NULL DEFAULT '{}', progress TEXT NOT NULL DEFAULT '{}', message TEXT NOT NULL DEFAULT '',
        started_by TEXT NOT NULL, worker TEXT NOT NULL DEFAULT '', heartbeat REAL NOT NULL DEFAULT 0,
        created_at TEXT NOT NULL, ended_at TEXT NOT NULL DEFAULT '');
    CREATE INDEX run_project ON run(project_id, id);
    CREATE TABLE call (
        key TEXT PRIMARY KEY, project_id INTEGER NOT NULL, run_id INTEGER, provider TEXT NOT NULL, model TEXT NOT NULL,
        state TEXT NOT NULL, owner TEXT NOT NULL DEFAULT '', lease_until REAL NOT NULL DEFAULT 0, payload TEXT NOT NULL,
        reply TEXT, cause TEXT NOT NULL DEFAULT '', sends INTEGER NOT NULL DEFAULT 0, causes TEXT NOT NULL DEFAULT '[]',
        perhaps_paid INTEGER NOT NULL DEFAULT 0, certainly_paid INTEGER NOT NULL DEFAULT 0,
        input_tokens INTEGER, cached_tokens INTEGER, output_tokens INTEGER, money REAL, seconds REAL, at TEXT NOT NULL) WITHOUT ROWID;
    CREATE INDEX call_run ON call(run_id, state);
    CREATE INDEX call_project ON call(project_id, model);
    """,
    )


@workspace_migrations()
def m006_foreign_keys(db: Database) -> None:
    """Indexes for the foreign keys that deletes look along."""
    _run(
        db,
        """
    CREATE INDEX opinion_verdict ON opinion(verdict_id);
    CREATE INDEX subject_other ON subject(other_id) WHERE other_id IS NOT NULL;
    """,
    )


@workspace_migrations()
def m007_new_versions(db: Database) -> None:
    """The answers that an import makes current, found without reading all answers while everybody
    waits."""
    _run(db, "CREATE INDEX answer_new ON answer(import_id) WHERE current = 2;")


@workspace_migrations()
def m008_requests(db: Database) -> None:
    """What was asked, in a table of its own: it is written once, while the row of its call changes
    with every send."""
    _run(
        db,
        """
    CREATE TABLE request (key TEXT PRIMARY KEY, payload TEXT NOT NULL) WITHOUT ROWID;
    INSERT INTO request SELECT key, payload FROM call;
    ALTER TABLE call DROP COLUMN payload;
    """,
    )


@workspace_migrations()
def m009_elections(db: Database) -> None:
    """References elected among the answers, and what of its question a judge's verdict rests on."""
    _run(
        db,
        """
    CREATE TABLE election (
        id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project(id), question_id INTEGER NOT NULL REFERENCES question(id),
        subject_id INTEGER REFERENCES subject(id), by TEXT NOT NULL DEFAULT '', numbers TEXT NOT NULL DEFAULT '{}', at TEXT NOT NULL);
    CREATE INDEX election_project ON election(project_id, question_id);
    CREATE INDEX election_subject ON election(subject_id) WHERE subject_id IS NOT NULL;
    ALTER TABLE verdict ADD COLUMN inputs TEXT NOT NULL DEFAULT '';
    """,
    )


@workspace_migrations()
def m010_open_screens(db: Database) -> None:
    """How many screens of a project have a free place, kept with the queue: every save and every
    next screen tells it."""
    _run(
        db,
        """
    CREATE TABLE open_screens (project_id INTEGER PRIMARY KEY REFERENCES project(id), count INTEGER NOT NULL);
    INSERT INTO open_screens SELECT project_id, count(*) FROM queue WHERE free > 0 GROUP BY project_id;
    CREATE TRIGGER queue_added AFTER INSERT ON queue WHEN NEW.free > 0 BEGIN
        INSERT INTO open_screens VALUES (NEW.project_id, 1) ON CONFLICT (project_id) DO UPDATE SET count = count + 1; END;
    CREATE TRIGGER queue_removed AFTER DELETE ON queue WHEN OLD.free > 0 BEGIN
        UPDATE open_screens SET count = count - 1 WHERE project_id = OLD.project_id; END;
    CREATE TRIGGER queue_changed AFTER UPDATE OF free ON queue WHEN (OLD.free > 0) <> (NEW.free > 0) BEGIN
        INSERT INTO open_screens VALUES (NEW.project_id, 1) ON CONFLICT (project_id) DO UPDATE SET count = count + (CASE WHEN NEW.free > 0 THEN 1 ELSE -1 END); END;
    """,
    )


@workspace_migrations()
def m011_lessons(db: Database) -> None:
    """What the learned judge learned per criterion, and by cell the chance of each value to be
    right. Made anew at every refit."""
    _run(
        db,
        """
    CREATE TABLE lesson (
        criterion_id INTEGER PRIMARY KEY REFERENCES criterion(id), hash TEXT NOT NULL, seen INTEGER NOT NULL, body TEXT NOT NULL, at TEXT NOT NULL);
    CREATE TABLE chance (
        cell_id INTEGER PRIMARY KEY REFERENCES cell(id) ON DELETE CASCADE, chances TEXT NOT NULL);
    """,
    )


@workspace_migrations()
def m012_batches(db: Database) -> None:
    """Calls handed in together. `handle` is empty until the provider's name for the batch is known;
    an ended batch is deleted."""
    _run(
        db,
        """
    CREATE TABLE batch (
        mark TEXT PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project(id), provider TEXT NOT NULL, address TEXT NOT NULL,
        handle TEXT NOT NULL DEFAULT '', keys TEXT NOT NULL, run_id INTEGER NOT NULL, at REAL NOT NULL) WITHOUT ROWID;
    CREATE INDEX batch_project ON batch(project_id);
    """,
    )


@workspace_migrations()
def m013_parts(db: Database) -> None:
    """Cells that are no longer asked about; a way to the parts of an answer; lists that judges
    drafted and people accepted."""
    _run(
        db,
        """
    ALTER TABLE cell ADD COLUMN retired INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX cell_part ON cell(criterion_id, subject_id, tally_id, import_id, final_number, final_source) WHERE part <> '';
    CREATE TABLE draft (
        id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project(id), question_id INTEGER NOT NULL REFERENCES question(id),
        state TEXT NOT NULL, by TEXT NOT NULL, elements TEXT NOT NULL, call_key TEXT NOT NULL DEFAULT '', money REAL, at TEXT NOT NULL);
    CREATE INDEX draft_question ON draft(project_id, question_id);
    """,
    )


@workspace_migrations()
def m014_kept_log(db: Database) -> None:
    """What was logged stays as it was: a proof rests on terms and draws that nobody changed after
    labels were read."""
    _run(
        db,
        """
    CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'what was logged is never changed'); END;
    CREATE TRIGGER event_kept BEFORE DELETE ON event WHEN OLD.kind IN ('draw', 'terms') BEGIN
        SELECT RAISE(ABORT, 'terms and draws are never removed'); END;
    """,
    )


@workspace_migrations()
def m015_adjudication(db: Database) -> None:
    """Who opened a cell to settle it, whether he or she had seen marks on the answer before, and
    whether the judges' were asked for."""
    _run(
        db,
        """
    CREATE TABLE looked (
        cell_id INTEGER NOT NULL REFERENCES cell(id), person_id TEXT NOT NULL REFERENCES person(id), seen_before INTEGER NOT NULL,
        judges INTEGER NOT NULL DEFAULT 0, at TEXT NOT NULL, PRIMARY KEY (cell_id, person_id)) WITHOUT ROWID;
    """,
    )


@workspace_migrations()
def m016_review_order(db: Database) -> None:
    """In which order ordinary screens are handed out, as it was last worked out, and which screens
    were handed out in the adaptive one."""
    _run(
        db,
        """
    CREATE TABLE review_order (
        project_id INTEGER PRIMARY KEY REFERENCES project(id), kind TEXT NOT NULL, labelled INTEGER NOT NULL, learned INTEGER NOT NULL, at TEXT NOT NULL);
    ALTER TABLE assignment ADD COLUMN adaptive INTEGER NOT NULL DEFAULT 0;
    """,
    )


@workspace_migrations()
def m017_second_looks(db: Database) -> None:
    """Which screen a screen is that comes back to the person who graded it."""
    _run(
        db,
        """
    ALTER TABLE screen ADD COLUMN again INTEGER REFERENCES screen(id);
    CREATE INDEX screen_again ON screen(again) WHERE again IS NOT NULL;
    """,
    )


@workspace_migrations()
def m018_gold(db: Database) -> None:
    """Settled cells by which people are checked, or on which they practise."""
    _run(
        db,
        """
    CREATE TABLE gold (
        cell_id INTEGER PRIMARY KEY REFERENCES cell(id) ON DELETE CASCADE, project_id INTEGER NOT NULL REFERENCES project(id),
        practice INTEGER NOT NULL, by TEXT NOT NULL, at TEXT NOT NULL);
    CREATE INDEX gold_project ON gold(project_id);
    """,
    )


@workspace_migrations()
def m019_apart(db: Database) -> None:
    """Screens for one person alone are told apart in his or her assignments, and found among
    thousands of others."""
    _run(
        db,
        """
    UPDATE assignment SET occasion = (SELECT CASE s.design WHEN 'repeat' THEN 1 WHEN 'gold' THEN 2 ELSE 3 END FROM screen s WHERE s.id = assignment.screen_id)
        WHERE screen_id IN (SELECT id FROM screen WHERE design IN ('repeat', 'gold', 'practice'));
    CREATE INDEX assignment_apart ON assignment(project_id, person_id, occasion) WHERE occasion > 0;
    """,
    )


@workspace_migrations()
def m020_left_over(db: Database) -> None:
    """Screens that the adaptive order left for later are no sample either, whatever order hands
    them out."""
    _run(db, "ALTER TABLE queue ADD COLUMN left_over INTEGER NOT NULL DEFAULT 0")


@workspace_migrations()
def m021_call_judge(db: Database) -> None:
    """Which judge of its run a call is for: several may ask the same model, each in its own way."""
    _run(db, "ALTER TABLE call ADD COLUMN judge TEXT NOT NULL DEFAULT ''")


@workspace_migrations()
def m022_part_of(db: Database) -> None:
    """Copies that come along with a file are an import of their own, which begins, ends and goes
    with that of the file."""
    _run(
        db,
        """
    ALTER TABLE import ADD COLUMN part_of INTEGER REFERENCES import(id);
    UPDATE import SET part_of = (SELECT max(i.id) FROM import i
        WHERE CASE WHEN json_valid(i.report) THEN json_extract(i.report, '$.copies') = import.id END);
    """,
    )


@workspace_migrations()
def m023_bad_rows(db: Database) -> None:
    """The cells of an import's bad rows, to be mended in a file of their own; row 0 says how the
    file was read."""
    _run(
        db,
        """
    CREATE TABLE bad_row (
        import_id INTEGER NOT NULL REFERENCES import(id), row INTEGER NOT NULL, body TEXT NOT NULL, PRIMARY KEY (import_id, row)) WITHOUT ROWID;
    """,
    )


@workspace_migrations()
def m024_confidence_order(db: Database) -> None:
    """From sure to doubtful: the order of a criterion's cells, fixed before labels are opened.
    `cells`: row ids, `sure`: a number each, `chance`: that of the suggestion; `adds`: the order
    that it goes on with, for answers that came later."""
    _run(
        db,
        """
    CREATE TABLE confidence_order (
        id INTEGER PRIMARY KEY, project_id INTEGER NOT NULL REFERENCES project(id), criterion_id INTEGER NOT NULL REFERENCES criterion(id),
        hash TEXT NOT NULL, task_type TEXT NOT NULL, adds INTEGER REFERENCES confidence_order(id), at TEXT NOT NULL, digest TEXT NOT NULL,
        made_from TEXT NOT NULL, cells BLOB NOT NULL, sure BLOB NOT NULL, chance BLOB NOT NULL);
    CREATE INDEX confidence_order_criterion ON confidence_order(criterion_id, task_type, at);
    CREATE TRIGGER confidence_order_stays BEFORE UPDATE ON confidence_order BEGIN
        SELECT RAISE(ABORT, 'an order that was fixed is never changed'); END;
    """,
    )


@workspace_migrations()
def m025_events_of_files(db: Database) -> None:
    """Which import brought an event; 0: it happened here."""
    _run(db, "ALTER TABLE event ADD COLUMN import_id INTEGER NOT NULL DEFAULT 0;")


@workspace_migrations()
def m026_screen_cells(db: Database) -> None:
    """The cells that a screen asks about, where these are not all of its answers'."""
    _run(
        db,
        """
    CREATE TABLE screen_cell (
        screen_id INTEGER NOT NULL REFERENCES screen(id), cell_id INTEGER NOT NULL REFERENCES cell(id) ON DELETE CASCADE,
        PRIMARY KEY (screen_id, cell_id)) WITHOUT ROWID;
    CREATE INDEX screen_cell_cell ON screen_cell(cell_id);
    """,
    )


@workspace_migrations()
def m027_versions(db: Database) -> None:
    """Which version of Cograde took each step: what is too new for a program can then be told by
    name."""
    _run(
        db,
        "CREATE TABLE step_version (step TEXT PRIMARY KEY, version TEXT NOT NULL) WITHOUT ROWID;",
    )


@workspace_migrations()
def m028_misquoted(db: Database) -> None:
    """Whether a judge's present verdict quotes what is not in the answer
    (`graders.store.opinions.misquoted`), and the projects in which nobody has looked yet: that is
    done when they are routed, since reading all answers here would keep everybody waiting."""
    _run(
        db,
        """
    ALTER TABLE opinion ADD COLUMN misquoted INTEGER DEFAULT 0;
    CREATE INDEX opinion_unsought ON opinion(author_id, cell_id) WHERE misquoted IS NULL;
    CREATE INDEX opinion_due ON opinion(author_id, cell_id) WHERE misquoted = 2;
    CREATE TABLE unsought (project_id INTEGER PRIMARY KEY REFERENCES project(id));
    INSERT INTO unsought SELECT id FROM project;
    """,
    )


@workspace_migrations()
def m029_one_save(db: Database) -> None:
    """Each save of a person's screen follows the one that stood before it (`after`), so none is
    stored twice beside another. `aside`: it came from a tab that did not know of the one that
    stood; it is kept, and none of its verdicts count."""
    _run(
        db,
        """
    ALTER TABLE save ADD COLUMN after TEXT NOT NULL DEFAULT '';
    ALTER TABLE save ADD COLUMN aside INTEGER NOT NULL DEFAULT 0;
    UPDATE save SET after = found.before FROM (SELECT id, lag(id, 1, '') OVER (PARTITION BY screen_id, person_id ORDER BY at, id) AS before
        FROM save WHERE undone = 0) AS found WHERE found.id = save.id;
    CREATE UNIQUE INDEX save_follows ON save(screen_id, person_id, after) WHERE undone = 0;
    """,
    )


@workspace_migrations()
def m030_looks(db: Database) -> None:
    """The planned look that a drawn screen belongs to, counted from 1; 0 where none was planned."""
    _run(db, "ALTER TABLE screen ADD COLUMN look INTEGER NOT NULL DEFAULT 0;")


@workspace_migrations()
def m033_labels_chosen(db: Database) -> None:
    """How the answers were chosen that an import has labels of: all, random, or unknown. Opinions
    on answers that were there before learn which import brought them."""
    _run(
        db,
        """
    ALTER TABLE import ADD COLUMN labels_chosen TEXT NOT NULL DEFAULT 'unknown';
    UPDATE opinion SET import_id = (SELECT v.import_id FROM verdict v WHERE v.id = opinion.verdict_id)
        WHERE import_id = 0 AND design = 'imported';
    """,
    )


@workspace_migrations()
def m035_detections(db: Database) -> None:
    """The projects whose cells were decided by rules that only detect, before these left that to
    judges and people (`graders.workflows.cells.earlier_rulings`): they are worked out anew when the
    file is opened next."""
    _run(
        db,
        """
    CREATE TABLE unweighed (project_id INTEGER PRIMARY KEY REFERENCES project(id));
    INSERT INTO unweighed SELECT id FROM project;
    """,
    )


@workspace_migrations()
def m037_taken_back(db: Database) -> None:
    """What an import replaced, so that it can be put back; projects that were deleted, whose row
    stays empty so that their number names no other one. Draws and terms go with their project
    alone."""
    _run(
        db,
        """
    CREATE TABLE undo (import_id INTEGER NOT NULL REFERENCES import(id), tbl TEXT NOT NULL, body TEXT NOT NULL);
    CREATE INDEX undo_import ON undo(import_id, tbl);
    ALTER TABLE project ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
    DROP TRIGGER event_kept;
    CREATE TRIGGER event_kept BEFORE DELETE ON event WHEN OLD.kind IN ('draw', 'terms')
        AND NOT EXISTS (SELECT 1 FROM project p WHERE p.id = OLD.project_id AND p.removed = 1) BEGIN
        SELECT RAISE(ABORT, 'terms and draws are never removed'); END;
    """,
    )


@workspace_migrations()
def m038_test_labels(db: Database) -> None:
    """Imported labels that are kept for a test: whether they are stated to be given blind, and
    those that nobody may see before terms and order are fixed. Once opened (`opened_at`) they are
    verdicts too, and their rows say what the test rests on."""
    _run(
        db,
        """
    ALTER TABLE import ADD COLUMN labels_blind INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE test_label (
        id INTEGER PRIMARY KEY, uid TEXT NOT NULL, project_id INTEGER NOT NULL REFERENCES project(id),
        import_id INTEGER NOT NULL REFERENCES import(id), cell_id INTEGER NOT NULL REFERENCES cell(id),
        body TEXT NOT NULL, opened_at TEXT NOT NULL DEFAULT '', UNIQUE (project_id, uid));
    CREATE INDEX test_label_cell ON test_label(cell_id);
    CREATE INDEX test_label_import ON test_label(import_id);
    """,
    )


@workspace_migrations()
def m039_codes(db: Database) -> None:
    """The code by which a person is known in another browser, as `salt$hash`, "" for none yet; how
    many wrong ones were typed in a row, and when the last was."""
    _run(
        db,
        """
    ALTER TABLE person ADD COLUMN code TEXT NOT NULL DEFAULT '';
    ALTER TABLE person ADD COLUMN wrong_codes INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE person ADD COLUMN wrong_at TEXT NOT NULL DEFAULT '';
    """,
    )
