"""What the tests share: the program, examples, real data where it is there."""

import gzip
import os
import pathlib
import subprocess
import unittest

import numpy as np

from pairrank import _program

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get("PAIRRANK_DATA") or ROOT.parent / "shared" / "data")


def data(name):
    """Return the path of a collection, or skip the test where it is not there."""
    path = DATA / name
    if not path.exists():
        raise unittest.SkipTest(f"{name} is not in {DATA}: set PAIRRANK_DATA to the folder of the collections")
    return path


def command(*args, **kwargs):
    """Run the command, and return what it prints."""
    return subprocess.run([_program.find(), *map(str, args)], check=True, capture_output=True, **kwargs).stdout


def letor(path):
    """Return X, y and queries of SVMlight text."""
    opened = gzip.open if str(path).endswith(".gz") else open
    rows, y, qid, n = [], [], [], 0
    with opened(path, "rt") as f:
        for line in f:
            fields = line.split("#")[0].split()
            if not fields:
                continue
            y.append(float(fields[0]))
            at = 1
            if len(fields) > 1 and fields[1].startswith("qid:"):
                qid.append(fields[1][4:])
                at = 2
            row = {int(k) - 1: float(v) for k, v in (f.split(":") for f in fields[at:])}
            n = max(n, max(row, default=-1) + 1)
            rows.append(row)
    X = np.zeros((len(rows), n))
    for i, row in enumerate(rows):
        X[i, list(row)] = list(row.values())
    return X, np.array(y), np.array(qid) if qid else None


def problem(m=120, n=5, queries=6, seed=0):
    """Return a small problem with noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, n))
    return X, X @ rng.normal(size=n) + rng.normal(size=m), np.arange(m) % queries
