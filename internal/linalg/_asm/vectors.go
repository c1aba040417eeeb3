package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// The loops over vectors go in steps of 16, 4 and 1 numbers. Every number is
// treated by a fused multiply-add, so that y += … does not depend on where in
// the vector it stands.

// each emits a loop that calls body with the byte offset of the next width
// numbers while that many are left: at is the offset, left their count.
func each(label string, width int, at, left GPVirtual, body func()) {
	CMPQ(left, Imm(uint64(width)))
	JLT(LabelRef(label + "end"))
	Label(label)
	body()
	ADDQ(U32(8*width), at)
	SUBQ(Imm(uint64(width)), left)
	CMPQ(left, Imm(uint64(width)))
	JGE(LabelRef(label))
	Label(label + "end")
}

func offset(base Register, at GPVirtual, disp int) Mem {
	return Mem{Base: base, Index: at, Scale: 1, Disp: disp}
}

func registersOf(n int, register func() VecVirtual) []VecVirtual {
	r := make([]VecVirtual, n)
	for i := range r {
		r[i] = register()
	}
	return r
}

func zeros(n int) []VecVirtual {
	v := registersOf(n, ymm)
	for i := range v {
		VXORPD(v[i], v[i], v[i])
	}
	return v
}

// total adds up the four numbers of y in its lowest.
func total(y VecVirtual) {
	high := XMM()
	VEXTRACTF128(Imm(1), y, high)
	VADDPD(high, y.AsX(), y.AsX())
	VHADDPD(y.AsX(), y.AsX(), y.AsX())
}

func zeroOffset() GPVirtual {
	at := GP64()
	XORQ(at, at)
	return at
}

func dot() {
	TEXT("dotAVX", NOSPLIT, "func(x, y []float64) float64")
	Pragma("noescape")
	Doc("dotAVX is Σ x y over the length of x. AVX2 and FMA.")
	x := Load(Param("x").Base(), GP64())
	left := Load(Param("x").Len(), GP64()).(GPVirtual)
	y := Load(Param("y").Base(), GP64())
	at := zeroOffset()
	s := zeros(4)
	v := []VecVirtual{YMM(), YMM(), YMM(), YMM()}
	each("dot16", 16, at, left, func() {
		for i := range 4 {
			VMOVUPD(offset(x, at, 32*i), v[i])
		}
		for i := range 4 {
			VFMADD231PD(offset(y, at, 32*i), v[i], s[i])
		}
	})
	each("dot4", 4, at, left, func() {
		VMOVUPD(offset(x, at, 0), v[0])
		VFMADD231PD(offset(y, at, 0), v[0], s[0])
	})
	VADDPD(s[1], s[0], s[0])
	VADDPD(s[3], s[2], s[2])
	VADDPD(s[2], s[0], s[0])
	total(s[0])
	each("dot1", 1, at, left, func() {
		VMOVSD(offset(x, at, 0), v[0].AsX())
		VFMADD231SD(offset(y, at, 0), v[0].AsX(), s[0].AsX())
	})
	VZEROUPPER()
	Store(s[0].AsX(), ReturnIndex(0))
	RET()
}

func axpy() {
	TEXT("axpyAVX", NOSPLIT, "func(alpha float64, x, y []float64)")
	Pragma("noescape")
	Doc("axpyAVX adds alpha x to y over the length of x. AVX2 and FMA.")
	alpha := YMM()
	VBROADCASTSD(NewParamAddr("alpha", 0), alpha)
	x := Load(Param("x").Base(), GP64())
	left := Load(Param("x").Len(), GP64()).(GPVirtual)
	y := Load(Param("y").Base(), GP64())
	at := zeroOffset()
	v := []VecVirtual{YMM(), YMM(), YMM(), YMM()}
	each("axpy16", 16, at, left, func() {
		for i := range 4 {
			VMOVUPD(offset(y, at, 32*i), v[i])
		}
		for i := range 4 {
			VFMADD231PD(offset(x, at, 32*i), alpha, v[i])
		}
		for i := range 4 {
			VMOVUPD(v[i], offset(y, at, 32*i))
		}
	})
	each("axpy4", 4, at, left, func() {
		VMOVUPD(offset(y, at, 0), v[0])
		VFMADD231PD(offset(x, at, 0), alpha, v[0])
		VMOVUPD(v[0], offset(y, at, 0))
	})
	each("axpy1", 1, at, left, func() {
		VMOVSD(offset(y, at, 0), v[0].AsX())
		VFMADD231SD(offset(x, at, 0), alpha.AsX(), v[0].AsX())
		VMOVSD(v[0].AsX(), offset(y, at, 0))
	})
	VZEROUPPER()
	RET()
}

