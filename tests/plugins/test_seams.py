"""Parts of an outside package are whole: a provider is offered, priced, limited and asked; a judge, a
rule and a page are seen in the browser; a kind of file, a column and a metric are there wherever
people meet their like. Nothing else is edited."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from graders.core import provider_names
from graders.core.errors import InputError, PluginError, UsageError
from graders.core.settings import Settings
from graders.store.calls import runs as run_store
from graders.store.workspace import Workspace, open_workspace
from graders.web.app import make_app
from graders.web.serve import resolver_of
from graders.workflows.agreement import agree
from graders.workflows.collecting import collect
from graders.workflows.importing import stage
from graders.workflows.importing.look import look_at
from graders.workflows.report import export
from graders.workflows.results.answer import answer
from graders.workflows.runs import judges, runs
from tests.store import small
from tests.support.opened import texts_in
from tests.support.stub import StubProvider, provider_stub
from tests.web.bringing import looked_at, opened

PROVIDER = '''
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar
from graders.core.records import Reply, Request
from graders.providers.http.connected import Connected, settings_of

@dataclass(frozen=True)
class House(Connected):
    """A server of one's own company."""
    version: ClassVar[str] = "1"
    about: ClassVar[str] = "The company's own models."
    short: ClassVar[str] = "house"
    at_once: ClassVar[int] = 3

    @property
    def address(self):
        return self.base_url or "http://127.0.0.1:1/v1"

    def price(self, model, input_tokens, cached_tokens, output_tokens):
        return 0.01

    def untaken(self, model, settings):
        return ("temperature",)

    def body(self, request):
        settings = settings_of(request, self.left_out(request))
        assert "temperature" not in settings
        schema = {"json_schema": {"schema": request.schema}}
        messages = [{"role": role, "content": text} for role, text in request.messages]
        return json.dumps({"model": request.model, "messages": messages, "response_format": schema}).encode()

    def read(self, text, seconds):
        tree = json.loads(text)
        usage = tree["usage"]
        return Reply(text=tree["choices"][0]["message"]["content"], raw=text, seconds=seconds, model=tree["model"],
                     input_tokens=usage["prompt_tokens"], output_tokens=usage["completion_tokens"])

    def assembly(self):
        raise NotImplementedError

    @cached_property
    def _client(self):
        return self._http_client()

    @property
    def _path(self):
        return f"{self.address}/chat/completions"

    async def _post(self, content, streamed):
        request = self._client.build_request("POST", self._path, headers={"content-type": "application/json"}, content=content)
        return await self._client.send(request)

    async def aclose(self):
        client = self.__dict__.pop("_client", None)
        if client is not None:
            await client.aclose()
'''
IMPORTER = '''
from dataclasses import dataclass
from graders.core.contracts import Importer, Look, Placed
from graders.core.records import Answer, Question

@dataclass(frozen=True)
class Talk(Importer):
    """Lines of question | answer | reference."""
    version = "1"
    about = "question | answer | reference"
    suffixes = (".talk",)

    def fits(self, path):
        return 10 if path.suffix == ".talk" else 0

    def look(self, path, choices=None):
        return Look(layout="long")

    def read(self, path, look):
        for row, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            question, answer, reference = line.split(" | ")
            yield Placed(record=Question(id=f"q{row}", text=question, references=(reference,)), file=path.name, row=row)
            yield Placed(record=Answer(question_id=f"q{row}", model="m", text=answer), file=path.name, row=row)
'''
COLUMN = '''
from dataclasses import dataclass
from graders.core.contracts import ResultColumn

@dataclass(frozen=True)
class AnswerLetters(ResultColumn):
    """So many letters has the answer."""
    version = "1"
    about = "Letters of the answer."

    def value(self, cell, criterion):
        return len(cell["answer"])
'''
METRIC = '''
from dataclasses import dataclass
from graders.core.contracts import Metric
from graders.core.records import MetricValue

@dataclass(frozen=True)
class SameLetter(Metric):
    """1 where answer and reference begin alike."""
    version = "1"
    about = "Whether both begin with the same letter."
    outputs = ("same_letter",)

    def compute(self, subjects, references, encoder=None):
        return [[MetricValue(metric="same_letter", value=float(s.answer.text[:1] == texts[0][:1]),
                             reference=0, version=self.version)] for s, texts in zip(subjects, references)]
