package option

import (
	"slices"
	"strings"
)

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
	{Name: "cluster", Help: sameCluster},
	{Name: "score-left", Rare: true, Help: "`COLUMN` of the score of the left item: the higher one wins"},
	{Name: "score-right", Rare: true, Help: "`COLUMN` of the score of the right item"},
	{
		Name: "margin", Rare: true, Not: "outcome",
		Reason: "the column has the outcomes", Help: "take the difference of the scores as the margin of the left item",
	},
	{
		Name: "outcome",
		Help: "`COLUMN` of the probability that the left item is better, or of its margin over the right one",
	},
	{
		Name: "outcome-is", Rare: true, Needs: "outcome", Names: words("probability margin"),
		Help: "what outcomes are (default: by the name of the column" + elseMargin,
	},
}

// Parts of what is said of columns of comparisons.
const (
	sameCluster = "`COLUMN`, or several, of what comparisons have in common, such as a question or a match: those of " +
		"one cluster are not independent (default: cluster)"
	elseMargin = ", and a margin where any is below 0 or above 1)"
)

// ofBoards says more of some of these columns in leaderboards, which have losses and read tables of scores, too.
var ofBoards = map[string]string{
	"cluster": sameCluster + "; of a table of scores, of what items have in common",
	"outcome-is": "what outcomes are (default: a probability for --loss logistic, else by the name of the column" +
		elseMargin,
}

// checkedComparisons are the options of check that make its DATA comparisons, without those of rows. Weights are both.
var checkedComparisons = func() []Option {
	all := slices.DeleteFunc(ofComparisons("check", ""), func(o Option) bool { return o.Name == "weight-column" })
	for k := range all {
		all[k].Data, all[k].Rare, all[k].Reason = Rows, true, "comparisons are no rows"
		all[k].Not = strings.TrimSpace(all[k].Not + " label-column positive qid-column id-column group-column time event " +
			"ignore-columns feature-columns factor-columns missing missing-in transpose zero-based " +
			"format limit fold-column decimal")
	}
	return all
}()

// ofComparisons are the options about the columns of comparisons that verbs have, where they are given needs.
func ofComparisons(verbs, needs string) []Option {
	out := slices.Clone(comparedColumns)
	if needs != "" { // verbs of rows, whose option of the same name has the weights of rows, too
		out = slices.DeleteFunc(out, func(o Option) bool { return o.Name == "weight-column" })
	}
	for k := range out {
		out[k].Verbs, out[k].Needs = verbs, strings.TrimSpace(needs+" "+out[k].Needs)
		if of := ofBoards[out[k].Name]; verbs == "leaderboard" && of != "" {
			out[k].Help = of
		}
		if needs == "" && out[k].Name != "cluster" {
			out[k].Data = Compared
		} else if needs != "" {
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
		Reason:  "comparisons take the place of labels",
		NotDash: dataIsStdin,
		Help: "`FILE` of comparisons of the rows of --items by name, in place of DATA; --weight-column has their weights " +
			"(docs/comparisons.md)",
		NotStream: notRead,
	},
	{
		Name: "comparisons", Verbs: "evaluate", Rare: true, Data: Rows,
		Not: "scores model qrels run complete metrics style min-relevant binarize fail-under fail-over per-query format " +
			"missing zero-based label-column positive qid-column id-column group-column independent-rows ignore-columns " +
			"feature-columns factor-columns missing-in transpose extra-features",
		Reason: "comparisons take the place of labels, and DATA has the scores",
		Help: "`FILE` of comparisons of named items, whose scores are in DATA, a table with the columns id and score; " +
			"--weight-column has their weights",
	},
	{
		Name: "items", Verbs: "train cv", Rare: true, Data: Rows, Needs: "comparisons", NotStream: notRead,
		Help: "`FILE` of a table of the items of --comparisons with their features, in place of DATA",
	},
}, ofComparisons("train cv evaluate", "comparisons"), checkedComparisons)...)

