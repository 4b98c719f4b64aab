"""Text scores that a lead chooses for a run: computed beside the rubric's own, kept for later runs,
with their means by model."""

from __future__ import annotations

import csv
import re
import shlex
import sys
from pathlib import Path

import pytest
from sacrebleu.metrics import BLEU, CHRF

from graders.core.errors import UsageError
from graders.core.shapes import as_dict
from graders.metrics.texts import sacrebleu
from graders.store.workspace import open_workspace
from graders.workflows.calling import run_options
from graders.workflows.measuring import text_scores
from graders.workflows.results import score_means
from graders.workflows.scope.permissions import Actor, Scope
from tests.commands.runner import Line

ROOT = Path(__file__).parents[2]
#: The file of the how-to: id, question, reference, answers of Ash and Oak; nobody expects a certain
#: line about rain.
FILE = "data/examples/translations.csv"
ROWS = list(csv.reader((ROOT / FILE).open(encoding="utf-8")))[1:]
STEPS = re.findall(r"^\$ (cograde .*)$", (ROOT / "docs/scores.md").read_text("utf-8"), flags=re.M)


@pytest.fixture
def study(cograde: Line) -> Line:
    done = cograde("import", ROOT / FILE, "--project", "study", "--rubric", "translation", "--yes")
    assert done.code == 0, done.err
    return cograde


def test_the_how_to_runs_as_it_stands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    line = Line(tmp_path / "unused.db", capsys)
    out = ""
    for step in STEPS:
        done = line.bare(*shlex.split(step.replace("data/", f"{ROOT}/data/"))[1:])
        assert done.code in (0, 3), (step, done.err)
        out += done.out
    shown = re.findall(r"^    .*$", (ROOT / "docs/scores.md").read_text("utf-8"), flags=re.M)
    assert len(shown) == 2 and all(one in out for one in shown), out


def mean(study: Line, model: str, score: str) -> tuple[float | None, int, int]:
    """(mean, answers with a value, answers without)."""
    found = score_means.means(Scope(Actor(), open_workspace(study.workspace)), "study")
    cell = next(row for row in found.models if row.model == model).cells[score]
    return cell.value, cell.n, cell.without


def test_translations_are_scored_and_a_run_may_add_scores(study: Line) -> None:
    done = study("grade", "--yes", "--metric", "rouge", "--json")
    assert done.code in (0, 3), done.err  # without a judge its cells stay open
    pairs = {
        model: [(row[place], row[2]) for row in ROWS[:2]]
        for place, model in ((3, "Ash"), (4, "Oak"))
    }
    bleu, chrf = BLEU(effective_order=True), CHRF()
    for model, told in pairs.items():
        expected = [bleu.sentence_score(answer, [reference]).score for answer, reference in told]
        # rain has no reference
        assert mean(study, model, "bleu") == (
            pytest.approx(sum(expected) / 2),
            2,
            1,
        )
        expected = [chrf.sentence_score(answer, [reference]).score for answer, reference in told]
        assert mean(study, model, "chrf") == (pytest.approx(sum(expected) / 2), 2, 1)
    # "she left the key to neighbours" has 5 of its 6 words, 5 of the reference's 7: F1 = 10/13
    assert mean(study, "Ash", "rouge_1") == (pytest.approx((1 + 10 / 13) / 2), 2, 1)
    told = next(row for row in done.json["scores"]["models"] if row["model"] == "Ash")["cells"][
        "rouge_1"
    ]["sentence"]
    assert (
        told.startswith("Ash, ROUGE-1: mean 0.885 (95 % interval ")
        and "; 2 answers, 1 without a value). " in told
    )
    shown = {score["key"] for score in done.json["scores"]["scores"]}
    assert {"bleu", "chrf", "edit_distance", "token_f1", "rouge_1", "rouge_2", "rouge_l"} == shown
    text = study("grade", "--yes", "--metric", "rouge").out
    assert (
        "Text scores, means over the answers that have one:\n    Ash: ROUGE-1 0.885, ROUGE-2"
        in text
    )


