package option

import "strings"

// Why files beside DATA, and those that are written beside what is printed, are not -.
const (
	dataIsStdin    = "standard input is for DATA"
	reportIsStdout = "standard output takes the report"
	edgesAreFiles  = "edges and nodes are read from files"
)

// readers are the verbs that read rows.
const readers = learners + " " + scorers

// learners are those that read rows as they are, and scorers those that may read the rows of a model.
const (
	learners = "train cv check convert"
	scorers  = "predict evaluate compare report explain"
)

// timed are the verbs that know of censored times.
const timed = "evaluate compare check convert"

// Options that need others in some verbs.
var (
	extraFeatures = Option{
		Name: "extra-features", Verbs: "predict report explain serve", Names: words("error ignore"), Default: "error",
		Help: "how to treat features that training never saw",
	}
	missing = Option{
		Name: "missing", Verbs: learners + " stats", Sums: SummedAsRead, Names: words("error zero mean min own"),
		StreamNames: words("error zero"), Default: "error", Data: Rows | Stream, Not: "qrels", Reason: "a run has no rows",
		Help: "what a missing value becomes; own learns a level", StreamHelp: "what a missing value becomes",
		NotStream: "it needs all rows before the first is summed",
	}
	timeLearnt = Option{
		Name: "time", Verbs: "train cv stats", Sums: SummedAsRead, Data: Rows | Stream, Needs: "event",
		Not: "label-column preferences comparisons labels binarize", Reason: "the times are what is learnt from",
		Help: "`COLUMN` of censored times, in place of labels, with --event",
	}
	eventColumn = Option{
		Name: "event", Verbs: timed + " train cv stats", Sums: SummedAsRead, Rare: true, Data: Rows | Stream, Needs: "time",
		Help:       "`COLUMN` of whether the event was seen at --time: 0 or 1, or by --positive",
		StreamHelp: "`COLUMN` of whether the event was seen at --time: 0 or 1",
	}
	weightColumn = Option{
		Name: "weight-column", Verbs: "train cv evaluate compare report check convert stats", Rare: true,
		Sums: SummedAsRead, Data: Rows | Stream,
		Not: "qrels preferences", Reason: "a run has no rows, and preferences have weights of their own",
		Help: "`COLUMN` of the weights of the rows: a pair counts the product of two; 0 leaves a row out",
	}
	missingOfModel = Option{
		Name: "missing", Verbs: scorers, Names: words("model error zero mean min own"), Default: "model", Data: Rows,
		Not: "qrels", Reason: "a run has no rows",
		Help: "what a missing value (NaN, NULL, empty) becomes; model: what it became in training",
	}
	zeroBased = Option{
		Name: "zero-based", Verbs: readers + " stats", Sums: SummedAsRead, Rare: true, Data: Rows | Stream, Not: "qrels",
		Reason: "a run has no rows", Help: "SVMlight indices start at 0",
	}
	maxLine = Option{
		Name: "max-line", Verbs: readers + " stats leaderboard", Rare: true, Default: "16777216", Least: 1,
		Most: 1 << 30, Not: "qrels", Reason: "a run has no rows",
		Help: "`N` bytes of the longest line that is read",
	}
)

// needing makes an option of verbs where it needs another one.
func needing(verbs, needs string, o Option) Option {
	o.Verbs, o.Needs = verbs, needs
	return o
}

// ofTable makes an option about the columns of a table that verbs have.
func ofTable(verbs string, o Option) Option {
	o.Verbs, o.Data = verbs, Rows
	o.Not, o.Reason = "qrels", "a run has no rows"
	o.NotStream = "of a table only labels, queries and features are read so; pairrank convert makes numbers of texts"
	return o
}

// groupColumn is the option of groups of rows of verbs, and what becomes of them there.
func groupColumn(verbs, become string) Option {
	return ofTable(verbs, Option{
		Name: "group-column", Rare: true,
		Help: "`COLUMN` of groups of rows that depend on one another, as the samples of a patient: " + become,
	})
}

// forUpdate adds to options of reading rows those of update, which reads NEW as stream train reads its files.
func forUpdate(options []Option) (all []Option) {
	for _, o := range options {
		all = append(all, o)
		if asTrain := o.Name == "format" || o.Name == "max-line" && o.Needs == ""; asTrain || o.Sums == SummedAsRead {
			all = append(all, needing("update", strings.TrimSpace("NEW "+o.Needs), o))
		}
	}
	return all
}

