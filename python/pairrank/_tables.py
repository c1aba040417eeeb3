"""Tables of named things as text: nodes, edges, comparisons. Numbers are written so that they read back the same."""

from __future__ import annotations

import csv
import io
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple

import numpy as np

from . import _arrays


def _cell(value: Any) -> str:
    if isinstance(value, (float, np.floating)):
        return "" if np.isnan(value) else repr(float(value))
    return "" if value is None else str(value)


def text(header: Sequence[Any], lines: Iterable[Sequence[Any]]) -> bytes:
    """Return a table of CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([_cell(v) for v in line] for line in lines)
    return out.getvalue().encode()


def columns(table: Any) -> Tuple[List[str], List[Any]]:
    """Return the names and columns of a DataFrame, or of a dict of sequences."""
    names = [str(name) for name in (table.columns if _arrays.is_frame(table) else table)]
    found = [np.asarray(table[name]).tolist() for name in (table.columns if _arrays.is_frame(table) else table)]
    if len({len(c) for c in found}) > 1:
        raise ValueError(f"the columns have different lengths: {[len(c) for c in found]}")
    return names, found


def of_columns(table: Any) -> bytes:
    """Return a DataFrame, or a dict of sequences, as CSV."""
    names, found = columns(table)
    return text(names, zip(*found))


class Nodes:
    """Nodes with their features, or with their similarities to the nodes of training."""

    def __init__(self, X: Any, ids: Any, what: str) -> None:
        names = _arrays.names_of(X)
        if ids is None:
            ids = X.index if _arrays.is_frame(X) else np.arange(len(X))
        self.X = np.asarray(_arrays.matrix(X, what), dtype=np.float64)
        self.ids = [str(i) for i in ids]
        if len(self.ids) != len(self.X):
            raise ValueError(f"there are {len(self.ids)} ids of {len(self.X)} {what}")
        self.names = [f"x{j}" for j in range(self.X.shape[1])] if names is None else list(names)
        self.places = {name: k for k, name in enumerate(self.ids)}
        if len(self.places) < len(self.ids):
            raise ValueError(f"two {what} have the same id")

    def text(self, precomputed: bool, training: Optional["Nodes"]) -> bytes:
        """Return the nodes as CSV; similarities have the ids of the training nodes, where known, in the header."""
        header = ["id", *(training.ids if precomputed and training else self.names)]
        return text(header, ([i, *row] for i, row in zip(self.ids, self.X.tolist())))

    def named(self, which: np.ndarray) -> List[str]:
        """Return ids of nodes that are given by ids, or by numbers from 0 where the ids are numbers or absent."""
        given = [str(k) for k in which.tolist()]
        for k in given:
            if k not in self.places:
                raise ValueError(f"there is no node {k!r}")
        return given


def triples(text: bytes) -> Tuple[List[str], List[str], np.ndarray]:
    """Return the row ids, column ids and scores of lines with tabs between them."""
    lines = [line.split("\t") for line in bytes(text).decode().splitlines()]
    return [t[0] for t in lines], [t[1] for t in lines], np.array([float(t[2]) for t in lines])


def to_frame(rows: List[Dict[str, Any]]) -> Any:
    """Return rows of a document as a DataFrame."""
    try:
        import pandas
    except ImportError:
        raise ImportError("to_frame needs pandas") from None
    return pandas.DataFrame(rows)
