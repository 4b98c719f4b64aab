"""The face of the package: its names, what importing it costs, and that the examples of its how-tos
run as they stand."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import graders
from tests.support import forked
from tests.support.documents import DOCUMENTS, ROOT, judged
from tests.support.stub import StubProvider, provider_stub

#: What the judge says where its reply only has to be of the form that it is asked for.
FITS = "(what fits)"
NAMES = [
    "Answer",
    "CogradeError",
    "Judge",
    "Mark",
    "Question",
    "Result",
    "Rubric",
    "Scale",
    "Verdict",
    "aevaluate",
    "aevaluate_many",
    "evaluate",
    "evaluate_many",
    "load_rubric",
    "open_workspace",
    "read_rubric",
]


EXAMPLES = [
    pytest.param(*example, id=f"{name}-{n}")
    for name in DOCUMENTS
    for n, example in enumerate(judged(name), 1)
]


@pytest.fixture(scope="module")
def stub() -> Iterator[StubProvider]:
    with provider_stub() as running:
        yield running


def run(
    words: list[str], room: Path, stub: StubProvider, anew: bool = False, **variables: str
) -> subprocess.CompletedProcess[str]:
    """A Python process in `room` whose providers are the stub; started `anew` it has imported
    nothing before."""
    known = {k: v for k, v in os.environ.items() if k not in ("CI", "OPENAI_API_KEY")}
    addresses = {
        "OPENAI_BASE_URL": stub.base_url,
        "OLLAMA_HOST": stub.root,
        "PYTHONPATH": str(ROOT),
    }
    if not anew:
        addresses["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = (
            "1"  # what is installed beside pytest takes a second to load
        )
    environment = {**known, **addresses, **variables}
    if not anew:
        return forked.run(words, cwd=room, env=environment)
    return subprocess.run(
        [sys.executable, *words],
        cwd=room,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_names() -> None:
    assert sorted(graders.__all__) == NAMES
    for name in NAMES:
        assert getattr(graders, name).__name__ == name and name in dir(graders)
    with pytest.raises(AttributeError, match="module 'graders' has no attribute 'evalute'"):
        _ = graders.evalute


@pytest.mark.parametrize(
    ("statement", "not_loaded"),
    [
        ("import graders", ("graders.core", "graders.workflows", "ruamel", "jinja2", "numpy")),
        ("from graders import Verdict", ("graders.workflows", "graders.store", "ruamel", "numpy")),
        ("from graders import Rubric", ("graders.workflows", "graders.store", "numpy")),
        (
            "from graders import evaluate",
            ("torch", "gradio", "pandas", "openai", "sklearn", "scipy", "sentence_transformers"),
        ),
    ],
)
def test_importing_a_part_imports_only_that_part(
    statement: str, not_loaded: tuple[str, ...]
) -> None:
    code = (
        f"import sys; {statement}; print([name for name in {not_loaded!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(("says", "code"), EXAMPLES)
def test_the_examples_of_the_how_tos(
    tmp_path: Path, stub: StubProvider, says: str, code: str
) -> None:
    stub.configure(say=None if says == FITS else says, faults={})
    (tmp_path / "data").symlink_to(ROOT / "data")
    (tmp_path / "test_answers.py").write_text(code, "utf-8")
    words = (
        ["-m", "pytest", "-q", "-p", "no:cacheprovider"]
        if code.startswith("# test_")
        else ["test_answers.py"]
    )
    anew = (says, code) == EXAMPLES[0].values
    done = run(words, tmp_path, stub, anew, OPENAI_API_KEY="key-of-the-tests")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_suite_of_the_how_to_runs_elsewhere_from_its_file_alone(
    tmp_path: Path, stub: StubProvider
) -> None:
    says, code = next(
        (says, code)
        for says, code in judged("docs/grounded.md")
        if code.startswith("# test_answers.py")
    )
    (tmp_path / "test_answers.py").write_text(code, "utf-8")
    suite = ["-m", "pytest", "-q", "-p", "no:cacheprovider"]
    stub.configure(say=says, faults={})
    without = run(suite, tmp_path, stub, CI="true")
    assert (
        without.returncode == 1 and "workspace replies.db: found no such file in " in without.stdout
    )
    assert "Run once with offline=False" in without.stdout
    assert run(suite, tmp_path, stub).returncode == 0
    stub.configure(say="No", faults={})
    replayed = run(suite, tmp_path, stub, CI="true")
    assert replayed.returncode == 0 and "2 passed" in replayed.stdout
    assert stub.stats()["requests"] == 0
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == [
        "replies.db",
        "test_answers.py",
    ]