// comparing are the options of leaderboard.
var comparing = [][]Option{
	group("Tables of scores", scored...),
	group("Comparisons", append(ofComparisons("leaderboard", ""), compared([]Option{
		{
			Name: "covariates", Verbs: "leaderboard",
			Help: "`LIST` of columns of the comparisons whose effect is estimated beside the scores",
		},
		{Name: "side", Verbs: "leaderboard", Help: "estimate the advantage of the left side"},
		{
			Name: "trusted", Verbs: "leaderboard",
			Not: "covariates side items loss=logistic lambda lambdas pair-weights=equal hold-out intervals=sandwich " +
				"intervals=bootstrap intervals=line cycles annotators annotator-scale next",
			Reason: "votes of people correct a judge in the squared loss at λ = 0, by leaving out clusters",
			Help: "`COLUMN=VALUE` of the lines of people, whose votes correct those of a judge in all others; votes with the " +
				"same items and --cluster are on one comparison",
		},
	})...)...),
	ofVerb("leaderboard", "Items", compared([]Option{
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
	})),
	ofVerb("leaderboard", "Scores", compared([]Option{
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
	})),
	ofVerb("leaderboard", "Estimates", compared([]Option{
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
			Not: "ties=davidson bias-reduced lambdas items cycles next intervals=sandwich intervals=bootstrap " +
				"intervals=line",
			Reason: "factors of annotators go with one lambda, a score for each item, and intervals that leave out units",
			Help: "fit a factor of each annotator on the differences of scores, below 0 of who votes against the board, " +
				"shrunk to 1 by an amount that held-out votes choose",
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
		{Name: "save", Help: "`FILE` for the model; predict and serve score items with it, by name and features"},
	})),
	ofVerb("leaderboard", "Estimates", []Option{
		{
			Name: "rows", Rare: true,
			Help: "`PATH` of the list of rows within an object of JSON, such as results or data.rows (default: found)",
		},
		{
			Name: "seed", Default: "1",
			Help: "seed `N` of folds, and of the draws of --cycles, --intervals bootstrap and the sets of ranks",
		},
		{Name: "output", Short: "o", Help: "`FILE` for the table of the items, CSV or TSV"},
	}),
	ofVerb("compare", "Gates", gatesOf(0, "a ranking, by its letter or file", "another one in the metric")),
}

// scored are the options of leaderboard about tables of scores.
var scored = ofVerb("leaderboard", "Tables of scores", slices.Concat([]Option{
	{
		Name: "score-column", Data: Scores,
		Help: "`COLUMN` of the scores, by name, number, or path in JSON as results.accuracy (default: by its name, as of " +
			"all columns)",
	},
	{Name: "system-column", Data: Scores, Help: "`COLUMN` of the systems that are ranked, such as models"},
	{Name: "item-column", Data: Scores, Help: "`COLUMN`, or several, of what systems are scored on, such as tasks"},
	{
		Name: "repeat-column", Data: Scores,
		Help: "`COLUMN` of repeats, such as seeds: the scores of a system on an item are averaged",
	},
	{
		Name: "wide", Data: Scores, Names: words("systems items"),
		Not: "score-column repeat-column system-from-file", Reason: "a wide table has a score in each cell",
		Help: "each column is a system and each line an item, or each column an item",
	},
	{
		Name: "system-from-file", Data: Scores, Not: "system-column", Reason: "each names the system",
		Help: "each FILE has the scores of one system, named as the file, or NAME=FILE",
	},
	{Name: "lower-is-better", Data: Scores, Help: "rank the systems with lower scores higher"},
	{
		Name: "standardize", Data: Scores, Names: words("item"),
		Help: "give the scores of each item mean 0 and variance 1, where items have different scales",
	},
	{
		Name: "ranks", Data: Scores, Not: "standardize", Reason: "ranks have one scale",
		Help: "rank the scores within each item, and average these ranks",
	},
	{Name: "against", Data: Scores, Field: "Against", Help: "`NAME` of a system that all others are compared with"},
}, gatesOf(Scores, "a system", "another one, or --against,")))

// gatesOf are the options by which verbs fail where something is worse than another, for a kind of data.
func gatesOf(kind Kind, something, another string) []Option {
	return []Option{
		{
			Name: "fail-worse", Data: kind,
			Help: "`NAME=MARGIN` of " + something + ": exit with 4 when it is surely worse than " + another + " by more than " +
				"MARGIN, with 7 when that is undecided; may be repeated",
		},
		{
			Name: "fail-unless", Data: kind,
			Help: "`CLAIM`, \"A beats B\": exit with 4 when B is surely better than A, with 7 when neither is; may be repeated",
		},
	}
}

// compared gives options the kind of data of comparisons.
func compared(options []Option) []Option {
	for k := range options {
		options[k].Data = Compared
	}
	return options
}