// What --transpose does with a table of rows, and with edges.
const (
	turned      = "a table has a column for each row, as genes × samples"
	turnedEdges = "exchange rows and columns of the edges as they are read: col_id row_id value, or columns × rows"
)

// asRead makes an option about columns one of rows that are read once, too, and of sums of them.
func asRead(o Option) Option {
	o.Verbs, o.Sums, o.Data, o.NotStream = o.Verbs+" stats", SummedAsRead, Rows|Stream, ""
	return o
}

// data are the options of reading rows.
var data = [][]Option{
	forUpdate(group("Data",
		Option{
			Name: "format", Verbs: readers, Names: words("auto svmlight csv tsv parquet npy npz jsonl"), Default: "auto",
			Not: "qrels", Reason: "a run has no rows",
			Data:       Rows | Stream,
			Help:       "format of DATA; auto goes by the name",
			StreamHelp: "format of the files; auto goes by the name", StreamNames: words("auto svmlight csv tsv parquet"),
			NotStream: "it is not read query by query",
		},
		missing, missingOfModel, zeroBased,
		asRead(ofTable(readers, Option{
			Name: "label-column",
			Help: "`COLUMN` of the labels (default: by its name)",
		})),
		ofTable("train cv evaluate compare check convert", Option{
			Name: "positive",
			Help: "`TEXT` of the label, or event, that counts as 1",
		}),
		ofTable("report", Option{Name: "positive", Help: "`TEXT` of the label that counts as 1"}),
		asRead(ofTable(readers, Option{
			Name: "qid-column", Rare: true,
			Help: "`COLUMN` of the queries of a table (default: by its name)",
		})),
		ofTable(readers, Option{
			Name: "id-column", Rare: true,
			Help: "`COLUMN` of the names of the rows of a table (default: by its name)",
		}),
		groupColumn("train check", "they are left out together"),
		groupColumn("cv", "they are left out together, and areas under ROC curves have intervals over groups"),
		groupColumn("evaluate compare report", "areas under ROC curves have intervals over groups"),
		ofTable("train cv check", Option{
			Name: "fold-column", Rare: true,
			Help: "`COLUMN` of the folds of kfold",
		}),
		Option{
			Name: "time", Verbs: timed, Data: Rows, Needs: "event",
			Not:    "qrels comparisons label-column no-label binarize resamples seed zeros",
			Reason: "the times are what scores are measured by",
			Help:   "`COLUMN` of times until an event or its censoring, in the place of labels",
		},
		timeLearnt, eventColumn,
		Option{
			Name: "censored", Verbs: "evaluate compare", Rare: true, Data: Rows, Names: words("none negative"),
			Default: "none", Not: "qrels comparisons time binarize resamples seed zeros",
			Reason: "the times are what scores are measured by",
			Help:   "negative: labels of SVMlight text are times, -t one that is censored at t",
		},
		weightColumn,
		Option{
			Name: "censored", Verbs: "train cv stats", Sums: Summed, Rare: true, Data: Rows | Stream,
			Names: words("none negative"), Field: "Times",
			Default: "none", Not: "time preferences comparisons labels binarize", Reason: "the times are what is learnt from",
			Help: "negative: labels of SVMlight text are times, -t one that is censored at t",
		},
		asRead(ofTable(readers, Option{
			Name: "ignore-columns",
			Help: "`LIST` of columns to leave out: 1,notes,a:z,x_*",
		})),
		asRead(ofTable(readers, Option{
			Name: "feature-columns", Rare: true,
			Help: "`LIST` of the columns that are features, as for --ignore-columns; others are left out",
		})),
		ofTable(readers, Option{
			Name: "factor-columns", Rare: true,
			Help: "`LIST` of columns of texts; each text becomes a feature, 1 where a row has it, else 0",
		}),
		ofTable(readers, Option{
			Name: "missing-in", Rare: true,
			Help: "`LIST` of what missing values become in single columns: age=mean,dose=zero",
		}),
		asRead(ofTable(readers, Option{
			Name: "decimal", Rare: true, Names: words("auto point comma"), Default: "auto",
			Help: "the decimal mark of numbers in CSV and TSV; with comma, points separate thousands",
		})),
		Option{
			Name: "transpose", Verbs: "train cv check predict relation.evaluate", Rare: true, Data: Rows | Edges,
			NotStream: "of a table only labels, queries and features are read so; pairrank convert makes numbers of texts",
			Help:      turned, EdgeHelp: turnedEdges,
		},
		Option{
			Name: "transpose", Verbs: "evaluate compare report explain convert", Rare: true, Data: Rows,
			Not: "qrels", Reason: "a run has no rows", Help: turned,
		},
		Option{
			Name: "no-label", Verbs: "predict explain convert", Data: Rows,
			Not: "label-column", Reason: "there is no column of labels",
			Help: "the table has no column of labels",
		},
		extraFeatures,
		needing("evaluate compare", "model", extraFeatures),
		needing("rank", "rows|cols", extraFeatures),
		Option{
			Name: "extra-features", Verbs: "update", Names: words("auto error ignore"), Default: "auto", Needs: "NEW",
			Help: "how to treat features that MODEL never saw; auto: those of SVMlight text make it wider, columns are errors",
		},
		Option{
			Name: "kernel-matrix", Verbs: "train cv", Rare: true, Learners: "rankrls rls ranksvm", Data: Rows,
			Not: "missing normalize names", Reason: "a precomputed kernel has no features", NotDash: dataIsStdin,
			Help:      "`FILE` of the kernel matrix of the rows, .npy or TSV; DATA then gives the labels and queries",
			NotStream: "a kernel matrix is of all rows, and one query at a time is read",
		},
		Option{
			Name: "kernel-matrix", Verbs: "predict explain", Rare: true, Data: Rows,
			Not: "missing extra-features", Reason: "a precomputed kernel has no features", NotDash: dataIsStdin,
			Help: "`FILE` of the kernel matrix of new × training rows, for a model of a precomputed kernel",
		},
		Option{
			Name: "labels", Verbs: "train cv", Rare: true, Learners: "rankrls rls", Data: Rows, Field: "Labels Outputs",
			Not: "preferences", Reason: "both say what is compared", NotDash: dataIsStdin,
			Help: "`FILE` of the labels of several outputs, m × v, .npy or TSV, instead of the labels of DATA; each " +
				"output has its own λ",
			NotStream: "the labels are of numbered rows, and queries are read",
		},
		Option{
			Name: "preferences", Verbs: "train cv", Rare: true, Learners: "rankrls ranksvm", Data: Rows,
			Not: "counter with-ids importance pairs-sample", Reason: "preferences replace the labels",
			NotDash:   dataIsStdin,
			Help:      "TSV `FILE` of preferences i j [magnitude [weight]] instead of the labels; magnitude 0 is a tie",
			NotStream: "preferences are between numbered rows, and queries are read",
		},
		Option{
			Name: "binarize", Verbs: "train cv stats", Sums: Summed,
			Rare: true, EdgeLearners: "rankrls two-step", Field: "Threshold",
			Not: "preferences", Reason: "preferences replace the labels",
			Help: "labels of at least `F` become 1, others 0",
		},
		Option{
			Name: "normalize", Verbs: "train cv stats", Sums: Summed, Names: words("none zscore minmax query-minmax"),
			Default:     "none",
			StreamNames: words("none query-minmax"), Data: Rows | Stream, Field: "Normalize",
			Help:      "normalisation of the features, kept in the model",
			NotStream: "it needs all rows before the first is summed",
		},
		Option{
			Name: "names", Verbs: "train stats", Sums: Summed, Rare: true, Data: Rows | Stream, Field: "Names",
			NotDash: dataIsStdin,
			Help:    "`FILE` with the feature names, one a line",
		},
		maxLine,
		needing("rank", "rows|cols|edges", maxLine),
		Option{
			Name: "from", Verbs: "import", Names: words("svmrank liblinear ranklib"),
			Required: true,
			Help:     "the tool that wrote the model file",
		},
		Option{
			Name: "forget", Verbs: "update", Needs: "NEW", Reason: "its files have the rows to forget",
			Help: "take the queries of NEW away",
		},
		Option{
			Name: "forget-qid", Verbs: "update",
			Help: "take the query `ID` away, whose sums MODEL keeps; may be repeated",
		},
	)),
	group("Data", Option{
		Name: "format", Verbs: "stats", Sums: SummedAsRead, Names: words("auto svmlight csv tsv"), Default: "auto",
		Help: "format of the files; auto goes by the name",
	}),
}
