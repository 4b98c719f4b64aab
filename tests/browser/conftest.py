"""A browser and a toy server for the tests of pages."""

from __future__ import annotations

import json
import socket
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.tabs import Tabs
from tests.support import forked
from tests.support.chromium import ARGUMENTS, HOW, find
from tests.support.server import kept_port

# Two browsers, their servers and graders share two cores: what is slow then is not wrong.
expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, from the environment variable CHROMIUM or the PATH."""
    found = find()
    if not found:
        pytest.skip(HOW)
    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=found, args=list(ARGUMENTS))
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def tabs(browser: Browser) -> Iterator[Tabs]:
    """Tabs of any size and scheme."""
    made = Tabs(browser)
    yield made
    made.close()


@pytest.fixture
def page(tabs: Tabs) -> Iterator[Page]:
    """A tab of 1440 x 900 that knows nothing yet. An error of the page's script fails the test."""
    with tabs.tab() as page:
        yield page


@pytest.fixture
def own_page(tabs: Tabs) -> Iterator[Page]:
    """As `page`, for a test that leaves what cannot be taken back."""
    with tabs.tab(own=True) as page:
        yield page


@pytest.fixture
def phone(tabs: Tabs) -> Iterator[Page]:
    """A telephone's tab of 390 x 844 that knows nothing yet."""
    with tabs.tab(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True) as page:
        yield page


class ToyServer:
    """The toy server in a process of its own, so that it can be killed and started again on the
    same port."""

    def __init__(self, state: Path) -> None:
        self.port = kept_port("toy")
        self.url = f"http://127.0.0.1:{self.port}"
        self.file, self.ask_name = state, False
        self.start()

    def start(self) -> None:
        asking = ["--ask-name"] if self.ask_name else []
        command = [Path(__file__).with_name("desk_server.py"), self.port, self.file, *asking]
        self.process = forked.start(command, modules=forked.WEB)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("the toy server did not start")

    def begin(self, state: Path, ask_name: bool = False) -> ToyServer:
        """A toy that nobody has spoken to, in the place of the one before."""
        self.file, self.ask_name = state, ask_name
        if self.process.poll() is None:
            self._post("begin", state=str(state), ask_name=ask_name)
        else:
            self.start()
        return self

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def state(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"{self.url}/toy/state") as reply:
            return dict(json.load(reply))

    def set(self, **values: Any) -> None:
        self._post("set", **values)

    def _post(self, what: str, **values: Any) -> None:
        body = json.dumps(values).encode()
        urllib.request.urlopen(
            urllib.request.Request(
                f"{self.url}/toy/{what}", body, {"content-type": "application/json"}
            )
        ).close()

    def saves(self, count: int) -> list[dict[str, Any]]:
        """The saves received, once there are `count` of them."""
        return self.at_least(count, "saves")

    def released(self, count: int) -> list[str]:
        """The ids of the screens given back, once there are `count` of them."""
        return self.at_least(count, "released")

    def at_least(self, count: int, what: str) -> list[Any]:
        """What the server has of this, as soon as it is that much."""
        for _ in range(200):
            there = list(self.state()[what])
            if len(there) >= count:
                return there
            time.sleep(0.05)
        raise AssertionError(f"{len(there)} {what} arrived, {count} were expected")


@pytest.fixture(scope="session")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ToyServer]:
    """One process for all tests with a toy: at an address that stays, the desk's scripts are
    fetched and compiled once."""
    made = ToyServer(tmp_path_factory.mktemp("toy") / "toy.jsonl")
    yield made
    made.kill()


@pytest.fixture
def server(toy: ToyServer, tmp_path: Path) -> ToyServer:
    return toy.begin(tmp_path / "toy.jsonl")


@pytest.fixture
def nameless_server(toy: ToyServer, tmp_path: Path) -> ToyServer:
    """Nobody has chosen a name yet."""
    return toy.begin(tmp_path / "toy.jsonl", ask_name=True)


def open_desk(page: Page, server: ToyServer, question: str = "q1", dark: bool = False) -> None:
    """Go to the desk at a question and wait until it is painted."""
    page.goto(f"{server.url}/review?project=autumn&question={question}&dark={int(dark)}")
    page.wait_for_selector(".cg[data-ready='1']")


def open_desk_with_three_ahead(page: Page, server: ToyServer, question: str = "q1") -> None:
    """Go to the desk at a question and wait until the screens behind it are in hand."""
    open_desk(page, server, question)
    page.wait_for_selector(".cg[data-ahead='3']")


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
