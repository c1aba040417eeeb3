package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"pairrank/data"
	"pairrank/model"
	"pairrank/relation/pairmodel"
)

func newInspect(a *app) *cobra.Command {
	top := 20
	cmd := &cobra.Command{
		Use:   "inspect MODEL [--json]",
		Short: "show what a model holds and how it was trained",
		Long: `inspect shows the facts of the training (objective, λ and how it was chosen,
rows, queries, pairs) and what was learnt: of a linear model the largest weights
with the names of their features, of a kernel model the support rows. The
weights are those of the normalised features when the model has a normaliser.`,
		Example: `  pairrank inspect model.txt
  pairrank inspect model.txt --top 5
  pairrank inspect model.txt --json`,
		Args: exactly("MODEL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if top < 0 {
				return usagef("--top is at least 0, not %d", top)
			}
			if a.JSON && !cmd.Flags().Changed("top") {
				top = 0
			}
			m, err := a.readModel(args[0])
			if err != nil {
				return err
			}
			if m.onKernels() && cmd.Flags().Changed("top") {
				return usagef("--top is for weights, and %s has none: it is a model of a kernel", shown(args[0]))
			}
			report := newInspection(m, top)
			if a.JSON {
				return a.writeJSON(report)
			}
			return a.writeAtomic("-", report.write)
		},
	}
	cmd.Flags().IntVar(&top, "top", top, "show `N` weights; 0 shows all (default 20, with --json all)")
	cmd.Flags().Lookup("top").DefValue = "0"
	a.jsonFlag(cmd)
	return cmd
}

// inspection is what inspect shows.
type inspection struct {
	Learner     string               `json:"learner"`
	Solver      string               `json:"solver,omitempty"`
	Objective   string               `json:"objective,omitempty"`
	Lambda      *float64             `json:"lambda,omitempty"` // where there is one
	Cost        string               `json:"cost,omitempty"`
	Ties        string               `json:"ties,omitempty"`
	QueryWeight string               `json:"query_weight,omitempty"`
	Loss        string               `json:"loss,omitempty"`
	Selection   *inspectionSelection `json:"selection,omitempty"`
	Facts       map[string]string    `json:"facts,omitempty"`
	Rows        int                  `json:"rows"`
	Queries     int                  `json:"queries"`
	Pairs       float64              `json:"pairs"`
	Features    int                  `json:"features"`
	Outputs     int                  `json:"outputs"`
	Kernel      string               `json:"kernel,omitempty"`
	Normalizer  string               `json:"normalizer,omitempty"`
	Support     *inspectionSupport   `json:"support,omitempty"`
	Weights     []inspectionWeight   `json:"weights,omitempty"`
	Stumps      *inspectionStumps    `json:"stumps,omitempty"`
	Pairwise    *inspectionPairwise  `json:"pairwise,omitempty"`

	facts []model.Fact
}

type inspectionSelection struct {
	Method string  `json:"method"`
	Metric string  `json:"metric"`
	Error  float64 `json:"error"`
	Count  int     `json:"count"`
}

type inspectionSupport struct {
	Rows    int    `json:"rows"`
	Storage string `json:"storage"`
}

// inspectionStumps sums the stumps up by feature.
type inspectionStumps struct {
	Rounds   int                 `json:"rounds"`
	Features []inspectionFeature `json:"features"` // by falling weight
}

type inspectionFeature struct {
	Feature int     `json:"feature"`
	Name    string  `json:"name,omitempty"`
	Stumps  int     `json:"stumps"`
	Weight  float64 `json:"weight"` // sum of the magnitudes
}

type inspectionWeight struct {
	Feature int       `json:"feature"`
	Name    string    `json:"name,omitempty"`
	Weights []float64 `json:"weights"` // one an output
}

func newInspection(saved savedModel, top int) *inspection {
	if p := saved.pairs; p != nil {
		r := inspectFacts(p.Info)
		r.Outputs = 1
		if p.Info.Lambda != 0 && p.Kernel != pairmodel.Similarity {
			r.Lambda = &p.Info.Lambda
		}
		r.Pairwise = inspectPairwise(p)
		return r
	}
	m := saved.rows
	r := inspectFacts(m.Info)
	r.Features, r.Outputs, r.Kernel = m.Features(), m.Outputs(), m.KernelSpec()
	if m.Info.Lambda != 0 {
		r.Lambda = &m.Info.Lambda
	}
	if m.Normalizer != nil {
		r.Normalizer = m.Normalizer.Kind
	}
	switch f := m.Scorer.(type) {
	case *model.Stumps:
		r.Lambda, r.Stumps = nil, inspectStumps(m, f, top)
	case *model.Kernel:
		r.Support = inspectSupport(f)
	case *model.Linear:
		r.Weights = largestWeights(f.Weights, m.Names, top)
	}
	return r
}

// onKernels reports whether a model has neither weights nor stumps to show.
func (m savedModel) onKernels() bool {
	if m.pairs != nil {
		return true
	}
	_, expands := m.rows.Scorer.(*model.Kernel)
	return expands
}

