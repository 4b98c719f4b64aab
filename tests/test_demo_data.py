"""The demo project: what it promises about languages, lengths, faults and verdicts holds in its
files."""

import csv
import json
import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from graders.core.discovery import make
from graders.core.hashing import seeded as drawn
from graders.core.records import Answer, Question, Subject
from graders.core.rubric import Criterion, load_rubric
from graders.core.scale import YES_NO
from graders.workflows.diagnostics.seeded_faults import known_faults
from tests.support.demo.judges import BEFORE
from tests.support.demo.written import FIRST

ROOT = Path(__file__).parents[1]
DEMO = ROOT / "data" / "demo"
RUBRIC = load_rubric(ROOT / "rubrics" / "answer-quality.yaml")
MODELS = ["Cedar", "Alder", "Rowan", "Birch", "Elm"]
JUDGED = (
    "answer-quality/relevance",
    "answer-quality/completeness",
    "answer-quality/elements",
    "answer-quality/clarity",
)
PARTS = ("language", "mistakes", "structure")
#: fault -> criterion and rule that find it; the rule of a fault that decides no criterion is looked
#: for by itself
BY_RULE = {
    "too_long": ("brevity", "length"),
    "slow_first_token": ("speed", "time_to_first_token"),
    "wrong_language": ("clarity", "answer_language"),
    "wrong_count": ("relevance", "requested_count"),
    "cut_off": ("", "truncated"),
}
Pair = tuple[str, str]


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DEMO / name).read_text("utf-8").splitlines()]


PROJECT = json.loads((DEMO / "project.json").read_text("utf-8"))
QUESTIONS = {row["id"]: row for row in rows("questions.jsonl")}
ANSWERS: dict[Pair, dict[str, Any]] = {
    (row["question_id"], row["model"]): row for row in rows("answers.jsonl")
}
JUDGE = rows("judge.jsonl")
HUMAN = rows("human.jsonl")
#: Blind verdicts on answers drawn for calibration, those on screens whose arm was drawn, and those
#: that settle a cell.
DRAWN = [row for row in HUMAN if row["design"] == "calibration"]
ARMS = [row for row in HUMAN if row["design"] in ("ordinary", "blind_arm")]
SETTLED = [row for row in HUMAN if row["design"] == "adjudication"]
PEOPLE = rows("people.jsonl")
COPIES = rows("copies.jsonl")
#: What was written row by row: the first 22 questions; the others are made of short texts
#: (`tests/support/demo/written`).
BY_HAND = {question for question in QUESTIONS if int(question[1:]) < FIRST}
JUDGE_BY_HAND = [row for row in JUDGE if row["question_id"] in BY_HAND]
#: What South said in September, before its provider changed it.
EARLIER = [row for row in JUDGE if row.get("recipe_hash") == BEFORE]
FAULTS = list(csv.DictReader((DEMO / "faults.csv").open(encoding="utf-8", newline="")))


def with_fault(name: str) -> set[Pair]:
    return {(row["question_id"], row["model"]) for row in FAULTS if row["fault"] == name}


def subject(pair: Pair) -> Subject:
    asked, given = QUESTIONS[pair[0]], ANSWERS[pair]
    question = Question(
        **{
            key: asked[key] for key in ("id", "text", "category", "task_type", "language", "detail")
        },
        references=tuple(asked.get("reference", ())),
        facts=tuple(asked.get("facts", ())),
    )
    return Subject(question, Answer(**given))


def same(pairs: list[tuple[Any, Any]]) -> float:
    return sum(a == b for a, b in pairs) / len(pairs)


# questions and answers


def test_120_questions_half_of_them_creative_in_four_languages_and_at_least_ten_categories() -> (
    None
):
    assert Counter(q["language"] for q in QUESTIONS.values()) == {
        "en": 30,
        "ru": 30,
        "zh": 30,
        "ja": 30,
    }
    assert Counter(q["task_type"] for q in QUESTIONS.values()) == {"creative": 60, "factual": 60}
    assert len({q["category"] for q in QUESTIONS.values()}) >= 10


def test_every_language_has_creative_and_factual_questions() -> None:
    assert {(q["language"], q["task_type"]) for q in QUESTIONS.values()} == {
        (language, task)
        for language in ("en", "ru", "zh", "ja")
        for task in ("creative", "factual")
    }


