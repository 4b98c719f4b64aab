"""Answers that stand beside the wrong question are pointed out."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.store.answers.content import ImportedGroup
from graders.workflows.importing import _slipped_rows
from graders.workflows.importing import stage as importing_stage
from graders.workflows.measuring import measure
from graders.workflows.scope.permissions import Scope
from tests.support.imported import csv

FACTS = {
    "What is the capital of France?": "Paris is the capital of France and lies on the Seine.",
    "How many legs does a spider have?": "A spider has eight legs, unlike an insect, which has six.",
    "At which temperature does water boil?": "Water boils at one hundred degrees Celsius at sea level.",
    "Who wrote Romeo and Juliet?": "Romeo and Juliet was written by William Shakespeare.",
    "What do bees make honey from?": "Bees make honey from the nectar of flowers.",
    "Which planet is the largest?": "Jupiter is the largest planet of the solar system.",
}


@pytest.mark.parametrize(("turn", "found"), [(0, 0), (1, 6)])
def test_answers_that_slipped_by_a_row_are_pointed_out(
    tmp_path: Path, scope: Scope, turn: int, found: int
) -> None:
    asked, said = list(FACTS), list(FACTS.values())
    said = said[turn:] + said[:turn]
    table = "question,Ash,Oak\n" + "".join(
        f'"{q}","{a}","Well: {a.lower()}"\n' for q, a in zip(asked, said, strict=True)
    )
    told: list[tuple[str, int, int]] = []
    report = importing_stage.stage(
        scope,
        "study",
        csv(tmp_path, table),
        staging=importing_stage.Staging(
            encoder=measure.encoder_for({}),
            listener=importing_stage.Listener(doing=lambda *step: told.append(step)),
        ),
    )
    assert len(report.slipped) == found
    # 6 questions and 12 answers, told before they are encoded
    assert (
        "Comparing answers with questions, in case rows slipped",
        0,
        18,
    ) in told
    if found:
        first = report.slipped[0]
        assert (first.question, first.nearest) == (
            "What is the capital of France?",
            "How many legs does a spider have?",
        )
        assert first.own < 0.35 < first.other


TRANSLATED = {
    "Translate into Chinese: The library closes at eight.": "图书馆八点关门。",
    "Translate into Chinese: I would like a cup of tea.": "我想要一杯茶。",
    "Translate into Chinese: The train is late again.": "火车又晚点了。",
    "Translate into Chinese: My sister works in a hospital.": "我的妹妹在医院工作。",
}


@pytest.mark.parametrize(("turn", "found"), [(0, 0), (1, 4)])
def test_translations_are_read_by_a_model_of_both_languages(
    tmp_path: Path, scope: Scope, turn: int, found: int
) -> None:
    asked, said = list(TRANSLATED), list(TRANSLATED.values())
    table = "question,Ash\n" + "".join(
        f'"{q}","{a}"\n' for q, a in zip(asked, said[turn:] + said[:turn], strict=True)
    )
    assert (
        len(
            importing_stage.stage(
                scope,
                "study",
                csv(tmp_path, table),
                staging=importing_stage.Staging(encoder=measure.encoder_for({})),
            ).slipped
        )
        == found
    )


def test_a_model_that_cannot_be_used_leaves_the_check_out_and_says_why(
    tmp_path: Path, scope: Scope
) -> None:
    table = "question,Ash\n" + "".join(f'"{q}","{a}"\n' for q, a in FACTS.items())
    report = importing_stage.stage(
        scope,
        "study",
        csv(tmp_path, table),
        staging=importing_stage.Staging(encoder=measure.encoder_for({"english": "/no/such/model"})),
    )
    assert (report.answers, report.slipped) == (6, ())
    assert report.notes[-1] == (
        "Whether rows slipped was not checked, because the model that it needs cannot be used: model '/no/such/model': found neither a folder "
        "nor a model that can be fetched (HFValidationError), expected a sentence-transformers model. Give the folder of the model, or its "
        "full name on the hub while the machine is online."
    )
    assert importing_stage.finish(scope, report.import_id).answers == 6


def slips_of(tmp_path: Path, scope: Scope, table: str) -> list[tuple[str, str, str]]:
    """Question, nearest question and model of each slip of an import of `table`."""
    staging = importing_stage.Staging(encoder=measure.encoder_for({}))
    report = importing_stage.stage(scope, "study", csv(tmp_path, table), staging=staging)
    return [(slip.question, slip.nearest, slip.model) for slip in report.slipped]


def test_rows_that_slipped_in_the_column_of_one_model_are_pointed_out_with_its_name(
    tmp_path: Path, scope: Scope
) -> None:
    asked, answers = list(FACTS), list(FACTS.values())
    slipped = answers[1:] + answers[:1]
    table = "question,Ash,Oak,Elm\n" + "".join(
        f'"{q}","{a}","{other}","Well: {a.lower()}"\n'
        for q, a, other in zip(asked, answers, slipped, strict=True)
    )
    slips = slips_of(tmp_path, scope, table)
    assert {model for _, _, model in slips} == {"Oak"}
    assert slips[0] == (asked[0], asked[1], "Oak")
    assert len(slips) >= 3


SUMS = "".join(
    f"What is {n} plus {n % 5}?,{n + n % 5},The answer is {n + n % 5}.\n" for n in range(40)
)
TOWNS = "".join(
    f'"{question}",{town},"{town}."\n'
    for question, town in (
        ("What is the capital of France?", "Paris"),
        ("Where does the Seine meet the Eiffel Tower?", "Paris"),
        ("Where was Victor Hugo buried?", "Paris"),
        ("In which town is the Louvre?", "Paris"),
        ("Where is the Colosseum?", "Rome"),
        ("Where did Julius Caesar die?", "Rome"),
    )
)


@pytest.mark.parametrize("rows", [SUMS, TOWNS, SUMS + TOWNS])
def test_sums_and_answers_that_several_questions_have_raise_no_alarm(
    tmp_path: Path, scope: Scope, rows: str
) -> None:
    assert slips_of(tmp_path, scope, "question,Ash,Oak\n" + rows) == []


class Counting:
    """Counts the characters that an encoder is given; its vectors say nothing."""

    def __init__(self) -> None:
        self.characters = 0

    def prepare(self, texts: list[str], languages: list[str], tokens: bool = True) -> None:
        self.characters += sum(map(len, texts))

    def sentence(self, text: str, language: str) -> None:
        return None


def test_of_a_large_import_a_sample_in_runs_is_encoded_and_a_note_says_so(
    tmp_path: Path, scope: Scope
) -> None:
    table = "question,Ash\n" + "".join(
        f"Which is number {n}?,{f'answer {n} ' * 60}\n" for n in range(1_000)
    )
    encoder = Counting()
    report = importing_stage.stage(
        scope,
        "study",
        csv(tmp_path, table),
        staging=importing_stage.Staging(encoder=encoder),
    )
    assert 35_000 < encoder.characters <= 40_000
    assert report.notes[-1] == "Misaligned rows were looked for among 152 of 1,000 questions."


def test_the_sample_holds_neighbours_from_the_first_rows_to_the_last() -> None:
    groups = [ImportedGroup([2 * place, 2 * place + 1], 600) for place in range(2_000)]
    sample = [group.subjects[0] // 2 for group in _slipped_rows._sample(groups)]
    assert len(sample) == 64
    assert sample[:8] == list(range(8))
    assert sample[-8:] == list(range(1_992, 2_000))
