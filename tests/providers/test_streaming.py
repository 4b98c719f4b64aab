"""Streams of all three protocols, over HTTP: the whole reply from pieces, the time of the first,
and every way to break off."""

import asyncio
import json
from dataclasses import fields, replace

import pytest

from graders.core.records import Reply
from graders.providers.anthropic_messages import AnthropicMessages
from graders.providers.http.stream import assemble, lines
from graders.providers.ollama import Ollama
from graders.providers.openai_chat import Completion, OpenAIChat
from tests.providers.asking import asked, send
from tests.support.stub import provider_stub

KINDS = (OpenAIChat, AnthropicMessages, Ollama)
STREAM = replace(asked(stream=True), schema=None)
#: Eight characters a piece in the stub; U+2028 ends lines for Python, but neither in JSON nor in
#: events.
TEXT = 'Erstens \U0001f327\u2028zweitens, 三番目\u0085und viertens: \\n "Ende"'


@pytest.fixture(scope="module")
def stub():
    with provider_stub() as running:
        yield running


def base(stub, kind) -> str:
    return stub.base_url if kind is OpenAIChat else stub.root


@pytest.mark.parametrize("kind", KINDS)
class TestEveryProtocol:
    def test_the_pieces_make_the_whole(self, stub, kind):
        stub.configure(faults={}, say=TEXT, gap=0.0)
        streamed = send(kind, base(stub, kind), STREAM)
        whole = send(kind, base(stub, kind), replace(STREAM, settings={}))
        assert (streamed.text, streamed.cause) == (TEXT, "")
        differing = {
            f.name for f in fields(Reply) if getattr(streamed, f.name) != getattr(whole, f.name)
        }
        # tokens, finish and model are the same
        assert differing <= {
            "raw",
            "seconds",
            "first_token_seconds",
        }
        assert streamed.output_tokens and streamed.input_tokens

    def test_the_first_piece_of_text_is_timed(self, stub, kind):
        # The stub writes every piece in two halves with .03 s between them. Before the first text
        # come, at most, a comment, a start and a ping; after it another 7 pieces, 14 x .03 = .42 s.
        stub.configure(faults={}, say="x" * 64, gap=0.03)
        reply = send(kind, base(stub, kind), STREAM)
        assert reply.text == "x" * 64
        assert 0.02 < reply.first_token_seconds < 3
        assert reply.seconds - reply.first_token_seconds > 0.3

    def test_without_a_stream_there_is_no_first_token(self, stub, kind):
        stub.configure(faults={}, say=None, gap=0.0)
        assert (
            send(kind, base(stub, kind), replace(STREAM, settings={})).first_token_seconds is None
        )

    @pytest.mark.parametrize("fault", ["truncated", "unfinished"])
    def test_a_stream_that_breaks_off_is_a_truncated_body(self, stub, kind, fault):
        stub.configure(faults={fault: 1.0}, say=TEXT, gap=0.0)
        reply = send(kind, base(stub, kind), STREAM)
        assert (reply.cause, reply.detail, reply.text) == (
            "truncated_body",
            "the connection ended before the reply was whole",
            "",
        )

    def test_an_error_inside_a_stream_is_named(self, stub, kind):
        stub.configure(faults={"error_inside": 1.0}, say=TEXT, gap=0.0)
        reply = send(kind, base(stub, kind), STREAM)
        said = {
            OpenAIChat: "The server had an error",
            AnthropicMessages: "Overloaded",
            Ollama: "an error was encountered while running the model",
        }
        assert (reply.cause, reply.detail) == ("server_error", said[kind])

    @pytest.mark.parametrize(
        ("fault", "cause"),
        [
            ("rate_limited", "rate_limited"),
            ("wrong_key", "wrong_key"),
            ("page", "malformed"),
            ("cut", "length_stop"),
        ],
    )
    def test_other_failures_keep_their_causes(self, stub, kind, fault, cause):
        stub.configure(faults={fault: 1.0}, say=None, gap=0.0)
        assert send(kind, base(stub, kind), asked(stream=True)).cause == cause

    def test_a_slow_stream_is_left_at_the_time_limit(self, stub, kind):
        stub.configure(faults={}, say="x" * 800, gap=0.05)
        reply = send(kind, base(stub, kind), STREAM, timeout=0.3)
        assert (reply.cause, reply.detail) == ("timeout", "no reply within 0.3 s")
        assert reply.seconds < 5

    def test_connections_are_given_back(self, stub, kind):
        """More streams than connections, half of them broken off: none waits for ever."""
        stub.configure(faults={"unfinished": 0.5}, say=TEXT, gap=0.0, seed=4)

        async def burst() -> list[Reply]:
            provider = kind(base_url=base(stub, kind), api_key="sk-test-visitor-key", connections=2)
            replies = await asyncio.gather(*(provider.send(STREAM, 10) for _ in range(20)))
            await provider.aclose()
            return replies

        causes = [reply.cause for reply in asyncio.run(burst())]
        assert causes.count("truncated_body") == stub.stats()["faults"]["unfinished"] > 3
        assert causes.count("") == 20 - causes.count("truncated_body")
        assert stub.stats()["peak"] <= 2


