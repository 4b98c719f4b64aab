"""What headers and contents say about columns, beyond the twenty tables."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from graders.importers.csv import Csv
from graders.importers.tables.guessed_columns import guess_table
from tests.importers.texts import TEXTS

#: language, headers, what a row holds (q question, a answer, r reference, i id, k row number, c
#: class, n number, m model, d date, - nothing), and the roles expected; with a model column every
#: question stands in two rows
CASES: list[tuple[str, str, str, str]] = [
    ("en", "Nr|Frage|Antwort A|Antwort B", "i q a a", "question_id question answer:A answer:B"),
    ("en", "question|answer", "q a", "question answer"),
    ("en", "Q|A", "q a", "question answer"),
    (
        "en",
        "|question|gold|pred_1|pred_2",
        "i q r a a",
        "metadata question reference answer:pred_1 answer:pred_2",
    ),
    ("en", "instruction|input|output", "q - a", "question context answer"),
    ("en", "prompt|response_a|response_b|winner", "q a a c", "question answer:a answer:b metadata"),
    (
        "en",
        "question|ground_truth|gpt-4|gpt-4_latency|claude|claude_latency",
        "q r a n a n",
        "question reference answer:gpt-4 total_seconds:gpt-4 answer:claude total_seconds:claude",
    ),
    (
        "en",
        "question|answer_gpt4|answer_llama|time_gpt4|score_gpt4",
        "q a a n n",
        "question answer:gpt4 answer:llama total_seconds:gpt4 metadata",
    ),
    ("en", "Question|Answer|Model response", "q r a", "question reference answer"),
    (
        "en",
        "Query|Context|Expected output|Actual output|Latency (ms)|Cost ($)",
        "q a r a n n",
        "question context reference answer total_seconds cost",
    ),
    (
        "ru",
        "Вопрос|Модель 1|Модель 2|Оценка модели 1",
        "q a a n",
        "question answer:Модель_1 answer:Модель_2 metadata",
    ),
    ("ru", "Вопрос|Ответ нейросети|Правильный ответ", "q a r", "question answer reference"),
    (
        "zh",
        "问题|GPT4的回答|文心的回答|人工评分",
        "q a a n",
        "question answer:GPT4 answer:文心 metadata",
    ),
    ("zh", "題目|參考答案|模型A|模型B", "q r a a", "question reference answer:模型A answer:模型B"),
    (
        "ja",
        "no|質問|模範解答|Alder|Birch",
        "i q r a a",
        "question_id question reference answer:Alder answer:Birch",
    ),
    (
        "ru",
        "ID вопроса|Текст вопроса|Категория|Система|Текст ответа|Время (мс)|Автор",
        "i q c m a n c",
        "question_id question category model answer total_seconds metadata",
    ),
    ("ru", "№|Вопрос|Модель|Ответ", "k q m a", "metadata question model answer"),
    ("zh", "模型|问题|回答|评分", "m q a n", "model question answer metadata"),
    (
        "en",
        "row_id|question_id|question|llm|reply",
        "k i q m a",
        "metadata question_id question model answer",
    ),
    ("en", "question_id|model|text", "i m a", "question_id model answer"),
    ("en", "id|text|category", "i q c", "question_id question category"),
    ("en", "", "q m a", "question model answer"),
    ("en", "", "i c q m a n", "question_id category question model answer metadata"),
    ("zh", "", "q a a", "question answer:model_1 answer:model_2"),
    ("ja", "質問|回答1|回答2", "q a a", "question answer:回答1 answer:回答2"),
    # figures of models whose names nobody could know before the contents were seen
    (
        "en",
        "question|Alder|Birch|Alder latency|cost (Birch)|birch.output_tokens|Elm seconds|Birch note",
        "q a a n n k n a",
        "question answer:Alder answer:Birch total_seconds:Alder cost:Birch output_tokens:Birch metadata metadata",
    ),
    (
        "ru",
        "Вопрос|Ольха-1|Ольха-2|Время ответа Ольха-1 (мс)|ольха_2 токены|Оценка Ольха-2",
        "q a a n k n",
        "question answer:Ольха-1 answer:Ольха-2 total_seconds:Ольха-1 output_tokens:Ольха-2 metadata",
    ),
    (
        "zh",
        "问题|松树|GPT4回答|松树耗时（秒）|GPT4的首字延迟|文心耗时",
        "q a a n n n",
        "question answer:松树 answer:GPT4 total_seconds:松树 time_to_first_token:GPT4 metadata",
    ),
    (
        "en",
        "question|answer 1|answer 2|time 1|time 2",
        "q a a n n",
        "question answer:answer_1 answer:answer_2 total_seconds:answer_1 total_seconds:answer_2",
    ),
    (
        "en",
        "Frage|Ahorn|Birke|Ahorn Sekunden|Kosten Birke|Bewertung Ahorn",
        "q a a n n n",
        "question answer:Ahorn answer:Birke total_seconds:Ahorn cost:Birke metadata",
    ),
    (
        "ru",
        "№|Вопрос|Ольха|Ольха, сек|GPT-4|GPT-4 (ms)|Модель С|Ольха $|Оценка (Ольха)",
        "i q a n a n a n n",
        "question_id question answer:Ольха total_seconds:Ольха answer:GPT-4 total_seconds:GPT-4 answer:Модель_С cost:Ольха metadata",
    ),
    (
        "en",
        "|Prompt|Response - GPT-4|Response - Mistral 7B",
        "i q a a",
        "metadata question answer:GPT-4 answer:Mistral_7B",
    ),
    (
        "ru",
        "Запрос|Ответ GigaChat|Ответ YandexGPT|Ответственный",
        "q a a c",
        "question answer:GigaChat answer:YandexGPT metadata",
    ),
    ("ru", "Вопрос|ОтветGPT|ОтветLlama", "q a a", "question answer:GPT answer:Llama"),
    ("ja", "設問ID|プロンプト|AI名|出力", "i q m a", "question_id question model answer"),
    (
        *("en", "Question|Best Answer|Incorrect Answers|GPT-3|GPT-4", "q r a a a"),
        "question reference metadata answer:GPT-3 answer:GPT-4",
    ),
    # dates are no seconds, and a second column of seconds is no second figure
    (
        "en",
        "question|Alder|Birch|Alder time|Birch time|Birch seconds",
        "q a a d n n",
        "question answer:Alder answer:Birch metadata total_seconds:Birch metadata",
    ),
]


def rows_of(language: str, headers: str, cells: str) -> list[list[str]]:
    rows = [headers.split("|")] if headers else []
    models = ["alder", "birch"] if "m" in cells.split() else [""]
    for i, (question, answer) in enumerate(TEXTS[language]):
        for k, model in enumerate(models):
            value = {
                "q": question,
                "r": answer.split()[0],
                "i": f"q{i}",
                "k": str(len(rows)),
                "c": "xyz"[i % 3],
                "n": f"{i + k}.5",
                "m": model,
                "d": f"2026-03-1{i}",
            }
            spoken = iter([f"{answer} {model}", f"{answer[:-4]} – {i}", answer])
            rows.append(
                [next(spoken) if cell == "a" else value.get(cell, "") for cell in cells.split()]
            )
    return rows


@pytest.mark.parametrize(("language", "headers", "cells", "roles"), CASES)
def test_roles_are_guessed(language: str, headers: str, cells: str, roles: str) -> None:
    shape = guess_table(rows_of(language, headers, cells))
    assert (
        " ".join(
            c.role + (f":{c.model.replace(' ', '_')}" if c.model else "") for c in shape.columns
        )
        == roles
    )
    assert shape.has_header == bool(headers)


def test_what_was_measured_is_no_id() -> None:
    rows = [
        [f"Why is it {i}?", model, f"Because {model} says {i}.", f"{i}.50"]
        for i in range(5)
        for model in ("ash", "elm")
    ]
    assert [column.role for column in guess_table(rows).columns] == [
        "question",
        "model",
        "answer",
        "metadata",
    ]


def test_bare_numbers_are_answers_where_nothing_else_can_be() -> None:
    shape = guess_table(
        [["question", "A", "B"], ["2+2?", "4", "5"], ["3*3?", "9", "9"], ["10/2?", "5", "2"]]
    )
    assert [(c.role, c.model) for c in shape.columns] == [
        ("question", ""),
        ("answer", "A"),
        ("answer", "B"),
    ]


def test_answers_that_begin_with_the_code_of_a_language_are_no_languages() -> None:
    shape = guess_table(
        [
            ["question", "Ash", "Ash s"],
            ["Why?", "It is so.", "-"],
            ["Who?", "He is it.", "-"],
            ["How?", "He did so.", "2"],
        ]
    )
    assert [(c.role, c.model) for c in shape.columns] == [
        ("question", ""),
        ("answer", "Ash"),
        ("metadata", ""),
    ]
    shape = guess_table(
        [
            ["question", "Ash", "Ash time"],
            ["Why?", "It is so.", "-"],
            ["Who?", "He is it.", "n/a"],
            ["How?", "He did.", "2"],
        ]
    )
    assert [(c.role, c.model) for c in shape.columns][1:] == [
        ("answer", "Ash"),
        ("total_seconds", "Ash"),
    ], "a dash says nothing"


def test_one_row_that_is_too_long_does_not_widen_the_table() -> None:
    shape = guess_table(
        [["question", "answer"], ["One?", "a"], ["Two?", "b", "c", "d"], ["Three?", "c"]]
    )
    assert len(shape.columns) == 2


def test_a_table_is_read_as_a_stream(tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    answer = "word " * 200
    path.write_text(
        "id,question,GPT-4,Llama\n"
        + "".join(f"{i},Question {i}?,{answer},{answer}\n" for i in range(5_000))
    )
    size = path.stat().st_size
    assert size > 10_000_000
    tracemalloc.start()
    try:
        look = Csv().look(path)
        count = sum(1 for _ in Csv().read(path, look))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 5_000 * 3
    # what stays is the ids and hashes of 5,000 questions and the first rows, not 10 MB of text
    assert peak < 0.6 * size
