"""Where a table begins: rows above its header, and headers of several rows, such as the names of
models above what is said of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from graders.core.contracts import FIGURES
from graders.importers.tables.words import MODEL_NAME, fold, role_of

#: Rows among which a header is looked for, and the most that it has.
LOOKED, MOST = 30, 4
#: The longest name of a column, in characters.
LONGEST = 60
#: Words between others in what stands above the names of all models: "answers of the models".
_SMALL = frozenset({"of", "the", "by", "from", "per", "each", "all", "with"})
_MODELS = frozenset({"models", "systems", "модели", "моделей", "системы", "各模型", "各モデル"})
Texts = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Header:
    """A header from row `first` to row `last` of those given: a name per column, and for columns
    whose rows say so the model whose answers they hold. `plain`: it has words that name columns,
    or several rows."""

    first: int
    last: int
    names: Sequence[str]
    models: Sequence[str]
    plain: bool = False


def find_header(texts: Texts, first: int | None = None, rows: int | None = None) -> Header | None:
    """The header of a table, or where it has none its first row; None where all rows are empty.

    `first` and `rows` are the row where it begins and how many it has, where a person said so.
    """
    start = _start(texts) if first is None else first
    if start is None:
        return None
    likely = start if first is not None else _named(texts, start)
    tops = [first] if first is not None else range(max(0, likely - MOST + 2), likely + 1)
    blocks = [
        block
        for top in tops
        for end in range(max(top + 1, likely), min(top + MOST, likely + 3, len(texts)))
        if rows is None or rows == end - top + 1
        if (block := _block(texts, top, end)) is not None
    ]
    if blocks:
        return max(blocks, key=_points)
    return _plainly(texts, likely, likely + (rows or 1) - 1, plain=first is None and likely > start)


def _points(block: Header) -> tuple[bool, int, int, int, int]:
    """How much a header says, then how early it begins and ends."""
    asks = any(_role(name) == "question" for name in block.names)
    named = sum(map(bool, block.names))
    return asks, sum(map(bool, block.models)), named, -block.first, -block.last


def _plainly(texts: Texts, first: int, last: int, *, plain: bool) -> Header:
    """The header in these rows, whatever they hold."""
    last = min(last, len(texts) - 1)
    width = width_of(texts[first:])
    if first == last:
        return Header(first, last, padded(texts[first], width), [""] * width, plain)
    columns = [_Name.of(parts) for parts in _parts(texts, first, last, width)]
    names, models = [c.text for c in columns], [c.model for c in columns]
    return Header(first, last, names, models, plain=True)


def padded(row: Sequence[str], width: int) -> list[str]:
    """`row` with as many cells as `width`."""
    return [*row, *[""] * (width - len(row))][:width]


def width_of(texts: Texts) -> int:
    """The width that most rows have, or more where the first row names more columns: one row too
    long changes nothing."""
    named = max((i + 1 for i, cell in enumerate(texts[0]) if cell), default=0)
    return max(named, Counter(len(row) for row in texts if any(row)).most_common(1)[0][0])


def _start(texts: Texts) -> int | None:
    """The first row that is as full as the table usually is: a title has one filled cell, a table
    several."""
    filled = [sum(bool(cell) for cell in row) for row in texts]
    usual = Counter(n for n in filled if n).most_common()
    if not usual:
        return None
    width = _usual(texts)
    for i, row in enumerate(texts[:LOOKED]):
        known = sum(role_of(cell) is not None for cell in row if cell)
        if filled[i] >= 2 and (known >= 2 or filled[i] >= 0.6 * width):
            return i
    return next(i for i, n in enumerate(filled) if n)


def _usual(texts: Texts) -> int:
    """How many filled cells most rows have."""
    filled = Counter(n for row in texts if (n := sum(map(bool, row))))
    return max(filled.most_common(), key=lambda item: (item[1], item[0]))[0]


def _named(texts: Texts, start: int) -> int:
    """The row that names the columns in words that are known for that, at or below `start`, which
    is full but may be a title; `start` where there is none."""
    width, full = _usual(texts), 0
    for i in range(start, min(LOOKED, len(texts))):
        row = texts[i]
        roles = {role for cell in row if (role := _role(cell))}
        asked = sum(_role(cell) == "question" for cell in row)
        # a lone word may stand in a row of data as well: only right below a title
        lone = full == 1 and asked == 1 and sum(map(bool, row)) >= max(2, 0.6 * width)
        if (len(roles) > 1 and i == start) or (
            (len(roles) > 1 or lone) and _are_names(row) and not _comes_again(texts, i)
        ):
            return i + _says_more(texts, i, len(roles))
        full += sum(map(bool, row)) >= 0.6 * width
        if full >= MOST:
            break
    return start


def _says_more(texts: Texts, place: int, known: int) -> bool:
    """Whether the row below names each column in words that are known for that, and more kinds of
    them: what stands above it are groups of columns."""
    below = [cell for cell in (texts[place + 1] if place + 1 < len(texts) else ()) if cell]
    roles = {_role(cell) for cell in below}
    return len(roles) > known and "" not in roles and not _comes_again(texts, place + 1)


def _comes_again(texts: Texts, place: int) -> bool:
    """Whether a word that would name a column stands in a row below it too, as in data."""
    row = texts[place]
    return any(
        _role(cell) and any(i < len(below) and below[i] == cell for below in texts[place + 1 :])
        for i, cell in enumerate(row)
    )


def _are_names(row: Iterable[str]) -> bool:
    return all(
        len(cell) <= LONGEST and not cell.endswith(("?", "？", "!", "。")) for cell in row if cell
    )


def _role(cell: str) -> str:
    found = role_of(cell)
    return found[0] if found else ""


def _kind(cell: str) -> str:
    """What the name of a column speaks of: ``answer`` for an answer or what is said of it,
    ``about`` for the question, ``""`` for what may be a model."""
    role = _role(cell)
    if role in ("answer", "model", "metadata", *FIGURES) or _of_models(cell):
        return "answer"
    return "about" if role else ""


def _of_models(cell: str) -> bool:
    """Whether `cell` says that models' answers stand below it: ``Models``, ``Answers by model``."""
    words = [word for word in fold(cell).split() if word not in _SMALL]
    return bool(words) and all(
        word in _MODELS or _role(word.removesuffix("s")) in ("answer", "model") for word in words
    )


