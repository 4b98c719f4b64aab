"""Texts of trees that share a large part are those of the whole trees."""

from __future__ import annotations

import json

from graders.core.hashing import SharedPart, canonical, digest, digest_tables


def test_a_shared_part_gives_the_text_of_the_whole_tree() -> None:
    texts = SharedPart(canonical)
    for number in range(40):  # more parts than are kept
        part = {"b": ["ü", number], "a": '"}, "quoted'}
        for told in ('say "shared"', f"part {number}"):
            whole = texts.text({"told": told, "schema": SharedPart.PLACE, "all": 1}, part)
            assert whole == canonical({"told": told, "schema": part, "all": 1})
            assert json.loads(whole)["schema"] == part
    assert texts.text({"schema": None}, None) == '{"schema":null}'


def test_tables_that_are_read_row_by_row_have_the_name_that_they_have_as_a_whole() -> None:
    rows = [{"b": "ä", "a": [1, None]}, {}]
    for tables in ([], [("one", rows)], [("one", rows), ("none", []), ("two", rows[:1])]):
        whole = [[name, found] for name, found in tables]
        for parts in ([], [7, {"x": 1.5}]):
            assert digest_tables(parts, ((name, iter(found)) for name, found in tables)) == digest(
                *parts, *whole
            )
