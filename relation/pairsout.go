package relation

import (
	"cmp"
	"context"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/holdout"
	"pairrank/internal/kron"
	"pairrank/internal/parallel"
	"pairrank/internal/ratio"
	"pairrank/relation/edge"
)

// pairsOut is leave-pair-out of a complete graph. Its pairs are the edges of a row with different labels. Each
// pair is left out with what the setting leaves out for both, so that both scores come from one training.
type pairsOut struct {
	setting edge.Setting
	y       *data.Dense // p×r
	rows    []labelOrder
	total   int64 // pairs
	drawn   int64 // sampled pairs, or pairs of columns for edge.Cols; 0 is all
	races   bool  // only λ that may have the least error take all of the sample
	trims   bool  // the last round of a race draws fewer pairs if the nodes are as uncertain
	seed    uint64

	shared float64 // work that all units of a λ share, divided by the work of all drawn units
}

// labelOrder is the columns of a row by ascending label. below counts, for each, the columns with a smaller
// label: the pairs in which it has the greater label.
type labelOrder struct {
	cols  []int32
	below []int
}

func newPairsOut(y *data.Dense, s edge.Setting, seed uint64) *pairsOut {
	p := &pairsOut{setting: s, y: y, rows: make([]labelOrder, y.Rows), seed: seed}
	totals := make([]int64, y.Rows)
	parallel.For(y.Rows, func(_, i int) {
		labels, order, total := y.Row(i), labelOrder{make([]int32, y.Cols), make([]int, y.Cols)}, int64(0)
		for j := range order.cols {
			order.cols[j] = int32(j)
		}
		slices.SortStableFunc(order.cols, func(a, b int32) int { return cmp.Compare(labels[a], labels[b]) })
		for a, j := range order.cols {
			if order.below[a] = a; a > 0 && labels[j] == labels[order.cols[a-1]] {
				order.below[a] = order.below[a-1]
			}
			total += int64(order.below[a])
		}
		p.rows[i], totals[i] = order, total
	})
	for _, n := range totals {
		p.total += n
	}
	return p
}

// units is the number of units that can be sampled: pairs; for edge.Cols pairs of columns, since one system
// gives all rows of two columns.
func (p *pairsOut) units() int64 {
	if p.setting == edge.Cols {
		return int64(p.y.Cols) * int64(p.y.Cols-1) / 2
	}
	return p.total
}

// mostDrawn bounds the units sampled by default. With so many pairs, half of them wrong, the standard error of
// the share is 0.0005.
const mostDrawn = 1 << 20

// leastDrawn is the least number of units sampled by default.
const leastDrawn = 100

// draw sets the number of units that are left out: the number of pairs asked, or with auto as many as the
// budget allows if each takes this much work; 0 is all.
func (p *pairsOut) draw(asked int, auto bool, budget, each float64) {
	all := p.units()
	share := max(1, float64(p.total)/float64(max(all, 1))) // pairs in a unit
	n := float64(asked) / share
	if auto {
		if n = budget / each; n < float64(all) {
			n = max(leastDrawn, min(n, mostDrawn))
		}
	}
	if p.drawn = 0; n < float64(max(3, all)) && (auto || asked > 0) {
		p.drawn = max(2, int64(n))
	}
	if p.drawn >= all {
		p.drawn = 0
	}
}

// draws are the numbers of the sampled units, ascending: one from each of as many equal stretches, so that rows
// have their share.
type draws struct {
	all, n, at int64
	from       int64
	random     *rand.Rand
}

func (p *pairsOut) draws() *draws {
	d := &draws{all: p.units(), n: p.drawn, random: rand.New(rand.NewPCG(p.seed, 0x70616972))}
	if d.n == 0 {
		d.n = d.all
	}
	return d
}

func (d *draws) next() (unit int64, ok bool) {
	if d.at == d.n {
		return 0, false
	}
	d.at++
	if d.n == d.all {
		return d.at - 1, true
	}
	to := d.all / d.n * d.at
	if to += d.all % d.n * d.at / d.n; to == d.from {
		return d.next()
	}
	unit = d.from + d.random.Int64N(to-d.from)
	d.from = to
	return unit, true
}

