package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// curveLanes is the number of features of a panel of Curves.
const curveLanes = 16

// curves takes the places of a panel beyond the end of x as 0. The padding of knots is +Inf, which VMAXPD leaves at 0,
// also where it makes Inf - Inf.
func curves() {
	TEXT("curvesAVX", NOSPLIT, "func(x, panels []float64, knots int) float64")
	Pragma("noescape")
	Doc("curvesAVX is Curves.Sum of the panels, at least one. AVX2 and FMA.")
	x := Load(Param("x").Base(), GP64())
	left := Load(Param("x").Len(), GP64()).(GPVirtual)
	panel := Load(Param("panels").Base(), GP64())
	panels := Load(Param("panels").Len(), GP64()).(GPVirtual)
	knots := Load(Param("knots"), GP64())
	places := GLOBL("curvePlaces", RODATA|NOPTR)
	for i := range curveLanes {
		DATA(8*i, U64(uint64(i)))
	}
	sum := zeros(curveLanes / 4)
	zero := zeros(1)[0]
	v, hinge, mask := registersOf(curveLanes/4, ymm), registersOf(curveLanes/4, ymm), YMM()
	end := GP64()
	LEAQ(Mem{Base: panel, Index: panels, Scale: 8}, end)
	Label("curves")
	VMOVQ(left, mask.AsX())
	VPBROADCASTQ(mask.AsX(), mask)
	for i := range v {
		VPCMPGTQ(places.Offset(32*i), mask, hinge[i])
		VMASKMOVPD(Mem{Base: x, Disp: 32 * i}, hinge[i], v[i])
		VFMADD231PD(Mem{Base: panel, Disp: 32 * i}, v[i], sum[i])
	}
	ADDQ(U32(8*curveLanes), panel)
	k := GP64()
	MOVQ(knots, k)
	TESTQ(k, k)
	JZ(LabelRef("curvesnext"))
	Label("hinges")
	for i := range v {
		VSUBPD(Mem{Base: panel, Disp: 32 * i}, v[i], hinge[i])
	}
	for i := range v {
		VMAXPD(zero, hinge[i], hinge[i])
	}
	for i := range v {
		VFMADD231PD(Mem{Base: panel, Disp: 8*curveLanes + 32*i}, hinge[i], sum[i])
	}
	ADDQ(U32(2*8*curveLanes), panel)
	DECQ(k)
	JNZ(LabelRef("hinges"))
	Label("curvesnext")
	ADDQ(U32(8*curveLanes), x)
	SUBQ(Imm(curveLanes), left)
	CMPQ(panel, end)
	JLT(LabelRef("curves"))
	VADDPD(sum[1], sum[0], sum[0])
	VADDPD(sum[3], sum[2], sum[2])
	VADDPD(sum[2], sum[0], sum[0])
	total(sum[0])
	VZEROUPPER()
	Store(sum[0].AsX(), ReturnIndex(0))
	RET()
}
