package ranksvm

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/checksum"
	"pairrank/internal/parallel"
	"pairrank/internal/processes"
	"pairrank/pref"
)

// A checkpoint is little-endian:
//
//	magic        8 bytes  "prsvmckp"
//	version      uint64   1
//	n            uint64   features
//	planes t     uint64
//	loss         uint64   its place in Losses
//	weight       uint64   0 pairs, 1 edges
//	N            float64  pairs of all processes
//	fingerprint  uint64   of the rows, labels and queries of all processes
//	λ            float64
//	iteration    uint64
//	J            float64
//	w            n float64
//	planes       t times n float64 and the offset
//	checksum     32 bytes SHA-256 of all before

const (
	magic   = "prsvmckp"
	version = 1
	header  = 11 * 8
)

// identity holds the facts that a checkpoint must share with a training.
type identity struct {
	features    int
	loss        Loss
	weight      pref.Weight
	pairs       float64
	fingerprint uint64
}

func (s *Solver) identity() identity {
	_, n := s.x.Dims()
	return identity{n, s.o.Loss, s.o.Weight, s.pairs, s.fingerprint}
}

var weights = []pref.Weight{pref.Pairs, pref.Edges}

func (st *state) write(w io.Writer, id identity) error {
	sum := sha256.New()
	to := io.MultiWriter(w, sum)
	head := []uint64{version, uint64(id.features), uint64(len(st.slopes)), uint64(slices.Index(Losses, id.loss)),
		uint64(slices.Index(weights, id.weight)), math.Float64bits(id.pairs), id.fingerprint,
		math.Float64bits(st.lambda),
		uint64(st.iteration), math.Float64bits(st.objective)}
	if _, err := io.WriteString(to, magic); err != nil {
		return err
	}
	parts := []any{head, st.w}
	for i, a := range st.slopes {
		parts = append(parts, a, st.offsets[i])
	}
	for _, part := range parts {
		if err := binary.Write(to, binary.LittleEndian, part); err != nil {
			return err
		}
	}
	_, err := w.Write(sum.Sum(nil))
	return err
}

// other is the reason to refuse a checkpoint that differs in one fact.
func other(what string, has, wanted any) string {
	return fmt.Sprintf("belongs to another training: its %s is %v, and here it is %v", what, has, wanted)
}

// parse reads a checkpoint; a reason says why it is refused.
func parse(text []byte, id identity) (st *state, reason string) {
	if len(text) < len(magic) || string(text[:len(magic)]) != magic {
		return nil, "is not one of RankSVM"
	}
	if len(text) < header {
		return nil, fmt.Sprintf("is cut short: it has %d bytes, and its header alone takes %d", len(text), header)
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(text[8*i:]) }
	if v := word(1); v != version {
		return nil, fmt.Sprintf("has version %d, and this program reads version %d", v, version)
	}
	n, t := word(2), word(3)
	const most = 1 << 30 // with which the size below is a number of 64 bits
	if n > most || t > most {
		return nil, "is damaged: its sizes are beyond every file"
	}
	size := header + 8*(n+t*(n+1)) + checksum.Size
	if uint64(len(text)) < size {
		return nil, fmt.Sprintf("is cut short: it has %d bytes of %d", len(text), size)
	}
	body := len(text) - checksum.Size
	if uint64(len(text)) > size || !checksum.Holds(text) {
		return nil, "is damaged: its checksum does not match"
	}
	if reason = id.differs(text); reason != "" {
		return nil, reason
	}
	st = &state{lambda: math.Float64frombits(word(8)), iteration: int(word(9)),
		objective: math.Float64frombits(word(10))}
	rest := text[header:body]
	numbers := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = math.Float64frombits(binary.LittleEndian.Uint64(rest[8*i:]))
		}
		rest = rest[8*n:]
		return v
	}
	st.w = numbers(int(n))
	for range t {
		st.slopes = append(st.slopes, numbers(int(n)))
		st.offsets = append(st.offsets, numbers(1)[0])
	}
	return st, ""
}

// differs says in which fact the head of a complete checkpoint differs from this training.
func (id identity) differs(text []byte) string {
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(text[8*i:]) }
	name := func(list []string, i uint64) string {
		if i < uint64(len(list)) {
			return list[i]
		}
		return "unknown"
	}
	losses, ways := []string{string(Hinge), string(SquaredHinge)}, []string{string(pref.Pairs), string(pref.Edges)}
	switch loss, way, pairs := name(losses, word(4)), name(ways, word(5)), math.Float64frombits(word(6)); {
	case word(2) != uint64(id.features):
		return other("number of features", word(2), id.features)
	case loss != string(id.loss):
		return other("loss", loss, id.loss)
	case way != string(id.weight):
		return other("query weight", way, id.weight)
	case pairs != id.pairs:
		return other("number of pairs", pairs, id.pairs)
	case word(7) != id.fingerprint:
		return "has other data: rows, labels or queries have changed since"
	}
	return ""
}

// Fingerprint returns a hash of rows x, m×n, with their m labels and queries. It does not depend on
// the order of the rows, nor on dense or sparse storage. It is a sum over the queries modulo 2⁶⁴,
// so that the sum over processes is the hash of all rows, however the queries are spread. It costs
// a pass over the stored values, and 8m bytes. It panics when the lengths do not fit.
func Fingerprint(x data.Matrix, y []float64, queries *pref.Partition) (sum uint64) {
	rows := make([]uint64, len(y))
	parallel.Chunks(len(y), 1<<9, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			h := uint64(0)
			data.Each(x, i, func(j int, v float64) {
				if v != 0 {
					h += processes.Mix(math.Float64bits(v) ^ processes.Mix(uint64(j)))
				}
			})
			rows[i] = processes.Mix(h ^ processes.Mix(math.Float64bits(y[i]+0)))
		}
	})
	for g := range queries.Len() {
		h := uint64(0)
		for _, i := range queries.Part(g) {
			h += rows[i]
		}
		if h != 0 {
			sum += processes.Mix(h)
		}
	}
	return sum
}

// limbs splits a sum modulo 2⁶⁴ into four numbers that may be added over processes; limbed combines
// such sums again.
func limbs(h uint64) []float64 {
	v := make([]float64, 4)
	for i := range v {
		v[i] = float64(h >> (16 * i) & 0xffff)
	}
	return v
}

func limbed(v []float64) (h uint64) {
	for i, limb := range v {
		h += uint64(limb) << (16 * i)
	}
	return h
}
