"""Texts of trees that share a large part are those of the whole trees."""

from __future__ import annotations

import json

from graders.core.hashing import SharedPart, canonical


def test_a_shared_part_gives_the_text_of_the_whole_tree() -> None:
    texts = SharedPart(canonical)
    for number in range(40):  # more parts than are kept
        part = {"b": ["ü", number], "a": '"}, "quoted'}
        for told in ('say "shared"', f"part {number}"):
            whole = texts.text({"told": told, "schema": SharedPart.PLACE, "all": 1}, part)
            assert whole == canonical({"told": told, "schema": part, "all": 1})
            assert json.loads(whole)["schema"] == part
    assert texts.text({"schema": None}, None) == '{"schema":null}'
