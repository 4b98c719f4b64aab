"""A model provider on loopback that speaks three protocols, answers any JSON schema and fails on
request.

    POST /v1/chat/completions      OpenAI: after `latency` seconds, valid for the schema asked for
    POST /v1/messages              Anthropic: the same
    POST /api/chat                 Ollama: the same
    POST /v1/files, /v1/batches    OpenAI's batches; Anthropic's under /v1/messages/batches
    GET  /v1/models                one model
    GET  /stub/stats               what was asked, what would be charged, how much at once
    POST /stub/config {...}        change any option while it runs
    POST /stub/reset               counts and the generator back to the start

Each request draws once from a seeded generator; `faults` maps names of FAULTS to shares. With
`sticky` the draw is made from the request itself, so that the same request always meets the same
fault. Run as ``python -m tests.support.provider_stub '{"latency": 0.2}'``; the first line printed
is the port.
"""

from __future__ import annotations

import asyncio
import functools
import hashlib
import json
import math
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.support.stub_batches import Batches
from tests.support.stub_protocols import Protocol, Said, dumps, protocol_of
from tests.support.stub_values import example, spoiled

#: Faults that are an answer with a status of their own: status, type, code, message.
REFUSALS: dict[str, tuple[int, str, str | None, str]] = {
    "rate_limited": (429, "requests", "rate_limit_exceeded", "Rate limit reached"),
    "quota": (429, "insufficient_quota", "insufficient_quota", "You exceeded your current quota"),
    "server_error": (500, "server_error", None, "The server had an error"),
    "unavailable": (503, "server_error", None, "Overloaded"),
    "overloaded": (529, "overloaded", None, "Overloaded"),
    "no_credit": (
        400,
        "invalid_request_error",
        None,
        "Your credit balance is too low to access the API",
    ),
    "wrong_key": (
        401,
        "invalid_request_error",
        "invalid_api_key",
        "Incorrect API key provided: {key}",
    ),
    "forbidden": (403, "invalid_request_error", None, "Not for you"),
    "model_missing": (404, "invalid_request_error", "model_not_found", "The model does not exist"),
    "bad_request": (400, "invalid_request_error", None, "Unknown parameter"),
}
#: Faults of the reply itself. hang: no reply; reset: connection closed without one; truncated: the
#: body ends too early; page: status 200 with HTML; malformed: no JSON; cut: half of the JSON,
#: finish_reason length; wrong: another schema; off_scale: a value outside its enum; refusal and
#: empty: as the protocol writes them. Of streams: unfinished ends in good order without saying so;
#: error_inside brings an error after the first pieces.
BROKEN = (
    "hang",
    "reset",
    "truncated",
    "page",
    "malformed",
    "cut",
    "wrong",
    "off_scale",
    "refusal",
    "empty",
    "forgetful",
    "unfinished",
    "error_inside",
)
FAULTS = (*REFUSALS, *BROKEN)


@dataclass
class Options:
    """What may be configured. Seconds; `say` replaces the text of every reply, `say_again` that of
    replies to calls that ask once more; `gap` lies between the pieces of a stream.

    `spread` makes latencies lognormal about `latency`, with this standard deviation of the
    logarithm; of more than `capacity` calls at once (0: no limit) the last ones are refused as
    rate_limited. All after the first `hold` (0: none) wait for a release. `polls`, `expired`: see
    Batches; `refuse` is a fault of REFUSALS that all batch calls meet; with `whole` OpenAI's
    batches are taken and then refused as a whole; the first `gone` batches are not known.
    """

    latency: float = 0.0
    faults: dict[str, float] = field(default_factory=dict)
    sticky: bool = False
    seed: int = 1
    retry_after: float = 0.05
    hang: float = 3600.0
    say: str | None = None
    say_again: str | None = None
    gone: int = 0
    gap: float = 0.0
    polls: int = 0
    expired: int = 0
    refuse: str = ""
    whole: bool = False
    spread: float = 0.0
    capacity: int = 0
    hold: int = 0


