"""pairrank learns to rank from pairwise preferences, and estimates how well it will rank unseen data.

The estimators follow scikit-learn's conventions, and need NumPy alone. They run the program pairrank, which the wheel
carries: model files, errors and options are those of the command.

>>> import numpy as np
>>> X = np.arange(12.0).reshape(6, 2)
>>> RankRLS().fit(X, [0, 1, 2, 0, 1, 2], qid=["a", "a", "a", "b", "b", "b"]).error_
0
"""

from __future__ import annotations

from ._arrays import NotFittedError
from ._boards import Leaderboard
from ._events import NumericalError, PairrankNote, PairrankWarning, WorkerError
from ._relation import PairwiseRelation
from ._rows import RLS, RankBoost, RankRLS, RankSVM
from ._verbs import (
    Comparison,
    Document,
    Estimate,
    Evaluation,
    Page,
    compare,
    estimate,
    evaluate,
    explain,
    export,
    load,
    report,
    save,
)
from ._version import __version__


__all__ = [
    "Comparison",
    "Document",
    "Estimate",
    "Evaluation",
    "Leaderboard",
    "NotFittedError",
    "NumericalError",
    "Page",
    "PairrankNote",
    "PairrankWarning",
    "PairwiseRelation",
    "RLS",
    "RankBoost",
    "RankRLS",
    "RankSVM",
    "WorkerError",
    "__version__",
    "compare",
    "estimate",
    "evaluate",
    "explain",
    "export",
    "load",
    "report",
    "save",
]
