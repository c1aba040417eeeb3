package linalg

import (
	"fmt"
	"os"
	"strings"
)

// kernel is one implementation of the inner loops, the only code that differs
// between processors. The callers have checked lengths; the assembly does not.
type kernel struct {
	name string

	// mr×nr is the tile of C that micro holds in registers.
	mr, nr int

	// micro adds the products of packed mr×k panels of A and a packed k×nr
	// panel of B to the tiles of c, one below the other, whose rows are ldc
	// apart. Each entry is one chain of multiply-adds over k, from zero, added
	// to c at the end, or put in its place.
	micro func(k, tiles int, a, b, c []float64, ldc int, overwrite bool)

	// packRows sets dst[i*w+r] to alpha a[r*lda+i] for r < 4 and k terms i.
	packRows func(dst []float64, w int, alpha float64, a []float64, lda, k int)

	// packColumns sets dst[p*next+i*w+r] to alpha a[i*lda+p*w+r] for the panels p, k terms
	// i and r < w, a multiple of 4.
	packColumns func(dst []float64, w, next int, alpha float64, a []float64, lda, k, panels int)

	dot  func(x, y []float64) float64        // Σ x y over len(x)
	axpy func(alpha float64, x, y []float64) // y += alpha x over len(x)

	// dot4 adds alpha (a_r · x) to dst[r], r < 4, a_r = a[r*lda:], over len(x).
	dot4 func(alpha float64, a []float64, lda int, x, dst []float64)

	// axpy4 adds c0 a_0 + c1 a_1 + c2 a_2 + c3 a_3 to y, over len(y).
	axpy4 func(c0, c1, c2, c3 float64, a []float64, lda int, y []float64)

	// symv4 is dot4 with alpha 1 and axpy4 in one pass over a:
	// dst[r] += a_r · x and y += Σ coef[r] a_r, over len(x).
	symv4 func(a []float64, lda int, x, y, coef, dst []float64)

	// addRows adds Σ_k coef[k] a_k to y, a_k = a[rows[k]*stride:], in the order of
	// the list, over len(y).
	addRows func(coef []float64, rows []int32, a []float64, stride int, y []float64)

	// chains: axpy4 adds row after row, each with one rounding, so that addRows of the same
	// rows has the same bits.
	chains bool

	// dotRows sets dst[k] to a_k · x, over len(x); len(rows) is a multiple of 4.
	dotRows func(x []float64, rows []int32, a []float64, stride int, dst []float64)

	curves func(x, panels []float64, knots int) float64 // see Curves.Sum

	// see PairMargins and PairSigns
	pairMargins func(pivot, toward, lambda float64, ci, dst, c, gap, blocks []float64, stride int) (least, squares float64)
	pairSigns   func(p, r, ak, dk, yk, near float64, q, qi, qj, y, a, d []float64) (below int, close bool)

	exp         func(dst, x []float64)                   // see Exp
	gaussianRow func(g, yn []float64, xn, gamma float64) // see GaussianRow
	sinCos      func(sin, cos, x []float64)              // see SinCos
}

// goKernel needs nothing but Go and is always there.
var goKernel = kernel{
	name: "go", mr: 4, nr: 4, micro: microGo, packRows: packRowsGo, packColumns: packColumnsGo,
	dot: dotGo, axpy: axpyGo, dot4: dot4Go, axpy4: axpy4Go, symv4: symv4Go, addRows: addRowsGo, dotRows: dotRowsGo,
	pairMargins: pairMarginsGo, pairSigns: pairSignsGo, exp: expGo, gaussianRow: gaussianRowGo, sinCos: sinCosGo,
	curves: curvesGo,
}

// kernelNames are all kernels there are, on whatever processor.
var kernelNames = []string{"go", "avx2", "avx512", "neon"}

// available are the kernels that this build has and this processor runs, the
// slowest first.
var available = append([]kernel{goKernel}, nativeKernels()...)

var (
	active    = available[len(available)-1]
	kernelErr = kernelFromEnvironment()
)

// KernelVariable is the environment variable that forces a kernel at start.
const KernelVariable = "PAIRRANK_KERNEL"

func kernelFromEnvironment() error {
	name, ok := os.LookupEnv(KernelVariable)
	if !ok || name == "" {
		return nil
	}
	if err := SetKernel(name); err != nil {
		return fmt.Errorf("%s: %w", KernelVariable, err)
	}
	return nil
}

// Kernel is the name of the kernel in use: "go", "avx2", "avx512" or "neon".
func Kernel() string { return active.name }

// Kernels are the names that SetKernel accepts here, the slowest first.
func Kernels() []string {
	names := make([]string, len(available))
	for i := range available {
		names[i] = available[i].name
	}
	return names
}

// KernelError says what is wrong with the value of PAIRRANK_KERNEL at start, or is nil. After an
// error the best kernel of the processor is in use.
func KernelError() error { return kernelErr }

// SetKernel chooses the kernel. It must not be called while another goroutine
// uses the package. A name that does not exist, or one that this build or
// processor lacks, is an error and changes nothing.
func SetKernel(name string) error {
	for i := range available {
		if available[i].name == name {
			active = available[i]
			return nil
		}
	}
	here := strings.Join(Kernels(), ", ")
	for _, known := range kernelNames {
		if known == name {
			return fmt.Errorf("the kernel %q cannot run here; here there are %s", name, here)
		}
	}
	return fmt.Errorf("unknown kernel %q; known are %s; here there are %s", name, strings.Join(kernelNames, ", "), here)
}
