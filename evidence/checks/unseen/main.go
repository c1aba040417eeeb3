// Command unseen draws the two figures of README.md from runs of the program:
//
//   - without.svg: the held-out score of each row of examples/letor/train.txt against that of a model that was trained
//     without the row's query
//   - unseen.svg: the 95 % intervals of cv in simulated studies of 60 queries, and the errors of the trained models on
//     1,000 other queries
//
// Run it from the root of the repository:
//
//	go -C evidence/checks run ./unseen -o ../../docs
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"pairrank/internal/figure"
)

const (
	lambda  = "512" // the one that cv chooses for the example
	studies = 40
	train   = 60   // queries of a study
	test    = 1000 // others
	rows    = 12   // of a query
)

func main() {
	out := flag.String("o", ".", "folder of the figures")
	flag.Parse()
	if err := run(context.Background(), *out); err != nil {
		fmt.Fprintln(os.Stderr, "unseen:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out string) error {
	dir, err := os.MkdirTemp("", "unseen")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p := &program{ctx, dir}
	build := exec.CommandContext(ctx, "go", "build", "-C", "../..", "-o", filepath.Join(dir, "pairrank"), "./cmd/pairrank")
	if text, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, text)
	}
	for name, draw := range map[string]func() (*figure.Drawing, error){"without": p.without, "unseen": p.unseen} {
		d, err := draw()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, name+".svg"), []byte(d.SVG()), 0o666); err != nil {
			return err
		}
		fmt.Println(d.Title)
	}
	return nil
}

// program runs pairrank in a folder that holds it.
type program struct {
	ctx context.Context
	dir string
}

func (p *program) run(args ...string) ([]byte, error) {
	cmd := exec.CommandContext(p.ctx, "./pairrank", args...)
	cmd.Dir = p.dir
	var said bytes.Buffer
	cmd.Stderr = &said
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("pairrank %s: %w: %s", strings.Join(args, " "), err, said.String())
	}
	return text, nil
}

// put writes lines into a file of the folder.
func (p *program) put(name string, lines []string) error {
	return os.WriteFile(filepath.Join(p.dir, name), []byte(strings.Join(lines, "")), 0o666)
}

