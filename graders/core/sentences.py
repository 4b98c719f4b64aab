"""Where a sentence ends: not after an abbreviation, an initial or a quotation that its sentence
goes on after."""

from __future__ import annotations

import re

__all__ = ["sentences"]

# The first group are marks that end a sentence by themselves, the second those that need white
# space after them. Runs are possessive and begin where no mark stands before: a megabyte of dots
# must not take quadratic time.
_END = re.compile(
    r"(?P<wide>[。！？｡]++[」』”’）)\"']{0,4})|"
    r"(?<![.!?…])(?P<marks>[.!?…]++)(?P<closers>[)\]\"'”’»]{0,4}+)(?=\s|$)"
)
#: Characters before and after a mark that decide whether it ends a sentence.
_SIGHT = 48

# Chinese and Japanese: what follows a closing quotation mark when the sentence goes on.
_QUOTED = "」』”’\"'"
_GOES_ON = re.compile(
    r"\s?(?:"
    r"[、，；：。！？]"
    # Particles; adverbs and conjunctions that begin like one begin a sentence.
    r"|と(?!ても|ころ|り(?:わけ|あえず)|にかく|はいえ|き(?:どき|に|おり)|なり|くに|も(?:あれ|"
    r"かく)|うとう|っくに)"
    r"|って|などと?|なんて|を|の(?!ち|ん|ど|り)|[はがもにで](?=[一-鿿ァ-ヺ])"
    r"|[的地]|这(?:句|话)|這(?:句|話)|然[后後]|便|就|随[后後]|隨後|接着|接著|并|並|又"
    # Who said it: “八点开门。”老师说。 But “八点开门。”她说九点关门。 begins anew.
    r"|(?:(?![没沒无無不])[㐀-鿿]){0,12}?(?:[说說问問答喊叫写寫]|[说說问問答喊叫写寫笑]道|"
    r"回答|表示|指出|[补補]充)(?:[，。,：:；！？]|[着著完了]|$)"
    r")"
)


def _listed(names: str) -> frozenset[str]:
    return frozenset(names.split())


#: Continue whatever follows.
_ALWAYS = _listed(
    "mr mrs ms mx messrs dr prof rev vs viz cf e.g i.e approx ca им ул просп пл проф акад "
    "напр т.е т.к т.н т.о"
)
#: Continue before a number, a letter that counts (Fig. B) or a Roman numeral.
_COUNTED = _listed("fig figs vol vols ch eq рис табл гл стр ст разд прил")
#: Continue before a capital too, unless the next word is one that begins sentences.
_NAMES = _listed("v al inc ltd co corp jr sr bros u.s u.k u.n ph.d обл р-н оз")
#: End before a capital; before a number or in lower case they go on, as all abbreviations do.
_ORDINARY = _listed(
    "no nos pp sec app art pt jan feb febr mar apr jun jul aug sep sept oct nov dec sat sun "
    "mon tue tues wed thu thur thurs fri "
    "etc est ed eds a.m p.m b.c a.d min hr hrs гг вв янв февр фев мар апр июн июл авг сент "
    "сен окт нояб ноя дек руб коп тыс млн "
    "млрд тел др пр т.д т.п н.э кв экз мин сек"
)
#: English words that are spelled as an abbreviation is: only the capital one is meant.
_CAPITAL = _listed("mar sat sun")
_KNOWN = _ALWAYS | _COUNTED | _NAMES | _ORDINARY

