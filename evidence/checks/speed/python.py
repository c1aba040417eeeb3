"""A task of the Python package for the rows of rows.go: python.py TASK THREADS."""

import sys

import numpy as np

import pairrank

task, threads = sys.argv[1], int(sys.argv[2])
random = np.random.default_rng(1)
X = random.standard_normal((100_000, 46))
y = random.integers(0, 5, size=100_000).astype(float)
ranker = pairrank.RankRLS(lambdas=1.0, threads=threads).fit(X, y, groups=np.arange(100_000) // 100)
if task == "predict":
    for _ in range(10):
        scores = ranker.predict(X)
    print(scores.sum())
elif task == "row":
    for row in X[:1000]:
        score = ranker.predict(row[None])
    print(score[0])
