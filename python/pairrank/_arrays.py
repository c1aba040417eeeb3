"""What Python has as data, as arrays of the program: NumPy, SciPy and pandas, copied only where they must be."""

from __future__ import annotations

import ast
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

    A text that the program is to remember is sent once.
    """

    name: str
    members: Optional[Dict[str, List[Any]]] = None
    text: Optional[bytes] = None
    remember: bool = False
    sum: Optional[str] = None


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


def _array(values: Any, what: str) -> np.ndarray:
    """Return values as an array, without the mask that np.asarray would drop."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise ValueError(f"{what} has masked values; {what}.filled(VALUE) fills them in")
    return np.asarray(values)


def matrix(X: Any, what: str = "X") -> Any:
    """Return X as a matrix of numbers: an array, or a sparse matrix in the form csr, csc or coo.

    Raises
    ------
    ValueError
        If X is complex, has no rows or features or masked values, or is not a matrix.
    """
    if is_sparse(X):
        if X.format not in ("csr", "csc", "coo"):
            X = X.tocsr()
        a = X
    else:
        a = _array(X, what)
        if a.dtype.kind in "OUS":
            a = _numbers(a)
    if a.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {what} has the type {a.dtype}")
    if a.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got {a.ndim}D array instead: {what} has the shape {a.shape}. Reshape your data either "
            "using array.reshape(-1, 1) if your data has a single feature or array.reshape(1, -1) if it contains a "
            "single sample."
        )
    for axis, thing in enumerate(("sample", "feature")):
        if a.shape[axis] == 0:
            raise ValueError(f"Found array with 0 {thing}(s) (shape={a.shape}) while a minimum of 1 is required.")
    return a


class finite:
    """Say where a matrix has NaN or an infinity when the program refuses it: the program alone looks at each entry."""

    def __init__(self, X: Any, nan: bool) -> None:
        self.X, self.nan = X, nan

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, _: Any) -> None:
        if kind is ValueError and "is not a finite number" in str(error):
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
    raise ValueError(f"Input X contains {kind}: {place}; missing='mean', 'min' or 'zero' fills in NaN")


def _numbers(a: np.ndarray) -> np.ndarray:
    """Return an array of objects or texts as numbers."""
    try:
        return a.astype(np.float64)
    except TypeError as err:
        raise TypeError(f"argument must be a string or a number: {err}") from None
    except ValueError as err:
        raise ValueError(f"the features are not numbers: {err}") from None


def rows(X: Any, names: Optional[np.ndarray] = None, **columns: Any) -> Dict[str, List[Any]]:
    """Return the arrays of an .npz archive of rows: X, names, and the columns that are not None."""
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
    for name, column in columns.items():
        if column is not None:
            members[name] = npy(column)
    return members


def column(values: Any, rows: int, what: str) -> Optional[np.ndarray]:
    """Return a column of numbers or texts with an entry for each row, None for None."""
    if values is None:
        return None
    a = _array(values, what)
    if a.ndim != 1 or len(a) != rows:
        raise ValueError(f"{what} has the shape {a.shape}, and there are {rows} rows")
    return _texts(a, what) if a.dtype.kind == "O" else a


def _texts(a: np.ndarray, what: str) -> np.ndarray:
    """Return an array of objects as texts. None, NaN and NA are no texts, and no names: they are refused."""
    for i, value in enumerate(a):
        if not isinstance(value, str) and str(value) in ("None", "nan", "<NA>", "NaT"):
            raise ValueError(f"{what} of row {i} is missing: {value}")
    return a.astype(str)


def labels(y: Any, rows: int) -> np.ndarray:
    """Return labels: a number or text for each row, or some numbers.

    Raises
    ------
    ValueError
        If there are none, not one for each row, or one is missing, masked or complex.
    """
    if y is None:
        raise ValueError("fit requires y to be passed, but the target y is None")
    a = _array(y, "y")
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
    if len(a) != rows:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{rows}, {len(a)}]")
    if a.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: y has the type {a.dtype}")
    if a.dtype.kind == "O":
        try:
            a = a.astype(np.float64)
        except (TypeError, ValueError):
            a = _texts(a, "y")
    if a.dtype.kind == "f" and not np.isfinite(a).all():
        raise ValueError("y contains NaN or infinity: a label is a finite number.")
    return a


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
