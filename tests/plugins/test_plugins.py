"""An outside package adds a rule, a judge, a provider, an importer and a rubric: installed, named,
used; nothing else is edited."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from graders.core.contracts import Rule
from graders.core.errors import ContractError

ROOT = Path(__file__).parents[2]

RULE = '''
from dataclasses import dataclass
from graders.core.contracts import Finding, Rule
from graders.core.records import Mark
from graders.core.scale import YES_NO

@dataclass(frozen=True)
class Polite(Rule):
    """Says Yes to answers with a please in them."""
    version = "1"
    about = "Looks for a polite word."
    default_scale = YES_NO
    finding = Finding.MEASURED
    word: str = "please"

    def grade(self, subject, criterion):
        return Mark(value="Yes" if self.word in subject.answer.text.lower() else "No", rationale=f"looked for {self.word}")
'''
JUDGE = '''
import json
from dataclasses import dataclass
from graders.core.contracts import Judge
from graders.core.records import Mark, Problem, Request, Verdict

@dataclass(frozen=True)
class Echo(Judge):
    """Takes what its provider echoes."""
    version = "1"
    about = "A judge for tests of the seam."
    model: str
    provider: str = "echo"

    @property
    def author(self):
        return f"echo:{self.model}"

    def requests(self, subjects, rubric, criteria):
        return [Request(subjects=(s.key,), provider=self.provider, model=self.model, messages=(("user", s.answer.text),),
                        criteria=tuple(c.key for c in criteria)) for s in subjects]

    def read(self, request, reply, subjects, rubric):
        if reply.cause:
            return [Problem(cause=reply.cause)]
        return [Verdict(subject=request.subjects[0], criterion=key, author=self.author, author_kind="judge",
                        mark=Mark(value=rubric.criterion(key).scale.parse(reply.text)), criterion_hash=rubric.criterion(key).criterion_hash,
                        recipe_hash=self.recipe_hash(rubric)) for key in request.criteria]

    def recipe_hash(self, rubric):
        return "echo-1"
'''
PROVIDER = '''
from dataclasses import dataclass
from graders.core.contracts import Provider
from graders.core.records import Reply

@dataclass(frozen=True)
class EchoProvider(Provider):
    """Says Yes to long texts, without a network."""
    version = "1"
    about = "Echoes."
    base_url: str = ""
    connections: int = 1
    api_key: str = ""
    input_price: float | None = None
    output_price: float | None = None
    address = "echo://here"

    def price(self, model, input_tokens, cached_tokens, output_tokens):
        return 0.0

    async def send(self, request, timeout):
        return Reply(text="Yes" if len(request.messages[0][1]) > 20 else "No", input_tokens=1, output_tokens=1, seconds=0.0)

    async def aclose(self):
        pass
'''
IMPORTER = '''
from dataclasses import dataclass
from graders.core.contracts import Importer, Look, Placed
from graders.core.records import Answer, Question

@dataclass(frozen=True)
class Qa(Importer):
    """Reads lines of question = answer."""
    version = "1"
    about = "question = answer"
    suffixes = (".qa",)

    def fits(self, path):
        return 10 if path.suffix == ".qa" else 0

    def look(self, path, choices=None):
        return Look(layout="long")

    def read(self, path, look):
        for row, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            question, _, answer = line.partition(" = ")
            yield Placed(record=Question(id=f"q{row}", text=question, task_type="factual"), file=path.name, row=row)
            yield Placed(record=Answer(question_id=f"q{row}", model="m", text=answer), file=path.name, row=row)
'''
RUBRIC = """
rubric: manners
criteria:
  polite: {question: Is it polite?, scale: [No, Yes], graders: [{polite: {word: thanks}}]}
  long: {question: Is it long?, scale: [No, Yes], graders: [judge]}
