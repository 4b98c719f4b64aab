"""BLEU, chrF, ROUGE, edit distance and exact match: worked by hand, and equal to the libraries that
define them."""

from __future__ import annotations

import math
import random
import subprocess
import sys
import time

import pytest

from graders.core.discovery import find
from graders.metrics.bleu import Bleu
from graders.metrics.chrf import Chrf
from graders.metrics.edit_distance import EditDistance
from graders.metrics.exact import Exact
from graders.metrics.rouge import Rouge
from graders.metrics.texts import sacrebleu

TEXT = 'the cat sat on a mat while rain fell over Kent and the dog, who\'s 12, slept -- "well" (U.S. $3.50) naïve'
WORDS = TEXT.split()

CAT, DOG = "the cat sat on the mat", "the dog sat on the mat"


def one(metric, made, references):
    """The values of one subject, by output."""
    [values] = metric.compute([made], [references])
    return {value.metric: value for value in values}


def texts(seed: int, most: int = 40) -> list[str]:
    """Two hundred English texts of 1 to `most` words."""
    draw = random.Random(seed)
    return [" ".join(draw.choices(WORDS, k=draw.randint(1, most))) for _ in range(200)]


# -- ROUGE


@pytest.mark.parametrize(
    ("answer", "reference", "language", "rouge_1", "rouge_2", "rouge_l"),
    [
        # shared words 5 of 6 and 6, pairs sat-on on-the the-mat of 5 and 5, in order the sat on the
        # mat
        (CAT, DOG, "en", 2 * 5 / (6 + 6), 2 * 3 / (5 + 5), 2 * 5 / (6 + 6)),
        ("mat the on", "on the mat", "en", 1.0, 0.0, 2 * 1 / (3 + 3)),
        ("Кот спал дома", "кот спал", "ru", 2 * 2 / (3 + 2), 2 * 1 / (2 + 1), 2 * 2 / (3 + 2)),
        # pairs 猫坐 坐在 子上
        (
            "猫坐在毯子上",
            "猫坐在垫子上",
            "zh",
            2 * 5 / 12,
            2 * 3 / 10,
            2 * 5 / 12,
        ),
        ("東京タワー", "東京", "ja", 2 * 2 / 7, 2 * 1 / (4 + 1), 2 * 2 / 7),
        # marked English, yet Chinese
        (
            "猫坐在毯子上",
            "猫坐在垫子上",
            "en",
            2 * 5 / 12,
            2 * 3 / 10,
            2 * 5 / 12,
        ),
        ("Берлин", "Paris is the capital of France", "en", 0.0, 0.0, 0.0),
    ],
)
def test_rouge(subject, answer, reference, language, rouge_1, rouge_2, rouge_l):
    found = one(Rouge(), subject(answer, language), [reference])
    assert [found[name].value for name in ("rouge_1", "rouge_2", "rouge_l")] == pytest.approx(
        [rouge_1, rouge_2, rouge_l]
    )


def test_rouge_in_english_is_what_the_library_gives(subject):
    scorer = pytest.importorskip("rouge_score.rouge_scorer").RougeScorer(
        ["rouge1", "rouge2", "rougeL"]
    )
    for answer, reference in zip(texts(1), texts(2), strict=True):
        found = one(Rouge(), subject(answer), [reference])
        for theirs, value in zip(
            scorer.score(reference, answer).values(), found.values(), strict=True
        ):
            # of a reference of one word the library says 0 where we say too_short
            if value.status == "ok":
                assert value.value == pytest.approx(theirs.fmeasure, abs=1e-12)


def test_each_rouge_has_its_own_best_reference(subject):
    found = one(Rouge(), subject("a b c d"), ["d c b a", "a b x y"])
    # rouge 1: 1 against 2*2/8; rouge 2: 0 against 2*1/6; rouge L: 2*1/8 against 2*2/8
    assert {name: (value.value, value.reference) for name, value in found.items()} == {
        "rouge_1": (1.0, 0),
        "rouge_2": (pytest.approx(1 / 3), 1),
        "rouge_l": (0.5, 1),
    }


def test_one_word_has_no_pairs(subject):
    found = one(Rouge(), subject("Paris"), ["Paris"])
    assert [(v.value, v.reason) for v in found.values()] == [
        (1.0, ""),
        (None, "too_short"),
        (1.0, ""),
    ]


