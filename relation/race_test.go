package relation

import (
	"context"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/kron"
	"pairrank/relation/edge"
)

// byLambda has other scores for each λ.
type byLambda map[float64]*data.Dense

func (m byLambda) margins(lambda float64, s edge.Setting) (kron.MarginsTo, error) {
	return fixed{m[lambda]}.margins(lambda, s)
}

// A race ends with the points that the best λ have without it, leaves out λ that are worse, and takes the largest of
// equal ones.
func TestRaceKeepsTheBest(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	const rows, cols, sample = 60, 80, 40_000
	lambdas := []float64{1, 2, 4, 8, 16}
	for _, s := range []edge.Setting{edge.Pairs, edge.Cols, edge.Both} {
		y, f := someScores(r, rows, cols, false)
		scores := byLambda{2: f, 4: f} // noise added to the others
		for _, lambda := range []float64{1, 8, 16} {
			other := data.NewDense(rows, cols, nil)
			for h := range other.Data {
				other.Data[h] = f.Data[h] + lambda*r.NormFloat64()*4
			}
			scores[lambda] = other
		}
		drawing := func(races bool) *pairsOut {
			p := newPairsOut(y, s, 3)
			p.races, p.drawn = races, min(sample, p.units()*2/3)
			return p
		}
		plain, err := drawing(false).estimate(context.Background(), scores, lambdas, nil)
		if err != nil {
			t.Fatal(err)
		}
		last, calls := 0, 0
		raced, err := drawing(true).estimate(context.Background(), scores, lambdas, func(done, total int) {
			if done < last || done > total {
				t.Errorf("%s: %d of %d steps after %d", s, done, total, last)
			}
			last, calls = done, calls+1
		})
		if err != nil || calls == 0 || last != 16*len(lambdas) {
			t.Fatalf("%s: %v, %d reports, the last of %d steps", s, err, calls, last)
		}
		if raced.Best != 2 || plain.Best != 2 {
			t.Errorf("%s: the best are %d and %d, not the largest of two equal λ", s, raced.Best, plain.Best)
		}
		for l := range lambdas {
			same := raced.Points[l].Error == plain.Points[l].Error && raced.Points[l].Drawn == plain.Points[l].Drawn
			if better := l == 1 || l == 2; same != better {
				t.Errorf("%s: λ %g has %d pairs and error %g in a race, %d and %g without", s, lambdas[l],
					raced.Points[l].Drawn, raced.Points[l].Error, plain.Points[l].Drawn, plain.Points[l].Error)
			}
		}
	}
}

// Rounds whose columns have no pair, or one, leave no λ out: the last round decides, as without a race.
func TestRaceOfRarePairs(t *testing.T) {
	const rows, cols, sample = 3, 400, 5120 // 320 of 79,800 units in the first round, and 399 have a pair
	lambdas := []float64{1, 2}
	y, f := data.NewDense(rows, cols, nil), data.NewDense(rows, cols, nil)
	y.Row(1)[7] = 1
	for j := range cols {
		f.Row(1)[j] = float64(j % 11)
	}
	scores := byLambda{1: f, 2: f}
	for seed := range uint64(40) {
		p := newPairsOut(y, edge.Cols, seed)
		p.races, p.drawn = true, sample
		raced, err := p.estimate(context.Background(), scores, lambdas, nil)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		p.races = false
		plain, err := p.estimate(context.Background(), scores, lambdas, nil)
		if err != nil || raced.Best != 1 || raced.Points[1].Error != plain.Points[1].Error {
			t.Errorf("seed %d: λ %d with %+v, without a race %+v (%v)", seed, raced.Best, raced.Points[1], plain.Points[1], err)
		}
	}
}

// Each round before the last is held where the units share little work, and none where they share a third of it.
func TestRoundsAreHeldWherePaying(t *testing.T) {
	for _, round := range races[:len(races)-1] {
		p := &pairsOut{drawn: leastRace * round.part, shared: 0.1}
		if !p.holds(round.part) {
			t.Errorf("1/%d of the sample: not held for little shared work", round.part)
		}
		if p.shared = 0.5; p.holds(round.part) {
			t.Errorf("1/%d of the sample: held though the units share a third of the work", round.part)
		}
		if p.shared, p.drawn = 0.1, p.drawn-1; p.holds(round.part) {
			t.Errorf("1/%d of the sample: held for %d units", round.part, p.drawn/round.part)
		}
	}
}

// easeScores draws labels and scores that are as near to them as the row is easy: ease and up to spread more.
func easeScores(r *rand.Rand, rows, cols int, ease, spread float64) (y, f *data.Dense) {
	y, f = normal(r, rows, cols), data.NewDense(rows, cols, nil)
	for i := range rows {
		row := ease + spread*r.Float64()
		for j, v := range y.Row(i) {
			f.Row(i)[j] = row*v + r.NormFloat64()
		}
	}
	return y, f
}

// The last round of a trimmed race draws so many units that the error of drawing is a third of the standard error over
// the nodes, which leaving out all pairs tells, whether rounds before it say how many or a look does: on average over
// problems, as the nodes' part of an error of few units is uncertain. Where that takes more than the sample, it draws
// all of the sample.
func TestTrimmedRace(t *testing.T) {
	const rows, cols, sample, problems = 60, 120, 64_000, 6
	r := rand.New(rand.NewPCG(31, 32))
	lambdas := []float64{1, 2, 4}
	trimmed := func(y *data.Dense, s edge.Setting, of margins, sample int64, shared float64) cv.Point {
		p := newPairsOut(y, s, 3)
		p.races, p.trims, p.drawn, p.shared = true, true, min(sample, p.units()*9/10), shared
		e, err := p.estimate(context.Background(), of, lambdas, nil)
		if err != nil || e.Best == 0 {
			t.Fatalf("%s: the best λ is %v (%v)", s, e, err)
		}
		return e.Points[e.Best]
	}
	settings := []edge.Setting{edge.Pairs, edge.Cols}
	parts := map[edge.Setting]map[float64]float64{edge.Pairs: {}, edge.Cols: {}}
	for range problems {
		y, f := easeScores(r, rows, cols, 0.7, 1.1)
		of := byLambda{1: normal(r, rows, cols), 2: f, 4: f}
		for _, s := range settings {
			all, err := newPairsOut(y, s, 3).point(context.Background(), of, 2)
			if err != nil {
				t.Fatal(err)
			}
			for _, shared := range []float64{0, 1} { // with rounds, and with a look
				best := trimmed(y, s, of, sample, shared)
				parts[s][shared] += best.DrawErr.Value / all.StdErr.Value / problems
			}
		}
	}
	for _, s := range settings {
		for shared, part := range parts[s] {
			least := 0.8 * drawnPart
			if s == edge.Cols { // many of few units, which leave less error than is reckoned with
				least = 0
			}
			if part < least || part > 1.1*drawnPart {
				t.Errorf("%s, work shared %g: the error of drawing is %.3f of that over the nodes", s, shared, part)
			}
		}
	}
	const few = 4096
	y, f := easeScores(r, rows, cols, 0.7, 1.1)
	if best := trimmed(y, edge.Pairs, byLambda{1: normal(r, rows, cols), 2: f, 4: f}, few, 1); best.Drawn != few {
		t.Errorf("%d pairs are drawn, not all of the %d of the sample", best.Drawn, few)
	}
}
