"""How well rules find the faults that they name: precision and recall per fault, and per language,
over all cases of tests/rules/cases. Rules were improved on these, so the product does not quote them.

precision = faults found that are faults / faults found; recall = faults found that are faults /
faults there are.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from graders.core.discovery import find
from graders.core.records import Answer, Question, Subject
from graders.core.rubric import Criterion
from graders.core.scale import YES_NO

CASES = Path(__file__).parents[1] / "rules" / "cases"
CRITERION = Criterion(rubric="cases", name="fault", scale=YES_NO)
LANGUAGES = ("en", "ru", "zh", "ja")
#: Of each kind in each language; then precision and recall over all of them.
LEAST_CASES, LEAST_PRECISION, LEAST_RECALL = 15, 0.95, 0.9


@dataclass
class Found:
    """Counts of one language of one rule; `wrong` are the cases that the rule got wrong,
    `ruled_out` those that it finds under a question that it says cannot have it, in words."""

    hits: int = 0
    faults: int = 0
    alarms: int = 0
    clean: int = 0
    wrong: list[str] = field(default_factory=list)
    ruled_out: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float | None:
        return self.hits / (self.hits + self.alarms) if self.hits + self.alarms else None

    @property
    def recall(self) -> float | None:
        return self.hits / self.faults if self.faults else None


def names() -> list[str]:
    """The rules that have a file of cases."""
    return sorted(path.stem for path in CASES.glob("*.yaml"))


def found(name: str) -> dict[str, Found]:
    """What a rule finds in its cases: a row per language, and ``all``. The file's first line says
    what a case holds."""
    text = (CASES / f"{name}.yaml").read_text("utf-8")
    fields = re.findall(r"\[([^\]]*)\]", text.partition("\n")[0])[-1].split(", ")
    rule = find("rules", name)()
    rows = {"all": Found()}
    for language, groups in YAML(typ="safe").load(text).items():
        row = rows[language] = Found(faults=len(groups["fault"]), clean=len(groups["clean"]))
        for kind in ("fault", "clean"):
            for case in groups[kind]:
                asked = _subject(dict(zip(fields, case, strict=False)))
                mark = rule.grade(asked, CRITERION)
                told = mark.value == YES_NO.labels[0]
                if told and not rule.can_have(asked.question):
                    row.ruled_out.append(f"found, though the question cannot have it: {case}")
                row.hits += told and kind == "fault"
                row.alarms += told and kind == "clean"
                if told is not (kind == "fault"):
                    row.wrong.append(
                        f"{'false alarm' if told else 'missed'}, {language}: {case} -> {mark.reason or mark.rationale}"
                    )
        for count in ("hits", "faults", "alarms", "clean"):
            setattr(rows["all"], count, getattr(rows["all"], count) + getattr(row, count))
        rows["all"].wrong += row.wrong
        rows["all"].ruled_out += row.ruled_out
    return rows


def shortcomings(name: str) -> list[str]:
    """What keeps a rule from its bars: a language without cases, too few of them, precision,
    recall; and what it finds under questions that it says cannot have it. Empty if nothing does."""
    rows = found(name)
    whole = rows["all"]
    said = [f"no cases in {language}" for language in LANGUAGES if language not in rows]
    said += [
        f"{language}: {row.faults} cases with the fault and {row.clean} without, {LEAST_CASES} of each are wanted"
        for language, row in rows.items()
        if min(row.faults, row.clean) < LEAST_CASES
    ]
    if (whole.precision or 0) < LEAST_PRECISION or (whole.recall or 0) < LEAST_RECALL:
        said.append(f"precision {whole.precision}, recall {whole.recall}")
    said += [
        f"{language}: recall {row.recall}"
        for language, row in rows.items()
        if (row.recall or 0) < 0.8
    ]
    return [*said, *whole.wrong] if said else whole.ruled_out


def _subject(given: dict[str, Any]) -> Subject:
    """A question and its answer; long answers are written as a paragraph and the number of its
    copies."""
    text = (
        "\n\n".join([given["paragraph"]] * given["copies"])
        if "paragraph" in given
        else given["answer"]
    )
    reason, seconds = given.get("finish_reason", ""), given.get("time_to_first_token")
    return Subject(
        Question(id="q", text=given.get("question", "Why?"), detail=given.get("detail", "")),
        Answer(
            question_id="q", model="m", text=text, finish_reason=reason, time_to_first_token=seconds
        ),
    )


def _line(fault: str, row: str, counts: Found) -> str:
    shown = "  ".join(
        "    -" if share is None else f"{share:5.3f}" for share in (counts.precision, counts.recall)
    )
    return f"{fault:<24}{row:<5}{shown}  {counts.hits:>3} of {counts.faults:>3} found, {counts.alarms} false alarms in {counts.clean}"


def main() -> list[dict[str, Any]]:
    """Prints the table of faults and languages; two rows of figures per fault."""
    rows = []
    # `make bench` folds what a bench prints into one line; a table needs its lines.
    print(f"\n{'fault':<24}{'':<5}precision, recall", file=sys.stderr)
    for name in names():
        counted, fault = found(name), str(find("rules", name).fault)
        for language, counts in counted.items():
            print(_line(fault, language, counts), file=sys.stderr)
        whole = counted["all"]
        rows += [
            figure(f"faults found, {fault}: precision", whole.precision, LEAST_PRECISION),
            figure(f"faults found, {fault}: recall", whole.recall, LEAST_RECALL),
        ]
    return rows


def figure(name: str, share: float | None, bar: float) -> dict[str, Any]:
    """One line of the report; a share that does not exist misses its bar."""
    reached = share or 0.0
    return {
        "name": name,
        "figure": round(reached, 3),
        "bar": bar,
        "ratio": round(reached / bar, 3),
        "met": reached >= bar,
    }


if __name__ == "__main__":
    main()
