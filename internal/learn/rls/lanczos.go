package rls

import (
	"context"
	"math"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/internal/krylov"
	"pairrank/internal/linalg"
	"pairrank/internal/parallel"
)

// lanczos runs the Lanczos process (Lanczos 1950; Golub and Van Loan 2013, Matrix computations,
// section 10.1) for several systems at once. Each system is XᵀLX over some rows of one x with its
// own start; a pass over x serves all systems and every λ. The vectors are not reorthogonalised:
// where rounding delays a λ it takes more steps, as conjugate gradients for that λ would.
type lanczos struct {
	x        data.Matrix
	xt       *data.CSR // the transpose of sparse rows, or nil
	systems  []*system
	constant []float64 // of held rows: it adds constantᵀw to each score; nil is none

	v, before, next linalg.Mat // n×k, a column for each system, and padded ones
	f, u            linalg.Mat // m×k, XV and L XV
	sums            linalg.Mat // of the pieces of n, a column for each system
	alpha, beta     []float64  // k, of the systems
}

// system is XᵀLX w = b for rows of x, and the parts of its solutions that are wanted.
type system struct {
	rows   []int32 // those of the Laplacian, nil for all
	l      goals.Laplacian
	r      []float64
	held   []int32 // rows whose scores are wanted, unless whole
	whole  bool    // weights are wanted
	shifts []*krylov.Shift

	scores            []float64 // of rows
	image             []float64 // of v
	norm              float64   // ‖b‖
	alpha, beta, next float64
	ended             bool
}

// lanczosPiece is how many features are worth a goroutine.
const lanczosPiece = 1 << 12

// newLanczos prepares the systems, with a shift for each λ.
func newLanczos(x data.Matrix, xt *data.CSR, systems []*system, lambdas, constant []float64) *lanczos {
	m, n := x.Dims()
	k := len(systems)
	if xt != nil {
		k = padded(k)
	}
	z := &lanczos{x: x, xt: xt, systems: systems, constant: constant, alpha: make([]float64, k),
		beta: make([]float64, k),
		v:    linalg.NewMat(n, k), before: linalg.NewMat(n, k), next: linalg.NewMat(n, k),
		f: linalg.NewMat(m, k), u: linalg.NewMat(m, k), sums: linalg.NewMat((n+lanczosPiece-1)/lanczosPiece, k)}
	for c, s := range systems {
		s.scores = make([]float64, len(s.r))
		size := len(s.held)
		if s.whole {
			size = n
		}
		s.image = make([]float64, size)
		for _, lambda := range lambdas {
			s.shifts = append(s.shifts, krylov.NewShift(lambda, size))
		}
		s.scatter(z.u, c, s.r)
	}
	return z
}

// padded is the number of columns used for a product of sparse rows with k columns: sixteen columns
// take about the time of eight, and four that of three. The columns beyond the systems are 0.
func padded(k int) int {
	switch {
	case k == 1:
		return 1
	case k <= 4:
		return 4
	}
	return (k + 15) / 16 * 16
}

// transposed is xᵀ of sparse rows in double precision, else nil.
func transposed(x data.Matrix) *data.CSR {
	if x, ok := x.(*data.CSR); ok {
		return x.Transpose()
	}
	return nil
}

// gather sets s.scores to column c of f at the rows of the system.
func (s *system) gather(f linalg.Mat, c int) {
	if s.rows == nil {
		for i := range s.scores {
			s.scores[i] = f.Data[i*f.Stride+c]
		}
		return
	}
	for a, i := range s.rows {
		s.scores[a] = f.Data[int(i)*f.Stride+c]
	}
}

// scatter sets column c of u at the rows of the system; the others stay 0.
func (s *system) scatter(u linalg.Mat, c int, values []float64) {
	if s.rows == nil {
		for i, v := range values {
			u.Data[i*u.Stride+c] = v
		}
		return
	}
	for a, i := range s.rows {
		u.Data[int(i)*u.Stride+c] = values[a]
	}
}

