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
from graders.workflows.benchmarks import benchmark
from graders.workflows.scope.missing_reasons import cause_counts, cause_words

#: Columns of a table that goes to a file or another program.
WIDE = 200

app = group(
    "Ask models of Ollama the same cases, and score what they say.",
    "benchmark run --model llama3 --output results",
)

UrlOption = Annotated[
    str,
    typer.Option(
        "--ollama-url",
        help="Ollama's address.",
        show_default="OLLAMA_HOST, else http://127.0.0.1:11434",
    ),
]
OutputOption = Annotated[Path, typer.Option("--output", help="The folder for reports.")]
FolderOption = Annotated[
    Path,
    typer.Option(
        "--folder", help="The folder of benchmarks.", show_default="the one that comes with Cograde"
    ),
]
TimeoutOption = Annotated[float, typer.Option("--timeout", min=1.0, help="Seconds for one call.")]


@app.command("run")
def run(
    model: Annotated[
        list[str],
        typer.Option("--model", help="A model that Ollama has; may be given several times."),
    ],
    url: UrlOption = "",
    benchmarks: Annotated[
        list[str] | None,
        typer.Option(
            "--benchmarks", help="Benchmarks by name, several with commas.", show_default="all"
        ),
    ] = None,
    output: OutputOption = Path("results"),
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Say what becomes of every case.")
    ] = False,
    folder: FolderOption = benchmark.BUNDLED,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric", help="A metric; may be given several times.", show_default="all that suit"
        ),
    ] = None,
    concurrency: Annotated[
        int,
        typer.Option(
            "--concurrency", min=1, help="Calls at once; more than one blurs the seconds."
        ),
    ] = 1,
    timeout: TimeoutOption = 600.0,
    header: Annotated[
        list[str] | None,
        typer.Option(
            "--header",
            help='"Name: value" that goes with every call, $VARIABLE for a secret; several times.',
        ),
    ] = None,
    workspace: Annotated[
        Path | None,
        typer.Option(
            "--workspace", help="Also bring questions and answers into this workspace, for review."
        ),
    ] = None,
    project: Annotated[
        str, typer.Option("--project", help="The project in it.", show_default="benchmarks")
    ] = "",
    rubric: Annotated[
        str, typer.Option("--rubric", help="The project's rubric: a bundled one's name, or a file.")
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Ask models all cases and write reports: Markdown, HTML, XLSX. What was answered before is not
    asked again.

    Example: cograde benchmark run --model llama3 --benchmarks translation,code --output results
    --verbose
    """
    if project and workspace is None:
        raise InputError(
            "option --project",
            found="no --workspace",
            expected="both",
            remedy="Name the file with --workspace FILE.",
        )
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


@app.command("generate")
def generate(
    model: Annotated[str, typer.Option("--model", help="The model that writes the cases.")],
    count: Annotated[int, typer.Option("--count", min=1, max=1000, help="Cases per category.")] = 1,
    category: Annotated[
        str, typer.Option("--category", help="translation, summarization, codegen or all.")
    ] = "all",
    url: UrlOption = "",
    folder: Annotated[
        Path, typer.Option("--folder", help="The folder that the cases are written to.")
    ] = Path("benchmarks"),
    timeout: TimeoutOption = 600.0,
    as_json: JsonOption = False,
) -> None:
    """Have a model write new cases. Only valid ones are kept, and no file is overwritten. The
    prompts lie in FOLDER/prompts.

    Example: cograde benchmark generate --count 2 --category translation --model llama3 --folder
    my-benchmarks
    """
    made = benchmark.generate(
        folder, count=count, category=category, model=model, url=url, timeout=timeout
    )
    result = {
        "written": [str(path) for path in made.written],
        "refused": [{"category": c, "why": why} for c, why in made.refused],
    }
    show(result, as_json, lambda: "\n".join(map(str, made.written)) or "No case was written.")
    for name, why in made.refused:
        messages.print(
            f"{name}: no valid case in {benchmark.TRIES} tries; the last one: {why}.", markup=False
        )
    if made.refused:
        raise typer.Exit(1)


@app.command("validate")
def validate(
    folder: Annotated[Path, typer.Argument(help="A folder of cases, or of such folders.")],
    as_json: JsonOption = False,
) -> None:
    """Check cases: their format, both parts there, no prompt twice, no answer that repeats its
    prompt, Python that parses.

    Example: cograde benchmark validate my-benchmarks
    """
    checked = benchmark.check(folder)
    result = {"cases": checked.cases, "problems": [asdict(problem) for problem in checked.problems]}
    if checked.problems and not as_json:
        table = Table(
            "File and line", "Part", "Found", "Expected", "What to do", box=None, pad_edge=False
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
    show(result, as_json, lambda: f"{_counts(checked.cases)}; {len(checked.problems)} problems.")
    if checked.problems:
        raise typer.Exit(1)


@app.command("clean")
def clean(output: OutputOption = Path("results"), as_json: JsonOption = False) -> None:
    """Delete the reports in a folder that `benchmark run` wrote and nobody changed since; all else
    stays and is named.

    Example: cograde benchmark clean --output results
    """
    cleaned = benchmark.clean(output)
    show(
        {"deleted": cleaned.deleted, "kept": cleaned.kept},
        as_json,
        lambda: f"{len(cleaned.deleted)} reports deleted.",
    )
    for name, why in cleaned.kept.items():
        messages.print(f"{name} stays: {why}.", markup=False)


def _told(heard: benchmark.Heard) -> None:
    how = cause_words(heard.cause) or ("known already" if heard.known else "answered")
    messages.print(f"[{heard.done}/{heard.total}] {heard.model}, {heard.case}: {how}", markup=False)


def _run_text(report: benchmark.BenchmarkReport, output: Path) -> str:
    lines = [f"{report.title}.", ""]
    for one in report.benchmarks:
        for model in one.models:
            lead = model.metrics[benchmark.LEAD]
            figure = "no value" if lead.value is None else f"token F1 {lead.value:.3f}"
            if lead.low is not None:
                figure += f" [{lead.low:.3f}, {lead.high:.3f}]"
            causes = cause_counts(model.causes)
            lines.append(
                f"{one.name}, {model.model}: {figure}, {model.ran} of {one.cases} cases"
                + (f" ({causes})" if causes else "")
            )
    if came := report.imported:
        lines.append(
            f"\nFor review in project {came.project}: {came.questions} new "
            f"questions, {came.answers} new answers."
        )
    return "\n".join([*lines, "", *(f"{output / name}" for name in report.files)])


def _counts(cases: dict[str, int]) -> str:
    return (
        ", ".join(f"{name}: {count} good cases" for name, count in cases.items()) or "No good case"
    )


def _end(report: benchmark.BenchmarkReport) -> None:
    """Say which models could not be asked (exit code 1), else that cases have no answer (3)."""
    stopped = [model.error for model in report.models if model.error]
    for sentence in stopped:
        messages.print(sentence, markup=False)
    if stopped:
        raise typer.Exit(1)
    failed = sum(model.failed for one in report.benchmarks for model in one.models)
    if failed:
        raise StoppedEarly(
            "benchmark",
            found=f"{failed} case{'s' * (failed != 1)} without an answer",
            expected="an answer to every case",
            remedy="The same command asks them again.",
        )
