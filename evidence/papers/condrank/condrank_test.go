package main

import (
	"bytes"
	"compress/gzip"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/evidence/papers/experiment"
	"pairrank/internal/kron"
	"pairrank/kernel"
	"pairrank/relation/edge"
)

// TestContest compares the error of the true relation, which is bilinear in the
// strategies, with 0, and that of its negative with 1.
func TestContest(t *testing.T) {
	r, err := newContest(10, 1)
	if err != nil {
		t.Fatal(err)
	}
	w := []float64{0, -1, 1, 1, 0, -1, -1, 1, 0} // rock, paper, scissors: what beats what
	for sign, want := range map[float64]float64{1: 0, -1: 1} {
		signed := make([]float64, len(w))
		for k := range w {
			signed[k] = sign * w[k]
		}
		if got, err := r.error(signed); err != nil || math.Abs(got-want) > 1e-6 {
			t.Errorf("the error of %g times the relation is %g, %v; not %g", sign, got, err, want)
		}
	}
}

// TestProductFeatures compares products with weights of both kinds.
func TestProductFeatures(t *testing.T) {
	r, err := newContest(1, 2)
	if err != nil {
		t.Fatal(err)
	}
	w := []float64{3, -1, 2, 5, 0, 4, -2, 7, 1}
	for _, reciprocal := range []bool{false, true} {
		v := w
		if reciprocal {
			v = antisymmetric(w)
		}
		x := r.productFeatures(reciprocal)
		got := make([]float64, len(r.y))
		x.MulVecTo(got, w)
		for e := range got {
			want := 0.0
			for k, c := range v {
				want += c * r.train.Row(int(r.edges.Row[e]))[k/3] * r.train.Row(int(r.edges.Col[e]))[k%3]
			}
			if math.Abs(got[e]-want) > 1e-12 {
				t.Fatalf("reciprocal %v, edge %d: %g, not %g", reciprocal, e, got[e], want)
			}
		}
	}
}

// TestTableOne compares the errors of regression and ranking with those that the
// paper reports for the same game.
func TestTableOne(t *testing.T) {
	const repeats, most = 60, 4 // standard errors of the difference
	for w, paper := range tableOne {
		for k, learner := range gameLearners {
			if learner.svm {
				continue
			}
			var errors []float64
			for n := range repeats {
				r, err := newGames(w, drawn, uint64(n))
				if err != nil {
					t.Fatal(err)
				}
				fit, err := kron.SolveLinear(t.Context(),
					kron.LinearSystem{Relation: learner.relation, Rows: r.train, Cols: r.train, Edges: r.edges, Y: r.y},
					tiny, kron.SolveOptions{Loss: learner.loss, Tolerance: 1e-10, MaxIterations: 1000})
				if err != nil {
					t.Fatal(err)
				}
				e, err := r.error(fit.Coef)
				if err != nil {
					t.Fatal(err)
				}
				errors = append(errors, e)
			}
			if d, _ := apart(paper[k], errors); !(math.Abs(d) < most) {
				t.Errorf("w%g, %s: %v, the paper %g, %+.1f standard errors",
					w, learner.name, meanOf(errors), paper[k], d)
			}
		}
	}
}

