"""Scores by models of weights, without the program: the same operations in the same order, so that the bytes are those
of ``pairrank predict``."""

from __future__ import annotations

import json
import platform
from functools import lru_cache
from typing import Any, Dict, List, Optional

import numpy as np

# Elsewhere a compiler may round a product and a sum once where NumPy rounds twice.
_SAME = platform.machine().lower() in ("x86_64", "amd64")

_MOST = 1 << 14  # numbers that are held; from some more on the program takes less


class Scorer:
    """The weights of a linear model of one output."""

    def __init__(self, w: np.ndarray, norm: Optional[np.ndarray], by: Optional[List[str]]) -> None:
        self.n, self.w = len(w), w
        self.norm = norm  # shift and scale of each feature
        self.by = by  # how missing values were treated in training, None where that is free

    def scores(self, X: np.ndarray, missing: str) -> Optional[np.ndarray]:
        """Return the scores of rows, None where the program has to look at them."""
        plain = X.dtype.kind == "f" and X.itemsize <= 8 or X.dtype.kind in "iu" and X.itemsize <= 4
        if not plain or X.shape[1] != self.n or missing not in (self.by or ("error", "mean", "min", "zero")):
            return None
        if X.size > _MOST or not np.isfinite(X).all():
            return None
        with np.errstate(all="ignore"):
            x = X.astype(np.float64, order="C")
            if self.norm is not None:
                x -= self.norm[0]
                x *= self.norm[1]
            f = self._products(x)
        f += 0.0  # a sum that begins with 0 is never −0
        return f if np.isfinite(f).all() else None

    def _products(self, x: np.ndarray) -> np.ndarray:
        """Return the products with the weights, in four interleaved sums."""
        x *= self.w
        m, whole = len(x), self.n & -4
        if m == 1 and whole:
            s = np.add.accumulate(x[:, :whole].reshape(1, -1, 4), axis=1)[:, -1]
        else:
            s = np.zeros((m, 4))
            for j in range(0, whole, 4):
                s += x[:, j : j + 4]
        for j in range(whole, self.n):
            s[:, 0] += x[:, j]
        return (s[:, 0] + s[:, 1]) + (s[:, 2] + s[:, 3])


@lru_cache(maxsize=64)
def scorer_of(model: bytes) -> Optional[Scorer]:
    """Return the scorer of a model file, None for models that the program has to score."""
    lines = model.decode("utf-8", "replace").split("\n")
    facts: Dict[str, Any] = {}
    if not _SAME or lines[0] != "pairrank model 1":
        return None
    at = next((k for k, line in enumerate(lines) if line.startswith("features ")), 0)
    for line in lines[:at]:
        key, _, value = line.partition(" ")
        if key == "fact":
            key, _, value = value.partition(" ")
        facts[key] = value
    columns = json.loads(facts.get("columns", "{}"))
    if facts.get("kernel") != "linear" or lines[at + 1] != "outputs 1" or "factors" in columns:
        return None
    n, at = int(lines[at].split()[1]), at + 2
    if lines[at] == "names":
        at += 1 + n
    norm = None
    if lines[at].startswith("normalizer "):
        if lines[at].endswith("query-minmax"):
            return None
        norm, at = _numbers(lines[at + 1 : at + 1 + n]).T.copy(), at + 1 + n
    if lines[at] != "weights":
        return None
    by = json.loads(facts["substitutes"])["by"] if "substitutes" in facts else None
    return Scorer(_numbers(lines[at + 1 : at + 1 + n])[:, 0], norm, by)


def _numbers(lines: List[str]) -> np.ndarray:
    return np.array([line.split() for line in lines], dtype=np.float64)
