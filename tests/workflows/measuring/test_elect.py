"""Who is elected as reference, by which numbers, and what follows: a table of small electorates."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graders.core import discovery
from graders.core.contracts import inputs_hash
from graders.core.errors import InputError
from graders.core.records import Answer, Mark, Subject, Verdict
from graders.core.shapes import as_dict
from graders.exporters.sheets.study import study_of
from graders.store import projects
from graders.store.answers import content, elections
from graders.store.opinions import verdicts
from graders.store.opinions.verdicts import CellVerdict
from graders.workflows.cells.state import refresh_all
from graders.workflows.importing import stage as importing_stage
from graders.workflows.measuring import elect, measure
from graders.workflows.report.export import take_snapshot
from graders.workflows.results import references
from graders.workflows.runs import runs
from graders.workflows.scope.missing_reasons import reason_words
from graders.workflows.scope.permissions import Scope
from tests.store import small

RUBRIC = """
rubric: study
criteria:
  relevance: {question: Does it do what is asked?, scale: [irrelevant, relevant], graders: [judge], review: automatic}
  clarity: {question: Is it clear?, scale: {from: 1, to: 5}, graders: [judge], review: automatic}
  completeness:
    question: Is all there?
    scale: {from: 1, to: 5}
    graders: [judge, token_f1]
    reference: {factual: elected, creative: none}
  brevity:
    question: Is it short enough?
    scale: [too long, fitting]
    graders: [length_ratio]
    reference: {factual: elected, creative: none}
