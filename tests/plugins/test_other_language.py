"""A language that is added later: what parts say of themselves is said in it, on pages and in the
terminal; what models are told stays as it is, so that no stored reply is bought again."""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from graders.commands import faults as command
from graders.core import discovery, words
from graders.core.contracts import Rule
from graders.core.faults import FaultList
from graders.core.records import Answer, Question, Request, Subject
from graders.core.rubric import Rubric, read_rubric
from graders.core.scale import YES_NO
from graders.core.settings import Settings
from graders.core.words import WORDS, speaking
from graders.judges.asking.claims import split_request
from graders.judges.asking.detail import detail_request
from graders.judges.asking.elements import draft_request
from graders.judges.asking.once_more import once_more
from graders.judges.bare import Bare
from graders.judges.checker import Checker
from graders.judges.faults import FaultJudge
from graders.judges.grounded import Grounded
from graders.judges.llm import LLMJudge
from graders.judges.pairs import Pairs
from graders.notebook.tables import TABLES
from graders.web.app import make_app
from graders.web.serve import resolver_of
from graders.workflows.cells import fault_list
from graders.workflows.cells.state import FAULTS
from tests.core.test_words import all_words, texts_of_parts
from tests.store import small
from tests.support.opened import texts_in


def other(english: str) -> str:
    """A text in the made-up language."""
    return f"⟦{english}⟧"


@pytest.fixture(autouse=True)
def made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside English, a language "eo" that has every text of the catalogue and of all parts."""
    shutil.copytree(WORDS / "en", tmp_path / "words/en")
    files: dict[str, dict[str, str]] = defaultdict(dict)
    for key, text in all_words().items():
        name, _, rest = key.partition(".")
        files[name][rest] = other(text)
    (tmp_path / "words/eo").mkdir()
    for name, known in files.items():
        (tmp_path / f"words/eo/{name}.json").write_text(json.dumps(known), "utf-8")
    monkeypatch.setattr(words, "WORDS", tmp_path / "words")


def test_pages_say_what_parts_are_in_the_other_language(tmp_path: Path) -> None:
    scope = small.study(tmp_path, small.workspace(tmp_path), count=1)
    settings = Settings(workspace=scope.ws.path)
    browser = TestClient(
        make_app(resolver_of(scope.ws, settings), settings),
        base_url="http://localhost",
        headers={"accept-language": "eo"},
    )
    names = list(fault_list.named_faults())
    pages = [f"/api/fault?name={name}" for name in names]
    said = "\n".join(
        json.dumps(browser.get(page).json(), ensure_ascii=False, indent=0) for page in pages
    )
    # a page comes with its first drawing in it
    said += "\n".join(
        json.dumps(text, ensure_ascii=False)
        for page in ("/run", "/results", "/rubrics", "/diagnostics")
        for text in texts_in(browser.get(f"{page}?project=study").text)
    )
    texts = texts_of_parts()
    left_out = {
        # of a rule with a fault, what the fault is about is shown; of others nothing is
        *(key for key in texts if key.startswith("rules.") and key.endswith(".about")),
        # its title is shown
        *(key for key in texts if key.startswith("exporters.") and key.endswith(".about")),
        # scores that are a rubric's are not offered
        "metrics.length_ratio.about",
    }
    missing = [
        key
        for key, text in texts.items()
        if key not in left_out and json.dumps(other(text), ensure_ascii=False)[1:-1] not in said
    ]
    assert missing == []
    alone = [key for key, text in texts.items() if key not in left_out and f'"{text}"' in said]
    assert alone == [], "said in English too"


def test_the_terminal_explains_a_fault_in_the_other_language(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with speaking("eo"):
        command.command("no_advice")
        command.command("too_long")
    told = capsys.readouterr().out
    texts = texts_of_parts()
    said = [f"faults.no_advice.{name}" for name in ("title", "about", "why", "misses")]
    said += [f"rules.length.{name}" for name in ("fault_title", "fault_about", "why", "misses")]
    assert [key for key in said if other(texts[key]) not in told] == []


def test_frames_describe_their_columns_in_the_other_language() -> None:
    english = {
        (table, name): column.about for table, of in TABLES.items() for name, column in of.items()
    }
    with speaking("eo"):
        for (table, name), about in english.items():
            assert TABLES[table][name].about == other(about)


def test_a_part_that_the_language_does_not_know_says_its_own_words() -> None:
    body: dict[str, Any] = {
        "version": "1",
        "about": "Odd {braces}.",
        "default_scale": YES_NO,
        "grade": lambda self, subject, criterion: None,
    }
    with speaking("eo"):
        assert type("Outside", (Rule,), body).said("about") == "Odd {braces}."
        assert discovery.find("metrics", "exact").said("about").startswith("⟦")


RUBRIC = """
rubric: r
criteria:
  clarity: {question: Is it clear?, guide: For anybody., scale: {from: 1, to: 5, anchors: {1: A riddle}}}
  truth: {question: Is it true?, scale: ["no", "yes"], reference: given, parts: facts}
examples:
  - {question: Name a tree., answer: Oak., verdicts: {clarity: 5}, why: It is one.}
"""


def requests() -> list[Request]:
    """A call of every kind of judge, and of all that is asked beside."""
    rubric = read_rubric(RUBRIC)
    question = Question(
        id="q", text="Why?", references=("So.",), context=("A text.",), facts=("A fact.",)
    )
    subject = Subject(question, Answer(question_id="q", model="Ash", text="Because of rain."))
    pair = replace(subject, other=Answer(question_id="q", model="Oak", text="Because."))
    read, ruled = fault_list.judged_faults(), fault_list.ruled_faults()
    listed = FaultList.of(
        FAULTS.criteria[0], [fault.name for fault in read], [fault.name for fault in ruled]
    )
    found: list[Request] = []
    judges: tuple[tuple[Any, Rubric, Any, Subject], ...] = (
        (LLMJudge(model="m", secret="s"), rubric, rubric.criteria, subject),
        (Bare(model="m", secret="s"), rubric, rubric.criteria, subject),
        (Checker(model="m", secret="s"), rubric, rubric.criteria[1:], subject),
        (Grounded(model="m", secret="s"), rubric, rubric.criteria, subject),
        (Pairs(model="m", secret="s"), rubric, rubric.criteria[:1], pair),
        (FaultJudge(model="m", secret="s", faults=read, ruled=ruled), FAULTS, (listed,), subject),
    )
    for judge, its_rubric, criteria, asked in judges:
        made = judge.requests([asked], its_rubric, criteria)
        assert made, judge
        found += made
    return [
        *found,
        once_more(found[0]),
        split_request(subject, "openai_chat", "m", "s"),
        detail_request(question, "openai_chat", "m", "s"),
        draft_request(question, name="judge", provider="openai_chat", model="m", secret="s"),
    ]


def test_models_are_asked_the_same_in_every_language() -> None:
    before = requests()
    with speaking("eo"):
        assert requests() == before
