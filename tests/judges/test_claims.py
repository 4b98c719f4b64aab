"""What an answer claims: by sentence, and as a model splits it."""

import pytest

from graders.core.claims import split_claims, with_claims
from graders.core.records import Answer, Problem, Question, Reply, Subject
from graders.core.rubric import read_rubric
from graders.judges.asking.claims import read_claims, split_request


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Paris is big. It lies on the Seine.", ("Paris is big.", "It lies on the Seine.")),
        ("Dr. Ng was born in 1952. She lives.", ("Dr. Ng was born in 1952.", "She lives.")),
        ("Париж велик. Он стоит на Сене!", ("Париж велик.", "Он стоит на Сене!")),
        ("巴黎很大。它在塞纳河边。", ("巴黎很大。", "它在塞纳河边。")),
        ("パリは大きい。セーヌ川にある。", ("パリは大きい。", "セーヌ川にある。")),
        (
            "# Cities\n\nThree of them:\n1. Oslo is north.\n2) Rome is **south**.\n- Bonn",
            ("Oslo is north.", "Rome is south.", "Bonn"),
        ),
        ("Is it big? It is.", ("It is.",)),
        ("It is. It is.", ("It is.",)),
        ("Run this.\n```\nprint(1). exit().\n```\nIt prints 1.", ("Run this.", "It prints 1.")),
        (  # lines that an editor wrapped
            "The pool opens at eight on weekdays and\nat ten on Saturdays. It is closed in\nAugust. Children pay half.",
            (
                "The pool opens at eight on weekdays and at ten on Saturdays.",
                "It is closed in August.",
                "Children pay half.",
            ),
        ),
        (
            "- Бассейн открывается по будням в восемь,\n  а в субботу в десять.\n- В августе он закрыт",
            (
                "Бассейн открывается по будням в восемь, а в субботу в десять.",
                "В августе он закрыт",
            ),
        ),
        (  # and lines that are claims of their own
            "Regular exercise helps the heart a great deal\nGood sleep helps the memory\nflour\nsugar",
            (
                "Regular exercise helps the heart a great deal",
                "Good sleep helps the memory",
                "flour",
                "sugar",
            ),
        ),
        (
            "| a pool in the middle of the old town |\n| an oak |",
            ("| a pool in the middle of the old town |", "| an oak |"),
        ),
        ("Really?", ("Really?",)),  # nothing else is left
        ("...", ()),
        ("", ()),
    ],
)
def test_sentences_that_claim(text, claims):
    assert split_claims(text) == claims


def test_claims_are_the_parts_of_a_criterion():
    criterion = read_rubric(
        "rubric: r\ncriteria: {supported: {scale: ['no', 'yes'], parts: claims}}"
    ).criteria[0]
    subject = Subject(
        Question(id="q", text="?"), Answer(question_id="q", model="m", text="One. Two.")
    )
    assert criterion.parts_of(with_claims(subject).question) == ("One.", "Two.")
    given = Subject(
        subject.question,
        Answer(question_id="q", model="m", text="One. Two.", metadata={"claims": ["Only one."]}),
    )
    assert criterion.parts_of(with_claims(given).question) == ("Only one.",)
    assert criterion.parts_of(subject.question) == (), "a question alone claims nothing"


def test_a_model_splits_what_stands_between_codes():
    subject = Subject(
        Question(id="q", text="?"),
        Answer(question_id="q", model="m", text="Ada was born in London, in 1815."),
    )
    request = split_request(subject, "openai_chat", "m", "s")
    code = request.messages[1][1].partition("\n")[0]
    assert request.messages[1][1] == f"{code}\nAda was born in London, in 1815.\n{code}"
    said = '{"claims": ["Ada was born in London.", " Ada was  born in 1815. ", "Ada was born in London.", ""]}'
    assert read_claims(Reply(text=said)) == ("Ada was born in London.", "Ada was born in 1815.")


@pytest.mark.parametrize(
    "said",
    [
        "",
        "Two claims.",
        '{"claims": "one"}',
        '{"claims": [1]}',
        '["one"]',
        '{"claims": []} {"claims": []}',
    ],
)
def test_a_list_that_cannot_be_read_is_a_problem(said):
    found = read_claims(Reply(text=said))
    assert isinstance(found, Problem) and found.cause == "malformed"
