package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// With k = round(x·2/π) and r = x - k π/2, |r| ≤ π/4, sin x and cos x are ±sin r and
// ±cos r, or the other way round where k is odd. π/2 is in two parts, each multiplied
// and subtracted with a single rounding, so that r has an absolute error of some 2^-54
// for |k| < 2^31. The polynomials are those of fdlibm's __kernel_sin and __kernel_cos,
// of degree 13 and 14, with errors below 2^-57.
var (
	halfPiHigh = math.Float64frombits(0x3ff921fb54442d18)
	halfPiLow  = math.Float64frombits(0x3c91a62633145c07)

	sinCoefficients = []float64{
		-1.66666666666666324348e-01, 8.33333333332248946124e-03, -1.98412698298579493134e-04,
		2.75573137070700676789e-06, -2.50507602534068634195e-08, 1.58969099521155010221e-10,
	}
	cosCoefficients = []float64{
		4.16666666666666019037e-02, -1.38888888888741095749e-03, 2.48015872894767294178e-05,
		-2.75573143513906633035e-07, 2.08757232129817482790e-09, -1.13596475577881948265e-11,
	}
)

// together is the number of vectors of four arguments in flight: each has two chains.
const together = 2

// broadcast stores v and returns a register of copies of it.
func broadcast(name string, v float64, to VecVirtual) VecVirtual {
	m := GLOBL("sincos"+name, RODATA|NOPTR)
	DATA(0, U64(math.Float64bits(v)))
	VBROADCASTSD(m, to)
	return to
}

func sinCosBlocks() {
	TEXT("sinCosBlocks", NOSPLIT, "func(sin, cos, x []float64)")
	Pragma("noescape")
	Doc("sinCosBlocks writes sin(x[i]) and cos(x[i]). The length of x is a positive multiple",
		"of 8, and |x[i]| at most 2^30. AVX2 and FMA.")
	sin := Load(Param("sin").Base(), GP64())
	cos := Load(Param("cos").Base(), GP64())
	from := Load(Param("x").Base(), GP64())
	n := Load(Param("x").Len(), GP64())
	SHRQ(Imm(3), n)
	var r, s, k, ps, pc [together]VecVirtual
	for i := range r {
		r[i], s[i], k[i], ps[i], pc[i] = YMM(), YMM(), YMM(), YMM(), YMM()
	}
	c, d := VecVirtual(YMM()), VecVirtual(YMM())
	Label("sincosloop")
	broadcast("Rate", 2/math.Pi, c)
	broadcast("Round", roundBits, d)
	for i := range r {
		VMOVUPD(Mem{Base: from, Disp: 32 * i}, r[i])
		VMOVAPD(d, k[i])
		VFMADD231PD(c, r[i], k[i])
		VSUBPD(d, k[i], s[i])
	}
	for p, part := range []float64{halfPiHigh, halfPiLow} {
		broadcast(fmt.Sprintf("HalfPi%d", p), part, c)
		for i := range r {
			VFNMADD231PD(c, s[i], r[i])
		}
	}
	for i := range r {
		VMULPD(r[i], r[i], s[i])
	}
	sinCosPolynomials(s, ps, pc, c, d)
	broadcast("Half", -0.5, c)
	broadcast("One", 1, d)
	for i := range r {
		t := YMM()
		VMULPD(s[i], r[i], t)
		VFMADD213PD(r[i], t, ps[i]) // sin r = r + (r s) p
		VMULPD(s[i], s[i], t)
		VFMADD213PD(d, c, s[i])     // 1 - s/2
		VFMADD213PD(s[i], t, pc[i]) // cos r = (1 - s/2) + s² p
	}
	broadcast("Sign", math.Copysign(0, -1), d)
	for i := range r {
		odd, negative := YMM(), YMM()
		VPSLLQ(Imm(63), k[i], odd)
		VPSLLQ(Imm(62), k[i], negative)
		VBLENDVPD(odd, pc[i], ps[i], r[i])
		VBLENDVPD(odd, ps[i], pc[i], s[i])
		VXORPD(odd, negative, odd)
		VANDPD(d, negative, negative)
		VANDPD(d, odd, odd)
		VXORPD(negative, r[i], r[i])
		VXORPD(odd, s[i], s[i])
		VMOVUPD(r[i], Mem{Base: sin, Disp: 32 * i})
		VMOVUPD(s[i], Mem{Base: cos, Disp: 32 * i})
	}
	for _, at := range []Register{from, sin, cos} {
		ADDQ(Imm(32*together), at)
	}
	DECQ(n)
	JNZ(LabelRef("sincosloop"))
	VZEROUPPER()
	RET()
}

// sinCosPolynomials sets ps and pc to the polynomials at s.
func sinCosPolynomials(s, ps, pc [together]VecVirtual, c, d VecVirtual) {
	last := len(sinCoefficients) - 1
	for j := last; j >= 0; j-- {
		broadcast(fmt.Sprintf("S%d", j), sinCoefficients[j], c)
		broadcast(fmt.Sprintf("C%d", j), cosCoefficients[j], d)
		for i := range s {
			if j == last {
				VMOVAPD(c, ps[i])
				VMOVAPD(d, pc[i])
				continue
			}
			VFMADD213PD(c, s[i], ps[i])
			VFMADD213PD(d, s[i], pc[i])
		}
	}
}
