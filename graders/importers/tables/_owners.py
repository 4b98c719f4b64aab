"""Whose figures a column holds: ``Alder latency``, ``cost (Alder)`` and ``甲模型耗时`` name a model
beside what was measured."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from graders.core.contracts import FIGURES, Column
from graders.core.words import say
from graders.importers.tables.cells import parse_number
from graders.importers.tables.words import ANSWER_WORDS, CAMEL, GRADES, PLAIN_ANSWERS, fold, role_of

WHOLE = frozenset({"input_tokens", "output_tokens"})
#: Columns that a note names.
NAMED = 10
#: Cells of a column that are tried.
TRIED = 50

_WIDE = "\u3040-\u30ff\u3400-\u9fff"
_TOKEN = re.compile(rf"[^\W_{_WIDE}]+|[{_WIDE}]")
_BEFORE = re.compile(r"\b(?:of|for|by|от|для|у)\s*$", re.IGNORECASE)
_AFTER = re.compile(r"^(?:['’]s\b|的|の)\s*")
_EMPTY = re.compile(r"[(\[（【]\s*[)\]）】]")
#: A unit behind a name: ``Alder, ms``, ``Alder (s)``, ``Alder $``. One letter may as well be part
#: of the name where no sign is before it.
_SECONDS = r"ms|msec|secs?|seconds?|сек|мс|毫秒|秒|ミリ秒"
_UNIT = re.compile(
    (
        rf"(?:(?:[\s_]|[,，(\[（【]\s*)(?:(?P<seconds>{_SECONDS})|usd|[$€₽¥])|"
        r"[,，(\[（【]\s*(?P<one>[sс]))\.?\s*[)\]）】]?$"
    ),
    re.IGNORECASE,
)
_SIGNS = " \t_-–—:/|.,;、：・"


class Models:
    """The models of a table's answers, found in headers however they are spelt there: their signs
    and capitals do not count."""

    def __init__(self, answers: Sequence[Column]) -> None:
        self._of: dict[str, str] = {}
        for spellings in (
            [(c.model, c.model or c.header) for c in answers],
            [(c.header, c.model or c.header) for c in answers],
            [
                (name, c.model or c.header)
                for c in answers
                for name in (_number(c.header), beside_answer(c.header))
            ],
        ):
            found: dict[str, str] = {}
            for spelling, model in spellings:
                key = _key(spelling)
                # what two models are called says nothing of either
                found[key] = model if found.get(key, model) == model else ""
            self._of = {**found, **self._of}

    def named(self, header: str) -> Iterator[tuple[str, str, bool]]:
        """Each model that `header` names, longest name first, with what is left of it, and whether
        the name stands at an end."""
        text = _spaced(header)
        tokens = list(_TOKEN.finditer(text))
        for size in range(len(tokens), 0, -1):
            for start in range(len(tokens) - size + 1):
                part = tokens[start : start + size]
                model = self._of.get("".join(_plain(token.group()) for token in part))
                if model:
                    yield (
                        model,
                        _rest(text, part[0].start(), part[-1].end()),
                        start == 0 or start + size == len(tokens),
                    )

    def spoken_of(self, header: str) -> str:
        """The model whose name begins or ends `header`, or ``""``."""
        return next((model for model, _, outer in self.named(header) if outer), "")

    def figure(self, header: str) -> tuple[str, str]:
        """The figure that `header` names together with a model, and the model; two times ``""``
        where it names none."""
        for model, rest, _ in self.named(header):
            found = role_of(rest)
            if found and found[0] in FIGURES:
                return found[0], model
        role, name = unit_of(header)
        return (role, self._of[_key(name)]) if self._of.get(_key(name)) else ("", "")

    def about(self, header: str) -> bool:
        """Whether `header` names a model together with its figure, score, note or the like."""
        notes = any(
            (found := role_of(rest)) and found[0] == "metadata" for _, rest, _ in self.named(header)
        )
        return notes or bool(self.figure(header)[0])


def without_model(header: str, model: str) -> str:
    """`header` without the name of the model: ``Alder: clarity`` gives ``clarity``; ``""`` where
    nothing is left."""
    found = (
        Models([Column(index=0, header=model, model=model)]).named(header) if model else iter(())
    )
    return next((rest for _, rest, outer in found if outer), header.strip())


def _key(text: str) -> str:
    return "".join(_plain(token) for token in _TOKEN.findall(_spaced(text)))


def _plain(token: str) -> str:
    return token.casefold().replace("ё", "е")


def _spaced(header: str) -> str:
    return CAMEL.sub(" ", unicodedata.normalize("NFKC", header))


@lru_cache(10_000)
def beside_answer(header: str) -> str:
    """`header` without the words for an answer: ``Ответ GPT-4`` and ``gpt-4_answer`` leave the
    model's name."""
    low = header.casefold().replace("ё", "е")
    for word in ANSWER_WORDS:
        pattern = re.escape(word).replace(r"\ ", r"[\s_\-]+")
        for match in (
            re.match(rf"{pattern}(?=[\s_\-:/(（.\[]|[^\x00-\u2fff])", low),
            re.search(rf"(?<=[\s_\-:/).\]の的]){pattern}$", low),
        ):
            if match:
                left = (header[: match.start()] + header[match.end() :]).strip(
                    " _-:/.()[]（）：の的"
                )
                return left if left and not left.isdigit() else header
        if len(word) > 1 and not word.isascii() and _stands_apart(low, word):
            left = (header[len(word) :] if low.startswith(word) else header[: -len(word)]).strip(
                " _-:/.()[]（）：の的"
            )
            if left:
                return left if not left.isdigit() else header
    return ""


