"""Options of the estimators: go generate ./internal/option writes this file from the table of options."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Union


class RankRLSOptions:
    """
    Parameters
    ----------
    kernel : str, default="linear"
        KERNEL: linear, gaussian:gamma=G, polynomial:gamma=G,coef0=C,degree=D, clinical, precomputed, a sum
        linear+gaussian:gamma=1; gamma=LO:HI:N is a grid.
    select : Optional[str], default=None
        METHOD that judges λ: lqo, lpo, loo, kfold:K or none.
    metric : Optional[str], default=None
        METRIC that chooses λ or rounds, as in ndcg@10.
    missing : str, default="error"
        what a missing value becomes; own learns a level: error, zero, mean, min, own.
    factor_columns : Optional[Union[str, int, List[Any]]], default=None
        LIST of columns of texts; each text becomes a feature, 1 where a row has it, else 0.
    binarize : Optional[float], default=None
        labels of at least F become 1, others 0.
    normalize : str, default="none"
        normalisation of the features, kept in the model: none, zscore, minmax, query-minmax.
    solver : str, default="auto"
        the solver of the linear system: auto, primal, dual, sparse, cg.
    basis : Optional[int], default=None
        N basis rows of the sparse solver, and of the kernel map of ranksvm, drawn by seed.
    random_features : Optional[int], default=None
        approximate each gaussian kernel by N random features, an even number; drawn by seed.
    spline : Union[bool, int, str, None], default=None
        a curve of each feature, bent at N quantiles (4 without N); auto: 4 or a line, by held-out loss.
    spline_in : Union[str, Dict[str, int], None], default=None
        LIST of the quantiles of single columns: age=6,dose=0; without spline others are straight lines.
    cost : str, default="magnitude"
        target of a preferred pair: the difference of labels; 1; the difference, weighted by 1/its square:
        magnitude, unit, relative.
    ties : Optional[str], default=None
        whether tied pairs are compared.
    query_weight : str, default="pairs"
        weight of a pair: 1; 1/(rows of its query), not for ranksvm; 1/(pairs of its query): pairs, size, edges.
    censoring_weights : bool, default=False
        weigh a pair of censored times by 1/G² of its shorter time, G the share that is not censored until then.
    pairs : str, default="query"
        compare rows of a query, or all rows: query, all.
    tolerance : Optional[float], default=None
        relative residual F at which the cg solver stops.
    max_iterations : int, default=10000
        at most N iterations of the cg solver, or of ranksvm, for one λ.
    lambdas : Union[float, str, List[float], None], default=None
        LIST of λ to choose from: a,b,c, or a geometric grid LO:HI:N.
    independent_rows : bool, default=False
        hold out rows of one id, or of one number of a subject, without each other.
    pairs_sample : Union[int, str], default="auto"
        N pairs that leave-pair-out of a single list draws by seed for each λ, or all; auto is all where they take
        some seconds.
    seed : int, default=1
        seed N of random choices: folds, basis rows, random features, drawn pairs.
    features : Optional[Union[int, str]], default=None
        select N features, or auto; anew in every fold.
    one_se : bool, default=False
        take the fewest features whose error is within one standard error of the least.
    search : str, default="forward"
        steps of the selection: add a feature; from all features take one away; add one, and take away those without
        which the rest is better: forward, backward, floating.
    criterion : str, default="auto"
        what a step leaves out to judge features: queries, rows or pairs; auto is lqo, lpo for a single list, and
        loo for rls: auto, lqo, loo, lpo.
    baseline : Optional[Union[str, int, List[Any]]], default=None
        LIST of features, by name or number, that stay in every selection, without a penalty: a,b.
    threads : Optional[int], default=None
        Threads (default: all cores); results do not depend on it.
    """

    def __init__(
        self,
        *,
        kernel: str = "linear",
        select: Optional[str] = None,
        metric: Optional[str] = None,
        missing: str = "error",
        factor_columns: Optional[Union[str, int, List[Any]]] = None,
        binarize: Optional[float] = None,
        normalize: str = "none",
        solver: str = "auto",
        basis: Optional[int] = None,
        random_features: Optional[int] = None,
        spline: Union[bool, int, str, None] = None,
        spline_in: Union[str, Dict[str, int], None] = None,
        cost: str = "magnitude",
        ties: Optional[str] = None,
        query_weight: str = "pairs",
        censoring_weights: bool = False,
        pairs: str = "query",
        tolerance: Optional[float] = None,
        max_iterations: int = 10000,
        lambdas: Union[float, str, List[float], None] = None,
        independent_rows: bool = False,
        pairs_sample: Union[int, str] = "auto",
        seed: int = 1,
        features: Optional[Union[int, str]] = None,
        one_se: bool = False,
        search: str = "forward",
        criterion: str = "auto",
        baseline: Optional[Union[str, int, List[Any]]] = None,
        threads: Optional[int] = None,
    ) -> None:
        self.kernel = kernel
        self.select = select
        self.metric = metric
        self.missing = missing
        self.factor_columns = factor_columns
        self.binarize = binarize
        self.normalize = normalize
        self.solver = solver
        self.basis = basis
        self.random_features = random_features
        self.spline = spline
        self.spline_in = spline_in
        self.cost = cost
        self.ties = ties
        self.query_weight = query_weight
        self.censoring_weights = censoring_weights
        self.pairs = pairs
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.lambdas = lambdas
        self.independent_rows = independent_rows
        self.pairs_sample = pairs_sample
        self.seed = seed
        self.features = features
        self.one_se = one_se
        self.search = search
        self.criterion = criterion
        self.baseline = baseline
        self.threads = threads


class RLSOptions:
    """
    Parameters
    ----------
    kernel : str, default="linear"
        KERNEL: linear, gaussian:gamma=G, polynomial:gamma=G,coef0=C,degree=D, clinical, precomputed, a sum
        linear+gaussian:gamma=1; gamma=LO:HI:N is a grid.
    select : Optional[str], default=None
        METHOD that judges λ: lqo, lpo, loo, kfold:K or none.
    metric : Optional[str], default=None
        METRIC that chooses λ or rounds, as in ndcg@10.
    missing : str, default="error"
        what a missing value becomes; own learns a level: error, zero, mean, min, own.
    factor_columns : Optional[Union[str, int, List[Any]]], default=None
        LIST of columns of texts; each text becomes a feature, 1 where a row has it, else 0.
    binarize : Optional[float], default=None
        labels of at least F become 1, others 0.
    normalize : str, default="none"
        normalisation of the features, kept in the model: none, zscore, minmax, query-minmax.
    solver : str, default="auto"
        the solver of the linear system: auto, primal, dual, sparse, cg.
    basis : Optional[int], default=None
        N basis rows of the sparse solver, and of the kernel map of ranksvm, drawn by seed.
    random_features : Optional[int], default=None
        approximate each gaussian kernel by N random features, an even number; drawn by seed.
    spline : Union[bool, int, str, None], default=None
        a curve of each feature, bent at N quantiles (4 without N); auto: 4 or a line, by held-out loss.
    spline_in : Union[str, Dict[str, int], None], default=None
        LIST of the quantiles of single columns: age=6,dose=0; without spline others are straight lines.
    tolerance : Optional[float], default=None
        relative residual F at which the cg solver stops.
    max_iterations : int, default=10000
        at most N iterations of the cg solver, or of ranksvm, for one λ.
    lambdas : Union[float, str, List[float], None], default=None
        LIST of λ to choose from: a,b,c, or a geometric grid LO:HI:N.
    independent_rows : bool, default=False
        hold out rows of one id, or of one number of a subject, without each other.
    pairs_sample : Union[int, str], default="auto"
        N pairs that leave-pair-out of a single list draws by seed for each λ, or all; auto is all where they take
        some seconds.
    seed : int, default=1
        seed N of random choices: folds, basis rows, random features, drawn pairs.
    features : Optional[Union[int, str]], default=None
        select N features, or auto; anew in every fold.
    one_se : bool, default=False
        take the fewest features whose error is within one standard error of the least.
    search : str, default="forward"
        steps of the selection: add a feature; from all features take one away; add one, and take away those without
        which the rest is better: forward, backward, floating.
    criterion : str, default="auto"
        what a step leaves out to judge features: queries, rows or pairs; auto is lqo, lpo for a single list, and
        loo for rls: auto, lqo, loo, lpo.
    baseline : Optional[Union[str, int, List[Any]]], default=None
        LIST of features, by name or number, that stay in every selection, without a penalty: a,b.
    threads : Optional[int], default=None
        Threads (default: all cores); results do not depend on it.
    """

    def __init__(
        self,
        *,
        kernel: str = "linear",
        select: Optional[str] = None,
        metric: Optional[str] = None,
        missing: str = "error",
        factor_columns: Optional[Union[str, int, List[Any]]] = None,
        binarize: Optional[float] = None,
        normalize: str = "none",
        solver: str = "auto",
        basis: Optional[int] = None,
        random_features: Optional[int] = None,
        spline: Union[bool, int, str, None] = None,
        spline_in: Union[str, Dict[str, int], None] = None,
        tolerance: Optional[float] = None,
        max_iterations: int = 10000,
        lambdas: Union[float, str, List[float], None] = None,
        independent_rows: bool = False,
        pairs_sample: Union[int, str] = "auto",
        seed: int = 1,
        features: Optional[Union[int, str]] = None,
        one_se: bool = False,
        search: str = "forward",
        criterion: str = "auto",
        baseline: Optional[Union[str, int, List[Any]]] = None,
        threads: Optional[int] = None,
    ) -> None:
        self.kernel = kernel
        self.select = select
        self.metric = metric
        self.missing = missing
        self.factor_columns = factor_columns
        self.binarize = binarize
        self.normalize = normalize
        self.solver = solver
        self.basis = basis
        self.random_features = random_features
        self.spline = spline
        self.spline_in = spline_in
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.lambdas = lambdas
        self.independent_rows = independent_rows
        self.pairs_sample = pairs_sample
        self.seed = seed
        self.features = features
        self.one_se = one_se
        self.search = search
        self.criterion = criterion
        self.baseline = baseline
        self.threads = threads


class RankSVMOptions:
    """
    Parameters
    ----------
    kernel : str, default="linear"
        KERNEL: linear, gaussian:gamma=G, polynomial:gamma=G,coef0=C,degree=D, clinical, precomputed, a sum
        linear+gaussian:gamma=1; gamma=LO:HI:N is a grid.
    select : Optional[str], default=None
        METHOD that judges λ: lqo, lpo, loo, kfold:K or none.
    metric : Optional[str], default=None
        METRIC that chooses λ or rounds, as in ndcg@10.
    missing : str, default="error"
        what a missing value becomes; own learns a level: error, zero, mean, min, own.
    factor_columns : Optional[Union[str, int, List[Any]]], default=None
        LIST of columns of texts; each text becomes a feature, 1 where a row has it, else 0.
    binarize : Optional[float], default=None
        labels of at least F become 1, others 0.
    normalize : str, default="none"
        normalisation of the features, kept in the model: none, zscore, minmax, query-minmax.
    basis : Optional[int], default=None
        N basis rows of the sparse solver, and of the kernel map of ranksvm, drawn by seed.
    random_features : Optional[int], default=None
        approximate each gaussian kernel by N random features, an even number; drawn by seed.
    spline : Union[bool, int, str, None], default=None
        a curve of each feature, bent at N quantiles (4 without N); auto: 4 or a line, by held-out loss.
    spline_in : Union[str, Dict[str, int], None], default=None
        LIST of the quantiles of single columns: age=6,dose=0; without spline others are straight lines.
    query_weight : str, default="pairs"
        weight of a pair: 1; 1/(rows of its query), not for ranksvm; 1/(pairs of its query): pairs, size, edges.
    pairs : str, default="query"
        compare rows of a query, or all rows: query, all.
    max_iterations : int, default=10000
        at most N iterations of the cg solver, or of ranksvm, for one λ.
    loss : str, default="hinge"
        the loss of a pair, for ranksvm: hinge, squared-hinge.
    counter : str, default="auto"
        how ranksvm counts pairs; only the time differs, and last digits of the squared hinge; pairs takes time in
        proportion to the pairs: auto, levels, fenwick, tree, pairs.
    epsilon : float, default=0.001
        where ranksvm stops: gap to the optimum, or relative gradient of the squared hinge.
    time_limit : Optional[str], default=None
        TIME after which ranksvm stops with the best model so far, as in 90s or 10m.
    lambdas : Union[float, str, List[float], None], default=None
        LIST of λ to choose from: a,b,c, or a geometric grid LO:HI:N.
    independent_rows : bool, default=False
        hold out rows of one id, or of one number of a subject, without each other.
    pairs_sample : Union[int, str], default="auto"
        N pairs that leave-pair-out of a single list draws by seed for each λ, or all; auto is all where they take
        some seconds.
    seed : int, default=1
        seed N of random choices: folds, basis rows, random features, drawn pairs.
    threads : Optional[int], default=None
        Threads (default: all cores); results do not depend on it.
    """

    def __init__(
        self,
        *,
        kernel: str = "linear",
        select: Optional[str] = None,
        metric: Optional[str] = None,
        missing: str = "error",
        factor_columns: Optional[Union[str, int, List[Any]]] = None,
        binarize: Optional[float] = None,
        normalize: str = "none",
        basis: Optional[int] = None,
        random_features: Optional[int] = None,
        spline: Union[bool, int, str, None] = None,
        spline_in: Union[str, Dict[str, int], None] = None,
        query_weight: str = "pairs",
        pairs: str = "query",
        max_iterations: int = 10000,
        loss: str = "hinge",
        counter: str = "auto",
        epsilon: float = 0.001,
        time_limit: Optional[str] = None,
        lambdas: Union[float, str, List[float], None] = None,
        independent_rows: bool = False,
        pairs_sample: Union[int, str] = "auto",
        seed: int = 1,
        threads: Optional[int] = None,
    ) -> None:
        self.kernel = kernel
        self.select = select
        self.metric = metric
        self.missing = missing
        self.factor_columns = factor_columns
        self.binarize = binarize
        self.normalize = normalize
        self.basis = basis
        self.random_features = random_features
        self.spline = spline
        self.spline_in = spline_in
        self.query_weight = query_weight
        self.pairs = pairs
        self.max_iterations = max_iterations
        self.loss = loss
        self.counter = counter
        self.epsilon = epsilon
        self.time_limit = time_limit
        self.lambdas = lambdas
        self.independent_rows = independent_rows
        self.pairs_sample = pairs_sample
        self.seed = seed
        self.threads = threads


class RankBoostOptions:
    """
    Parameters
    ----------
    select : Optional[str], default=None
        METHOD that judges λ: lqo, lpo, loo, kfold:K or none.
    metric : Optional[str], default=None
        METRIC that chooses λ or rounds, as in ndcg@10.
    missing : str, default="error"
        what a missing value becomes; own learns a level: error, zero, mean, min, own.
    factor_columns : Optional[Union[str, int, List[Any]]], default=None
        LIST of columns of texts; each text becomes a feature, 1 where a row has it, else 0.
    binarize : Optional[float], default=None
        labels of at least F become 1, others 0.
    normalize : str, default="none"
        normalisation of the features, kept in the model: none, zscore, minmax, query-minmax.
    query_weight : str, default="pairs"
        weight of a pair: 1; 1/(rows of its query), not for ranksvm; 1/(pairs of its query): pairs, size, edges.
    pairs : str, default="query"
        compare rows of a query, or all rows: query, all.
    rounds : Union[str, int, List[Any]], default=300
        LIST of rounds of rankboost.
    independent_rows : bool, default=False
        hold out rows of one id, or of one number of a subject, without each other.
    pairs_sample : Union[int, str], default="auto"
        N pairs that leave-pair-out of a single list draws by seed for each λ, or all; auto is all where they take
        some seconds.
    seed : int, default=1
        seed N of random choices: folds, basis rows, random features, drawn pairs.
    threads : Optional[int], default=None
        Threads (default: all cores); results do not depend on it.
    """

    def __init__(
        self,
        *,
        select: Optional[str] = None,
        metric: Optional[str] = None,
        missing: str = "error",
        factor_columns: Optional[Union[str, int, List[Any]]] = None,
        binarize: Optional[float] = None,
        normalize: str = "none",
        query_weight: str = "pairs",
        pairs: str = "query",
        rounds: Union[str, int, List[Any]] = 300,
        independent_rows: bool = False,
        pairs_sample: Union[int, str] = "auto",
        seed: int = 1,
        threads: Optional[int] = None,
    ) -> None:
        self.select = select
        self.metric = metric
        self.missing = missing
        self.factor_columns = factor_columns
        self.binarize = binarize
        self.normalize = normalize
        self.query_weight = query_weight
        self.pairs = pairs
        self.rounds = rounds
        self.independent_rows = independent_rows
        self.pairs_sample = pairs_sample
        self.seed = seed
        self.threads = threads


class PairwiseRelationOptions:
    """
    Parameters
    ----------
    row_kernel : str, default="linear"
        KERNEL of the row nodes: linear, gaussian:gamma=G, polynomial:gamma=G,coef0=C,degree=D, precomputed, or a
        sum such as linear+gaussian:gamma=1.
    setting : str, default="pairs"
        which part of a predicted edge is new, and so held out: the edge, its row, its column, or both: pairs, rows,
        cols, both.
    binarize : Optional[float], default=None
        labels of at least F become 1, others 0.
    solver : str, default="auto"
        the solver of the linear system; primal is for train: auto, primal, cg, closed.
    tolerance : Optional[float], default=None
        relative residual F at which the cg solver stops.
    max_iterations : int, default=10000
        at most N iterations of the cg solver for one λ.
    loss : str, default="ranking"
        the loss: of pairs of edges of a row, or of each edge: ranking, regression.
    lambdas : Union[float, str, List[float], None], default=None
        LIST of λ to choose from: a,b,c, or a geometric grid LO:HI:N.
    select : Optional[str], default=None
        METHOD that judges λ, of what setting holds out: lpo, loo, kfold:K or none.
    metric : Optional[str], default=None
        METRIC of the columns of each row that chooses λ, as in ndcg@10.
    pairs_sample : Union[int, str], default="auto"
        N pairs of edges that lpo draws by seed for each λ, or all; auto is all where they take some seconds.
    seed : int, default=1
        seed N of random choices: folds, drawn pairs.
    col_kernel : Optional[str], default=None
        KERNEL of the column nodes.
    normalize_kernel : bool, default=False
        divide kernel values k(u,v) by the root of k(u,u) k(v,v).
    symmetrize : bool, default=False
        take the mean of a similarity matrix and its transpose.
    psd_fix : str, default="none"
        negative eigenvalues of a similarity matrix: an error, set to 0, or shifted up: none, clip, shift.
    relation : str, default="arbitrary"
        how the values of (u,v) and (v,u) are related: arbitrary, symmetric, reciprocal.
    pair_kernel : Optional[str], default=None
        pairwise kernel.
    lambda_cols : Optional[float], default=None
        λ of the columns of learner="two-step", F greater than 0.
    threads : Optional[int], default=None
        Threads (default: all cores); results do not depend on it.
    """

    def __init__(
        self,
        *,
        row_kernel: str = "linear",
        setting: str = "pairs",
        binarize: Optional[float] = None,
        solver: str = "auto",
        tolerance: Optional[float] = None,
        max_iterations: int = 10000,
        loss: str = "ranking",
        lambdas: Union[float, str, List[float], None] = None,
        select: Optional[str] = None,
        metric: Optional[str] = None,
        pairs_sample: Union[int, str] = "auto",
        seed: int = 1,
        col_kernel: Optional[str] = None,
        normalize_kernel: bool = False,
        symmetrize: bool = False,
        psd_fix: str = "none",
        relation: str = "arbitrary",
        pair_kernel: Optional[str] = None,
        lambda_cols: Optional[float] = None,
        threads: Optional[int] = None,
    ) -> None:
        self.row_kernel = row_kernel
        self.setting = setting
        self.binarize = binarize
        self.solver = solver
        self.tolerance = tolerance
        self.max_iterations = max_iterations
        self.loss = loss
        self.lambdas = lambdas
        self.select = select
        self.metric = metric
        self.pairs_sample = pairs_sample
        self.seed = seed
        self.col_kernel = col_kernel
        self.normalize_kernel = normalize_kernel
        self.symmetrize = symmetrize
        self.psd_fix = psd_fix
        self.relation = relation
        self.pair_kernel = pair_kernel
        self.lambda_cols = lambda_cols
        self.threads = threads


class LeaderboardOptions:
    """
    Parameters
    ----------
    wide : Optional[str], default=None
        each column is a system and each line an item, or each column an item: systems, items.
    system_from_file : bool, default=False
        each FILE has the scores of one system, named as the file, or NAME=FILE.
    lower_is_better : bool, default=False
        rank the systems with lower scores higher.
    standardize : Optional[str], default=None
        give the scores of each item mean 0 and variance 1, where items have different scales: item.
    ranks : bool, default=False
        rank the scores within each item, and average these ranks.
    against : Optional[str], default=None
        NAME of a system that all others are compared with.
    fail_worse : Optional[str], default=None
        NAME=MARGIN of a system: `board_["gates"]` says whether it is surely worse than another one, or against, by
        more than MARGIN; may be repeated.
    fail_unless : Optional[str], default=None
        CLAIM, "A beats B": `board_["gates"]` says whether B is surely better than A, or neither is; may be
        repeated.
    margin : bool, default=False
        take the difference of the scores as the margin of the left item.
    covariates : Optional[Union[str, int, List[Any]]], default=None
        LIST of columns of the comparisons whose effect is estimated beside the scores.
    side : bool, default=False
        estimate the advantage of the left side.
    trusted : Optional[str], default=None
        COLUMN=VALUE of the lines of people, whose votes correct those of a judge in all others; votes with the same
        items and cluster are on one comparison.
    residual : Optional[Union[str, int, List[Any]]], default=None
        give each item a part of its own beside its features, with LIST times their prior variance: the held-out
        loss chooses among several.
    ignore_columns : Optional[Union[str, int, List[Any]]], default=None
        LIST of columns of the items to leave out.
    feature_columns : Optional[Union[str, int, List[Any]]], default=None
        LIST of the columns of the items that are features.
    factor_columns : Optional[Union[str, int, List[Any]]], default=None
        LIST of columns of texts of the items that become features.
    missing : str, default="error"
        what a missing feature of an item becomes; own gives the item a score of its own instead: error, zero, mean,
        min, own.
    missing_in : Optional[Union[str, int, List[Any]]], default=None
        LIST of columns of the items with a treatment of their own: age=mean,dose=zero.
    loss : str, default="squared"
        loss of an outcome; logistic is the model of Bradley and Terry: squared, logistic.
    ties : str, default="half"
        how the logistic loss treats a tie: half, drop, davidson.
    lambdas : Union[float, str, List[float], None], default=None
        LIST of λ to choose from by the held-out loss: a,b,c, or a geometric grid LO:HI:N.
    bias_reduced : bool, default=False
        Firth's scores, which are finite where an item only wins.
    scale : str, default="auto"
        scale of the scores: elo is 400/ln 10 times the raw score, mean 1000; auto is elo for the logistic loss:
        auto, raw, elo.
    reference : str, default="items"
        what scores are relative to: the mean of the items, or the mean over comparisons: items, comparisons.
    anchor : Optional[str], default=None
        NAME=SCORE of an item whose score is fixed.
    pair_weights : str, default="counts"
        weight of a pair of items: its number of comparisons, or the same for all pairs: counts, equal.
    hold_out : Optional[str], default=None
        UNIT that is left out to measure predictions: comparison, line, pair, annotator, cluster, stratum, item or
        kfold:K.
    intervals : str, default="auto"
        where intervals come from; auto leaves out each cluster, or each of five annotators or more (jackknife),
        else takes outcomes as independent (sandwich); line leaves out each line: auto, sandwich, jackknife,
        bootstrap, line.
    versus : Optional[Union[str, int, List[Any]]], default=None
        LIST of two items: the probability that the first is above the second.
    cycles : bool, default=False
        test whether one ranking explains the comparisons, and name items that surely beat each other in a circle.
    annotator_scale : bool, default=False
        fit a factor of each annotator on the differences of scores, below 0 of who votes against the board, shrunk
        to 1 by an amount that held-out votes choose.
    next : Optional[int], default=None
        list N pairs to compare next, those that lower the variance of differences most.
    about : Optional[Union[str, int, List[Any]]], default=None
        LIST of items, or first:K, to which sets of ranks and next are limited; with more than 4,000 items,
        intervals too.
    rows : Optional[str], default=None
        PATH of the list of rows within an object of JSON, such as results or data.rows.
    seed : int, default=1
        seed N of folds, and of the draws of cycles, intervals="bootstrap" and the sets of ranks.
    threads : Optional[int], default=None
        Threads (default: all cores); results do not depend on it.
    """

    def __init__(
        self,
        *,
        wide: Optional[str] = None,
        system_from_file: bool = False,
        lower_is_better: bool = False,
        standardize: Optional[str] = None,
        ranks: bool = False,
        against: Optional[str] = None,
        fail_worse: Optional[str] = None,
        fail_unless: Optional[str] = None,
        margin: bool = False,
        covariates: Optional[Union[str, int, List[Any]]] = None,
        side: bool = False,
        trusted: Optional[str] = None,
        residual: Optional[Union[str, int, List[Any]]] = None,
        ignore_columns: Optional[Union[str, int, List[Any]]] = None,
        feature_columns: Optional[Union[str, int, List[Any]]] = None,
        factor_columns: Optional[Union[str, int, List[Any]]] = None,
        missing: str = "error",
        missing_in: Optional[Union[str, int, List[Any]]] = None,
        loss: str = "squared",
        ties: str = "half",
        lambdas: Union[float, str, List[float], None] = None,
        bias_reduced: bool = False,
        scale: str = "auto",
        reference: str = "items",
        anchor: Optional[str] = None,
        pair_weights: str = "counts",
        hold_out: Optional[str] = None,
        intervals: str = "auto",
        versus: Optional[Union[str, int, List[Any]]] = None,
        cycles: bool = False,
        annotator_scale: bool = False,
        next: Optional[int] = None,
        about: Optional[Union[str, int, List[Any]]] = None,
        rows: Optional[str] = None,
        seed: int = 1,
        threads: Optional[int] = None,
    ) -> None:
        self.wide = wide
        self.system_from_file = system_from_file
        self.lower_is_better = lower_is_better
        self.standardize = standardize
        self.ranks = ranks
        self.against = against
        self.fail_worse = fail_worse
        self.fail_unless = fail_unless
        self.margin = margin
        self.covariates = covariates
        self.side = side
        self.trusted = trusted
        self.residual = residual
        self.ignore_columns = ignore_columns
        self.feature_columns = feature_columns
        self.factor_columns = factor_columns
        self.missing = missing
        self.missing_in = missing_in
        self.loss = loss
        self.ties = ties
        self.lambdas = lambdas
        self.bias_reduced = bias_reduced
        self.scale = scale
        self.reference = reference
        self.anchor = anchor
        self.pair_weights = pair_weights
        self.hold_out = hold_out
        self.intervals = intervals
        self.versus = versus
        self.cycles = cycles
        self.annotator_scale = annotator_scale
        self.next = next
        self.about = about
        self.rows = rows
        self.seed = seed
        self.threads = threads
