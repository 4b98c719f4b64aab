"""Guess what the columns of a table are, from headers and from contents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from graders.core.contracts import FIGURES, Column
from graders.core.words import say
from graders.importers.tables._header_rows import Header, find_header, padded
from graders.importers.tables._owners import Models, beside_answer, measure_of, owned
from graders.importers.tables.contents import (
    Facts,
    cell_text,
    constant_within,
    facts_of,
    is_class_of,
    roles_without_headers,
)
from graders.importers.tables.words import (
    MODEL_NAME,
    PLAIN_ANSWERS,
    PLAIN_TYPES,
    TEXT_HEADERS,
    fold,
    role_of,
)

#: Roles of which a table has one column; a further one is kept as metadata.
SINGLE = frozenset(
    {"question", "question_id", "model", "category", "task_type", "language", "detail"}
)

#: Ratings are numbers of at most so many characters on average, or at most so many labels of so
#: many characters.
LONGEST_NUMBER, MOST_LABELS, LONGEST_LABEL = 4, 7, 30
#: A column of our own exports, of cells and of results, that no other table has.
OURS = "answer version"


class Shape(NamedTuple):
    """A guessed table: `begins` is the index of its first row among the rows given, which with a
    header is that of the header, `first` that of the first data row; `cells` are those of each
    column below it."""

    layout: str
    has_header: bool
    first: int
    columns: tuple[Column, ...]
    notes: tuple[str, ...]
    cells: Sequence[Sequence[str]] = ()
    begins: int = 0


def guess_table(
    rows: Sequence[Sequence[Any]],
    *,
    has_header: bool | None = None,
    first: int | None = None,
    header_rows: int | None = None,
) -> Shape:
    """Layout, header and roles of a table, from its first rows (titles and empty rows above it are
    allowed). `first` and `header_rows` are where its header, or without one the table, begins and
    how many rows the header has, where that is known."""
    texts = [[cell_text(cell).strip() for cell in row] for row in rows]
    header = find_header(texts, first, header_rows)
    if header is None:
        return Shape("", has_header is not False, 0, (), (), begins=0)
    head, width = header.names, len(header.names)
    body = [padded(row, width) for row in texts[header.last + 1 :] if any(row)]
    cells: list[list[str]] = (
        list(map(list, zip(*body, strict=True))) if body else [[] for _ in head]
    )
    facts = [] if has_header is False else [facts_of(column) for column in cells]
    with_header = has_header
    if has_header is None:
        with_header = header.plain or header_rows is not None or _is_header(head, cells, facts)
    if not with_header:
        start = header.first
        body = [padded(row, width) for row in texts[start:] if any(row)]
        return _without_header(body, width, start)
    roles, models = _with_header(header, cells, facts)
    columns, _ = owned(
        [Column(index=i, header=head[i], role=roles[i], model=models[i]) for i in range(width)],
        cells,
    )
    return Shape(layout_of(columns), True, header.last + 1, columns, (), cells, header.first)


def layout_of(columns: Sequence[Column]) -> str:
    """``wide`` where answer columns carry a model's name, else ``long``."""
    return "wide" if any(column.role == "answer" and column.model for column in columns) else "long"


def _is_header(head: Sequence[str], cells: Sequence[Sequence[str]], facts: Sequence[Facts]) -> bool:
    """Whether the first row names the columns: known words, else short and unlike the cells
    below."""
    filled = [cell for cell in head if cell]
    known = sum(role_of(cell) is not None for cell in filled)
    if known >= 2 or (known and known >= len(filled) / 2):
        return True
    if len(set(filled)) < len(filled) or any(
        len(cell) > 60 or cell.endswith(("?", "？", ".", "。", "!")) for cell in filled
    ):
        return False
    points = 1.0 * known + 1.5 * sum(bool(MODEL_NAME.search(cell)) for cell in filled)
    for i, cell in enumerate(head):
        number = facts_of([cell]).numbers > 0 and not (
            known and facts[i].filled and facts[i].numbers < 0.5
        )
        points += _header_points(cell, number, facts[i], cells[i])
    return points > 0.5


def _header_points(cell: str, number: bool, below: Facts, cells: Sequence[str]) -> float:
    if not below.filled:
        return 0.0
    if cell and cell in cells:
        return -2.0
    if number:
        return -1.0
    if below.numbers > 0.8 or below.codes > 0.8:
        return 1.0 if not facts_of([cell]).codes else -1.0
    if not cell:
        return 0.0
    return 0.7 if below.length > 2.5 * len(cell) else 0.0


