"""Answers that stand beside the wrong question are pointed out."""

from __future__ import annotations

from pathlib import Path

import pytest

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