// TestGames has every learner in the tables, in the figure and in the findings.
func TestGames(t *testing.T) {
	found, err := games(t.Context(), settings{weights: "100", repeats: 2, seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	text, figure := found.Markdown(), found.Blocks[len(found.Blocks)-1].Figure
	if figure == nil {
		t.Fatal("there is no figure")
	}
	for _, learner := range gameLearners {
		if !strings.Contains(text, "\n| w100, "+learner.name+" |") {
			t.Errorf("%s has no errors by λ", learner.name)
		}
		if name := ">" + strings.TrimSuffix(learner.name, " (r)") + "</text>"; strings.Count(figure.SVG, name) != 2 {
			t.Errorf("the figure has no two lines %s", name)
		}
	}
	if !strings.Contains(text, "\n| w100 | c.reg | 0.00") || !strings.Contains(text, "| 0.001380 |") {
		t.Errorf("table 1:\n%s", text)
	}
	if n := len(found.Findings); n != len(gameLearners) {
		t.Errorf("%d findings", n)
	}
}

// TestApart is 0 for the mean itself, and counts the error of both means.
func TestApart(t *testing.T) {
	v := make([]float64, paperRepeats)
	for k := range v {
		v[k] = float64(k%2*2 - 1)
	}
	if d, _ := apart(0, v); d != 0 {
		t.Errorf("the mean itself is %g apart", d)
	}
	const rounding = 1e-12
	d, unit := apart(0.2, v)
	_, deviation := experiment.Moments(v)
	if want := 0.2 / deviation * math.Sqrt(paperRepeats/2); math.Abs(d-want) > rounding ||
		math.Abs(d*unit-0.2) > rounding {
		t.Errorf("%g apart, not %g", d, want)
	}
	if got := meanOf([]float64{1, 2, 3, 4}); got.mean != 2.5 || math.Abs(got.stderr-math.Sqrt(5.0/12)) > rounding {
		t.Errorf("mean and its error are %v", got)
	}
}

// TestCounts makes tf-idf values of counts and takes the counts back.
func TestCounts(t *testing.T) {
	want := [][]float64{{1, 0, 3}, {2, 1, 1}, {0, 1, 7}}
	x := &data.CSR{Rows: 3, Cols: 3, Ptr: []int{0}}
	with := []float64{2, 2, 3} // messages that have the word
	for _, row := range want {
		var length float64
		begin := len(x.Val)
		for j, c := range row {
			if c > 0 {
				v := c * (math.Log(4/(1+with[j])) + 1)
				x.Col, x.Val, length = append(x.Col, int32(j)), append(x.Val, v), length+v*v
			}
		}
		for k := begin; k < len(x.Val); k++ {
			x.Val[k] /= math.Sqrt(length)
		}
		x.Ptr = append(x.Ptr, len(x.Col))
	}
	n := &news{x: x, group: []int{7, 8, 9}}
	got, shares := data.ToDense(n.counts().x), data.ToDense(n.frequencies().x)
	const rounding = 1e-12
	for i, row := range want {
		var words float64
		for _, c := range row {
			words += c
		}
		for j, c := range row {
			if got.Row(i)[j] != c || math.Abs(shares.Row(i)[j]-c/words) > rounding {
				t.Errorf("message %d, word %d: count %g, share %g; not %g of %g", i, j, got.Row(i)[j], shares.Row(i)[j],
					c, words)
			}
		}
	}
}

// TestSimilarity has the levels of some pairs of newsgroups.
func TestSimilarity(t *testing.T) {
	for _, c := range []struct {
		a, b int
		want float64
	}{{7, 7, 2}, {7, 8, 1}, {9, 10, 1}, {7, 9, 0}, {1, 5, 1}, {3, 4, 1}, {4, 8, 0}} {
		if got := similarity(c.a, c.b); got != c.want {
			t.Errorf("groups %d and %d: %g, not %g", c.a, c.b, got, c.want)
		}
	}
	for _, set := range sets {
		for _, g := range set {
			if themeOf(g) < 0 {
				t.Errorf("group %d has no theme", g)
			}
		}
	}
}

// someNews is messages of two words and more in four groups.
func someNews(n int) *news {
	x := &data.CSR{Rows: n, Cols: 6, Ptr: make([]int, 1, n+1)}
	out := &news{x: x}
	for i := range n {
		g := i % 4
		x.Col, x.Val = append(x.Col, int32(g), 5), append(x.Val, 1+float64(i%3)/10, float64(i%7)/10)
		x.Ptr = append(x.Ptr, len(x.Col))
		out.group = append(out.group, sets[0][g])
	}
	return out
}

// TestNewsErrors learns groups that features tell apart, by both ways.
func TestNewsErrors(t *testing.T) {
	train, test := someNews(40), someNews(24)
	k, cross := kernel.Matrix(kernel.Linear{}, train.x, train.x), kernel.Matrix(kernel.Linear{}, test.x, train.x)
	errors, err := newsErrors(t.Context(), train, test, k, cross, edge.Ranking, []float64{1e-6})
	if err != nil || errors[0].mean != 0 {
		t.Errorf("closed form: %v, %v", errors, err)
	}
	for _, over := range curveKernels {
		curve, ending, _, err := errorCurve(t.Context(), train, test, k, cross, edge.Ranking, over, 30)
		if err != nil || !slices.ContainsFunc(curve, func(e share) bool { return e.mean == 0 }) {
			t.Errorf("%s: %v, %v", over, curve, err)
		}
		if last := curve[len(curve)-1]; meanOf(ending) != last {
			t.Errorf("%s: the last errors are %v, not %v", over, meanOf(ending), last)
		}
	}
}

// TestChoose has the errors of training on the messages of every second group by
// themselves.
func TestChoose(t *testing.T) {
	all := someNews(40)
	for i := range all.group { // half of the messages in groups of the other set
		if i%2 == 1 {
			all.group[i] = sets[1][i%5]
		}
	}
	c := variant{all: all, over: kernel.Linear{}}.pair(settings{seed: 1})
	lambdas := []float64{1e-3, 1, 1e3}
	for k := range sets {
		var halves [2][]int
		for i, g := range sets[k] {
			halves[i%2] = append(halves[i%2], g)
		}
		train, test := all.of(halves[0], 0, 1), all.of(halves[1], 0, 1)
		want, err := newsErrors(t.Context(), train, test, kernel.Matrix(kernel.Linear{}, train.x, train.x),
			kernel.Matrix(kernel.Linear{}, test.x, train.x), edge.Ranking, lambdas)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.choose(t.Context(), k, edge.Ranking, lambdas)
		if err != nil {
			t.Fatal(err)
		}
		for l := range lambdas {
			if math.Abs(got.errors[l].mean-want[l].mean) > 1e-9 {
				t.Errorf("set %d, λ = %g: %v, not %v", k+1, lambdas[l], got.errors[l], want[l])
			}
		}
	}
}

// TestScale compares the closed form with the kernel matrix of the edges.
func TestScale(t *testing.T) {
	n := someNews(12)
	k, y := kernel.Matrix(kernel.Linear{}, n.x, n.x), labels(n, n)
	_, scores, err := closedForm(t.Context(), k, y)
	if err != nil {
		t.Fatal(err)
	}
	const rounding = 1e-10 // of a system of 144 unknowns, which is not 0
	if _, differs, err := allEdges(t.Context(), k, everyPair(12, 12), y.Data, scores.Data); err != nil ||
		!(differs < rounding) {
		t.Errorf("scores differ by %g, %v", differs, err)
	}
	x := data.ToDense(n.x)
	if _, differs, _, err := onProducts(t.Context(), x, everyPair(12, 12), y.Data, scores.Data); err != nil ||
		!(differs > 0 && differs < rounding) {
		t.Errorf("scores from products differ by %g, %v", differs, err)
	}
}

// TestEstimate takes every learner through the four settings on a small block, in
// which like drugs have like targets.
func TestEstimate(t *testing.T) {
	b := &interactions{name: "made", binary: true, rows: data.NewDense(8, 8, nil), cols: data.NewDense(9, 9, nil),
		y: data.NewDense(8, 9, nil)}
	for i, k := range []*data.Dense{b.rows, b.cols} {
		for u := range k.Rows {
			for v := range k.Rows {
				if u%2 == v%2 {
					k.Row(u)[v] = 3 - float64(i)
				}
			}
			k.Row(u)[u] += 1
		}
	}
	for i := range b.y.Rows {
		for j := i % 2; j < b.y.Cols; j += 2 {
			b.y.Row(i)[j] = 1
		}
	}
	if err := b.repair(); err != nil {
		t.Fatal(err)
	}
	for _, l := range learners {
		l.folds = min(l.folds, 4)
		for _, at := range situations {
			best, err := b.estimate(t.Context(), l, at.setting, settings{seed: 1})
			if err != nil || best.error > 0.0005 {
				t.Errorf("%s, %s: %+v, %v", l.name, at.name, best, err)
			}
		}
	}
}

// TestSkipped leaves out what has no files, and refuses what is not known.
func TestSkipped(t *testing.T) {
	out := &experiment.Output{Program: "condrank", Only: "newsgroups,frequencies,counts,curves,yeast,drugs,scale"}
	s := settings{dir: t.TempDir(), repeats: 1, iterations: 1, draws: 1, drugs: "nr"}
	if err := run(t.Context(), out, s); err != nil {
		t.Error(err)
	}
	out.Only = "newsgroup"
	if err := run(t.Context(), out, s); err == nil || !strings.Contains(err.Error(), "known are rps") {
		t.Errorf("unknown section: %v", err)
	}
}

// TestHeaderWords counts messages by the numbers of a vocabulary, which begin at 1.
func TestHeaderWords(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "20newsgroups"), 0o777); err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	text := gzip.NewWriter(&packed)
	for _, line := range []string{"1\torganization\t2\n", "2\tcar\t1\n", "3\tlines\t1\n", "4\tfrom\t2\n"} {
		if _, err := text.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if err := text.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "20newsgroups", "20news_bydate_vocab.tsv.gz"), packed.Bytes(),
		0o666); err != nil {
		t.Fatal(err)
	}
	x := &data.CSR{Rows: 2, Cols: 3, Ptr: []int{0, 2, 4}, Col: []int32{0, 1, 0, 2}, Val: []float64{1, 1, 1, 1}}
	found, err := headerWords(dir, &news{x: x, group: []int{7, 8}})
	if err != nil {
		t.Fatal(err)
	}
	var r experiment.Result
	r.Add(found)
	for _, want := range []string{"| organization | 2 | 2 |", "| lines | 1 | 1 |", "| from | 2 | 0 |",
		"| xref | 0 | 0 |"} {
		if text := r.Markdown(); !strings.Contains(text, want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}
