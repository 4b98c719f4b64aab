"""`cograde collect`: plan, yes, exit codes, going on after a kill, and the how-to as it stands."""

from __future__ import annotations

import re
import shlex
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from graders.commands._shell import run
from graders.core.settings import Settings
from tests.commands.runner import Line
from tests.support import forked
from tests.support.ollama_answers import ollama
from tests.support.stub import StubProvider, provider_stub

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def stub() -> Iterator[StubProvider]:
    with provider_stub(say="An answer.") as running:
        yield running


def questions(folder: Path, count: int = 2) -> Path:
    """A table of questions."""
    file = folder / "numbers.csv"
    file.write_text(
        "id,question\n" + "".join(f"q{n},What is {n}?\n" for n in range(count)), "utf-8"
    )
    return file


def test_plan_yes_answers_and_what_is_known(
    cograde: Line, stub: StubProvider, tmp_path: Path
) -> None:
    words = (
        questions(tmp_path),
        "--model",
        f"m=openai:tiny@{stub.base_url}",
        "--temperature",
        "0.5",
        "--set",
        "top_p=0.9",
    )
    stub.reset()
    plan = cograde("collect", *words, "--plan", "--json")
    assert (plan.code, plan.json["calls"], stub.stats()["requests"]) == (0, 2, 0)
    assert "Plan: 2 questions, 1 model: 2 calls, 0 known already, price unknown" in plan.err
    unsaid = cograde("collect", *words)
    assert (unsaid.code, stub.stats()["requests"]) == (1, 0)
    assert unsaid.err.endswith(
        "plan: found 2 calls and no yes, expected a yes before anything is sent. Add --yes.\n"
    )
    done = cograde("collect", *words, "--yes", "--verbose")
    assert done.code == 0, done.err
    assert (
        "m: 2 of 2 answers, 0 known already, median first token" in done.out
        and "2 replies of unknown price" in done.out
    )
    assert "numbers: 2 answers came in (0 new versions), 0 unchanged." in done.out
    assert sorted(re.findall(r"^\[\d/2\] m, (q\d): answered$", done.err, flags=re.M)) == [
        "q0",
        "q1",
    ]
    # the project's questions; nothing to pay, so no yes is needed
    again = cograde("collect", *words[1:], "--json")
    assert (again.code, again.json["models"][0]["known"], stub.stats()["requests"]) == (0, 2, 2)


def test_exit_code_1_for_a_model_that_cannot_be_asked_and_3_for_questions_without_an_answer(
    cograde: Line, tmp_path: Path
) -> None:
    with ollama(
        lambda model, prompt: None if model == "gone" else "" if prompt == "What is 1?" else "Yes."
    ) as server:
        known = cograde(
            "collect", questions(tmp_path), "--model", f"ollama:m@{server.url}", "--yes"
        )
        assert known.code == 3
        assert (
            "m: 1 of 2 answers, 0 known already (empty reply 1), sent again: empty reply"
            in known.out
        )
        assert known.err.splitlines()[-1] == (
            "collect: found 1 question without an answer, expected an answer to every question. The same command asks only these."
        )
        gone = cograde(
            "collect",
            "--model",
            f"ollama:gone@{server.url}",
            "--model",
            f"ollama:m@{server.url}",
            "--yes",
        )
        assert gone.code == 1
        assert gone.err.splitlines()[-1].startswith(
            "model gone: found status 404: model 'gone' not found"
        )
        limited = cograde(
            "collect", "--model", f"ollama:new@{server.url}", "--max-calls", "1", "--yes"
        )
        assert (
            limited.code == 3
            and "found the budget is reached, 1 question without an answer" in limited.err
        )


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ([], 1, "option --model: found none, expected [NAME=]PROVIDER:MODEL"),
        (["--model", "openai"], 2, "model 'openai': found no model"),
        (["--model", "nobody:m"], 2, "found the provider 'nobody', expected one of anthropic"),
        (
            ["--model", "ollama:m", "--set", "9=1"],
            2,
            "option --set: found '9=1', expected NAME=VALUE",
        ),
        (["--model", "ollama:m", "--concurrency", "many"], 2, "option --concurrency: found 'many'"),
        (
            ["--models", "nowhere.toml"],
            1,
            "nowhere.toml: found No such file or directory, expected a file of models",
        ),
        (["--model", "ollama:m"], 1, "work.db: found no such file, expected a workspace"),
        (["nowhere.csv", "--model", "ollama:m"], 1, "nowhere.csv: found no such file"),
    ],
)
def test_wrong_words(cograde: Line, words: list[str], code: int, said: str) -> None:
    done = cograde("collect", *words)
    assert (done.code, said in done.err) == (code, True), done.err


