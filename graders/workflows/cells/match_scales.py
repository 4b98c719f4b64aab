"""Matching the criteria of imported verdicts to rubrics: the project's own by name, bundled ones
that fit, else a new one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graders.core.contracts import ImportedVerdict
from graders.core.errors import ScaleError
from graders.core.rubric import Criterion, Rubric, read_rubric, write_rubric
from graders.core.scale import YES_NO, Scale
from graders.core.text import fold
from graders.core.words import say

#: Different values remembered per criterion, enough to tell a range from labels.
MOST_VALUES = 60
#: Numbers make a range where there are so many of them, as a count and as a share of all values:
#: the rest are slips of the keyboard.
FEWEST_NUMBERS, SHARE_OF_NUMBERS = 5, 0.9


@dataclass
class Noticed:
    """What a file's verdicts show of one criterion: the scale they state, different values, and how
    many verdicts have a number."""

    stated: Any = None
    values: list[Any] = field(default_factory=list)
    count: int = 0
    numbers: int = 0

    @property
    def meant(self) -> list[Any]:
        """The values that the scale has to hold: the numbers alone where nearly all are numbers,
        the rest then are bad rows."""
        nearly_all = self.numbers >= max(FEWEST_NUMBERS, SHARE_OF_NUMBERS * self.count)
        return [value for value in self.values if _is_number(value)] if nearly_all else self.values


@dataclass
class Matched:
    """Rubrics to add to the project, what to tell the lead, and the keys of criteria by the names
    that the file uses."""

    rubrics: list[Rubric] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    keys: dict[str, str] = field(default_factory=dict)


def notice_scale(seen: dict[str, Noticed], verdict: ImportedVerdict) -> None:
    """Take note of a verdict's criterion, stated scale and value."""
    noticed = seen.setdefault(verdict.criterion, Noticed())
    stated = verdict.fields.get("scale")
    if noticed.stated is None and isinstance(stated, list | dict):
        noticed.stated = stated
    if verdict.value is None:
        return
    noticed.count += 1
    noticed.numbers += _is_number(verdict.value)
    if len(noticed.values) < MOST_VALUES and verdict.value not in noticed.values:
        noticed.values.append(verdict.value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def match_rubrics(
    seen: Mapping[str, Noticed], own: Sequence[Criterion], bundled: Sequence[Rubric], project: str
) -> Matched:
    """Rubrics for criteria that the project does not have: a bundled rubric whose names and scales
    fit, else a new one."""
    names = {c.name for c in own} | {c.key for c in own}
    missing = {name: noticed for name, noticed in seen.items() if name not in names}
    matched = Matched()
    for rubric in bundled:
        here = {c.name: c for c in rubric.criteria} | {c.key: c for c in rubric.criteria}
        fitting = [
            name for name in missing if name in here and _fits(missing[name], here[name], rubric)
        ]
        if fitting and len(fitting) == len(missing):
            matched.rubrics.append(rubric)
            matched.keys = {name: here[name].key for name in fitting}
            matched.notes.append(
                say("cells.note.matched", criteria=", ".join(fitting), rubric=rubric.name)
            )
            return matched
    if missing:
        rubric_name = _free(f"{project}-imported", {c.rubric for c in own})
        scales: dict[str, Scale] = {}
        for name, noticed in missing.items():
            bare = _free(name.rsplit("/", 1)[-1], set(scales))
            scales[bare] = _scale(name, noticed)
            matched.keys[name] = f"{rubric_name}/{bare}"
        text = write_rubric(rubric_name, scales, about=say("cells.imported_rubric"))
        matched.rubrics.append(read_rubric(text, where="imported rubric"))
        guessed = [
            c
            for c, noticed in zip(scales.items(), missing.values(), strict=True)
            if noticed.stated is None
        ]
        matched.notes += [
            say("cells.note.label_order", criterion=bare, labels=", ".join(scale.labels))
            for bare, scale in guessed
            if scale.kind == "ordered" and scale != YES_NO
        ]
        described = ", ".join(f"{n} ({s.describe()})" for n, s in scales.items())
        matched.notes.append(say("cells.note.new_rubric", criteria=described))
    return matched


def _free(name: str, taken: set[str]) -> str:
    """`name`, or with a number after it where it is taken."""
    numbered = (f"{name}-{number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(n for n in numbered if n not in taken)


def _fits(noticed: Noticed, criterion: Criterion, rubric: Rubric) -> bool:
    scale = criterion.scale
    if noticed.stated is not None:
        try:
            return Scale.from_spec(noticed.stated) == Scale(
                scale.kind, scale.labels, scale.low, scale.high
            )
        except ScaleError:
            return False
    try:
        for value in noticed.meant:
            rubric.value_of(criterion, value)
    except ScaleError:
        return False
    return True


def _scale(name: str, noticed: Noticed) -> Scale:
    """The stated scale, else what the values show: a range for numbers, labels in the order that
    everybody knows, else unordered ones."""
    if noticed.stated is not None:
        return Scale.from_spec(noticed.stated)
    numbers = [v for v in noticed.meant if _is_number(v)]
    if numbers and len(numbers) == len(noticed.meant):
        low, high = float(min(numbers)), float(max(numbers))
        whole = all(isinstance(v, int) for v in numbers)
        if not whole and low >= 0 and high <= 1:
            return Scale("numeric", low=0.0, high=1.0)
        return Scale(
            "integer" if whole else "numeric",
            low=min(low, 1.0) if whole else low,
            high=high if high > low else low + 1,
        )
    first: dict[str, str] = {}  # case and width make no other label, as the scale reads them
    for value in noticed.values:
        first.setdefault(fold(str(value), case=True), str(value))
    labels = tuple(first.values())
    if {label.casefold() for label in labels} <= {"yes", "no"}:
        return YES_NO
    ordered = in_order(labels)
    if ordered and len(ordered) > 1:
        return Scale("ordered", labels=ordered)
    return Scale("nominal", labels=labels if len(labels) > 1 else (*labels, "other"))


# -- labels whose order everybody knows: poor is less than good, in English, Russian, Chinese and
# Japanese

#: One order a line, worst first. Words between bars take the same place: which of two such words is
#: more, nobody can say. Severities (minor, major) are left out, because the worst of them is the
#: most, and letters, because A and B also name answers.
_TEXT = """
terrible|awful|very bad|very poor|unacceptable < bad|poor|weak|below average < fair|ok|okay|average|mediocre|acceptable|satisfactory\
|neutral|medium|moderate|so so < good|strong|above average < very good|great < excellent|outstanding|perfect
bad < poor < fair < good < excellent
unsatisfactory < needs improvement < satisfactory < good < very good < excellent|outstanding
below expectations < meets expectations < exceeds expectations
very low < low < medium|moderate|mid|average < high < very high
strongly disagree|completely disagree|totally disagree < disagree < somewhat disagree|slightly disagree|partly disagree < neutral\
|undecided|neither agree nor disagree < somewhat agree|slightly agree|partly agree|partially agree < agree\
 < strongly agree|completely agree\
|totally agree
very dissatisfied < dissatisfied < somewhat dissatisfied < neutral < somewhat satisfied < satisfied < very satisfied
very unlikely < unlikely < neutral|possible < likely < very likely
never < rarely|seldom < sometimes|occasionally < often|frequently|usually < always
not at all < slightly|a little < moderately|somewhat < very < extremely|completely
much worse < worse < slightly worse|somewhat worse < same|equal|about the same < slightly better|somewhat better < better < much better
incorrect|wrong < partially correct|partly correct < mostly correct < correct|right < fully correct|completely correct
irrelevant|not relevant < somewhat relevant|partially relevant|partly relevant|marginally relevant < relevant\
 < highly relevant|very relevant
incomplete < partially complete|partly complete < mostly complete < complete
unclear < somewhat clear|partly clear < clear < very clear
unhelpful|not helpful < somewhat helpful|partly helpful < helpful < very helpful
no < partly|partially|somewhat|maybe < yes
none < some|partial < most < all|full
false < true
fail|failed < borderline < pass|passed
negative < neutral|mixed < positive
ужасно|очень плохо < плохо|неудовлетворительно < удовлетворительно|средне|нормально|приемлемо < хорошо < очень хорошо < отлично|превосходно
очень плохой < плохой|неудовлетворительный < средний|удовлетворительный|приемлемый < хороший < очень хороший < отличный
очень низкий|очень низкая|очень низкое < низкий|низкая|низкое < средний|средняя|среднее < высокий|высокая|высокое\
 < очень высокий|очень высокая|очень высокое
низко < средне < высоко
полностью не согласен|совершенно не согласен|категорически не согласен|полностью не согласна|совершенно не согласна\
 < не согласен|не согласна\
 < скорее не согласен|скорее не согласна < нейтрально < скорее согласен|скорее согласна < согласен|согласна\
 < полностью согласен|полностью согласна|совершенно согласен|совершенно согласна
никогда < редко < иногда < часто < всегда
намного хуже|гораздо хуже < хуже < немного хуже < одинаково|так же < немного лучше < лучше < намного лучше|гораздо лучше
неверно|неправильно < частично верно|частично правильно < в основном верно|в основном правильно < верно|правильно < полностью верно
нет < частично|отчасти < да
отрицательно|негативно < нейтрально < положительно|позитивно
很差|非常差|极差 < 差|较差|不好 < 中|一般|中等|尚可|及格 < 良|好|良好|较好 < 很好|非常好 < 优|优秀|极好
不及格|不合格 < 及格|合格 < 中等|中 < 良好|良 < 优秀|优
很低|非常低|极低 < 低|较低 < 中|中等|一般 < 高|较高 < 很高|非常高|极高
非常不同意|强烈不同意|完全不同意 < 不同意 < 比较不同意|有点不同意 < 中立|一般|不确定 < 比较同意|有点同意 < 同意 < 非常同意|强烈同意|完全同意
非常不满意|很不满意 < 不满意 < 一般 < 满意 < 非常满意|很满意
从不 < 很少 < 有时 < 经常 < 总是
错误|不正确 < 部分正确 < 基本正确|大部分正确 < 正确 < 完全正确
不相关 < 部分相关 < 相关 < 高度相关|非常相关
否 < 部分 < 是
非常に悪い|とても悪い|最悪 < 悪い < やや悪い < 普通|ふつう|まあまあ|どちらでもない < やや良い|ややよい < 良い|よい\
 < とても良い|とてもよい|非常に良い|非常によい < 最高|素晴らしい
不可 < 可 < 良 < 優 < 秀
とても低い|非常に低い < 低い < 普通|中程度 < 高い < とても高い|非常に高い
全くそう思わない|まったくそう思わない < そう思わない < あまりそう思わない < どちらともいえない|どちらでもない < ややそう思う < そう思う\
 < とてもそう思う|強くそう思う|非常にそう思う
全く同意しない|まったく同意しない|強く同意しない < 同意しない < どちらともいえない|どちらでもない < やや同意する < 同意する < 強く同意する
不正解|間違い|誤り < 部分的に正しい|一部正解|部分正解 < 正解|正しい
いいえ < 一部|部分的 < はい
× < △ < ○|〇|◯ < ◎
"""


def _plain(label: str) -> str:
    """`label` as the orders write it: case, width, underscores, hyphens and Russian yo do not
    count."""
    folded = unicodedata.normalize("NFKC", label).casefold().replace("\u0451", "\u0435")
    return re.sub(r"[\s_-]+", " ", folded).strip()


#: Each order as the place of every word in it.
ORDERS: tuple[dict[str, int], ...] = tuple(
    {
        _plain(word): place
        for place, words in enumerate(line.split("<"))
        for word in words.split("|")
    }
    for line in _TEXT.strip().splitlines()
)


def in_order(labels: Sequence[str]) -> tuple[str, ...] | None:
    """`labels` worst first, as they are written; None unless every one is in one known order, each
    at a place of its own.

    Spellings that differ in case alone are one label, the first of them.
    """
    first = {label.casefold(): label for label in reversed(labels)}
    for order in ORDERS:
        places = {order.get(_plain(label), -1): label for label in first.values()}
        if len(places) == len(first) and -1 not in places:
            return tuple(places[place] for place in sorted(places))
    return None
