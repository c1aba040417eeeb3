package main

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/internal/option"
)

// newRelation is the verbs of edges between nodes.
func newRelation(a *app) *cobra.Command {
	return family(&cobra.Command{
		Use:   "relation VERB",
		Short: "rank the columns of a relation for its rows",
		Long: `relation learns from labelled edges between row nodes and column nodes, as between
drugs and targets, and ranks the columns for a row, for new nodes too. EDGES has
lines row_id col_id value, or is a matrix. --rows and --cols name files of nodes:
id and features, or similarities (docs/relational.md).`,
		Example: `  pairrank relation check edges.tsv --rows drugs.tsv --cols targets.tsv
  pairrank relation train edges.tsv --rows drugs.tsv --cols targets.tsv -o model.txt
  pairrank relation cv edges.tsv --rows drugs.tsv --cols targets.tsv --setting cols
  pairrank relation rank model.txt --given D00040 --top 20`,
	}, newRelationTrain(a), newRelationCV(a), newRelationPredict(a), newRank(a), newRelationExplain(a),
		newRelationEvaluate(a), newRelationCheck(a))
}

// family is a verb that only has verbs below it.
func family(cmd *cobra.Command, verbs ...*cobra.Command) *cobra.Command {
	cmd.Args = noVerb
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	cmd.AddCommand(verbs...)
	return cmd
}

// refuseOthers refuses flags of a verb that are for other kinds of data.
func refuseOthers(flags *pflag.FlagSet, verb string, kind option.Kind) error {
	return cli.AsUsage(option.Check(verb, option.Use{Data: kind, Given: cli.Given(flags)}))
}

// edgesFile says that a verb takes EDGES, which is not standard input.
func edgesFile(cmd *cobra.Command, args []string) error {
	if len(args) == 1 && args[0] == "-" {
		return errors.New("EDGES cannot be -: edges and nodes are read from files")
	}
	return exactly("EDGES")(cmd, args)
}

func newRelationTrain(a *app) *cobra.Command {
	f := trainFlags{}
	return a.Bind(&cobra.Command{
		Use:   "train EDGES --rows FILE -o MODEL",
		Short: "train a ranker of pairs of nodes",
		Long: `train learns to rank the columns for a row from values of edges between nodes. It
minimises the squared error of differences within each row (--loss ranking), or of
each edge (--loss regression), plus λ|f|². The exact error on edges left out chooses
among 31 values of λ. --setting says what is new when you predict: the edge, its row,
its column, or both.

Kernels are between nodes; the pairwise kernel follows from --relation. Complete
graphs of edges are solved in closed form, others by conjugate gradients.
--learner two-step regresses over the rows and then over the columns;
--learner similarity learns nothing and ranks by similarity.`,
		Example: `  pairrank relation train edges.tsv --rows drugs.tsv --cols targets.tsv -o model.txt
  pairrank relation train edges.tsv --rows drugs.tsv --cols targets.tsv \
      --row-kernel gaussian:gamma=0.1 --setting cols -o model.txt
  pairrank relation train edges.tsv --rows nodes.tsv --relation symmetric -o model.txt
  pairrank relation train edges.tsv --rows similar.tsv --row-kernel precomputed --lambda 1 -o model.txt`,
		Args: edgesFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.relation.edges = args[0]
			if err := f.begin(cmd, args); err != nil {
				return err
			}
			return a.trainEdges(&f)
		},
	}, func() cli.Targets { return f.targets("train") })
}

func newRelationCV(a *app) *cobra.Command {
	f := cvFlags{}
	return a.Bind(&cobra.Command{
		Use:   "cv EDGES --rows FILE [--method M]",
		Short: "estimate the error on pairs that were not seen",
		Long: `cv estimates how well unseen edges are ranked, for every λ at once. lpo compares two
edges of a row by one training that leaves out both edges, the row, both columns, or
the row and both columns, by --setting. It is exact for arbitrary relations in closed
form and for two-step. kfold:K compares edges of one fold. Five folds at the best λ
give AUC and average precision by row, column and fold.

The interval splits the nodes into halves. With --setting pairs it is for relations
with other nodes, so it is wider than these nodes need.`,
		Example: `  pairrank relation cv edges.tsv --rows drugs.tsv --cols targets.tsv
  pairrank relation cv edges.tsv --rows drugs.tsv --cols targets.tsv --setting cols --json
  pairrank relation cv edges.tsv --rows drugs.tsv --cols targets.tsv --nested --permutations 100`,
		Args: edgesFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.relation.edges = args[0]
			if err := f.begin(cmd, args); err != nil {
				return err
			}
			return a.crossValidateEdges(&f)
		},
	}, f.targets)
}

