"""A checklist takes its parts from the question: what the pages count is the entries that there
are, answers stay the unit of chance."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.workflows.measuring import measure
from graders.workflows.projects.settings import change_rubric
from graders.workflows.results import answer as results_answer
from graders.workflows.results import cell_answers
from graders.workflows.results import grid as results_grid
from graders.workflows.routing.route import route
from graders.workflows.runs import runs
from graders.workflows.scope.permissions import Scope
from tests.store import small
from tests.support.stub import StubProvider
from tests.support.studies import bring, given, scope_at

RUBRIC = """
rubric: small
criteria:
  facts: {question: Is the fact in the answer?, scale: ["no", "yes"], parts: facts, review: people}
  tone: {question: Which tone?, scale: {labels: [warm, dry, stiff], ordered: false}, review: people}
"""


NOT_APPLICABLE = {"status": "unscored", "reason": "not_applicable"}


def test_cells_are_the_entries_of_the_lists_and_questions_what_varies(tmp_path: Path) -> None:
    scope = scope_at(tmp_path, "mira")
    lists = {"q1": ["a", "b", "c"], "q2": ["d"], "q3": ["e", "f"], "q4": []}
    questions = [
        {"id": key, "text": f"{key}?", "task_type": "factual", "facts": facts}
        for key, facts in lists.items()
    ]
    answers = [
        {"question_id": key, "model": model, "text": f"{model} says {key}."}
        for key in lists
        for model in ("Ash", "Oak")
    ]
    human = [
        given(key, "Ash", "facts", "mira", "yes" if fact != "d" else "no", part=fact)
        for key, facts in lists.items()
        for fact in facts
    ]
    bring(scope, tmp_path, rubric=RUBRIC, questions=questions, answers=answers, human=human)
    # the lists' entries, and tone once an answer
    assert runs.plan(scope, "study", {}).cells == 2 * (3 + 1 + 2 + 0) + 8 * 1
    found = results_grid.grid(scope, "study")
    ash = next(row for row in found.models if row.model == "Ash").cells["small/facts"]
    # Shares of 3/3, 0/1 and 2/2: their mean, not five facts of six.
    assert (ash.cells, ash.pending, ash.n, ash.shown) == (6, 0, 3, "67 %")
    # Clopper and Pearson for 2 of 3 answers, not for 4 of 6 cells, which would begin at 22.3 %.
    assert ash.low < 10


def test_an_answer_counts_when_all_of_its_list_is_decided(tmp_path: Path) -> None:
    scope = scope_at(tmp_path, "mira")
    questions = [
        {"id": q, "text": f"{q}?", "task_type": "factual", "facts": ["a", "b", "c"]}
        for q in ("q1", "q2")
    ]
    answers = [{"question_id": q, "model": "Ash", "text": "Ash."} for q in ("q1", "q2")]
    human = [given("q1", "Ash", "facts", "mira", "no", part="a")]
    bring(scope, tmp_path, rubric=RUBRIC, questions=questions, answers=answers, human=human)
    (row,) = results_grid.grid(scope, "study").models
    cell = row.cells["small/facts"]
    assert (cell.value, cell.reason) == (
        None,
        "no answer has a final value for all of its list yet",
    )
    more = [given("q1", "Ash", "facts", "mira", v, part=p) for p, v in (("b", "yes"),)]
    gone = [
        given(
            "q1", "Ash", "facts", "mira", None, part="c", status="unscored", reason="not_applicable"
        )
    ]
    bring(scope, tmp_path, rubric=RUBRIC, questions=questions, answers=answers, human=more + gone)
    (row,) = results_grid.grid(scope, "study").models
    cell = row.cells["small/facts"]
    # a no, b yes, c not applicable; q2 waits
    assert (cell.shown, cell.n, cell.closed, cell.pending) == (
        "50 %",
        1,
        1,
        3,
    )


PARTED = """
rubric: small
criteria:
  completeness: {question: Is all there?, scale: {from: 1, to: 5}, unless: must_have, graders: [judge, {unreadable: {unscored: true}}], review: automatic}
  elements: {question: Is it there?, scale: ["no", "yes"], parts: must_have, graders: [judge, {unreadable: {unscored: true}}], review: automatic}
  clarity: {question: Clear?, parts: [language, mistakes, structure], graders: [judge, answer_language, dangling_references, unreadable, length], review: automatic}
