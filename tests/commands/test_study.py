"""A whole study in one go: a folder per question in, rules, metrics and a judge, elected
references, a sheet out, and values changed in it back as that person's verdicts."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import pytest

from graders.store.workspace import open_workspace
from graders.workflows.report.export import take_snapshot
from graders.workflows.scope.permissions import Actor, Scope
from tests.commands.runner import Line
from tests.support.sheets import rows, typed, values
from tests.support.stub import provider_stub

MODELS = tuple(f"model-{n:02d}" for n in range(1, 19))
#: (category, task type, question, what answers say): three questions of each. In Russian, whose
#: vectors are quick to load.
CATEGORIES = (
    (
        "физика",
        "factual",
        "Почему это небо кажется {}?",
        "Воздух сильнее рассеивает короткие волны, и небо кажется {}.",
    ),
    (
        "история",
        "factual",
        "Когда построили {} башню?",
        "Эту {} башню построили весной, к большой выставке.",
    ),
    (
        "экономика",
        "factual",
        "Кто платит {} налог?",
        "Этот {} налог платит тот, кто покупает товар.",
    ),
    (
        "техника",
        "factual",
        "Зачем нужен {} насос?",
        "Этот {} насос поднимает воду из глубокого колодца.",
    ),
    (
        "география",
        "factual",
        "Где находится {} озеро?",
        "Это {} озеро находится на севере, среди сосновых лесов.",
    ),
    (
        "биология",
        "factual",
        "Как зимует {} медведь?",
        "Этот {} медведь спит зимой в берлоге и ничего не ест.",
    ),
    (
        "музыка",
        "factual",
        "Кто написал {} марш?",
        "Этот {} марш написал учитель музыки для праздника.",
    ),
    ("стихи", "creative", "Напиши строку про {} вечер.", "Тихий {} вечер опустился на старый сад."),
    (
        "письма",
        "creative",
        "Напиши соседу про {} хлеб.",
        "Дорогой сосед, спасибо за {} хлеб! Заходите в воскресенье.",
    ),
    (
        "реклама",
        "creative",
        "Придумай девиз про {} чай.",
        "Выпей {} чай, и утро начнётся раньше тебя.",
    ),
)
#: What tells the questions of a category apart, and what makes the models' answers differ.
WORDS = ("чёрный", "белый", "зелёный")
TAILS = (
    "",
    " Вот и всё.",
    " Так было всегда.",
    " Это заметили давно.",
    " Никто не спорит.",
    " Загляните в книгу.",
)
QUESTIONS = [
    (f"q{3 * place + n + 1:02d}", category, kind, ask.format(word), say.format(word))
    for place, (category, kind, ask, say) in enumerate(CATEGORIES)
    for n, word in enumerate(WORDS)
]
#: A question with a reference of its own needs no election; one with elements is graded by them.
GIVEN, LISTED = "q01", "q04"
#: Open questions of fact: their reference is elected.
ELECTED = [key for key, _, kind, _, _ in QUESTIONS if kind == "factual" and key != GIVEN]


def laid(folder: Path) -> Path:
    """The study as a folder per question, with an index and a table of figures."""
    figures = []
    for key, _, _, _, say in QUESTIONS:
        (folder / key).mkdir(parents=True)
        for number, model in enumerate(MODELS):
            (folder / key / f"{model}.txt").write_text(
                f"{say}{TAILS[number % 6]}{' Именно так.' * (number // 6)}\n", "utf-8"
            )
            figures.append((key, model, "6,5" if model == MODELS[-1] else "0,8", 3, 20))
    wanted = {
        GIVEN: ("Воздух рассеивает синий свет сильнее красного.", ""),
        LISTED: ("", "год ||| время года"),
    }
    for name, head, table in (
        (
            "index",
            "folder,question,category,type,reference,must have",
            [(k, a, c, t, *wanted.get(k, ("", ""))) for k, c, t, a, _ in QUESTIONS],
        ),
        ("answers", "folder,model,time to first token,total seconds,output tokens", figures),
    ):
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([head.split(","), *table])
    return folder


def block(path: Path, question: str) -> dict[str, dict[str, Any]]:
    """The rows of a question in the sheet: criterion -> model -> value."""
    found: dict[str, dict[str, Any]] = {}
    for (key, criterion, model), value in values(path).items():
        if key == question:
            found.setdefault(criterion, {})[model] = value
    return found


def stars(table: dict[str, dict[str, Any]]) -> dict[str, str]:
    """Model -> what its mark says, in a block."""
    return {model: mark for model, mark in table.get("reference", {}).items() if mark}


def best(table: dict[str, dict[str, Any]]) -> tuple[float, set[str]]:
    """The highest relevance + clarity in a block and who has it; answers with a pending cell do not
    count."""
    sums = {
        model: (table["relevance"][model] == "relevant") + table["clarity"][model]
        for model in MODELS
        if "pending" not in (table["relevance"][model], table["clarity"][model])
    }
    top = max(sums.values(), default=0.0)
    return top, {model for model, found in sums.items() if found == pytest.approx(top, abs=1e-4)}


def graded(cograde: Line, folder: Path, sheet: Path) -> dict[str, Any]:
    """Import the study, ask a judge with a price, write the sheet; what the run said of itself."""
    came = cograde("import", laid(folder), "--project", "study", "--yes", "--json")
    assert (came.code, came.json["questions"], came.json["answers"], came.json["bad"]) == (
        0,
        30,
        540,
        0,
    ), came.err
    with provider_stub(latency=0.1) as stub:
        priced = ("--base-url", stub.base_url, "--input-price", "1", "--output-price", "2")
        assert cograde("judges", "set", "strict", "--judge", "openai:stub", *priced).code == 0
        run = cograde("grade", "--judge", "strict", "--yes", "--json")
        # A call an answer; completeness waits for the elected reference where there is no list: 18
        # more for 19 questions.
        assert stub.stats()["paid_distinct"] == 540 + 18 * 19
    assert run.code == 0, run.err
    assert cograde("sheet", "write", sheet).code == 0
    return dict(run.json)


def test_a_study_of_30_questions_and_18_models(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Takes 8 s on a free machine: 540 answers under six criteria, 882 calls, and a sheet are what
    a study is."""
    monkeypatch.setenv("OPENAI_API_KEY", "nobody")
    # a machine that stands still for a second is no provider that hangs
    monkeypatch.setattr("graders.workflows.calling._limits.SHORTEST", 60.0)
    cograde, sheet = Line(tmp_path / "work.db", capsys), tmp_path / "study.xlsx"
    run = graded(cograde, tmp_path / "study", sheet)
    head, *lines = rows(sheet)
    assert head == ["Question id", "Question", "Criterion", *MODELS]
    assert list(dict.fromkeys(line[0] for line in lines)) == [key for key, *_ in QUESTIONS]
    blocks = {key: block(sheet, key) for key, *_ in QUESTIONS}
    assert sum(map(len, blocks.values())) == len(lines)  # no criterion twice in a block
    assert [name for name in blocks["q28"] if not name.startswith(("answer: ", "score: "))] == [
        "relevance", "completeness", "clarity", "clarity: language", "clarity: mistakes", "clarity: structure", "speed", "brevity",
    ]  # fmt: skip
    assert {"elements", "elements: год", "elements: время года"} < set(blocks[LISTED])
    assert {model for model in MODELS if blocks["q30"]["speed"][model] == "slow"} == {MODELS[-1]}
    elections(blocks)
    measured(Scope(Actor(), open_workspace(cograde.workspace)), blocks)
    costs(sheet, run["money"], run["judges"][0]["perhaps_paid"])
    change(cograde, sheet, blocks)