def _stands_apart(low: str, word: str) -> bool:
    """Whether `low` begins or ends with `word` and not with a longer word: Chinese and Japanese put
    no blank between words, but ``ответ`` is no part of ``ответственный``."""
    if re.search(f"[{_WIDE}]", word):
        return low.startswith(word) or low.endswith(word)
    after, before = low[len(word) :][:1], low[: -len(word)][-1:]
    starts = low.startswith(word) and not (
        after.isalpha() and after.isascii() == word[-1].isascii()
    )
    return starts or (
        low.endswith(word) and not (before.isalpha() and before.isascii() == word[0].isascii())
    )


def _number(header: str) -> str:
    """The number of an answer column that has no better name: ``Answer 2``, to which ``Time 2``
    belongs."""
    match = re.fullmatch(r"(.*?)[\s_\-№#]*(\d{1,3})", header.strip())
    found = role_of(match[1]) if match else None
    return match[2] if match and found and found[0] in ("answer", "model") else ""


def _rest(text: str, start: int, end: int) -> str:
    before = _BEFORE.sub("", text[:start].rstrip(_SIGNS))
    after = _AFTER.sub("", text[end:].lstrip(_SIGNS))
    return _EMPTY.sub(" ", f"{before} {after}").strip(_SIGNS)


def unit_of(header: str) -> tuple[str, str]:
    """The figure whose unit ends `header`, and what stands before it: ``Alder (ms)`` gives
    (total_seconds, Alder)."""
    match = _UNIT.search(unicodedata.normalize("NFKC", header).strip())
    if match is None or not match.start():
        return "", ""
    return "total_seconds" if match["seconds"] or match["one"] else "cost", match.string[
        : match.start()
    ]


def measure_of(header: str) -> tuple[str, str, str]:
    """The answer's figure that `header` names beside something else, that thing, and its words for
    the figure: ``GPT-4 latency`` gives (total_seconds, GPT-4, latency).

    What is no answer's but known, such as a score, gives ``metadata``; three times ``""`` where
    there is nothing of the kind.
    """
    words = re.split(r"[\s_:/]+|\s+-\s+", header.strip())
    cuts = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
    text = _spaced(header).strip()
    if re.search(rf"[{_WIDE}]", text[:60]):  # no blanks between words
        cuts += [(text[:cut], text[cut:]) for cut in range(1, min(len(text), 60))]
    for before, after in cuts:
        for owner, what in ((before, after), (after, before)):
            found = role_of(what)
            if found and found[0] in (*FIGURES, "metadata"):
                return found[0], owner.strip("()[] 的の"), what
    role, owner = unit_of(header)
    return role, owner, ""


def owned(
    columns: Sequence[Column], cells: Sequence[Sequence[str]], chosen: Collection[int] = ()
) -> tuple[tuple[Column, ...], list[str]]:
    """The columns, each figure with the model that its header names, and notes on those that stay
    metadata.

    `cells` are the first ones of each column. The role of a column whose index is among `chosen`
    was said by a person and stays; of its model only what nobody said is filled in.
    """
    answers = [c for c in columns if c.role == "answer"]
    by_row = any(c.role == "model" for c in columns)
    models = Models([] if by_row else answers)
    left: dict[str, list[str]] = {}
    taken = {(c.role, c.model) for c in columns if c.index in chosen}
    given: list[Column] = []
    for column, below in zip(columns, cells, strict=True):
        if len(answers) > 1 and column.role in ("verdict", *FIGURES) and not column.model:
            column = replace(
                column, model=models.figure(column.header)[1] or models.spoken_of(column.header)
            )
        if column.index not in chosen and column.role in ("metadata", *FIGURES):
            role, model, why = _figure(column, answers, models, below, by_row)
            if model and (role, model) in taken:
                role, model, why = (
                    "metadata",
                    "",
                    say("importers.owners.taken", role=role),
                )
            taken.add((role, model))
            column = replace(column, role=role, model=model)
            if why:
                left.setdefault(why, []).append(column.header)
        given.append(column)
    return tuple(given), [
        say("importers.note.kept_as_metadata", headers=listed(headers), why=why)
        for why, headers in left.items()
    ]


