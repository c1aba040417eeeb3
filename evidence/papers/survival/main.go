// Command survival measures Harrell's c-index of rankings learnt from censored times within ten fixed folds, row i,
// from 1, in fold (i−1) mod 10, beside Cox models of R on the same folds, which cox.R has written to cox.tsv. It runs
// pairrank as its users do: for each fold train, which chooses λ by ten folds of the training rows, and evaluate.
//
//	go -C evidence/papers run ./survival -o .
//
// The program looks for the folder survival of the data sets in $PAIRRANK_DATA, or ../shared/data. With -program it
// runs one that is built already.
//
// The files:
//
//   - main.go: the data sets, the learners, and the table
//   - folds.go: files of the folds, runs of the program, and the c-index over folds with its jackknife
//   - cox.R, cox.tsv: the Cox models, and their comparable and right pairs of each fold
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pairrank/evidence/papers/experiment"
)

// settings are what the flags say.
type settings struct {
	dir, program, keep, only string
	measure                  bool
}

func main() {
	var s settings
	experiment.DataFlag(&s.dir, "the folder survival")
	flag.StringVar(&s.program, "program", "", "`PATH` of the program pairrank (default: it is built)")
	flag.StringVar(&s.keep, "keep", "",
		"`FILE` of counts, as in cox.tsv: those that it has are not measured again, others are added")
	flag.StringVar(&s.only, "sets", "", "data sets, separated by commas (default all)")
	flag.BoolVar(&s.measure, "measure", true, "with false only the counts of -keep are shown")
	sections := []experiment.Section[settings]{{Name: "survival", Make: experiment.Paragraphs(tables)}}
	out := experiment.OutputFlags("survival", experiment.Names(sections))
	experiment.Main("survival", func(ctx context.Context) error { return experiment.Report(ctx, out, sections, s) })
}

// set is a data set: its columns of times and events, those that are left out, texts that become numbers in their
// order, and the number of features as zscore sees them.
type set struct {
	name, file, time, event string
	factors, ignored        string
	ordered                 map[string][]string // of a column its texts, from 1
	features                int
	more                    []string // flags of kernels
}

var sets = []set{
	{name: "gbsg2", file: "gbsg2.csv", time: "time", event: "cens", factors: "horTh,menostat",
		ordered: map[string][]string{"tgrade": {"I", "II", "III"}}, features: 10},
	{name: "veteran", file: "veteran.csv", time: "Survival_in_days", event: "Status",
		factors: "Treatment,Celltype,Prior_therapy", features: 11},
	{name: "gse7390_metastasis", file: "gse7390_metastasis.csv.gz", time: "t.tdm", event: "e.tdm", factors: "er",
		ordered:  map[string][]string{"grade": {"well differentiated", "intermediate", "poorly differentiated"}},
		features: 81},
	{name: "flchain", file: "flchain.csv.gz", time: "futime", event: "death", factors: "sex,mgus", ignored: "chapter",
		features: 10, more: []string{"--basis", "200"}},
}

// model is a row of the table: of cox.tsv where it has no flags.
type model struct {
	name  string
	flags []string
}

func models(of set) []model {
	all := []model{{name: "cox"}, {name: "ridge"}}
	gaussian := fmt.Sprintf("--normalize zscore --kernel gaussian:gamma=%g", 1/float64(of.features))
	for _, kernel := range []struct{ name, flags string }{
		{"linear", "--normalize zscore"}, {"Gaussian", gaussian}, {"clinical", "--kernel clinical"},
	} {
		for _, l := range []struct{ name, flags string }{
			{"RankRLS, unit", "--cost unit"}, {"RankRLS, magnitude", "--cost magnitude"},
			{"RankRLS, unit, weighted", "--cost unit --censoring-weights"}, {"RankSVM", "--learner ranksvm"},
		} {
			flags := strings.Fields(kernel.flags + " " + l.flags)
			if kernel.name != "linear" {
				flags = append(flags, of.more...)
			}
			all = append(all, model{l.name + ", " + kernel.name, flags})
		}
	}
	return all
}

// titles are the names of the models of R in the table.
var titles = map[string]string{"cox": "Cox, coxph", "ridge": "ridge Cox, glmnet"}

// build builds the program in a folder, unless it is given or nothing is measured.
func (s *settings) build(ctx context.Context, folder string) error {
	if s.program != "" || !s.measure {
		return nil
	}
	s.program = filepath.Join(folder, "pairrank")
	return experiment.BuildProgram(ctx, s.program)
}

func tables(ctx context.Context, s settings) (string, error) {
	folder, err := os.MkdirTemp("", "survival")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(folder)
	if err := s.build(ctx, folder); err != nil {
		return "", err
	}
	r, err := readCounts("cox.tsv", coxTSV)
	if err != nil {
		return "", err
	}
	kept, err := s.kept()
	if err != nil {
		return "", err
	}
	chosen, err := experiment.Sections(s.only, names())
	if err != nil {
		return "", err
	}
	values, differences := map[string][]string{}, map[string][]string{}
	for _, of := range sets {
		if !slices.Contains(chosen, of.name) {
			continue
		}
		files, err := of.write(filepath.Join(s.dir, "survival"), folder)
		if err != nil {
			return "", err
		}
		ridge := r[of.name+" ridge"]
		for _, m := range models(of) {
			c := cmp.Or(r[of.name+" "+m.name], kept[of.name+" "+m.name])
			if c == nil && s.measure {
				if c, err = s.measured(ctx, of, m, files, ridge); err != nil {
					return "", fmt.Errorf("%s, %s: %w", of.name, m.name, err)
				}
			}
			if c == nil {
				values[m.name], differences[m.name] = append(values[m.name], ""), append(differences[m.name], "")
				continue
			}
			values[m.name] = append(values[m.name], c.interval())
			differences[m.name] = append(differences[m.name], c.less(ridge))
			fmt.Fprintf(os.Stderr, "survival: %s, %s: %s\n", of.name, m.name, c.interval())
		}
	}
	return written(chosen, values, differences), nil
}

// written are the tables of values and of differences, by model, of the chosen sets.
func written(chosen []string, values, differences map[string][]string) string {
	var b strings.Builder
	for k, cells := range []map[string][]string{values, differences} {
		what := []string{"c-index", "less ridge Cox"}[k]
		fmt.Fprintf(&b, "| %s | %s |\n|---|%s\n", what, strings.Join(chosen, " | "), strings.Repeat("---|", len(chosen)))
		for _, m := range models(sets[0]) {
			if k == 1 && m.name == "ridge" {
				continue
			}
			name := m.name
			if title, is := titles[name]; is {
				name = title
			}
			fmt.Fprintf(&b, "| %s | %s |\n", name, strings.Join(cells[m.name], " | "))
		}
		if k == 0 {
			b.WriteString("\n")
		}
	}
	return b.String()
}

func names() (all []string) {
	for _, of := range sets {
		all = append(all, of.name)
	}
	return all
}