// iteration is a Krylov process for several λ.
type iteration interface {
	start()
	step(o CGOptions)
	ended() bool                  // whether every λ of every system has ended
	distance(o CGOptions) float64 // that of krylov, the largest
}

// iterate runs a process until it has ended, or for o.MaxIterations steps. On cancellation the
// solutions are the last iterates, and the error is that of ctx.
func iterate(ctx context.Context, z iteration, o CGOptions) error {
	z.start()
	var share krylov.Share
	for k := 1; k <= o.MaxIterations && !z.ended(); k++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		z.step(o)
		if o.Progress != nil {
			o.Progress(share.After(k, o.MaxIterations, z.distance(o)))
		}
	}
	return nil
}

// ended reports whether every system has.
func (z *lanczos) ended() bool {
	for _, s := range z.systems {
		if !s.ended {
			return false
		}
	}
	return true
}

func (z *lanczos) distance(o CGOptions) float64 {
	largest := 0.0
	for _, s := range z.systems {
		largest = max(largest, krylov.Distance(s.shifts, o.Tolerance, o.Scores))
	}
	return largest
}

// start makes the first vectors, b over its length. The system of b = 0 has the solution
// 0.
func (z *lanczos) start() {
	z.mulTrans(z.next, z.u)
	largest := make([]float64, z.next.Cols)
	for i := range z.next.Rows {
		for c, b := range z.next.Row(i) {
			largest[c] = max(largest[c], math.Abs(b))
		}
	}
	exponents := make([]int, len(z.systems))
	for c := range exponents {
		_, exponents[c] = math.Frexp(largest[c]) // so that squares neither overflow nor underflow
		z.shift(c, -exponents[c])
	}
	squares := z.orthogonalise() // of nothing: alpha and beta are 0
	for c, s := range z.systems {
		s.next = math.Sqrt(squares[c])
		s.norm = math.Ldexp(s.next, exponents[c])
		if largest[c] == 0 {
			krylov.EndAt(s.shifts, 0)
			s.ended = true
		}
	}
	z.rotate()
}

// shift multiplies column c of next by 2^exponent.
func (z *lanczos) shift(c, exponent int) {
	for j := c; j < len(z.next.Data); j += z.next.Stride {
		z.next.Data[j] = math.Ldexp(z.next.Data[j], exponent)
	}
}

// rotate makes next, divided by its length, the current vector. The vector of a system that has
// ended is 0.
func (z *lanczos) rotate() {
	z.before, z.v, z.next = z.v, z.next, z.before
	by := make([]float64, z.v.Cols)
	for c, s := range z.systems {
		if s.beta = s.next; !s.ended {
			by[c] = 1 / s.beta
		}
	}
	parallel.Chunks(z.v.Rows, lanczosPiece, func(_, lo, hi int) {
		if len(by) == 1 {
			linalg.Scal(by[0], z.v.Data[lo:hi])
			return
		}
		for i := lo; i < hi; i++ {
			row := z.v.Row(i)
			for c, factor := range by[:len(row)] {
				row[c] *= factor
			}
		}
	})
}

// step is one step of all systems: two products with X, and one with each L.
func (z *lanczos) step(o CGOptions) {
	z.mul(z.f, z.v)
	parallel.For(len(z.systems), func(_, c int) { z.systems[c].laplace(z, c) })
	z.mulTrans(z.next, z.u)
	squares := z.orthogonalise()
	for c, s := range z.systems {
		s.next = math.Sqrt(squares[c])
	}
	z.images()
	lambdas := len(z.systems[0].shifts)
	parallel.For(len(z.systems)*lambdas, func(_, q int) {
		s := z.systems[q/lambdas]
		if h := s.shifts[q%lambdas]; !h.Ended {
			h.Advance(s.alpha, s.beta, s.next, s.image, o.Tolerance, o.Scores)
		}
	})
	for _, s := range z.systems {
		krylov.EndAt(s.shifts, s.next)
		s.ended = krylov.AllEnded(s.shifts)
	}
	z.rotate()
}

