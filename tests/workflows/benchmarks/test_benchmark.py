"""Benchmarks against a server that speaks Ollama's protocol over HTTP: figures, failures, resuming,
review."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from graders.core.errors import InputError, UsageError
from graders.core.records import MetricValue, Question, Reply
from graders.core.shapes import as_dict
from graders.store import projects
from graders.store.calls import runs as run_store
from graders.store.workspace import open_workspace
from graders.workflows.benchmarks import benchmark
from graders.workflows.benchmarks._figures import figures_of
from graders.workflows.benchmarks._records import BenchmarkReport, Difference, ModelFigures, Score
from graders.workflows.benchmarks.benchmark import Heard, Plan
from graders.workflows.calling import asking
from graders.workflows.calling.asking import Asked
from graders.workflows.home import overview
from graders.workflows.measuring.benchmark_scores import LEAD, OUTPUTS
from graders.workflows.runs import run_page, runs
from graders.workflows.scope.permissions import Actor, Scope
from tests.support.ollama_answers import ollama
from tests.support.stub import provider_stub

#: Metrics that need no model.
QUICK = ("token_f1", "exact", "bleu")


def cases(root: Path, **folders: Sequence[tuple[str, str]]) -> Path:
    """A folder per benchmark with files 00.txt, 01.txt, ..."""
    for name, pairs in folders.items():
        (root / name).mkdir(parents=True)
        for number, (prompt, expected) in enumerate(pairs):
            (root / name / f"{number:02d}.txt").write_text(
                f"{prompt}\n=== separator ===\n{expected}\n", "utf-8"
            )
    return root


def small_set(root: Path, count: int = 10) -> Path:
    """Translations "hello there friend N"."""
    return cases(
        root, translation=[(f"Translate {n}", f"hello there friend {n}") for n in range(count)]
    )


def one(report: BenchmarkReport, model: str, name: str = "translation") -> ModelFigures:
    """The figures of a model in a benchmark."""
    chosen = next(found for found in report.benchmarks if found.name == name)
    return next(found for found in chosen.models if found.model == model)


def test_the_lead_figure_counts_each_token_once(tmp_path: Path) -> None:
    folder = cases(tmp_path / "set", translation=[("Say hello", "hello there")])
    with ollama(lambda model, prompt: "hello hello world") as server:
        report = benchmark.run(
            Plan(
                models=("m",), url=server.url, folder=folder, output=tmp_path / "out", metrics=QUICK
            ),
            models={},
        )
    metrics = one(report, "m").metrics
    # {hello, world} and {hello, there} share 1: 2 x 1 / (2 + 2)
    assert metrics["token_f1_set"].value == 0.5
    # hello x 2 and world: 2 x 1 / (3 + 2)
    assert metrics["token_f1"].value == pytest.approx(0.4)
    assert metrics["exact"].value == 0.0
    assert metrics["token_f1_set"].reason == "fewer than 10 cases"
    versions = next(o.versions for o in report.benchmarks[0].metrics if o.key == "bleu")
    assert any("tok:13a" in version for version in versions)


def test_means_intervals_and_paired_differences(tmp_path: Path) -> None:
    def say(model: str, prompt: str) -> str:
        n = prompt.rsplit(" ", 1)[1]
        return f"hello there friend {n}" if model == "good" or int(n) % 2 else "hello there"

    with ollama(say) as server:
        plan = Plan(
            models=("good", "half"),
            url=server.url,
            folder=small_set(tmp_path / "set"),
            output=tmp_path / "out",
            metrics=QUICK,
        )
        report = benchmark.run(plan, models={})
    # "hello there" against four tokens: 2 x 2 / (2 + 4) = 2/3 in five cases, 1 in the other five
    half = one(report, "half").metrics["token_f1_set"]
    values = [2 / 3, 1.0] * 5
    error = statistics.stdev(values) / 10**0.5
    t = 2.2621572  # 97.5 % point of t with 9 degrees of freedom
    assert half.value == pytest.approx(5 / 6)
    assert (half.low, half.high) == pytest.approx((5 / 6 - t * error, 5 / 6 + t * error))
    pair = next(d for d in report.benchmarks[0].differences if d.metric == "token_f1_set")
    assert (pair.a, pair.b, pair.n, pair.clear) == ("good", "half", 10, True)
    assert (pair.value, pair.low, pair.high) == pytest.approx(
        (1 / 6, 1 / 6 - t * error, 1 / 6 + t * error)
    )
    assert report.title == "translation: good leads"
    assert [found.score for found in one(report, "half").worst] == pytest.approx([2 / 3] * 3)


@pytest.mark.parametrize(("count", "ends"), [(1, 0), (2, 1), (3, 1), (5, 2), (6, 3), (9, 3)])
def test_no_case_is_among_the_best_and_the_worst(count: int, ends: int) -> None:
    _, found = figures([n / 10 for n in range(count)])
    assert [case.score for case in found.best] == [n / 10 for n in range(count)][::-1][:ends]
    assert [case.score for case in found.worst] == [n / 10 for n in range(count)][:ends]


def test_intervals_keep_to_the_range_of_what_is_measured() -> None:
    difference, found = figures([-1.0, 0.0, -0.9])
    mean = found.metrics["embedding_cosine"]
    assert mean.value == pytest.approx(-1.9 / 3)
    assert mean.low == -1.0  # by t with 2 degrees of freedom -1.9 / 3 - 4.303 x 0.318 = -2.00
    assert -1.0 < mean.high < 1.0
    # of -2, -1 and -1.9, so that t says -3.00; two cosines are never more than 2 apart
    assert difference.low == -2.0


def figures(values: list[float]) -> tuple[Difference, ModelFigures]:
    """Two models, one with these scores and cosines and one with 1: the difference of cosines, and
    the figures of the first."""
    questions = [Question(id=f"c{n}", text="?", references=("r",)) for n in range(len(values))]
    asked = [
        Asked(model, replies={case.id: Reply(text="r") for case in questions})
        for model in ("m", "top")
    ]
    outputs = [output for output in OUTPUTS if output.key in (LEAD, "embedding_cosine")]
    scores = {
        (model, case.id): {
            o.key: MetricValue(metric=o.key, value=value if model == "m" else 1.0, version="1")
            for o in outputs
        }
        for model in ("m", "top")
        for case, value in zip(questions, values, strict=True)
    }
    found = figures_of("b", questions, asked, scores, outputs)
    return next(d for d in found.differences if d.metric == "embedding_cosine"), found.models[0]


def test_equal_models_have_no_clear_leader(tmp_path: Path) -> None:
    with ollama(lambda model, prompt: "hello there") as server:
        plan = Plan(
            models=("a", "b"),
            url=server.url,
            folder=small_set(tmp_path / "set"),
            output=tmp_path / "out",
            metrics=QUICK,
        )
        report = benchmark.run(plan, models={})
    assert report.title == "translation: a and b are level"
    assert "- translation: a and b are level over 10 cases.\n" in (
        tmp_path / "out" / "summary.md"
    ).read_text("utf-8")


def test_who_answered_only_the_easy_cases_does_not_lead_who_is_better_on_them(
    tmp_path: Path,
) -> None:
    def say(model: str, prompt: str) -> str:
        n = int(prompt.rsplit(" ", 1)[1])
        if model == "brief":
            return "" if n >= 10 else f"hello there friend {n} and" + " more" * (n % 2)
        return f"hello there friend {n}" if n < 10 else "nothing"

    with ollama(say) as server:
        plan = Plan(
            models=("brief", "whole"),
            url=server.url,
            folder=small_set(tmp_path / "set", 20),
            output=tmp_path / "o",
            metrics=QUICK,
        )
        report = benchmark.run(plan, models={})
    assert (one(report, "brief").ran, one(report, "whole").ran) == (10, 20)
    assert (
        report.title
        == "translation: brief has the highest mean, but whole is better on the cases that both answered"
    )


def test_failed_cases_are_counted_beside_and_stay_out_of_the_mean(tmp_path: Path) -> None:
    def say(model: str, prompt: str) -> str:
        return (
            ""
            if prompt in ("Translate 3", "Translate 4")
            else "hello there friend " + prompt.rsplit(" ", 1)[1]
        )

    with ollama(say) as server:
        plan = Plan(
            models=("m",),
            url=server.url,
            folder=small_set(tmp_path / "set"),
            output=tmp_path / "out",
            metrics=QUICK,
        )
        found = one(benchmark.run(plan, models={}), "m")
    assert (found.ran, found.failed, found.causes) == (8, 2, {"empty": 2})
    assert found.metrics["token_f1_set"].value == 1.0  # the two failures are no zeros
    assert found.metrics["token_f1_set"].n == 8
    assert [failure.case for failure in found.failures] == [
        "translation/03",
        "translation/04",
    ]
    written = (tmp_path / "out" / "translation.md").read_text("utf-8")
    assert "empty reply 2" in written and "m: no answer (empty reply)" in written


def test_a_missing_model_is_told_and_the_others_go_on(tmp_path: Path) -> None:
    with ollama(lambda model, prompt: None if model == "gone" else "hello there") as server:
        plan = Plan(
            models=("gone", "here"),
            url=server.url,
            folder=small_set(tmp_path / "set"),
            output=tmp_path / "out",
            metrics=QUICK,
        )
        report = benchmark.run(plan, models={})
    gone, here = report.models
    assert "ollama pull" in gone.error and "\n" not in gone.error
    assert here.error == ""
    assert (one(report, "gone").ran, one(report, "gone").causes) == (0, {"model_missing": 10})
    assert one(report, "here").ran == 10
    # the first refusal says it for all ten
    assert sum(model == "gone" for model, _ in server.asked) == 1


def test_nobody_at_the_address_leaves_earlier_reports_alone(tmp_path: Path) -> None:
    folder = small_set(tmp_path / "set")
    with ollama(lambda model, prompt: "hello there") as server:
        benchmark.run(
            Plan(
                models=("m",), url=server.url, folder=folder, output=tmp_path / "out", metrics=QUICK
            ),
            models={},
        )
    before = (tmp_path / "out/summary.md").read_bytes()
    plan = Plan(
        models=("other", "third"),
        url=server.url,
        folder=folder,
        output=tmp_path / "out",
        metrics=QUICK,
    )
    report = benchmark.run(plan, models={})
    assert [
        found.error.startswith("model other: found Ollama does not answer at")
        for found in report.models
    ] == [True, True]
    assert report.files == []
    assert (tmp_path / "out/summary.md").read_bytes() == before


def test_what_was_answered_is_never_asked_again(tmp_path: Path) -> None:
    folder = small_set(tmp_path / "set")
    dead = {"Translate 7"}
    heard: list[Heard] = []
    with ollama(lambda model, prompt: "" if prompt in dead else "hello there") as server:
        plan = Plan(
            models=("m",), url=server.url, folder=folder, output=tmp_path / "out", metrics=QUICK
        )
        first = benchmark.run(plan, models={})
        dead.clear()
        asked = len(server.asked)
        second = benchmark.run(plan, models={}, listen=heard.append)
        assert server.asked[asked:] == [("m", "Translate 7")]  # only the one that had failed
    assert (one(first, "m").ran, one(second, "m").ran, one(second, "m").known) == (
        9,
        10,
        9,
    )
    assert sorted(h.case for h in heard if not h.known) == ["translation/07"]
    assert heard[-1].done == heard[-1].total == 10


def test_a_wish_to_stop_from_elsewhere_is_heeded_and_what_was_bought_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "ALIVE", 0.0)
    folder = small_set(tmp_path / "set")
    place = tmp_path / "desk.db"
    wished = Event()

    def say(model: str, prompt: str) -> str:
        if prompt == "Translate 2":
            other = open_workspace(place)
            run_store.wish(other, 1, "stop")
            other.close()
            wished.set()
        time.sleep(0.7 * wished.is_set())  # the wish is looked for five times a second
        return "hello there"

    with ollama(say) as server:
        plan = Plan(
            models=("m", "n"),
            url=server.url,
            folder=folder,
            output=tmp_path / "out",
            metrics=QUICK,
            workspace=place,
        )
        report = benchmark.run(plan, models={})
        assert 3 <= len(server.asked) < 8
    found = one(report, "m")
    assert found.ran == len(server.asked)
    assert found.causes == {"not_asked": 10 - found.ran}
    assert one(report, "n").causes == {"not_asked": 10}
    ws = open_workspace(place)
    assert run_store.get_run(ws, 1).state == "stopped"
    ws.close()


def test_code_is_compared_without_its_fence_and_never_run(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    expected = "```python\ndef f(x):\n    return x + 1\n```"
    folder = cases(
        tmp_path / "set",
        code=[("Write f", expected), ("Write g", "```python\ndef g():\n    pass\n```")],
    )
    hostile = f"```python\nopen({str(mark)!r}, 'w').write('ran')\ndef g():\n    pass\n```"

    def say(model: str, prompt: str) -> str:
        return (
            "Here it is:\n```py\ndef f(x):\n    return x + 1\n```\nDone."
            if prompt == "Write f"
            else hostile
        )

    with ollama(say) as server:
        plan = Plan(
            models=("m",),
            url=server.url,
            folder=folder,
            benchmarks=("code",),
            output=tmp_path / "out",
        )
        report = benchmark.run(plan, models={})
    first = report.benchmarks[0].rows[0].answers[0].scores
    assert report.benchmarks[0].name == "codegen"
    assert (
        first["token_f1_set"].value,
        first["code_ast"].value,
        first["code_names"].value,
    ) == (1.0, 1.0, 1.0)
    assert "embedding_cosine" not in first
    assert not mark.exists()


def test_sentence_models_only_where_one_fits(tmp_path: Path) -> None:
    folder = cases(
        tmp_path / "set",
        translation=[
            ("Переведи", "The cat sleeps on the warm roof."),
            ("Translate", "Кошка спит на тёплой крыше дома."),
        ],
    )

    def say(model: str, prompt: str) -> str:
        return (
            "The cat sleeps on the warm roof."
            if prompt == "Переведи"
            else "Кошка спит на тёплой крыше дома."
        )

    with ollama(say) as server:
        plan = Plan(
            models=("m",),
            url=server.url,
            folder=folder,
            output=tmp_path / "out",
            metrics=("bertscore", "embedding"),
        )
        report = benchmark.run(plan, models={})
    english, russian = (row.answers[0].scores for row in report.benchmarks[0].rows)
    assert english["bertscore_f1"].value == pytest.approx(1.0, abs=0.01)
    assert russian["bertscore_f1"] == Score(None, "language")
    assert one(report, "m").metrics["bertscore_f1"].absent == {"language": 1}
    assert russian["embedding_cosine"].value == pytest.approx(1.0, abs=0.01)


def test_the_same_sets_come_to_the_review_desk(tmp_path: Path) -> None:
    with ollama(lambda model, prompt: "hello there") as server:
        plan = Plan(
            models=("a", "b"),
            url=server.url,
            folder=small_set(tmp_path / "set"),
            output=tmp_path / "out",
            metrics=QUICK,
            workspace=tmp_path / "desk.db",
            project="mt",
            rubric="correctness",
        )
        report = benchmark.run(plan, models={})
        again = benchmark.run(plan, models={})
        assert len(server.asked) == 20
    assert report.imported and as_dict(report.imported) == {
        "project": "mt",
        "questions": 10,
        "answers": 20,
        "new_versions": 0,
        "unchanged": 0,
        "bad": 0,
    }
    assert again.imported and as_dict(again.imported) == {
        "project": "mt",
        "questions": 0,
        "answers": 0,
        "new_versions": 0,
        "unchanged": 30,
        "bad": 0,
    }
    assert not (tmp_path / "out/benchmark.db").exists()
    ws = open_workspace(tmp_path / "desk.db")
    scope = Scope(Actor(), ws)
    assert projects.rubrics(ws, projects.get_project(ws, "mt"))[0].name == "correctness"
    assert overview.all_projects(scope).projects[0].name == "mt"
    assert run_page.run_page(scope, "mt").title
    assert runs.status(scope, "mt").state == "done"
    assert ws.check() == []
    ws.close()


def test_the_common_stub_speaks_the_same_protocol(tmp_path: Path) -> None:
    with provider_stub(say="hello there") as stub:
        plan = Plan(
            models=("m",),
            url=stub.root,
            folder=small_set(tmp_path / "set"),
            output=tmp_path / "out",
            metrics=QUICK,
        )
        assert one(benchmark.run(plan, models={}), "m").ran == 10
        assert stub.stats()["requests"] == 10
        stub.configure(faults={"server_error": 0.3}, say="hello you")
        plan = Plan(
            models=("n",), url=stub.root, folder=plan.folder, output=tmp_path / "out", metrics=QUICK
        )
        assert one(benchmark.run(plan, models={}), "n").ran == 10  # a failed send is repeated


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"models": ()}, "option --model: found none"),
        ({"benchmarks": ("poetry",)}, "benchmark 'poetry': found no such folder"),
        ({"metrics": ("vibes",)}, "metric 'vibes': found no such metric"),
        ({"rubric": "nothing"}, "rubric 'nothing': found no such rubric"),
        ({"folder": Path("/nowhere")}, "folder /nowhere: found no benchmark"),
    ],
)
def test_what_does_not_fit_is_said_before_any_call(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    given = {
        "models": ("m",),
        "url": "http://127.0.0.1:9",
        "folder": small_set(tmp_path / "set"),
        "output": tmp_path / "out",
        **change,
    }
    with pytest.raises((InputError, UsageError), match=message):
        benchmark.run(Plan(**given), models={})
    assert not (tmp_path / "out").exists()


def test_a_broken_case_is_named_before_any_call(tmp_path: Path) -> None:
    folder = small_set(tmp_path / "set")
    (folder / "translation" / "99.txt").write_text("no line", "utf-8")
    with pytest.raises(InputError, match=r"translation/99.txt, line 1: found no separating line"):
        benchmark.run(Plan(models=("m",), folder=folder, output=tmp_path / "out"), models={})
