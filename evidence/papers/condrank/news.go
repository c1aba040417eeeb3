package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"

	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/format/svmlight"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// themes are the newsgroups of section 6.2 by their numbers in the file, a line for
// each set of similar groups. The paper says so of the two on sports, and names
// the others' hierarchies; the two on vehicles have none of their own.
var themes = [][]int{
	{7, 8},          // rec.autos, rec.motorcycles
	{9, 10},         // rec.sport.baseball, rec.sport.hockey
	{1, 2, 3, 4, 5}, // comp.graphics, .os.ms-windows.misc, .sys.ibm.pc.hardware, .sys.mac.hardware, .windows.x
}

// themeOf is the line of themes a group is in.
func themeOf(group int) int {
	return slices.IndexFunc(themes, func(t []int) bool { return slices.Contains(t, group) })
}

// similarity is the label of an edge: 2 in a group, 1 between similar ones, else 0.
func similarity(a, b int) float64 {
	switch {
	case a == b:
		return 2
	case themeOf(a) == themeOf(b):
		return 1
	}
	return 0
}

// news is messages with the numbers of their groups.
type news struct {
	x     *data.CSR
	group []int
}

func readNews(ctx context.Context, dir string) (*news, error) {
	set, err := svmlight.ReadFile(ctx, filepath.Join(dir, "20newsgroups", "20news_bydate_tfidf.svm.gz"),
		svmlight.Options{Storage: svmlight.StoreCSR})
	if err != nil {
		return nil, err
	}
	x, ok := set.X.(*data.CSR)
	if !ok {
		return nil, fmt.Errorf("the messages are not sparse")
	}
	n := &news{x: x, group: make([]int, len(set.Y))}
	for i, y := range set.Y {
		n.group[i] = int(y)
	}
	return n, nil
}

// frequencies is the messages with the share of each word among their words.
func (n *news) frequencies() *news { return n.scaled(n.unweighted(), linalg.Sum) }

// counts is the messages with how often they have each word: the least frequent
// word of a message is taken to be there once.
func (n *news) counts() *news {
	out := n.scaled(n.unweighted(), slices.Min)
	for k, v := range out.x.Val {
		out.x.Val[k] = math.Round(v)
	}
	return out
}

// unweighted tells what tf-idf values are before scikit-learn multiplies word j by
// ln((1+n)/(1+n_j)) + 1, n_j the messages of n that have it, up to the length of
// the message, by which it then divides. In a message these are whole multiples of
// the smallest for 99.97 % of the entries.
func (n *news) unweighted() func(j int32, v float64) float64 {
	messages := float64(n.x.Rows)
	with := make([]float64, n.x.Cols)
	for _, j := range n.x.Col {
		with[j]++
	}
	return func(j int32, v float64) float64 { return v / (math.Log((1+messages)/(1+with[j])) + 1) }
}

// unit is the messages with features of unit length.
func (n *news) unit() *news {
	return n.scaled(func(_ int32, v float64) float64 { return v }, linalg.Nrm2)
}

// scaled is the messages with every value put through each, and divided by the size
// of its message.
func (n *news) scaled(each func(j int32, v float64) float64, size func(vals []float64) float64) *news {
	x := *n.x
	x.Val = make([]float64, len(n.x.Val))
	for k, v := range n.x.Val {
		x.Val[k] = each(x.Col[k], v)
	}
	for i := range x.Rows {
		if _, vals := x.Row(i); len(vals) > 0 {
			linalg.Scal(1/size(vals), vals)
		}
	}
	return &news{x: &x, group: n.group}
}

// of is the messages of some groups, at most so many, drawn, where most is not 0.
func (n *news) of(groups []int, most int, seed uint64) *news {
	var rows []int
	for i, g := range n.group {
		if slices.Contains(groups, g) {
			rows = append(rows, i)
		}
	}
	random := rand.New(rand.NewPCG(seed, 0x6e657773))
	random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	if most > 0 && most < len(rows) {
		rows = rows[:most]
	}
	return n.rows(rows)
}

func (n *news) rows(rows []int) *news {
	out := &news{x: data.Select(n.x, rows).(*data.CSR), group: make([]int, len(rows))}
	for k, i := range rows {
		out.group[k] = n.group[i]
	}
	return out
}

// labels are those of the edges from messages to others.
func labels(from, to *news) *data.Dense {
	y := data.NewDense(len(from.group), len(to.group), nil)
	for i, a := range from.group {
		row := y.Row(i)
		for j, b := range to.group {
			row[j] = similarity(a, b)
		}
	}
	return y
}

// rankError is the mean of rankErrors and its standard error over the messages.
func rankError(from, to *news, f *data.Dense) (share, error) {
	errors, err := rankErrors(from, to, f)
	return meanOf(errors), err
}

// rankErrors is, by the messages of from, the pairwise error in the order of the
// messages of to; within one set no message ranks itself.
func rankErrors(from, to *news, f *data.Dense) ([]float64, error) {
	errors := make([]float64, f.Rows)
	problems := make([]error, f.Rows)
	means := make([]*pairError, parallel.Workers())
	parallel.For(f.Rows, func(worker, i int) {
		if means[worker] == nil {
			means[worker], problems[i] = newPairError()
		}
		if problems[i] != nil {
			return
		}
		y, s := make([]float64, 0, f.Cols), make([]float64, 0, f.Cols)
		for v, g := range to.group {
			if from != to || v != i {
				y, s = append(y, similarity(from.group[i], g)), append(s, f.Row(i)[v])
			}
		}
		j := means[worker]
		j.mean = metric.Mean{}
		problems[i] = j.add(y, s)
		errors[i] = j.error()
	})
	for _, err := range problems {
		if err != nil {
			return nil, err
		}
	}
	return errors, nil
}
