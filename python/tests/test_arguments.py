"""Every argument of every function and estimator, as everything that Python has for it.

One table has the arguments, each with values that are right; the other one the forms in which a caller may give them. A
form that says the same gives the same result. One that does not is a ValueError that names the argument.
"""

import inspect
import os
import re
import tempfile
import unittest
import warnings

import numpy as np

import pairrank

try:
    import pandas
except ImportError as err:
    raise unittest.SkipTest(f"pandas is not here: {err}") from err

M = 24
_RNG = np.random.default_rng(3)
X = np.round(_RNG.normal(size=(M, 3)), 3)
Y = np.round(X[:, 0] + _RNG.normal(size=M), 0) + 5.0
QID, FOLD = np.arange(M) // 6, np.arange(M) % 3
ROWS, COLS, VALUES = np.round(_RNG.normal(size=(6, 2)), 3), np.round(_RNG.normal(size=(5, 2)), 3), np.round(
    _RNG.normal(size=(6, 5)), 3)
PAIRS = np.array([(i, j) for i in range(6) for j in range(5)])
R_IDS, C_IDS = np.arange(6) + 10, np.arange(5) + 20
NAMED = PAIRS + [10, 20]
GAMES = {"winner": np.array(["a", "b", "c", "a", "b", "c"]), "loser": np.array(["b", "c", "a", "c", "a", "b"])}
WEIGHTS = np.arange(M) % 3 + 0.5
AGES = np.array([1.0, 2.5, 4.0])


def fitted(of=pairrank.RankRLS, **options):
    return of(lambdas=1.0, **options).fit(X, Y, groups=QID) if of is not pairrank.RankBoost else of(rounds=3).fit(
        X, Y, groups=QID)


def learner(of, name):
    """Return the call that fits an estimator of rows with one argument exchanged."""
    def call(value):
        given = {"X": X, "y": Y, "groups": QID, **({} if name != "qid" else {"groups": None}), name: value}
        model = of(rounds=3) if of is pairrank.RankBoost else of(lambdas=1.0)
        if name == "fold":
            given["groups"], model = None, pairrank.RankRLS(select="kfold:3")
        if name == "together":
            given["groups"] = None
        return model.fit(**given).predict(X)
    return call


def scoring(of, name):
    def call(value):
        given = {"X": X, "y": Y, **({} if of is pairrank.RLS else {"groups": QID}), name: value}
        return fitted(of).score(**({**given, "groups": None} if name == "qid" else given))
    return call


def relation(name):
    def call(value):
        given = {"edges": NAMED, "y": VALUES.ravel(), "rows": ROWS, "cols": COLS, "row_ids": R_IDS, "col_ids": C_IDS,
                 name: value}
        return pairrank.PairwiseRelation(lambdas=1.0).fit(**given).model_
    return call


def related():
    return pairrank.PairwiseRelation(lambdas=1.0).fit(NAMED, VALUES.ravel(), rows=ROWS, cols=COLS, row_ids=R_IDS,
                                                      col_ids=C_IDS)


def new_nodes(name):
    def call(value):
        given = {"rows": ROWS, "cols": COLS, "row_ids": R_IDS, "col_ids": C_IDS, name: value}
        return related().predict(NAMED, **given)
    return call


def verb(of, name, given):
    return lambda value: without_time(of(**{**given, name: value}))


def without_time(found):
    if isinstance(found, pairrank.Page):
        return re.sub(r"<!--.*?-->", "", found.html)
    return {k: v for k, v in found.document.items() if k not in ("seconds", "file")}


_ROWS = {"X": X, "y": Y, "groups": QID}


def explained(name):
    return lambda value: without_time(pairrank.explain(fitted(), **{"X": X, "of": (0, 1), "groups": QID, name: value}))


def reported(name):
    return lambda value: without_time(pairrank.report(fitted(), **{**_ROWS, name: value}))


def ranked(value):
    return [(i["id"], i["score"]) for i in pairrank.Leaderboard().fit({**GAMES, "winner": value}).items_]


def with_items(value):
    items = {"id": ["a", "b", "c"], "age": value}
    return [(i["id"], i["score"]) for i in pairrank.Leaderboard().fit(GAMES, items=items).items_]


