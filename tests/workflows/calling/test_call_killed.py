"""kill -9 in the middle of a run, then run again: what was bought is not bought twice."""

import json
import time
from pathlib import Path

import pytest

from graders.store.calls.runs import add_run, claim
from graders.store.projects import add_project
from graders.store.workspace import open_workspace
from tests.support import forked
from tests.support.stub import provider_stub

ANSWERS, AT_ONCE = 240, 24
SCRIPT = """
import asyncio, sys
from graders.core.records import Answer, Question, Subject
from graders.core.rubric import read_rubric
from graders.judges.llm import LLMJudge
from graders.providers.openai_chat import OpenAIChat
from graders.store.calls.ledger import SqlLedger
from graders.store.projects import get_project
from graders.store.workspace import open_workspace
from graders.workflows.calling.call import Delivery, call_all

path, run, base_url, answers, at_once = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
workspace = open_workspace(path)
rubric = read_rubric("rubric: r\\ncriteria: {a: {}, b: {}}")
question = Question(id="q", text="Name a tree.")
subjects = {s.key: s for s in (Subject(question, Answer(question_id="q", model=f"m{i}", text=f"Oak {i}.")) for i in range(answers))}
judge = LLMJudge(model="stub", secret="s")
report = asyncio.run(call_all(
    judge.requests(list(subjects.values()), rubric, rubric.criteria),
    Delivery(
        provider=OpenAIChat(base_url=base_url, api_key="k"),
        ledger=SqlLedger(workspace, get_project(workspace, "p"), run),
        address=base_url,
        concurrency=at_once,
    ),
    read=lambda request, reply: judge.read(request, reply, subjects, rubric),
    on_outcomes=lambda group: None,
))
print(report.usable, report.known, report.sends)
"""


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_a_killed_run_asks_again_only_what_was_on_the_way(tmp_path: Path, share: float):
    path = tmp_path / "w.db"
    workspace = open_workspace(path)
    project = add_project(workspace, "p")

    def start(stub):
        run = add_run(workspace, project, {}, {}, "test")
        claim(workspace, run)
        (tmp_path / "script.py").write_text(SCRIPT, "utf-8")
        return forked.start(
            [tmp_path / "script.py", path, run, stub.base_url, ANSWERS, AT_ONCE],
            out=tmp_path / "said",
        ), run

    with provider_stub(hold=int(share * ANSWERS)) as stub:
        process, run = start(stub)
        # no more comes: so many are on the way
        while stub.stats()["requests"] < share * ANSWERS + AT_ONCE:
            time.sleep(0.005)
        process.kill()
        process.wait()
        stub.release()  # what was on the way is charged, too
        # its worker was the killed process
        workspace.db.execute("UPDATE run SET state = 'failed' WHERE id = ?", (run,))
        stored = workspace.db.execute(
            "SELECT count(*) FROM call WHERE state = 'stored'"
        ).fetchone()[0]
        paid = stub.stats()["paid"]
        again, _ = start(stub)
        assert again.wait() == 0
        usable, known, sends = map(int, (tmp_path / "said").read_text("utf-8").split())
        twice = stub.stats()["paid"] - stub.stats()["paid_distinct"]
    assert 0 < stored <= paid < ANSWERS
    assert (usable, known, sends) == (ANSWERS, stored, ANSWERS - stored)
    assert twice == paid - stored <= AT_ONCE
    assert workspace.db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    perhaps, rows = workspace.db.execute(
        "SELECT sum(perhaps_paid), count(*) FROM call WHERE state = 'stored'"
    ).fetchone()
    # the ledger knows that it may have paid them twice
    assert rows == ANSWERS and twice <= perhaps <= AT_ONCE
    payload = json.loads(workspace.db.execute("SELECT payload FROM request LIMIT 1").fetchone()[0])
    assert payload["model"] == "stub" and payload["schema"]["required"] == ["a", "b"]
