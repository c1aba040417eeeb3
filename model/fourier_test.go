package model

import (
	"math"
	"strings"
	"testing"

	"pairrank/kernel"
)

func TestReadFourierFaults(t *testing.T) {
	const checksum = "b8ee7c0fbe3fbc2e2f4d9c7a2c7b8b0f4f6f0f0f0f0f0f0f0f0f0f0f0f0f0f0f"
	const shape = "learner rls\nrows 3\nkernel fourier:gamma=0.5,features=2,seed=1\nfeatures 2\noutputs 1\n"
	for _, test := range []struct {
		version    int
		body, want string
	}{
		{1, shape, "m.txt:4: kernel: fourier:gamma=0.5,features=2,seed=1 is not in version 1 of the format"},
		{4, strings.Replace(shape, "fourier:gamma=0.5,features=2,seed=1", "linear", 1),
			"m.txt:4: kernel: linear is not in version 4 of the format"},
		{4, strings.Replace(shape, "features=2", "features=3", 1),
			"m.txt:4: kernel: a fourier kernel has an even number of features"},
		{4, shape, "m.txt:6: the entry frequencies is missing"},
		{4, shape + "frequencies 00\n", "m.txt:7: frequencies: not a SHA-256 in 64 hexadecimal digits"},
		{4, shape + "weights\n1\n2\n", "m.txt:7: weights: weights of a model with kernel fourier"},
		{4, "frequencies " + checksum + "\n", "m.txt:2: frequencies: comes before kernel"},
		{4, shape + "frequencies " + checksum + "\n", "m.txt:7: the entry weights is missing"},
		{4, shape + "frequencies " + checksum + "\nweights\n1\n", "m.txt:8: weights: the model ends early"},
		{4, shape + "frequencies " + checksum + "\nweights\n1\n2\n",
			"this program draws other frequencies for kernel fourier:gamma=0.5,features=2,seed=1 " +
				"than the training did"},
		{4, shape + "frequencies " + checksum + "\nsupport dense 0\ncoefficients\n", "the entry weights is missing"},
		{2, "learner rls\nrows 3\nfeatures 2\noutputs 1\nfrequencies " + checksum + "\n",
			"frequencies: comes before kernel"},
		{4, "learner rls\nrows 3\nfeatures 2\noutputs 1\nstumps 0\n", "stumps: needs version 2 of the format, not 4"},
	} {
		_, err := read(sealedAs(test.version, test.body))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want what says %q", test.body, err, test.want)
		}
	}
}

func TestFourierIsNotWritten(t *testing.T) {
	for name, change := range map[string]func(f *Fourier){
		"no weights":                      func(f *Fourier) { f.Weights = nil },
		"6 weights of 8 random":           func(f *Fourier) { f.Kernel.Features = 8 },
		"-1 features":                     func(f *Fourier) { f.Inputs = -1 },
		"gamma of a fourier kernel":       func(f *Fourier) { f.Kernel.Gamma = math.NaN() },
		"a weight of row 1 is not finite": func(f *Fourier) { f.Weights.Data[2] = math.Inf(1) },
	} {
		f := someFourier(1)
		change(f)
		if err := (&Model{Info: someInfo(), Scorer: f}).Check(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want what says %q", err, name)
		}
	}
	of := &Kernel{kernel.Fourier{Gamma: 1, Features: 2}, random(5, 3, 5), nil, random(5, 1, 6)}
	if err := (&Model{Info: someInfo(), Scorer: of}).Check(); err == nil ||
		!strings.Contains(err.Error(), "cannot be saved with support rows") {
		t.Errorf("random features of support rows: %v", err)
	}
}
