"""The lead's way in the browser: a file with odd columns and bad rows comes in, the graders run with a judge, screens wait."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.server import Server, serve
from tests.support.stub import provider_stub

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

TABLE = """Вопрос;Категория;Тип;Эталон;Кедр;Ольха;Рябина
Столица Франции?;география;фактический;Париж;Столица Франции — Париж.;Лион;Париж
Сколько ног у паука?;биология;фактический;восемь;У паука восемь ног, по четыре с каждой стороны.;Шесть;восемь
Придумай две строки о дожде.;стихи;творческий;;Дождь стучит в моё окно, и в саду уже темно.;Дождь — это вода.;Капли, крыши, тишина.
;география;фактический;Рим;Рим;Рим;Рим
Какой металл жидкий при комнатной температуре?;химия;загадка;ртуть;Ртуть.;Железо, если его нагреть.;ртуть
Сколько планет в Солнечной системе?;астрономия;фактический;восемь;Восемь планет.
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("lead")) as running:
        yield running


def test_a_file_comes_in_and_is_graded(page: Page, server: Server, tmp_path: Path) -> None:
    table = tmp_path / "ответы.csv"
    table.write_bytes(TABLE.encode("cp1251"))
    page.goto(server.url)
    page.set_input_files("input[type=file]", table)
    expect(page.get_by_role("heading", name="Is this how the file reads?")).to_be_visible()
    expect(page.get_by_label("Encoding")).to_have_value("cp1251")
    expect(page.get_by_label("Separator")).to_have_value(";")
    expect(page.get_by_label("Role of column Вопрос")).to_have_value("question")
    expect(page.get_by_label("Role of column Эталон")).to_have_value("reference")
    expect(page.get_by_label("Model of column Ольха")).to_have_value("Ольха")
    page.get_by_label("Role of column Рябина").select_option("ignore")
    expect(page.get_by_label("Role of column Рябина")).to_have_value("ignore")
    page.get_by_label("Role of column Рябина").select_option("answer")
    expect(page.get_by_label("Model of column Рябина")).to_have_value("Рябина")
    page.get_by_role("button", name="Read all rows").click()
    expect(page.get_by_role("heading", name="2 rows cannot come in; the others can.")).to_be_visible(timeout=30_000)
    rows = page.locator("section", has_text="Rows that stay out").locator("tbody tr")
    expect(rows).to_have_count(2)
    assert {rows.nth(i).locator("td").nth(1).inner_text() for i in range(2)} == {"5", "7"}
    with page.expect_download() as download:
        page.get_by_role("link", name="Download as CSV").click()
    assert "row" in Path(download.value.path()).read_text("utf-8-sig").splitlines()[0]
    page.get_by_role("button", name="Bring in").click()
    expect(page.get_by_role("heading", name="It is in: ответы.")).to_be_visible()
    page.get_by_label("Task type of химия").select_option("factual")
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_text("1 questions have a task type now.")).to_be_visible()
    page.get_by_role("link", name="Next: run the graders").click()
    with provider_stub(latency=0.02) as stub:
        page.get_by_label("Judges, as PROVIDER:MODEL").fill("openai:stub")
        page.get_by_text("Another address, or a key of your own").click()
        page.get_by_label("Address").fill(stub.base_url)
        page.get_by_label("Key of the provider").fill("sk-test")
        page.get_by_role("button", name="Show the plan").click()
        expect(page.locator("section.plan tbody tr")).to_have_count(2)
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_role("heading", name="The run is done")).to_be_visible(timeout=90_000)
        assert stub.stats()["keys"] == ["sk-test"]
        assert page.get_by_label("Key of the provider").input_value() == ""
    expect(page.locator("tr", has_text="openai:stub").first).to_contain_text("12 / 12")
    expect(page.get_by_role("link", name="Results").last).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="The run is done")).to_be_visible()


@pytest.mark.parametrize(
    "name, content, sentence",
    [
        ("empty.csv", b"", "found an empty file, expected questions and answers"),
        ("picture.csv", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8, "picture.csv"),
        ("letter.docx", b"PK\x03\x04 not a table", "letter.docx"),
        ("broken.json", b'{"a": [1, 2', "broken.json"),
    ],
)
def test_a_file_that_cannot_be_read_is_a_sentence(
    page: Page, server: Server, tmp_path: Path, name: str, content: bytes, sentence: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    page.goto(server.url)
    page.set_input_files("input[type=file]", path)
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text(sentence)
    assert "Traceback" not in alert.inner_text()
    expect(page.get_by_role("heading", level=1)).to_contain_text("wait")
