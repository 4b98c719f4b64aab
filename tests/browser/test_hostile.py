"""Script in an answer, a question, a model's name, a file's name or a judge's rationale never runs,
and no picture loads by itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Dialog, Page, Request, expect

from graders.store.workspace import open_workspace
from graders.workflows.importing import stage as importing_stage
from graders.workflows.routing.route import route
from graders.workflows.scope.permissions import Actor, Scope
from tests.browser.app import serve
from tests.browser.tabs import drawn
from tests.support.entering import enter
from tests.support.server import Server

pytestmark = pytest.mark.browser

PAYLOADS = [
    "<script>window.hit=1</script>",
    "<img src=x onerror='window.hit=1'>",
    "<svg onload='window.hit=1'><circle/></svg>",
    "<svg><script>window.hit=1</script></svg>",
    "[click](javascript:window.hit=1)",
    "[click](data:text/html,<script>window.hit=1</script>)",
    "![picture](http://127.0.0.1:9/remote.png)",
    "![x](javascript:window.hit=1)",
    "${window.hit=1}",
    "{{constructor.constructor('window.hit=1')()}}",
    "<a href='javascript:window.hit=1' id=bad>x</a>",
    "<iframe srcdoc='<script>parent.hit=1</script>'></iframe>",
    "<details open ontoggle='window.hit=1'>x</details>",
    '"><script>window.hit=1</script>',
    "</textarea><script>window.hit=1</script>",
    "<math><mtext></table><mglyph><style><!--</style><img title='--><img src=1 onerror=window.hit=1>'>",
    "`<img src=x onerror=window.hit=1>`\n\n```html\n<script>window.hit=1</script>\n```",
    "<form action='javascript:window.hit=1'><button>go</button></form>",
    "| a | b |\n|---|---|\n| <img src=x onerror=window.hit=1> | ${window.hit=1} |",
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("hostile")
    source = folder / "<img src=x onerror=window.hit=1>"
    source.mkdir()
    everything = "\n\n".join(PAYLOADS)
    write(
        source / "questions.jsonl",
        [
            {
                "id": f"q{i}",
                "text": payload,
                "category": payload,
                "task_type": "factual",
                "reference": payload,
                "context": payload,
                "facts": [payload],
            }
            for i, payload in enumerate(PAYLOADS)
        ],
    )
    write(
        source / "answers.jsonl",
        [
            {
                "question_id": f"q{i}",
                "model": f"m {payload}",
                "text": everything,
                "finish_reason": payload,
            }
            for i, payload in enumerate(PAYLOADS)
        ],
    )
    write(
        source / "judge.jsonl",
        [
            {
                "question_id": f"q{i}",
                "model": f"m {payload}",
                "criterion": "correctness",
                "judge": f"judge {payload}",
                "value": "Yes",
                "confidence": 0.3,
                "scale": ["No", "Yes"],
                "rationale": payload,
                "evidence": [{"quote": payload}],
            }
            for i, payload in enumerate(PAYLOADS)
        ],
    )
    workspace = open_workspace(folder / "app.db")
    scope = Scope(Actor(), workspace)
    report = importing_stage.stage(
        scope,
        "hostile",
        source,
        staging=importing_stage.Staging(title="<img src=x onerror='window.hit=1'>"),
    )
    importing_stage.finish(scope, report.import_id)
    route(scope, "hostile")
    workspace.close()
    with serve(folder) as running:
        yield running


def write(path: Path, rows: list[dict[str, object]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


@pytest.fixture
def watched(page: Page, server: Server) -> Iterator[tuple[Page, list[str]]]:
    """A page, and the addresses outside the app that it asked for."""
    outside: list[str] = []

    def asked(request: Request) -> None:
        if not request.url.startswith((server.url, "data:", "blob:")):
            outside.append(request.url)

    def spoke(dialog: Dialog) -> None:
        outside.append("dialog " + dialog.message)
        dialog.dismiss()

    page.on("request", asked)
    page.on("dialog", spoke)
    enter(page.request, server.url, "<script>window.hit=1</script>")
    yield page, outside
    page.remove_listener("request", asked)
    page.remove_listener("dialog", spoke)


#: A picture that cannot be loaded says so after all that were in the page before it.
LOADED = "new Promise((done) => { const last = new Image(); last.onerror = done; last.src = '/nothing-of-the-tests.png' })"


def unharmed(page: Page, outside: list[str]) -> None:
    page.evaluate(LOADED)
    assert page.evaluate("window.hit") is None
    assert outside == []
    assert (
        page.locator(
            "a[href^='javascript:'], a[href^='data:'], iframe, [onerror], [onload]"
        ).count()
        == 0
    )


def test_the_desk(server: Server, watched: tuple[Page, list[str]]) -> None:
    page, outside = watched
    page.goto(f"{server.url}/review?project=hostile&question=q0")
    shown: list[str] = []
    for _ in PAYLOADS:
        page.wait_for_selector(
            f"[data-ready='1']:not([data-screen='{shown[-1] if shown else ''}'])", timeout=30_000
        )
        shown.append(page.locator("[data-ready='1']").get_attribute("data-screen") or "")
        for key in "dgro":
            page.keyboard.press(key)
        unharmed(page, outside)
        page.keyboard.press("Control+Enter")
        page.keyboard.press("Control+Enter")  # what is open is left to somebody else
    assert len(set(shown)) == len(PAYLOADS)
    expect(page.get_by_role("heading", name="All done.")).to_be_visible()


@pytest.mark.parametrize(
    "path", ["/", "/results?project=hostile", "/agreement?project=hostile", "/run?project=hostile"]
)
def test_other_pages(server: Server, watched: tuple[Page, list[str]], path: str) -> None:
    page, outside = watched
    page.goto(server.url + path)
    page.wait_for_selector("h1")
    drawn(page)
    unharmed(page, outside)
    who = page.locator(".hd .who")
    assert who.evaluate(
        "n => n.scrollWidth <= n.clientWidth && n.getBoundingClientRect().right <= innerWidth"
    ), "the arrow is in sight"
    name = who.locator("span", has_text="script")
    assert name.evaluate(
        "n => n.scrollWidth > n.clientWidth && getComputedStyle(n).textOverflow === 'ellipsis'"
    ), "a cut is shown"
    expect(name).to_have_attribute("title", "<script>window.hit=1</script>")
    if path.startswith("/results"):
        page.locator(".gc").first.click()
        page.locator("table.al .lnk").first.click()  # a question in the answers of that cell
        expect(page.get_by_role("complementary")).to_be_visible()
        drawn(page)
        unharmed(page, outside)
