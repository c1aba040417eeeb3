"""The verbs of the command as functions over arrays: their results are the documents of ``--json``."""

from __future__ import annotations

import html
import json
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple, Union

import numpy as np

from . import _arrays, _base, _events, _features, _tables, _worker
from ._relation import PairwiseRelation
from ._rows import RLS, ROWS, RankBoost, RankRLS, RankSVM, RowEstimator, _beside, _listed, _scores_file

PAGE, OUT = "report.html", "out"


class Page:
    """A page of figures with their numbers, in one HTML file. A notebook shows it."""

    def __init__(self, text: str) -> None:
        self.html = text

    def save(self, path: Any) -> None:
        """Write the page to a file.

        Parameters
        ----------
        path : path
            The file, which is replaced.
        """
        with open(path, "w", encoding="utf-8") as f:
            f.write(self.html)

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self.html)}" style="width:100%;height:40em;border:0"></iframe>'


class Document(Mapping[str, Any]):
    """A document of the program: its members by their names in JSON, and its main table as a DataFrame."""

    def __init__(self, document: Dict[str, Any], answer: _events.Answer, table: str = "results") -> None:
        self.document, self._table = document, table
        self.notes, self.warnings = answer.notes, answer.warnings
        page = answer.files.get(PAGE)
        self.page = None if page is None else Page(bytes(page).decode())

    def __getitem__(self, name: str) -> Any:
        return self.document[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.document)

    def __len__(self) -> int:
        return len(self.document)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self.document)})"

    def _repr_html_(self) -> Optional[str]:
        return self.page._repr_html_() if self.page is not None else None

    def to_frame(self) -> Any:
        """Return the main table of the document as a DataFrame of pandas."""
        return _tables.to_frame(self.document[self._table])


class Estimate(Document):
    """What `estimate` found.

    Attributes
    ----------
    error, interval : float, array of two or None
        The held-out error of the best choice, and its 95 % interval where there is one. The choice was made by this
        error, so that `nested` is the error of the whole procedure.
    lambda_ : float or None
        The best λ.
    auc, auc_interval : float or None, array of two or None
        The area under the curve, of two labels.
    nested : dict or None
        The error of the procedure, with every choice made anew, its ``auc`` and intervals.
    permutation : dict or None
        The test against permuted labels, with its ``p``.
    held_out : array or None
        The held-out score of each row, NaN where its weight is 0, with ``held_out=True``; of held-out pairs their
        lines: i, j (from 0), f_i, f_j.
    """

    def __init__(self, document: Dict[str, Any], answer: _events.Answer, held_out: Optional[np.ndarray]) -> None:
        super().__init__(document, answer)
        best = document.get("best") or {}
        auc = best.get("auc") or {}
        self.error, self.lambda_, self.kernel = best.get("error"), best.get("lambda"), best.get("kernel")
        self.interval, self.auc_interval = _base.interval_of(best), _base.interval_of(auc)
        self.auc = auc.get("value")
        self.nested, self.permutation = document.get("nested"), document.get("permutation")
        self.held_out = held_out


class Evaluation(Document):
    """What `evaluate` found: the metrics by name, with their means over queries."""

    def to_frame(self) -> Any:
        """Return the metrics as a DataFrame of pandas."""
        rankings = self.document.get("rankings")
        if rankings is None:
            return _tables.to_frame([{"metric": name, **of} for name, of in self.document["metrics"].items()])
        return _tables.to_frame([
            {"ranking": called, "metric": name, **of}
            for called, ranking in zip(("scores", "beside", "scores and beside"), rankings)
            for name, of in ranking["metrics"].items()
        ])


class Comparison(Document):
    """What `compare` found of two or more rankings."""

    def __init__(self, document: Dict[str, Any], answer: _events.Answer, names: List[str]) -> None:
        super().__init__(document, answer, "comparisons")
        self._names = names

    def to_frame(self) -> Any:
        """Return the tests as a DataFrame of pandas: a line for each metric and pair of rankings.

        The columns ``a`` and ``b`` are the means of the metric. Of more than two rankings ``first`` and ``second``
        are the names of those that have them.
        """
        if "pairs" not in self.document:
            return super().to_frame()
        names = dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ", self._names))
        return _tables.to_frame([
            {"first": names.get(pair["a"], pair["a"]), "second": names.get(pair["b"], pair["b"]), **of}
            for pair in self.document["pairs"] for of in pair["comparisons"]
        ])


