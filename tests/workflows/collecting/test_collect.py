"""Collected answers: three protocols over HTTP, limits, money, what is never bought twice, and how
answers come in."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graders.core.errors import InputError, NotAllowed, UsageError
from graders.core.records import Answer
from graders.providers.http.connected import Connected
from graders.store.answers import content
from graders.store.calls import runs as run_store
from graders.store.workspace import Workspace
from graders.workflows.calling import records as calling_records
from graders.workflows.collecting import collect
from graders.workflows.collecting.collect import Budget, Heard, Order, Source
from graders.workflows.runs import runs
from graders.workflows.scope.permissions import Actor, Scope
from tests.support.ollama_answers import ollama
from tests.support.stub import StubProvider

PROJECT = "study"


def questions(folder: Path, count: int = 2) -> Path:
    """A table of questions, and nothing but questions."""
    file = folder / "questions.csv"
    file.write_text(
        "id,question,category\n" + "".join(f"q{n},What is {n}?,numbers\n" for n in range(count)),
        "utf-8",
    )
    return file


def openai(stub: StubProvider, name: str = "gpt", **options: Any) -> Source:
    """A model behind OpenAI's protocol, with a price."""
    reach = {
        "base_url": stub.base_url,
        "api_key": "key-of-gpt",
        "input_price": 1.0,
        "output_price": 2.0,
    }
    return Source(
        name=name, provider="openai_chat", model=name, options={**reach, **options}, concurrency=4
    )


def shown(ws: Workspace) -> dict[tuple[str, str], Answer]:
    """The present answers of the project, by question and model."""
    scope = Scope(Actor(), ws)
    found = content.subjects(ws.db, content.subject_ids(ws.db, scope.project(PROJECT)))
    return {(s.subject.question.id, s.subject.answer.model): s.subject.answer for s in found}


def test_three_protocols_and_all_that_is_kept_beside_an_answer(
    scope: Scope, stub: StubProvider, tmp_path: Path
) -> None:
    stub.configure(say="Two plus two is four.", faults={}, gap=0.002)
    claude = Source(
        name="claude",
        provider="anthropic_messages",
        model="claude-sonnet-4-5",
        options={"base_url": stub.root, "api_key": "k"},
    )
    llama = Source(
        name="llama",
        provider="ollama",
        model="llama3",
        options={"base_url": stub.root},
        settings={"top_k": 5},
    )
    sources = (openai(stub), claude, llama)
    order = Order(
        sources=sources,
        questions=questions(tmp_path),
        system="Be short.",
        settings={"temperature": 0.5, "max_output_tokens": 99},
    )
    heard: list[Heard] = []
    result = collect.collect(scope, PROJECT, order, heard.append)
    assert [(m.name, m.answered, m.error) for m in result.models] == [
        ("gpt", 2, ""),
        ("claude", 2, ""),
        ("llama", 2, ""),
    ]
    assert (sorted(h.done for h in heard), {h.total for h in heard}) == ([1, 2, 3, 4, 5, 6], {6})
    answers = shown(scope.ws)
    assert len(answers) == 6
    gpt = answers["q1", "gpt"]
    assert (gpt.text, gpt.finish_reason, gpt.version) == ("Two plus two is four.", "stop", 1)
    # as the stub counts: characters / 4 + 1
    assert gpt.input_tokens == (len("Be short.") + len("What is 1?")) // 4 + 1
    assert gpt.output_tokens == 21 // 4 + 1
    assert gpt.cost == pytest.approx((5 * 1.0 + 6 * 2.0) / 1e6)
    assert 0 < gpt.time_to_first_token < gpt.total_seconds
    how = dict(gpt.metadata["collected"])
    assert how.pop("at").startswith("2027-")  # the workspace's clock
    assert how == {
        "provider": "openai_chat",
        "address": stub.base_url,
        "model": "gpt",
        "answered_by": "gpt",
        "settings": {"temperature": 0.5, "max_output_tokens": 99},
        "system": "Be short.",
    }
    assert answers["q0", "claude"].cost is None  # nobody knows a price at this address
    # known not to be taken
    assert answers["q0", "claude"].metadata["collected"]["left_out"] == ["temperature"]
    assert answers["q0", "claude"].metadata["collected"]["settings"] == {"max_output_tokens": 99}
    assert answers["q0", "llama"].cost == 0.0
    assert answers["q0", "llama"].metadata["collected"]["settings"] == {
        "temperature": 0.5,
        "max_output_tokens": 99,
        "top_k": 5,
    }


