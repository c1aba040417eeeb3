package main

import (
	"strings"

	"pairrank/cmd/pairrank/internal/cli"
)

// manyFlags is the number of flags from which on a verb has them in groups.
const manyFlags = 16

// flagGroups are the headings in the help of the verbs with many flags, and the flags
// below each, by verb. A flag is in one group of its verb.
var flagGroups = map[string][]cli.Group{
	"train": {
		group("The six that matter", "output learner kernel lambda select metric"),
		group("Data", flagsOfData, flagsOfLabels, "names"),
		group("Learner", flagsOfLearners, "time-limit warm-start"),
		group("Choice", "lambdas valid seed"),
		group("Edges", flagsOfEdges, "early-stop patience curve"),
		group("Output and run", "json", flagsOfRuns),
	},
	"cv": {
		group("The six that matter", "method learner kernel lambda metric nested"),
		group("Data", flagsOfData, flagsOfLabels),
		group("Learner", flagsOfLearners),
		group("Choice and estimate", "lambdas interval permutations seed"),
		group("Edges", flagsOfEdges),
		group("Output and run", "held-out roc roc-by json", flagsOfRuns),
	},
	"predict": {
		group("Scores", "output trec-run header"),
		group("Data", flagsOfData, "no-label extra-features kernel-matrix"),
		group("Edges", "edges transpose rows cols"),
		group("Run", flagsOfRuns),
	},
	"evaluate": {
		group("Rankings", flagsOfRankings, "qrels run complete"),
		group("Metrics", flagsOfMetrics, "fail-under fail-over"),
		group("Data", flagsOfData, "extra-features"),
		group("Output and run", "per-query json", flagsOfRuns),
	},
	"compare": {
		group("Rankings", flagsOfRankings),
		group("Metrics", flagsOfMetrics),
		group("Tests", "resamples zeros seed"),
		group("Data", flagsOfData, "extra-features"),
		group("Output and run", "json", flagsOfRuns),
	},
	"check": {
		group("Data", flagsOfData),
		group("Edges", "edges edge-format transpose rows cols row-kernel col-kernel"),
		group("Output and run", "limit json", flagsOfRuns),
	},
}

// Flags that several verbs have.
const (
	flagsOfData     = "format missing zero-based label-column qid-column max-line"
	flagsOfLabels   = "labels binarize preferences kernel-matrix normalize"
	flagsOfLearners = "cost ties query-weight pairs solver basis basis-rows tolerance max-iterations loss epsilon counter precision rounds"
	flagsOfEdges    = "edges edge-format transpose rows cols row-kernel col-kernel normalize-kernel symmetrize psd-fix relation pair-kernel setting pairs-sample lambda-cols"
	flagsOfRankings = "scores model"
	flagsOfMetrics  = "metrics style min-relevant binarize"
	flagsOfRuns     = "progress threads help"
)

// group is a group of the flags in lists of names with blanks between them.
func group(title string, lists ...string) cli.Group {
	return cli.Group{Title: title, Flags: strings.Fields(strings.Join(lists, " "))}
}
