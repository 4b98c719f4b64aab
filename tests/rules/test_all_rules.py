"""What every rule of the folder must do: document itself, refuse pairs, take a megabyte of
anything."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from graders.core.contracts import Rule
from graders.core.discovery import find, module_names
from graders.core.examples import FaultExample
from graders.core.records import Subject
from tests.rules.cases_table import CRITERION, subject
from tests.support.pace import too_slow

RULES = module_names("rules")
FAULTS = {
    "answer_language": "wrong_language",
    "length": "too_long",
    "requested_count": "wrong_count",
    "time_to_first_token": "slow_first_token",
    "truncated": "cut_off",
    "arithmetic_error": "arithmetic_error",
    "asked_language_missing": "asked_language_missing",
    "dangling_references": "dangling_reference",
    "dialogue_out_of_step": "dialogue_out_of_step",
    "hidden_text": "hidden_text",
    "foreign_passage": "foreign_passage",
    "missing_translation": "missing_translation",
    "not_the_form": "not_the_form",
    "refusal_talk": "refusal_talk",
    "repetition_loop": "repetition_loop",
    "romanised": "romanised",
    "stray_symbols": "stray_symbols",
    "unreadable": "unreadable",
    "verse_form": "broken_verse_form",
}
N = 1_000_000
UNITS = [
    *(
        "a",
        " ",
        "a ",
        "a.",
        "a. ",
        '"',
        "“",
        "(",
        "\n",
        "\n\nab",
        "*",
        "* ",
        "`",
        "```\n",
        "# a\n",
        "- ",
        "1",
        "1. a\n",
        "1) a ",
        "a, ",
        ":",
    ),
    *(
        "中",
        "中。",
        "слово ",
        "The cat is here.\n",
        "Dnes je velmi pěkné počasí venku.\n",
        "Слово the word\n",
        "|",
        "| a | b |\n",
        "**a**\n",
    ),
    *(
        "👩‍👩‍👧",
        "e\u0301",
        "\0",
        "\ud800",
        "http://a",
        "a@",
        "a-",
        "---\n",
        "一、a\n",
        "aaaa bbbb ",
        "ａ１ ",
        "...",
        "a!?",
        " \n",
        "Pari ",
        "\u200b",
    ),
]


def test_the_faults_have_stable_names() -> None:
    assert {
        name: find("rules", name).fault for name in RULES if find("rules", name).fault
    } == FAULTS
    assert all(find("rules", name).fault_title for name in FAULTS)
    assert {find("rules", name).severity for name in FAULTS} <= {"minor", "major", "critical"}
    assert all(find("rules", name).speaks_to for name in FAULTS)


@pytest.mark.parametrize("name", RULES)
def test_a_rule_says_what_it_decides_and_what_it_misses(name: str) -> None:
    rule = find("rules", name)
    text = " ".join((rule.__doc__ or "").split())
    assert "Decides" in text
    # What is said of a fault is data, which commands and pages show.
    said = f"Why it hurts: {rule.why} Known misses: {rule.misses}" if rule.fault else text
    assert re.search(r"Why it (hurts|matters): \S", said) and re.search(r"Known misses: \S", said)


@pytest.mark.parametrize("name", FAULTS)
def test_the_examples_of_a_fault_hold(name: str) -> None:
    """What is told of a rule is what it does: it finds the fault in its examples, and is wrong
    where it says that it is."""
    rule = find("rules", name)
    kinds = {
        kind: [found(rule, example) for example in getattr(rule, kind)]
        for kind in ("present", "absent", "missed")
    }
    assert all(kinds["present"]) and not any(kinds["absent"]), kinds
    assert kinds["missed"], "a rule without known misses has not been looked at"
    for example, told in zip(rule.missed, kinds["missed"], strict=True):
        assert example.why.startswith("Taken for the fault: " if told else "Overlooked: "), example


@pytest.mark.parametrize("name", FAULTS)
def test_a_question_can_have_a_fault_unless_the_rule_looks_for_what_was_asked(name: str) -> None:
    rule = find("rules", name)
    assert all(rule.can_have(subject(example.question).question) for example in rule.present)
    looks_for_what_was_asked = name in (
        "asked_language_missing",
        "dialogue_out_of_step",
        "missing_translation",
        "not_the_form",
        "requested_count",
        "verse_form",
    )
    why = subject("Why do leaves change colour in autumn?").question
    assert rule.can_have(why) is not looks_for_what_was_asked


def found(rule: type[Rule], example: FaultExample) -> bool:
    mark = rule().grade(
        subject(example.question, example.answer, time_to_first_token=example.seconds), CRITERION
    )
    return mark.value == "No" or mark.reason == rule.fault


@pytest.mark.parametrize("name", RULES)
def test_pairs_are_left_to_others(name: str) -> None:
    one = subject(
        time_to_first_token=1.0, finish_reason="length", q={"references": ("x",), "facts": ("x",)}
    )
    pair = Subject(one.question, one.answer, replace(one.answer, model="n"))
    assert find("rules", name)().grade(pair, CRITERION).reason == "pair"


@pytest.mark.parametrize("name", RULES)
def test_a_megabyte_of_anything_is_graded_in_a_second(name: str) -> None:
    rule = find("rules", name)()
    given = {
        "references": ("Paris",),
        "facts": ("Paris is big", "Москва", "二百万"),
        "must_have": ("x y z",),
    }
    rule.grade(subject("Give me five ideas please", UNITS[-1]), CRITERION)

    def answered(unit: str) -> Callable[[int], Subject]:
        return lambda size: subject(
            "Give me five ideas please",
            (unit * (size // len(unit) + 1))[:size] + "x",
            q=given,
            time_to_first_token=1.0,
        )

    slow = {
        unit: too_slow(answered(unit), lambda one: rule.grade(one, CRITERION), N) for unit in UNITS
    }
    assert {unit: seconds for unit, seconds in slow.items() if seconds} == {}


def test_what_grows_with_the_square_is_told() -> None:
    def pairs(size: int) -> int:
        return sum(1 for _ in range(size) for _ in range(size))

    assert too_slow(lambda size: size, pairs, 1_000, seconds=0.005) > 0.005  # a million steps
    assert too_slow(lambda size: size, pairs, 10, seconds=0.005) == 0


@pytest.mark.parametrize(
    "unit",
    [
        "1 ",
        "give me ",
        "give 3 ",
        "列出三个",
        "3つ",
        "дай 3 ",
        "in English ",
        "a ",
        " ",
        "：",
        "from the ",
    ],
)
def test_a_long_question_is_read_in_a_second(unit: str) -> None:
    def asked(size: int) -> Subject:
        return subject((unit * (size // len(unit) + 1))[:size] + "?", "Yes, it is.")

    for name in ("requested_count", "answer_language"):
        rule = find("rules", name)()
        assert too_slow(asked, partial(rule.grade, criterion=CRITERION), 100_000) == 0, name


DEMO = Path(__file__).parents[2] / "data" / "demo"


def test_in_the_demo_rules_find_the_seeded_faults_and_no_others() -> None:
    seeded = {
        (row["question_id"], row["model"], row["fault"])
        for row in csv.DictReader((DEMO / "faults.csv").open(encoding="utf-8"))
    }
    questions = {
        row["id"]: row for row in map(json.loads, (DEMO / "questions.jsonl").open(encoding="utf-8"))
    }
    found = set()
    for answer in map(json.loads, (DEMO / "answers.jsonl").open(encoding="utf-8")):
        question = questions[answer["question_id"]]
        one = subject(
            question["text"],
            answer["text"],
            q={"detail": question.get("detail", ""), "language": question.get("language", "")},
            time_to_first_token=answer.get("time_to_first_token"),
            finish_reason=answer.get("finish_reason") or "",
        )
        for name, fault in FAULTS.items():
            mark = find("rules", name)().grade(one, CRITERION)
            if mark.value == "No" or mark.reason == fault:
                found.add((answer["question_id"], answer["model"], fault))
    assert found == {fault for fault in seeded if fault[2] in FAULTS.values()}
