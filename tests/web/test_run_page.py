"""What the fields of the Run page say, as options of a run; judges that it offers."""

from __future__ import annotations

from pathlib import Path

import pytest

from graders.web.pages.run import planning, ways
from graders.workflows.runs import judges
from graders.workflows.scope import offered_judges
from tests.store import small


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        (["openai:a, openai:b", ""], ["openai:a", "openai:b"]),
        (["north south"], ["north", "south"]),
        (["openai:a ollama:b"], ["openai:a", "ollama:b"]),
        (["ollama:a b"], ["ollama:a b"]),  # said to be odd, by who reads it
        (None, []),
    ],
)
def test_judges_are_parted_as_they_are_typed(typed: object, names: list[str]) -> None:
    assert ways.named(typed) == names


@pytest.mark.parametrize(
    ("typed", "value"),
    [("", None), (" 4 ", 4), ("0,5", 0.5), ("ten", "ten"), (None, None), ("1e400", "1e400")],
)
def test_numbers_are_read_as_they_are_typed(typed: object, value: object) -> None:
    assert planning.number(typed) == value


def test_fields_are_told_by_provider_and_what_is_empty_is_left_out() -> None:
    fields = {
        "address.openai": " http://localhost/v1 ",
        "address.ollama": "",
        "key.a.b": "k",
        "headers.openai": "X-Team: blue",
        "other": "no",
    }
    assert ways.addresses(fields) == {
        "base_url": "",
        "base_urls": {"openai": "http://localhost/v1"},
        "headers": {"openai": "X-Team: blue"},
    }
    assert ways.keys(fields) == {"a.b": "k"}
    assert ways.addresses([]) == {"base_url": "", "base_urls": {}, "headers": {}}


def test_a_provider_is_named_once_whatever_stands_before_it() -> None:
    assert ways.providers(["relevance=openai:a", "openai:b", "north"]) == ["openai", "north"]


def test_a_project_offers_its_own_judges_first_and_then_models_with_prices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    scope = small.study(tmp_path, small.workspace(tmp_path), count=1)
    prices = {"input_price": 0.5, "output_price": 12}
    judges.set_up(scope, "study", "north", "openai:house", prices)
    judges.set_up(scope, "study", "south", "openai:gpt-4o-mini", {})
    found = offered_judges.offered(scope, "study", ["ollama:asked"])
    assert [one.words for one in found[:3]] == [
        "north  $0.50 / $12",
        "south  $0.15 / $0.60",
        "ollama:asked",
    ]
    words = {one.name: one.words for one in found[3:]}
    assert words["openai:gpt-4o-mini"] == "openai:gpt-4o-mini  $0.15 / $0.60"
    assert not [name for name in words if "embedding" in name or "tts" in name]
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert not [one for one in offered_judges.models() if one.name.startswith("openai:")]