_COLUMN, _LABELS, _MATRIX, _IDS, _TEXTS = "column", "labels", "matrix", "ids", "texts"

# What takes it, the name that an error says, what it is, right values, and the call.
ARGUMENTS = [
    *((f"{of.__name__}.fit", name, kind, values, learner(of, name))
      for of in (pairrank.RankRLS, pairrank.RLS, pairrank.RankSVM, pairrank.RankBoost)
      for name, kind, values in (("X", _MATRIX, X), ("y", _LABELS, Y), ("groups", _IDS, QID), ("qid", _IDS, QID),
                                 ("together", _IDS, QID), ("fold", _IDS, FOLD), ("sample_weight", _COLUMN, WEIGHTS))
      if name not in ("together", "fold") or of is pairrank.RankRLS),
    ("RankRLS.fit", "preferences", "pairs", np.array([(0, 1), (3, 2), (5, 9), (11, 10)]),
     lambda v: pairrank.RankRLS(lambdas=1.0).fit(X, None, preferences=v).predict(X)),
    ("RankRLS.fit", "beside", _COLUMN, X[:, 0],
     lambda v: pairrank.RankRLS(lambdas=1.0, select="lqo").fit(X, Y, QID, beside=v).training_["beside"]),
    ("RankRLS.predict", "X", _MATRIX, X, lambda v: fitted().predict(v)),
    ("RankRLS.predict", "groups", _IDS, QID, lambda v: fitted().predict(X, v, beside=X[:, 1])),
    ("RankRLS.predict", "beside", _COLUMN, X[:, 1], lambda v: fitted().predict(X, QID, beside=v)),
    ("RankRLS.decision_function", "X", _MATRIX, X, lambda v: pairrank.RankRLS(lambdas=1.0).fit(
        X, X[:, 0] > 0).decision_function(v)),
    *((f"{of.__name__}.score", name, kind, values, scoring(of, name)) for of in (pairrank.RankRLS, pairrank.RLS)
      for name, kind, values in (("X", _MATRIX, X), ("y", _LABELS, Y), ("groups", _IDS, QID), ("qid", _IDS, QID),
                                 ("sample_weight", _COLUMN, WEIGHTS))
      if of is pairrank.RankRLS or name not in ("groups", "qid")),
    *(("estimate", name, kind, values, verb(pairrank.estimate, name, {
        **_ROWS, **({"groups": None} if name in ("together", "fold") else {}),
        **({"method": "kfold:3"} if name == "fold" else {}), "lambdas": 1.0}))
      for name, kind, values in (("X", _MATRIX, X), ("y", _LABELS, Y), ("groups", _IDS, QID), ("together", _IDS, QID),
                                 ("fold", _IDS, FOLD), ("sample_weight", _COLUMN, WEIGHTS),
                                 ("beside", _COLUMN, X[:, 0]))),
    *(("evaluate", name, kind, values, verb(pairrank.evaluate, name, {"y": Y, "scores": X[:, 0], "groups": QID}))
      for name, kind, values in (("y", _LABELS, Y), ("scores", _COLUMN, X[:, 0]), ("groups", _IDS, QID),
                                 ("together", _IDS, QID), ("sample_weight", _COLUMN, WEIGHTS),
                                 ("beside", _COLUMN, X[:, 1]))),
    *(("compare", name, kind, values, verb(pairrank.compare, name, {
        "y": Y, "rankings": {"a": X[:, 0], "b": X[:, 1]}, "groups": QID}))
      for name, kind, values in (("y", _LABELS, Y), ("groups", _IDS, QID), ("together", _IDS, QID),
                                 ("sample_weight", _COLUMN, WEIGHTS), ("beside", _COLUMN, X[:, 0]))),
    ("compare", "rankings", _COLUMN, X[:, 0],
     lambda v: without_time(pairrank.compare(Y, {"a": v, "b": X[:, 1]}, QID))),
    ("explain", "X", _MATRIX, X, explained("X")),
    ("explain", "of", "pair", np.array([3, 1]), explained("of")),
    ("explain", "groups", _IDS, QID, explained("groups")),
    ("report", "X", _MATRIX, X, reported("X")),
    ("report", "y", _LABELS, Y, reported("y")),
    ("report", "groups", _IDS, QID, reported("groups")),
    ("report", "sample_weight", _COLUMN, WEIGHTS, reported("sample_weight")),
    *(("PairwiseRelation.fit", name, kind, values, relation(name)) for name, kind, values in (
        ("edges", "edges", NAMED), ("y", _COLUMN, VALUES.ravel()), ("rows", _MATRIX, ROWS), ("cols", _MATRIX, COLS),
        ("row_ids", _IDS, R_IDS), ("col_ids", _IDS, C_IDS))),
    ("PairwiseRelation.fit", "edges", "values", VALUES, lambda v: pairrank.PairwiseRelation(lambdas=1.0).fit(
        v, rows=ROWS, cols=COLS).model_),
    ("PairwiseRelation.predict", "edges", "edges", NAMED, lambda v: related().predict(v)),
    *(("PairwiseRelation.predict", name, kind, values, new_nodes(name)) for name, kind, values in (
        ("rows", _MATRIX, ROWS), ("cols", _MATRIX, COLS), ("row_ids", _IDS, R_IDS), ("col_ids", _IDS, C_IDS))),
    ("PairwiseRelation.score", "edges", "edges", NAMED, lambda v: related().score(v, VALUES.ravel())),
    ("PairwiseRelation.score", "y", _COLUMN, VALUES.ravel(), lambda v: related().score(NAMED, v)),
    ("Leaderboard.fit", "comparisons", _TEXTS, GAMES["winner"], ranked),
    ("Leaderboard.fit", "items", _COLUMN, AGES, with_items),
]


