"""Cosine of sentence vectors with the best reference."""

from __future__ import annotations

import numpy as np
import pytest

from graders.core.errors import ContractError
from graders.core.text_languages import compared_language
from graders.metrics.embedding import Embedding

VECTORS = {"answer": (1, 0), "near": (0.8, 0.6), "far": (0, 1), "opposite": (-1, 0)}


class ByHand:
    """An encoder of four known texts in English."""

    def prepare(self, texts, languages):
        """Nothing to do."""

    def sentence(self, text, language):
        return np.array(VECTORS[text], dtype=np.float32) if language == "en" else None

    def tokens(self, text, language):
        return None

    def version(self, language):
        return "by-hand"


@pytest.mark.parametrize(
    ("references", "cosine", "position"),
    [
        (["near"], 0.8, 0),  # 1 x 0.8 + 0 x 0.6
        (["far", "near"], 0.8, 1),  # the best counts, and which
        (["opposite"], -1.0, 0),
        (["", "opposite", "far"], 0.0, 2),
        (["answer", "answer"], 1.0, 0),  # a tie: the first
    ],
)
def test_cosine(subject, references, cosine, position):
    [[value]] = Embedding().compute([subject("answer")], [references], ByHand())
    assert value.value == pytest.approx(cosine)
    assert (value.metric, value.reference, value.version, value.reason) == (
        "embedding_cosine",
        position,
        "1;by-hand",
        "",
    )


@pytest.mark.parametrize(
    ("answer", "language", "references", "reason"),
    [
        ("answer", "en", [], "no_reference"),
        (" ", "en", ["near"], "empty"),
        ("answer", "eo", ["near"], "language"),
    ],
)
def test_absence_has_a_name(subject, answer, language, references, reason):
    [[value]] = Embedding().compute([subject(answer, language)], [references], ByHand())
    assert (value.value, value.status, value.reason) == (None, "unscored", reason)


def test_order_is_kept_over_questions_and_languages(subject):
    subjects = [subject("answer"), subject("answer", "eo"), subject("far"), subject("near")]
    values = Embedding().compute(subjects, [["near"], ["near"], ["far"], ["near"]], ByHand())
    assert [v[0].value for v in values] == [
        pytest.approx(0.8),
        None,
        pytest.approx(1.0),
        pytest.approx(1.0),
    ]


def test_without_an_encoder_it_says_so(subject):
    with pytest.raises(ContractError, match="found no encoder, expected an encoder"):
        Embedding().compute([subject("answer")], [["near"]], None)


@pytest.mark.parametrize(
    ("language", "text", "same", "other"),
    [
        (
            "en",
            "The cat is asleep on the sofa.",
            "A cat sleeps on the couch.",
            "Interest rates rose again in March.",
        ),
        (
            "ru",
            "Кошка спит на диване.",
            "На диване спит кот.",
            "В марте снова выросли процентные ставки.",
        ),
        ("zh", "猫在沙发上睡觉。", "一只猫睡在沙发上。", "三月份利率再次上升。"),
        (
            "ja",
            "猫がソファで寝ています。",
            "ソファの上で猫が眠っている。",
            "3月に金利が再び上昇した。",
        ),
    ],
)
def test_real_models_tell_a_paraphrase_from_another_matter(
    subject, encoders, language, text, same, other
):
    [[near]], [[far]] = (
        Embedding().compute([subject(text, language)], [[reference]], encoders)
        for reference in (same, other)
    )
    assert near.value > far.value + 0.3
    both = Embedding().compute([subject(text, language)], [[other, same]], encoders)
    assert both[0][0].reference == 1


ENGLISH, RUSSIAN, CHINESE = (
    "The library closes at eight in the evening.",
    "Библиотека закрывается в восемь вечера.",
    "图书馆晚上八点关闭。",
)
GERMAN = (
    "Die Bibliothek schließt im Winter früh, weil es dunkel ist und die Straße nicht geräumt wird."
)


@pytest.mark.parametrize(
    ("marked", "answer", "references", "language"),
    [
        ("en", ENGLISH, [ENGLISH], "en"),
        ("en", CHINESE, [CHINESE], "zh"),  # the question asks for a translation
        ("en", GERMAN, [GERMAN], "de"),
        ("en", RUSSIAN, [ENGLISH], "ru"),  # a model of English cannot read both
        ("ru", ENGLISH, [ENGLISH], "en"),
        ("ru", RUSSIAN, [ENGLISH], "ru"),
        ("ru", "42", ["AI"], "ru"),  # a name or a number tells nothing
        ("en", "AB de Villiers", ["John von Neumann"], "en"),
        ("zh-TW", CHINESE, ["", CHINESE], "zh-TW"),
        ("", ENGLISH, [GERMAN], "de"),
        ("en", " ", [], "en"),
    ],
)
def test_the_texts_tell_which_model_compares_them(subject, marked, answer, references, language):
    assert compared_language(subject(answer, marked), references) == language