'''
EXPORTER = '''
from dataclasses import dataclass
from graders.core.contracts import Exporter

@dataclass(frozen=True)
class Count(Exporter):
    """The number of cells."""
    version = "1"
    about = "The number of cells."
    title = "Only the count"
    suffix = ".count"

    def write(self, snapshot, target):
        target.write_text(str(len(snapshot.tables["cells"])), "utf-8")
'''
JUDGE = '''
from dataclasses import dataclass
from typing import Any
from graders.judges.llm import LLMJudge

@dataclass(frozen=True)
class Careful(LLMJudge):
    """The house's model, asked to read twice."""
    version = "1"
    about = "A judge of the company's own."
    provider: str = "house_models"
    persona: str = "somebody who reads twice"
'''
RULE = '''
from dataclasses import dataclass
from graders.core.contracts import Finding, Rule
from graders.core.records import Mark
from graders.core.scale import YES_NO
from graders.core.words import carried

say = carried("polite_pack", {"why": "The answer says {word}.", "too_short": "Too short to be polite."})

@dataclass(frozen=True)
class Polite(Rule):
    """Says Yes to answers that say please."""
    version = "1"
    about = "Looks for a polite word."
    default_scale = YES_NO
    finding = Finding.MEASURED
    word: str = "please"

    def grade(self, subject, criterion):
        if len(subject.answer.text) < 5:
            return Mark.unscored("no_room", say("too_short"))
        polite = self.word in subject.answer.text.lower()
        return Mark(value="Yes" if polite else "No", rationale=say("why", word=self.word) if polite else "")
'''
PAGE = '''
from dataclasses import dataclass
from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse
from graders.store.answers import content
from graders.web.page import Page
from graders.web.session import scope_of

page = Page(path="/stock", title="Stock", nav="Stock", order=99, module="/api/stock.js")
router = APIRouter()

@dataclass(frozen=True, slots=True)
class Stock:
    """Questions and answers of a project."""
    questions: int
    answers: int

@router.get("/api/stock.js")
def script() -> PlainTextResponse:
    return PlainTextResponse("export function start(mount) { mount.append('Stock') }", media_type="text/javascript")

@router.get("/api/stock")
def stock(request: Request, project: str) -> Stock:
    scope = scope_of(request)
    counts = content.counts(scope.ws, scope.project(project))
    return Stock(counts.questions, counts.answers)
