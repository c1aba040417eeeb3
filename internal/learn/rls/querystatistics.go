package rls

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"pairrank/data"
)

// QueryStatistics holds the sums of one query, so that the query can be subtracted without its
// rows. For n features and v outputs it takes slightly more than 4(n+v)(n+v+1) bytes, and twice as
// many for a query of more than 216 rows, whose sums are double words. It is immutable.
type QueryStatistics struct {
	features int
	sums     foldSums // without lo where all lo are 0
}

// QueryStatistics returns the sums of a query, with x, y and weights as in Add, for AddQuery. It has the
// cost and the errors of Add.
func (m *Statistics) QueryStatistics(x data.Matrix, y, weights []float64) (*QueryStatistics, error) {
	if m.apart == nil {
		o := m.options
		o.Folds = 1
		m.apart = newStatistics(o)
	}
	one := m.apart
	one.features, one.folds[0] = 0, newFoldSums(m.options.Outputs, m.options.Weights)
	if err := one.Add(x, y, weights, 0); err != nil {
		return nil, err
	}
	one.flush()
	q := &QueryStatistics{one.features, one.folds[0]}
	if !q.sums.twoWords() {
		q.sums.dropLow()
	}
	return q, nil
}

// AddQuery adds the sums of a query to a fold, numbered from 0, as Add adds its rows. It returns an
// error, and does not change the statistics, where the counts overflow. It panics where there is no
// such fold, and for sums with another number of outputs. Cost O(n²).
func (m *Statistics) AddQuery(q *QueryStatistics, fold int) error {
	if fold < 0 || fold >= len(m.folds) || len(q.sums.counts) != countInformed+m.options.Outputs {
		panic(fmt.Sprintf("rls: the sums of a query of %d outputs, and fold %d, of statistics of %d outputs and %d "+
			"folds", len(q.sums.counts)-countInformed, fold, m.options.Outputs, len(m.folds)))
	}
	if !m.fits(q.sums.counts) {
		return errTooMany
	}
	m.flush()
	m.folds[fold].addSums(1, &q.sums)
	m.features = max(m.features, q.features)
	return nil
}

// QueryStatisticsBytes returns about the memory, in bytes, that the sums of a query take.
func QueryStatisticsBytes(rows, features, outputs int) float64 {
	const words, slices = 2, 256
	if rows <= pieceRows {
		return slices + foldSize(outputs, float64(features), 1, false)
	}
	return slices + foldSize(outputs, float64(features), words, false)
}

// Rows returns the number of rows of the query.
func (q *QueryStatistics) Rows() int64 { return q.sums.counts[countRows] }

// Features returns the number of features of its rows.
func (q *QueryStatistics) Features() int { return q.features }

// AppendBinary appends the sums to b in the format of ReadQueryStatistics: the number of features
// and the number of words of a sum, 1 or 2, as uint32, and then a fold as Statistics writes it,
// without lo where sums have one word. The error is nil.
func (q *QueryStatistics) AppendBinary(b []byte) ([]byte, error) {
	words := uint32(1)
	if q.sums.size.lo != nil {
		words = 2
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(q.features))
	b = binary.LittleEndian.AppendUint32(b, words)
	return q.sums.append(b), nil
}

// ReadQueryStatistics reads the sums of a query of Statistics with such options, and returns the
// bytes that follow. It returns an error for any other bytes. It allocates in proportion to len(b).
func ReadQueryStatistics(b []byte, o StatisticsOptions) (q *QueryStatistics, rest []byte, err error) {
	const head = 8
	if len(b) < head {
		return nil, nil, errors.New("the sums of a query are cut off")
	}
	features, words := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])
	if b = b[head:]; words != 1 && words != 2 || foldSize(o.Outputs, float64(features),
		float64(words), o.Weights) > float64(len(b)) {
		return nil, nil, fmt.Errorf("the sums of a query of %d features in %d words do not fit into %d bytes",
			features, words, len(b))
	}
	q = &QueryStatistics{features: int(features)}
	q.sums, rest = readFold(b, o, q.features, words == 2)
	if q.sums.counts[countQueries] != 1 || slices.Min(q.sums.counts) < 0 {
		return nil, nil, errors.New("the sums of a query have counts that no query has")
	}
	if words == 2 && !q.sums.twoWords() {
		return nil, nil, errors.New("the sums of a query have words of 0")
	}
	return q, rest, q.sums.check()
}

// twoWords reports whether one of the sums has a lo other than 0.
func (s *foldSums) twoWords() bool {
	for _, d := range s.doubles() {
		if slices.ContainsFunc(d.lo, func(v float64) bool { return v != 0 }) {
			return true
		}
	}
	return false
}

// dropLow leaves out all lo, which are 0.
func (s *foldSums) dropLow() { s.size.lo, s.constant.lo, s.products.lo = nil, nil, nil }
