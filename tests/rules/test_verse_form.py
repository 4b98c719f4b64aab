"""Verse: what is asked, what is counted, what rhymes by its spelling."""

from __future__ import annotations

import pytest

from graders.rules.forms.rhyme import rhymes
from graders.rules.forms.syllables import (
    english_syllables,
    han_characters,
    morae,
    russian_syllables,
)
from graders.rules.forms.verse import candidates
from graders.rules.forms.verse_asked import VerseAsked, verse_asked
from graders.rules.verse_form import VerseForm
from tests.rules.cases_table import CRITERION, subject

QUATRAIN = (
    "The moon is bright above the town,\nthe river carries starlight down,\nthe old man puts his "
    "book away\nand waits in silence for the day."
)


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Write a poem of eight lines about tea.", VerseAsked(lines=8)),
        ("Write a 12-line poem.", VerseAsked(lines=12)),
        ("Write a poem in 3 stanzas of four lines each.", VerseAsked(stanzas=3, each=4)),
        (
            "Write a sonnet with the rhyme scheme ABAB CDCD EFEF GG.",
            VerseAsked(lines=14, scheme="ABABCDCDEFEFGG"),
        ),
        ("Write a poem of at least eight lines.", VerseAsked()),
        ("Write a poem with less than 10 lines.", VerseAsked()),
        ("Write a poem of 8 to 10 lines.", VerseAsked()),
        ("Write an essay about the sonnet.", VerseAsked()),
        ("How do I write a haiku?", VerseAsked()),
        ("Write three haikus.", VerseAsked(pattern=(5, 7, 5))),
        ("Write a haiku, strictly 5-7-5.", VerseAsked(pattern=(5, 7, 5), strict=True)),
        ("Write a poem with 8 syllables per line.", VerseAsked(units=8)),
        ("Сочини стихотворение из двенадцати строк.", VerseAsked(lines=12)),
        ("Напиши четверостишие с кольцевой рифмой.", VerseAsked(lines=4, scheme="ABBA")),
        ("Сочини стих, в каждой строке по 8 слогов.", VerseAsked(units=8)),
        ("写一首七言律诗", VerseAsked(lines=8, characters=7)),
        ("写一首诗，每句五字，共八句", VerseAsked(lines=None, characters=5)),
        ("短歌を作ってください。", VerseAsked(pattern=(5, 7, 5, 7, 7))),
    ],
)
def test_what_is_asked(question: str, asked: VerseAsked) -> None:
    assert verse_asked(question) == asked


def test_required_elements_count_like_the_question() -> None:
    one = subject(
        "Something for my garden's birthday, please.",
        QUATRAIN,
        q={"must_have": ("a poem of eight lines", "roses")},
    )
    mark = VerseForm().grade(one, CRITERION)
    assert (mark.value, mark.rationale) == ("No", "8 lines asked for, 4 counted.")


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("An old silent pond", 5),  # an-old-si-lent-pond
        ("A frog jumps into the pond", 7),
        ("Shall I compare thee to a summer's day", 10),
        ("He kindly stopped for me", 6),  # -ed is silent
        ("The little table", 5),
        ("42 cats", None),
    ],
)
def test_english_syllables(line: str, count: int | None) -> None:
    assert english_syllables(line) == count


def test_units_of_the_other_languages() -> None:
    assert russian_syllables("Мой дядя самых честных правил") == 9  # о я я а ы е ы а и
    assert russian_syllables("ABBA поёт") is None
    assert morae("きょうとっきゅう") == 6  # きょ う と っ きゅ う
    assert morae("古池や") is None
    assert han_characters("床前明月光，") == 5


