package comparison

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"

	"pairrank/eval/metric"
)

// Unit is what is left out together.
type Unit struct {
	// Kind is comparison, line, pair, annotator, stratum, item or kfold.
	Kind string
	// Folds is K of kfold, else 0.
	Folds int
}

// Units are the kinds of Unit.
var Units = []string{"comparison", "line", "pair", "annotator", "stratum", "item", "kfold"}

// ParseUnit reads a kind, or kfold:K with K ≥ 2. It returns an error that lists them for anything else.
func ParseUnit(name string) (Unit, error) {
	kind, folds, has := strings.Cut(name, ":")
	if kind == "kfold" {
		if k, err := strconv.Atoi(folds); has && err == nil && k >= 2 {
			return Unit{kind, k}, nil
		}
		return Unit{}, fmt.Errorf("kfold needs 2 folds or more, as in kfold:10, not %q", name)
	}
	if has || !slices.Contains(Units, kind) {
		return Unit{}, fmt.Errorf("unknown unit %q: known are %s:K", name, strings.Join(Units, ", "))
	}
	return Unit{Kind: kind}, nil
}

// String is the name that ParseUnit reads back.
func (u Unit) String() string {
	if u.Kind == "kfold" {
		return "kfold:" + strconv.Itoa(u.Folds)
	}
	return u.Kind
}

// HeldOut says how well the board predicts what it has not seen.
type HeldOut struct {
	Unit Unit
	// Sets is how many sets of lines were left out; for comparison the number of single outcomes.
	Sets int
	// Error is the share of the weight of wins that the margins without them order wrongly, equal margins ½;
	// it is undefined without wins. StdErr is over annotators where there are any, else over the sets.
	Error, StdErr metric.Value
	// Loss is the mean loss of an outcome: the log-loss of the logistic loss, or the squared error.
	Loss metric.Value
	// Undetermined is the weight of outcomes whose margin the others do not determine, and Weight that of all. They
	// count ½ in Error, and not in Loss.
	Undetermined, Weight float64
	// Approximate says that the margins are a Newton step from the board of all, not retrained.
	Approximate bool
	// Margins are those of the lines, for win, loss and tie apart; the three are equal but for comparison. NaN is
	// one that is not determined, or for comparison an outcome that the line does not have.
	Margins [][3]float64
}

// Predict leaves out every unit, and measures how the margins predict its outcomes. For items, whose lines each have
// two, the margin is the mean of those without either. seed deals the folds, of pairs of items. It returns an
// error where the problem lacks what is to be left out. It costs one HoldOut, or C times O(p²) for comparison.
func (b *Board) Predict(u Unit, seed uint64) (*HeldOut, error) {
	h := &HeldOut{Unit: u, Approximate: b.s.o.Loss == Logistic, Margins: make([][3]float64, len(b.s.p.Lines))}
	sets, err := b.sets(u, seed)
	if err != nil {
		return nil, err
	}
	if u.Kind == "comparison" {
		for c := range h.Margins {
			h.Margins[c] = b.Single(c)
			for k, n := range b.s.p.Lines[c].counts() {
				if n > 0 && !b.silent(outcome(k)) {
					h.Sets++
				}
			}
		}
		b.measure(h, nil)
		return h, nil
	}
	h.Sets = len(sets)
	times := make([]float64, len(h.Margins))
	var mu sync.Mutex
	b.HoldOut(sets, func(g int, margins, _ []float64) {
		mu.Lock()
		defer mu.Unlock()
		for a, c := range sets[g] {
			for k := range h.Margins[c] {
				h.Margins[c][k] += margins[a]
			}
			times[c]++
		}
	})
	for c := range h.Margins {
		for k := range h.Margins[c] {
			h.Margins[c][k] /= times[c]
		}
	}
	b.measure(h, sets)
	return h, nil
}

// silent reports whether an outcome says nothing.
func (b *Board) silent(k outcome) bool {
	return k == tied && b.s.o.Loss == Logistic && b.s.o.Ties == Drop
}

