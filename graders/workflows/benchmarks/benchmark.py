"""Benchmarks: ask models the cases, score what they say beside the expected answers, write reports.

Beside `run`: `generate` new cases with a model, `check` a folder of cases, `clean` reports away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graders.core.errors import CogradeError, InputError, NotFound
from graders.exporters.sheets.files import finished
from graders.store import projects
from graders.store.projects import Project
from graders.store.workspace import Workspace, open_workspace
from graders.workflows.benchmarks._figures import figures_of, title_of
from graders.workflows.benchmarks._files import REPLIES, Cleaned, clean, note, refuse_foreign
from graders.workflows.benchmarks._generate import TRIES, Generated, generate
from graders.workflows.benchmarks._html import html
from graders.workflows.benchmarks._workbook import write_workbook
from graders.workflows.benchmarks.cases import BUNDLED, KINDS, Benchmark, Checked, check, load
from graders.workflows.benchmarks.markdown import page, summary
from graders.workflows.calling.asking import (
    Asked,
    Asker,
    Source,
    ollama_source,
    request_for,
    why_not,
)
from graders.workflows.importing.replies_as_import import answer_of, bring
from graders.workflows.measuring.benchmark_scores import LEAD, outputs_for, score
from graders.workflows.measuring.measure import encoder_for
from graders.workflows.scope import named_rubrics
from graders.workflows.scope.header_lines import header_lines
from graders.workflows.scope.permissions import Actor, Scope, allowed

__all__ = [
    "BUNDLED",
    "KINDS",
    "LEAD",
    "TRIES",
    "Checked",
    "Cleaned",
    "Generated",
    "Heard",
    "Plan",
    "check",
    "clean",
    "generate",
    "run",
]

#: The project that holds the calls where none is named.
PROJECT = "benchmarks"
#: What a run's row says of it.
MESSAGE = "Models were asked for a benchmark."


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What `run` is asked to do.

    `folder` holds a folder of cases per benchmark; `benchmarks` and `metrics` empty mean all. With
    a `workspace` the calls are kept there, and questions, references and answers come into
    `project` for review; else replies are kept beside the reports. `headers` are lines ``Name:
    value`` that go with every call, secrets as ``$VARIABLE``; they are kept nowhere.
    """

    models: tuple[str, ...]
    url: str = ""
    folder: Path = BUNDLED
    benchmarks: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    output: Path = Path("results")
    concurrency: int = 1
    timeout: float = 600.0
    workspace: Path | None = None
    project: str = ""
    rubric: str = ""
    headers: str = ""


@dataclass(frozen=True, slots=True)
class Heard:
    """One case of one model is through: for whoever watches. `cause` is empty for an answer."""

    benchmark: str
    case: str
    model: str
    cause: str
    known: bool
    done: int
    total: int


def run(
    plan: Plan, *, models: Mapping[str, str], listen: Callable[[Heard], None] = lambda heard: None
) -> dict[str, Any]:
    """Run benchmarks and write the reports; returns all figures as plain data.

    `models` are the encoder settings. A model that cannot be asked is told in the result
    (``models[].error``), the others go on; where nothing at all was answered no report is written,
    so that earlier ones stay. InputError before any call where cases are broken, or a report would
    overwrite a file that is not ours.
    """
    asked_for = list(dict.fromkeys(name.strip() for name in plan.models if name.strip()))
    if not asked_for:
        raise InputError(
            "option --model",
            found="none",
            expected="a model that Ollama has",
            remedy="`ollama list` shows them.",
        )
    benchmarks = load(plan.folder, plan.benchmarks)
    outputs = {
        benchmark.name: outputs_for(benchmark.name, plan.metrics) for benchmark in benchmarks
    }
    headers = header_lines("option --header", plan.headers)
    files = [
        *(_file(benchmark.name) for benchmark in benchmarks),
        "summary.md",
        "report.html",
        "results.xlsx",
    ]
    refuse_foreign(plan.output, files)
    rubric = named_rubrics.read_named_rubric(plan.rubric) if plan.rubric else None
    _folder(plan.output)
    ws = open_workspace(plan.workspace or plan.output / REPLIES)
    with closing(ws):
        scope = Scope(Actor(), ws)
        allowed(scope, "run")
        project = _project(ws, plan.project or PROJECT)
        sources = [ollama_source(model, plan.url, plan.concurrency, headers) for model in asked_for]
        with Asker(ws, project, MESSAGE, timeout=plan.timeout) as asker:
            heard = _ask(asker, sources, benchmarks, listen)
        answered = any(asked.replies for asked in heard.values())
        encoder = encoder_for(models, ws)
        found = []
        for benchmark in benchmarks:
            asked = [heard[benchmark.name, model] for model in asked_for]
            answers = {
                (one.model, case): reply.text
                for one in asked
                for case, reply in one.replies.items()
            }
            chosen = outputs[benchmark.name]
            scores = score(benchmark.name, benchmark.cases, answers, chosen, encoder)
            found.append(
                {
                    **figures_of(benchmark.name, benchmark.cases, asked, scores, chosen),
                    "file": _file(benchmark.name),
                }
            )
        report = {
            "title": title_of(found),
            "made": ws.now(),
            "address": sources[0].make().address,
            "models": [{"model": model, "error": _error(heard, model)} for model in asked_for],
            "benchmarks": found,
            "files": files if answered else [],
            "imported": _import(scope, project, benchmarks, heard, rubric)
            if plan.workspace and answered
            else None,
        }
    if answered:
        _write(plan.output, report)
    return report