def _without_header(body: list[list[str]], width: int, start: int) -> Shape:
    cells = list(map(list, zip(*body, strict=True)))
    roles = roles_without_headers(cells)
    answers = [i for i, role in enumerate(roles) if role == "answer"]
    long = "model" in roles or (
        len(answers) == 1 and len({row[roles.index("question")] for row in body}) < len(body)
    )
    columns = []
    for i in range(width):
        model = f"model {answers.index(i) + 1}" if i in answers and not long else ""
        columns.append(Column(index=i, header=f"column {i + 1}", role=roles[i], model=model))
    notes = (say("importers.note.no_headers"),)
    return Shape(layout_of(columns), False, start, tuple(columns), notes, cells, start)


def _with_header(
    header: Header, columns: Sequence[Sequence[str]], facts: Sequence[Facts]
) -> tuple[list[str], list[str]]:
    """Roles and models of a table with this header."""
    head, models = header.names, list(header.models)
    roles = ["answer" if model else "" for model in models]
    ranked: list[tuple[int, int, str]] = []
    for i, name in enumerate(head):
        found = role_of(name)
        if found and not roles[i]:
            ranked.append((found[1], i, found[0]))
    for _, i, role in sorted(ranked):
        roles[i] = "metadata" if role in SINGLE and role in roles else role
    _plain_texts(head, roles)
    _named_models(head, roles, models)
    _several_answers(head, roles, models)
    _unnamed_question(head, facts, roles)
    _running_numbers(columns, facts, roles)
    _unknown_types(head, facts, roles)
    _measures(head, roles, models)
    _by_contents(head, columns, facts, roles, models)
    if header.last > header.first:
        _raters(head, columns, facts, roles, models)
    return roles, models


def _plain_texts(head: Sequence[str], roles: list[str]) -> None:
    """A column called text is the question's where there is none yet, else the answer's; Q and A
    mean what they say; beside an instruction the input is its context."""
    folded = [fold(header) for header in head]
    if (
        "q" in folded
        and "a" in folded
        and "b" not in folded
        and "question" not in roles
        and "answer" not in roles
    ):
        roles[folded.index("q")], roles[folded.index("a")] = "question", "answer"
    if "instruction" in folded and "input" in folded and "context" not in roles:
        roles[folded.index("input")] = "context"
    for i, header in enumerate(head):
        if not roles[i] and fold(header) in TEXT_HEADERS:
            roles[i] = (
                "answer"
                if "answer" not in roles and ("question" in roles or "model" in roles)
                else "question"
                if "question" not in roles
                else ""
            )


def _named_models(head: Sequence[str], roles: list[str], models: list[str]) -> None:
    """Headers that name a model: its answers, or with a further word its seconds, score or the
    like, which are told later."""
    if "model" in roles:
        return
    for i, header in enumerate(head):
        rest = beside_answer(header) if not roles[i] else ""
        if rest and role_of(rest) is None and measure_of(header)[0] not in FIGURES:
            roles[i], models[i] = "answer", rest
    for i, header in enumerate(head):
        if roles[i] or not MODEL_NAME.search(header):
            continue
        if measure_of(header)[0]:
            roles[i] = "metadata"
        else:
            roles[i], models[i] = "answer", header


def _measures(head: Sequence[str], roles: list[str], models: Sequence[str]) -> None:
    """Headers that name a column beside something measured or said of it, such as ``Alder note``:
    no answers, whatever their cells are."""
    near = [
        Column(index=i, header=head[i], model=models[i])
        for i, role in enumerate(roles)
        if role in ("", "answer")
    ]
    known = Models(near)
    for i, header in enumerate(head):
        if not roles[i] and known.about(header):
            roles[i] = "metadata"


def _several_answers(head: Sequence[str], roles: list[str], models: list[str]) -> None:
    """Of two answer columns without a model, the plainly named one is what was expected."""
    unnamed = [i for i, role in enumerate(roles) if role == "answer" and not models[i]]
    plain = [i for i in unnamed if fold(head[i]) in PLAIN_ANSWERS]
    if len(unnamed) == 2 and len(plain) == 1 and "reference" not in roles:
        roles[plain[0]] = "reference"
    elif len(unnamed) > 1 and "model" not in roles:
        for i in unnamed:
            models[i] = _whose(head[i])
    elif len(unnamed) == 1 and any(models):
        models[unnamed[0]] = _whose(head[unnamed[0]])


def _whose(header: str) -> str:
    """The model that the header of an answer names: ``Response - GPT-4`` is GPT-4's; ``Answer /
    Ответ`` names none but itself."""
    rest = beside_answer(header)
    return rest if rest and role_of(rest) is None else header


def _unnamed_question(head: Sequence[str], facts: Sequence[Facts], roles: list[str]) -> None:
    """Where the column called question holds numbers, and that at its right has no name and holds
    texts, one name spans both: the numbers are ids."""
    if "question" not in roles or "question_id" in roles:
        return
    i = roles.index("question")
    right = i + 1
    if right < len(head) and not head[right] and facts[i].is_ids and facts[right].is_text:
        roles[i], roles[right] = "question_id", "question"