def _rows_file(
    X: _features.Features, y: Any = None, groups: Any = None, options: Mapping[str, Any] = {}, *, of: str = "X",
    weights: Any = None, **columns: Any
) -> Tuple[_arrays.File, List[str]]:
    """Return the file of rows, and the flags about its columns. Options have the caller's choice of the label 1."""
    m = X.X.shape[0]
    found = {name: _arrays.column(values, m, _CALLED[name], of)
             for name, values in {"qid": groups, **columns}.items()}
    found["weight"] = _arrays.weights(weights, m, of)
    flags = [f"--{role}-column={role}" for role in ("group", "fold", "weight") if found.get(role) is not None]
    if y is not None:
        judged, about = _arrays.outcome(y, m)
        found.update(judged)
        flags += about
        y = judged.get("y", np.zeros(0))
        if y.dtype.kind in "US" and options.get("positive") is None and len(np.unique(y)) == 2:
            flags.append(f"--positive={np.unique(y)[1]}")
    return _arrays.File(ROWS, _arrays.rows(X.X, X.names, X.levels, **found)), flags


_CALLED = {"qid": "groups", "group": "together", "fold": "fold"}  # names of arrays by names of arguments


def _flags(options: Mapping[str, Any]) -> List[str]:
    """Return the options that are flags of the program.

    Raises
    ------
    ValueError
        If an option says where a file has what is an argument here.
    """
    for name in options:
        argument = _events.OF_DATA.get(name.replace("_", "-"))
        if argument is not None:
            raise ValueError(f"{name} is an option of the command, about files: the argument {argument} has the values")
    return _base.flags({k: v for k, v in options.items() if k != "factor_columns"})


def _of_model(model: RowEstimator, X: Any) -> _features.Features:
    """Return rows that a model is to score, as it scores them."""
    if not isinstance(model, RowEstimator):
        raise ValueError(f"model is a {type(model).__name__}, and an estimator of rows is needed")
    model._model_file()
    names, levels, X = model._features(X)
    return _features.Features(X, names if names is not None else getattr(model, "feature_names_in_", None), levels)


def _bare(
    y: Any, groups: Any, together: Any, weights: Any, options: Mapping[str, Any]
) -> Tuple[_arrays.File, List[str], int]:
    """Return a file of rows that have labels and queries alone, the flags about them, and their number."""
    y = y if _arrays.is_timed(y) else _arrays.labels(y)
    rows = _features.Features(np.zeros((len(y), 1)), None, {})
    return (*_rows_file(rows, y, groups, options, of="y", weights=weights, group=together), len(y))


