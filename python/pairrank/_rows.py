"""Estimators that learn from rows: RankRLS, RLS, RankSVM, RankBoost."""

from __future__ import annotations

import warnings
from typing import Any, Dict, List, Optional, Tuple, TypeVar

import numpy as np

from . import _arrays, _base, _features, _options, _routing, _scores, _worker

Self = TypeVar("Self", bound="RowEstimator")

MODEL = _base.MODEL
ROWS, LABELS, KERNEL, SCORES = "X.npz", "Y.npy", "K.npy", "scores.npy"  # names of files in requests
BESIDE = "beside.npy"


class RowEstimator(_routing.Routed, _base.Estimator):
    """A learner of rows."""

    _learner = ""
    _estimator_type = "ranker"
    kernel: Any = "linear"
    factor_columns: Any = None
    _factors: List[str] = []

    def fit(
        self: Self,
        X: Any,
        y: Any,
        groups: Any = None,
        *,
        qid: Any = None,
        together: Any = None,
        fold: Any = None,
        preferences: Any = None,
        sample_weight: Any = None,
        beside: Any = None,
        interval: bool = False,
        progress: Any = None,
    ) -> Self:
        """Learn from rows, and choose λ, kernel or rounds by the exact held-out error.

        Parameters
        ----------
        X : array, sparse matrix of SciPy or DataFrame of pandas, shape (m, n)
            The features; with ``kernel="precomputed"`` the kernel matrix, shape (m, m). The names of the columns of a
            frame become those of the model. A column of categories, or one of `factor_columns`, becomes a feature for
            each of its texts, 1 where the row has it.
        y : array, shape (m,) or (m, v)
            The labels: numbers, larger is better, or two texts, of which the second one in order counts as 1, or
            ordered categories of pandas, of which each counts by its place. RankRLS and RLS take some labels for each
            row. Or censored times: a structured array of two fields, a boolean that
            says whether the event was seen, and the time, as ``sksurv.util.Surv`` makes it. Scores grow with the time.
        groups, qid : array, shape (m,), optional
            The query of each row, by either name. Rows of different queries are not compared. Without them the rows
            are one list.
        together : array, shape (m,), optional
            Groups of rows that are held out together, as the samples of a patient.
        fold : array, shape (m,), optional
            The folds of ``select="kfold"``.
        preferences : array, shape (p, 2), (p, 3) or (p, 4), optional
            Preferences instead of labels: rows i and j, from 0, where i is preferred, and their magnitude and weight.
        sample_weight : array, shape (m,), optional
            How much each row counts: a pair counts the product of the weights of its rows. A row of weight 0 is absent.
        beside : array, shape (m,), optional
            Another tool's out-of-fold scores: ``training_["beside"]`` compares them with the held-out scores of the
            choice, and with both half and half, as `estimate` does.
        interval : bool
            Compute `interval_`, too, as `estimate` does: by the choice and training of 60 halves of the rows.
        progress : bool or callable, optional
            Show a bar, with tqdm where it is installed, or call a function with each event.

        Returns
        -------
        self
            It has `model_` (the bytes of the model file), `lambda_`, `kernel_`, `error_` (the held-out error of the
            choice), `interval_` (of 95 %, with ``interval=True``), `error_path_` (of all values), `notes_`,
            `warnings_`, `training_` (the document of ``train --json``), `n_features_in_`, and with names
            `feature_names_in_`.

        Raises
        ------
        ValueError
            If the data or an option is wrong. Its text is that of the program.
        MemoryError
            If the problem does not fit into free memory.
        NumericalError
            If the computation breaks down.
        KeyboardInterrupt
            If Ctrl-C stopped the work.

        Notes
        -----
        Time and memory are those of ``pairrank train``, and a copy of X, which the program works on.
        """
        found = _features.features(X, factors=_listed(self.factor_columns))
        X, names, levels = found.X, found.names, found.levels
        m, n = X.shape
        if m == 1 and (self._estimator_type == "ranker" or getattr(self, "lambdas", None) is None):
            raise ValueError("there is one sample (n_samples=1), so nothing can be learnt about an order")
        files: List[_arrays.File] = []
        args = ["train", ROWS, f"--learner={self._learner}"]
        columns = {
            "qid": _queries(groups, qid, m),
            "group": _arrays.column(together, m, "together"),
            "fold": _arrays.column(fold, m, "fold"),
            "weight": _arrays.weights(sample_weight, m),
        }
        args += [f"--{role}-column={role}" for role in ("group", "fold", "weight") if columns[role] is not None]
        columns.update(self._labels(y, m, preferences, args, files))
        if self._precomputed():
            args.append(f"--kernel-matrix={KERNEL}")
            files.append(_arrays.File(KERNEL, {"X": _arrays.npy(_dense(X))}))
            if levels:
                raise ValueError("X is a kernel matrix, which has no categories")
            rows, names = np.zeros((m, 1)), None
        else:
            rows = X
        files.insert(0, _arrays.File(ROWS, _arrays.rows(rows, names, levels, **columns)))
        _beside(args, files, beside, m, sample_weight)
        with _arrays.finite(X, self._nan()):
            self._learn(args, files, progress, interval)
        self.n_features_in_, self._factors = n, list(levels)
        self.__dict__.pop("feature_names_in_", None)
        if names is not None:
            self.feature_names_in_ = names
        return self

    def _labels(
        self, y: Any, m: int, preferences: Any, args: List[str], files: List[_arrays.File]
    ) -> Dict[str, np.ndarray]:
        """Return the columns of the labels of rows, and add what else the learner is to be told of them."""
        self.__dict__.pop("classes_", None)
        if preferences is not None:
            p = _arrays.matrix(preferences, "preferences")
            if p.shape[1] not in (2, 3, 4):
                raise ValueError(f"preferences has the shape {p.shape}, not (p, 2), (p, 3) or (p, 4)")
            if not np.isfinite(p).all():
                raise ValueError("preferences has missing or infinite values")
            if not np.isin(p[:, :2], np.arange(m)).all():
                raise ValueError(f"preferences has rows that are not whole numbers from 0 to {m - 1}")
            same = np.flatnonzero(p[:, 0] == p[:, 1])
            if len(same):
                raise ValueError(f"preferences of row {same[0]} prefers row {int(p[same[0], 0])} to itself")
            lines = "".join(
                f"{int(r[0]) + 1}\t{int(r[1]) + 1}" + "".join(f"\t{float(v)!r}" for v in r[2:]) + "\n" for r in p
            )
            files.append(_arrays.File("preferences.tsv", text=lines.encode(), argument="preferences"))
            args.append("--preferences=preferences.tsv")
            return {"y": np.zeros(m)}
        found, flags = _arrays.outcome(y, m)
        args += flags
        if "y" not in found:
            return found
        labels = found["y"]
        if labels.ndim == 2:
            if labels.dtype.kind in "US":
                raise ValueError("the labels of several outputs are numbers")
            files.append(_arrays.File(LABELS, {"Y": _arrays.npy(labels)}, argument="y"))
            args.append(f"--labels={LABELS}")
            return {"y": np.zeros(m)}
        values = np.unique(labels[:100])
        if len(values) <= 2 or labels.dtype.kind in "US":
            values = np.unique(labels)  # of numbers it matters only whether there are two
        if labels.dtype.kind in "US":
            if len(values) != 2:
                raise ValueError(
                    f"Unknown label type: {len(values)} different texts; labels are numbers, or two texts"
                )
            args.append(f"--positive={values[1]}")
        if len(values) == 2:
            self.classes_ = values
        return found

    def _flagged(self) -> Dict[str, Any]:
        return {k: v for k, v in self._options().items() if k != "factor_columns"}

    def _precomputed(self) -> bool:
        return self.kernel == "precomputed"

    def predict(self, X: Any, groups: Any = None, *, beside: Any = None) -> np.ndarray:
        """Return the scores of rows: higher is better, compared within a query only.

        Parameters
        ----------
        X : array, sparse matrix or DataFrame, shape (m, n)
            The features; of a precomputed kernel the kernel between these rows and those of training. The columns of a
            frame are found by their names, in any order.
        groups : array, shape (m,), optional
            The query of each row, for `beside`.
        beside : array, shape (m,), optional
            Another tool's scores of the rows: return the mean of both, each standardised within the query (mean 0,
            deviation 1; where all scores tie, 0). It depends on the whole query.

        Returns
        -------
        array, shape (m,) or (m, v)
        """
        model = self._model_file()
        known = getattr(self, "feature_names_in_", None)
        names, levels, X = self._features(X)
        if groups is not None and beside is None:
            raise ValueError("groups are the queries within which beside is standardised: give beside, too")
        if beside is None and not levels and isinstance(X, np.ndarray):
            scores = self._scores(X, names)
            if scores is not None:
                return scores
        args = ["predict", MODEL, "-o", SCORES, "--progress=none"]
        if self._precomputed():
            args.append(f"--kernel-matrix={KERNEL}")
            files = [_arrays.File(KERNEL, {"X": _arrays.npy(_dense(X))})]
            rows, names, levels = np.zeros((X.shape[0], 1)), None, {}
        else:
            args += self._reading()
            files, rows, names = [], X, known if names is None else names
        if beside is not None or not files:
            args.insert(2, ROWS)
            qid = _arrays.column(groups, X.shape[0], "groups")
            files.append(_arrays.File(ROWS, _arrays.rows(rows, names, levels, qid=qid)))
            _beside(args, files, beside, X.shape[0])
        with _arrays.finite(X, self._nan()):
            return _arrays.from_npy(_worker.call(args, [model, *files], [SCORES]).files[SCORES])

    def _scores(self, X: np.ndarray, names: Optional[np.ndarray]) -> Optional[np.ndarray]:
        """Return the scores of an array without the program, None where it has to look at the rows."""
        scorer = _scores.scorer_of(self.model_)
        if scorer is None or names is not None and list(names) != list(getattr(self, "feature_names_in_", ())):
            return None
        return scorer.scores(X, self.missing)  # type: ignore[attr-defined]

    def _nan(self) -> bool:
        """Report whether NaN is a missing value that is filled in."""
        return self.missing != "error"  # type: ignore[attr-defined]

    def _reading(self) -> List[str]:
        """Return the flags of how rows are read."""
        return [f"--missing={self.missing}"] if self._nan() else []  # type: ignore[attr-defined]

    def _features(self, X: Any) -> Tuple[Optional[np.ndarray], Dict[str, np.ndarray], Any]:
        """Return the names of the columns of new rows, the levels of factors, and the rows as a matrix."""
        known = getattr(self, "feature_names_in_", None)
        names = _arrays.names_of(X)
        here = known if names is None else names
        found = _features.features(X, factors=[f for f in self._factors if here is None or f in here], known=known)
        self._check_features(found.X, names)
        return names, found.levels, found.X

    def _check_features(self, X: Any, names: Optional[np.ndarray]) -> None:
        known = getattr(self, "feature_names_in_", None)
        kind = type(self).__name__
        if known is not None and names is None:
            warnings.warn(
                f"X does not have valid feature names, but {kind} was fitted with feature names", stacklevel=3
            )
        elif known is None and names is not None:
            warnings.warn(f"X has feature names, but {kind} was fitted without feature names", stacklevel=3)
        elif known is not None and names is not None and sorted(known) != sorted(names):
            raise ValueError(_wrong_names(known, names))
        if X.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {X.shape[1]} features, but {kind} is expecting {self.n_features_in_} features as input"
            )

    @property
    def decision_function(self) -> Any:
        """The scores of rows, where the labels of training had two values: `predict` by the name of classifiers."""
        if "classes_" not in self.__dict__:
            raise AttributeError("decision_function is there where the labels of training have two values")
        return self.predict

    @property
    def predict_proba(self) -> Any:
        """There is none: scikit-learn's tools use `decision_function` instead.

        Raises
        ------
        AttributeError
            Always, with the reason.
        """
        raise AttributeError(
            "predict_proba: scores say which row stands above which, and are no probabilities; decision_function gives "
            "the scores, and a logistic regression of labels on held-out scores gives probabilities"
        )

    def score(
        self, X: Any, y: Any, groups: Any = None, *, qid: Any = None, sample_weight: Any = None
    ) -> float:
        """Return the share of pairs in the right order, tied scores counting one half, as a mean over queries.

        For censored times it is the c-index, over the pairs of all queries.

        Parameters
        ----------
        X : array, sparse matrix or DataFrame, shape (m, n)
            The features, as of `predict`.
        y : array, shape (m,)
            The labels, or censored times, as of `fit`.
        groups, qid : array, shape (m,), optional
            The query of each row. Without them all rows are one list.
        sample_weight : array, shape (m,), optional
            How much each row counts, as of `fit`.

        Returns
        -------
        float
            1 less the disagreement of ``pairrank evaluate``; NaN where no query has two different labels.
        """
        from ._verbs import evaluate

        timed = _arrays.is_timed(y)
        y = y if timed else _arrays.labels(y)
        if "classes_" in self.__dict__ and y.dtype.kind not in "biufV":
            y = (y.astype(str) == self.classes_[1]).astype(float)
        f = self.predict(X)
        queries = _queries(groups, qid, len(f))
        metric = "c-index" if timed else "disagreement"
        y = y if timed else _arrays.labels(y, len(f))
        mean = evaluate(y, f, queries, sample_weight=sample_weight, metrics=metric)["metrics"][metric]["mean"]
        if mean is None:
            return float("nan")
        return mean if timed else 1.0 - mean

    @property
    def coef_(self) -> np.ndarray:
        """The weights of the features, as the model file has them: shape (n,) or, of v outputs, (v, n).

        With ``normalize`` they are those of normalised features. Models of kernels have none.
        """
        if "model_" not in self.__dict__:
            raise AttributeError("coef_ is there after fit")
        weights = self._inspected().get("weights")
        if weights is None:
            raise AttributeError("coef_ is there for the linear kernel")
        w = np.array([of["weights"] for of in sorted(weights, key=lambda of: of["feature"])], dtype=np.float64)
        return w[:, 0] if w.shape[1] == 1 else w.T

    @property
    def shapes_(self) -> Dict[Any, Any]:
        """The curves of a model of splines, one a feature, by falling importance: a score is their sum, but for a constant.

        The keys are the names of the features, without names their numbers from 1; a factor is one of them. Each value
        is a dict, of several outputs a list of them: ``x`` are the ends and the knots on the scale of the data and
        ``adds`` the score there, less its mean over the rows of training, so that ``plt.plot(s["x"], s["adds"])`` draws
        it; ``knots`` and ``slopes``, below the first, between two and above the last; ``importance``, the standard
        deviation of the curve over the rows of training; ``rug``, the least value, the nine deciles and the largest. A
        factor has ``levels`` in place of ``x``. With ``missing="own"``, ``missing`` is what a missing value adds.
        """
        if "model_" not in self.__dict__:
            raise AttributeError("shapes_ is there after fit")
        shapes = self._inspected().get("shapes")
        if shapes is None:
            raise AttributeError("shapes_ is there for splines")
        out: Dict[Any, Any] = {}
        for s in shapes:
            key = s.get("name") or s["number"]
            shape = {k: np.array(v) if isinstance(v, list) else v for k, v in s.items() if k not in ("name", "output")}
            out[key] = [*out.get(key, []), shape] if "output" in s else shape
        return out

    def _inspected(self) -> Dict[str, Any]:
        """Return what `inspect` says of the model file, which may be compressed."""
        return _worker.call(["inspect", MODEL, "--json"], [self._model_file()]).json()

    def _tags(self) -> Dict[str, Any]:
        return {
            "requires_y": True,
            "allow_nan": self._nan(),
            "pairwise": self._precomputed(),
            "_xfail_checks": {
                f"check_sample_weight_equivalence_on_{kind}_data": "a copy of a row is held out apart from it, so that λ is "
                "chosen by other pairs: it holds for one λ"
                for kind in ("dense", "sparse")
            },
        }