@dataclass(frozen=True, slots=True)
class _Name:
    """The name of a column from its cells in a header's rows, top to bottom: what it says of a
    model's answer, and which model."""

    text: str
    model: str
    what: str

    @classmethod
    def of(cls, parts: Sequence[str]) -> _Name:
        """`parts` without those that say nothing here: a group above a question's own column, and
        the word for models above their names."""
        parts = list(parts)
        while len(parts) > 2 and _of_models(parts[0]):
            parts = parts[1:]
        kinds = [_kind(part) for part in parts]
        if kinds and kinds[-1] == "about" and "about" not in kinds[:-1]:
            parts, kinds = parts[-1:], kinds[-1:]
        text, said = " / ".join(parts), [p for p, kind in zip(parts, kinds, strict=True) if kind]
        named = [part for part, kind in zip(parts, kinds, strict=True) if not kind]
        if "about" in kinds or not said or not named:
            return cls(text, "", "")
        what = next((role for part in said if (role := _role(part))), "answer")
        answers = what == "answer" or _of_models(said[0])
        return cls(text, " / ".join(named) if answers else "", said[-1])


def _parts(texts: Texts, first: int, last: int, width: int) -> list[list[str]]:
    """The cells of each column in a header's rows, top to bottom, each once. A cell that spans
    several columns stands in the first; an index of a data frame, whose names stand in a row of
    their own, has these alone."""
    rows = [padded(texts[i], width) for i in range(first, last + 1)]
    index = _index(rows)
    if index:
        rows[-1:] = []
    below, filled = [False] * width, list[list[str]]()
    for row in reversed(rows):
        filled.insert(0, _spread(row, below) if any(below) else row)
        below = [b or bool(cell) for b, cell in zip(below, row, strict=True)]
    parts = [
        list({cell.casefold(): cell for cell in cells if cell}.values())
        for cells in zip(*filled, strict=True)
    ]
    return [[index[i]] if i in index else part for i, part in enumerate(parts)]


def _spread(row: Sequence[str], below: Sequence[bool]) -> list[str]:
    """`row` with each cell also in the empty ones to its right that have something below them."""
    found, group = list[str](), ""
    for cell, named in zip(row, below, strict=True):
        group = cell or (group if named else "")
        found.append(group)
    return found


