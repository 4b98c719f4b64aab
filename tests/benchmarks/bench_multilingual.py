"""Multilingual vectors: sentences that say the same must be nearer than sentences about different
things.

Each file of ``paraphrases`` has 40 pairs of one language that say the same in other words. The 40
unrelated pairs join the first sentence of a pair with the second of another: all are about
different things. Every paraphrase is compared with every unrelated pair.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from graders.metrics.models.encoders import Encoders

FOLDER = Path(__file__).parent / "paraphrases"
LANGUAGES = {"ru": "Russian", "zh": "Chinese", "ja": "Japanese"}
#: So many lines below stands the sentence that a first one is paired with as unrelated.
APART = 17
BAR = 0.95


def pairs(language: str) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """(paraphrases, unrelated pairs) of a language."""
    lines = [
        line.split("\t") for line in (FOLDER / f"{language}.tsv").read_text("utf-8").splitlines()
    ]
    same = [(one, other) for one, other in lines]
    return same, [
        (one, same[(place + APART) % len(same)][1]) for place, (one, _) in enumerate(same)
    ]


def main() -> list[dict[str, Any]]:
    """Measure; one row per bar: name, figure, bar, ratio (figure / bar), met."""
    encoder, rows = Encoders(), []
    for language, name in LANGUAGES.items():
        same, unrelated = pairs(language)
        texts = [text for pair in same for text in pair]
        encoder.prepare(texts, [language] * len(texts), tokens=False)
        near, far = (
            [_cosine(encoder, language, *pair) for pair in found] for found in (same, unrelated)
        )
        above = sum(one > other for one in near for other in far) / (len(near) * len(far))
        weak = sorted(zip(near, same, strict=True))[:3]
        print(
            f"{name}: paraphrases {min(near):.2f} to {max(near):.2f}, unrelated {min(far):.2f} to {max(far):.2f}; nearest to a miss:"
        )
        print(", ".join(f"{cosine:.2f} {one} | {other}" for cosine, (one, other) in weak))
        rows.append(
            {
                "name": f"{name}: paraphrases above unrelated pairs, share of {len(near) * len(far):,} comparisons",
                "figure": round(above, 4),
                "bar": BAR,
                "ratio": round(above / BAR, 3),
                "met": above >= BAR,
            }
        )
    return rows


def _cosine(encoder: Encoders, language: str, one: str, other: str) -> float:
    a, b = encoder.sentence(one, language), encoder.sentence(other, language)
    assert a is not None and b is not None
    return float(a @ b)


if __name__ == "__main__":
    for line in main():
        print(line)
