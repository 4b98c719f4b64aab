"""Whether a text can be read at all: broken encodings, lost letters, symbols, scripts and languages
mixed within sentences."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from graders.core.language import LATIN, language_of
from graders.core.records import Evidence
from graders.core.words import say
from graders.rules.writing._encodings import garbled
from graders.rules.writing.keyboard import struck
from graders.rules.writing.known_words import strange_run, strange_words
from graders.rules.writing.marks import span
from graders.rules.writing.nonwords import (
    boxes,
    broken_kana,
    escapes,
    no_words,
    noise,
    odd_spelling,
    piled,
    two_bytes,
)
from graders.rules.writing.prose import without_code
from graders.rules.writing.salad import salad
from graders.rules.writing.scrambled import scrambled

#: Characters that are read, and the shares of broken ones from which a text counts as lost.
_MOST = 60_000
_LOST, _MIXED = 0.10, 0.30
_SHOWN = 20

_REPLACEMENT = re.compile(r"[\ufffd\ue000-\uf8ff\x00-\x08\x0e-\x1f\ud800-\udfff]+")
_EDGE = r"[\s,，.。、;；:：!！]"
_MARKED_WORD = re.compile(rf"(?:(?<=\s)|(?<={_EDGE})|^)\?{{2,200}}(?={_EDGE}|$)", re.M)
_MARKED_LETTER = re.compile(r"[^\W\d_]\?(?=[^\W\d_\s])")
_SIGN = r"@#$%^&*~|\\<>{}\[\]=+_§¤¬¦()￥（）"
_SYMBOLS = re.compile(rf"(?:[{_SIGN}!?;:`…！？；：]\s?){{10,400}}")
#: Signs that adorn lists one at a time, and never a word of every line.
_ORNAMENT = re.compile(r"[¤※§★☆●○◎◇◆□■△▲▽▼→←↑↓〓№〒％＃＆＠]")
#: Signs of drawing, of mathematics and of nothing in particular.
_WILD = re.compile(
    r"[\u2190-\u21ff\u2200-\u22ff\u2300-\u23ff\u2500-\u25ff\u00a4\u00a6\u00a7\u00ac\u00b6#%^~|"
    r"{}§¤¬¦¶№‰′″〓※〒♂♀￠￡￥¿¡∂]"
)
_ALL_MARKS = re.compile(r"\s*(?:[?？]\s*){12,}")
_MATH = re.compile(r"\$\$[^$]{1,500}\$\$|\$[^$\n]{1,300}\$")
#: The sound of words, between slashes or brackets.
_SOUND = re.compile(r"[/\[][^/\[\]\n]{0,60}?[ɐ-ʯˈˌː][^/\[\]\n]{0,60}?[/\]]")
_TOKEN = re.compile(
    r"[A-Za-zÀ-ɏ]+(?:['’][a-z]+)?|[Ѐ-ӿ]+|[㐀-鿿ぁ-ヿ々ー]+|[^\W\d_A-Za-zÀ-ɏЀ-ӿ㐀-鿿ぁ-ヿ々]+"
)
_EMBEDDED_TEXT = (
    "a an the and or but because if when while is are was were be has have had not it he she "
    "they we you this that his their its "
    "your in on at to of for from with by as than so very also only better more most much "
    "people helps make makes good can will "
    "would should "
    "some when where who how why always never sometimes often really think know want need "
    "feel say says because together happy sad "
    "beautiful dream dreams brain night morning mother father friend friends water eat drink"
)
_EMBEDDED = frozenset(_EMBEDDED_TEXT.split())
_NO_VOWEL = re.compile(
    r"(?<![\w'’])(?:[b-df-hj-np-tv-xz]{4,30}|[бвгджзйклмнпрстфхцчшщ]{4,30})(?![\w'’])"
)
_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class Damage:
    """A place that cannot be read, and why; `least`: the share of such places that loses the
    reader; `keys`: questions about codes, slang and the like ask for such text."""

    start: int
    end: int
    what: str
    least: float
    keys: bool = False


def unreadable(text: str, language: str) -> list[Evidence]:
    """Places of `text` (meant to be in `language`, a two-letter code or "") that cannot be read;
    empty if it can be read as a whole."""
    return [span(text, one.start, one.end) for one in damages(text, language)[:_SHOWN]]


def damages(
    text: str, language: str, languages: frozenset[str] | None = frozenset(), question: str = ""
) -> list[Damage]:
    """As `unreadable`, with the reasons; only the kind of damage that makes the text unreadable is
    given.

    Words of `languages` (None: any) and of scripts in the `question` may stand within the
    sentences: they are what is spoken of.
    """
    written = frozenset(_script(token.group()) for token in _TOKEN.finditer(question[:4_000]))
    named = None if languages is None else written | frozenset(map(_own_script, languages))
    others = languages is None or bool(languages - {language})
    return list(_damages(text[:_MOST], language, named, others))


class _OfText(NamedTuple):
    """What the text and its language alone say, whatever else may stand in it: the `prose`, what is
    damaged, and where letters are `torn` or words in no order (`salad`)."""

    prose: str
    kinds: tuple[list[Damage], ...]
    torn: list[tuple[int, int]]
    salad: list[tuple[int, int]]


@lru_cache(maxsize=32)
def _of_text(text: str, language: str) -> _OfText:
    prose = _MATH.sub(_without_formula, without_code(text))
    prose = _SOUND.sub(lambda match: " " * len(match.group()), prose)
    spoken = language or language_of(prose)
    kinds = (
        _broken_encoding(prose),
        _lost_letters(prose),
        _undecoded(text, prose),
        _symbols(prose),
        _salad(prose),
        _no_words(prose, spoken),
        _keys(prose),
    )
    return _OfText(prose, kinds, scrambled(prose, spoken), salad(prose, spoken))


#: The rule is asked under several criteria, and others ask it about the same answer.
@lru_cache(maxsize=32)
def _damages(
    text: str, language: str, named: frozenset[str] | None, others: bool
) -> tuple[Damage, ...]:
    of_text = _of_text(text, language)
    prose, size = of_text.prose, len("".join(of_text.prose.split())) or 1
    kinds = (
        *of_text.kinds,
        _mixed(prose, language, named),
        _disordered(of_text, language or language_of(prose), others),
    )
    for found in kinds:
        if (
            found
            and sum(len("".join(prose[one.start : one.end].split())) for one in found)
            >= found[0].least * size
        ):
            return tuple(found)
    return ()


def _without_formula(match: re.Match[str]) -> str:
    """Spaces for a formula; signs of dollars around nothing that could be one stay."""
    return " " * len(match.group()) if any(map(str.isalnum, match.group())) else match.group()


def _broken_encoding(prose: str) -> list[Damage]:
    return [
        Damage(one.start, one.end, say("rules.damage.encoding"), _LOST) for one in garbled(prose)
    ]


def _lost_letters(prose: str) -> list[Damage]:
    found = [
        Damage(*match.span(), say("rules.damage.lost"), _LOST)
        for match in _REPLACEMENT.finditer(prose)
    ]
    marked = [match.span() for match in _MARKED_WORD.finditer(prose)]
    within = [match.span() for match in _MARKED_LETTER.finditer(prose)]
    for spans in (marked, within):
        # A single row of question marks is surprise, and one mark between letters is a missing
        # space.
        if len(spans) >= 3:
            found += [
                Damage(start, end, say("rules.damage.question_marks"), _LOST)
                for start, end in spans
            ]
    if _ALL_MARKS.fullmatch(prose):
        found.append(Damage(0, len(prose), say("rules.damage.question_marks"), _LOST))
    return sorted(found, key=lambda one: one.start)


def _undecoded(text: str, prose: str) -> list[Damage]:
    """Bytes, boxes and piled marks where letters should be. Escapes fill a line of their own, which
    code in a line never does."""
    found = [
        Damage(*place, say("rules.damage.encoding"), _LOST)
        for place in (*escapes(text), *two_bytes(prose))
    ]
    found += [Damage(*place, say("rules.damage.lost"), _LOST) for place in boxes(prose)]
    found += [Damage(*place, say("rules.damage.symbols"), _LOST) for place in piled(prose)]
    return sorted(found, key=lambda one: one.start)


def _no_words(prose: str, language: str) -> list[Damage]:
    least = {"en": 0.15, "ru": 0.15}.get(language, 0.02)
    places = broken_kana(prose) if language == "ja" else no_words(prose, language)
    return [Damage(*place, say("rules.damage.letters"), least) for place in places]


def _symbols(prose: str) -> list[Damage]:
    runs = [
        match.span()
        for match in _SYMBOLS.finditer(prose)
        if _is_noise(re.findall(f"[{_SIGN}]", match.group()))
    ]
    for line in re.finditer(r"[^\n]+", prose):
        signs = _ORNAMENT.findall(line.group())
        if len(signs) >= 8 and len(set(signs)) >= 6 and len(signs) >= 0.3 * len(line.group()):
            runs.append(line.span())
    wild = _WILD.findall(prose)
    if len(set(wild)) >= 12 and len(wild) >= 0.12 * len("".join(prose.split())):
        return [Damage(0, len(prose), say("rules.damage.symbols"), _MIXED)]
    known = {start for start, _ in runs}
    runs += [place for place in noise(prose) if place[0] not in known]
    return [Damage(*run, say("rules.damage.symbols"), _MIXED) for run in sorted(runs)]


def _is_noise(signs: list[str]) -> bool:
    return len(signs) >= 10 and len(set(signs)) >= 5


def _salad(prose: str) -> list[Damage]:
    found = list(_NO_VOWEL.finditer(prose))
    if len(found) < 6 or len(found) < 0.5 * len(_WORD.findall(prose)):
        return []
    return [Damage(*match.span(), say("rules.damage.letters"), _MIXED) for match in found]


def _keys(prose: str) -> list[Damage]:
    return [Damage(*place, say("rules.damage.keys"), _MIXED, keys=True) for place in struck(prose)]


def _disordered(of_text: _OfText, language: str, others: bool) -> list[Damage]:
    """Letters torn apart or mixed, words that nobody knows, known words in no order."""
    letters, order = say("rules.damage.letters"), say("rules.damage.order")
    prose, found = of_text.prose, [(place, letters) for place in of_text.torn]
    if not found:
        others = others or language_of(prose) not in (language, "")
        found = [(place, letters) for place in _strange(prose, language, others)]
    found = found or [(place, order) for place in of_text.salad]
    return [Damage(*place, what, 0.0, keys=True) for place, what in found]


def _strange(prose: str, language: str, others: bool) -> list[tuple[int, int]]:
    """Words that nobody knows. Beside another language, and in Latin letters within an answer in
    another script, most of them must be spelled like no word at all."""
    own = strange_words(prose, language, others) or strange_run(prose, language)
    strange = own or ([] if language in LATIN else strange_words(prose, "en", others=True))
    if language == "ru" and own:
        return own
    if (others and language_of(prose) not in _KNOWN) or not own:
        odd = sum(odd_spelling(prose[start:end]) for start, end in strange)
        return strange if odd >= 0.4 * len(strange) else []
    return own


#: Languages in Latin letters whose words are known.
_KNOWN = frozenset(("en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr"))


def _mixed(prose: str, language: str, named: frozenset[str] | None) -> list[Damage]:
    """Lines in which words of other scripts stand among the words of a sentence, again and
    again."""
    own = _own_script(language or language_of(prose))
    strange = frozenset() if named is None else frozenset({"Cyrillic", "East"}) - {own} - named
    found = []
    for line in re.finditer(r"[^\n]+", prose):
        tokens = [one for one in _TOKEN.finditer(line.group()[:3000]) if one.group()[0].isalpha()]
        borders = switches = embedded = alien = 0
        scripts = [_script(token.group()) for token in tokens]
        for place in range(1, len(tokens)):
            between = line.group()[tokens[place - 1].end() : tokens[place].start()]
            if between not in ("", " "):
                continue
            borders += 1
            pair = (scripts[place - 1], scripts[place])
            other = place - 1 if pair[0] != own else place
            word = tokens[other].group()
            least = 1 if own == "Latin" or scripts[other] == "East" else 2
            if (
                pair[0] == pair[1]
                or own not in pair
                or (own != "Latin" and word[:1].isupper())
                or len(word) < least
                # What the question speaks of stands within the sentences about it.
                or (named is None or scripts[other] in named - {own, "Latin"})
            ):
                continue
            switches += 1
            alien += scripts[other] in strange
            embedded += word.lower() in _EMBEDDED
        # English names and terms are usual in other languages; its little words are not.
        if (
            switches >= 6
            and switches >= 0.2 * borders
            and (own == "Latin" or embedded >= 3 or alien >= 6 or len(set(scripts)) >= 4)
        ):
            found.append(Damage(line.start(), line.end(), say("rules.damage.mixed"), _MIXED))
    return found


def _own_script(language: str) -> str:
    return {"ru": "Cyrillic", "uk": "Cyrillic", "bg": "Cyrillic", "zh": "East", "ja": "East"}.get(
        language, "Latin"
    )


def _script(token: str) -> str:
    char = token[0]
    if char < "ɐ":
        return "Latin"
    if "Ѐ" <= char <= "ӿ":
        return "Cyrillic"
    if "㐀" <= char <= "鿿" or "ぁ" <= char <= "ヿ":
        return "East"
    return f"block {ord(char) >> 7}"
