"""Columns of numbers as the database hands them over: a text with commas between them, since a row
in Python for each of a million cells would take ten times as long."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def numbers(*texts: str, kind: npt.DTypeLike = np.int64) -> npt.NDArray[Any]:
    """The numbers of some texts behind one another, as `kind`; no number of an empty text."""
    text = ",".join(one for one in texts if one)
    # whole numbers are read five times as fast
    whole = np.issubdtype(kind, np.integer) or not ("." in text or "e" in text)
    read = np.fromstring(text, np.int64 if whole else np.float64, sep=",") if text else np.zeros(0)
    return read.astype(kind)