def put(values, value):
    """Return the values as objects, with another one in the second row."""
    out = np.array(values, dtype=object)
    out[(1,) + (0,) * (out.ndim - 1)] = value
    return out


def masked(values):
    some = np.zeros(values.shape, dtype=bool)
    some[(1,) + (0,) * (values.ndim - 1)] = True
    return np.ma.array(values, mask=some)


def dates(values):
    return np.resize(np.array(["2020-01-01", "2020-01-03", "2021-07-01"], "M8[ns]"), values.shape)


def undated(values):
    out = dates(values)
    out[(1,) + (0,) * (out.ndim - 1)] = "NaT"
    return out


def framed(values, dtype):
    return pandas.DataFrame(values).astype(dtype) if values.ndim == 2 else pandas.Series(values).astype(dtype)


def numeric(values):
    return "Int64" if values.dtype.kind == "i" else "Float64" if values.dtype.kind == "f" else "string"


def shuffled_index(values):
    of = framed(values, values.dtype if values.dtype.kind != "U" else object)
    of.index = list(range(50, 50 + len(of)))
    return of


# A form that says the same.
SAME = {
    "list": lambda v: v.tolist(),
    "objects": lambda v: v.astype(object),
    "nothing masked": np.ma.array,
    "pandas": shuffled_index,
    "pandas with NA": lambda v: framed(v, numeric(v)),
    "reversed in memory": lambda v: np.asfortranarray(v[::-1])[::-1],
}

# A form that does not.
OTHER = {
    "masked": masked,
    "None": lambda v: put(v, None),
    "NaN": lambda v: put(v, np.nan),
    "NaN in a list": lambda v: put(v, np.nan).tolist(),
    "NA": lambda v: framed(put(v, None), numeric(v)),
    "NaT": lambda v: put(v, pandas.NaT),
    "NaT of NumPy": undated,
    "infinity": lambda v: put(v, np.inf),
    "dates": dates,
    "dates as objects": lambda v: put(v, pandas.Timestamp("2020-01-01")),
    "complex": lambda v: np.ones(v.shape) * 1j,
    "mixed": lambda v: put(v, "text" if v.dtype.kind != "U" else 3).tolist(),
    "longer": lambda v: np.concatenate([v, v[:1]]),
    "shorter": lambda v: v[:-1],
}


