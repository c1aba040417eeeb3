"""Scores of XGBoost for the program splines: python3 trees.py DATA OUT

DATA is the folder of ohsumed_letor3 and mq2008_letor4, and of uci and cadata. OUT gets a file a collection with a score
a line, the rows of its parts one after the other, each scored by a model that did not see its part.

Of LETOR three parts train and the fourth chooses among all combinations of objective, depth and step, and the number of
rounds, by NDCG@10 without the queries that have no relevant row, until 50 rounds were no better; the model is trained
again on the four parts and scores the fifth. Tables are dealt in five folds (the fold of row i, from 0, is i mod 5);
within the rest every fifth row chooses by the squared error. One thread, seed 1.
"""

import gzip
import itertools
import os
import sys

import numpy as np
import xgboost

OBJECTIVES = ["rank:pairwise", "rank:ndcg", "reg:squarederror"]
DEPTHS = [2, 4, 6]
STEPS = [0.1, 0.03]
ROUNDS, PATIENCE = 400, 50
TABLES = ["cadata/cadata", "uci/housing", "uci/breastcancer", "uci/ionosphere", "uci/parkinsons",
          "uci/pimaindiansdiabetes2", "uci/sonar", "uci/spam"]


def letor(path, n):
    """The rows, labels and queries of a part."""
    rows, labels, queries = [], [], []
    with gzip.open(path, "rt") as lines:
        for line in lines:
            fields = line.split("#")[0].split()
            row = np.zeros(n)
            for field in fields[2:]:
                j, value = field.split(":")
                row[int(j) - 1] = float(value)
            rows.append(row)
            labels.append(float(fields[0]))
            queries.append(fields[1])
    return np.array(rows), np.array(labels), np.array(queries)


def spans(queries):
    """The numbers of rows of the queries, which lie together."""
    ends = np.flatnonzero(np.append(queries[1:] != queries[:-1], True)) + 1
    return np.diff(np.append(0, ends))


def ndcg(scores, labels, sizes):
    """The mean NDCG@10 over the queries with a relevant row."""
    values, at = [], 0
    for size in sizes:
        s, y = scores[at : at + size], labels[at : at + size]
        at += size
        if y.max() <= 0:
            continue
        gain = lambda order: np.sum((2 ** y[order][:10] - 1) / np.log2(2 + np.arange(min(10, size))))
        values.append(gain(np.argsort(-s, kind="stable")) / gain(np.argsort(-y, kind="stable")))
    return np.mean(values)


def matrix(x, y, sizes):
    d = xgboost.DMatrix(x, y)
    if sizes is not None:
        d.set_group(sizes)
    return d


def tuned(train, valid, good, objectives):
    """The parameters and rounds whose model of train is best on valid, the first among equals."""
    best = None
    for objective, depth, step in itertools.product(objectives, DEPTHS, STEPS):
        p = {"objective": objective, "max_depth": depth, "eta": step, "nthread": 1, "seed": 1,
             "tree_method": "hist", "disable_default_eval_metric": 1}
        ranks = objective.startswith("rank")
        d = matrix(train[0], train[1], train[2] if ranks else None)
        v = matrix(valid[0], valid[1], valid[2] if ranks else None)
        model = xgboost.train(p, d, ROUNDS, evals=[(v, "valid")], maximize=True, verbose_eval=False,
                              custom_metric=lambda scores, _: ("good", good(scores)), early_stopping_rounds=PATIENCE)
        if best is None or model.best_score > best[0]:
            best = (model.best_score, p, model.best_iteration + 1)
    return best


def fitted(p, rounds, x, y, sizes, test):
    d = matrix(x, y, sizes if p["objective"].startswith("rank") else None)
    return xgboost.train(p, d, rounds).predict(xgboost.DMatrix(test))


def collection(folder, n, out):
    parts = [letor(os.path.join(folder, f"S{k}.txt.gz"), n) for k in range(1, 6)]
    scores = [None] * 5
    for fold in range(5):
        at = [parts[(fold + k) % 5] for k in range(5)]
        join = lambda some: [np.concatenate([part[i] for part in some]) for i in range(3)]
        x, y, q = join(at[:3])
        vx, vy, vq = at[3]
        good = lambda s: ndcg(s, vy, spans(vq))
        value, p, rounds = tuned((x, y, spans(q)), (vx, vy, spans(vq)), good, OBJECTIVES)
        x, y, q = join(at[:4])
        scores[(fold + 4) % 5] = fitted(p, rounds, x, y, spans(q), at[4][0])
        print(folder, "fold", fold + 1, p["objective"], p["max_depth"], p["eta"], rounds, round(value, 4), flush=True)
    write(out, np.concatenate(scores))


def table(path, out):
    """A table of shared/data in the form of svmlight without queries."""
    with gzip.open(path, "rt") as lines:
        rows = [line.split("#")[0].split() for line in lines if line.strip()]
    n = max(int(f.split(":")[0]) for row in rows for f in row[1:])
    x, y = np.zeros((len(rows), n)), np.array([float(row[0]) for row in rows])
    for i, row in enumerate(rows):
        for field in row[1:]:
            j, value = field.split(":")
            x[i, int(j) - 1] = float(value)
    folds, scores = np.arange(len(y)) % 5, np.zeros(len(y))
    for fold in range(5):
        rest = np.flatnonzero(folds != fold)
        chooses = np.arange(len(rest)) % 5 == 4
        train, valid = rest[~chooses], rest[chooses]
        good = lambda s: -np.mean((s - y[valid]) ** 2)
        _, p, rounds = tuned((x[train], y[train], None), (x[valid], y[valid], None), good, ["reg:squarederror"])
        scores[folds == fold] = fitted(p, rounds, x[rest], y[rest], None, x[folds == fold])
    write(out, scores)


def write(path, scores):
    with open(path, "w") as f:
        f.writelines(f"{s:.8g}\n" for s in scores)


def main(data, out):
    os.makedirs(out, exist_ok=True)
    collection(os.path.join(data, "ohsumed_letor3", "QueryLevelNorm"), 45, os.path.join(out, "ohsumed.txt"))
    collection(os.path.join(data, "mq2008_letor4"), 46, os.path.join(out, "mq2008.txt"))
    for name in TABLES:
        table(os.path.join(data, *name.split("/")) + ".svm.gz", os.path.join(out, os.path.basename(name) + ".txt"))


if __name__ == "__main__":
    main(*sys.argv[1:])
