package ostat

import (
	"fmt"
	"slices"
	"sync/atomic"

	"pairrank/internal/parallel"
)

// Margins is the graph of the active pairs of a pairwise hinge loss with margin 1, those with a
// loss above 0, over many lists of labelled rows, for one score vector after another. Rows i and j
// of a list with y_i > y_j are joined where f_i − f_j < 1 in floating point. A label may be a time that is
// censored: its row is above the events of the same time, and never the lower one of a pair. The graph is not
// stored. Margins computes the degrees of a row
//
//	c_i = #{ j : y_j > y_i, f_j − f_i < 1 }
//	d_i = #{ j : y_j < y_i, f_i − f_j < 1 }
//
// which are (5) and (6) of Airola, Pahikkala and Salakoski 2011, Training linear ranking SVMs in
// linearithmic time using red-black trees, and the product of a vector with the Laplacian diag(c+d)
// − A. The counts are integers, the same for every [Counting]; the sums are added in an order that
// depends on the sizes alone, so that they are the same for any number of threads.
//
// [NewMargins] and the first calls allocate memory; later calls allocate only to start goroutines.
// A Margins is not safe for concurrent use.
type Margins struct {
	halt

	rows   []int32 // the rows, list by list
	bounds []int   // of the lists
	ways   []Counting
	pairSums
	chunks []int // bounds of the pieces of work, in lists

	// tags are, for each row of rows, its key and above 32 its number. The key
	// is its place in the order of the labels of the list where the way is
	// Fenwick, else its level, 0 for the least label. Rows of one label have the
	// places of one span. The lower key of a row is the one that it has as the lower row of
	// a pair. It is its key, unless labels are censored: then places are numbered without
	// the censored rows, which follow, and the level of a censored row is the highest.
	tags   []uint64
	ties   []span  // by place
	levels []int32 // of each list
	lower  lowerKeys

	// By position in the order of the scores of a list, set by Sort; row and key of a
	// large list begin in the order of its labels.
	row    []int32   // the row at a position
	key    []int32   // its key
	least  []int32   // the first place of its label among lower keys, where the way is Fenwick
	past   []int32   // the end of the places of its label, of all places for a censored row
	score  []float64 // its score
	upTo   []int32   // positions below it have f − f_a < 1; set by Count, as are
	from   []int32   // positions from it on, which have f_a − f < 1,
	worse  []int32   // c,
	better []int32   // and d
	sums   [2][]float64

	values []float64 // of each list, while it is added up

	workers []*marginWorker
}

// span is the places of the rows of one label: from first to before end, as least and past of a Margins.
type span struct{ first, end int32 }

// Counting is an algorithm that counts and sums over the pairs of a list.
type Counting = string

const (
	// Auto takes Levels where a list has up to eight labels, else Fenwick.
	Auto Counting = "auto"
	// Levels keeps one count for each label level: O(1) a row.
	Levels Counting = "levels"
	// Fenwick counts places by their ranks within blocks of positions, and adds by
	// a Fenwick tree over blocks of places: O(log m) a row.
	Fenwick Counting = "fenwick"
	// Tree is the red-black tree with subtree sizes of the paper: O(log r) a
	// row.
	Tree Counting = "tree"
	// Direct visits every pair: O(m) a row.
	Direct Counting = "pairs"
)

// Countings are the names of all algorithms.
var Countings = []Counting{Auto, Levels, Fenwick, Tree, Direct}

// largeList is the number of rows from which a list is a separate piece of work, and is processed
// in pieces or from both sides at the same time. Shorter lists are gathered into pieces of at least
// pieceRows rows.
const (
	largeList = 1 << 14
	pieceRows = 1 << 11
)

// marginWorker is the memory of one goroutine.
type marginWorker struct {
	sort   sorter
	again  resorter // of large lists
	scores []float64
	ranks  []prefixRanks
	up, dn sideMemory
}

// sideMemory is the memory of the sweep of one side.
type sideMemory struct {
	sums blockSums
	tree rankTree
}

// NewMargins makes the lists rows[bounds[g]:bounds[g+1]] of rows labelled y and
// sorts their labels; it keeps rows and bounds. Each row is in exactly one list.
// Levels counts at most eight labels: a list of more is an error. A NaN label
// panics. Cost O(m log m).
func NewMargins(y []float64, rows []int32, bounds []int, way Counting) (*Margins, error) {
	return NewTimedMargins(y, nil, rows, bounds, way)
}