class Counts:
    """What happened since the start or the last reset."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.requests = self.in_flight = self.peak = self.taken = 0
        self.prompt_characters = self.schema_characters = self.reply_characters = 0
        self.faults: Counter[str] = Counter()
        self.charged: Counter[str] = Counter()
        self.keys: set[str] = set()
        self.last_body: Any = None
        self.last_headers: dict[str, str] = {}

    def as_json(self) -> dict[str, Any]:
        return {
            "requests": self.requests,
            "in_flight": self.in_flight,
            "peak": self.peak,
            "faults": dict(self.faults),
            "paid": sum(self.charged.values()),
            "paid_distinct": len(self.charged),
            "prompt_tokens": self.prompt_characters // 4,
            "schema_tokens": self.schema_characters // 4,
            "reply_tokens": self.reply_characters // 4,
            "keys": sorted(self.keys),
            "last_body": self.last_body,
            "last_headers": self.last_headers,
        }


def reply_of(
    options: Options, counts: Counts, body: bytes, fault: str, protocol: Protocol
) -> tuple[bytes, list[bytes] | None]:
    """(the whole body, its pieces if a stream was asked for) for the request `body`; counts what it
    would be charged for."""
    asked = protocol.read(json.loads(body))
    seed = int.from_bytes(hashlib.blake2b(body, digest_size=7).digest())
    schema_characters = len(json.dumps(asked.schema, separators=(",", ":"))) if asked.schema else 0
    value = example(asked.schema, asked.schema, seed) if asked.schema else {"text": "Fine."}
    text = spoiled(value, fault) if options.say is None else options.say
    if (
        options.say_again is not None
        and "An earlier reply to this gave words as evidence" in asked.prompt
    ):
        text = options.say_again
    used, made = (len(asked.prompt) + schema_characters) // 4 + 1, len(text) // 4 + 1
    counts.prompt_characters += len(asked.prompt)
    counts.schema_characters += schema_characters
    counts.reply_characters += len(text)
    counts.charged[hashlib.sha256(body).hexdigest()] += 1
    reply = protocol.write(asked, Said(text, fault, used, made, seed))
    return dumps(reply), protocol.pieces(asked, reply) if asked.stream else None


def http(
    status: int,
    body: bytes,
    extra: str = "",
    length: int | None = None,
    kind: str = "application/json",
) -> bytes:
    """An HTTP response."""
    size = len(body) if length is None else length
    return (
        f"HTTP/1.1 {status} Stub\r\ncontent-type: {kind}\r\ncontent-length: {size}\r\n{extra}\r\n".encode()
        + body
    )


class Stub:
    """Options and counts of a running server."""

    def __init__(self, options: Options) -> None:
        self.options, self.counts, self.batches = options, Counts(options.seed), Batches()
        self.held: list[Callable[[], None]] = []

    def draw(self, body: bytes) -> str:
        """The fault of this request; empty for none."""
        options = self.options
        sticky = int.from_bytes(hashlib.blake2b(body, digest_size=7).digest()) + options.seed
        point = random.Random(sticky).random() if options.sticky else self.counts.rng.random()
        for fault, share in options.faults.items():
            point -= share
            if point < 0:
                self.counts.faults[fault] += 1
                return fault
        return ""

    def control(self, path: str, body: bytes) -> bytes:
        if path.endswith("/config"):
            for name, value in json.loads(body).items():
                setattr(self.options, name, value)
        if path.endswith(("/reset", "/config")):
            self.counts = Counts(self.options.seed)
        if path.endswith("/release"):
            self.options.hold = 0
            while self.held:
                self.held.pop(0)()
        return http(200, json.dumps(self.counts.as_json()).encode())

    def refused(self, fault: str, key: str, protocol: Protocol) -> tuple[int, bytes, str]:
        """(status, body, further headers) of a refusal."""
        status, kind, code, message = REFUSALS[fault]
        wait = self.options.retry_after
        extra = (
            f"retry-after: {max(1, round(wait))}\r\nretry-after-ms: {wait * 1000:.0f}\r\n"
            if fault == "rate_limited"
            else ""
        )
        return status, protocol.error(kind, code, message.format(key=key)), extra

    def respond(
        self, body: bytes, fault: str, key: str, protocol: Protocol
    ) -> tuple[bytes, bool, list[bytes]]:
        """(bytes to write, whether the connection stays open, pieces to write after them one by
        one)."""
        if fault in REFUSALS:
            status, error, extra = self.refused(fault, key, protocol)
            return http(status, error, extra), True, []
        if fault == "reset":
            return b"", False, []
        if fault == "page":
            return (
                http(200, b"<html><body>Sign in to the network</body></html>", kind="text/html"),
                True,
                [],
            )
        made, pieces = reply_of(self.options, self.counts, body, fault, protocol)
        if pieces is not None:
            return self.streamed(pieces, fault, protocol)
        if fault == "truncated":
            return http(200, made[: len(made) // 2], length=len(made)), False, []
        return http(200, made), True, []

    def streamed(
        self, pieces: list[bytes], fault: str, protocol: Protocol
    ) -> tuple[bytes, bool, list[bytes]]:
        """A stream in chunks; a broken one lacks its end."""
        kind = "text/event-stream" if protocol.events else "application/x-ndjson"
        head = f"HTTP/1.1 200 Stub\r\ncontent-type: {kind}\r\ntransfer-encoding: chunked\r\n\r\n".encode()
        if fault in ("truncated", "unfinished", "error_inside"):
            pieces = pieces[: len(pieces) // 2] + (
                [protocol.broken_piece()] if fault == "error_inside" else []
            )
        # In halves, so that a piece may begin in one chunk and end in the next.
        halves = [
            half
            for piece in pieces
            for half in (piece[: len(piece) // 2], piece[len(piece) // 2 :])
        ]
        chunks = [b"%x\r\n%b\r\n" % (len(half), half) for half in halves]
        return (
            head,
            fault != "truncated",
            chunks if fault == "truncated" else [*chunks, b"0\r\n\r\n"],
        )

    def batch(self, method: str, path: str, body: bytes, key: str) -> bytes | None:
        """The response to a batch call; None for any other."""

        def answer(asked: bytes, where: str) -> tuple[int, bytes]:
            protocol, fault = protocol_of(where), self.draw(asked)
            if fault in REFUSALS:
                return self.refused(fault, key, protocol)[:2]
            try:
                return 200, reply_of(self.options, self.counts, asked, fault, protocol)[0]
            except (ValueError, KeyError, TypeError) as error:
                return 400, protocol.error("invalid_request_error", None, repr(error))

        if self.options.refuse and ("batches" in path or "files" in path):
            status, error, _ = self.refused(self.options.refuse, key, protocol_of(path))
            return http(status, error)
        found = self.batches.handle(
            method,
            path,
            body,
            answer,
            self.options.polls,
            self.options.expired,
            self.options.whole,
            self.options.gone,
        )
        return None if found is None else http(*found)


class Connection(asyncio.Protocol):
    """One connection: requests one after the other, as HTTP/1.1 clients send them."""

    def __init__(self, stub: Stub) -> None:
        self.stub, self.buffer = stub, bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = bytes(self.buffer[:end]).decode("latin-1")
            said = re.search(r"(?i)\r\ncontent-length: *(\d+)", head)
            size = int(said[1]) if said else 0
            if len(self.buffer) < end + 4 + size:
                return
            body = bytes(self.buffer[end + 4 : end + 4 + size])
            del self.buffer[: end + 4 + size]
            self.handle(head, body)

    def handle(self, head: str, body: bytes) -> None:
        method, target = head.split(" ", 2)[:2]
        path, stub = re.sub(r"^https?://[^/]+", "", target), self.stub
        if path.startswith("/stub/"):
            self.transport.write(stub.control(path, body))
            return
        counts = stub.counts
        headers = dict(
            line.lower().split(": ", 1) if ": " in line else (line.lower(), "")
            for line in head.split("\r\n")[1:]
        )
        key = re.search(r"(?i)\r\nauthorization: *bearer +(\S+)", head)
        name = key[1] if key else ""
        counts.keys.add(name)
        counts.last_headers = headers
        stub.batches.root = f"http://{headers.get('host', '')}"
        if (made := stub.batch(method, path, body, name)) is not None:
            self.transport.write(made)
        elif method == "GET":
            self.transport.write(
                http(200, b'{"object":"list","data":[{"id":"stub","object":"model"}]}')
            )
        else:
            counts.requests += 1
            counts.in_flight += 1
            counts.peak = max(counts.peak, counts.in_flight)
            fault = stub.draw(body)
            if stub.options.capacity and counts.taken >= stub.options.capacity:
                fault = "rate_limited"
                counts.faults[fault] += 1
            counts.taken += fault not in REFUSALS
            pace = (
                math.exp(stub.options.spread * counts.rng.gauss()) if stub.options.spread else 1.0
            )
            seconds = (
                stub.options.hang
                if fault == "hang"
                else 0.0
                if fault in REFUSALS
                else stub.options.latency * pace
            )
            reply = functools.partial(self.reply, counts, body, fault, name, protocol_of(path))
            if 0 < stub.options.hold < counts.requests:
                stub.held.append(reply)
            else:
                asyncio.get_running_loop().call_later(seconds, reply)

    def reply(self, counts: Counts, body: bytes, fault: str, key: str, protocol: Protocol) -> None:
        counts.in_flight -= 1
        counts.taken -= fault not in REFUSALS
        pieces: list[bytes] = []
        try:
            made, stays, pieces = self.stub.respond(body, fault, key, protocol)
            counts.last_body = body.decode("utf-8", "replace")
        except (
            Exception
        ) as error:  # a request without a response would let its sender wait for ever
            made, stays = (
                http(400, protocol.error("invalid_request_error", None, repr(error))),
                True,
            )
        if not self.transport.is_closing():
            self.transport.write(made)
            self.pour(pieces, stays)

    def pour(self, pieces: list[bytes], stays: bool) -> None:
        """Write pieces with a gap between them, then close where nothing is to follow."""
        gap = self.stub.options.gap
        while pieces and not self.transport.is_closing():
            self.transport.write(pieces.pop(0))
            if gap and pieces:
                asyncio.get_running_loop().call_later(gap, self.pour, pieces, stays)
                return
        if not stays:
            self.transport.close()


async def serve(options: Options) -> None:
    """Serve until killed; prints the port."""
    stub = Stub(options)
    server = await asyncio.get_running_loop().create_server(
        lambda: Connection(stub), "127.0.0.1", 0, backlog=4096
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    started = time.monotonic()
    try:
        asyncio.run(serve(Options(**json.loads(sys.argv[1] if len(sys.argv) > 1 else "{}"))))
    except KeyboardInterrupt:
        print(f"served for {time.monotonic() - started:.0f} s", file=sys.stderr)
