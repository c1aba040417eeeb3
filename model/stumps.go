package model

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/internal/modelfile"
	"pairrank/internal/parallel"
)

// Stump scores Weight where the feature is above Threshold, else 0.
type Stump struct {
	Feature           int // from 0
	Threshold, Weight float64
}

// Stumps scores Σ_t w_t [x_(j_t) > θ_t] over its terms, the result of boosting.
type Stumps struct {
	Features int     // n, at least as many as the terms name
	Terms    []Stump // in the order they are added
}

// Part returns the terms [lo,hi), a view: Part(0, t) is the first t rounds of a boosted
// model. Cost O(1). It panics when lo or hi is out of range.
func (s *Stumps) Part(lo, hi int) *Stumps {
	return &Stumps{Features: s.Features, Terms: s.Terms[:len(s.Terms):len(s.Terms)][lo:hi:hi]}
}

// ScoreTo sets dst, of length m, to the scores of the m rows of x: AddTo from zero, at
// the same cost. It panics where AddTo does.
func (s *Stumps) ScoreTo(dst []float64, x data.Matrix) {
	clear(dst)
	s.AddTo(dst, x)
}

// AddTo adds the scores of the rows of x to dst, of length m, term by term. Scores after several
// numbers of rounds thus cost one pass over the terms: adding Part(0, a) and then Part(a, b) gives
// the bytes of Part(0, b). With T terms it costs O(T) a row, for CSR with s stored values O(T + s),
// on all cores, with the same bytes for any number of threads, and allocates nothing for a row. x
// may have fewer than n columns; missing features are zero. It panics when x has more columns or
// len(dst) ≠ m.
func (s *Stumps) AddTo(dst []float64, x data.Matrix) {
	m, cols := x.Dims()
	checkShape("Stumps.AddTo", len(dst), m, cols, s.Features)
	switch x := x.(type) {
	case *data.Dense:
		s.addDense(dst, x)
	case *data.CSR:
		s.addSparse(dst, x)
	default:
		panic(fmt.Sprintf("model: no scores for a matrix of type %T", x))
	}
}

// stumpRows is how many rows a piece of work has.
const stumpRows = 256

func (s *Stumps) addDense(dst []float64, x *data.Dense) {
	parallel.Chunks(x.Rows, stumpRows, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			dst[i] = addTerms(dst[i], s.Terms, x.Row(i))
		}
	})
}

// addTerms adds the terms of a row to sum; missing features are zero. The side of a threshold is
// unpredictable, so the weight is masked, without a branch.
func addTerms(sum float64, terms []Stump, row []float64) float64 {
	for k := range terms {
		t := &terms[k]
		value := 0.0
		if t.Feature < len(row) {
			value = row[t.Feature]
		}
		var above uint64
		if value > t.Threshold {
			above = 1
		}
		sum += math.Float64frombits(math.Float64bits(t.Weight) & -above)
	}
	return sum
}

// addSparse takes from each row the values of the features that the terms name,
// side by side, and adds up as for a dense row of these alone.
func (s *Stumps) addSparse(dst []float64, x *data.CSR) {
	used, terms := s.compact()
	workers := parallel.Workers()
	scratch := make([]float64, workers*len(used))
	pieces := (x.Rows + stumpRows - 1) / stumpRows
	parallel.ForWorkers(workers, pieces, func(worker, k int) {
		row := scratch[worker*len(used) : (worker+1)*len(used)]
		for i := k * stumpRows; i < min(x.Rows, (k+1)*stumpRows); i++ {
			pick(row, used, x, i)
			dst[i] = addTerms(dst[i], terms, row)
		}
	})
}

// compact is the features that the terms name, ascending, and the terms with
// their place among them.
func (s *Stumps) compact() (used []int32, terms []Stump) {
	for _, t := range s.Terms {
		used = append(used, int32(t.Feature))
	}
	slices.Sort(used)
	used = slices.Compact(used)
	terms = slices.Clone(s.Terms)
	for k := range terms {
		terms[k].Feature, _ = slices.BinarySearch(used, int32(terms[k].Feature))
	}
	return used, terms
}

// pick sets dst to the values of row i of x in the ascending columns used.
func pick(dst []float64, used []int32, x *data.CSR, i int) {
	cols, vals := x.Row(i)
	k := 0
	for a, j := range used {
		for k < len(cols) && cols[k] < j {
			k++
		}
		dst[a] = 0
		if k < len(cols) && cols[k] == j {
			dst[a] = vals[k]
		}
	}
}

func (s *Stumps) shape() (features, outputs int) { return s.Features, 1 }

func (s *Stumps) spec() string { return "" }

func (s *Stumps) version() int { return 2 }

func (s *Stumps) check(int) error {
	if s.Features < 0 || s.Features > math.MaxInt32 {
		return fmt.Errorf("%d features of stumps are not from 0 to %d", s.Features, math.MaxInt32)
	}
	for k, t := range s.Terms {
		if t.Feature < 0 || t.Feature >= s.Features {
			return fmt.Errorf("stump %d uses feature %d of %d", k+1, t.Feature+1, s.Features)
		}
	}
	return nil
}

// finite reports which term has a number that is NaN or infinite.
func (s *Stumps) finite() error {
	for k, t := range s.Terms {
		if modelfile.NotFinite(t.Threshold) || modelfile.NotFinite(t.Weight) {
			return fmt.Errorf("stump %d is not finite: threshold %v, weight %v", k+1, t.Threshold, t.Weight)
		}
	}
	return nil
}

// write writes their number and a line "feature threshold weight" a term, the
// features from 1.
func (s *Stumps) write(w *modelfile.Writer) {
	w.Line("stumps", strconv.Itoa(len(s.Terms)))
	for _, t := range s.Terms {
		w.WriteString(strconv.Itoa(t.Feature + 1))
		w.WriteByte(' ')
		w.Numbers([]float64{t.Threshold, t.Weight})
	}
}

// readStumps reads so many terms.
func readStumps(r *modelfile.Reader, features, terms int) (*Stumps, error) {
	if err := r.Room(terms, 3); err != nil {
		return nil, err
	}
	s := &Stumps{Features: features, Terms: make([]Stump, terms)}
	for k := range s.Terms {
		line, err := r.Line()
		if err == nil {
			err = s.Terms[k].parse(line, features)
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (t *Stump) parse(line string, features int) error {
	fields := strings.Split(line, " ")
	if len(fields) != 3 {
		return fmt.Errorf("a stump is feature, threshold, weight, not %q", modelfile.Clip(line))
	}
	j, err := modelfile.ParseCount(fields[0])
	if err != nil {
		return err
	}
	if j < 1 || j > features {
		return fmt.Errorf("feature %d is not from 1 to %d", j, features)
	}
	t.Feature = j - 1
	if t.Threshold, err = modelfile.ParseNumber(fields[1]); err != nil {
		return err
	}
	t.Weight, err = modelfile.ParseNumber(fields[2])
	return err
}