"""
TEXTS = {
    "Ash": "Steam carries heat away from the pan, and a lid keeps the steam in.",
    "Oak": "A lid keeps the steam in, and with the steam the heat stays in the pan.",
    "Elm": "Because my grandmother said so.",
}


class Alike:
    """An encoder that fits no language: likeness must then come from elsewhere, or be missing."""

    def prepare(self, texts: Any, languages: Any) -> None: ...

    def sentence(self, text: str, language: str) -> None: ...

    def tokens(self, text: str, language: str) -> None: ...

    def version(self, language: str) -> str:
        return "none"


def bring(
    place: Path,
    values: dict[str, tuple[str | None, int | None]],
    task: str = "factual",
    reference: str = "",
    beside: str = "",
    sure: float | None = None,
) -> Scope:
    """A study of one question, with a judge's relevance and clarity per model; a judge `beside` it
    says the same, both `sure` of it."""
    folder = place / "files"
    (folder / "rubrics").mkdir(parents=True)
    (folder / "project.json").write_text(json.dumps({"name": "study", "title": "Study"}), "utf-8")
    (folder / "rubrics" / "study.yaml").write_text(RUBRIC, "utf-8")
    question = {"id": "q", "text": "Why does a lid help?", "task_type": task, "language": "en"} | (
        {"reference": reference} if reference else {}
    )
    (folder / "questions.jsonl").write_text(json.dumps(question), "utf-8")
    (folder / "answers.jsonl").write_text(
        "\n".join(json.dumps({"question_id": "q", "model": m, "text": TEXTS[m]}) for m in values),
        "utf-8",
    )
    said = [
        {
            "question_id": "q",
            "model": m,
            "criterion": f"study/{name}",
            "judge": judge,
            "value": value,
            "confidence": sure,
        }
        for judge in filter(None, ("north", beside))
        for m, pair in values.items()
        for name, value in zip(("relevance", "clarity"), pair, strict=True)
        if value is not None
    ]
    (folder / "judge.jsonl").write_text("\n".join(map(json.dumps, said)), "utf-8")
    lead = small.scope_of(small.workspace(place))
    importing_stage.finish(lead, importing_stage.stage(lead, "study", folder).import_id)
    project = lead.project("study")
    ids = [row[0] for row in lead.ws.db.execute("SELECT id FROM cell")]
    refresh_all(lead.ws, project, ids, route=True)
    return lead


def present(lead: Scope) -> elections.Election | None:
    return next(iter(elections.elections(lead.ws.db, lead.project("study")).values()), None)


@pytest.mark.parametrize(
    ("values", "elected", "why"),
    [
        (
            {"Ash": ("relevant", 5), "Oak": ("relevant", 4), "Elm": ("irrelevant", 5)},
            "Ash",
            "1 + 1 against 1 + .75 and 0 + 1",
        ),
        (
            {"Ash": ("relevant", None), "Oak": ("relevant", 4), "Elm": ("irrelevant", 5)},
            "Oak",
            "Ash has a pending cell",
        ),
        ({"Ash": (None, None), "Oak": ("relevant", None)}, "", "nobody has all cells"),
        (
            {"Ash": ("relevant", 5), "Oak": ("relevant", 5)},
            "Ash",
            "two with nothing to tell them apart: the shorter",
        ),
    ],
)
def test_who_is_elected(tmp_path: Path, values: dict[str, Any], elected: str, why: str) -> None:
    lead = bring(tmp_path, values)
    elect.elect(lead.ws, lead.project("study"), Alike())
    found = present(lead)
    assert found is not None and found.model == elected, why


def test_the_medoid_is_the_answer_most_like_the_others(tmp_path: Path) -> None:
    lead = bring(tmp_path, dict.fromkeys(TEXTS, ("relevant", 5)))
    elect.elect(lead.ws, lead.project("study"), measure.encoder_for({}))
    found = present(lead)
    assert found is not None and found.numbers["measure"] == "bertscore_f1"
    means = found.numbers["means"]
    assert found.model == max(means, key=means.get) and means["Elm"] < min(
        means["Ash"], means["Oak"]
    ), means
    assert sorted(found.numbers["best"]) == sorted(TEXTS)


def test_a_panel_elects_in_the_run_that_makes_its_verdicts(tmp_path: Path) -> None:
    """Two judges agree, neither of them sure: too little for a final value by themselves, and
    enough as a panel."""
    said = {"Ash": ("relevant", 5), "Oak": ("irrelevant", 3)}
    lead = bring(tmp_path, said, beside="east", sure=0.2)
    setting = {"members": ["north", "east"], "method": "median"}
    author = discovery.make("judges", "panel", setting).author
    projects.set_settings(lead.ws, lead.project("study"), {"panel": {"author": author, **setting}})
    assert runs.execute(lead.ws, runs.start(lead, "study", {}).run) == "done"
    found = present(lead)
    assert found is not None and (found.model, found.numbers["best"]) == ("Ash", ["Ash"])


def test_what_depends_on_it_is_computed_against_it_and_nothing_against_itself(
    tmp_path: Path,
) -> None:
    lead = bring(
        tmp_path, {"Ash": ("relevant", 5), "Oak": ("relevant", 4), "Elm": ("irrelevant", 5)}
    )
    project = lead.project("study")

    def values() -> dict[str, tuple[float | None, str]]:
        measure.measure(
            lead.ws, project, Alike(), progress=lambda done, total: None, should_stop=lambda: False
        )
        sql = "SELECT a.model, m.value, m.reason FROM metric_value m JOIN subject s ON s.id = m.subject_id JOIN answer a ON a.id = s.answer_id WHERE m.metric = ?"
        return {row[0]: (row[1], row[2]) for row in lead.ws.db.execute(sql, ("token_f1",))}

    assert values() == dict.fromkeys(TEXTS, (None, "not_elected")), (
        "a reference is to come; none has to be given"
    )
    assert reason_words("not_elected", metric="token_f1").startswith("No reference is elected yet")
    assert len(elect.elect(lead.ws, project, Alike())) == 1
    assert elect.elect(lead.ws, project, Alike()) == [], "the same numbers elect nobody anew"
    first = values()
    assert first["Ash"] == (None, "is_the_reference") and (first["Oak"][0] or 0) > (
        first["Elm"][0] or 0
    )
    references.appoint(lead, "study", "q", "Oak")
    second = values()
    assert second["Oak"] == (None, "is_the_reference") and second["Ash"][0] == first["Oak"][0], (
        "F1 is the same both ways"
    )
    elect.elect(lead.ws, project, Alike())
    found = present(lead)
    assert found is not None and (found.model, found.by) == ("Oak", "lead"), (
        "numbers never overrule a person"
    )
    references.appoint(lead, "study", "q", "")
    found = present(lead)
    assert found is not None and (found.model, found.by) == ("Ash", "")
    with pytest.raises(InputError, match=r"one of Ash, Elm, Oak|one of Ash, Oak, Elm"):
        references.appoint(lead, "study", "q", "Yew")


RATIOS = "SELECT a.model, m.value, m.reason FROM metric_value m JOIN subject s ON s.id = m.subject_id JOIN answer a ON a.id = s.answer_id WHERE m.metric = 'length_ratio'"


@pytest.mark.parametrize("reference", ["", "Steam holds the heat."])
def test_the_ratio_to_the_shortest_of_the_best(tmp_path: Path, reference: str) -> None:
    """Also where the question brings its reference, so that nobody is elected."""
    lead = bring(
        tmp_path,
        {"Ash": ("relevant", 5), "Oak": ("relevant", 5), "Elm": ("irrelevant", 5)},
        reference=reference,
    )
    project = lead.project("study")
    measure.measure(lead.ws, project, Alike())
    assert {(row[1], row[2]) for row in lead.ws.db.execute(RATIOS)} == {(None, "no_best")}, (
        "nobody has counted yet"
    )
    elect.elect(lead.ws, project, Alike())
    measure.measure(lead.ws, project, Alike())
    shortest = min(len(TEXTS["Ash"]), len(TEXTS["Oak"]))
    assert {row[0]: row[1] for row in lead.ws.db.execute(RATIOS)} == {
        m: round(len(text) / shortest, 4) for m, text in TEXTS.items()
    }
    found = present(lead)
    assert found is not None and (found.model == "Ash") == (reference == "")


def test_on_creative_questions_no_length_is_right_and_no_reference_is_asked_for(
    tmp_path: Path,
) -> None:
    lead = bring(tmp_path, {"Ash": ("relevant", 5), "Oak": ("relevant", 5)}, task="creative")
    elect.elect(lead.ws, lead.project("study"), Alike())
    measure.measure(lead.ws, lead.project("study"), Alike())
    assert {(row[1], row[2]) for row in lead.ws.db.execute(RATIOS)} == {(None, "not_factual")}
    assert {
        row[0]
        for row in lead.ws.db.execute("SELECT reason FROM metric_value WHERE metric = 'token_f1'")
    } == {"none_wanted"}


@pytest.mark.parametrize(
    ("task", "reference"), [("creative", ""), ("unknown", ""), ("factual", "Steam holds the heat.")]
)
def test_nobody_is_elected_on_creative_questions_or_beside_a_given_reference(
    tmp_path: Path, task: str, reference: str
) -> None:
    lead = bring(tmp_path, {"Ash": ("relevant", 5), "Oak": ("relevant", 4)}, task, reference)
    elect.elect(lead.ws, lead.project("study"), Alike())
    found = present(lead)
    assert found is None or found.subject_id is None
    assert content.counts(lead.ws, lead.project("study"))


def test_the_lead_sees_who_was_elected_by_what_and_what_hangs_on_it(tmp_path: Path) -> None:
    lead = bring(
        tmp_path, {"Ash": ("relevant", 5), "Oak": ("relevant", 4), "Elm": ("relevant", None)}
    )
    project = lead.project("study")
    [row] = references.shown(lead, "study")
    assert (row.kind, row.candidates) == ("nobody", 0) and references.one(
        lead, "study", "q"
    ).stale, "nobody has counted"
    assert references.renew(lead, "study", None, Alike()).changed == ["q"]
    found = references.one(lead, "study", "q")
    assert (found.kind, found.model, found.score, found.out, found.stale) == (
        "elected",
        "Ash",
        2.0,
        1,
        False,
    )
    assert [(r.model, r.values, r.sum, r.why, r.best, r.reference) for r in found.rows] == [
        ("Ash", [1.0, 1.0], 2.0, "", True, True),
        ("Oak", [1.0, 0.75], 1.75, "", False, False),
        ("Elm", None, None, "clarity: pending", False, False),
    ]
    made = references.appoint(lead, "study", "q", "Oak", Alike())
    assert made.measured == {"token_f1": 2, "token_f1_set": 2}, (
        "Elm shares no word with either; length_ratio does not hang on it"
    )
    assert as_dict(references.shown(lead, "study")[0]) | {"at": ""} == as_dict(row) | {
        "kind": "appointed", "model": "Oak", "by": "lead", "best": ["Ash"], "candidates": 3, "out": 1, "score": 2.0, "of": 2, "at": ""
    }  # fmt: skip
    # somebody decides otherwise
    lead.ws.db.execute(
        "UPDATE cell SET final = '\"irrelevant\"', final_number = 0 WHERE final_number = 1"
    )
    lead.ws.db.commit()
    assert references.one(lead, "study", "q").stale
    assert references.renew(lead, "study", ["q"], Alike()).changed == ["q"]
    assert references.one(lead, "study", "q").counted_model == "Ash" and present(lead).by == "lead"  # type: ignore[union-attr]
    assert [e.body["model"] for e in projects.events(lead.ws, project, "appoint")] == ["Oak"]


def test_cells_whose_judge_saw_another_reference_are_named(tmp_path: Path) -> None:
    lead = bring(tmp_path, {"Ash": ("relevant", 5), "Oak": ("relevant", 4)})
    references.renew(lead, "study", None, Alike())
    [question] = content.questions(lead.ws.db, lead.project("study")).values()
    rubric = next(
        c
        for c in projects.criteria(lead.ws, lead.project("study"))
        if c.criterion.name == "completeness"
    )
    shown = Subject(
        replace(question, references=(TEXTS["Ash"],)),
        Answer(question_id="q", model="Oak", text=TEXTS["Oak"]),
    )
    row = lead.ws.db.execute(
        "SELECT c.id, c.question_id FROM cell c JOIN subject s ON s.id = c.subject_id JOIN answer a ON a.id = s.answer_id WHERE a.model = 'Oak' AND c.criterion_id = ?",
        (rubric.id,),
    ).fetchone()
    said = Verdict(
        subject=shown.key, criterion=rubric.key, author="north", author_kind="judge", mark=Mark(value=4), criterion_hash=rubric.hash,
        inputs=inputs_hash(shown, rubric.criterion), id="v1",
    )  # fmt: skip
    with lead.ws.write() as db:
        verdicts.append(
            db,
            lead.project("study"),
            [CellVerdict(row[0], rubric, row[1], said)],
            now=lead.ws.now(),
        )
    assert references.one(lead, "study", "q").depends == {}
    assert references.appoint(lead, "study", "q", "Oak").judged == {"Completeness": 1}
    assert references.appoint(lead, "study", "q", "").judged == {}, (
        "given back, the verdict rests on the present reference again"
    )


def test_the_sheet_has_the_ratio_below_its_criterion(tmp_path: Path) -> None:
    lead = bring(
        tmp_path, {"Ash": ("relevant", 5), "Oak": ("relevant", 5), "Elm": ("irrelevant", 5)}
    )
    references.renew(lead, "study", None, Alike())
    lines = study_of(take_snapshot(lead, "study")).lines
    [ratio] = [line for line in lines if line.place.kind == "measured" and line.place.criterion]
    assert ratio.names == ("brevity: length ratio",) and ratio.values == {
        "Ash": 1.0,
        "Oak": round(len(TEXTS["Oak"]) / len(TEXTS["Ash"]), 4),
        "Elm": round(len(TEXTS["Elm"]) / len(TEXTS["Ash"]), 4),
    }
    assert lines[lines.index(ratio) - 1].place.criterion == "study/brevity"
