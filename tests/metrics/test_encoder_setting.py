"""A model that the environment names, from `cograde import` and `cograde grade` to the stored
value."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from graders.__main__ import main
from graders.store.workspace import open_workspace

RUBRIC = "rubric: near\ncriteria:\n  near: {question: Does it say the same?, scale: {from: 1, to: 5}, graders: [embedding]}\n"
TABLE = """question,reference,Ash
Where is the cat now?,the cat sat on the mat,a cat ran home
Where is the dog now?,the dog ran home,the dog ran home
Where are both of them?,the dog sat on a cat,the mat sat on a cat
"""


def test_the_environments_model_gives_the_stored_values(
    tiny_model: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from sentence_transformers import SentenceTransformer

    (tmp_path / "near.yaml").write_text(RUBRIC, "utf-8")
    (tmp_path / "answers.csv").write_text(TABLE, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COGRADE_ENCODER", str(tiny_model))
    monkeypatch.setenv("COGRADE_WORKSPACE", "study.db")
    assert main(["import", "answers.csv", "--rubric", "near.yaml"]) == 0
    assert "Whether rows slipped was not checked" not in capsys.readouterr().err
    assert main(["grade", "--yes"]) == 0
    ws = open_workspace(tmp_path / "study.db")
    stored = ws.db.execute(
        "SELECT value, version FROM metric_value WHERE metric = 'embedding_cosine' ORDER BY subject_id"
    ).fetchall()
    theirs = SentenceTransformer(str(tiny_model), device="cpu")
    pairs = [line.split(",")[1:] for line in TABLE.splitlines()[1:]]
    cosines = [
        float(np.prod(theirs.encode(pair, normalize_embeddings=True), axis=0).sum())
        for pair in pairs
    ]
    # The same answer as its reference; the model computes in bfloat16 where the processor does.
    assert cosines[1] == pytest.approx(1.0)
    assert [row["value"] for row in stored] == pytest.approx(cosines, abs=0.02)
    assert [row["version"].split("@")[0] for row in stored] == ["1;tiny"] * 3
    # Another model in the settings: its values take the place of the first one's.
    shutil.copytree(tiny_model, tmp_path / "other")
    monkeypatch.setenv("COGRADE_ENCODER", str(tmp_path / "other"))
    assert main(["grade", "--yes"]) == 0
    again = ws.db.execute(
        "SELECT version FROM metric_value WHERE metric = 'embedding_cosine'"
    ).fetchall()
    assert [row["version"].split("@")[0] for row in again] == ["1;other"] * 3
