package comparison

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
)

// unitProblem is a board whose lines are in twelve clusters.
func unitProblem(r *rand.Rand) *Problem {
	p := &Problem{Items: []string{"a", "b", "c", "d", "e", "f"}}
	for h := range 12 {
		p.Clusters = append(p.Clusters, string(rune('A'+h)))
	}
	for c := range 60 {
		i := c % 6
		l := Line{Left: i, Right: (i + 1 + r.IntN(5)) % 6, Annotator: -1, Stratum: -1, Cluster: r.IntN(12)}
		l.Wins, l.Losses = float64(r.IntN(3)), float64(1+r.IntN(3))
		p.Lines = append(p.Lines, l)
	}
	return p
}

// unclustered takes lines out of their clusters.
func (p *Problem) unclustered() {
	p.Clusters = nil
	for c := range p.Lines {
		p.Lines[c].Cluster = -1
	}
}

// paths are what a law about units holds for.
var paths = []struct {
	name string
	o    Options
	find func(b *Board) *Covariance
}{
	{"squared, jackknife", Options{Loss: Squared}, (*Board).Jackknife},
	{"logistic, jackknife", Options{Loss: Logistic}, (*Board).Jackknife},
	{"bias-reduced, jackknife", Options{Loss: Logistic, BiasReduced: true}, (*Board).Jackknife},
	{"squared, bootstrap", Options{Loss: Squared}, bootstrapped},
	{"logistic, bootstrap", Options{Loss: Logistic}, bootstrapped},
}

func bootstrapped(b *Board) *Covariance {
	v, err := b.Bootstrap(context.Background(), 50, 1, nil)
	if err != nil {
		panic(err)
	}
	return v
}

// TestClusterIsAUnit: clusters, annotators of the same lines, and lines apart where each is a cluster, give the same
// variances, ranks, held-out errors and tests of cycles: the unit is one notion with several names.
func TestClusterIsAUnit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	p := unitProblem(r)
	judged := *p
	judged.Annotators, judged.Clusters = p.Clusters, nil
	judged.Lines = append([]Line(nil), p.Lines...)
	for c := range judged.Lines {
		judged.Lines[c].Annotator, judged.Lines[c].Cluster = judged.Lines[c].Cluster, -1
	}
	for _, path := range paths {
		var boards [2]*Board
		var found [2]*Covariance
		for k, q := range []*Problem{p, &judged} {
			b, err := Fit(t.Context(), q, path.o)
			if err != nil {
				t.Fatal(err)
			}
			boards[k], found[k] = b, path.find(b)
		}
		if found[0].Unit != "cluster" || found[1].Unit != "annotator" || found[0].Units != 12 {
			t.Errorf("%s: %d %ss and %ss", path.name, found[0].Units, found[0].Unit, found[1].Unit)
		}
		for i := range p.Items {
			for j := range i {
				if a, b := found[0].Of(i, j), found[1].Of(i, j); a != b || !(a > 0) {
					t.Errorf("%s: standard errors %v by cluster, %v by annotator", path.name, a, b)
				}
			}
		}
		for _, unit := range []string{"pair", "line"} {
			a, err := boards[0].Predict(t.Context(), Unit{Kind: unit}, 1)
			b, _ := boards[1].Predict(t.Context(), Unit{Kind: unit}, 1)
			if err != nil || a.StdErr != b.StdErr || a.Error != b.Error {
				t.Errorf("%s, %s: %v ± %v and %v ± %v, %v", path.name, unit, a.Error, a.StdErr, b.Error, b.StdErr, err)
			}
		}
		a, err := boards[0].Predict(t.Context(), Unit{Kind: "cluster"}, 1)
		b, _ := boards[1].Predict(t.Context(), Unit{Kind: "annotator"}, 1)
		if err != nil || a.Error != b.Error || a.StdErr != b.StdErr || a.Sets != 12 {
			t.Errorf("%s: left out by cluster %+v, by annotator %+v, %v", path.name, a.Error, b.Error, err)
		}
	}
	x, err := FindCycles(t.Context(), p, 1, nil)
	y, _ := FindCycles(t.Context(), &judged, 1, nil)
	if err != nil || x.P != y.P || x.Unit != "cluster" || x.Units != 12 {
		t.Errorf("cycles %+v and %+v, %v", x, y, err)
	}
}