def applies(of, name, kind, form, values):
    """Return why a form is no matter of an argument, or nothing."""
    if form in ("longer", "shorter"):
        if kind in ("pairs", "edges") or name == "X" and of.split(".")[-1] in ("predict", "decision_function") or (
                (of, name) == ("explain", "X")):
            return "any number of them is right"
        if form == "shorter" and kind == "pair":
            return "one row is explained, too"
    if kind == "values" and form in ("None", "NaN", "NaN in a list", "NA"):
        return "no value was observed"
    if of == "Leaderboard.fit" and form in ("dates", "dates as objects", "mixed", "complex", "NaT of NumPy") and (
            name == "comparisons"):
        return "a name is any text"
    return ""


class Arguments(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")

    def test_the_same(self):
        cells = 0
        for of, name, kind, values, call in ARGUMENTS:
            want = call(values)
            forms = dict(SAME)
            if values.ndim == 1:
                forms["category"] = lambda v: framed(v, "category")
            for form, make in forms.items():
                with self.subTest(of=of, argument=name, form=form):
                    given = make(values)
                    if kind == _MATRIX and isinstance(given, pandas.DataFrame) and name in ("rows", "cols"):
                        given.columns, given.index = ["x0", "x1"], range(len(given))
                    np.testing.assert_equal(call(given), want)
                    cells += 1
        self.assertGreater(cells, 300)

    def test_others(self):
        cells = 0
        for of, name, kind, values, call in ARGUMENTS:
            for form, make in OTHER.items():
                if applies(of, name, kind, form, values):
                    continue
                with self.subTest(of=of, argument=name, form=form):
                    with self.assertRaises(ValueError) as caught:
                        call(make(values))
                    text = str(caught.exception)
                    self.assertRegex(text, rf"(?<![\w.]){name}(?!\w)")
                    self.assertNotRegex(text, r"\.npz|\.npy|\.csv|\.tsv|--[a-z]|numpy\.core|float\(\)")
                    cells += 1
        self.assertGreater(cells, 600)

    def test_all_are_in_the_table(self):
        listed = {(of, name) for of, name, _, _, _ in ARGUMENTS}
        listed |= {("RLS.score", "groups"), ("RLS.score", "qid")}  # which do not matter
        for of in PUBLIC:
            for name in parameters(of):
                if name in _NO_DATA:
                    continue
                shown = of.__qualname__.replace("RowEstimator", "RankRLS")
                self.assertIn((shown, name), listed)


_NO_DATA = {"progress", "interval", "held_out", "report", "options", "params", "deep", "model", "to", "path",
            "metadata"}
_ESTIMATORS = (pairrank.RankRLS, pairrank.RLS, pairrank.RankSVM, pairrank.RankBoost, pairrank.PairwiseRelation,
               pairrank.Leaderboard)


def methods(of):
    return [value for name, value in inspect.getmembers(of, inspect.isfunction)
            if not name.startswith("_") and value.__module__.startswith("pairrank")]


PUBLIC = list({f.__qualname__: f for f in [
    *(getattr(pairrank, name) for name in pairrank.__all__ if inspect.isfunction(getattr(pairrank, name))),
    *(f for of in (*_ESTIMATORS, pairrank.Page, pairrank.Document, pairrank.Estimate, pairrank.Evaluation,
                   pairrank.Comparison) for f in methods(of)),
]}.values())


def parameters(of):
    return [name for name in inspect.signature(of).parameters if name != "self"]


class Documentation(unittest.TestCase):
    def described(self, of, text):
        """Return the names that the section of parameters describes, each with a line of its own below."""
        lines = inspect.cleandoc(text or "").split("\n")
        names = []
        for line, below in zip(lines, lines[1:]):
            head = re.match(r"(\*{0,2}\w+(?:, \*{0,2}\w+)*)(?: : .+)?$", line)
            if head and below.startswith("    "):
                names += [name.strip("* ") for name in head[1].split(",")]
        return names

    def test_functions(self):
        self.assertGreater(len(PUBLIC), 20)
        for of in PUBLIC:
            with self.subTest(of=of.__qualname__):
                self.assertTrue(of.__doc__)
                self.assertLessEqual(set(parameters(of)), set(self.described(of, of.__doc__)))

    def test_constructors(self):
        for of in _ESTIMATORS:
            self.assertLessEqual(set(of._names()), set(self.described(of, of.__doc__)), of.__name__)


class Frames(unittest.TestCase):
    """Frames: categories are factors, NA is missing, columns are found by their names."""

    def setUp(self):
        warnings.simplefilter("ignore")
        sex = np.where(X[:, 1] > 0, "f", "m")
        self.frame = pandas.DataFrame({"age": X[:, 0], "sex": pandas.Categorical(sex), "dose": X[:, 2]})
        self.plain = pandas.DataFrame({"age": X[:, 0], "sex=f": sex == "f", "sex=m": sex == "m", "dose": X[:, 2]})

    def test_categories(self):
        want = pairrank.RankRLS(lambdas=1.0).fit(self.plain, Y, groups=QID)
        model = pairrank.RankRLS(lambdas=1.0).fit(self.frame, Y, groups=QID)
        np.testing.assert_allclose(model.predict(self.frame), want.predict(self.plain), rtol=1e-12)
        np.testing.assert_allclose(model.coef_, want.coef_, rtol=1e-12)
        self.assertEqual(list(model.feature_names_in_), ["age", "sex", "dose"])
        texts = self.frame.astype({"sex": object})
        asked = pairrank.RankRLS(lambdas=1.0, factor_columns=["sex"]).fit(texts, Y, groups=QID)
        self.assertEqual(asked.model_, model.model_)
        for rows in (self.frame, texts, self.frame[["dose", "sex", "age"]], texts.to_numpy()):
            np.testing.assert_array_equal(model.predict(rows), asked.predict(self.frame))
        again = pairrank.load(model.model_)
        np.testing.assert_array_equal(again.predict(texts), model.predict(texts))
        self.assertEqual(list(again.feature_names_in_), ["age", "sex", "dose"])
        self.assertEqual(pairrank.estimate(self.frame, Y, QID, lambdas=1.0).error,
                         pairrank.estimate(texts, Y, QID, lambdas=1.0, factor_columns=["sex"]).error)
        self.assertEqual(len(pairrank.explain(model, texts, of=0)["explained"]), 1)
        self.assertIn("<svg", pairrank.report(model, texts, Y, QID).html)
        self.assertEqual(model.score(texts, Y, QID), model.score(self.frame, Y, QID))

    def test_factors_that_are_wrong(self):
        texts = self.frame.astype({"sex": object})
        model = pairrank.RankRLS(lambdas=1.0).fit(self.frame, Y, groups=QID)
        other = self.frame.assign(sex=["x", *["f"] * (M - 1)])
        lacking = self.frame.assign(sex=[None, *["f"] * (M - 1)])
        for text, call in (
            ("column 'sex' of X .*factor_columns=", lambda: pairrank.RankRLS(lambdas=1.0).fit(texts, Y)),
            ("no column 'sx' in X", lambda: pairrank.RankRLS(factor_columns=["sx"]).fit(texts, Y)),
            ("no column 'sex' in X, which has no names", lambda: pairrank.RankRLS(factor_columns="sex").fit(X, Y)),
            ("no level \"x\" of column \"sex\"", lambda: model.predict(other)),
            ("X contains NaN: row 0, column 1", lambda: model.predict(lacking)),
            ("now missing", lambda: model.predict(texts[["age", "dose"]])),
            ("rows is a category", lambda: pairrank.PairwiseRelation().fit(VALUES, rows=pandas.DataFrame(
                {"a": pandas.Categorical(list("ababab"))}), cols=COLS)),
        ):
            with self.assertRaisesRegex(ValueError, text):
                call()

    def test_missing(self):
        some = X[:, 0].copy()
        some[3] = np.nan
        for missing in ("zero", "mean", "min"):
            model = pairrank.RankRLS(lambdas=1.0, missing=missing)
            want = model.fit(pandas.DataFrame({"a": some, "b": X[:, 1]}), Y, groups=QID).model_
            frame = pandas.DataFrame({"a": pandas.array(some, dtype="Float64"), "b": X[:, 1]})
            self.assertTrue(frame["a"].isna()[3])
            self.assertEqual(model.fit(frame, Y, groups=QID).model_, want)
            self.assertEqual(model.fit(frame.astype(object), Y, groups=QID).model_, want)

    def test_levels_and_shapes(self):
        r = np.random.default_rng(46)
        X = r.normal(size=(80, 3))
        gaps = r.random(80) < 0.3
        y = np.abs(X[:, 0]) + np.where(gaps, 2.0, 0.0)
        X[gaps, 0] = np.nan
        model = pairrank.RankRLS(spline=4, missing="own", normalize="zscore", lambdas=1.0).fit(X, y)
        shapes = model.shapes_
        self.assertEqual(set(shapes), {1, 2, 3})
        self.assertNotIn("missing", shapes[2])
        self.assertEqual(model.n_features_in_, 3)

        def adds(row):
            return sum(
                s["missing"] if np.isnan(row[j - 1]) else np.interp(row[j - 1], s["x"], s["adds"]) for j, s in shapes.items()
            )

        scores, sums = model.predict(X), np.array([adds(row) for row in X])
        np.testing.assert_allclose(scores - scores[0], sums - sums[0], atol=1e-9)
        for j, s in shapes.items():
            self.assertEqual(len(s["x"]), len(s["adds"]))
            self.assertLessEqual(len(s["knots"]), 4)
        hole = X.copy()
        hole[0, 1] = np.nan
        with self.assertRaisesRegex(ValueError, "NaN|missing"):
            model.predict(hole)
        with tempfile.TemporaryDirectory() as d:
            kept = os.path.join(d, "model.txt")
            pairrank.save(model, kept)
            loaded = pairrank.load(kept)
        self.assertEqual(loaded.n_features_in_, 3)
        np.testing.assert_array_equal(loaded.predict(X), scores)
        lines = pairrank.RankRLS(missing="own", lambdas=1.0).fit(X, y)
        self.assertEqual(lines.coef_.shape, (4,))
        np.testing.assert_allclose(lines.predict(X)[gaps] - lines.predict(np.where(np.isnan(X), np.nanmean(X[:, 0]), X))[gaps],
                                   lines.coef_[3])
        few = pairrank.RankRLS(spline=4, missing="own", normalize="zscore", lambdas=1.0, features=1).fit(X, y)
        self.assertEqual([j for j, s in few.shapes_.items() if np.any(s["adds"] != 0)], [1])

    def test_knots(self):
        r = np.random.default_rng(47)
        frame = pandas.DataFrame(r.normal(size=(60, 3)), columns=["age", 'a,"b"', "dose"])
        y = np.abs(frame["age"]) + frame["dose"]
        four = pairrank.RankRLS(spline=4, lambdas=1.0).fit(frame, y)
        self.assertEqual(pairrank.RankRLS(spline=True, lambdas=1.0).fit(frame, y).model_, four.model_)
        same = pairrank.RankRLS(spline_in=dict.fromkeys(frame, 4), lambdas=1.0).fit(frame, y)
        np.testing.assert_array_equal(same.predict(frame), four.predict(frame))
        some = pairrank.RankRLS(spline_in={"age": 6, 'a,"b"': np.int64(2), "dose": 0}, lambdas=1.0).fit(frame, y)
        self.assertEqual([len(some.shapes_[name].get("knots", [])) for name in frame], [6, 2, 0])
        other = pairrank.RankRLS(spline=2, spline_in="age=6,dose=0", lambdas=1.0).fit(frame, y)
        np.testing.assert_array_equal(other.predict(frame), some.predict(frame))
        self.assertEqual(pairrank.RankRLS(spline=False, lambdas=1.0).fit(frame, y).coef_.shape, (3,))
        with self.assertRaisesRegex(ValueError, 'knots are given for "agee".* did you mean age'):
            pairrank.RankRLS(spline_in={"agee": 6}).fit(frame, y)

    def test_booleans(self):
        flags = X[:, 1] > 0
        want = pairrank.RankRLS(lambdas=1.0).fit(np.c_[X[:, 0], flags], Y, groups=QID).predict(np.c_[X[:, 0], flags])
        for dtype in ("bool", "boolean", "object"):
            frame = pandas.DataFrame({"age": X[:, 0], "flag": pandas.Series(flags).astype(dtype)})
            model = pairrank.RankRLS(lambdas=1.0).fit(frame, Y, groups=QID)
            np.testing.assert_array_equal(model.predict(frame), want)
        lacking = frame.assign(flag=pandas.array([pandas.NA, *flags[1:]], dtype="boolean"))
        with self.assertRaisesRegex(ValueError, "Input X contains NaN: row 0, column 1"):
            pairrank.RankRLS(lambdas=1.0).fit(lacking, Y, groups=QID)
        zero = pairrank.RankRLS(lambdas=1.0, missing="zero").fit(lacking, Y, groups=QID)
        np.testing.assert_array_equal(zero.predict(lacking), zero.predict(lacking.fillna(False)))
        for labels in (flags, pandas.Series(flags).astype("boolean"), pandas.Series(flags).astype(object)):
            model = pairrank.RankRLS(lambdas=1.0).fit(X, labels)
            self.assertEqual(list(model.classes_), [False, True])
        with self.assertRaisesRegex(ValueError, "y contains NaN"):
            pairrank.RankRLS().fit(X, pandas.Series(flags).astype("boolean").where(X[:, 2] > 0))

    def test_categories_of_labels(self):
        texts = np.where(X[:, 0] > 0, "low", "high")
        for order, sign in ((["low", "high"], -1), (["high", "low"], 1)):
            y = pandas.Series(pandas.Categorical(texts, categories=order, ordered=True))
            model = pairrank.RankRLS(lambdas=1.0).fit(X, y)
            np.testing.assert_allclose(model.predict(X), sign * pairrank.RankRLS(lambdas=1.0).fit(
                X, X[:, 0] > 0).predict(X), atol=1e-12)
            for same in (y.to_numpy(), y.array, y.cat.codes):
                if not isinstance(same, np.ndarray):
                    self.assertEqual(pairrank.RankRLS(lambdas=1.0).fit(X, same).model_, model.model_)
            self.assertGreater(model.score(X, y), 0.9)
        grades = pandas.Series(pandas.Categorical(np.resize(["bad", "fair", "good"], M), ordered=True,
                                                  categories=["bad", "fair", "good"]))
        self.assertEqual(pairrank.RankRLS(lambdas=1.0).fit(X, grades).model_,
                         pairrank.RankRLS(lambdas=1.0).fit(X, np.resize([0.0, 1.0, 2.0], M)).model_)
        with self.assertRaisesRegex(ValueError, "y contains NaN"):
            pairrank.RankRLS().fit(X, grades.where(X[:, 0] > 0))
        numbers = pandas.Series(pandas.Categorical(np.resize([1, 5, 9], M), ordered=True))
        self.assertEqual(pairrank.RankRLS(lambdas=1.0).fit(X, numbers).model_,
                         pairrank.RankRLS(lambdas=1.0).fit(X, np.resize([1, 5, 9], M)).model_)

    def test_order_of_columns(self):
        frame = pandas.DataFrame(X, columns=["a", "b", "c"])
        for of in (pairrank.RankRLS, pairrank.RLS, pairrank.RankSVM, pairrank.RankBoost):
            model = fitted(of).fit(frame, Y, groups=QID)
            want = model.predict(frame)
            np.testing.assert_array_equal(model.predict(frame[["c", "a", "b"]]), want)
            self.assertEqual(model.score(frame[["b", "c", "a"]], Y), model.score(frame, Y))
        for columns, text in ((["a", "b"], "now missing:\n- c"), (["a", "b", "c", "d"], "unseen at fit time:\n- d")):
            with self.assertRaisesRegex(ValueError, text):
                model.predict(frame.reindex(columns=columns, fill_value=0.0))

    def test_names_of_roles(self):
        for names in (["y", "qid", "group"], ["fold", "id", "X"], ["label", "names", "data"]):
            frame = pandas.DataFrame(X, columns=names)
            options = dict(groups=QID, together=QID)
            model = pairrank.RankRLS(lambdas=1.0).fit(frame, Y, **options)
            want = pairrank.RankRLS(lambdas=1.0).fit(X, Y, **options)
            np.testing.assert_array_equal(model.predict(frame), want.predict(X))
            np.testing.assert_array_equal(pairrank.load(model.model_).predict(frame[names[::-1]]), want.predict(X))


if __name__ == "__main__":
    unittest.main()