def _beside(args: List[str], files: List[_arrays.File], scores: Any, rows: int, weights: Any = None) -> None:
    """Add another tool's scores to a request, unless they are None."""
    if scores is not None:
        files.append(_scores_file(BESIDE, scores, rows, "beside", "X", weights))
        args.append(f"--beside={BESIDE}")


def _scores_file(name: str, scores: Any, rows: int, what: str, of: str, weights: Any) -> _arrays.File:
    if weights is not None and np.shape(scores) == np.shape(weights):
        scores = np.where(np.asarray(weights) == 0, 0.0, scores)  # rows of weight 0 need no score
    return _arrays.File(name, {"scores": _arrays.npy(_arrays.numbers(scores, rows, what, of))}, argument=what)


def _queries(groups: Any, qid: Any, rows: int) -> Optional[np.ndarray]:
    """Return the query of each row, which a caller gives by one of two names."""
    if groups is not None and qid is not None:
        raise ValueError("groups and qid are two names of the queries: give one of them")
    return _arrays.column(qid, rows, "qid") if groups is None else _arrays.column(groups, rows, "groups")


def _listed(factors: Any) -> List[str]:
    """Return `factor_columns` as a list: a text has commas."""
    return [] if factors is None else factors.split(",") if isinstance(factors, str) else [str(f) for f in factors]


