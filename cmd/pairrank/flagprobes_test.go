package main

import "pairrank/internal/option"

// probeOf is the entry of a flag: that of its verb, or of all verbs that train, or of
// all verbs.
func probeOf(verb, name string) (p probe, known bool) {
	_, plain := option.KindOf(verb)
	for _, verb := range []string{verb, plain} {
		if p, known = flagProbes[verb][name]; known {
			return p, true
		}
	}
	if plain == "train" || plain == "cv" {
		if p, known = learnerProbes[name]; known {
			return p, true
		}
	}
	if p, known = columnProbes[name]; known {
		return p, true
	}
	p, known = sharedProbes[name]
	return p, known
}

// sharedProbes are the flags that have one meaning for many verbs.
var sharedProbes = map[string]probe{
	"help":     give(""),
	"json":     give(""),
	"progress": give("json").but(short, "nothing there is long; a warning or an error would be an event"),
	"threads":  give("1").but("never", "results do not depend on it"),
	"format": give("csv", "tsv").but("predict-given-data predict-given-csv",
		"of DATA only the rows are counted there"),
	"missing": give("zero").but(withoutGaps, "no value is missing there"),
	"zero-based": give("").but(givenData+" given given-gaps cv-given cv-given-gaps",
		"the features of DATA are not used there").
		but("compare-scores compare-style compare-json scores evaluate-json evaluate-list",
			"the features of DATA are not used there").
		but("cv-gaussian cv-map cv-boost cv-boost-default cv-basis cv-cg", "a first column of zeros changes no score"),
	"label-column":     give("rating"),
	"time":             give("weeks"),
	"event":            give("seen"),
	"censored":         give("negative"),
	"qid-column":       give("rating"),
	"ignore-columns":   give("1"),
	"positive":         give("1").but("predict-bare explain-bare predict-npy", "there is no column of labels"),
	"id-column":        give("rating"),
	"group-column":     give("rating"),
	"independent-rows": give("").but("never", "no id repeats there; TestRowsThatRepeat has one that does"),
	"fold-column":      give("rating"),
	"feature-columns":  give("a"),
	"factor-columns":   give("rating"),
	"decimal":          give("comma").but("judged judged-counts judged-beats", "no score there has a point"),
	"missing-in":       give("a=zero").but(withoutGaps, "no value is missing there"),
	"extra-features":   give("ignore").but("*", "no row or node there has such features"),
	"no-label": give("").but("predict-npy", "an array alone has no labels, and needs none to be scored").
		but("predict-given-csv explain-given-csv", "of DATA only the rows are counted there").
		but("predict-bare explain-bare predict-npy", "there is no column of labels"),
	"max-line": give("1").but("predict-npy", "an array has no lines"),
	"transpose": give("").but("check-square", "the nodes are the same at both ends").but("similarity",
		"the model has no edges"),
}