"""
LETTER = "A letter must name a date and say who writes it, so that the landlord can send somebody and knows where to."
GARBLED = "РџСЂРёРІРµС‚ РјРёСЂ СЌС‚Рѕ С‚РµРєСЃС‚ РєРѕС‚РѕСЂС‹Р№ РЅРёРєС‚Рѕ РЅРµ РјРѕР¶РµС‚ РїСЂРѕС‡РёС‚Р°С‚СЊ"


def parted(tmp_path: Path) -> Scope:
    """Three models answer q1 (with a list) and q2 (without): one well, one in Russian, one with a
    broken encoding; a judge is unkind."""
    scope = scope_at(tmp_path, "mira")
    questions = [
        {
            "id": q,
            "text": "What must a letter to the landlord have?",
            "task_type": "factual",
            "language": "en",
            **more,
        }
        for q, more in (("q1", {"must_have": ["a date", "a name"]}), ("q2", {}))
    ]
    texts = {
        "Ash": LETTER,
        "Oak": "В письме должны быть дата и имя того, кто его пишет, чтобы хозяин знал, кого прислать.",
        "Elm": GARBLED,
    }
    answers = [
        {"question_id": q, "model": m, "text": text}
        for q in ("q1", "q2")
        for m, text in texts.items()
    ]
    said = {
        "completeness": {"": 1},
        "elements": {"a date": "yes", "a name": "no"},
        "clarity": dict.fromkeys(("language", "mistakes", "structure"), 0.9),
    }
    judge = [
        {
            "question_id": q,
            "model": m,
            "criterion": f"small/{c}",
            "part": part,
            "judge": "north",
            "value": value,
            "confidence": 0.9,
        }
        for q in ("q1", "q2")
        for m in texts
        for c, values in said.items()
        if c != {"q1": "completeness", "q2": "elements"}[q]
        for part, value in values.items()
    ]
    bring(scope, tmp_path, rubric=PARTED, questions=questions, answers=answers, judge=judge)
    project = scope.project("study")
    measure.measure(
        scope.ws, project, None, progress=lambda done, total: None, should_stop=lambda: False
    )
    small.sample(scope.ws, calibration=0.0, audit=0.0, blind=0.0)
    route(scope, "study")
    return scope


def finals(scope: Scope, question: str, model: str) -> dict[str, tuple[object, str, str]]:
    cells = results_answer.answer(scope, "study", question, model).cells
    return {
        f"{c.criterion.partition('/')[2]} {c.part}".strip(): (
            c.value,
            c.source,
            c.reason,
        )
        for c in cells
    }


def test_a_question_with_a_list_is_graded_by_it_and_any_other_on_the_scale(tmp_path: Path) -> None:
    scope = parted(tmp_path)
    judged = (0.9, "automatic", "judge north")
    clarity = {f"clarity {part}": judged for part in ("language", "mistakes", "structure")}
    assert finals(scope, "q1", "Ash") == {
        "elements a date": ("yes", "automatic", "judge north"), "elements a name": ("no", "automatic", "judge north"), **clarity,
    }  # fmt: skip
    assert finals(scope, "q2", "Ash") == {
        "completeness": (1, "automatic", "judge north"),
        **clarity,
    }
    found = results_grid.grid(scope, "study")
    ash = next(row for row in found.models if row.model == "Ash").cells
    assert (
        ash["small/elements"].shown,
        ash["small/completeness"].shown,
        ash["small/clarity"].shown,
    ) == ("50 %", "1.0", "0.90")
    assert small.tallied(scope.ws) == small.recount(scope.ws)


def test_a_rule_speaks_of_the_part_that_its_fault_is_one_of_and_of_no_other(tmp_path: Path) -> None:
    scope = parted(tmp_path)
    found = finals(scope, "q2", "Oak")  # Russian where English was asked
    assert found["clarity language"] == (None, "pending", "rule and judge differ")
    assert (
        found["clarity mistakes"] == found["clarity structure"] == (0.9, "automatic", "judge north")
    )
    assert not [name for name in found if name == "clarity"], (
        "the length of an answer speaks to no part of clarity"
    )
    (parts,) = [cell_answers.answers(scope, "study", "Oak", "small/clarity").parts]
    assert [(p.part, p.shown, p.n) for p in parts] == [
        ("language", "", 0),
        ("mistakes", "0.90", 2),
        ("structure", "0.90", 2),
    ]


def test_an_answer_that_nobody_can_read_gets_no_suggestion_and_goes_to_people(
    tmp_path: Path,
) -> None:
    scope = parted(tmp_path)
    cells = {
        (q, f"{c.criterion.partition('/')[2]} {c.part}".strip()): (
            c.value,
            c.route_reason,
            c.suggestion,
        )
        for q in ("q1", "q2")
        for c in results_answer.answer(scope, "study", q, "Elm").cells
    }
    none = (None, "rule and judge differ", None)
    assert cells["q1", "elements a date"] == cells["q1", "elements a name"] == none
    assert cells["q2", "completeness"] == none, "neither the judge's 1 nor the least"
    assert cells["q2", "clarity structure"] == (None, "rule and judge differ", 0.0), (
        "that it cannot be read is what clarity is about"
    )
    elm = next(row for row in results_grid.grid(scope, "study").models if row.model == "Elm").cells
    assert (elm["small/completeness"].value, elm["small/completeness"].closed) == (None, 0)
    (fault,) = [
        f
        for f in results_answer.answer(scope, "study", "q2", "Elm").faults
        if f.name == "unreadable"
    ]
    assert fault.evidence and fault.state == "waits for a person"
    measure.measure(
        scope.ws,
        scope.project("study"),
        None,
        progress=lambda done, total: None,
        should_stop=lambda: False,
    )
    sql = "SELECT count(*) FROM verdict v JOIN author a ON a.id = v.author_id AND a.name = 'unreadable'"
    before = scope.ws.db.execute(sql).fetchone()[0]
    measure.measure(
        scope.ws,
        scope.project("study"),
        None,
        progress=lambda done, total: None,
        should_stop=lambda: False,
    )
    assert scope.ws.db.execute(sql).fetchone()[0] == before, "nothing is said twice"


def test_a_rubric_that_gives_a_criterion_parts_retires_its_old_cells_and_keeps_their_verdicts(
    tmp_path: Path,
) -> None:
    scope = scope_at(tmp_path, "mira")
    whole = "rubric: small\ncriteria:\n  clarity: {question: Clear?, scale: [0.0, 1.0], graders: [judge], review: people}\n"
    answers = [{"question_id": "q1", "model": "Ash", "text": "Ash."}]
    bring(
        scope,
        tmp_path,
        rubric=whole,
        questions=[{"id": "q1", "text": "?"}],
        answers=answers,
        human=[given("q1", "Ash", "clarity", "mira", 0.4)],
    )
    assert finals(scope, "q1", "Ash") == {"clarity": (0.4, "people", "one person")}
    split = whole.replace("scale: [0.0, 1.0]", "parts: [language, structure]")
    change_rubric(scope, "study", "small", split)
    assert set(finals(scope, "q1", "Ash")) == {"clarity language", "clarity structure"}
    assert results_grid.grid(scope, "study").counts.cells == 2
    assert small.tallied(scope.ws) == small.recount(scope.ws)
    change_rubric(scope, "study", "small", whole)
    assert finals(scope, "q1", "Ash")["clarity"] == (0.4, "people", "one person"), (
        "what people said is there when it is asked about again"
    )


def test_the_mean_of_a_criterion_with_parts_is_taken_over_answers(tmp_path: Path) -> None:
    scope = scope_at(tmp_path, "mira")
    rubric = "rubric: small\ncriteria:\n  clarity: {question: Clear?, parts: [language, mistakes, structure], graders: [judge], review: people}\n"
    names = ("q1", "q2", "q3")
    # two parts of q2 do not apply, one of q3 is pending
    marks = {
        "q1": (1.0, 0.0, 0.5),
        "q2": (1.0, None, None),
        "q3": (0.1, 0.1),
    }
    said = [
        given(
            q,
            "Ash",
            "clarity",
            "mira",
            value,
            part=part,
            **({} if value is not None else NOT_APPLICABLE),
        )
        for q in names
        for part, value in zip(("language", "mistakes", "structure"), marks[q], strict=False)
    ]
    answers = [{"question_id": q, "model": "Ash", "text": f"Ash {q}."} for q in names]
    bring(
        scope,
        tmp_path,
        rubric=rubric,
        questions=[{"id": q, "text": "?"} for q in names],
        answers=answers,
        human=said,
    )
    cell = results_grid.grid(scope, "study").models[0].cells["small/clarity"]
    # (.5 + 1) / 2; the six values alone would give 2.7 / 6
    assert (cell.value, cell.n, cell.pending, cell.closed) == (0.75, 2, 1, 2)


def test_a_list_of_500_facts_is_graded_whole(
    tmp_path: Path, stub: StubProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "nobody")
    scope = scope_at(tmp_path, "mira")
    rubric = RUBRIC.replace("parts: facts,", "parts: facts, graders: [judge],")
    facts = [f"House {number} has {number} windows." for number in range(1, 501)]
    question = {
        "id": "q1",
        "text": "Which house has how many windows?",
        "task_type": "factual",
        "facts": facts,
    }
    bring(
        scope,
        tmp_path,
        rubric=rubric,
        questions=[question],
        answers=[{"question_id": "q1", "model": "Ash", "text": " ".join(facts)}],
    )
    assert (
        runs.execute(
            scope.ws,
            runs.start(scope, "study", {"judges": ["openai:stub"], "base_url": stub.base_url}).run,
        )
        == "done"
    )
    sql = (
        "SELECT c.part, o.value, v.reason FROM cell c JOIN criterion k ON k.id = c.criterion_id JOIN opinion o ON o.cell_id = c.id "
        "JOIN verdict v ON v.id = o.verdict_id JOIN author w ON w.id = o.author_id WHERE k.key = 'small/facts' AND w.name = 'openai:stub' ORDER BY c.id"
    )
    said = scope.ws.db.execute(sql).fetchall()
    assert [row[0] for row in said] == facts, "each fact once, in the order of the list"
    # the stub cites nothing, so that its yes is not believed; what it said is not asked about again
    assert {(row[1], row[2]) for row in said} == {('"no"', ""), (None, "citation_not_found")}
    assert (
        runs.plan(scope, "study", {"judges": ["openai:stub"], "base_url": stub.base_url})
        .judges[0]
        .calls
        == 0
    )
