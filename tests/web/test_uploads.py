"""Files that were sent and never imported are gone a day later, at the next start too."""

from __future__ import annotations

import os
import time
from pathlib import Path

import httpx

from tests.support.server import serve

DAY = 24 * 3600


def test_a_start_removes_uploads_that_were_left_for_more_than_a_day(tmp_path: Path) -> None:
    kept = tmp_path / "data" / "uploads"
    old, young, other = kept / ("a" * 32), kept / ("b" * 32), kept / "mine"
    for home, age in ((old, DAY + 60), (young, DAY - 600), (other, 9 * DAY)):
        home.mkdir(parents=True)
        (home / "answers.csv").write_text("question,answer\n", "utf-8")
        os.utime(home, (time.time() - age,) * 2)
    with serve(tmp_path) as server:
        assert httpx.get(f"{server.url}/healthz", trust_env=False).status_code == 200
        until = time.monotonic() + 30
        while old.exists() and time.monotonic() < until:
            time.sleep(0.05)
        assert not old.exists()
        assert young.exists() and other.exists(), "only what this folder's uploads left behind"
