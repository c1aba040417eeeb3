package rows

import (
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/internal/event"
	"pairrank/internal/goals"
	"pairrank/kernel"
)

// lowering is the constant c that was subtracted from the values of a kernel that are nearly equal, to keep
// their digits. The coefficients of a goal that compares rows sum to 0 within every list, so the goal learns
// and predicts the same from K − c as from K. The zero value subtracts nothing.
type lowering struct {
	kernel kernel.Kernel      // replaces that of the space, see kernel.Lower; nil keeps it
	about  *kernel.AboutPoint // the same where it is polynomial: scores lack a constant
	by     float64            // subtracted from its values
}

// meanOf is the mean of each column.
func meanOf(x data.Matrix) []float64 {
	m, n := x.Dims()
	mean, share := make([]float64, n), make([]float64, m)
	for i := range share {
		share[i] = 1 / float64(m)
	}
	x.MulTransVecTo(mean, share)
	return mean
}

// values is the kernel of the matrices of s.
func (s *space) values() kernel.Kernel {
	if s.lowered.kernel != nil {
		return s.lowered.kernel
	}
	return s.kernel
}

// matrixTo fills k with the kernel matrix of the rows, by MatrixTo or UpperTo of package kernel, and subtracts
// a constant from values that are nearly equal.
func (s *space) matrixTo(k *data.Dense, fill func(of kernel.Kernel)) {
	fill(s.values())
	if s.lowered == (lowering{}) && s.solution.form.lowers() && nearlyEqual(k) {
		s.lowered.kernel = kernel.Lower(s.kernel)
		if p, is := s.kernel.(kernel.Polynomial); is && s.x != nil {
			s.lowered.about = kernel.About(p, meanOf(s.x))
			s.lowered.kernel = s.lowered.about
		}
		if s.lowered.kernel != nil {
			fill(s.lowered.kernel)
		}
		if nearlyEqual(k) { // rows that are far from 0
			s.lowered.by = k.Row(0)[0]
		}
	}
	s.lowered.subtractFrom(k)
}

// kernelMatrix is the kernel matrix of the rows.
func (s *space) kernelMatrix() *data.Dense {
	m := s.rows()
	k := data.NewDense(m, m, nil)
	s.matrixTo(k, func(of kernel.Kernel) { of.MatrixTo(k, s.x, s.x) })
	return k
}

// crossMatrix is the kernel matrix of rows a with rows b, less the constant that the matrix of s lacks.
func (s *space) crossMatrix(a, b data.Matrix) *data.Dense {
	k := kernel.Matrix(s.values(), a, b)
	s.lowered.subtractFrom(k)
	return k
}

// lowerGiven subtracts a constant from a given matrix whose values are nearly equal, and warns if the values
// have already lost too many digits.
func (s *space) lowerGiven() {
	if s.given == nil || !s.solution.form.lowers() || !nearlyEqual(s.given) {
		return
	}
	s.k, s.lowered.by = s.given.Clone(), s.given.Row(0)[0]
	s.lowered.subtractFrom(s.k)
	apart := 0.0
	for _, v := range s.k.Data {
		apart = max(apart, math.Abs(v))
	}
	if lost := 0x1p-53 * s.lowered.by / apart; lost > fewDigits && apart > 0 {
		s.journal.Warn(NoteDigits,
			"the values of the kernel matrix differ by %.2g of their size only: double precision "+
				"rounds their differences by %.2g",
			apart/s.lowered.by, lost)
	}
}

// roundedEigenvalue bounds the effect on an eigenvalue of FKF of rounding the values of a matrix before it was
// lowered: ‖F‖² is at most twice the largest entry of the diagonal of L.
func (s *space) roundedEigenvalue(goal *goals.Goal) float64 {
	if s.lowered.by == 0 {
		return 0
	}
	return 0x1p-53 * s.lowered.by * float64(s.rows()) * 2 * slices.Max(goals.Diagonal(goal.L))
}

// fewDigits is the relative error above which a note is made.
const fewDigits = 1e-6

// subtractFrom subtracts the constant from a kernel matrix. Values within a factor of two of it are not rounded
// (Sterbenz).
func (l lowering) subtractFrom(k *data.Dense) {
	if l.by == 0 {
		return
	}
	for i := range k.Rows {
		row := k.Row(i)
		for j := range row {
			row[j] -= l.by
		}
	}
}

// nearlyEqual reports whether the values on and above the diagonal of a kernel matrix are positive and
// within a factor of two of each other.
func nearlyEqual(k *data.Dense) bool {
	least, most := math.Inf(1), 0.0
	for i := range k.Rows {
		for _, v := range k.Row(i)[i:] {
			least, most = min(least, v), max(most, v)
		}
		if !(2*least >= most) {
			return false
		}
	}
	return most > 0 && !math.IsInf(most, 1)
}

// warnRounded warns if a kernel whose values are nearly equal rounds the scores of the model. Scores are sums
// of values times coefficients that cancel; training has kept digits that these sums lose. The error is
// relative to √(Σ w (f_i − f_j)²/Σ w), which by Cauchy and Schwarz is at least rᵀf/√(Σ w · Σ w (y_i − y_j)²).
func (f *fit) warnRounded() {
	s := f.space
	if s.lowered == (lowering{}) {
		return
	}
	size := 1.0
	if s.given != nil {
		size = s.lowered.by
	} else if s.lowered.about != nil {
		size = s.lowered.about.Size()
	}
	terms := 0.0
	for _, a := range f.coef.Data {
		terms += math.Abs(a)
	}
	weight := 0.0
	for _, d := range goals.Diagonal(f.goal.L) {
		weight += d / 2
	}
	loss := f.goal.Constant()
	apart := (loss - f.objective) / math.Sqrt(loss*weight)
	if rounded := 0x1p-53 * size * terms / apart; rounded > fewDigits {
		s.journal.Add(event.Note{Warning: true, Code: NoteDigits,
			Text: fmt.Sprintf("the values of kernel %s are nearly equal: scores of the model, which are sums of them, "+
				"are rounded by %.2g of their differences", s.spec, rounded),
			Remedy: "take a kernel that tells rows apart by more, as a larger gamma does"})
	}
}