// blockPairs is the approximate number of pairs left out at once.
const blockPairs = 1 << 18

// blockSize is the largest number of pairs in a block.
func (p *pairsOut) blockSize() int {
	n := p.drawn
	switch {
	case n == 0:
		n = p.total
	case p.setting == edge.Cols:
		n *= int64(p.y.Rows)
	}
	return int(min(n, blockPairs+int64(p.y.Rows)))
}

// blocks yields the left-out pairs, some at a time: pairs with the same greater edge follow one another; for
// edge.Cols all pairs of two columns are in one block.
func (p *pairsOut) blocks() iter.Seq[[]kron.Compared] {
	return func(yield func([]kron.Compared) bool) {
		block, draws, rows := make([]kron.Compared, 0, p.blockSize()), p.draws(), rowWalk{}
		for unit, more := draws.next(); more; unit, more = draws.next() {
			if p.setting == edge.Cols {
				block = p.ofCols(block, unit)
			} else {
				block = append(block, rows.at(p.rows, unit))
			}
			if len(block) >= blockPairs {
				if !yield(block) {
					return
				}
				block = block[:0]
			}
		}
		if len(block) > 0 {
			yield(block)
		}
	}
}

// ofCols appends the pairs of two columns; unit numbers them in a triangle, row by row.
func (p *pairsOut) ofCols(block []kron.Compared, unit int64) []kron.Compared {
	a := int64((1 + math.Sqrt(1+8*float64(unit))) / 2)
	for a*(a-1)/2 > unit {
		a--
	}
	for (a+1)*a/2 <= unit {
		a++
	}
	b := unit - a*(a-1)/2
	for i := range p.rows {
		if y := p.y.Row(i); y[a] != y[b] {
			block = append(block, kron.Compared{Row: int32(i), A: int32(a), B: int32(b)})
		}
	}
	return block
}

// rowWalk finds pairs by ascending number; before counts the pairs before the column at place of row.
type rowWalk struct {
	row, place int
	before     int64
}

func (w *rowWalk) at(rows []labelOrder, unit int64) kron.Compared {
	for {
		order := rows[w.row]
		if w.place == len(order.cols) {
			w.row, w.place = w.row+1, 0
			continue
		}
		if n := int64(order.below[w.place]); unit >= w.before+n {
			w.before += n
			w.place++
			continue
		}
		return kron.Compared{Row: int32(w.row), A: order.cols[w.place], B: order.cols[unit-w.before]}
	}
}

// margins is leave-pair-out with a path for one λ.
type margins interface {
	margins(lambda float64, s edge.Setting) (kron.MarginsTo, error)
}

// point returns the error for one λ: the share of pairs in the wrong order, ties ½, over the rows.
func (p *pairsOut) point(ctx context.Context, of margins, lambda float64) (cv.Point, error) {
	point, _, err := p.measure(ctx, of, lambda)
	return point, err
}

