"""What Python has as data, as arrays of the program: NumPy, SciPy and pandas, copied only where they must be."""

from __future__ import annotations

import ast
import datetime
import re
import struct
import sys
import warnings
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from . import _events

# The types that the program reads; others become the one beside them.
_READ = {"<f8", "<f4", "<i8", "<i4", "<i2", "|i1", "<u8", "<u4", "<u2", "|u1", "|b1"}


@dataclass
class File:
    """A file of a request: arrays by name, each as the buffers of a .npy file, or a text.

    A text that the program is to remember is sent once. The argument is what errors call the file.
    """

    name: str
    members: Optional[Dict[str, List[Any]]] = None
    text: Optional[bytes] = None
    remember: bool = False
    sum: Optional[str] = None
    argument: str = "X"


@lru_cache(maxsize=256)
def _header(descr: str, fortran: bool, shape: Tuple[int, ...]) -> bytes:
    text = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape!r}, }}"
    text += " " * (63 - (10 + len(text)) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode("latin-1")


def npy(array: Any) -> List[Any]:
    """Return the buffers of an array as a .npy file; numbers and texts are not copied if they lie side by side."""
    a = np.asarray(array)
    if a.dtype.kind not in "US":
        if a.dtype.str not in _READ:
            a = a.astype("<f8")
    elif a.dtype.byteorder == ">":
        a = a.astype(a.dtype.newbyteorder("<"))
    fortran = a.flags.f_contiguous and not a.flags.c_contiguous
    if not fortran:
        a = np.ascontiguousarray(a)
    head = _header(a.dtype.str, bool(fortran), a.shape)
    if a.size == 0 or a.dtype.itemsize == 0:
        return [head]
    flat = (a.T if fortran else a).reshape(-1)
    return [head, memoryview(flat.view(np.uint8))]


def from_npy(text: Any) -> np.ndarray:
    """Return the numbers of a .npy file in memory, without a copy of them."""
    try:
        (length,) = struct.unpack_from("<H", text, 8)
        return np.frombuffer(text, "<f8", offset=10 + length).reshape(_shape(bytes(text[10 : 10 + length])))
    except (struct.error, ValueError, SyntaxError, KeyError, TypeError):
        raise _events.foreign("the program") from None


@lru_cache(maxsize=256)
def _shape(header: bytes) -> Tuple[int, ...]:
    return ast.literal_eval(header.decode("latin-1").strip())["shape"]


def is_frame(X: Any) -> bool:
    """Report whether X is a DataFrame of pandas."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(X, pandas.DataFrame)


def is_sparse(X: Any) -> bool:
    """Report whether X is a sparse matrix or array of SciPy."""
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and sparse.issparse(X)


def names_of(X: Any) -> Optional[np.ndarray]:
    """Return the names of the columns of a frame, None where they are not all texts."""
    if not is_frame(X):
        return None
    texts = [isinstance(name, str) for name in X.columns]
    if all(texts) and texts:
        return np.asarray(X.columns, dtype=object)
    if any(texts):
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your input has "
            "names of other types, too. If you want feature names to be stored and validated, you must convert them "
            "all to strings, by using X.columns = X.columns.astype(str) for example. Otherwise you can remove feature "
            "names from your input data, or convert them all to a non-string data type."
        )
    return None


def plain(values: Any, what: str) -> np.ndarray:
    """Return what a caller gave as an array of numbers, of texts, or of objects. Every argument comes through here.

    Raises
    ------
    ValueError
        If values is sparse, or has masked values, dates or complex numbers. It names the argument `what`.
    """
    if is_sparse(values):
        raise ValueError(f"{what} is a sparse matrix; {what}.toarray() makes an array")
    listed = values if isinstance(values, (list, tuple)) else ()
    if any(isinstance(v, np.ma.MaskedArray) and np.ma.is_masked(v) for v in (values, *listed)):
        raise ValueError(f"{what} has masked values; {what}.filled(VALUE) fills them in")
    try:
        a = np.asarray(values)
    except ValueError as err:
        raise ValueError(f"{what} is no array: {err}") from None
    if a.dtype.kind in "US" and a.ndim == 1 and not all(isinstance(v, (str, bytes)) for v in listed):
        a = np.empty(len(a), dtype=object)
        a[:] = listed  # the values themselves: NumPy would make texts of numbers and of missing values
    dated = str(a.dtype) if a.dtype.kind in "mM" else ""
    if a.dtype.kind == "O":
        dated = next((type(v).__name__ for v in a.flat if _is_date(v)), "")
    if dated:
        raise ValueError(
            f"{what} has dates ({dated}): give numbers, as the days (t - t.min()) / numpy.timedelta64(1, 'D') of an "
            "array t; or names, t.astype(str)"
        )
    if a.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {what} has the type {a.dtype}")
    return a


def _is_date(value: Any) -> bool:
    kinds = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)
    return isinstance(value, kinds) or type(value).__name__ in ("Period", "NaTType")


def is_missing(value: Any) -> bool:
    """Report whether a value is None, NaN, or NA or NaT of pandas."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, (float, np.floating, np.datetime64, np.timedelta64)) and bool(value != value)


def is_infinite(value: Any) -> bool:
    """Report whether a value is an infinite number."""
    return isinstance(value, (float, np.floating)) and bool(np.isinf(value))


def name(value: Any) -> str:
    """Return the text of a name: 3 and 3.0 are the same one."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return str(int(value))
    return repr(float(value)) if isinstance(value, (float, np.floating)) else str(value)


def floats(a: np.ndarray, what: str) -> np.ndarray:
    """Return an array of objects or texts as numbers, NaN for missing ones."""
    try:
        if a.dtype.kind == "O" and any(type(v).__name__ == "NAType" for v in a.flat):
            a = np.array([np.nan if is_missing(v) else v for v in a.flat], dtype=object).reshape(a.shape)
        return a.astype(np.float64)
    except TypeError as err:
        raise TypeError(f"argument must be a string or a number: {what} has others: {err}") from None
    except ValueError as err:
        raise ValueError(f"{what} has values that are not numbers: {err}") from None


def matrix(X: Any, what: str = "X") -> Any:
    """Return X as a matrix of numbers: an array, or a sparse matrix in the form csr, csc or coo.

    Raises
    ------
    ValueError
        If X is complex, has no rows or features, masked values or dates, or is not a matrix.
    """
    if is_sparse(X):
        a = X if X.format in ("csr", "csc", "coo") else X.tocsr()
        if a.dtype.kind == "c":
            raise ValueError(f"Complex data not supported: {what} has the type {a.dtype}")
    else:
        a = plain(X, what)
        if a.dtype.kind in "OUS":
            a = floats(a, what)
    if a.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {a.ndim}D array instead: {what} has the shape {a.shape}. Reshape your data either "
            "using array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) if it contains a "
            "single sample."
        )
    for axis, thing in enumerate(("sample", "feature")):
        if a.shape[axis] == 0:
            raise ValueError(
                f"Found array with 0 {thing}(s) (shape={a.shape}) while a minimum of 1 is required by {what}."
            )
    return a


class finite:
    """Say where a matrix has NaN or an infinity when the program refuses it: the program alone looks at each entry."""

    def __init__(self, X: Any, nan: bool) -> None:
        self.X, self.nan = X, nan

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, _: Any) -> None:
        if kind is ValueError and re.search("is not a finite number|the value is missing", str(error)):
            check_finite(self.X, self.nan)


def check_finite(X: Any, nan: bool) -> None:
    """Refuse infinities, and NaN unless it is allowed, and say where the first one is."""
    values = X.data if is_sparse(X) else X
    bad = np.isinf(values) if nan else ~np.isfinite(values)
    if not bad.any():
        return
    at = tuple(int(i) for i in np.unravel_index(int(np.argmax(bad)), bad.shape))
    kind = "NaN" if np.isnan(values[at]) else "infinity (inf)"
    place = f"stored value {at[0]}" if is_sparse(X) else f"row {at[0]}, column {at[1]}"
    way = "; missing='mean', 'min' or 'zero' fills in NaN, and 'own' gives it a level" if kind == "NaN" else ""
    raise ValueError(f"Input X contains {kind}: {place}{way}")


def rows(
    X: Any, names: Optional[np.ndarray] = None, levels: Optional[Dict[str, np.ndarray]] = None, **columns: Any
) -> Dict[str, List[Any]]:
    """Return the arrays of an .npz archive of rows: X, names, levels of factors, and the columns that are not None."""
    members: Dict[str, List[Any]] = {}
    if is_sparse(X):
        members["format"] = npy(np.array(X.format))
        members["shape"] = npy(np.array(X.shape, dtype=np.int64))
        parts = ("data", "row", "col") if X.format == "coo" else ("data", "indices", "indptr")
        for part in parts:
            members[part] = npy(getattr(X, part))
    else:
        members["X"] = npy(X)
    if names is not None:
        members["names"] = npy(np.asarray(names, dtype=str))
    for of, texts in (levels or {}).items():
        members[f"levels.{of}"] = npy(texts)
    for of, column in columns.items():
        if column is not None:
            members[of] = npy(column)
    return members


def column(values: Any, rows: int, what: str, of: str = "X") -> Optional[np.ndarray]:
    """Return names, numbers or texts, with an entry for each row of another argument, None for None."""
    if values is None:
        return None
    a = plain(values, what)
    if a.ndim != 1 or len(a) != rows:
        raise ValueError(f"{what} has the shape {a.shape}, and {of} has {rows} rows")
    return names(a, what)


def names(a: np.ndarray, what: str) -> np.ndarray:
    """Return numbers or texts that name something. None, NaN and the like are no names, nor is an infinity."""
    bad = [k for k, v in enumerate(a.tolist()) if is_missing(v)] if a.dtype.kind in "Of" else []
    if bad:
        raise ValueError(f"{what} of row {bad[0]} is missing: {a[bad[0]]}")
    bad = [k for k, v in enumerate(a.tolist()) if is_infinite(v)] if a.dtype.kind in "Of" else []
    if bad:
        raise ValueError(f"{what} of row {bad[0]} is infinite")
    if a.dtype.kind != "O":
        return a
    texts = [isinstance(v, str) for v in a]
    if any(texts) and not all(texts):
        one, other = a[texts.index(True)], a[texts.index(False)]
        raise ValueError(f"{what} has texts and others, such as {one!r} and {other!r}: {what}.astype(str) makes texts")
    return np.array([name(v) for v in a])


def numbers(values: Any, rows: int, what: str, of: str) -> np.ndarray:
    """Return a finite number for each row of another argument."""
    a = plain(values, what)
    if a.shape not in ((rows,), (rows, 1)):
        raise ValueError(f"{what} has the shape {a.shape}, and {of} has {rows} rows")
    a = (floats(a, what) if a.dtype.kind in "OUS" else a.astype(np.float64)).ravel()
    if not np.isfinite(a).all():
        at = int(np.argmax(~np.isfinite(a)))
        raise ValueError(f"{what} of row {at} is {'missing' if np.isnan(a[at]) else 'infinite'}")
    return a


def labels(y: Any, rows: Optional[int] = None) -> np.ndarray:
    """Return labels: a number or text for each row, or some numbers.

    Raises
    ------
    ValueError
        If there are none, not one for each row, or one is missing, masked, a date or complex.
    """
    if y is None:
        raise ValueError("fit requires y to be passed, but the target y is None")
    a = plain(_places(y), "y")
    if a.ndim == 2 and a.shape[1] == 1:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of y to "
            "(n_samples, ), for example using ravel().",
            _sklearn_class("DataConversionWarning", UserWarning),
            stacklevel=4,
        )
        a = a.ravel()
    if a.ndim not in (1, 2):
        raise ValueError(f"y should be a 1d array, got an array of shape {a.shape} instead.")
    if rows is not None and len(a) != rows:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{rows}, {len(a)}]: y has "
                         f"{len(a)} labels, and X has {rows} rows")
    if a.dtype.kind == "O":
        try:
            a = floats(a, "y")
        except (TypeError, ValueError):
            a = names(a, "y")
    if a.dtype.kind == "f" and not np.isfinite(a).all():
        raise ValueError("y contains NaN or infinity: a label is a finite number.")
    return a


def _places(y: Any) -> Any:
    """Return the places of ordered categories that are texts, from 0, NaN where one is missing; else what was given."""
    dtype = getattr(y, "dtype", None)
    if not getattr(dtype, "ordered", False) or dtype.categories.dtype.kind != "O":
        return y
    places = np.asarray(getattr(y, "cat", y).codes)
    return np.where(places < 0, np.nan, places)


def outcome(y: Any, rows: Optional[int] = None) -> Tuple[Dict[str, np.ndarray], List[str]]:
    """Return what rows are judged by, as columns of an archive, and the flags about them: labels, or censored times.

    Times are a structured array of two fields, as scikit-survival has them: a boolean, whether the event was seen, and
    the time.

    Raises
    ------
    ValueError
        If the fields are others, or as `labels` raises it.
    """
    if not is_timed(y):
        return {"y": labels(y, rows)}, []
    kinds = {name: y.dtype[name].kind for name in y.dtype.names}
    seen = [name for name, kind in kinds.items() if kind == "b"]
    times = [name for name, kind in kinds.items() if kind in "iuf"]
    if len(kinds) != 2 or len(seen) != 1 or len(times) != 1:
        raise ValueError(f"y has the fields {', '.join(kinds)}: censored times have two, a boolean that says whether "
                         "the event was seen, and the time")
    if rows is not None and y.shape != (rows,):
        raise ValueError(f"y has the shape {y.shape}, and X has {rows} rows")
    return {"time": numbers(y[times[0]], len(y), "y", "X"), "event": y[seen[0]].astype(np.int8)}, ["--time=time", "--event=event"]


def is_timed(y: Any) -> bool:
    """Report whether y is a structured array."""
    return getattr(getattr(y, "dtype", None), "names", None) is not None


def weights(values: Any, rows: int, of: str = "X") -> Optional[np.ndarray]:
    """Return the weights of rows, None for None. A number is the weight of each."""
    if values is None:
        return None
    w = numbers(np.full(rows, values) if np.isscalar(values) else values, rows, "sample_weight", of)
    if (w < 0).any():
        raise ValueError(f"sample_weight of row {int(np.argmax(w < 0))} is below 0: {w.min()}")
    return w


def _sklearn_class(name: str, otherwise: Any) -> Any:
    """Return a class of scikit-learn's exceptions where it is loaded."""
    exceptions = sys.modules.get("sklearn.exceptions")
    return getattr(exceptions, name, otherwise) if exceptions else otherwise


def not_fitted(estimator: Any) -> Exception:
    """Return the error of an estimator that is used before it is fitted."""
    return _sklearn_class("NotFittedError", NotFittedError)(
        f"This {type(estimator).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments before "
        "using this estimator."
    )


class NotFittedError(ValueError, AttributeError):
    """An estimator is used before it is fitted. Where scikit-learn is loaded, its own class of this name is raised."""
