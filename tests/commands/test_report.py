"""`cograde report` and the how-to; `agree`, `risk` and `ranking` say the same in text, JSON and
exit codes."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from types import SimpleNamespace as Row

import pytest

from graders.statistics.resampling import Estimate
from graders.workflows.leaderboard import ranking
from graders.workflows.leaderboard.board import Row as ModelRow
from graders.workflows.promise import risk
from tests.commands.runner import Line

ROOT = Path(__file__).parents[2]
STEPS = re.findall(r"^\$ (cograde .*)$", (ROOT / "docs/report.md").read_text("utf-8"), flags=re.M)
P = ("--project", "autumn-study")


def test_the_how_to_runs_and_the_gates_agree(
    demo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(demo, tmp_path / "cograde.db")
    line = Line(tmp_path / "cograde.db", capsys)
    assert len(STEPS) == 3
    for step in STEPS:
        done = line.bare(*shlex.split(step)[1:])
        assert done.code == 0, (step, done.err)
    found = done.json
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "<b>Illustrative.</b> Sample verdicts written for the demo" in page and (
        tmp_path / "report.xlsx"
    ).read_bytes().startswith(b"PK")
    assert found["illustrative"] and "**Illustrative.**" in (tmp_path / "figures.md").read_text(
        "utf-8"
    )
    firsts = [one for one in found["findings"] if one["section"] != "progress"]
    assert len(firsts) > 4 and all(f">{one['words']}</a>" in page for one in firsts)
    assert all(f"<li>{words}</li>" in page for words in found["missing"])
    same_figures(line, found)
    refused = line("report", *P, "--output", tmp_path / "report.html")
    assert refused.code == 1 and "overwrite it with --force" in refused.err
    (tmp_path / "figures.md").rename(tmp_path / "figures.markdown")
    assert line("report", *P, "--output", tmp_path / "figures.markdown").err == refused.err.replace(
        "report.html", "figures.markdown"
    )
    gated = line("report", *P, "--output", tmp_path / "report.html", "--force", "--gate")
    exits = {gate["exit"] for gate in found["gates"]} - {0}
    assert exits and gated.code == found["exit"] == min(exits)


def same_figures(line: Line, found: dict) -> None:
    """Every value that is printed as text is the document's, and the exit codes are those of the
    gates."""
    agree, told = line("agree", *P, "--gate", "--json"), line("agree", *P, "--gate")
    for criterion in agree.json["criteria"]:
        for judge in criterion["judges"]:
            value = judge["shown"]["value"]
            assert (value is None or f"{value:.4f}" in told.out) and judge["verdict"][
                "word"
            ] in told.out
    routes, said = line("risk", *P, "--json"), line("risk", *P)
    assert all(
        f"({row['cells']} cells, {row['labels']} labelled): {row['state']}" in said.out
        for row in routes.json["rows"]
    )
    board, ranked = line("leaderboard", *P, "--json"), line("leaderboard", *P)
    assert all(f"{row['figure']['value']:.1f}" in ranked.out for row in board.json["models"])
    codes = {
        "agree --gate": (agree.code, told.code),
        "risk": (routes.code, said.code),
        "leaderboard": (board.code, ranked.code),
    }
    assert {gate["command"]: (gate["exit"], gate["exit"]) for gate in found["gates"]} == codes
    # The report's own tables hold these values.
    tables = {
        table["title"]: table["rows"]
        for section in found["sections"]
        for table in section["tables"]
    }
    # a criterion that no drawn answer has says so and has none
    values = [row[3]["value"] for row in tables["Agreement"] if row[3]]
    assert values == [j["shown"]["value"] for c in agree.json["criteria"] for j in c["judges"]]
    assert [row[2]["value"] for row in tables["Models"]] == [
        row["figure"]["value"] for row in board.json["models"]
    ]


@pytest.mark.parametrize(
    "rows, code",
    [
        ([], 5),
        ([Row(state=risk.PROVEN, tested=True, missing=None)], 0),
        ([Row(state=risk.BY_RULE, tested=False, missing=None)], 5),
        ([Row(state=risk.UNPROVEN, tested=True, missing=12)], 5),
        (
            [
                Row(state=risk.PROVEN, tested=True, missing=None),
                Row(state=risk.UNPROVEN, tested=True, missing=None),
            ],
            4,
        ),
    ],
)
def test_the_gate_of_risk(rows: list[Row], code: int) -> None:
    assert risk.gate(rows) == code


def test_the_gate_of_the_leaderboard() -> None:
    sure, open_, none = (
        ModelRow(name, None, None, figure, None, None, None)
        for name, figure in (
            ("Ash", Estimate(0.5, 0.4, 0.6, 90, 30, "OK", "", "t")),
            ("Oak", Estimate(0.5, 0.4, 0.6, 90, 9, "INCONCLUSIVE", "few", "t")),
            ("Elm", None),
        )
    )
    assert ranking.gate([sure, open_]) == 0
    assert ranking.gate([open_, none]) == 5
