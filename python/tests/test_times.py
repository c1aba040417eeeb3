"""Censored times and weights of rows: the models and figures of the command, and what is no such thing."""

import json
import pathlib
import tempfile
import unittest
import warnings

import numpy as np

import pairrank

from .common import command

_RNG = np.random.default_rng(5)
M = 40
X = np.round(_RNG.normal(size=(M, 3)), 3)
TIMES = np.array(list(zip(_RNG.random(M) < 0.6, np.round(np.exp(X[:, 0] + _RNG.normal(size=M)), 1))),
                 dtype=[("event", bool), ("time", float)])
WEIGHTS = _RNG.integers(0, 3, size=M)
Y = X[:, 0] + _RNG.normal(size=M)


def archive(folder, **columns):
    """Return a file of rows in a folder."""
    path = pathlib.Path(folder) / "X.npz"
    np.savez(path, X=X, **columns)
    return path


class Times(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")

    def test_same_as_the_command(self):
        for of in (pairrank.RankRLS, pairrank.RankSVM):
            for options in ({"lambdas": 0.5}, {"select": "kfold:4"}):
                with self.subTest(of=of.__name__, **options), tempfile.TemporaryDirectory() as d:
                    rows = archive(d, time=TIMES["time"], event=TIMES["event"].astype(np.int8))
                    flags = ["--lambda=0.5"] if "lambdas" in options else ["--select=kfold:4"]
                    command("train", rows, "--time=time", "--event=event", f"--learner={of._learner}", *flags,
                            "-o", f"{d}/m.txt")
                    model = of(**options).fit(X, TIMES)
                    self.assertEqual(model.model_, pathlib.Path(d, "m.txt").read_bytes())
                    np.savetxt(f"{d}/s.txt", model.predict(X), fmt="%.17g")
                    said = json.loads(command("evaluate", rows, "--time=time", "--event=event", "--scores",
                                              f"{d}/s.txt", "-m", "c-index", "--json"))
                    self.assertEqual(model.score(X, TIMES), said["metrics"]["c-index"]["mean"])
                    self.assertGreater(model.score(X, TIMES), 0.6)

    def test_order_of_fields_does_not_matter(self):
        turned = np.array([(t, e) for e, t in TIMES], dtype=[("futime", "f4"), ("status", "?")])
        turned = turned.astype([("futime", "f8"), ("status", "?")])
        turned["futime"] = TIMES["time"]
        self.assertEqual(pairrank.RankRLS(lambdas=1.0).fit(X, turned).model_,
                         pairrank.RankRLS(lambdas=1.0).fit(X, TIMES).model_)

    def test_estimate(self):
        found = pairrank.estimate(X, TIMES, method="kfold:4", lambdas=[0.1, 1.0])
        self.assertLess(found.error, 0.5)

    def test_other_fields(self):
        for kind in ([("a", float), ("b", float)], [("a", bool), ("b", bool)], [("a", bool)],
                     [("a", bool), ("b", float), ("c", float)], [("a", bool), ("b", "U3")]):
            with self.subTest(kind), self.assertRaisesRegex(ValueError, "y has the fields"):
                pairrank.RankRLS(lambdas=1.0).fit(X, np.zeros(M, dtype=kind))
        with self.assertRaisesRegex(ValueError, "y has the shape"):
            pairrank.RankRLS(lambdas=1.0).fit(X, TIMES[1:])
        bad = TIMES.copy()
        bad["time"][3] = np.nan
        with self.assertRaisesRegex(ValueError, "y of row 3 is missing"):
            pairrank.RankRLS(lambdas=1.0).fit(X, bad)
        bad["time"][3] = -1
        with self.assertRaisesRegex(ValueError, "a time is at least 0"):
            pairrank.RankRLS(lambdas=1.0).fit(X, bad)
        with self.assertRaises(ValueError):
            pairrank.RLS(lambdas=1.0).fit(X, TIMES)


class Weights(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")

    def test_same_as_the_command(self):
        for of in (pairrank.RankRLS, pairrank.RLS, pairrank.RankSVM):
            with self.subTest(of=of.__name__), tempfile.TemporaryDirectory() as d:
                rows = archive(d, y=Y, weight=WEIGHTS)
                command("train", rows, "--weight-column=weight", f"--learner={of._learner}", "--lambda=0.5",
                        "-o", f"{d}/m.txt")
                model = of(lambdas=0.5).fit(X, Y, sample_weight=WEIGHTS)
                self.assertEqual(model.model_, pathlib.Path(d, "m.txt").read_bytes())

    def test_of_times(self):
        for of in (pairrank.RankRLS(lambdas=0.5), pairrank.RankSVM(lambdas=0.5), pairrank.RankBoost(rounds=5)):
            with self.subTest(of=type(of).__name__), tempfile.TemporaryDirectory() as d:
                rows = archive(d, time=TIMES["time"], event=TIMES["event"].astype(np.int8), weight=WEIGHTS)
                flag = "--rounds=5" if of._learner == "rankboost" else "--lambda=0.5"
                command("train", rows, "--time=time", "--event=event", "--weight-column=weight",
                        f"--learner={of._learner}", flag, "-o", f"{d}/m.txt")
                model = of.fit(X, TIMES, sample_weight=WEIGHTS)
                self.assertEqual(model.model_, pathlib.Path(d, "m.txt").read_bytes())
                self.assertNotEqual(model.score(X, TIMES, sample_weight=WEIGHTS), model.score(X, TIMES))

    def test_no_weight_is_no_row(self):
        here = WEIGHTS > 0
        for of in (pairrank.RankRLS(lambdas=1.0), pairrank.RankSVM(lambdas=0.1), pairrank.RankBoost(rounds=5)):
            with self.subTest(of=type(of).__name__):
                want = of.fit(X[here], Y[here], sample_weight=WEIGHTS[here]).predict(X)
                np.testing.assert_allclose(of.fit(X, Y, sample_weight=WEIGHTS).predict(X), want, rtol=1e-12)
                self.assertEqual(of.score(X, Y, sample_weight=WEIGHTS),
                                 of.score(X[here], Y[here], sample_weight=WEIGHTS[here]))

    def test_ones_are_no_weights(self):
        for of in (pairrank.RankRLS(), pairrank.RankSVM(lambdas=0.1), pairrank.RankBoost(rounds=5)):
            want = of.fit(X, Y).predict(X)
            np.testing.assert_array_equal(of.fit(X, Y, sample_weight=1).predict(X), want)
            np.testing.assert_array_equal(of.fit(X, Y, sample_weight=np.ones(M)).predict(X), want)

    def test_below_zero(self):
        for call in (lambda w: pairrank.RankRLS(lambdas=1.0).fit(X, Y, sample_weight=w),
                     lambda w: pairrank.evaluate(Y, X[:, 0], sample_weight=w)):
            with self.assertRaisesRegex(ValueError, "sample_weight of row 2 is below 0"):
                call(np.where(np.arange(M) == 2, -1.0, 1.0))
            with self.assertRaisesRegex(ValueError, "weight zero"):
                call(np.zeros(M))


if __name__ == "__main__":
    unittest.main()