def estimate(
    X: Any,
    y: Any,
    groups: Any = None,
    *,
    together: Any = None,
    fold: Any = None,
    sample_weight: Any = None,
    beside: Any = None,
    held_out: bool = False,
    report: bool = False,
    progress: Any = None,
    **options: Any,
) -> Estimate:
    """Return the exact held-out error of every λ and kernel, its interval, and more as options ask for.

    Parameters
    ----------
    X, y, groups, together, fold, sample_weight
        The data, as of `RankRLS.fit`.
    beside : array, shape (m,), optional
        Another tool's out-of-fold scores: the member ``beside`` compares them with the held-out scores of the best
        choice, and with both half and half.
    held_out : bool
        Keep the held-out scores.
    report : bool
        Make a page of figures, which a notebook shows.
    progress : bool or callable, optional
        As of `RankRLS.fit`.
    **options
        The options of ``pairrank help cv`` with underscores, such as ``method="lpo"``, ``learner="ranksvm"``,
        ``nested=True``, ``permutations=1000``.

    Returns
    -------
    Estimate

    Raises
    ------
    ValueError
        If the data or an option is wrong.

    Examples
    --------
    >>> found = estimate([[1.0], [2.5], [2.0], [4.5]], [0, 1, 0, 1], lambdas=1.0, method="lpo")
    >>> found.error
    0
    """
    rows = _features.features(X, factors=_listed(options.get("factor_columns")))
    file, flags = _rows_file(rows, y, groups, options, weights=sample_weight, group=together, fold=fold)
    args = ["cv", ROWS, *flags, *_flags(options), "--json", "--progress=json"]
    files, outputs = [file], []
    _beside(args, files, beside, rows.X.shape[0], sample_weight)
    if held_out:
        outputs.append("held-out.tsv")
        args.append("--held-out=held-out.tsv")
    if report:
        outputs.append(PAGE)
        args.append(f"--report={PAGE}")
    with _arrays.finite(rows.X, options.get("missing", "error") != "error"):
        answer = _worker.call(args, files, outputs, progress)
    scores = None
    if held_out:
        lines = bytes(answer.files["held-out.tsv"]).decode().splitlines()
        scores = np.array([[float(v) for v in line.split("\t")] for line in lines])
        if scores.shape[1] == 1:
            scores = scores[:, 0]
        elif answer.json()["method"] == "lpo":
            scores[:, :2] -= 1
    return Estimate(answer.json(), answer, scores)


def evaluate(
    y: Any,
    scores: Any,
    groups: Any = None,
    *,
    together: Any = None,
    sample_weight: Any = None,
    beside: Any = None,
    **options: Any,
) -> Evaluation:
    """Return how good scores rank rows: metrics, as means over queries.

    Parameters
    ----------
    y : array, shape (m,)
        The labels: numbers, larger is better, or two texts; or censored times, as of `RankRLS.fit`.
    scores : array, shape (m,)
        The scores that are judged, higher is better.
    groups : array, shape (m,), optional
        The query of each row.
    together : array, shape (m,), optional
        The group of each row of a single list, such as the patient of a sample. The area under the ROC curve then
        has an interval over groups.
    sample_weight : array, shape (m,), optional
        How much each row counts: a pair counts the product of two. A row of weight 0 needs no score: it may be NaN.
    beside : array, shape (m,), optional
        Another tool's scores. The member ``rankings`` has the scores, these, and both half and half; ``beside`` has
        the tests.
    **options
        The options of ``pairrank help evaluate``, such as ``metrics="ndcg@10,map"``, ``style="trec"``.

    Examples
    --------
    >>> evaluate([0, 1, 2], [0.1, 0.2, 0.3], metrics="ndcg")["metrics"]["ndcg"]["mean"]
    1
    """
    file, flags, m = _bare(y, groups, together, sample_weight, options)
    files = [file, _scores_file("scores.npy", scores, m, "scores", "y", sample_weight)]
    args = ["evaluate", ROWS, "--scores=scores.npy", *flags, *_flags(options), "--json", "--progress=json"]
    _beside(args, files, beside, m, sample_weight)
    answer = _worker.call(args, files)
    return Evaluation(answer.json(), answer)


