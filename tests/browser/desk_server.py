"""A toy server for the tests of the review desk: its routes in memory, with saves in a file that a
restart finds again.

Run: ``python desk_server.py PORT STATE_FILE [--ask-name]``. `POST /toy/set` changes latency
(milliseconds) and failures, `GET /toy/state` tells what was received, `POST /toy/begin` puts a new
toy in the place of the old one.
"""

from __future__ import annotations

import asyncio
import json
import sys
import zlib
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import nh3
import uvicorn
from fastapi import FastAPI, Query, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from fastapi.staticfiles import StaticFiles
from markdown_it import MarkdownIt
from starlette.types import Receive, Scope, Send

from graders.core.words import file_of

ASSETS = Path(__file__).parents[2] / "graders" / "web" / "assets"
JSON = dict[str, Any]
MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")

LEAVES = (
    "Red tones, by contrast, are made freshly from sugars trapped in the leaf. **Chlorophyll breaks** down faster than it is "
    "replaced once the days grow short.\n\nA dry, sunny autumn with cool nights gives the strongest reds. The yellow pigments were "
    "present all summer and only become visible now."
)
HOSTILE = (
    "<script>window.pwned=1</script><img src=x onerror=window.pwned=1>\n\n[link](javascript:window.pwned=1) `${window.pwned=1}`\n\n"
    "![far away](https://example.org/x.png) <svg onload=window.pwned=1>"
)
CODE = (
    "Use a *set*:\n\n```python\ndef unique(xs):\n    return list(dict.fromkeys(xs))\n```\n\n"
    "| way | order |\n|---|---|\n| `set(xs)` | lost |\n| `dict.fromkeys` | kept |\n"
)
ARABIC = "تتغيّر ألوان الأوراق لأن **اليخضور** يتحلّل حين يقصر النهار.\n\nأما الأصفر فكان موجودًا طوال الصيف."
JAPANESE = "日が短くなると**クロロフィル**が分解され、\n黄色の色素が見えるようになります。赤い色は新しく作られます。"
LONG = "\n\n".join(
    f"Paragraph {i}. " + "The leaf keeps its sugar while the night is cold. " * 6
    for i in range(1, 25)
)

CRITERIA: list[JSON] = [
    {"key": "q/relevance", "title": "Relevance", "question": "Does the answer do what the question asks?", "hue": 0, "scale": ["irrelevant", "relevant"]},
    {"key": "q/completeness", "title": "Completeness", "question": "Is everything there that the question needs?", "hue": 1,
     "scale": {"kind": "integer", "values": [1, 2, 3, 4, 5], "words": ["most is missing", "a part", "main points", "nearly all", "nothing is missing"], "low": 1, "high": 5}},
    {"key": "q/clarity", "title": "Clarity", "question": "Can it be read once and understood?", "hue": 2, "scale": ["confused", "hard work", "readable", "clear", "crystal clear"]},
    {"key": "q/accuracy", "title": "Accuracy", "question": "Which share of its claims is right?", "hue": 3, "scale": {"kind": "numeric", "values": [], "words": [], "low": 0, "high": 1}},
    {"key": "q/brevity", "title": "Brevity", "question": "Is it as short as the task allows?", "hue": 4, "scale": ["bloated", "long", "fitting"]},
]  # fmt: skip
for _one in CRITERIA:
    labels = _one["scale"]
    if isinstance(labels, list):
        _one["scale"] = {
            "kind": "ordered",
            "values": labels,
            "words": labels,
            "low": None,
            "high": None,
        }
    _one |= {
        "name": _one["key"].split("/")[1],
        "guide": f"Guide of {_one['title']}: read the question first, then decide.",
    }
FACTS: JSON = {"key": "q/facts", "name": "facts", "title": "Known facts", "question": "Does the answer state this fact?", "guide": "A paraphrase counts.", "hue": 0,
               "scale": {"kind": "ordered", "values": ["No", "Yes"], "words": ["No", "Yes"], "low": None, "high": None}}  # fmt: skip
NOTICE = "These verdicts were written for a test."
FAULTS = [{"name": n, "title": t} for n, t in (("invented_number", "Invented number"), ("dangling", "Dangling reference"), ("repetition", "Repetition"), ("empty_phrase", "Empty phrase"))]  # fmt: skip


def html_of(markdown: str) -> str:
    """What the real server does: Markdown without HTML, then a sanitiser that knows no pictures."""
    return nh3.clean(MARKDOWN.render(markdown), tags=nh3.ALLOWED_TAGS - {"img"})


