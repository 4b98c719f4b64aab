"""The rubrics that ship: each can be read, says everything in four languages, and its examples are
on its scales."""

from pathlib import Path

import pytest

from graders.core.discovery import find, module_names
from graders.core.records import Question
from graders.core.rubric import Criterion, Rubric, load_rubric
from graders.core.scale import Scale

FOLDER = Path(__file__).parents[1] / "rubrics"
RUBRICS = {path.stem: load_rubric(path) for path in sorted(FOLDER.glob("*.yaml"))}
CRITERIA = [
    pytest.param(rubric, criterion, id=criterion.key)
    for rubric in RUBRICS.values()
    for criterion in rubric.criteria
]
EXAMPLES = [
    pytest.param(rubric, example, id=f"{rubric.name}-{number}")
    for rubric in RUBRICS.values()
    for number, example in enumerate(rubric.examples, 1)
]
ONE_TO_FIVE = (1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("name", "criteria"),
    [
        (
            "answer-quality",
            {
                "relevance": ("irrelevant", "relevant"),
                "completeness": ONE_TO_FIVE,
                "elements": ("no", "yes"),
                "clarity": (),  # any number from 0 to 1
                "speed": ("slow", "fast"),
                "brevity": ("too long", "fitting"),
            },
        ),
        (
            "creative",
            {
                "form": ("broken", "kept"),
                "elements": ("missing", "there"),
                "style": ONE_TO_FIVE,
                "mood": ONE_TO_FIVE,
                "effect": ONE_TO_FIVE,
            },
        ),
        ("correctness", {"correctness": ("No", "Yes")}),
        ("preference", {"better": ("A", "tie", "B")}),
        (
            "summary-quality",
            {
                "coherence": ONE_TO_FIVE,
                "consistency": ONE_TO_FIVE,
                "fluency": ONE_TO_FIVE,
                "relevance": ONE_TO_FIVE,
            },
        ),
    ],
)
def test_each_rubric_has_its_criteria_and_values_worst_first(
    name: str, criteria: dict[str, tuple[str | int, ...]]
) -> None:
    assert RUBRICS[name].name == name
    assert {c.name: c.scale.values for c in RUBRICS[name].criteria} == criteria


#: The rules of clarity by the part that each speaks to.
CLARITY = {
    "language": ("answer_language", "romanised", "foreign_passage"),
    "mistakes": (
        "arithmetic_error",
        "dangling_references",
        "stray_symbols",
        "repetition_loop",
        "dialogue_out_of_step",
    ),
    "clarity": ("unreadable",),
}


def test_answer_quality_says_which_graders_and_references_serve_which_criterion() -> None:
    graders = {
        c.name: [(g.name, dict(g.options)) for g in c.graders]
        for c in RUBRICS["answer-quality"].criteria
    }
    assert graders == {
        "relevance": [
            ("judge", {}),
            ("requested_count", {}),
            ("not_the_form", {}),
            ("asked_language_missing", {}),
            ("refusal_talk", {}),
        ],
        "completeness": [
            ("judge", {}),
            ("bertscore", {}),
            ("embedding", {}),
            ("token_f1", {}),
            ("contains_facts", {}),
            ("unreadable", {"unscored": True}),
        ],
        "elements": [("judge", {}), ("unreadable", {"unscored": True})],
        "clarity": [("judge", {}), *((name, {}) for names in CLARITY.values() for name in names)],
        "speed": [("time_to_first_token", {"limit_seconds": 5})],
        "brevity": [("length", {"short": 1100, "detailed": 2500}), ("length_ratio", {})],
    }
    completeness = RUBRICS["answer-quality"].criterion("completeness")
    assert (completeness.reference_for("factual"), completeness.reference_for("creative")) == (
        "elected",
        "none",
    )


def test_completeness_is_a_list_where_the_question_has_one_and_a_scale_where_it_has_none() -> None:
    rubric = RUBRICS["answer-quality"]
    plain, listed = (
        Question(id="q", text="?"),
        Question(id="q", text="?", must_have=("a name", "a class")),
    )
    assert [rubric.criterion("completeness").parts_of(q) for q in (plain, listed)] == [("",), ()]
    assert [rubric.criterion("elements").parts_of(q) for q in (plain, listed)] == [
        (),
        ("a name", "a class"),
    ]


def test_each_rule_of_clarity_speaks_to_one_of_its_parts_or_to_all() -> None:
    clarity = RUBRICS["answer-quality"].criterion("clarity")
    assert clarity.parts == ("language", "mistakes", "structure") and set(
        clarity.part_guides
    ) == set(clarity.parts)
    spoken = {
        ref.name: find("rules", ref.name).speaks_to
        for ref in clarity.graders
        if ref.name != "judge"
    }
    assert spoken == {name: part for part, names in CLARITY.items() for name in names}
    every = {name for name in module_names("rules") if find("rules", name).speaks_to in CLARITY}
    assert every == set(spoken), "a rule that speaks to a part of clarity decides it"


