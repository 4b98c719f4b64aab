"""Text scores that a lead chooses for a run: computed beside the rubric's own, kept for later runs,
with their means by model."""

from __future__ import annotations

import csv
import re
import shlex
import sys
from pathlib import Path

import pytest
from python_calamine import CalamineWorkbook
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
from tests.support.sheets import typed

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


TIMED = """question,reference,alpha,beta,alpha seconds,beta seconds
What is the capital of France?,Paris is the capital of France,The capital of France is Paris,Lyon is big,1.5,2.25
What is red?,,A colour,A taste,0.75,
What is two plus two?,Four is the sum,The sum is four,Five,0.5,3
"""


@pytest.fixture
def exported(cograde: Line, tmp_path: Path) -> Line:
    """A workspace whose answers have seconds, BLEU and token F1, written as CSV, XLSX and sheet."""
    (tmp_path / "sc.csv").write_text(TIMED, "utf-8")
    for step in (
        ("import", tmp_path / "sc.csv", "--rubric", "answer-quality", "--yes"),
        ("grade", "--metric", "bleu", "--metric", "token_f1", "--yes"),
        ("export", "--output", tmp_path / "out.csv"),
        ("export", "--output", tmp_path / "out.xlsx"),
        ("sheet", "write", tmp_path / "study.xlsx"),
    ):
        done = cograde(*step)
        assert done.code in (0, 3), (step, done.err)
    return cograde


def test_each_answer_takes_its_scores_and_seconds_away(exported: Line, tmp_path: Path) -> None:
    bleu = BLEU(effective_order=True).sentence_score(
        "The capital of France is Paris", ["Paris is the capital of France"]
    )
    with (tmp_path / "out.csv").open(encoding="utf-8-sig", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["model"] == "alpha"]
    assert {(row["question"], row["total_seconds"], row["token_f1"]) for row in rows} == {
        ("What is the capital of France?", "1.5", "1.0"),
        ("What is red?", "0.75", ""),
        ("What is two plus two?", "0.5", "1.0"),
    }
    told = {round(float(row["bleu"]), 9) for row in rows if row["question"].endswith("France?")}
    assert told == {round(bleu.score, 9)}
    book = CalamineWorkbook.from_path(str(tmp_path / "out.xlsx"))
    head, *results = book.get_sheet_by_name("Results").to_python()
    found = [dict(zip(head, row, strict=True)) for row in results]
    assert [(row["model"], row["total_seconds"], row["token_f1"]) for row in found] == [
        ("alpha", 1.5, 1.0),
        ("beta", 2.25, 0.25),
        ("alpha", 0.75, "no_reference"),
        ("beta", "", "no_reference"),
        ("alpha", 0.5, 1.0),
        ("beta", 3.0, 0.0),
    ]
    study = CalamineWorkbook.from_path(str(tmp_path / "study.xlsx")).get_sheet_by_name("Study")
    lines_of = [row[2:5] for row in study.to_python()]
    assert ["answer: total seconds", 1.5, 2.25] in lines_of
    assert ["score: token f1", 1.0, 0.25] in lines_of
    assert ["score: token f1", "no reference", "no reference"] in lines_of


@pytest.mark.parametrize("file", ["out.csv", "out.xlsx"])
def test_an_export_imports_again_and_its_scores_are_no_answers(
    exported: Line, tmp_path: Path, file: str
) -> None:
    # into the project whose criteria the columns of Results name, too
    for project in ("new", "sc"):
        done = exported("import", tmp_path / file, "--project", project, "--yes", "--json")
        assert done.code in (0, 3), done.err
        assert done.json["verdicts"] == 0
    ws = open_workspace(exported.workspace)
    sql = "SELECT DISTINCT model, text FROM answer ORDER BY text"
    assert [tuple(row) for row in ws.db.execute(sql)] == [
        ("alpha", "A colour"),
        ("beta", "A taste"),
        ("beta", "Five"),
        ("beta", "Lyon is big"),
        ("alpha", "The capital of France is Paris"),
        ("alpha", "The sum is four"),
    ]


def test_a_changed_score_of_a_sheet_is_refused(exported: Line, tmp_path: Path) -> None:
    path = tmp_path / "study.xlsx"
    q = CalamineWorkbook.from_path(str(path)).get_sheet_by_name("Study").to_python()[1][0]
    typed(path, (str(q), "score: bleu", "alpha", 100), (str(q), "relevance", "alpha", "relevant"))
    done = exported("sheet", "read", path, "--person", "Ann")
    assert "Verdicts: 1, unchanged: 0, bad: 1." in done.out
    assert "as it was written: it is measured" in done.out + done.err


def test_the_score_in_which_models_differ_most_is_said_before_anybody_graded(
    cograde: Line, tmp_path: Path
) -> None:
    file = tmp_path / "own.csv"
    facts = [("France", "Paris"), ("Japan", "Tokyo"), ("Peru", "Lima"), ("Cuba", "Havana")]
    rows = [
        f"Capital of {land}?,{city},{model},It is {city if model == 'Ash' else 'Oslo'}."
        for land, city in facts
        for model in ("Ash", "Oak")
    ]
    file.write_text("\n".join(["question,reference,model,answer", *rows]), "utf-8")
    assert cograde("import", file, "--project", "own", "--rubric", "correctness", "--yes").code == 0
    assert cograde("grade", "--project", "own").code in (0, 3)
    scope = Scope(Actor(), open_workspace(cograde.workspace))
    said = score_means.finding(score_means.means(scope, "own"))
    assert said == (
        "By text scores alone models differ most in Token F1 (multiset): Ash 0.500 and Oak 0.000."
    )
