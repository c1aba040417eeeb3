package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/internal/synth"
)

// synthFlags are the flags of synth.
type synthFlags struct {
	rows, features, queries int
	noise                   float64
	games                   int
	weight                  float64
	test                    bool
	edges                   string
	seed                    uint64
	output                  string
}

// synthKinds are the kinds of data.
var synthKinds = []string{"letor", "patients", "cadata", "rcv1", "rps"}

func newSynth(a *app) *cobra.Command {
	var f synthFlags
	return a.Bind(&cobra.Command{
		Use:   "synth KIND [--rows N] [--seed N] [-o FILE]",
		Short: "make data of the shape of public collections",
		Long: `synth makes data of the shape of public collections, the same bytes for the same
flags. The kinds are
  letor     queries of documents with grades 0 to 4 and dense features
  patients  a CSV table of samples, tumor or normal, with 2000 genes
  cadata    one list of house prices, many of them tied, 8 features
  rcv1      sparse documents of unit norm with real labels, 47,000 features
  rps       players of rock-paper-scissors: a table of players (-o), who play move
            k with probability in proportion to exp(W u_k/3), u_k uniform in [0,1],
            and one of games (--edges), where a coin decides a draw; --rows is the
            number of players`,
		Example: `  pairrank synth letor --rows 10000 --features 46 --queries 100 -o train.txt
  pairrank synth patients --rows 60 -o patients.csv
  pairrank synth cadata --rows 20640 --seed 7 | pairrank check -
  pairrank synth rcv1 --rows 5000 -o news.txt.gz
  pairrank synth rps --rows 100 --games 1000 --edges games.tsv -o players.tsv`,
		Args:      exactly("KIND"),
		ValidArgs: synthKinds,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd.Flags(), args[0]); err != nil {
				return err
			}
			return a.synth(args[0], &f)
		},
	}, func() cli.Targets {
		return cli.Targets{
			"rows": &f.rows, "features": &f.features, "queries": &f.queries, "noise": &f.noise, "games": &f.games,
			"weight": &f.weight, "test": &f.test, "edges": &f.edges, "seed": &f.seed, "output": &f.output,
		}
	})
}

// check refuses an unknown kind, and rps without its second file, and sets the number of rows of rps.
func (f *synthFlags) check(flags *pflag.FlagSet, kind string) error {
	switch {
	case !slices.Contains(synthKinds, kind):
		return cli.Unknown("kind", kind, synthKinds, "")
	case kind == "rps" && f.edges == "":
		return cli.WithHint(cli.Usagef("rps makes two tables, and --edges is missing"),
			"--edges games.tsv -o players.tsv")
	case kind == "rps" && !flags.Changed("rows"):
		f.rows = 100
	}
	return nil
}

func (a *app) synth(kind string, f *synthFlags) error {
	if err := a.CheckOutputs([]string{f.output, f.edges}); err != nil {
		return err
	}
	if kind == "rps" {
		return a.synthGame(f)
	}
	var write func(w io.Writer) error
	switch kind {
	case "letor":
		write = synth.LETOR{Rows: f.rows, Features: cmp.Or(f.features, 46), Queries: f.queries, Noise: f.noise,
			Seed: f.seed}.Write
	case "patients":
		write = synth.Patients{Rows: f.rows, Genes: f.features, Seed: f.seed}.Write
	case "cadata":
		write = synth.Houses{Rows: f.rows, Seed: f.seed}.Write
	case "rcv1":
		write = synth.News{Rows: f.rows, Features: f.features, Seed: f.seed}.Write
	}
	meter := a.Begin(fmt.Sprintf("making %d rows", f.rows), 0)
	defer meter.End()
	var sizes error // no trouble of the file: there are no such data
	err := a.Write(f.output, func(w io.Writer) error {
		counted := &cli.ErrorWriter{To: w}
		err := write(counted)
		if counted.Err == nil {
			sizes = err
		}
		return err
	})
	if sizes != nil {
		return cli.AsUsage(sizes)
	}
	return err
}

// synthGame writes the players and the games.
func (a *app) synthGame(f *synthFlags) error {
	game := synth.Game{Players: f.rows, Games: f.games, Weight: f.weight, Seed: f.seed}
	var players *data.Dense
	var edges []synth.Edge
	var err error
	if f.test {
		players, edges, err = game.Test()
	} else {
		players, edges, err = game.Train()
	}
	if err != nil {
		return cli.AsUsage(err)
	}
	if err := a.Write(f.edges, func(w io.Writer) error { return synth.WriteEdges(w, edges) }); err != nil {
		return err
	}
	return a.Write(f.output, func(w io.Writer) error { return synth.WritePlayers(w, players) })
}
