"""Files in the shapes that other tools and people give to questions and answers: headers of several
rows, titles above them, nested JSON, chats. What is expected of each was written before it was read
for the first time."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import xlsxwriter

#: The files' name without the ending, which is the model's name where the file has none.
STEM = "shape"


@dataclass(frozen=True, slots=True)
class Shape:
    """A file, and what has to come of it: answers as (question, model, text), or with `refused` a
    refusal that says these words; `bad` rows beside good ones; `more` are fields of answers and
    questions, by (question, model) or question."""

    ending: str
    write: Callable[[Path], None]
    answers: frozenset[tuple[str, str, str]] = frozenset()
    refused: str = ""
    bad: int = 0
    more: dict[tuple[str, ...], dict[str, Any]] = field(default_factory=dict)
    skip: int = 0


SHAPES: dict[str, Shape] = {}


def _text(text: str, encoding: str = "utf-8") -> Callable[[Path], None]:
    return lambda path: path.write_bytes(text.encode(encoding)) and None


def _table(name: str, text: str, *answers: tuple[str, str, str], **more: Any) -> None:
    encoding, ending = more.pop("encoding", "utf-8"), more.pop("ending", ".csv")
    SHAPES[name] = Shape(ending, _text(text, encoding), frozenset(answers), **more)


def _lines(name: str, rows: Sequence[Any], *answers: tuple[str, str, str], **more: Any) -> None:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    SHAPES[name] = Shape(".jsonl", _text(text), frozenset(answers), **more)


def _book(
    name: str,
    rows: Sequence[Sequence[Any]],
    merged: Sequence[str],
    *answers: tuple[str, str, str],
    **more: Any,
) -> None:
    def write(path: Path) -> None:
        with xlsxwriter.Workbook(str(path)) as book:
            sheet = book.add_worksheet("Answers")
            for place, row in enumerate(rows):
                sheet.write_row(place, 0, row)
            for cells in merged:
                first = cells.split(":")[0]
                row, column = int(first[1:]) - 1, ord(first[0]) - ord("A")
                sheet.merge_range(cells, rows[row][column])

    SHAPES[name] = Shape(".xlsx", write, frozenset(answers), **more)


# Long enough that contents say what they are, short enough to read.
Q1, Q2, Q3 = "What is the capital of France?", "Why is the sky blue?", "Who wrote Faust?"
A = ("Paris.", "Because air scatters blue light.", "Goethe did.")
B = ("It is Paris, France.", "Rayleigh scattering.", "Johann Wolfgang von Goethe.")


def _both(first: str = "GPT-4o", second: str = "Claude 3.5") -> tuple[tuple[str, str, str], ...]:
    return tuple(
        (question, model, text)
        for model, texts in ((first, A), (second, B))
        for question, text in zip((Q1, Q2, Q3), texts, strict=True)
    )


def _one(model: str = STEM, texts: Sequence[str] = A) -> tuple[tuple[str, str, str], ...]:
    return tuple((q, model, text) for q, text in zip((Q1, Q2, Q3), texts, strict=True))


#: id, question, two answers with seconds.
WIDE = f'1,{Q1},{A[0]},1.2,"{B[0]}",0.8\n2,{Q2},{A[1]},1.5,{B[1]},0.9\n3,{Q3},{A[2]},1,{B[2]},0.7\n'
SECONDS = {(Q1, "GPT-4o"): {"total_seconds": 1.2}, (Q2, "Claude 3.5"): {"total_seconds": 0.9}}
#: question, two answers.
PLAIN = f'{Q1},{A[0]},"{B[0]}"\n{Q2},{A[1]},{B[1]}\n{Q3},{A[2]},{B[2]}\n'
ROWS = [[n, q, A[n], 1.5, B[n], 0.5] for n, q in enumerate((Q1, Q2, Q3))]

# Two rows of headers.
_table(
    "group above, empty cells to the right",
    f",,GPT-4o,,Claude 3.5,\nid,question,answer,seconds,answer,seconds\n{WIDE}",
    *_both(),
    more=SECONDS,
)
_table(
    "the questions' columns have a group too",
    f"Item,,GPT-4o,,Claude 3.5,\nID,Prompt,Response,Latency (s),Response,Latency (s)\n{WIDE}",
    *_both(),
    more=SECONDS,
)
_table(
    "models below the word answers",
    f"Question,Answers,\n,GPT-4o,Claude 3.5\n{PLAIN}",
    *_both(),
)
_table(
    "models below, questions named in the lower row",
    f",Model answers,\nQuestion,GPT-4o,Claude 3.5\n{PLAIN}",
    *_both(),
)
_table(
    "three levels",
    "Question ID,Question,Models,,,\n,,GPT-4o,,Claude 3.5,\n,,Answer,Seconds,Answer,Seconds\n"
    + WIDE,
    *_both(),
    more=SECONDS,
)
_table(
    "numbers as names of models",
    f"Question,Answer of model,\n,1,2\n{PLAIN}",
    *_both("1", "2"),
)
_table(
    "numbers as groups",
    f",,1,,2,\nid,question,answer,seconds,answer,seconds\n{WIDE}",
    *_both("1", "2"),
    more={(Q1, "1"): {"total_seconds": 1.2}},
)
_table(
    "pandas, columns of two levels",
    "".join(
        (
            ",GPT-4o,GPT-4o,Claude 3.5,Claude 3.5\n,answer,seconds,answer,seconds\nquestion,,,,\n",
            *(f'{row[1]},{row[2]},{row[3]},"{row[4]}",{row[5]}\n' for row in ROWS),
        )
    ),
    *_both(),
    more={(Q2, "Claude 3.5"): {"total_seconds": 0.5}},
)
_table(
    "pandas, a pivot table",
    "".join(
        (
            ",answer,answer,seconds,seconds\nmodel,GPT-4o,Claude 3.5,GPT-4o,Claude 3.5\n",
            "question,,,,\n",
            *(f'{row[1]},{row[2]},"{row[4]}",{row[3]},{row[5]}\n' for row in ROWS),
        )
    ),
    *_both(),
    more={(Q2, "GPT-4o"): {"total_seconds": 1.5}},
)
_table(
    "Russian, semicolons, a code page",
    ";;Модель А;;Модель Б;\n№;Вопрос;Ответ;Время;Ответ;Время\n"
    "1;Где находится Эрмитаж?;В Санкт-Петербурге.;1,5;В Петербурге, на Неве.;2,5\n"
    "2;Сколько планет?;Восемь планет.;1,1;Их восемь.;2,2\n",
    ("Где находится Эрмитаж?", "Модель А", "В Санкт-Петербурге."),
    ("Где находится Эрмитаж?", "Модель Б", "В Петербурге, на Неве."),
    ("Сколько планет?", "Модель А", "Восемь планет."),
    ("Сколько планет?", "Модель Б", "Их восемь."),
    encoding="cp1251",
    more={("Сколько планет?", "Модель Б"): {"total_seconds": 2.2}},
)
_table(
    "Chinese, tabs, a byte order mark",
    "\ufeff\t\t模型甲\t\t模型乙\t\n编号\t问题\t回答\t耗时\t回答\t耗时\n"
    "1\t法国的首都是哪里？\t巴黎。\t1.5\t首都是巴黎。\t2\n2\t天空为什么是蓝色的？\t因为散射。\t1\t瑞利散射。\t3\n",
    ("法国的首都是哪里？", "模型甲", "巴黎。"),
    ("法国的首都是哪里？", "模型乙", "首都是巴黎。"),
    ("天空为什么是蓝色的？", "模型甲", "因为散射。"),
    ("天空为什么是蓝色的？", "模型乙", "瑞利散射。"),
    ending=".tsv",
    more={("法国的首都是哪里？", "模型乙"): {"total_seconds": 2.0}},
)
_table(
    "a reference right of the last group",
    ",,GPT-4o,,Claude 3.5,,\nid,question,answer,seconds,answer,seconds,reference\n"
    + WIDE.replace("0.8\n", "0.8,Paris\n")
    .replace("0.9\n", "0.9,Air\n")
    .replace("0.7\n", "0.7,G.\n"),
    *_both(),
    more={(Q1,): {"references": ("Paris",)}, **SECONDS},
)
_table(
    "headers twice, in two languages",
    f"Question,Answer,Model\nВопрос,Ответ,Модель\n{Q1},{A[0]},Alder\n{Q1},{B[0].replace(',', '')},Birch\n",
    (Q1, "Alder", A[0]),
    (Q1, "Birch", "It is Paris France."),
)
_table(
    "grades in every group",
    ",GPT-4o,,Claude 3.5,\nquestion,answer,clarity,answer,clarity\n"
    f'{Q1},{A[0]},5,"{B[0]}",4\n{Q2},{A[1]},3,{B[1]},4\n{Q3},{A[2]},5,{B[2]},4\n',
    *_both(),
)

# Titles, notes and blank rows above the header.
_table("a title", f"Results of the study\nquestion,GPT-4o,Claude 3.5\n{PLAIN}", *_both(), skip=1)
_table(
    "a title with commas, as wide as the table",
    f"Results, spring, 2024\nquestion,GPT-4o,Claude 3.5\n{PLAIN}",
    *_both(),
    skip=1,
)
_table(
    "a title with commas above answers in rows",
    f"Answers, first round, 2024\nquestion,model,answer\n{Q1},Alder,{A[0]}\n{Q2},Alder,{A[1]}\n",
    (Q1, "Alder", A[0]),
    (Q2, "Alder", A[1]),
    skip=1,
)
_table(
    "a title, a blank row, notes and a byte order mark",
    "\ufeffEvaluation of two models,,\n,,\n"
    f"Note: the answers were collected on two days in May; the second run was slower.,,\n"
    f"Contact: lab@example.org,,\n\nquestion,GPT-4o,Claude 3.5\n{PLAIN}",
    *_both(),
    skip=5,
)
_table(
    "a title above two rows of headers",
    f'"Study 7, spring",,,,,\n\n,,GPT-4o,,Claude 3.5,\nid,question,answer,seconds,answer,seconds\n{WIDE}',
    *_both(),
    more=SECONDS,
    skip=2,
)
_table(
    "name and value pairs above the header",
    f"Project,Alpha\nDate,2024-05-01\nAuthor,Kim\n\nid,question,answer,seconds,note\n"
    f"1,{Q1},{A[0]},1,\n2,{Q2},{A[1]},2,x\n3,{Q3},{A[2]},3,\n",
    *_one(),
    skip=4,
)
_table(
    "the separator named in the first line, as Excel does",
    f"sep=;\nquestion;GPT-4o;Claude 3.5\n{PLAIN.replace(',', ';').replace('Paris; France', 'Paris, France')}",
    *_both(),
    skip=1,
)

# What is no second row of headers.
_table(
    "one header, a short first row",
    "question,Alder,Birch,Cedar\nName a colour,red,blue,green\nName a tree,oak,ash,elm\n"
    "Name a river,Rhine,Nile,Don\n",
    *(
        (q, model, text)
        for q, texts in (
            ("Name a colour", ("red", "blue", "green")),
            ("Name a tree", ("oak", "ash", "elm")),
            ("Name a river", ("Rhine", "Nile", "Don")),
        )
        for model, text in zip(("Alder", "Birch", "Cedar"), texts, strict=True)
    ),
)
_table(
    "an empty header above short equal answers",
    "question,Alder,Birch,\nSay yes,yes,yes,ok\nSay no,no,no,ok\nSay maybe,maybe,perhaps,ok\n",
    *(
        (q, model, text)
        for q, texts in (
            ("Say yes", ("yes", "yes")),
            ("Say no", ("no", "no")),
            ("Say maybe", ("maybe", "perhaps")),
        )
        for model, text in zip(("Alder", "Birch"), texts, strict=True)
    ),
)
_table(
    "words to translate, some of which are words for columns",
    "Wort,GPT-4o,Claude 3.5\nHund,dog,chien\nFrage,question,query\nAntwort,answer,reply\nModell,model,system\n",
    *(
        (q, model, text)
        for q, *texts in (
            ("Hund", "dog", "chien"),
            ("Frage", "question", "query"),
            ("Antwort", "answer", "reply"),
            ("Modell", "model", "system"),
        )
        for model, text in zip(("GPT-4o", "Claude 3.5"), texts, strict=True)
    ),
)
_table(
    "units below the header",
    f"question,answer,seconds\n,text,s\n{Q1},{A[0]},1.5\n{Q2},{A[1]},2.5\n",
    (Q1, STEM, A[0]),
    (Q2, STEM, A[1]),
    bad=1,
)
_table(
    "a header that no row below it fits",
    "Report of the second quarter\nRegion,Sales\nNorth,100\nSouth,200\n",
    refused="question",
)

# Workbooks.
_book(
    "groups merged over their columns, questions over two rows",
    [
        ["id", "question", "GPT-4o", "", "Claude 3.5", ""],
        ["", "", "answer", "seconds", "answer", "seconds"],
        *ROWS,
    ],
    ["A1:A2", "B1:B2", "C1:D1", "E1:F1"],
    *_both(),
    more={(Q2, "Claude 3.5"): {"total_seconds": 0.5}},
)
_book(
    "a title merged over everything, then three levels",
    [
        ["Evaluation, May 2024", *[""] * 5],
        ["No.", "Task", "Models", "", "", ""],
        ["", "", "GPT-4o", "", "Claude 3.5", ""],
        ["", "", "Answer", "Time, s", "Answer", "Time, s"],
        *ROWS,
    ],
    ["A1:F1", "A2:A4", "B2:B4", "C2:F2", "C3:D3", "E3:F3"],
    *_both(),
    more={(Q2, "GPT-4o"): {"total_seconds": 1.5}},
    skip=1,
)
_book(
    "a margin, a title, a blank row, an empty column between groups",
    [[], ["", "Results"], [], ["", "", "GPT-4o", "", "", "Claude 3.5", ""]]
    + [["", "question", "answer", "seconds", "", "answer", "seconds"]]
    + [["", q, a, s, "", b, t] for _, q, a, s, b, t in ROWS],
    ["C4:D4", "F4:G4"],
    *_both(),
    more={(Q2, "Claude 3.5"): {"total_seconds": 0.5}},
    skip=3,
)
_book(
    "years as groups merged over models",
    [["Question", 2023, "", 2024, ""], ["", "Alder", "Birch", "Alder", "Birch"]]
    + [[q, f"{a} 1", f"{b} 1", f"{a} 2", f"{b} 2"] for _, q, a, _, b, _ in ROWS],
    ["A1:A2", "B1:C1", "D1:E1"],
    *(
        (q, f"{year} / {model}", f"{text} {n}")
        for q, a, b in zip((Q1, Q2, Q3), A, B, strict=True)
        for n, year in ((1, "2023"), (2, "2024"))
        for model, text in (("Alder", a), ("Birch", b))
    ),
)


# Nested JSON.
def _said(role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


def _chat(question: str, answer: str) -> list[dict[str, Any]]:
    return [_said("user", question), _said("assistant", answer)]


_lines(
    "a question as an object, responses as a list",
    [
        {
            "question": {"id": f"q{n}", "text": q, "category": "general"},
            "responses": [
                {"model": "GPT-4o", "text": A[n], "seconds": 1.5},
                {"model": "Claude 3.5", "text": B[n], "seconds": 2},
            ],
        }
        for n, q in enumerate((Q1, Q2, Q3))
    ],
    *_both(),
    more={
        (Q1, "GPT-4o"): {"total_seconds": 1.5, "question_id": "q0"},
        (Q1,): {"id": "q0", "category": "general"},
    },
)
_lines(
    "responses whose text is an object",
    [
        {
            "prompt": q,
            "responses": {
                "GPT-4o": {"content": [{"type": "text", "text": A[n]}]},
                "Claude 3.5": {"message": _said("assistant", B[n])},
            },
        }
        for n, q in enumerate((Q1, Q2, Q3))
    ],
    *_both(),
)
_lines(
    "several texts per prompt",
    [{"prompt": q, "responses": [A[n], B[n]]} for n, q in enumerate((Q1, Q2, Q3))],
    *_both("1", "2"),
)
_lines(
    "inputs and outputs as objects",
    [
        {
            "inputs": {"question": q},
            "outputs": {"answer": A[n]},
            "reference_outputs": {"answer": "x"},
        }
        for n, q in enumerate((Q1, Q2, Q3))
    ],
    *_one(),
)
_lines(
    "a question as an object without a text",
    [{"question": {"id": 1, "lang": "en"}, "responses": {"a": "Yes.", "b": "No."}}],
    refused="text",
)
_lines(
    "an answer as an object without a text",
    [
        {"question": Q1, "answer": {"score": 1, "ok": True}},
        {"question": Q2, "answer": {"score": 0}},
    ],
    refused="text",
)
_lines(
    "one response, as an object with figures",
    [
        {"question": q, "response": {"text": A[n], "latency": 1.5, "model": "Alder"}}
        for n, q in enumerate((Q1, Q2, Q3))
    ],
    *_one("Alder"),
    more={(Q1, "Alder"): {"total_seconds": 1.5}},
)

# Chats.
_lines(
    "a chat a line",
    [{"messages": _chat(q, A[n])} for n, q in enumerate((Q1, Q2, Q3))],
    *_one(),
    more={(Q1,): {"context": ()}},
)
_lines(
    "a chat of several turns with a system prompt",
    [
        {
            "id": "c1",
            "model": "Alder",
            "messages": [
                _said("system", "Be brief."),
                *_chat("Hello", "Hi there."),
                *_chat(Q1, A[0]),
            ],
        },
        {"id": "c2", "model": "Birch", "messages": _chat(Q2, A[1])},
    ],
    (Q1, "Alder", A[0]),
    (Q2, "Birch", A[1]),
    more={
        (Q1,): {
            "id": "c1",
            "context": ("system: Be brief.\n\nuser: Hello\n\nassistant: Hi there.",),
        }
    },
)
_lines(
    "the same last question in two chats",
    [
        {"messages": [*_chat(Q1, A[0]), *_chat("Are you sure?", "Yes, quite.")]},
        {"messages": [*_chat(Q2, A[1]), *_chat("Are you sure?", "Yes, air does.")]},
    ],
    ("Are you sure?", STEM, "Yes, quite."),
    ("Are you sure?", STEM, "Yes, air does."),
)
_lines(
    "a chat that ends with the user beside whole ones",
    [
        {"messages": _chat(Q1, A[0])},
        {"messages": [*_chat(Q2, A[1]), _said("user", "Really?")]},
        {"messages": _chat(Q3, A[2])},
    ],
    (Q1, STEM, A[0]),
    (Q3, STEM, A[2]),
    bad=1,
)
_lines(
    "a chat that ends with the user, answers beside it",
    [
        {
            "messages": [_said("system", "Be kind."), _said("user", q)],
            "responses": [
                {"model": "GPT-4o", "response": A[n]},
                {"model": "Claude 3.5", "response": B[n]},
            ],
        }
        for n, q in enumerate((Q1, Q2, Q3))
    ],
    *_both(),
    more={(Q1,): {"context": ("system: Be kind.",)}},
)
_lines(
    "a prompt as a chat, chosen and rejected as chats",
    [
        {"prompt": q, "chosen": _chat(q, A[n]), "rejected": _chat(q, B[n])}
        for n, q in enumerate((Q1, Q2, Q3))
    ],
    *_both("chosen", "rejected"),
)
_lines(
    "chosen and rejected as chats without a prompt",
    [{"chosen": _chat(q, A[n]), "rejected": _chat(q, B[n])} for n, q in enumerate((Q1, Q2, Q3))],
    *_both("chosen", "rejected"),
)
_lines(
    "tool calls before the answer",
    [
        {
            "messages": [
                _said("user", Q1),
                _said("assistant", None, tool_calls=[{"function": {"name": "look_up"}}]),
                _said("tool", "Paris: capital", tool_call_id="1"),
                _said("assistant", A[0]),
            ]
        },
        {"messages": _chat(Q2, A[1])},
    ],
    (Q1, STEM, A[0]),
    (Q2, STEM, A[1]),
    more={
        (Q1,): {
            "context": (
                'assistant: [tool_calls] [{"function": {"name": "look_up"}}]\n\n'
                "tool: Paris: capital",
            )
        }
    },
)
_lines(
    "a chat that ends with a tool call",
    [
        {"messages": [_said("user", Q1), _said("assistant", None, tool_calls=[{"id": "1"}])]},
        {"messages": _chat(Q2, A[1])},
    ],
    (Q2, STEM, A[1]),
    bad=1,
)
_lines(
    "contents in parts, one of them a picture",
    [
        {
            "messages": [
                _said(
                    "user",
                    [
                        {"type": "text", "text": "What is on the picture?"},
                        {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
                    ],
                ),
                _said(
                    "assistant",
                    [{"type": "text", "text": "A cat"}, {"type": "text", "text": "asleep."}],
                ),
            ]
        },
        {"messages": _chat(Q2, A[1])},
    ],
    ("What is on the picture?\n[image_url]", STEM, "A cat\nasleep."),
    (Q2, STEM, A[1]),
)
_lines(
    "ShareGPT: conversations with from and value",
    [
        {
            "id": f"s{n}",
            "conversations": [{"from": "human", "value": q}, {"from": "gpt", "value": A[n]}],
        }
        for n, q in enumerate((Q1, Q2, Q3))
    ],
    *_one(),
)
_lines(
    "OpenAI's log: messages, model, one choice",
    [
        {
            "model": "Alder",
            "messages": [_said("user", q)],
            "choices": [{"index": 0, "message": _said("assistant", A[n]), "finish_reason": "stop"}],
        }
        for n, q in enumerate((Q1, Q2, Q3))
    ],
    *_one("Alder"),
)
_lines(
    "several choices per prompt",
    [
        {
            "messages": [_said("user", q)],
            "choices": [{"message": _said("assistant", text)} for text in (A[n], B[n])],
        }
        for n, q in enumerate((Q1, Q2, Q3))
    ],
    *_both("1", "2"),
)
_lines(
    "messages without roles",
    [{"messages": ["Hello", "Hi there."]}, {"messages": ["Why?", "Because."]}],
    refused="role",
)
_lines(
    "a chat in which only the assistant speaks",
    [{"messages": [_said("assistant", "Hi.")]}, {"messages": _chat(Q2, A[1])}],
    (Q2, STEM, A[1]),
    bad=1,
)
_lines(
    "a batch of replies without the questions",
    [
        {
            "custom_id": f"r{n}",
            "response": {"body": {"choices": [{"message": _said("assistant", a)}]}},
        }
        for n, a in enumerate(A)
    ],
    refused="question",
)


def _whole(path: Path) -> None:
    rows = [
        {"messages": [_said("developer", "Rhyme."), *_chat(q, A[n])]}
        for n, q in enumerate((Q1, Q2))
    ]
    path.write_text(json.dumps({"version": 1, "conversations": rows}), "utf-8")


SHAPES["chats in a list inside one object"] = Shape(
    ".json",
    _whole,
    frozenset({(Q1, STEM, A[0]), (Q2, STEM, A[1])}),
    more={(Q2,): {"context": ("developer: Rhyme.",)}},
)
