package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"pairrank"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/kernel"
	"pairrank/pref"
	"pairrank/relation/edge"
)

// estimated is what one simulation says: the held-out error of the chosen λ, the
// error of the trained model on the population, and the intervals.
type estimated struct {
	error, truth float64
	variance     float64 // of the interval that cv prints
	// printed is the interval of cv, halves that of half-samples alone, and given that of the
	// standard error, which takes the trained models as given.
	printed, halves, given cv.Interval
}

// measured fills the intervals of a point, those by half-samples where there are any.
func (out *estimated) measured(p cv.Point, h *cv.Halves) {
	if lo, hi, ok := cv.AUCInterval(p.Error, p.StdErr.Value); ok && p.StdErr.Defined {
		out.given = cv.Interval{Lo: lo, Hi: hi, Defined: true}
	}
	if h != nil {
		out.variance, _ = h.Variance(p.Error, p.StdErr, 0)
		out.printed = h.IntervalOver(p.Error, p, 0)
		out.halves = cv.ShareInterval(p.Error, h.Half[0], h.Units)
	}
}

// study is a population from which samples are drawn: draw makes one and estimates.
type study struct {
	name string
	cost int // its simulations are so many times fewer, as they cost more or leave less in doubt; 0 is 1
	draw func(ctx context.Context, rng *rand.Rand) (estimated, error)
}

// twoClasses are rows with two labels: features are standard normal, and shifted by
// strength along a fixed direction where the label is 1, so that weights w have the
// AUC Φ(strength·w₁/(√2‖w‖)).
func twoClasses(rows, features int, positive, strength float64) study {
	return study{
		name: fmt.Sprintf("AUC by lpo: %d rows, %d features, %.0f %% positive, best AUC %.2f", rows, features,
			100*positive, normal(strength/math.Sqrt2)),
		draw: func(ctx context.Context, rng *rand.Rand) (estimated, error) {
			x, y := data.NewDense(rows, features, nil), make([]float64, rows)
			for i := range rows {
				for j := range features {
					x.Row(i)[j] = rng.NormFloat64()
				}
				if float64(i) < math.Round(positive*float64(rows)) {
					y[i] = 1
					x.Row(i)[0] += strength
				}
			}
			s := sample{x: x, y: y, queries: data.OneList(rows), method: cv.Method{Kind: cv.LeavePairOut}}
			return s.estimate(ctx, func(w []float64) float64 {
				return 1 - normal(strength*w[0]/(math.Sqrt2*norm(w)))
			})
		},
	}
}

// numbers are rows with labels y = x₁ + noise in one list, measured by the share of
// pairs in the wrong order, which of weights w is arccos(ρ)/π with the correlation ρ
// of wᵀx and y.
func numbers(rows, features int, noise float64) study {
	return study{
		name: fmt.Sprintf("error by lpo: %d rows, %d features, real labels", rows, features),
		draw: func(ctx context.Context, rng *rand.Rand) (estimated, error) {
			x, y := data.NewDense(rows, features, nil), make([]float64, rows)
			for i := range rows {
				for j := range features {
					x.Row(i)[j] = rng.NormFloat64()
				}
				y[i] = x.Row(i)[0] + noise*rng.NormFloat64()
			}
			s := sample{x: x, y: y, queries: data.OneList(rows), method: cv.Method{Kind: cv.LeavePairOut}}
			return s.estimate(ctx, func(w []float64) float64 {
				return math.Acos(w[0]/norm(w)/math.Hypot(1, noise)) / math.Pi
			})
		},
	}
}

// lists are RankRLS by leave-query-out of queries that follow weights of their own; the error of weights w is the mean
// over many deviations of arccos(ρ)/π.
func lists(queries, features int, noise, deviation float64) study {
	return unevenQueries(queries, 10, features, noise, deviation)
}

// unevenQueries is lists, with another number of rows in the first query.
func unevenQueries(queries, first, features int, noise, deviation float64) study {
	of := followers{features, noise, deviation}
	var population [][]float64
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		population = append(population, of.direction(rng))
	}
	name := fmt.Sprintf("error by lqo: %d queries of 10 rows, %d features", queries, features)
	if first != 10 {
		name = fmt.Sprintf("error by lqo: %d queries of 10 rows but one of %d, %d features", queries, first, features)
	}
	return study{
		name: name,
		draw: func(ctx context.Context, rng *rand.Rand) (estimated, error) {
			x, y, query := of.drawUneven(rng, queries, first)
			s := sample{x: x, y: y, queries: data.NewPartition(query, queries),
				method: cv.Method{Kind: cv.LeaveQueryOut}}
			return s.estimate(ctx, func(w []float64) float64 {
				sum := 0.0
				for _, b := range population {
					product, size := 0.0, noise*noise
					for j, v := range b {
						product += v * w[j]
						size += v * v
					}
					sum += math.Acos(max(-1, min(1, product/norm(w)/math.Sqrt(size)))) / math.Pi
				}
				return sum / float64(len(population))
			})
		},
	}
}

