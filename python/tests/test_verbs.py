"""The functions, relations and leaderboards: their results are those of the command."""

import csv
import json
import os
import pathlib
import pickle
import tempfile
import unittest
import warnings

import numpy as np

import pairrank

from .common import ROOT, command, problem

EXAMPLES = ROOT / "examples"


def lines_of(path, sep="\t"):
    with open(path) as f:
        return list(csv.reader(f, delimiter=sep))


def table(path, sep="\t"):
    header, *lines = lines_of(path, sep)
    return header, lines


def write(path, header, lines):
    with open(path, "w") as f:
        csv.writer(f, delimiter="\t").writerows([header, *lines])


def timeless(document):
    """Return a document without times and names of files, which its notes have, too."""
    named = ("seconds", "file", "model", "study", "columns", "rankings", "notes")
    codes = [note.get("code") for note in document.get("notes", ())]
    return {**{k: v for k, v in document.items() if k not in named}, "notes": codes}


class Verbs(unittest.TestCase):
    def setUp(self):
        warnings.simplefilter("ignore")

    def test_relation(self):
        nodes = {}
        for name in ("drugs", "targets"):
            _, lines = table(EXAMPLES / "drugs" / f"{name}.tsv")
            nodes[name] = [line[0] for line in lines], [[float(v) for v in line[1:]] for line in lines]
        _, edges = table(EXAMPLES / "drugs" / "edges.tsv")
        pairs, values = [e[:2] for e in edges], [float(e[2]) for e in edges]
        model = pairrank.PairwiseRelation(setting="rows").fit(
            pairs, values, rows=nodes["drugs"][1], cols=nodes["targets"][1], row_ids=nodes["drugs"][0],
            col_ids=nodes["targets"][0])
        with tempfile.TemporaryDirectory() as d:
            at = EXAMPLES / "drugs"
            said = json.loads(command("relation", "train", at / "edges.tsv", "--rows", at / "drugs.tsv", "--cols",
                                      at / "targets.tsv", "--setting", "rows", "-o", os.path.join(d, "m"), "--json"))
            command("relation", "predict", os.path.join(d, "m"), "--rows", at / "drugs.tsv", "--cols",
                    at / "targets.tsv", "--edges", at / "edges.tsv", "-o", os.path.join(d, "s"))
            want = [float(line[2]) for line in lines_of(os.path.join(d, "s"))]
        self.assertEqual((model.lambda_, model.error_), (said["lambda"], said["best"]["error"]))
        np.testing.assert_allclose(model.predict(pairs), want, rtol=1e-15)
        self.assertIsNone(model.interval_)

    def test_interval_of_edges(self):
        rng = np.random.default_rng(2)
        rows, cols = rng.normal(size=(30, 3)), rng.normal(size=(8, 3))
        values = rows @ cols.T + rng.normal(size=(30, 8))
        model = pairrank.PairwiseRelation(setting="rows").fit(values, rows=rows, cols=cols, interval=True)
        with tempfile.TemporaryDirectory() as d:
            for name, nodes in (("r", rows), ("c", cols)):
                write(os.path.join(d, name), ["id", *range(3)], [[k, *node] for k, node in enumerate(nodes.tolist())])
            write(os.path.join(d, "e"), ["row_id", "col_id", "value"],
                  [[i, j, value] for i, line in enumerate(values.tolist()) for j, value in enumerate(line)])
            said = json.loads(command("relation", "cv", "e", "--rows=r", "--cols=c", "--setting=rows", "--json", cwd=d))
        self.assertEqual(list(model.interval_), said["best"]["ci95"])

    def test_sum_of_similarities(self):
        rng = np.random.default_rng(3)
        near = [[x @ x.T + 0.1 * np.eye(n) for x in rng.normal(size=(2, n, 3))] for n in (9, 7)]
        values = np.round(near[0][1] @ rng.normal(size=(9, 7)) @ near[1][0], 1)
        model = pairrank.PairwiseRelation(row_kernel="precomputed", setting="rows").fit(values, rows=near[0],
                                                                                        cols=near[1])
        pairs = [(i, j) for i in range(9) for j in range(7)]
        with tempfile.TemporaryDirectory() as d:
            nodes = []
            for side, kernels in zip(("rows", "cols"), near):
                for k, kernel in enumerate(kernels):
                    write(os.path.join(d, f"{side}{k}"), ["id", *range(len(kernel))],
                          [[i, *row] for i, row in enumerate(kernel.tolist())])
                    nodes.append(f"--{side}={side}{k}")
            write(os.path.join(d, "e"), ["row_id", "col_id", "value"], [[i, j, values[i, j]] for i, j in pairs])
            said = json.loads(command("relation", "train", "e", *nodes, "--row-kernel=precomputed", "--setting=rows",
                                      "-o", "m", "--json", cwd=d))
            command("relation", "predict", "m", *nodes, "-o", "s", cwd=d)
            want = [float(line[2]) for line in lines_of(os.path.join(d, "s"))]
        self.assertEqual([term["weight"] for term in model.training_["row_sum"]],
                         [term["weight"] for term in said["row_sum"]])
        np.testing.assert_array_equal(model.predict(pairs), want)
        some = model.predict(pairs[:14], rows=[kernel[:2] for kernel in near[0]])
        np.testing.assert_allclose(some, want[:14], rtol=1e-12)
        with self.assertRaisesRegex(ValueError, "adds up 2 similarities"):
            model.predict(pairs[:1], rows=near[0][0])
        with self.assertRaisesRegex(ValueError, "for the kernel 'precomputed'"):
            pairrank.PairwiseRelation().fit(values, rows=near[0], cols=near[1])

    def test_relation_of_a_file(self):
        try:
            import pandas
        except ImportError as err:
            raise unittest.SkipTest("pandas is not here") from err
        at = EXAMPLES / "drugs"
        drugs, targets = (pandas.read_csv(at / f"{of}.tsv", sep="\t", index_col="id") for of in ("drugs", "targets"))
        pairs = pandas.read_csv(at / "edges.tsv", sep="\t")[["row_id", "col_id"]].to_numpy()
        near = pandas.DataFrame(drugs.to_numpy() @ drugs.to_numpy().T + np.eye(len(drugs)), drugs.index, drugs.index)
        with tempfile.TemporaryDirectory() as d:
            near.to_csv(os.path.join(d, "near.tsv"), sep="\t", index_label="id")
            for flags, rows in (([], drugs), (["--row-kernel=gaussian:gamma=0.1", "--col-kernel=linear"], drugs),
                                (["--row-kernel=precomputed", "--col-kernel=gaussian:gamma=0.1"], near)):
                of = os.path.join(d, "near.tsv") if rows is near else at / "drugs.tsv"
                nodes = ["--rows", of, "--cols", at / "targets.tsv"]
                command("relation", "train", at / "edges.tsv", *nodes, *flags, "-o", "m", cwd=d)
                command("relation", "predict", "m", *nodes, "--edges", at / "edges.tsv", "-o", "s", cwd=d)
                want = [float(line[2]) for line in lines_of(os.path.join(d, "s"))]
                model = pairrank.load(os.path.join(d, "m"))
                np.testing.assert_array_equal(model.predict(pairs, rows=rows, cols=targets), want)
                again = pickle.loads(pickle.dumps(model))
                np.testing.assert_array_equal(again.predict(pairs, rows=rows, cols=targets), want)
                with self.assertRaisesRegex(ValueError, "no nodes: give rows"):
                    model.predict(pairs)
                with self.assertRaisesRegex(ValueError, "rows and columns of two kinds"):
                    model.predict([rows.index[:2]], rows=rows)

    def test_leaderboard(self):
        header, lines = table(EXAMPLES / "leaderboard" / "games.csv", ",")
        games = {name: [line[k] for line in lines] for k, name in enumerate(header)}
        for options, flags in (({}, []), ({"loss": "logistic", "bias_reduced": True},
                                          ["--loss=logistic", "--bias-reduced"])):
            board = pairrank.Leaderboard(**options).fit(games)
            said = json.loads(command("leaderboard", EXAMPLES / "leaderboard" / "games.csv", "--json", *flags))
            self.assertEqual(timeless(board.board_), timeless(said))

    def test_groups_of_judged_rows(self) -> None:
        """Rows that are together have an interval over groups, and groups that connect queries are refused."""
        rng = np.random.default_rng(4)
        y, scores, of = np.arange(36) // 3 % 2, rng.normal(size=36), np.arange(36) // 3
        areas = pairrank.evaluate(y, scores, together=of, metrics="auc")["delong"]
        self.assertEqual(areas["groups"], 12)
        both = pairrank.compare(y, {"a": scores, "b": -scores}, together=of, metrics="auc")
        self.assertEqual(both["delong"]["areas"][0], areas["areas"][0])
        with self.assertRaisesRegex(ValueError, "a group has rows of several queries"):
            pairrank.compare(y, {"a": scores, "b": -scores}, np.arange(36) // 2, together=of)

    def test_beside(self):
        """Another tool's scores beside ours have the numbers of the command, in each function."""
        X, y, qid = problem(60, 4)
        y, theirs = np.round(np.abs(y)), np.round(X[:, 1] + np.abs(X[:, 0]), 1)
        with tempfile.TemporaryDirectory() as d:
            rows, path, other = (os.path.join(d, n) for n in ("X.npz", "m.txt", "other.npy"))
            np.savez(rows, X=X, y=y, qid=qid)
            np.save(other, theirs)
            said = [json.loads(command(*args, rows, "--beside", other, "--json")) for args in (
                ("train", "-o", path), ("cv",), ("evaluate", "--model", path), ("compare", "--model", path))]
            command("predict", path, rows, "--beside", other, "-o", os.path.join(d, "both.npy"))
            both = np.load(os.path.join(d, "both.npy"))
        model = pairrank.RankRLS().fit(X, y, qid, beside=theirs)
        scores = model.predict(X)
        evaluated = pairrank.evaluate(y, scores, qid, beside=theirs)
        compared = pairrank.compare(y, {"ours": scores}, qid, beside=theirs)
        got = (model.training_["beside"], pairrank.estimate(X, y, qid, beside=theirs)["beside"], evaluated["beside"],
               compared)
        for found, want in zip(got, [*(document["beside"] for document in said[:3]), said[3]]):
            self.assertEqual(found["pairs"], want["pairs"])
            self.assertEqual(found["standings"], want["standings"])
        np.testing.assert_array_equal(model.predict(X, qid, beside=theirs), both)
        with self.assertRaisesRegex(ValueError, "groups are the queries"):
            model.predict(X, qid)
        try:
            import pandas  # noqa: F401
        except ImportError:
            return
        self.assertEqual(list(compared.to_frame()["second"][:2]), ["beside"] * 2)
        self.assertEqual(set(evaluated.to_frame()["ranking"]), {"scores", "beside", "scores and beside"})

    def test_rows_of_weight_0_keep_their_places(self):
        X, y, _ = problem(40, 4)
        y = (y > np.median(y)).astype(int)
        w = np.where(np.arange(40) % 5 == 1, 0, 1.0 + np.arange(40) % 3)
        for method in ("loo", "lpo"):
            found = pairrank.estimate(X, y, sample_weight=w, lambdas=1.0, method=method, held_out=True)
            kept = pairrank.estimate(
                X[w > 0], y[w > 0], sample_weight=w[w > 0], lambdas=1.0, method=method, held_out=True
            )
            if method == "loo":
                np.testing.assert_array_equal(np.isnan(found.held_out), w == 0)
                np.testing.assert_array_equal(found.held_out[w > 0], kept.held_out)
                self.assertEqual(pairrank.evaluate(y, found.held_out, sample_weight=w)["metrics"],
                                 pairrank.evaluate(y[w > 0], kept.held_out, sample_weight=w[w > 0])["metrics"])
                beside = {"sample_weight": w, "beside": found.held_out}
                both = pairrank.evaluate(y, X[:, 0], **beside)["beside"]
                kept_both = pairrank.evaluate(y[w > 0], X[w > 0, 0], sample_weight=w[w > 0], beside=kept.held_out)
                self.assertEqual(both, kept_both["beside"])
                pairrank.compare(y, {"first": X[:, 0]}, **beside)
                pairrank.estimate(X, y, lambdas=1.0, method=method, **beside)
                continue
            numbers = np.flatnonzero(w > 0)
            np.testing.assert_array_equal(found.held_out[:, :2], numbers[kept.held_out[:, :2].astype(int)])
            np.testing.assert_array_equal(found.held_out[:, 2:], kept.held_out[:, 2:])

    def test_estimate_evaluate_compare_explain_export(self):
        X, y, qid = problem(60, 4)
        y = np.round(np.abs(y))
        model = pairrank.RankRLS().fit(X, y, groups=qid)
        scores = model.predict(X)
        with tempfile.TemporaryDirectory() as d:
            rows, path, ours, other = (os.path.join(d, n) for n in ("X.npz", "m.txt", "ours.npy", "other.npy"))
            np.savez(rows, X=X, y=y, qid=qid)
            np.save(ours, scores)
            np.save(other, X[:, 0])
            model.save(path)
            estimated = json.loads(command("cv", rows, "--json"))
            evaluated = json.loads(command("evaluate", rows, "--scores", ours, "--json"))
            compared = json.loads(command("compare", rows, "--scores", ours, "--scores", other, "--json"))
            explained = json.loads(command("explain", path, rows, "--of", "1,2", "--json"))
            exported = command("export", path, "--to", "svmrank")
        self.assertEqual(timeless(pairrank.estimate(X, y, qid).document), timeless(estimated))
        self.assertEqual(pairrank.evaluate(y, scores, qid)["metrics"], evaluated["metrics"])
        ours = pairrank.compare(y, {"ours": scores, "other": X[:, 0]}, qid)
        for got, want in zip(ours["comparisons"], compared["comparisons"]):
            for key in ("difference", "ci95", "p_wilcoxon", "p_permutation"):
                self.assertEqual(got[key], want[key])
        self.assertEqual(pairrank.explain(model, X, of=(0, 1), groups=qid)["explained"], explained["explained"])
        self.assertEqual(pairrank.export(model, "svmrank"), exported)

    def test_frames_of_comparisons(self):
        try:
            import pandas  # noqa: F401
        except ImportError as err:
            raise unittest.SkipTest("pandas is not here") from err
        X, y, qid = problem(60, 4)
        y = np.round(np.abs(y))
        three = {name: X[:, k] for k, name in enumerate(("x", "y", "z"))}
        for names, lines in ((["x", "y"], 2), (["x", "y", "z"], 6)):
            found = pairrank.compare(y, {name: three[name] for name in names}, qid, metrics="ndcg@10,map").to_frame()
            self.assertEqual(list(found["metric"]), ["ndcg@10", "map"] * (lines // 2))
        self.assertEqual(list(zip(found["first"], found["second"]))[::2], [("x", "y"), ("x", "z"), ("y", "z")])
        for _, line in found.iterrows():
            for mean, name in ((line["a"], line["first"]), (line["b"], line["second"])):
                of = pairrank.evaluate(y, three[name], qid, metrics=line["metric"])["metrics"][line["metric"]]
                self.assertAlmostEqual(mean, of["mean"], 12)

    def test_positive_label(self):
        X, y, _ = problem(60, 4)
        texts = np.where(y > 0, "tumor", "normal")
        for positive, labels in (("tumor", y > 0), ("normal", y <= 0)):
            found = pairrank.estimate(X, texts, positive=positive, lambdas=1.0)
            want = pairrank.estimate(X, labels.astype(int), lambdas=1.0)
            self.assertEqual((found.error, found.auc), (want.error, want.auc))
            self.assertEqual(pairrank.evaluate(texts, X[:, 0], positive=positive)["metrics"],
                             pairrank.evaluate(labels.astype(int), X[:, 0])["metrics"])

    def test_positive_label_of_a_model(self):
        X, y, _ = problem(60, 4)
        texts = np.where(y > 0, "tumor", "normal")
        with tempfile.TemporaryDirectory() as d:
            np.savez(os.path.join(d, "X.npz"), X=X, y=texts)
            for positive in ("tumor", "normal"):
                command("train", "X.npz", "-o", "model.txt", "--positive", positive, cwd=d)
                command("report", "model.txt", "X.npz", "-o", "page.html", cwd=d)
                model = pairrank.load(os.path.join(d, "model.txt"))
                page = pathlib.Path(d, "page.html").read_text("utf-8")
                self.assertEqual(pairrank.report(model, X, texts).html, page)
                self.assertEqual(list(model.classes_), sorted(set(texts), key=lambda text: text == positive))
                self.assertEqual(model.score(X, texts), model.score(X, (texts == positive).astype(float)))
        fitted = pairrank.RankRLS().fit(X, texts)
        self.assertEqual(list(pairrank.load(fitted.model_).classes_), list(fitted.classes_))
        numbers = pairrank.RankRLS().fit(X, y > 0)
        with self.assertRaisesRegex(ValueError, "positive normal or positive tumor"):
            pairrank.report(numbers, X, texts)
        pages = [pairrank.report(numbers, X, texts, positive=text).html for text in ("normal", "tumor")]
        self.assertNotEqual(*pages)

    def test_pages(self):
        X, y, qid = problem(60, 4)
        y = np.round(np.abs(y))
        model = pairrank.RankRLS().fit(X, y, groups=qid)
        for page in (pairrank.estimate(X, y, qid, report=True), pairrank.report(model, X, y, qid)):
            self.assertIn("&lt;svg", page._repr_html_())
        self.assertIsNone(pairrank.estimate(X, y, qid)._repr_html_())


if __name__ == "__main__":
    unittest.main()