func inspectSupport(k *model.Kernel) *inspectionSupport {
	s := &inspectionSupport{k.Coef.Rows, "dense"}
	switch k.Support.(type) {
	case nil:
		s.Storage = "training row numbers"
	case *data.CSR:
		s.Storage = "sparse"
	}
	return s
}

// inspectFacts is what the facts of the training say.
func inspectFacts(f model.Info) *inspection {
	r := &inspection{
		Learner: f.Learner, Solver: f.Solver, Objective: f.Objective, Cost: f.Cost, Ties: f.Ties,
		QueryWeight: f.QueryWeight, Loss: f.Loss, Rows: f.Rows, Queries: f.Queries, Pairs: f.Pairs, facts: f.Facts,
	}
	if s := f.Selection; s != nil {
		r.Selection = &inspectionSelection{s.Method, s.Metric, s.Error, s.Count}
	}
	for _, fact := range f.Facts {
		if r.Facts == nil {
			r.Facts = map[string]string{}
		}
		r.Facts[fact.Name] = fact.Value
	}
	return r
}

// largestWeights are the features by falling magnitude of their weight, that
// of the output where it is largest; equal ones in the order of the features.
// top 0 is all.
func largestWeights(w *data.Dense, names []string, top int) []inspectionWeight {
	order := make([]int, w.Cols)
	size := make([]float64, w.Cols)
	for j := range order {
		order[j] = j
		for o := range w.Rows {
			size[j] = max(size[j], math.Abs(w.Row(o)[j]))
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size[b], size[a]) })
	if top > 0 {
		order = order[:min(top, len(order))]
	}
	list := make([]inspectionWeight, len(order))
	for k, j := range order {
		list[k].Feature = j + 1
		if names != nil {
			list[k].Name = names[j]
		}
		for o := range w.Rows {
			list[k].Weights = append(list[k].Weights, w.Row(o)[j])
		}
	}
	return list
}

// write prints the inspection for people.
func (r *inspection) write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, line := range r.lines() {
		if line[1] != "" {
			fmt.Fprintf(t, "%s\t%s\n", line[0], line[1])
		}
	}
	if r.Support != nil {
		fmt.Fprintf(t, "support\t%s, %s\n", plural(r.Support.Rows, "row"), r.Support.Storage)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if r.Stumps != nil {
		return r.Stumps.write(w)
	}
	if r.Pairwise != nil {
		return r.Pairwise.write(w)
	}
	if len(r.Weights) == 0 {
		return nil
	}
	fmt.Fprintf(w, "\nlargest weights, %d of %d\n", len(r.Weights), r.Features)
	t = tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, weight := range r.Weights {
		fmt.Fprintf(t, "  %d\t", weight.Feature)
		if weight.Name != "" {
			fmt.Fprintf(t, "%s\t", strings.Map(printable, weight.Name))
		}
		for k, v := range weight.Weights {
			if k > 0 {
				fmt.Fprint(t, "\t")
			}
			fmt.Fprintf(t, "% .6g", v)
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// printable keeps a name on its line.
func printable(r rune) rune {
	if strconv.IsPrint(r) {
		return r
	}
	return ' '
}

// lines are the facts with their names, "" where there is none.
func (r *inspection) lines() [][2]string {
	chosen, lambda := "", ""
	if r.Lambda != nil {
		lambda = string(appendNumber(nil, *r.Lambda))
	}
	trained := fmt.Sprintf("%s, %s, %s", plural(r.Rows, "row"), plural(r.Queries, "query"), pairsText(r.Pairs))
	features, outputs := strconv.Itoa(r.Features), strconv.Itoa(r.Outputs)
	if r.Pairwise != nil { // told of each side
		trained = fmt.Sprintf("%s of %s", plural(r.Rows, "edge"), plural(r.Queries, "row node"))
		if r.Pairs > 0 {
			trained += ", " + pairsText(r.Pairs)
		}
		features, outputs = "", ""
	}
	if s := r.Selection; s != nil {
		chosen = fmt.Sprintf("%s %.6g by %s, best of %d", s.Metric, s.Error, s.Method, s.Count)
	}
	lines := [][2]string{
		{"learner", r.Learner},
		{"solver", r.Solver},
		{"objective", r.Objective},
		{"lambda", lambda},
		{"selection", chosen},
		{"cost", r.Cost},
		{"ties", r.Ties},
		{"query weight", r.QueryWeight},
		{"loss", r.Loss},
		{"kernel", r.Kernel},
		{"normalizer", r.Normalizer},
		{"trained on", trained},
		{"features", features},
		{"outputs", outputs},
	}
	for _, f := range r.facts {
		lines = append(lines, [2]string{f.Name, f.Value})
	}
	return lines
}

// pairsText writes a count that may pass what an integer holds.
func pairsText(pairs float64) string {
	if pairs == 1 {
		return "1 pair"
	}
	if pairs < 1e15 {
		return strconv.FormatFloat(pairs, 'f', -1, 64) + " pairs"
	}
	return strconv.FormatFloat(pairs, 'g', 6, 64) + " pairs"
}
