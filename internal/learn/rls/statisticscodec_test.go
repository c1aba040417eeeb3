package rls_test

import (
	"bytes"
	"crypto/sha256"
	"encoding"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/learn/rls"
	"pairrank/pref"
)

var (
	_ encoding.BinaryAppender    = (*rls.Statistics)(nil)
	_ encoding.BinaryMarshaler   = (*rls.Statistics)(nil)
	_ encoding.BinaryUnmarshaler = (*rls.Statistics)(nil)
)

// small are statistics of a few bytes.
func small(t testing.TB, o rls.StatisticsOptions) *rls.Statistics {
	m := newStatistics(t, o)
	add(t, m, data.NewDense(3, 2, []float64{0.1, 2, 3, 4, 5, 7}), []float64{1, 2, 4}, 0)
	return m
}

func TestStatisticsComeBackAsTheyWere(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 3))
	for range problems(t, 60) {
		p := gen.New(r, gen.Options{MaxRows: 200})
		o := everyGoal[r.IntN(len(everyGoal))]
		options := statisticsOptions(o.regression, o.Options)
		options.Folds = 1 + r.IntN(4)
		m := statisticsOf(t, p, options, r)
		b, err := m.AppendBinary([]byte("before"))
		if err != nil {
			t.Fatal(err)
		}
		after, cut := bytes.CutPrefix(b, []byte("before"))
		var n rls.Statistics
		if err := n.UnmarshalBinary(after); err != nil || !cut {
			t.Fatal(err)
		}
		if again, err := n.MarshalBinary(); err != nil || !bytes.Equal(again, after) {
			t.Fatalf("other bytes come back, or %v", err)
		}
		if n.Options() != m.Options() || n.Features() != m.Features() || n.Rows() != m.Rows() ||
			n.Queries() != m.Queries() || n.Pairs() != m.Pairs() {
			t.Fatal("other options or counts come back")
		}
		sameWeights(t, "come back", solved(t, &n, 1).Coef.Data, solved(t, m, 1).Coef.Data, 0)
		x, y := queryOf(p, 0, 1)
		add(t, &n, x, y, 0)
		add(t, m, x, y, 0)
		if bytesOf(t, &n) != bytesOf(t, m) {
			t.Fatal("other sums follow")
		}
	}
	empty := newStatistics(t, rls.StatisticsOptions{Outputs: 3})
	var n rls.Statistics
	if err := n.UnmarshalBinary([]byte(bytesOf(t, empty))); err != nil || n.Features() != 0 {
		t.Errorf("%v of no query", err)
	}
}

func TestStatisticsThatAreNotWhole(t *testing.T) {
	whole := []byte(bytesOf(t, small(t, rls.StatisticsOptions{Folds: 2})))
	var m rls.Statistics
	for n := range whole {
		if err := m.UnmarshalBinary(whole[:n]); !errors.Is(err, rls.ErrTruncated) {
			t.Fatalf("cut to %d bytes of %d: %v", n, len(whole), err)
		}
	}
	for i := range whole {
		for bit := range 8 {
			flipped := bytes.Clone(whole)
			flipped[i] ^= 1 << bit
			want := rls.ErrAltered
			if i < 16 {
				want = rls.ErrNotStatistics
			}
			if err := m.UnmarshalBinary(flipped); !errors.Is(err, want) {
				t.Fatalf("bit %d of byte %d flipped: %v, want %v", bit, i, err, want)
			}
		}
	}
	if err := m.UnmarshalBinary(append(bytes.Clone(whole), 0)); !errors.Is(err, rls.ErrAltered) {
		t.Errorf("a byte too many: %v", err)
	}
	if err := m.UnmarshalBinary([]byte("%!PS-Adobe, which is something else")); !errors.Is(err, rls.ErrNotStatistics) {
		t.Errorf("foreign bytes: %v", err)
	}
	later := signed(whole, 16, 4)
	if err := m.UnmarshalBinary(later); !errors.Is(err, rls.ErrVersion) {
		t.Errorf("a later version: %v", err)
	}
	if err := m.UnmarshalBinary(signed(whole, 16, 2)); !errors.Is(err, rls.ErrAltered) {
		t.Errorf("the version of times, of labels: %v", err)
	}
	if err := m.UnmarshalBinary(signed(whole, 16, 3)); !errors.Is(err, rls.ErrAltered) {
		t.Errorf("the version of weights, of rows without: %v", err)
	}
	if m.Features() != 0 || m.Options() != (rls.StatisticsOptions{}) {
		t.Error("what was refused changed the statistics")
	}
}

