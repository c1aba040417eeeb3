package option

import "strings"

// keepQuerySums is an option of stats, and of train.
var keepQuerySums = Option{
	Name: "keep-query-sums", Verbs: "stats", Sums: Summed, Rare: true, Data: Stream, Field: "KeepQueries",
	Help: "keep the sums of each query, too, so that update --forget-qid needs none of its rows: 4n² bytes " +
		"a query of n features",
}

// What is said of figures: the main one and, after another, the names of those that are drawn alone.
const (
	oneFigure   = "`FILE` for one figure, SVG: "
	errorFigure = oneFigure + "the error over λ"
	another     = "; NAME=FILE draws another: "
)

// Figures are the names of the figures that are drawn alone, as the help lists them.
func (o *Option) Figures() []string {
	_, names, _ := strings.Cut(o.Help, another)
	return strings.Fields(strings.ReplaceAll(names, ",", " "))
}

// output are the options of what is written.
var output = [][]Option{
	ofVerb("synth", "What is made", []Option{
		{Name: "rows", Default: "1000", Help: "`N` rows; of rps players (default: 1000, of rps 100)"},
		{
			Name: "features", Least: 1, Needs: "KIND=letor,patients,rcv1",
			Help: "`N` features of letor, patients and rcv1 (default: 46, 2000 and 47000)",
		},
		{Name: "queries", Least: 1, Needs: "KIND=letor", Help: "`N` queries of letor (default: one for every 100 rows)"},
		{Name: "noise", Positive: true, Needs: "KIND=letor", Help: "noise `F` of the labels of letor (default: 0.5)"},
		{
			Name: "games", Least: 1, Needs: "KIND=rps", Not: "test", Reason: "the second group has every pair of players",
			Help: "`N` games of rps (default: 1000)",
		},
		{
			Name: "weight", Positive: true, Needs: "KIND=rps",
			Help: "`F`, how one-sided the players of rps are: 1 for nearly even, 10, 100 for nearly always one move " +
				"(default: 1)",
		},
		{
			Name: "test", Needs: "KIND=rps",
			Help: "make the second group of players of rps, with the probability of every pair",
		},
		{Name: "edges", Needs: "KIND=rps", Help: "`FILE` for the games of rps"},
		{Name: "seed", Default: "1", Help: "seed `N`; the same seed gives the same bytes"},
	}),
	group("Output and run",
		Option{
			Name: "output", Short: "o", Verbs: "train merge", Required: true,
			Help: "`MODEL` to write (needed); - is standard output; .gz and .zst compress",
		},
		Option{
			Name: "output", Short: "o", Verbs: "update", Required: true, NotDash: "the sums are written beside the model",
			Help: "`MODEL` to write (needed); .gz and .zst compress",
		},
		Option{
			Name: "output", Short: "o", Verbs: "predict export import report synth", Default: "-",
			Help: "`FILE` to write; - is standard output; .gz and .zst compress",
		},
		Option{
			Name: "output", Short: "o", Verbs: "stats", Required: true, NotDash: "the units are files of a directory",
			Help: "`DIR` for the units (needed); made if missing",
		},
		Option{Name: "limit", Verbs: "check", Data: Rows, Help: "list `N` errors at most; 0 lists all"},
		Option{
			Name: "json", Verbs: "train cv evaluate compare explain inspect rank stats merge update check version " +
				"leaderboard",
			Not: "output=-", Reason: "both write to standard output",
			Help: "print one JSON document on standard output",
		},
		Option{
			Name: "progress",
			Verbs: "train cv predict evaluate compare report explain stats merge update check convert synth " +
				"leaderboard",
			Names: words("auto plain json none"), Default: "auto",
			Help: "progress on standard error; auto is a bar on a terminal, else one line; json is one event a line",
		},
		Option{
			Name: "report", Verbs: "train cv evaluate compare merge update leaderboard", NotDash: reportIsStdout,
			Help: "`FILE` for a page of figures with their numbers, HTML",
		},
		Option{
			Name: "figure", Verbs: "compare", NotDash: reportIsStdout,
			Help: oneFigure + "the differences and their intervals" + another + "difference, queries, survival",
		},
		Option{
			Name: "figure", Verbs: "evaluate", NotDash: reportIsStdout,
			Help:     oneFigure + "the means" + another + "survival, queries",
			EdgeHelp: oneFigure + "the means" + another + "queries",
		},
		Option{
			Name: "held-out", Verbs: "cv", Data: Rows | Edges, Field: "HeldOut", NotDash: reportIsStdout,
			Help:     "`FILE` for the held-out scores at the best λ: one a row; for lpo i j f_i f_j, one a pair",
			EdgeHelp: "`FILE` for the held-out scores at the best λ: row_id col_id score, one an edge",
		},
		Option{
			Name: "with-ids", Verbs: "predict", Data: Rows,
			Not: "trec-run", Reason: "a run has names of its own",
			Help: "write a TSV table: a header, and the name, the query and the scores of each row",
		},
		Option{
			Name: "beside", Verbs: "predict", Data: Rows,
			Help: "`FILE` of another tool's scores of the rows, one a line: write both half and half",
		},
		Option{
			Name: "with-ids", Verbs: "cv", Rare: true, Data: Rows, Needs: "held-out",
			Help: "write --held-out with a header and the names of the rows",
		},
		Option{
			Name: "roc", Verbs: "cv", Learners: "rankrls rls", Data: Rows, Field: "ROC",
			Not: "preferences labels", Reason: "the labels of DATA are needed", NotDash: reportIsStdout,
			Help: "`FILE` for the ROC curve of leave-pair-out at the best λ: threshold, false positive rate, " +
				"sensitivity",
		},
		Option{
			Name: "at-specificity", Verbs: "cv", Rare: true, Default: "0.8,0.9,0.95,0.99", Data: Rows,
			Help: "`LIST` of specificities at which the ROC curve's sensitivity is given",
		},
		Option{
			Name: "at-sensitivity", Verbs: "cv", Rare: true, Data: Rows,
			Help: "`LIST` of sensitivities at which the ROC curve's specificity is given",
		},
		Option{
			Name: "partial", Verbs: "cv", Rare: true, Data: Rows,
			Help: "`LIST` of ranges, as specificity=0.9:1 or sensitivity=0.8:1, for partial areas under the ROC curve",
		},
		Option{
			Name: "figure", Verbs: "cv", NotDash: reportIsStdout,
			Help: errorFigure + another + "error, metric, roc, precision, rows, learning, importance, " +
				"features",
			EdgeHelp: errorFigure + another + "error, metric",
		},
		Option{
			Name: "per-query", Short: "q", Verbs: "evaluate",
			Help: "print the values of every query, too", EdgeHelp: "print the values of every row node, too",
		},
		Option{
			Name: "keep-moments", Verbs: "train merge", Data: Stream,
			Not: "output=-", Reason: "the sums are written beside the model",
			Help: "also write the sums of the training, as MODEL.moments, for update",
		},
		keepQuerySums,
		needing("train", "keep-moments", keepQuerySums),
		Option{
			Name: "figure", Verbs: "train", NotDash: reportIsStdout,
			Help:       errorFigure + another + "error, metric, features",
			StreamHelp: errorFigure,
			EdgeHelp:   errorFigure + another + "error, metric",
		},
		Option{
			Name: "to", Verbs: "convert", Names: words("auto svmlight csv tsv parquet npy npz jsonl json"), Default: "auto",
			Help: "format of OUT; auto goes by the end of its name",
		},
		Option{Name: "zeros", Verbs: "convert", Help: "write the zeros of SVMlight text, too"},
		Option{Name: "dense", Verbs: "convert", Help: "write sparse rows to .npz or .npy with all their zeros"},
		Option{
			Name: "to", Verbs: "export", Required: true,
			Names: words("es-ltr solr xgboost ranklib svmrank liblinear onnx go js sql html"),
			Help:  "program or format to write the model for",
		},
		Option{
			Name: "name", Verbs: "export",
			Help: "`NAME` of the stored model (es-ltr, solr, onnx), the package (go), the table (sql) or the title " +
				"(html)",
		},
		Option{
			Name: "data", Verbs: "export", Needs: "to=es-ltr,solr,xgboost,ranklib", Reason: "other targets have no steps",
			Help: "`FILE` of rows, as of the training: a linear model or a spline becomes steps between their values",
		},
		Option{
			Name: "normalizers", Verbs: "export", Not: "data", Reason: "steps stand at the raw values",
			Help: "for es-ltr and solr: keep the normaliser beside the weights, not within them",
		},
		Option{Name: "top", Verbs: "inspect", Help: "show `N` weights; 0 shows all (default: 20, with --json all)"},
		Option{
			Name: "figure", Verbs: "leaderboard", NotDash: reportIsStdout,
			Help: oneFigure + "the scores and their intervals; of a table of scores also the differences" + another +
				"scores, difference",
		},
		Option{
			Name: "figure", Verbs: "merge update", NotDash: reportIsStdout,
			Help: errorFigure,
		},
		Option{Name: "top", Verbs: "rank", Default: "20", Help: "print the `N` best; 0 prints all"},
		Option{
			Name: "trec-run", Verbs: "predict", Data: Rows,
			Help: "write a TREC run with this `TAG`; DATA has queries and names of rows (#docid = X)",
		},
		Option{
			Name: "log-format", Verbs: "serve", Names: words("text json"), Default: "text",
			Help: "of the log on standard error",
		},
		Option{
			Name: "log-level", Verbs: "serve", Names: words("debug info warn error"), Default: "info",
			Help: "least level that is logged; debug has every request",
		},
		Option{
			Name: "files", Verbs: "stats", Not: "FILE",
			Help: "`FILE` with the names of the files, one a line, instead of FILE…",
		},
		Option{
			Name: "index", Verbs: "stats",
			Help: "number `N` of this worker, from 0 (default: its number in the array of the job, or 0)",
		},
		Option{Name: "count", Verbs: "stats", Help: "`N` workers in all (default: the size of the array of the job, or 1)"},
	),
}