def compare(
    y: Any,
    rankings: Mapping[str, Any],
    groups: Any = None,
    *,
    together: Any = None,
    sample_weight: Any = None,
    beside: Any = None,
    report: bool = False,
    **options: Any,
) -> Comparison:
    """Return intervals and paired tests of two or more rankings of the same rows.

    Parameters
    ----------
    y : array, shape (m,)
        The labels: numbers, larger is better, or two texts; or censored times, as of `RankRLS.fit`.
    rankings : dict
        The scores of the rows, by the name of the ranking.
    groups : array, shape (m,), optional
        The query of each row.
    together : array, shape (m,), optional
        The group of each row of a single list, such as the patient of a sample. The area under the ROC curve then
        has an interval over groups.
    sample_weight : array, shape (m,), optional
        How much each row counts: a pair counts the product of two. A row of weight 0 needs no score: it may be NaN.
    beside : array, shape (m,), optional
        Another tool's scores: they are a ranking, ``beside``, and so is each ranking half and half with them.
    report : bool
        Make a page of figures.
    **options
        The options of ``pairrank help compare``, such as ``metrics="ndcg@10"``.
    """
    if not isinstance(rankings, Mapping):
        raise ValueError(f"rankings is a dict of scores by the name of the ranking, not {type(rankings).__name__}")
    file, flags, m = _bare(y, groups, together, sample_weight, options)
    files, args = [file], ["compare", ROWS, *flags, *_flags(options), "--json", "--progress=json"]
    for name, scores in rankings.items():
        files.append(_scores_file(f"{name}.npy", scores, m, f"rankings[{name!r}]", "y", sample_weight))
        args.append(f"--scores={name}.npy")
    _beside(args, files, beside, m, sample_weight)
    if report:
        args.append(f"--report={PAGE}")
    answer = _worker.call(args, files, [PAGE])
    both = [] if beside is None else ["beside", *(f"{name} and beside" for name in rankings)]
    return Comparison(answer.json(), answer, [*rankings, *both])


def explain(
    model: RowEstimator, X: Any, of: Union[None, int, Tuple[int, int]] = None, groups: Any = None, **options: Any
) -> Document:
    """Return the exact contribution of each feature, or support row, to a score or to a difference of scores.

    Parameters
    ----------
    model : estimator of rows
        A fitted estimator.
    X : array, sparse matrix or DataFrame, shape (m, n)
        The features, as of `RankRLS.predict`.
    of : int or pair of int, optional
        A row, from 0, or two: why the first one stands above the second one. By default the best row of each query
        is explained against the second.
    groups : array, shape (m,), optional
        The query of each row.
    **options
        The options of ``pairrank help explain``, such as ``top=5``.
    """
    rows = _of_model(model, X)
    file, _ = _rows_file(rows, groups=groups)
    args = ["explain", _base.MODEL, ROWS, "--no-label", *_flags(options), "--json", "--progress=json"]
    if of is not None:
        which = np.atleast_1d(_arrays.plain(of, "of"))
        if which.shape not in ((1,), (2,)) or not np.isin(which, np.arange(rows.X.shape[0])).all():
            raise ValueError(f"of is a row, or two, from 0 to {rows.X.shape[0] - 1}, not {of!r}")
        args.append(f"--of={','.join(str(int(i) + 1) for i in which)}")
    with _arrays.finite(rows.X, model._nan()):
        answer = _worker.call(args, [model._model_file(), file])
    return Document(answer.json(), answer, "explained")


def report(
    model: RowEstimator, X: Any, y: Any, groups: Any = None, *, sample_weight: Any = None, **options: Any
) -> Page:
    """Return a page of how a model ranks rows, which a notebook shows.

    Parameters
    ----------
    model : estimator of rows
        A fitted estimator.
    X, y, groups, sample_weight
        Rows that the model was not trained on, their labels, queries and weights. The text that counts as 1 is that
        of the training; where the training had numbers, `positive` says which.
    **options
        The options of ``pairrank help report``, such as ``positive="tumor"``.
    """
    if _arrays.is_timed(y):
        raise ValueError("report is of labels, and y has censored times: evaluate and compare judge scores by times")
    rows = _of_model(model, X)
    file, flags = _rows_file(rows, y, groups, weights=sample_weight)
    flags = [f for f in flags if not f.startswith("--positive")] + _flags(options)
    args = ["report", _base.MODEL, ROWS, *flags, "-o", PAGE, "--progress=json"]
    with _arrays.finite(rows.X, model._nan()):
        return Page(bytes(_worker.call(args, [model._model_file(), file], [PAGE]).files[PAGE]).decode())


def export(model: _base.Estimator, to: str, **options: Any) -> bytes:
    """Return a model as a file of another program: es-ltr, solr, ranklib, svmrank, liblinear, onnx, go, js, sql, html.

    Parameters
    ----------
    model : estimator
        A fitted estimator.
    to : str
        What it is written for.
    **options
        The options of ``pairrank help export``, such as ``name="ranker"``.
    """
    args = ["export", _base.MODEL, f"--to={to}", *_base.flags(options), "-o", OUT]
    return bytes(_worker.call(args, [model._model_file()], [OUT]).files[OUT])


