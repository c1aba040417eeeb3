"""Scores by models of weights and of splines, without the program: the same operations in the same order, so that the
bytes are those of ``pairrank predict``."""

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
    """The weights of a model of one output whose kernel is linear or a spline."""

    def __init__(self, n: int, norm: Optional[np.ndarray], by: Optional[List[str]]) -> None:
        self.n = n
        self.norm = norm  # shift and scale of each feature
        self.by = by  # how missing values were treated in training, None where that is free
        self.w = np.zeros(n)
        self.knots: Optional[np.ndarray] = None  # n × K, infinite where there is none
        self.slope = self.level = self.w  # of the pieces between them, n(K+1)
        self.at = np.zeros(n, dtype=np.intp)  # of the first piece of each feature

    def scores(self, X: np.ndarray, missing: str) -> Optional[np.ndarray]:
        """Return the scores of rows, None where the program has to look at them."""
        plain = X.dtype.kind == "f" and X.itemsize <= 8 or X.dtype.kind in "iu" and X.itemsize <= 4
        if not plain or X.shape[1] != self.n or missing not in (self.by or ("error", "mean", "min", "zero")):
            return None
        pieces = 1 if self.knots is None else 1 + self.knots.shape[1]
        if X.size * pieces > _MOST or not np.isfinite(X).all():
            return None
        with np.errstate(all="ignore"):
            x = X.astype(np.float64, order="C")
            if self.norm is not None:
                x -= self.norm[0]
                x *= self.norm[1]
            f = (self._products if self.knots is None else self._pieces)(x)
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

    def _pieces(self, x: np.ndarray) -> np.ndarray:
        """Return the sums of the curves, each by the piece where its feature lies."""
        assert self.knots is not None
        at = np.add.reduce(np.signbit(self.knots - x[:, :, None]), axis=2, dtype=np.intp)
        at += self.at
        x *= self.slope.take(at)
        x += self.level.take(at)
        return np.add.accumulate(x, axis=1)[:, -1]


@lru_cache(maxsize=64)
def scorer_of(model: bytes) -> Optional[Scorer]:
    """Return the scorer of a model file, None for models that the program has to score."""
    lines = model.decode("utf-8", "replace").split("\n")
    facts: Dict[str, Any] = {}
    if not _SAME or lines[0] not in ("pairrank model 1", "pairrank model 7"):
        return None
    at = next((k for k, line in enumerate(lines) if line.startswith("features ")), 0)
    for line in lines[:at]:
        key, _, value = line.partition(" ")
        if key == "fact":
            key, _, value = value.partition(" ")
        facts[key] = value
    kernel = facts.get("kernel", "")
    columns = json.loads(facts.get("columns", "{}"))
    if not (kernel == "linear" or kernel.startswith("spline:")) or lines[at + 1] != "outputs 1" or "factors" in columns:
        return None
    n, at = int(lines[at].split()[1]), at + 2
    if lines[at] == "names":
        at += 1 + n
    norm = None
    if lines[at].startswith("normalizer "):
        if lines[at].endswith("query-minmax"):
            return None
        norm, at = _numbers(lines[at + 1 : at + 1 + n]).T.copy(), at + 1 + n
    s = Scorer(n, norm, json.loads(facts["substitutes"])["by"] if "substitutes" in facts else None)
    if kernel == "linear":
        s.w = _numbers(lines[at + 1 : at + 1 + n])[:, 0]
        return s if lines[at] == "weights" else None
    knots, at = [np.array(line.split(), dtype=float) for line in lines[at + 1 : at + 1 + n]], at + 1 + n
    w = _numbers(lines[at + 1 : at + 1 + n + sum(map(len, knots))])[:, 0]
    bends = float(dict(part.split("=") for part in kernel.partition(":")[2].split(",")).get("bends", 1))
    _bend(s, knots, w, bends)
    return s


def _numbers(lines: List[str]) -> np.ndarray:
    return np.array([line.split() for line in lines], dtype=np.float64)


def _bend(s: Scorer, knots: List[np.ndarray], w: np.ndarray, bends: float) -> None:
    """Set the pieces of the curves, from the weights of the features and then of the knots."""
    most = max(map(len, knots))
    s.knots = np.full((s.n, most), np.inf)
    slope, level, first = np.empty((s.n, most + 1)), np.zeros((s.n, most + 1)), s.n
    for j, own in enumerate(knots):
        s.knots[j, : len(own)] = own
        slope[j] = w[j]
        for k, t in enumerate(own):
            bend = w[first + k] * (1 / np.sqrt(bends))
            slope[j, k + 1 :] = slope[j, k] + bend
            level[j, k + 1 :] = level[j, k] - bend * t
        first += len(own)
    s.slope, s.level, s.at = slope.ravel(), level.ravel(), np.arange(s.n) * (most + 1)
