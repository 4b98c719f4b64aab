"""Run, make, check and clear away benchmarks."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from graders.commands._shell import Context, JsonOption, group, messages, show
from graders.core.errors import InputError, StoppedEarly
from graders.core.words import carried, error_parts
from graders.workflows.benchmarks import benchmark
from graders.workflows.scope.missing_reasons import cause_counts, cause_words

say = carried(
    "command_benchmark",
    {
        "help": (
            "Ask models of Ollama the same cases, and score their answers.\n\n"
            "Example: cograde benchmark run --model llama3 --output results"
        ),
        "url.help": "Ollama's address.",
        "url.default": "OLLAMA_HOST, else http://127.0.0.1:11434",
        "output.help": "The folder for reports.",
        "folder.help": "The folder of benchmarks.",
        "folder.default": "the one that comes with Cograde",
        "timeout.help": "Seconds for one call.",
        "run.model.help": "A model that Ollama has; may be repeated.",
        "run.benchmarks.help": "Benchmarks by name, separated by commas.",
        "run.benchmarks.default": "all",
        "run.verbose.help": "Print the result of every case.",
        "run.metric.help": "A metric; may be repeated.",
        "run.metric.default": "all that suit the benchmark",
        "run.concurrency.help": (
            "Max concurrent calls; with more than one, the seconds per call are less exact."
        ),
        "run.header.help": (
            '"Name: value" that goes with every call, $VARIABLE for a secret; may be repeated.'
        ),
        "run.workspace.help": (
            "Also import questions and answers into this workspace, for review."
        ),
        "run.project.help": "The project in that workspace.",
        "run.project.default": "benchmarks",
        "run.rubric.help": "The project's rubric: the name of a bundled one, or a file.",
        "run.help": (
            "Ask models all cases and write reports: Markdown, HTML, XLSX. What was answered "
            "before is not asked again.\n\n"
            "Example: cograde benchmark run --model llama3 --benchmarks translation,code --output "
            "results --verbose"
        ),
        "error.project_without_workspace.where": "option --project",
        "error.project_without_workspace.found": "no --workspace",
        "error.project_without_workspace.expected": "both",
        "error.project_without_workspace.remedy": "Name the file with --workspace FILE.",
        "generate.model.help": "The model that writes the cases.",
        "generate.count.help": "Cases per category.",
        "generate.category.help": "translation, summarization, codegen or all.",
        "generate.folder.help": "The folder for the cases.",
        "generate.help": (
            "Have a model write new cases. Only valid ones are kept, and no file is overwritten. "
            "The prompts are in FOLDER/prompts.\n\n"
            "Example: cograde benchmark generate --count 2 --category translation --model llama3 "
            "--folder my-benchmarks"
        ),
        "none_written": "No case was written.",
        "no_valid_case": "{name}: no valid case in {tries} tries; the last one: {why}.",
        "validate.folder.help": "A folder of cases, or of such folders.",
        "validate.help": (
            "Check cases: format, prompt and answer present, no repeated prompt, no answer that "
            "repeats its prompt, Python that parses.\n\n"
            "Example: cograde benchmark validate my-benchmarks"
        ),
        "problem.place": "File and line",
        "problem.part": "Part",
        "problem.found": "Found",
        "problem.expected": "Expected",
        "problem.remedy": "What to do",
        "checked.one": "{counts}; {n} problem.",
        "clean.help": (
            "Delete the reports in a folder that `benchmark run` wrote and that have not changed "
            "since; all other files stay and are named.\n\n"
            "Example: cograde benchmark clean --output results"
        ),
        "deleted": "{deleted_count} reports deleted.",
        "stays": "{name} stays: {why}.",
        "known": "known already",
        "no_value": "no value",
        "token_f1": "token F1 {value:.3f}",
        "result": "{name}, {model}: {figure}, {ran} of {cases} cases",
        "for_review": (
            "\nFor review in project {project}: {questions} new questions, {answers} new answers."
        ),
        "good_cases": "{name}: {count} good cases",
        "no_good_case": "No good case",
        "error.unanswered.where": "benchmark",
        "error.unanswered.found.one": "{n} case without an answer",
        "error.unanswered.expected": "an answer to every case",
        "error.unanswered.remedy": "The same command asks them again.",
        "answered": "answered",
        "error.unanswered.found.other": "{n} cases without an answer",
        "checked.other": "{counts}; {n} problems.",
    },
)


#: Columns of a table that goes to a file or another program.
WIDE = 200

app = group(say("help"))

UrlOption = Annotated[
    str,
    typer.Option(
        "--ollama-url",
        help=say("url.help"),
        show_default=say("url.default"),
    ),
]
OutputOption = Annotated[Path, typer.Option("--output", help=say("output.help"))]
FolderOption = Annotated[
    Path,
    typer.Option("--folder", help=say("folder.help"), show_default=say("folder.default")),
]
TimeoutOption = Annotated[float, typer.Option("--timeout", min=1.0, help=say("timeout.help"))]


@app.command("run", help=say("run.help"))
def run(
    model: Annotated[
        list[str],
        typer.Option("--model", help=say("run.model.help")),
    ],
    url: UrlOption = "",
    benchmarks: Annotated[
        list[str] | None,
        typer.Option(
            "--benchmarks",
            help=say("run.benchmarks.help"),
            show_default=say("run.benchmarks.default"),
        ),
    ] = None,
    output: OutputOption = Path("results"),
    verbose: Annotated[bool, typer.Option("--verbose", help=say("run.verbose.help"))] = False,
    folder: FolderOption = benchmark.BUNDLED,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric", help=say("run.metric.help"), show_default=say("run.metric.default")
        ),
    ] = None,
    concurrency: Annotated[
        int,
        typer.Option("--concurrency", min=1, help=say("run.concurrency.help")),
    ] = 1,
    timeout: TimeoutOption = 600.0,
    header: Annotated[
        list[str] | None,
        typer.Option(
            "--header",
            help=say("run.header.help"),
        ),
    ] = None,
    workspace: Annotated[
        Path | None,
        typer.Option("--workspace", help=say("run.workspace.help")),
    ] = None,
    project: Annotated[
        str,
        typer.Option(
            "--project", help=say("run.project.help"), show_default=say("run.project.default")
        ),
    ] = "",
    rubric: Annotated[str, typer.Option("--rubric", help=say("run.rubric.help"))] = "",
    as_json: JsonOption = False,
) -> None:
    """Ask models all cases and write reports: Markdown, HTML, XLSX. What was answered before is
    not asked again."""
    if project and workspace is None:
        raise InputError(**error_parts("command_benchmark.error.project_without_workspace"))
    plan = benchmark.Plan(
        models=tuple(model),
        url=url,
        folder=folder,
        benchmarks=tuple(benchmarks or ()),
        metrics=tuple(metric or ()),
        output=output,
        concurrency=concurrency,
        timeout=timeout,
        workspace=workspace,
        project=project,
        rubric=rubric,
        headers="\n".join(header or ()),
    )
    report = benchmark.run(
        plan, models=Context.settings.models(), listen=_told if verbose else lambda heard: None
    )
    show(report, as_json, lambda: _run_text(report, output))
    _end(report)


@app.command("generate", help=say("generate.help"))
def generate(
    model: Annotated[str, typer.Option("--model", help=say("generate.model.help"))],
    count: Annotated[
        int, typer.Option("--count", min=1, max=1000, help=say("generate.count.help"))
    ] = 1,
    category: Annotated[
        str, typer.Option("--category", help=say("generate.category.help"))
    ] = "all",
    url: UrlOption = "",
    folder: Annotated[Path, typer.Option("--folder", help=say("generate.folder.help"))] = Path(
        "benchmarks"
    ),
    timeout: TimeoutOption = 600.0,
    as_json: JsonOption = False,
) -> None:
    """Have a model write new cases. Only valid ones are kept, and no file is overwritten. The
    prompts lie in FOLDER/prompts."""
    made = benchmark.generate(
        folder, count=count, category=category, model=model, url=url, timeout=timeout
    )
    result = {
        "written": [str(path) for path in made.written],
        "refused": [{"category": c, "why": why} for c, why in made.refused],
    }
    show(result, as_json, lambda: "\n".join(map(str, made.written)) or say("none_written"))
    for name, why in made.refused:
        messages.print(
            say("no_valid_case", name=name, tries=benchmark.TRIES, why=why), markup=False
        )
    if made.refused:
        raise typer.Exit(1)


@app.command("validate", help=say("validate.help"))
def validate(
    folder: Annotated[Path, typer.Argument(help=say("validate.folder.help"))],
    as_json: JsonOption = False,
) -> None:
    """Check cases: their format, both parts there, no prompt twice, no answer that repeats its
    prompt, Python that parses."""
    checked = benchmark.check(folder)
    result = {"cases": checked.cases, "problems": [asdict(problem) for problem in checked.problems]}
    if checked.problems and not as_json:
        table = Table(
            say("problem.place"),
            say("problem.part"),
            say("problem.found"),
            say("problem.expected"),
            say("problem.remedy"),
            box=None,
            pad_edge=False,
        )
        for p in checked.problems:
            table.add_row(
                *(
                    Text(cell)
                    for cell in (f"{p.file}, {p.row}", p.column, p.found, p.expected, p.remedy)
                )
            )
        table.columns[0].no_wrap = True
        Console(
            stderr=True, highlight=False, emoji=False, width=None if messages.is_terminal else WIDE
        ).print(table)
    show(
        result,
        as_json,
        lambda: say("checked", counts=_counts(checked.cases), n=len(checked.problems)),
    )
    if checked.problems:
        raise typer.Exit(1)


@app.command("clean", help=say("clean.help"))
def clean(output: OutputOption = Path("results"), as_json: JsonOption = False) -> None:
    """Delete the reports in a folder that `benchmark run` wrote and that are unchanged; all
    else stays and is named."""
    cleaned = benchmark.clean(output)
    show(
        {"deleted": cleaned.deleted, "kept": cleaned.kept},
        as_json,
        lambda: say("deleted", deleted_count=len(cleaned.deleted)),
    )
    for name, why in cleaned.kept.items():
        messages.print(say("stays", name=name, why=why), markup=False)


def _told(heard: benchmark.Heard) -> None:
    how = cause_words(heard.cause) or (say("known") if heard.known else say("answered"))
    messages.print(f"[{heard.done}/{heard.total}] {heard.model}, {heard.case}: {how}", markup=False)


def _run_text(report: benchmark.BenchmarkReport, output: Path) -> str:
    lines = [f"{report.title}.", ""]
    for one in report.benchmarks:
        for model in one.models:
            lead = model.metrics[benchmark.LEAD]
            figure = say("no_value") if lead.value is None else say("token_f1", value=lead.value)
            if lead.low is not None:
                figure += f" [{lead.low:.3f}, {lead.high:.3f}]"
            causes = cause_counts(model.causes)
            lines.append(
                say(
                    "result",
                    name=one.name,
                    model=model.model,
                    figure=figure,
                    ran=model.ran,
                    cases=one.cases,
                )
                + (f" ({causes})" if causes else "")
            )
    if came := report.imported:
        lines.append(
            say(
                "for_review",
                project=came.project,
                questions=came.questions,
                answers=came.answers,
            )
        )
    return "\n".join([*lines, "", *(f"{output / name}" for name in report.files)])


def _counts(cases: dict[str, int]) -> str:
    return ", ".join(
        say("good_cases", name=name, count=count) for name, count in cases.items()
    ) or say("no_good_case")


def _end(report: benchmark.BenchmarkReport) -> None:
    """Say which models could not be asked (exit code 1), else that cases have no answer (3)."""
    stopped = [model.error for model in report.models if model.error]
    for sentence in stopped:
        messages.print(sentence, markup=False)
    if stopped:
        raise typer.Exit(1)
    failed = sum(model.failed for one in report.benchmarks for model in one.models)
    if failed:
        raise StoppedEarly(**error_parts("command_benchmark.error.unanswered", n=failed))