// sample is a drawn set, linear RankRLS and a way to hold out.
type sample struct {
	x       *data.Dense
	y       []float64
	queries *data.Partition
	method  cv.Method
}

// chosen is the estimate of the best of the default path of λ, with the path.
func (s sample) chosen(ctx context.Context) (cv.Point, *rls.Path, error) {
	goal, err := goals.Scored(s.y, 1, s.queries, pref.Options{})
	if err != nil {
		return cv.Point{}, nil, err
	}
	basis := rls.Primal(s.x)
	if s.dual() {
		basis = rls.Dual(kernel.Matrix(kernel.Linear{}, s.x, s.x))
	}
	path, err := rls.Factor(ctx, basis, goal)
	if err != nil {
		return cv.Point{}, nil, err
	}
	e, err := holdout.EstimatePath(ctx, path, holdout.Labels{Y: s.y, Queries: s.queries},
		holdout.Options{Method: s.method, Candidates: holdout.Lambdas(path.Eigenvalues(),
			holdout.Spread(path.Squares()))})
	if err != nil {
		return cv.Point{}, nil, err
	}
	return e[0].Points[e[0].Best], path, nil
}

func (s sample) dual() bool { return s.x.Cols > s.x.Rows-s.queries.Len() }

// weights are those of the features.
func (s sample) weights(path *rls.Path, lambda float64) []float64 {
	coef := path.At(lambda).Coef.Data
	if !s.dual() {
		return coef
	}
	w := make([]float64, s.x.Cols)
	s.x.MulTransVecTo(w, coef)
	return w
}

// estimate is what a simulation says; truth is the error of weights on the
// population.
func (s sample) estimate(ctx context.Context, truth func(w []float64) float64) (estimated, error) {
	point, path, err := s.chosen(ctx)
	if err != nil {
		return estimated{}, err
	}
	out := estimated{error: point.Error, truth: truth(s.weights(path, point.Candidate))}
	h := holdout.Halving{Units: len(s.y), Of: "row", Given: true, Draw: holdout.SplitRows(s.y)}
	rowsOf := func(some []int) []int { return some }
	if n := s.queries.Len(); n > 1 {
		h.Units, h.Of, h.Draw = n, "query", holdout.SplitQueries(n)
		rowsOf = func(some []int) []int { return holdout.RowsOfQueries(s.queries, some) }
	}
	h.Estimate = func(ctx context.Context, some []int) ([]float64, error) {
		point, _, err := s.part(rowsOf(some)).chosen(ctx)
		return []float64{point.Error}, err
	}
	halves, err := h.Sample(ctx, 1, nil)
	if err != nil {
		halves = nil // there is no interval
	}
	out.measured(point, halves)
	return out, ctx.Err()
}

// part is the sample of some rows.
func (s sample) part(rows []int) sample {
	p := sample{x: data.Select(s.x, rows).(*data.Dense), method: s.method}
	number := map[int32]int32{}
	var of []int32
	for _, i := range rows {
		q := s.queries.Of()[i]
		if _, seen := number[q]; !seen {
			number[q] = int32(len(number))
		}
		of = append(of, number[q])
		p.y = append(p.y, s.y[i])
	}
	p.queries = data.NewPartition(of, len(number))
	return p
}

// costing is the study with fewer simulations.
func (s study) costing(cost int) study {
	s.cost = cost
	return s
}

