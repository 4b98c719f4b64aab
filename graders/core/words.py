"""Words that people read: a catalogue per language, English for now.

`graders/words/LANGUAGE/NAME.json` is a flat object of key -> text, and `say("NAME.key")` is its
text. A text has {places}, filled by name as `str.format` does. What depends on a number has a key
for each plural form of the language (`key.one`, `key.other`), chosen by the place `n` with the
rules of Unicode's CLDR, which Babel carries. A part of a registry carries its own English words in
its own file (`carried`), so that a new one is still one file; a language may have other words for
them under the same keys. So it may for what a part says of itself as class attributes, under
`FOLDER.PART.ATTRIBUTE` (`text_of_part`): `rules/length.py` is in `rules.json`, `length.why`. What a
language lacks is said in English.

Which language is spoken belongs to what is under way, a request for example (`speaking`), so that
two people of one process each read their own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel import Locale

__all__ = [
    "ENGLISH",
    "WORDS",
    "Catalogue",
    "carried",
    "catalogue",
    "error_parts",
    "file_of",
    "language",
    "languages",
    "row_parts",
    "say",
    "speaking",
    "text_of_part",
]

#: Where the catalogues are.
WORDS = Path(__file__).parents[1] / "words"
ENGLISH = "en"

#: What parts carry: name -> key -> English text.
_carried: dict[str, Mapping[str, str]] = {}
_spoken: ContextVar[str] = ContextVar("spoken", default=ENGLISH)


class Catalogue:
    """The words of a language, read file by file as they are asked for."""

    def __init__(self, language: str = ENGLISH, folder: Path = WORDS) -> None:
        self.language = language
        self._folder = folder
        self._files: dict[str, Mapping[str, str]] = {}
        self._spare = None if language == ENGLISH else Catalogue(ENGLISH, folder)

    def say(self, key: str, /, **places: object) -> str:
        """The text of a key with its places filled; the key itself where no language has it.

        `n`, a number, chooses the plural form.
        """
        text = self.text(key, places.get("n"))
        if text is None:
            return key if self._spare is None else self._spare.say(key, **places)
        return text.format(**places)

    def text(self, key: str, n: object = None) -> str | None:
        """The text of a key before its places are filled; None where this language has none."""
        name, _, rest = key.partition(".")
        words = self._file(name)
        if isinstance(n, int | float):
            form = words.get(f"{rest}.{_plural(self.language, n)}") or words.get(f"{rest}.other")
            if form is not None:
                return form
        return words.get(rest)

    def has(self, key: str, n: object = None) -> bool:
        """Whether this language, or English, has a text for a key."""
        if self.text(key, n) is not None:
            return True
        return self._spare is not None and self._spare.has(key, n)

    def _file(self, name: str) -> Mapping[str, str]:
        if name not in self._files:
            file = file_of(name, self.language, self._folder)
            own = json.loads(file.read_text("utf-8")) if file.is_file() else {}
            self._files[name] = {**_carried.get(name, {}), **own} if self._spare is None else own
        return self._files[name]


def file_of(name: str, language: str = ENGLISH, folder: Path | None = None) -> Path:
    """The file with the keys that begin with a name."""
    return (folder or WORDS) / language / f"{name}.json"


@cache
def _catalogue(language: str, folder: Path) -> Catalogue:
    return Catalogue(language, folder)


def catalogue(language: str = "") -> Catalogue:
    """The catalogue of a language, of the one that is spoken where none is named."""
    return _catalogue(language or _spoken.get(), WORDS)


def languages() -> tuple[str, ...]:
    """The languages that there are words in, by their codes of BCP 47, English first."""
    others = {folder.name for folder in WORDS.iterdir() if any(folder.glob("*.json"))} - {ENGLISH}
    return (ENGLISH, *sorted(others))


def language() -> str:
    """The code of the language that is spoken here and now."""
    return _spoken.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Meanwhile this language is spoken by what is done here, and by nothing else beside it."""
    before = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(before)


def say(key: str, /, **places: object) -> str:
    """The text of a key, in the language that is spoken: ``say("desk.answer.name", letter="A")``.

    `n` among the places chooses the plural form: ``say("units.answer", n=1_425)``, "1,425 answers".
    """
    return catalogue().say(key, **places)


#: The parts of an error's sentence, as `graders.core.errors` puts them together.
ERROR_PARTS = ("where", "found", "expected", "remedy")


def error_parts(key: str, /, **places: object) -> dict[str, str]:
    """The parts of an error that the catalogue has under a key, filled like `say`.

    ``raise InputError(**error_parts("importing.no_column", column="text"))`` takes `where`,
    `found`, `expected` and `remedy` from `importing.no_column.where` and so on; a part without
    words is left out. KeyError where the key has no `where`.
    """
    words, n = catalogue(), places.get("n")
    parts = {
        part: words.say(f"{key}.{part}", **places)
        for part in ERROR_PARTS
        if words.has(f"{key}.{part}", n)
    }
    if "where" not in parts:
        raise KeyError(f"{key}.where")
    return parts


def row_parts(key: str, /, **places: object) -> dict[str, str]:
    """`found`, `expected` and `remedy` of a bad row, from the catalogue like `error_parts`.

    ``BadRow(file=..., row=7, column="", line=0, **row_parts("importing.blank"))``; KeyError where
    the key has no `found`.
    """
    words, n = catalogue(), places.get("n")
    parts = {
        part: words.say(f"{key}.{part}", **places)
        for part in ERROR_PARTS[1:]
        if words.has(f"{key}.{part}", n)
    }
    if "found" not in parts:
        raise KeyError(f"{key}.found")
    return parts


def carried(name: str, english: Mapping[str, str]) -> Callable[..., str]:
    """`say` for the words that a part carries in its own file; keys there are without `name`.

    After ``say = carried("length", {"short.one": "{n} word short", ...})`` a part says
    ``say("short", n=3)``. Parts of one name, such as an importer and an exporter, have their words
    together: of two with the same key, the later one counts.
    """
    _carried[name] = {**_carried.get(name, {}), **english}
    _catalogue.cache_clear()

    def own(key: str, /, **places: object) -> str:
        return catalogue().say(f"{name}.{key}", **places)

    return own


def text_of_part(folder: str, part: str, attribute: str, english: str) -> str:
    """What a part says of itself: the catalogue's `FOLDER.PART.ATTRIBUTE`, else its own `english`,
    as it stands there, without places."""
    return catalogue().text(f"{folder}.{part}.{attribute}") or english


@lru_cache
def _locale(language: str) -> Locale:
    # Only words with a number need it, and it costs a command 20 ms.
    from babel import Locale

    return Locale.parse(language, sep="-")


def _plural(language: str, n: float) -> str:
    return str(_locale(language).plural_form(n))
