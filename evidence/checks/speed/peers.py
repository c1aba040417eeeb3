"""Times other programs on the files that `go -C evidence/checks run ./speed` made.

    OPENBLAS_NUM_THREADS=1 python3 peers.py WORK [part of a name ...]

Prints, for each row, the median of the seconds of five runs (three where one takes more than three), from arrays in
memory unless the name says file; the peak of memory of a process with its data; and, with PAIRRANK_PROGRAM, how far the
result is from the program's for the same data and objective: scores, weights or errors, the largest difference
relative to the largest number. A row whose program or file is not there is left out. RLScore
(github.com/aatapa/RLScore) is taken from the path of Python, liblinear's solver of RankSVM from LIBLINEAR_RANKSVM (its
train), DuckDB from DUCKDB_NODE (a folder with the npm package @duckdb/node-api).
"""

import json
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import traceback

import numpy as np
import pandas
import scipy
import scipy.linalg
import scipy.sparse.linalg
import sklearn
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import rbf_kernel

WORK = sys.argv[1]
ONLY = sys.argv[2:]
PROGRAM = os.environ.get("PAIRRANK_PROGRAM")
THREADS = os.environ.get("OPENBLAS_NUM_THREADS", "2")
GRID = [2.0**k for k in range(-15, 16)]


def path(name):
    return os.path.join(WORK, name)


def rows(name):
    x, y = load_svmlight_file(path(name))
    return x.toarray(), y


def measure(name, work, ours=None, told=False):
    """Times work in a process of its own, or takes the seconds that it tells. Compares its result with ours."""
    if ONLY and not any(part in name for part in ONLY):
        return
    sys.stdout.flush()
    if os.fork():
        os.wait()
        return
    try:
        seconds = []
        while len(seconds) < (3 if seconds and max(seconds) > 3 else 5):
            begin = time.perf_counter()
            result = work()
            seconds.append(result[1] if told else time.perf_counter() - begin)
        peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        apart = f"{distance(ours(), result[0] if told else result):.0e}" if ours and PROGRAM else ""
        print(f"| {name} | {statistics.median(seconds):.3g} | {peak / 1e3:.0f} | {apart} |")
    except (FileNotFoundError, ImportError, KeyError) as missing:
        print(f"{name} is left out: {missing}", file=sys.stderr)
    except Exception:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(0)


def distance(a, b):
    """The largest difference relative to the largest number."""
    a, b = np.ravel(a), np.ravel(b)
    return np.abs(a - b).max() / np.abs(a).max()


def program(*args):
    return subprocess.run([PROGRAM, *args, "--progress", "none", "--threads", THREADS], cwd=WORK, check=True,
                          capture_output=True, text=True).stdout


def scores(train, predict):
    """The centred scores of a model."""
    with tempfile.NamedTemporaryFile() as model, tempfile.NamedTemporaryFile() as out:
        program(*train.split(), "-o", model.name)
        program(*predict.replace("MODEL", model.name).split(), "-o", out.name)
        s = pandas.read_csv(out.name, sep="\t", header=None).iloc[:, -1].to_numpy()
        return s - s.mean()


def errors(args):
    found = json.loads(program(*args.split(), "--interval", "none", "--json"))["results"]
    return [r.get("value", r["error"]) for r in found]


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
GAUSSIAN = "--kernel gaussian:gamma=0.1"


def gaussian_dual():
    """(HKH + lambda/m I) a = Hy, H = I - 11'/m, by Cholesky; the centred scores HKH a are Hy - lambda/m a."""
    x, y = list10000()
    k = rbf_kernel(x, gamma=0.1)
    k -= k.mean(axis=0)
    k -= k.mean(axis=1)[:, None]
    k.flat[:: len(k) + 1] += 1 / len(k)
    y = y - y.mean()
    a = scipy.linalg.cho_solve(scipy.linalg.cho_factor(k, lower=True, overwrite_a=True, check_finite=False), y)
    return y - a / len(k)