#: Factual questions without a reference: the best answer to them is elected.
ELECTING = ["q06", "q12"]


def test_factual_questions_have_one_or_two_references_or_elect_one_and_creative_ones_have_none() -> (
    None
):
    factual = {
        q["id"]: len(q.get("reference", []))
        for q in QUESTIONS.values()
        if q["task_type"] == "factual"
    }
    assert {*factual.values()} == {0, 1, 2} and [
        question for question, count in factual.items() if not count
    ] == ELECTING
    assert not [
        q["id"] for q in QUESTIONS.values() if q["task_type"] == "creative" and q.get("reference")
    ]
    assert sum(1 for q in QUESTIONS.values() if q.get("facts")) == 2


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=list(QUESTIONS))
def test_the_script_of_question_and_references_is_that_of_its_language(
    question: dict[str, Any],
) -> None:
    sign = {"en": "[A-Za-z]", "ru": "[а-яё]", "zh": "[\u4e00-\u9fff]", "ja": "[\u3040-\u30ff]"}[
        question["language"]
    ]
    foreign = {
        "en": "[а-яё\u3040-\u9fff]",
        "ru": "[\u3040-\u9fff]",
        "zh": "[а-яё\u3040-\u30ff]",
        "ja": "[а-яё]",
    }[question["language"]]
    for text in [question["text"], *(r for r in question.get("reference", []) if len(r) > 40)]:
        assert re.search(sign, text) and not re.search(foreign, text)


def test_five_models_answered_every_question_once() -> None:
    assert set(ANSWERS) == {(q, m) for q in QUESTIONS for m in MODELS}
    assert len(rows("answers.jsonl")) == 600  # 120 x 5


