package rls

import (
	"encoding/binary"
	"errors"
	"math"
)

// bodySize is the number of bytes of all folds, for a header from anywhere.
func (m *Moments) bodySize() float64 {
	v, columns := float64(m.options.Outputs), float64(m.options.Outputs+m.features)
	fold := 8*(3+v) + 16*(1+v) + 8*columns*(columns+1)
	return float64(m.options.Folds) * fold
}

// readFolds reads all folds of a body of bodySize.
func (m *Moments) readFolds(body []byte) {
	v := m.options.Outputs
	m.folds = make([]foldSums, m.options.Folds)
	for f := range m.folds {
		s := newFoldSums(v)
		s.products = newDoubles(triangle(v + m.features))
		for i := range s.counts {
			s.counts[i] = int64(binary.LittleEndian.Uint64(body[8*i:]))
		}
		body = body[8*len(s.counts):]
		for _, d := range []doubles{s.size, s.constant, s.products} {
			body = readFloats(d.lo, readFloats(d.hi, body))
		}
		m.folds[f] = s
	}
}

func readFloats(dst []float64, b []byte) (rest []byte) {
	for i := range dst {
		dst[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return b[8*len(dst):]
}

// check refuses sums that no queries have.
func (m *Moments) check() error {
	total := make([]int64, countInformed+m.options.Outputs)
	for f := range m.folds {
		s := &m.folds[f]
		for i, n := range s.counts {
			if n < 0 || n > math.MaxInt64-total[i] {
				return errors.New("the counts are negative or overflow")
			}
			total[i] += n
		}
		most := largestNumber * largestNumber * float64(max(1, s.counts[countRows]))
		for _, d := range []doubles{s.size, s.constant, s.products} {
			for i, hi := range d.hi {
				if !(math.Abs(hi) <= most) || hi+d.lo[i] != hi {
					return errors.New("a sum is not a double word of possible size")
				}
			}
		}
	}
	return nil
}
