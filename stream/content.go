package stream

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"

	"pairrank/data"
)

// queryContent is a hash of the rows of a query: their labels, after the threshold, with their weights, if they have
// some, and their features other than 0, before the normalisation and the map, in any order of the rows. 0 is unknown,
// as in files that were written before the hash existed.
//
// A row is 1 + Σ_j k_j bits(x_j) + Σ_c k'_c bits(y_c) mod 2¹²⁸ for 64-bit keys k, mixed by a bijection. A query
// is the first 16 bytes of the SHA-256 of the sum of its rows mod 2¹²⁸. For random keys two different rows
// collide with probability at most 2⁻⁶³ (Lemire and Kaser 2014, Strongly universal string hashing is fast,
// section 3). The keys are public, so the hash finds mistakes and not forgeries: docs/decisions/units.md.
type queryContent [16]byte

func (c queryContent) known() bool { return c != queryContent{} }

// repeated says how many queries of two rows and more have the same rows as another one, and where two of these begin;
// "" where there are none. It costs O(q log q) for q queries.
func (s *Statistics) repeated() string {
	keys := slices.DeleteFunc(s.sortedKeys(), func(key queryKey) bool {
		return s.names[key].rows < 2 || !s.names[key].content.known()
	})
	slices.SortStableFunc(keys, func(a, b queryKey) int {
		p, q := s.names[a], s.names[b]
		return cmp.Or(cmp.Compare(p.source, q.source), cmp.Compare(p.line, q.line))
	})
	of := make(map[queryContent][]queryKey, len(keys))
	for _, key := range keys {
		content := s.names[key].content
		of[content] = append(of[content], key)
	}
	queries, where := 0, ""
	for _, key := range keys {
		same := of[s.names[key].content]
		if len(same) < 2 {
			continue
		}
		if queries++; queries == 1 {
			p, q := s.names[same[0]], s.names[same[1]]
			where = fmt.Sprintf("%s and %s", place(s.sources[p.source].Name, int(p.line)),
				place(s.sources[q.source].Name, int(q.line)))
		}
	}
	if queries == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d queries have the same rows as another query, and count as independent, as those of %s",
		queries, s.Queries(), where)
}

// contentOf returns the content of rows x with so many labels each. It costs O(1) a stored value.
func contentOf(x data.Matrix, y []float64, outputs int) (c queryContent) {
	var total contentSum
	keys := contentKeys()
	dense, _ := x.(*data.Dense)
	sparse, _ := x.(*data.CSR)
	m, _ := x.Dims()
	for i := range m {
		var row contentSum
		if dense != nil {
			row = keys.dense(dense.Row(i))
		} else {
			row = keys.sparse(sparse.Row(i))
		}
		for o, label := range y[i*outputs : (i+1)*outputs] {
			row.take(contentKey(1<<63+uint64(o)), label)
		}
		total.add(row.mixed())
	}
	b := binary.BigEndian.AppendUint64(nil, total.hi)
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(b, total.lo))
	copy(c[:], sum[:])
	return c
}

// keyTable holds the keys of the first features.
type keyTable [4096]uint64

var contentKeys = sync.OnceValue(func() *keyTable {
	var keys keyTable
	for j := range keys {
		keys[j] = contentKey(uint64(j))
	}
	return &keys
})

// dense is 1 and the sum of a dense row, in two sums that the processor computes in parallel.
func (t *keyTable) dense(x []float64) contentSum {
	n := min(len(x), len(t)) &^ 1
	known, keys := x[:n], t[:n]
	var carry uint64
	h0, l0, h1, l1 := uint64(0), uint64(1), uint64(0), uint64(0)
	for j := 0; j+1 < len(known) && j+1 < len(keys); j += 2 {
		hi, lo := bits.Mul64(keys[j], math.Float64bits(known[j]+0)) // + 0 makes both zeros one
		l0, carry = bits.Add64(l0, lo, 0)
		h0 += hi + carry
		hi, lo = bits.Mul64(keys[j+1], math.Float64bits(known[j+1]+0))
		l1, carry = bits.Add64(l1, lo, 0)
		h1 += hi + carry
	}
	sum := contentSum{h0, l0}
	sum.add(contentSum{h1, l1})
	for j, v := range x[n:] {
		sum.take(contentKey(uint64(n+j)), v)
	}
	return sum
}

// sparse is 1 and the sum of a sparse row.
func (t *keyTable) sparse(cols []int32, vals []float64) contentSum {
	sum := contentSum{lo: 1}
	for k, v := range vals[:len(cols)] {
		if j := uint64(cols[k]); j < uint64(len(t)) {
			sum.take(t[j], v)
		} else {
			sum.take(contentKey(j), v)
		}
	}
	return sum
}

// contentSum is a number modulo 2¹²⁸.
type contentSum struct{ hi, lo uint64 }

func (s *contentSum) add(o contentSum) {
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, o.lo, 0)
	s.hi += o.hi + carry
}

// take adds the product of a key and the bits of a value, 0 for both zeros.
func (s *contentSum) take(key uint64, v float64) {
	hi, lo := bits.Mul64(key, math.Float64bits(v+0))
	s.add(contentSum{hi, lo})
}

// mixed is a bijection of s: the finaliser of MurmurHash3 for two 64-bit words (Appleby 2011). Without it,
// labels that two rows exchange would leave the sum of all rows unchanged.
func (s contentSum) mixed() contentSum {
	s.hi += s.lo
	s.lo += s.hi
	s.hi, s.lo = mixed64(s.hi), mixed64(s.lo)
	s.hi += s.lo
	s.lo += s.hi
	return s
}

func mixed64(k uint64) uint64 {
	k = (k ^ k>>33) * 0xff51afd7ed558ccd
	k = (k ^ k>>33) * 0xc4ceb9fe1a85ec53
	return k ^ k>>33
}

// contentKey is the key of feature j, from 0, and of output c for j = 2⁶³+c: number j of the
// generator SplitMix64 with seed 0 (Steele, Lea and Flood 2014).
func contentKey(j uint64) uint64 {
	z := (j + 1) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