def test_answers_have_real_length() -> None:
    lengths = {
        group: sorted(
            len(a["text"])
            for (q, _), a in ANSWERS.items()
            if QUESTIONS[q]["language"] in group and q in BY_HAND
        )
        for group in ("enru", "zhja")
    }
    middle = {group: found[len(found) // 2] for group, found in lengths.items()}
    assert 400 <= middle["enru"] <= 900 and 150 <= middle["zhja"] <= 400
    assert lengths["enru"][0] >= 200 and lengths["zhja"][0] >= 40  # three haiku are 51 sounds
    assert lengths["enru"][-1] == 2599


def test_timing_tokens_and_cost_are_given_for_every_answer_and_fit_together() -> None:
    for pair, answer in ANSWERS.items():
        assert 0 < answer["time_to_first_token"] < answer["total_seconds"] < 30, pair
        assert 0 < answer["output_tokens"] <= len(answer["text"]), pair
        assert answer["input_tokens"] > 0 and 0 < answer["cost"] < 0.02, pair
        assert answer["finish_reason"] == ("length" if pair in with_fault("cut_off") else "stop"), (
            pair
        )


@pytest.mark.parametrize(
    ("what", "pattern", "at_least"),
    [
        ("numbered list", r"(?m)^1\. .*", 10),
        ("bullets", r"(?m)^- ", 8),
        ("table", r"(?m)^\|.*\|\n\|-", 8),
        ("code block", r"(?s)```python\n.*?```", 5),
        ("bold", r"\*\*[^*\n]+\*\*", 25),
        ("heading", r"(?m)^### ", 2),
    ],
)
def test_markdown_is_used_as_models_use_it(what: str, pattern: str, at_least: int) -> None:
    assert (
        sum(1 for answer in ANSWERS.values() if re.search(pattern, answer["text"])) >= at_least
    ), what


def test_poems_are_in_lines() -> None:
    poems = {
        pair
        for pair in ANSWERS
        if QUESTIONS[pair[0]]["category"] == "poetry" and pair[0] in BY_HAND
    } - with_fault("not_the_form")
    assert len(poems) == 9  # 2 questions x 5 models - 1 in prose
    assert min(ANSWERS[pair]["text"].count("\n") for pair in poems) >= 7


def test_there_is_one_pair_of_twins_and_one_model_that_names_itself() -> None:
    twins = [
        (a, b) for a, b in combinations(ANSWERS, 2) if ANSWERS[a]["text"] == ANSWERS[b]["text"]
    ]
    assert twins == [(("q20", "Alder"), ("q20", "Birch"))]
    named = {
        (pair, m)
        for pair, answer in ANSWERS.items()
        for m in MODELS
        if re.search(rf"\b{m}\b", answer["text"])
    }
    assert {pair for pair, _ in named} == with_fault("names_itself") == {("q07", "Cedar")}
    assert all(pair[1] == model for pair, model in named)


# faults


def test_the_table_of_faults_names_answers_that_exist_each_fault_once() -> None:
    listed = [(row["question_id"], row["model"], row["fault"]) for row in FAULTS]
    assert len(set(listed)) == len(listed)
    assert {(q, m) for q, m, _ in listed} <= set(ANSWERS)
    assert set(BY_RULE) <= {fault for _, _, fault in listed}
    assert all(row["where"] for row in FAULTS)


def test_each_fault_that_a_rule_can_find_is_there_at_least_twice() -> None:
    assert {fault: len(with_fault(fault)) for fault in BY_RULE} == {
        "too_long": 2,
        "slow_first_token": 3,
        "wrong_language": 3,
        "wrong_count": 3,
        "cut_off": 2,
    }


@pytest.mark.parametrize("fault", BY_RULE)
def test_the_rule_finds_the_seeded_fault_and_no_other_answer_has_it(fault: str) -> None:
    name, rule_name = BY_RULE[fault]
    criterion = (
        RUBRIC.criterion(name) if name else Criterion(rubric="faults", name="clean", scale=YES_NO)
    )
    used = criterion.grader(rule_name)
    assert (used is None) == (not name)
    rule = make("rules", rule_name, used.options if used else {})
    assert rule.fault == fault
    assert not criterion.parts or rule.speaks_to in criterion.parts
    worst = criterion.scale.values[0] if criterion.scale.is_discrete else criterion.scale.low
    assert {
        pair for pair in ANSWERS if rule.grade(subject(pair), criterion).value == worst
    } == with_fault(fault)


@pytest.mark.parametrize(
    ("pair", "fault", "quote"),
    [
        (("q04", "Elm"), "arithmetic_error", "71.60"),  # 86.40 - 16.80 = 69.60
        (("q12", "Elm"), "answers_another_question", "«пальто»"),
        (("q15", "Elm"), "answers_another_question", "光年"),
        (("q02", "Elm"), "dangling_reference", "the diagram above"),
        (("q20", "Elm"), "wrong_fact", "46"),
        (("q01", "Rowan"), "breaks_condition", "film"),
    ],
)
def test_faults_that_need_a_reader_are_where_the_table_says(
    pair: Pair, fault: str, quote: str
) -> None:
    where = {
        row["where"]
        for row in FAULTS
        if (row["question_id"], row["model"], row["fault"]) == (*pair, fault)
    }
    assert len(where) == 1
    assert quote in where.pop() and quote in ANSWERS[pair]["text"]


# verdicts


def test_the_notice_says_that_the_verdicts_were_written_for_the_demo() -> None:
    """By name, so that it stays true when a real judge has graded, or somebody else."""
    assert PROJECT["notice"].startswith(
        "Sample verdicts written for the demo, no live model gave them: those of "
    )
    people = {
        row["id"]: row["name"]
        for row in map(json.loads, (DEMO / "people.jsonl").read_text("utf-8").splitlines())
    }
    judges = {
        row["judge"]
        for row in map(json.loads, (DEMO / "judge.jsonl").read_text("utf-8").splitlines())
    }
    assert all(
        name in PROJECT["notice"]
        for name in {judge.removeprefix("judge-") for judge in judges} | set(people.values())
    )
    assert (PROJECT["name"], PROJECT["title"], PROJECT["rubric"]) == (
        "autumn-study",
        "Autumn study",
        RUBRIC.name,
    )


def test_verdicts_are_on_their_scales_and_about_answers_that_exist() -> None:
    for row in JUDGE + HUMAN:
        assert (row["question_id"], row["model"]) in ANSWERS, row
        assert row.get("answer_version", 1) == 1, row
        assert row["criterion"] in JUDGED and row.get("status", "ok") == "ok", row
        value = RUBRIC.criterion(row["criterion"]).scale.parse(row["value"])
        assert value == row["value"] and type(value) is type(row["value"]), row


def test_ids_of_verdicts_are_unique_and_no_cell_is_judged_twice_by_one() -> None:
    named = [row["id"] for row in JUDGE + HUMAN if "id" in row]
    assert len(set(named)) == len(named) >= len(JUDGE_BY_HAND + EARLIER + HUMAN)
    for judged in (EARLIER, [row for row in JUDGE if row not in EARLIER]):
        cells = [
            (r["question_id"], r["model"], r["criterion"], r.get("part"), r["judge"])
            for r in judged
        ]
        assert len(set(cells)) == len(cells)
    # an audit may draw an answer of a screen that others began
    once = [row for row in HUMAN if row["design"] not in ("repeat", "audit")]
    assert len(
        {
            (r["question_id"], r["model"], r["criterion"], r.get("part"), r["annotator"])
            for r in once
        }
    ) == len(once)


def test_verdicts_name_the_parts_that_their_question_has() -> None:
    lists = {q: tuple(row.get("must_have", ())) for q, row in QUESTIONS.items()}
    assert {q: len(found) for q, found in lists.items() if found} == {"q03": 3}
    given: dict[tuple[str, str, str, str], set[str]] = {}
    for row in JUDGE + DRAWN:
        author = row.get("judge") or row["annotator"]
        given.setdefault((row["question_id"], row["model"], row["criterion"], author), set()).add(
            row.get("part", "")
        )
    for (question, _, criterion, _), parts in given.items():
        asked = RUBRIC.criterion(criterion).parts_of(
            Question(id=question, text="", must_have=lists[question])
        )
        assert parts == set(asked), (question, criterion)


def test_north_graded_all_answers_and_south_those_of_every_second_question() -> None:
    # 600 x (relevance, completeness, 3 parts of clarity) and 2 more for each of the 5 letters of
    # q03; South: 99 of the first 110, 4 of them letters, then relevance and completeness of 245
    assert Counter(row["judge"] for row in JUDGE if row not in EARLIER) == {
        "judge-north": 600 * 5 + 5 * 2,
        "judge-south": 99 * 5 + 4 * 2 + 245 * 2,
    }
    assert len(EARLIER) == 245 and {row["judge"] for row in EARLIER} == {"judge-south"}


def test_judges_quote_verbatim_or_say_that_something_is_absent() -> None:
    absent = 0
    for row in JUDGE:
        if row not in JUDGE_BY_HAND and "evidence" not in row:
            continue
        (evidence,) = row["evidence"]
        absent += evidence == {"absent": True}
        assert (
            evidence == {"absent": True}
            or evidence["quote"] in ANSWERS[row["question_id"], row["model"]]["text"]
        ), row
    assert (
        10
        <= absent
        - sum(row.get("part") == "mistakes" and row["value"] == 1 for row in JUDGE_BY_HAND)
        <= 30
    )


def test_rationales_are_about_their_answer_and_not_repeated() -> None:
    assert (
        min(len(row["rationale"]) for row in JUDGE_BY_HAND) >= 7
    )  # CJK says much in few characters
    # that nothing is wrong with a part of clarity is said in the same words each time
    repeated = [
        text for text, n in Counter(row["rationale"] for row in JUDGE_BY_HAND).items() if n > 1
    ]
    assert {row.get("part") for row in JUDGE_BY_HAND if row["rationale"] in repeated} == set(PARTS)
    assert {row["value"] for row in JUDGE_BY_HAND if row["rationale"] in repeated} == {1.0}
    # language: North in 4, South of 4 languages, one of them alike; the other two in 4 languages
    assert len(repeated) == 5 + 2 * 4 + 2
    assert all(row["confidence_kind"] == "stated" and 0.5 <= row["confidence"] < 1 for row in JUDGE)


def test_people_graded_what_was_drawn_blind_and_two_of_them_a_part_of_it() -> None:
    assert {(row["arm"], row["design"], row["probability"]) for row in DRAWN} == {
        ("blind", "calibration", 0.3)
    }
    who: dict[Pair, set[str]] = {}
    for row in DRAWN:
        who.setdefault((row["question_id"], row["model"]), set()).add(row["annotator"])
    assert len(who) == 180 and {len(people) for people in who.values()} == {1, 2}
    assert sum(len(people) == 2 for people in who.values()) >= 36
    assert {row["annotator"] for row in HUMAN} == {person["id"] for person in PEOPLE} | {
        "adjudicated"
    }
    assert all(
        row["seconds"] > 0
        and re.fullmatch(r"2026-10-\d\dT\d\d:\d\d:\d\d.\d{3}Z", row["created_at"])
        for row in HUMAN
    )
    assert sum(1 for row in rows("assignments.jsonl") if row.get("comment")) >= 15


def test_screens_have_both_arms_and_come_after_the_judges() -> None:
    arms = {("blind", "blind_arm", 0.5), ("assisted", "ordinary", 0.5)}
    assert {(row["arm"], row["design"], row["probability"]) for row in ARMS} == arms
    last = max(row["created_at"] for row in JUDGE)
    assert min(row["created_at"] for row in HUMAN) > last, "the suggestions were there before them"
    blamed = [row for row in ARMS if row.get("fault_of")]
    assert {row["arm"] for row in blamed} == {"assisted"} and {row["action"] for row in blamed} == {
        "typed",
        "edited",
    }
    assert {row["fault_of"] for row in blamed} >= {
        "judge wrong",
        "matter of taste",
        "rubric unclear",
    }
    by_answer: dict[tuple[str, str, str], set[str]] = {}
    for row in ARMS:
        by_answer.setdefault((row["annotator"], row["question_id"], row["model"]), set()).add(
            row["arm"]
        )
    assert all(len(of) == 1 for of in by_answer.values())


def test_what_was_settled_names_the_verdicts_that_it_settles_and_says_why() -> None:
    given = {row["id"]: row["value"] for row in HUMAN}
    assert len(SETTLED) >= 15 and all(
        row["adjudicator"] == "aiko" and len(row["rationale"]) > 15 for row in SETTLED
    )
    assert all(len({given[one] for one in row["settles"]}) > 1 for row in SETTLED)


def test_people_agree_with_each_other_more_than_with_the_judges_and_the_judges_differ() -> None:
    given: dict[tuple[str, str, str, str], dict[str, Any]] = {}
    for row in DRAWN:
        given.setdefault(
            (row["question_id"], row["model"], row["criterion"], row.get("part", "")), {}
        )[row["annotator"]] = row["value"]
    judged: dict[tuple[str, str, str, str], dict[str, Any]] = {}
    for row in JUDGE:
        judged.setdefault(
            (row["question_id"], row["model"], row["criterion"], row.get("part", "")), {}
        )[row["judge"]] = row["value"]
    people = same([(a, b) for by in given.values() for a, b in combinations(by.values(), 2)])
    for judge in ("judge-north", "judge-south"):
        assert (
            same(
                [
                    (v, judged[cell][judge])
                    for cell, by in given.items()
                    if judge in judged.get(cell, {})
                    for v in by.values()
                ]
            )
            < people
        )
    both = [tuple(by.values()) for by in judged.values() if len(by) == 2]
    assert 0.6 <= same(both) <= 0.85


def test_north_is_the_lenient_judge_on_clarity() -> None:
    clarity = [row for row in JUDGE_BY_HAND if row["criterion"] == "answer-quality/clarity"]
    mean = {
        j: sum(r["value"] for r in clarity if r["judge"] == j)
        / sum(r["judge"] == j for r in clarity)
        for j in ("judge-north", "judge-south")
    }
    # most answers lose something on one part of three only
    assert mean["judge-north"] > mean["judge-south"] + 0.03


def test_copies_with_a_fault_are_those_that_the_code_makes_and_both_judges_graded_them() -> None:
    copies = [row["row"] for row in COPIES if row["table"] == "answers"]
    for copy in copies:
        name, model = copy["metadata"]["seeded"]["fault"], copy["metadata"]["seeded"]["model"]
        question, answer = QUESTIONS[copy["question_id"]], ANSWERS[copy["question_id"], model]
        draw = drawn(PROJECT["seed"], "place", name, question["id"], model)
        made = known_faults()[name].damage(
            question["text"], answer["text"], question["language"], draw
        )
        assert (
            made is not None and made.text == copy["text"] and copy["model"] == f"{model} · {name}"
        )
    graded = Counter(row["row"]["judge"] for row in COPIES if row["table"] == "judge")
    assert (len(copies), set(graded)) == (33, {"judge-north", "judge-south"})


def test_the_readme_counts_what_is_there() -> None:
    text = (DEMO / "README.md").read_text("utf-8")
    counted = {
        name: int(n) for name, n in re.findall(r"(?m)^\| (\S+\.(?:jsonl|csv)) \| (\d+) \|", text)
    }
    assert counted == {file.name: len(rows(file.name)) for file in DEMO.glob("*.jsonl")} | {
        "faults.csv": len(FAULTS)
    }
