"""Checking cases, and having a model write new ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.core.errors import InputError, ProviderError
from graders.workflows.benchmarks import benchmark
from graders.workflows.benchmarks.benchmark import BUNDLED
from tests.support.ollama_answers import ollama
from tests.workflows.benchmarks.test_benchmark import cases

GOOD = "Translate: the sky is {n}.\n=== separator ===\nНебо {n}."


def test_the_bundled_cases_are_sound() -> None:
    checked = benchmark.check(BUNDLED)
    assert checked.problems == ()
    assert checked.cases == {"codegen": 20, "summarization": 20, "translation": 20}


def test_every_kind_of_nonsense_is_found(tmp_path: Path) -> None:
    root = cases(
        tmp_path / "set",
        translation=[("One", "Один"), ("ONE ", "Ещё один"), ("Two", "two"), ("Three", "Три")],
        code=[
            ("Write f", "```python\ndef f(:\n```"),
            ("Write g", "```python\ndef g(): pass\n```"),
            ("Write h", "```go\nfunc h( {\n```"),
        ],
    )
    (root / "translation" / "99.txt").write_text("\n=== separator ===\nx", "utf-8")
    checked = benchmark.check(root)
    assert [(p.file, p.found.split(" (")[0]) for p in checked.problems] == [
        ("codegen/00.txt", "Python that does not parse"),
        ("translation/01.txt", "the prompt of translation/00.txt"),
        ("translation/02.txt", "the prompt again"),
        ("translation/99.txt", "nothing"),
    ]
    assert checked.cases == {"codegen": 2, "translation": 2}


def test_two_folders_of_one_name_cannot_hold_the_same_case(tmp_path: Path) -> None:
    root = cases(
        tmp_path / "set",
        code=[("Write f", "def f(): pass")],
        codegen=[("Write g", "def g(): pass")],
    )
    assert [p.found for p in benchmark.check(root).problems] == ["another case called codegen/00"]


@pytest.mark.parametrize(
    ("name", "found"), [("missing", "no such folder"), ("empty", "no text files")]
)
def test_a_folder_without_cases_is_said(tmp_path: Path, name: str, found: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=found):
        benchmark.check(tmp_path / name)


def test_new_cases_are_written_beside_those_that_are_there(tmp_path: Path) -> None:
    root = cases(tmp_path / "set", translation=[("Old", "Старый")])
    (root / "translation" / "en-01.txt").write_text(GOOD.format(n=0), "utf-8")
    numbers = iter(range(1, 100))
    with ollama(lambda model, prompt: GOOD.format(n=next(numbers))) as server:
        made = benchmark.generate(root, count=3, category="translation", model="m", url=server.url)
    # English and Russian by turns
    assert [path.name for path in made.written] == [
        "en-02.txt",
        "ru-01.txt",
        "en-03.txt",
    ]
    assert made.refused == ()
    assert (root / "translation/en-01.txt").read_text("utf-8") == GOOD.format(n=0)
    assert "=== разделитель ===" in (root / "translation/ru-01.txt").read_text("utf-8")
    assert benchmark.check(root).problems == ()
    first, last = server.asked[0][1], server.asked[-1][1]
    assert "in English" in first and "- Translate: the sky is 0." in first
    assert "- Translate: the sky is 2." in last  # what was just written is taken too


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("Here is a case for you!", "no separating line"),
        ("Say it\n=== separator ===\nSay it", "the prompt again"),
        ("Old\n=== separator ===\nAnders", "another case has"),
        ("", "empty"),
    ],
)
def test_an_invalid_case_is_not_written_and_the_reason_is_told(
    tmp_path: Path, reply: str, why: str
) -> None:
    root = cases(tmp_path / "set", translation=[("Old", "Старый")])
    with ollama(lambda model, prompt: reply) as server:
        made = benchmark.generate(root, count=1, category="translation", model="m", url=server.url)
    assert made.written == ()
    assert [category for category, _ in made.refused] == ["translation"]
    assert why in made.refused[0][1]
    assert [path.name for path in (root / "translation").iterdir()] == ["00.txt"]


def test_no_prompt_is_kept_in_two_categories(tmp_path: Path) -> None:
    """Neither one that another category had before, nor one that it got in the same run."""
    root = cases(tmp_path / "set", translation=[("Say  OLD", "Старый")])
    same = ["Say OLD\n=== separator ===\nAlt", "def-free text\n=== separator ===\nText"]
    with ollama(lambda model, prompt: same[0]) as server:
        made = benchmark.generate(
            root, count=1, category="summarization", model="m", url=server.url
        )
    assert made.written == () and "another case has" in made.refused[0][1]
    assert "Say OLD" not in server.asked[0][1]  # other categories' prompts are no examples
    with ollama(lambda model, prompt: same[1]) as server:
        made = benchmark.generate(root, count=2, category="all", model="m", url=server.url)
    assert [path.parent.name for path in made.written] == ["translation"]
    assert {category for category, _ in made.refused} == {
        "translation",
        "summarization",
        "codegen",
    }
    assert benchmark.check(root).problems == ()


def test_a_fence_around_the_whole_case_is_taken_off_and_a_second_try_may_do(tmp_path: Path) -> None:
    replies = iter(["no case", "```\n" + GOOD.format(n=5) + "\n```"])
    with ollama(lambda model, prompt: next(replies)) as server:
        made = benchmark.generate(
            tmp_path / "set", count=1, category="translation", model="m", url=server.url
        )
    assert [path.read_text("utf-8") for path in made.written] == [
        "Translate: the sky is 5.\n\n=== separator ===\n\nНебо 5.\n"
    ]


def test_the_prompt_of_a_category_can_be_edited(tmp_path: Path) -> None:
    root = cases(tmp_path / "set", poems=[("Old", "Rose")])
    (root / "prompts").mkdir()
    (root / "prompts" / "poems.txt").write_text("A poem task {language}. Taken:\n{taken}", "utf-8")
    with ollama(lambda model, prompt: GOOD.format(n=1)) as server:
        benchmark.generate(root, count=1, category="poems", model="m", url=server.url)
    assert server.asked[0][1] == "A poem task in English. Taken:\n- Old"
    with pytest.raises(InputError, match="found no prompt for it"):
        benchmark.generate(root, count=1, category="riddles", model="m", url=server.url)


def test_a_missing_model_is_one_sentence(tmp_path: Path) -> None:
    with (
        ollama(lambda model, prompt: None) as server,
        pytest.raises(ProviderError, match=r"model gone: .*ollama pull"),
    ):
        benchmark.generate(tmp_path / "set", count=1, category="all", model="gone", url=server.url)
    assert not (tmp_path / "set").exists()
