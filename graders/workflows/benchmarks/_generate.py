"""New cases written by a model: kept only when valid, never over a file that is there."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count as count_from
from itertools import product
from pathlib import Path

from graders.core.errors import InputError
from graders.core.records import BadRow, Question
from graders.core.text import fold
from graders.core.words import error_parts, say
from graders.importers.txt_cases import (
    SEPARATOR,
    case_files,
    case_of,
    category_name,
    category_of,
    read_case,
)
from graders.store import projects
from graders.store.workspace import open_workspace
from graders.workflows.benchmarks.cases import BUNDLED, KINDS, nonsense
from graders.workflows.calling.asking import Asker, Source, ollama_source, request_for
from graders.workflows.scope.missing_reasons import cause_words

#: How often a case is asked for before it is given up.
TRIES = 3
#: Characters of each taken prompt that the model is shown, and how many prompts.
_SHOWN, _MOST = 160, 30
_LANGUAGES = {"en": "in English", "ru": "in Russian"}
_FENCE = re.compile(r"```\w*\n(.*)\n```", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Generated:
    """What `generate` wrote, and what it did not write: (category, why)."""

    written: tuple[Path, ...]
    refused: tuple[tuple[str, str], ...]


def generate(
    folder: Path, *, count: int, category: str, model: str, url: str, timeout: float = 600.0
) -> Generated:
    """`count` new cases of a category (``all`` for every one), English and Russian by turns.

    Raises what stopped the model, a ProviderError as a rule; what was written before stays.
    """
    names = list(KINDS) if category == "all" else [category_name(category)]
    prompts = {name: _prompt_of(folder, name) for name in names}
    written: list[Path] = []
    refused: list[tuple[str, str]] = []
    with tempfile.TemporaryDirectory() as place:
        ws = open_workspace(Path(place) / "calls.db")
        try:
            source = ollama_source(model, url)
            with Asker(
                ws,
                projects.add_project(ws, "generate"),
                say("benchmarks.generate.run_message"),
                timeout=timeout,
            ) as asker:
                for name, number in product(names, range(count)):
                    language = ("en", "ru")[number % 2]
                    found = _one(asker, folder, name, language, prompts[name], source, str(number))
                    if isinstance(found, Question):
                        written.append(_write(folder / name, language, found))
                    else:
                        refused.append((name, found))
        finally:
            ws.close()
    return Generated(tuple(written), tuple(refused))


def _one(
    asker: Asker, folder: Path, name: str, language: str, prompt: str, source: Source, occasion: str
) -> Question | str:
    """A valid case with a prompt that no category has, asked for at most `TRIES` times; else what
    was wrong with the last one."""
    known = _prompts(folder)
    mine = [text for category, text in known if category == name]
    shown = (
        "\n".join(f"- {' '.join(text.split())[:_SHOWN]}" for text in mine[-_MOST:]) or "(none yet)"
    )
    taken = {fold(text, case=True) for _, text in known}
    asked = Question(
        id=name, text=prompt.replace("{language}", _LANGUAGES[language]).replace("{taken}", shown)
    )
    problem = ""
    for attempt in range(TRIES):
        # A sample of its own each time: the ledger would give the same reply again.
        request = replace(
            request_for(asked, source, occasion=occasion, temperature=0.9), sample=attempt
        )
        answer = asker.ask(source, {name: request}, lambda outcome: None)
        if answer.stop is not None:
            raise answer.stop
        if name in answer.failed:
            problem = cause_words(answer.failed[name].cause)
            continue
        found = _case(answer.replies[name].text, name)
        if isinstance(found, str):
            problem = found
        elif fold(found.text, case=True) in taken:
            problem = say("benchmarks.generate.taken")
        else:
            return found
    return problem


def _case(text: str, name: str) -> Question | str:
    """The case in a reply, or what is wrong with it."""
    whole = _FENCE.fullmatch(text.strip())
    found = case_of(whole[1] if whole else text, "the reply", name, "new")
    wrong = [found] if isinstance(found, BadRow) else nonsense(found)
    if isinstance(found, Question) and not wrong:
        return found
    problem = wrong[0]
    return say("benchmarks.generate.wrong", found=problem.found, expected=problem.expected)


def _write(folder: Path, language: str, case: Question) -> Path:
    """The case in the first free file of its language."""
    separator = "=== разделитель ===" if language == "ru" else SEPARATOR
    for number in count_from(1):
        place = folder / f"{language}-{number:02d}.txt"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with place.open("x", encoding="utf-8") as file:
                file.write(f"{case.text}\n\n{separator}\n\n{case.references[0]}\n")
            break
        except FileExistsError:
            continue
        except OSError as error:
            raise InputError(
                **error_parts(
                    "benchmarks.error.no_write", place=str(place), why=error.strerror or str(error)
                )
            ) from error
    return place


def _prompts(folder: Path) -> list[tuple[str, str]]:
    """(category, prompt) of all cases: no prompt is taken twice, in whatever category."""
    files: Sequence[Path] = case_files(folder) if folder.is_dir() else []
    return [
        (category_of(file), case.text)
        for file in files
        if isinstance(case := read_case(file), Question)
    ]


def _prompt_of(folder: Path, name: str) -> str:
    """The editable prompt of a category: the folder's own, else the one that comes with Cograde."""
    for place in (folder / "prompts" / f"{name}.txt", BUNDLED / "prompts" / f"{name}.txt"):
        if place.is_file():
            return place.read_text("utf-8-sig")
    raise InputError(
        **error_parts(
            "benchmarks.error.no_prompt",
            name=name,
            categories=", ".join(KINDS),
            file=folder / "prompts" / name,
        )
    )