// fourRows loads the addresses of four rows lda apart.
func fourRows() [4]Register {
	base := Load(Param("a").Base(), GP64())
	lda := Load(Param("lda"), GP64())
	SHLQ(Imm(3), lda)
	rows := [4]Register{base, GP64(), GP64(), GP64()}
	for r := 1; r < 4; r++ {
		LEAQ(Mem{Base: rows[r-1], Index: lda, Scale: 1}, rows[r].(GPVirtual))
	}
	return rows
}

// fourDots emits the products of x with four rows, over left numbers from at on,
// in the lowest number of the first four of the eight sums s, which begin as 0.
func fourDots(label string, x Register, rows [4]Register, at, left GPVirtual, s, v []VecVirtual) {
	each(label+"8", 8, at, left, func() {
		VMOVUPD(offset(x, at, 0), v[0])
		VMOVUPD(offset(x, at, 32), v[1])
		for r := range 4 {
			VFMADD231PD(offset(rows[r], at, 0), v[0], s[r])
			VFMADD231PD(offset(rows[r], at, 32), v[1], s[4+r])
		}
	})
	each(label+"4", 4, at, left, func() {
		VMOVUPD(offset(x, at, 0), v[0])
		for r := range 4 {
			VFMADD231PD(offset(rows[r], at, 0), v[0], s[r])
		}
	})
	for r := range 4 {
		VADDPD(s[4+r], s[r], s[r])
		total(s[r])
	}
	each(label+"1", 1, at, left, func() {
		VMOVSD(offset(x, at, 0), v[0].AsX())
		for r := range 4 {
			VFMADD231SD(offset(rows[r], at, 0), v[0].AsX(), s[r].AsX())
		}
	})
}

func dot4() {
	TEXT("dot4AVX", NOSPLIT, "func(alpha float64, a []float64, lda int, x, dst []float64)")
	Pragma("noescape")
	Doc("dot4AVX adds alpha (a_r · x) to dst[r] for the four rows a_r = a[r*lda:],",
		"over the length of x. AVX2 and FMA.")
	rows := fourRows()
	x := Load(Param("x").Base(), GP64())
	left := Load(Param("x").Len(), GP64()).(GPVirtual)
	dst := Load(Param("dst").Base(), GP64())
	at := zeroOffset()
	s := zeros(8)
	v := []VecVirtual{YMM(), YMM()}
	fourDots("dots", x, rows, at, left, s, v)
	VMOVSD(NewParamAddr("alpha", 0), v[0].AsX())
	for r := range 4 {
		VMOVSD(Mem{Base: dst, Disp: 8 * r}, v[1].AsX())
		VFMADD231SD(v[0].AsX(), s[r].AsX(), v[1].AsX())
		VMOVSD(v[1].AsX(), Mem{Base: dst, Disp: 8 * r})
	}
	VZEROUPPER()
	RET()
}

