"""Labelled edges between nodes: PairwiseRelation."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, TypeVar

import numpy as np

from . import _arrays, _base, _options, _tables, _worker

Self = TypeVar("Self", bound="PairwiseRelation")

EDGES, NODES, COLUMNS, PAIRS = "edges.tsv", "rows.csv", "cols.csv", "scores.tsv"


class PairwiseRelation(_options.PairwiseRelationOptions, _base.Estimator):
    __doc__ = f"""Labelled edges between row and column nodes, by pairwise kernels: drugs and targets, users and items.

    It minimises the squared error of differences within each row node, or of each edge, + λ‖f‖², and chooses λ by the
    exact error on edges left out as `setting` says what will be new.
    {_options.PairwiseRelationOptions.__doc__}
    Notes
    -----
    An edge is a pair of ids, not a row of features. GridSearchCV and cross_val_score take the edges as X, with the
    nodes as parameters of `fit`; they leave out edges, not nodes: `setting` and `estimate` do that exactly.

    References
    ----------
    Pahikkala, Airola, Stock, De Baets, Waegeman: Efficient regularized least-squares algorithms for conditional ranking
    on relational data, Machine Learning 93, 2013.

    Examples
    --------
    >>> edges = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]
    >>> nodes, columns = [[1.0], [2.0], [3.0]], [[1.0], [-1.0]]
    >>> model = PairwiseRelation(lambdas=1.0).fit(edges, [1, 0, 2, 0, 3, 0], rows=nodes, cols=columns)
    >>> bool(model.predict([(2, 0)])[0] > model.predict([(2, 1)])[0])
    True
    """

    def fit(
        self: Self,
        edges: Any,
        y: Any = None,
        *,
        rows: Any,
        cols: Any = None,
        row_ids: Any = None,
        col_ids: Any = None,
        interval: bool = False,
        progress: Any = None,
    ) -> Self:
        """Learn from edges.

        Parameters
        ----------
        edges : array, shape (e, 2), or (p, q) without y
            The ids of the row and column node of each edge; or the values of all edges as a matrix, where NaN is one
            that was not observed.
        y : array, shape (e,), optional
            The values of the edges.
        rows, cols : array or DataFrame, shape (p, n) and (q, k)
            The features of the nodes, or with ``row_kernel="precomputed"`` their similarities, or a list of several,
            the weights of whose sum are learnt. Without `cols` both ends are `rows`.
        row_ids, col_ids : sequence, optional
            The ids of the nodes: by default the index of a DataFrame, else 0, 1, ….
        interval, progress
            As of `RankRLS.fit`.

        Returns
        -------
        self
            It has `model_`, `lambda_`, `error_`, `interval_`, `error_path_`, `notes_`, `warnings_`, `training_`.
        """
        of = _tables.Nodes.of(rows, row_ids, "rows")
        to = of if cols is None else _tables.Nodes.of(cols, col_ids, "cols")
        self.rows_: Optional[_tables.Nodes] = of
        self.cols_: Optional[_tables.Nodes] = None if cols is None else to
        if y is None:
            values = np.asarray(_arrays.matrix(edges, "edges"), dtype=np.float64)
            if np.isinf(values).any():
                raise ValueError("edges has infinite values")
            if values.shape != (len(of.ids), len(to.ids)):
                raise ValueError(f"edges has the shape {values.shape}, and there are {len(of.ids)} × "
                                 f"{len(to.ids)} nodes")
            i, j = np.nonzero(~np.isnan(values))
            heads, tails, y = [of.ids[k] for k in i], [to.ids[k] for k in j], values[i, j]
        else:
            heads, tails = self._ends(edges, of, to)
            y = _arrays.numbers(y, len(heads), "y", "edges")
        lines = "".join(f"{a}\t{b}\t{float(v)!r}\n" for a, b, v in zip(heads, tails, y))
        files = [_arrays.File(EDGES, text=("row_id\tcol_id\tvalue\n" + lines).encode(), argument="edges")]
        self._learn(["relation", "train", EDGES, *self._nodes(of, self.cols_, files)], files, progress, interval)
        return self

    @staticmethod
    def _ends(edges: Any, of: _tables.Nodes, to: _tables.Nodes) -> "tuple[List[str], List[str]]":
        pairs = _pairs(edges)
        return of.named(pairs[:, 0]), to.named(pairs[:, 1])

    def _nodes(self, of: _tables.Nodes, to: Optional[_tables.Nodes], files: List[_arrays.File]) -> List[str]:
        """Add the files of the nodes, and return the flags that name them."""
        flags: List[str] = []
        sides = [("rows", NODES, of, self.row_kernel, self.rows_)]
        if to is not None:
            sides.append(("cols", COLUMNS, to, self.col_kernel or self.row_kernel, self.cols_ or self.rows_))
        for what, name, nodes, kernel, training in sides:
            if len(nodes.parts) > 1 and kernel != "precomputed":
                raise ValueError(f"{what} is a list of similarities, for the kernel 'precomputed', not {kernel!r}")
            for k, part in enumerate(nodes.parts):
                file = name if k == 0 else name.replace(".", f"-{k + 1}.")
                of_part = what if len(nodes.parts) == 1 else f"{what}[{k}]"
                files.append(_arrays.File(file, text=part.text(kernel == "precomputed", training), argument=of_part))
                flags.append(f"--{what}={file}")
        return flags

    def predict(
        self, edges: Any, *, rows: Any = None, cols: Any = None, row_ids: Any = None, col_ids: Any = None
    ) -> np.ndarray:
        """Return the scores of edges, shape (e,).

        Parameters
        ----------
        edges : array, shape (e, 2)
            The ids of the row and column node of each edge.
        rows, cols : array or DataFrame, optional
            New nodes: their features, or similarities to the nodes of training, as many as in `fit`. By default those
            of training, which a model that was read from a file does not have.
        row_ids, col_ids : sequence, optional
            The ids of new nodes.
        """
        model = self._model_file()
        of = self.rows_ if rows is None else _tables.Nodes.of(rows, row_ids, "rows")
        to = self.cols_ if cols is None else _tables.Nodes.of(cols, col_ids, "cols")
        if of is None:
            raise ValueError("the model was read from a file, which has no nodes: give rows, and cols if there are")
        heads, tails = self._ends(edges, of, to or of)
        lines = "".join(f"{a}\t{b}\n" for a, b in zip(heads, tails))
        files = [model, _arrays.File(EDGES, text=("row_id\tcol_id\n" + lines).encode(), argument="edges")]
        args = ["relation", "predict", _base.MODEL, *self._nodes(of, to, files), f"--edges={EDGES}", "-o", PAIRS]
        found = _worker.call([*args, "--progress=none"], files, [PAIRS]).files[PAIRS]
        return _tables.triples(found)[2]

    def score(self, edges: Any, y: Any) -> float:
        """Return the share of pairs of edges from one row node in the right order, as a mean over row nodes.

        Parameters
        ----------
        edges : array, shape (e, 2)
            The ids of the row and column node of each edge, which are nodes of the training.
        y : array, shape (e,)
            The values of the edges.
        """
        from ._verbs import evaluate

        f = self.predict(edges)
        found = evaluate(_arrays.numbers(y, len(f), "y", "edges"), f, _pairs(edges)[:, 0], metrics="disagreement")
        mean = found["metrics"]["disagreement"]["mean"]
        return float("nan") if mean is None else 1.0 - mean

    def _tags(self) -> Dict[str, Any]:
        return {"X_types": ["edges between nodes"]}  # scikit-learn's checks fit rows of features

    def _choice(self, document: Dict[str, Any]) -> None:
        super()._choice(document)
        self.kernel_ = document.get("row_kernel", document.get("kernel"))


def _pairs(edges: Any) -> np.ndarray:
    """Return pairs of ids, shape (e, 2)."""
    pairs = _arrays.plain(np.array(edges, dtype=object) if isinstance(edges, list) else edges, "edges")
    if pairs.ndim != 2 or pairs.shape[1] != 2:
        raise ValueError(f"edges has the shape {pairs.shape}, not (e, 2)")
    return pairs