// sets are the lines of each unit.
func (b *Board) sets(u Unit, seed uint64) ([][]int, error) {
	p := b.s.p
	switch u.Kind {
	case "comparison":
		return nil, nil
	case "line":
		sets := make([][]int, len(p.Lines))
		for c := range sets {
			sets[c] = []int{c}
		}
		return sets, nil
	case "pair":
		return p.ByPair(), nil
	case "annotator":
		if len(p.Annotators) < 2 {
			return nil, errors.New("fewer than two annotators are named, so none can be left out")
		}
		return p.ByAnnotator(), nil
	case "stratum":
		if len(p.Strata) < 2 {
			return nil, errors.New("fewer than two strata are named, so none can be left out")
		}
		return p.ByStratum(), nil
	case "item":
		if p.Features == nil || p.Residual > 0 && b.s.o.Lambda == 0 {
			return nil, errors.New("an item that is left out has a score only by its features")
		}
		return p.ByItem(), nil
	case "kfold":
		pairs := p.ByPair()
		if len(pairs) < u.Folds {
			return nil, fmt.Errorf("%d folds need as many pairs of items, and there are %d", u.Folds, len(pairs))
		}
		sets := make([][]int, u.Folds)
		for place, g := range rand.New(rand.NewPCG(seed, 0x6b666f6c64)).Perm(len(pairs)) {
			sets[place%u.Folds] = append(sets[place%u.Folds], pairs[g]...)
		}
		return sets, nil
	}
	return nil, fmt.Errorf("unknown unit %q", u.Kind)
}

// measure fills in the error and the loss.
func (b *Board) measure(h *HeldOut, sets [][]int) {
	p, o := b.s.p, b.s.o
	cluster := make([]int, len(p.Lines)) // the independent units of the standard error
	n := len(p.Lines)
	for c := range cluster {
		cluster[c] = c
	}
	if len(p.Annotators) >= 2 {
		sets = p.ByAnnotator()
	}
	if h.Unit.Kind != "item" || len(p.Annotators) >= 2 {
		for g, set := range sets {
			for _, c := range set {
				cluster[c] = g
			}
		}
		if sets != nil {
			n = len(sets)
		}
	}
	terms := make([]metric.Term, n)
	eta := append(b.eta(), 0)[0]
	loss, weight := 0.0, 0.0
	for c := range p.Lines {
		l := &p.Lines[c]
		for k, count := range l.counts() {
			if count == 0 || b.silent(outcome(k)) {
				continue
			}
			w, f := count*l.weight(), h.Margins[c][k]
			h.Weight += w
			if math.IsNaN(f) {
				h.Undetermined += w
			} else {
				loss += w * o.of(f, eta, l.magnitude(), outcome(k)).loss
				weight += w
			}
			if outcome(k) == tied {
				continue
			}
			if outcome(k) == lost {
				f = -f
			}
			wrong := 0.5
			if f > 0 {
				wrong = 0
			} else if f < 0 {
				wrong = 1
			}
			terms[cluster[c]].Num += w * wrong
			terms[cluster[c]].Den += w
		}
	}
	if weight > 0 {
		h.Loss = metric.Value{Value: loss / weight, Defined: true}
	}
	h.Error, h.StdErr = ratio(terms)
}

// ratio is Σ Num / Σ Den over independent units, with its standard error.
func ratio(terms []metric.Term) (share, stderr metric.Value) {
	num, den, units, squares := 0.0, 0.0, 0.0, 0.0
	for _, t := range terms {
		num, den = num+t.Num, den+t.Den
	}
	if den == 0 {
		return share, stderr
	}
	share = metric.Value{Value: num / den, Defined: true}
	for _, t := range terms {
		if t.Den > 0 {
			d := t.Num - share.Value*t.Den
			units, squares = units+1, squares+d*d
		}
	}
	if units > 1 {
		stderr = metric.Value{Value: math.Sqrt(squares*units/(units-1)) / den, Defined: true}
	}
	return share, stderr
}

// Shares are what the scores leave unexplained, of a board of the squared loss. Residual is
// Σ w (z − f)² / Σ w z² over single outcomes: mostly the coin. Cyclic is Σ W (z̄ − f)² / Σ W z̄² over the pairs of items, with
// the mean z̄ and the weight W of each: what no ranking explains, and what few comparisons leave to chance.
func (b *Board) Shares() (residual, cyclic float64) {
	p := b.s.p
	var left, all, leftMeans, allMeans float64
	for _, set := range p.ByPair() {
		first := &p.Lines[set[0]]
		var weight, sum, fitted float64
		for _, c := range set {
			l := &p.Lines[c]
			sign := 1.0
			if l.Left != first.Left {
				sign = -1
			}
			for k, n := range l.counts() {
				z, w := target(l.magnitude(), outcome(k)), n*l.weight()
				left += w * (z - b.Margins[c]) * (z - b.Margins[c])
				all += w * z * z
				weight, sum, fitted = weight+w, sum+w*sign*z, fitted+w*sign*b.Margins[c]
			}
		}
		mean := sum / weight
		d := mean - fitted/weight
		leftMeans += weight * d * d
		allMeans += weight * mean * mean
	}
	return left / all, leftMeans / allMeans
}
