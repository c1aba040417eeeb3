package main

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"pairrank/cmd/pairrank/internal/advice"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/internal/report"
	"pairrank/internal/rows"
	"pairrank/model"
)

// rankingTargets are where the values of --scores and --model go: the rankings keep the order of the command line over
// both.
func rankingTargets(to *[]report.Ranking) cli.Targets {
	targets := cli.Targets{}
	for _, kind := range []string{"scores", "model"} {
		targets[kind] = cli.Repeated[report.Ranking]{To: to, Kind: "FILE", Read: func(path string) (report.Ranking, error) {
			return report.Ranking{Kind: kind, File: path}, nil
		}}
	}
	return targets
}

// rankingPaths are the files of rankings, once where a ranking is also half and half with another one.
func rankingPaths(list []report.Ranking) []string {
	var paths []string
	for _, r := range list {
		if r.Beside == "" {
			paths = append(paths, r.File)
		}
	}
	return paths
}

// readRankings reads the rows and the scores of each ranking. Rows that models want
// read in different ways are read once for each.
func (a *app) readRankings(path string, f *setFlags, list []report.Ranking) (set *data.Set,
	scores [][]float64, err error) {
	scores = make([][]float64, len(list))
	files := make([]scoreFile, len(list))
	models := make([]*model.Model, len(list))
	for k, r := range list {
		switch {
		case r.Beside != "":
		case r.Kind == "scores":
			files[k], err = a.readScores(r.File)
		default:
			models[k], err = a.modelToJudge(r.File)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if set, err = a.scoreByModels(path, f, models, scores); err != nil {
		return nil, nil, err
	}
	for k, r := range list {
		if r.Kind != "scores" || r.Beside != "" {
			continue
		}
		if scores[k], err = files[k].of(set, path); err != nil {
			return nil, nil, err
		}
	}
	return set, scores, a.mix(list, scores, set)
}

// notFinite refuses score k.
func (f scoreFile) notFinite(k int) error {
	return cli.AsData(fmt.Errorf("%s:%d: the score is not finite", cli.Shown(f.path), k+1))
}

// of are the scores of the rows of a set from path. Absent rows may have a score in the file, too. Where both name
// their rows the names are alike.
func (f scoreFile) of(set *data.Set, path string) ([]float64, error) {
	if k := slices.IndexFunc(f.scores, math.IsNaN); k >= 0 && set.Absent == nil {
		return nil, f.notFinite(k)
	}
	m, own, at := len(set.Y), docIDs(set), set.Number
	if len(f.scores) == m {
		at = func(i int) int { return i }
	} else if err := checkScores(f.scores, f.path, m+len(set.Absent), path); err != nil {
		return nil, err
	}
	scores := make([]float64, m)
	for i := range scores {
		k, other := at(i), error(nil)
		if scores[i] = f.scores[k]; math.IsNaN(scores[i]) {
			return nil, f.notFinite(k)
		}
		if f.names != nil && own != nil && f.names[k] != own[i] {
			other = fmt.Errorf("%s has a score of %q where %s has %s", cli.Shown(f.path), f.names[k], cli.Shown(path),
				set.Called(i))
		} else if f.queries != nil && set.HasQID {
			if query := set.Queries.ID(int(set.Queries.Of()[i])); f.queries[k] != query {
				other = fmt.Errorf("%s has a score of query %q where %s has %s of query %q", cli.Shown(f.path), f.queries[k],
					cli.Shown(path), set.Called(i), query)
			}
		}
		if other != nil {
			return nil, cli.WithHint(cli.AsData(other), "scores are in the order of the rows")
		}
	}
	return scores, nil
}

// scoreByModels reads the rows, and sets the scores of the rankings that have a model.
func (a *app) scoreByModels(path string, f *setFlags, models []*model.Model, scores [][]float64) (set *data.Set,
	err error) {
	var read readOptions // by which set was
	for k, m := range models {
		if m == nil {
			continue
		}
		if o := judgedRows(m); set == nil || !reflect.DeepEqual(o, read) {
			if set != nil && path == "-" {
				return nil, cli.WithHint(cli.Usagef("the models want the rows read in different ways, and standard "+
					"input can be read only once"),
					"give DATA as a file, or score it with predict and name the --scores")
			}
			if set, err = a.readSet(path, f, o); err != nil {
				return nil, err
			}
			read = o
		}
		a.tellNames(path, m.Names, m.Info.Schema())
		if scores[k], err = a.score(m, set, f.extra); err != nil {
			return nil, err
		}
	}
	if set == nil {
		return a.readSet(path, f.labelsOnly(path), judgedRows(nil))
	}
	return set, nil
}

// tellNames tells of features of DATA whose names may mean something else, where no training does.
func (a *app) tellNames(path string, names []string, of *data.Schema) {
	for _, n := range rows.NamesNotes(names, of) {
		n.Text = cli.Shown(path) + ": " + n.Text
		advice.Tell(a.App, n)
	}
}

// checkScores refuses scores that are not as many as the rows.
func checkScores(scores []float64, from string, rows int, path string) error {
	if len(scores) == rows {
		return nil
	}
	return cli.WithHint(cli.AsData(fmt.Errorf("%s has %d scores and %s has %d rows", cli.Shown(from), len(scores),
		cli.Shown(path), rows)), "scores are one a line, in the order of the rows")
}

// inputsOf is what metrics are computed of: the labels of a set, and the scores of each
// ranking.
func inputsOf(set *data.Set, scores [][]float64) []metric.Input {
	inputs := make([]metric.Input, len(scores))
	for k := range scores {
		inputs[k] = metric.Input{Labels: set.Y, Scores: scores[k], Weights: set.Weights, DocIDs: docIDs(set),
			Censored: set.Censored}
		if set.HasQID {
			inputs[k].Queries = set.Queries
		}
	}
	return inputs
}

// modelToJudge reads a model of rows with one output, whose ranking is measured.
func (a *app) modelToJudge(path string) (*model.Model, error) {
	saved, err := a.readModel(path)
	if err != nil {
		return nil, err
	}
	return judgedModel(saved, path)
}

// judgedModel is a model whose ranking can be measured.
func judgedModel(saved savedModel, path string) (*model.Model, error) {
	if err := checkRowsModel(saved, path); err != nil {
		return nil, cli.WithHint(err, "or score it with predict, then evaluate --scores")
	}
	m := saved.rows
	if m.Outputs() != 1 {
		return nil, cli.WithHint(cli.Usagef("%s has %d outputs, a ranking has one", path, m.Outputs()),
			"score it with predict and evaluate one column")
	}
	return m, nil
}

// judgedRows is how the rows of a ranking are read for a model, nil when there
// is none.
func judgedRows(m *model.Model) readOptions {
	o := readOptions{}
	if m != nil {
		o = readOptionsFor(m)
	}
	o.Comments = true
	return o
}

// hasModel reports whether a model makes one of the rankings.
func hasModel(rankings []report.Ranking) bool {
	return slices.ContainsFunc(rankings, func(r report.Ranking) bool { return r.Kind == "model" })
}