func newRelationPredict(a *app) *cobra.Command {
	var f predictFlags
	return a.Bind(&cobra.Command{
		Use:   "predict MODEL --rows FILE [--cols FILE] [--edges FILE] [-o FILE]",
		Short: "score pairs of nodes with a model",
		Long: `predict scores every row node with every column node, or the pairs of --edges:
lines of row, column and score. Higher is better. Nodes that were not in training
need files; a model that keeps its nodes knows the others.`,
		Example: `  pairrank relation predict model.txt --rows drugs.tsv --cols targets.tsv -o pairs.tsv
  pairrank relation predict model.txt --rows new.tsv --cols targets.tsv --edges some.tsv --header`,
		Args: exactly("MODEL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.flags = cmd.Flags()
			return a.predict(args[0], "", &f)
		},
	}, f.targets)
}

func newRelationExplain(a *app) *cobra.Command {
	var f explainFlags
	return a.Bind(&cobra.Command{
		Use:   "explain MODEL --given ID [--of A,B]",
		Short: "why a column stands above another",
		Long: `explain decomposes the score of a pair of nodes, or the difference of two pairs of
a row, into additive parts. The part of a training edge is its coefficient times the
difference of the pairwise kernel. --by row or column adds up the parts of a training
node.

The two best columns for the row --given are compared, or those that --of names by
their ids.`,
		Example: `  pairrank relation explain model.txt --given D00040 --rows drugs.tsv --cols targets.tsv --of T1,T2
  pairrank relation explain model.txt --given D00040 --by column --top 5`,
		Args: exactly("MODEL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.flags = cmd.Flags()
			return a.explain(args[0], "", &f)
		},
	}, f.targets)
}

func newRelationCheck(a *app) *cobra.Command {
	var f edgeFlags
	return a.Bind(&cobra.Command{
		Use:   "check EDGES --rows FILE [--cols FILE] [--json]",
		Short: "list every fault of edges and nodes",
		Long: `check lists ids of edges that no node has, and repeated or missing edges. For
similarity matrices it prints how far they are from symmetric, and their smallest
eigenvalue. The exit code is 3 if there are errors.`,
		Example: `  pairrank relation check edges.tsv --rows drugs.tsv --cols targets.tsv
  pairrank relation check edges.tsv --rows similar.tsv --row-kernel precomputed --json`,
		Args: edgesFile,
		RunE: func(_ *cobra.Command, args []string) error {
			f.edges = args[0]
			return a.checkEdges(&f)
		},
	}, f.targets)
}

// newStream is the verbs of rows that are read once, query by query.
func newStream(a *app) *cobra.Command {
	return family(&cobra.Command{
		Use:   "stream VERB",
		Short: "train from files larger than memory",
		Long: `stream trains from sums over queries, exactly: the model is that of all rows in
memory. train reads any number of files once. stats sums files on several
machines, and merge adds the sums and trains. update adds queries to a model, or
forgets them (docs/streaming.md, docs/distributed.md, docs/updating.md).`,
		Example: `  pairrank stream train part-*.txt.gz -o model.txt
  pairrank stream stats part-*.txt.gz -o units --index 0 --count 8
  pairrank stream merge units -o model.txt --keep-moments
  pairrank stream update model.txt today.txt -o model.txt`,
	}, newStreamTrain(a), newStats(a), newMerge(a), newUpdate(a))
}

func newStreamTrain(a *app) *cobra.Command {
	f := trainFlags{}
	return a.Bind(&cobra.Command{
		Use:   "train FILE… -o MODEL",
		Short: "train from any number of files, read once",
		Long: `train reads files of LETOR text or tables once, on all cores, in memory that does not
grow with them: 8 n² bytes a fold for n features. The rows of a query must follow each
other in one file. The learners are rankrls and rls; the kernel is linear, a spline, or
any by --random-features or --basis-data. The exact relative squared error over ten
folds of queries, from the same pass, chooses λ. --spline reads the files before, to
find knots; --knots-of has them from a model.

--keep-moments writes the sums beside the model, for update.`,
		Example: `  pairrank stream train part-*.txt.gz -o model.txt --normalize query-minmax
  pairrank stream train part-*.txt.gz -o model.txt --kernel gaussian:gamma=0.25 --random-features 500
  pairrank stream train part-*.txt.gz -o curves.txt --spline 4
  pairrank stream train part-*.txt.gz -o model.txt --keep-moments`,
		Args: atLeast(1, "FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.begin(cmd, args); err != nil {
				return err
			}
			return a.trainStream(args, &f)
		},
	}, func() cli.Targets { return f.targets("train") })
}
