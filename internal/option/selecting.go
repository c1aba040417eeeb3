package option

// selecting are the options of the selection of features.
var selecting = group("Choice and estimate",
	Option{
		Name: "features", Verbs: "train cv", Learners: "rankrls rls", Data: Rows, Field: "Features",
		Not: "solver basis basis-rows random-features kernel-matrix cost ties pairs preferences comparisons labels " +
			"tolerance max-iterations importance",
		Reason: "features are selected for the linear kernel or one spline, by the labels of DATA and all pairs within " +
			"queries",
		Help:      "select `N` features, or auto; anew in every fold",
		NotStream: "each step of a selection reads all rows",
	},
	Option{
		Name: "one-se", Verbs: "train cv", Rare: true, Data: Rows, Needs: "features features=auto", Field: "OneSE",
		Not: "metric", Reason: "it needs the standard error of the error",
		Help:      "take the fewest features whose error is within one standard error of the least",
		NotStream: "features are selected from rows in memory",
	},
	Option{
		Name: "search", Verbs: "train cv", Rare: true, Data: Rows, Needs: "features", Field: "Search",
		Names: words("forward backward floating"), Default: "forward",
		Help: "steps of the selection: add a feature; from all features take one away; add one, and take away those " +
			"without which the rest is better",
		NotStream: "features are selected from rows in memory",
	},
	Option{
		Name: "criterion", Verbs: "train cv", Rare: true, Data: Rows, Needs: "features", Field: "Criterion",
		Names: words("auto lqo loo lpo"), Default: "auto",
		Help: "what a step leaves out to judge features: queries, rows or pairs; auto is lqo, lpo for a single list, " +
			"and loo for rls",
		NotStream: "features are selected from rows in memory",
	},
	Option{
		Name: "baseline", Verbs: "train cv", Rare: true, Data: Rows, Needs: "features", Field: "Baseline",
		Help:      "`LIST` of features, by name or number, that stay in every selection, without a penalty: a,b",
		NotStream: "features are selected from rows in memory",
	},
)
