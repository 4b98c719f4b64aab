"""Benchmarks: ask models the cases, score what they say beside the expected answers, write reports.

Beside `run`: `generate` new cases with a model, `check` a folder of cases, `clean` reports away.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from graders.core.contracts import Encoder
from graders.core.errors import CogradeError, InputError, NotFound
from graders.core.rubric import Rubric
from graders.core.words import error_parts, say
from graders.exporters.sheets.files import finished
from graders.store import projects
from graders.store.projects import Project
from graders.store.workspace import Workspace, open_workspace
from graders.workflows.benchmarks._figures import figures_of, file_of, title_of
from graders.workflows.benchmarks._files import REPLIES, Cleaned, clean, note, refuse_foreign
from graders.workflows.benchmarks._generate import TRIES, Generated, generate
from graders.workflows.benchmarks._records import (
    AskedModel,
    BenchmarkFigures,
    BenchmarkReport,
    Metric,
)
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
from graders.workflows.calling.call import Outcome
from graders.workflows.importing.replies_as_import import Imported, answer_of, bring
from graders.workflows.measuring.benchmark_scores import LEAD, Output, outputs_for, score
from graders.workflows.measuring.measure import encoder_for
from graders.workflows.scope import named_rubrics
from graders.workflows.scope.header_lines import header_lines
from graders.workflows.scope.permissions import Actor, Scope, allowed

__all__ = [
    "BUNDLED",
    "KINDS",
    "LEAD",
    "TRIES",
    "BenchmarkReport",
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
    """One case of one model is done, as the caller is told. `cause` is empty for an answer."""

    benchmark: str
    case: str
    model: str
    cause: str
    known: bool
    done: int
    total: int


def run(
    plan: Plan, *, models: Mapping[str, str], listen: Callable[[Heard], None] = lambda heard: None
) -> BenchmarkReport:
    """Run benchmarks and write the reports; returns all figures.

    `models` are the encoder settings. A model that cannot be asked is told in the result
    (``models[].error``), the others go on; where nothing at all was answered no report is written,
    so that earlier ones stay. InputError before any call where cases are broken, or a report would
    overwrite a file that is not ours.
    """
    asked_for = _models_of(plan)
    benchmarks = load(plan.folder, plan.benchmarks)
    outputs = {
        benchmark.name: outputs_for(benchmark.name, plan.metrics) for benchmark in benchmarks
    }
    headers = header_lines("option --header", plan.headers)
    files = [
        *(file_of(benchmark.name) for benchmark in benchmarks),
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
        with Asker(ws, project, say("benchmarks.run_message"), timeout=plan.timeout) as asker:
            heard = _ask(asker, sources, benchmarks, listen)
        answered = any(asked.replies for asked in heard.values())
        encoder = encoder_for(models, ws)
        figures = []
        for benchmark in benchmarks:
            asked = [heard[benchmark.name, model] for model in asked_for]
            figures.append(_scored(benchmark, asked, outputs[benchmark.name], encoder))
        report = BenchmarkReport(
            title=title_of(figures),
            made=ws.now(),
            address=sources[0].make().address,
            models=[AskedModel(model, _error(heard, model)) for model in asked_for],
            benchmarks=figures,
            files=files if answered else [],
            imported=_import(scope, project, benchmarks, heard, rubric)
            if plan.workspace and answered
            else None,
        )
    if answered:
        _write(plan.output, report)
    return report


def _models_of(plan: Plan) -> list[str]:
    """The models that a plan names, each once."""
    models = list(dict.fromkeys(name.strip() for name in plan.models if name.strip()))
    if not models:
        raise InputError(**error_parts("benchmarks.error.no_model"))
    return models


def _scored(
    benchmark: Benchmark, asked: Sequence[Asked], outputs: Sequence[Output], encoder: Encoder | None
) -> BenchmarkFigures:
    """The figures of a benchmark from what each model said."""
    answers = {
        (one.model, case): reply.text for one in asked for case, reply in one.replies.items()
    }
    scores = score(benchmark.name, benchmark.cases, answers, outputs, encoder)
    return figures_of(benchmark.name, benchmark.cases, asked, scores, outputs)


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

                def tell(outcome: Outcome, name: str = benchmark.name, model: str = model) -> None:
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


def _error(heard: Mapping[tuple[str, str], Asked], model: str) -> str:
    return next(
        (asked.error for (_, name), asked in heard.items() if name == model and asked.error), ""
    )


def _folder(output: Path) -> None:
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            **error_parts(
                "benchmarks.error.no_output_write", output=output, why=error.strerror or str(error)
            )
        ) from error


def _project(ws: Workspace, name: str) -> Project:
    try:
        return projects.get_project(ws, name)
    except NotFound:
        return projects.add_project(ws, name)


def _write(output: Path, report: BenchmarkReport) -> None:
    """All report files, each whole or not at all; then the note of which are ours."""
    texts = {"summary.md": summary(report), "report.html": html(report)}
    texts |= {benchmark.file: page(report, benchmark) for benchmark in report.benchmarks}
    for name, text in texts.items():
        with finished(output / name) as temporary:
            temporary.write_text(text.encode("utf-8", "replace").decode("utf-8"), "utf-8")
    with finished(output / "results.xlsx") as temporary:
        write_workbook(report, temporary)
    note(output, [*texts, "results.xlsx"])


# -- the report as one HTML file that needs nothing beside it. All texts are escaped; it holds no
# script

_PLACE = BUNDLED / "report"


def html(report: BenchmarkReport) -> str:
    """The whole report as one page, light or dark as the reader's machine is set."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_PLACE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html").render(
        report=report,
        style=(_PLACE / "page.css").read_text("utf-8"),
        lead=LEAD,
        by_key={metric.key: metric for b in report.benchmarks for metric in b.metrics},
        shown=_shown,
        place=_place,
        say=say,
    )


def _shown(value: float, metric: Metric) -> str:
    return f"{value:.1f}" if metric.high > 1 else f"{value:.3f}"


def _place(value: float, metric: Metric) -> float:
    """Where a value stands on its range, in percent."""
    return round(100 * (value - metric.low) / (metric.high - metric.low), 2)


# -- to the review desk


def _import(
    scope: Scope,
    project: Project,
    benchmarks: Sequence[Benchmark],
    heard: Mapping[tuple[str, str], Asked],
    rubric: Rubric | None,
) -> Imported:
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
