"""Tables of named things as text: nodes, edges, comparisons. Numbers are written so that they read back the same."""

from __future__ import annotations

import csv
import io
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from . import _arrays, _features


def text(header: Sequence[Any], lines: Iterable[Sequence[Any]]) -> bytes:
    """Return a table of CSV. A missing value is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(["" if _arrays.is_missing(v) else _arrays.name(v) for v in line] for line in lines)
    return out.getvalue().encode()


def of_columns(table: Any, what: str) -> bytes:
    """Return a DataFrame, or a dict of sequences, as CSV. Dates become texts."""
    if not _arrays.is_frame(table) and not isinstance(table, Mapping):
        raise ValueError(f"{what} is a DataFrame or a dict of sequences, not {type(table).__name__}")
    frame = _arrays.is_frame(table)
    names = list(table.columns) if frame else list(table)
    found = [_cells(table.iloc[:, k] if frame else table[name], f"column {name!r} of {what}")
             for k, name in enumerate(names)]
    if len({len(c) for c in found}) > 1:
        raise ValueError(f"the columns of {what} have different lengths: {[len(c) for c in found]}")
    for name, cells in zip(names, found):
        bad = [k for k, v in enumerate(cells) if _arrays.is_infinite(v)]
        if bad:
            raise ValueError(f"column {name!r} of {what} has an infinite value in row {bad[0]}")
    return text([str(name) for name in names], zip(*found))


def _cells(values: Any, what: str) -> List[Any]:
    """Return the values of a column one by one."""
    dtype = getattr(values, "dtype", None)
    if getattr(dtype, "kind", None) in ("m", "M") and not isinstance(values, np.ma.MaskedArray):
        texts = np.asarray(values).astype(str)
        return [None if text == "NaT" else text for text in texts]
    if isinstance(values, (list, tuple)) and not any(np.ma.is_masked(v) for v in values):
        return list(values)
    if dtype == object:
        return list(np.asarray(values))
    a = _arrays.plain(values, what)
    if a.ndim != 1:
        raise ValueError(f"{what} has the shape {a.shape}, and is one column")
    return a.tolist()


class Nodes:
    """Nodes with their features, or with their similarities to the nodes of training."""

    def __init__(self, X: Any, ids: Any, what: str) -> None:
        found = _features.features(X.toarray() if _arrays.is_sparse(X) else X, what)
        if found.levels:
            raise ValueError(f"column {next(iter(found.levels))!r} of {what} is a category; pandas.get_dummies({what}) "
                             "makes numbers of it")
        self.X = np.asarray(found.X, dtype=np.float64)
        if np.isinf(self.X).any():
            raise ValueError(f"{what} has an infinite value in row {int(np.argmax(np.isinf(self.X).any(axis=1)))}")
        called = "index of " + what if ids is None else _IDS[what]
        if ids is None:
            ids = X.index if _arrays.is_frame(X) else np.arange(len(self.X))
        self.ids = identifiers(ids, called)
        if len(self.ids) != len(self.X):
            raise ValueError(f"{called} has {len(self.ids)} entries, and {what} has {len(self.X)} rows")
        self.names = [f"x{j}" for j in range(self.X.shape[1])] if found.names is None else list(found.names)
        self.places = {name: k for k, name in enumerate(self.ids)}
        if len(self.places) < len(self.ids):
            raise ValueError(f"two {what} have the same id")

        self.parts: List["Nodes"] = [self]

    @classmethod
    def of(cls, X: Any, ids: Any, what: str) -> "Nodes":
        """Return nodes of a matrix, or of a list of several similarities, which are the parts of the first."""
        several = isinstance(X, (list, tuple)) and len(X) > 0 and all(len(np.shape(k)) == 2 for k in X)
        if not several:
            return cls(X, ids, what)
        parts = [cls(k, ids, what) for k in X]
        for part in parts[1:]:
            if part.places.keys() != parts[0].places.keys():
                raise ValueError(f"the similarities of {what} are of different nodes")
        parts[0].parts = parts
        return parts[0]

    def text(self, precomputed: bool, training: Optional["Nodes"]) -> bytes:
        """Return the nodes as CSV; similarities have the ids of the training nodes, where known, in the header."""
        header = ["id", *(training.ids if precomputed and training else self.names)]
        return text(header, ([i, *row] for i, row in zip(self.ids, self.X.tolist())))

    def named(self, which: np.ndarray) -> List[str]:
        """Return ids of nodes that are given by ids, or by numbers from 0 where the ids are numbers or absent."""
        given = identifiers(which, "edges")
        for k in given:
            if k not in self.places:
                raise ValueError(f"edges has {k!r}, and there is no such node")
        return given


_IDS = {"rows": "row_ids", "cols": "col_ids"}


def identifiers(values: Any, what: str) -> List[str]:
    """Return names as texts."""
    a = _arrays.plain(values, what)
    if a.ndim != 1:
        raise ValueError(f"{what} has the shape {a.shape}, not one of a list")
    return [_arrays.name(v) for v in _arrays.names(a, what).tolist()]


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