func axpy4() {
	TEXT("axpy4AVX", NOSPLIT, "func(c0, c1, c2, c3 float64, a []float64, lda int, y []float64)")
	Pragma("noescape")
	Doc("axpy4AVX adds c0 a_0 + c1 a_1 + c2 a_2 + c3 a_3 to y for the four rows",
		"a_r = a[r*lda:], over the length of y. AVX2 and FMA.")
	var c [4]VecVirtual
	for r := range 4 {
		c[r] = YMM()
		VBROADCASTSD(NewParamAddr([]string{"c0", "c1", "c2", "c3"}[r], 8*r), c[r])
	}
	rows := fourRows()
	y := Load(Param("y").Base(), GP64())
	left := Load(Param("y").Len(), GP64()).(GPVirtual)
	at := zeroOffset()
	v := []VecVirtual{YMM(), YMM(), YMM(), YMM()}
	for _, width := range []int{16, 4} {
		each(map[int]string{16: "axpys16", 4: "axpys4"}[width], width, at, left, func() {
			for i := range width / 4 {
				VMOVUPD(offset(y, at, 32*i), v[i])
			}
			for r := range 4 {
				for i := range width / 4 {
					VFMADD231PD(offset(rows[r], at, 32*i), c[r], v[i])
				}
			}
			for i := range width / 4 {
				VMOVUPD(v[i], offset(y, at, 32*i))
			}
		})
	}
	each("axpys1", 1, at, left, func() {
		VMOVSD(offset(y, at, 0), v[0].AsX())
		for r := range 4 {
			VFMADD231SD(offset(rows[r], at, 0), c[r].AsX(), v[0].AsX())
		}
		VMOVSD(v[0].AsX(), offset(y, at, 0))
	})
	VZEROUPPER()
	RET()
}

func symv4() {
	TEXT("symv4AVX", NOSPLIT, "func(a []float64, lda int, x, y, coef, dst []float64)")
	Pragma("noescape")
	Doc("symv4AVX adds a_r · x to dst[r] and Σ coef[r] a_r to y for the four rows",
		"a_r = a[r*lda:], over the length of x. AVX2 and FMA.")
	rows := fourRows()
	x := Load(Param("x").Base(), GP64())
	left := Load(Param("x").Len(), GP64()).(GPVirtual)
	y := Load(Param("y").Base(), GP64())
	coef := Load(Param("coef").Base(), GP64())
	var c [4]VecVirtual
	for r := range 4 {
		c[r] = YMM()
		VBROADCASTSD(Mem{Base: coef, Disp: 8 * r}, c[r])
	}
	at := zeroOffset()
	s := zeros(4)
	xv, sum, part, av := YMM(), YMM(), YMM(), YMM()
	step := func(disp int) {
		VMOVUPD(offset(x, at, disp), xv)
		VMOVUPD(offset(y, at, disp), sum)
		for r := range 4 {
			VMOVUPD(offset(rows[r], at, disp), av)
			VFMADD231PD(xv, av, s[r])
			switch r {
			case 2: // two chains, so that a step is not four multiply-adds long
				VMULPD(c[r], av, part)
			case 3:
				VFMADD231PD(c[r], av, part)
			default:
				VFMADD231PD(c[r], av, sum)
			}
		}
		VADDPD(part, sum, sum)
		VMOVUPD(sum, offset(y, at, disp))
	}
	next := GP64() // the same place four rows on, which will be read next
	MOVQ(rows[2], next)
	SUBQ(rows[0], next)
	SHLQ(Imm(1), next)
	each("symv8", 8, at, left, func() {
		for r := range 4 {
			PREFETCHT1(offset(rows[r], next, 0))
		}
		step(0)
		step(32)
		ADDQ(Imm(64), next)
	})
	each("symv4", 4, at, left, func() { step(0) })
	for r := range 4 {
		total(s[r])
	}
	each("symv1", 1, at, left, func() {
		VMOVSD(offset(x, at, 0), xv.AsX())
		VMOVSD(offset(y, at, 0), sum.AsX())
		for r := range 4 {
			VMOVSD(offset(rows[r], at, 0), av.AsX())
			VFMADD231SD(xv.AsX(), av.AsX(), s[r].AsX())
			VFMADD231SD(c[r].AsX(), av.AsX(), sum.AsX())
		}
		VMOVSD(sum.AsX(), offset(y, at, 0))
	})
	dst := Load(Param("dst").Base(), GP64())
	for r := range 4 {
		VADDSD(Mem{Base: dst, Disp: 8 * r}, s[r].AsX(), s[r].AsX())
		VMOVSD(s[r].AsX(), Mem{Base: dst, Disp: 8 * r})
	}
	VZEROUPPER()
	RET()
}
