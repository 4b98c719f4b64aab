"""Subjects by hand, the real models once a session, and a tiny model made on the spot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from graders.core.records import Answer, Question, Subject
from graders.metrics.models.encoders import Encoders

WORDS = [
    "the",
    "a",
    "cat",
    "dog",
    "sat",
    "on",
    "mat",
    "ran",
    "home",
    "кот",
    "собака",
    "сидел",
    "на",
    "коврике",
]


@pytest.fixture
def subject() -> Callable[..., Subject]:
    """A subject with this answer; the question is in English unless said otherwise."""

    def make(text: str, language: str = "en", question: str = "Where?") -> Subject:
        return Subject(
            Question(id="q", text=question, language=language),
            Answer(question_id="q", model="m", text=text),
        )

    return make


@pytest.fixture(scope="session")
def encoders() -> Encoders:
    """The real models in float32, so that values can be compared to many digits."""
    return Encoders(dtype="float32")


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sentence-transformers model of two layers and 32 numbers, random but seeded, in a folder;
    reads 16 tokens."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder = tmp_path_factory.mktemp("model")
    plain = folder / "plain"
    plain.mkdir()
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    (plain / "vocab.txt").write_text("\n".join(vocabulary), "utf-8")
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=16,
    )
    BertModel(config).save_pretrained(plain)
    BertTokenizerFast(
        vocab={word: number for number, word in enumerate(vocabulary)}, model_max_length=16
    ).save_pretrained(plain)
    transformer = Transformer(str(plain))
    whole = SentenceTransformer(
        modules=[transformer, Pooling(32, pooling_mode="mean")], device="cpu"
    )
    whole.save(str(folder / "tiny"))
    return folder / "tiny"