def _figure(
    column: Column, answers: Sequence[Column], models: Models, cells: Sequence[str], by_row: bool
) -> tuple[str, str, str]:
    """Role and model of a column that nobody chose, from its header; a reason where it is left as
    metadata but looks like a figure."""
    role, model = models.figure(column.header)
    known = role_of(column.header)
    if not role and known and known[0] in FIGURES and len(re.split("[/|／]", column.header)) < 3:
        role = known[0]
    inside = role_of(column.header.rpartition(" / ")[2])  # a part of an object, such as an answer
    if not role and inside and inside[0] == column.role and column.role in FIGURES:
        role = column.role
    if not role:
        elsewhere = (
            measure_of(column.header)[0]
            if any(c.model for c in answers) and _are_numbers(cells, "cost")
            else ""
        )
        like = column.role if column.role in FIGURES else elsewhere
        return "metadata", "", _no_model(answers, like) if like in FIGURES else ""
    if not _are_numbers(cells, role):
        kind = "whole_numbers" if role in WHOLE else "numbers"
        return "metadata", "", say(f"importers.owners.no_{kind}")
    if not model and not by_row and len(answers) > 1:
        return "metadata", "", _no_model(answers, role)
    return role, model, ""


def _no_model(answers: Sequence[Column], role: str) -> str:
    models = listed([c.model or c.header for c in answers])
    return say("importers.owners.no_model", models=models, role=role) if answers else ""


def _are_numbers(cells: Sequence[str], role: str) -> bool:
    """Whether most cells can be the figure; where there are none, nothing speaks against it."""
    good = wrong = 0
    for cell in cells[:TRIED] if role != "finish_reason" else ():
        try:
            good += parse_number(cell, whole=role in WHOLE) is not None
        except ValueError:
            wrong += 1
    return good >= wrong


def listed(texts: Sequence[str]) -> str:
    """The first of `texts` in quotes, and how many more there are."""
    named, more = ", ".join(map(repr, texts[:NAMED])), len(texts) - NAMED
    return say("importers.more", named=named, n=more) if more > 0 else named


def _of_each_model(columns: Sequence[Column], models: Models) -> set[int]:
    """Indexes of columns that say the same of several models, in words that are no role's: ``Alder
    clarity``, ``Birch clarity``."""
    said: dict[str, dict[int, str]] = {}
    for column in columns:
        for model, rest, outer in models.named(column.header):
            if outer and rest and role_of(rest) is None:
                said.setdefault(fold(rest), {})[column.index] = model
                break
    return {index for group in said.values() if len(set(group.values())) > 1 for index in group}


def _grades(header: str, models: Models) -> bool:
    """Whether `header` is a word for people's grades, by itself or beside the name of a model."""
    words = [header, *(rest for _, rest, _ in models.named(header))]
    # between words without blanks, what is beside a grade may be anything
    if not re.search(f"[{_WIDE}]", header):
        words.append(measure_of(header)[2])
    return any(fold(word) in GRADES for word in words)


def hints(columns: Sequence[Column], has_header: bool, chosen: Collection[int] = ()) -> list[str]:
    """What may be worth a second look among columns that nobody chose."""
    notes: list[str] = []
    answers = [c for c in columns if c.role == "answer"]
    models = Models(answers)
    open_columns = [c for c in columns if c.index not in chosen]
    if not has_header and any(re.fullmatch(r"model \d+", c.model) for c in answers):
        notes.append(say("importers.note.numbered_models"))
    for column in open_columns:
        if column.role == "reference" and fold(column.header) in PLAIN_ANSWERS and answers:
            notes.append(
                say(
                    "importers.note.reference",
                    header=column.header,
                    answers=answers[0].header,
                )
            )
    spoken = _of_each_model([c for c in open_columns if c.role == "metadata"], models)
    grades = [
        c.header
        for c in open_columns
        if c.role == "metadata" and (c.index in spoken or _grades(c.header, models))
    ]
    if grades:
        notes.append(say("importers.note.grades", headers=listed(grades)))
    return notes
