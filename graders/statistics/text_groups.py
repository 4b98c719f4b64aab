"""Texts in groups by what they are made of: runs of characters, so that every language and script
is served without a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graders.statistics.resampling import Array

#: Texts whose mean cosine is below this are in different groups; smaller groups, and those beyond
#: so many, are put together.
NEAR, LEAST, MOST_GROUPS = 0.22, 3, 12
#: Numbers that runs of characters may have.
SLOTS = 2**18


@dataclass(frozen=True, slots=True)
class TextGroup:
    """Positions of texts that are alike, and of the one nearest to their middle; None for texts
    that are like no other."""

    middle: int | None
    members: Sequence[int]


def groups_of_texts(texts: Sequence[str]) -> list[TextGroup]:
    """Agglomerative groups (mean link, cosine of tf-idf of runs of characters), the largest first.

    Texts that are like no other, and those of groups beyond the twelfth, are one group, the last.
    """
    if len(texts) < LEAST:
        return [TextGroup(None, range(len(texts)))] if texts else []
    near = _cosines(texts)
    label = _clusters(1 - near)
    sizes = np.bincount(label)
    kept = [int(k) for k in np.argsort(-sizes, kind="stable") if sizes[k] >= LEAST][:MOST_GROUPS]
    groups: list[TextGroup] = []
    for k in kept:
        members = np.flatnonzero(label == k)
        middle = int(members[near[np.ix_(members, members)].sum(axis=1).argmax()])
        groups.append(TextGroup(middle, members.tolist()))
    rest = [i for i in range(len(texts)) if int(label[i]) not in kept]
    return [*groups, *([TextGroup(None, rest)] if rest else [])]


def _cosines(texts: Sequence[str]) -> Array:
    """Cosines float[n, n] of tf-idf over runs of 2 and 3 characters, each run by its number modulo
    SLOTS."""
    from scipy.sparse import csr_array

    rows, slots = [], []
    for row, text in enumerate(texts):
        point = np.frombuffer(
            f" {' '.join(text.casefold().split())} ".encode("utf-32-le"), np.uint32
        ).astype(np.int64)
        runs = (
            np.concatenate(
                [
                    point[:-1] * 31 + point[1:],
                    (point[:-2] * 961 + point[1:-1] * 31 + point[2:]) * 7 + 1,
                ]
            )
            % SLOTS
        )
        rows.append(np.full(len(runs), row))
        slots.append(runs)
    place = (np.concatenate(rows), np.concatenate(slots))
    counts = csr_array((np.ones(len(place[0])), place), shape=(len(texts), SLOTS))
    counts.sum_duplicates()
    seen = np.bincount(counts.indices, minlength=SLOTS)
    counts.data = (1 + np.log(counts.data)) * (np.log((1 + len(texts)) / (1 + seen)) + 1)[
        counts.indices
    ]
    length = np.sqrt(np.asarray((counts * counts).sum(axis=1)).ravel())
    near: Array = np.asarray((counts @ counts.T).todense()) / np.outer(length, length)
    return np.clip(near, 0.0, 1.0)


def _clusters(apart: Array) -> Array:
    from scipy.cluster.hierarchy import fcluster, linkage
    from scipy.spatial.distance import squareform

    np.fill_diagonal(apart, 0.0)
    return (
        np.asarray(
            fcluster(linkage(squareform(apart, checks=False), "average"), 1 - NEAR, "distance")
        )
        - 1
    )
