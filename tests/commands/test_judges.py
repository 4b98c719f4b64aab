"""`cograde judges`: set up with all fields, tried on one answer, counted, and what was recorded
deleted."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from graders.commands._shell import run
from graders.core.errors import NotAllowed
from graders.core.settings import Settings
from graders.store.workspace import open_workspace
from graders.web.pages.judges.setup import PAIRS, PICKED
from graders.workflows.home import overview
from graders.workflows.runs import runs
from graders.workflows.runs.judges import BESIDE, set_up
from graders.workflows.runs.judges import FIELDS as FIELDS_OF_A_JUDGE
from graders.workflows.scope.permissions import Actor, Scope
from tests.commands.runner import Done, Line
from tests.store import small
from tests.support.stub import provider_stub

ROOT = Path(__file__).parents[2]
HOW_TO = re.findall(
    r"^```console\n(.*?)^```", (ROOT / "docs/judges.md").read_text("utf-8"), flags=re.M | re.S
)
IN_STUDY = ("--project", "study")
FIELDS = (
    "--temperature",
    "0.3",
    "--top-p",
    "0.9",
    "--max-tokens",
    "700",
    "--effort",
    "low",
    "--persona",
    "a strict teacher",
    "--slot",
    "user",
)


@pytest.fixture
def judges(cograde: Line, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """`cograde judges ...` in a study of two questions and two models."""
    small.study(tmp_path, open_workspace(cograde.workspace), count=2, models=("Ash", "Oak"))
    monkeypatch.setenv("OPENAI_API_KEY", "nobody")

    def call(verb: str, *words: str) -> Done:
        cograde.capture.readouterr()
        line = ["judges", verb, "--workspace", str(cograde.workspace), *words]
        return Done(
            run(line, Settings(encoder="", multilingual=""), lambda settings, tell: None),
            *cograde.capture.readouterr(),
        )

    call.grade = lambda *words: cograde("grade", *IN_STUDY, "--yes", *words)  # type: ignore[attr-defined]
    call.workspace = cograde.workspace  # type: ignore[attr-defined]
    return call


def test_a_judge_is_set_up_tried_used_and_its_content_forgotten(
    judges, monkeypatch: pytest.MonkeyPatch
) -> None:
    with provider_stub() as stub:
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        made = judges("set", "strict", "--judge", "openai:stub", *FIELDS, *IN_STUDY, "--json")
        assert (made.code, made.json["judge"]) == (0, "openai:stub"), made.err
        wanted = {
            "temperature": 0.3,
            "top_p": 0.9,
            "max_output_tokens": 700,
            "reasoning_effort": "low",
            "persona": "a strict teacher",
            "slot": "user",
        }
        assert made.json["options"] == wanted
        asked = judges(
            "try", "strict", "--question", "q1", "--model", "Oak", "--prompt", *IN_STUDY, "--json"
        ).json
        (call,) = asked["calls"]
        assert stub.stats()["requests"] == 0 and call["state"] == "not sent" and call["raw"] is None
        (message,) = call["messages"]
        assert (
            message["role"] == "user"
            and message["text"].startswith("You are a strict teacher.")
            and "Oak says 1." in message["text"]
        )
        assert call["settings"] == {
            "max_output_tokens": 700,
            "temperature": 0.3,
            "top_p": 0.9,
            "reasoning_effort": "low",
        }
        tried = judges("try", "strict", "--question", "q1", "--model", "Oak", *IN_STUDY, "--json")
        assert (tried.code, stub.stats()["requests"]) == (0, 1), tried.err
        (call,) = tried.json["calls"]
        assert json.loads(call["raw"]) and [item["criterion"] for item in call["read"]] == [
            "Relevance",
            "Completeness",
            "Tone",
        ]
        assert all(item["word"] for item in call["read"])
        assert judges.grade("--judge", "strict").code == 0
        assert stub.stats()["requests"] == 4, "four answers, one of them tried before"
        listed = judges("list", *IN_STUDY, "--json").json
        assert [row["name"] for row in listed["judges"]] == ["strict"]
        assert {
            (row["judge"], row["asked"], row["given"], row["unreadable"])
            for row in listed["figures"]
        } == {("strict", 4, 4, 0)}
        assert {row["money"] for row in listed["figures"]} == {None}, (
            "one reply was known, which says nothing of the others' price"
        )
        assert listed["recorded"][0]["kept"] == 4
        refused = judges("forget", *IN_STUDY)
        assert refused.code == 1 and "Add --yes." in refused.err
        gone = judges("forget", "--model", "stub", "--yes", *IN_STUDY, "--json")
        assert gone.json["calls"] == 4
        db = open_workspace(judges.workspace).db
        assert db.execute("SELECT count(*) FROM request").fetchone()[0] == 0
        assert [
            tuple(row)
            for row in db.execute(
                "SELECT DISTINCT state, reply, sends, output_tokens > 0 FROM call"
            )
        ] == [("forgotten", None, 1, 1)]
        after = judges("list", *IN_STUDY, "--json").json
        assert after["figures"] == listed["figures"], "verdicts and their cost stay"
        # what is asked anew is bought anew, and recorded again
        said = "SELECT count(*), max(v.id) FROM verdict v JOIN author a ON a.id = v.author_id WHERE a.kind = 'judge'"
        stands = tuple(db.execute(said).fetchone())
        again = judges("try", "strict", "--question", "q1", "--model", "Oak", *IN_STUDY)
        assert (again.code, stub.stats()["requests"]) == (0, 5) and "--- reply" in again.out, (
            again.err
        )
        assert tuple(db.execute(said).fetchone()) == stands, (
            "the verdicts that it has given stay as they are"
        )
        assert (
            judges("try", "strict", "--question", "q1", "--model", "Oak", *IN_STUDY).code == 0
            and stub.stats()["requests"] == 5
        )
        # a look at another judge is no run that people mean, and no judge of the study yet
        assert (
            judges("try", "openai:other", "--question", "q2", "--model", "Ash", *IN_STUDY).code == 0
        )
        scope = Scope(Actor(role="lead"), open_workspace(judges.workspace))
        assert runs.status(scope, "study").id == 2, "the run over all answers"
        (card,) = overview.all_projects(scope).projects
        assert card.lines[1].endswith(", 1 judge")
    listed = judges("list", *IN_STUDY).out
    assert (
        listed.startswith("1 judge, 1 more only tried; ")
        and "strict = openai:stub, temperature 0.3" in listed
    )
    assert "\nopenai:other (only tried)\n" in listed
    assert judges("remove", "strict", *IN_STUDY).code == 0
    assert judges("remove", "strict", *IN_STUDY).code == 1


def test_replies_that_cannot_be_read_are_counted_by_criterion(
    judges, monkeypatch: pytest.MonkeyPatch
) -> None:
    with provider_stub(faults={"malformed": 1.0}) as stub:
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        judges.grade("--judge", "openai:stub", "--max-calls", "20")
    rows = judges("list", *IN_STUDY, "--json").json["figures"]
    assert rows and all(
        (row["given"], row["unreadable"], row["share"]) == (0, row["asked"], 1.0) for row in rows
    )
    assert {one["reason"] for row in rows for one in row["reasons"]} <= {"malformed", "off_scale"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("set", "a b", "--judge", "openai:x"), "judge, name: found 'a b'"),
        (("set", "learned", "--judge", "openai:x"), "judge, name: found 'learned'"),
        (("set", "strict", "--judge", "nobody:x"), "the provider 'nobody'"),
        (("set", "strict", "--judge", "openai:x", "--top-p", "2"), "Invalid value for '--top-p'"),
        (
            ("set", "strict", "--judge", "openai:x", "--slot", "middle"),
            "option --slot: found 'middle', expected one of system, user",
        ),
        (("try", "openai:x", "--question", "q9", "--prompt"), "found no such answer"),
        (
            ("try", "nosuch", "--prompt"),
            "judge 'nosuch': found no judge that is set up under that name, expected PROVIDER:MODEL, such as",
        ),
        (
            ("examples", "openai:x"),
            "expected a judge that is set up under a name, and none is yet. Set the judge up under a name first",
        ),
        (("forget", "--model", "nobody", "--yes"), "found no call of that model"),
    ],
)
def test_what_cannot_be_is_a_sentence(judges, words: tuple[str, ...], said: str) -> None:
    done = judges(*words, *IN_STUDY)
    assert done.code in (1, 2) and said in done.err


def test_the_learned_judge_says_what_is_missing(judges) -> None:
    done = judges("learn", *IN_STUDY)
    assert (
        done.code == 0 and "Relevance: Nothing is learned yet: it needs 50 more labels." in done.out
    )


def test_the_how_to_as_it_stands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").symlink_to(ROOT / "data")
    commands = [
        line.removeprefix("$ ")
        for block in HOW_TO
        for line in block.splitlines()
        if line.startswith("$ ")
    ]
    assert len(commands) == 17
    with provider_stub() as stub:
        monkeypatch.setenv("OPENAI_API_KEY", "nobody")
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        for command in commands:
            words = shlex.split(command.removeprefix("cograde "))
            code = run(words, Settings(encoder="", multilingual=""), lambda settings, tell: None)
            said = capsys.readouterr()
            assert code == 0, f"{command}: {said.err}"
            if command.startswith("cograde judges list"):
                assert (
                    "strict = openai:gpt-4o-2024-08-06" in said.out
                    and "panel(strict, openai:gpt-4o-mini)" in said.out
                )
            if "style=" in command:
                assert "Grades style and mood." in said.out
            if command.endswith("learn"):
                assert "it needs 50 more labels" in said.out


def test_a_panel_is_tried_judge_by_judge_and_together(
    judges, monkeypatch: pytest.MonkeyPatch
) -> None:
    with provider_stub() as stub:
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        for name in ("strict", "mild"):
            judges("set", name, "--judge", f"openai:{name}", *IN_STUDY)
        about = ("--question", "q1", "--model", "Oak", *IN_STUDY)
        tried = judges("try", "strict, mild, openai:third", *about, "--json")
        assert (tried.code, stub.stats()["requests"], tried.json["method"]) == (0, 3, "median"), (
            tried.err
        )
        assert [call["judge"] for call in tried.json["calls"]] == ["strict", "mild", "openai:third"]
        said = {
            name: [
                int(i["word"])
                for c in tried.json["calls"]
                for i in c["read"]
                if i["criterion"] == name
            ]
            for name in ("Completeness",)
        }
        together = {item["criterion"]: item["word"] for item in tried.json["together"]}
        assert int(together["Completeness"]) == sorted(said["Completeness"])[1]
        unsent = judges("try", "fourth:x, openai:fifth", "--prompt", *about)
        assert unsent.code != 0 and "the provider 'fourth'" in unsent.err
        assert (
            "of openai:fifth" in judges("try", "openai:sixth, openai:fifth", "--prompt", *about).out
        )
        most = judges("try", "strict,mild", "--panel", "majority", "--prompt", *about)
        assert "Together (majority):" in most.out and "of mild" in most.out
        wrong = judges("try", "strict,mild", "--panel", "mean", "--prompt", *about)
        assert wrong.code == 1 and "one of median, majority" in wrong.err
        assert judges.grade("--judge", "strict", "--judge", "mild", "--panel", "median").code == 0
        listed = [
            row["name"]
            for row in judges("list", *IN_STUDY, "--json").json["judges"]
            if row["present"]
        ]
        project = judges("try", listed[0], "--prompt", *about, "--json").json
        assert [call["judge"] for call in project["calls"]] == ["strict", "mild"] and project[
            "together"
        ]


def test_the_form_of_the_page_holds_every_field_that_a_judge_has() -> None:
    """What a form leaves out would be lost when a judge is changed there."""
    shown = {"persona", *(name for pair in PAIRS for name in pair)}
    assert shown == {*FIELDS_OF_A_JUDGE, *BESIDE} and {*PICKED} < shown


def test_criteria_are_asked_apart_where_a_judge_is_set_up_so(judges) -> None:
    made = judges(
        "set", "apart", "--judge", "openai:stub", "--per", "criterion", *IN_STUDY, "--json"
    )
    assert made.json["options"] == {"per": "criterion"}
    asked = judges(
        "try", "apart", "--question", "q1", "--model", "Oak", "--prompt", *IN_STUDY, "--json"
    ).json
    assert len(asked["calls"]) > 1
    wrong = judges("set", "apart", "--judge", "openai:stub", "--per", "model", *IN_STUDY)
    assert wrong.code == 2 and "one of answer, criterion, question" in wrong.err
    for words, said in (
        (
            ("--temperature", "5"),
            "judge apart, temperature: found 5.0, expected a number from 0 to 2.",
        ),
        (
            ("--prompt-language", "xx"),
            "judge apart, prompt_language: found 'xx', expected nothing: no rubric here is translated.",
        ),
    ):
        wrong = judges("set", "apart", "--judge", "openai:stub", *words, *IN_STUDY)
        assert wrong.code == 1 and said in wrong.err
    asked = judges(
        "set", "apart", "--judge", "openai:stub", "--per", "question", *IN_STUDY, "--json"
    )
    (call,) = judges(
        "try", "apart", "--question", "q1", "--model", "Oak", "--prompt", *IN_STUDY, "--json"
    ).json["calls"]
    assert all(
        said in call["messages"][1]["text"]
        for said in ("answer_1:", "answer_2:", "Oak says 1.", "Ash says 1.")
    )


def test_headers_go_with_every_call_of_a_judge_and_hold_no_key(
    judges, monkeypatch: pytest.MonkeyPatch
) -> None:
    with provider_stub() as stub:
        monkeypatch.setenv("OPENAI_BASE_URL", stub.base_url)
        monkeypatch.setenv("GATEWAY_TOKEN", "t0ken")
        asked = ("--header", "X-Team: blue", "--header", "X-Gate: Bearer $GATEWAY_TOKEN")
        made = judges("set", "gated", "--judge", "openai:stub", *asked, *IN_STUDY, "--json")
        assert made.json["headers"] == "X-Team: blue\nX-Gate: Bearer $GATEWAY_TOKEN", (
            "the variable is kept, not what it holds"
        )
        assert (
            judges.grade(
                "--judge", "gated", "--header", "openai=X-Team: red", "--header", "gated=X-Run: 7"
            ).code
            == 0
        )
        sent = stub.stats()["last_headers"]
        assert (sent["x-team"], sent["x-gate"], sent["x-run"]) == ("blue", "bearer t0ken", "7"), (
            "its own before its provider's"
        )
        for wrong, said in (
            ("Authorization: Bearer abc", "$GATEWAY_KEY"),
            ("X-Gate: Bearer abc", "$GATEWAY_KEY"),
            ("X-Session: 0123456789abcdef0123456789abcdef", "$GATEWAY_KEY"),
            ("no header", "Name: value"),
            ("Host: x", "the connection decides"),
        ):
            refused = judges("set", "gated", "--judge", "openai:stub", "--header", wrong, *IN_STUDY)
            assert refused.code == 1 and said in refused.err
        monkeypatch.delenv("GATEWAY_TOKEN")
        assert "no variable GATEWAY_TOKEN" in judges("try", "gated", "--prompt", *IN_STUDY).err
        scope = Scope(Actor(role="visitor", own_key_only=True), open_workspace(judges.workspace))
        with pytest.raises(NotAllowed, match="a variable of this installation"):
            set_up(scope, "study", "mine", "openai:stub", {"headers": "X-A: $OPENAI_API_KEY"})