def _index(rows: Texts) -> dict[int, str]:
    """Column -> name of the questions' columns that only the last row names, left of all others, as
    pandas writes a data frame's index."""
    named = {i: cell for i, cell in enumerate(rows[-1]) if cell}
    if not named or max(named) + 1 > len(named) or len(rows) < 2 or len(named) == len(rows[0]):
        return {}
    if "question" not in {_role(cell) for cell in named.values()} or not all(
        _kind(cell) == "about" for cell in named.values()
    ):
        return {}
    # above them is nothing, or what the rows above are called
    over = [row[i] for row in rows[:-1] for i in named]
    if any(_kind(cell) == "about" for cell in over) or not all(rows[-2][len(named) :]):
        return {}
    return named


def _block(texts: Texts, first: int, last: int) -> Header | None:
    """The header in these rows, where they cannot be anything else; None where the first may be a
    title or the last data."""
    rows = texts[first : last + 1]
    if not all(any(row) and _are_names(row) for row in rows):
        return None
    width = max(width_of(texts[i:]) for i in range(first, last + 1))
    left = min(i for row in rows[1:] for i, cell in enumerate(row) if cell)
    top = [i for i, cell in enumerate(rows[0]) if cell]
    if len({rows[0][i] for i in top}) < 2 and top[0] <= left:
        return None  # a title
    parts = _parts(texts, first, last, width)
    columns = [_Name.of(cells) for cells in parts]
    kinds = [[_kind(cell) for cell in cells] for cells in parts]
    if any("about" in kind and kind[-1] != "about" for kind in kinds):
        return None  # a question, below the word for it
    if any(c.what for c in columns) and any(_role(c.text) == "model" for c in columns):
        return None  # a column names the model
    index = bool(_index([padded(row, width) for row in rows]))
    if index or _translated(parts, kinds) or _grouped(parts, kinds, columns):
        names, models = [c.text for c in columns], [c.model for c in columns]
        return Header(first, last, names, models, plain=True)
    return None


def _translated(parts: Sequence[Sequence[str]], kinds: Sequence[Sequence[str]]) -> bool:
    """Whether each row says the same in another language."""
    several = [cells for cells in parts if len(cells) > 1]
    return (
        len(several) > 1
        and all(all(kind) for kind in kinds)
        and all(len({_role(cell) for cell in cells}) == 1 for cells in several)
        and len({_role(cells[0]) for cells in several}) > 1
    )


def _grouped(
    parts: Sequence[Sequence[str]], kinds: Sequence[Sequence[str]], columns: Sequence[_Name]
) -> bool:
    """Whether the rows are models and what is said of them: the same under several models, several
    columns under names that only models have, or above it nothing but models."""
    asked = [i for i, kind in enumerate(kinds) if "about" in kind]
    named = any(_role(columns[i].text) in ("question", "question_id") for i in asked)
    groups = [(group, names) for group, names in _groups(parts) if len(names) > 1]
    said = [names for _, names in groups]
    if len(said) > 1 and said.count(said[0]) == len(said) and (named or any(map(_all_said, said))):
        return True
    if named and groups and all(MODEL_NAME.search(group) for group, _ in groups):
        return True
    if not named or not all(all(kind == "about" for kind in kinds[i]) for i in asked):
        return False
    told = [i for i, c in enumerate(columns) if c.what]
    lower = [cells[-1] for cells in parts if len(cells) > 1]
    if len(lower) > 1 and all(MODEL_NAME.search(name) for name in lower):
        return True
    return bool(told) and (
        any(_spans(parts, i) for i in told)
        or len({columns[i].what for i in told}) < len({columns[i].text for i in told})
    )


def _all_said(names: Sequence[str]) -> bool:
    return all(_kind(name) == "answer" for name in names)


def _spans(parts: Sequence[Sequence[str]], place: int) -> bool:
    """Whether the column has its group from the column at its left, or shares it with that at its
    right."""
    group = parts[place][0]
    near = [parts[i] for i in (place - 1, place + 1) if 0 <= i < len(parts)]
    return any(cells and cells[0] == group for cells in near)


def _groups(parts: Sequence[Sequence[str]]) -> Iterator[tuple[str, list[str]]]:
    """Each group of neighbouring columns with one name above them, and the names below it, without
    those that speak of the question."""
    group, names = "", list[str]()
    for cells in [*parts, []]:
        above = " / ".join(cells[:-1]) if len(cells) > 1 and _kind(cells[-1]) != "about" else ""
        if above != group and names:
            yield group, names
            names = []
        group = above
        if above:
            names = [*names, cells[-1]]