// TestCopiesAreNoEvidence: each line three times, with its number as a cluster, has the variances by line of one.
func TestCopiesAreNoEvidence(t *testing.T) {
	p := unitProblem(rand.New(rand.NewPCG(2, 1)))
	p.unclustered()
	p.ByLine = true
	thrice := &Problem{Items: p.Items}
	for c, l := range p.Lines {
		thrice.Clusters = append(thrice.Clusters, string(rune('A'+c)))
		l.Cluster = c
		thrice.Lines = append(thrice.Lines, l, l, l)
	}
	for _, o := range []Options{{Loss: Squared}, {Loss: Logistic}} {
		a, err := Fit(t.Context(), p, o)
		b, err2 := Fit(t.Context(), thrice, o)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		one, three := a.Jackknife(), b.Jackknife()
		for i := range p.Items {
			if x, y := one.Of(i, -1), three.Of(i, -1); math.Abs(x-y) > 1e-8 {
				t.Errorf("%s: standard errors %v once, %v thrice", o.Loss, x, y)
			}
		}
	}
}

// TestFewUnits: two to four annotators are no unit unless asked for, and nothing has a standard error over two.
func TestFewUnits(t *testing.T) {
	p := unitProblem(rand.New(rand.NewPCG(3, 1)))
	p.unclustered()
	for n, want := range []string{2: "", 3: "", 4: "", 5: "annotator", 6: "annotator"} {
		if n < 2 {
			continue
		}
		p.Annotators = []string{"u", "v", "w", "x", "y", "z"}[:n]
		for c := range p.Lines {
			p.Lines[c].Annotator = c % n
		}
		kind, sets := p.independent(FewUnits)
		if kind != want || kind != "" && len(sets) != n {
			t.Errorf("%d annotators: unit %q, %d sets", n, kind, len(sets))
		}
		b, err := Fit(t.Context(), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if v := b.Jackknife(); (v == nil) != (n == 2) {
			t.Errorf("%d annotators: jackknife %v", n, v)
		}
		if h, err := b.Predict(t.Context(), Unit{Kind: "annotator"}, 1); err != nil || h.StdErr.Defined != (n > 2) {
			t.Errorf("%d annotators: ± %v, %v", n, h.StdErr, err)
		}
	}
	sets := [][]int{{0, 1, 2, 3, 4, 5}, {6}, {7}}
	ones := &Problem{Lines: make([]Line, 8)}
	for c := range ones.Lines {
		ones.Lines[c].Wins = 1
	}
	if got := ones.effective(sets); !near(got, 64.0/38) {
		t.Errorf("%v effective units, want 64/38", got)
	}
}

// TestOriginOfFeatures: a constant added to a feature changes no score, standard error or held-out error; nor does the
// test of features change.
func TestOriginOfFeatures(t *testing.T) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 2))
		p := unitProblem(r)
		p.Features = data.NewDense(6, 2, nil)
		for k := range p.Features.Data {
			p.Features.Data[k] = r.NormFloat64()
		}
		moved := *p
		moved.Features = data.NewDense(6, 2, nil)
		for k, v := range p.Features.Data {
			moved.Features.Data[k] = v + []float64{100, -7}[k%2]
		}
		if seed%2 == 1 { // an item of its own
			p.Features.Row(2)[0], moved.Features.Row(2)[0] = math.NaN(), math.NaN()
			p.GiveOwn()
			moved.GiveOwn()
		}
		for _, o := range []Options{{Loss: Squared}, {Loss: Logistic}, {Loss: Squared, Lambda: 2},
			{Loss: Logistic, Lambda: 2}} {
			a, err := Fit(t.Context(), p, o)
			b, err2 := Fit(t.Context(), &moved, o)
			if err != nil || err2 != nil {
				t.Fatal(err, err2)
			}
			for i := range p.Items {
				x, y := a.Sandwich().Of(i, -1), b.Sandwich().Of(i, -1)
				if !near(a.Scores[i], b.Scores[i]) || !near(x, y) {
					t.Errorf("seed %d, %+v: %v ± %v, moved %v ± %v", seed, o, a.Scores[i], x, b.Scores[i], y)
				}
			}
			x, err := TestFeatures(t.Context(), p, o)
			y, err2 := TestFeatures(t.Context(), &moved, o)
			if err != nil || err2 != nil || x == nil || !near(x.P, y.P) {
				t.Errorf("seed %d: test %+v, moved %+v, %v, %v", seed, x, y, err, err2)
			}
		}
	}
}

