package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The loops over pairs that are left out take four pairs at a time; the callers fill vectors up.

// scalars broadcasts the first parameters, which are numbers.
func scalars(names ...string) []VecVirtual {
	s := registersOf(len(names), ymm)
	for k, name := range names {
		VBROADCASTSD(NewParamAddr(name, 8*k), s[k])
	}
	return s
}

// pairMargins has equal u and w for equal rows, since both are a product and a fused multiply-add. The six vectors of a
// block are width apart: two addresses, at the first and the fourth, reach all.
func pairMargins() {
	TEXT("pairMarginsAVX", NOSPLIT, "func(pivot, toward, lambda float64, ci, dst, c, gap, blocks []float64, stride int) "+
		"(least, squares float64)")
	Pragma("noescape")
	Doc("pairMarginsAVX is PairMargins. The length of gap is a positive multiple of 4, and ci is not empty. AVX2 and FMA.")
	s := scalars("pivot", "toward", "lambda")
	pivot, toward, lambda := s[0], s[1], s[2]
	of := Load(Param("ci").Base(), GP64()).(GPVirtual)
	groups := Load(Param("ci").Len(), GP64()).(GPVirtual)
	dst := Load(Param("dst").Base(), GP64()).(GPVirtual)
	c := Load(Param("c").Base(), GP64())
	gap := Load(Param("gap").Base(), GP64())
	width := Load(Param("gap").Len(), GP64()).(GPVirtual)
	first := Load(Param("blocks").Base(), GP64()).(GPVirtual)
	next := Load(Param("stride"), GP64()).(GPVirtual) // from the end of a vector to the block that follows
	SUBQ(width, next)
	SHLQ(Imm(3), next)
	SHLQ(Imm(3), width)
	fourth := GP64()
	LEAQ(Mem{Base: first, Index: width, Scale: 2}, fourth)
	ADDQ(width, fourth)
	at := GP64()
	least, squares := YMM(), YMM()
	VPCMPEQQ(least, least, least) // ones, and by shifts +Inf
	VPSLLQ(Imm(53), least, least)
	VPSRLQ(Imm(1), least, least)
	VXORPD(squares, squares, squares)
	v := registersOf(7, ymm)
	ci, cj, mij, u, w, reduced, rest := v[0], v[1], v[2], v[3], v[4], v[5], v[6]
	vector := func(base Register, scale uint8) Mem {
		if scale == 0 {
			return Mem{Base: base}
		}
		return Mem{Base: base, Index: width, Scale: scale}
	}
	Label("pairgroup")
	VBROADCASTSD(Mem{Base: of}, ci)
	XORQ(at, at)
	Label("pairmargins")
	VMOVUPD(offset(c, at, 0), cj)
	VMOVUPD(vector(first, 1), mij)
	VMULPD(vector(first, 0), ci, u)
	VFMADD231PD(mij, cj, u)
	VMULPD(vector(first, 2), cj, w)
	VFMADD231PD(mij, ci, w)
	VMOVAPD(pivot, reduced)
	VFNMADD231PD(ci, u, reduced)
	VFNMADD231PD(cj, w, reduced)
	VMAXPD(lambda, reduced, reduced)
	VMOVAPD(toward, rest)
	VFNMADD231PD(vector(fourth, 0), ci, rest)
	VFNMADD231PD(vector(fourth, 1), cj, rest)
	VSUBPD(w, u, u)
	VMULPD(rest, u, u)
	VDIVPD(reduced, u, u)
	VADDPD(vector(fourth, 2), u, u)
	VMOVUPD(u, Mem{Base: dst})
	VMINPD(u, least, least)
	VMOVUPD(offset(gap, at, 0), rest)
	VSUBPD(u, rest, rest)
	VFMADD231PD(rest, rest, squares)
	for _, pointer := range []GPVirtual{at, dst, first, fourth} {
		ADDQ(Imm(32), pointer)
	}
	CMPQ(at, width)
	JLT(LabelRef("pairmargins"))
	ADDQ(next, first)
	ADDQ(next, fourth)
	ADDQ(Imm(8), of)
	DECQ(groups)
	JNZ(LabelRef("pairgroup"))
	total(squares)
	high := XMM()
	VEXTRACTF128(Imm(1), least, high)
	VMINPD(high, least.AsX(), least.AsX())
	VUNPCKHPD(least.AsX(), least.AsX(), high)
	VMINSD(high, least.AsX(), least.AsX())
	VZEROUPPER()
	Store(least.AsX(), ReturnIndex(0))
	Store(squares.AsX(), ReturnIndex(1))
	RET()
}

// pairSigns counts signs without branches.
func pairSigns() {
	TEXT("pairSignsAVX", NOSPLIT, "func(p, r, ak, dk, yk, near float64, q, qi, qj, y, a, d []float64) "+
		"(below int, close bool)")
	Pragma("noescape")
	Doc("pairSignsAVX is PairSigns. The length of q is a multiple of 4. AVX2 and FMA.")
	s := scalars("p", "r", "ak", "dk", "yk", "near")
	q := Load(Param("q").Base(), GP64())
	left := Load(Param("q").Len(), GP64()).(GPVirtual)
	var of [5]Register
	for k, name := range []string{"qi", "qj", "y", "a", "d"} {
		of[k] = Load(Param(name).Base(), GP64())
	}
	at := zeroOffset()
	z := zeros(2)
	below, close := z[0], z[1]
	v := registersOf(6, ymm)
	c, t, al, f, w, size := v[0], v[1], v[2], v[3], v[4], v[5]
	VPCMPEQQ(size, size, size)
	VPSRLQ(Imm(1), size, size) // all bits but the sign
	each("pairsigns", 4, at, left, func() {
		VMOVUPD(offset(q, at, 0), w)
		VFNMADD231PD(offset(of[0], at, 0), s[0], w)
		VFNMADD231PD(offset(of[1], at, 0), s[1], w)
		VMOVUPD(offset(of[2], at, 0), c)
		VSUBPD(s[4], c, c)
		VMOVUPD(offset(of[3], at, 0), al)
		VSUBPD(s[2], al, t)
		VFMADD231PD(c, w, t)
		VMULPD(w, t, f)
		VFMADD213PD(s[2], s[3], c) // c d_k + a_k
		VFNMADD231PD(offset(of[4], at, 0), c, f)
		VFMADD231PD(s[3], al, f)
		VPSRLQ(Imm(63), f, t)
		VPADDQ(t, below, below)
		VANDPD(size, f, f)
		VCMPPD(Imm(18), s[5], f, f) // |f| ≤ near, quiet
		VORPD(f, close, close)
	})
	high, count, some := XMM(), GP64(), GP64()
	VEXTRACTI128(Imm(1), below, high)
	VPADDQ(high, below.AsX(), below.AsX())
	VPSRLDQ(Imm(8), below.AsX(), high)
	VPADDQ(high, below.AsX(), below.AsX())
	MOVQ(below.AsX(), count)
	VMOVMSKPD(close, some.As32())
	TESTL(some.As32(), some.As32())
	SETNE(some.As8())
	VZEROUPPER()
	Store(count, ReturnIndex(0))
	Store(some.As8(), ReturnIndex(1))
	RET()
}