def test_the_choice_stays_until_another_is_made(study: Line) -> None:
    def planned(*words: str) -> list[str]:
        return list(study("grade", "--plan", "--json", *words).json["metrics"])

    own = ["bleu", "chrf", "edit_distance", "token_f1"]
    assert planned() == own and planned("--metric", "rouge", "--metric", "exact") == sorted(
        [*own, "rouge", "exact"]
    )
    assert planned() == own, "a plan keeps nothing"
    study("grade", "--yes", "--metric", "rouge")
    assert planned() == sorted([*own, "rouge"])
    study("grade", "--yes", "--metric", "none")
    assert planned() == own


def test_filters_and_the_list_to_choose_from(study: Line) -> None:
    study("grade", "--yes", "--metric", "rouge")
    scope = Scope(Actor(), open_workspace(study.workspace))
    assert as_dict(score_means.means(scope, "study", {"language": "xx"})) == {
        "scores": [],
        "models": [],
        "page": 1,
        "pages": 1,
    }
    offered = {row.name: (row.chosen, row.rubric) for row in text_scores.choices(scope, "study")}
    assert (
        offered["rouge"] == (True, False)
        and offered["bleu"] == (False, True)
        and offered["exact"] == (False, False)
    )
    assert "length_ratio" not in offered  # it compares with the best answers, not with a reference
    # where no answer has a value, each reason is told with its answers: rain has no reference, the
    # others were lost on the way
    with scope.ws.write() as db:
        db.execute(
            "UPDATE metric_value SET value = NULL, reason = 'metric_failed' WHERE metric = 'rouge_1' AND value IS NOT NULL"
        )
    ash = next(row for row in score_means.means(scope, "study").models if row.model == "Ash")
    assert ash.cells["rouge_1"].reason == (
        "2 answers: The metric failed on this answer. 1 answer: The question has no reference answer; give one to have this measured."
    )


def test_a_name_that_is_no_score_is_said_before_anything_runs(study: Line) -> None:
    done = study("grade", "--yes", "--metric", "blue")
    assert done.code == 2
    assert (
        done.err.startswith("option --metric: found 'blue', expected one of bertscore, bleu,")
        and "Choose one of these." in done.err
    )
    with pytest.raises(UsageError, match="none alone"):
        run_options.Options.of({"metrics": ["none", "bleu"]})


def test_without_sacrebleu_its_two_scores_say_so_and_the_others_are_there(
    study: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("sacrebleu", "sacrebleu.metrics.bleu", "sacrebleu.metrics.chrf"):
        monkeypatch.setitem(sys.modules, name, None)
    for known in (sacrebleu.bleu_of, sacrebleu.bleu_signature, sacrebleu.chrf_signature):
        known.cache_clear()
    done = study("grade", "--yes", "--metric", "rouge", "--json")
    assert done.code in (0, 3), done.err
    (ash, _) = done.json["scores"]["models"]
    assert [
        (ash["cells"][name]["n"], ash["cells"][name]["shown"]) for name in ("bleu", "chrf")
    ] == [(0, ""), (0, "")]
    assert "sacrebleu" in ash["cells"]["bleu"]["reason"], ash["cells"]["bleu"]
    assert mean(study, "Ash", "rouge_1")[1] == mean(study, "Ash", "token_f1")[1] == 2
    text = study("grade", "--yes", "--metric", "rouge").out
    assert "BLEU none, chrF none" in text and re.search(
        r"^    none: .*sacrebleu", text, flags=re.M
    ), "the terminal says why as the page does"


@pytest.mark.parametrize(
    ("output", "title"),
    [("bertscore_recall", "BERTScore recall"), ("bleu", "BLEU"), ("own_score", "own score")],
)
def test_values_have_the_names_of_their_papers(output: str, title: str) -> None:
    assert text_scores.title_of(output) == title
