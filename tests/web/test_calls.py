"""Functions for programs, over HTTP against a running app: what they give, what they refuse, and how
they are described."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pandas as pd
import pytest
from gradio_client import Client
from gradio_client.exceptions import AppError

from graders import open_workspace
from graders.core import discovery
from graders.core.errors import InputError
from graders.core.records import BadRow
from graders.core.settings import Settings
from graders.notebook.project import Project
from graders.store import workspace as store
from graders.web import called
from graders.web.call_words import lacking, schema_of, told
from graders.web.caller import Caller
from graders.workflows.projects.demo import DEMO
from graders.workflows.report.columns import TABLES
from graders.workflows.report.rows import RECORDS
from tests.store import small
from tests.support.call_list import DOCUMENT, HEADING, listed
from tests.support.documents import ON_APP, ROOT, blocks
from tests.support.server import Server, serve
from tests.support.stub import provider_stub
from tests.web.space import Browser

STUDY = "autumn-study"
KEY = "sk-program-7c2e90b1f4"
Call = Callable[..., Any]


def calling(server: Server, **headers: str) -> Call:
    """Calls a function of the app by its name."""
    client = Client(f"{server.url}/call", verbose=False, headers=headers)
    return lambda name, **given: client.predict(api_name=f"/{name}", **given)


def sent(server: Server, name: str, *data: Any, **more: Any) -> httpx.Response:
    """A call without a client."""
    return httpx.post(f"{server.url}/call/gradio_api/run/{name}", json={"data": data}, **more)


@contextmanager
def small_app(folder: Path, **environment: str) -> Iterator[Server]:
    """An app with 12 answers that no judge has seen."""
    ws = store.open_workspace(folder / "app.db")
    small.study(folder, ws, count=4, models=("Ash", "Oak", "Elm"))
    ws.close()
    with serve(folder, **environment) as server:
        yield server


@pytest.fixture(scope="module")
def server(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """An app with the demo, for what changes nothing."""
    with serve(tmp_path_factory.mktemp("calls"), demo) as running:
        yield running


@pytest.fixture(scope="module")
def call(server: Server) -> Call:
    return calling(server)


@pytest.fixture(scope="module")
def project(server: Server) -> Iterator[Project]:
    """The same project in a notebook."""
    with open_workspace(server.folder / "app.db") as workspace:
        yield workspace.project(STUDY)


def over(call: Call, project: str, run: int = 0) -> Any:
    """A run once it is over."""
    deadline = time.monotonic() + 90
    while (found := call("run", project=project, run=run))["at_work"]:
        assert time.monotonic() < deadline, found
        time.sleep(0.2)
    return found


# -- what they give


@pytest.mark.timeout(240)
def test_the_first_study_of_the_readme_runs_against_an_app(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = blocks("docs/call.md", "python", ON_APP)
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)
    with open_workspace(tmp_path / "app.db") as workspace:  # the demo comes into an empty one
        workspace.create("other").add(pd.DataFrame({"question": ["Why?"], "Ash": ["So."]}))
    with serve(tmp_path, COGRADE_ENCODER="", COGRADE_MULTILINGUAL="") as server:
        found: dict[str, Any] = {}
        exec(code.replace("http://127.0.0.1:7860", server.url), found)
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "18 answers, 0 rows that could not be used" and said[-1].startswith("done ")
    assert (found["status"]["questions"], found["status"]["models"]) == (6, 3)
    graded = [cell for cell in found["cells"] if cell["criterion"] == "correctness/correctness"]
    assert len(graded) == 18 and len(found["routes"]) == len(found["cells"])
    assert {cell["final_source"] for cell in graded} == {"automatic", "pending"}
    assert len({row["model"] for row in found["board"]}) == 3 and found["figures"] == []
    assert (tmp_path / "results.xlsx").stat().st_size > 2_000
    assert (tmp_path / "report.html").read_text("utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize("table", ["verdicts", "cells", "routes", "agreement", "leaderboard"])
def test_rows_are_those_of_a_notebook(call: Call, project: Project, table: str) -> None:
    found = getattr(project, table)
    frame = (found() if callable(found) else found).astype(object)
    rows: list[Any] = []
    if table in ("agreement", "leaderboard"):
        rows = call(table, project=STUDY)
    else:
        name = "results" if table == "cells" else table
        page = 1
        while len(more := call(name, project=STUDY, page=page, rows=700)) == 700:
            rows, page = rows + more, page + 1
        rows += more
    assert list(rows[0]) == list(TABLES[table]) and len(rows) == len(frame) > 0
    expected = [
        [_bare(value) for value in record] for record in frame.itertuples(index=False, name=None)
    ]
    times = [n for n, name in enumerate(TABLES[table]) if name == "created_at"]
    for row, other in zip(rows, expected, strict=True):
        given = [_bare(value) for value in row.values()]
        for n in times:
            given[n], other[n] = given[n][:19], str(other[n]).replace(" ", "T")[:19]
        assert given == other


def _bare(value: Any) -> Any:
    """A value without a frame's marks for nothing, and without numpy."""
    if not isinstance(value, list) and pd.isna(value):
        return None
    return value.item() if hasattr(value, "item") else value


