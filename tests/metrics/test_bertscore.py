"""BERTScore against its formula, by hand on tiny vectors and by a slow plain version on real
ones."""

from __future__ import annotations

import math

import numpy as np
import pytest

from graders.metrics import bertscore
from graders.metrics.bertscore import BertScore, harmonic, match
from graders.metrics.models.encoders import Encoders

E = np.eye(4, dtype=np.float32)
OPEN, CLOSE = E[0], E[1]


def text(*rows):
    """A text of these token vectors between its special tokens."""
    return np.array([OPEN, *rows, CLOSE], dtype=np.float32)


def slowly(answer, reference):
    """Precision and recall as the formula says, one token at a time; special tokens are matched,
    not averaged."""

    def mean_best(these, those):
        return math.fsum(max(float(np.dot(x, y)) for y in those) for x in these[1:-1]) / (
            len(these) - 2
        )

    return mean_best(answer, reference), mean_best(reference, answer)


def test_precision_and_recall_by_hand():
    answer, reference = text(E[2]), text(E[2], [0, 0, 0.6, 0.8])
    precision, recall = match([answer], [reference])
    assert precision[0, 0] == pytest.approx(1.0)  # the only token of the answer has its equal
    # the reference's second token matches at 0.6 x 1 + 0.8 x 0
    assert recall[0, 0] == pytest.approx((1 + 0.6) / 2)
    assert harmonic(precision, recall)[0, 0] == pytest.approx(2 * 1 * 0.8 / 1.8)


def test_exchanging_the_texts_exchanges_precision_and_recall():
    one, other = text(E[2]), text(E[2], [0, 0, 0.6, 0.8])
    there, back = match([one], [other]), match([other], [one])
    assert there[0] == pytest.approx(back[1])
    assert there[1] == pytest.approx(back[0])


def test_special_tokens_are_matched_but_not_averaged():
    precision, recall = match([text(OPEN)], [text(E[2])])
    # the answer's token equals the reference's opening token
    assert precision[0, 0] == pytest.approx(1.0)
    # nothing resembles the reference's token, and the opening token has no weight
    assert recall[0, 0] == pytest.approx(0.0)


def test_a_text_without_tokens_has_no_value():
    precision, recall = match([text(), text(E[2])], [text(E[2])])
    assert np.isnan(precision[0, 0])
    assert np.isnan(recall[0, 0])
    assert precision[1, 0] == 1


def test_blocks_change_nothing(monkeypatch):
    rng = np.random.default_rng(3)
    texts = [unit(rng.standard_normal((n, 8))) for n in (3, 9, 4, 17, 5, 8)]
    whole = match(texts, texts[:3])
    # 16 reference tokens: never more than 9 answer tokens, or one answer, at once
    monkeypatch.setattr(bertscore, "BLOCK", 150)
    for one, other in zip(whole, match(texts, texts[:3]), strict=True):
        assert one == pytest.approx(other, abs=1e-6)


def test_equals_the_slow_version_on_real_vectors(encoders):
    answers = [
        "Rain fell over the whole of Kent.",
        "Nothing happened.",
        "The mayor said that 2.6 million must be paid back by her.",
    ]
    references = [
        "It rained in Kent all day long.",
        "She has to pay back 2.6 million, the mayor said.",
    ]
    left = [encoders.tokens(a, "en") for a in answers]
    right = [encoders.tokens(r, "en") for r in references]
    precision, recall = match(left, right)
    for i, a in enumerate(left):
        for j, r in enumerate(right):
            assert (precision[i, j], recall[i, j]) == pytest.approx(slowly(a, r), abs=2e-6)


def test_values_of_subjects(subject, encoders):
    answer, reference = "The mayor must pay.", "The mayor has to pay back the money."
    [values] = BertScore().compute(
        [subject(answer)], [["Bananas are yellow.", "", reference]], encoders
    )
    precision, recall = slowly(encoders.tokens(answer, "en"), encoders.tokens(reference, "en"))
    assert [v.metric for v in values] == ["bertscore_precision", "bertscore_recall", "bertscore_f1"]
    assert [v.value for v in values] == pytest.approx(
        [precision, recall, 2 * precision * recall / (precision + recall)], abs=2e-6
    )
    assert {v.reference for v in values} == {2}
    assert {v.version for v in values} == {"1;all-MiniLM-L6-v2@53aa51172d14/float32"}


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_identical_texts_give_one(subject, dtype):
    values = BertScore().compute(
        [subject("Rain fell over Kent, 12 mm of it.")],
        [["Rain fell over Kent, 12 mm of it."]],
        Encoders(dtype=dtype),
    )
    assert [v.value for v in values[0]] == pytest.approx([1, 1, 1], abs=1e-3)


@pytest.mark.parametrize(
    ("answer", "language", "references", "reason"),
    [
        ("Rain.", "en", [], "no_reference"),
        ("", "en", ["Rain."], "empty"),
        ("\u200b", "en", ["Rain."], "empty"),  # invisible: not white space, yet no token
        ("Rain.", "en", ["\u200b"], "no_reference"),
        # the multilingual encoder gives no token vectors
        (
            "Дождь.",
            "ru",
            ["Шёл дождь."],
            "language",
        ),
    ],
)
def test_absence_has_a_name(subject, encoders, answer, language, references, reason):
    [values] = BertScore().compute([subject(answer, language)], [references], encoders)
    assert [(v.value, v.status, v.reason) for v in values] == [(None, "unscored", reason)] * 3


def test_one_unusable_answer_leaves_its_neighbours_alone(subject, encoders):
    values = BertScore().compute(
        [subject("Rain."), subject(""), subject("Rain.")], [["Rain."]] * 3, encoders
    )
    assert [v[2].status for v in values] == ["ok", "unscored", "ok"]


def test_a_named_multilingual_model_scores_other_languages(subject, tiny_model):
    encoder = Encoders(bertscore_multilingual=str(tiny_model), dtype="float32")
    [values] = BertScore().compute([subject("кот сидел", "ru")], [["кот сидел"]], encoder)
    assert [v.value for v in values] == pytest.approx([1, 1, 1], abs=1e-3)
    # sentence vectors still come from the default
    assert "use-multilingual-v3@" in values[0].version
    assert "+tiny@" in values[0].version


def test_a_text_beyond_the_window_is_marked(subject, tiny_model):
    encoder = Encoders(english=str(tiny_model), dtype="float32")
    # 20 words and 2 special tokens; the window is 16
    short, long = (
        "cat sat",
        "cat sat on mat " * 5,
    )
    values = BertScore().compute(
        [subject(short), subject(long), subject(short)], [[short], [short], [long]], encoder
    )
    assert [v[2].reason for v in values] == ["", "cut", "cut"]
    assert {v[2].status for v in values} == {"ok"}


def unit(rows):
    rows = rows.astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