// learnerProbes are the flags of train and cv alike.
var learnerProbes = map[string]probe{
	"learner":           give("rls"),
	"kernel":            give("polynomial:gamma=0.5,coef0=1,degree=2"),
	"kernel-matrix":     give("kernel.tsv"),
	"lambda":            give("2"),
	"lambdas":           give("3,5"),
	"metric":            give("tau-b"),
	"solver":            give("dual"),
	"basis":             give("3"),
	"basis-rows":        give("basis.txt"),
	"random-features":   give("6"),
	"spline":            give("3"),
	"spline-in":         give("2=3"),
	"cost":              give("relative").but("cv-named-beats", "all magnitudes are 1, and there are no ties"),
	"ties":              give("exclude").but("timed cv-timed timed-weights stream-timed", "tied times are never compared"),
	"censoring-weights": give(""),
	"query-weight":      give("size"),
	"pairs":             give("all").but(singleLists, "a single list has no other pairs"),
	"preferences":       give("preferences.tsv"),
	"comparisons":       give("votes.csv"),
	"items":             give("items.csv"),
	"normalize": give("zscore").but("cv-boost cv-boost-default", "stumps do not see the scale").
		but("cv-named-folds cv-named-beats", "the order of six items stays"),
	"binarize": give("1").but("cv-default cv-list cv-gaussian cv-roc cv-selected selects",
		"the labels are 0 and 1"),
	"seed":             give("7"),
	"tolerance":        give("0.5"),
	"max-iterations":   give("1").but("named-svm", "one step is enough there"),
	"loss":             give("squared-hinge", "regression"),
	"counter":          give("pairs").but("never", "only the time differs"),
	"epsilon":          give("0.5"),
	"edge-format":      give("matrix"),
	"rows":             give("nodes.tsv"),
	"cols":             give("cols.tsv"),
	"row-kernel":       give("gaussian:gamma=0.5"),
	"col-kernel":       give("gaussian:gamma=0.5"),
	"relation":         give("symmetric"),
	"pair-kernel":      give("cartesian"),
	"setting":          give("rows"),
	"lambda-cols":      give("2"),
	"pairs-sample":     give("4"),
	"symmetrize":       give(""),
	"normalize-kernel": give(""),
	"psd-fix":          give("clip"),
	"rounds":           give("3"),
	"features":         give("1"),
	"one-se":           give(""),
	"search":           give("backward"),
	"criterion":        give("loo"),
	"baseline":         give("3"),
}

