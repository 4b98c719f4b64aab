"""The demo's questions from q23 on: short texts in the four files of `written`, made into questions,
the answers of five models, and what a careful reader says of each answer.

A line that begins with ``?`` is a question of fact: ``category | text``, a reference (``=``), a
short right answer (``s``), what belongs to it (``m``), the short one in other words (``p``) and a
wrong one (``w``). A seeded draw says which model errs. A line with ``!`` asks for something
creative; below it stands the answer of each model behind its initial, how complete it is from 1 to
5, and what is wrong with it: its language (l), slips (m), structure (t), or that it does something
else than was asked (i). A slash ends a line of an answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graders.core.hashing import seeded

SEED = 2611
HERE = Path(__file__).parent / "written"
LANGUAGES = ("en", "ru", "zh", "ja")
MODELS = ("Cedar", "Alder", "Rowan", "Birch", "Elm")
#: The first question that is made here; those before it were written row by row.
FIRST = 23
#: How often a model errs on a question of fact.
ERRS = {"Cedar": 0.08, "Alder": 0.16, "Rowan": 0.2, "Birch": 0.1, "Elm": 0.55}
#: Seconds to the first token, seconds and price of a token, as on the questions before.
PACE = {
    "Cedar": (2.65, 0.0216, 9.5e-06),
    "Alder": (0.46, 0.0087, 1.2e-06),
    "Rowan": (1.13, 0.0163, 4.8e-06),
    "Birch": (1.81, 0.0189, 6.6e-06),
    "Elm": (0.82, 0.0109, 6.5e-07),
}
#: How Rowan begins and ends.
CHAT = {
    "en": (
        ("Good question!", "Oh, I like this one.", "Happy to help with that.", "Ah, a classic!"),
        ("Hope that helps!", "Just ask if you want to know more.", "Isn't that nice to know?"),
    ),
    "ru": (
        ("Отличный вопрос!", "О, это интересно.", "С удовольствием расскажу.", "Ну, слушайте."),
        ("Надеюсь, это помогло!", "Спрашивайте ещё.", "Правда, любопытно?"),
    ),
    "zh": (
        ("这个问题问得好！", "哈，我喜欢这个问题。", "很高兴能帮上忙。", "来，我说给您听。"),
        ("希望对您有帮助！", "还想知道什么，尽管问。", "是不是很有意思？"),
    ),
    "ja": (
        (
            "いい質問ですね！",
            "これは面白い話なんです。",
            "喜んでお答えします。",
            "よく聞かれる話です。",
        ),
        ("お役に立てばうれしいです！", "ほかにも何でも聞いてくださいね。", "面白いでしょう？"),
    ),
}
#: How Birch begins an answer that it is not sure of, and rightly so.
CAREFUL_WORDS = {
    "en": "As far as I can tell:",
    "ru": "Насколько мне известно:",
    "zh": "据我所知：",
    "ja": "私の知るかぎりでは、次のとおりです。",
}
#: What Cedar says after an answer that is wrong.
THOROUGH = {
    "en": "This is the usual explanation in schoolbooks.",
    "ru": "Так это обычно объясняют в учебниках.",
    "zh": "一般的教科书都是这样解释的。",
    "ja": "教科書でもふつうこのように説明されます。",
}
FLAWS = {
    "l": ("clarity", "language", 0.4),
    "m": ("clarity", "mistakes", 0.4),
    "t": ("clarity", "structure", 0.4),
    "i": ("relevance", "", "irrelevant"),
}

Row = dict[str, Any]
Key = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Written:
    """Rows of questions and answers, and a careful reader's value of each cell."""

    questions: list[Row]
    answers: list[Row]
    careful: dict[Key, Any]


def written() -> Written:
    """Everything that the four files say; question after question, the languages in turn."""
    found = Written([], [], {})
    blocks = {
        language: [
            block.splitlines()
            for block in (HERE / f"{language}.txt").read_text("utf-8").strip().split("\n\n")
        ]
        for language in LANGUAGES
    }
    for number, (language, lines) in enumerate(_in_turn(blocks), FIRST):
        _add(found, f"q{number}", language, lines)
    return found


