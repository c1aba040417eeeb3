package stream

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"testing"

	"pairrank"
	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/gen"
	"pairrank/kernel"
	"pairrank/pref"
)

// codecExamples are statistics of every kind.
func codecExamples(t testing.TB) map[string]*Statistics {
	threshold := 1.5
	of := func(o Options) []data.Query {
		queries := queriesIn(o.timed(gen.Set(90, 3, 12, 9)), nil, false)
		for k := range queries {
			if k > 6 {
				queries[k].Source = "a\xffb.txt"
			}
		}
		return queries
	}
	queries := of(Options{})
	out := map[string]*Statistics{
		"empty": summed(t, Options{}, nil),
		"names": summed(t, Options{Names: []string{"a", "b", "c <&>", "é"}, Threshold: &threshold,
			Normalize: data.NormalizeQueryMinMax, Folds: 2}, queries),
		"regression": summed(t, Options{Learner: pairrank.LeastSquares{Regression: true}, Folds: 1}, queries),
	}
	for name, o := range streamed() {
		out[name] = summed(t, o, of(o))
	}
	o := Options{KeepQueries: true, Times: true}
	out["kept times"] = summed(t, o, of(o))
	long := gen.Set(300, 2, 1, 3) // of two words
	out["kept"] = summed(t, Options{KeepQueries: true, Folds: 2}, append(queriesIn(long, nil, false),
		queries[1:5]...))
	out["none kept"] = summed(t, Options{KeepQueries: true}, nil)
	basis := data.NewDense(2, 3, []float64{5, 0, 4, 0, 6, 0})
	for name, m := range map[string]*Mapping{
		"fourier":      {Kernel: kernel.Fourier{Gamma: 0.05, Features: 2, Seed: 4}},
		"basis":        {Kernel: kernel.Gaussian{Gamma: 0.05}, Basis: basis},
		"sparse basis": {Kernel: kernel.Gaussian{Gamma: 0.05}, Basis: sparseOf(basis)},
	} {
		out[name] = summed(t, Options{Map: m, Folds: 2}, queries)
	}
	wide := queries[0]
	wide.Y = append(append([]float64(nil), wide.Y...), wide.Y...)
	out["outputs"] = summed(t,
		Options{Outputs: 2, Learner: pairrank.LeastSquares{Pairs: pref.Options{Weight: pref.Size}}}, []data.Query{wide})
	return out
}

// Statistics that are written are read to the last bit, and written to the same bytes again.
func TestCodec(t *testing.T) {
	for name, s := range codecExamples(t) {
		b := bytesOf(t, s)
		prefixed, err := s.AppendBinary([]byte("before"))
		if err != nil || !bytes.Equal(prefixed, append([]byte("before"), b...)) {
			t.Errorf("%s: appending differs: %v", name, err)
		}
		var read Statistics
		if err := read.UnmarshalBinary(b); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if again := bytesOf(t, &read); !bytes.Equal(again, b) {
			t.Errorf("%s: read and written again it differs", name)
		}
		if read.Rows() != s.Rows() || read.Queries() != s.Queries() || read.Pairs() != s.Pairs() ||
			read.Features() != s.Features() || read.sameOptions(s) != nil || read.idle != s.idle {
			t.Errorf("%s: read %d rows of %d queries, want %d of %d", name, read.Rows(),
				read.Queries(), s.Rows(), s.Queries())
		}
		if s.Queries() > 0 {
			var fault *fault.Error
			if err := read.Merge(s); !errors.As(err, &fault) || fault.Code != codes.FaultQueryTwice {
				t.Errorf("%s: merged with itself: %v", name, err)
			}
		}
		if err := read.Subtract(s); err != nil || read.Queries() != 0 || len(read.Sources()) != 0 {
			t.Errorf("%s: %v, %d queries are left", name, err, read.Queries())
		}
	}
}

// resealed returns bytes with a correct checksum.
func resealed(b []byte) []byte {
	n := len(b) - sha256.Size
	sum := sha256.Sum256(b[:n])
	return append(append([]byte(nil), b[:n]...), sum[:]...)
}

func TestCodecErrors(t *testing.T) {
	for name, s := range codecExamples(t) {
		b := bytesOf(t, s)
		for n := range len(b) {
			err := new(Statistics).UnmarshalBinary(b[:n])
			want := ErrTruncated
			if n == 0 {
				continue
			}
			if !errors.Is(err, want) {
				t.Fatalf("%s: %d of %d bytes: %v", name, n, len(b), err)
			}
		}
		for at := 0; at < len(b); at += 1 + len(b)/500 {
			altered := append([]byte(nil), b...)
			altered[at] ^= 0x10
			err := new(Statistics).UnmarshalBinary(altered)
			if !errors.Is(err, ErrAltered) && !errors.Is(err, ErrNotStatistics) && !errors.Is(err, ErrTruncated) {
				t.Fatalf("%s: bit flipped in byte %d: %v", name, at, err)
			}
			if at > len(magic) && at < len(b)-sha256.Size {
				// With a correct checksum, the bytes are refused or read as statistics.
				var read Statistics
				if err := read.UnmarshalBinary(resealed(altered)); err == nil {
					if again, err := read.AppendBinary(nil); err != nil || !bytes.Equal(again, resealed(altered)) {
						t.Fatalf("%s: bit flipped in byte %d is read as something else: %v", name, at, err)
					}
				}
			}
		}
	}
	b := bytesOf(t, summed(t, Options{}, nil))
	later, timed := append([]byte(nil), b...), append([]byte(nil), b...)
	later[len(magic)], timed[len(magic)] = '7', '3'
	for _, c := range []struct {
		b    []byte
		want error
	}{
		{nil, ErrTruncated}, {[]byte("pairrank mo"), ErrNotStatistics}, {[]byte("1 qid:1 1:2\n"), ErrNotStatistics},
		{resealed(later), ErrVersion}, {resealed(timed), ErrAltered}, {append(append([]byte(nil), b...), 0), ErrAltered},
	} {
		s := summed(t, Options{Folds: 4}, nil)
		if err := s.UnmarshalBinary(c.b); !errors.Is(err, c.want) {
			t.Errorf("%q: %v, want %v", c.b, err, c.want)
		}
		if s.options.Folds != 4 {
			t.Error("an error changes the statistics")
		}
	}
}

// FuzzStatistics checks that any bytes are refused, or read and written to the same bytes.
func FuzzStatistics(f *testing.F) {
	for _, s := range codecExamples(f) {
		f.Add(bytesOf(f, s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > sha256.Size {
			b = resealed(b)
		}
		var s Statistics
		if s.UnmarshalBinary(b) != nil {
			return
		}
		if again, err := s.AppendBinary(nil); err != nil || !bytes.Equal(again, b) {
			t.Fatalf("%q is read as %q, %v", b, again, err)
		}
	})
}
