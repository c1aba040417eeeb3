package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// exp x = 2^k exp r with k = round(x/ln 2) and r = x - k ln 2, |r| ≤ ln 2/2.
// exp r is a polynomial. 2^k is multiplied in as two factors of half the
// exponent each: neither overflows, the second product rounds to a subnormal
// or to infinity as it should, and NaN stays NaN.
const (
	expDegree = 11
	expLow    = -746.0                // exp of it rounds to 0
	expHigh   = 710.0                 // exp of it overflows
	roundBits = 6755399441055744.0    // 1.5·2^52: adding it leaves the nearest integer in the low bits
	ln2High   = 0x1.62e42feep-1       // ln 2 in two parts, so that
	ln2Low    = 0x1.a39ef35793c76p-33 // k ln2High is exact
)

// unrolled is the number of vectors of four numbers in flight.
const unrolled = 4

// expConstants holds the addresses of the constants.
type expConstants struct {
	low, high, log2e, round, ln2High, ln2Low, one Mem
	c                                             [expDegree + 1]Mem
}

var constants *expConstants

// constant stores v by its bits: printed as a decimal, a whole number would be
// read as an integer.
func constant(name string, v float64) Mem {
	m := GLOBL("exp"+name, RODATA|NOPTR)
	DATA(0, U64(math.Float64bits(v)))
	return m
}

func expData() *expConstants {
	if constants != nil {
		return constants
	}
	constants = &expConstants{
		low: constant("Low", expLow), high: constant("High", expHigh), log2e: constant("Log2e", math.Log2E),
		round: constant("Round", roundBits), ln2High: constant("Ln2High", ln2High), ln2Low: constant("Ln2Low", ln2Low),
		one: constant("One", 1),
	}
	for i, v := range expCoefficients(expDegree) {
		constants.c[i] = constant(fmt.Sprintf("C%d", i), v)
	}
	return constants
}

// expBody replaces the four vectors x by their exponentials.
func expBody(x [unrolled]VecVirtual) {
	e := expData()
	c := YMM()
	var t, p [unrolled]VecVirtual
	for i := range x {
		t[i], p[i] = YMM(), YMM()
	}
	VBROADCASTSD(e.low, c)
	for i := range x {
		VMAXPD(x[i], c, x[i]) // if x is NaN the result is x
	}
	VBROADCASTSD(e.high, c)
	for i := range x {
		VMINPD(x[i], c, x[i])
	}
	round := YMM()
	VBROADCASTSD(e.log2e, c)
	VBROADCASTSD(e.round, round)
	for i := range x {
		VMOVAPD(round, t[i])
		VFMADD231PD(c, x[i], t[i])
	}
	for i := range x {
		VSUBPD(round, t[i], p[i]) // k
	}
	for _, part := range []Mem{e.ln2High, e.ln2Low} {
		VBROADCASTSD(part, c)
		for i := range x {
			VFNMADD231PD(c, p[i], x[i])
		}
	}
	VBROADCASTSD(e.c[expDegree], c)
	for i := range x {
		VMOVAPD(c, p[i])
	}
	for d := expDegree - 1; d >= 0; d-- {
		VBROADCASTSD(e.c[d], c)
		for i := range x {
			VFMADD213PD(c, x[i], p[i])
		}
	}
	VBROADCASTSD(e.one, c)
	for i := range x { // the low half of every t is k
		VPSRAD(Imm(1), t[i], x[i])
		VPSUBD(x[i], t[i], t[i])
		VPSLLQ(Imm(52), x[i], x[i])
		VPSLLQ(Imm(52), t[i], t[i])
		VPADDQ(c, x[i], x[i])
		VPADDQ(c, t[i], t[i])
		VMULPD(x[i], p[i], p[i])
		VMULPD(t[i], p[i], x[i])
	}
}

func fourVectors() [unrolled]VecVirtual {
	var x [unrolled]VecVirtual
	for i := range x {
		x[i] = YMM()
	}
	return x
}

func expBlocks() {
	TEXT("expBlocks", NOSPLIT, "func(dst, x []float64)")
	Pragma("noescape")
	Doc("expBlocks writes exp(x[i]) to dst[i]. The length of x is a positive multiple",
		"of 16. AVX2 and FMA.")
	dst := Load(Param("dst").Base(), GP64())
	from := Load(Param("x").Base(), GP64())
	n := Load(Param("x").Len(), GP64())
	SHRQ(Imm(4), n)
	x := fourVectors()
	Label("exploop")
	for i := range x {
		VMOVUPD(Mem{Base: from, Disp: 32 * i}, x[i])
	}
	expBody(x)
	for i := range x {
		VMOVUPD(x[i], Mem{Base: dst, Disp: 32 * i})
	}
	ADDQ(U32(128), from)
	ADDQ(U32(128), dst)
	DECQ(n)
	JNZ(LabelRef("exploop"))
	VZEROUPPER()
	RET()
}

func gaussianBlocks() {
	TEXT("gaussianBlocks", NOSPLIT, "func(g, yn []float64, xn, gamma float64)")
	Pragma("noescape")
	Doc("gaussianBlocks replaces g[j] by exp(-gamma max(0, xn + yn[j] - 2 g[j])). The",
		"length of g is a positive multiple of 16. AVX2 and FMA.")
	g := Load(Param("g").Base(), GP64())
	n := Load(Param("g").Len(), GP64())
	yn := Load(Param("yn").Base(), GP64())
	SHRQ(Imm(4), n)
	x := fourVectors()
	Label("gaussianloop")
	norm, rate, zero, twice := YMM(), YMM(), YMM(), YMM()
	VBROADCASTSD(NewParamAddr("xn", 48), norm)
	VBROADCASTSD(NewParamAddr("gamma", 56), rate)
	VXORPD(zero, zero, zero)
	VSUBPD(rate, zero, rate)
	for i := range x {
		VMOVUPD(Mem{Base: g, Disp: 32 * i}, twice)
		VADDPD(twice, twice, twice)
		VADDPD(Mem{Base: yn, Disp: 32 * i}, norm, x[i])
		VSUBPD(twice, x[i], x[i])
		VMAXPD(x[i], zero, x[i]) // if x is NaN the result is x
		VMULPD(x[i], rate, x[i])
	}
	expBody(x)
	for i := range x {
		VMOVUPD(x[i], Mem{Base: g, Disp: 32 * i})
	}
	ADDQ(U32(128), g)
	ADDQ(U32(128), yn)
	DECQ(n)
	JNZ(LabelRef("gaussianloop"))
	VZEROUPPER()
	RET()
}
