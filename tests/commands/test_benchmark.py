"""`cograde benchmark`: the four commands, what they print, their exit codes, and the how-to as it
stands."""

from __future__ import annotations

import os
import re
import shlex
import signal
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from graders.commands._shell import run
from graders.core.settings import Settings
from graders.importers.txt_cases import case_files, read_case
from graders.workflows.benchmarks.benchmark import BUNDLED
from tests.commands.runner import Done
from tests.support import forked
from tests.support.ollama_answers import ollama
from tests.workflows.benchmarks.test_benchmark import small_set

ROOT = Path(__file__).parents[2]
HOW_TO = (ROOT / "docs" / "benchmarks.md").read_text("utf-8")
Command = Callable[..., Done]


@pytest.fixture
def command(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Command:
    """Runs `cograde benchmark ...` in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(*words: object) -> Done:
        capsys.readouterr()
        return Done(
            run(["benchmark", *map(str, words)], Settings(), lambda settings, tell: None),
            *capsys.readouterr(),
        )

    return call


def test_run_says_what_it_found_and_where_it_is(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GATE", "t0ken-of-the-gate")
    folder = small_set(tmp_path / "set")
    with ollama(lambda model, prompt: "hello there") as server:
        words = [
            "run",
            "--model",
            "m",
            "--ollama-url",
            server.url,
            "--folder",
            folder,
            "--metric",
            "exact",
            "--benchmarks",
            "translation",
        ]
        refused = command(*words, "--header", "X-Gate: Bearer abc")
        assert (
            refused.code == 1
            and "option --header, headers: found a value for X-Gate" in refused.err
            and not server.asked
        )
        done = command(
            *words, "--verbose", "--header", "X-Team: blue", "--header", "X-Gate: Bearer $GATE"
        )
        assert done.code == 0, done.err
        assert (server.headers["x-team"], server.headers["x-gate"]) == (
            "blue",
            "Bearer t0ken-of-the-gate",
        )
        assert not [
            path for path in tmp_path.rglob("*") if path.is_file() and b"t0ken" in path.read_bytes()
        ]
        # 2 x 2 / (2 + 4), ten times
        assert "translation, m: token F1 0.667, 10 of 10 cases" in done.out
        assert (
            f"results{os.sep}summary.md" in done.out and (tmp_path / "results/summary.md").is_file()
        )
        assert "[10/10] m, translation/" in done.err and ": answered" in done.err
        again = command(*words, "--json")
        assert again.json["benchmarks"][0]["models"][0]["known"] == 10
        assert again.err == ""  # quiet without --verbose


def test_a_model_that_is_missing_is_one_sentence_and_exit_code_1(
    command: Command, tmp_path: Path
) -> None:
    folder = small_set(tmp_path / "set")
    with ollama(lambda model, prompt: None if model == "gone" else "hello there") as server:
        done = command(
            "run",
            "--model",
            "gone",
            "--model",
            "m",
            "--ollama-url",
            server.url,
            "--folder",
            folder,
            "--metric",
            "exact",
        )
    assert done.code == 1
    assert (
        len(done.err.splitlines()) == 1
        and "ollama pull" in done.err
        and "Traceback" not in done.err
    )
    assert "translation, m: token F1 0.667, 10 of 10 cases" in done.out
    assert "translation, gone: no value, 0 of 10 cases (no such model 10)" in done.out


def test_ollama_that_is_not_running_is_one_sentence_and_exit_code_1(
    command: Command, tmp_path: Path
) -> None:
    done = command(
        "run",
        "--model",
        "m",
        "--ollama-url",
        "http://127.0.0.1:9",
        "--folder",
        small_set(tmp_path / "set"),
    )
    assert done.code == 1
    assert len(done.err.splitlines()) == 1
    assert done.err.startswith(
        "model m: found Ollama does not answer at http://127.0.0.1:9 (start it with `ollama serve`"
    )
    assert not (tmp_path / "results/summary.md").exists()


def test_cases_without_an_answer_are_exit_code_3(command: Command, tmp_path: Path) -> None:
    folder = small_set(tmp_path / "set")
    with ollama(lambda model, prompt: "" if prompt == "Translate 3" else "hello there") as server:
        done = command(
            "run",
            "--model",
            "m",
            "--ollama-url",
            server.url,
            "--folder",
            folder,
            "--metric",
            "exact",
        )
    assert done.code == 3
    assert "found 1 case without an answer" in done.err and "(empty reply 1)" in done.out


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_an_interrupted_run_goes_on_where_it_stopped(
    command: Command, tmp_path: Path, end: signal.Signals
) -> None:
    folder = small_set(tmp_path / "set")
    half, gone = threading.Event(), threading.Event()

    def say(model: str, prompt: str) -> str:
        if prompt == "Translate 5":
            half.set()
            gone.wait(60)
        return "hello there"

    with ollama(say) as server:
        words = [
            "benchmark",
            "run",
            "--model",
            "m",
            "--ollama-url",
            server.url,
            "--folder",
            str(folder),
            "--metric",
            "exact",
        ]
        first = forked.start(["-m", "graders", *words], cwd=tmp_path, err=tmp_path / "said")
        assert half.wait(60)
        first.send_signal(end)
        code, said = first.wait(), (tmp_path / "said").read_text("utf-8")
        assert code == (3 if end is signal.SIGINT else -signal.SIGKILL)
        assert "Traceback" not in said and ("everything that was stored is kept" in said) == (
            end is signal.SIGINT
        )
        assert not (tmp_path / "results" / "summary.md").exists()
        gone.set()
        asked = len(server.asked)
        done = command(*words[1:])
        assert done.code == 0, done.err
        # 0 to 4 are known
        assert [prompt for _, prompt in server.asked[asked:]] == [
            f"Translate {n}" for n in range(5, 10)
        ]
    assert "10 of 10 cases" in done.out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["run"], 2, "Missing option '--model'"),
        (["run", "--model", "m", "--project", "p"], 1, "option --project: found no --workspace"),
        (
            ["run", "--model", "m", "--benchmarks", "poetry"],
            1,
            "expected one of codegen, summarization, translation",
        ),
        (
            ["generate", "--model", "m", "--category", "riddles"],
            1,
            "category 'riddles': found no prompt for it",
        ),
        (["generate", "--model", "m", "--count", "0"], 2, "'--count'"),
        (["validate", "nowhere"], 1, "nowhere: found no such folder"),
        (["clean"], 1, "option --output results: found no such folder"),
        (["polish"], 2, "No such command"),
    ],
)
def test_wrong_words(command: Command, words: list[str], code: int, said: str) -> None:
    done = command(*words)
    assert (done.code, said in done.err) == (code, True), done.err


def test_validate_lists_what_is_wrong(command: Command, tmp_path: Path) -> None:
    folder = small_set(tmp_path / "set")
    assert command("validate", folder).out == "translation: 10 good cases; 0 problems.\n"
    (folder / "translation" / "[bold].txt").write_text("no line", "utf-8")
    done = command("validate", folder)
    assert done.code == 1
    assert "translation/[bold].txt, 1" in done.err and "no separating line" in done.err
    found = command("validate", folder, "--json")
    assert (found.code, found.json["problems"][0]["row"], found.json["cases"]) == (
        1,
        1,
        {"translation": 10},
    )


def test_new_cases_go_into_the_folder_where_one_works(command: Command, tmp_path: Path) -> None:
    before = set(BUNDLED.rglob("*"))
    with ollama(lambda model, prompt: "Translate the word cat.\n=== separator ===\nкот") as server:
        done = command(
            "generate", "--model", "m", "--category", "translation", "--ollama-url", server.url
        )
    written = set(BUNDLED.rglob("*")) - before
    for path in written:
        path.unlink()
    assert (done.code, written) == (0, set())  # nothing beside what comes with Cograde
    assert (
        done.out == f"benchmarks{os.sep}translation{os.sep}en-01.txt\n"
        and (tmp_path / done.out.strip()).is_file()
    )


def test_clean_names_what_stays(command: Command, tmp_path: Path) -> None:
    with ollama(lambda model, prompt: "hello there") as server:
        command(
            "run",
            "--model",
            "m",
            "--ollama-url",
            server.url,
            "--folder",
            small_set(tmp_path / "set"),
            "--metric",
            "exact",
        )
    (tmp_path / "results" / "mine.txt").write_text("mine", "utf-8")
    done = command("clean", "--json")
    assert set(done.json["deleted"]) == {
        "translation.md",
        "summary.md",
        "report.html",
        "results.xlsx",
    }
    assert "mine.txt stays: not written by a benchmark." in done.err
    assert (tmp_path / "results" / "mine.txt").is_file()


def test_the_how_to_runs_as_it_stands(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    expected = {
        case.text: case.references[0]
        for case in map(read_case, case_files(BUNDLED))
        if hasattr(case, "references")
    }
    made = iter(range(100))

    def say(model: str, prompt: str) -> str:
        known = expected.get(prompt)
        if known is None and "Write a case" in prompt:
            return f"Task number {next(made)}.\n=== separator ===\n```python\nprint('done')\n```"
        return known or "An answer."

    lines = [
        line[2:]
        for block in re.findall(r"^```console\n(.*?)^```", HOW_TO, flags=re.M | re.S)
        for line in block.splitlines()
    ]
    assert len(lines) >= 8
    with ollama(say) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.url)
        for line in lines:
            words = shlex.split(line)
            assert words[0] == "cograde"
            capsys.readouterr()
            done = Done(
                run(words[1:], Settings(), lambda settings, tell: None), *capsys.readouterr()
            )
            assert done.code == 0, f"{line}\n{done.out}\n{done.err}"
    assert (tmp_path / "my-results" / "report.html").is_file()
    assert not (tmp_path / "results" / "summary.md").exists()  # cleared away at the end


def test_every_option_of_the_commands_is_one_that_the_how_to_may_name(command: Command) -> None:
    told = {name: command(name, "--help").out for name in ("run", "generate", "validate", "clean")}
    for option in set(re.findall(r"(?<!-)--[a-z][a-z-]+", HOW_TO)) - {"--yes", "--judge"}:
        assert any(option in text for text in told.values()), option
