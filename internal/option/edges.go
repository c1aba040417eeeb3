package option

// edges are the options of edges between nodes.
var edges = group("Edges",
	Option{
		Name: "edges", Verbs: "predict", Data: Edges, NotDash: edgesAreFiles,
		Help: "`FILE` of the pairs to score: row_id col_id (default: every row with every column)",
	},
	Option{
		Name: "edges", Verbs: "rank", Data: Edges, Needs: "new-only", NotDash: edgesAreFiles,
		Help: "`FILE` of known edges, those with a value other than 0 (default: those of the training)",
	},
	Option{
		Name: "edge-format", Verbs: "train cv check relation.evaluate", Rare: true,
		Names: words("auto triplets matrix"), Default: "auto", Data: Edges,
		Help: "format of the edges",
	},
	Option{
		Name: "transpose", Verbs: "rank", Data: Edges, Needs: "edges",
		Help: turnedEdges,
	},
	Option{
		Name: "rows", Verbs: "train cv check", Data: Edges, Required: true, NotDash: edgesAreFiles,
		Help: "`FILE` of the row nodes: id and features, or similarities for --row-kernel precomputed (repeat for a sum)",
	},
	Option{
		Name: "rows", Verbs: "predict relation.evaluate", Data: Edges, NotDash: edgesAreFiles,
		Help: "`FILE` of the row nodes: id and features, or similarities to the nodes of the training (repeat as there)",
	},
	Option{
		Name: "rows", Verbs: "rank explain report", Data: Edges, NotDash: edgesAreFiles,
		Help:     "`FILE` of row nodes of a model of edges (default: the nodes of the training)",
		EdgeHelp: "`FILE` of row nodes (default: the nodes of the training)",
	},
	Option{
		Name: "cols", Verbs: "train cv predict check relation.evaluate", Data: Edges, Field: "Cols",
		NotDash: edgesAreFiles,
		Help:    "`FILE` of the column nodes (default: the row nodes, one domain)",
	},
	Option{
		Name: "cols", Verbs: "rank explain report", Data: Edges, NotDash: edgesAreFiles,
		Help: "`FILE` of column nodes (default: the nodes of the training; in one domain the nodes of --rows, if given)",
	},
	Option{
		Name: "row-kernel", Verbs: "train cv check", Default: "linear", Data: Edges, Field: "Rows.Kernel",
		Help: "`KERNEL` of the row nodes: " + kernels + ", precomputed, or a sum such as linear+gaussian:gamma=1",
	},
	Option{
		Name: "col-kernel", Verbs: "train cv check", Data: Edges, Field: "Cols.Kernel",
		Needs: "cols",
		Help:  "`KERNEL` of the column nodes (default: the kernel of the rows)",
	},
	Option{
		Name: "normalize-kernel", Verbs: "train cv", Rare: true, Data: Edges,
		Help: "divide kernel values k(u,v) by the root of k(u,u) k(v,v)",
	},
	Option{
		Name: "symmetrize", Verbs: "train cv", Rare: true, Data: Edges, EdgeLearners: "rankrls two-step",
		Field: "Symmetrize",
		Help:  "take the mean of a similarity matrix and its transpose",
	},
	Option{
		Name: "psd-fix", Verbs: "train cv", Rare: true, Names: words("none clip shift"), Default: "none", Data: Edges,
		EdgeLearners: "rankrls two-step", Field: "PSD",
		Help: "negative eigenvalues of a similarity matrix: an error, set to 0, or shifted up",
	},
	Option{
		Name: "relation", Verbs: "train cv", Names: words("arbitrary symmetric reciprocal"), Default: "arbitrary",
		Data: Edges, EdgeLearners: "rankrls", Field: "Relation",
		Help: "how the values of (u,v) and (v,u) are related",
	},
	Option{
		Name: "pair-kernel", Verbs: "train cv",
		Names: words("kronecker symmetric reciprocal cartesian linear poly2 metric ranking"), Data: Edges,
		EdgeLearners: "rankrls", Field: "Kernel",
		Help: "pairwise kernel (default: the kernel of the relation)",
	},
	Option{
		Name: "setting", Verbs: "train cv", Names: words("pairs rows cols both"), Default: "pairs", Data: Edges,
		EdgeLearners: "rankrls two-step", Field: "Setting",
		Help: "which part of a predicted edge is new, and so held out: the edge, its row, its column, or both",
	},
	Option{
		Name: "lambda-cols", Verbs: "train cv", Rare: true, Data: Edges, EdgeLearners: "two-step", Field: "LambdaCols",
		Help: "λ of the columns of --learner two-step, `F` greater than 0 (default: 1)",
	},
	Option{
		Name: "early-stop", Verbs: "train", Rare: true, Data: Edges, EdgeLearners: "rankrls", Field: "EarlyStop",
		Needs: "lambda", Reason: "it is for one value", NotDash: edgesAreFiles,
		Help: "`FILE` of edges; the cg solver ends when their error stops falling",
	},
	Option{
		Name: "patience", Verbs: "train", Rare: true, Default: "10", Least: 1, Data: Edges, EdgeLearners: "rankrls",
		Needs: "early-stop",
		Field: "Patience",
		Help:  "`N` iterations that --early-stop waits for a lower error",
	},
	Option{
		Name: "curve", Verbs: "train", Rare: true, Data: Edges, EdgeLearners: "rankrls",
		Needs: "early-stop",
		Help:  "`FILE` for the error of --early-stop after each iteration",
	},
	Option{Name: "given", Verbs: "rank", Data: Edges, Help: "`ID` of the row node whose columns are ranked"},
	Option{Name: "given", Verbs: "explain", Data: Edges, Help: "`ID` of the row node whose columns are compared"},
	Option{
		Name: "given-col", Verbs: "rank", Data: Edges,
		Not: "given", Reason: "each is a ranking of its own",
		Help: "`ID` of the column node whose rows are ranked",
	},
	Option{
		Name: "all", Verbs: "rank", Data: Edges,
		Not: "given given-col", Reason: "each is a ranking of its own",
		Help: "rank all pairs of a row and a column node",
	},
	Option{Name: "new-only", Verbs: "rank", Data: Edges, Help: "leave out pairs that are known"},
	Option{
		Name: "by", Verbs: "explain", Names: words("auto edge row column feature-pair feature"), Default: "auto",
		Data: Edges,
		Help: "parts of a score; auto is edge, or feature-pair where the model has weights",
	},
	Option{Name: "header", Verbs: "predict", Data: Edges, Help: "write the line row_id, col_id, score first"},
)