def basis_500():
    """Rows mapped by the Cholesky factor of the basis, then ridge regression."""
    x, y = list100000()
    basis = x[:: len(x) // 500][:500]
    factor = np.linalg.cholesky(rbf_kernel(basis, gamma=0.1) + 1e-10 * np.eye(500))
    z = scipy.linalg.solve_triangular(factor, rbf_kernel(basis, x, gamma=0.1), lower=True, check_finite=False)
    z -= z.mean(axis=1)[:, None]
    a = z @ z.T
    a.flat[::501] += 1 / len(x)
    return np.linalg.solve(a, z @ (y - y.mean())) @ z


def same_basis():
    with tempfile.NamedTemporaryFile("w") as numbers:
        numbers.write("".join(f"{1 + 200 * k}\n" for k in range(500)))
        numbers.flush()
        return scores(f"train list100000.txt --basis-rows {numbers.name} --lambda 1 {GAUSSIAN}",
                      "predict MODEL list100000.txt")


def ridge(solver):
    """The pairwise loss of one list is m times the centred squared one."""

    def fit():
        x, y = news()
        w = Ridge(alpha=1 / x.shape[0], solver=solver).fit(x, y).coef_
        s = x @ w
        return s - s.mean()

    return fit


def load_arrays():
    with np.load(path("big.npz")) as f:
        return [f[name] for name in f.files]


def board(name):
    """Names to numbers, then the least squares scores of the comparisons, by conjugate gradients."""
    table = pandas.read_csv(path(name))
    item, names = pandas.factorize(pandas.concat([table["left"], table["right"]], ignore_index=True))
    left, right = item[: len(table)], item[len(table):]
    won = np.where(table["winner"] == "left", 1.0, -1.0)
    n = len(names)
    pairs = scipy.sparse.coo_matrix((np.ones(2 * len(table)), (item, np.r_[right, left])), shape=(n, n)).tocsr()
    laplacian = scipy.sparse.diags(np.bincount(item, minlength=n)) - pairs
    target = np.bincount(left, won, n) - np.bincount(right, won, n)
    precondition = scipy.sparse.diags(1 / laplacian.diagonal())
    s, _ = scipy.sparse.linalg.cg(laplacian, target, tol=1e-8, M=precondition)
    s -= s.mean()
    return s[np.argsort(names.astype(str))]


def same_board(name):
    items = json.loads(program("leaderboard", name, "--json"))["items"]
    return np.array([item["score"] for item in sorted(items, key=lambda item: item["id"])])


def dense():
    """The routines of internal/linalg, by OpenBLAS."""
    random = np.random.default_rng(1)
    for m in 1000, 2000:
        a, b = random.standard_normal((m, m)), random.standard_normal((m, m))
        out = np.empty((m, m))
        measure(f"NumPy: product m={m}", lambda: np.matmul(a, b, out=out))
    spd = b @ b.T + 2000 * np.eye(2000)
    measure("SciPy: Cholesky m=2000", lambda: scipy.linalg.cholesky(spd, lower=True, check_finite=False))
    for m in 500, 1000, 2000:
        symmetric = (b + b.T)[:m, :m].copy()
        measure(f"SciPy: symmetric eigenproblem m={m}",
                lambda: scipy.linalg.eigh(symmetric, check_finite=False, driver="evd"))


def boosted_trees():
    """XGBoost with a pairwise loss, from text."""

    def load(name):
        import xgboost

        return xgboost.DMatrix(path(name) + "?format=libsvm", nthread=int(THREADS))

    rows100000 = lazy(lambda: load("q1k.txt"))

    def train():
        import xgboost

        xgboost.train({"objective": "rank:pairwise", "nthread": int(THREADS), "tree_method": "hist"}, rows100000(),
                      num_boost_round=50)

    measure("XGBoost: text file 10⁶×46", lambda: load("big.txt"))
    measure("XGBoost: rank:pairwise, 50 rounds, 100,000 × 46", train)


def leave_pair_out():
    """The error of leaving out every pair of one list, for 31 lambdas."""
    from rlscore.learner import LeavePairOutRLS

    return 1 - np.array(LeavePairOutRLS(*rows("list400.txt"), regparams=GRID).cv_performances)


def leave_query_out():
    """The error of leaving out every query of 300, for 31 lambdas; a pair weighs 1 over the rows of its query."""
    from rlscore.learner import LeaveQueryOutRankRLS
    from rlscore.measure import cindex

    x, y, queries = load_svmlight_file(path("q300.txt"), query_id=True)
    return 1 - np.array(LeaveQueryOutRankRLS(x.toarray(), y, queries, regparams=GRID, measure=cindex).cv_performances)


def kronecker(p):
    """Kernels, closed form of one lambda, the next lambda, and leave-one-out: the squared loss of edges."""
    nodes = lazy(lambda: np.loadtxt(path(f"nodes{p}.tsv"), skiprows=1, usecols=range(1, 6)))
    labels = lazy(lambda: pandas.read_csv(path(f"edges{p}.tsv"), sep="\t", header=None)[2].to_numpy())

    def fit():
        from rlscore.learner import KronRLS

        k1, k2 = rbf_kernel(nodes(), gamma=0.1), rbf_kernel(nodes(), gamma=0.1)
        return KronRLS(K1=k1, K2=k2, Y=labels(), regparam=1.0)

    learner = lazy(fit)
    edges = f"edges{p}.tsv --rows nodes{p}.tsv --row-kernel gaussian:gamma=0.1 --loss regression --lambda 1"
    measure(f"RLScore kron p={p}: kernels and one λ", fit)
    measure(f"RLScore kron p={p}: next λ", lambda: learner().solve(2.0))
    measure(f"RLScore kron p={p}: in-sample leave-one-out", lambda: learner().in_sample_loo(), lambda: held_out(edges))


def held_out(edges):
    """The scores of edges that are left out one by one."""
    with tempfile.NamedTemporaryFile() as out:
        program("relation", "cv", *edges.split(), "--method", "loo", "--interval", "none", "--held-out", out.name)
        return pandas.read_csv(out.name, sep="\t", header=None)[2].to_numpy()


def queries_100():
    """The rows of python.py: in queries of 100, the pairwise loss is 100 times the squared one of centred rows."""
    random = np.random.default_rng(1)
    x = random.standard_normal((100_000, 46))
    return x, random.integers(0, 5, size=100_000).astype(float)


arrays = lazy(queries_100)


def centred_ridge():
    x, y = arrays()
    x, y = x.reshape(1000, 100, 46), y.reshape(1000, 100)
    x, y = x - x.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True)
    return Ridge(alpha=1 / 100, fit_intercept=False).fit(x.reshape(-1, 46), y.ravel())


