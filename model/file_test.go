package model

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/kernel"
)

func TestWriteReadWrite(t *testing.T) {
	for name, m := range examples() {
		text := written(m)
		back, err := read(text)
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
			continue
		}
		if diff := cmp.Diff(m, back, cmpopts.IgnoreUnexported(Model{}, Fourier{})); diff != "" {
			t.Errorf("%s: written and read (-want +got)\n%s", name, diff)
		}
		if again := written(back); !bytes.Equal(text, again) {
			t.Errorf("%s: written again\n%s\nwant\n%s", name, again, text)
		}
	}
}

// A NormalizeNone normaliser is the same as none and leaves no line.
func TestIdleNormalizerLeavesNoLine(t *testing.T) {
	m := examples()["linear"]
	want := written(m)
	m.Normalizer = &data.Normalizer{Kind: data.NormalizeNone}
	if got := written(m); !bytes.Equal(got, want) {
		t.Errorf("with normalizer none:\n%s\nwant\n%s", got, want)
	}
}

func TestReadTruncated(t *testing.T) {
	text := written(examples()["zscore"])
	for end := 1; end < len(text); end++ {
		if _, err := read(text[:end]); !errors.Is(err, ErrTruncated) {
			t.Fatalf("cut after %d of %d bytes: %v, want ErrTruncated", end, len(text), err)
		}
	}
	var format *fault.FormatError
	if _, err := read(nil); !errors.As(err, &format) || !strings.Contains(err.Error(), "empty") {
		t.Errorf("empty file: %v", err)
	}
}

// Every change of one byte is noticed. In the first line it is another
// version or no model, in the last line the checksum line is gone.
func TestReadAltered(t *testing.T) {
	text := written(examples()["polynomial csr"])
	first := bytes.IndexByte(text, '\n')
	last := bytes.LastIndexByte(text[:len(text)-1], '\n')
	for at := range text {
		changed := bytes.Clone(text)
		changed[at] ^= 1
		_, err := read(changed)
		var format *fault.FormatError
		if !errors.As(err, &format) {
			t.Fatalf("byte %d changed: %v, want a *fault.FormatError", at, err)
		}
		if at > first && at < last && !errors.Is(err, ErrAltered) {
			t.Fatalf("byte %d changed: %v, want ErrAltered", at, err)
		}
	}
	if _, err := read(append(bytes.Clone(text), "more\n"...)); !errors.Is(err, ErrAltered) {
		t.Errorf("text after the checksum: %v, want ErrAltered", err)
	}
	crlf := bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	var format *fault.FormatError
	if _, err := read(crlf); !errors.Is(err, ErrAltered) || !errors.As(err, &format) ||
		!strings.Contains(format.Help, "CRLF") {
		t.Errorf("CRLF: %v, want ErrAltered with a hint", err)
	}
}

func TestReadLaterVersion(t *testing.T) {
	_, err := read(fmt.Appendf(nil, "pairrank model %d\nanything\n", Version+1))
	if !errors.Is(err, ErrVersion) || !strings.HasPrefix(err.Error(), "m.txt:1: ") {
		t.Errorf("version %d: %v, want ErrVersion at line 1", Version+1, err)
	}
	for _, text := range []string{"pairrank model 0\n", "pairrank model x\n", "1 qid:1 1:2\n", "\x1f\x8b\x08"} {
		var format *fault.FormatError
		if _, err := read([]byte(text)); !errors.As(err, &format) || errors.Is(err, ErrVersion) {
			t.Errorf("%q: %v, want a *fault.FormatError that is not ErrVersion", text, err)
		}
	}
}

// sealed is a text with the first line and the right checksum.
func sealed(body string) []byte {
	text := magic + "1\n" + body
	return fmt.Appendf(nil, "%s%s%x\n", text, checksumLine, sha256.Sum256([]byte(text)))
}