'''
POINTS = """
[cograde.rules]
polite = seams_pack.polite
[cograde.pages]
stock = seams_pack.stock:page
[cograde.routes]
stock = seams_pack.stock
[cograde.judges]
careful = seams_pack.judge
[cograde.providers]
house_models = seams_pack.house
[cograde.importers]
talk = seams_pack.talk
[cograde.exporters]
count = seams_pack.count
[cograde.columns]
answer_letters = seams_pack.letters
[cograde.metrics]
same_letter = seams_pack.metric
"""
FILES = {
    "__init__": "",
    "house": PROVIDER,
    "talk": IMPORTER,
    "letters": COLUMN,
    "metric": METRIC,
    "count": EXPORTER,
    "judge": JUDGE,
    "polite": RULE,
    "stock": PAGE,
}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on Python's path that looks as if the package were installed there."""
    site = tmp_path / "site"
    (site / "seams_pack").mkdir(parents=True)
    for name, text in FILES.items():
        (site / "seams_pack" / f"{name}.py").write_text(text, "utf-8")
    info = site / "seams_pack-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: seams-pack\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(POINTS, "utf-8")
    monkeypatch.syspath_prepend(str(site))
    return site


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    found = open_workspace(tmp_path / "w.db")
    yield found
    found.close()


@pytest.fixture(scope="module")
def stub() -> Iterator[StubProvider]:
    with provider_stub() as running:
        yield running


@pytest.fixture
def browser(site: Path, ws: Workspace) -> TestClient:
    """A person's browser, where the package is installed."""
    settings = Settings(workspace=ws.path)
    return TestClient(make_app(resolver_of(ws, settings), settings), base_url="http://localhost")


def test_a_provider_runs_a_project_with_price_and_limits(
    site: Path, ws: Workspace, tmp_path: Path, stub: StubProvider
) -> None:
    scope = small.study(tmp_path, ws, count=3, models=("Ash", "Oak"))
    options = {"judges": ["house:m1"], "base_url": stub.base_url, "concurrency": 1}
    plan = runs.plan(scope, "study", options)
    assert plan.judges[0].calls == 6
    run = int(runs.start(scope, "study", {**options, "budget_calls": 2}).run)
    assert runs.execute(ws, run) == "stopped"
    assert stub.stats()["requests"] == 2
    run = int(runs.start(scope, "study", options).run)
    assert runs.execute(ws, run) == "done"
    assert stub.stats()["requests"] == 6  # what was bought is not asked twice
    assert run_store.get_run(ws, run).progress["money"] == pytest.approx(0.04)
    authors = "SELECT DISTINCT a.name FROM opinion o JOIN author a ON a.id = o.author_id WHERE a.kind = 'judge' AND o.status = 'ok'"
    assert [row[0] for row in ws.db.execute(authors)] == ["house:m1"]
    with pytest.raises(
        InputError, match=r"found the provider house_models, which takes no batches"
    ):
        runs.plan(scope, "study", {**options, "batch": True})


def test_a_judge_is_planned_asked_and_named_like_any_other(
    site: Path, ws: Workspace, tmp_path: Path, stub: StubProvider, browser: TestClient
) -> None:
    scope = small.study(tmp_path, ws, count=2, models=("Ash", "Oak"))
    stub.reset()
    options = {"judges": ["careful:m2"], "base_url": stub.base_url}
    assert runs.plan(scope, "study", options).judges[0].calls == 4
    run = int(runs.start(scope, "study", options).run)
    assert runs.execute(ws, run) == "done"
    assert stub.stats()["requests"] == 4
    listed = judges.judge_list(scope, "study").judges
    assert [judge.name for judge in listed] == ["careful:m2"]
    assert any("careful:m2" in text for text in texts_in(browser.get("/judges?project=study").text))
    # a judge that gave verdicts is none of which Agreement says that it has not run
    assert "careful:m2" not in agree.agreement(scope, "study").idle
    card = answer(scope, "study", "q1", "Ash")
    said = {verdict.author for cell in card.cells for verdict in cell.verdicts}
    assert "careful:m2" in said


POLITE = """
rubric: manners
criteria:
  polite: {question: Is it polite?, graders: [{polite: {word: thanks}}], review: automatic}
"""


def test_a_rule_grades_a_project_and_says_why_on_the_page(
    site: Path, ws: Workspace, tmp_path: Path, browser: TestClient
) -> None:
    scope = small.scope_of(ws)
    texts = {"Ash": "Many thanks for asking.", "Oak": "No idea at all.", "Elm": "No."}
    answers = [{"question_id": "q1", "model": name, "text": text} for name, text in texts.items()]
    tables = small.folder(tmp_path, "manners", questions=small.questions(1), answers=answers)
    small.bring(scope, tables, "manners", rubric=POLITE)
    assert "polite" in runs.plan(scope, "manners", {}).rules
    assert runs.execute(ws, runs.start(scope, "manners", {}).run) == "done"
    seen = {}
    for model in texts:
        (cell,) = answer(scope, "manners", "q1", model).cells
        (verdict,) = cell.verdicts
        assert (verdict.kind, verdict.author) == ("rule", "polite")
        seen[model] = (verdict.word, verdict.rationale, verdict.why)
    assert seen["Ash"] == ("Yes", "The answer says thanks.", "")
    assert seen["Oak"] == ("No", "", "")
    assert (seen["Elm"][0], seen["Elm"][2]) == ("", "Too short to be polite.")


def test_a_page_is_in_the_frame_and_reads_a_project(
    site: Path, ws: Workspace, tmp_path: Path, browser: TestClient
) -> None:
    small.study(tmp_path, ws, count=2, models=("Ash", "Oak"))
    frame = browser.get("/api/frame").json()
    assert {"path": "/stock", "nav": "Stock"} in frame["pages"]
    shell = browser.get("/stock/")
    assert shell.status_code == 200 and "Stock · Cograde" in shell.text
    assert "/api/stock.js" in shell.text
    assert "export function start" in browser.get("/api/stock.js").text
    stock = browser.get("/api/stock?project=study")
    assert stock.json() == {"questions": 2, "answers": 4}
    missing = browser.get("/api/stock?project=nowhere")
    assert missing.status_code == 404 and "nowhere" in missing.json()["error"]


def test_a_provider_says_how_many_calls_it_takes_and_is_named_where_one_is_missed(
    site: Path,
) -> None:
    assert collect.source_of("house:m", {}).concurrency == 3
    assert collect.source_of("house:m", {"house": 5}).concurrency == 5
    assert provider_names.provider_of("house") == "house_models"
    with pytest.raises(UsageError, match="expected one of anthropic, house, ollama, openai"):
        collect.source_of("nobody:m", {})


def test_pages_offer_what_is_installed(ws: Workspace, tmp_path: Path, browser: TestClient) -> None:
    small.study(tmp_path, ws, count=2, models=("Ash", "Oak"))
    run, home, results = (
        "\n".join(texts_in(browser.get(page).text))
        for page in ("/run?project=study", "/", "/results?project=study")
    )
    listed = run.partition('class="k-providers')[2].partition("</dl>")[0]
    assert re.findall(r"<dt>(\w+)</dt>", listed) == ["anthropic", "house", "ollama", "openai"]
    accepted = re.findall(r'accept="[^"]*"', home)
    assert any(".talk" in files and ".csv" in files for files in accepted)
    assert "Only the count" in results


def test_the_upload_limit_that_pages_say_is_the_one_in_force(
    browser: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    most = 2 * 1024**2
    monkeypatch.setattr("graders.web.session.LARGEST_UPLOAD", most)
    assert f'data-most="{most}"' in "\n".join(texts_in(browser.get("/").text))
    refused = browser.post(
        "/api/upload", content=b"x" * (most + 1), headers={"x-file-name": "a.csv"}
    )
    assert "found more than 2 MB, expected a file of at most 2 MB" in refused.json()["error"]


def test_an_importer_a_metric_a_column_and_an_exporter(
    site: Path, ws: Workspace, tmp_path: Path, browser: TestClient
) -> None:
    scope = small.scope_of(ws)
    data = tmp_path / "some.talk"
    data.write_text("Who? | Ann did. | Ann\nWhy? | No reason. | Rain\n", "utf-8")
    address = looked_at(browser, data.name, data.read_text("utf-8"))
    assert "read as talk" in opened(browser, address)
    _, seen = look_at(scope, data)
    report = stage.stage(scope, "talk", data, seen)
    stage.finish(scope, report.import_id)

    assert "same_letter" in list(texts_in(browser.get("/run?project=talk").text))
    run = int(runs.start(scope, "talk", {"judges": [], "metrics": ["same_letter"]}).run)
    assert runs.execute(ws, run) == "done"
    values = "SELECT value FROM metric_value WHERE metric = 'same_letter' ORDER BY subject_id"
    assert [row[0] for row in ws.db.execute(values)] == [1.0, 0.0]

    target = export.export(scope, "talk", "csv", tmp_path / "out.csv")
    with target.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows and all(row["answer_letters"] == str(len(row["answer"])) for row in rows)
    assert {(row["question"], row["same_letter"]) for row in rows} == {
        ("Who?", "1.0"),
        ("Why?", "0.0"),
    }
    assert browser.get("/api/export?project=talk&format=count").text == str(len(rows))

    with ws.write() as db:
        db.execute("UPDATE metric_value SET metric = 'answer_letters' WHERE metric = 'same_letter'")
    with pytest.raises(PluginError, match="answer_letters"):
        export.export(scope, "talk", "csv", tmp_path / "clash.csv")


def test_a_column_that_fails_is_named(
    site: Path, ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from graders.core import discovery

    scope = small.study(tmp_path, ws, count=1)
    part = discovery.find("columns", "answer_letters")
    monkeypatch.setattr(part, "value", lambda *_: 1 / 0)
    with pytest.raises(PluginError, match="column answer_letters: found ZeroDivisionError"):
        export.export(scope, "study", "csv", tmp_path / "out.csv")
