"""Times the peers on the files that `go -C evidence/checks run ./speed` made.

    OPENBLAS_NUM_THREADS=1 python3 peers.py WORK [part of a name ...]

Prints, for each row, the median of the seconds of five runs (three where one takes
more than ten), from arrays in memory unless the name says file, and the versions.
RLScore (github.com/aatapa/RLScore) is taken from the path of Python. Its rows, and those of XGBoost, are left out
where it is not there.
"""

import os
import statistics
import sys
import time

import numpy as np
import scipy
import scipy.linalg
import sklearn
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import rbf_kernel

WORK = sys.argv[1]
ONLY = sys.argv[2:]


def path(name):
    return os.path.join(WORK, name)


def rows(name):
    x, y = load_svmlight_file(path(name))
    return x.toarray(), y


def measure(name, work):
    if ONLY and not any(part in name for part in ONLY):
        return
    seconds = []
    while len(seconds) < (3 if seconds and max(seconds) > 10 else 5):
        begin = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begin)
    print(f"| {name} | {statistics.median(seconds):.3g} |", flush=True)


def lazy(load):
    """Loads once, when a row is the first to need it."""
    kept = []

    def get():
        if not kept:
            kept.append(load())
        return kept[0]

    return get


list10000 = lazy(lambda: rows("list10000.txt"))
list100000 = lazy(lambda: rows("list100000.txt"))
news = lazy(lambda: load_svmlight_file(path("news.txt")))


def centre(k):
    """L K of one list, L = I - 11'/m, in place."""
    k -= k.mean(axis=0)
    return k


def gaussian_dual():
    """(HKH + lambda/m I) a = Hy, by Cholesky."""
    x, y = list10000()
    k = rbf_kernel(x, gamma=0.1)
    centre(k)
    k -= k.mean(axis=1)[:, None]
    k.flat[:: len(k) + 1] += 1 / len(k)
    scipy.linalg.cho_solve(scipy.linalg.cho_factor(k, lower=True, overwrite_a=True, check_finite=False), y - y.mean())


def basis_500():
    """Rows mapped by the Cholesky factor of the basis, then ridge regression."""
    x, y = list100000()
    basis = x[:: len(x) // 500][:500]
    factor = np.linalg.cholesky(rbf_kernel(basis, gamma=0.1) + 1e-10 * np.eye(500))
    z = scipy.linalg.solve_triangular(factor, rbf_kernel(basis, x, gamma=0.1), lower=True, check_finite=False)
    z -= z.mean(axis=1)[:, None]
    a = z @ z.T
    a.flat[::501] += 1 / len(x)
    np.linalg.solve(a, z @ (y - y.mean()))


def ridge(solver):
    """The pairwise loss of one list is m times the centred squared one."""

    def fit():
        x, y = news()
        Ridge(alpha=1 / x.shape[0], solver=solver).fit(x, y)

    return fit


def load_arrays():
    with np.load(path("big.npz")) as f:
        return [f[name] for name in f.files]


def dense():
    """The routines of internal/linalg, by OpenBLAS."""
    random = np.random.default_rng(1)
    for m in 1000, 2000:
        a, b = random.standard_normal((m, m)), random.standard_normal((m, m))
        out = np.empty((m, m))
        measure(f"NumPy: product m={m}", lambda: np.matmul(a, b, out=out))
    spd = b @ b.T + 2000 * np.eye(2000)
    measure("SciPy: Cholesky m=2000", lambda: scipy.linalg.cholesky(spd, lower=True, check_finite=False))
    symmetric = (b + b.T)[:1000, :1000]
    measure("SciPy: symmetric eigenproblem m=1000",
            lambda: scipy.linalg.eigh(symmetric, check_finite=False, driver="evd"))


def boosted_trees():
    """XGBoost with a pairwise loss, from text."""
    try:
        import xgboost
    except ImportError:
        return
    threads = int(os.environ.get("OPENBLAS_NUM_THREADS", "2"))
    measure("XGBoost: text file 10⁶×46", lambda: xgboost.DMatrix(path("big.txt") + "?format=libsvm", nthread=threads))
    rows100000 = lazy(lambda: xgboost.DMatrix(path("q1k.txt") + "?format=libsvm", nthread=threads))
    measure("XGBoost: rank:pairwise, 50 rounds, 100,000 × 46",
            lambda: xgboost.train({"objective": "rank:pairwise", "nthread": threads, "tree_method": "hist"},
                                  rows100000(), num_boost_round=50))


def leave_pair_out():
    """The error of leaving out every pair of one list, for 31 lambdas."""
    try:
        from rlscore.learner import LeavePairOutRLS
    except ImportError:
        return
    x, y = rows("list400.txt")
    grid = [2.0**k for k in range(-15, 16)]
    measure("RLScore: leave-pair-out of 400 rows, 31 λ", lambda: LeavePairOutRLS(x, y, regparams=grid))


def kronecker(p):
    """Kernels, closed form of one lambda, the next lambda, and leave-one-out."""
    try:
        from rlscore.learner import KronRLS
    except ImportError:
        return
    nodes = lazy(lambda: np.loadtxt(path(f"nodes{p}.tsv"), skiprows=1, usecols=range(1, 6)))
    labels = lazy(lambda: np.loadtxt(path(f"edges{p}.tsv"), usecols=2))
    kept = {}

    def train():
        k1, k2 = rbf_kernel(nodes(), gamma=0.1), rbf_kernel(nodes(), gamma=0.1)
        kept["learner"] = KronRLS(K1=k1, K2=k2, Y=labels(), regparam=1.0)

    if ONLY and not any(part in f"RLScore kron p={p}" for part in ONLY):
        return
    nodes(), labels()
    measure(f"RLScore kron p={p}: kernels and one λ", train)
    train()
    measure(f"RLScore kron p={p}: next λ", lambda: kept["learner"].solve(2.0))
    measure(f"RLScore kron p={p}: in-sample leave-one-out", lambda: kept["learner"].in_sample_loo())


print(f"numpy {np.__version__}, scipy {scipy.__version__}, scikit-learn {sklearn.__version__}, "
      f"OPENBLAS_NUM_THREADS={os.environ.get('OPENBLAS_NUM_THREADS', 'unset')}\n\n| row | seconds |\n|---|---|")
measure("scikit-learn and SciPy: Gaussian dual m=10000, one λ", gaussian_dual)
measure("scikit-learn and NumPy: basis 500 m=100000, one λ", basis_500)
for name in "lsqr", "sparse_cg":
    measure(f"scikit-learn {name}: news, λ = 1", ridge(name))
measure("NumPy: npz file 10⁶×46", load_arrays)
measure("scikit-learn: text file 20 newsgroups", lambda: load_svmlight_file(path("news.txt")))
dense()
boosted_trees()
leave_pair_out()
for size in 500, 1000, 2000:
    kronecker(size)
