"""Tabs that serve one test after the other: a new one for each would start a process and compile
all scripts anew.

A script that Gradio evaluates is kept by Chromium's process together with the address at which it
first ran: served by an app on another port it would import from the first one. So all apps that a
tab goes to have one address (tests/browser/app.py).
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, Route

DESK: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}, "locale": "en-GB"}
NOTHING = "/nothing-of-the-tests"
#: Counts what a page asks of our server, until its body is read: what is drawn from it is drawn at
#: once then.
WATCH = r"""(() => {
  const ask = window.fetch, state = { open: 0, at: performance.now() };
  const now = () => (state.at = performance.now());
  const over = () => (state.open--, now());
  window.fetch = async (...sent) => {
    if (!/\/api\/|gradio_api\/run/u.test(String(sent[0]?.url ?? sent[0]))) return ask(...sent);
    state.open++, now();
    const reply = await ask(...sent).catch((error) => { over(); throw error });
    for (const way of ["text", "json"]) {
      const read = reply[way].bind(reply);
      reply[way] = () => read().finally(over);
    }
    return reply;
  };
  window.begun = now;
  window.drawn = (held) => state.open === held && performance.now() - state.at > 80;
})()"""
#: What a tab is told when it is handed on; another kind of browser is another tab.
TOLD = ("viewport", "color_scheme")


class Tabs:
    """One tab for each kind of browser (with touch or without), handed on as good as new, of any
    size and scheme."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self._kept: dict[str, Page] = {}

    def close(self) -> None:
        """Close what is kept."""
        for page in self._kept.values():
            page.context.close()

    def _new(self, options: dict[str, Any]) -> Page:
        context = self.browser.new_context(**options)
        context.add_init_script(WATCH)
        return context.new_page()

    @contextmanager
    def tab(self, own: bool = False, **options: Any) -> Iterator[Page]:
        """A tab of a browser with these options (of ``Browser.new_context``): no cookies, nothing
        stored, no listener of another test.

        An error of the page's script fails the test. `own` is for a test that leaves what cannot be
        taken back, such as a script for all pages: its tab is used by nobody else.
        """
        options = DESK | options
        kind = DESK | {name: value for name, value in options.items() if name not in TOLD}
        key = json.dumps(kind, sort_keys=True)
        page = (None if own else self._kept.pop(key, None)) or self._new(kind)
        page.set_viewport_size(options["viewport"])
        page.emulate_media(
            reduced_motion="no-preference", color_scheme=options.get("color_scheme", "light")
        )
        errors: list[str] = []

        def note(error: Any) -> None:
            errors.append(str(error))

        page.on("pageerror", note)
        yield page
        if (
            own and not page.is_closed()
        ):  # a reply under way to a route of the test is of no use now
            page.unroute_all(behavior="ignoreErrors")
        if own or key in self._kept or page.is_closed() or not page.url.startswith("http"):
            page.context.close()
        else:
            _clear(page)
            page.remove_listener("pageerror", note)
            self._kept[key] = page
        assert errors == []


@contextmanager
def answered(page: Page, pattern: str, reply: object) -> Iterator[None]:
    """What the page asks of addresses like `pattern` (with ``*``) gets `reply`. ``Page.route``
    would switch the cache of the page off."""
    body = base64.b64encode(json.dumps(reply).encode()).decode()
    kind = [{"name": "content-type", "value": "application/json"}]
    between = page.context.new_cdp_session(page)

    def give(asked: dict[str, Any]) -> None:
        between.send(
            "Fetch.fulfillRequest",
            {
                "requestId": asked["requestId"],
                "responseCode": 200,
                "responseHeaders": kind,
                "body": body,
            },
        )

    between.on("Fetch.requestPaused", give)
    between.send("Fetch.enable", {"patterns": [{"urlPattern": pattern}]})
    yield
    between.detach()


def drawn(page: Page, held: int = 0) -> None:
    """Wait until a page that has drawn something asks for nothing more, but what the test holds:
    nothing was asked for 80 ms."""
    page.wait_for_function("held => drawn(held)", arg=held)


def choose(page: Page, label: str, words: str) -> None:
    """Choose from a list of Gradio's."""
    page.get_by_label(label, exact=True).click()
    page.get_by_role("option", name=words, exact=True).click()


class Held:
    """The next request to `address`: its reply comes as late as the test lets it go on."""

    def __init__(self, page: Page, address: str | re.Pattern[str]) -> None:
        self.page, self.address = page, address
        self.routes: list[Route] = []
        page.route(address, lambda route: self.routes.append(route), times=1)

    def sent(self) -> None:
        """Wait until it is on its way."""
        for _ in range(1_000):
            if self.routes:
                return
            self.page.wait_for_timeout(20)
        raise AssertionError(f"nothing was asked of {self.address}")

    def go_on(self) -> None:
        """Let it go on, and wait until nothing more is drawn from its reply."""
        self.sent()
        with self.page.expect_response(self.address):
            self.routes[0].continue_()
        self.page.evaluate("begun()")
        drawn(self.page)


def _clear(page: Page) -> None:
    """Leave the page as its own code would have it, then forget what it stored. The server may be
    gone by now."""
    context, address = page.context, urlsplit(page.url)
    for other in context.pages:
        if other is not page:
            other.close()
    page.unroute_all(behavior="ignoreErrors")
    page.route(
        f"**{NOTHING}",
        lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"),
    )
    page.goto(f"{address.scheme}://{address.netloc}{NOTHING}")
    page.evaluate("localStorage.clear(); sessionStorage.clear()")
    page.unroute_all()
    context.clear_cookies()
    page.mouse.move(0, 0)
