"""A wrong value of an option: the same exit code everywhere, and the option named as it was
typed."""

from __future__ import annotations

import shlex

import pytest

from graders.store.workspace import open_workspace
from tests.commands.runner import Line
from tests.store import small

#: (command line, the option that is named): what no workspace could make right
WRONG = (
    ("grade --metric blue", "--metric"),
    ("grade --panel mean --judge a:b --judge c:d", "--panel"),
    ("grade --judge openai:m --panel median", "--panel"),
    ("grade --judge openai:m --base-url anthropic=http://127.0.0.1:9", "--base-url"),
    ("grade --judge openai:m --key-variable KEY", "--key-variable"),
    ("grade --try 3", "--judge"),
    ("grade --concurrency 0", "--concurrency"),
    ("grade --timeout 0", "--timeout"),
    ("grade --budget -1", "--budget"),
    ("grade --max-calls some", "--max-calls"),
    ("order --set best", "--set"),
    ("gold mark 1 --for fun", "--for"),
    ("pairs --design some", "--design"),
    ("pairs --per-question 0", "--per-question"),
    ("leaderboard --show all", "--show"),
    ("leaderboard --weight relevance", "--weight"),
    ("leaderboard --task-type hard", "--task-type"),
    ("compare Ash Oak --show all", "--show"),
    ("promise terms --alpha 2", "--alpha"),
    ("promise terms --alpha 0", "--alpha"),
    ("promise draw --answers 0", "--answers"),
    ("promise draw --answers 9 --task-type hard", "--task-type"),
    ("promise plan --people 2 --hours 0", "--hours"),
    ("controls seed --share 2", "--share"),
    ("anchors draw --count 0", "--count"),
    ("agree --population some", "--population"),
    ("agree --only chess", "--only"),
    ("export --output x.csv --format doc", "--format"),
    ("report --output x.html --format doc", "--format"),
    ("judges set strict --judge openai:m --slot top", "--slot"),
    ("judges set strict --judge openai:m --top-p 3", "--top-p"),
    ("workshop try strict --examples all", "--examples"),
    ("collect --model openai:m --concurrency none", "--concurrency"),
    ("import answers.csv --layout tall", "--layout"),
    ("import answers.csv --encoding utf-99", "--encoding"),
    ("import answers.csv --column question=quest", "--column"),
)
#: What only this workspace does not have, or this file.
MISSING = (
    ("leaderboard --better Ash --than Elm", "--than"),
    ("import answers.csv --column nothing=question", "--column"),
)


@pytest.mark.parametrize(("lines", "code"), [(WRONG, 2), (MISSING, 1)], ids=["wrong", "missing"])
def test_the_code_and_the_option(
    lines: tuple[tuple[str, str], ...],
    code: int,
    cograde: Line,
    tmp_path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    small.study(tmp_path, open_workspace(cograde.workspace), count=1, models=("Ash", "Oak"))
    (tmp_path / "answers.csv").write_text("question,model,answer\nWhy?,Ash,Because.\n")
    monkeypatch.chdir(tmp_path)
    done = {line: cograde(*shlex.split(line)) for line, _ in lines}
    assert {line: found.code for line, found in done.items()} == dict.fromkeys(done, code)
    if nothing := done.get("promise terms --alpha 0"):
        assert "A sample cannot show that there are no errors at all." in nothing.err
    assert [
        (line, option, done[line].err)
        for line, option in lines
        if not (f"option {option}:" in done[line].err or f"'{option}'" in done[line].err)
    ] == []