def test_the_guide_of_relevance_says_what_each_kind_of_question_asks_for() -> None:
    guide = RUBRICS["answer-quality"].criterion("relevance").guide
    for asked, wanted in (
        ("explain", "main points"),
        ("help", "advice or steps"),
        ("improve", "suggestions"),
        ("poem", "form"),
        ("number", "number"),
    ):
        assert asked in guide and wanted in guide[guide.index(asked) :]


def test_creative_work_is_for_people_and_is_compared_with_no_other_model() -> None:
    graders = {c.name: [g.name for g in c.graders] for c in RUBRICS["creative"].criteria}
    assert graders == {
        "form": ["judge", "verse_form", "not_the_form"],
        "elements": ["judge"],
        "style": ["judge", "named_style"],
        "mood": ["judge"],
        "effect": [],
    }
    for criterion in RUBRICS["creative"].criteria:
        assert (
            criterion.review == {"default": "people"}
            and criterion.reference_for("creative") == "none"
        )
    assert [c.name for c in RUBRICS["creative"].criteria if c.ceiling] == ["style", "mood"]


@pytest.mark.parametrize(
    ("criterion", "factual", "creative"),
    [
        ("relevance", "automatic", "people"),
        ("completeness", "automatic", "people"),
        ("elements", "automatic", "people"),
        ("clarity", "automatic", "people"),
        ("speed", "automatic", "automatic"),
        ("brevity", "automatic", "automatic"),
    ],
)
def test_answer_quality_sends_creative_answers_to_people_and_what_rules_measure_to_nobody(
    criterion: str, factual: str, creative: str
) -> None:
    review = RUBRICS["answer-quality"].criterion(criterion).review
    assert (
        review.get("factual", review.get("default")),
        review.get("creative", review.get("default")),
    ) == (factual, creative)


@pytest.mark.parametrize(("rubric", "criterion"), CRITERIA)
def test_a_criterion_asks_a_question_guides_and_names_every_value(
    rubric: Rubric, criterion: Criterion
) -> None:
    assert criterion.question.endswith("?")
    assert len(criterion.guide) > 40
    if criterion.scale.kind == "integer":
        assert [value for value, _ in criterion.scale.anchors] == list(criterion.scale.values)


@pytest.mark.parametrize("language", ["ru", "zh", "ja"])
@pytest.mark.parametrize(("rubric", "criterion"), CRITERIA)
def test_translations_say_all_that_people_read(
    rubric: Rubric, criterion: Criterion, language: str
) -> None:
    words = rubric.translations[language][criterion.name]
    values = (
        "parts" if criterion.parts else "labels" if criterion.scale.kind == "ordered" else "anchors"
    )
    assert set(words) == {"name", "question", "guide", values}
    if values == "parts":
        assert set(words["parts"]) == set(criterion.parts)
        assert not set(words["parts"].values()) & set(criterion.part_guides.values()), (
            "left in English"
        )
        return
    assert set(words[values]) == {str(value) for value in criterion.scale.values}
    translated = list(words[values].values())
    assert len(set(translated)) == len(translated), "two values with one name"
    assert not set(translated) & {
        criterion.scale.word(value) for value in criterion.scale.values
    }, "left in English"


def test_translations_name_no_criterion_that_does_not_exist() -> None:
    for rubric in RUBRICS.values():
        for language, words in rubric.translations.items():
            assert set(words) == {criterion.name for criterion in rubric.criteria}, (
                rubric.name,
                language,
            )


@pytest.mark.parametrize(("rubric", "example"), EXAMPLES)
def test_examples_give_values_on_the_scales_and_say_why(
    rubric: Rubric, example: dict[str, object]
) -> None:
    verdicts = example["verdicts"]
    assert isinstance(verdicts, dict) and verdicts
    for name, value in verdicts.items():
        criterion = rubric.criterion(name)
        scale: Scale = criterion.scale
        assert not criterion.parts or set(value) == set(criterion.parts)
        for one in value.values() if criterion.parts else (value,):
            assert scale.parse(one) == one and (
                scale.kind == "numeric" or type(scale.parse(one)) is type(one)
            )
    assert len(str(example["why"])) > 20


@pytest.mark.parametrize("name", ["answer-quality", "correctness", "creative", "summary-quality"])
def test_each_rubric_has_two_or_three_examples_and_they_do_not_all_agree(name: str) -> None:
    examples = RUBRICS[name].examples
    assert 2 <= len(examples) <= 3
    for criterion in {c for example in examples for c in example["verdicts"]} & {
        "relevance",
        "correctness",
        "consistency",
    }:
        assert len({str(example["verdicts"].get(criterion)) for example in examples}) > 1, criterion


def test_examples_carry_what_their_criteria_compare_with() -> None:
    assert all("reference" in example for example in RUBRICS["correctness"].examples)
    assert all("context" in example for example in RUBRICS["summary-quality"].examples)
