package model

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
)

// Stumps are version 2, random features version 4, clinical kernels 6, sums 8, and everything that version 1 can hold
// is version 1, so that a program without stumps refuses them by version and reads the rest.
func TestVersionOfTheFile(t *testing.T) {
	for name, m := range examples() {
		want := "pairrank model 1\n"
		switch m.Scorer.(type) {
		case *Stumps:
			want = "pairrank model 2\n"
		case *Fourier:
			want = "pairrank model 4\n"
		case *Kernel:
			if strings.HasPrefix(m.KernelSpec(), "clinical") {
				want = "pairrank model 6\n"
			}
			if strings.Contains(m.KernelSpec(), "*") {
				want = "pairrank model 8\n"
			}
		}
		if text := written(m); !bytes.HasPrefix(text, []byte(want)) {
			t.Errorf("%s: begins with %q, want %q", name, text[:len(want)], want)
		}
	}
}

// sealedAs is a text with the first line of a version and the right checksum.
func sealedAs(version int, body string) []byte {
	text := fmt.Sprintf("%s%d\n%s", magic, version, body)
	return fmt.Appendf(nil, "%s%s%x\n", text, checksumLine, sha256.Sum256([]byte(text)))
}

func TestReadStumpsFaults(t *testing.T) {
	const shape = "learner rankboost\nrows 3\nfeatures 2\noutputs 1\n"
	tests := []struct {
		version    int
		body, want string
	}{
		{1, shape + "stumps 0\n", "m.txt:6: stumps: needs version 2 of the format, not 1"},
		{2, shape, "m.txt:5: the entry stumps is missing"},
		{2, "stumps 0\n", "m.txt:2: stumps: comes before features"},
		{2, shape + "stumps 2\n1 0 1\n", "m.txt:6: stumps: the model ends early"},
		{2, shape + "stumps 1000000000\n1 0 1\n", "m.txt:6: stumps: the model ends early"},
		{2, shape + "stumps -1\n", "m.txt:6: stumps: not a whole number from 0 up"},
		{2, shape + "stumps 99999999999\n", "m.txt:6: stumps: 99999999999 is not from 0"},
		{2, shape + "stumps 1\n0 0.5 1\n", "m.txt:7: stumps: feature 0 is not from 1 to 2"},
		{2, shape + "stumps 1\n3 0.5 1\n", "m.txt:7: stumps: feature 3 is not from 1 to 2"},
		{2, shape + "stumps 1\n1 NaN 1\n", "m.txt:7: stumps: not a finite number: \"NaN\""},
		{2, shape + "stumps 1\n1 0.5 1e999\n", "m.txt:7: stumps: not a finite number"},
		{2, shape + "stumps 1\n1 0.5 1 1\n",
			"m.txt:7: stumps: a stump is feature, threshold, weight, not \"1 0.5 1 1\""},
		{2, shape + "stumps 2\n1 0.5\n1 0.5 1\n",
			"m.txt:7: stumps: a stump is feature, threshold, weight, not \"1 0.5\""},
		{2, shape + "stumps 0\nkernel linear\n", "m.txt:7: stumps have no kernel"},
		{2, shape + "stumps 0\nkernel linear\nweights\n1\n2\n", "m.txt:10: stumps have no kernel"},
		{2, shape + "kernel linear\nweights\n1\n2\n", "m.txt:9: the entry stumps is missing"},
		{2, strings.Replace(shape, "outputs 1", "outputs 2", 1) + "stumps 0\n",
			"m.txt:6: stumps: stumps have 1 output, not 2"},
	}
	for _, test := range tests {
		_, err := read(sealedAs(test.version, test.body))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("version %d, %q: %v, want %q", test.version, test.body, err, test.want)
		}
	}
}

func TestReadStumpsTruncated(t *testing.T) {
	text := written(examples()["stumps, zscore"])
	for end := 1; end < len(text); end++ {
		if _, err := read(text[:end]); !errors.Is(err, ErrTruncated) {
			t.Fatalf("cut after %d of %d bytes: %v, want ErrTruncated", end, len(text), err)
		}
	}
	crlf := bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	if _, err := read(crlf); !errors.Is(err, ErrAltered) {
		t.Errorf("CRLF: %v, want ErrAltered", err)
	}
}

