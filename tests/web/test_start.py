"""Where a visitor of a Space begins."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from graders.web.start import Start


@pytest.mark.parametrize(
    "path, query, session, shown",
    [
        ("/", "", {}, "/visit/"),
        ("/", "__theme=light&__sign=x", {}, "/visit/"),
        ("/", "language=ru", {}, "/visit/"),
        ("/", "project=autumn-study&said=1.2", {}, "/visit/"),
        ("/", "project=autumn-study", {}, "/"),
        ("/", "import=abc", {}, "/"),
        ("/", "", {"person": "mira"}, "/"),
        ("/results/", "", {}, "/results/"),
    ],
)
def test_without_a_name_and_a_project_at_a_question(
    path: str, query: str, session: dict[str, str], shown: str
) -> None:
    asked: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        asked.append(scope["path"])

    scope = {"type": "http", "path": path, "query_string": query.encode(), "session": session}
    asyncio.run(Start(app)(scope, None, None))  # type: ignore[arg-type]
    assert asked == [shown]
