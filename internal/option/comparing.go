package option

import "slices"

// comparedColumns are the options about the columns of comparisons.
var comparedColumns = []Option{
	{
		Name: "left", Rare: true,
		Help: "`COLUMN` of the left items, by name or number (default: by its name, as of all columns)",
	},
	{Name: "right", Rare: true, Help: "`COLUMN` of the right items"},
	{Name: "winner", Rare: true, Help: "`COLUMN` of the winner: left, right, tie or an item"},
	{Name: "loser", Rare: true, Help: "`COLUMN` of the loser, beside a winner alone"},
	{Name: "wins-left", Rare: true, Help: "`COLUMN` that counts wins of the left item"},
	{Name: "wins-right", Rare: true, Help: "`COLUMN` that counts wins of the right item"},
	{Name: "ties-column", Rare: true, Help: "`COLUMN` that counts ties"},
	{Name: "weight-column", Rare: true, Help: "`COLUMN` of weights of the comparisons"},
	{Name: "annotator", Help: "`COLUMN` of annotators (default: annotator, worker or judge)"},
	{Name: "stratum", Rare: true, Help: "`COLUMN` with the stratum of a comparison, such as the language"},
	{
		Name: "cluster", Help: "`COLUMN`, or several, of what comparisons have in common, such as a question or a match: " +
			"those of one cluster are not independent (default: cluster)",
	},
	{Name: "score-left", Rare: true, Help: "`COLUMN` of the score of the left item: the higher one wins"},
	{Name: "score-right", Rare: true, Help: "`COLUMN` of the score of the right item"},
}

// ofComparisons are the options about the columns of comparisons that verbs have, where they are given needs.
func ofComparisons(verbs, needs string) []Option {
	out := slices.Clone(comparedColumns)
	for k := range out {
		if out[k].Verbs, out[k].Needs = verbs, needs; needs != "" {
			out[k].Data, out[k].Rare, out[k].NotStream = Rows, true, notRead
		}
	}
	return out
}

// notRead says why rows that are read once are not compared by name.
const notRead = "comparisons are between any two rows, and one query at a time is read"

// named are the options of verbs that read rows about comparisons between them.
var named = group("Comparisons", slices.Concat([]Option{
	{
		Name: "comparisons", Verbs: "train cv", Rare: true, Learners: "rankrls ranksvm", Data: Rows, Needs: "items",
		Not: "DATA edges stream preferences labels valid binarize label-column positive group-column fold-column " +
			"query-weight pairs ties counter nested permutations roc with-ids importance learning-curve pairs-sample names " +
			"zero-based metric",
		Reason:    "comparisons take the place of labels",
		NotDash:   dataIsStdin,
		Help:      "`FILE` of comparisons of the rows of --items by name, in place of DATA (docs/comparisons.md)",
		NotStream: notRead,
	},
	{
		Name: "comparisons", Verbs: "evaluate", Rare: true, Data: Rows,
		Not: "scores model qrels run complete metrics style min-relevant binarize fail-under fail-over per-query format " +
			"missing zero-based label-column positive qid-column id-column group-column independent-rows ignore-columns " +
			"feature-columns factor-columns missing-in transpose extra-features",
		Reason: "comparisons take the place of labels, and DATA has the scores",
		Help:   "`FILE` of comparisons of named items, whose scores are in DATA, a table with the columns id and score",
	},
	{
		Name: "items", Verbs: "train cv", Rare: true, Data: Rows, Needs: "comparisons", NotStream: notRead,
		Help: "`FILE` of a table of the items of --comparisons with their features, in place of DATA",
	},
}, ofComparisons("train cv evaluate", "comparisons"))...)

