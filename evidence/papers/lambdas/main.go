// Command lambdas shows where the chosen λ lies, for the data sets of the other studies: in the default values, which
// span the eigenvalues of each problem, and in the fixed values of the papers, 2^-15 … 2^15, for RankSVM 2^-20 … 2^2.
// It runs the program pairrank, as its users do, and not the study: it shows the default values of λ of the command and
// the command's choice.
//
//	go -C evidence/papers run ./lambdas -o .
//
// The program looks for the data sets in $PAIRRANK_DATA, or ../shared/data.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"pairrank/evidence/papers/experiment"
)

func main() {
	var dir string
	experiment.DataFlag(&dir, "the data sets")
	sections := []experiment.Section[string]{{Name: "lambdas", Make: experiment.Paragraphs(table)}}
	out := experiment.OutputFlags("lambdas", experiment.Names(sections))
	experiment.Main("lambdas", func(ctx context.Context) error { return experiment.Report(ctx, out, sections, dir) })
}

// problem is a data set and a learner.
type problem struct {
	name  string
	args  []string // of cv; @ stands for the folder of the data
	fixed string   // the values of the papers
}

const (
	papers = "2^-15:2^15:31"
	means  = "2^-20:2^2:12" // of RankSVM, whose loss is a mean
)

func problems() []problem {
	var all []problem
	for _, s := range []struct {
		name, file string
		features   int
		binarize   string
	}{
		{"ionosphere", "uci/ionosphere", 34, ""}, {"sonar", "uci/sonar", 60, ""},
		{"parkinsons", "uci/parkinsons", 22, ""},
		{"breastcancer", "uci/breastcancer", 9, ""}, {"pima", "uci/pimaindiansdiabetes2", 8, ""},
		{"housing", "uci/housing", 13, "21.2"},
		{"spam", "uci/spam", 57, ""}, {"colon", "microarray/alon", 2000, ""},
		{"leukaemia", "microarray/golub", 7129, ""},
	} {
		args := []string{"@/" + s.file + ".svm.gz", "--normalize", "zscore", "--method", "lpo"}
		if s.binarize != "" {
			args = append(args, "--binarize", s.binarize)
		}
		all = append(all, problem{s.name + ", linear", args, papers})
		if s.name != "spam" {
			gaussian := append(append([]string{}, args...), "--kernel",
				fmt.Sprintf("gaussian:gamma=%g", 1/float64(s.features)))
			all = append(all, problem{s.name + ", Gaussian, γ = 1/" + strconv.Itoa(s.features), gaussian, papers})
		}
	}
	for part := 1; part <= 5; part++ {
		all = append(all, problem{fmt.Sprintf("OHSUMED S%d, by queries", part),
			[]string{fmt.Sprintf("@/ohsumed_letor2/S%d.txt.gz", part), "--normalize", "query-minmax", "--method",
				"lqo"}, papers})
	}
	for part := 1; part <= 5; part++ {
		file := fmt.Sprintf("@/mq2008_letor4/S%d.txt.gz", part)
		all = append(all, problem{fmt.Sprintf("MQ2008 S%d, by queries", part), []string{file, "--method", "lqo"},
			papers},
			problem{fmt.Sprintf("MQ2008 S%d, RankSVM", part),
				[]string{file, "--learner", "ranksvm", "--method", "kfold:5"}, means})
	}
	for _, s := range []struct{ name, ending, targets string }{{"nr", ".txt", "_simmat_dg.txt.gz"},
		{"gpcr", ".txt.gz", "_simmat_dg.txt.gz"}} {
		for _, setting := range []string{"pairs", "rows", "cols"} {
			all = append(all, problem{"drugs " + s.name + ", " + setting + " left out", []string{
				"--edges", "@/yamanishi/" + s.name + "_admat_dgc" + s.ending, "--rows",
				"@/yamanishi/" + s.name + s.targets, "--cols", "@/yamanishi/" + s.name + "_simmat_dc.txt.gz",
				"--row-kernel", "precomputed", "--col-kernel", "precomputed", "--symmetrize", "--normalize-kernel",
				"--psd-fix", "clip", "--setting", setting, "--method", "loo"}, papers})
		}
	}
	return all
}

// estimate is what is read of cv --json.
type estimate struct {
	Results []point `json:"results"`
	Best    point   `json:"best"`
}

type point struct {
	Lambda float64 `json:"lambda"`
	Error  float64 `json:"error"`
}

func table(ctx context.Context, dir string) (string, error) {
	folder, err := os.MkdirTemp("", "lambdas")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(folder)
	program := filepath.Join(folder, "pairrank")
	if err := experiment.BuildProgram(ctx, program); err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("| problem | fixed values: chosen | error | default values | chosen | error " +
		"|\n|---|---|---|---|---|---|\n")
	ends := [2]int{}
	all := problems()
	for _, p := range all {
		fixed, err := run(ctx, program, dir, p.args, "--lambdas", p.fixed)
		if err != nil {
			return "", fmt.Errorf("%s: %w", p.name, err)
		}
		own, err := run(ctx, program, dir, p.args)
		if err != nil {
			return "", fmt.Errorf("%s: %w", p.name, err)
		}
		for k, e := range []*estimate{fixed, own} {
			if e.atEnd() != "" {
				ends[k]++
			}
		}
		line := fmt.Sprintf("| %s | %s%s | %.4f | %s … %s | %s%s | %.4f |\n", p.name, power(fixed.Best.Lambda),
			fixed.atEnd(), fixed.Best.Error,
			power(own.Results[0].Lambda), power(own.Results[len(own.Results)-1].Lambda), power(own.Best.Lambda),
			own.atEnd(), own.Best.Error)
		fmt.Fprint(os.Stderr, line)
		b.WriteString(line)
	}
	fmt.Fprintf(&b, "\nOf %d problems the fixed values end at the chosen one in %d, the default values in %d.\n",
		len(all), ends[0], ends[1])
	return b.String(), nil
}

// run estimates by the program.
func run(ctx context.Context, program, dir string, args []string, more ...string) (*estimate, error) {
	all := []string{"cv", "--json", "--interval", "none"}
	for _, a := range append(append([]string{}, args...), more...) {
		all = append(all, strings.Replace(a, "@", dir, 1))
	}
	cmd := exec.CommandContext(ctx, program, all...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("pairrank %s: %w", strings.Join(all, " "), err)
	}
	e := &estimate{}
	return e, json.Unmarshal(out, e)
}

// atEnd says that the chosen value is the first or the last.
func (e *estimate) atEnd() string {
	switch e.Best.Lambda {
	case e.Results[0].Lambda:
		return ", the first"
	case e.Results[len(e.Results)-1].Lambda:
		return ", the last"
	}
	return ""
}

// power writes a power of two.
func power(v float64) string {
	return "2^" + strconv.FormatFloat(math.Round(100*math.Log2(v))/100, 'g', -1, 64)
}