def cell(
    answer: str, criterion: JSON, n: int, part: str = "", quote: str = "", **over: Any
) -> JSON:
    """An open cell with a suggestion and two judges; `n` varies the values."""
    scale = criterion["scale"]
    value = (
        round(0.5 + (n % 5) / 10, 1)
        if scale["kind"] == "numeric"
        else scale["values"][-1 - (n % 2)]
    )
    other = scale["low"] + 0.2 if scale["kind"] == "numeric" else scale["values"][0]
    evidence = [{"quote": quote, "absent": False, "found": True}] if quote else []
    judges = [
        {
            "name": name,
            "value": v,
            "status": "ok",
            "reason": "",
            "confidence": c,
            "confidence_kind": "stated",
            "rationale": r,
            "evidence": e,
        }
        for name, v, c, r, e in (
            ("judge one", value, 0.92, "The second sentence answers directly.", evidence),
            ("judge two", value if n % 3 else other, 0.61, "", []),
        )
    ]
    metrics = (
        [
            {
                "name": "BERTScore",
                "value": 0.6 + n / 100,
                "reason": "",
                "rank": n % 3 + 1,
                "of": 3,
                "reference": 1,
            }
        ]
        if criterion["name"] == "completeness"
        else []
    )
    suggestion = (
        {"value": value, "confidence": 0.8, "reason": "two judges agree"} if n % 4 != 3 else None
    )
    return {
        "id": f"{answer}.{criterion['name']}{part[:8]}", "criterion": criterion["key"], "part": part, "open": True, "route": "people", "route_reason": "judges_disagree",
        "suggestion": suggestion, "judges": judges, "rules": [], "metrics": metrics, "mine": None, "final": None, **over,
    }  # fmt: skip


def answer(id: str, text: str, n: int, quote: str = "", criteria: list[JSON] | None = None) -> JSON:
    cells = [
        cell(id, c, n + i, quote=quote if c["name"] == "clarity" else "")
        for i, c in enumerate(criteria or CRITERIA)
    ]
    chips = [{"label": "to first token", "value": f"{1 + n / 5:.1f} s"}]
    return {
        "id": id,
        "model": None,
        "html": html_of(text),
        "length": len(text),
        "chips": chips,
        "twins": [],
        "cells": cells,
        "faults": [],
    }


def screen(
    n: int, text: str, answers: list[JSON], task: str = "factual", language: str = "en", **over: Any
) -> JSON:
    question = {"id": f"q{n}", "text": text, "category": "Nature", "task_type": task, "language": language, "references": ["Chlorophyll goes, carotenoids stay."],
                "facts": [], "must_have": [], "context": []}  # fmt: skip
    return {
        "id": f"s{n}",
        "design": "ordinary",
        "arm": "assisted",
        "question": question,
        "answers": answers,
        "saved": None,
        **over,
    }


def bare(one: JSON) -> JSON:
    """An answer as a blind screen sends it."""
    nothing = {
        "suggestion": None,
        "judges": [],
        "rules": [],
        "metrics": [],
        "route": None,
        "route_reason": "",
    }
    return {**one, "chips": [], "faults": [], "cells": [{**c, **nothing} for c in one["cells"]]}


def fault(id: str, name: str = "invented_number") -> JSON:
    """A fault that a rule found."""
    title = next(one["title"] for one in FAULTS if one["name"] == name)
    return {"id": id, "name": name, "title": title, "by": "number rule", "evidence": [{"quote": "cool nights", "absent": False, "found": True}], "mine": None}  # fmt: skip


