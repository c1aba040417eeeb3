"""Features of rows: a matrix of numbers, with the names of its columns and the levels of those that are factors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Optional, Sequence, Tuple

import numpy as np

from . import _arrays


@dataclass
class Features:
    """Features as a matrix of numbers, the names of the columns, and the levels of those that are factors."""

    X: Any
    names: Optional[np.ndarray]
    levels: Dict[str, np.ndarray]


def features(X: Any, what: str = "X", factors: Sequence[str] = (), known: Optional[np.ndarray] = None) -> Features:
    """Return features. Columns of categories, and those called in `factors`, are numbers of levels in the matrix.

    `known` are the names of columns that have none.

    Raises
    ------
    ValueError
        If a value is no number, or a factor is no column.
    """
    names, frame = _arrays.names_of(X), _arrays.is_frame(X)
    columns = known if names is None else names
    unknown = [f for f in factors if columns is None or f not in columns]
    if unknown:
        way = "" if frame else f", which has no names: pandas.DataFrame({what}, columns=…) gives them"
        raise ValueError(f"there is no column {unknown[0]!r} in {what}{way}")
    if not factors and not (frame and any(map(_is_special, X.dtypes))):
        return Features(_arrays.matrix(X, what), names, {})
    if _arrays.is_sparse(X):
        raise ValueError(f"{what} is a sparse matrix, which has no factors")
    taken = [X.iloc[:, j] for j in range(X.shape[1])] if frame else list(_objects(X, what).T)
    out, levels = np.empty((len(X), len(taken)), order="F"), {}
    for j, values in enumerate(taken):
        called = X.columns[j] if columns is None else columns[j]
        if called not in factors and type(values.dtype).__name__ != "CategoricalDtype":
            out[:, j] = _numeric(values, called, what)
            continue
        if columns is None or list(columns).count(called) > 1:
            raise ValueError(
                f"a factor needs a text as its name, and no other column may have it: column {called!r} of {what}; "
                f"{what}.columns = {what}.columns.astype(str) makes texts"
            )
        out[:, j], levels[called] = _factor(values, f"column {called!r} of {what}")
    return Features(_arrays.matrix(out, what), names, levels)


def _objects(X: Any, what: str) -> np.ndarray:
    """Return a matrix whose columns may be texts."""
    a = _arrays.plain(np.array(X, dtype=object) if isinstance(X, list) else X, what)
    return a if a.ndim == 2 else _arrays.matrix(X, what)


def _is_special(dtype: Any) -> bool:
    """Report whether a column of this type is converted by itself."""
    return not isinstance(dtype, np.dtype) or dtype.kind in "OmM"


def _factor(values: Any, what: str) -> Tuple[np.ndarray, np.ndarray]:
    """Return the level of each value as a number from 0, NaN where it is missing, and the levels."""
    a = _arrays.plain(values, what)
    texts = np.array(["" if _arrays.is_missing(v) else _arrays.name(v) for v in a.tolist()], dtype=str)
    levels = np.unique(texts[texts != ""])
    return np.where(texts == "", np.nan, np.searchsorted(levels, texts)), levels


def _numeric(values: Any, called: Any, what: str) -> np.ndarray:
    """Return a column of a frame as numbers, NaN where they are missing."""
    a = _arrays.plain(values, f"column {called!r} of {what}")
    if a.dtype.kind not in "OUS":
        return a
    try:
        return _arrays.floats(a, f"column {called!r} of {what}")
    except ValueError as err:
        way = f"{what}.astype({{{called!r}: 'category'}}), or factor_columns=[{called!r}], makes features of texts"
        raise ValueError(f"{err}; {way}") from None
