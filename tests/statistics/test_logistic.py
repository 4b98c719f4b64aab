"""Logistic regression with weights, beside scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest

from graders.statistics.logistic import logistic


@pytest.mark.parametrize("C", [0.001, 0.03, 1.0])
@pytest.mark.parametrize(("cells", "features"), [(12, 1), (400, 5), (3_000, 12)])
def test_it_gives_what_scikit_learn_gives(cells: int, features: int, C: float) -> None:
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(cells)
    X = rng.normal(size=(cells, features))
    X[:, 0] = X[:, 0] > 0.5  # votes are features too
    yes = rng.random(cells) < 1 / (1 + np.exp(-X.sum(axis=1)))
    weight = rng.uniform(0.01, 2, cells)
    theirs = LogisticRegression(C=C, max_iter=2000).fit(X, yes.astype(int), sample_weight=weight)
    slopes, level = logistic(X, yes, weight, C)
    assert slopes == pytest.approx(theirs.coef_[0], abs=1e-6)
    assert level == pytest.approx(float(theirs.intercept_[0]), abs=1e-6)


def test_of_a_constant_the_level_is_the_log_odds() -> None:
    slopes, level = logistic(np.zeros((4, 1)), np.array([1, 1, 1, 0]) > 0, np.ones(4), 1.0)
    assert slopes.tolist() == [0.0]
    assert level == pytest.approx(np.log(3), abs=1e-3)