// signed is b with a number in place of the uint32 at i, and valid checksums.
func signed(b []byte, i int, n uint32) []byte {
	const header = 16 + 4*4 + 8 + 3*16
	s := bytes.Clone(b)
	binary.LittleEndian.PutUint32(s[i:], n)
	check := sha256.Sum256(s[:header])
	copy(s[header:], check[:8])
	sum := sha256.Sum256(s[:len(s)-sha256.Size])
	copy(s[len(s)-sha256.Size:], sum[:])
	return s
}

// Bytes with valid checksums and invalid content are refused before memory is allocated by their
// sizes.
func TestStatisticsThatClaimTooMuch(t *testing.T) {
	whole := []byte(bytesOf(t, small(t, rls.StatisticsOptions{Folds: 2})))
	var m rls.Statistics
	for name, b := range map[string][]byte{
		"features":     signed(whole, 32, 1<<31-1),
		"outputs":      signed(whole, 24, 1<<31-1),
		"folds":        signed(whole, 28, 1<<31-1),
		"no outputs":   signed(whole, 24, 0),
		"no folds":     signed(whole, 28, 0),
		"flags":        signed(whole, 20, 2),
		"a regression": signed(whole, 20, 1),
		"a cost":       signed(whole, 40, 'x'),
		"no cost":      signed(whole, 40, 0),
		"a count":      signed(whole, 96+4, 1<<31),
		"a sum":        signed(whole, 96+8*4+4, 0x7ff00000),
	} {
		err := m.UnmarshalBinary(b)
		if !errors.Is(err, rls.ErrAltered) && !errors.Is(err, rls.ErrTruncated) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Counts that would overflow are refused.
func TestStatisticsThatCannotBeCounted(t *testing.T) {
	const first = 96 // of the counts, that of rows
	b := signed(signed([]byte(bytesOf(t, small(t, rls.StatisticsOptions{}))), first, 1<<32-1), first+4, 1<<31-1)
	var m rls.Statistics
	if err := m.UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"Add":   m.Add(data.NewDense(1, 1, nil), []float64{0}, nil, 0),
		"Merge": m.Merge(small(t, rls.StatisticsOptions{})),
	} {
		if err == nil {
			t.Errorf("%s: %d rows and more are counted", name, m.Rows())
		}
	}
	if bytesOf(t, &m) != string(b) {
		t.Error("what is refused changes the sums")
	}
}

// FuzzStatisticsUnmarshal gives bytes to UnmarshalBinary, unchanged and with valid checksums.
// Accepted bytes round-trip, and training from them works.
func FuzzStatisticsUnmarshal(f *testing.F) {
	for _, o := range []rls.StatisticsOptions{{}, {Folds: 3}, {Regression: true},
		{Pairs: pref.Options{Cost: pref.Unit, Weight: pref.Edges}}} {
		b := []byte(bytesOf(f, small(f, o)))
		f.Add(b, uint16(0), uint32(0))
		f.Add(b[:len(b)/2], uint16(0), uint32(0))
		f.Add(b, uint16(100), uint32(0x40000000))
	}
	f.Add([]byte(bytesOf(f, newStatistics(f, rls.StatisticsOptions{Outputs: 2}))), uint16(24), uint32(9))
	f.Fuzz(func(t *testing.T, b []byte, at uint16, n uint32) {
		if int(at)+4 <= len(b)-sha256.Size && len(b) > 200 {
			b = signed(b, int(at), n)
		}
		var m rls.Statistics
		if allocated := allocated(func() { _ = m.UnmarshalBinary(b) }); allocated > float64(1<<16+16*len(b)) {
			t.Fatalf("%v bytes are taken for %d", allocated, len(b))
		}
		m = rls.Statistics{}
		if err := m.UnmarshalBinary(b); err != nil {
			for _, known := range []error{rls.ErrTruncated, rls.ErrAltered, rls.ErrVersion, rls.ErrNotStatistics} {
				if errors.Is(err, known) {
					return
				}
			}
			t.Fatalf("an error of no kind: %v", err)
		}
		if again := bytesOf(t, &m); again != string(b) {
			t.Fatal("other bytes come back")
		}
		if m.Features() < 50 {
			_, _ = m.Solve(ctx, 1)
			_, _ = m.HeldOut(ctx, []float64{1})
		}
	})
}
