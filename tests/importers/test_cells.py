"""Numbers, lists, languages and task types as people write them into cells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graders.core.contracts import Placed
from graders.core.hashing import text_hash
from graders.core.records import Answer, Question
from graders.importers.csv import Csv
from graders.importers.json import Json
from graders.importers.tables.cells import parse_entries, parse_number, parse_texts, per_second
from graders.importers.tables.words import language_code, role_of, task_type

NUMBERS: list[tuple[Any, bool, float | int | None]] = [
    ("1.5", False, 1.5),
    ("1,5", False, 1.5),
    ("0,125", False, 0.125),
    ("1 234,5", False, 1234.5),
    ("1\u00a0234,5", False, 1234.5),
    ("1,234.5", False, 1234.5),
    ("1.234,5", False, 1234.5),
    ("1,234,567", True, 1234567),
    ("12,345", True, 12345),
    ("12", True, 12),
    (12.0, True, 12),
    (2.5, False, 2.5),
    ("2.5 s", False, 2.5),
    ("2,5 сек.", False, 2.5),
    ("350 ms", False, 0.35),
    ("3秒", False, 3.0),
    ("$0.012", False, 0.012),
    ("1e-3", False, 0.001),
    ("", False, None),
    ("—", False, None),
    ("n/a", True, None),
    (None, True, None),
]


@pytest.mark.parametrize(("cell", "whole", "number"), NUMBERS)
def test_a_number_is_read_as_it_was_meant(
    cell: Any, whole: bool, number: float | int | None
) -> None:
    assert parse_number(cell, whole=whole) == (None if number is None else pytest.approx(number))


@pytest.mark.parametrize(
    ("cell", "whole"),
    [
        ("soon", False),
        ("-1", False),
        ("inf", False),
        (float("nan"), False),
        ("1.5", True),
        ("1,2,3", False),
        ("0x10", True),
        (True, True),
        ("1_000", True),
    ],
)
def test_what_is_no_number_is_refused(cell: Any, whole: bool) -> None:
    with pytest.raises(ValueError, match=r".*"):
        parse_number(cell, whole=whole)


@pytest.mark.parametrize(
    ("cell", "texts"),
    [
        ("Paris", ("Paris",)),
        ("Paris ||| the city of Paris", ("Paris", "the city of Paris")),
        ('["Paris", "Lutetia"]', ("Paris", "Lutetia")),
        (["Paris", 3], ("Paris", "3")),
        ("[sic] Paris", ("[sic] Paris",)),
        ("[1] see note [2]", ("[1] see note [2]",)),
        ("", ()),
        (None, ()),
    ],
)
def test_references_in_one_cell(cell: Any, texts: tuple[str, ...]) -> None:
    assert parse_texts(cell) == texts


@pytest.mark.parametrize(
    ("cell", "entries"),
    [
        ("Chicks are grey.\nFood colours them.\n", ("Chicks are grey.", "Food colours them.")),
        ("- grey chicks\r\n- pink by food", ("grey chicks", "pink by food")),
        ("1. 幼鸟是灰色的\n2. 颜色来自食物", ("幼鸟是灰色的", "颜色来自食物")),
        (
            "1. It opened in 1889.\n1889.5 metres are the height of another.",
            ("It opened in 1889.", "1889.5 metres are the height of another."),
        ),
        ("a ||| b\nc", ("a", "b\nc")),
        ('["a\\nb", "c"]', ("a\nb", "c")),
        ("1. only one", ("1. only one",)),
        (["a\nb"], ("a\nb",)),
        ("", ()),
    ],
)
def test_the_lines_of_a_checklist_are_its_entries(cell: Any, entries: tuple[str, ...]) -> None:
    assert parse_entries(cell) == entries


@pytest.mark.parametrize(
    ("header", "parts"),
    [
        ("latency_ms", 1000.0),
        ("Latency (ms)", 1000.0),
        ("время, мс", 1000.0),
        ("耗时（毫秒）", 1000.0),
        ("seconds", 1.0),
        ("terms", 1.0),
        ("time", 1.0),
    ],
)
def test_headers_state_the_unit(header: str, parts: float) -> None:
    assert per_second(header) == parts


@pytest.mark.parametrize(
    ("cell", "code"),
    [
        ("English", "en"),
        ("English (US)", "en"),
        ("It is", "It is"),
        ("he-IL", "he"),
        ("RU", "ru"),
        ("русский", "ru"),
        ("zh-CN", "zh"),
        ("日本語", "ja"),
        ("中文", "zh"),
        ("pt_BR", "pt"),
        ("Klingon", "Klingon"),
        ("", ""),
    ],
)
def test_languages_become_codes(cell: str, code: str) -> None:
    assert language_code(cell) == code


@pytest.mark.parametrize(
    ("cell", "kind"),
    [
        ("Factual", "factual"),
        ("creative", "creative"),
        ("Творческая", "creative"),
        ("фактический", "factual"),
        ("事实", "factual"),
        ("创意", "creative"),
        ("事実", "factual"),
        ("創作", "creative"),
        ("", "unknown"),
        ("classification", None),
    ],
)
def test_task_types_in_four_languages(cell: str, kind: str | None) -> None:
    assert task_type(cell) == kind


@pytest.mark.parametrize(
    ("header", "role"),
    [
        ("Вопрос / Question", "question"),
        ("questionId", "question_id"),
        ("QUESTION_TEXT", "question"),
        ("Время ответа, с", "total_seconds"),
        ("Эталонный ответ", "reference"),
        ("回答（模型）", "answer"),
        ("モデル名", "model"),
        ("Favourite colour", None),
    ],
)
def test_headers_in_four_languages(header: str, role: str | None) -> None:
    found = role_of(header)
    assert (found[0] if found else None) == role


def test_objects_in_cells_are_no_source_of_a_program(tmp_path: Path) -> None:
    system, asked = {"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi?"}
    rows = [
        {
            "messages": [asked],
            "model": "m",
            "output": "Hello",
            "references": ["r1", "r2"],
            "about": {"by": None},
        },
        {
            "messages": [system, {"role": "user", "content": [{"type": "text", "text": "Why?"}]}],
            "model": "m",
            "output": "So.",
        },
        {
            "messages": [
                {"role": "assistant", "content": "Hm."},
                {"role": "user", "content": "Who?"},
            ],
            "model": "m",
            "output": "He.",
        },
    ]
    path = tmp_path / "chat.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    look = Json().look(path)
    found = [item.record for item in Json().read(path, look) if isinstance(item, Placed)]
    assert [r.text for r in found if isinstance(r, Question)] == ["Hi?", "Why?", "Who?"]
    assert [r.text for r in found if isinstance(r, Answer)] == ["Hello", "So.", "He."]
    around = [r.context for r in found if isinstance(r, Question)]
    assert around == [(), ("system: Be brief.",), ("assistant: Hm.",)]
    assert look.first_rows[0][0] == "Hi?"
    assert look.first_rows[0][3:] == ("m", "Hello", "r1 ||| r2", '{"by": null}')
    assert [c.role for c in look.columns] == [
        "question",
        "context",
        "question_id",
        "model",
        "answer",
        "reference",
        "metadata",
    ]


def test_the_id_of_a_question_without_one_comes_from_its_text(tmp_path: Path) -> None:
    table, rows = tmp_path / "a.csv", tmp_path / "b.jsonl"
    table.write_text("question,GPT-4\nOne?,a\nTwo?,b\n")
    rows.write_text(
        '{"question": "Two?", "model": "m", "answer": "a"}\n{"question": "One?", "model": "m", "answer": "a"}\n'
    )
    ids = {}
    for path, importer in ((table, Csv()), (rows, Json())):
        records = [
            item.record
            for item in importer.read(path, importer.look(path))
            if isinstance(item, Placed)
        ]
        ids[path.name] = {r.text: r.id for r in records if isinstance(r, Question)}
    assert (
        ids["a.csv"]
        == ids["b.jsonl"]
        == {text: f"q-{text_hash(text)[:10]}" for text in ("One?", "Two?")}
    )


@pytest.mark.parametrize(
    ("whole", "ids"),
    [
        ({"question": ["One?", "Two?"], "ash": ["a", "b"]}, []),
        ({"question": {"0": "One?", "1": "Two?"}, "ash": {"0": "a", "1": "b"}}, []),
        (
            {
                "columns": ["question", "ash"],
                "index": [0, 1],
                "data": [["One?", "a"], ["Two?", "b"]],
            },
            [],
        ),
        ({"0": {"question": "One?", "ash": "a"}, "1": {"question": "Two?", "ash": "b"}}, []),
        (
            {"k1": {"question": "One?", "ash": "a"}, "k2": {"question": "Two?", "ash": "b"}},
            ["k1", "k2"],
        ),
    ],
)
def test_a_data_frame_of_any_orientation_is_a_table(
    whole: dict[str, Any], ids: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "frame.json"
    path.write_text(json.dumps(whole))
    records = [
        item.record for item in Json().read(path, Json().look(path)) if isinstance(item, Placed)
    ]
    assert [(r.model, r.text) for r in records if isinstance(r, Answer)] == [
        ("ash", "a"),
        ("ash", "b"),
    ]
    asked = [r for r in records if isinstance(r, Question)]
    assert [r.text for r in asked] == ["One?", "Two?"]
    assert [r.id for r in asked] == ids or not ids