def test_times_to_the_first_token_are_those_of_each_provider_alone(
    scope: Scope, stub: StubProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stub.configure(say="Four.", faults={}, latency=0.05)
    make = Connected._http_client

    def slowly(self: Connected) -> Any:
        time.sleep(0.2)  # as an SDK that is loaded for the first time
        return make(self)

    monkeypatch.setattr(Connected, "_http_client", slowly)
    claude = Source(
        name="claude",
        provider="anthropic_messages",
        model="c",
        options={"base_url": stub.root, "api_key": "k"},
        concurrency=2,
    )
    llama = Source(
        name="llama", provider="ollama", model="l", options={"base_url": stub.root}, concurrency=2
    )
    sources = (openai(stub), claude, llama)
    order = Order(sources=sources, questions=questions(tmp_path))

    def medians(order: Order) -> dict[str, float]:
        return {
            m.name: m.first_token_seconds for m in collect.collect(scope, PROJECT, order).models
        }

    together = medians(order)
    alone = {
        name: s
        for one in sources
        for name, s in medians(replace(order, sources=(one,), occasion="alone")).items()
    }
    assert min(alone.values()) >= 0.05
    assert together == pytest.approx(alone, abs=0.2), "making one client takes twice that"


def test_each_call_is_the_question_alone(scope: Scope, stub: StubProvider, tmp_path: Path) -> None:
    stub.configure(say="Yes.", faults={})
    collect.collect(
        scope,
        PROJECT,
        Order(sources=(replace(openai(stub), concurrency=1),), questions=questions(tmp_path)),
    )
    body = json.loads(stub.stats()["last_body"])
    assert body["messages"] == [{"role": "user", "content": "What is 1?"}]
    # no setting that nobody asked for
    assert set(body) == {
        "model",
        "messages",
        "stream",
        "stream_options",
    }


def test_a_stored_reply_is_never_bought_again_and_another_text_is_a_new_version(
    scope: Scope, stub: StubProvider, tmp_path: Path
) -> None:
    stub.configure(say="First.", faults={})
    order = Order(sources=(openai(stub),), questions=questions(tmp_path))
    collect.collect(scope, PROJECT, order)
    stub.configure(say="Second.", faults={})
    again = collect.collect(scope, PROJECT, replace(order, questions=None))
    assert stub.stats()["requests"] == 0
    assert (
        again.models[0].known,
        again.imported.unchanged,
        again.models[0].money,
    ) == (2, 2, 0.0)
    other = replace(order, questions=None, occasion="December")
    assert collect.plan(scope, PROJECT, other).models[0].replaces == 2
    renewed = collect.collect(scope, PROJECT, other)
    assert (stub.stats()["requests"], renewed.imported.new_versions) == (2, 2)
    second = shown(scope.ws)["q0", "gpt"]
    assert (second.text, second.version, second.metadata["collected"]["occasion"]) == (
        "Second.",
        2,
        "December",
    )
    # the first ones once more, for nothing
    collect.collect(scope, PROJECT, replace(order, questions=None))
    assert stub.stats()["requests"] == 2
    assert (shown(scope.ws)["q0", "gpt"].text, shown(scope.ws)["q0", "gpt"].version) == (
        "First.",
        3,
    )


@pytest.mark.parametrize(
    ("fault", "text", "finish"),
    [("cut", "Half of it.", "length"), ("refusal", "I cannot help with that.", "stop")],
)
def test_a_cut_answer_and_a_refusal_are_what_the_model_said(
    scope: Scope, stub: StubProvider, tmp_path: Path, fault: str, text: str, finish: str
) -> None:
    stub.configure(say="Half of it." if fault == "cut" else "", faults={fault: 1.0})
    order = Order(sources=(openai(stub),), questions=questions(tmp_path, 1))
    result = collect.collect(scope, PROJECT, order)
    found = shown(scope.ws)["q0", "gpt"]
    assert (found.text, found.finish_reason) == (text, finish)
    assert result.models[0].cut == (fault == "cut")
    assert stub.stats()["requests"] == 1
    assert collect.plan(scope, PROJECT, order).known == 1


def test_an_empty_reply_is_no_answer_and_is_asked_again(
    scope: Scope, stub: StubProvider, tmp_path: Path
) -> None:
    stub.configure(say="", faults={})
    order = Order(sources=(openai(stub),), questions=questions(tmp_path, 1))
    assert collect.collect(scope, PROJECT, order).models[0].failed == {"empty": 1}
    assert shown(scope.ws) == {}
    stub.configure(say="Here.", faults={})
    assert collect.collect(scope, PROJECT, order).models[0].answered == 1


def test_a_model_that_is_missing_and_a_dead_address_do_not_stop_the_others(
    scope: Scope, stub: StubProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calling_records, "BACKOFF", 0.01)
    stub.configure(say="Yes.", faults={})
    dead = [
        Source(name=n, provider="ollama", model=n, options={"base_url": "http://127.0.0.1:9"})
        for n in ("far", "farther")
    ]
    with ollama(lambda model, prompt: None if model == "gone" else "Yes.") as server:
        near = [
            Source(name=n, provider="ollama", model=n, options={"base_url": server.url})
            for n in ("gone", "there")
        ]
        order = Order(
            sources=(*dead, *near, openai(stub)), questions=questions(tmp_path), timeout=5.0
        )
        found = {m.name: m for m in collect.collect(scope, PROJECT, order).models}
        # one at a time
        assert [prompt for model, prompt in server.asked if model == "there"] == [
            "What is 0?",
            "What is 1?",
        ]
    assert {name: m.answered for name, m in found.items()} == {
        "far": 0,
        "farther": 0,
        "gone": 0,
        "there": 2,
        "gpt": 2,
    }
    assert found["gone"].error.startswith(
        "model gone: found status 404: model 'gone' not found (get it with `ollama pull`"
    )
    assert (
        found["far"].error == found["farther"].error
        and "does not answer at http://127.0.0.1:9" in found["far"].error
    )
    assert found["far"].failed == {"unreachable": 2} and found["farther"].sends == 0


def test_a_provider_keeps_its_limit(scope: Scope, stub: StubProvider, tmp_path: Path) -> None:
    stub.configure(say="Yes.", faults={}, latency=0.03)
    sources = tuple(replace(openai(stub, name), concurrency=2) for name in ("a", "b"))
    collect.collect(scope, PROJECT, Order(sources=sources, questions=questions(tmp_path, 6)))
    stats = stub.stats()
    stub.configure(latency=0.0)
    # two models of one address, one after the other
    assert (stats["requests"], stats["peak"]) == (
        12,
        2,
    )


def test_a_budget_in_calls_holds_over_providers_and_the_same_order_goes_on(
    scope: Scope, stub: StubProvider, tmp_path: Path
) -> None:
    stub.configure(say="Yes.", faults={})
    llama = Source(name="llama", provider="ollama", model="llama3", options={"base_url": stub.root})
    order = Order(
        sources=(openai(stub), llama), questions=questions(tmp_path, 4), limit=Budget(calls=5)
    )
    first = collect.collect(scope, PROJECT, order)
    assert (stub.stats()["requests"], first.stopped, len(shown(scope.ws))) == (5, "budget", 5)
    assert first.models[1].failed == {"not_asked": 3}
    second = collect.collect(scope, PROJECT, order)
    assert (stub.stats()["requests"], second.stopped, len(shown(scope.ws))) == (8, "", 8)


def test_a_budget_in_money_needs_prices_before_anything_is_sent(
    scope: Scope, stub: StubProvider, tmp_path: Path
) -> None:
    stub.configure(say="Yes.", faults={})
    unpriced = openai(stub, input_price=None, output_price=None)
    order = Order(sources=(unpriced,), questions=questions(tmp_path), limit=Budget(money=1.0))
    for use in (collect.plan, collect.collect):
        with pytest.raises(
            InputError,
            match=r"budget in money: found no known price of gpt, .* input_price and output_price",
        ):
            use(scope, PROJECT, order)
    assert stub.stats()["requests"] == 0
    dear = Order(
        sources=(openai(stub),),
        questions=order.questions,
        settings={"max_output_tokens": 10},
        limit=Budget(money=1e-9),
    )
    assert collect.collect(scope, PROJECT, dear).stopped == "budget"
    assert stub.stats()["requests"] == 0


def test_the_plan_counts_calls_tokens_and_money_and_writes_nothing(
    scope: Scope, stub: StubProvider, tmp_path: Path
) -> None:
    stub.configure(say="Yes.", faults={})
    file = questions(tmp_path, 3)
    file.write_text(file.read_text("utf-8") + "q9,,numbers\n", "utf-8")
    agreed = collect.plan(scope, PROJECT, Order(sources=(openai(stub),), questions=file))
    assert (agreed.questions, agreed.bad_rows, agreed.calls, agreed.known) == (
        3,
        1,
        3,
        0,
    )
    # 3 questions of 10 characters are 7 tokens of 4, and 400 are assumed for each answer: 7 x 1 +
    # 1,200 x 2 per million
    assert agreed.money == pytest.approx((7 * 1.0 + 1200 * 2.0) / 1e6)
    assert agreed.seconds == 10.0  # three calls, four at once
    assert stub.stats()["requests"] == 0
    with pytest.raises(Exception, match=PROJECT):
        scope.project(PROJECT)


def test_what_was_imported_may_be_left_out(
    scope: Scope, stub: StubProvider, tmp_path: Path
) -> None:
    stub.configure(say="New.", faults={})
    file = tmp_path / "both.csv"
    file.write_text(
        "id,question,model,answer\nq0,What is 0?,gpt,Old.\nq1,What is 1?,other,Nil.\n", "utf-8"
    )
    collect.collect(scope, PROJECT, Order(sources=(openai(stub),), questions=file, missing=True))
    answers = {key: answer.text for key, answer in shown(scope.ws).items()}
    assert answers == {("q0", "gpt"): "Old.", ("q1", "other"): "Nil.", ("q1", "gpt"): "New."}


def test_secrets_stay_out_of_what_is_kept(
    scope: Scope, stub: StubProvider, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key-for-openai-alone")
    stub.configure(say="Yes.", faults={})
    source = collect.source_of(f"mine=openai:m@{stub.base_url}", {"": 1})
    order = Order(
        sources=(source,),
        questions=questions(tmp_path, 1),
        settings={"headers": {"X-Team": "hush-hush"}},
    )
    collect.collect(scope, PROJECT, order)
    assert stub.stats()["last_headers"]["x-team"] == "hush-hush"
    assert stub.stats()["keys"] == ["none"]  # the key of one server is not for another
    kept = json.dumps(dict(shown(scope.ws)["q0", "mine"].metadata))
    assert "hush" not in kept and "none" not in kept


def test_visitors_do_not_spend_the_installation_s_keys(
    ws: Workspace, stub: StubProvider, tmp_path: Path
) -> None:
    visitor = Scope(Actor(role="visitor", own_key_only=True), ws)
    with pytest.raises(NotAllowed):
        collect.collect(
            visitor, PROJECT, Order(sources=(openai(stub),), questions=questions(tmp_path))
        )


def test_a_killed_collection_is_not_graded_by_a_worker(
    scope: Scope, stub: StubProvider, tmp_path: Path
) -> None:
    stub.configure(say="Yes.", faults={})
    run = collect.collect(
        scope, PROJECT, Order(sources=(openai(stub),), questions=questions(tmp_path))
    ).run
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    with scope.ws.write() as db:
        db.execute(
            "UPDATE run SET state = 'running', worker = ? WHERE id = ?",
            (f"{run_store.worker_name().rpartition(':')[0]}:{gone.pid}", run),
        )
    assert runs.execute(scope.ws, run) == "stopped"
    assert "the same command goes on" in run_store.get_run(scope.ws, run).message


@pytest.mark.parametrize(
    ("words", "name", "provider", "model", "address", "at_once"),
    [
        ("openai:gpt-4o-mini", "gpt-4o-mini", "openai_chat", "gpt-4o-mini", None, 8),
        ("small=openai:gpt-4o-mini", "small", "openai_chat", "gpt-4o-mini", None, 8),
        ("ollama:llama3:8b", "llama3:8b", "ollama", "llama3:8b", None, 1),
        ("q=openai:qwen@https://host/v1", "q", "openai_chat", "qwen", "https://host/v1", 8),
        (
            "anthropic:claude@20240620",
            "claude@20240620",
            "anthropic_messages",
            "claude@20240620",
            None,
            8,
        ),
        ("openai:a=b", "a=b", "openai_chat", "a=b", None, 8),
    ],
)
def test_words_for_a_model(
    words: str, name: str, provider: str, model: str, address: str | None, at_once: int
) -> None:
    found = collect.source_of(words, collect.concurrency_of([]))
    assert (found.name, found.provider, found.model, found.concurrency) == (
        name,
        provider,
        model,
        at_once,
    )
    assert found.options.get("base_url") == address


@pytest.mark.parametrize(
    ("words", "limits"),
    [
        ([], {"anthropic": 8, "ollama": 1, "openai": 8}),
        (["3"], {"anthropic": 3, "ollama": 3, "openai": 3}),
        (["openai=16"], {"anthropic": 8, "ollama": 1, "openai": 16}),
        (["4", "ollama=2"], {"anthropic": 4, "ollama": 2, "openai": 4}),
    ],
)
def test_limits_by_provider(words: list[str], limits: Mapping[str, int]) -> None:
    said = collect.concurrency_of(words)
    assert {kind: collect.source_of(f"{kind}:m", said).concurrency for kind in limits} == limits


@pytest.mark.parametrize("words", ["openai", "openai:", "nobody:m", "m"])
def test_words_that_are_no_model(words: str) -> None:
    with pytest.raises(UsageError, match="expected"):
        collect.source_of(words, {"": 1})


MODELS = """
[qwen]
model = "openai:qwen-max"
base_url = "https://example.org/v1"
key_variable = "QWEN_KEY"
concurrency = 3
settings = {temperature = 0.7}
input_price = 0.4
output_price = 1.2

["llama, local"]
model = "ollama:llama3"
"""


def test_models_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "models.toml"
    file.write_text(MODELS, "utf-8")
    qwen, llama = collect.read_models(file, {"QWEN_KEY": "sk-qwen"}, collect.concurrency_of([]))
    assert (qwen.name, qwen.model, qwen.concurrency, qwen.settings) == (
        "qwen",
        "qwen-max",
        3,
        {"temperature": 0.7},
    )
    assert qwen.options == {
        "base_url": "https://example.org/v1",
        "api_key": "sk-qwen",
        "input_price": 0.4,
        "output_price": 1.2,
    }
    assert "sk-qwen" not in repr(qwen)
    assert (llama.name, llama.provider, llama.concurrency, llama.options) == (
        "llama, local",
        "ollama",
        1,
        {},
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[a]\nname = 'x'", r"models.toml, \[a\]: found no key model"),
        (
            "[a]\nmodel = 'openai:m'\nkey = 'sk'",
            r"models.toml, \[a\]: found the key 'key', expected one of model, base_url",
        ),
        ("[a]\nmodel = 'openai:m'\nkey_variable = 'NO_SUCH'", r"found no variable NO_SUCH"),
        (
            "[a]\nmodel = 'openai:m'\nconcurrency = 0",
            r"\[a\], concurrency: found 0, expected a whole number above zero",
        ),
        ("[a]\nmodel = 'openai:m'\ninput_price = -1", r"\[a\], input_price: found -1"),
        ("[a", r"models.toml: found .*, expected valid TOML"),
    ],
)
def test_a_file_of_models_that_is_wrong(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "models.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(InputError, match=said):
        collect.read_models(file, {}, {"": 1})


def test_two_models_of_one_name_are_told_apart(stub: StubProvider) -> None:
    here, there = openai(stub), Source(name="gpt", provider="ollama", model="gpt")
    with pytest.raises(
        InputError, match=r"found two models of the name 'gpt'.* NAME=PROVIDER:MODEL"
    ):
        collect.all_different([here, there])
    assert collect.all_different([here, here]) == (here,)
