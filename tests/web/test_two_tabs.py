"""The running app, sent one screen by many tabs of one person at once: one save is stored, and
everybody gets an answer."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

from graders.store.workspace import open_workspace
from tests.store import small
from tests.support.server import serve
from tests.web.client import Client

TABS = 12


def test_many_tabs_send_one_screen_and_one_save_is_stored(tmp_path: Path) -> None:
    ws = small.workspace(tmp_path, "app")
    small.study(tmp_path, ws, count=6)
    ws.close()
    with serve(tmp_path) as server:
        me = Client(server.url)
        person = me.enter("Mira")
        tabs = [Client(server.url) for _ in range(TABS)]
        for one in tabs:
            one.http.cookies = me.http.cookies
        screens = me.get("/api/next", project="study", n=3)["screens"]
        gate = Barrier(TABS)

        def send(n: int) -> list[dict[str, Any]]:
            replies = []
            for screen in screens:
                body = {
                    "project": "study",
                    "screen": screen["id"],
                    "verdicts": small.marks_sent(
                        screen, {**small.VALUES, "completeness": 1 + n % 3}
                    ),
                }
                gate.wait()
                once = {**body, "save_id": f"of-tab-{n:02d}-{screen['id']}", "after": ""}
                replies.append(tabs[n].post("/api/save", once))
                replies.append(tabs[n].post("/api/save", once))  # its reply was lost
                # a shared outbox
                replies.append(
                    tabs[n].post("/api/save", {**body, "save_id": f"of-all-{screen['id']}"})
                )
            return replies

        with ThreadPoolExecutor(TABS) as pool:
            replies = [reply for sent in pool.map(send, range(TABS)) for reply in sent]
    assert (
        all(reply["ok"] for reply in replies)
        and sum(reply["stored"] for reply in replies) == len(screens) == 3
    )
    ws = open_workspace(tmp_path / "app.db")
    rows = ws.db.execute(
        "SELECT v.cell_id, v.kind, v.save_id FROM verdict v JOIN author a ON a.id = v.author_id WHERE a.name = ?",
        (person,),
    ).fetchall()
    assert len(rows) == len({row["cell_id"] for row in rows}) == 3 * 3 * 4, (
        "one verdict for each cell"
    )
    assert {row["kind"] for row in rows} == {"given"} and len({row["save_id"] for row in rows}) == 3
    assert ws.db.execute("SELECT count(*) FROM save WHERE undone = 0").fetchone()[0] == 3
    assert ws.check() == []
