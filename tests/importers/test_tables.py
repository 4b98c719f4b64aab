"""Twenty tables as people make them: what each column is, guessed without a hint."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from graders.core.contracts import Importer, Placed
from graders.core.discovery import load_all
from graders.core.records import Answer, BadRow, Question
from graders.importers.csv import Csv

TABLES = Path(__file__).parent / "tables"

#: file: layout, separator or sheet, encoding, questions, answers, and a role per column
#: (``role:model`` in wide tables)
EXPECTED = {
    "01_en_wide.csv": (
        *("wide", ",", "utf-8", 7, 21),
        "question_id category question answer:GPT-4o answer:Claude_3.5 answer:Llama_3_70B reference",
    ),
    "02_en_long.csv": (
        "long",
        ",",
        "utf-8",
        7,
        21,
        "question_id question model answer total_seconds output_tokens cost",
    ),
    "03_en_long.tsv": (
        "long",
        "\t",
        "utf-8",
        7,
        14,
        "question_id question model answer time_to_first_token finish_reason metadata",
    ),
    "04_en_wide_no_header.csv": (
        "wide",
        ",",
        "utf-8",
        7,
        14,
        "question_id question answer:model_1 answer:model_2",
    ),
    "05_en_wide_unknown_names.csv": (
        *("wide", ";", "utf-8", 7, 21),
        "question answer:Alder answer:Birch answer:Cedar metadata metadata metadata",
    ),
    "06_ru_wide.csv": (
        *("wide", ";", "cp1251", 6, 12),
        "question_id category question reference answer:GigaChat answer:YandexGPT metadata",
    ),
    "07_ru_long_decimal_commas.csv": (
        *("long", ";", "utf-8-sig", 6, 18),
        "question task_type model answer total_seconds output_tokens cost",
    ),
    "08_ru_wide_no_header.tsv": (
        "wide",
        "\t",
        "utf-8",
        9,
        27,
        "category question answer:model_1 answer:model_2 answer:model_3",
    ),
    "09_ru_long_merged.xlsx": (
        "long",
        "Данные",
        "",
        6,
        18,
        "ignore question_id question category model answer",
    ),
    "10_zh_wide.csv": (
        "wide",
        ",",
        "gb18030",
        6,
        12,
        "question_id category question reference answer:文心一言 answer:通义千问 metadata",
    ),
    "11_zh_long.csv": (
        "long",
        "\t",
        "utf-16",
        6,
        18,
        "question task_type model answer total_seconds",
    ),
    "12_zh_wide.xlsx": (
        *("wide", "评测数据", "", 6, 18),
        "ignore question_id question reference answer:模型甲 answer:模型乙 answer:模型丙 metadata",
    ),
    "13_ja_wide.csv": (
        "wide",
        ",",
        "shift_jis",
        6,
        12,
        "question_id category question answer:モデルA answer:モデルB reference",
    ),
    "14_ja_long.csv": (
        "long",
        ",",
        "utf-8",
        6,
        18,
        "question_id question language model answer total_seconds metadata",
    ),
    "15_ja_long_no_header.csv": ("long", ",", "utf-8", 6, 18, "question model answer"),
    "16_en_long.xlsx": (
        *("long", "Answers", "", 7, 14),
        "question_id question task_type model answer total_seconds input_tokens output_tokens metadata",
    ),
    "17_en_wide.json": (
        "wide",
        "",
        "utf-8",
        7,
        21,
        "question_id question category reference answer:aspen answer:birch answer:cedar",
    ),
    "18_zh_long.jsonl": (
        "long",
        "",
        "utf-8",
        6,
        12,
        "question model answer metadata total_seconds language",
    ),
    "19_en_wide_figures.txt": (
        *("wide", "|", "utf-8", 7, 14),
        "question answer:Model_A total_seconds:Model_A output_tokens:Model_A answer:Model_B total_seconds:Model_B output_tokens:Model_B",
    ),
    "20_en_one_model.csv": (
        "long",
        ",",
        "utf-8",
        7,
        7,
        "question context answer reference metadata",
    ),
}


def importer_for(path: Path) -> Importer:
    """The importer that says it fits best, as a use case chooses it."""
    parts, failures = load_all("importers")
    assert failures == []
    return max((part() for part in parts.values()), key=lambda part: part.fits(path))


@pytest.mark.parametrize("name", EXPECTED)
def test_a_table_is_understood_without_touching(name: str) -> None:
    layout, place, encoding, questions, answers, roles = EXPECTED[name]
    path = TABLES / name
    importer = importer_for(path)
    look = importer.look(path)
    found = " ".join(
        c.role + (f":{c.model.replace(' ', '_')}" if c.model else "") for c in look.columns
    )
    assert (look.layout, look.separator or look.sheet, look.encoding, found) == (
        layout,
        place,
        encoding,
        roles,
    )
    records = [
        item.record if isinstance(item, Placed) else item for item in importer.read(path, look)
    ]
    assert [r for r in records if isinstance(r, BadRow)] == []
    assert sum(isinstance(r, Question) for r in records) == questions
    assert sum(isinstance(r, Answer) for r in records) == answers


def test_there_are_twenty_tables() -> None:
    assert sorted(path.name for path in TABLES.iterdir()) == sorted(EXPECTED)
    assert len(EXPECTED) == 20


def read(name: str) -> tuple[dict[str, Question], list[Answer]]:
    path = TABLES / name
    importer = importer_for(path)
    records = [
        item.record for item in importer.read(path, importer.look(path)) if isinstance(item, Placed)
    ]
    return {q.text: q for q in records if isinstance(q, Question)}, [
        a for a in records if isinstance(a, Answer)
    ]


def test_decimal_commas_are_numbers() -> None:
    lines = (TABLES / "07_ru_long_decimal_commas.csv").read_text("utf-8-sig").splitlines()
    first = lines[1].split(";")
    assert "," in first[4] and "," in first[6]
    _, answers = read("07_ru_long_decimal_commas.csv")
    assert (answers[0].total_seconds, answers[0].cost) == (
        float(first[4].replace(",", ".")),
        float(first[6].replace(",", ".")),
    )
    assert answers[0].output_tokens == int(first[5])


def test_milliseconds_become_seconds() -> None:
    cell = (TABLES / "03_en_long.tsv").read_text("utf-8").splitlines()[1].split("\t")[4]
    _, answers = read("03_en_long.tsv")
    assert answers[0].time_to_first_token == pytest.approx(int(cell) / 1000)


def test_task_types_are_known_in_four_languages() -> None:
    russian, _ = read("07_ru_long_decimal_commas.csv")
    chinese, _ = read("11_zh_long.csv")
    english, _ = read("16_en_long.xlsx")
    assert russian["Придумай слоган для кофейни у вокзала."].task_type == "creative"
    assert russian["Какая река самая длинная в Европе?"].task_type == "factual"
    assert chinese["请为一家书店写一句广告语。"].task_type == "creative"
    assert english["How many minutes are there in a week?"].task_type == "factual"


def test_further_columns_are_kept() -> None:
    questions, _ = read("05_en_wide_unknown_names.csv")
    first = questions["What is the capital of Australia?"]
    assert set(first.metadata) == {"Reviewer", "Date", "Department"}
    _, answers = read("14_ja_long.csv")
    assert all(answer.metadata["評価者"] in ("佐藤", "鈴木") for answer in answers)


def test_line_breaks_and_quotes_inside_cells_survive() -> None:
    _, answers = read("01_en_wide.csv")
    texts = [answer.text for answer in answers]
    assert "Grey drops knock softly on the pane,\nthe leaves let go and drink the rain." in texts
    assert 'The wall came down in 1991, "overnight", as people said.' in texts


def test_a_merged_cell_counts_for_all_its_rows() -> None:
    questions, answers = read("09_ru_long_merged.xlsx")
    assert questions["Почему лёд плавает в воде?"].category == "наука"
    assert sum(a.question_id == questions["Почему лёд плавает в воде?"].id for a in answers) == 3


def test_a_language_is_two_letters() -> None:
    assert {q.language for q in read("14_ja_long.csv")[0].values()} == {"ja"}
    assert {q.language for q in read("18_zh_long.jsonl")[0].values()} == {"zh"}


def test_without_a_model_column_the_file_names_the_model() -> None:
    path = TABLES / "20_en_one_model.csv"
    _, answers = read(path.name)
    assert {answer.model for answer in answers} == {"20_en_one_model"}
    assert any("'20_en_one_model'" in note for note in Csv().look(path).notes)


def test_what_a_person_chooses_is_obeyed() -> None:
    path = TABLES / "05_en_wide_unknown_names.csv"
    look = Csv().look(path)
    columns = tuple(
        replace(c, role="reference", model="") if c.header == "Cedar" else c for c in look.columns
    )
    chosen = Csv().look(path, replace(look, columns=columns))
    assert chosen.columns == columns
    records = [item.record for item in Csv().read(path, chosen) if isinstance(item, Placed)]
    first = next(r for r in records if isinstance(r, Question))
    assert first.references == ("Sydney, the largest city of the country, is its capital.",)
    assert {r.model for r in records if isinstance(r, Answer)} == {"Alder", "Birch"}


def test_no_header_can_be_chosen() -> None:
    path = TABLES / "02_en_long.csv"
    look = Csv().look(path)
    without = Csv().look(path, replace(look, has_header=False))
    assert without.columns[0].header == "column 1"
    assert without.first_rows[0][1] == "question"
