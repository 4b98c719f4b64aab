"""`cograde import`: the first rows under their roles, every guess changed on the command line,
nothing made for a wrong path."""

from __future__ import annotations

import csv
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import xlsxwriter

from graders.core.contracts import Column, Look
from graders.core.errors import InputError
from graders.workflows.importing.look_choices import with_columns
from tests.commands.runner import Done, Line

THREE = "note;Frage;one;two\nx;Why?;Because.;So.\ny;How?;Thus.;\x1b[31mred\x07\nz;Who?;[bold]me[/bold];You.\nw;When?;Now.;Then.\n"


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")


def written(folder: Path, text: str, name: str = "rows.csv") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def answers(cograde: Line, folder: Path) -> set[tuple[str, str, str]]:
    """(question, model, answer) of all that came in."""
    target = folder / "out.csv"
    done = cograde("export", "--format", "csv", "--output", target)
    assert done.code == 0, done.err
    return {
        (row["question"], row["model"], row["answer"])
        for row in csv.DictReader(target.open(encoding="utf-8-sig", newline=""))
    }


def brought(done: Done) -> Done:
    assert done.code == 0, done.err
    return done


def test_three_rows_stand_under_their_roles_and_steer_no_terminal(
    cograde: Line, lines: None, tmp_path: Path
) -> None:
    said = brought(cograde("import", written(tmp_path, THREE))).err
    shown = said.splitlines()
    assert any(
        all(head in line for head in ("1 note", "2 Frage", "3 one", "4 two")) for line in shown
    )
    assert any(
        all(role in line for role in ("question", "answer: one", "answer: two")) for line in shown
    )
    assert [word in said for word in ("Why?", "How?", "Who?", "When?")] == [True, True, True, False]
    assert "[bold]me[/bold]" in said
    assert "\x1b" not in said and "\x07" not in said
    assert {len(line) <= 80 for line in shown if line[:1] in "┏┃┡│└"} == {True}


def test_a_table_wider_than_the_terminal_is_cut(cograde: Line, lines: None, tmp_path: Path) -> None:
    head = ",".join(["junk", "question", *(f"model{n}" for n in range(40))])
    rows = [
        ",".join(
            [
                str(i),
                f"What is {i}?",
                *(f"a long answer number {n} to question {i}" for n in range(40)),
            ]
        )
        for i in range(5)
    ]
    said = brought(
        cograde("import", written(tmp_path, "\n".join([head, *rows])), "--column", "junk=ignore")
    ).err
    rest = " ".join(said.split())  # (80 - 1) / (12 + 3) = 5 of 42 are shown, 20 of the others named
    assert "and 1 junk (ignore), 7 model4 (answer: model4), 8 " in rest and ", and 17 more" in rest
    assert "junk" not in said[: said.index("and 1 junk")], "columns with a role come first"
    assert "…" in said


@pytest.mark.parametrize(
    "words",
    [
        (
            "--column",
            "Frage=question",
            "--column",
            "one=answer:Ash",
            "--column",
            "two=ignore",
            "--column",
            "note=ignore",
        ),
        (
            "--column",
            "2=question",
            "--column",
            "3=answer:Ash",
            "--column",
            "4=ignore",
            "--column",
            "NOTE=ignore",
        ),
    ],
)
def test_columns_are_named_by_header_or_number(
    cograde: Line, tmp_path: Path, words: tuple[str, ...]
) -> None:
    brought(cograde("import", written(tmp_path, THREE), *words))
    expected = {
        ("Why?", "Ash", "Because."),
        ("How?", "Ash", "Thus."),
        ("Who?", "Ash", "[bold]me[/bold]"),
        ("When?", "Ash", "Now."),
    }
    assert answers(cograde, tmp_path) == expected


def test_a_layout_that_was_not_guessed(cograde: Line, tmp_path: Path) -> None:
    text = "bot,said,question\nAsh,Paris.,Capital of France?\nOak,Lyon.,Capital of France?\n"
    path = written(tmp_path, text)
    words = (
        "--layout",
        "long",
        "--column",
        "bot=model",
        "--column",
        "said=answer",
        "--column",
        "question=question",
    )
    brought(cograde("import", path, *words))
    assert answers(cograde, tmp_path) == {
        ("Capital of France?", "Ash", "Paris."),
        ("Capital of France?", "Oak", "Lyon."),
    }