// laplace sets column c of u to L f, and alpha to fᵀLf.
func (s *system) laplace(z *lanczos, c int) {
	if s.ended {
		return
	}
	s.gather(z.f, c)
	s.l.MulTo(s.scores, s.scores, 1)
	s.alpha = 0
	for a, v := range s.scores {
		i := a
		if s.rows != nil {
			i = int(s.rows[a])
		}
		s.alpha += v * z.f.Data[i*z.f.Stride+c]
	}
	s.scatter(z.u, c, s.scores)
}

// orthogonalise subtracts alpha v + beta times the vector before it from next, and returns ‖·‖² of
// its columns, summed by pieces.
func (z *lanczos) orthogonalise() []float64 {
	for c, s := range z.systems {
		z.alpha[c], z.beta[c] = s.alpha, s.beta
	}
	parallel.Chunks(z.next.Rows, lanczosPiece, func(_, lo, hi int) {
		sum := z.sums.Row(lo / lanczosPiece)
		clear(sum)
		if len(sum) == 1 {
			sum[0] = subtract(z.next.Data[lo:hi], z.v.Data[lo:hi], z.before.Data[lo:hi], z.alpha[0], z.beta[0])
			return
		}
		alpha, beta := z.alpha[:len(sum)], z.beta[:len(sum)]
		for i := lo; i < hi; i++ {
			next, v, before := z.next.Row(i)[:len(sum)], z.v.Row(i)[:len(sum)], z.before.Row(i)[:len(sum)]
			for c, w := range next {
				w -= alpha[c]*v[c] + beta[c]*before[c]
				next[c] = w
				sum[c] += w * w
			}
		}
	})
	total := make([]float64, z.sums.Cols)
	for q := range z.sums.Rows {
		for c, v := range z.sums.Row(q) {
			total[c] += v
		}
	}
	return total
}

// subtract subtracts alpha v + beta before from next, and returns ‖next‖².
func subtract(next, v, before []float64, alpha, beta float64) float64 {
	v, before = v[:len(next)], before[:len(next)]
	sum := 0.0
	for i, w := range next {
		w -= alpha*v[i] + beta*before[i]
		next[i] = w
		sum += w * w
	}
	return sum
}

// images are the current vector under the map of each system.
func (z *lanczos) images() {
	for c, s := range z.systems {
		switch {
		case s.ended:
		case s.whole:
			for j := range s.image {
				s.image[j] = z.v.Data[j*z.v.Stride+c]
			}
		default:
			shared := 0.0
			for j, p := range z.constant {
				shared += p * z.v.Data[j*z.v.Stride+c]
			}
			for a, i := range s.held {
				s.image[a] = z.f.Data[int(i)*z.f.Stride+c] + shared
			}
		}
	}
}

// mul sets dst = XW.
func (z *lanczos) mul(dst, w linalg.Mat) {
	switch x := z.x.(type) {
	case *data.CSR:
		mulSparse(x, dst, w)
	case *data.Dense:
		if w.Cols > 1 {
			linalg.Gemm(linalg.NoTrans, linalg.NoTrans, 1, linalg.Mat(*x), w, 0, dst)
			return
		}
		x.MulVecTo(dst.Data, w.Data)
	default:
		byColumn(dst, w, x.MulVecTo)
	}
}

// mulTrans sets dst = XᵀU.
func (z *lanczos) mulTrans(dst, u linalg.Mat) {
	if z.xt != nil {
		mulSparse(z.xt, dst, u)
		return
	}
	if x, ok := z.x.(*data.Dense); ok && u.Cols > 1 {
		linalg.Gemm(linalg.T, linalg.NoTrans, 1, linalg.Mat(*x), u, 0, dst)
		return
	}
	byColumn(dst, u, z.x.MulTransVecTo)
}

// mulSparse sets dst = XW for sparse rows.
func mulSparse(x *data.CSR, dst, w linalg.Mat) {
	if w.Cols == 1 {
		x.MulVecTo(dst.Data, w.Data)
		return
	}
	x.MulTo((*data.Dense)(&dst), (*data.Dense)(&w))
}
