package pairrank

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/holdout"
	"pairrank/internal/memory"
	"pairrank/internal/spell"
)

// eigenSpeed is the multiplications of factorWork that one core does in a second: eigenvectors of 1,000 and of 2,000
// rows take 0.15 and 1.2 s.
const eigenSpeed = 8e10

// eigenWork is the multiplications of eigenvectors of an m×m matrix.
func eigenWork(m float64) float64 { return 12 * m * m * m }

// factorTime is how long the multiplications of a factorisation take.
func factorTime(multiplications float64) time.Duration {
	return time.Duration(multiplications / eigenSpeed * float64(time.Second)).Round(5 * time.Second)
}

// announceFactor notes before the work how long a factorisation takes that serves every λ, where that is more than ten
// seconds of one core. It tells no progress.
func (t *trainer) announceFactor() {
	exact := t.solution.exact
	if exact == nil || t.once() || exact.foldsAgain(t) {
		return
	}
	columns, factor := exact.factorWork(t, float64(t.rows()))
	columns = cmp.Or(columns, float64(t.rows())) // pairs by an inverse have none
	if factor < 10*eigenSpeed {
		return
	}
	t.journal.Add(event.Note{Code: codes.NoteFactor,
		Text: fmt.Sprintf("the %s solver factors a matrix of %.0f columns, which takes some %s of one core",
			t.solution.Solver, columns, factorTime(factor)),
		Remedy: "a basis of some rows takes a part of it, and so does one λ"})
}

// prepareLeaving sets which pairs are left out together.
func (t *trainer) prepareLeaving() (err error) {
	if t.pairsLeave() {
		err = t.pairs.Leave(t.wanted, t.solution.exact != nil)
	}
	return err
}

// longPairs is the number of predictions of pairs above which a note announces them: some seconds to a minute.
const longPairs = 2e9

// announcePairs notes that leave-one-out compares scores of different trainings, and how much work leaving out
// the pairs of queries is if it is much. It refuses pairs that do not fit into memory. The pairs of a single
// list are sampled if they are many.
func (t *trainer) announcePairs() error {
	method := t.wanted
	if method != nil && method.Kind == cv.LeaveOneOut {
		t.journal.Add(event.Note{Code: codes.NotePooled, Text: "loo compares scores of different trainings with one another",
			Remedy: "lpo compares two scores of one training"})
	}
	if method == nil || method.Kind != cv.LeavePairOut || t.solution.exact == nil || t.valid != nil || t.edges != nil ||
		t.queries.Len() == 1 {
		return nil
	}
	m := float64(t.rows())
	const panels, panelRows = 4, 256 // of m numbers each, see rls.Path.LeavePairOut
	if need, free := 8*panels*panelRows*m, memory.Free(); need > free {
		return &fault.Error{Kind: fault.Memory, Code: codes.FaultPairsOfQueries,
			Err: fmt.Errorf("leaving out pairs of %d rows would take about %s of memory, and %s are free",
				t.rows(), memory.Size(need), memory.Size(free))}
	}
	values := t.learner.count(t)
	pairs, times := m*(m-1)/2, float64(values*len(t.o.Kernels)*t.outputs)
	if pairs*times < longPairs {
		return nil
	}
	each := spell.Plural(values, "value") + " of λ"
	if n := len(t.o.Kernels); n > 1 {
		each += " and " + spell.Plural(n, "kernel")
	}
	if t.outputs > 1 {
		each += fmt.Sprintf(" and %d outputs", t.outputs)
	}
	t.journal.Add(event.Note{Code: codes.NoteManyPairs,
		Text:   fmt.Sprintf("leaving out all %.3g pairs for %s is %.3g predictions", pairs, each, pairs*times),
		Remedy: "leaving out queries is quick"})
	return nil
}

// longSearches is the work of searches from which on they are announced: some seconds of one core.
const longSearches = holdout.HalvesBudget / 4

