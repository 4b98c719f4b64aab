"""The how-to of importing: its commands run as they stand there, and print what it shows."""

from __future__ import annotations

import csv
import re
import shlex
from pathlib import Path

import pytest

from tests.commands.runner import Line
from tests.support.documents import blocks, text

DOCUMENT = "docs/import.md"
TABLE = "question,model,answer,seconds\nWhen?,Ash,At 8.,1.5\nWhere?,Ash,In the hall.,soon\n"


def test_a_bad_row_is_mended_in_a_file_of_its_own(
    cograde: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("answers.csv").write_text(TABLE, "utf-8")
    _, block = blocks(DOCUMENT, "console")
    line, shown = block.split("\n", 1)
    done = cograde.bare(*shlex.split(line)[2:])
    assert done.code == 0 and shown in done.out + done.err, done.out + done.err
    with Path("to-mend.csv").open(encoding="utf-8-sig", newline="") as file:
        (row,) = rows = list(csv.DictReader(file))
    added = {name for name in row if name.startswith("cograde_")}
    assert added == set(re.findall(r"`(cograde_\w+)`", text(DOCUMENT)))
    with Path("to-mend.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(row))
        writer.writeheader()
        writer.writerows({**row, "seconds": "2"} for row in rows)
    again = cograde.bare("import", "to-mend.csv", "--project", "support", "--yes")
    assert "1 answer" in again.out and "0 bad" in again.out, again.out + again.err


def test_blind_ratings_of_random_answers_wait_by_half(
    cograde: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("graders.store.projects.secrets.randbelow", lambda below: 7)
    rows = (f"What is {i}?,Ash,It is {i}.,{'Yes' if i % 9 else 'No'},mira" for i in range(40))
    Path("rated.csv").write_text(
        "\n".join(["question,model,answer,correctness,rater", *rows]), "utf-8"
    )
    block, _ = blocks(DOCUMENT, "console")
    for words, shown in re.findall(r"^\$ cograde (.*)\n((?:(?!\$ ).*\n)*)", block, flags=re.M):
        done = cograde.bare(*shlex.split(words))
        said = done.out + done.err
        assert done.code == 0 and shown and shown in said, said
