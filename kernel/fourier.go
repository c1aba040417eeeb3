package kernel

import (
	"fmt"
	"math"
	"strconv"

	"pairrank/data"
	"pairrank/internal/linalg"
)

// Fourier approximates Gaussian{Gamma} by D random Fourier features: its values are inner products
// ⟨z(x), z(x')⟩ of features of single rows (Rahimi and Recht 2007, Random features for large-scale
// kernel machines, algorithm 1). Learners solve it in the primal form, or in passes over the rows.
// It has a cosine and a sine for each of P = D/2 frequencies,
//
//	z(x) = √(1/P) (cos ω_1ᵀx, …, cos ω_Pᵀx, sin ω_1ᵀx, …, sin ω_Pᵀx),   ω_p ~ N(0, 2γ I),
//
// and not √(2/D) cos(ω_pᵀx + b_p), the other form in the literature. Its kernel, the mean of cos
// ω_pᵀ(x−x'), depends on x−x' alone and is 1 for x = x'. With k = exp(−γ‖x−x'‖²) its variance is (1
// − k²)²/D, less than that of the other form by (k² − k⁴/2)/D for every pair of rows (Sutherland
// and Schneider 2015, On the error of random Fourier features, section 2). Orthogonal frequencies
// (Yu and others 2016) have less error still, but each depends on the number of features, which
// grows while a stream is read. A large angle ωᵀx has
// fewer exact digits: normalise features that lie far from 0.
//
// Seed determines the frequencies, as NewFourierMap says; they will not change in later versions.
type Fourier struct {
	Gamma    float64 // γ > 0
	Features int     // D, even and at least 2
	Seed     uint64  // at most 2⁵³
}

// maxSeed is the largest seed of Fourier. All integers up to it are exact in float64.
const maxSeed = 1 << 53

// String is fourier:gamma=G,features=D,seed=S.
func (k Fourier) String() string {
	return fmt.Sprintf("fourier:gamma=%s,features=%d,seed=%d", shortest(k.Gamma), k.Features, k.Seed)
}

// Check returns why k is no kernel, or nil.
func (k Fourier) Check() error {
	switch {
	case !(k.Gamma > 0) || math.IsInf(k.Gamma, 0):
		return fmt.Errorf("gamma of a fourier kernel is positive, not %v", k.Gamma)
	case k.Features < 2 || k.Features%2 != 0 || k.Features > math.MaxInt32:
		return fmt.Errorf("a fourier kernel has an even number of features, a cosine and a sine for each frequency, "+
			"not %d", k.Features)
	case k.Seed > maxSeed:
		return fmt.Errorf("the seed of a fourier kernel is at most 2^53, not %d", k.Seed)
	}
	return nil
}

// MatrixTo fills dst, m×p, with ⟨z(a_i), z(b_j)⟩, in 2mpD operations and the cost of FourierMap for
// the rows. It panics when the shapes do not fit, or Check returns an error.
func (k Fourier) MatrixTo(dst *data.Dense, a, b data.Matrix) {
	check(dst, a, b)
	f := NewFourierMap(k)
	za := Mapped(f, a)
	if a == b {
		linalg.Syrk(linalg.Upper, linalg.NoTrans, 1, linalg.Mat(*za), 0, linalg.Mat(*dst))
		linalg.Symmetrize(linalg.Upper, linalg.Mat(*dst))
		return
	}
	linalg.Gemm(linalg.NoTrans, linalg.T, 1, linalg.Mat(*za), linalg.Mat(*Mapped(f, b)), 0, linalg.Mat(*dst))
}

func makeFourier(v map[string]float64) (Kernel, error) {
	features, seed := v["features"], v["seed"]
	if features != math.Trunc(features) || math.Abs(features) > math.MaxInt32 {
		return nil, fmt.Errorf("a fourier kernel has an even number of features, not %v", features)
	}
	if seed != math.Trunc(seed) || !(seed >= 0) || seed > maxSeed {
		return nil, fmt.Errorf("the seed of a fourier kernel is a whole number from 0 to 2^53, not %s",
			strconv.FormatFloat(seed, 'g', -1, 64))
	}
	k := Fourier{Gamma: v["gamma"], Features: int(features), Seed: uint64(seed)}
	return k, k.Check()
}
