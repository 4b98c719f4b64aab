"""Calls that no page of ours makes: every route answers with a sentence and a status below 500, and the log stays clean.

Routes come from the application's own tables, the words that they read from the modules that hold them.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.routing import APIRoute

from graders.core import discovery
from graders.core.settings import Settings
from graders.web import app as web_app
from tests.support.server import Server, serve

PROJECT = "autumn-study"
#: What a word of a body or an address may hold so that a route reads on: the first project and what stands in it.
PLAUSIBLE: dict[str, Any] = {"project": PROJECT, "criterion": "accuracy", "question": "q01", "judge": "demo", "screen": 1, "cell": 1, "subject": 1}
HUGE, DEEP = 10**30, 3_000
#: Values that no page sends, one for each way of going wrong.
WRONG: tuple[Any, ...] = (None, True, -1, HUGE, 1e308, float("nan"), "", "\x00", "\ud800", "a" * 100_000, "²", "9" * 30, "9" * 5_000, "nan", [], [[]], [HUGE], {}, {"a": {}}, [None], [{}])
BODIES: tuple[tuple[str, bytes], ...] = (
    ("application/json", b""),
    ("application/json", b"{"),
    ("application/json", b"null"),
    ("application/json", b"[]"),
    ("application/json", b'"text"'),
    ("application/json", b"[" * DEEP),
    ("application/json", b'{"a":' * DEEP + b"1" + b"}" * DEEP),
    ("application/json", b'{"project":"\xff\xfe"}'),
    ("application/json", b'{"project":' + b"9" * 5_000 + b"}"),
    ("application/json", b"\x00"),
    ("application/json", "{}".encode("utf-16")),
    ("text/plain", b'{"project":"autumn-study"}'),
    ("multipart/form-data", b"no boundary"),
    ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data; name=\"files\"\r\n\r\n"),
    ("", b"{}"),
    ("\x80/\xff", b"{}"),
)
QUERIES = ("%ff=%ff", "page=%00", "page=nope", "page=999999999999999999999", "deep_link=%00", "&&==&", "a" * 20_000, "__theme=%F0%9F%98", "[]=1&{}=2")
SEGMENTS = ("x", "1", "-1", "9" * 30, "%00", "%ff", "%2e%2e%2f", "a" * 3_000, "%F0%9F%98%80", "http:%2f%2f127.0.0.1%2f")