@pytest.mark.parametrize("separator", ["tab", "\\t", "\t"])
def test_no_header_and_a_tab(cograde: Line, tmp_path: Path, separator: str) -> None:
    path = written(tmp_path, "question\tAsh\nWhy, then?\tBecause.\n", "rows.txt")
    brought(
        cograde(
            "import",
            path,
            "--no-header",
            "--separator",
            separator,
            "--column",
            "1=question",
            "--column",
            "2=answer:Ash",
        )
    )
    assert answers(cograde, tmp_path) == {
        ("question", "Ash", "Ash"),
        ("Why, then?", "Ash", "Because."),
    }


def test_a_chosen_separator_leaves_the_header_to_be_guessed(cograde: Line, tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "What is one and one?\tIt is two.\nWhat is two and two?\tIt is four, I think.\n",
        "rows.tsv",
    )
    columns = ("--column", "1=question", "--column", "2=answer:Ash")
    assert "no header row" in brought(cograde("import", path, "--separator", "tab", *columns)).err
    assert (
        "a header row."
        in brought(cograde("import", path, "--header", "--project", "other", *columns)).err
    )


def test_what_has_no_first_row_is_said_to_have_no_header(cograde: Line, tmp_path: Path) -> None:
    row = '{"question": "Why?", "model": "m", "answer": "So."}\n'
    assert (
        "Reading as json, encoding utf-8, a row per answer."
        in brought(cograde("import", written(tmp_path, row, "rows.jsonl"))).err
    )


def test_a_sheet_by_name(cograde: Line, tmp_path: Path) -> None:
    path = tmp_path / "book.xlsx"
    with xlsxwriter.Workbook(path) as book:
        for name, rows in {
            "First": [("question", "Ash"), ("Why?", "Because.")],
            "Second": [("question", "Oak"), ("How?", "So.")],
        }.items():
            sheet = book.add_worksheet(name)
            for place, row in enumerate(rows):
                sheet.write_row(place, 0, row)
    brought(cograde("import", path, "--sheet", "Second"))
    assert answers(cograde, tmp_path) == {("How?", "Oak", "So.")}
    refused = cograde("import", path, "--sheet", "Third")
    assert (
        refused.code,
        "found no sheet 'Third', expected one of the sheets First, Second" in refused.err,
    ) == (1, True)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ("--column", "Fragen=question"),
            "found no column 'Fragen', expected a number from 1 to 4, or one of 'note', 'Frage', 'one', 'two'.",
        ),
        (("--column", "9=question"), "found no column '9', expected a number from 1 to 4"),
        (
            ("--column", "Frage=asked"),
            "found 'Frage=asked', expected NAME=ROLE, where ROLE is one of ignore, question",
        ),
        (
            ("--column", "Frage=question:Ash"),
            "or NAME=ROLE:MODEL with one of the roles answer, verdict, time_to_first_token, total_seconds",
        ),
        (
            ("--column", "note=question", "--column", "1=ignore"),
            "option --column: found a second role for column 1, '1=ignore', expected one role for each column",
        ),
        (("--layout", "tall"), "option --layout: found 'tall', expected one of wide, long."),
        (("--separator", "ab"), "option --separator: found 'ab', expected one character"),
    ],
)
def test_a_choice_that_does_not_fit_is_a_sentence_and_makes_nothing(
    cograde: Line, tmp_path: Path, words: tuple[str, ...], sentence: str
) -> None:
    done = cograde("import", written(tmp_path, THREE), *words)
    # what only this file does not have, and what no file has
    assert done.code == (1 if "no column" in sentence else 2)
    assert sentence in done.err
    assert not cograde.workspace.exists()


#: Two models that nobody knows, with their figures; the third row has no question.
FIGURES = """вопрос;Альфа;Бета;Альфа время;Бета секунд ожидания;Тета токены;оценка
Почему небо синее?;Свет рассеивается в воздухе.;Оно отражает море.;1,5;2,25;30;4
Как глубоко море?;В среднем около четырёх километров.;Очень глубоко.;0,5;3,5;31;3
;Гёте, в течение всей жизни.;Кажется, Шиллер.;1,0;2,0;29;5
"""