// measure is point, with the wrong pairs of each sampled unit for a race.
func (p *pairsOut) measure(ctx context.Context, of margins, lambda float64) (cv.Point, []metric.Term, error) {
	to, err := of.margins(lambda, p.setting)
	if err != nil {
		return cv.Point{}, nil, err
	}
	rows, cols, drawing := make([]metric.Term, len(p.rows)), make([]metric.Term, p.y.Cols), &drawing{pairs: p}
	dst := make([]float64, 0, p.blockSize())
	for block := range p.blocks() {
		dst = dst[:len(block)]
		if err := to(ctx, dst, block); err != nil {
			return cv.Point{}, nil, err
		}
		for h, c := range block {
			if math.IsNaN(dst[h]) || math.IsInf(dst[h], 0) {
				return cv.Point{}, nil, kron.ErrNumerical
			}
			y := p.y.Row(int(c.Row))
			wrong := 0.5
			if right := (y[c.A] - y[c.B]) * dst[h]; right > 0 {
				wrong = 0
			} else if right < 0 {
				wrong = 1
			}
			for _, unit := range []*metric.Term{&rows[c.Row], &cols[c.A], &cols[c.B]} {
				unit.Num += wrong
				unit.Den++
			}
			drawing.add(c, wrong)
		}
	}
	point := holdout.PointOf(lambda, rows)
	if point.Pairs == 0 {
		return point, nil, &holdout.NoPairsError{Method: cv.Method{Kind: cv.LeavePairOut}}
	}
	ways, pairs := [][]metric.Term{rows, cols}, float64(point.Pairs)
	point.Over.Of = "row node"
	if p.setting == edge.Cols {
		ways = ways[1:]
		_, point.Over = ratio.Error(cols)
		point.Over.Of = "column node"
	}
	point.StdErr = ratio.CrossedError(metric.Term{Num: point.Error * pairs, Den: pairs}, ways...)
	if point.StdErr.Defined { // over the nodes of both sides, of which doubtNodes speaks
		point.Over = metric.Over{}
	}
	if p.drawn > 0 {
		point.Drawn, point.Pairs, point.DrawErr = point.Pairs, p.total, drawing.stdErr(point.Error)
	}
	return point, drawing.units, nil
}

// drawing computes the standard error that sampling n of N units adds to the error e. With w_u of the d_u pairs
// of unit u wrong it is
//
//	√((1 − n/N) n/(n−1) Σ_u (w_u − e d_u)²) / Σ_u d_u
//
// the standard error of a ratio over simple random samples (Cochran 1977, Sampling techniques, section 6.4). It
// is at least that of samples from stretches.
type drawing struct {
	pairs          *pairsOut
	last           kron.Compared
	now            metric.Term // the current unit
	n              float64
	ww, wd, dd, d1 float64       // sums of squares and products, and of d
	units          []metric.Term // of a race before its last round
}

func (d *drawing) add(c kron.Compared, wrong float64) {
	if d.pairs.drawn == 0 {
		return
	}
	if d.pairs.setting != edge.Cols || c.A != d.last.A || c.B != d.last.B {
		d.close()
	}
	d.last = c
	d.now.Num += wrong
	d.now.Den++
}

func (d *drawing) close() {
	if w, n := d.now.Num, d.now.Den; n > 0 {
		d.n++
		d.ww, d.wd, d.dd, d.d1 = d.ww+w*w, d.wd+w*n, d.dd+n*n, d.d1+n
		if d.pairs.races && d.pairs.drawn <= mostRace {
			d.units = append(d.units, d.now)
		}
	}
	d.now = metric.Term{}
}

func (d *drawing) stdErr(e float64) metric.Value {
	d.close()
	if d.n < 2 {
		return metric.Value{}
	}
	squares := max(0, d.ww-2*e*d.wd+e*e*d.dd)
	left := 1 - float64(d.pairs.drawn)/float64(d.pairs.units())
	return metric.Value{Value: math.Sqrt(left*squares*d.n/(d.n-1)) / d.d1, Defined: true}
}

// estimate returns the point of each λ; tell receives the number done, unless it is nil.
func (p *pairsOut) estimate(ctx context.Context, of margins, lambdas []float64, tell func(done,
	total int)) (*cv.Estimate, error) {
	if p.total == 0 {
		return nil, &holdout.NoPairsError{Method: cv.Method{Kind: cv.LeavePairOut}}
	}
	if p.races && p.drawn > 0 && len(lambdas) > 1 {
		return p.race(ctx, of, lambdas, tell)
	}
	points := make([]cv.Point, len(lambdas))
	for l, lambda := range lambdas {
		var err error
		if points[l], err = p.point(ctx, of, lambda); err != nil {
			return nil, err
		}
		if tell != nil {
			tell(l+1, len(lambdas))
		}
	}
	return holdout.NewEstimate(points), nil
}
