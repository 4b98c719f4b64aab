"""The lead's way in the browser: a file with odd columns and bad rows comes in, the graders run
with a judge, screens wait."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.app import serve
from tests.browser.tabs import choose
from tests.support.server import Server
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
#: The last look at the file takes long: rows are read as they were chosen last, however quickly the
#: button is pressed.
SLOW_LOOK = """
const real = window.fetch;
let looks = 0;
window.fetch = async (url, ...rest) => {
  const late = String(rest[0]?.body).includes('"column":') && ++looks === 2;
  const reply = await real(url, ...rest);
  if (late) await new Promise((done) => setTimeout(done, 800));
  return reply;
};
"""


@pytest.fixture(scope="module")
def server(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("lead"), demo) as running:
        yield running


def done(request: Request) -> list[str]:
    """What a request to the server does for a button of the page."""
    sent = request.post_data_json if "/gradio_api/run/" in request.url else None
    return [did] if sent and (did := (sent.get("event_data") or {}).get("do")) else []


def test_a_file_comes_in_and_is_graded(own_page: Page, server: Server, tmp_path: Path) -> None:
    table = tmp_path / "ответы.csv"
    table.write_bytes(TABLE.encode("cp1251"))
    page = own_page
    page.add_init_script(SLOW_LOOK)
    posted: list[str] = []
    page.on("request", lambda request: posted.extend(done(request)))
    page.goto(server.url)
    page.set_input_files("input[type=file]", table)
    expect(page.get_by_role("heading", name="Check the column mapping")).to_be_visible()
    expect(page.get_by_label("Encoding")).to_have_value("cp1251")
    expect(page.get_by_label("Separator")).to_have_value("semicolon")
    expect(page.get_by_label("Role of column Вопрос")).to_have_value("question")
    expect(page.get_by_label("Role of column Эталон")).to_have_value("reference")
    expect(page.get_by_label("Model of column Ольха")).to_have_value("Ольха")
    page.get_by_label("Role of column Рябина").select_option("ignore")
    expect(page.get_by_label("Model of column Рябина")).to_have_count(0)
    page.get_by_label("Role of column Рябина").select_option("answer")
    page.get_by_role("button", name="Read all rows").dblclick()
    expect(
        page.get_by_role("heading", name="2 rows cannot come in; the others can.")
    ).to_be_visible(timeout=30_000)
    rows = page.locator("section", has_text="Rows that stay out").locator("tbody tr")
    expect(rows).to_have_count(2)
    assert {rows.nth(i).locator("td").nth(1).inner_text() for i in range(2)} == {"5", "7"}
    with page.expect_download() as download:
        page.get_by_role("link", name="Download as CSV").click()
    assert "row" in Path(download.value.path()).read_text("utf-8-sig").splitlines()[0]
    page.get_by_role("button", name=re.compile(r"^Import \d")).dblclick()
    expect(page.get_by_role("heading", name="Imported: ответы.")).to_be_visible()
    # of two presses the second does nothing
    assert [posted.count(step) for step in ("read", "finish")] == [
        1,
        1,
    ]
    # The head goes over to it without a reload: the picker, the links to all pages, the count of
    # screens that wait (none yet).
    expect(page.get_by_label("Project", exact=True)).to_have_value("ответы")
    links = page.get_by_role("navigation", name="Pages").get_by_role("link")
    expect(links.first).to_be_visible()
    assert {
        parse_qs(urlsplit(link.get_attribute("href") or "").query)["project"][0]
        for link in links.all()
    } == {"ответы"}
    expect(links.filter(has_text="Review").locator("i")).to_be_hidden()
    types = page.get_by_role("region", name="Task types")
    expect(types.locator("tbody tr")).to_have_count(1)  # of the other categories the file says it
    page.get_by_label("Task type of химия").select_option("creative")
    expect(page.get_by_text("Saved: химия is creative; 1 question changed.")).to_be_visible()
    page.get_by_role("link", name="Next: run the graders").click()
    # A wrong choice is found again and corrected, beside what the file's own column says.
    expect(types.locator("tbody tr")).to_have_count(4)
    expect(types.locator("tr", has_text="стихи")).to_contain_text(
        "1 creative by the file's own column"
    )
    expect(page.get_by_label("Task type of химия")).to_have_value("creative")
    page.get_by_label("Task type of химия").select_option("factual")
    expect(page.get_by_text("Saved: химия is factual; 1 question changed.")).to_be_visible()
    with provider_stub(latency=0.02) as stub:
        judges = page.get_by_label("Judges, as PROVIDER:MODEL")
        judges.fill("openai:stub")
        judges.press("Enter")
        judges.press("Escape")
        page.get_by_text("Another address, or a key of your own").click()
        page.get_by_label("Address").fill(stub.base_url)
        page.get_by_label("Key of the provider").fill("sk-test")
        page.get_by_label("Key of the provider").press("Tab")
        expect(page.get_by_role("row", name="openai:stub").first).to_be_visible()
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_role("heading", name="The run is done")).to_be_visible(timeout=90_000)
        assert stub.stats()["keys"] == ["sk-test"]
        assert page.get_by_label("Key of the provider").input_value() == ""
    expect(page.locator("tr", has_text="openai:stub").first).to_contain_text("9 / 9")
    expect(page.get_by_role("link", name="Results").last).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="The run is done")).to_be_visible()


FACTS = {
    "Какой город является столицей Франции?": "Столица Франции — город Париж на берегу Сены.",
    "Сколько ног у паука?": "У паука восемь ног, в отличие от насекомых, у которых их шесть.",
    "При какой температуре кипит вода?": "Вода кипит при ста градусах Цельсия.",
    "Кто написал «Войну и мир»?": "Роман «Война и мир» написал Лев Толстой.",
    "Из чего пчёлы делают мёд?": "Пчёлы делают мёд из нектара цветов.",
    "Какая планета самая большая?": "Самая большая планета Солнечной системы — Юпитер.",
}


def drop(page: Page, *files: tuple[str, str]) -> None:
    """Drop files on the card, as the browser hands them over."""
    make = """files => {
        const brought = new DataTransfer();
        for (const [name, text] of files) brought.items.add(new File([text], name, { type: "text/csv" }));
        return brought;
    }"""
    brought = page.evaluate_handle(make, [list(file) for file in files])
    for event in ("dragover", "drop"):
        page.dispatch_event(".drop", event, {"dataTransfer": brought})


def test_a_dropped_file_comes_in_and_slipped_rows_are_pointed_out(
    page: Page, server: Server
) -> None:
    asked, said = list(FACTS), list(FACTS.values())
    said = [*said[1:], said[0]]  # each answer is one row too high
    table = "вопрос,Кедр\n" + "".join(f'"{q}","{a}"\n' for q, a in zip(asked, said, strict=True))
    page.goto(server.url)
    expect(page.get_by_role("button", name="Choose a file")).to_be_visible()
    drop(page, ("one.csv", table), ("two.csv", table))
    expect(page.get_by_role("alert")).to_have_text("Please bring in one file at a time.")
    drop(page, ("вопросы.csv", table))
    expect(page.get_by_role("heading", name="Check the column mapping")).to_be_visible()
    expect(
        page.get_by_text("вопросы.csv, read as csv, 6 rows. Nothing is written yet.")
    ).to_be_visible()
    page.get_by_role("button", name="Read all rows").click()
    expect(page.get_by_role("heading", name="All rows can come in")).to_be_visible(timeout=60_000)
    expect(page.get_by_role("region", name="Rubrics")).to_contain_text(
        "The rubric answer-quality is added to the project: relevance"
    )
    slipped = page.locator(
        "section", has=page.get_by_role("heading", name="Possible misaligned rows")
    )
    expect(slipped.get_by_role("listitem")).to_have_count(6)
    expect(slipped.get_by_role("listitem").first).to_have_text(
        f"The answers to {asked[0]} look like answers to {asked[1]}."
    )
    page.get_by_role("button", name="Discard import").click()
    expect(page.get_by_role("button", name="Choose a file")).to_be_visible()
    assert page.request.get(f"{server.url}/api/frame?project=вопросы").json()["project"] == "", (
        "its project and rubric went with it"
    )


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
    expect(page.get_by_role("heading", level=1)).to_contain_text("Your projects")


def wide_table(models: int) -> str:
    head = ",".join(["question", *(f"m{n}" for n in range(models))])
    rows = [
        ",".join([f"What is {row} and {row}?", *(f"answer {n} to {row}" for n in range(models))])
        for row in range(12)
    ]
    return "\n".join([head, *rows])


def test_every_column_of_a_wide_table_can_be_changed_and_a_reload_loses_nothing_written(
    page: Page, server: Server, tmp_path: Path
) -> None:
    table = tmp_path / "wide.csv"
    table.write_text(wide_table(45), "utf-8")
    page.goto(server.url)
    page.set_input_files("input[type=file]", table)
    expect(page.get_by_text("page 1 of 3")).to_be_visible()  # 46 columns, 20 at once
    page.reload()
    expect(page.get_by_role("heading", name="Check the column mapping")).to_be_visible()
    page.get_by_role("link", name="Next", exact=True).click()
    expect(page.get_by_text("page 2 of 3")).to_be_visible()
    page.get_by_role("link", name="Next", exact=True).click()
    role = page.get_by_label("Role of column m44")
    role.focus()
    page.keyboard.type("ignore")
    expect(page.get_by_label("Model of column m44")).to_have_count(0)
    expect(role).to_be_focused()
    choose(page, "Layout", "a row per answer")
    expect(page.get_by_label("Layout")).to_have_value("a row per answer")
    choose(page, "Layout", "a column per model")
    expect(page.get_by_label("Layout")).to_have_value("a column per model")
    page.get_by_role("button", name="Read all rows").click()
    # 12 x 44
    expect(
        page.get_by_role("heading", name="All rows can come in: 12 questions, 528 answers")
    ).to_be_visible(timeout=60_000)
    page.reload()
    expect(page.get_by_role("heading", name="All rows can come in")).to_be_visible()
    report = page.url
    page.goto(server.url)
    waiting = page.get_by_role("region", name="Import to finish: wide.csv")
    expect(waiting).to_contain_text("its rows are not used yet")
    expect(page.locator("section.proj", has_text="wide")).to_have_count(0)
    waiting.get_by_role("link", name="Go on").click()
    expect(page.get_by_role("heading", name="All rows can come in")).to_be_visible()
    page.goto(server.url)
    waiting.get_by_role("button", name="Discard import").click()
    expect(waiting).to_have_count(0)
    page.goto(report)
    expect(page.get_by_role("alert")).to_be_visible()


def test_names_and_cells_of_a_hostile_file_stay_text(
    page: Page, server: Server, tmp_path: Path
) -> None:
    payload = "<img src=x onerror=window.hit=1>"
    table = tmp_path / f"{payload}.csv"
    table.write_text(
        f"question,{payload},${{window.hit=1}}\n{payload}?,{payload},=1+1\n,{payload},b\n", "utf-8"
    )
    page.goto(server.url)
    page.set_input_files("input[type=file]", table)
    header = page.get_by_label("Header", exact=True)
    choose(page, "Header", "one row")  # three short rows do not tell
    page.get_by_label("Role of column question").select_option("question")
    page.get_by_label(f"Role of column {payload}").select_option("answer")
    expect(page.get_by_label(f"Role of column {payload}")).to_have_value("answer")
    page.get_by_label("Role of column ${window.hit=1}").select_option("answer")
    expect(page.get_by_label("Role of column ${window.hit=1}")).to_have_value("answer")
    page.get_by_role("button", name="Read all rows").click()
    expect(page.get_by_role("heading", name="1 row cannot come in; the others can.")).to_be_visible(
        timeout=30_000
    )
    page.get_by_role("button", name=re.compile(r"^Import \d")).click()
    expect(page.get_by_role("heading", name="Imported")).to_be_visible()
    page.get_by_role("link", name="All projects").click()
    expect(page.get_by_role("button", name="Choose a file")).to_be_visible()
    assert page.evaluate("window.hit") is None
    assert page.locator("img[src=x]").count() == 0
    uploads = [path for path in (server.folder / "data" / "uploads").rglob("*") if path.is_file()]
    assert not any(sign in path.name for path in uploads for sign in "<>=")
    # whose fields have names of their own, and no row of headers
    fields = tmp_path / "fields.jsonl"
    fields.write_text(json.dumps({"question": payload, "model": "m", "answer": payload}), "utf-8")
    page.set_input_files("input[type=file]", fields)
    expect(page.get_by_label("Role of column answer")).to_have_value("answer")
    expect(header).to_have_count(0)
    page.get_by_role("button", name="Read all rows").click()
    expect(page.get_by_text("0 records unchanged")).to_be_visible(timeout=30_000)


def test_a_run_is_paused_and_stopped_by_keys_while_the_page_looks_again_and_again(
    page: Page, server: Server
) -> None:
    page.goto(f"{server.url}/run?project=autumn-study")
    # rules and metrics of the demo
    expect(page.get_by_role("heading", name="The run is done")).to_be_visible(timeout=60_000)
    expect(page.locator(".top .notice")).to_contain_text("written for the demo")
    with provider_stub(latency=1.0) as stub:
        judges = page.get_by_label("Judges, as PROVIDER:MODEL")
        judges.fill("openai:stub")
        judges.press("Enter")
        judges.press("Escape")
        page.get_by_label("Max concurrent requests").fill("2")
        page.get_by_label("Call limit").fill("1000")
        page.get_by_text("Another address, or a key of your own").click()
        page.get_by_label("Address").fill(stub.base_url)
        page.get_by_label("Key of the provider").fill("sk-test")
        page.keyboard.press("Tab")
        expect(page.locator(".k-plan").first).to_contain_text(stub.base_url)
        page.get_by_role("button", name="Start").click()
        agreed = page.locator(
            "section", has=page.get_by_role("heading", name="The plan you agreed to")
        )
        expect(agreed).to_contain_text("1,000 calls")  # the hard limit
        expect(page.get_by_role("heading", name="Plan a run")).to_be_hidden()
        expect(page.get_by_role("heading", name="Judging")).to_be_visible(timeout=60_000)
        pause = page.get_by_role("button", name="Pause")
        pause.focus()
        seen = page.get_by_role("heading", level=1).inner_text()
        page.wait_for_function(
            "was => document.querySelector('h1').textContent !== was", arg=seen, timeout=20_000
        )
        expect(pause).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Paused")).to_be_visible(timeout=20_000)
        key = page.get_by_label("Key of the provider").first
        key.fill("half a k")
        page.wait_for_timeout(2_500)  # as long as two looks take at a run that is at work
        assert key.input_value() == "half a k"
        key.fill("sk-test")
        page.keyboard.press("Enter")
        # a worker starts
        expect(page.get_by_role("heading", name="Judging")).to_be_visible(timeout=60_000)
        page.get_by_role("button", name="Stop, keep everything").click()
        expect(page.get_by_role("heading", name="The run was stopped")).to_be_visible(
            timeout=20_000
        )
        assert stub.stats()["keys"] == ["sk-test"]
    expect(page.get_by_role("heading", name="Plan a run")).to_be_visible()


def test_a_rubric_is_looked_at_and_changed(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/run?project=autumn-study")
    rubric = page.get_by_role("region", name="Rubric answer-quality")
    expect(rubric.get_by_role("listitem").first).to_contain_text("one of irrelevant, relevant")
    rubric.get_by_text("Change its text").click()
    source = rubric.get_by_label("Text of the rubric answer-quality")
    text = source.input_value()
    source.fill("rubric: [")
    rubric.get_by_role("button", name="Keep the rubric").click()
    expect(rubric.get_by_role("alert")).to_contain_text("rubric answer-quality")
    source.fill(
        text.replace("Does the answer do what the question asks?", "Does it do what was asked?")
    )
    rubric.get_by_role("button", name="Keep the rubric").click()
    expect(rubric.get_by_role("listitem").first).to_contain_text("Does it do what was asked?")