def test_figures_of_a_wide_table_find_their_model_or_get_it_by_hand(
    cograde: Line, tmp_path: Path
) -> None:
    path = written(tmp_path, FIGURES)
    words = (
        "--column",
        "бета секунд ожидания=total_seconds:Бета",
        "--column",
        "Тета токены=output_tokens:Альфа",
        "--yes",
    )
    assert "kept as metadata" not in brought(cograde("import", path, *words)).err
    with closing(sqlite3.connect(cograde.workspace)) as db:
        rows = db.execute(
            "SELECT model, total_seconds, output_tokens FROM answer ORDER BY id"
        ).fetchall()
    assert rows == [
        ("Альфа", 1.5, 30),
        ("Бета", 2.25, None),
        ("Альфа", 0.5, 31),
        ("Бета", 3.5, None),
    ]
    kept = "'Тета токены': kept as metadata, because no model of the table is named ('Альфа', 'Бета'); "
    assert (
        kept + "the role output_tokens with a model imports it."
        in cograde("import", path, "--project", "other").err
    )


def test_a_refused_column_names_its_option_and_the_bad_rows_are_written_all_the_same(
    cograde: Line, tmp_path: Path
) -> None:
    path, target = written(tmp_path, FIGURES), tmp_path / "mend.csv"
    done = cograde("import", path, "--column", "оценка=verdict", "--bad-rows", target)
    assert (done.code, cograde.workspace.exists()) == (1, False)
    assert (
        "found verdicts in 'оценка' on answers of no stated model, expected one of the models Альфа, Бета."
        in done.err
    )
    assert (
        "--column оценка=verdict:Альфа on the command line" in done.err
        and "may hold what people think" not in done.err.split("┘")[-1]
    )
    assert "1 bad row; it is in" in done.err
    assert [
        row["row"] for row in csv.DictReader(target.open(encoding="utf-8-sig", newline=""))
    ] == ["4"]
    done = cograde("import", path, "--column", "оценка=total_seconds")
    assert (
        "rows.csv: found total_seconds in 'оценка' on answers of no stated model, expected one of the models"
        in done.err
    )


def test_what_is_said_of_the_columns_is_true_of_those_that_were_chosen(
    cograde: Line, tmp_path: Path
) -> None:
    path = written(tmp_path, FIGURES)
    assert "'оценка' may hold" in cograde("import", path).err
    for role in ("verdict:Бета", "ignore", "metadata"):
        assert (
            "may hold what people think"
            not in cograde("import", path, "--column", f"оценка={role}").err
        ), role
    assert "No column names the model" not in cograde("import", path, "--layout", "long").err
    said = cograde("import", path, "--column", "Альфа=answer:Омега").err  # its figures go with it
    assert "named ('Омега', 'Бета')" in said and "'Альфа время'" not in said
    # whose figures they are is nobody's now
    assert "'Альфа время'" in cograde("import", path, "--column", "Альфа=ignore").err


def test_a_wrong_path_makes_no_workspace(cograde: Line, tmp_path: Path) -> None:
    done = cograde("import", tmp_path / "typo.csv")
    assert (done.code, "typo.csv: found no such file" in done.err) == (1, True)
    assert list(tmp_path.iterdir()) == []


