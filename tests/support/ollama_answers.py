"""A small server that speaks Ollama's /api/chat over real HTTP and answers each model's prompts as
a test says."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

#: (model, prompt) -> the answer; None for a model that is not there.
Answers = Callable[[str, str], str | None]


@dataclass
class Ollama:
    """A running server: its address, every (model, prompt) that it was asked, and the headers of
    the last call."""

    url: str
    asked: list[tuple[str, str]] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)


@contextmanager
def ollama(answers: Answers) -> Iterator[Ollama]:
    """Serves until the end of the block."""
    made = Ollama("")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            tree = json.loads(self.rfile.read(int(self.headers["content-length"])))
            prompt = "".join(message["content"] for message in tree["messages"])
            made.asked.append((tree["model"], prompt))
            made.headers = {name.lower(): value for name, value in self.headers.items()}
            text = answers(tree["model"], prompt)
            if text is None:
                self.reply(404, [{"error": f"model '{tree['model']}' not found"}])
                return
            frame: dict[str, Any] = {"model": tree["model"], "created_at": "2026-01-01T00:00:00Z"}
            end = {
                **frame,
                "message": {"role": "assistant", "content": ""},
                "done": True,
                "done_reason": "stop",
            }
            lines = [{**frame, "message": {"role": "assistant", "content": text}, "done": False}]
            self.reply(200, [*lines, {**end, "prompt_eval_count": 7, "eval_count": 5}])

        def reply(self, status: int, lines: list[dict[str, Any]]) -> None:
            body = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
            self.send_response(status)
            self.send_header("content-type", "application/x-ndjson")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: Any) -> None:
            """Silent: what was asked stands in `asked`."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