def test_the_report_is_rows_and_a_document(call: Call, project: Project) -> None:
    frame = project.report()
    rows = [row for page in (1, 2) for row in call("report", project=STUDY, page=page, rows=1000)]
    assert [row["text"] for row in rows[:50]] == [
        _bare(text) for text in frame["text"].astype(object)[:50]
    ]
    assert call("report_text", project=STUDY).startswith("# Autumn study: report")
    assert "<table" in call("report_text", project=STUDY, format="html")


def test_projects_their_state_and_a_plan(call: Call) -> None:
    names = [row["name"] for row in call("projects")]
    assert names == [STUDY, "autumn-pairs", "autumn-verse"]
    assert [row["project"] for row in call("status")] == names
    (status,) = call("status", project=STUDY)
    answers = (DEMO / "answers.jsonl").read_text("utf-8").splitlines()
    assert status["answers"] == len(answers) and status["run"]["phase"] == "over"
    plan = call("plan", project=STUDY, judge=["openai:gpt-4o-mini"], max_calls=7)
    assert plan["judges"][0]["calls"] > 0 and plan["budget_calls"] == 7


def test_agreement_on_one_criterion(call: Call) -> None:
    rows = call("agreement", project=STUDY, criterion="answer-quality/clarity")
    assert rows and {row["criterion"] for row in rows} == {"answer-quality/clarity"}
    wider = call("agreement", project=STUDY, criterion="answer-quality/clarity", blind_only=False)
    assert wider != rows


# -- what they change


@pytest.mark.timeout(240)
def test_a_run_is_polled_and_a_key_is_kept_nowhere(tmp_path: Path) -> None:
    with provider_stub() as stub, small_app(tmp_path) as server:
        call = calling(server, **{"x-cograde-key-openai": KEY})
        given = {"project": "study", "judge": ["openai:stub"], "base_url": stub.base_url}
        started = call("grade", **given, max_calls=5)
        assert (started["run"], started["at_work"]) == (1, True)
        ended = over(call, "study", started["run"])
        assert (ended["state"], ended["calls"]) == ("stopped", 5), ended
        again = over(call, "study", call("grade", **given)["run"])
        assert again["state"] == "done" and {one["state"] for one in again["stages"]} == {"done"}
        assert stub.stats()["keys"] == [KEY]
        assert any(row["author_kind"] == "judge" for row in call("verdicts", project="study"))
        assert KEY not in json.dumps([started, ended, again, call("status")])
        held = [
            path.name
            for path in server.folder.rglob("*")
            if path.is_file() and KEY.encode() in path.read_bytes()
        ]
        assert held == [] and KEY not in server.log.read_text("utf-8")


@pytest.mark.timeout(240)
def test_a_run_is_stopped(tmp_path: Path) -> None:
    with provider_stub(latency=1.0) as stub, small_app(tmp_path) as server:
        call = calling(server, **{"x-cograde-key": KEY})
        run = call(
            "grade", project="study", judge=["openai:stub"], base_url=stub.base_url, concurrency=1
        )["run"]
        call("stop", project="study", run=run)
        assert over(call, "study", run)["state"] == "stopped"
        assert call("stop", project="study", run=run)["state"] == "stopped", "it is over already"
        with pytest.raises(AppError, match="run 9: found a run that is not the project's latest"):
            call("stop", project="study", run=9)