def _ask(
    asker: Asker,
    sources: Sequence[Source],
    benchmarks: Sequence[Benchmark],
    listen: Callable[[Heard], None],
) -> dict[tuple[str, str], Asked]:
    """What every model said in every benchmark. A model that stopped is not asked again, an address
    that is dead not by others."""
    found: dict[tuple[str, str], Asked] = {}
    total = len(sources) * sum(len(benchmark.cases) for benchmark in benchmarks)
    done = 0
    dead: CogradeError | None = None
    for source in sources:  # one model after the other: Ollama loads each once
        stop, model = dead, source.name
        for benchmark in benchmarks:
            if stop is None and not asker.stopped:

                def tell(outcome: Any, name: str = benchmark.name, model: str = model) -> None:
                    nonlocal done
                    done += 1
                    case = outcome.request.subjects[0].question_id
                    listen(Heard(name, case, model, outcome.cause, outcome.known, done, total))

                asked = asker.ask(
                    source,
                    {
                        case.id: request_for(case, source, temperature=0.0)
                        for case in benchmark.cases
                    },
                    tell,
                )
                stop = asked.stop
                dead = stop if asked.closed else None
            else:
                asked = Asked(
                    model, failed={case.id: why_not(stop) for case in benchmark.cases}, stop=stop
                )
            found[benchmark.name, model] = asked
    return found


def _file(benchmark: str) -> str:
    """The name of a benchmark's own report; the summary's name is taken."""
    return f"{benchmark}.md" if benchmark != "summary" else "summary-cases.md"


def _error(heard: Mapping[tuple[str, str], Asked], model: str) -> str:
    return next(
        (asked.error for (_, name), asked in heard.items() if name == model and asked.error), ""
    )


def _folder(output: Path) -> None:
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"option --output {output}",
            found=error.strerror or str(error),
            expected="a folder that can be written to",
            remedy="Name another folder, or look at its rights.",
        ) from error


def _project(ws: Workspace, name: str) -> Project:
    try:
        return projects.get_project(ws, name)
    except NotFound:
        return projects.add_project(ws, name)


def _write(output: Path, report: Mapping[str, Any]) -> None:
    """All report files, each whole or not at all; then the note of which are ours."""
    texts = {"summary.md": summary(report), "report.html": html(report)}
    texts |= {benchmark["file"]: page(report, benchmark) for benchmark in report["benchmarks"]}
    for name, text in texts.items():
        with finished(output / name) as temporary:
            temporary.write_text(text.encode("utf-8", "replace").decode("utf-8"), "utf-8")
    with finished(output / "results.xlsx") as temporary:
        write_workbook(report, temporary)
    note(output, [*texts, "results.xlsx"])


# -- to the review desk


def _import(
    scope: Scope,
    project: Project,
    benchmarks: Sequence[Benchmark],
    heard: Mapping[tuple[str, str], Asked],
    rubric: Any,
) -> dict[str, Any]:
    """Questions, references and answers into the project, where people review them like all
    others."""
    answers = [
        answer_of(case, asked.model, reply)
        for asked in heard.values()
        for case, reply in asked.replies.items()
    ]
    return bring(
        scope,
        project.name,
        "benchmarks",
        [case for benchmark in benchmarks for case in benchmark.cases],
        answers,
        rubric,
    )
