"""Faults found in forms, sums and references: evidence, time, what a rule says of itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from graders.core.discovery import find
from graders.core.records import Subject
from tests.rules.cases_table import CRITERION, subject
from tests.support.pace import too_slow

SPEAKS_TO = {
    "arithmetic_error": ("arithmetic_error", "mistakes", "critical"),
    "repetition_loop": ("repetition_loop", "mistakes", "major"),
    "dangling_references": ("dangling_reference", "mistakes", "minor"),
    "refusal_talk": ("refusal_talk", "relevance", "critical"),
    "not_the_form": ("not_the_form", "relevance", "critical"),
    "verse_form": ("broken_verse_form", "form", "major"),
}


@pytest.mark.parametrize("name", SPEAKS_TO)
def test_the_evidence_is_in_the_answer(name: str) -> None:
    table = YAML(typ="safe").load(
        (Path(__file__).parent / "cases" / f"{name}.yaml").read_text("utf-8")
    )
    marks = [
        (case[1], find("rules", name)().grade(subject(*case), CRITERION))
        for groups in table.values()
        for case in groups["fault"]
    ]
    found = [
        (answer, one) for answer, mark in marks if mark.status == "ok" for one in mark.evidence
    ]
    assert found
    for answer, one in found:
        assert one.absent or answer[one.start : one.end] == one.quote


@pytest.mark.parametrize("name", SPEAKS_TO)
def test_a_fault_has_a_name_a_severity_and_a_criterion_that_it_speaks_to(name: str) -> None:
    rule = find("rules", name)
    assert (rule.fault, rule.speaks_to, rule.severity) == SPEAKS_TO[name]
    assert rule.fault_title and rule.version and rule.about


N = 1_000_000
UNITS = [
    *(
        "1 + 1 = 2 ",
        "1+",
        "(",
        "((1",
        "1 ",
        "1,234,567",
        "9^9^",
        "√",
        "\\frac{",
        "{",
        "1 = ",
        "> 1 ",
        "12 km / ",
        "% of ",
        "= 2 = ",
        "- 1\n",
        "1.",
        "2",
    ),
    *(
        "a",
        "ab ",
        "ab. ",
        "a\n",
        "a\n\n",
        "中",
        "中中文",
        "その",
        "слово ",
        "слово. ",
        "слово,\n",
        "- a\n",
        "|",
        "**",
        "```\n",
        '"',
        "「",
        "> a\n",
    ),
    *(
        "[1]",
        "[1] ",
        "[^1]",
        "a¹ ",
        "[1, 2]",
        "см. рис. 2 ",
        "as shown in the table above ",
        "见图2",
        "図2参照",
        "[",
        "](",
    ),
    *(
        "I'm sorry, but I can't ",
        "As an AI ",
        "я не могу ",
        "作为一个AI",
        "AIなので",
        "I am ",
        "sorry ",
        "{",
        '{"a":',
        "Dear ",
        "A: b\n",
        "— да\n",
    ),
    *(
        "rain, rain / ",
        "花が咲く\n",
        "春眠不觉晓，",
        "\u0301",
        "\ud800",
        "\0",
        " ",
        "\n",
        "--",
        "é",
        "１",
        "²",
    ),
]
QUESTION = "Write a poem of eight lines with the rhyme scheme ABAB, a table, a dialogue, an e-mail and 2 + 2 = 4 as JSON. Напиши стихотворение"


@pytest.mark.parametrize("name", SPEAKS_TO)
@pytest.mark.parametrize("question", ["Why?", "写一首五言绝句", QUESTION])
def test_long_answers_of_anything_are_graded_at_once(name: str, question: str) -> None:
    """A tenth of a megabyte of each; tests/rules/test_all_rules.py takes a whole one of fewer."""
    rule = find("rules", name)()

    def answered(unit: str) -> Callable[[int], Subject]:
        return lambda size: subject(question, (unit * (size // len(unit) + 1))[:size])

    # Some rules read only the beginning of a very long answer, so texts within their limits are
    # measured too; what a question asks for changes how those are read.
    size = N // 10 if question == "Why?" else 29_000
    slow = {
        unit: too_slow(answered(unit), lambda one: rule.grade(one, CRITERION), size)
        for unit in UNITS
    }
    assert {unit: seconds for unit, seconds in slow.items() if seconds} == {}


@pytest.mark.parametrize("name", SPEAKS_TO)
@pytest.mark.parametrize(
    "unit", ["poem ", "1 + 1 = 2 ", "write a ", "строк ", "一首", "の", "\n", "a "]
)
def test_a_long_question_is_read_in_a_second(name: str, unit: str) -> None:
    rule = find("rules", name)()

    def asked(size: int) -> Subject:
        return subject((unit * (size // len(unit) + 1))[:size] + "?", "Yes, it is 1 + 1 = 2.\nNo.")

    assert too_slow(asked, lambda one: rule.grade(one, CRITERION), 200_000) == 0