def _dense(X: Any) -> np.ndarray:
    if _arrays.is_sparse(X):
        raise ValueError("a kernel matrix is not sparse: X.toarray() makes a dense one")
    return X


def _wrong_names(known: np.ndarray, names: np.ndarray) -> str:
    """Return what is wrong with the names of features, as scikit-learn says it."""
    text = "The feature names should match those that were passed during fit.\n"
    unknown, missing = sorted(set(names) - set(known)), sorted(set(known) - set(names))
    for what, listed in (("Feature names unseen at fit time", unknown), ("Feature names seen at fit time, yet now "
                         "missing", missing)):
        if listed:
            text += f"{what}:\n" + "".join(f"- {name}\n" for name in listed[:5]) + "- ...\n" * (len(listed) > 5)
    return text


class RankRLS(_options.RankRLSOptions, RowEstimator):
    __doc__ = f"""Ranking by regularised least squares over pairs.

    It minimises Σ w_ij ((y_i − y_j) − (f_i − f_j))² + λ‖f‖² over the pairs of a query, and chooses λ by the exact
    error on held-out queries, or on held-out pairs where the rows are one list.
    {_options.RankRLSOptions.__doc__}
    References
    ----------
    Pahikkala, Tsivtsivadze, Airola, Järvinen, Boberg: An efficient algorithm for learning to rank from preference
    graphs, Machine Learning 75, 2009.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [4.0, 1.0]])
    >>> model = RankRLS(lambdas=1.0).fit(X, [1, 2, 3, 4])
    >>> [int(i) for i in np.argsort(-model.predict(X))]
    [3, 2, 1, 0]
    >>> model.lambda_
    1
    """
    _learner = "rankrls"

    def _tags(self) -> Dict[str, Any]:
        return {**super()._tags(), "multioutput": True}


