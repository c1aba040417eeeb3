package comparison

import (
	"context"
	"errors"
	"math"
	"slices"

	"pairrank/comparison/internal/large"
	"pairrank/comparison/internal/outcome"
	"pairrank/internal/codes"
	"pairrank/internal/pick"
)

// foldOf deals the pairs of items into folds, as sets does, and returns the fold of each line.
func (b *Board) foldOf(u Unit, seed uint64) ([]int32, error) {
	of, pairs := b.l.Incidence().Pairs()
	fold, err := u.deal(pairs, seed)
	if err != nil {
		return nil, err
	}
	return pick.Rows(fold, of), nil
}

// predictLarge is Predict of a large board: each fold is predicted by the board of the others, which is trained again
// from that of all.
func (b *Board) predictLarge(ctx context.Context, u Unit, seed uint64) (*HeldOut, error) {
	if u.Kind != "kfold" {
		return nil, b.needs("leaving out each "+u.named(b.p.Added), codes.FaultLargeHoldOut)
	}
	fold, err := b.foldOf(u, seed)
	if err != nil {
		return nil, err
	}
	p := b.p
	h := &HeldOut{Unit: u, Sets: u.Folds, Retrained: true, Margins: make([][3]float64, p.count())}
	etas, margins := make([]float64, u.Folds), make([]float64, p.count())
	for k := range u.Folds {
		rest, place := b.l.Without(fold, k), slices.Clone(b.unknown)
		out, err := rest.Train(ctx, place, margins)
		if errors.Is(err, large.ErrSeparated) {
			err = &SeparatedError{Fold: k + 1}
		}
		if err != nil {
			b.l.Settle(b.unknown, b.Margins)
			return nil, err
		}
		h.Residual = max(h.Residual, out.Residual)
		etas[k] = b.s.EtaOf(place)
		parts := rest.Parts() // between which lines are not determined
		for c, f := range fold {
			if m := margins[c]; int(f) == k {
				if l := p.source().At(c); parts != nil && parts.Of()[l.Left] != parts.Of()[l.Right] {
					m = math.NaN()
				}
				h.Margins[c] = [3]float64{m, m, m}
			}
		}
	}
	b.l.Settle(b.unknown, b.Margins)
	b.measureFolds(h, fold, etas)
	return h, nil
}

// measureFolds is measure of margins without the fold of each line, without a set of lines for each fold.
func (b *Board) measureFolds(h *HeldOut, fold []int32, etas []float64) {
	p := b.p
	kind, sets := p.independent(FewUnits)
	folds, units := make([]unit, h.Sets), make([]unit, len(sets))
	of := p.setOf(sets)
	t := &tally{o: b.o, h: h, least: b.least()}
	for c := range p.count() {
		l, u := p.source().At(c), unit{times: 1}
		for k, count := range l.Counts() {
			if count == 0 || b.s.Loss.Silent(outcome.Kind(k)) {
				continue
			}
			wrong, wins := t.add(l, outcome.Kind(k), count, l.OutcomeWeight(), h.Margins[c][k], etas[fold[c]])
			u.wrong, u.wins = u.wrong+count*wrong, u.wins+count*wins
		}
		folds[fold[c]].join(u)
		if kind != "" {
			units[of[c]].join(u)
		}
	}
	t.end()
	if h.over(h.Unit.Kind, folds); kind != "" {
		h.orOver(kind, units)
	}
}

// join adds the wins of a part of a unit.
func (g *unit) join(u unit) { g.times, g.wrong, g.wins = 1, g.wrong+u.wrong, g.wins+u.wins }