def elections(blocks: dict[str, dict[str, dict[str, Any]]]) -> None:
    """Each open question of fact has one mark, at an answer with the highest relevance + clarity;
    no other has any."""
    assert all(stars(table) == {} for key, table in blocks.items() if key not in ELECTED)
    found = 0
    for key in ELECTED:
        top, who = best(blocks[key])
        marks = stars(blocks[key])
        assert len(marks) == min(1, len(who)) and set(marks) <= who, key
        for mark in marks.values():
            told = re.fullmatch(r"★ elected: relevance \+ clarity ([\d.]+) of 2", mark)
            # cells show four digits
            assert told and float(told[1]) == pytest.approx(top, abs=1e-3), (
                key,
                top,
            )
        found += len(marks)
    assert found >= 10  # the others had a pending cell in every answer


def measured(scope: Scope, blocks: dict[str, dict[str, dict[str, Any]]]) -> None:
    """Sentence vectors and tokens hold all other answers against the elected one, and never that
    one against itself."""
    scores: dict[tuple[str, str, str], float | None] = {}
    for row in take_snapshot(scope, "study").tables["metrics"]:
        scores[row["metric"], row["question_id"], row["model"]] = row.get("value")
    for key in ELECTED:
        for metric in ("token_f1", "embedding_cosine"):
            for marked in stars(blocks[key]):
                assert scores[metric, key, marked] is None
                row = blocks[key][f"score: {metric.replace('_', ' ')}"]
                assert isinstance(row[marked], str)  # the reason
                assert {model: row[model] for model in MODELS if model != marked} == {
                    model: round(scores[metric, key, model] or 0, 4)
                    for model in MODELS
                    if model != marked
                }
                assert all(
                    (scores[metric, key, model] or 0) > 0.3 for model in MODELS if model != marked
                ), (metric, key)


