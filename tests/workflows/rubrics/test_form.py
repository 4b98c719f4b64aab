"""A rubric as a form: what is chosen, how a change is written into the text, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.core import discovery
from graders.core.errors import CogradeError
from graders.core.rubric import read_rubric
from graders.core.rubric_set import values_by_criterion
from graders.workflows.rubrics import edit
from graders.workflows.rubrics.form import FormCriterion, form_of, known_graders
from graders.workflows.rubrics.form_change import SCALES, FormChange, changed
from graders.workflows.scope.permissions import Scope
from tests.store import small
from tests.support.studies import bring, scope_at

SOURCE = """\
# Ours, see the handbook.
rubric: small
criteria:
  relevance: {question: Does it do what was asked?, scale: [irrelevant, relevant], graders: [judge]}   # first
  brevity:
    question: Short enough?
    scale: [too long, fitting]   # worst first
    graders: [{length: {short: 5, detailed: 6}}]
    review: automatic
  depth:
    question: How deep?
    scale: {from: 1, to: 5, anchors: {1: flat, 5: deep}}
    graders: [judge]
    review: {factual: automatic, creative: people}
    template: "{question} {answer}"
"""


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Scope:
    place = tmp_path_factory.mktemp("form")
    scope = scope_at(place, "vera")
    bring(
        scope,
        place,
        SOURCE.replace('    template: "{question} {answer}"\n', ""),
        questions=small.questions(1),
        answers=small.answers(1, ["Ash"]),
    )
    return scope


def form(source: str = SOURCE) -> dict[str, FormCriterion]:
    return {one.name: one for one in form_of(read_rubric(source), source).criteria}


def change(*said: str, at: int = -1, source: str = SOURCE) -> str:
    """The text after a change: criterion, field, value, what."""
    return changed(source, FormChange(*said, at=at), "rubric small")


def said(source: str, criterion: str, field: str) -> object:
    return values_by_criterion(source)[criterion].get(field)


def test_the_form_shows_what_was_chosen_and_what_stands_in_the_text_alone() -> None:
    found = form()
    assert found["relevance"].scale.kind == "ordered" and (
        found["relevance"].scale.labels == "irrelevant\nrelevant"
    )
    depth = found["depth"].scale
    assert (depth.kind, depth.low, depth.high) == ("integer", "1", "5")
    assert depth.anchors == "1: flat\n5: deep"
    (length,) = found["brevity"].graders
    assert length.folder == "rules" and length.about
    assert [(one.name, one.type, one.value) for one in length.options] == [
        ("short", "int", "5"),
        ("detailed", "int", "6"),
    ]
    assert length.options[0].default == "1100"
    assert found["brevity"].review["default"] == "automatic"
    assert found["depth"].review == {
        "default": "",
        "factual": "automatic",
        "creative": "people",
        "unknown": "",
    }
    assert list(found["depth"].more) == ["template"]


def test_a_grader_that_a_plug_in_brings_is_offered_without_an_edit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = discovery.names
    monkeypatch.setattr(
        discovery, "names", lambda folder: [*names(folder), *(["new"] if folder == "rules" else [])]
    )
    assert "new" in known_graders().rules
    made = change("relevance", "graders", "new", "add")
    assert said(made, "relevance", "graders") == ["judge", "new"]
    # one that does not load is said to be so, and its options are left alone
    assert "new" in form(made)["relevance"].graders[1].about


@pytest.mark.parametrize("kind", SCALES)
@pytest.mark.parametrize("criterion", ["relevance", "depth"])
def test_a_scale_of_each_kind_can_be_chosen(kind: str, criterion: str) -> None:
    made = change(criterion, "scale", kind, "kind")
    assert form(made)[criterion].scale.kind == kind
    assert form(made)["brevity"] == form()["brevity"] and made.count("#") == 3
    if kind == form()[criterion].scale.kind:
        assert made == SOURCE


def test_a_change_writes_what_it_says_and_nothing_else() -> None:
    made = change("brevity", "scale", "too long\n\n fair \nfitting", "labels")
    assert made == SOURCE.replace("[too long, fitting]", "[too long, fair, fitting]")
    made = change("depth", "scale", "7", "to")
    assert made == SOURCE.replace("to: 5", "to: 7")
    made = change("depth", "scale", "1: flat\n3: so so\n5: deep", "anchors")
    assert said(made, "depth", "scale") == {
        "from": 1,
        "to": 5,
        "anchors": {"1": "flat", "5": "deep", "3": "so so"},
    }
    made = change("brevity", "graders", "9", "short", at=0)
    assert made == SOURCE.replace("short: 5", "short: 9")
    made = change("brevity", "graders", "", "short", at=0)
    assert made == SOURCE.replace("short: 5, ", "")
    made = change("relevance", "graders", "openai:gpt-4o", "model", at=0)
    assert said(made, "relevance", "graders") == [{"judge": {"model": "openai:gpt-4o"}}]
    made = change("relevance", "graders", "", "remove", at=0)
    assert said(made, "relevance", "graders") == []
    assert change("brevity", "review", "", "default") == SOURCE.replace(
        "    review: automatic\n", ""
    )
    made = change("brevity", "review", "people", "creative")
    assert said(made, "brevity", "review") == {"default": "automatic", "creative": "people"}
    assert change("brevity", "review", "", "creative", source=made) == SOURCE
    made = change("brevity", "reference", "none", "default")
    assert said(made, "brevity", "reference") == "none"
    assert said(change("brevity", "parts", "must_have", "mode"), "brevity", "parts") == "must_have"
    made = change("relevance", "parts", "named", "mode")
    made = change("relevance", "parts", "form: as asked\nlength", "names", source=made)
    assert read_rubric(made).criterion("relevance").part_guides == {"form": "as asked"}
    assert said(change("depth", "unless", "facts"), "depth", "unless") == "facts"
    assert change("", "about", "What we want.").startswith("# Ours")
    assert list(form(change("tone", "add", ""))) == ["relevance", "brevity", "depth", "tone"]
    assert list(form(change("brevity", "remove", ""))) == ["relevance", "depth"]
    # what is left as it was changes no character, however the text writes it
    for name, one in form().items():
        assert change(name, "question", one.question) == SOURCE
        assert change(name, "scale", one.scale.kind, "kind") == SOURCE


@pytest.mark.parametrize(
    ("asked", "at", "says"),
    [
        (("brevity", "scale", "fitting", "labels"), -1, "two"),
        (("brevity", "scale", "warm", "kind"), -1, "found 'warm', expected one of ordered"),
        (("depth", "scale", "2.5", "to"), -1, "found '2.5', expected a whole number"),
        (("depth", "scale", "0", "to"), -1, "criterion depth"),
        (("depth", "scale", "five: deep", "anchors"), -1, "expected a whole number, a colon"),
        (("brevity", "graders", "soon", "short"), 0, "length, short: found 'soon'"),
        (("brevity", "graders", "nobody", "add"), -1, "found 'nobody', expected one of judge"),
        (("brevity", "graders", "", "remove"), 5, "found '5'"),
        (("brevity", "review", "robots", "default"), -1, "expected one of automatic, people"),
        (("brevity", "review", "people", "poems"), -1, "expected one of default"),
        (("brevity", "parts", "pages", "mode"), -1, "expected one of named"),
        (("brevity", "template", "x"), -1, "found 'template'"),
        (("nothing", "scale", "ordered", "kind"), -1, "nothing"),
        (("tone: {x", "add", ""), -1, "rubric small"),
    ],
)
def test_what_a_text_could_not_say_is_refused_in_a_sentence(
    asked: tuple[str, ...], at: int, says: str
) -> None:
    with pytest.raises(CogradeError) as error:
        change(*asked, at=at)
    assert says in str(error.value)


@pytest.mark.parametrize("graders", ["5", "true", "judge"])
def test_graders_that_are_no_list_are_said_by_text_and_form(graders: str) -> None:
    broken = SOURCE.replace("graders: [judge]}", f"graders: {graders}}}")
    assert broken != SOURCE
    with pytest.raises(CogradeError, match=r"graders: found .* expected a list"):
        read_rubric(broken)
    # the form stands there while somebody types that
    with pytest.raises(CogradeError, match="expected a list"):
        change("relevance", "graders", "judge", "add", source=broken)


def test_a_changed_form_says_what_becomes_stale(room: Scope) -> None:
    source = SOURCE.replace('    template: "{question} {answer}"\n', "")
    made = edit.edit(
        room, "study", source, FormChange("relevance", "graders", "requested_count", "add"), "small"
    )
    assert made.source == source.replace("graders: [judge]}", "graders: [judge, requested_count]}")
    assert made.said == ["relevance, graders: “judge” becomes “judge, requested_count”."]
    assert made.stale == {} and made.errors == []
    more = edit.edit(room, "study", source, FormChange("tone", "add", ""), "small")
    assert more.said == ["tone is new."] and more.form is not None
    worse = edit.edit(
        room, "study", source, FormChange("relevance", "graders", "nowhere:x", "model", 0), "small"
    )
    assert worse.form is not None and "relevance" in worse.errors[0].where


def test_the_last_criterion_stays(tmp_path: Path) -> None:
    alone = "rubric: one\ncriteria:\n  tone: {scale: [no, yes]}\n"
    with pytest.raises(CogradeError, match="'tone' as the only criterion"):
        change("tone", "remove", "", source=alone)
