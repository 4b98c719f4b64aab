"""More files in other tools' and people's shapes, written after the first set was read right and
without a look at how."""

from __future__ import annotations

import json

from tests.importers.nested_shapes import chat, said
from tests.importers.shapes import (
    PLAIN,
    Q1,
    Q2,
    Q3,
    ROWS,
    STEM,
    WIDE,
    A,
    B,
    book,
    both,
    lines,
    one,
    table,
)

table(
    "title in the second column",
    f",Study 7\n,\nquestion,GPT-4o,Claude 3.5\n{PLAIN}",
    *both(),
    skip=2,
)
table(
    "title quoted, with commas, over wide",
    f'"Results, spring, final",,\nquestion,GPT-4o,Claude 3.5\n{PLAIN}',
    *both(),
    skip=1,
)
table(
    "providers above models",
    f"question,OpenAI,Anthropic\n,GPT-4o,Claude 3.5\n{PLAIN}",
    *both("OpenAI / GPT-4o", "Anthropic / Claude 3.5"),
)
table(
    "groups repeated in every cell",
    f"Meta,Meta,GPT-4o,GPT-4o,Claude 3.5,Claude 3.5\nid,question,answer,seconds,answer,seconds\n{WIDE}",
    *both(),
)
table(
    "one model grouped",
    "".join(
        [",,Alder,\nid,question,answer,seconds\n"]
        + [f"{r[0]},{r[1]},{r[2]},{r[3]}\n" for r in ROWS]
    ),
    *one("Alder"),
    more={(Q1, "Alder"): {"total_seconds": 1.5}},
)
table(
    "group row, long table below",
    f"Input,,Output,\nquestion,category,model,answer\n{Q1},geo,Alder,{A[0]}\n{Q2},physics,Alder,{A[1]}\n{Q1},geo,Birch,{B[2]}\n",
    (Q1, "Alder", A[0]),
    (Q2, "Alder", A[1]),
    (Q1, "Birch", B[2]),
    skip=1,
)
table(
    "rows numbered by letters, spreadsheet copy",
    ",A,B,C\n1,question,GPT-4o,Claude 3.5\n"
    + "".join(f"{i},{line}\n" for i, line in enumerate(PLAIN.strip().split("\n"), 2)),
    *both(),
    skip=1,
)
table(
    "markdown-like title with hash",
    f"# exported 2024-05-01, tool v2\n# rows: 3\nquestion,GPT-4o,Claude 3.5\n{PLAIN}",
    *both(),
    skip=2,
)
table(
    "Japanese two rows",
    "質問,モデルA,,モデルB,\n,回答,時間,回答,時間\nフランスの首都はどこですか。,パリです。,1,首都はパリです。,2\n空はなぜ青いのですか。,散乱のためです。,2,レイリー散乱です。,3\n",
    ("フランスの首都はどこですか。", "モデルA", "パリです。"),
    ("フランスの首都はどこですか。", "モデルB", "首都はパリです。"),
    ("空はなぜ青いのですか。", "モデルA", "散乱のためです。"),
    ("空はなぜ青いのですか。", "モデルB", "レイリー散乱です。"),
    encoding="shift_jis",
)
table(
    "header with one known word and short rows",
    "prompt,x,y\nhi,hello,hey\nbye,later,ciao\n",
    ("hi", "x", "hello"),
    ("hi", "y", "hey"),
    ("bye", "x", "later"),
    ("bye", "y", "ciao"),
)
table(
    "no header, short first row",
    f"1,{Q1},{A[0]},{A[1]}\n2,{Q2},{A[1]},{B[2]}\n3,{Q3},{A[2]},{B[1]}\n",
    (Q1, "model 1", A[0]),
    (Q1, "model 2", A[1]),
    (Q2, "model 1", A[1]),
    (Q2, "model 2", B[2]),
    (Q3, "model 1", A[2]),
    (Q3, "model 2", B[1]),
)
table(
    "first row is a question named question",
    "question,model,answer\nquestion,Alder,That is a word.\nanswer,Alder,That too.\n",
    ("question", "Alder", "That is a word."),
    ("answer", "Alder", "That too."),
)
table(
    "wide with criteria groups",
    "question,answers,,clarity,\n,Alder,Birch,Alder,Birch\n"
    + "".join(f'{r[1]},{r[2]},"{r[4]}",5,4\n' for r in ROWS),
    *both("Alder", "Birch"),
)
table(
    "German titles, cp1252",
    "Auswertung Frühjahr;;\nStand: 1. März;;\nFrage;GPT-4o;Claude 3.5\n"
    + PLAIN.replace('"It is Paris, France."', "It is Paris/France.")
    .replace(",", ";")
    .replace("Paris/France", "Paris, France"),
    *both(),
    encoding="cp1252",
    skip=2,
)
table(
    "empty lines with separators only above",
    f",,\n,,\nquestion,GPT-4o,Claude 3.5\n{PLAIN}",
    *both(),
    skip=2,
)
table(
    "a title as long as a question, ends with ?",
    f"Which model is better?\nquestion,GPT-4o,Claude 3.5\n{PLAIN}",
    *both(),
    skip=1,
)
book(
    "title merged, one header",
    [["All answers", "", ""], ["question", "GPT-4o", "Claude 3.5"]]
    + [[r[1], r[2], r[4]] for r in ROWS],
    ["A1:C1"],
    *both(),
    skip=1,
)
book(
    "numbers as models in a workbook",
    [["question", 1, 2]] + [[r[1], r[2], r[4]] for r in ROWS],
    [],
    *both("1", "2"),
)
book(
    "block merge over two rows and columns",
    [
        ["Task", "", "GPT-4o", "", "Claude 3.5", ""],
        ["", "", "answer", "seconds", "answer", "seconds"],
        *ROWS,
    ],
    ["A1:B2", "C1:D1", "E1:F1"],
    *both(),
)
lines(
    "messages as a JSON string",
    [{"messages": json.dumps(chat(q, A[n]))} for n, q in enumerate((Q1, Q2))],
    (Q1, STEM, A[0]),
    (Q2, STEM, A[1]),
)
lines(
    "chat and a separate reference",
    [{"messages": chat(q, A[n]), "ideal": B[n]} for n, q in enumerate((Q1, Q2, Q3))],
    *one(),
    more={(Q1,): {"references": (B[0],)}},
)
lines(
    "OpenAI evals sample: input as chat",
    [
        {"input": [said("system", "Short."), said("user", q)], "ideal": B[n], "output": A[n]}
        for n, q in enumerate((Q1, Q2, Q3))
    ],
    *one(),
    more={(Q1,): {"context": ("system: Short.",), "references": (B[0],)}},
)
lines(
    "same model answers twice",
    [
        {
            "question": q,
            "responses": [{"model": "Alder", "text": A[n]}, {"model": "Alder", "text": B[n]}],
        }
        for n, q in enumerate((Q1, Q2, Q3))
    ],
    *both("Alder", "Alder (2)"),
)
lines(
    "answers keyed by model, objects with scores",
    [
        {
            "question": q,
            "answers": {"Alder": {"text": A[n], "score": 3}, "Birch": {"text": B[n], "score": 4}},
        }
        for n, q in enumerate((Q1, Q2, Q3))
    ],
    *both("Alder", "Birch"),
)
lines(
    "chat answers for two models, one row each",
    [
        {"model": m, "messages": chat(q, t[n])}
        for m, t in (("Alder", A), ("Birch", B))
        for n, q in enumerate((Q1, Q2, Q3))
    ],
    *both("Alder", "Birch"),
)
lines(
    "chat with id per row for two models",
    [
        {"id": f"{m}-{n}", "model": m, "messages": chat(q, t[n])}
        for m, t in (("Alder", A), ("Birch", B))
        for n, q in enumerate((Q1, Q2, Q3))
    ],
    *both("Alder", "Birch"),
)
lines(
    "two assistant turns at the end",
    [
        {"messages": [*chat(q, "Let me see."), said("assistant", A[n])]}
        for n, q in enumerate((Q1, Q2))
    ],
    (Q1, STEM, A[0]),
    (Q2, STEM, A[1]),
    more={(Q1,): {"context": ("assistant: Let me see.",)}},
)
lines(
    "Gemini: contents with parts",
    [
        {
            "contents": [
                {"role": "user", "parts": [{"text": q}]},
                {"role": "model", "parts": [{"text": A[n]}]},
            ]
        }
        for n, q in enumerate((Q1, Q2))
    ],
    (Q1, STEM, A[0]),
    (Q2, STEM, A[1]),
)
lines(
    "Anthropic: system beside messages, reply with content",
    [
        {
            "system": "Be brief.",
            "messages": [said("user", q)],
            "response": {
                "id": "m",
                "model": "claude-3",
                "content": [{"type": "text", "text": A[n]}],
                "stop_reason": "end_turn",
            },
        }
        for n, q in enumerate((Q1, Q2))
    ],
    (Q1, "claude-3", A[0]),
    (Q2, "claude-3", A[1]),
)
lines("questions only, as chats", [{"messages": [said("user", q)]} for q in (Q1, Q2)])
lines(
    "nested question with nested responses and grades",
    [
        {
            "question": {"id": n, "content": q},
            "responses": [
                {"model": "Alder", "content": A[n], "rating": 5},
                {"model": "Birch", "content": B[n], "rating": 2},
            ],
        }
        for n, q in enumerate((Q1, Q2, Q3))
    ],
    *both("Alder", "Birch"),
)
lines(
    "responses empty in one row",
    [
        {"question": Q1, "responses": [A[0], B[0]]},
        {"question": Q2, "responses": []},
        {"question": Q3, "responses": [A[2], B[2]]},
    ],
    (Q1, "1", A[0]),
    (Q1, "2", B[0]),
    (Q3, "1", A[2]),
    (Q3, "2", B[2]),
)
lines(
    "a refusal as null content",
    [
        {"messages": [said("user", Q1), said("assistant", None, refusal="I can't.")]},
        {"messages": chat(Q2, A[1])},
    ],
    (Q2, STEM, A[1]),
    bad=1,
)
lines(
    "deep: data.conversation.messages",
    [{"data": {"messages": chat(q, A[n])}} for n, q in enumerate((Q1, Q2))],
    refused="role",
)
lines(
    "thinking part before the text",
    [
        {
            "messages": [
                said("user", q),
                said(
                    "assistant",
                    [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": A[n]}],
                ),
            ]
        }
        for n, q in enumerate((Q1, Q2))
    ],
    (Q1, STEM, "[thinking]\n" + A[0]),
    (Q2, STEM, "[thinking]\n" + A[1]),
)

# Ratings below names of people: the answers that they rate are missing, or stand beside them.
table(
    "people below models, numbers",
    f"Question,GPT-4o,,Claude 3.5,\n,Ann,Ben,Ann,Ben\n{Q1},4,5,3,4\n{Q2},1,2,3,3\n{Q3},2,2,5,4\n",
    refused="role answer",
)
table(
    "people below models, labels",
    f"Question,GPT-4o,,Claude 3.5,\n,Ann,Ben,Ann,Ben\n{Q1},good,good,poor,good\n{Q2},poor,good,good,good\n",
    refused="role answer",
)
table(
    "models below people, numbers",
    f"Question,Ann,,Ben,\n,GPT-4o,Claude 3.5,GPT-4o,Claude 3.5\n{Q1},4,5,3,4\n{Q2},1,2,3,3\n",
    refused="role answer",
)
table(
    "people below one model",
    f"Question,GPT-4o,,\n,Ann,Ben,Eva\n{Q1},4,5,3\n{Q2},1,2,3\n",
    refused="role answer",
)
table(
    "people's ratings right of each answer",
    "Question,GPT-4o,,,Claude 3.5,,\n,Answer,Ann,Ben,Answer,Ann,Ben\n"
    + "".join(f'{q},{A[n]},4,5,"{B[n]}",3,3\n' for n, q in enumerate((Q1, Q2, Q3))),
    *both(),
)
table(
    "numbers as answers below providers",
    "Question,OpenAI,,Anthropic\n,GPT-4o,GPT-4,Claude 3.5\nWhat is 2+2?,4,5,4\n",
    ("What is 2+2?", "OpenAI / GPT-4o", "4"),
    ("What is 2+2?", "OpenAI / GPT-4", "5"),
    ("What is 2+2?", "Anthropic / Claude 3.5", "4"),
)
