"""``cograde elect``: shown, appointed, given back, counted again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands.runner import Done, Line
from tests.workflows.measuring.test_elect import bring


def test_the_words_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bring(
        tmp_path, {"Ash": ("relevant", 5), "Oak": ("relevant", 4), "Elm": ("relevant", None)}
    ).ws.close()
    line = Line(tmp_path / "work.db", capsys)

    def run(word: str, *words: str) -> Done:
        return line.bare("elect", word, "--workspace", tmp_path / "work.db", *words)

    assert run("show").out == "q: none yet; the votes were never counted\n"
    assert run("again").out.startswith(
        "Questions with another result: 1.\nComputed again, with another value: length ratio of 3 answers, token f1 of 3 answers"
    )
    assert run("show").out == "q: Ash, elected with 2 of 2; without all their values: 1 of 3\n"
    assert "\n★ Ash: Relevance 1.00, Clarity 1.00, 67 characters\n" in run("show", "q").out
    done = run("appoint", "q", "Oak")
    assert done.out.startswith(
        "Oak, appointed by lead\nComputed again, with another value: token f1 of 2 answers, token f1 set of 2 answers."
    )
    assert run("show", "q", "--json").json["kind"] == "appointed"
    assert run("appoint", "q", "--back").out.startswith("Ash, elected with 2 of 2")
    assert run("appoint", "q").code == 2
    failed = run("appoint", "q", "Yew")
    assert failed.code == 1 and "expected one of Ash, Oak, Elm. Choose one of these." in failed.err