def _in_turn(blocks: dict[str, list[list[str]]]) -> Iterator[tuple[str, list[str]]]:
    """Of each language one after the other, by chance within a language."""
    order = {
        language: sorted(some, key=lambda lines: seeded(SEED, "order", lines[0]))
        for language, some in blocks.items()
    }
    for place in range(max(map(len, order.values()))):
        for language in LANGUAGES:
            if place < len(order[language]):
                yield language, order[language][place]


def _add(found: Written, question: str, language: str, lines: list[str]) -> None:
    category, text = (part.strip() for part in lines[0][1:].split("|"))
    factual = lines[0][0] == "?"
    row: Row = {
        "id": question,
        "text": text,
        "category": category,
        "task_type": "factual" if factual else "creative",
        "language": language,
        "detail": "short",
    }
    parts = {line[0]: line[1:].strip() for line in lines[1:]}
    if factual:
        row["reference"] = [parts["="]]
    found.questions.append(row)
    for model, (answer, careful) in (
        _factual(question, language, parts) if factual else _creative(parts)
    ).items():
        found.answers.append(_answer(question, model, text, answer))
        values: dict[tuple[str, str], Any] = {
            ("relevance", ""): "relevant",
            ("completeness", ""): 5,
            **{("clarity", part): 1.0 for part in ("language", "mistakes", "structure")},
            **careful,
        }
        found.careful.update(((question, model, *cell), value) for cell, value in values.items())


def _factual(
    question: str, language: str, parts: dict[str, str]
) -> dict[str, tuple[str, dict[tuple[str, str], Any]]]:
    """Each model's answer to a question of fact, with what is not as it should be."""
    gap = "" if language in ("zh", "ja") else " "
    begins, ends = CHAT[language]
    begin = begins[int(seeded(SEED, "begin", question) * len(begins))]
    end = ends[int(seeded(SEED, "end", question) * len(ends))]
    s, m, p, w = (parts[name] for name in "smpw")
    right = {
        "Cedar": (f"**{s}**\n\n{m}", 5),
        "Alder": (s, 3),
        "Rowan": (gap.join((begin, p, m, end)), 5),
        "Birch": (gap.join((p, m)), 5),
        "Elm": (p, 3),
    }
    wrong = {
        "Cedar": gap.join((w, THOROUGH[language])),
        "Alder": w,
        "Rowan": gap.join((begin, w, end)),
        "Birch": gap.join((CAREFUL_WORDS[language], w)),
        "Elm": w,
    }
    made: dict[str, tuple[str, dict[tuple[str, str], Any]]] = {}
    for model in MODELS:
        errs = seeded(SEED, "errs", question, model) < ERRS[model]
        # no two models give the same text
        errs = errs and not (model == "Elm" and made["Alder"][0] == w)
        text, complete = (wrong[model], 1) if errs else right[model]
        flaws: dict[tuple[str, str], Any] = {("completeness", ""): complete}
        if model == "Rowan":
            flaws["clarity", "structure"] = 0.7
        made[model] = text, flaws
    return made


def _creative(parts: dict[str, str]) -> dict[str, tuple[str, dict[tuple[str, str], Any]]]:
    made: dict[str, tuple[str, dict[tuple[str, str], Any]]] = {}
    for model in MODELS:
        marks, text = parts[model[0]].split(" ", 1)
        flaws: dict[tuple[str, str], Any] = {("completeness", ""): int(marks[0])}
        for mark in marks[1:]:
            criterion, part, value = FLAWS[mark]
            flaws[criterion, part] = value
        made[model] = "\n".join(line.strip() for line in text.split("/")), flaws
    return made


def _answer(question: str, model: str, asked: str, text: str) -> Row:
    """The row of an answer; seconds, tokens and cost are invented by the model's pace."""
    first, each, price = PACE[model]
    signs = 1.3 if max(text) > "\u3000" else 2.4 if max(text) > "\u0400" else 3.9
    tokens = max(3, round(len(text) / signs))
    begun = round(first * (0.6 + 0.8 * seeded(SEED, "first", question, model)), 2)
    return {
        "question_id": question,
        "model": model,
        "version": 1,
        "text": text,
        "time_to_first_token": begun,
        "total_seconds": round(begun + 0.02 + each * tokens, 2),
        "input_tokens": 12 + round(len(asked) / signs),
        "output_tokens": tokens,
        "cost": round(price * tokens + price * 5, 7),
        "finish_reason": "stop",
    }


def lines_of(rows: list[Row]) -> str:
    """Rows as the lines of a file."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
