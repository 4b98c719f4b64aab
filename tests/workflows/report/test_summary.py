"""A report begins with what is known; what is missing follows, with how long it takes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from graders.workflows.adjudication.cell_list import cells_to_settle
from graders.workflows.agreement.work_left import progress
from graders.workflows.report.report import Report, report, summary
from graders.workflows.routing.labels_missing import labels_missing
from graders.workflows.scope.permissions import Scope
from tests.store import small
from tests.support.routed import WORDS, grade, routed
from tests.workflows.report.test_report import labelled  # noqa: F401


def told(found: Report) -> dict[str, list[str]]:
    return {title: [words for _, words in some] for title, some in summary(found)}


def answer_of(every: int) -> Callable[[str, str], object]:
    def value(criterion: str, question: str) -> object:
        wrong = int(question[1:]) % every == 0
        if criterion.endswith("relevance"):
            return WORDS[not wrong]
        return 2 if wrong else 4

    return value


KNOWN, MISSING = "What is known", "What is missing, and how long it takes"


def test_a_first_study_knows_something_and_says_what_the_rest_takes(tmp_path: Path) -> None:
    scope = routed(tmp_path, 100, seed=3)
    for person, every in (("mira", 5), ("jon", 7)):
        grade(scope, person, answer_of(every), screens=15)
    said = told(report(scope, "study"))
    assert list(said) == [KNOWN, MISSING]
    missing = labels_missing(scope, "study")
    assert f"{missing.words}." in said[MISSING] and "minute" in missing.words
    left = progress(scope, "study")
    assert left.left and left.minutes_left
    waiting = next(words for words in said[MISSING] if "wait for people" in words)
    assert waiting.startswith(f"{left.left:,} screens") and "about" in waiting
    assert any("as good as" in words or "agree" in words for words in said[KNOWN])


def test_before_anybody_graded_nothing_is_called_known(tmp_path: Path) -> None:
    said = told(report(small.study(tmp_path, small.workspace(tmp_path)), "study"))
    assert KNOWN not in said and said[MISSING]


def test_what_waits_to_be_settled_is_counted(labelled: Scope) -> None:  # noqa: F811
    found = report(labelled, "study")
    waits = cells_to_settle(labelled, "study").left
    assert (
        waits and f"{waits} cells with human disagreement wait for adjudication." in found.missing
    )
    # no screen was handed out: none is said to wait
    assert not any("screen" in words for words in found.missing)