def _running_numbers(
    columns: Sequence[Sequence[str]], facts: Sequence[Facts], roles: list[str]
) -> None:
    """An id that differs between rows of the same question counts rows, not questions."""
    if "question_id" not in roles or "question" not in roles:
        return
    i, question = roles.index("question_id"), roles.index("question")
    if (
        facts[question].unique < 0.9
        and not constant_within(columns[question], columns[i])
        and facts[i].unique > 0.98
    ):
        roles[i] = "metadata"


def _unknown_types(head: Sequence[str], facts: Sequence[Facts], roles: list[str]) -> None:
    """A bare "type" whose cells are no task types is a category, where there is none."""
    for i, role in enumerate(roles):
        if (
            role == "task_type"
            and fold(head[i]) in PLAIN_TYPES
            and facts[i].tasks == 0
            and "category" not in roles
        ):
            roles[i] = "category"
        if (
            role == "context"
            and fold(head[i]) in ("source", "材料")
            and facts[i].filled
            and facts[i].length < 60
        ):
            roles[i] = "metadata"


def _by_contents(
    head: Sequence[str],
    columns: Sequence[Sequence[str]],
    facts: Sequence[Facts],
    roles: list[str],
    models: list[str],
) -> None:
    """Columns whose header says nothing: a missing question, answers of models by name, the rest
    metadata. In an export of our own all are metadata: its headers say what it has to say."""
    ours = any(fold(header) == OURS for header in head)
    open_columns = [i for i, role in enumerate(roles) if not role and not ours]
    for i in open_columns:
        known = is_class_of(facts[i])
        if known and known not in roles:
            roles[i] = known
    texts = [i for i in open_columns if not roles[i] and facts[i].is_text and not facts[i].is_class]
    if "question" not in roles and texts:
        guess = roles_without_headers(columns)
        question = (
            guess.index("question")
            if "question" in guess and guess.index("question") in texts
            else texts[0]
        )
        roles[question] = "question"
        texts.remove(question)
    long_answer = any(
        role == "answer" and not model for role, model in zip(roles, models, strict=True)
    )
    if not texts and "answer" not in roles and "model" not in roles:
        # answers may be bare numbers where nothing else can be one
        texts = [
            i for i in open_columns if not roles[i] and facts[i].filled and facts[i].dates < 0.7
        ]
    if not long_answer and "model" not in roles:
        sizes = [facts[i].length for i in texts]
        for i in texts:
            if (
                head[i]
                and facts[i].length >= 0.15 * max(sizes)
                and (facts[i].unique >= 0.5 or facts[i].length > 30)
            ):
                roles[i], models[i] = "answer", head[i]
    elif not long_answer and texts:
        roles[max(texts, key=lambda i: facts[i].length)] = "answer"
    for i, role in enumerate(roles):
        if not role:
            roles[i] = "metadata" if head[i] or facts[i].filled else "ignore"


def _raters(
    head: Sequence[str],
    columns: Sequence[Sequence[str]],
    facts: Sequence[Facts],
    roles: list[str],
    models: list[str],
) -> None:
    """Columns that a header of several rows names by model and by person, such as ``GPT-4 / Ann``,
    and that hold nothing but ratings: what people say of answers. They are kept as metadata beside
    answers; without answers they are verdicts, which are refused because what they rate is
    missing."""
    found = _named_by_rater(
        {
            i: name.rpartition(" / ")
            for i, name in enumerate(head)
            if roles[i] == "answer" and models[i] == name and " / " in name
        }
    )
    cells = [cell for i in found for cell in columns[i] if cell]
    numbers = all(facts[i].numbers > 0.9 and facts[i].length <= LONGEST_NUMBER for i in found)
    if not numbers and not (
        len(set(cells)) <= min(MOST_LABELS, len(cells) / 3)
        and max(map(len, cells), default=0) <= LONGEST_LABEL
    ):
        return
    others = any(role == "answer" and i not in found for i, role in enumerate(roles))
    for i, model in found.items():
        roles[i], models[i] = ("metadata", "") if others else ("verdict", model)


def _named_by_rater(names: Mapping[int, tuple[str, str, str]]) -> dict[int, str]:
    """Column -> model of those that may be a person's: the names below are the same below several
    names, or only the one above is a model's, which has several below it."""
    above = Counter(top for top, _, _ in names.values())
    below = Counter(low for _, _, low in names.values())
    found: dict[int, str] = {}
    for i, (top, _, low) in names.items():
        model_above, model_below = MODEL_NAME.search(top), MODEL_NAME.search(low)
        if below[low] > 1 or (above[top] > 1 and model_above and not model_below):
            found[i] = low if model_below and not model_above else top
    return found