_LAST = re.compile(
    r"(?:^|"
    r"[\s(\[\"'“‘«—–/])((?:[^\W\d_]{1,6}(?:-[^\W\d_])?\.\s?){0,3}?[^\W\d_]{1,7}(?:-[^\W\d_])?)\.$"
)
_NUMBER_BEFORE = re.compile(r"(?:\d|\b[IVXLC]{1,6})\s?$")
_BEGINS = re.compile(
    r"(?:The|This|That|These|Those|It|Its|He|She|They|We|You|I|A|An|In|On|At|But|And|So|If|"
    r"When|Then|There|His|Her|Their|Our|My|"
    r"For|From|As|After|Before|While|However|No|Not|What|Who|Why|How|Where|"
    r"Он|Она|Оно|Они|Мы|Вы|Ты|Я|Это|Этот|Эта|Эти|Тот|Там|Тут|Здесь|В|Во|На|Но|И|А|С|Со|К|По|"
    r"За|Из|У|О|Об|Его|Её|Ее|Их|Если|Когда|"
    r"Потом|Затем|Так|Также|Поэтому|Для|До|После|При|Не|Что|Как)(?![\w.'’])"
)
_DAY = re.compile(r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b|[A-Z]{2,4}T\b")
_COUNTS = re.compile(r"(?:[A-Z]|[IVXLC]{1,6})(?![\w.'’])")
_NUMBERED = re.compile(r"\(?\d{1,3}\.")


def sentences(text: str, language: str = "") -> list[str]:
    """The sentences of `text`, stripped; a line never holds part of two. Thai and Lao split at
    spaces.

    In doubt after an abbreviation two sentences stay together: half a sentence would misquote the
    author.
    """
    out: list[str] = []
    for line in text.splitlines():
        if language in ("th", "lo"):
            out += line.split()
            continue
        start = 0
        for match in _END.finditer(line):
            if _ends(line, start, match):
                out.append(line[start : match.end()].strip())
                start = match.end()
        out.append(line[start:].strip())
    return [sentence for sentence in out if sentence]


def _ends(line: str, start: int, match: re.Match[str]) -> bool:
    """Whether the sentence that begins at `start` ends with the marks of `match`."""
    after = line[match.end() : match.end() + _SIGHT]
    if match["wide"]:
        return not (match["wide"][-1] in _QUOTED and _GOES_ON.match(after))
    following = after.lstrip()
    if not following:
        return True
    dash = re.match(r"[—–-]\s", following)
    if dash and set(match["closers"]) & set("\"'”’»"):
        return False  # «Открыто.» — сказал он
    word = following[2:].lstrip() if dash else following
    if word[:1].islower():
        return False
    return (
        match["marks"] != "."
        or bool(match["closers"])
        or not _goes_on(line, start, match.end(), word)
    )


def _goes_on(line: str, start: int, end: int, following: str) -> bool:
    """Whether the full stop before `end` belongs to an abbreviation, an initial or a number of a
    list."""
    begun = line[max(start, end - _SIGHT) : end].lstrip()
    if end - start < _SIGHT and _NUMBERED.fullmatch(begun):
        return True
    found = _LAST.search(begun)
    if found is None:
        return False
    spelled, before = _abbreviation(found[1]), begun[: found.start(1)].rstrip()
    if not spelled:
        return False
    if following[0].isdigit() or following[0] == "№":
        return True
    name = spelled.lower()
    if name in _COUNTED:
        return bool(_COUNTS.match(following))
    if name in ("a.m", "p.m"):
        return bool(_DAY.match(following))
    if name == "st":  # Saint, or the street of 5 Main St.
        return not re.search(r"\s[A-Z]\w+$|\d\w*$", before) or not _BEGINS.match(following)
    if name in ("см", "пр"):  # see, or centimetres; avenue, or "and others"
        return not _NUMBER_BEFORE.search(before) and not (name == "пр" and before.endswith("и"))
    if name in _ALWAYS:
        return True
    if name in _NAMES:
        return not _BEGINS.match(following)
    return len(name) == 1 and _letter_goes_on(spelled, before, following)


def _abbreviation(last: str) -> str:
    """The abbreviation at the end of `last`, without spaces and the last full stop; empty where
    there is none."""
    parts = re.split(r"\.\s?", last)
    for first in range(len(parts)):  # the longest: "т. д" before "д"
        whole = ".".join(parts[first:])
        name = whole.lower()
        if name in _KNOWN or name in ("st", "см") or (len(parts) - first == 1 and len(whole) == 1):
            return "" if name in _CAPITAL and whole.islower() else whole
    return ""


def _letter_goes_on(letter: str, before: str, following: str) -> bool:
    """Whether a letter with a full stop goes on before a capital: J. S. Bach and г. Москва, not
    vitamin C. It or 2020 г. Дом."""
    if letter.islower():
        return (
            "а" <= letter <= "я"
            and not _NUMBER_BEFORE.search(before)
            and not _BEGINS.match(following)
        )
    return not _BEGINS.match(following)
