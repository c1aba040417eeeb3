package rls

import (
	"encoding/binary"
	"errors"
	"math"
)

// bodySize is the number of bytes of all folds. It is a float64, since an untrusted header may
// overflow an int.
func (m *Statistics) bodySize() float64 {
	return float64(m.options.Folds) * foldSize(m.options.Outputs, float64(m.features), 2, m.options.Weights)
}

// foldSize is the number of bytes of a fold, of sums of one or two words.
func foldSize(outputs int, features, words float64, weights bool) float64 {
	v, columns := float64(outputs), float64(outputs)+features
	return 8*(countInformed+v) + 8*words*(float64(sizes(weights))+v+columns*(columns+1)/2)
}

// readFolds reads all folds of a body of bodySize.
func (m *Statistics) readFolds(body []byte) {
	m.folds = make([]foldSums, m.options.Folds)
	for f := range m.folds {
		m.folds[f], body = readFold(body, m.options, m.features, true)
	}
}

// readFold reads the sums of a fold, of foldSize bytes or more, of two words or of one.
func readFold(body []byte, o StatisticsOptions, features int, two bool) (s foldSums, rest []byte) {
	s = newFoldSums(o.Outputs, o.Weights)
	s.products = newDoubles(triangle(o.Outputs + features))
	if !two {
		s.dropLow()
	}
	for i := range s.counts {
		s.counts[i] = int64(binary.LittleEndian.Uint64(body[8*i:]))
	}
	body = body[8*len(s.counts):]
	for _, d := range s.doubles() {
		body = readFloats(d.lo, readFloats(d.hi, body))
	}
	return s, body
}

func readFloats(dst []float64, b []byte) (rest []byte) {
	for i := range dst {
		dst[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return b[8*len(dst):]
}

// check refuses sums that no queries can have.
func (m *Statistics) check() error {
	total := make([]int64, countInformed+m.options.Outputs)
	for f := range m.folds {
		s := &m.folds[f]
		for i, n := range s.counts {
			if n < 0 || n > math.MaxInt64-total[i] {
				return errors.New("the counts are negative or overflow")
			}
			total[i] += n
		}
		if err := s.check(); err != nil {
			return err
		}
	}
	return nil
}

// check refuses sums that are not double words, or too large for their number of rows.
func (s *foldSums) check() error {
	most := largestNumber * largestNumber * float64(max(1, s.counts[countRows]))
	for _, d := range s.doubles() {
		for i, hi := range d.hi {
			if !(math.Abs(hi) <= most) || d.lo != nil && hi+d.lo[i] != hi {
				return errors.New("a sum is not a double word of possible size")
			}
		}
	}
	return nil
}
