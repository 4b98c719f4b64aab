"""`cograde labels` and the option of `cograde import`: how imported labels were chosen."""

from __future__ import annotations

from pathlib import Path

from tests.commands.runner import Line


def test_the_terminal_states_and_shows_it(cograde: Line, tmp_path: Path) -> None:
    table = "question,model,answer,rating,rater\n" + "".join(
        f"Q{i}?,Ash,A{i},{'Yes' if i % 3 else 'No'},mira\n" for i in range(12)
    )
    file = tmp_path / "rated.csv"
    file.write_text(table, "utf-8")
    at = ("--workspace", tmp_path / "w.db")
    rated = (*at, "--column", "rating=verdict")
    done = cograde.bare("import", file, *rated, "--yes")
    assert done.code == 0 and "12 labels of people: how their answers were chosen" in done.err
    shown = cograde.bare("labels", *at)
    assert shown.out.split()[:5] == ["1", "unknown", "12", "labels", "of"]
    changed = cograde.bare("labels", "--chosen", "all", "--json", *at)
    assert [row["chosen"] for row in changed.json] == ["all"]
    assert cograde.bare("labels", "--chosen", "some", *at).code == 2
    other = cograde.bare(
        "import", file, *rated, "--project", "two", "--labels-chosen", "random", "--yes"
    )
    assert "how their answers were chosen" not in other.err
    assert cograde.bare("labels", "--project", "two", "--json", *at).json[0]["chosen"] == "random"
    assert cograde.bare("import", file, *at, "--labels-chosen", "some").code == 2
    stated = ("--labels-chosen", "random", "--labels-blind", "--yes")
    cograde.bare("import", file, *rated, "--project", "three", *stated)
    assert "stated to be blind" in cograde.bare("labels", "--project", "three", *at).out
    after = cograde.bare("labels", "--project", "three", "--not-blind", *at)
    assert after.code == 0 and "blind" not in after.out
