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


def table(name: str, text: str, *answers: tuple[str, str, str], **more: Any) -> None:
    encoding, ending = more.pop("encoding", "utf-8"), more.pop("ending", ".csv")
    SHAPES[name] = Shape(ending, _text(text, encoding), frozenset(answers), **more)


def lines(name: str, rows: Sequence[Any], *answers: tuple[str, str, str], **more: Any) -> None:
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    SHAPES[name] = Shape(".jsonl", _text(text), frozenset(answers), **more)


def book(
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


def both(first: str = "GPT-4o", second: str = "Claude 3.5") -> tuple[tuple[str, str, str], ...]:
    return tuple(
        (question, model, text)
        for model, texts in ((first, A), (second, B))
        for question, text in zip((Q1, Q2, Q3), texts, strict=True)
    )


def one(model: str = STEM, texts: Sequence[str] = A) -> tuple[tuple[str, str, str], ...]:
    return tuple((q, model, text) for q, text in zip((Q1, Q2, Q3), texts, strict=True))


#: id, question, two answers with seconds.
WIDE = f'1,{Q1},{A[0]},1.2,"{B[0]}",0.8\n2,{Q2},{A[1]},1.5,{B[1]},0.9\n3,{Q3},{A[2]},1,{B[2]},0.7\n'
SECONDS = {(Q1, "GPT-4o"): {"total_seconds": 1.2}, (Q2, "Claude 3.5"): {"total_seconds": 0.9}}
#: question, two answers.
PLAIN = f'{Q1},{A[0]},"{B[0]}"\n{Q2},{A[1]},{B[1]}\n{Q3},{A[2]},{B[2]}\n'
ROWS = [[n, q, A[n], 1.5, B[n], 0.5] for n, q in enumerate((Q1, Q2, Q3))]

# Two rows of headers.
table(
    "group above, empty cells to the right",
    f",,GPT-4o,,Claude 3.5,\nid,question,answer,seconds,answer,seconds\n{WIDE}",
    *both(),
    more=SECONDS,
)
table(
    "the questions' columns have a group too",
    f"Item,,GPT-4o,,Claude 3.5,\nID,Prompt,Response,Latency (s),Response,Latency (s)\n{WIDE}",
    *both(),
    more=SECONDS,
)
table(
    "models below the word answers",
    f"Question,Answers,\n,GPT-4o,Claude 3.5\n{PLAIN}",
    *both(),
)
table(
    "models below, questions named in the lower row",
    f",Model answers,\nQuestion,GPT-4o,Claude 3.5\n{PLAIN}",
    *both(),
)
table(
    "three levels",
    "Question ID,Question,Models,,,\n,,GPT-4o,,Claude 3.5,\n,,Answer,Seconds,Answer,Seconds\n"
    + WIDE,
    *both(),
    more=SECONDS,
)
table(
    "numbers as names of models",
    f"Question,Answer of model,\n,1,2\n{PLAIN}",
    *both("1", "2"),
)
table(
    "numbers as groups",
    f",,1,,2,\nid,question,answer,seconds,answer,seconds\n{WIDE}",
    *both("1", "2"),
    more={(Q1, "1"): {"total_seconds": 1.2}},
)
table(
    "pandas, columns of two levels",
    "".join(
        (
            ",GPT-4o,GPT-4o,Claude 3.5,Claude 3.5\n,answer,seconds,answer,seconds\nquestion,,,,\n",
            *(f'{row[1]},{row[2]},{row[3]},"{row[4]}",{row[5]}\n' for row in ROWS),
        )
    ),
    *both(),
    more={(Q2, "Claude 3.5"): {"total_seconds": 0.5}},
)
table(
    "pandas, a pivot table",
    "".join(
        (
            ",answer,answer,seconds,seconds\nmodel,GPT-4o,Claude 3.5,GPT-4o,Claude 3.5\n",
            "question,,,,\n",
            *(f'{row[1]},{row[2]},"{row[4]}",{row[3]},{row[5]}\n' for row in ROWS),
        )
    ),
    *both(),
    more={(Q2, "GPT-4o"): {"total_seconds": 1.5}},
)
table(
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
table(
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
table(
    "a reference right of the last group",
    ",,GPT-4o,,Claude 3.5,,\nid,question,answer,seconds,answer,seconds,reference\n"
    + WIDE.replace("0.8\n", "0.8,Paris\n")
    .replace("0.9\n", "0.9,Air\n")
    .replace("0.7\n", "0.7,G.\n"),
    *both(),
    more={(Q1,): {"references": ("Paris",)}, **SECONDS},
)
table(
    "headers twice, in two languages",
    f"Question,Answer,Model\nВопрос,Ответ,Модель\n{Q1},{A[0]},Alder\n{Q1},{B[0].replace(',', '')},Birch\n",
    (Q1, "Alder", A[0]),
    (Q1, "Birch", "It is Paris France."),
)
table(
    "grades in every group",
    ",GPT-4o,,Claude 3.5,\nquestion,answer,clarity,answer,clarity\n"
    f'{Q1},{A[0]},5,"{B[0]}",4\n{Q2},{A[1]},3,{B[1]},4\n{Q3},{A[2]},5,{B[2]},4\n',
    *both(),
)

# Titles, notes and blank rows above the header.
table("a title", f"Results of the study\nquestion,GPT-4o,Claude 3.5\n{PLAIN}", *both(), skip=1)
table(
    "a title with commas, as wide as the table",
    f"Results, spring, 2024\nquestion,GPT-4o,Claude 3.5\n{PLAIN}",
    *both(),
    skip=1,
)
table(
    "a title with commas above answers in rows",
    f"Answers, first round, 2024\nquestion,model,answer\n{Q1},Alder,{A[0]}\n{Q2},Alder,{A[1]}\n",
    (Q1, "Alder", A[0]),
    (Q2, "Alder", A[1]),
    skip=1,
)
table(
    "a title, a blank row, notes and a byte order mark",
    "\ufeffEvaluation of two models,,\n,,\n"
    f"Note: the answers were collected on two days in May; the second run was slower.,,\n"
    f"Contact: lab@example.org,,\n\nquestion,GPT-4o,Claude 3.5\n{PLAIN}",
    *both(),
    skip=5,
)
table(
    "a title above two rows of headers",
    f'"Study 7, spring",,,,,\n\n,,GPT-4o,,Claude 3.5,\nid,question,answer,seconds,answer,seconds\n{WIDE}',
    *both(),
    more=SECONDS,
    skip=2,
)
table(
    "name and value pairs above the header",
    f"Project,Alpha\nDate,2024-05-01\nAuthor,Kim\n\nid,question,answer,seconds,note\n"
    f"1,{Q1},{A[0]},1,\n2,{Q2},{A[1]},2,x\n3,{Q3},{A[2]},3,\n",
    *one(),
    skip=4,
)
table(
    "the separator named in the first line, as Excel does",
    f"sep=;\nquestion;GPT-4o;Claude 3.5\n{PLAIN.replace(',', ';').replace('Paris; France', 'Paris, France')}",
    *both(),
    skip=1,
)

# What is no second row of headers.
table(
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
table(
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
table(
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
table(
    "units below the header",
    f"question,answer,seconds\n,text,s\n{Q1},{A[0]},1.5\n{Q2},{A[1]},2.5\n",
    (Q1, STEM, A[0]),
    (Q2, STEM, A[1]),
    bad=1,
)
table(
    "a header that no row below it fits",
    "Report of the second quarter\nRegion,Sales\nNorth,100\nSouth,200\n",
    refused="question",
)

# Workbooks.
book(
    "groups merged over their columns, questions over two rows",
    [
        ["id", "question", "GPT-4o", "", "Claude 3.5", ""],
        ["", "", "answer", "seconds", "answer", "seconds"],
        *ROWS,
    ],
    ["A1:A2", "B1:B2", "C1:D1", "E1:F1"],
    *both(),
    more={(Q2, "Claude 3.5"): {"total_seconds": 0.5}},
)
book(
    "a title merged over everything, then three levels",
    [
        ["Evaluation, May 2024", *[""] * 5],
        ["No.", "Task", "Models", "", "", ""],
        ["", "", "GPT-4o", "", "Claude 3.5", ""],
        ["", "", "Answer", "Time, s", "Answer", "Time, s"],
        *ROWS,
    ],
    ["A1:F1", "A2:A4", "B2:B4", "C2:F2", "C3:D3", "E3:F3"],
    *both(),
    more={(Q2, "GPT-4o"): {"total_seconds": 1.5}},
    skip=1,
)
book(
    "a margin, a title, a blank row, an empty column between groups",
    [[], ["", "Results"], [], ["", "", "GPT-4o", "", "", "Claude 3.5", ""]]
    + [["", "question", "answer", "seconds", "", "answer", "seconds"]]
    + [["", q, a, s, "", b, t] for _, q, a, s, b, t in ROWS],
    ["C4:D4", "F4:G4"],
    *both(),
    more={(Q2, "Claude 3.5"): {"total_seconds": 0.5}},
    skip=3,
)
book(
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
