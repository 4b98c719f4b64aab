"""Reports as Markdown: one page per benchmark, and a summary. Texts of models are shown as texts,
whatever they hold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from graders.workflows.benchmarks._figures import LEVEL, MEAN_METHOD, PAIRED_METHOD
from graders.workflows.measuring.benchmark_scores import LEAD
from graders.workflows.scope.missing_reasons import cause_counts, cause_words

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~&])")


def summary(report: Mapping[str, Any]) -> str:
    """The summary over all benchmarks."""
    lines = [f"# {escaped(report['title'])}", "", *_setup(report), ""]
    for model in report["models"]:
        if model["error"]:
            lines += [
                (
                    f"**{escaped(model['model'])} was not asked to the end.** "
                    f"{escaped(model['error'])}"
                ),
                "",
            ]
    heads = ["Benchmark", "Model", "Cases that ran", "Failed", "Token F1 (each token once)"]
    rows = [
        [
            f"[{escaped(b['name'])}]({b['file']})",
            escaped(m["model"]),
            f"{m['ran']} of {b['cases']}",
            _causes(m),
            number(m["metrics"][LEAD]),
        ]
        for b in report["benchmarks"]
        for m in b["models"]
    ]
    lines += [
        *_table(heads, rows),
        "",
        MEAN_METHOD + " Failed cases are counted beside, never as zero.",
        "",
    ]
    clear = [
        _difference_words(d, b["name"])
        for b in report["benchmarks"]
        for d in b["differences"]
        if d["metric"] == LEAD
    ]
    if clear:
        lines += [
            "## Models side by side",
            "",
            *(f"- {words}" for words in clear),
            "",
            PAIRED_METHOD,
            "",
        ]
    return "\n".join(lines)


def page(report: Mapping[str, Any], benchmark: Mapping[str, Any]) -> str:
    """The report of one benchmark."""
    models = benchmark["models"]
    lines = [
        f"# {escaped(benchmark['name'])}: {benchmark['cases']} cases, {len(models)} models",
        "",
        *_setup(report),
        "",
        "## Scores",
        "",
    ]
    heads = ["Metric", "Range", *(escaped(m["model"]) for m in models)]
    rows = [
        [
            o["title"],
            f"{o['low']:g} to {o['high']:g}",
            *(number(m["metrics"][o["key"]], o) for m in models),
        ]
        for o in benchmark["metrics"]
    ]
    rows.append(["Cases that ran", "", *(f"{m['ran']} of {benchmark['cases']}" for m in models)])
    rows.append(["Failed, by cause", "", *(_causes(m) for m in models)])
    lines += [
        *_table(heads, rows),
        "",
        MEAN_METHOD + " A dash and a reason stand where there is no value; it is never a zero.",
        "",
    ]
    lines += _differences(benchmark)
    lines += _named(benchmark)
    lines += _failures(benchmark)
    lines += ["## Cases", ""]
    for row in benchmark["rows"]:
        lines += _case(row)
    lines += [
        "## Versions",
        "",
        *(
            f"- {o['title']}: {escaped('; '.join(o['versions']) or 'no value')}"
            for o in benchmark["metrics"]
        ),
        "",
    ]
    return "\n".join(lines)


def number(found: Mapping[str, Any], output: Mapping[str, Any] | None = None) -> str:
    """A figure with its interval; a dash and the reasons where there is none."""
    if found["value"] is None:
        reasons = ", ".join(
            f"{reason} {count}" for reason, count in found.get("absent", {}).items()
        )
        return f"– ({escaped(reasons or found['reason'])})"
    digits = 1 if output is not None and output["high"] > 1 else 3
    text = f"{found['value']:.{digits}f}"
    text += (
        f" [{found['low']:.{digits}f}, {found['high']:.{digits}f}]"
        if found["low"] is not None
        else ""
    )
    absent = sum(found.get("absent", {}).values())
    return text + (f", {absent} without a value" if absent else "")


def escaped(text: str) -> str:
    """`text` on one line, without what Markdown or HTML would take for markup."""
    return _SPECIAL.sub(r"\\\1", " ".join(str(text).split()))


def _setup(report: Mapping[str, Any]) -> list[str]:
    models = ", ".join(escaped(m["model"]) for m in report["models"])
    return [
        (
            f"Models: {models}. Asked at {escaped(report['address'])}, {report['made']}, "
            "temperature 0. Generated code is never executed."
        )
    ]


def _causes(model: Mapping[str, Any]) -> str:
    return escaped(cause_counts(model["causes"])) or "0"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(heads) + " |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def _difference_words(found: Mapping[str, Any], where: str) -> str:
    a, b = escaped(found["a"]), escaped(found["b"])
    if found["value"] is None:
        return f"{escaped(where)}: {a} and {b} share no case with a value."
    if abs(found["value"]) < LEVEL:
        return f"{escaped(where)}: {a} and {b} are level over {found['n']} cases."
    ahead, behind = (a, b) if found["value"] >= 0 else (b, a)
    doubt = (
        "" if found["clear"] else f" Not clear{': ' + found['reason'] if found['reason'] else ''}."
    )
    return (
        f"{escaped(where)}: {ahead} before {behind} by {abs(found['value']):.3f} over "
        f"{found['n']} cases.{doubt}"
    )


def _differences(benchmark: Mapping[str, Any]) -> list[str]:
    if not benchmark["differences"]:
        return []
    titles = {o["key"]: o for o in benchmark["metrics"]}
    rows = [
        [
            f"{escaped(d['a'])} − {escaped(d['b'])}",
            d["title"],
            number(d, titles[d["metric"]]),
            str(d["n"]),
            "yes" if d["clear"] else d["reason"] or "no",
        ]
        for d in benchmark["differences"]
    ]
    return [
        "## Models side by side",
        "",
        *_table(["Models", "Metric", "Difference", "Cases", "Clear"], rows),
        "",
        PAIRED_METHOD,
        "",
    ]


def _named(benchmark: Mapping[str, Any]) -> list[str]:
    lines = ["## Best and worst cases", ""]
    for model in benchmark["models"]:
        for what in ("best", "worst"):
            cases = ", ".join(f"{escaped(c['case'])} ({c['score']:.3f})" for c in model[what])
            lines.append(f"- {escaped(model['model'])}, {what}: {cases or 'none'}")
    return [*lines, ""]


def _failures(benchmark: Mapping[str, Any]) -> list[str]:
    """Failed cases, those of one model with the same cause together."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for model in benchmark["models"]:
        for failure in model["failures"]:
            found.setdefault((model["model"], failure["cause"], failure["detail"]), []).append(
                failure["case"]
            )
    rows = [
        [escaped(m), escaped(cause_words(cause)), ", ".join(map(escaped, cases)), escaped(detail)]
        for (m, cause, detail), cases in found.items()
    ]
    return (
        ["## Failed cases", "", *_table(["Model", "Cause", "Cases", "Detail"], rows), ""]
        if rows
        else []
    )


def _case(row: Mapping[str, Any]) -> list[str]:
    lines = [
        f"### {escaped(row['case'])}",
        "",
        "Prompt",
        "",
        *_block(row["prompt"]),
        "Expected",
        "",
        *_block(row["expected"]),
    ]
    for answer in row["answers"]:
        if answer["text"] is None:
            lines += [
                f"{escaped(answer['model'])}: no answer ({escaped(cause_words(answer['cause']))})",
                "",
            ]
            continue
        lead = answer["scores"].get(LEAD, {}).get("value")
        lines += [
            f"{escaped(answer['model'])}, token F1 {'–' if lead is None else f'{lead:.3f}'}",
            "",
            *_block(answer["text"]),
        ]
    return lines


def _block(text: str) -> list[str]:
    """A text as a fenced block, its fence longer than any in it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}text", *text.splitlines(), fence, ""]