// TestFeatureTestOfSquares: for the squared loss the statistic is that of the two fits.
func TestFeatureTestOfSquares(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	p := unitProblem(r)
	p.Features = data.NewDense(6, 1, nil)
	for k := range p.Features.Data {
		p.Features.Data[k] = r.NormFloat64()
	}
	linear, err := Fit(t.Context(), p, Options{})
	own, err2 := Fit(t.Context(), p.WithoutFeatures(), Options{})
	got, err3 := TestFeatures(t.Context(), p, Options{})
	if err != nil || err2 != nil || err3 != nil {
		t.Fatal(err, err2, err3)
	}
	outcomes := 0.0
	for c := range p.Lines {
		outcomes += p.Lines[c].Count()
	}
	rest := outcomes - 5
	if want := (linear.Objective - own.Objective) / (own.Objective / rest); got.Freedom != 4 ||
		float64(got.Rest) != rest || !near(got.Statistic, want) {
		t.Errorf("%+v, want %v", got, want)
	}
}

// TestRefer: scores relative to the mean over comparisons have the variances of that difference.
func TestRefer(t *testing.T) {
	p := unitProblem(rand.New(rand.NewPCG(5, 2)))
	p.Lines = p.Lines[:31] // not all items as often
	b, err := Fit(t.Context(), p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	v := b.Sandwich()
	weight, sum := make([]float64, 6), 0.0
	for _, l := range p.Lines {
		weight[l.Left], weight[l.Right], sum = weight[l.Left]+l.Count(), weight[l.Right]+l.Count(), sum+2*l.Count()
	}
	var want, scores [6]float64
	for i := range 6 {
		d := make([]float64, 6)
		for j, w := range weight {
			d[j] -= w / sum
			scores[i] -= w / sum * b.Scores[j]
		}
		d[i]++
		scores[i] += b.Scores[i]
		for j := range 6 {
			for k := range 6 {
				want[i] += d[j] * v.cov.Row(j)[k] * d[k]
			}
		}
	}
	before := v.Of(1, 4)
	b.refer(v)
	for i := range 6 {
		if !near(v.Of(i, -1), math.Sqrt(want[i])) || !near(b.Scores[i], scores[i]) {
			t.Errorf("item %d: %v ± %v, want %v ± %v", i, b.Scores[i], v.Of(i, -1), scores[i], math.Sqrt(want[i]))
		}
	}
	if !near(before, v.Of(1, 4)) {
		t.Errorf("the difference of two items changes from %v to %v", before, v.Of(1, 4))
	}
}

// TestNoWidthOfZero: where every outcome is what the scores predict, no entry has a width, by any variance.
func TestNoWidthOfZero(t *testing.T) {
	p := &Problem{Items: []string{"x", "y", "z"}, ByLine: true}
	for k := range 6 {
		p.Lines = append(p.Lines, Line{Left: k % 3, Right: (k + 1) % 3, Ties: 2, Annotator: -1, Stratum: -1})
	}
	for _, path := range paths {
		if path.o.BiasReduced {
			continue // whose residuals are the expected ones
		}
		b, err := Fit(t.Context(), p, path.o)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []*Covariance{path.find(b), b.Sandwich()} {
			for i := range p.Items {
				if w := v.Width(i, -1); !math.IsNaN(w) || len(v.Exact) != 3 {
					t.Errorf("%s: width %v, exact %v", path.name, w, v.Exact)
				}
			}
		}
	}
}

// TestNoWidthFromOthers: an item whose outcomes are what the scores predict has no width by the residuals of other
// items, by any variance, unless one or two outcomes agree by chance.
func TestNoWidthFromOthers(t *testing.T) {
	for _, o := range []Options{{Loss: Squared}, {Loss: Logistic, Ties: Half}} {
		for _, c := range []struct {
			ties float64 // of y with each
			told bool
		}{{50, true}, {2, true}, {1, false}} {
			p := &Problem{Items: []string{"x", "y", "z"}, Lines: []Line{
				{Left: 0, Right: 1, Ties: c.ties, Annotator: -1, Stratum: -1},
				{Left: 1, Right: 2, Ties: c.ties, Annotator: -1, Stratum: -1},
				{Left: 0, Right: 2, Wins: 1, Losses: 1, Annotator: -1, Stratum: -1}}}
			b, err := Fit(t.Context(), p, o)
			if err != nil {
				t.Fatal(err)
			}
			sampled, err := b.Bootstrap(t.Context(), 200, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			for name, v := range map[string]*Covariance{"sandwich": b.Sandwich(), "bootstrap": sampled} {
				want := c.told || o.Loss == Logistic
				if got := math.IsNaN(v.Width(1, -1)); got != want || math.IsNaN(v.Width(0, -1)) {
					t.Errorf("%v, %s, %g ties: widths %v, exact %v", o.Loss, name, c.ties, v.Width(1, -1), v.Exact)
				}
			}
		}
	}
}

// TestUnitsKeepInvariances: the order of lines, and which item stands on the left, change no standard error.
func TestUnitsKeepInvariances(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	p := unitProblem(r)
	turned := *p
	turned.Lines = nil
	for _, c := range r.Perm(len(p.Lines)) {
		l := p.Lines[c]
		if c%2 == 0 {
			l.Left, l.Right, l.Wins, l.Losses = l.Right, l.Left, l.Losses, l.Wins
		}
		turned.Lines = append(turned.Lines, l)
	}
	for _, path := range paths[:3] {
		a, err := Fit(t.Context(), p, path.o)
		b, err2 := Fit(t.Context(), &turned, path.o)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		for _, find := range []func(*Board) *Covariance{path.find, (*Board).Sandwich} {
			for i := range p.Items {
				if x, y := find(a).Of(i, -1), find(b).Of(i, -1); !near(x, y) || !near(a.Scores[i], b.Scores[i]) {
					t.Errorf("%s: %v ± %v, turned %v ± %v", path.name, a.Scores[i], x, b.Scores[i], y)
				}
			}
		}
		for _, kind := range []string{"comparison", "line", "pair", "cluster"} {
			x, err := a.Predict(t.Context(), Unit{Kind: kind}, 1)
			y, err2 := b.Predict(t.Context(), Unit{Kind: kind}, 1)
			if err != nil || err2 != nil || !near(x.Error.Value, y.Error.Value) || !near(x.StdErr.Value, y.StdErr.Value) ||
				x.Over != y.Over {
				t.Errorf("%s, %s: %+v, turned %+v, %v, %v", path.name, kind, x, y, err, err2)
			}
		}
	}
}

// TestDoubtsCount: what is told of items that only win is right for any number of them.
func TestDoubtsCount(t *testing.T) {
	for n, want := range map[int]string{
		1: `one item only wins: "PRO"`, 2: `2 items only win: "PRO" and "MRS"`,
		3: `3 items only win, "PRO" and "MRS" among them`, 8: `8 items only win, "PRO" and "MRS" among them`,
	} {
		p := &Problem{Items: []string{"u", "v", "PRO", "MRS", "a", "b", "c", "d", "e", "f"}[:n+2]}
		p.Lines = append(p.Lines, Line{Left: 0, Right: 1, Wins: 1, Losses: 1, Annotator: -1, Stratum: -1})
		for k := range n {
			p.Lines = append(p.Lines, Line{Left: k + 2, Right: k % 2, Wins: 2, Annotator: -1, Stratum: -1})
		}
		if got := p.Doubts(); len(got) != 1 || got[0] != want {
			t.Errorf("%d items: %q", n, got)
		}
	}
}