// NewTimedMargins is NewMargins of times y, of which some are censored, nil for none: rows that had no event until
// their time. The levels are those of times and, of one time, those of events before those of censored rows.
func NewTimedMargins(y []float64, censored []bool, rows []int32, bounds []int, way Counting) (*Margins, error) {
	m := len(y)
	if len(rows) != m || bounds[len(bounds)-1] != m || censored != nil && len(censored) != m {
		panic(fmt.Sprintf("ostat: %d labels with %d rows in lists up to %d, and %d marks", m, len(rows),
			bounds[len(bounds)-1], len(censored)))
	}
	ints := make([]int32, 8*m)
	cut := func() (s []int32) { s, ints = ints[:m:m], ints[m:]; return s }
	g := &Margins{
		rows: rows, bounds: bounds, ways: make([]Counting, len(bounds)-1),
		pairSums: pairSums{pairs: make([]float64, len(bounds)-1)},
		ties:     make([]span, m), tags: make([]uint64, m), levels: make([]int32, len(bounds)-1),
		row: cut(), key: cut(), least: cut(), past: cut(), upTo: cut(), from: cut(), worse: cut(), better: cut(),
		score: make([]float64, m),
	}
	g.lower.at = g.key
	if censored != nil {
		g.lower.at, g.lower.of = make([]int32, m), make([]int32, m)
	}
	g.cutWork()
	for l := range g.ways {
		if err := g.setLabels(l, y, censored, way); err != nil {
			return nil, err
		}
	}
	g.worker(0).sort = sorter{} // large lists are not sorted by it again
	return g, nil
}

// cutWork gathers short lists into pieces, which depend on the sizes alone.
func (g *Margins) cutWork() {
	g.chunks = []int{0}
	size := 0
	for l := range g.ways {
		n := g.bounds[l+1] - g.bounds[l]
		if n >= largeList && size > 0 {
			g.chunks = append(g.chunks, l)
			size = 0
		}
		if size += n; size >= pieceRows {
			g.chunks = append(g.chunks, l+1)
			size = 0
		}
	}
	if size > 0 || len(g.chunks) == 1 {
		g.chunks = append(g.chunks, len(g.ways))
	}
}

// setLabels sorts the labels of list l and chooses how it is counted.
func (g *Margins) setLabels(l int, y []float64, censored []bool, way Counting) error {
	lo, hi := g.bounds[l], g.bounds[l+1]
	w := g.worker(0)
	w.scores = grown(w.scores, hi-lo)
	tags := g.tags[lo:hi]
	for k, i := range g.rows[lo:hi] {
		w.scores[k], tags[k] = y[i], uint64(k)
	}
	sorted, ok := w.sort.order(w.scores, tags)
	if !ok {
		panic("ostat: NewMargins: a label is NaN")
	}
	level := g.least[lo:hi] // free until the first Sort
	levels, events := int32(0), 0
	for a := 0; a < len(sorted); levels++ {
		b, event := levelEnd(sorted, a, g.rows[lo:hi], censored)
		end := b
		if !event {
			end = len(sorted)
		}
		for q := a; q < b; q++ {
			g.ties[lo+q], level[q] = span{int32(events), int32(end)}, levels
		}
		g.lower.number(lo, a, b, events, event)
		g.pairs[l] += float64(b-a) * float64(events)
		if event {
			events += b - a
		}
		a = b
	}
	way, err := wayFor(way, levels)
	if err != nil {
		return err
	}
	g.lower.settle(lo, hi, level, events, way)
	g.ways[l], g.levels[l] = way, levels
	for q, e := range sorted {
		key := uint64(q)
		if way != Fenwick {
			key = uint64(level[q])
		}
		i := g.rows[lo+int(e.tag)]
		g.tags[lo+int(e.tag)] = key | uint64(i)<<32
		g.row[lo+q], g.key[lo+q] = i, int32(key)
	}
	return nil
}

// wayFor chooses for Auto by the number of levels of a list.
func wayFor(way Counting, levels int32) (Counting, error) {
	switch {
	case way == Auto && levels <= maxLevels:
		return Levels, nil
	case way == Auto:
		return Fenwick, nil
	case way == Levels && levels > maxLevels:
		return way, fmt.Errorf("a list has %d different labels, and counting by levels takes at most %d",
			levels, maxLevels)
	case !slices.Contains(Countings, way):
		return way, fmt.Errorf("unknown counter %q: known are %v", way, Countings)
	}
	return way, nil
}

