package pairmodel

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/kernel"
	"pairrank/model/training"
	"pairrank/relation/pairwise"
)

// The first words of the first and of the last line of a file.
const (
	magic        = "pairrank model "
	checksumLine = "checksum sha256 "
)

// roundoff bounds the difference to the definition of a sum of a few dozen terms.
const roundoff = 1e-13

// kernels are the kernels of all models.
var kernels = append(slices.Clone(pairwise.Kernels), Similarity)

// someInfo is a full set of facts.
func someInfo() Info {
	return Info{
		Learner: "rankrls", Solver: "closed", Objective: "Σ_e (y_e−f_e)² + λ‖f‖²", Lambda: 0.125,
		Rows: 7, Queries: 2, Pairs: 1e300, Loss: "ranking",
		Selection: &training.Selection{Method: "loo", Metric: "disagreement", Error: 1.0 / 3, Count: 31},
		Further:   []training.Fact{{Name: "setting", Value: "rows"}, {Name: "empty"}},
	}
}

func random(rows, cols int, seed uint64) *data.Dense { return gen.Normal(rows, cols, seed) }

// sparse keeps about a third of the entries of x.
func sparse(x *data.Dense) *data.CSR {
	return gen.Sparse(x, func(i, j int, _ float64) bool { return (i+2*j)%3 == 0 })
}

func written(m *Model) []byte {
	var b bytes.Buffer
	if err := m.Write(&b); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func read(text []byte) (*Model, error) { return Read(bytes.NewReader(text), "m.txt") }

// sealedAs is a text with the first line of a version and the right checksum.
func sealedAs(version int, body string) []byte {
	text := fmt.Sprintf("%s%d\n%s", magic, version, body)
	return fmt.Appendf(nil, "%s%s%x\n", text, checksumLine, sha256.Sum256([]byte(text)))
}

// naiveKernel is the kernel of two rows by its formula.
func naiveKernel(k kernel.Kernel, x, z []float64) float64 {
	product, distance := 0.0, 0.0
	for j := range x {
		product += x[j] * z[j]
		distance += (x[j] - z[j]) * (x[j] - z[j])
	}
	switch k := k.(type) {
	case kernel.Linear:
		return product
	case kernel.Gaussian:
		return math.Exp(-k.Gamma * distance)
	case kernel.Polynomial:
		return math.Pow(k.Gamma*product+k.Coef0, float64(k.Degree))
	}
	panic(fmt.Sprintf("no formula for %v", k))
}

// ownKernel is one that kernel.Parse does not know.
type ownKernel struct{ kernel.Linear }

func (ownKernel) String() string { return "own" }

func largestDifference(a, b []float64) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	worst := 0.0
	for i := range a {
		worst = max(worst, math.Abs(a[i]-b[i])/(1+math.Abs(b[i])))
	}
	return worst
}
