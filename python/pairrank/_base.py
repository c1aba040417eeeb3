"""What all estimators share: scikit-learn's protocol of parameters, models as bytes, options as flags."""

from __future__ import annotations

import inspect
from typing import Any, Dict, List, Optional, TypeVar

import numpy as np

from . import _arrays, _worker

Self = TypeVar("Self", bound="Estimator")

MODEL = "model.txt"  # name of the model in requests


_BARE = {"nested", "importance", "spline"}  # options that may stand without their value


def flags(options: Dict[str, Any]) -> List[str]:
    """Return options of Python as flags of the command: their names have underscores, and lists are joined.

    >>> flags({"query_weight": "size", "one_se": True, "metric": None, "lambdas": [0.5, 2], "spline_in": {"a": 6}})
    ['--query-weight=size', '--one-se=true', '--lambdas=0.5,2', '--spline-in=a=6']
    """
    given: List[str] = []
    for name, value in options.items():
        name = name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            given.append(f"--{name}" if name in _BARE else f"--{name}=true")
            continue
        if name == "lambdas" and np.isscalar(value) and not isinstance(value, str):
            name = "lambda"
        given.append(f"--{name}={_text(value)}")
    return given


def _text(value: Any) -> str:
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(_text(v) for v in value)
    if isinstance(value, dict):
        return ",".join(_quoted(f"{name}={_text(v)}") for name, v in value.items())
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    return str(value)


def _quoted(item: str) -> str:
    """Return an item of a list as CSV has it."""
    return '"' + item.replace('"', '""') + '"' if any(c in item for c in ',"\r\n') else item


class Estimator:
    """An estimator with scikit-learn's protocol, whether or not that is installed.

    The parameters are those of the constructor, and are checked by `fit` alone.
    """

    _required_parameters: List[str] = []

    @classmethod
    def _names(cls) -> List[str]:
        return sorted(p for p in inspect.signature(cls.__init__).parameters if p != "self")

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """Return the parameters by name.

        Parameters
        ----------
        deep : bool
            It has no effect: no parameter is an estimator.
        """
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self: Self, **params: Any) -> Self:
        """Set parameters by name, and return the estimator.

        Parameters
        ----------
        **params
            The parameters of the constructor.

        Raises
        ------
        ValueError
            If there is no such parameter.
        """
        known = self._names()
        for name, value in params.items():
            if name not in known:
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator {self!r}. Valid parameters are: {known!r}."
                )
            setattr(self, name, value)
        return self

    def _options(self) -> Dict[str, Any]:
        """Return the parameters that differ from their defaults."""
        of = inspect.signature(type(self).__init__).parameters
        given = {name: getattr(self, name) for name in of if name != "self"}
        return {k: v for k, v in given.items() if v is not None and not (np.isscalar(v) and v == of[k].default)}

    def _flagged(self) -> Dict[str, Any]:
        """Return the options that are flags of the program."""
        return self._options()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self._options().items())})"

    def __getstate__(self) -> Dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k != "_file"}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "model_" in state:
            self._set_model(state["model_"])

    def __sklearn_is_fitted__(self) -> bool:
        return "model_" in self.__dict__

    def _tags(self) -> Dict[str, Any]:
        """Return the tags that are not the default ones, as scikit-learn before 1.6 calls them."""
        return {}

    def _more_tags(self) -> Dict[str, Any]:
        return self._tags()

    def _get_tags(self) -> Dict[str, Any]:
        try:
            from sklearn.utils._tags import _DEFAULT_TAGS
        except ImportError:
            return self._tags()
        return {**_DEFAULT_TAGS, **self._tags()}

    def __sklearn_tags__(self) -> Any:
        """Return the tags of scikit-learn 1.6 and later, which are those of `_get_tags` by other names."""
        from sklearn.utils import InputTags, RegressorTags, Tags, TargetTags

        tags = self._tags()
        kind = getattr(self, "_estimator_type", None)
        rows = "X_types" not in tags
        return Tags(
            estimator_type=kind,
            target_tags=TargetTags(
                required=tags.get("requires_y", False), multi_output=tags.get("multioutput", False)
            ),
            regressor_tags=RegressorTags() if kind == "regressor" else None,
            input_tags=InputTags(
                two_d_array=rows,
                sparse=rows,
                categorical=rows,
                allow_nan=tags.get("allow_nan", False),
                pairwise=tags.get("pairwise", False),
            ),
            _skip_test=not rows,
        )

    def _set_model(self, text: bytes) -> None:
        self.model_ = bytes(text)
        self._file = _arrays.File(MODEL, text=self.model_, remember=True, argument="model")

    def _model_file(self) -> _arrays.File:
        if "model_" not in self.__dict__:
            raise _arrays.not_fitted(self)
        return self._file

    def _learn(self, args: List[str], files: List[_arrays.File], progress: Any, interval: bool) -> None:
        """Run a verb that trains. The model becomes `model_`."""
        answer = _worker.call(
            [*args, *flags(self._flagged()), "-o", MODEL, "--json", "--progress=json"],
            files,
            [MODEL],
            progress,
            stacklevel=5,
        )
        document = answer.json()
        asked = interval and _selection(document)
        self.interval_ = self._estimated(args, files, progress) if asked else None
        self.notes_ = answer.notes
        self.warnings_ = answer.warnings
        self._set_model(answer.files[MODEL])
        self.training_ = document
        self._choice(document)

    def _estimated(self, args: List[str], files: List[_arrays.File], progress: Any) -> Optional[np.ndarray]:
        """Return the interval of the estimate that the verb cv makes of the same choice."""
        options = self._flagged()
        options["method"] = options.pop("select", None)
        cv = ["cv" if arg == "train" else arg for arg in args]
        answer = _worker.call(
            [*cv, *flags(options), "--interval=halves", "--json", "--progress=json"], files, (), progress, stacklevel=6
        )
        return interval_of(answer.json()["best"])

    def _choice(self, document: Dict[str, Any]) -> None:
        """Set what the choice found: λ, or the rounds, and the held-out errors."""
        self.kernel_ = document.get("kernel")
        self.lambda_ = document.get("lambda")
        selection = _selection(document)
        if not selection:
            self.error_, self.error_path_ = None, None
            return
        chosen = document.get("best") or next((s for s in selection if s.get("chosen")), None)
        self.error_ = chosen["error"] if chosen else None
        of = "rounds" if "rounds" in selection[0] else "lambda"
        self.error_path_ = np.array([[s.get(of, np.nan), _number(s["error"])] for s in selection])

    def save(self, path: Any) -> None:
        """Write the model to a file, which is that of the command, to the byte.

        Parameters
        ----------
        path : path
            The file, which is replaced.
        """
        text = self._model_file().text
        assert text is not None
        with open(path, "wb") as f:
            f.write(text)


def _selection(document: Dict[str, Any]) -> List[Dict[str, Any]]:
    """Return the values that were chosen from, with their errors: of rows, of edges, or none."""
    return document.get("selection") or document.get("results") or []


def interval_of(found: Dict[str, Any]) -> Optional[np.ndarray]:
    """Return the 95 % interval of a number of a document, None where it has none."""
    return np.array(found["ci95"], dtype=np.float64) if found.get("ci95") else None


def _number(value: Optional[float]) -> float:
    return np.nan if value is None else value