// comparing are the options of leaderboard.
var comparing = [][]Option{
	group("Comparisons", append(ofComparisons("leaderboard", ""),
		Option{
			Name: "covariates", Verbs: "leaderboard",
			Help: "`LIST` of columns of the comparisons whose effect is estimated beside the scores",
		},
		Option{Name: "side", Verbs: "leaderboard", Help: "estimate the advantage of the left side"},
	)...),
	ofVerb("leaderboard", "Items", []Option{
		{Name: "items", Help: "`FILE` of a table of the items with their features, in which scores are linear"},
		{
			Name: "residual", Needs: "items",
			Help: "give each item a part of its own beside its features, with `LIST` times their prior variance: the " +
				"held-out loss chooses among several",
		},
		{Name: "id-column", Rare: true, Needs: "items", Help: "`COLUMN` of the names of the items (default: by its name)"},
		{Name: "ignore-columns", Rare: true, Needs: "items", Help: "`LIST` of columns of the items to leave out"},
		{Name: "feature-columns", Rare: true, Needs: "items", Help: "`LIST` of the columns of the items that are features"},
		{
			Name: "factor-columns", Rare: true, Needs: "items",
			Help: "`LIST` of columns of texts of the items that become features",
		},
		{
			Name: "missing", Rare: true, Needs: "items", Names: words("error zero mean min own"),
			Default: "error",
			Help:    "what a missing feature of an item becomes; own gives the item a score of its own instead",
		},
		{
			Name: "missing-in", Rare: true, Needs: "items",
			Help: "`LIST` of columns of the items with a treatment of their own: age=mean,dose=zero",
		},
	}),
	ofVerb("leaderboard", "Scores", []Option{
		{
			Name: "loss", Names: words("squared logistic"), Default: "squared",
			Help: "loss of an outcome; logistic is the model of Bradley and Terry",
		},
		{
			Name: "ties", Names: words("half drop davidson"), Default: "half",
			Needs: "loss=logistic", Reason: "in the squared loss a tie is an outcome of 0",
			Help: "how the logistic loss treats a tie",
		},
		{Name: "lambda", Help: "`F` of the penalty λ|f|² (default: 0)"},
		{
			Name: "lambdas", Not: "lambda", Reason: "one value is not chosen from",
			Help: "`LIST` of λ to choose from by the held-out loss: a,b,c, or a geometric grid LO:HI:N",
		},
		{
			Name: "bias-reduced", Not: "lambda lambdas", Reason: "bias is reduced at λ = 0",
			Needs: "loss=logistic ties=half,drop",
			Help:  "Firth's scores, which are finite where an item only wins",
		},
		{
			Name: "scale", Names: words("auto raw elo"), Default: "auto",
			Help: "scale of the scores: elo is 400/ln 10 times the raw score, mean 1000; auto is elo for the logistic loss",
		},
		{
			Name: "reference", Field: "ByComparisons", Names: words("items comparisons"), Default: "items", Not: "items",
			Reason: "features have their own mean",
			Help:   "what scores are relative to: the mean of the items, or the mean over comparisons",
		},
		{Name: "anchor", Field: "Anchor", Help: "`NAME=SCORE` of an item whose score is fixed"},
		{
			Name: "pair-weights", Names: words("counts equal"), Default: "counts",
			Help: "weight of a pair of items: its number of comparisons, or the same for all pairs",
		},
	}),
	ofVerb("leaderboard", "Estimates", []Option{
		{
			Name: "hold-out",
			Help: "`UNIT` that is left out to measure predictions: comparison, line, pair, annotator, cluster, stratum, " +
				"item or " +
				"kfold:K",
		},
		{
			Name: "held-out", Needs: "hold-out",
			Help: "`FILE` for the margins of held-out comparisons, one for each line of the file",
		},
		{
			Name: "intervals", Field: "Variance", Names: words("auto sandwich jackknife bootstrap line"), Default: "auto",
			Help: "where intervals come from; auto leaves out each cluster, or each of five annotators or more (jackknife), " +
				"else takes outcomes as independent (sandwich); line leaves out each line",
		},
		{Name: "versus", Field: "Versus", Help: "`LIST` of two items: the probability that the first is above the second"},
		{
			Name: "cycles", Field: "Cycles",
			Help: "test whether one ranking explains the comparisons, and name items that surely beat each other in a circle",
		},
		{
			Name: "annotators",
			Help: "`FILE` for the table of the annotators, CSV or TSV: agreement with the others, reliability",
		},
		{
			Name: "annotator-scale", Field: "AnnotatorScale",
			Not:    "ties=davidson bias-reduced lambdas items cycles next intervals=sandwich intervals=bootstrap intervals=line",
			Reason: "factors of annotators go with one lambda, a score for each item, and intervals that leave out units",
			Help: "fit a factor of each annotator on the differences of scores, below 0 of who votes against the board, shrunk " +
				"to 1 by an amount that held-out votes choose",
		},
		{
			Name: "next", Field: "Next", Least: 1, Most: 10_000,
			Help: "list `N` pairs to compare next, those that lower the variance of differences most",
		},
		{
			Name: "about", Field: "About",
			Help: "`LIST` of items, or first:K, to which sets of ranks and --next are limited; with more than 4,000 " +
				"items, intervals too",
		},
		{
			Name: "seed", Default: "1",
			Help: "seed `N` of folds, and of the draws of --cycles, --intervals bootstrap and the sets of ranks",
		},
		{Name: "output", Short: "o", Help: "`FILE` for the table of the items, CSV or TSV"},
		{Name: "save", Help: "`FILE` for the model; predict and serve score items with it, by name and features"},
	}),
}