func TestWriteStumpsRefuses(t *testing.T) {
	for name, bad := range map[string]func(m *Model){
		"NaN threshold":    func(m *Model) { m.Scorer.(*Stumps).Terms[1].Threshold = math.NaN() },
		"infinite weight":  func(m *Model) { m.Scorer.(*Stumps).Terms[4].Weight = math.Inf(-1) },
		"feature 4 of 3":   func(m *Model) { m.Scorer.(*Stumps).Terms[2].Feature = 3 },
		"feature 0":        func(m *Model) { m.Scorer.(*Stumps).Terms[2].Feature = -1 },
		"features below 0": func(m *Model) { m.Scorer = &Stumps{Features: -1} },
		"names":            func(m *Model) { m.Names = []string{"a"} },
		"normalizer of two": func(m *Model) {
			m.Normalizer = &data.Normalizer{Kind: data.NormalizeZScore, Shift: make([]float64, 2),
				Scale: make([]float64, 2)}
		},
	} {
		m := examples()["stumps"]
		bad(m)
		var b bytes.Buffer
		if err := m.Write(&b); err == nil || b.Len() > 0 {
			t.Errorf("%s: error %v after %d bytes, want an error and nothing written", name, err, b.Len())
		}
	}
}

// Rounds added one after the other are, to the byte, all rounds at once, for
// dense and for sparse rows, with features missing and without.
func TestStumpsAddUp(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const n, terms, rows = 30, 100, 700
	s := &Stumps{Features: n}
	for range terms {
		s.Terms = append(s.Terms, Stump{r.IntN(n), r.NormFloat64() / 4, r.NormFloat64()})
	}
	for _, cols := range []int{n, 5, 0} {
		x := sparse(random(rows, cols, 2))
		want := make([]float64, rows)
		s.ScoreTo(want, data.ToDense(x))
		for _, matrix := range []data.Matrix{x, data.ToDense(x)} {
			got := make([]float64, rows)
			for lo := 0; lo < terms; lo += 33 {
				s.Part(lo, min(terms, lo+33)).AddTo(got, matrix)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%d columns, %T: parts do not add up to the whole", cols, matrix)
			}
		}
	}
}

func TestStumpsPanic(t *testing.T) {
	s := someStumps()
	for name, wrong := range map[string]func(){
		"short dst": func() { s.ScoreTo(make([]float64, 1), random(2, 3, 1)) },
		"wide rows": func() { s.AddTo(make([]float64, 2), random(2, 4, 1)) },
		"matrix":    func() { s.AddTo(make([]float64, 2), struct{ data.Matrix }{random(2, 3, 1)}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			wrong()
		})
	}
}

// FuzzReadStumps is FuzzRead for version 2.
func FuzzReadStumps(f *testing.F) {
	for _, m := range examples() {
		if _, is := m.Scorer.(*Stumps); !is {
			continue
		}
		text := string(written(m))
		text = text[strings.IndexByte(text, '\n')+1:]
		f.Add(text[:strings.LastIndex(text, checksumLine)])
	}
	f.Fuzz(func(t *testing.T, body string) {
		m, err := read(sealedAs(2, body))
		if err != nil {
			return
		}
		text := written(m)
		again, err := read(text)
		if err != nil {
			t.Fatalf("read %q, written as %q: %v", body, text, err)
		}
		if !bytes.Equal(written(again), text) || again.KernelSpec() != "" {
			t.Fatalf("written twice: %q and %q", text, written(again))
		}
	})
}

func BenchmarkScoreStumps(b *testing.B) {
	const m, n, terms = 10000, 46, 300
	r := rand.New(rand.NewPCG(1, 1))
	s := &Stumps{Features: n}
	for range terms {
		s.Terms = append(s.Terms, Stump{r.IntN(n), r.NormFloat64(), r.NormFloat64()})
	}
	x, dst := random(m, n, 2), make([]float64, m)
	for name, matrix := range map[string]data.Matrix{"dense": x, "csr": sparse(x)} {
		b.Run(fmt.Sprintf("m=%d/terms=%d/%s", m, terms, name), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.ScoreTo(dst, matrix)
			}
			b.ReportMetric(float64(m*terms)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mterms/s")
		})
	}
}
