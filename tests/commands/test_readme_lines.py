"""The commands that README, CONTRIBUTING and docs/pages.md name inside their sentences, typed on one
study."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from graders.workflows.runs import runs
from tests.commands.runner import Line
from tests.support import routed
from tests.support.documents import text
from tests.support.stub import provider_stub
from tests.support.studies import bring
from tests.workflows.leaderboard.test_compare import versions

SENTENCES = "".join(map(text, ("README.md", "CONTRIBUTING.md", "docs/pages.md")))
RUBRIC = """
rubric: more
criteria:
  better: {question: Which answer is better?, scale: [A, tie, B]}
  polite: {question: Is it polite?, scale: [No, Yes], graders: [judge]}
"""
LONG = "The pool opens at 8 in the morning. It closes at 22 on weekdays. In August it is closed for 3 weeks, because the water is changed."
VALUES = {"relevance": "relevant", "completeness": 3, "tone": "dry", "polite": "Yes"}
JUDGE = "cograde grade --judge openai:gpt-4o-mini --concurrency 32 --budget 5"
#: (as the documents have it, what is typed behind it, exit code, what it prints); the name of a group
#: stands for its verbs
LINES = (
    ("cograde serve", "", 0, ""),
    ("cograde serve --workspace study.db", "", 0, ""),
    # tests/commands/test_collect.py and test_benchmark.py run these
    (
        "cograde collect",
        "--help",
        0,
        "Example: cograde collect",
    ),
    ("cograde benchmark", "--help", 0, "Example: cograde benchmark"),
    ("cograde rubric", "put more.yaml", 0, "more is in force."),
    # of answers that nobody gave a worst value, as judges below may
    (
        "cograde controls seed",
        "--share 1",
        0,
        "New copies: ",
    ),
    # of this address; so the calls are limited
    (
        JUDGE,
        "--yes",
        1,
        "option --budget: found no known price of openai:gpt-4o-mini, expected a price, to keep to the budget. Limit the number of calls instead (command line: --max-calls)",
    ),
    (JUDGE, "--max-calls 4 --yes", 3, "4 of 122 calls"),
    ("cograde grade --resume", "--max-calls 200", 0, "122 of 122 calls"),
    ("cograde pause", "", 0, "Run 2: queued"),
    ("cograde grade --resume", "", 0, "Run 2: done"),
    ("cograde stop", "", 0, "Run 3: stopped"),
    ("cograde order", "", 0, "adaptive: "),
    ("cograde adjudicate", "list", 0, "One annotator so far; "),
    ("cograde gold", "list", 0, "No settled cell is marked."),
    ("cograde agree --gate", "", 5, "openai:gpt-4o-mini graded other criteria only"),
    (
        "cograde anchoring",
        "",
        5,
        "No screen was blind for one person and assisted for another yet.",
    ),
    ("cograde risk", "", 5, "draw 1, "),
    ("cograde promise", "plan --people 2 --hours 6", 0, "answers and pairs at random."),
    # the interval of the difference holds 0, so the order is not told
    ("cograde leaderboard --better new --than old", "", 5, "Cannot be told apart: old, new."),
    ('cograde compare new old --gate "not worse by 2"', "", 5, "60 questions that both answered."),
    ("cograde pairs", "", 0, "pairs drawn, 0 were there."),
    ("cograde anchors", "draw --count 5", 0, "5 of 61 questions are anchors."),
    ("cograde elect", "show", 0, "No question has an election"),
    ("cograde faults NAME", "", 0, "Right count of the wrong thing"),
    ("cograde sheet write", "study.xlsx", 0, "Cells written: "),
    ("cograde sheet read --person Ann", "study.xlsx", 0, "Verdicts: 0, unchanged: "),
    ("cograde status", "", 0, "122 answers of 3 models"),
)


def test_the_commands_in_its_sentences(
    cograde: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert {line for line, *_ in LINES} == set(re.findall(r"`(cograde [^`]*)`", SENTENCES))
    scope = versions(tmp_path)
    question, answer = (
        {"id": "pool", "text": "When is the pool open?"},
        {"question_id": "pool", "model": "other", "text": LONG},
    )
    bring(scope, tmp_path, questions=[question], answers=[answer])
    monkeypatch.chdir(tmp_path)
    Path("more.yaml").write_text(RUBRIC, "utf-8")
    with provider_stub() as stub:
        monkeypatch.setenv("OPENAI_API_KEY", "nobody")
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        for line, more, code, says in LINES:
            typed = (
                line.replace("--budget 5", "")
                if "--max-calls" in more
                else line.replace("NAME", "wrong_thing_counted")
            )
            command, *words = shlex.split(f"{typed} {more}")[1:]
            if command in ("pause", "stop"):
                runs.start(scope, "study", {})
            elif command == "promise":
                routed.grade(
                    scope,
                    "mira",
                    lambda criterion, _: VALUES[criterion.rpartition("/")[2]],
                    screens=3,
                )
            done = (
                cograde.bare(command, *words)
                if command in ("faults", "benchmark")
                else cograde(command, *words, "--project", "study")
            )
            assert (done.code, says in done.out + done.err) == (code, True), (
                f"{line} {more}\n{done.out}\n{done.err}"
            )
        assert stub.stats()["requests"] == 122  # one call an answer
        plan = cograde(*shlex.split(JUDGE)[1:], "--plan", "--project", "study").out
        # every cell of answers is known; of the pairs drawn above each is asked about in both
        # orders
        assert (
            " answers and " in plan
            and " pairs of answers; rules none" in plan
            and "122 answers are done" in plan
        )
        copies = cograde("grade", "--yes", "--project", "study-seeded")
        assert (
            copies.out.rstrip()
            .splitlines()[-1]
            .startswith("Next: cograde controls detection --project study --workspace ")
        )
