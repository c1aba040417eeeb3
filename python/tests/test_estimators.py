"""The estimators: scikit-learn's checks, the bytes of the command, plain values."""

import copy
import functools
import gzip
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import unittest
import warnings
from unittest import mock

import numpy as np

import pairrank
from pairrank import _scores, _worker

from .common import ROOT, command, data, letor, problem

ROWS = (pairrank.RankRLS, pairrank.RLS, pairrank.RankSVM, pairrank.RankBoost)


def quiet():
    warnings.simplefilter("ignore")


class Checks(unittest.TestCase):
    def test_check_estimator(self):
        try:
            from sklearn.utils import estimator_checks
        except ImportError as err:
            raise unittest.SkipTest("scikit-learn is not here") from err
        newer = getattr(estimator_checks, "estimator_checks_generator", None)  # 1.6 and later
        for of in ROWS:
            names, skipped, declared = [], [], of()._tags()["_xfail_checks"]
            for estimator, check in newer(of(), expected_failed_checks=declared, mark="skip") if newer else (
                    estimator_checks.check_estimator(of(), generate_only=True)):
                plain = getattr(check, "__wrapped__", check)
                name = (plain.func if isinstance(plain, functools.partial) else plain).__name__
                with warnings.catch_warnings():
                    quiet()
                    try:
                        check(estimator)
                        names.append(name)
                    except unittest.SkipTest:
                        skipped.append(name)
            print(f"{of.__name__}: {len(names)} checks, declared not to apply: {skipped}\n  {' '.join(names)}")
            self.assertLessEqual(set(skipped) - {"check_array_api_input"}, set(declared))  # SciPy must be told to have it
            self.assertLessEqual(len(skipped), 5)
            self.assertGreaterEqual(len(names), 27)
            for name in filter(lambda name: "weight" in name and hasattr(estimator_checks, name), declared):
                with warnings.catch_warnings():
                    quiet()
                    one = of() if of is pairrank.RankBoost else of(lambdas=1.0)
                    getattr(estimator_checks, name)(of.__name__, one)

    def test_estimators_of_other_data(self):
        try:
            from sklearn.exceptions import SkipTestWarning
            from sklearn.utils import estimator_checks as checks
        except ImportError as err:
            raise unittest.SkipTest("scikit-learn is not here") from err
        for of in (pairrank.PairwiseRelation, pairrank.Leaderboard):
            with self.assertWarnsRegex(SkipTestWarning, "edges between nodes|comparisons of named items|"
                                       "requires input +of type InputTags"):  # the latter since 1.6
                checks.check_estimator(of())
            for name in ("parameters_default_constructible", "no_attributes_set_in_init", "get_params_invariance",
                         "set_params", "estimator_get_tags_default_keys", "valid_tag_types"):
                if check := getattr(checks, "check_" + name, None):
                    check(of.__name__, of())


