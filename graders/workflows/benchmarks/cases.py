"""The cases of benchmarks: where they lie, what is wrong with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from graders.core.errors import InputError
from graders.core.records import BadRow, Question
from graders.core.text import fold
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
                f"benchmark {name!r}",
                found=f"no such folder in {folder}",
                expected="one of " + (", ".join(known) or "none"),
                remedy="Choose one of these.",
            )
    chosen = wanted or known
    if not chosen:
        raise InputError(
            f"folder {folder}",
            found="no benchmark",
            expected="a folder of TXT cases per benchmark",
            remedy="Name a folder with such folders in it.",
        )
    broken = [problem for problem in problems if problem.file.split("/")[0] in chosen]
    if broken:
        first = broken[0]
        raise InputError(
            f"{first.file}, line {first.row}",
            found=first.found
            + (f" (and {len(broken) - 1} more problems)" if len(broken) > 1 else ""),
            expected=first.expected,
            remedy=f"List all: cograde benchmark validate {folder}",
        )
    return [
        Benchmark(name, tuple(case for case in found if case.category == name)) for name in chosen
    ]


def check(folder: Path) -> Checked:
    """Format, fields and sense of all cases in a folder. InputError where it holds no text file."""
    if not folder.is_dir() or not case_files(folder):
        raise InputError(
            str(folder),
            found="no text files" if folder.is_dir() else "no such folder",
            expected="a folder of TXT cases",
            remedy="Name the folder that holds the cases.",
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
                    found=f"the prompt of {before}",
                    expected="a prompt of its own",
                    remedy="Write another prompt, or remove the file.",
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
                "the prompt once more",
                "an answer to it",
                "Write the answer below the separating line.",
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
                    f"Python that does not parse ({problem})",
                    "code that parses",
                    "Correct the code.",
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
                    found=f"another case called {case.id}",
                    expected="one of that name",
                    remedy="Rename one of the files.",
                )
            )
    return list(found.values()), problems
