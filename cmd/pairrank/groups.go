package main

import "pairrank/cmd/pairrank/internal/cli"

// flagGroups are the headings in the help of the verbs with many flags, and the flags
// below each, by verb. A flag is in one group of its verb.
var flagGroups = map[string][]cli.Group{
	"train": {
		cli.NewGroup("The six that matter", "output learner kernel lambda select metric"),
		cli.NewGroup("Data", "stream", flagsOfData, flagsOfLabels, "names"),
		cli.NewGroup("Learner", flagsOfLearners, "basis-data time-limit warm-start"),
		cli.NewGroup("Choice", "lambdas valid pairs-sample seed"),
		cli.NewGroup("Edges", flagsOfEdges, "early-stop patience curve"),
		cli.NewGroup("Output and run", "keep-moments keep-query-sums", flagsOfPages, "json", flagsOfRuns),
	},
	"cv": {
		cli.NewGroup("The six that matter", "method learner kernel lambda metric nested"),
		cli.NewGroup("Data", flagsOfData, flagsOfLabels),
		cli.NewGroup("Learner", flagsOfLearners),
		cli.NewGroup("Choice and estimate", "lambdas pairs-sample interval permutations importance learning-curve seed"),
		cli.NewGroup("Edges", flagsOfEdges),
		cli.NewGroup("Output and run", "held-out roc roc-by", flagsOfPages, "json", flagsOfRuns),
	},
	"stats": {
		cli.NewGroup("Units", "output files index count"),
		cli.NewGroup("What is summed",
			"learner kernel random-features basis-data seed cost ties query-weight",
			"normalize binarize select names keep-query-sums"),
		cli.NewGroup("Data", flagsOfStreams),
		cli.NewGroup("Output and run", "json", flagsOfRuns),
	},
	"predict": {
		cli.NewGroup("Scores", "output trec-run header"),
		cli.NewGroup("Data", flagsOfData, "no-label extra-features kernel-matrix"),
		cli.NewGroup("Edges", "edges transpose rows cols"),
		cli.NewGroup("Run", flagsOfRuns),
	},
	"evaluate": {
		cli.NewGroup("Rankings", flagsOfRankings, "qrels run complete"),
		cli.NewGroup("Metrics", flagsOfMetrics, "fail-under fail-over"),
		cli.NewGroup("Data", flagsOfData, "extra-features"),
		cli.NewGroup("Output and run", "per-query json", flagsOfRuns),
	},
	"compare": {
		cli.NewGroup("Rankings", flagsOfRankings),
		cli.NewGroup("Metrics", flagsOfMetrics),
		cli.NewGroup("Tests", "resamples zeros seed"),
		cli.NewGroup("Data", flagsOfData, "extra-features"),
		cli.NewGroup("Output and run", flagsOfPages, "json", flagsOfRuns),
	},
	"report": {
		cli.NewGroup("Page", "output"),
		cli.NewGroup("Models of rows", "baseline", flagsOfMetrics),
		cli.NewGroup("Data", flagsOfData, "extra-features"),
		cli.NewGroup("Edges", "rows cols"),
		cli.NewGroup("Run", flagsOfRuns),
	},
	"explain": {
		cli.NewGroup("What is explained", "of query limit top score-column"),
		cli.NewGroup("Data", flagsOfData, "no-label extra-features kernel-matrix"),
		cli.NewGroup("Edges", "given rows cols by"),
		cli.NewGroup("Output and run", "json", flagsOfRuns),
	},
	"check": {
		cli.NewGroup("Data", flagsOfData),
		cli.NewGroup("Edges", "edges edge-format transpose rows cols row-kernel col-kernel"),
		cli.NewGroup("Output and run", "limit json", flagsOfRuns),
	},
	"serve": {
		cli.NewGroup("Address", "listen host tls-cert tls-key token-file"),
		cli.NewGroup("Models", "golden rows cols extra-features missing poll reload check"),
		cli.NewGroup("Limits", "max-body max-held max-rows max-concurrent max-queue max-per-client queue-wait"),
		cli.NewGroup("Times", "read-header-timeout read-timeout write-timeout idle-timeout drain"),
		cli.NewGroup("Log and run", "log-format log-level threads help"),
	},
}

// Flags that several verbs have.
const (
	flagsOfData     = "format missing zero-based label-column qid-column ignore-columns max-line"
	flagsOfStreams  = "missing zero-based max-line"
	flagsOfLabels   = "labels binarize preferences kernel-matrix normalize"
	flagsOfLearners = "cost ties query-weight pairs solver basis basis-rows random-features tolerance max-iterations loss epsilon counter rounds"
	flagsOfEdges    = "edges edge-format transpose rows cols row-kernel col-kernel normalize-kernel symmetrize psd-fix relation pair-kernel setting lambda-cols"
	flagsOfRankings = "scores model"
	flagsOfMetrics  = "metrics style min-relevant binarize"
	flagsOfPages    = "report figure"
	flagsOfRuns     = "progress threads help"
)
