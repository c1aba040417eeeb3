package comparison

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/comparison/internal/outcome"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/parallel"
)

// Unit is a kind of comparisons that are left out together.
type Unit struct {
	// Kind is comparison, line, pair, annotator, cluster, stratum, item or kfold.
	Kind string
	// Folds is K of kfold, else 0.
	Folds int
}

// unitKinds are the kinds of Unit.
var unitKinds = []string{"comparison", "line", "pair", "annotator", "cluster", "stratum", "item", "kfold"}

// ParseUnit reads a kind, or kfold:K with K ≥ 2. It returns an error that lists them for anything else.
func ParseUnit(name string) (Unit, error) {
	if kind, _, _ := strings.Cut(name, ":"); kind == string(cv.KFold) {
		m, err := cv.ParseMethod(name)
		return Unit{kind, m.Folds}, err
	}
	if !slices.Contains(unitKinds, name) {
		return Unit{}, fmt.Errorf("unknown unit %q: known are %s:K", name, strings.Join(unitKinds, ", "))
	}
	return Unit{Kind: name}, nil
}

// String is the name that ParseUnit reads back.
func (u Unit) String() string {
	if u.Kind == "kfold" {
		return "kfold:" + strconv.Itoa(u.Folds)
	}
	return u.Kind
}

// HeldOut measures how well the board predicts comparisons that were left out.
type HeldOut struct {
	Unit Unit
	// Sets is how many sets of lines were left out; for comparison the number of single outcomes.
	Sets int
	// Error is the share of the weight of wins that the margins without them order wrongly, equal margins ½;
	// it is undefined without wins. An outcome between a win and a loss is a win of the side that it favours. StdErr is
	// over the sets, and with units of Problem.Independent the larger of that and of the one over these. For items and
	// pairs it takes lines that share an item as dependent (Aronow, Samii and Assenova 2015, Cluster-robust variance
	// estimation for dyadic data). It is undefined over fewer than three.
	Error, StdErr metric.Value
	// Independent is the number of units, sets or outcomes with a win over which StdErr is taken, for pairs that of
	// their items where these are fewer. Over names one: the kind of the unit. Effective is the number of units of one
	// size that weigh as these do.
	Independent int
	Over        string
	Effective   float64
	// Loss is the mean loss of an outcome: the log-loss of the logistic loss, which for an outcome y between a win and
	// a loss is −y log p − (1 − y) log(1 − p), or the squared error.
	Loss metric.Value
	// Undetermined is the weight of outcomes whose margin the others do not determine, and Weight that of all. They
	// count ½ in Error, and not in Loss.
	Undetermined, Weight float64
	// Approximate says that the margins are a Newton step from the board of all. Retrained says that each set was
	// left out by training again: a large board has no other way. Residual is then the largest of Board.Residual.
	Approximate, Retrained bool
	Residual               float64
	// Stepped is how many sets leave scores with factors of annotators without a finite optimum: these are one step of
	// Newton from the board of all.
	Stepped int
	// Margins are those of the lines, for win, loss and tie apart; the three are equal but for comparison. NaN is
	// one that is not determined, or for comparison an outcome that the line does not have. For item they are the
	// mean of the margins without the left and without the right item, which Sides has; nil for others.
	Margins [][3]float64
	Sides   [][2]float64
}

// view is a prediction of each line: the margins and η of its outcomes.
type view struct{ margins, etas [][3]float64 }

func newView(lines int) view { return view{make([][3]float64, lines), make([][3]float64, lines)} }

func (v view) set(c int, margin, eta float64) {
	v.margins[c], v.etas[c] = [3]float64{margin, margin, margin}, [3]float64{eta, eta, eta}
}

// Predict leaves out every unit, and measures how the margins predict its outcomes. For items each line counts twice,
// predicted without its left item and without its right one. seed deals the folds, of pairs of items. It returns
// an error where the problem lacks what is to be left out, and one of large boards for all but kfold, for
// which these train again until ctx is done. It costs one HoldOut without the scores, or C times O(p²) for comparison.
func (b *Board) Predict(ctx context.Context, u Unit, seed uint64) (*HeldOut, error) {
	if b.factors != nil {
		return b.predictFactors(ctx, u, seed)
	}
	if b.l != nil {
		return b.predictLarge(ctx, u, seed)
	}
	h := &HeldOut{Unit: u, Approximate: b.o.Loss == Logistic}
	p := b.p
	sets, err := b.sets(u, seed)
	if err != nil {
		return nil, err
	}
	lines := p.Lines
	views := []view{newView(len(lines))}
	h.Margins = views[0].margins
	switch u.Kind {
	case "comparison":
		for c := range lines {
			h.Margins[c], views[0].etas[c] = b.f.Single(c)
			for k, n := range lines[c].Counts() {
				if !b.s.Loss.Silent(outcome.Kind(k)) {
					h.Sets += int(math.Ceil(n))
				}
			}
		}
	case "item":
		views = append(views, newView(len(lines)))
		h.Sets = len(sets)
		b.leaveEach(sets, func(g, c int, margin, eta float64) {
			if lines[c].Left == g {
				views[0].set(c, margin, eta)
			} else {
				views[1].set(c, margin, eta)
			}
		})
		h.setSides(views)
	default:
		h.Sets = len(sets)
		b.leaveEach(sets, func(_, c int, margin, eta float64) { views[0].set(c, margin, eta) })
	}
	b.measure(h, sets, views)
	return h, nil
}

// named is the name of a unit for a message: outcomes that were lines of their own, which were added, are lines.
func (u Unit) named(added bool) string {
	if u.Kind == "comparison" && added {
		return ofLines
	}
	return u.Kind
}

// predictFactors is Predict of a board with factors, by training again without each set, with the same shrinkage. An
// annotator that is left out has the factor 1.
func (b *Board) predictFactors(ctx context.Context, u Unit, seed uint64) (*HeldOut, error) {
	sets, err := b.sets(u, seed)
	if u.Kind == "comparison" && err == nil {
		sets, err = b.p.singles()
	}
	if err == nil {
		err = b.retraining(len(sets), u.named(b.p.Added))
	}
	if err != nil {
		return nil, fault.As(fault.Use, codes.FaultFactors, err)
	}
	v := newView(b.p.count())
	stepped, err := b.eachWithout(ctx, sets, func(g int, rest *Board) {
		for _, c := range sets[g] {
			v.set(c, rest.marginOf(b.p, c), 0)
		}
	})
	if err != nil {
		return nil, err
	}
	h := &HeldOut{Unit: u, Sets: len(sets), Retrained: true, Stepped: stepped, Margins: v.margins}
	b.measure(h, sets, []view{v})
	return h, nil
}

// setSides sets the margins without the left and without the right items.
func (h *HeldOut) setSides(views []view) {
	h.Margins, h.Sides = make([][3]float64, len(h.Margins)), make([][2]float64, len(h.Margins))
	for c := range h.Margins {
		for k := range 3 {
			h.Margins[c][k] = (views[0].margins[c][k] + views[1].margins[c][k]) / 2
		}
		h.Sides[c] = [2]float64{views[0].margins[c][0], views[1].margins[c][0]}
	}
}

// leaveEach calls f for each line c of each set g, with its margin and η without the set.
func (b *Board) leaveEach(sets [][]int, f func(g, c int, margin, eta float64)) {
	parallel.For(len(sets), func(_, g int) {
		w := b.f.Without(sets[g], false)
		for a, c := range sets[g] {
			f(g, c, w.Margins[a], w.Eta)
		}
	})
}