// Pairs is the number of pairs of list l with different labels: N of the list.
func (g *Margins) Pairs(l int) float64 { return g.pairs[l] }

// Lists is the number of lists.
func (g *Margins) Lists() int { return len(g.ways) }

// ListRows are the rows of list l.
func (g *Margins) ListRows(l int) []int32 { return g.rows[g.bounds[l]:g.bounds[l+1]] }

// worker is the memory of goroutine id.
func (g *Margins) worker(id int) *marginWorker {
	for len(g.workers) <= id {
		g.workers = append(g.workers, &marginWorker{})
	}
	return g.workers[id]
}

// eachChunk calls do for every piece of work.
func (g *Margins) eachChunk(do func(w *marginWorker, lo, hi int)) {
	g.worker(parallel.Workers() - 1)
	workers := g.workers
	parallel.ForWorkers(len(workers), len(g.chunks)-1, func(worker, c int) {
		do(workers[worker], g.chunks[c], g.chunks[c+1])
	})
}

// Sort sets the scores f, by row, and sorts every list. It is not ok, and the
// graph undefined, when a score is NaN.
func (g *Margins) Sort(f []float64) (ok bool) {
	if len(f) != len(g.rows) {
		panic("ostat: Margins.Sort: as many scores as labels are needed")
	}
	var nan atomic.Bool
	g.eachChunk(func(w *marginWorker, lo, hi int) {
		for l := lo; l < hi; l++ {
			if !g.sortList(w, l, f) {
				nan.Store(true)
			}
		}
	})
	return !nan.Load()
}

func (g *Margins) sortList(w *marginWorker, l int, f []float64) (ok bool) {
	if g.bounds[l+1]-g.bounds[l] >= largeList {
		return g.resortList(w, l, f)
	}
	return g.sortAnew(w, l, f)
}

// sortAnew is sortList by the order of the rows.
func (g *Margins) sortAnew(w *marginWorker, l int, f []float64) (ok bool) {
	lo, hi := g.bounds[l], g.bounds[l+1]
	w.scores = grown(w.scores, hi-lo)
	gatherTo(w.scores, f, g.rows[lo:hi])
	sorted, ok := w.sort.order(w.scores, g.tags[lo:hi])
	if !ok {
		return false
	}
	row, key, score := g.row[lo:hi], g.key[lo:hi], g.score[lo:hi]
	for a, e := range sorted {
		key[a], row[a], score[a] = int32(uint32(e.tag)), int32(e.tag>>32), keyed(e.key)
	}
	g.gatherTies(l, lo, hi)
	return true
}

func gatherTo(dst, f []float64, rows []int32) {
	for k, i := range rows {
		dst[k] = f[i]
	}
}

// largePieces is the number of pieces that the n rows of a large list are cut into: even,
// and independent of the number of threads.
func largePieces(n int) int { return 2 * (1 + n/largeList) }

// inPieces calls do for pieces of the n rows of a large list.
func inPieces(n int, do func(piece, from, to int)) {
	parts := largePieces(n)
	parallel.For(parts, func(_, p int) { do(p, p*n/parts, (p+1)*n/parts) })
}

// gatherTies sets what the keys decide of the positions [from,to) of all, of list l: the lower keys and, where the way
// is Fenwick, least and past.
func (g *Margins) gatherTies(l, from, to int) {
	lo, hi := g.bounds[l], g.bounds[l+1]
	key, least, past := g.key[from:to], g.least[from:to], g.past[from:to]
	if g.lower.of != nil {
		low, lower := g.lower.at[from:to], g.lower.of[lo:hi]
		for a, k := range key {
			low[a] = lower[k]
		}
	}
	switch {
	case g.ways[l] != Fenwick:
		return
	case g.lower.of == nil && int(g.levels[l]) == hi-lo: // no ties
		for a, k := range key {
			least[a], past[a] = k, k+1
		}
		return
	}
	ties := g.ties[lo:hi]
	for a, k := range key {
		s := ties[k]
		least[a], past[a] = s.first, s.end
	}
}