// flagProbes are the flags of single verbs, and of the program alone.
var flagProbes = map[string]map[string]probe{
	"pairrank": {
		"help":    give("").but("never", "without a verb the program prints its help"),
		"threads": give("1").but("never", "without a verb the program prints its help"),
	},
	"relation": {
		"help":    give("").but("never", "without a verb it prints its help"),
		"threads": give("1").but("never", "without a verb it prints its help"),
	},
	"stream": {
		"help":    give("").but("never", "without a verb it prints its help"),
		"threads": give("1").but("never", "without a verb it prints its help"),
	},
	"train": {
		"output":     give("out/other"),
		"select":     give("kfold:3"),
		"beside":     give("other.scores", "list.scores"),
		"time-limit": give("1ns"),
		"warm-start": give("svm.model"),
		"names":      give("names.txt"),
		"valid":      give("queries.txt"),
		"labels":     give("labels.tsv"),
		"report":     give("out/page.html"),
		"figure":     give("out/figure.svg"),
	},
	"relation train": {
		"early-stop": give("edges.tsv"),
		"patience":   give("1"),
		"curve":      give("out/curve"),
		"learner":    give("two-step"),
		"solver":     give("primal"),
	},
	"relation cv": {
		"learner": give("two-step"),
		"solver":  give("cg").but("cv-some", "auto takes it there"),
	},
	"stream train": {
		"keep-moments":    give(""),
		"keep-query-sums": give(""),
		"weight-column":   give("rating"),
		"basis-data":      give("basis-data.txt"),
		"knots-of":        give("bent.model"),
		"normalize":       give("query-minmax"),
		"solver":          give("primal").but("never", "it is the only one"),
		"pairs":           give("query").but("never", "it is the only value"),
		"kernel":          give("gaussian:gamma=2"),
	},
	"stream stats": {
		"kernel":            give("gaussian:gamma=2"),
		"random-features":   give("6"),
		"basis-data":        give("basis-data.txt"),
		"knots-of":          give("bent.model"),
		"seed":              give("7"),
		"output":            give("out/other"),
		"files":             give("files.txt"),
		"weight-column":     give("rating"),
		"index":             give("0"),
		"count":             give("2"),
		"learner":           give("rls"),
		"cost":              give("relative"),
		"ties":              give("exclude").but("stats-timed stats-strata", "tied times are never compared"),
		"query-weight":      give("size"),
		"normalize":         give("query-minmax"),
		"binarize":          give("1"),
		"censored":          give("negative"),
		"censoring-weights": give(""),
		"select":            give("kfold:3"),
		"names":             give("names.txt"),
		"keep-query-sums":   give(""),
	},
	"stream merge": {
		"output":       give("out/other"),
		"lambda":       give("2"),
		"lambdas":      give("3,5"),
		"keep-moments": give(""),
		"report":       give("out/page.html"),
		"figure":       give("out/figure.svg"),
	},
	"stream update": {
		"output":         give("out/other"),
		"forget":         give(""),
		"forget-qid":     give("1"),
		"weight-column":  give("worth"),
		"extra-features": give("ignore").but("* -update-wider", "no row there has such features"),
		"lambda":         give("2"),
		"lambdas":        give("3,5"),
		"report":         give("out/page.html"),
		"figure":         give("out/figure.svg"),
	},
	"cv": {
		"method":         give("kfold:4"),
		"held-out":       give("out/held"),
		"with-ids":       give(""),
		"nested":         give("kfold:3"),
		"permutations":   give("5"),
		"learning-curve": give(""),
		"importance":     give("", "1"),
		"against":        give("--lambda 2"),
		"beside":         give("other.scores", "list.scores"),
		"roc":            give("out/curve"),
		"at-specificity": give("0.5"),
		"at-sensitivity": give("0.5"),
		"partial":        give("sensitivity=0.5:1"),
		"labels":         give("labels.tsv"),
		"report":         give("out/page.html"),
		"figure":         give("out/figure.svg"),
		"interval":       give("none", "halves"), // one of them at least is not what auto comes to
	},
	"predict": {
		"output":        give("out/scores"),
		"kernel-matrix": give("kernel.tsv"),
		"trec-run":      give("tag"),
		"beside":        give("other.scores", "list.scores"),
		"with-ids":      give(""),
		"rows":          give("nodes.tsv"),
		"cols":          give("cols.tsv"),
		"edges":         give("some.tsv"),
		"header":        give(""),
	},
	"relation rank": {
		"given":     give("n2"),
		"given-col": give("n2"),
		"all":       give(""),
		"new-only":  give(""),
		"edges":     give("known.tsv"),
		"transpose": give(""),
		"top":       give("2"),
		"rows":      give("new.tsv"),
		"cols":      give("new-cols.tsv"),
	},
	"evaluate": {
		"comparisons":  give("votes.csv"),
		"scores":       give("other.scores"),
		"model":        give("svm.model"),
		"beside":       give("other.scores", "list.scores"),
		"qrels":        give("qrels.txt"),
		"run":          give("run.txt"),
		"complete":     give(""),
		"metrics":      give("p@2"),
		"style":        give("letor3"),
		"min-relevant": give("2"),
		"binarize":     give("2"),
		"per-query":    give("").but("evaluate-json", "the JSON document always has them"),
		"fail-under":   give("concordance=1.5"),
		"fail-over":    give("disagreement=-1"),
		"report":       give("out/page.html"),
		"figure":       give("out/figure.svg"),
	},
	"compare": {
		"scores":       give("other.scores"),
		"model":        give("svm.model"),
		"beside":       give("other.scores", "list.scores"),
		"metrics":      give("p@2"),
		"style":        give("letor3"),
		"min-relevant": give("2"),
		"binarize":     give("2"),
		"resamples":    give("200").but("compare-scores compare-models", "Student's interval is the longer one there"),
		"seed":         give("5").but("compare-scores compare-models", "Student's interval is the longer one there"),
		"zeros":        give("rank"),
		"fail-worse":   give("A=0.1"),
		"fail-unless":  give("A beats B"),
		"report":       give("out/page.html"),
		"figure":       give("out/figure.svg"),
	},
	"report": {
		"output":       give("out/other"),
		"baseline":     give("svm.model"),
		"metrics":      give("p@2"),
		"style":        give("letor3"),
		"min-relevant": give("2"),
		"binarize":     give("2"),
		"rows":         give("new.tsv"),
		"cols":         give("new-cols.tsv"),
	},
	"inspect": {
		"top": give("1"),
	},
	"explain": {
		"of":    give("1,4", "c1,c3", "n2,n3"),
		"query": give("3"),
		"limit": give("1").but("explain-bare explain-given explain-given-csv explain-several "+givenData,
			"there is one list"),
		"top": give("1"),
		"score-column": give("1").but("explain explain-bare explain-of explain-stumps explain-csv "+
			"explain-given explain-given-csv "+givenData, "the model has one output"),
		"kernel-matrix": give("kernel.tsv"),
		"given":         give("n2"),
		"rows":          give("new.tsv"),
		"cols":          give("new-cols.tsv"),
		"by":            give("row", "column"),
	},
	"leaderboard": boardProbes,
	"check": {
		"limit": give("1").but("check-csv", "nothing is wrong there"),
	},
	"relation check": {
		"progress":    give("json").but("never", "nothing there is long"),
		"edge-format": give("matrix"),
		"rows":        give("nodes.tsv"),
		"cols":        give("cols.tsv"),
		"row-kernel":  give("precomputed"),
		"col-kernel":  give("precomputed"),
	},
	"synth": {
		"rows":     give("7"),
		"features": give("9"),
		"queries":  give("3"),
		"noise":    give("2"),
		"games":    give("11"),
		"weight":   give("10"),
		"test":     give(""),
		"edges":    give("out/more"),
		"seed":     give("3"),
		"output":   give("out/made"),
	},
	"export": {
		"to":          give("sql"),
		"output":      give("out/other"),
		"name":        give("other"),
		"data":        give("train.txt"),
		"normalizers": give(""),
	},
	"import": {
		"from":   give("svmrank"),
		"output": give("out/other"),
	},
	"version": {
		"threads": give("1", "3"), // one of them at least is not what the machine has
	},
	"serve": {
		"listen":              give("127.0.0.1:0", "[::1]:9"),
		"golden":              give("golden.json"),
		"rows":                give("new.tsv"),
		"cols":                give("new-cols.tsv"),
		"extra-features":      give("ignore"),
		"missing":             give("zero"),
		"host":                give("ranker.example.org"),
		"reload":              give("any"),
		"token-file":          give("token.txt"),
		"tls-cert":            give("cert.pem"),
		"tls-key":             give("key.pem"),
		"max-body":            give("1000"),
		"max-held":            give("1000000000"),
		"max-rows":            give("7"),
		"max-concurrent":      give("7"),
		"max-queue":           give("7"),
		"max-per-client":      give("7"),
		"queue-wait":          give("7s"),
		"read-header-timeout": give("7s"),
		"read-timeout":        give("7s"),
		"write-timeout":       give("7s"),
		"idle-timeout":        give("7s"),
		"drain":               give("7s"),
		"poll":                give("7s"),
		"log-format":          give("json"),
		"log-level":           give("debug"),
		"check":               give(""),
		"threads":             give("1", "3"), // one of them at least is not what the machine has
	},
	"convert": {
		"to":    give("tsv"),
		"zeros": give("").but("convert-plain", "no value is 0 there"),
		"dense": give(""),
	},
}

// Commands of the corpus by what they have in common.
const (
	short = shortPairs + " check-edges check-square predict-edges predict-edges-some predict-square " +
		"explain-edges explain-edges-of synth-rps synth-rps-test edges one-domain two-step similarity " +
		"report-weights report-documents report-edges report-square report-new"
	withoutGaps = "* -given -given-gaps -cv-given -cv-given-gaps " +
		"-predict-given -predict-given-data -predict-given-gaps " +
		"-explain-given -explain-given-data -explain-given-gaps -update-alone"
	givenData  = "predict-given-data predict-given-gaps explain-given-data explain-given-gaps"
	shortPairs = "explain-similar explain-mixed explain-two-step explain-primal " +
		"predict-similar predict-similar-some predict-mixed predict-two-step predict-primal"
	singleLists = "given-gaps cv-given-gaps " +
		"cv-timed cv-default cv-list cv-kfold cv-gaussian cv-random cv-spline cv-basis cv-cg cv-map cv-given cv-labels cv-roc"
)
