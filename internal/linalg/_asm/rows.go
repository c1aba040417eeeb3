package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The loops over rows of a matrix that a list names. addRows keeps a strip of y
// in registers while it goes through the list, so that a number of a row is
// loaded and nothing stored; dotRows takes four rows at a time, so that x is
// loaded once for four.

// rowAt puts the address of the row whose number stands at place into row.
func rowAt(a, stride Register, place Mem, row GPVirtual) {
	MOVLQSX(place, row)
	IMULQ(stride, row)
	ADDQ(a, row)
}

// addRows emits the kernel whose widest strip is twelve registers.
func addRows(name, isa string, lanes int, register func() VecVirtual) {
	TEXT(name, NOSPLIT, "func(coef []float64, rows []int32, a []float64, stride int, y []float64)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s adds Σ_k coef[k] a_k to y for the rows a_k = a[rows[k]*stride:], in", name),
		fmt.Sprintf("the order of the list, over the length of y. %s.", isa))
	r := rowSums{name: name, coef: Load(Param("coef").Base(), GP64()), terms: Load(Param("coef").Len(), GP64()),
		list: Load(Param("rows").Base(), GP64()), a: Load(Param("a").Base(), GP64()),
		stride: Load(Param("stride"), GP64()),
		y:      Load(Param("y").Base(), GP64()), left: Load(Param("y").Len(), GP64()).(GPVirtual)}
	SHLQ(Imm(3), r.stride)
	r.at, r.c, r.sums = zeroOffset(), register(), registersOf(12, register)
	r.strip(12, lanes)
	r.strip(16/lanes, lanes)
	for i := range r.sums {
		r.sums[i] = r.sums[i].AsY().(VecVirtual)
	}
	r.c = r.c.AsY().(VecVirtual)
	r.strip(1, 4)
	r.strip(1, 1)
	VZEROUPPER()
	RET()
}

// rowSums is a kernel under construction: its arguments and registers.
type rowSums struct {
	name                            string
	coef, terms, list, a, stride, y Register
	left, at                        GPVirtual
	c                               VecVirtual
	sums                            []VecVirtual
}

// strip goes through the list for as many registers of y at once as long as y is
// as long.
func (r rowSums) strip(registers, lanes int) {
	width := registers * lanes
	label := fmt.Sprintf("%s%d", r.name, width)
	k, row := GP64(), GP64()
	each(label, width, r.at, r.left, func() {
		for i := range registers {
			r.move(lanes, offset(r.y, r.at, 8*lanes*i), r.sums[i])
		}
		XORQ(k, k)
		Label(label + "terms")
		rowAt(r.a, r.stride, Mem{Base: r.list, Index: k, Scale: 4}, row)
		c := Mem{Base: r.coef, Index: k, Scale: 8}
		if lanes == 1 {
			VMOVSD(c, r.c.AsX())
			VFMADD231SD(Mem{Base: row}, r.c.AsX(), r.sums[0].AsX())
		} else {
			VBROADCASTSD(c, r.c)
			for i := range registers {
				VFMADD231PD(Mem{Base: row, Disp: 8 * lanes * i}, r.c, r.sums[i])
			}
		}
		INCQ(k)
		CMPQ(k, r.terms)
		JLT(LabelRef(label + "terms"))
		for i := range registers {
			r.move(lanes, r.sums[i], offset(r.y, r.at, 8*lanes*i))
		}
		ADDQ(U32(8*width), r.a)
	})
}

// move loads or stores lanes numbers.
func (r rowSums) move(lanes int, from, to Op) {
	if lanes > 1 {
		VMOVUPD(from, to)
		return
	}
	if v, ok := from.(VecVirtual); ok {
		from = v.AsX()
	}
	if v, ok := to.(VecVirtual); ok {
		to = v.AsX()
	}
	VMOVSD(from, to)
}

func dotRows() {
	TEXT("dotRowsAVX", NOSPLIT, "func(x []float64, rows []int32, a []float64, stride int, dst []float64)")
	Pragma("noescape")
	Doc("dotRowsAVX sets dst[k] to a_k · x for the rows a_k = a[rows[k]*stride:], over the",
		"length of x; the number of rows is a multiple of 4. AVX2 and FMA.")
	x := Load(Param("x").Base(), GP64())
	length := Load(Param("x").Len(), GP64())
	list := Load(Param("rows").Base(), GP64())
	count := Load(Param("rows").Len(), GP64()).(GPVirtual)
	a := Load(Param("a").Base(), GP64())
	stride := Load(Param("stride"), GP64())
	SHLQ(Imm(3), stride)
	dst := Load(Param("dst").Base(), GP64())
	s := zeros(8)
	v := []VecVirtual{YMM(), YMM()}
	rows := [4]Register{GP64(), GP64(), GP64(), GP64()}
	at, left := GP64(), GP64()
	Label("dotrows")
	for r := range 4 {
		rowAt(a, stride, Mem{Base: list, Disp: 4 * r}, rows[r].(GPVirtual))
	}
	for _, sum := range s {
		VXORPD(sum, sum, sum)
	}
	XORQ(at, at)
	MOVQ(length, left)
	fourDots("dotrows", x, rows, at, left, s, v)
	for r := range 4 {
		VMOVSD(s[r].AsX(), Mem{Base: dst, Disp: 8 * r})
	}
	ADDQ(Imm(16), list)
	ADDQ(Imm(32), dst)
	SUBQ(Imm(4), count)
	JNZ(LabelRef("dotrows"))
	VZEROUPPER()
	RET()
}
