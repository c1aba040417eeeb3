//go:build !noasm

package linalg

// micro4x12NEON adds to the 4×12 tiles of c, one below the other, its rows ldc
// apart, the products of the packed panels a (k×4 each) and b (k×12), or overwrites them.
//
//go:noescape
func micro4x12NEON(k, tiles int, a, b, c []float64, ldc int, overwrite bool)

// nativeKernels is NEON, which every arm64 processor has, for products of
// matrices; the compiler's code serves elsewhere.
func nativeKernels() []kernel {
	neon := goKernel
	neon.name, neon.mr, neon.nr, neon.micro = "neon", 4, 12, micro4x12NEON
	return []kernel{neon}
}