def make_screens(count: int = 40) -> list[JSON]:
    """Twelve screens that each show something, then plain ones."""
    why = "Why do leaves change colour in autumn?"
    three = [
        answer(f"s1{x}", LEAVES, i, "Chlorophyll breaks down faster than it is replaced")
        for i, x in enumerate("abc")
    ]
    three[1]["faults"] = [fault("s1b.f")]
    three[2]["cells"][2] |= {"route_reason": "quote not in the answer"}
    three[2]["cells"][2]["judges"][0] |= {"misquotes": True}
    three[2]["cells"][2]["judges"][0]["evidence"] += [
        {"quote": "this was never said", "absent": False, "found": False},
        {"quote": "sugars trapped … cool nights", "absent": False, "found": True},
        {"quote": "THE YELLOW PIGMENTS", "absent": False, "found": True},
    ]
    twin = answer("s4a", LEAVES, 0)
    twin["twins"] = [
        {
            "id": "s4b",
            "model": None,
            "cells": answer("s4b", LEAVES, 0)["cells"],
            "faults": [fault("s4b.f"), fault("s4b.g", "dangling")],
        }
    ]
    twin["faults"] = [fault("s4a.f")]
    auto = answer("s5a", LEAVES, 0)
    for c in auto["cells"][2:]:
        c |= {
            "open": False,
            "route": "automatic",
            "final": {"value": c["judges"][0]["value"], "source": "automatic"},
        }
    parts = answer("s6a", LEAVES, 0)
    parts["cells"] += [
        cell("s6a", FACTS, i, part=p)
        for i, p in enumerate(
            ("Chlorophyll breaks down", "Yellow was there all summer", "Red is made anew")
        )
    ]
    screens = [
        screen(1, why, three),
        screen(2, "Write a two-line poem about a leaf.", [answer(f"s2{x}", "Green it *grew*,\nred it flew.", i) for i, x in enumerate("ab")], "creative"),
        screen(3, why, [bare(answer(f"s3{x}", LEAVES, i)) for i, x in enumerate("abc")], arm="blind", design="calibration"),
        screen(4, why, [twin, answer("s4c", "Because it gets cold.", 1)]),
        screen(5, why, [auto, answer("s5b", LEAVES, 1)]),
        screen(6, why, [parts]),
        screen(7, "<img src=x onerror=window.pwned=1> ${window.pwned=1}", [answer(f"s7{x}", HOSTILE, i) for i, x in enumerate("ab")]),
        screen(8, "لماذا تتغيّر ألوان الأوراق في الخريف؟", [answer(f"s8{x}", ARABIC, i, "لأن اليخضور يتحلّل") for i, x in enumerate("ab")], language="ar"),
        screen(9, "なぜ秋に葉の色が変わるのですか。", [answer(f"s9{x}", JAPANESE, i, "クロロフィルが分解され、黄色の色素") for i, x in enumerate("abc")], language="ja"),
        screen(10, "How do I drop doubles from a list?", [answer(f"s10{x}", CODE, i, "| `dict.fromkeys` | kept |") for i, x in enumerate("ab")]),
        screen(11, why, [answer(f"s11{x}", LONG, i) for i, x in enumerate("abc")]),
        screen(12, "An audit: " + why, [bare(answer(f"s12{x}", LEAVES, i)) for i, x in enumerate("ab")], arm="blind", design="audit"),
    ]  # fmt: skip
    screens[0]["question"] |= {
        "facts": ["Carotenoids were there all summer."],
        "context": ["A leaf is an organ of a plant."],
    }
    plain = [
        screen(
            n,
            f"{why} ({n})",
            [answer(f"s{n}{x}", LEAVES, n + i, "cool nights") for i, x in enumerate("abc")],
        )
        for n in range(13, count + 1)
    ]
    return screens + plain


