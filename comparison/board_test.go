package comparison

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/comparison/internal/incidence"
	"pairrank/comparison/internal/outcome"
)

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-8*(1+math.Abs(b)) }

// invert is the inverse of a symmetric matrix, by elimination.
func invert(a [][]float64) [][]float64 {
	out := make([][]float64, len(a))
	for j := range a {
		e := make([]float64, len(a))
		e[j] = 1
		out[j] = eliminate(a, e)
	}
	return out
}

// TestSandwich: the covariance of differences is that of the definition, a term for each single outcome.
func TestSandwich(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for trial := range 40 {
		p := made(r)
		for c := range p.Lines {
			p.Lines[c].Weight = []float64{1, 2}[c%2]
		}
		o := losses(0.5)[trial%4]
		grade(p, o, trial)
		b, err := Fit(context.Background(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		v := naiveOf(p, o, nil)
		_, h := v.derivatives(b.unknown)
		inv := invert(h)
		middle := make([][]float64, v.n)
		for j := range middle {
			middle[j] = make([]float64, v.n)
		}
		leverage := func(row *naiveRow) float64 { return p.Lines[row.line].OutcomeWeight() * quadratic(inv, row.x) }
		residual := func(row *naiveRow) float64 {
			f := 0.0
			for j, x := range row.x {
				f += x * b.unknown[j]
			}
			return row.z - f
		}
		squares, free := 0.0, 0.0 // of single outcomes
		for k := range v.rows {
			row := &v.rows[k]
			n := row.w / p.Lines[row.line].OutcomeWeight()
			squares, free = squares+n*residual(row)*residual(row), free+n*(1-leverage(row))
		}
		for _, row := range v.rows {
			one := *v
			one.rows = []naiveRow{row}
			one.rows[0].w = p.Lines[row.line].OutcomeWeight()
			one.o.Lambda = 0
			g, _ := one.derivatives(b.unknown)
			n := row.w / one.rows[0].w
			if o.Loss == Squared { // r² becomes r²(1 + h) + hσ²
				h, r2 := leverage(&row), residual(&row)*residual(&row)
				n *= (r2*(1+h) + h*squares/free) / r2
			} else { // weights differ
				l := &p.Lines[row.line]
				terms := o.loss().Of(l, b.Margins[row.line], b.eta(), row.outcome)
				h := row.w / n * terms.V[0] * quadratic(inv, row.x)
				n /= 1 - h
			}
			for i := range g {
				for j := range g {
					middle[i][j] += n * g[i] * g[j]
				}
			}
		}
		got := b.Sandwich()
		for i := range p.Items {
			for j := range i {
				x := make([]float64, v.n) // of the difference of two items
				for u := range x {
					e := make([]float64, v.n)
					e[u] = 1
					place := v.place(p, e)
					x[u] = place[i] - place[j]
				}
				want := quadratic(multiply(multiply(inv, middle), inv), x)
				if se := got.Of(i, j); !near(se, math.Sqrt(want)) {
					t.Fatalf("trial %d, %+v: se %v, want %v", trial, o, se, math.Sqrt(want))
				}
			}
		}
	}
}

func multiply(a, b [][]float64) [][]float64 {
	out := make([][]float64, len(a))
	for i := range a {
		out[i] = make([]float64, len(b[0]))
		for k, v := range a[i] {
			for j, w := range b[k] {
				out[i][j] += v * w
			}
		}
	}
	return out
}

func quadratic(a [][]float64, x []float64) (sum float64) {
	for i := range a {
		for j := range a {
			sum += x[i] * a[i][j] * x[j]
		}
	}
	return sum
}

// TestBiasReduced: Firth's score is 0 in the definition: of each line the outcomes and, with weight h/2, a win
// of either side.
func TestBiasReduced(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	for trial := range 40 {
		p := made(r)
		p.Features, p.Residual = nil, 0
		p.X, p.Covariates = nil, nil
		for c := range p.Lines { // one item only wins
			if l := &p.Lines[c]; l.Left == 0 {
				l.Wins, l.Losses, l.Ties = 1, 0, 0
			} else if l.Right == 0 {
				l.Wins, l.Losses, l.Ties = 0, 1, 0
			}
		}
		o := Options{Loss: Logistic, Ties: Half}
		var separated *SeparatedError
		if _, err := Fit(context.Background(), p, o); !errors.As(err, &separated) {
			t.Fatalf("trial %d: error %v", trial, err)
		}
		o.BiasReduced = true
		b, err := Fit(context.Background(), p, o)
		if err != nil {
			t.Fatalf("trial %d: %v", trial, err)
		}
		more := *p
		v := naiveOf(p, Options{Loss: Logistic, Ties: Half}, nil)
		_, h := v.derivatives(b.Scores)
		for _, set := range v.open {
			for _, i := range set {
				for _, j := range set {
					h[i][j]++
				}
			}
		}
		inv := invert(h)
		more.Lines = slices.Clone(p.Lines)
		for c := range p.Lines {
			l := p.Lines[c]
			f := b.Scores[l.Left] - b.Scores[l.Right]
			lever := inv[l.Left][l.Left] + inv[l.Right][l.Right] - 2*inv[l.Left][l.Right]
			q := l.Count() * l.OutcomeWeight() * outcome.Logistic(f) * outcome.Logistic(-f) * lever
			more.Lines = append(more.Lines, Line{Left: l.Left, Right: l.Right, Wins: q / 2, Losses: q / 2, Annotator: -1,
				Stratum: -1})
		}
		g, _ := naiveOf(&more, Options{Loss: Logistic, Ties: Half}, nil).derivatives(b.Scores)
		for i, x := range g {
			if math.Abs(x) > 1e-8 {
				t.Errorf("trial %d: score %v of item %d", trial, x, i)
			}
		}
	}
}

// TestBiasReducedVariance: the covariance of outcomes is the inverse of the information, and the jackknife's variances
// are at least those.
func TestBiasReducedVariance(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for trial := range 20 {
		p := made(r)
		p.Features, p.Residual, p.X, p.Covariates = nil, 0, nil, nil
		for c := range p.Lines {
			p.Lines[c].Weight = 1
		}
		b, err := Fit(context.Background(), p, Options{Loss: Logistic, BiasReduced: true})
		if err != nil {
			t.Fatal(err)
		}
		_, h := withOpen(naiveOf(p, Options{Loss: Logistic, Ties: Half}, nil), b.Scores)
		inv, parts := invert(h), p.Components().Of()
		v, j := b.Sandwich(), b.Jackknife()
		for i := range p.Items {
			for k := range i {
				if want := math.Sqrt(inv[i][i] + inv[k][k] - 2*inv[i][k]); parts[i] == parts[k] && !near(v.Of(i, k), want) {
					t.Errorf("trial %d: se %v, want %v", trial, v.Of(i, k), want)
				}
			}
			if j != nil && j.Of(i, -1) < v.Of(i, -1) {
				t.Errorf("trial %d: se %v by annotators, %v by outcomes", trial, j.Of(i, -1), v.Of(i, -1))
			}
		}
	}
}

// TestJackknife: the variance is that of the scores without each annotator, learnt again.
func TestJackknife(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 2))
	for range 20 {
		p := made(r)
		o := Options{Loss: Squared, Lambda: 0.2}
		b, err := Fit(context.Background(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		var places [][]float64
		for _, set := range p.ByAnnotator() {
			rest := *p
			rest.Lines, rest.X = nil, nil
			out := map[int]bool{}
			for _, c := range set {
				out[c] = true
			}
			v := naiveOf(p, o, out)
			places = append(places, v.place(p, v.step(b.unknown)))
		}
		got := b.Jackknife()
		n := float64(len(places))
		for i := range p.Items {
			mean, sum := 0.0, 0.0
			for _, s := range places {
				mean += (s[i] - s[0]) / n
			}
			for _, s := range places {
				sum += (s[i] - s[0] - mean) * (s[i] - s[0] - mean)
			}
			if want := math.Sqrt((n - 1) / n * sum); !near(got.Of(i, 0), want) {
				t.Errorf("se %v, want %v", got.Of(i, 0), want)
			}
		}
	}
}

// TestNext: the first pair lowers the sum of variances most of all pairs, by as much as is said.
func TestNext(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for trial := range 20 {
		p := made(r)
		p.Features, p.Residual, p.X, p.Covariates = nil, 0, nil, nil
		o := Options{Loss: Logistic, Ties: Half, Lambda: 0.3}
		b, err := Fit(context.Background(), p, o)
		if err != nil {
			t.Fatal(err)
		}
		among := []int{0, 1, 2}
		_, h := naiveOf(p, o, nil).derivatives(b.Scores)
		sum := func(h [][]float64) (total float64) {
			inv := invert(h)
			for _, i := range among {
				for _, j := range among {
					total += inv[i][i] + inv[j][j] - 2*inv[i][j]
				}
			}
			return total
		}
		pairs, err := b.NextOf(context.Background(), 3, among, nil)
		if err != nil {
			t.Fatal(err)
		}
		for step, next := range pairs {
			before := sum(h)
			best, at := -1.0, [2]int{}
			added := func(i, j int) [][]float64 {
				out := make([][]float64, len(h))
				for k := range h {
					out[k] = slices.Clone(h[k])
				}
				f := b.Scores[i] - b.Scores[j]
				v := outcome.Logistic(f) * outcome.Logistic(-f)
				out[i][i], out[j][j], out[i][j], out[j][i] = out[i][i]+v, out[j][j]+v, out[i][j]-v, out[j][i]-v
				return out
			}
			for i := range p.Items {
				for j := range i {
					if fall := 1 - sum(added(i, j))/before; fall > best+1e-12 {
						best, at = fall, [2]int{j, i}
					}
				}
			}
			if !near(next.Fall, best) || [2]int{next.A, next.B} != at {
				t.Fatalf("trial %d, step %d: %+v, want %v of %v", trial, step, next, best, at)
			}
			h = added(next.A, next.B)
		}
	}
}

// TestSeparated: sets of items that only win against later ones.
func TestSeparated(t *testing.T) {
	p := &Problem{Items: []string{"a", "b", "c", "d"}, Lines: []Line{
		{Left: 0, Right: 1, Wins: 1, Annotator: -1, Stratum: -1},
		{Left: 1, Right: 2, Wins: 1, Losses: 1, Annotator: -1, Stratum: -1}}}
	sets := incidence.Separated(p.source(), len(p.Items), true)
	if of := sets.Of(); sets.Len() != 3 || of[1] != of[2] || of[0] >= of[1] {
		t.Errorf("sets %v", of)
	}
	if parts := p.Components(); parts.Len() != 2 {
		t.Errorf("%d components", parts.Len())
	}
	p.Lines[0].Wins, p.Lines[0].Ties = 0, 1
	if n := incidence.Separated(p.source(), len(p.Items), true).Len(); n != 2 {
		t.Errorf("%d sets with a tie", n)
	}
	if n := incidence.Separated(p.source(), len(p.Items), false).Len(); n != 3 {
		t.Errorf("%d sets with a tie that is dropped", n)
	}
}
