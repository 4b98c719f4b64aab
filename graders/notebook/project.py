"""A project in a notebook: its frames, and what brings answers in, grades them and takes them
away."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from graders.core.errors import InputError, UsageError
from graders.core.rubric import Rubric
from graders.core.settings import read_settings
from graders.core.shapes import JSON, as_dict
from graders.core.words import error_parts
from graders.notebook.tables import frame
from graders.store import projects
from graders.store.calls import runs as run_store
from graders.store.transfer import snapshot
from graders.workflows.agreement import agree
from graders.workflows.collecting import collect_run
from graders.workflows.importing import look as import_look
from graders.workflows.importing import look_choices, named_criteria, stage
from graders.workflows.leaderboard import ranking
from graders.workflows.report import export, rows
from graders.workflows.report import report as reports
from graders.workflows.runs import run_control, runs
from graders.workflows.runs.run_plan import RunPlan
from graders.workflows.scope.permissions import Scope, needs

Row = JSON
#: What `grade` and `plan` may be told beside the judges, and `collect` beside the models. A limit
#: that is misspelt must not be lost: it is money.
GRADE = (
    "budget_money",
    "budget_calls",
    "tries",
    "concurrency",
    "timeout",
    "panel",
    "metrics",
    "base_urls",
    "key_variables",
    "headers",
    "split",
    "faults",
    "anchors",
    "batch",
)
COLLECT = (
    "budget_money",
    "budget_calls",
    "temperature",
    "max_output_tokens",
    "concurrency",
    "headers",
    "base_url",
)
#: How the command's options are called where that is another word.
ALSO = {"budget": "budget_money", "max_calls": "budget_calls", "try_": "tries"}
#: How options are called that a message names.
SHORT = {name: word for word, name in ALSO.items() if word.isidentifier() and word != "try_"}
#: Between several texts in one cell of a table.
SEVERAL = "|||"


@dataclass(frozen=True)
class Added:
    """What a frame brought: counts of records, and the rows that could not be used."""

    questions: int
    answers: int
    new_versions: int
    verdicts: int
    unchanged: int
    bad_rows: pd.DataFrame


@dataclass(frozen=True)
class Ended:
    """How a run ended: its number, ``done``, ``stopped`` (a limit was reached) or ``paused``, its
    message, calls and US dollars (None where a price is not known)."""

    run: int
    state: str
    message: str
    calls: int
    money: float | None


class Project:
    """A project of an open workspace. Frames are read when they are asked for; their columns are
    described in `graders.notebook.tables.TABLES`."""

    def __init__(self, scope: Scope, name: str, rubric: Rubric | None = None) -> None:
        self.scope, self.name, self._rubric = scope, name, rubric

    def __repr__(self) -> str:
        return f"<Project {self.name}>"

    # -- frames

    @property
    def questions(self) -> pd.DataFrame:
        """One row per question, as they came."""
        return self._frame("questions", lambda ws, p: snapshot.rows(ws, p, "questions"))

    @property
    def answers(self) -> pd.DataFrame:
        """One row per answer and version, as they came."""
        return self._frame("answers", lambda ws, p: snapshot.rows(ws, p, "answers"))

    @property
    def verdicts(self) -> pd.DataFrame:
        """One row per verdict of a person, a judge or a rule, as they were given: those that were
        amended or retracted stand there too."""
        return self._frame("verdicts", rows.each_verdict)

    @property
    def cells(self) -> pd.DataFrame:
        """One row per current answer and criterion: the suggestion and the final value."""
        return self._frame("cells", snapshot.each_cell)

    @property
    def routes(self) -> pd.DataFrame:
        """One row per current answer and criterion: who decides it, and why."""
        return self._frame("routes", lambda ws, p: snapshot.rows(ws, p, "routes"))

    def agreement(self, *, blind_only: bool = True) -> pd.DataFrame:
        """One row per criterion and judge: how far it agrees with people, beside how far people
        agree. `blind_only` False adds verdicts that were given with suggestions in view."""
        found = agree.agreement(self.scope, self.name, blind_only=blind_only)
        return frame("agreement", map(as_dict, rows.agreement(found)))

    def leaderboard(self) -> pd.DataFrame:
        """One row per model overall, and one per model and criterion, the best first."""
        board = ranking.leaderboard(self.scope, self.name)
        return frame("leaderboard", map(as_dict, rows.leaderboard(board)))

    def report(self, path: str | Path = "", *, force: bool = False) -> pd.DataFrame:
        """One row per cell of each table of the report. With a `path` (HTML, Markdown or XLSX) the
        report is written there too; `force` writes over a file."""
        if path:
            target = Path(path)
            kind = export.format_of(target, reports.ENDINGS, "html")
            found = reports.write_report(self.scope, self.name, target, kind, force=force)
        else:
            found = reports.report(self.scope, self.name)
        return frame("report", map(as_dict, rows.report(found)))

    # -- what changes a project

    def add(self, answers: pd.DataFrame, columns: Mapping[str, str] | None = None) -> Added:
        """Bring a frame in, as a file with the same columns; what is there already stays.

        `columns` gives a role to columns that are not called like it: ``{"bot": "model", "Cedar":
        "answer:Cedar"}`` (docs/import.md lists the roles). Lists become several texts. InputError
        where no row can be used; rows that cannot be stand in `bad_rows`.
        """
        if not isinstance(answers, pd.DataFrame):
            raise InputError(**error_parts("notebook.answers", found=type(answers).__name__))
        rubric = self._rubric
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "frame.csv"
            _plain(answers).to_csv(path, index=False, encoding="utf-8")
            _, look = import_look.look_at(self.scope, path)
            look = look_choices.with_columns(
                look, [f"{name}={role}" for name, role in (columns or {}).items()]
            )
            look = named_criteria.with_criteria(self.scope, self.name, path, look, rubric)
            report = stage.stage(self.scope, self.name, path, look, rubric=rubric)
            stage.finish(self.scope, report.import_id)
        self._rubric = None
        return Added(
            report.questions,
            report.answers,
            report.new_versions,
            report.verdicts,
            report.unchanged,
            frame("bad_rows", map(asdict, report.bad_rows)),
        )

    def plan(self, judge: str | Sequence[str] = (), **options: Any) -> RunPlan:
        """What `grade` would do: cells, and per judge calls, tokens, money, seconds and where its
        key goes. Nothing is sent."""
        return runs.plan(self.scope, self.name, _options(judge, options))

    def grade(self, judge: str | Sequence[str] = (), **options: Any) -> Ended:
        """Grade what has no present verdict: rules and metrics, and each `judge`
        (PROVIDER:MODEL, or the name of one that was set up).

        `options` are those of ``cograde grade`` with underscores (`GRADE`, `ALSO`): `budget` in US
        dollars, `max_calls`, `tries`, `concurrency`, `panel`, ... Keys come from the environment. A
        run that was interrupted is taken up by the next one: stored replies are never bought again.
        UsageError for another option; InputError where a judge lacks its key or could not be asked.
        """
        run_control.end_abandoned(self.scope, self.name)
        return self._work(runs.start(self.scope, self.name, _options(judge, options)).run)

    def collect(self, models: str | Sequence[str], **options: Any) -> Ended:
        """Ask models (PROVIDER:MODEL) the questions that they have not answered. `options` are
        those of ``cograde collect`` with underscores (`COLLECT`, `ALSO`). Errors as for `grade`."""
        wish = {**_known(options, COLLECT), "models": _several(models)}
        return self._work(collect_run.start(self.scope, self.name, wish).run)

    def _work(self, run_id: int) -> Ended:
        ws = self.scope.ws
        models = read_settings(os.environ, Path.cwd()).models()
        state = runs.execute(ws, run_id, models=models)
        run = run_store.get_run(ws, run_id)
        if state in ("failed", "waiting_for_key"):
            raise InputError(
                **error_parts(
                    "notebook.not_done",
                    run=run_id,
                    state=state.replace("_", " "),
                    message=run.message,
                )
            )
        progress = run.progress
        return Ended(run_id, state, run.message, progress.get("calls", 0), progress.get("money"))

    def export(self, path: str | Path, format: str = "", *, force: bool = False) -> Path:
        """Write the project to a file, in the format that its ending names, or in `format`; `force`
        writes over a file. UsageError where neither names one."""
        target = Path(path)
        endings = export.endings()
        chosen = format or export.format_of(target, endings, "")
        if not chosen:
            raise UsageError(
                **error_parts(
                    "notebook.ending",
                    name=target.name,
                    endings=", ".join(sorted({one for of in endings.values() for one in of})),
                )
            )
        return export.export(self.scope, self.name, chosen, target, force=force)

    def _frame(
        self, table: str, read: Callable[[Any, projects.Project], Iterator[Row]]
    ) -> pd.DataFrame:
        return frame(table, _read(self.scope, self.name, read))


@needs("export")
def _read(
    scope: Scope, name: str, read: Callable[[Any, projects.Project], Iterator[Row]]
) -> Iterator[Row]:
    return read(scope.ws, scope.project(name))


def _options(judge: str | Sequence[str], options: Mapping[str, Any]) -> Row:
    return {**_known(options, GRADE), "judges": _several(judge)}


def _known(options: Mapping[str, Any], names: Sequence[str]) -> Row:
    """The options under the names that runs know; UsageError for one that is not among `names`."""
    found: Row = {}
    for given, value in options.items():
        name = ALSO.get(given, given)
        if name not in names or name in found:
            raise UsageError(
                **error_parts(
                    f"notebook.option.{'twice' if name in found else 'unknown'}",
                    option=given,
                    options=", ".join(SHORT.get(one, one) for one in names),
                )
            )
        found[name] = value
    return found


def _several(names: str | Sequence[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _plain(given: pd.DataFrame) -> pd.DataFrame:
    """The frame as a table of texts: lists as several texts, absent values empty."""

    def text(value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return SEVERAL.join(map(str, value))
        return value

    return given.map(text)