def costs(sheet: Path, money: float, perhaps_paid: int) -> None:
    """A row per judge and criterion; together all that was paid, every price known."""
    _, *lines = rows(sheet, "Costs")
    assert [line[:3] for line in lines] == [
        ["strict", "answer-quality/relevance", 540],
        ["strict", "answer-quality/completeness", 29 * 18],
        ["strict", "answer-quality/clarity", 3 * 540],
        ["strict", "answer-quality/elements", 2 * 18],
        ["strict", "all criteria", 540 + 29 * 18 + 3 * 540 + 2 * 18],
        ["all judges", "all criteria", 540 + 29 * 18 + 3 * 540 + 2 * 18],
    ]
    assert sum(line[4] for line in lines[:4]) == pytest.approx(money, abs=1e-5) and lines[-1][
        4
    ] == pytest.approx(money, abs=1e-5)
    assert 0.5 < money < 5 and perhaps_paid == 0 and not any(line[5] for line in lines)


def change(cograde: Line, sheet: Path, blocks: dict[str, dict[str, dict[str, Any]]]) -> None:
    """Ann types over a judge's value and over a pending one: her verdicts, and the final values of
    the next sheet."""
    said = {
        model: value for model, value in blocks["q02"]["completeness"].items() if value != "pending"
    }
    model, value = next(iter(said.items()))
    other = 1 if value > 2 else 5
    typed(
        sheet, ("q02", "completeness", model, other), ("q28", "relevance", "model-03", "Irrelevant")
    )
    back = cograde("sheet", "read", sheet, "--person", "Ann")
    assert (back.code, back.out) == (0, "Ann (new). Verdicts: 2, unchanged: 0, bad: 0.\n"), back.err
    after = take_snapshot(Scope(Actor(), open_workspace(cograde.workspace)), "study").tables
    assert [
        (row["question_id"], row["model"], row["criterion"], row["value"]) for row in after["human"]
    ] == [
        ("q02", model, "answer-quality/completeness", other),
        ("q28", "model-03", "answer-quality/relevance", "irrelevant"),
    ]
    final = {
        (cell["question_id"], cell["criterion"], cell["model"]): (
            cell["final"],
            cell["final_source"],
        )
        for cell in after["cells"]
    }
    assert final["q02", "answer-quality/completeness", model] == (other, "people")
    assert final["q28", "answer-quality/relevance", "model-03"] == ("irrelevant", "people")