def test_an_import_lists_bad_rows_and_takes_columns_and_a_rubric(tmp_path: Path) -> None:
    text = "frage,bot,reply\nWhy?,Ash,So.\n,Ash,No question.\n"
    rubric = "rubric: own\ncriteria:\n  right: {question: Is it?, scale: [No, Yes]}\n"
    with small_app(tmp_path) as server:
        call = calling(server)
        columns = {"frage": "question", "bot": "model", "reply": "answer"}
        found = call("import", project="own", text=text, columns=columns, rubric=rubric)
        assert (found["answers"], found["bad"]) == (1, 1)
        (bad,) = found["bad_rows"]
        assert bad["row"] == 3 and bad["expected"]
        assert call("import", project="own", text=text, columns=columns)["unchanged"] > 0
        (cell,) = call("results", project="own")
        assert cell["criterion"] == "own/right"
        tsv = "question\tAsh\nHow?\tThus.\n"
        assert call("import", project="own", text=tsv, file="a.tsv")["answers"] == 1
        for wrong, sentence in (
            ({"rubric": "/etc/passwd"}, "argument rubric: found '/etc/passwd', expected one of"),
            ({"columns": {"nobody": "model"}}, "nobody"),
            ({"labels_chosen": "some"}, "all, random, unknown"),
            ({"text": ""}, "answers.csv"),
            ({"text": "a" * 10_500_000}, "10 MB"),
        ):
            with pytest.raises(AppError, match=sentence):
                call("import", **{"project": "own", "text": text, **wrong})
        assert "Traceback" not in server.log.read_text("utf-8")


# -- what they refuse


