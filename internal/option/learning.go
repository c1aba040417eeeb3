package option

// Parts of what is said of several options.
const (
	kernels   = "linear, gaussian:gamma=G, polynomial:gamma=G,coef0=C,degree=D"
	lambdasOf = "`LIST` of λ to choose from: a,b,c, or a geometric grid LO:HI:N"
	notSpline = "kernel kernel-matrix basis basis-rows basis-data random-features warm-start baseline"
	ofSpline  = "a spline is a kernel of its own, with weights of each feature and its bends"
	drawn     = "draws by --seed for each λ, or all; auto is all where they take some seconds"
)

// seedOf is the seed of a verb, which draws some things for rows in memory and others for edges.
func seedOf(verb, rows, edges string) Option {
	const of = "seed `N` of random choices: "
	return Option{
		Name: "seed", Verbs: verb, Default: "1", EdgeLearners: "rankrls two-step",
		Help: of + rows, StreamHelp: of + "folds of queries, random features", EdgeHelp: of + edges,
	}
}

// learning are the options of learners, and of choosing among their candidates.
var learning = [][]Option{
	group("Learner",
		Option{
			Name: "learner", Verbs: "train cv stats", Sums: Summed,
			Names: words("rankrls rls ranksvm rankboost"), Default: "rankrls",
			StreamNames: words("rankrls rls"), EdgeNames: words("rankrls similarity two-step"), Field: "Learner",
			Help:      "the learner",
			EdgeHelp:  "the learner; similarity, which learns nothing, is for train",
			NotStream: "it needs all rows, and sums over queries train rankrls and rls",
		},
		Option{
			Name: "kernel", Verbs: "train cv stats", Sums: Summed, Default: "linear", Learners: "rankrls rls ranksvm",
			Data: Rows | Stream, Field: "Kernels Map",
			Help: "`KERNEL`: " + kernels + ", clinical, precomputed, a sum linear+gaussian:gamma=1; " +
				"gamma=LO:HI:N is a grid",
			StreamHelp: "`KERNEL`: linear, or gaussian:gamma=G or polynomial:gamma=G,coef0=C,degree=D whose features of " +
				"single rows --random-features or --basis-data makes",
		},
		Option{
			Name: "solver", Verbs: "train cv", Names: words("auto primal dual sparse cg"), Default: "auto",
			StreamNames: words("auto primal"), EdgeNames: words("auto primal cg closed"),
			Learners: "rankrls rls", EdgeLearners: "rankrls", Field: "Solver",
			Help:      "the solver of the linear system",
			EdgeHelp:  "the solver of the linear system; primal is for train",
			NotStream: "sums over queries are solved in the primal form",
		},
		Option{
			Name: "basis", Verbs: "train cv", Least: 1, Learners: "rankrls rls ranksvm", Data: Rows, Field: "Basis",
			Not: "basis-rows random-features", Reason: "each is a way to approximate a kernel",
			Help:      "`N` basis rows of the sparse solver, and of the kernel map of ranksvm, drawn by --seed",
			NotStream: "rows can be drawn only from memory; --basis-data FILE has the rows of a basis",
		},
		Option{
			Name: "basis-rows", Verbs: "train cv", Rare: true, Learners: "rankrls rls ranksvm", Data: Rows,
			Not: "random-features", Reason: "they are two ways to approximate a kernel", NotDash: dataIsStdin,
			Help:      "`FILE` with the row numbers of the basis, one a line, from 1",
			NotStream: "the numbers are of rows in memory; --basis-data FILE has the rows of a basis",
		},
		Option{
			Name: "basis-data", Verbs: "train stats", Sums: Summed, Data: Stream,
			Not: "random-features", Reason: "they are two ways to approximate a kernel", NotDash: dataIsStdin,
			Help: "`FILE` of rows, in the format of the data, that are the basis of a kernel",
		},
		Option{
			Name: "random-features", Verbs: "train cv stats", Learners: "rankrls rls ranksvm", Data: Rows | Stream,
			Help: "approximate each gaussian kernel by `N` random features, an even number; drawn by --seed",
		},
		Option{
			Name: "spline", Bare: Bare{"4", "[-+]?[0-9.]+|auto"}, Verbs: "train cv",
			Learners: "rankrls rls ranksvm", Data: Rows | Stream,
			Not: notSpline, Reason: ofSpline,
			Help:       "a curve of each feature, bent at `N` quantiles (4 without N); auto: 4 or a line, by held-out loss",
			StreamHelp: "a curve of each feature, bent at `N` quantiles (4 without N): files are read twice, first for these",
		},
		Option{
			Name: "spline-in", Verbs: "train cv", Rare: true, Learners: "rankrls rls ranksvm", Data: Rows | Stream,
			Not: notSpline, Reason: ofSpline,
			Help: "`LIST` of the quantiles of single columns: age=6,dose=0; without --spline others are straight lines",
		},
		Option{
			Name: "knots-of", Verbs: "train stats", Sums: Summed, Data: Stream,
			Not: "kernel spline spline-in basis-data random-features", Reason: "the curves bend where those of the model do",
			NotDash: dataIsStdin,
			Help:    "`MODEL` of splines: curves with its knots, so that no file is read twice, and sums can be added",
		},
		Option{
			Name: "cost", Verbs: "train cv stats", Sums: Summed, Rare: true, Names: words("magnitude unit relative"),
			Default:  "magnitude",
			Learners: "rankrls", Data: Rows | Stream, Field: "Pairs",
			Help: "target of a preferred pair: the difference of labels; 1; the difference, weighted by 1/its square",
		},
		Option{
			Name: "ties", Verbs: "train cv stats", Sums: Summed,
			Rare: true, Names: words("include exclude"), Default: "include",
			Not: "preferences", Reason: "preferences replace the labels",
			Learners: "rankrls", Data: Rows | Stream,
			Help: "whether tied pairs are compared (default: include for magnitude, else exclude)",
		},
		Option{
			Name: "query-weight", Verbs: "train cv stats", Sums: Summed, Rare: true, Names: words("pairs size edges"),
			Not: "preferences", Reason: "preferences replace the labels",
			Default:  "pairs",
			Learners: "rankrls ranksvm rankboost", Data: Rows | Stream, Field: "Weight",
			Help:       "weight of a pair: 1; 1/(rows of its query), not for ranksvm; 1/(pairs of its query)",
			StreamHelp: "weight of a pair: 1; 1/(rows of its query); 1/(pairs of its query)",
		},
		Option{
			Name: "censoring-weights", Verbs: "train cv stats", Sums: Summed, Rare: true, Data: Rows | Stream,
			Learners: "rankrls", Needs: "time|censored", Field: "Pairs",
			Help: "weigh a pair of censored times by 1/G² of its shorter time, G the share that is not censored until then",
		},
		Option{
			Name: "pairs", Verbs: "train cv", Rare: true, Names: words("query all"), StreamNames: words("query"),
			Not: "preferences", Reason: "preferences replace the labels",
			Default:  "query",
			Learners: "rankrls ranksvm rankboost", Data: Rows | Stream,
			Help:       "compare rows of a query, or all rows",
			StreamHelp: "compare rows of a query",
			NotStream:  "it compares rows of different queries, and one query at a time is read",
		},
		Option{
			Name: "tolerance", Verbs: "train cv", Rare: true, Positive: true, Learners: "rankrls rls",
			Data: Rows | Edges, EdgeLearners: "rankrls",
			Solvers: "cg", EdgeSolvers: "auto primal cg", Field: "Tolerance",
			Help: "relative residual `F` at which the cg solver stops (default: it stops when differences of scores are " +
				"within 1/400)",
			EdgeHelp: "relative residual `F` at which the cg solver stops (default: 1e-9; of over 16,384 edges, it stops " +
				"when scores are off by 1/400 of their length)",
			NotStream: "the solver cg reads the rows again and again",
		},
		Option{
			Name: "max-iterations", Verbs: "train cv", Rare: true, Default: "10000", Least: 1,
			Learners: "rankrls rls ranksvm",
			Data:     Rows | Edges, EdgeLearners: "rankrls", Solvers: "cg", EdgeSolvers: "auto primal cg",
			Field:     "MaxIterations",
			Help:      "at most `N` iterations of the cg solver, or of ranksvm, for one λ",
			EdgeHelp:  "at most `N` iterations of the cg solver for one λ",
			NotStream: "the solver cg reads the rows again and again",
		},
		Option{
			Name: "loss", Verbs: "train cv", Names: words("hinge squared-hinge"),
			EdgeNames: words("ranking regression"),
			Default:   "hinge", Learners: "ranksvm", Data: Rows | Edges, EdgeLearners: "rankrls", Field: "Loss",
			Help:      "the loss of a pair, for ranksvm",
			EdgeHelp:  "the loss: of pairs of edges of a row, or of each edge",
			NotStream: "sums of squared losses train rankrls and rls",
		},
		Option{
			Name: "counter", Verbs: "train cv", Rare: true, Names: words("auto levels fenwick tree pairs"),
			Default:  "auto",
			Learners: "ranksvm", Data: Rows,
			Help: "how ranksvm counts pairs; only the time differs, and last digits of the squared hinge; pairs " +
				"takes time in proportion to the pairs",
			NotStream: "rankrls and rls, the learners there, count no pairs",
		},
		Option{
			Name: "epsilon", Verbs: "train cv", Rare: true, Default: "0.001", Positive: true, Learners: "ranksvm",
			Data: Rows, Field: "Epsilon",
			Help:      "where ranksvm stops: gap to the optimum, or relative gradient of the squared hinge",
			NotStream: "the training is exact, by rankrls or rls",
		},
		Option{
			Name: "rounds", Verbs: "train cv", Default: "300", Learners: "rankboost", Data: Rows, Field: "Rounds",
			Help:      "`LIST` of rounds of rankboost",
			NotStream: "the learners are rankrls and rls, not rankboost",
		},
		Option{
			Name: "time-limit", Verbs: "train", Rare: true, Positive: true, Learners: "ranksvm", Data: Rows,
			Help:      "`TIME` after which ranksvm stops with the best model so far, as in 90s or 10m (default: none)",
			NotStream: "there is no model before all rows are read",
		},
		Option{
			Name: "warm-start", Verbs: "train", Rare: true, Learners: "ranksvm", Data: Rows, Field: "Start",
			NotDash:   dataIsStdin,
			Help:      "`FILE` of a linear model whose weights ranksvm starts from",
			NotStream: "the training, by rankrls or rls, is exact from any start",
		},
	),
	group("Choice and estimate",
		Option{
			Name: "lambda", Verbs: "train cv merge update", Learners: "rankrls rls ranksvm",
			EdgeLearners: "rankrls two-step",
			Help:         "one λ, `F` greater than 0",
		},
		Option{
			Name: "lambdas", Verbs: "train cv merge update", Learners: "rankrls rls ranksvm",
			Not: "lambda", Reason: "--lambda gives one value",
			EdgeLearners: "rankrls two-step", Field: "Lambdas",
			Help:       lambdasOf + " (default: 31 over the eigenvalues; 16 for cg, 12 for ranksvm, 7 for --features)",
			StreamHelp: lambdasOf + " (default: 31 over the eigenvalues)",
			EdgeHelp:   lambdasOf + " (default: 31 over the eigenvalues; 16 for cg)",
		},
		Option{
			Name: "select", Verbs: "train", EdgeLearners: "rankrls two-step",
			Help: "`METHOD` that judges λ: lqo, lpo, loo, kfold:K or none (default: lqo, for a single list lpo, if " +
				"exact, else folds; none for one λ)",
			StreamHelp: "`METHOD` that judges λ: kfold:K, K folds of queries, or none, for one λ (default: kfold:10)",
			EdgeHelp: "`METHOD` that judges λ, of what --setting holds out: lpo, loo, kfold:K or none (default: loo of rows, " +
				"else lpo, if exact, else folds; none for one λ)",
		},
		Option{
			Name: "select", Verbs: "stats", Sums: Summed, Default: "kfold:10", Field: "Folds",
			Help: "`METHOD` that will judge λ: kfold:K, K folds of queries, or none, for one λ",
		},
		Option{
			Name: "method", Verbs: "cv", Data: Rows | Edges, EdgeLearners: "rankrls two-step", Field: "Method",
			Help: "`METHOD` of holding out: lqo, lpo, loo or kfold:K (default: lqo, for a single list lpo)",
			EdgeHelp: "`METHOD` of holding out what --setting says: lpo, loo or kfold:K (default: loo of rows, " +
				"else lpo, if exact, else folds)",
		},
		Option{
			Name: "independent-rows", Verbs: "train cv", Rare: true, Data: Rows, Field: "IndependentRows",
			Help:      "hold out rows of one id, or of one number of a subject, without each other",
			NotStream: "queries are held out there, and ids are not read",
		},
		Option{
			Name: "metric", Verbs: "train cv", Data: Rows | Edges, EdgeLearners: "rankrls two-step", Field: "Metric",
			Help:     "`METRIC` that chooses λ or rounds, as in ndcg@10",
			EdgeHelp: "`METRIC` of the columns of each row that chooses λ, as in ndcg@10",
			NotStream: "a metric needs the scores of held-out rows, which are not kept; the relative squared error " +
				"chooses λ",
		},
		Option{
			Name: "valid", Verbs: "train", Data: Rows,
			Not: "select kernel-matrix labels", Reason: "the rows of --valid have features and one label, and " +
				"choose alone", NotDash: dataIsStdin,
			Help: "`FILE` of labelled rows that choose λ, or the rounds, instead of --select: by their error, or " +
				"--metric",
			NotStream: "folds of queries choose λ, with --select kfold:10",
		},
		Option{
			Name: "nested", Verbs: "cv", Bare: Bare{"default", "default|lpo|lqo|loo|kfold:.*"}, Data: Rows | Edges,
			Field: "Nested",
			Not:   "preferences labels", Reason: "the labels of DATA are needed",
			Help: "error of the whole procedure, with every choice made anew, by `METHOD`: lpo, lqo or kfold:K (without a " +
				"value lpo of a short list, else kfold:10)",
			EdgeHelp: "error of the whole procedure, with every choice made anew, by `METHOD` of holding out what " +
				"--setting says: kfold:K or loo (without a value kfold:10, of both kfold:5)",
		},
		Option{
			Name: "interval", Verbs: "cv", Names: words("auto halves none"), Default: "auto", Data: Rows | Edges,
			Field: "Intervals",
			Help: "95 % interval of the best estimate, by 60 halves of the queries or rows; auto leaves it out if it " +
				"takes long",
			EdgeHelp: "95 % interval of the best estimate, by 60 halves of the nodes; auto leaves it out if it takes long",
		},
		Option{
			Name: "permutations", Verbs: "cv", Least: 1, Most: 10_000_000, Learners: "rankrls rls", Data: Rows | Edges,
			Not: "preferences labels", Reason: "the labels of DATA are needed",
			Field:    "Permutations",
			Help:     "test against `N` permutations within queries",
			EdgeHelp: "test against `N` permutations within rows",
		},
		Option{
			Name: "against", Verbs: "cv", Rare: true, Data: Rows,
			Not: "preferences comparisons labels", Reason: "two procedures are compared by the labels of DATA",
			Help: "compare with another procedure on the same held-out pairs: the difference of the errors with a 95 % " +
				"interval (coverage 88-100 % in simulations, least without a signal); `OPTIONS` are those of its " +
				"learner, in one argument: \"--learner ranksvm --lambda 1\"",
		},
		Option{
			Name: "beside", Verbs: "train cv", Rare: true, Data: Rows, NotDash: dataIsStdin,
			Not:    "valid preferences comparisons labels method=lpo select=lpo select=none",
			Reason: "both tools are judged by a held-out score of each row and its label",
			Help: "`FILE` of another tool's scores, one a line, each by a training without the query of the row: compare " +
				"them with the held-out scores of the best λ, and with both half and half, the mean of both, each " +
				"standardised within the query (mean 0, deviation 1; where all tie, 0), by the tests of compare",
			NotStream: "the scores of held-out rows are not kept",
		},
		Option{
			Name: "importance", Verbs: "cv", Bare: Bare{"auto", "[0-9]+|all|auto"}, Data: Rows, Field: "Importance",
			Help: "error without each of `N` features, or all (without a value as many as take some ten seconds)",
		},
		Option{
			Name: "learning-curve", Verbs: "cv", Data: Rows, Field: "LearningCurve",
			Help: "the error from halves, quarters, … of the data",
		},
		Option{
			Name: "pairs-sample", Verbs: "train cv", Rare: true, Default: "auto", Data: Rows | Edges,
			Field:     "PairsSample",
			Help:      "`N` pairs that leave-pair-out of a single list " + drawn,
			EdgeHelp:  "`N` pairs of edges that lpo " + drawn,
			NotStream: "folds of queries are left out, not pairs",
		},
		seedOf("train", "folds, basis rows, random features, drawn pairs", "folds, drawn pairs"),
		seedOf("cv", "folds, halves, permutations, basis rows, random features, drawn pairs",
			"folds, halves, permutations, drawn pairs"),
		seedOf("stats", "", ""),
	),
}
