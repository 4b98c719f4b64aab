"""The batch interfaces of the stub provider: files and batches of OpenAI, message batches of
Anthropic.

Results come in the opposite order of the requests, so that only their ids tell whose they are.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from tests.support.stub_protocols import dumps

#: (body of one request, path it would have gone to) -> (status, body of the response).
Answer = Callable[[bytes, str], tuple[int, bytes]]
AT = datetime.now(UTC).isoformat()


class Batches:
    """Files and batches in memory. `root`: scheme and host of the server; `polls`: looks at a batch
    before it has ended; `expired`: requests that were not reached."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.root = ""

    def handle(
        self,
        method: str,
        path: str,
        body: bytes,
        answer: Answer,
        polls: int,
        expired: int,
        whole: bool,
        gone: int,
    ) -> tuple[int, bytes] | None:
        """(status, body) of a batch call; None for any other."""
        if method == "POST" and path == "/v1/files":
            return 200, self._upload(body)
        if match := re.fullmatch(r"/v1/files/([\w-]+)/content", path):
            return (200, self.files[match[1]]) if match[1] in self.files else self._missing("file")
        if method == "POST" and path == "/v1/batches":
            return 200, self._submit_openai(json.loads(body), answer, expired, whole)
        if method == "POST" and path == "/v1/messages/batches":
            return 200, self._submit_anthropic(json.loads(body), answer, expired)
        if match := re.fullmatch(r"/v1/(messages/)?batches(\?.*)?", path):
            return 200, self._list(bool(match[1]))
        if match := re.fullmatch(r"/v1/(messages/)?batches/([\w-]+)(/results)?", path):
            if match[2] not in self.batches or int(match[2].rpartition("_")[2]) <= gone:
                return self._missing("batch")
            if match[3]:
                return 200, self.batches[match[2]]["results"]
            return 200, self._look(match[2], bool(match[1]), polls)
        return None

    def _list(self, anthropic: bool) -> bytes:
        """All batches of a protocol, the newest first, on one page."""
        write = self._anthropic if anthropic else self._openai
        own = [name for name in reversed(self.batches) if name.startswith("msgbatch") == anthropic]
        found = [json.loads(write(name, self.batches[name], True)) for name in own]
        return dumps(
            {"object": "list", "data": found, "has_more": False, "first_id": None, "last_id": None}
        )

    def _missing(self, what: str) -> tuple[int, bytes]:
        return 404, dumps({"error": {"type": "not_found_error", "message": f"No such {what}"}})

    def _upload(self, body: bytes) -> bytes:
        boundary = body[: body.index(b"\r\n")]
        part = next(part for part in body.split(boundary) if b'name="file"' in part)
        name = f"file-{len(self.files) + 1}"
        self.files[name] = part.partition(b"\r\n\r\n")[2].removesuffix(b"\r\n")
        size = len(self.files[name])
        return dumps(
            {
                "id": name,
                "object": "file",
                "bytes": size,
                "created_at": 1,
                "filename": "batch.jsonl",
                "purpose": "batch",
                "status": "processed",
            }
        )

    def _submit_openai(
        self, asked: dict[str, Any], answer: Answer, expired: int, whole: bool
    ) -> bytes:
        rows = (
            []
            if whole
            else [json.loads(line) for line in self.files[asked["input_file_id"]].splitlines()]
        )
        name, done, failed = f"batch_{len(self.batches) + 1}", [], []
        for place, row in enumerate(rows):
            assert (row["method"], row["url"]) == ("POST", asked["endpoint"]), row
            if place >= len(rows) - expired:
                error = {
                    "code": "batch_expired",
                    "message": "This request could not be executed before the completion window expired.",
                }
                failed.append(
                    {
                        "id": f"r{place}",
                        "custom_id": row["custom_id"],
                        "response": None,
                        "error": error,
                    }
                )
                continue
            status, body = answer(dumps(row["body"]), row["url"])
            response = {"status_code": status, "request_id": f"r{place}", "body": json.loads(body)}
            (done if status == 200 else failed).append(
                {
                    "id": f"r{place}",
                    "custom_id": row["custom_id"],
                    "response": response,
                    "error": None,
                }
            )
        batch: dict[str, Any] = {
            "total": len(rows),
            "failed": len(failed),
            "looks": 0,
            "expired": expired,
            "whole": whole,
        }
        for key, found in (("output_file_id", done), ("error_file_id", failed)):
            if found:
                batch[key] = f"file-{len(self.files) + 1}"
                self.files[batch[key]] = b"".join(dumps(row) + b"\n" for row in reversed(found))
        batch["metadata"] = asked.get("metadata")
        self.batches[name] = batch
        return self._openai(name, batch, ended=False)

    def _submit_anthropic(self, asked: dict[str, Any], answer: Answer, expired: int) -> bytes:
        rows, results = asked["requests"], []
        for place, row in enumerate(rows):
            assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", row["custom_id"]), row["custom_id"]
            if place >= len(rows) - expired:
                results.append({"custom_id": row["custom_id"], "result": {"type": "expired"}})
                continue
            status, body = answer(dumps(row["params"]), "/v1/messages")
            tree = json.loads(body)
            result = (
                {"type": "succeeded", "message": tree}
                if status == 200
                else {"type": "errored", "error": tree}
            )
            results.append({"custom_id": row["custom_id"], "result": result})
        name = f"msgbatch_{len(self.batches) + 1}"
        lines = b"".join(dumps(row) + b"\n" for row in reversed(results))
        self.batches[name] = {"total": len(rows), "looks": 0, "results": lines}
        return self._anthropic(name, self.batches[name], ended=False)

    def _look(self, name: str, anthropic: bool, polls: int) -> bytes:
        batch = self.batches[name]
        batch["looks"] += 1
        write = self._anthropic if anthropic else self._openai
        return write(name, batch, batch["looks"] > polls)

    def _openai(self, name: str, batch: dict[str, Any], ended: bool) -> bytes:
        status = ("expired" if batch["expired"] else "completed") if ended else "in_progress"
        if batch["whole"] and ended:
            status = "failed"
        made = {
            key: batch[key] for key in ("output_file_id", "error_file_id") if ended and key in batch
        }
        counts = {
            "total": batch["total"],
            "completed": batch["total"] - batch["failed"] if ended else 0,
            "failed": batch["failed"] if ended else 0,
        }
        fixed = {
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "created_at": int(time.time()),
            "metadata": batch["metadata"],
            "input_file_id": "file-1",
        }
        if status == "failed":
            words = {
                "code": "token_limit_exceeded",
                "message": "Enqueued token limit reached.",
                "line": None,
                "param": None,
            }
            fixed["errors"] = {"object": "list", "data": [words]}
        return dumps({"id": name, **fixed, "status": status, "request_counts": counts, **made})

    def _anthropic(self, name: str, batch: dict[str, Any], ended: bool) -> bytes:
        good = batch["results"].count(b'"type":"succeeded"')
        gone = batch["results"].count(b'"type":"expired"')
        counts = {
            "processing": 0,
            "succeeded": good,
            "errored": batch["total"] - good - gone,
            "expired": gone,
            "canceled": 0,
        }
        if not ended:
            counts = {**dict.fromkeys(counts, 0), "processing": batch["total"]}
        tree = {
            "id": name,
            "type": "message_batch",
            "created_at": AT,
            "expires_at": AT,
            "request_counts": counts,
        }
        url = f"{self.root}/v1/messages/batches/{name}/results" if ended else None
        return dumps(
            {
                **tree,
                "processing_status": "ended" if ended else "in_progress",
                "ended_at": AT if ended else None,
                "results_url": url,
            }
        )
