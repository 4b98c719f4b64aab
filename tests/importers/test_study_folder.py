"""Studies as folders and zips: the ways an index is written, what is wrong with files, and the
whole way into a project."""

from __future__ import annotations

import json
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from graders.core.contracts import Look, Placed
from graders.core.errors import InputError
from graders.core.records import Answer, BadRow, Question
from graders.importers.study_folder import StudyFolder
from graders.store.answers import content
from graders.workflows.importing import look as importing_look
from graders.workflows.importing import stage as importing_stage
from graders.workflows.projects import task_types
from graders.workflows.scope.permissions import Scope
from tests.store import small

Files = dict[str, str | bytes]
ANSWERS: Files = {
    "q01/gpt.txt": "A sum.\n",
    "q01/llama3.1.txt": "\ufeffTwo.\r\nLines.\r\n",
    "q02/gpt.md": "A poem.",
    "q02/llama3.1.txt": "Verse.",
}
INDEX = "folder,question,category,type,reference\nq01,What is 1+1?,maths,factual,2\nq02,Write a poem,art,creative,\n"


def laid(folder: Path, files: Files) -> Path:
    """The files in a folder."""
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def packed(path: Path, files: Files, around: str = "") -> Path:
    """The files in a zip."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(around + name, text)
    return path


def read(path: Path) -> tuple[list[Question], list[Answer], list[BadRow]]:
    """Questions, answers and bad rows of a study."""
    assert StudyFolder().fits(path) >= 12
    found = list(StudyFolder().read(path, StudyFolder().look(path)))
    records = [item.record for item in found if isinstance(item, Placed)]
    bad = [item for item in found if isinstance(item, BadRow)]
    return (
        [r for r in records if isinstance(r, Question)],
        [r for r in records if isinstance(r, Answer)],
        bad,
    )


@pytest.mark.parametrize(
    ("name", "index"),
    [
        ("index.csv", INDEX),
        ("index.csv", INDEX.replace(",", ";")),
        ("index.csv", INDEX.encode("utf-16")),
        ("questions.tsv", INDEX.replace(",", "\t")),
        (
            "whatever.csv",
            "Папка,Вопрос,Категория,Тип,Эталон\nQ01,What is 1+1?,maths,фактический,2\n./q02/,Write a poem,art,творческий,\n",
        ),
        (
            "index.csv",
            "№,question,category,type,reference\n1,What is 1+1?,maths,factual,2\n2,Write a poem,art,creative,\n",
        ),
        (
            "index.csv",
            "question,category,type,reference\nWhat is 1+1?,maths,factual,2\nWrite a poem,art,creative,\n",
        ),
        (
            "index.json",
            '[{"folder": "q01", "question": "What is 1+1?", "category": "maths", "type": "factual", "reference": ["2"]}, '
            '{"folder": "q02", "question": "Write a poem", "category": "art", "type": "creative"}]',
        ),
        (
            "index.json",
            '{"q01": {"question": "What is 1+1?", "category": "maths", "type": "factual", "reference": "2"}, '
            '"q02": {"question": "Write a poem", "category": "art", "type": "creative"}}',
        ),
        (
            "questions.jsonl",
            '{"folder": "q01", "question": "What is 1+1?", "category": "maths", "type": "factual", "reference": "2"}\n'
            '{"folder": "q02", "question": "Write a poem", "category": "art", "type": "creative"}\n',
        ),
        (
            "index.yaml",
            "- folder: q01\n  question: What is 1+1?\n  category: maths\n  type: factual\n  reference: [2]\n"
            "- {folder: 02, question: Write a poem, category: art, type: creative, reference: null}\n",
        ),
        (
            "index.yml",
            "q01: {question: What is 1+1?, category: maths, type: factual, reference: 2}\nq02:\n  question: Write a poem\n  category: art\n  type: creative\n",
        ),
    ],
)
@pytest.mark.parametrize("kind", ["folder", "zip"])
def test_an_index_may_be_written_in_many_ways(
    tmp_path: Path, name: str, index: str | bytes, kind: str
) -> None:
    files = {**ANSWERS, name: index}
    path = (
        laid(tmp_path / "study", files)
        if kind == "folder"
        else packed(tmp_path / "study.zip", files, "study/")
    )
    questions, answers, bad = read(path)
    assert bad == []
    assert [(q.text, q.category, q.task_type, q.references) for q in questions] == [
        ("What is 1+1?", "maths", "factual", ("2",)),
        ("Write a poem", "art", "creative", ()),
    ]
    ids = [q.id for q in questions]
    assert ids in (["q01", "q02"], ["1", "2"])  # the index's own ids, else the folders' names
    assert [(a.question_id, a.model, a.text) for a in answers] == [
        (ids[0], "gpt", "A sum."),
        (ids[0], "llama3.1", "Two.\nLines."),
        (ids[1], "gpt", "A poem."),
        (ids[1], "llama3.1", "Verse."),
    ]
    assert answers[0].metadata == {"file": "q01/gpt.txt"}


def test_folders_may_state_their_questions_themselves(tmp_path: Path) -> None:
    files: Files = {
        "maths/q1/question.txt": "What is 1+1?\n",
        "maths/q1/reference.txt": "2",
        "maths/q1/reference-2.txt": "two",
        "maths/q1/gpt.txt": "Two.",
        "art/q2/question.yaml": "question: Write a poem\ntype: creative\nmust_have: [rhyme, a moon]\n",
        "art/q2/gpt.txt": "Moon, soon.",
    }
    questions, answers, bad = read(laid(tmp_path / "study", files))
    assert bad == []
    assert [
        (q.id, q.text, q.category, q.task_type, q.references, q.must_have) for q in questions
    ] == [
        ("art/q2", "Write a poem", "art", "creative", (), ("rhyme", "a moon")),
        ("maths/q1", "What is 1+1?", "maths", "unknown", ("2", "two"), ()),
    ]
    assert [(a.question_id, a.text) for a in answers] == [
        ("art/q2", "Moon, soon."),
        ("maths/q1", "Two."),
    ]


def test_an_index_and_files_fill_each_other_in(tmp_path: Path) -> None:
    files = {
        **ANSWERS,
        "index.csv": "folder,question,category\nq01,,maths\n",
        "q01/question.txt": "What is 1+1?",
        "q02/question.md": "Write a poem",
    }
    questions, answers, bad = read(laid(tmp_path / "study", files))
    assert [(q.id, q.text, q.category) for q in questions] == [
        ("q01", "What is 1+1?", "maths"),
        ("q02", "Write a poem", ""),
    ]
    assert (len(answers), bad) == (4, [])


def test_figures_come_from_a_table_at_the_top(tmp_path: Path) -> None:
    table = (
        "folder;model;time to first token, ms;total time;output tokens;cost;finish reason;temperature\n"
        + (
            "q01;gpt;1250;4,5;1 200;0.01;stop;0.7\nq2;gpt;;;;;length;\nq01;nobody;1;;;;;\nq01;llama3.1;fast;;;;;\nq01;gpt;1;;;;;\n"
        )
    )
    _, answers, bad = read(
        laid(tmp_path / "study", {**ANSWERS, "index.csv": INDEX, "answers.csv": table})
    )
    one = next(a for a in answers if (a.question_id, a.model) == ("q01", "gpt"))
    assert (
        one.time_to_first_token,
        one.total_seconds,
        one.output_tokens,
        one.cost,
        one.finish_reason,
    ) == (1.25, 4.5, 1200, 0.01, "stop")
    assert one.metadata == {"file": "q01/gpt.txt", "temperature": "0.7"}
    assert (
        next(a for a in answers if (a.question_id, a.model) == ("q02", "gpt")).finish_reason
        == "length"
    )
    assert [(b.file, b.row, b.column, b.found) for b in bad] == [
        ("answers.csv", 4, "model", "'nobody'"),
        ("answers.csv", 5, "time to first token, ms", "'fast'"),
        ("answers.csv", 6, "", "the figures of 'gpt' again"),
    ]


def test_bad_files_are_listed_and_cost_nothing_beside_them(tmp_path: Path) -> None:
    files = {
        **ANSWERS,
        "index.csv": INDEX + "q09,Where is it?,,,\nq01,Asked again?,,,\n",
        "q01/empty.txt": " \n",
        "q01/picture.txt": b"\x89PNG\r\n\x1a\n" + bytes(50),
        "q01/nul.txt": "The first line.\nThe sec\0nd line.",
        "q01/report.docx": b"PK",
        "q01/gpt.md": "Once more.",
        "q03/gpt.txt": "To what?",
        "notes.xlsx": b"PK",
        "loose.txt": "x",
        "README.md": "About the study.",
        ".DS_Store": "x",
        "q01/~$gpt.txt": "x",
    }
    questions, answers, bad = read(laid(tmp_path / "study", files))
    assert [q.id for q in questions] == ["q01", "q02", "q09"]
    assert len(answers) == 4
    told = {b.file: (b.row, b.found) for b in bad if b.file != "index.csv"}
    assert told == {
        "loose.txt": (1, "a file outside the folders of questions"),
        "notes.xlsx": (1, "a further table"),
        "q01/gpt.txt": (1, "a second answer of 'gpt'"),  # gpt.md came first, by name
        "q01/report.docx": (1, "a file of the type .docx"),
        "q01/empty.txt": (1, "an empty file"),
        "q01/nul.txt": (2, "a NUL character"),
        "q01/picture.txt": (1, "a PNG picture"),
        "q03/": (1, "a folder that no row of index.csv names"),
    }
    assert [(b.row, b.column, b.found) for b in bad if b.file == "index.csv"] == [
        (4, "folder", "no folder 'q09'"),
        (5, "folder", "the folder 'q01' again, first in row 2"),
    ]
    assert all(b.found and b.expected and b.remedy for b in bad)
    assert (
        next(a for a in answers if (a.question_id, a.model) == ("q01", "gpt")).text == "Once more."
    )


def test_answers_in_other_encodings(tmp_path: Path) -> None:
    text = "Это ответ модели на вопрос о сумме чисел."
    files: Files = {
        "q/question.txt": "Сколько?",
        "q/a.txt": text.encode("cp1251"),
        "q/b.txt": text.encode("utf-16"),
    }
    _, answers, bad = read(laid(tmp_path / "study", files))
    assert ([a.text for a in answers], bad) == ([text, text], [])


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            {"q01/gpt.txt": "x", "q02/gpt.txt": "y"},
            "study: found folders (q01, q02) without an index, expected a folder per question",
        ),
        ({**ANSWERS, "index.yaml": "- a: [1\n"}, "index.yaml, line 2: found"),
        (
            {**ANSWERS, "index.yaml": "- &a {folder: q01}\n- *a\n"},
            "found a reference to another place (*)",
        ),
        ({**ANSWERS, "index.json": "no JSON"}, "index.json: found"),
        (
            {**ANSWERS, "index.csv": b"\x89PNG\r\n\x1a\n" + bytes(50)},
            "index.csv: found a PNG picture",
        ),
        ({**ANSWERS, "index.yaml": "[" * 5000}, "index.yaml: found YAML that is nested too deeply"),
    ],
)
def test_what_cannot_be_read_at_all_is_one_sentence(
    tmp_path: Path, files: Files, said: str
) -> None:
    path = laid(tmp_path / "study", files)
    assert StudyFolder().fits(path) > 1
    with pytest.raises(InputError) as error:
        list(StudyFolder().read(path, StudyFolder().look(path)))
    assert said in str(error.value)


def test_other_folders_are_left_to_others(tmp_path: Path) -> None:
    exchange = laid(
        tmp_path / "one",
        {
            "questions.jsonl": '{"id": "q", "text": "One?"}',
            "answers.jsonl": "",
            "rubrics/a.yaml": "x",
        },
    )
    cases = laid(tmp_path / "two", {"translation/a.txt": "Say hi\n=== separator ===\nhi"})
    flat = laid(tmp_path / "three", {"index.csv": INDEX})
    assert [StudyFolder().fits(path) for path in (exchange, flat, tmp_path / "nothing")] == [
        0,
        0,
        0,
    ]
    assert StudyFolder().fits(cases) == 2  # less than what TXT cases say


def test_roles_may_be_changed_before_the_import(tmp_path: Path) -> None:
    path = laid(
        tmp_path / "study",
        {**ANSWERS, "index.csv": "folder,question,owner\nq01,What?,Ann\nq02,Why?,Bo\n"},
    )
    look = StudyFolder().look(path)
    assert {c.header: c.role for c in look.columns} == {
        "folder": "metadata",
        "question": "question",
        "owner": "metadata",
        "name of the folder": "question_id",
    }
    assert look.notes == ("2 questions, 4 answers of 2 models: gpt, llama3.1.",)
    (path / "q01" / "gpt.txt").write_text(" \n", "utf-8")
    assert StudyFolder().look(path).notes == (
        "2 questions, 3 answers of 2 models: gpt, llama3.1.",
        "1 of 4 files of answers is blank.",
    )
    (path / "q01" / "gpt.txt").write_text("Yes.", "utf-8")
    changed = replace(
        look,
        columns=tuple(
            replace(c, role="category") if c.header == "owner" else c for c in look.columns
        ),
    )
    found = [
        item.record
        for item in StudyFolder().read(path, StudyFolder().look(path, changed))
        if isinstance(item, Placed)
    ]
    assert [r.category for r in found if isinstance(r, Question)] == ["Ann", "Bo"]


def test_links_that_lead_out_are_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("hush", "utf-8")
    path = laid(tmp_path / "study", {**ANSWERS, "index.csv": INDEX})
    (path / "q01" / "linked.txt").symlink_to(secret)
    (path / "q03").symlink_to(tmp_path)
    _, answers, bad = read(path)
    assert len(answers) == 4 and [(b.file, b.found) for b in bad] == [
        ("q01/linked.txt", "a link"),
        ("q03", "a link"),
    ]


def test_a_whole_study_comes_into_a_project_and_again_without_change(
    scope: Scope, tmp_path: Path
) -> None:
    models, count = [f"model-{n:02d}" for n in range(18)], 30
    files: Files = {
        f"q{n:02d}/{model}.txt": f"Answer of {model} to {n}."
        for n in range(count)
        for model in models
    }
    rows = [
        {
            "folder": f"q{n:02d}",
            "question": f"What is number {n}?",
            "category": f"c{n % 10}",
            "type": "factual",
        }
        for n in range(count)
    ]
    path = packed(tmp_path / "study.zip", {**files, "index.json": json.dumps(rows)})
    started = time.perf_counter()
    assert importing_look.look_at(scope, path)[0] == "study_folder"
    report = importing_stage.stage(scope, "study", path)
    importing_stage.finish(scope, report.import_id)
    assert (report.questions, report.answers, report.bad) == (30, 540, 0)
    counts = content.counts(scope.ws, scope.project("study"))
    assert (counts.answers, counts.models, len(task_types.categories(scope, "study"))) == (
        540,
        18,
        10,
    )
    again = importing_stage.stage(scope, "study", path)
    assert (again.answers, again.unchanged) == (0, 570)
    assert time.perf_counter() - started < 60


@pytest.fixture
def scope(tmp_path: Path) -> Scope:
    return small.scope_of(small.workspace(tmp_path))


def test_a_look_that_names_an_encoding_holds_for_all_files(tmp_path: Path) -> None:
    path = laid(
        tmp_path / "study",
        {"q/question.txt": "Да?".encode("cp866"), "q/a.txt": "Нет".encode("cp866")},
    )
    look = StudyFolder().look(path, Look(encoding="cp866"))
    found = [item.record for item in StudyFolder().read(path, look) if isinstance(item, Placed)]
    assert [r.text for r in found if isinstance(r, Question | Answer)] == ["Да?", "Нет"]
