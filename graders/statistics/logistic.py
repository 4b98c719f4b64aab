"""Logistic regression of two outcomes with weights."""

from __future__ import annotations

import numpy as np

from graders.statistics.arrays import Array

#: The search ends where no part of the gradient of the mean loss is larger.
GRADIENT = 1e-4
STEPS = 2_000


def logistic(X: Array, yes: Array, weight: Array, C: float) -> tuple[Array, float]:
    """(coefficients float[d], intercept) that minimise the weighted log loss plus |coefficients|^2
    / (2 C).

    `X`: float[n, d]; `yes`: bool[n]; `weight`: float[n], positive. The search is that of
    scikit-learn's ``LogisticRegression(C=C)``, by L-BFGS (Byrd, Lu, Nocedal and Zhu 1995) from
    zero, and gives its values. Importing scikit-learn takes a second, which every process that
    works on a run would pay.
    """
    from scipy.optimize import minimize
    from scipy.special import expit

    total, outcome = weight.sum(), np.asarray(yes, float)
    share, ridge = weight / total, 1 / (C * total)

    def loss(at: Array) -> tuple[float, Array]:
        raw = X @ at[:-1] + at[-1]
        off = share * (expit(raw) - outcome)
        value = share @ (np.logaddexp(0, raw) - outcome * raw) + ridge / 2 * (at[:-1] @ at[:-1])
        return float(value), np.append(X.T @ off + ridge * at[:-1], off.sum())

    options = {"maxiter": STEPS, "maxls": 50, "gtol": GRADIENT, "ftol": 64 * np.finfo(float).eps}
    found = minimize(loss, np.zeros(X.shape[1] + 1), jac=True, method="L-BFGS-B", options=options).x
    return found[:-1], float(found[-1])
