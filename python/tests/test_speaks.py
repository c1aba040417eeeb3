"""What the program says reaches Python in the words of Python: arguments for options and files, rows from 0.

The corpus gives every parameter of every estimator, and every option of every function, values that are wrong, and takes
wrong data besides. No text that comes of it may name a flag, a file, or an argument that the callee does not have.
"""

import inspect
import re
import unittest
import warnings
from unittest import mock

import numpy as np

import pairrank
from pairrank import _events

from .common import command

M = 24
_RNG = np.random.default_rng(3)
X = np.round(_RNG.normal(size=(M, 3)), 3)
Y = np.round(X[:, 0] + _RNG.normal(size=M), 0) + 5.0
Q = np.arange(M) // 6
TIMES = np.array([(bool(i % 2), i + 1.0) for i in range(M)], dtype=[("event", "?"), ("time", "f8")])
PAIRS = np.array([(i, j) for i in range(6) for j in range(5)])
VALUES, ROWS, COLS = np.round(_RNG.normal(size=30), 3), _RNG.normal(size=(6, 2)), _RNG.normal(size=(5, 2))
GAMES = {"winner": ["a", "b", "c", "a", "b", "c"], "loser": ["b", "c", "a", "c", "a", "b"]}
SCORES = {"model": ["a", "b"] * 8, "task": np.arange(16) // 2, "score": np.arange(16.0)}
_ROW_ESTIMATORS = (pairrank.RankRLS, pairrank.RLS, pairrank.RankSVM, pairrank.RankBoost)
_WRONG = ("nonsense", -1, True)
_WRITE = {"figure", "report", "roc", "output", "held-out", "help"}  # options that write files, or none


def fit(of, options):
    if of is pairrank.PairwiseRelation:
        return of(**options).fit(PAIRS, VALUES, rows=ROWS, cols=COLS)
    if of is pairrank.Leaderboard:
        return of(**options).fit(GAMES)
    return of(**options).fit(X, Y, groups=Q)


def parameters():
    """Yield calls with a wrong value of each parameter of a constructor."""
    for of in (*_ROW_ESTIMATORS, pairrank.PairwiseRelation, pairrank.Leaderboard):
        quick = {"rounds": 2} if of is pairrank.RankBoost else {} if of is pairrank.Leaderboard else {"lambdas": 1.0}
        for name in of._names():
            for value in _WRONG:
                yield of, (name, value), lambda of=of, given={**quick, name: value}: fit(of, given)


def options():
    """Yield calls with a wrong value of each option of the verb of a function."""
    model = pairrank.RankRLS(lambdas=1.0).fit(X, Y, groups=Q)
    for of, call in ((pairrank.estimate, lambda **k: pairrank.estimate(X, Y, Q, **{"lambdas": 1.0, **k})),
                     (pairrank.evaluate, lambda **k: pairrank.evaluate(Y, X[:, 0], Q, **k)),
                     (pairrank.compare, lambda **k: pairrank.compare(Y, {"a": X[:, 0], "b": X[:, 1]}, Q, **k)),
                     (pairrank.explain, lambda **k: pairrank.explain(model, X, groups=Q, **k)),
                     (pairrank.report, lambda **k: pairrank.report(model, X, Y, Q, **k)),
                     (pairrank.export, lambda **k: pairrank.export(model, "go", **k))):
        for name in sorted(flags_of(of) - _WRITE):
            if name.replace("-", "_") not in inspect.signature(of).parameters:
                for value in _WRONG[:1]:
                    yield of, (name, value), lambda call=call, given={name.replace("-", "_"): value}: call(**given)
        yield of, "unknown", lambda call=call: call(nonsense=1)
        yield of, "short", lambda call=call: call(m="nonsense")


def data():
    """Yield calls with data that are wrong, or that options do not go with."""
    for of in _ROW_ESTIMATORS:
        w = np.ones(M)
        for what, call in {
            "weights of 0": lambda of: of().fit(X, Y, sample_weight=0 * w),
            "two words for labels": lambda of: of().fit(X, Y, preferences=[(0, 1)], sample_weight=w),
            "preferences": lambda of: of().fit(X, None, preferences=[(0, 1), (1, 1)]),
            "magnitudes": lambda of: of().fit(X, None, preferences=[(3, 1, 1), (0, 1, -1)]),
            "times": lambda of: of().fit(X, TIMES),
            "no event": lambda of: of().fit(X, np.array([(False, 1.0)] * M, dtype=TIMES.dtype)),
            "times below 0": lambda of: of().fit(X, np.array([(True, -1.0)] * M, dtype=TIMES.dtype)),
            "one label": lambda of: of().fit(X, np.ones(M)),
            "several labels": lambda of: of().fit(X, np.c_[Y, Y]),
            "together": lambda of: of().fit(X, Y, groups=Q, together=Q % 2),
            "folds": lambda of: of(select="kfold:3").fit(X, Y, fold=Q),
            "a kernel": lambda of: of(kernel="precomputed").fit(X, Y),
            "equal rows": lambda of: of().fit(X[[0, 0, 1, 1, *range(20)]], Y),
        }.items():
            yield of, what, lambda of=of, call=call: call(of)
    w, one = pairrank.estimate, pairrank.RankRLS(lambdas=1.0).fit(X, Y)
    yield w, "weights", lambda: w(X, Y, sample_weight=Q + 1, permutations=5, method="kfold:2")
    yield w, "two values", lambda: w(X, Y, lambda_=1.0, lambdas=[1, 2])
    yield w, "groups", lambda: w(X, Y, together=Q, permutations=4)
    yield w, "folds", lambda: w(X, Y, fold=Q, method="kfold:3")
    yield pairrank.evaluate, "times", lambda: pairrank.evaluate(Y, X[:, 0], metrics="uno-c")
    yield pairrank.evaluate, "weights", lambda: pairrank.evaluate(Y, X[:, 0], Q, sample_weight=Q + 1, metrics="map")
    yield pairrank.compare, "seed", lambda: pairrank.compare(TIMES, {"a": X[:, 0], "b": X[:, 1]}, seed=2)
    yield pairrank.compare, "one", lambda: pairrank.compare(Y, {"a": X[:, 0]})
    yield pairrank.compare, "metrics", lambda: pairrank.compare(Y, {"a": X[:, 0], "b": Y}, fail_worse="a=1")
    yield pairrank.report, "texts", lambda: pairrank.report(one, X, ["a", "b"] * 12)
    yield pairrank.report, "times", lambda: pairrank.report(one, X, TIMES)
    yield pairrank.explain, "edges", lambda: pairrank.explain(fit(pairrank.PairwiseRelation, {}), X)
    for text in (b"x", b"", one.model_[:200], one.model_.replace(b"features 3", b"features 4")):
        yield pairrank.load, text[:9], lambda text=text: pairrank.load(text)
    relation, board = pairrank.PairwiseRelation, pairrank.Leaderboard
    yield relation, "twice", lambda: relation().fit(PAIRS[[0, 0]], VALUES[:2], rows=ROWS, cols=COLS)
    yield relation, "missing", lambda: relation().fit(PAIRS, VALUES, rows=ROWS * np.nan, cols=COLS)
    yield relation, "similar", lambda: relation(row_kernel="precomputed").fit(PAIRS, VALUES, rows=ROWS, cols=COLS)
    yield relation, "wide", lambda: fit(relation, {}).predict([(0, 1)], rows=ROWS, cols=np.ones((5, 3)))
    for comparisons in ({"x": [1], "y": [2]}, {"left": ["a"], "right": ["b"], "winner": ["z"]},
                        {"winner": ["a", None], "loser": ["b", "c"]}, {"winner": ["a", "a"], "loser": ["b", "a"]},
                        {**{k: v + v for k, v in GAMES.items()}}, {"left": ["a"], "right": ["b"], "p_left": [2.0]},
                        {"model": ["a", "a"], "task": [1, 1], "score": [1, 2]}, {"winner": ["a", "a"], "loser": ["b", "b"]}):
        for given in ({}, {"loss": "logistic"}, {"hold_out": "annotator"}, {"trusted": "judge=x"}, {"against": "z"}):
            yield board, comparisons, lambda given=given, of=comparisons: board(**given).fit(of)
    for x in ([1, 2], ["p", "q", "r"], [1, None, 3]):
        yield board, "items", lambda x=x: board().fit(GAMES, items={"id": ["a", "b", "c"][:len(x)], "x": x})
    yield board, "scores", lambda: board(against="z").fit(SCORES)


def flags_of(of):
    """Return the options of the verb of a function."""
    verb = {"estimate": "cv"}.get(of.__name__, of.__name__)
    page = command("man", verb).decode()
    return set(re.findall(r"--([a-z][a-z-]*[a-z])", re.sub(r"\\f.|\\", "", page)))


def known(of):
    """Return the names by which a callee takes something."""
    if inspect.isclass(of):
        return set(of._names()) | set(inspect.signature(of.fit).parameters)
    names = set(inspect.signature(of).parameters)
    if "options" in names:
        names |= {name.replace("-", "_") for name in flags_of(of)} - {n.replace("-", "_") for n in _events.OF_DATA}
    return names


class Speaks(unittest.TestCase):
    def heard(self, call):
        """Return the texts of a call, and those of the program that they were."""
        said = []
        rename = _events.by_arguments
        with mock.patch.object(_events, "by_arguments", lambda text, of: said.append(text) or rename(text, of)):
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                try:
                    call()
                    texts = []
                except (ValueError, TypeError, OSError, RuntimeError, ArithmeticError) as err:
                    texts = [f"{type(err).__name__}: {err}"]
        return texts + [str(w.message) for w in warned if issubclass(w.category, (
            pairrank.PairrankWarning, pairrank.PairrankNote))], said

    def check(self, corpus, least):
        calls, seen = 0, set()
        for of, what, call in corpus:
            calls += 1
            texts, said = self.heard(call)
            with self.subTest(of=of.__name__, what=what):
                for text in texts:
                    seen.add(text)
                    self.assertNotRegex(text, r"(?<![\w-])--?[a-z]|\bflags?\b|\.np[yz]|\.csv|\.tsv|\.txt|standard input|"
                                              r"\bCOLUMN\b(?!=)|\bFILE\b|\bDATA\b|\bMODEL\b|\bline \d|Traceback")
                for text in said:
                    for pattern, better in _events._SAID:
                        text = pattern.sub(better, text)
                    text = re.sub("unknown option: --nonsense", "", text)
                    for flag in re.findall(r"(?<![\w-])--([a-z][a-z-]*[a-z])", text):
                        name = _events.by_arguments(f"--{flag}", {}).split(" ")[0]
                        self.assertIn(name, known(of), text)
        self.assertGreater(len(seen), least)
        return calls

    def test_parameters(self):
        self.check(parameters(), 100)

    def test_options(self):
        self.check(options(), 100)

    def test_data(self):
        self.check(data(), 60)


if __name__ == "__main__":
    unittest.main()
