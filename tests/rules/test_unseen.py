"""Cases that nobody tuned to: they load, count as they should, and have one first run."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.benchmarks import bench_faults_unseen as bench
from tests.rules import unseen

LINES = (
    {
        "fault": "refusal_talk",
        "kind": "fault",
        "question": "What is a comet?",
        "answer": "I'm sorry, but I can't help with that.",
        "note": "refuses",
    },
    {
        "fault": "refusal_talk",
        "kind": "clean",
        "question": "What is a comet?",
        "answer": "A ball of ice and dust on its way around the sun.",
        "note": "",
    },
    {
        "fault": "refusal_talk",
        "kind": "lookalike",
        "question": "What is a comet?",
        "answer": "A ball of ice and dust. <|im_end|>",
        "note": "another rule names a fault",
    },
)


def written(folder: Path, lines: tuple[dict[str, str], ...] = LINES) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "en.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
    return folder


OPEN = [name for name in bench.SETS if name != "kept"]


@pytest.mark.parametrize("name", OPEN)
def test_an_open_set_is_whole_and_has_its_first_run(name: str) -> None:
    folder = bench.SETS[name]
    cases, aside = unseen.load(folder), unseen.set_aside(folder)
    assert bench.first_run(folder) is not None
    kinds = Counter((case.language, case.kind) for case in cases)
    assert len(cases) + len(aside) == 816 and len(aside) <= 0.03 * 816
    assert all(one["reason"] for one in aside)
    assert {language for language, _ in kinds} == {"en", "ja", "ru", "zh"}


@pytest.mark.parametrize("name", OPEN)
def test_the_flags_of_a_first_run_are_those_behind_its_figures(name: str) -> None:
    run = bench.first_run(bench.SETS[name]) or {}
    right = {
        fault: sum(row[1] for row in languages.values())
        for fault, languages in run["flags"].items()
    }
    found = {fault: row["found"] for fault, row in run["faults"].items() if row["found"]}
    assert {fault: n for fault, n in right.items() if n} == found


def test_a_flag_on_an_answer_with_another_fault_counts_nowhere(tmp_path: Path) -> None:
    cases = unseen.load(written(tmp_path / "set"))
    told = [(case, {"refusal_talk", "cut_off"}) for case in cases]
    assert unseen.flags(told) == {"cut_off": {"en": [2, 0]}, "refusal_talk": {"en": [3, 1]}}


def test_first_runs_of_spent_sets_stand() -> None:
    """What was found before anything was tuned to a set stays said, missed or not."""
    recalls = {
        name: (bench.first_run(bench.SETS[name]) or {})["languages"]["all"]["recall"]
        for name in OPEN[:4]
    }
    assert recalls == {"open 1": 0.5931, "open 2": 0.7794, "open 3": 0.8848, "open 4": 0.875}
    told = bench.bars("open 2, first run", bench.first_run(bench.SETS["open 2"]) or {})
    assert not next(iter(told))["met"]


def test_a_fault_of_another_rule_is_a_false_flag_where_there_is_none(tmp_path: Path) -> None:
    counted = unseen.count(unseen.named(unseen.load(written(tmp_path / "set"))))
    whole = counted["all", "all"]
    assert (whole.share("fault"), whole.share("clean"), whole.share("lookalike")) == (1, 0, 1)
    assert unseen.figures(counted)["faults"] == {
        "refusal_talk": {"found": 1, "of": 1, "upper": 1.0}
    }


def test_a_case_set_aside_counts_nowhere(tmp_path: Path) -> None:
    folder = written(tmp_path / "set")
    (folder / "set_aside.yaml").write_text(
        "- {language: en, question: What is a comet?, answer_begins: A ball of ice and dust on, "
        "reason: none}\n",
        "utf-8",
    )
    assert [case.kind for case in unseen.load(folder)] == ["fault", "lookalike"]


def test_a_first_run_is_made_once(tmp_path: Path) -> None:
    folder = written(tmp_path / "set")
    made = bench.run_first(folder)
    assert made["set"] == unseen.hash_of_set(folder) and made["rules"] == unseen.hash_of_rules()
    assert bench.first_run(folder) == json.loads((folder / "first_run.json").read_text())[0] == made
    with pytest.raises(ValueError, match="A second one is none"):
        bench.run_first(folder)
    # Another order is the same set; another case is a new one.
    written(folder, LINES[::-1])
    with pytest.raises(ValueError, match="A second one is none"):
        bench.run_first(folder)
    written(folder, LINES[:2])
    assert bench.first_run(folder) is None
    assert bench.run_first(folder)["set"] != made["set"]


def test_the_bench_shows_the_first_run_beside_today(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = written(tmp_path / "kept")
    monkeypatch.setattr(bench, "SETS", {"kept": kept})
    monkeypatch.setattr(bench, "ROOT", tmp_path)
    monkeypatch.setattr(bench, "DATA", tmp_path / "gone")
    *_, first, real = [row["name"] for row in bench.main()]
    assert first == "unseen faults, kept: its first run has not been made"
    assert real == "unseen faults, real answers: no data in ../shared/data"
    day = bench.run_first(kept)["day"]
    names = [row["name"] for row in bench.main()]
    assert "unseen faults, kept: recall" in names
    assert f"unseen faults, kept, first run of {day}: recall" in names


def test_without_its_cases_a_set_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench, "SETS", {"kept": tmp_path / "kept"})
    monkeypatch.setattr(bench, "ROOT", tmp_path)
    monkeypatch.setattr(bench, "DATA", tmp_path / "gone")
    row = bench.main()[0]
    assert row["met"] is None and row["name"] == "unseen faults, kept: no cases in kept yet"
    with pytest.raises(ValueError, match="no cases there"):
        bench.run_first(tmp_path / "kept")