class Toy:
    """What was received. Saves are a set by id: the same one twice is stored once."""

    def __init__(self, file: Path, ask_name: bool) -> None:
        self.file, self.screens = file, make_screens()
        self.mark = f"{zlib.crc32(str(file).encode()):x}"
        self.saves: dict[str, JSON] = {}
        self.undone: dict[str, str] = {}
        self.person: JSON | None = None if ask_name else {"id": "p1", "name": "Ada"}
        self.order: list[str] = []
        self.requests: list[str] = []
        self.latency, self.fail, self.received, self.released = 0, 0, 0, []  # type: int, int, int, list[str]
        self.trouble = ""  # what a failure is said to come from
        self.batch = 0  # blind screens until a reveal; 0 is never
        self.shown: list[str] = []
        self.controls = False
        self.open = False
        self.routed = True
        self.held: JSON | None = None  # {"screens", "back_in"}: all that is left is with colleagues
        for line in file.read_text().splitlines() if file.exists() else []:
            event = json.loads(line)
            getattr(self, event.pop("do"))(**event, log=False)

    def write(self, **event: Any) -> None:
        with self.file.open("a") as out:
            out.write(json.dumps(event) + "\n")

    def save(self, body: JSON, log: bool = True) -> bool:
        if body["save_id"] in self.saves:
            return False
        self.saves[body["save_id"]] = body
        self.order.append(body["save_id"])
        if log:
            self.write(do="save", body=body)
        return True

    def undo(self, undo_id: str, save_id: str, log: bool = True) -> None:
        self.undone[undo_id] = save_id
        if log:
            self.write(do="undo", undo_id=undo_id, save_id=save_id)

    def name(self, person: JSON, log: bool = True) -> None:
        self.person = person
        if log:
            self.write(do="name", person=person)

    def standing(self) -> list[JSON]:
        return [self.saves[i] for i in self.order if i not in self.undone.values()]

    def done(self) -> set[str]:
        return {save["screen"] for save in self.standing()}

    def counts(self) -> JSON:
        left = len(self.screens) - len(self.done())
        return {
            "done": len(self.done()),
            "total": len(self.done()) + (self.held["screens"] if self.held else left),
            "held": self.held or {"screens": 0, "back_in": None},
            "others": 0,
            "waiting": left,
            "flagged": sum(s["flagged"] for s in self.standing()),
            "routed": self.routed,
            "minutes_left": 0 if self.held else left // 2,
            "to_reveal": None
            if not self.batch
            else 0
            if self.open
            else max(0, self.batch - len(self.unrevealed())),
        }

    def unrevealed(self) -> list[str]:
        """Saved blind screens that were not shown again yet."""
        return [
            s["id"]
            for s in self.screens
            if s["arm"] == "blind" and s["id"] in self.done() and s["id"] not in self.shown
        ]

    def reveal(self) -> list[JSON]:
        """The batch: what was given, beside two judges."""
        if not self.open:
            self.shown, self.open = self.unrevealed()[: self.batch], True
        found = [self.sent(id) for id in self.shown]
        for one in found:
            for each in one["answers"]:
                each["cells"] = [c for c in each["cells"] if c["mine"]]
                for c in each["cells"]:
                    scale = next(k["scale"] for k in CRITERIA if k["key"] == c["criterion"])
                    values = (
                        [scale["values"][0], scale["values"][-1]]
                        if scale["values"]
                        else [scale["low"], scale["high"]]
                    )
                    c["judges"] = [
                        {"name": n, "value": v, "status": "ok", "reason": ""}
                        for n, v in zip(("north", "south"), values, strict=True)
                    ]
        return found

    def sent(self, id: str) -> JSON:
        """A screen with what the person already gave."""
        one: JSON = json.loads(json.dumps(next(s for s in self.screens if s["id"] == id)))
        for save in self.standing():
            if save["screen"] == id:
                one["saved"] = {
                    "save_id": save["save_id"],
                    "comment": save["comment"],
                    "flagged": save["flagged"],
                }
                given = {v["cell"]: v for v in save["verdicts"]}
                for c in [c for a in one["answers"] for x in [a, *a["twins"]] for c in x["cells"]]:
                    v = given.get(c["id"])
                    c["mine"] = {k: v[k] for k in ("value", "status", "reason")} if v else c["mine"]
        return one


