"""Named items, ranked by comparisons: Leaderboard."""

from __future__ import annotations

from typing import Any, Dict, List, TypeVar

from . import _arrays, _base, _options, _tables, _worker

Self = TypeVar("Self", bound="Leaderboard")

GAMES, ITEMS = "comparisons.csv", "items.csv"


class Leaderboard(_options.LeaderboardOptions, _base.Estimator):
    __doc__ = f"""Scores of named items by who beat whom, with their intervals.

    The squared loss is Σ w (z − (s_a − s_b))² + λ‖s‖²; the logistic loss is that of Bradley and Terry.
    {_options.LeaderboardOptions.__doc__}
    Examples
    --------
    >>> games = {{"winner": ["a", "a", "b", "c"], "loser": ["b", "c", "c", "a"]}}
    >>> [item["id"] for item in Leaderboard().fit(games).items_]
    ['a', 'b', 'c']
    """

    def fit(self: Self, comparisons: Any, *, items: Any = None, progress: Any = None) -> Self:
        """Rank the items.

        Parameters
        ----------
        comparisons : DataFrame or dict of sequences
            A line for each comparison: the columns ``left``, ``right`` and ``winner``, or ``winner`` and ``loser``, or
            counts ``wins_left``, ``wins_right`` and ``ties``, or ``p_left``, the probability that the left item is
            better, or its ``margin``; ``annotator``, and ``cluster`` for what comparisons have in common, such as a
            question; and other names of ``pairrank help leaderboard``. Or a table of
            scores, a line for each: ``model``, ``task`` and ``score``, with options such as ``against``.
        items : DataFrame or dict of sequences, optional
            Features of the items, with a column ``id``.
        progress : bool or callable, optional
            As of `RankRLS.fit`.

        Returns
        -------
        self
            It has `items_` (the best first: id, score, se, lo, hi, rank, …), `board_` (the document of ``leaderboard
            --json``), `lambda_`, `notes_`, `warnings_`.
        """
        files = [_arrays.File(GAMES, text=_tables.of_columns(comparisons, "comparisons"), argument="comparisons")]
        args = ["leaderboard", GAMES, *_base.flags(self._options()), "--json"]
        if items is not None:
            files.append(_arrays.File(ITEMS, text=_tables.of_columns(items, "items"), argument="items"))
            args.append(f"--items={ITEMS}")
        answer = _worker.call([*args, "--progress=json"], files, progress=progress)
        self.board_: Dict[str, Any] = answer.json()
        self.items_: List[Dict[str, Any]] = self.board_["items"]
        self.lambda_ = self.board_.get("lambda")  # None of a table of scores
        self.notes_, self.warnings_ = answer.notes, answer.warnings
        return self

    def _tags(self) -> Dict[str, Any]:
        return {"X_types": ["comparisons of named items"]}  # scikit-learn's checks fit rows of features

    def __sklearn_is_fitted__(self) -> bool:
        return "board_" in self.__dict__

    def to_frame(self) -> Any:
        """Return the items as a DataFrame of pandas."""
        if "board_" not in self.__dict__:
            raise _arrays.not_fitted(self)
        return _tables.to_frame(self.items_)