def save(model: _base.Estimator, path: Any) -> None:
    """Write a model to a file, which is that of the command, to the byte.

    Parameters
    ----------
    model : estimator
        A fitted estimator, but for a `Leaderboard`, which has no model.
    path : path
        The file, which is replaced.
    """
    model.save(path)


_CLASSES = {c._learner: c for c in (RankRLS, RLS, RankSVM, RankBoost)}


def load(path: Any) -> Any:
    """Return the estimator of a model file, of this package or of the command; it may be compressed.

    Parameters
    ----------
    path : path or bytes
        The file, or its content.

    Returns
    -------
    estimator
        Its parameters are the defaults, but for the kernels: a model file does not keep how λ was chosen. A model of
        edges becomes a `PairwiseRelation` without nodes: `predict` is given them as DataFrames, whose columns have
        the names of the training.

    Raises
    ------
    ValueError
        If the file is no model.
    """
    if isinstance(path, (bytes, bytearray)):
        text = bytes(path)
    else:
        with open(path, "rb") as f:
            text = f.read()
    facts = _worker.call(["inspect", _base.MODEL, "--json"], [_arrays.File(_base.MODEL, text=text, argument="path")]).json()
    model = _of_edges(facts["pairwise"]) if "pairwise" in facts else _of_rows(facts)
    model._set_model(text)
    model.lambda_, model.error_ = facts.get("lambda"), (facts.get("selection") or {}).get("error")
    model.error_path_, model.interval_ = None, None
    model.training_, model.notes_, model.warnings_ = facts, [], []
    return model


def _of_edges(facts: Dict[str, Any]) -> PairwiseRelation:
    """Return the estimator of a model of edges, from what `inspect` says of it."""
    kernels = [facts[side]["kernel"] for side in ("rows", "cols") if side in facts]
    model = PairwiseRelation(row_kernel=kernels[0], col_kernel=kernels[1] if len(kernels) > 1 else None)
    model.rows_, model.cols_, model.kernel_ = None, None, kernels[0]
    return model


def _of_rows(facts: Dict[str, Any]) -> Any:
    """Return the estimator of a model of rows, from what `inspect` says of it."""
    of = _CLASSES[facts["learner"]]
    model = of(kernel=facts["kernel"]) if "kernel" in of._names() else of()
    kept = {k: json.loads((facts.get("facts") or {}).get(k, "{}")) for k in ("columns", "substitutes")}
    columns, given = kept["columns"], facts["features"] - len(kept["substitutes"].get("own") or [])
    model.kernel_, model.n_features_in_ = facts.get("kernel"), given  # behind these are levels of missing values
    names = {w["feature"]: w["name"] for w in facts.get("weights") or [] if "name" in w}
    for s in facts.get("shapes") or []:
        if "name" in s:  # a factor is one shape, of a feature for each level
            names.update({s["number"] + k: f"{s['name']}={level}" for k, level in enumerate(s.get("levels") or [])})
            names.setdefault(s["number"], s["name"])
    names = {k: name for k, name in names.items() if k <= given}
    if len(names) == given:
        model.feature_names_in_ = _columns([names[k + 1] for k in range(len(names))], columns.get("factors") or [])
        model.n_features_in_ = len(model.feature_names_in_)
        model._factors = [of["column"] for of in columns.get("factors") or []]
    if "positive" in columns:
        model.classes_ = np.array([columns["negative"], columns["positive"]])
    return model


def _columns(features: List[str], factors: List[Dict[str, Any]]) -> np.ndarray:
    """Return the names of the columns that features came from: those of a factor are one."""
    of = {f"{factor['column']}={level}": factor["column"] for factor in factors for level in factor["levels"]}
    names = [of.get(name, name) for name in features]
    first = [k for k, name in enumerate(names) if features[k] not in of or name not in names[:k]]
    return np.array([names[k] for k in first], dtype=object)