// numbers are those of a text, one a line.
func numbers(text []byte) (all []float64, err error) {
	for _, field := range strings.Fields(string(text)) {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

// queryOf is the second field of a row.
func queryOf(line string) string { return strings.Fields(line)[1] }

// without trains once without each query of the example, and compares scores.
func (p *program) without() (*figure.Drawing, error) {
	text, err := os.ReadFile("../../examples/letor/train.txt")
	if err != nil {
		return nil, err
	}
	lines := strings.SplitAfter(strings.TrimSpace(string(text))+"\n", "\n")
	lines = lines[:len(lines)-1]
	if err := p.put("all.txt", lines); err != nil {
		return nil, err
	}
	if _, err := p.run("cv", "all.txt", "--lambda", lambda, "--held-out", "held.txt"); err != nil {
		return nil, err
	}
	text, err = os.ReadFile(filepath.Join(p.dir, "held.txt"))
	if err != nil {
		return nil, err
	}
	held, err := numbers(text)
	if err != nil {
		return nil, err
	}
	retrained := make([]float64, len(lines))
	queries := map[string]bool{}
	for _, line := range lines {
		if of := queryOf(line); !queries[of] {
			queries[of] = true
			if err := p.retrain(lines, of, retrained); err != nil {
				return nil, err
			}
		}
	}
	plot := &figure.Plot{X: figure.Axis{Label: "score by a model that was trained without the query"},
		Y: figure.Axis{Label: "held-out score of cv"}}
	most := 0.0
	for i, v := range held {
		plot.Marks = append(plot.Marks, figure.Mark{X: retrained[i], Y: v})
		most = max(most, math.Abs(v-retrained[i]))
	}
	return &figure.Drawing{
		Title: fmt.Sprintf("%d rows, %d queries, each held out: cv computes the scores of %d models that were trained "+
			"without it; largest difference %.0e", len(lines), len(queries), len(queries), most),
		Desc: "Each point is a row. All lie on one straight line.",
		Body: plot,
	}, nil
}

// retrain sets the scores of the rows of a query, by a model of the others.
func (p *program) retrain(lines []string, of string, scores []float64) error {
	var rest, own []string
	var at []int
	for i, line := range lines {
		if queryOf(line) == of {
			own, at = append(own, line), append(at, i)
		} else {
			rest = append(rest, line)
		}
	}
	if err := p.put("rest.txt", rest); err != nil {
		return err
	}
	if err := p.put("own.txt", own); err != nil {
		return err
	}
	if _, err := p.run("train", "rest.txt", "--lambda", lambda, "-o", "model.txt"); err != nil {
		return err
	}
	text, err := p.run("predict", "model.txt", "own.txt")
	if err != nil {
		return err
	}
	found, err := numbers(text)
	for k, i := range at {
		scores[i] = found[k]
	}
	return err
}

// unseen runs cv and train on studies, and evaluates each model on other queries of the same source.
func (p *program) unseen() (*figure.Drawing, error) {
	plot := &figure.Plot{X: figure.Axis{Label: fmt.Sprintf("simulated studies of %d queries", train), Tick: figure.Plain},
		Y: figure.Axis{Label: "share of pairs in the wrong order"}}
	inside, without := 0, 0
	var others []figure.Mark
	for k := range studies {
		of, e, err := p.study(k + 1)
		if err != nil {
			return nil, err
		}
		x := float64(k + 1)
		others = append(others, figure.Mark{X: x, Y: e, Style: 1, Says: fmt.Sprintf("%.3f on other queries", e)})
		m := figure.Mark{X: x, Y: of.Error}
		if ci := of.CI95; ci == nil {
			without++
		} else {
			m.Lo, m.Hi, m.Says = ci[0], ci[1], fmt.Sprintf("%.3f, %.3f to %.3f", of.Error, ci[0], ci[1])
			if ci[0] <= e && e <= ci[1] {
				inside++
			}
		}
		plot.Marks = append(plot.Marks, m)
	}
	plot.Marks = append(plot.Marks, others...)
	title := fmt.Sprintf("The error and the 95 %% interval of cv (blue), and the error of the model on 1,000 other "+
		"queries (red): %d of %d are inside", inside, studies-without)
	if without > 0 {
		title += fmt.Sprintf("; %d had no interval", without)
	}
	return &figure.Drawing{
		Title: title,
		Desc: fmt.Sprintf("Each bar is the interval that one study of %d queries prints. A red point is the error of its "+
			"model on other queries of the same source.", train),
		Body: plot,
	}, nil
}

// best is the choice of cv.
type best struct {
	Error float64
	CI95  *[2]float64
}

// study is the estimate of cv on the first queries, and the error on the others of the model that they train.
func (p *program) study(seed int) (_ best, e float64, err error) {
	text, err := p.run("synth", "letor", "--rows", strconv.Itoa(rows*(train+test)), "--features", "12", "--queries",
		strconv.Itoa(train+test), "--seed", strconv.Itoa(seed))
	if err != nil {
		return best{}, 0, err
	}
	var first, others []string
	queries := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if queries[queryOf(line)] = true; len(queries) <= train {
			first = append(first, line)
		} else {
			others = append(others, line)
		}
	}
	if err := p.put("first.txt", first); err != nil {
		return best{}, 0, err
	}
	if err := p.put("others.txt", others); err != nil {
		return best{}, 0, err
	}
	var of struct{ Best best }
	if err := p.read(&of, "cv", "first.txt", "--json"); err != nil {
		return best{}, 0, err
	}
	if _, err := p.run("train", "first.txt", "-o", "model.txt"); err != nil {
		return best{}, 0, err
	}
	const metric = "pooled-disagreement"
	var found struct {
		Metrics map[string]struct{ Mean float64 }
	}
	err = p.read(&found, "evaluate", "others.txt", "--model", "model.txt", "-m", metric, "--json")
	return of.Best, found.Metrics[metric].Mean, err
}

// read decodes the document of a verb.
func (p *program) read(into any, args ...string) error {
	text, err := p.run(args...)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}