var studies = []study{
	twoClasses(30, 20, 0.5, 1.5).costing(2),
	twoClasses(60, 5, 0.5, 1),
	twoClasses(60, 500, 0.5, 2.5).costing(2),
	twoClasses(80, 500, 0.2, 2.5).costing(2),
	twoClasses(60, 20, 0.5, 0),
	twoClasses(60, 5, 0.5, 4).costing(2),
	twoClasses(200, 20, 0.5, 1).costing(4),
	twoClasses(200, 500, 0.5, 2).costing(8),
	numbers(60, 20, 2),
	numbers(100, 300, 1).costing(2),
	lists(10, 5, 1, 0.3),
	lists(20, 20, 1, 0.3),
	lists(20, 300, 1, 0.05),
	lists(50, 20, 1, 0.3).costing(2),
	lists(150, 20, 1, 0.3).costing(2),
	relational{edge.Rows, 24, 30, 10, 1, false, 0}.study(),
	relational{edge.Rows, 60, 20, 5, 2, false, 0}.study().costing(2),
	relational{edge.Cols, 24, 30, 10, 1, false, 0}.study(),
	relational{edge.Cols, 40, 20, 5, 2, false, 0}.study(),
	relational{edge.Cols, 24, 30, 10, 1, true, 0}.study().costing(2),
	relational{edge.Pairs, 24, 30, 10, 1, false, 0}.study().costing(2),
	relational{edge.Pairs, 40, 20, 5, 2, false, 0}.study().costing(2),
	relational{edge.Pairs, 24, 30, 10, 1, true, 0}.study().costing(2),
	relational{edge.Both, 16, 20, 5, 1, false, 0}.study().costing(4),
	relational{edge.Rows, 24, 30, 10, 1, false, 5}.study().costing(2),
	relational{edge.Cols, 40, 20, 5, 2, false, 5}.study().costing(2),
	relational{edge.Pairs, 24, 20, 5, 1, false, 5}.study().costing(2),
	trained{"RankSVM, squared hinge, one λ", squared, []float64{0.1}, 30}.study(),
	trained{"RankSVM, squared hinge, one λ", squared, []float64{0.1}, 60}.study(),
	trained{"RankSVM, squared hinge, 3 λ", squared, []float64{0.01, 0.1, 1}, 30}.study(),
	trained{"RankSVM, squared hinge, 3 λ", squared, []float64{0.01, 0.1, 1}, 60}.study().costing(2),
	trained{"RankSVM, hinge, 3 λ", pairrank.RankSVM{}, []float64{0.01, 0.1, 1}, 30}.study().costing(2),
	trained{"RankBoost, 5, 20 or 50 rounds", boosted, nil, 30}.study().costing(2),
	trained{"RankBoost, 5, 20 or 50 rounds", boosted, nil, 60}.study().costing(4),
	trained{"RankRLS by cg", pairrank.LeastSquares{Solver: pairrank.CG}, nil, 30}.study(),
	grouped{24, 3, 5, 0.5, 1.5, nil}.study(),
	grouped{40, 4, 200, 0.5, 2.5, nil}.study(),
	grouped{60, 4, 20, 0.7, 1, &cv.Method{Kind: cv.KFold, Folds: 10}}.study(),
	grouped{40, 5, 5, 0.9, 1.5, &cv.Method{Kind: cv.KFold, Folds: 5}}.study(),
	twoClasses(60, 5, 0.1, 1.5),
	unevenQueries(12, 30, 5, 1, 0.3),
}

// estimates is the section on the intervals of cv. A simulation of it is 121 estimates
// over 31 values of λ.
func estimates(ctx context.Context, s settings) (string, error) {
	return tableOf(ctx, s, s.studies, 100, "estimate and population | simulations | its mean | "+
		"mean error of the trained models | sd of the estimate, mean √V | "+
		"coverage in % of the error of the trained model: printed, H alone, *s alone* | "+
		"of the mean of those errors | width", func(p study) int {
		if !strings.Contains(p.name, s.cells) {
			return skipped
		}
		return p.cost
	},
		func(p study, ctx context.Context, rng *rand.Rand) (estimated, error) { return p.draw(ctx, rng) }, study.row)
}

// row is a line of the table.
func (s study) row(results []estimated) string {
	n := float64(len(results))
	var mean, truth, squares, root float64
	for _, r := range results {
		mean, truth, root = mean+r.error/n, truth+r.truth/n, root+math.Sqrt(r.variance)/n
	}
	for _, r := range results {
		squares += (r.error - mean) * (r.error - mean) / (n - 1)
	}
	of := func(pick func(estimated) cv.Interval) (model, average, width string) {
		held, heldMean, wide := []bool(nil), []bool(nil), 0.0
		for _, r := range results {
			i := pick(r)
			if !i.Defined {
				continue
			}
			held = append(held, i.Lo <= r.truth && r.truth <= i.Hi)
			heldMean = append(heldMean, i.Lo <= truth && truth <= i.Hi)
			wide += i.Hi - i.Lo
		}
		if len(held) == 0 {
			return "–", "–", "–"
		}
		return share(held), share(heldMean), fmt.Sprintf("%.3f", wide/float64(len(held)))
	}
	model, average, width := of(func(r estimated) cv.Interval { return r.printed })
	halvesModel, halvesAverage, halvesWidth := of(func(r estimated) cv.Interval { return r.halves })
	givenModel, givenAverage, givenWidth := of(func(r estimated) cv.Interval { return r.given })
	return fmt.Sprintf("| %s | %d | %.3f | %.3f | %.3f, %.3f | **%s**, %s, *%s* | %s, %s, *%s* | %s, %s, *%s* |\n",
		s.name, len(results), mean, truth, math.Sqrt(squares), root, model, halvesModel, givenModel,
		average, halvesAverage, givenAverage, width, halvesWidth, givenWidth)
}

// normal is Φ.
func normal(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

func norm(w []float64) float64 {
	sum := 0.0
	for _, v := range w {
		sum += v * v
	}
	return math.Sqrt(sum)
}
