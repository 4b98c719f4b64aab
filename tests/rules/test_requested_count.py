"""Numbers asked for and items counted: requests, ways of counting."""

from __future__ import annotations

import pytest

from graders.rules.counts.asked_count import asked_count
from graders.rules.counts.counted import counted_items
from graders.rules.requested_count import RequestedCount
from tests.rules.cases_table import CRITERION, subject


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Give me 5 ideas.", "5"),
        ("Could you list twelve reasons?", "12"),
        ("Top 10 books about the sea", "10"),
        ("Suggest between 3 and 5 names.", "3 to 5"),
        ("Name up to four rivers.", "at most 4"),
        ("Напишите, пожалуйста, не менее семи советов.", "at least 7"),
        ("Назови топ-10 фильмов.", "10"),
        ("请列出十二个成语。", "12"),
        ("推荐３本书。", "3"),
        ("理由を五つ以上挙げてください。", "at least 5"),
        ("Tom had 5 apples. Give him advice.", None),
        ("Write a poem of 12 lines.", None),
        ("Give me 2.5 examples", None),
        ("Five little ducks went out one day. Continue.", None),
        ("Name three fruits and four vegetables.", None),
        ("Give three examples of each kind.", None),
        ("Сколько будет, если дать 3 яблока?", None),
        ("Расскажи сказку про трёх поросят.", None),
        ("小明有三个苹果。", None),
        ("卵を3個使って料理を作ってください。", None),
        ("", None),
    ],
)
def test_what_a_question_asks_for(question: str, asked: str | None) -> None:
    found = asked_count(question)
    assert (found and found.describe()) == asked


@pytest.mark.parametrize(
    ("answer", "count", "how"),
    [
        ("1. a\n2. b\n3. c", 3, "numbered items"),
        ("1. a\n   1. x\n   2. y\n2. b", 2, "numbered items"),
        ("1️⃣ a\n2️⃣ b", 2, "numbered items"),
        ("First, rest.\n\nSecond, eat.\n\nThird, run.", 3, "numbered items"),
        ("Во-первых, сон.\n\nВо-вторых, еда.", 2, "numbered items"),
        ("第一，早睡。\n第二，早起。", 2, "numbered items"),
        ("一つ目は愛です。\n二つ目は夢です。", 2, "numbered items"),
        ("- a\n  - x\n- b\n- c", 3, "list items"),
        ("# T\n## A\nx\n## B\ny\n## Conclusion\nz", 2, "headings"),
        ("| A | B |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", 2, "rows of the table"),
        ("**Rest:** sleep.\n\n**Food:** eat.\n\n**Sport:** run.", 3, "paragraphs with a bold lead"),
        ("Try 1) tea 2) milk 3) water", 3, "numbers in the text"),
        ("Red, green and blue.", 3, "items of the sentence"),
    ],
)
def test_ways_of_counting(answer: str, count: int, how: str) -> None:
    found = counted_items(answer)
    assert (found.counts[0], found.words) == (count, how)


def test_code_holds_no_items() -> None:
    assert counted_items("```\n1. a\n2. b\n3. c\n```").counts == ()


def test_the_rationale_has_both_numbers_and_the_evidence_the_items() -> None:
    answer = "Sure:\n1. Tea\n2. Milk"
    mark = RequestedCount().grade(subject("Name three drinks.", answer), CRITERION)
    assert (mark.value, mark.rationale) == ("No", "3 asked for, 2 counted (numbered items).")
    assert [answer[e.start : e.end] for e in mark.evidence] == ["1. Tea", "2. Milk"]


def test_the_right_number_decides_nothing_yet() -> None:
    mark = RequestedCount().grade(subject("Name two drinks.", "1. Tea\n2. Milk"), CRITERION)
    assert (mark.value, mark.reason, mark.rationale) == (
        None,
        "not_decisive",
        "2 asked for, 2 counted (numbered items).",
    )


@pytest.mark.parametrize(
    ("question", "answer"),
    [("Why?", "1. a\n2. b"), ("Name three drinks.", "Tea is what most people like best.")],
)
def test_what_cannot_be_counted_is_not_guessed(question: str, answer: str) -> None:
    assert RequestedCount().grade(subject(question, answer), CRITERION).reason == "not_countable"


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Give me a riddle.", True),
        ("Hi, could you tell me a really good joke about cats?", True),
        ("Загадай загадку про зиму.", True),
        ("Расскажите, пожалуйста, анекдот", True),
        ("给我讲个笑话吧。", True),
        ("Tell me how to write a riddle.", False),
        ("Give me a riddle or a joke.", False),
        ("Tell me a joke, then give me a riddle.", False),
        ("Give me a riddle each day of the week.", False),
        ("Suggest a name for my cat.", False),
        ("Объясни, как придумать загадку.", False),
        ("Придумай загадку с тремя подсказками", False),
        ("讲个笑话的结构。", False),
        ("出几个谜语。", False),
    ],
)
def test_an_article_is_one_where_nothing_else_is_asked_for(question: str, asked: bool) -> None:
    several = "1. Wet hens and dry wit\n2. Old owls and new news\n3. Cold cats and hot hats"
    assert (RequestedCount().grade(subject(question, several), CRITERION).value == "No") is asked


def test_numbered_lines_of_one_riddle_are_one_riddle() -> None:
    lines = "1. I have keys but no locks.\n2. I have a pedal but no wheel.\n\nWhat am I?"
    assert (
        RequestedCount().grade(subject("Give me a riddle.", lines), CRITERION).reason
        == "not_countable"
    )