class SameAsCommand(unittest.TestCase):
    """The model, λ and error are those of the command on the same archive; predictions are equal."""

    def same(self, X, y, qid, of=pairrank.RankRLS, flags=(), **options):
        with tempfile.TemporaryDirectory() as d:
            rows, path = os.path.join(d, "X.npz"), os.path.join(d, "model.txt")
            np.savez(rows, X=X, y=y, **({} if qid is None else {"qid": qid}))
            import json

            said = json.loads(command("train", rows, "-o", path, "--json", f"--learner={of._learner}", *flags))
            scores = os.path.join(d, "scores.npy")
            command("predict", path, rows, "-o", scores)
            want, text = np.load(scores), pathlib.Path(path).read_bytes()
        with warnings.catch_warnings():
            quiet()
            model = of(**options).fit(X, y, groups=qid)
        self.assertEqual(model.model_, text)
        self.assertEqual(model.lambda_, said.get("lambda"))
        chosen = [s["error"] for s in said.get("selection") or [] if s.get("chosen")]
        self.assertEqual([model.error_] if chosen else [], chosen)
        np.testing.assert_array_equal(model.predict(X), want)
        np.testing.assert_array_equal(pairrank.load(text).predict(X), want)

    def test_examples(self):
        X, y, qid = letor(ROOT / "examples" / "letor" / "train.txt")
        self.same(X, y, qid)
        self.same(np.asfortranarray(X), y, qid)
        self.same(X, y, qid, pairrank.RankSVM, ["--lambda", "0.01"], lambdas=0.01)
        self.same(X, y, qid, pairrank.RankBoost, ["--rounds", "20"], rounds=20)
        self.same(X, y, qid, pairrank.RLS, ["--select", "kfold:5", "--seed", "3"], select="kfold:5", seed=3)
        self.same(X, y, qid, pairrank.RankRLS, ["--kernel", "linear+gaussian:gamma=0.1"],
                  kernel="linear+gaussian:gamma=0.1")
        self.same(X, y, qid, pairrank.RankRLS, ["--kernel", "gaussian:gamma=0.1", "--query-weight", "size"],
                  kernel="gaussian:gamma=0.1", query_weight="size")

    def test_scores_without_the_program(self):
        """Models of weights score few rows in NumPy: the bytes are those of the program."""
        rng = np.random.default_rng(0)
        kinds = ({}, {"normalize": "zscore"}, {"normalize": "minmax", "missing": "mean"})
        for n in (1, 2, 3, 4, 5, 8, 11, 30):
            X = np.round(rng.normal(size=(60, n)) * 10.0 ** rng.integers(-3, 4, size=n), 3)
            y = X @ rng.normal(size=n)
            for options in kinds:
                model = pairrank.RankRLS(lambdas=1.0, **options).fit(X, y)
                new = np.concatenate([X, rng.normal(size=(20, n)), np.zeros((1, n)), -np.zeros((1, n))])
                for Z in (new, new[:1], new[-1:], np.asfortranarray(new), new.astype("f4"), new.astype(int).astype("i4"),
                          new[::2, ::-1]):
                    with mock.patch.object(_worker, "call", side_effect=AssertionError("the program was asked")):
                        f = model.predict(Z)
                    with mock.patch.object(_scores, "scorer_of", return_value=None):
                        self.assertEqual(f.tobytes(), model.predict(Z).tobytes(), (n, options))

    def test_what_the_program_scores(self):
        """Its errors, and rows that it alone understands, are as for other models."""
        X, y, _ = problem(40, 4)
        model = pairrank.RankRLS(lambdas=1.0, missing="mean").fit(X, y)
        X[0, 0] = np.nan
        with mock.patch.object(_scores, "scorer_of", return_value=None):
            want = model.predict(X)
        self.assertEqual(model.predict(X).tobytes(), want.tobytes())
        with self.assertRaisesRegex(ValueError, "would give other scores"):
            model.set_params(missing="min").predict(X[1:])
        with self.assertRaisesRegex(pairrank.NumericalError, "score of row 0 overflows"):
            pairrank.RankRLS(lambdas=1.0).fit(X[1:] * 1e-3, y[1:] * 1e3).predict(np.full((1, 4), 1.5e308))

    def test_real_data(self):
        sets = [f"uci/{name}.svm.gz" for name in ("breastcancer", "housing", "ionosphere", "parkinsons",
                                                  "pimaindiansdiabetes2", "sonar")]
        sets += ["microarray/alon.svm.gz", "microarray/golub.svm.gz", "ohsumed_letor2/S1.txt.gz",
                 "mq2008_letor4/S1.txt.gz"]
        for name in sets:
            with self.subTest(name):
                self.same(*letor(data(name)))

    def test_sparse(self):
        try:
            from scipy import sparse
        except ImportError as err:
            raise unittest.SkipTest("SciPy is not here") from err
        X, y, qid = problem(50, 6)
        X[X < 0.5] = 0
        want = pairrank.RankRLS().fit(sparse.csr_matrix(X), y, groups=qid)
        for form in ("csc", "coo", "lil"):
            S = sparse.csr_matrix(X).asformat(form)
            self.assertEqual(pairrank.RankRLS().fit(S, y, groups=qid).model_, want.model_)
        np.testing.assert_allclose(want.predict(S), want.predict(X), rtol=1e-12, atol=1e-12)

    def test_types_and_orders(self):
        X, y, qid = problem(50, 3)
        X = np.round(X * 8)
        want = pairrank.RankRLS().fit(X, y, groups=qid).model_
        wide = np.zeros((100, 6))
        wide[::2, ::2] = X
        for A in (X.astype("f4"), X.astype("i2"), X.astype("i8"), X.astype(">f8"), np.asfortranarray(X), wide[::2, ::2],
                  X.tolist(), X.astype(object), X.astype("f2")):
            self.assertEqual(pairrank.RankRLS().fit(A, y, groups=qid).model_, want)
        self.assertEqual(pairrank.RankRLS().fit(X, list(y), qid=[f"q{k}" for k in qid]).lambda_,
                         pairrank.RankRLS().fit(X, y, groups=qid).lambda_)


