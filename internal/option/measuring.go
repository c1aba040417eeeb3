package option

// explained says what is explained, before how it is named.
const explained = "`LIST` of two, A,B, to explain why A stands above B, or A alone for its score: "

// measuring are the options of verbs that measure and explain.
var measuring = [][]Option{
	group("Rankings",
		Option{
			Name: "scores", Verbs: "compare evaluate",
			Help:     "`FILE` of one score a line, in the order of the rows of DATA; may be repeated",
			EdgeHelp: "`FILE` of one score a line, in the order of the edges, or row, column and score; may be repeated",
		},
		Option{
			Name: "model", Verbs: "compare evaluate",
			Help:     "`FILE` of a model to score the rows of DATA with; may be repeated",
			EdgeHelp: "`FILE` of a model to score the edges with; may be repeated",
		},
		Option{
			Name: "beside", Verbs: "evaluate", Data: Rows,
			Not: "qrels comparisons", Reason: "the scores are in the order of the rows of DATA",
			Help: "`FILE` of another tool's scores, one a line: each ranking alone and half and half with it",
		},
		Option{
			Name: "beside", Verbs: "compare",
			Help: "`FILE` of another tool's scores, one a line: each ranking alone and half and half with it; may be " +
				"repeated, one for each DATA",
		},
		Option{
			Name: "qrels", Verbs: "evaluate", Data: Rows,
			Needs: "run", Not: "DATA scores model", Reason: "a run has the scores",
			Help: "`FILE` of TREC judgements, instead of DATA",
		},
		Option{Name: "run", Verbs: "evaluate", Data: Rows, Needs: "qrels", Help: "`FILE` of a TREC run, with --qrels"},
		Option{
			Name: "complete", Verbs: "evaluate", Data: Rows,
			Needs: "qrels",
			Help:  "with --qrels, judged queries that the run lacks count as 0",
		},
	),
	group("Metrics",
		Option{
			Name: "metrics", Short: "m", Verbs: "compare evaluate report",
			Help: "`LIST` of metrics, with commas between them (default: the metrics of the style)",
		},
		Option{
			Name: "style", Verbs: "compare evaluate report", Names: words("default trec letor3 letor4 mslr"),
			Default: "default",
			Help:    "tool whose conventions to follow",
		},
		Option{
			Name: "min-relevant", Verbs: "compare evaluate report",
			Help: "labels of at least `F` are relevant (default: the threshold of the style)",
		},
		Option{Name: "binarize", Verbs: "compare evaluate report", Help: "labels of at least `F` become 1, others 0"},
		Option{
			Name: "fail-under", Verbs: "evaluate",
			Help: "exit with 4 when the metric is below the value; may be repeated",
		},
		Option{
			Name: "fail-over", Verbs: "evaluate",
			Help: "exit with 4 when the metric is above the value; may be repeated",
		},
		Option{
			Name: "independent-rows", Verbs: "compare evaluate report", Rare: true, Data: Rows,
			Not: "qrels", Reason: "a run has no rows",
			Help: "take rows of one id, and queries that a group connects, as independent",
		},
		Option{Name: "baseline", Verbs: "report", Help: "`FILE` of a model that MODEL is compared with on DATA"},
	),
	ofVerb("compare", "Tests", []Option{
		{
			Name: "resamples", Default: "10000", Least: 100, Most: 10_000_000,
			Help: "`N` bootstrap samples and, with too many queries to try all, N patterns of signs",
		},
		{Name: "seed", Default: "1", Help: "seed `N`; the same seed gives the same numbers"},
		{
			Name: "zeros", Names: words("drop rank"), Default: "drop",
			Help: "how Wilcoxon's test treats queries that do not differ: drop them, or rank them too (Pratt)",
		},
	}),
	ofVerb("explain", "What is explained", []Option{
		{
			Name:     "of",
			Help:     explained + "rows by name or number from 1",
			EdgeHelp: explained + "columns by id",
		},
		{
			Name: "query", Data: Rows,
			Not: "of", Reason: "each says what is explained",
			Help: "explain the best row of the query `ID` above the second",
		},
		{
			Name: "limit", Data: Rows, Default: "10",
			Not: "of query", Reason: "each says what is explained",
			Help: "explain the first `N` queries; 0 explains all",
		},
		{Name: "top", Default: "10", Help: "list the `N` largest contributions; 0 lists all"},
		{Name: "score-column", Data: Rows, Least: 1, Default: "1", Help: "which output of a model of several, the `N`th"},
	}),
}