class RLS(_options.RLSOptions, RowEstimator):
    __doc__ = f"""Regularised least squares: Σ (y_i − f_i)² + λ‖f‖², without an intercept.

    λ is chosen as RankRLS chooses it. `score` is R², as of regressors.
    {_options.RLSOptions.__doc__}
    References
    ----------
    Rifkin, Lippert: Notes on regularized least squares, MIT-CSAIL-TR-2007-025, 2007.
    """
    _learner = "rls"
    _estimator_type = "regressor"

    def score(
        self, X: Any, y: Any, groups: Any = None, *, qid: Any = None, sample_weight: Any = None
    ) -> float:
        """Return the coefficient of determination R², the mean over outputs.

        Parameters
        ----------
        X : array, sparse matrix or DataFrame, shape (m, n)
            The features, as of `predict`.
        y : array, shape (m,) or (m, v)
            The labels.
        groups, qid : array, shape (m,), optional
            They do not matter: R² is over all rows.
        sample_weight : array, shape (m,), optional
            How much each row counts, also for the mean of the labels.
        """
        f = self.predict(X)
        y = _arrays.labels(y, len(f)).astype(np.float64)
        given = _arrays.weights(sample_weight, len(f))
        w = np.ones(len(f)) if given is None else given
        w = w if y.ndim == 1 else w[:, None]
        of = (w * (y - f) ** 2).sum(axis=0) / (w * (y - (w * y).sum(axis=0) / w.sum()) ** 2).sum(axis=0)
        return float(np.mean(1.0 - of))

    def _tags(self) -> Dict[str, Any]:
        return {**super()._tags(), "multioutput": True}