def test_columns_of_a_format_that_has_none(cograde: Line, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    written(tmp_path / "folder", '{"id": "q1", "text": "Why?"}\n', "questions.jsonl")
    done = cograde("import", tmp_path / "folder", "--column", "id=question")
    assert "option --column: found a file of the layout exchange, expected a table" in done.err


def test_names_and_models_may_hold_the_signs_of_the_option() -> None:
    look = Look(
        layout="wide",
        columns=(
            Column(index=0, header="a=b"),
            Column(index=1, header="x:y"),
            Column(index=2, header="x:y"),
        ),
    )
    changed = with_columns(look, ["a=b=answer:gpt=4:large", "2=question"])
    assert [(c.role, c.model) for c in changed.columns] == [
        ("answer", "gpt=4:large"),
        ("question", ""),
        ("ignore", ""),
    ]
    with pytest.raises(
        InputError, match="2 columns called 'x:y', expected the number of one: 2, 3"
    ):
        with_columns(look, ["x:y=ignore"])


def test_the_help_has_an_example_of_each_option(cograde: Line) -> None:
    from graders.commands._shell import run
    from graders.core.settings import Settings

    cograde.capture.readouterr()
    assert run(["import", "--help"], Settings(), lambda settings: None) == 0
    shown = cograde.capture.readouterr().out
    examples = " ".join(line for line in shown.splitlines() if "Example:" in line)
    for option in (
        "--project",
        "--rubric",
        "--column",
        "--layout",
        "--no-header",
        "--header",
        "--sheet",
        "--separator",
        "--encoding",
        "--yes",
    ):
        assert option in examples, option
    assert "(the file's own" in shown


TITLED = (
    "Study 7, second round,\nkept by Kim,,\n,Ash,Elm\nFrage,Antwort,Antwort\n"
    "What is one and one?,It is two.,Two of them.\nWhat is two?,It is two.,A number.\n"
)


def test_rows_above_a_header_of_two_are_skipped_as_the_look_says(
    cograde: Line, tmp_path: Path
) -> None:
    path = written(tmp_path, TITLED)
    done = brought(cograde("import", path, "--yes"))
    assert "a header of 2 rows, skipping 2 rows above the header." in done.err
    assert "2 rows above the table were skipped, first of them 'Study 7, second round'." in done.err
    assert answers(cograde, tmp_path) == {
        ("What is one and one?", "Ash", "It is two."),
        ("What is one and one?", "Elm", "Two of them."),
        ("What is two?", "Ash", "It is two."),
        ("What is two?", "Elm", "A number."),
    }


def test_the_guess_of_where_a_table_begins_can_be_changed(cograde: Line, tmp_path: Path) -> None:
    path = written(tmp_path, TITLED)
    columns = ("--column", "2=answer:A", "--column", "3=answer:B")
    done = brought(cograde("import", path, "--skip-rows", 3, "--header-rows", 1, *columns))
    assert "a header row, skipping 3 rows above the header." in done.err
    assert {model for _, model, _ in answers(cograde, tmp_path)} == {"A", "B"}
    done = brought(
        cograde("import", path, "--skip-rows", 4, "--header-rows", 0, "--project", "p", *columns)
    )
    assert "no header row, skipping 4 rows above the first." in done.err
    assert "p: 2 questions, 4 answers" in done.out
    far = cograde("import", path, "--skip-rows", 60)
    assert (far.code, far.err.strip()) == (
        1,
        "rows above the header: found none up to row 6, expected a filled row below the 60 "
        "skipped. Skip fewer rows: --skip-rows N, or on the page Rows above the header.",
    )


def test_rows_that_have_names_of_their_own_have_none_above(cograde: Line, tmp_path: Path) -> None:
    path = written(tmp_path, '{"question": "Why?", "model": "m", "answer": "So."}\n', "a.jsonl")
    done = cograde("import", path, "--skip-rows", 1)
    assert done.code == 1
    assert "option --skip-rows: found a.jsonl, whose columns have names of their own" in done.err


def test_chats_come_in_with_their_turns_as_context(cograde: Line, tmp_path: Path) -> None:
    turns = [("system", "Be brief."), ("user", "Hi"), ("assistant", "Hello."), ("user", "Why?")]
    chat = [{"role": role, "content": text} for role, text in turns]
    whole = {"messages": [*chat, {"role": "assistant", "content": "So."}]}
    path = written(
        tmp_path, f"{json.dumps(whole)}\n{json.dumps({'messages': chat})}\n", "chat.jsonl"
    )
    done = cograde("import", path, "--yes")
    assert done.code == 0
    assert "chat.jsonl, row 2, messages / answer: found an empty answer" in done.err
    assert answers(cograde, tmp_path) == {("Why?", "chat", "So.")}
    alone = written(tmp_path, json.dumps({"messages": ["Hi", "Hello."]}), "list.jsonl")
    refused = cograde("import", alone, "--yes")
    assert refused.code == 1
    assert "messages have a role and a content" in refused.err