# -- BLEU and chrF


def test_bleu_by_hand(subject):
    found = one(Bleu(), subject(CAT), [DOG])["bleu"]
    # shares of one to four words: 5/6, 3/5, 2/4 (sat on the, on the mat), 1/3 (sat on the mat);
    # equally long: no penalty
    assert found.value == pytest.approx(
        100 * math.exp(sum(map(math.log, (5 / 6, 3 / 5, 2 / 4, 1 / 3))) / 4)
    )
    assert found.version.startswith("1;BLEU|nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp|version:")


def test_bleu_of_short_answers_stops_at_their_length(subject):
    # two of three words, one of two pairs: orders 1 and 2 only, penalty exp(1 - 3/2)
    found = one(Bleu(), subject("red green"), ["red green blue"])["bleu"]
    assert found.value == pytest.approx(100 * math.exp(1 - 3 / 2))


def test_chrf_by_hand(subject):
    # "ab" against "abc": one character 2/2 and 2/3, two 1/1 and 1/2; longer runs the answer has
    # not: P = 1, R = 7/12
    precision, recall = 1.0, (2 / 3 + 1 / 2) / 2
    found = one(Chrf(), subject("ab"), ["abc"])["chrf"]
    assert found.value == pytest.approx(100 * 5 * precision * recall / (4 * precision + recall))
    assert found.version.startswith(
        "1;chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:"
    )


def test_bleu_and_chrf_are_what_the_library_gives(subject):
    from sacrebleu import sentence_bleu, sentence_chrf

    for answer, reference in zip(texts(3), texts(4), strict=True):
        assert one(Bleu(), subject(answer), [reference])["bleu"].value == pytest.approx(
            sentence_bleu(answer, [reference]).score, abs=1e-9
        )
        assert one(Chrf(), subject(answer), [reference])["chrf"].value == pytest.approx(
            sentence_chrf(answer, [reference]).score, abs=1e-9
        )


def test_of_several_references_the_best_counts(subject):
    for metric, name in (
        (Bleu(), "bleu"),
        (Chrf(), "chrf"),
        (EditDistance(), "edit_distance"),
        (Exact(), "exact"),
    ):
        value = one(metric, subject(CAT), ["rain fell", " ", CAT, DOG])[name]
        assert (value.reference, value.value) == (
            2,
            pytest.approx(1.0 if name in ("edit_distance", "exact") else 100.0),
        )


@pytest.mark.parametrize(
    ("language", "close", "far", "reference", "tokenizer"),
    [
        ("zh", "猫坐在毯子上睡觉", "今天天气很好", "猫坐在垫子上睡觉", "zh"),
        ("ja", "猫がソファで寝ています", "今日はとても暑いね", "猫がマットで寝ています", "char"),
        ("th", "แมวนอนบนพรม", "ฝนตกหนักมาก", "แมวนอนบนเสื่อ", "char"),
        ("lo", "ແມວນອນຢູ່ເທິງຜ້າ", "ຝົນຕົກໜັກ", "ແມວນອນຢູ່ເທິງເສື່ອ", "char"),
        ("km", "ឆ្មាដេកលើពូក", "ភ្លៀងធ្លាក់ខ្លាំង", "ឆ្មាដេកលើកន្ទេល", "char"),
        (
            "ru",
            "Кот сидел на старом диване",
            "Сегодня очень жарко",
            "Кот сидел на старом коврике",
            "13a",
        ),
    ],
)
def test_languages_without_spaces_are_neither_0_nor_100(
    subject, language, close, far, reference, tokenizer
):
    if tokenizer == "char" and language == "ja" and sacrebleu.tokenizer_name("ja") != "char":
        tokenizer = sacrebleu.tokenizer_name("ja")
    for metric in (Bleu(), Chrf(), Rouge(), EditDistance()):
        near = one(metric, subject(close, language), [reference])
        other = one(metric, subject(far, language), [reference])
        for name, value in near.items():
            top = 100 if name in ("bleu", "chrf") else 1
            assert 0.25 * top < value.value < 0.97 * top, name
            assert value.value > other[name].value, name
    assert f"|tok:{tokenizer}" in one(Bleu(), subject(close, language), [reference])["bleu"].version