// announceSearches notes how often features are selected anew, if that takes more than seconds.
func (t *trainer) announceSearches() {
	g, selects := t.learner.(Greedy)
	if !selects {
		return
	}
	rounds := roundsOf(t.method(t.labels(), nil), t)
	text := fmt.Sprintf("features are selected anew %d times", rounds*g.lambdas(t))
	if t.o.Nested != nil {
		outer := splitsOf(t.outer(), t)
		text += fmt.Sprintf(", and %d times in %d outer rounds", outer*(rounds*g.lambdas(t)+1), outer)
		rounds *= 1 + outer
	}
	if float64(rounds)*g.foldWork(t, 1, nil) > longSearches {
		t.journal.Add(event.Note{Code: codes.NoteManySearches, Text: text,
			Remedy: "one λ takes a part of it, and so do fewer features"})
	}
}

// tellGroups notes which rows are left out together, and what they have helped with.
func (t *trainer) tellGroups() {
	t.tellHelped()
	if t.groups != nil {
		t.journal.Note(codes.NoteGroups, "rows of a group are left out together: %s of %d rows",
			spell.Plural(t.groups.Len(), "group"), t.rows())
	}
	t.warnMixedGroups()
	if t.givenFolds != nil {
		t.journal.Note(codes.NoteGroups, "the %d folds are given", t.givenFolds.Len())
	}
}

// tellHelped notes what held-out rows help with by their features, whatever holds them out, and however often.
func (t *trainer) tellHelped() {
	if t.valid != nil || t.edges != nil && t.pairs.Leaves.Kind != "item" && t.pairs.Leaves.Kind != cv.LeaveQueryOut {
		return // rows of their own, or comparisons, whose rows stay
	}
	if what := t.helped(); len(what) > 0 {
		t.journal.Add(event.Note{Code: codes.NoteHelped,
			Text:   "held-out rows have helped, by their features and not their labels: " + strings.Join(what, ", and "),
			Remedy: "to hold this out, too, train on some rows and evaluate the model on others"})
	}
}

// helped lists what is computed from all rows before any are held out.
func (t *trainer) helped() (what []string) {
	switch {
	case t.o.Normalize == data.NormalizeZScore:
		what = append(what, "zscore has the means and deviations of all rows")
	case t.o.Normalize == data.NormalizeMinMax:
		what = append(what, "minmax has the ranges of all rows")
	case t.o.Normalize == data.NormalizeQueryMinMax && t.cutsQueries():
		what = append(what, "query-minmax has the ranges of whole queries")
	}
	if s := t.problem.Set.Substitutes; s != nil && s.Missing > 0 {
		of := "the means or least values"
		switch {
		case s.Least == nil:
			of = "the means"
		case s.Mean == nil:
			of = "the least values"
		}
		what = append(what, fmt.Sprintf("%s are %s of all rows", spell.Plural(s.Missing, "missing value"), of))
	}
	if t.bends() {
		what = append(what, "the knots of splines are quantiles of all rows")
	}
	if basis, _ := t.learner.basis(); basis.given() && len(t.support) < t.rows() {
		what = append(what, fmt.Sprintf("the %s of the basis stay", spell.Plural(len(t.support), "row")))
	}
	return what
}

// cutsQueries reports whether rows are held out without the others of their query.
func (t *trainer) cutsQueries() bool {
	m := t.wanted
	return t.queries.Len() == 1 || m != nil && m.Kind == cv.LeaveOneOut ||
		t.givenFolds != nil && !t.queries.Refines(t.givenFolds)
}

// warnMixedGroups warns of groups of a single list that have rows of both of two labels: as pairs of samples of one
// patient do, and groups that are wrong. It is no error, since lpo judges such a pair, too, without its group; only the
// reader can tell the two.
func (t *trainer) warnMixedGroups() {
	if t.groups == nil || !t.judgesTwoLabels() {
		return
	}
	mixed, first, other := 0, 0, 0
	for g := range t.groups.Len() {
		rows := t.groups.Part(g)
		at := slices.IndexFunc(rows, func(i int32) bool { return t.y[i] != t.y[rows[0]] })
		if at < 0 {
			continue
		}
		if mixed++; mixed == 1 {
			first, other = int(rows[0]), int(rows[at])
		}
	}
	if mixed > 0 {
		t.journal.Warn(codes.NoteGroups,
			"%d of %s have rows of both labels, the first with %s and %s: this is right for paired "+
				"samples of one patient; else check the column of groups", mixed, spell.Plural(t.groups.Len(), "group"),
			t.problem.Set.Called(first), t.problem.Set.Called(other))
	}
}
