package model

import (
	"bytes"
	"math"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/kernel"
)

// The first words of the first and of the last line of a file.
const (
	magic        = "pairrank model "
	checksumLine = "checksum sha256 "
)

// someInfo is a full set of facts.
func someInfo() Info {
	return Info{
		Learner: "rankrls", Solver: "primal", Objective: "Σ ((y_i−y_j) − (f_i−f_j))² + λ‖f‖²",
		Lambda: 0.125, Cost: "magnitude", Ties: "include", QueryWeight: "pairs", Loss: "",
		Rows: 7, Queries: 2, Pairs: 1e300,
		Selection: &Selection{Method: "lqo", Metric: "disagreement", Error: 1.0 / 3, Count: 31},
		Further:   []Fact{{Name: "seed", Value: "7"}, {Name: "basis", Value: "3 rows at random"}, {Name: "empty"}},
	}
}

// someStumps has thresholds on both sides of 0, and features more than once.
func someStumps() *Stumps {
	return &Stumps{Features: 3, Terms: []Stump{
		{2, 0.5, 1.25}, {0, -0.25, -1.0 / 3}, {2, 0.5, 0.125}, {2, -1e-300, 0.75}, {0, math.Copysign(0, -1), 1e-9},
	}}
}

func random(rows, cols int, seed uint64) *data.Dense { return gen.Normal(rows, cols, seed) }

// sparse keeps about a third of the entries of x.
func sparse(x *data.Dense) *data.CSR {
	return gen.Sparse(x, func(i, j int, _ float64) bool { return (i+2*j)%3 == 0 })
}

// examples is a model of every kind.
func examples() map[string]*Model {
	zscore := &data.Normalizer{Kind: data.NormalizeZScore, Shift: []float64{1, -2, 0.1}, Scale: []float64{3, 0, 1e-9}}
	odd := random(1, 3, 1)
	odd.Data[0], odd.Data[1] = math.Copysign(0, -1), math.SmallestNonzeroFloat64
	return map[string]*Model{
		"linear":        {Info: someInfo(), Scorer: &Linear{random(1, 3, 1)}},
		"linear, odd":   {Info: Info{Learner: "rls"}, Scorer: &Linear{odd}},
		"linear, empty": {Info: someInfo(), Scorer: &Linear{data.NewDense(1, 0, nil)}},
		"two outputs":   {Info: someInfo(), Scorer: &Linear{random(2, 3, 2)}},
		"names": {Info: someInfo(), Names: []string{"", "a <b> \"c\"\n\u2028\\", "größe"},
			Scorer: &Linear{random(1, 3, 3)}},
		"zscore": {Info: someInfo(), Normalizer: zscore, Scorer: &Linear{random(1, 3, 4)}},
		"query-minmax": {Info: someInfo(), Normalizer: &data.Normalizer{Kind: data.NormalizeQueryMinMax},
			Scorer: &Linear{random(1, 3, 4)}},
		"gaussian dense": {Info: someInfo(), Scorer: &Kernel{kernel.Gaussian{Gamma: 0.1},
			random(5, 3, 5), nil, random(5, 1, 6)}},
		"gaussian, two": {Info: someInfo(), Normalizer: zscore,
			Scorer: &Kernel{kernel.Gaussian{Gamma: 0.1}, random(5, 3, 5), nil, random(5, 2, 6)}},
		"sum": {Info: someInfo(), Scorer: &Kernel{kernel.NewSum(kernel.Term{Weight: 0.4, Kernel: kernel.Linear{}},
			kernel.Term{Weight: 2, Kernel: kernel.Gaussian{Gamma: 0.1}}), random(5, 3, 5), nil, random(5, 2, 6)}},
		"polynomial csr": {Info: someInfo(), Scorer: &Kernel{kernel.Polynomial{Gamma: 0.5, Coef0: 1, Degree: 3},
			sparse(random(5, 3, 7)), nil, random(5, 1, 8)}},
		"clinical": {Info: someInfo(), Scorer: &Kernel{kernel.Clinical{Variables: 2, Factors: "2-3"}, random(5, 3, 5), nil,
			random(5, 1, 6)}},
		"linear kernel": {Info: someInfo(), Scorer: &Kernel{kernel.Linear{}, random(4, 3, 9), nil, random(4, 1, 10)}},
		"no support": {Info: someInfo(), Scorer: &Kernel{kernel.Linear{}, data.NewDense(0, 3, nil),
			nil, data.NewDense(0, 1, nil)}},
		"precomputed": {Info: someInfo(), Scorer: &Kernel{kernel.Precomputed{}, nil,
			[]int{1, 4, 7}, random(3, 2, 11)}},
		"stumps":         {Info: someInfo(), Scorer: someStumps()},
		"stumps, zscore": {Info: someInfo(), Normalizer: zscore, Names: []string{"a", "b", "c"}, Scorer: someStumps()},
		"fourier":        {Info: someInfo(), Scorer: someFourier(1)},
		"fourier, two": {Info: someInfo(), Normalizer: zscore, Names: []string{"a", "b", "c"},
			Scorer: someFourier(2)},
		"no stumps": {Info: Info{Learner: "rankboost"}, Scorer: &Stumps{Features: 3, Terms: []Stump{}}},
	}
}

func someFourier(outputs int) *Fourier {
	k := kernel.Fourier{Gamma: 0.25, Features: 6, Seed: 7}
	return &Fourier{Kernel: k, Inputs: 3, Weights: random(outputs, k.Features, 12)}
}

func written(m *Model) []byte {
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func read(text []byte) (*Model, error) { return Read(bytes.NewReader(text), "m.txt") }

// allStored is x with every value stored.
func allStored(x *data.Dense) *data.CSR { return gen.Sparse(x, nil) }