@pytest.mark.parametrize("kind", [OpenAIChat, Ollama])
@pytest.mark.parametrize("stream", [True, False])
def test_log_probabilities_come_along_where_they_are_given(stub, kind, stream):
    stub.configure(faults={}, say="relevant, yes", gap=0.0)
    reply = send(kind, base(stub, kind), replace(asked(stream=stream, logprobs=True), schema=None))
    assert reply.logprobs == (("relevant", -0.25), (", yes", -0.25))  # eight characters a piece
    assert send(kind, base(stub, kind), replace(asked(), schema=None)).logprobs is None


def test_a_refusal_in_a_stream_keeps_its_words(stub):
    stub.configure(faults={"refusal": 1.0}, say=None, gap=0.0)
    for kind in (OpenAIChat, AnthropicMessages):
        reply = send(kind, base(stub, kind), asked(stream=True))
        assert (reply.cause, reply.detail) == ("refusal", "I cannot help with that.")


def test_a_server_that_does_not_stream_is_understood(stub):
    """A stream is wanted, and the server answers in one piece."""
    stub.configure(faults={}, say=TEXT, gap=0.0)

    class Whole(Ollama, abstract=True):
        """Asks for no stream where one was wanted."""

        def body(self, request):
            return super().body(replace(request, settings={}))

    reply = send(Whole, stub.root, STREAM)
    assert (reply.text, reply.cause, reply.first_token_seconds) == (TEXT, "", None)


class Chunks:
    """A response whose body comes in given chunks."""

    def __init__(self, *chunks: bytes) -> None:
        self.chunks = chunks

    async def aiter_raw(self):
        for chunk in self.chunks:
            yield chunk


def test_lines_end_at_line_feeds_only():
    """The cut between the chunks goes through the two bytes of ö."""
    body = "a\u2028b\r\n\nschön\nrest".encode()
    cut = body.index("ö".encode()) + 1

    async def read() -> list[str]:
        return [line async for line in lines(Chunks(body[:cut], body[cut:]))]

    assert asyncio.run(read()) == ["a\u2028b", "", "schön", "rest"]


@pytest.mark.parametrize(
    ("events", "text"),
    [
        ('data: {"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}\n\n', "a"),
        (
            'data:{"choices":[{"delta":{"content":"a"}}]}\r\n\r\ndata: {"choices":[{"delta":{},"finish_reason":"stop"}]}\r\n\r\n',
            "a",
        ),
        # two lines, no end
        (
            'event: x\nid: 1\ndata: {"choices":[{"delta":{"content":"a"},\ndata: "finish_reason":"stop"}]}',
            "a",
        ),
        (
            'data: {"choices":[]}\n\ndata: {"choices":[{"delta":{"content":null},"finish_reason":"stop"}]}\n\n',
            "",
        ),
        # half a character, which no file takes
        (
            'data: {"choices":[{"delta":{"content":"\\ud83d"},"finish_reason":"stop"}]}\n\n',
            "?",
        ),
        ("data: [DONE]\n\n", None),
        ("data: {half\n\n", None),
        ('data: {"choices":[3]}\n\n', None),
        ("", None),
    ],
)
def test_events_as_servers_write_them(events, text):
    async def read() -> str | None:
        try:
            body, _ = await assemble(Chunks(events.encode()), Completion(), 0.0)
        except Exception as error:
            assert type(error).__name__ == "Broken"
            return None
        return json.loads(body)["choices"][0]["message"]["content"]

    assert asyncio.run(read()) == text


class TestStoredReplies:
    def test_a_reply_of_an_older_version_still_loads(self):
        stored = '{"text": "x", "cause": "", "detail": "", "raw": "{}", "finish_reason": "stop", "input_tokens": 3, "cached_tokens": null,'
        stored += ' "output_tokens": 1, "seconds": 0.5, "retry_after": null, "model": "m"}'
        reply = Reply(**json.loads(stored))
        assert (reply.text, reply.first_token_seconds, reply.logprobs) == ("x", None, None)

    def test_a_reply_survives_being_stored(self):
        reply = Reply(text="x", first_token_seconds=0.25, logprobs=(("x", -0.5),))
        stored = json.dumps({item.name: getattr(reply, item.name) for item in fields(Reply)})
        assert Reply(**json.loads(stored)) == reply