class Values(unittest.TestCase):
    def test_plain_values(self):
        X, y, qid = problem(60, 3)
        for of in ROWS:
            model = of().fit(X, y, groups=qid)
            for other in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), copy.copy(model)):
                self.assertEqual(other.model_, model.model_)
                np.testing.assert_array_equal(other.predict(X), model.predict(X))
            with tempfile.TemporaryDirectory() as d:
                path = os.path.join(d, "m.txt")
                pairrank.save(model, path)
                self.assertEqual(pathlib.Path(path).read_bytes(), model.model_)
                command("inspect", path)
                np.testing.assert_array_equal(pairrank.load(path).predict(X), model.predict(X))
                code = ("import pickle, sys; m, X, p = pickle.load(sys.stdin.buffer); "
                        "assert (m.predict(X) == p).all()")
                subprocess.run([sys.executable, "-c", code], check=True,
                               input=pickle.dumps((model, X, model.predict(X))),
                               env={**os.environ, "PYTHONPATH": str(ROOT / "python")})

    def test_coefficients(self):
        X, y, qid = problem(60, 3)
        model = pairrank.RankRLS().fit(X, y, groups=qid)
        np.testing.assert_allclose(X @ model.coef_, model.predict(X), rtol=0, atol=1e-13)
        self.assertFalse(hasattr(pairrank.RankRLS(kernel="gaussian:gamma=1").fit(X, y), "coef_"))
        loaded = pairrank.load(gzip.compress(model.model_))
        np.testing.assert_array_equal(loaded.coef_, model.coef_)
        np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
        self.assertFalse(hasattr(loaded, "shapes_"))
        curves = pairrank.RankRLS(spline=2, lambdas=1.0).fit(X, y, groups=qid)
        loaded = pairrank.load(gzip.compress(curves.model_))
        self.assertEqual(repr(loaded.shapes_), repr(curves.shapes_))
        self.assertFalse(hasattr(loaded, "coef_"))

    def test_attributes_after_fit(self):
        X, y, qid = problem(60, 3)
        for of in ROWS:
            with warnings.catch_warnings():
                quiet()
                model = (of(select="lqo") if of is pairrank.RankBoost else of()).fit(X, y, groups=qid)
            chosen = [s for s in model.training_["selection"] if s.get("chosen")]
            self.assertEqual(model.lambda_, model.training_.get("lambda"))
            self.assertEqual(model.error_, chosen[0]["error"])
            self.assertIn(model.error_, model.error_path_[:, 1])
            self.assertEqual(len(model.error_path_), len(model.training_["selection"]))
            given = chosen[0].get("ci95")
            self.assertEqual(given, None if model.interval_ is None else list(model.interval_))
            self.assertTrue(any("columns: label" in note for note in model.notes_))
            if of is pairrank.RankBoost:
                self.assertEqual(model.rounds_, chosen[0]["rounds"])
                self.assertIsNone(of().fit(X, y, groups=qid).error_)  # nothing was held out
            self.assertEqual(hasattr(model, "coef_"), of is not pairrank.RankBoost)
            self.assertIsNone(pairrank.load(model.model_).interval_)

    def test_interval(self):
        X, y, qid = problem(120, 3, queries=30)
        for of, options in ((pairrank.RankRLS, {}), (pairrank.RankRLS, {"select": "kfold:3", "seed": 5}),
                            (pairrank.RLS, {"kernel": "gaussian:gamma=0.1"}),
                            (pairrank.RankSVM, {"lambdas": [0.01, 1]})):
            model = of(**options).fit(X, y, groups=qid, interval=True)
            options["method"] = options.pop("select", None)
            found = pairrank.estimate(X, y, qid, learner=of._learner, interval="halves", **options)
            self.assertEqual((model.error_, list(model.interval_)), (found.error, list(found.interval)))
            self.assertTrue(model.interval_[0] <= model.error_ <= model.interval_[1])
        with self.assertRaisesRegex(ValueError, "6 queries are too few for halves"):
            pairrank.RankRLS().fit(X, y, groups=qid % 6, interval=True)
        self.assertIsNone(pairrank.RankRLS(lambdas=1.0).fit(X, y, groups=qid, interval=True).interval_)  # no error_

    def test_labels(self):
        X, y, qid = problem(60, 3)
        many = pairrank.RankRLS(lambdas=1.0).fit(X, np.column_stack([y, -y]), groups=qid)
        one = pairrank.RankRLS(lambdas=1.0).fit(X, y, groups=qid)
        np.testing.assert_allclose(many.predict(X), np.outer(one.predict(X), [1, -1]), rtol=1e-10, atol=1e-12)
        texts = np.where(y > 0, "tumor", "normal")
        two = pairrank.RankRLS().fit(X, texts)
        np.testing.assert_array_equal(two.decision_function(X), pairrank.RankRLS().fit(X, y > 0).predict(X))
        self.assertEqual(list(two.classes_), ["normal", "tumor"])
        self.assertFalse(hasattr(one, "decision_function"))
        self.assertAlmostEqual(two.score(X, texts), 1 - pairrank.evaluate(
            (y > 0).astype(int), two.predict(X))["metrics"]["disagreement"]["mean"], 12)
        with self.assertRaisesRegex(ValueError, "3 different texts"):
            pairrank.RankRLS().fit(X[:3], ["a", "b", "c"])

    def test_tags_of_newer_versions(self):
        """Scikit-learn 1.6 has classes of tags; where it is older, small ones with the same fields stand in."""
        import dataclasses
        from unittest import mock

        def kind(name, **fields):
            return dataclasses.make_dataclass(name, [
                (k, object, dataclasses.field(default=v)) if v is not ... else (k, object) for k, v in fields.items()])

        try:
            from sklearn import utils
        except ImportError:
            self.skipTest("scikit-learn is not here")
        newer = {} if hasattr(utils, "Tags") else {
            "InputTags": kind("InputTags", one_d_array=False, two_d_array=True, three_d_array=False, sparse=False,
                              categorical=False, string=False, dict=False, positive_only=False, allow_nan=False,
                              pairwise=False),
            "TargetTags": kind("TargetTags", required=..., one_d_labels=False, two_d_labels=False, positive_only=False,
                               multi_output=False, single_output=True),
            "RegressorTags": kind("RegressorTags", poor_score=False),
            "Tags": kind("Tags", estimator_type=..., target_tags=..., transformer_tags=None, classifier_tags=None,
                         regressor_tags=None, array_api_support=False, no_validation=False, non_deterministic=False,
                         requires_fit=True, _skip_test=False, input_tags=None)}
        with mock.patch.multiple(utils, create=True, **newer) if newer else mock.MagicMock():
            for of, estimator_type, several in ((pairrank.RankRLS, "ranker", True), (pairrank.RLS, "regressor", True),
                                                (pairrank.RankSVM, "ranker", False)):
                tags = of().__sklearn_tags__()
                self.assertEqual(tags.estimator_type, estimator_type)
                self.assertEqual(tags.regressor_tags is not None, estimator_type == "regressor")
                self.assertEqual((tags.target_tags.required, tags.target_tags.multi_output), (True, several))
                self.assertEqual((tags.input_tags.sparse, tags.input_tags.allow_nan, tags._skip_test),
                                 (True, False, False))
            self.assertTrue(pairrank.RankRLS(missing="mean").__sklearn_tags__().input_tags.allow_nan)
            self.assertTrue(pairrank.RankRLS(kernel="precomputed").__sklearn_tags__().input_tags.pairwise)
            for of in (pairrank.PairwiseRelation, pairrank.Leaderboard):
                tags = of().__sklearn_tags__()
                self.assertEqual((tags._skip_test, tags.input_tags.two_d_array), (True, False))

    def test_requests_of_metadata(self):
        """Scikit-learn 1.3 and later has requests of metadata; where it is older, a small class stands in."""
        import copy
        import sys
        import types
        from unittest import mock

        try:
            import sklearn
        except ImportError:
            self.skipTest("scikit-learn is not here")

        class Method:
            def __init__(self):
                self.requests = {}

            def add_request(self, *, param, alias):
                self.requests[param] = alias

        class MetadataRequest:
            def __init__(self, owner):
                self.owner, self.fit, self.score = owner, Method(), Method()

        stand_in = types.ModuleType("sklearn.utils.metadata_routing")
        stand_in.MetadataRequest = MetadataRequest
        if "enable_metadata_routing" not in sklearn.get_config():
            with self.assertRaisesRegex(RuntimeError, "scikit-learn 1.6"):
                pairrank.RankRLS().set_fit_request(qid=True)
        newer = {} if "enable_metadata_routing" in sklearn.get_config() else {
            "sklearn.utils.metadata_routing": stand_in}
        for enabled in (False, True):
            with mock.patch.dict(sys.modules, newer), mock.patch.object(
                    sklearn, "get_config", lambda: {"enable_metadata_routing": enabled}):
                if not enabled:
                    with self.assertRaisesRegex(RuntimeError, "enable_metadata_routing"):
                        pairrank.RankRLS().set_fit_request(qid=True)
                    continue
                for of in (pairrank.RankRLS, pairrank.RLS, pairrank.RankSVM, pairrank.RankBoost):
                    model = of().set_fit_request(qid=True, sample_weight="mass").set_score_request(qid=False)
                    got = model.get_metadata_routing()
                    self.assertEqual({k: v for k, v in got.fit.requests.items() if v is not None},
                                     {"qid": True, "sample_weight": "mass"})
                    self.assertEqual(set(got.fit.requests), {"groups", "qid", "together", "fold", "preferences",
                                                             "sample_weight", "beside"})
                    self.assertEqual(got.score.requests, {"groups": None, "qid": False, "sample_weight": None})
                    got.fit.add_request(param="fold", alias=True)  # of a copy
                    self.assertIsNone(model.get_metadata_routing().fit.requests["fold"])
                    self.assertIn("_metadata_request", copy.deepcopy(model).__dict__)
                    with self.assertRaisesRegex(TypeError, "fit takes no nonsense: its arrays are beside, fold"):
                        model.set_fit_request(nonsense=True)

    def test_no_probabilities(self):
        X = np.arange(12.0).reshape(6, 2) ** 2
        model = pairrank.RankRLS(lambdas=1.0).fit(X, np.arange(6) % 2)
        self.assertFalse(hasattr(model, "predict_proba"))
        with self.assertRaisesRegex(AttributeError, "scores say which row stands above which"):
            model.predict_proba(X)

    def test_logical_values(self):
        """Columns of true and false, of any type of pandas, are 0 and 1; NA among them is missing."""
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not here")
        frame = pandas.DataFrame({"a": np.arange(12.0) ** 2 % 7, "b": np.arange(12) % 3 > 0})
        labels = np.arange(12) % 5
        want = pairrank.RankRLS(lambdas=1.0).fit(frame.astype(float), labels)
        hole = frame.astype(float)
        hole.loc[3, "b"] = np.nan
        filled = pairrank.RankRLS(lambdas=1.0, missing="mean").fit(hole, labels)
        for dtype in ("bool", "boolean", "object", "Int64"):
            of = frame.assign(b=frame["b"].astype("int" if dtype == "Int64" else dtype).astype(dtype))
            model = pairrank.RankRLS(lambdas=1.0).fit(of, labels)
            self.assertEqual(model.model_, want.model_, dtype)
            np.testing.assert_array_equal(model.predict(of[["b", "a"]]), want.predict(frame.astype(float)))
            if dtype != "bool":
                of.loc[3, "b"] = pandas.NA
                self.assertEqual(pairrank.RankRLS(lambdas=1.0, missing="mean").fit(of, labels).model_, filled.model_)
                with self.assertRaisesRegex(ValueError, "NaN"):
                    pairrank.RankRLS(lambdas=1.0).fit(of, labels)

    def test_masked_values(self):
        X, y, qid = problem(60, 3)
        some = np.arange(60) == 7
        masked = np.ma.array(X, mask=np.column_stack([some, some, some]))
        for of, values in (("X", (masked, y, qid)), ("y", (X, np.ma.array(y, mask=some), qid)),
                           ("groups", (X, y, np.ma.array(qid, mask=some)))):
            with self.assertRaisesRegex(ValueError, f"{of} has masked values"):
                pairrank.RankRLS(lambdas=1.0).fit(values[0], values[1], groups=values[2])
        plain = pairrank.RankRLS(lambdas=1.0).fit(X, y, groups=qid)
        with self.assertRaisesRegex(ValueError, "X has masked values"):
            plain.predict(masked)
        np.testing.assert_array_equal(plain.predict(np.ma.array(X)), plain.predict(X))  # nothing is masked

    def test_missing_texts(self):
        X, y, qid = problem(4, 2)
        for missing in (None, float("nan"), np.float32("nan")):
            names = np.array(["a", "a", missing, "b"], dtype=object)
            for of, values in (("groups", (X, y, names)), ("y", (X, names, qid))):
                with self.assertRaisesRegex(ValueError, f"{of} of row 2 is missing"):
                    pairrank.RankRLS(lambdas=1.0).fit(values[0], values[1], groups=values[2])

    def test_preferences(self):
        X, y, _ = problem(40, 3)
        pairs = [(i, j) for i in range(40) for j in range(40) if y[i] > y[j]]
        preferred = pairrank.RankRLS(lambdas=1.0).fit(X, None, preferences=pairs)
        unit = pairrank.RankRLS(lambdas=1.0, cost="unit").fit(X, y)
        np.testing.assert_allclose(preferred.predict(X), unit.predict(X), rtol=1e-9, atol=1e-11)

    def test_kernel_matrix(self):
        X, y, qid = problem(40, 3)
        K = X @ X.T
        model = pairrank.RankRLS(kernel="precomputed", lambdas=1.0).fit(K, y, groups=qid)
        want = pairrank.RankRLS(lambdas=1.0).fit(X, y, groups=qid).predict(X)
        np.testing.assert_allclose(model.predict(K), want, rtol=1e-8, atol=1e-10)
        np.testing.assert_array_equal(pairrank.load(model.model_).predict(K), model.predict(K))

    def test_parameters(self):
        model = pairrank.RankSVM(loss="squared-hinge", lambdas=[0.5, 2])
        self.assertEqual(repr(model), "RankSVM(loss='squared-hinge', lambdas=[0.5, 2])")
        self.assertEqual(model.set_params(lambdas=1.0).get_params()["lambdas"], 1.0)
        with self.assertRaisesRegex(ValueError, "Invalid parameter 'lamda'"):
            model.set_params(lamda=1)
        with self.assertRaises(TypeError):
            pairrank.RankRLS(epsilon=1)


if __name__ == "__main__":
    unittest.main()