class RankSVM(_options.RankSVMOptions, RowEstimator):
    __doc__ = f"""Ranking by a hinge loss of pairs: the mean of max(0, 1 − (f_i − f_j)) over y_i > y_j, + λ‖f‖².
    {_options.RankSVMOptions.__doc__}
    References
    ----------
    Airola, Pahikkala, Salakoski: Training linear ranking support vector machines in linearithmic time using red-black
    trees, Pattern Recognition Letters 32, 2011.
    """
    _learner = "ranksvm"

    def _tags(self) -> Dict[str, Any]:
        ten = "its ten rows have no two of different labels in one of ten folds, so that no λ can be judged"
        tags = super()._tags()
        tags["_xfail_checks"].update(check_estimators_nan_inf=ten, check_fit2d_1feature=ten)
        return tags


class RankBoost(_options.RankBoostOptions, RowEstimator):
    __doc__ = f"""Ranking by sums of decision stumps: the mean of exp(f_j − f_i) over y_i > y_j, round by round.
    {_options.RankBoostOptions.__doc__}
    References
    ----------
    Freund, Iyer, Schapire, Singer: An efficient boosting algorithm for combining preferences, JMLR 4, 2003.
    """
    _learner = "rankboost"

    @property
    def rounds_(self) -> int:
        """The number of rounds that was chosen."""
        if "rounds" not in self.__dict__.get("training_", {}):
            raise AttributeError("rounds_ is there after fit")
        return self.training_["rounds"]
