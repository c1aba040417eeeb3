"""The estimators within scikit-learn, on real data."""

import inspect
import unittest
import warnings

import numpy as np

import pairrank

from .common import data, letor

try:
    import pandas
    from sklearn.base import clone
    from sklearn.compose import ColumnTransformer
    from sklearn.inspection import permutation_importance
    from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MinMaxScaler, StandardScaler
    from sklearn.utils.estimator_checks import check_dataframe_column_names_consistency
except ImportError as err:
    raise unittest.SkipTest(f"scikit-learn or pandas is not here: {err}") from err


class Search(unittest.TestCase):
    """Queries and documents of OHSUMED."""

    @classmethod
    def setUpClass(cls):
        cls.X, cls.y, cls.qid = letor(data("ohsumed_letor2/S1.txt.gz"))

    def setUp(self):
        warnings.simplefilter("ignore")

    def test_folds_of_queries(self):
        params = "params" if "params" in inspect.signature(cross_val_score).parameters else "fit_params"  # before 1.4
        scores = cross_val_score(pairrank.RankRLS(lambdas=1.0), self.X, self.y, groups=self.qid, cv=GroupKFold(3),
                                 **{params: {"qid": self.qid}})
        of = pairrank.RankRLS(lambdas=1.0)
        want = [of.fit(self.X[a], self.y[a], qid=self.qid[a]).score(self.X[b], self.y[b])
                for a, b in GroupKFold(3).split(self.X, self.y, self.qid)]
        np.testing.assert_array_equal(scores, want)

    def test_grid_in_processes(self):
        search = GridSearchCV(pairrank.RankRLS(), {"lambdas": [1.0, 100.0], "query_weight": ["pairs", "size"]},
                              cv=GroupKFold(2), n_jobs=2, error_score="raise")
        search.fit(self.X, self.y, groups=self.qid, qid=self.qid)
        want = pairrank.RankRLS(**search.best_params_).fit(self.X, self.y, groups=self.qid)
        self.assertEqual(search.best_estimator_.model_, want.model_)

    def test_pipeline_and_columns(self):
        frame = pandas.DataFrame(self.X, columns=[f"f{k}" for k in range(self.X.shape[1])])
        columns = ColumnTransformer([("a", StandardScaler(), ["f0", "f1", "f2"]), ("b", MinMaxScaler(), ["f3", "f4"])])
        columns.set_output(transform="pandas")
        pipe = make_pipeline(columns, pairrank.RankRLS()).fit(frame, self.y, rankrls__qid=self.qid)
        self.assertEqual(list(pipe[-1].feature_names_in_), ["a__f0", "a__f1", "a__f2", "b__f3", "b__f4"])
        self.assertGreater(pipe.score(frame, self.y), 0.6)
        self.assertEqual(clone(pipe).fit(frame, self.y, rankrls__qid=self.qid)[-1].model_, pipe[-1].model_)

    def test_names_of_columns(self):
        for of in (pairrank.RankRLS, pairrank.RLS, pairrank.RankSVM, pairrank.RankBoost):
            with self.assertRaisesRegex(AssertionError, "predict did not raise"):  # for another order of columns
                check_dataframe_column_names_consistency(of.__name__, of())


class Colon(unittest.TestCase):
    """62 samples and 2,000 genes."""

    def test_importance_of_genes(self):
        warnings.simplefilter("ignore")
        X, y, _ = letor(data("microarray/alon.svm.gz"))
        few = np.argsort(-np.abs(pairrank.RankRLS(lambdas=1000.0).fit(X, y).coef_))[:20]
        model = pairrank.RankRLS().fit(X[:, few], y)
        found = permutation_importance(model, X[:, few], y, n_repeats=3, random_state=0)
        self.assertEqual(found.importances.shape, (20, 3))
        self.assertGreater(found.importances_mean.max(), 0)
        auc = permutation_importance(model, X[:, few], y, n_repeats=2, random_state=0, scoring="roc_auc")
        np.testing.assert_allclose(auc.importances, found.importances[:, :2], atol=1e-12)


if __name__ == "__main__":
    unittest.main()
