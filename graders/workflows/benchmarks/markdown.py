"""Reports as Markdown: one page per benchmark, and a summary. Texts of models are shown as texts,
whatever they hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from graders.core.words import say
from graders.workflows.benchmarks._figures import LEVEL
from graders.workflows.benchmarks._records import (
    BenchmarkFigures,
    BenchmarkReport,
    CaseRow,
    Difference,
    Mean,
    Metric,
    ModelFigures,
)
from graders.workflows.measuring.benchmark_scores import LEAD
from graders.workflows.measuring.text_scores import title_of
from graders.workflows.scope.missing_reasons import cause_counts, cause_words

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&])")


def summary(report: BenchmarkReport) -> str:
    """The summary over all benchmarks."""
    lines = [f"# {escaped(report.title)}", "", _setup(report), ""]
    for model in report.models:
        if model.error:
            stopped = say("benchmarks.stopped", model=escaped(model.model))
            lines += [f"**{stopped}** {escaped(model.error)}", ""]
    heads = [
        say("benchmarks.head.benchmark"),
        say("benchmarks.head.model"),
        say("benchmarks.head.ran"),
        say("benchmarks.head.failed"),
        title_of(LEAD),
    ]
    rows = [
        [
            f"[{escaped(benchmark.name)}]({benchmark.file})",
            escaped(model.model),
            _ran(model, benchmark),
            _causes(model),
            number(model.metrics[LEAD]),
        ]
        for benchmark in report.benchmarks
        for model in benchmark.models
    ]
    lines += [
        *_table(heads, rows),
        "",
        f"{say('benchmarks.mean_method')} {say('benchmarks.failed_beside')}",
        "",
    ]
    differences = [
        _difference_words(difference, benchmark.name)
        for benchmark in report.benchmarks
        for difference in benchmark.differences
        if difference.metric == LEAD
    ]
    if differences:
        lines += [
            f"## {say('benchmarks.heading.side_by_side')}",
            "",
            *(f"- {words}" for words in differences),
            "",
            say("benchmarks.paired_method"),
            "",
        ]
    return "\n".join(lines)


def page(report: BenchmarkReport, benchmark: BenchmarkFigures) -> str:
    """The report of one benchmark."""
    title = say(
        "benchmarks.markdown.title",
        benchmark=escaped(benchmark.name),
        cases=benchmark.cases,
        models=len(benchmark.models),
    )
    lines = [
        f"# {title}",
        "",
        _setup(report),
        "",
        *_scores(benchmark),
        *_differences(benchmark),
        *_named(benchmark),
        *_failures(benchmark),
        f"## {say('benchmarks.heading.cases')}",
        "",
    ]
    for row in benchmark.rows:
        lines += _case(row)
    no_value = say("benchmarks.no_value")
    lines += [
        f"## {say('benchmarks.heading.versions')}",
        "",
        *(f"- {m.title}: {escaped('; '.join(m.versions) or no_value)}" for m in benchmark.metrics),
        "",
    ]
    return "\n".join(lines)


def number(figure: Mean | Difference, metric: Metric | None = None) -> str:
    """A figure with its interval; a dash and the reasons where there is none."""
    missing = figure.absent if isinstance(figure, Mean) else {}
    if figure.value is None:
        reasons = ", ".join(f"{reason} {count}" for reason, count in missing.items())
        return f"– ({escaped(reasons or figure.reason)})"
    digits = 1 if metric is not None and metric.high > 1 else 3
    text = f"{figure.value:.{digits}f}"
    if figure.low is not None:
        text += f" [{figure.low:.{digits}f}, {figure.high:.{digits}f}]"
    absent = sum(missing.values())
    return f"{text}, {say('benchmarks.without_value', n=absent)}" if absent else text


def escaped(text: str) -> str:
    """`text` on one line, without what Markdown or HTML would take for markup."""
    return _SPECIAL.sub(r"\\\1", " ".join(str(text).split()))


def _setup(report: BenchmarkReport) -> str:
    return say(
        "benchmarks.setup",
        models=", ".join(escaped(model.model) for model in report.models),
        address=escaped(report.address),
        made=report.made,
    )


def _ran(model: ModelFigures, benchmark: BenchmarkFigures) -> str:
    return say("benchmarks.of", ran=model.ran, cases=benchmark.cases)


def _causes(model: ModelFigures) -> str:
    return escaped(cause_counts(model.causes)) or "0"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(heads) + " |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def _scores(benchmark: BenchmarkFigures) -> list[str]:
    """The means of every metric by model, and how many cases ran and failed."""
    heads = [
        say("benchmarks.head.metric"),
        say("benchmarks.head.range"),
        *(escaped(model.model) for model in benchmark.models),
    ]
    rows = [
        [
            metric.title,
            say("benchmarks.range", low=metric.low, high=metric.high),
            *(number(model.metrics[metric.key], metric) for model in benchmark.models),
        ]
        for metric in benchmark.metrics
    ]
    rows += [
        [say("benchmarks.head.ran"), "", *(_ran(model, benchmark) for model in benchmark.models)],
        [say("benchmarks.failed_by_cause"), "", *map(_causes, benchmark.models)],
    ]
    return [
        f"## {say('benchmarks.heading.scores')}",
        "",
        *_table(heads, rows),
        "",
        f"{say('benchmarks.mean_method')} {say('benchmarks.dash')}",
        "",
    ]


def _difference_words(difference: Difference, benchmark: str) -> str:
    a, b, value = escaped(difference.a), escaped(difference.b), difference.value
    if value is None:
        words = say("benchmarks.pair.none", a=a, b=b)
    elif abs(value) < LEVEL:
        words = say("benchmarks.pair.level", a=a, b=b, n=difference.n)
    else:
        ahead, behind = (a, b) if value >= 0 else (b, a)
        words = say(
            "benchmarks.pair.ahead", ahead=ahead, behind=behind, by=abs(value), n=difference.n
        )
        if not difference.clear:
            words += " " + (
                say("benchmarks.pair.unclear_why", reason=difference.reason)
                if difference.reason
                else say("benchmarks.pair.unclear")
            )
    return f"{escaped(benchmark)}: {words}"


def _differences(benchmark: BenchmarkFigures) -> list[str]:
    if not benchmark.differences:
        return []
    by_key = {metric.key: metric for metric in benchmark.metrics}
    rows = [
        [
            f"{escaped(difference.a)} − {escaped(difference.b)}",
            difference.title,
            number(difference, by_key[difference.metric]),
            str(difference.n),
            _clear(difference),
        ]
        for difference in benchmark.differences
    ]
    heads = [
        say("benchmarks.head.models"),
        say("benchmarks.head.metric"),
        say("benchmarks.head.difference"),
        say("benchmarks.head.cases"),
        say("benchmarks.head.clear"),
    ]
    return [
        f"## {say('benchmarks.heading.side_by_side')}",
        "",
        *_table(heads, rows),
        "",
        say("benchmarks.paired_method"),
        "",
    ]


def _clear(difference: Difference) -> str:
    if difference.clear:
        return say("benchmarks.yes")
    return difference.reason or say("benchmarks.no")


def _named(benchmark: BenchmarkFigures) -> list[str]:
    lines = [f"## {say('benchmarks.heading.best_and_worst')}", ""]
    for model in benchmark.models:
        ends = ((say("benchmarks.best"), model.best), (say("benchmarks.worst"), model.worst))
        for which, named in ends:
            cases = ", ".join(f"{escaped(one.case)} ({one.score:.3f})" for one in named)
            lines.append(f"- {escaped(model.model)}, {which}: {cases or say('benchmarks.none')}")
    return [*lines, ""]


def _failures(benchmark: BenchmarkFigures) -> list[str]:
    """Failed cases, those of one model with the same cause together."""
    together: dict[tuple[str, str, str], list[str]] = {}
    for model in benchmark.models:
        for failure in model.failures:
            alike = (model.model, failure.cause, failure.detail)
            together.setdefault(alike, []).append(failure.case)
    if not together:
        return []
    rows = [
        [
            escaped(model),
            escaped(cause_words(cause)),
            ", ".join(map(escaped, cases)),
            escaped(detail),
        ]
        for (model, cause, detail), cases in together.items()
    ]
    heads = [
        say("benchmarks.head.model"),
        say("benchmarks.head.cause"),
        say("benchmarks.head.cases"),
        say("benchmarks.head.detail"),
    ]
    return [f"## {say('benchmarks.heading.failed')}", "", *_table(heads, rows), ""]


def _case(row: CaseRow) -> list[str]:
    lines = [
        f"### {escaped(row.case)}",
        "",
        say("benchmarks.prompt"),
        "",
        *_block(row.prompt),
        say("benchmarks.expected"),
        "",
        *_block(row.expected),
    ]
    for answer in row.answers:
        model = escaped(answer.model)
        if answer.text is None:
            cause = escaped(cause_words(answer.cause))
            lines += [say("benchmarks.markdown.no_answer", model=model, cause=cause), ""]
            continue
        lead = answer.scores[LEAD].value if LEAD in answer.scores else None
        score = "–" if lead is None else f"{lead:.3f}"
        lines += [say("benchmarks.markdown.answer", model=model, score=score), ""]
        lines += _block(answer.text)
    return lines


def _block(text: str) -> list[str]:
    """A text as a fenced block, its fence longer than any in it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}text", *text.splitlines(), fence, ""]