def make_app(toy: Toy) -> FastAPI:
    app = FastAPI()

    @app.get("/assets/words/en.json")
    def words() -> Response:
        return Response(file_of("desk").read_bytes(), media_type="application/json")

    app.mount("/assets", StaticFiles(directory=ASSETS))

    @app.middleware("http")
    async def slow(
        request: Request, call_next: Callable[[Request], Awaitable[Response]]
    ) -> Response:
        if not request.url.path.startswith("/api/"):
            return await call_next(request)
        toy.requests.append(str(request.url.path) + "?" + str(request.url.query))
        await asyncio.sleep(toy.latency / 1000)
        if toy.fail:
            return JSONResponse({"error": "out of order", "trouble": toy.trouble}, toy.fail)
        if toy.person is None and request.url.path not in ("/api/me", "/api/desk"):
            return JSONResponse({"error": "no name yet"}, 401)
        return await call_next(request)

    @app.get("/review", response_class=HTMLResponse)
    def review(dark: int = 0) -> str:
        return f"""<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width,initial-scale=1">
        <link rel=icon href=data:,><link rel=stylesheet href=/assets/desk.css><body class="{"dark" if dark else ""}" style="margin:0"><div id=mount></div>
        <script>const give = navigator.sendBeacon.bind(navigator); navigator.sendBeacon = (to, what) => give(`${{to}}?toy={toy.mark}`, what)</script>
        <script type=module>import {{start}} from "/assets/desk/start.js"; start(document.getElementById("mount"))</script>"""

    @app.get("/api/desk")
    def desk(project: str = "") -> JSON:
        words = json.loads(file_of("desk").read_text("utf-8"))
        return {"person": toy.person, "project": {"id": "1", "name": "autumn", "title": "Autumn study", "notice": NOTICE}, "language": "en", "words": words,
                "settings": {"answers_per_screen": 3, "show_models": False, "controls": toy.controls}, "criteria": [*CRITERIA, FACTS], "fault_names": FAULTS, "counts": toy.counts()}  # fmt: skip

    @app.get("/api/next")
    def following(have: str = "", n: int = 3, question: str = "") -> JSON:
        known = toy.done() | set(have.split(","))
        left = [
            s["id"]
            for s in toy.screens
            if not toy.held
            and s["id"] not in known
            and (not question or s["question"]["id"] == question)
        ]
        held = 1 if question and toy.held and not left else 0
        return {"screens": [toy.sent(i) for i in left[:n]], "counts": toy.counts(), "held": held}

    @app.get("/api/screen")
    def one(id: str) -> JSON:
        return {"screen": toy.sent(id), "counts": toy.counts()}

    @app.post("/api/save")
    def save(body: JSON) -> Any:
        toy.received += 1
        if body["comment"] == "refuse me":
            return JSONResponse({"error": "This comment is not accepted."}, 422)
        return {
            "ok": True,
            "save_id": body["save_id"],
            "stored": toy.save(body),
            "extra": False,
            "message": "",
            "counts": toy.counts(),
        }

    @app.post("/api/reveal")
    def reveal(body: JSON) -> Any:
        if not toy.batch or not (toy.open or len(toy.unrevealed()) >= toy.batch):
            return JSONResponse({"error": "not yet"}, 422)
        return {"ok": True, "screens": toy.reveal(), "counts": toy.counts()}

    @app.post("/api/reveal/close")
    def close(body: JSON) -> JSON:
        toy.open = False
        return {"ok": True, "counts": toy.counts()}

    @app.post("/api/undo")
    def undo(body: JSON) -> JSON:
        toy.undo(body["undo_id"], body["save_id"])
        return {
            "ok": True,
            "screen": toy.sent(toy.saves[body["save_id"]]["screen"]),
            "counts": toy.counts(),
        }

    @app.post("/api/release")
    def release(body: JSON, mark: str = Query(alias="toy")) -> JSON:
        if mark == toy.mark:  # not what the last page of an earlier toy gives back as it goes
            toy.released.extend(body["screens"])
        return {"ok": True}

    @app.get("/api/my-work")
    def my_work(q: str = "") -> JSON:
        rows = [{"screen": s["screen"], "question_id": s["screen"], "question": f"Question of {s['screen']}", "answer": "Red tones, by contrast …", "criterion": v["cell"], "value": v["value"],
                 "word": str(v["value"]), "at": "2026-01-02T10:00:00Z", "adjudicated": None} for s in toy.standing() for v in s["verdicts"] if q in v["cell"]]  # fmt: skip
        cells = sum(len(s["verdicts"]) for s in toy.standing())
        return {
            "today": {
                "screens": len(toy.done()),
                "cells": cells,
                "minutes": 12,
                "cells_per_hour": cells * 5,
            },
            "rows": rows[:50],
            "brought": f"Your {len(toy.done())} screens today brought {cells} blind labels.",
            "labels_missing": {
                "words": "12 of 30 labels for the first answer on Clarity, about 20 minutes",
                "note": "How far people agree needs a second person.",
                "labels": 12,
                "needed": 30,
            },
        }

    @app.post("/api/me")
    def me(body: JSON) -> JSON:
        toy.name({"id": "p1", "name": body["name"]})
        return {"person": toy.person}

    @app.post("/toy/set")
    def control(body: JSON) -> JSON:
        for key, value in body.items():
            setattr(toy, key, value)
        return body

    @app.get("/toy/state")
    def state() -> JSON:
        return {
            "saves": [toy.saves[i] for i in toy.order],
            "undone": toy.undone,
            "received": toy.received,
            "requests": toy.requests,
            "released": toy.released,
        }

    return app


class Stage:
    """One toy after the other at the same address. A request belongs to the toy that was there when
    it came."""

    def __init__(self, file: Path, ask_name: bool) -> None:
        self.begin(file, ask_name)

    def begin(self, file: Path, ask_name: bool) -> None:
        self.app = make_app(Toy(file, ask_name))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app(scope, receive, send)


def make_stage(file: Path, ask_name: bool) -> FastAPI:
    app, stage = FastAPI(), Stage(file, ask_name)

    @app.post("/toy/begin")
    def begin(body: JSON) -> JSON:
        stage.begin(Path(body["state"]), body["ask_name"])
        return {}

    app.mount("/", stage)
    return app


if __name__ == "__main__":
    uvicorn.run(
        make_stage(Path(sys.argv[2]), "--ask-name" in sys.argv),
        host="127.0.0.1",
        port=int(sys.argv[1]),
        log_level="warning",
    )