def test_japanese_words_where_the_dictionary_is_installed(monkeypatch):
    monkeypatch.setattr(sacrebleu, "_installed", lambda *packages: True)
    assert [sacrebleu.tokenizer_name(code) for code in ("ja", "ko", "zh-TW", "th", "en")] == [
        "ja-mecab",
        "ko-mecab",
        "zh",
        "char",
        "13a",
    ]


def test_the_library_keeps_no_texts(subject):
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

    Bleu().compute([subject(CAT)], [[DOG]])
    assert [kind.__call__.cache_info().currsize for kind in (Tokenizer13a, TokenizerRegexp)] == [
        0,
        0,
    ]


# -- edit distance and exact match


@pytest.mark.parametrize(
    ("answer", "reference", "expected"),
    [
        ("kitten", "sitting", 1 - 3 / 7),  # k-s, e-i, +g
        ("Paris", "paris", 1 - 1 / 5),
        ("  Paris\n", "Paris", 1.0),
        ("abc", "xyz", 0.0),
        ("cafe\u0301", "café", 1.0),  # an accent of its own is the same letter
        ("东京是首都", "东京", 1 - 3 / 5),
    ],
)
def test_edit_distance(subject, answer, reference, expected):
    assert one(EditDistance(), subject(answer), [reference])[
        "edit_distance"
    ].value == pytest.approx(expected)


@pytest.mark.parametrize(
    ("answer", "reference", "language", "expected"),
    [
        ("The Eiffel Tower.", "eiffel tower", "en", 1.0),
        ("It is the Eiffel Tower", "Eiffel Tower", "en", 0.0),
        ("1,000", "1000", "en", 1.0),
        ("3.5", "35", "en", 0.0),
        ("C++", "C", "en", 0.0),
        ("东京。", "东京", "zh", 1.0),
        ("《红楼梦》", "红楼梦", "zh", 1.0),
        ("４２", "42", "ja", 1.0),
        ("Ответ: да", "да", "ru", 0.0),
        ("?", "!", "en", 0.0),
        ("?", "?", "en", 1.0),
    ],
)
def test_exact(subject, answer, reference, language, expected):
    assert one(Exact(), subject(answer, language), [reference])["exact"].value == expected


# -- all of them

ALL = ("bleu", "chrf", "rouge", "edit_distance", "exact", "token_f1")


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    ("answer", "references", "reason"),
    [("red", [], "no_reference"), ("red", [" "], "no_reference"), (" \n", ["red"], "empty")],
)
def test_absence_has_a_name(subject, name, answer, references, reason):
    [values] = find("metrics", name)().compute([subject(answer)], [references])
    assert [(v.value, v.status, v.reason, v.reference) for v in values] == [
        (None, "unscored", reason, None)
    ] * len(values)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    "text", ["\x00", "\ud800 lone", "\u202eback", "🐈‍⬛", "...", "<skipped>", "&quot;", "-\n-"]
)
def test_strange_texts_have_values_in_range(subject, name, text):
    [values] = find("metrics", name)().compute([subject(text)], [["red", text]])
    assert all(value.value is None or 0 <= value.value <= 100 for value in values)
    assert all(value.status == "ok" for value in values if not value.metric.startswith("rouge"))


@pytest.mark.parametrize("name", ("bleu", "chrf", "rouge", "edit_distance"))
def test_a_text_beyond_the_limit_is_read_to_the_limit_and_marked(subject, name):
    long = " ".join(random.Random(5).choices(WORDS, k=100_000))
    start = time.process_time()
    [values] = find("metrics", name)().compute([subject(long)], [[long[::-1], "rain fell"]])
    assert {(v.status, v.reason) for v in values} == {("ok", "cut")}
    # seconds; read whole, edit distance alone would take minutes
    assert time.process_time() - start < 20
    [values] = find("metrics", name)().compute([subject("rain fell")], [["rain fell"]])
    assert {v.reason for v in values} == {""}


def test_importing_the_metrics_loads_no_heavy_library():
    code = (
        "import sys; from graders.core.discovery import load_all; load_all('metrics')\n"
        "print([m for m in ('torch', 'sacrebleu', 'rapidfuzz', 'sklearn', 'pandas', 'nltk') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
