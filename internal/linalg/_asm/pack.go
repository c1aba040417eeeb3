package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The loops that lay an operand out in panels of w rows, term by term. The panels of all
// kernels are multiples of four rows wide, and so both loops move four numbers at a time.

// packRows transposes four rows, four terms at a time.
func packRows() {
	TEXT("packRowsAVX", NOSPLIT, "func(dst []float64, w int, alpha float64, a []float64, lda, k int)")
	Pragma("noescape")
	Doc("packRowsAVX sets dst[i*w+r] to alpha a[r*lda+i] for four rows r and k terms i. AVX2.")
	rows := fourRows()
	dst := Load(Param("dst").Base(), GP64())
	w := Load(Param("w"), GP64())
	SHLQ(Imm(3), w)
	w3 := GP64()
	LEAQ(Mem{Base: w, Index: w, Scale: 2}, w3)
	alpha := YMM()
	VBROADCASTSD(NewParamAddr("alpha", 32), alpha)
	left := Load(Param("k"), GP64()).(GPVirtual)
	at := zeroOffset()
	v, t := registersOf(4, ymm), registersOf(4, ymm)
	each("packrows4", 4, at, left, func() {
		for r := range 4 {
			VMULPD(offset(rows[r], at, 0), alpha, v[r])
		}
		for r := 0; r < 4; r += 2 { // pairs of rows, then pairs of pairs
			VUNPCKLPD(v[r+1], v[r], t[r])
			VUNPCKHPD(v[r+1], v[r], t[r+1])
		}
		for i := range 2 {
			VPERM2F128(Imm(0x20), t[2+i], t[i], v[i])
			VPERM2F128(Imm(0x31), t[2+i], t[i], v[2+i])
		}
		VMOVUPD(v[0], Mem{Base: dst})
		VMOVUPD(v[1], Mem{Base: dst, Index: w, Scale: 1})
		VMOVUPD(v[2], Mem{Base: dst, Index: w, Scale: 2})
		VMOVUPD(v[3], Mem{Base: dst, Index: w3, Scale: 1})
		LEAQ(Mem{Base: dst, Index: w, Scale: 4}, dst.(GPVirtual))
	})
	each("packrows1", 1, at, left, func() {
		for r := range 4 {
			VMOVSD(offset(rows[r], at, 0), v[r].AsX())
			VMULSD(alpha.AsX(), v[r].AsX(), v[r].AsX())
			VMOVSD(v[r].AsX(), Mem{Base: dst, Disp: 8 * r})
		}
		ADDQ(w, dst)
	})
	VZEROUPPER()
	RET()
}

// packColumns copies w numbers a term for every panel: row after row of the operand's
// memory while a panel is written along.
func packColumns() {
	TEXT("packColumnsAVX", NOSPLIT,
		"func(dst []float64, w, next int, alpha float64, a []float64, lda, k, panels int)")
	Pragma("noescape")
	Doc("packColumnsAVX sets dst[p*next+i*w+r] to alpha a[i*lda+p*w+r] for the panels p, k terms i",
		"and r < w, a multiple of four. AVX2.")
	dst := Load(Param("dst").Base(), GP64())
	w := Load(Param("w"), GP64())
	next := Load(Param("next"), GP64())
	alpha := YMM()
	VBROADCASTSD(NewParamAddr("alpha", 40), alpha)
	a := Load(Param("a").Base(), GP64())
	lda := Load(Param("lda"), GP64())
	terms := Load(Param("k"), GP64())
	panels := Load(Param("panels"), GP64())
	SHLQ(Imm(3), lda)
	SHLQ(Imm(3), w)
	to, from, row, i, at := GP64(), GP64(), GP64(), GP64(), GP64()
	v := YMM()
	Label("packcolumns")
	MOVQ(dst, to)
	MOVQ(a, row)
	MOVQ(terms, i)
	Label("packcolumnsterm")
	MOVQ(row, from)
	MOVQ(w, at)
	Label("packcolumnsfour")
	VMULPD(Mem{Base: from}, alpha, v)
	VMOVUPD(v, Mem{Base: to})
	ADDQ(Imm(32), from)
	ADDQ(Imm(32), to)
	SUBQ(Imm(32), at)
	JNZ(LabelRef("packcolumnsfour"))
	ADDQ(lda, row)
	DECQ(i)
	JNZ(LabelRef("packcolumnsterm"))
	ADDQ(w, a)
	LEAQ(Mem{Base: dst, Index: next, Scale: 8}, dst.(GPVirtual))
	DECQ(panels)
	JNZ(LabelRef("packcolumns"))
	VZEROUPPER()
	RET()
}