def test_a_killed_collection_goes_on_where_it_stopped(cograde: Line, tmp_path: Path) -> None:
    half, gone = threading.Event(), threading.Event()

    def say(model: str, prompt: str) -> str:
        if prompt == "What is 3?":
            half.set()
            gone.wait(60)
        return "Yes."

    with ollama(say) as server:
        words = [questions(tmp_path, 6), "--model", f"ollama:m@{server.url}", "--yes"]
        first = forked.start(
            ["-m", "graders", "collect", "--workspace", cograde.workspace, *words], cwd=tmp_path
        )
        assert half.wait(60)
        first.send_signal(signal.SIGKILL)
        first.wait(60)
        gone.set()
        asked = len(server.asked)
        done = cograde("collect", *words, "--json")
        assert [prompt for _, prompt in server.asked[asked:]] == [
            "What is 3?",
            "What is 4?",
            "What is 5?",
        ]
    assert (done.code, done.json["models"][0]["known"], done.json["imported"]["answers"]) == (
        0,
        3,
        6,
    )


HOW_TO = (ROOT / "docs" / "study.md").read_text("utf-8")


def test_the_how_to_runs_as_it_stands(
    stub: StubProvider,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Every command, in order, from questions to results; the providers are the stub."""
    stub.configure(say="An answer that says a little.", faults={})
    monkeypatch.chdir(tmp_path)
    Path("data").symlink_to(ROOT / "data")
    models = re.findall(r"^```toml\n(.*?)^```", HOW_TO, flags=re.M | re.S)[0].replace(
        "https://llm.example.org/v1", stub.base_url
    )
    Path("models.toml").write_text(models, "utf-8")
    for name, value in (
        ("OPENAI_BASE_URL", stub.base_url),
        ("OPENAI_API_KEY", "k"),
        ("OLLAMA_HOST", stub.root),
        ("QWEN_KEY", "sk-qwen"),
    ):
        monkeypatch.setenv(name, value)
    lines = [
        line[2:]
        for block in re.findall(r"^```console\n(.*?)^```", HOW_TO, flags=re.M | re.S)
        for line in block.splitlines()
    ]
    assert len(lines) >= 8
    printed = {}
    for line in lines:
        words = shlex.split(line)
        assert words[0] == "cograde"
        capsys.readouterr()
        code = run(words[1:], Settings(encoder="", multilingual=""), lambda settings: None)
        printed[words[1]], err = capsys.readouterr()
        assert code == 0, f"{line}\n{err}"
    # gpt-4o-mini, llama3, and the two of the file
    assert "6 questions, 24 answers of 4 models" in printed["status"]
    assert (
        "folder: 2 questions, 4 answers (0 new versions), 0 verdicts; 0 records unchanged, 0 bad."
        in printed["import"]
    )
    # Ollama gets none, each other server its own
    assert stub.stats()["keys"] == [
        "",
        "k",
        "sk-qwen",
    ]
    assert Path("study.xlsx").stat().st_size > 2_000


def test_every_option_that_the_how_to_names_is_there(cograde: Line) -> None:
    told = "".join(cograde(name, "--help").out for name in ("collect", "grade", "export"))
    for option in set(re.findall(r"(?<!-)--[a-z][a-z-]+", HOW_TO)):
        assert option in told, option