"""
POINTS = """
[cograde.rules]
polite = manners_pack.polite
broken = manners_pack.broken
[cograde.judges]
echo = manners_pack.echo:Echo
[cograde.providers]
echo = manners_pack.provider:EchoProvider
[cograde.importers]
qa = manners_pack.qa
[cograde.rubrics]
manners = manners_pack
torn = manners_pack
lost = gone_pack.inner
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder that looks like an installed package to Python."""
    site = tmp_path / "site"
    (site / "manners_pack").mkdir(parents=True)
    for name, text in {
        "__init__": "",
        "polite": RULE,
        "echo": JUDGE,
        "provider": PROVIDER,
        "qa": IMPORTER,
        "broken": "import no_such_module\n",
    }.items():
        (site / "manners_pack" / f"{name}.py").write_text(text, "utf-8")
    (site / "manners_pack" / "manners.yaml").write_text(RUBRIC, "utf-8")
    (site / "manners_pack" / "torn.yaml").write_text(RUBRIC.partition("}")[0], "utf-8")
    info = site / "manners_pack-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: manners-pack\nVersion: 1.0\n", "utf-8"
    )
    (info / "entry_points.txt").write_text(POINTS, "utf-8")
    return site


def cograde(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": f"{site}{os.pathsep}{ROOT}"}
    return subprocess.run(
        [sys.executable, "-m", "graders", *words],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        cwd=site,
    )


def test_a_package_brings_parts_of_every_kind(package: Path, tmp_path: Path) -> None:
    data = tmp_path / "talk.qa"
    data.write_text("May I? = thanks, of course you may come in\nMay I? Now? = no\n", "utf-8")
    workspace = ("--workspace", str(tmp_path / "w.db"))
    brought = cograde(package, "import", str(data), *workspace, "--rubric", "manners", "--json")
    assert brought.returncode == 0, brought.stderr
    assert json.loads(brought.stdout)["answers"] == 2
    graded = cograde(package, "grade", *workspace, "--judge", "echo:v1", "--yes", "--json")
    assert graded.returncode == 0, graded.stderr
    assert json.loads(graded.stdout)["judges"][0]["done"] == 2
    target = tmp_path / "out"
    assert cograde(package, "export", *workspace, "--output", str(target)).returncode == 0
    routes = [
        json.loads(line) for line in (target / "routes.jsonl").read_text("utf-8").splitlines()
    ]
    found = {(row["question_id"], row["criterion"]): row.get("final") for row in routes}
    assert found == {
        ("q1", "manners/polite"): "Yes",
        ("q2", "manners/polite"): "No",
        ("q1", "manners/long"): "Yes",
        ("q2", "manners/long"): "No",
    }


def test_a_broken_plugin_is_named_and_takes_no_other_down(package: Path) -> None:
    code = (
        "from graders.core.discovery import load_all\n"
        "parts, failures = load_all('rules')\n"
        "print(sorted(parts)); print([f.reason for f in failures])\n"
        "from graders.workflows.scope import named_rubrics; from graders.workflows.scope import broken_parts as parts\n"
        "print([r.name for r in named_rubrics.readable_rubrics(named_rubrics.bundled_rubrics().values(), ['polite'])])\n"
        "print([part.reason for part in parts.broken_parts() if part.kind == 'rubric'])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": f"{package}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=True,
    )
    names, reasons, rubrics, torn = run.stdout.splitlines()
    assert "'polite'" in names and "'exact_match'" in names and "'broken'" not in names
    assert reasons == (
        "[\"rule broken: found ModuleNotFoundError: No module named 'no_such_module', expected a module that loads. "
        'Repair or uninstall the package that brings it."]'
    )
    assert rubrics == "['manners']"
    assert "torn.yaml, line 4: found the end of the file" in torn
    assert (
        "rubric lost: found no file lost.yaml in 'gone_pack.inner', expected a package with that file."
        in torn
    )


def test_a_contract_fails_when_it_is_defined() -> None:
    with pytest.raises(
        ContractError,
        match=r"rule Half in .*: found no default_scale, no grade, expected a rule with version, about, default_scale, grade",
    ):

        class Half(Rule):
            version = "1"
            about = "lacks its work"