func TestReadFaults(t *testing.T) {
	const head = "learner rls\nlambda 1\nrows 3\nqueries 1\npairs 0\n"
	const shape = head + "kernel linear\nfeatures 2\noutputs 1\n"
	tests := []struct{ body, want string }{
		{"", "m.txt:1: the entry learner is missing"},
		{shape, "m.txt:9: there are neither weights nor coefficients"},
		{shape + "weights\n1\n", "m.txt:10: weights: the model ends early"},
		{shape + "weights\n1\n2 3\n", "m.txt:12: weights: a line does not have 1 numbers"},
		{shape + "weights\n1\nNaN\n", "m.txt:12: weights: not a finite number: \"NaN\""},
		{shape + "weights\n1\n2\nweights\n", "m.txt:13: weights appears twice"},
		{shape + "names\n\"a\"\nb\n", "m.txt:12: names: the name of feature 2 is not a JSON string: \"b\""},
		{shape + "names\n\"a\"\nnull\n", "m.txt:12: names: the name of feature 2 is not a JSON string: \"null\""},
		{shape + "normalizer none\n", "m.txt:10: normalizer: \"none\" has no entry in a model file"},
		{shape + "normalizer other\n", "m.txt:10: normalizer: unknown normalization"},
		{shape + "support sparse 1\n2:1 1:1\n", "m.txt:11: support: not an ascending index from 1 to 2"},
		{shape + "support sparse 1\n3:1\n", "m.txt:11: support: not an ascending index from 1 to 2"},
		{shape + "support rows 1\n1\n", "m.txt:10: support: rows support of kernel linear"},
		{shape + "support dense 9999999\n1\n", "m.txt:10: support: the model ends early"},
		{shape + "coefficients\n1\n", "m.txt:10: coefficients: comes before support"},
		{shape + "weights\n1\n2\nsupport dense 1\n1 2\ncoefficients\n1\n", "exactly one"},
		{shape + "colour red\n", "m.txt:10: colour: unknown entry"},
		{head + "kernel sigmoid\n", "m.txt:7: kernel: unknown kernel"},
		{head + "pairwise kronecker\n", "m.txt:7: pairwise: unknown entry"},
		{head + "features 1e9\n", "m.txt:7: features: not a whole number"},
		{head + "features 1\nfeatures 1\n", "m.txt:8: features appears twice"},
		{head + "outputs 0\n", "m.txt:7: outputs: 0 is not from 1"},
		{head + "weights\n", "m.txt:7: weights: comes before kernel"},
		{head + "selection lqo disagreement x 3\n", "m.txt:7: selection: not a finite number"},
		{head + "kernel precomputed\nfeatures 3\noutputs 1\nsupport rows 2\n2\n2\ncoefficients\n1\n1\n",
			"support row 2 of 3 training rows at position 2"},
		{head + "kernel precomputed\nfeatures 2\noutputs 1\nsupport rows 1\n2\ncoefficients\n1\n",
			"2 columns of a kernel matrix of 3 training rows"},
	}
	for _, test := range tests {
		_, err := read(sealed(test.body))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %q", test.body, err, test.want)
		}
	}
}

// A model that Read would refuse is not written.
func TestWriteRefuses(t *testing.T) {
	type change func(m *Model)
	for name, bad := range map[string]change{
		"neither":          func(m *Model) { m.Scorer = nil },
		"NaN weight":       func(m *Model) { m.Scorer.(*Linear).Weights.Data[1] = math.NaN() },
		"infinite λ":       func(m *Model) { m.Info.Lambda = math.Inf(1) },
		"no learner":       func(m *Model) { m.Info.Learner = "" },
		"two lines":        func(m *Model) { m.Info.Objective = "a\nb" },
		"blank at the end": func(m *Model) { m.Info.Solver = "primal " },
		"fact of two":      func(m *Model) { m.Info.Further = []Fact{{Name: "two words", Value: "x"}} },
		"selection":        func(m *Model) { m.Info.Selection.Method = "leave out" },
		"names":            func(m *Model) { m.Names = []string{"a"} },
		"not UTF-8":        func(m *Model) { m.Names = []string{"a", "b", "\xff"} },
		"normalizer":       func(m *Model) { m.Normalizer = &data.Normalizer{Kind: data.NormalizeZScore} },
		"other kernel": func(m *Model) {
			m.Scorer = &Kernel{ownKernel{}, random(2, 3, 1), nil, random(2, 1, 1)}
		},
		"coefficients": func(m *Model) {
			m.Scorer = &Kernel{kernel.Linear{}, random(2, 3, 1), nil, random(3, 1, 1)}
		},
	} {
		m := examples()["linear"]
		bad(m)
		var b bytes.Buffer
		if err := m.Write(&b); err == nil || b.Len() > 0 {
			t.Errorf("%s: error %v after %d bytes, want an error and nothing written", name, err, b.Len())
		}
	}
}

type ownKernel struct{ kernel.Linear }

func (ownKernel) String() string { return "own" }

// FuzzRead adds the checksum to its input, so that the rest is tested: a model that Read accepts is
// written and read back the same.
func FuzzRead(f *testing.F) {
	for _, m := range examples() {
		text := string(written(m))
		text = text[strings.IndexByte(text, '\n')+1:]
		f.Add(text[:strings.LastIndex(text, checksumLine)])
	}
	f.Fuzz(func(t *testing.T, body string) {
		if _, err := read([]byte(body)); err == nil && !strings.HasPrefix(body, magic) {
			t.Fatalf("read without a first line: %q", body)
		}
		m, err := read(sealed(body))
		if err != nil {
			return
		}
		text := written(m)
		again, err := read(text)
		if err != nil {
			t.Fatalf("read %q, written as %q: %v", body, text, err)
		}
		if !bytes.Equal(written(again), text) {
			t.Fatalf("written twice: %q and %q", text, written(again))
		}
	})
}

func TestWriteFileReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.txt")
	m := examples()["names"]
	if err := m.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	back, err := ReadFile(path)
	if err != nil || string(written(back)) != string(written(m)) {
		t.Errorf("read back: %v", err)
	}
	if _, err := ReadFile(path + "x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}