@pytest.mark.parametrize(
    ("name", "given", "sentence"),
    [
        ("results", {"project": "nope"}, "project 'nope': found no such project, expected one of"),
        ("run", {"project": "nope"}, "project 'nope': found no such project"),
        ("results", {"project": STUDY, "rows": 1001}, "argument rows: found 1001, expected a numb"),
        ("verdicts", {"project": STUDY, "rows": 0}, "argument rows: found 0"),
        ("routes", {"project": STUDY, "page": 0}, "argument page: found 0, expected a number from"),
        ("results", {"project": STUDY, "rows": "x"}, "argument rows: found 'x', expected int"),
        ("results", {"project": {"a": 1}}, "argument project: found {'a': 1}, expected str"),
        ("status", {"project": 10**19}, "project: found a number that is too large"),
        ("report_text", {"project": STUDY, "format": "docx"}, "argument format: found 'docx'"),
        ("plan", {"project": STUDY, "judge": ["openai"]}, "openai"),
        ("plan", {"project": STUDY, "budget": -1}, "budget"),
        ("grade", {"project": STUDY, "judge": ["openai:gpt-4o-mini"]}, "OPENAI_API_KEY"),
        ("run", {"project": STUDY, "run": 99}, "99"),
    ],
)
def test_errors_are_sentences(call: Call, name: str, given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(AppError) as caught:
        call(name, **given)
    assert sentence in str(caught.value)


def test_calls_without_a_client(server: Server) -> None:
    assert sent(server, "results", STUDY, 1, 2).json()["data"][0][1]["criterion"]
    assert len(sent(server, "agreement", STUDY).json()["data"][0]) > 2, "defaults at the end"
    for data, sentence in (
        ((), "argument project: found nothing, expected a value. docs/call.md has all arguments."),
        ((STUDY, 1, 2, 3), "call: found 4 arguments, expected at most 3."),
    ):
        reply = sent(server, "results", *data)
        assert reply.status_code == 422 and reply.json()["error"].startswith(sentence)
    waits = httpx.post(f"{server.url}/call/gradio_api/call/projects", json={"data": []}).json()
    told = httpx.get(f"{server.url}/call/gradio_api/call/projects/{waits['event_id']}").text
    assert "event: complete" in told and STUDY in told
    assert "Traceback" not in server.log.read_text("utf-8")


def test_a_call_is_only_so_large(server: Server) -> None:
    address = f"{server.url}/call/gradio_api/run/status"
    large = b'{"data":["' + b"a" * 13_000_000 + b'"]}'
    pieces = (large[n : n + 1_000_000] for n in range(0, len(large), 1_000_000))
    for content in (large, pieces):
        reply = httpx.post(address, content=content, headers={"content-type": "application/json"})
        assert reply.status_code == 413
        assert reply.json()["error"].startswith("call: found more than 12 MB, expected less.")


def test_the_guards_of_pages_hold(server: Server) -> None:
    away = {"sec-fetch-site": "cross-site", "origin": "https://evil.example"}
    assert sent(server, "projects", headers=away).status_code == 403
    assert sent(server, "projects", headers={"host": "evil.example"}).status_code == 421
    reply = sent(server, "projects", headers={"origin": "https://evil.example"})
    assert "access-control-allow-origin" not in reply.headers
    assert reply.headers["cache-control"] == "no-store"
    base = f"{server.url}/call/gradio_api"
    assert httpx.post(f"{base}/upload", files={"files": ("a.txt", b"a")}).status_code == 404
    assert httpx.post(f"{base}/mcp/", json={}).status_code == 404, "off by default"


def test_what_looks_like_a_file_is_not_fetched(server: Server) -> None:
    asked: list[str] = []

    class Elsewhere(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

    elsewhere = HTTPServer(("127.0.0.1", 0), Elsewhere)
    Thread(target=elsewhere.serve_forever, daemon=True).start()
    try:
        for path in (f"http://127.0.0.1:{elsewhere.server_port}/a.txt", "/etc/passwd"):
            file = {"path": path, "url": path, "meta": {"_type": "gradio.FileData"}}
            reply = sent(server, "status", file).json()["error"]
            assert reply.startswith("argument project: found {'path': ")
    finally:
        elsewhere.shutdown()
    assert asked == []
    files = [path for path in (server.folder / "gradio").rglob("*") if path.is_file()]
    assert files == []


def test_a_program_reads_the_demo_of_a_space_and_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    ws = store.open_workspace(tmp_path / "data" / "demo.db")
    small.study(tmp_path, ws, count=4)
    ws.close()
    copies = tmp_path / "data" / "visitors"
    with serve(tmp_path, SPACE_ID="team/cograde", COGRADE_HOST="127.0.0.1") as server:
        call = calling(server)
        assert [row["name"] for row in call("projects")] == ["study"]
        assert call("plan", project="study")["cells"] > 0 and call("results", project="study")
        text = "question,Ash\nWhy?,So.\n"
        for name, given in (
            ("import", {"project": "own", "text": text}),
            ("grade", {"project": "study"}),
            ("stop", {"project": "study", "run": 1}),
        ):
            with pytest.raises(AppError) as caught:
                call(name, **given)
            assert str(caught.value).startswith("demo: found a change by a program without a copy")
        assert not list(copies.glob("*.db"))
        visitor = Browser(server.url)
        cookie = {"cookie": visitor.headers["cookie"]}
        assert "data" in sent(server, "import", "own", text, headers=cookie).json()
        assert len(list(copies.glob("*.db"))) == 1
        mine = sent(server, "projects", headers=cookie).json()["data"][0]
        assert {row["name"] for row in mine} == {"study", "own"}
        owner = sent(server, "grade", "own", ["openai:gpt-4o-mini"], headers=cookie).json()
        assert "key" in owner["error"], "a visitor needs a key of their own"
        assert [row["name"] for row in call("projects")] == ["study"]


# -- how they are described


def test_gradio_tells_types_defaults_and_words_of_everything(server: Server) -> None:
    info = httpx.get(f"{server.url}/call/gradio_api/info").json()
    assert info["unnamed_endpoints"] == {}
    assert set(info["named_endpoints"]) == {f"/{name}" for name in called.calls()}
    for name, endpoint in info["named_endpoints"].items():
        assert endpoint["description"], name
        for one in endpoint["parameters"]:
            assert one["type"]["description"] == one["python_type"]["description"] != "", name
            assert {"type", "anyOf", "enum"} & set(one["type"]), (name, one["parameter_name"])
            assert one["label"] == one["parameter_name"]
        (result,) = endpoint["returns"]
        assert result["type"].get("type") in ("array", "object", "string"), name
        assert name == "/report_text" or result["type"]["description"], name
    agreement = info["named_endpoints"]["/agreement"]
    assert {one["parameter_name"]: one["parameter_default"] for one in agreement["parameters"]} == {
        "project": None,
        "criterion": "",
        "blind_only": True,
    }
    low = agreement["returns"][0]["type"]["items"]["properties"]["low"]
    assert low["description"] == "the lower end of its interval"


def test_a_browser_is_told_what_is_here(server: Server) -> None:
    page = httpx.get(f"{server.url}/call")
    assert page.status_code == 200
    assert "- `/agreement` How far each judge agrees with people" in page.text


def test_the_guide_lists_the_functions_as_they_are() -> None:
    """``python -m tests.support.call_list`` writes the list anew."""
    assert DOCUMENT.read_text("utf-8").split(HEADING)[1] == f"\n{listed()}"


def test_records_have_the_columns_of_their_tables() -> None:
    for name, record in RECORDS.items():
        assert [field.name for field in fields(record)] == list(TABLES[name]), name
    assert {field.name for field in fields(BadRow)} - {"line"} == set(TABLES["bad_rows"])


def bare(caller: Caller, project: str) -> str:
    return project


def silent(caller: Caller, project: str) -> str:
    """Says nothing of its argument."""
    return project


def alone(project: str) -> str:
    """Has no caller."""
    return project


def whole(caller: Caller, project: str) -> str:
    """Is whole,
    on two lines.

    Args:
        project: a name
            on two lines
    """
    return project


@pytest.mark.parametrize(
    ("call", "lacks"),
    [
        (bare, "a `call` without a docstring"),
        (silent, "a `call` that does not say what its argument project is"),
        (alone, "a `call` whose first argument is not the Caller"),
        (whole, ""),
    ],
)
def test_a_function_that_is_not_whole_is_left_out(call: Call, lacks: str) -> None:
    assert lacking(call, Caller) == lacks


def test_a_docstring_is_read_over_several_lines() -> None:
    assert told(whole) == ("Is whole, on two lines.", {"project": "a name on two lines"})


def test_broken_functions_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[discovery.Failure] = []
    monkeypatch.setattr(
        discovery, "load_modules", lambda *_: ({"silent": type("m", (), {"call": silent})}, [])
    )
    monkeypatch.setattr(discovery, "note", lambda _, failures: noted.extend(failures))
    assert called.calls() == {}
    assert noted[0].reason.startswith("function silent: found a `call` that does not say what")


def test_what_is_no_number_is_nothing() -> None:
    assert called.plain({"a": math.nan, "b": (1, 2.5)}) == {"a": None, "b": [1, 2.5]}
    assert schema_of(list[int]) == {
        "type": "array",
        "items": {"type": "integer"},
        "description": "",
    }


# -- tools


def test_tools_need_their_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(called, "find_spec", lambda _: None)
    called.need_mcp(Settings())
    with pytest.raises(InputError, match=r"setting mcp: .* pip install 'cograde\[mcp\]'"):
        called.need_mcp(Settings(mcp=True))


@pytest.mark.skipif(find_spec("mcp") is None, reason="cograde[mcp] is not installed")
def test_tools_are_listed_and_called(tmp_path: Path) -> None:
    import anyio
    from mcp import ClientSession
    from mcp.client.streamable_http import streamablehttp_client

    async def use(address: str) -> None:
        async with (
            streamablehttp_client(address) as (reading, writing, _),
            ClientSession(reading, writing) as session,
        ):
            await session.initialize()
            tools = {tool.name: tool for tool in (await session.list_tools()).tools}
            assert set(tools) == set(called.calls())
            project = tools["agreement"].inputSchema["properties"]["project"]
            assert project["description"] == "the project's name"
            assert "Nothing is sent anywhere." in (tools["plan"].description or "")
            done = await session.call_tool(
                "import", {"project": "own", "text": "question,Ash\nA?,B\n"}
            )
            assert not done.isError and "'answers': 1" in done.content[0].text
            wrong = await session.call_tool("results", {"project": "nope"})
            assert wrong.isError and wrong.content[0].text.startswith(
                "project 'nope': found no such"
            )

    with small_app(tmp_path, COGRADE_MCP="1") as server:
        anyio.run(use, f"{server.url}/call/gradio_api/mcp/")
        assert [row["name"] for row in calling(server)("projects")] == ["study", "own"]