def same_ridge():
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "python"))
    import pairrank

    x, y = arrays()
    return pairrank.RankRLS(lambdas=1.0).fit(x, y, groups=np.arange(len(y)) // 100).coef_


ranker = lazy(centred_ridge)


def one_row_1000_times():
    x, _ = arrays()
    for row in x[:1000]:
        ranker().predict(row[None])


def liblinear():
    """RankSVM with the squared hinge, as the solver tells its seconds: C is 1 / (2 lambda N), N pairs."""
    with tempfile.NamedTemporaryFile("r") as model:
        said = subprocess.run([os.environ["LIBLINEAR_RANKSVM"], "-s", "8", "-c", repr(1 / (2 * 0.05 * 155361)), "-e",
                               "1e-6", path("q300.txt"), model.name], check=True, capture_output=True, text=True).stdout
        weights = [float(w) for w in model.read().split("\nw\n")[1].split()]
    return weights, float(re.search(r"total_sec = +([0-9.]+)", said)[1])


def inspected(train):
    with tempfile.NamedTemporaryFile() as model:
        program(*train.split(), "-o", model.name)
        found = json.loads(subprocess.run([PROGRAM, "inspect", model.name, "--json"], check=True, capture_output=True,
                                          text=True).stdout)["weights"]
    return [w["weights"][0] for w in sorted(found, key=lambda w: w["feature"])]


DUCKDB = """
const { DuckDBInstance } = require("@duckdb/node-api");
(async () => {
  const c = await (await DuckDBInstance.create(":memory:", { threads: "%s" })).connect();
  const began = performance.now();
  await c.run("create table t as select * from '%s'");
  const seconds = (performance.now() - began) / 1e3;
  const r = await c.runAndReadAll("select count(*), sum(#1) from t");
  console.log(seconds, ...r.getRows()[0].map(Number));
})();
"""


def duckdb():
    """A table in memory from a Parquet file, as the program tells its seconds: its rows."""
    said = subprocess.run(["node", "-e", DUCKDB % (THREADS, path("big.parquet"))], cwd=os.environ["DUCKDB_NODE"],
                          check=True, capture_output=True, text=True).stdout.split()
    return [float(said[1])], float(said[0])


print(f"numpy {np.__version__}, scipy {scipy.__version__}, scikit-learn {sklearn.__version__}, pandas "
      f"{pandas.__version__}, OPENBLAS_NUM_THREADS={os.environ.get('OPENBLAS_NUM_THREADS', 'unset')}\n\n"
      "| row | seconds | peak, MB | apart |\n|---|---|---|---|")
measure("scikit-learn and SciPy: Gaussian dual m=10000, one λ", gaussian_dual,
        lambda: scores(f"train list10000.txt --lambda 1 {GAUSSIAN}", "predict MODEL list10000.txt"))
measure("scikit-learn and NumPy: basis 500 m=100000, one λ", basis_500, same_basis)
for name in "lsqr", "sparse_cg":
    measure(f"scikit-learn {name}: news, λ = 1", ridge(name),
            lambda: scores("train news.txt --lambda 1 --solver cg --tolerance 1e-6", "predict MODEL news.txt"))
measure("NumPy: npz file 10⁶×46", load_arrays)
measure("pandas: CSV file 10⁶×46", lambda: pandas.read_csv(path("big.csv")))
measure("DuckDB: Parquet file 10⁶×46", duckdb, told=True)
measure("pandas and SciPy: board file 3000 items", lambda: board("board3000.csv"), lambda: same_board("board3000.csv"))
measure("pandas and SciPy: board file 10⁶ items, 10⁷ lines", lambda: board("board1000000.csv"))
measure("scikit-learn: text file 20 newsgroups", lambda: load_svmlight_file(path("news.txt")))
measure("liblinear: RankSVM 10,000×20 in 300 queries, squared hinge", liblinear,
        lambda: inspected("train q300.txt --learner ranksvm --loss squared-hinge --lambda 0.05"), told=True)
measure("Ridge: fit 100,000×46", lambda: centred_ridge().coef_, same_ridge)
measure("Ridge: predict 100,000×46", lambda: ranker().predict(arrays()[0]))
measure("Ridge: predict one row 1000 times", one_row_1000_times)
dense()
boosted_trees()
measure("RLScore: leave-pair-out of 400 rows, 31 λ", leave_pair_out,
        lambda: errors("cv list400.txt --method lpo --lambdas 2^-15:2^15:31"))
measure("RLScore: leave-query-out of 300 queries, 10,000×20, 31 λ", leave_query_out,
        lambda: errors("cv q300.txt --query-weight size --metric disagreement --lambdas 2^-15:2^15:31"))
for size in 500, 1000:
    kronecker(size)
