"""The cases of benchmarks: where they lie, what is wrong with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from graders.core.errors import InputError
from graders.core.records import BadRow, Question
from graders.core.text import fold
from graders.core.words import error_parts, say
from graders.importers.txt_cases import case_files, category_name, category_of, read_case
from graders.metrics.texts.code import code_of
from graders.metrics.texts.python import parse

#: The folder that comes with Cograde: one folder of cases per benchmark, and the prompts that make
#: new ones.
BUNDLED = Path(__file__).resolve().parents[3] / "data" / "benchmarks"
KINDS = ("translation", "summarization", "codegen")


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A category of cases, in the order of their files."""

    name: str
    cases: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Checked:
    """What `check` found in a folder: good cases per benchmark, and every problem with file and
    line."""

    cases: dict[str, int]
    problems: tuple[BadRow, ...]


def load(folder: Path, names: Sequence[str] = ()) -> list[Benchmark]:
    """The benchmarks of a folder, all or those named. InputError for an unknown name, none at all,
    and for a broken case."""
    wanted = list(
        dict.fromkeys(
            category_name(part) for name in names for part in name.split(",") if part.strip()
        )
    )
    found, problems = _read(folder)
    known = sorted({category_of(file) for file in case_files(folder)} if folder.is_dir() else ())
    for name in wanted:
        if name not in known:
            raise InputError(
                **error_parts(
                    "benchmarks.error.no_benchmark",
                    name=name,
                    folder=folder,
                    names=", ".join(known) or say("benchmarks.none"),
                )
            )
    chosen = wanted or known
    if not chosen:
        raise InputError(**error_parts("benchmarks.error.no_cases", folder=folder))
    broken = [problem for problem in problems if problem.file.split("/")[0] in chosen]
    if broken:
        first, more = broken[0], len(broken) - 1
        problem = (
            say("benchmarks.problem.and_more", found=first.found, n=more) if more else first.found
        )
        raise InputError(
            **error_parts(
                "benchmarks.error.broken_case",
                file=first.file,
                row=first.row,
                expected=first.expected,
                folder=folder,
                problem=problem,
            )
        )
    return [
        Benchmark(name, tuple(case for case in found if case.category == name)) for name in chosen
    ]


def check(folder: Path) -> Checked:
    """Format, fields and sense of all cases in a folder. InputError where it holds no text file."""
    if not folder.is_dir() or not case_files(folder):
        raise InputError(
            **error_parts(
                "benchmarks.error.no_text_files",
                folder=str(folder),
                what=say("benchmarks.error.no_text")
                if folder.is_dir()
                else say("benchmarks.error.no_folder"),
            )
        )
    found, problems = _read(folder)
    counts: dict[str, int] = {}
    first: dict[str, str] = {}
    for case in found:
        name = place_of(case)
        wrong = nonsense(case)
        before = first.setdefault(fold(case.text, case=True), name)
        if before != name:
            wrong.append(
                BadRow(
                    file=name,
                    row=1,
                    column="prompt",
                    found=say("benchmarks.problem.same_prompt.found", before=before),
                    expected=say("benchmarks.problem.same_prompt.expected"),
                    remedy=say("benchmarks.problem.same_prompt.remedy"),
                )
            )
        problems += wrong
        if not wrong:
            counts[case.category] = counts.get(case.category, 0) + 1
    return Checked(counts, tuple(sorted(problems, key=lambda problem: (problem.file, problem.row))))


def nonsense(case: Question) -> list[BadRow]:
    """What makes a well-formed case useless: an answer that repeats the prompt, code that is
    none."""
    found = []
    expected = case.references[0]
    row = case.text.count("\n") + 3
    if fold(expected, case=True) == fold(case.text, case=True):
        found.append(
            _wrong(
                case,
                row,
                say("benchmarks.problem.echo.found"),
                say("benchmarks.problem.echo.expected"),
                say("benchmarks.problem.echo.remedy"),
            )
        )
    if case.category == "codegen":
        code = code_of(expected)
        problem = parse(code.text).problem if code.language == "python" else ""
        if problem:
            found.append(
                _wrong(
                    case,
                    row,
                    say("benchmarks.problem.code.found", problem=problem),
                    say("benchmarks.problem.code.expected"),
                    say("benchmarks.problem.code.remedy"),
                )
            )
    return found


def place_of(case: Question) -> str:
    """Folder and file of a case, as messages name it."""
    return f"{case.category}/{case.metadata['file']}"


def _wrong(case: Question, row: int, found: str, expected: str, remedy: str) -> BadRow:
    return BadRow(
        file=place_of(case),
        row=row,
        column="expected answer",
        found=found,
        expected=expected,
        remedy=remedy,
    )


def _read(folder: Path) -> tuple[list[Question], list[BadRow]]:
    found: dict[str, Question] = {}
    problems: list[BadRow] = []
    for file in case_files(folder) if folder.is_dir() else ():
        case = read_case(file)
        if isinstance(case, BadRow):
            problems.append(replace(case, file=f"{category_of(file)}/{case.file}"))
        elif found.setdefault(case.id, case) is not case:
            place = file.relative_to(folder).as_posix()
            problems.append(
                BadRow(
                    file=place,
                    row=1,
                    column="name",
                    found=say("benchmarks.problem.same_name.found", name=case.id),
                    expected=say("benchmarks.problem.same_name.expected"),
                    remedy=say("benchmarks.problem.same_name.remedy"),
                )
            )
    return list(found.values()), problems