@pytest.mark.parametrize(
    ("first", "second", "language", "held"),
    [
        ("night", "kite", "en", True),
        ("above", "love", "en", True),
        ("town", "door", "en", False),
        ("home", "bread", "en", False),
        ("snow", "now", "en", None),
        ("time", "fine", "en", None),
        ("love", "move", "en", None),
        ("шумит", "летит", "ru", True),
        ("виденье", "мгновенье", "ru", True),
        ("любовь", "кровь", "ru", True),
        ("снег", "век", "ru", True),
        ("твоего", "моего", "ru", True),
        ("рекой", "лодку", "ru", False),
        ("свечу", "газету", "ru", False),
        ("гений", "мгновенье", "ru", None),
        ("дождь", "рожь", "ru", None),
        ("春天", "今天", "zh", None),
    ],
)
def test_rhymes(first: str, second: str, language: str, held: bool | None) -> None:
    assert rhymes(f"a line that ends in {first},", f"and {second}!", language) is held
    assert rhymes(second, first, language) is held


@pytest.mark.parametrize(
    "answer",
    [
        QUATRAIN,
        f"**Night**\n\n{QUATRAIN}",
        f"# Night\n{QUATRAIN}\n\nI hope you like it!",
        f"Here is your poem:\n\n{QUATRAIN}",
        "> " + QUATRAIN.replace("\n", "\n> "),
        QUATRAIN.replace("\n", "  \n"),
        QUATRAIN.replace("\n", "\n\n"),
        QUATRAIN.replace("\n", " / "),
        f"```\n{QUATRAIN}\n```",
    ],
)
def test_the_same_poem_in_other_dress(answer: str) -> None:
    assert any(
        [line for stanza in reading for line in stanza] == QUATRAIN.split("\n")
        for reading in candidates(answer)
    )
    mark = VerseForm().grade(subject("Write a poem of four lines, AABB.", answer), CRITERION)
    assert (mark.value, mark.rationale) == (
        "Yes",
        "4 lines asked for, 4 counted. AABB asked for; the lines rhyme so.",
    )


def test_what_is_not_sure_is_left_open() -> None:
    # 4 syllables for 5: an English count by spelling may be one off
    mark = VerseForm().grade(
        subject(
            "Write a haiku.",
            "Autumn moonlight\nThe wind takes them one by one\nA bench stays empty",
        ),
        CRITERION,
    )
    assert (mark.reason, mark.rationale) == (
        "not_countable",
        "5-7-5 syllables asked for, 4-7-5 counted.",
    )
    assert (
        VerseForm()
        .grade(
            subject("Write a haiku.", "Rain falls on the roof of the old house. " * 9), CRITERION
        )
        .reason
        == "not_countable"
    )


def test_the_evidence_is_the_line_that_breaks_the_form() -> None:
    answer = QUATRAIN.replace(
        "the river carries starlight down", "the dogs are barking at the door"
    )
    mark = VerseForm().grade(subject("Write a poem of four lines rhyming AABB.", answer), CRITERION)
    (evidence,) = mark.evidence
    assert (mark.value, mark.rationale) == ("No", "AABB asked for; 'town' and 'door' do not rhyme.")
    assert (
        evidence.quote
        == "the dogs are barking at the door,"
        == answer[evidence.start : evidence.end]
    )


@pytest.mark.parametrize(
    ("ends", "value"),
    [
        (("flute", "salute", "play", "day", "brute"), "Yes"),
        # spelling does not tell: nothing is broken
        (
            ("beard", "feared", "hen", "wren", "beard"),
            None,
        ),
        (("Peru", "apple", "fright", "day", "good"), "No"),
    ],
)
def test_a_limerick_rhymes_without_being_asked(ends: tuple[str, ...], value: str | None) -> None:
    poem = "\n".join(f"There once was a verse with a {end}" for end in ends)
    assert VerseForm().grade(subject("Write a limerick.", poem), CRITERION).value == value


@pytest.mark.parametrize(
    ("poem", "value"),
    [
        ("東海の小島の磯の白砂に\nわれ泣きぬれて\n蟹とたはむる", None),
        ("はるのうみ\nひねもすのたり\nあさのかぜ", "No"),
    ],
)
def test_a_tanka_may_be_printed_in_three_lines(poem: str, value: str | None) -> None:
    assert VerseForm().grade(subject("短歌を作ってください。", poem), CRITERION).value == value
