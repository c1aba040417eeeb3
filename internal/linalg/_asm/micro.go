package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func ymm() VecVirtual { return YMM() }
func zmm() VecVirtual { return ZMM() }

// microKernel describes a kernel that holds an mr×nr tile in registers.
type microKernel struct {
	name, isa  string
	mr, nr     int
	lanes      int // numbers in a register
	unroll     int // steps of k in the main loop
	broadcasts int // registers that entries of A are spread over
	ahead      int // bytes of B between use and prefetch
	register   func() VecVirtual
}

// micro emits one kernel: for every k, nr/lanes loads of B, mr broadcasts of
// A and mr·nr/lanes multiply-adds; the tile of C comes in at the end.
func micro(m microKernel) {
	vectors := m.nr / m.lanes
	TEXT(m.name, NOSPLIT, "func(k int, a, b, c []float64, ldc int, overwrite bool)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s adds to the %d×%d tile c, rows ldc apart, the product of the packed", m.name, m.mr, m.nr),
		fmt.Sprintf("panels a (k×%d) and b (k×%d), or overwrites it. %s.", m.mr, m.nr, m.isa))
	k := Load(Param("k"), GP64())
	a := Load(Param("a").Base(), GP64())
	b := Load(Param("b").Base(), GP64())
	c := Load(Param("c").Base(), GP64())
	ldc := Load(Param("ldc"), GP64())
	SHLQ(Imm(3), ldc)

	sums := make([]VecVirtual, m.mr*vectors)
	for i := range sums {
		sums[i] = m.register()
		if m.lanes == 8 {
			VPXORQ(sums[i], sums[i], sums[i])
		} else {
			VXORPD(sums[i], sums[i], sums[i])
		}
	}
	row := GP64()
	MOVQ(c, row)
	for i := range m.mr {
		for o := 0; o < 8*m.nr; o += 64 {
			PREFETCHT0(Mem{Base: row, Disp: o})
		}
		if i+1 < m.mr {
			ADDQ(ldc, row)
		}
	}

	bs := make([]VecVirtual, vectors)
	for j := range bs {
		bs[j] = m.register()
	}
	spread := make([]VecVirtual, m.broadcasts)
	for i := range spread {
		spread[i] = m.register()
	}
	step := func(u int) {
		for j := range bs {
			VMOVUPD(Mem{Base: b, Disp: 8 * (u*m.nr + j*m.lanes)}, bs[j])
		}
		for i := range m.mr {
			s := spread[i%len(spread)]
			VBROADCASTSD(Mem{Base: a, Disp: 8 * (u*m.mr + i)}, s)
			for j := range bs {
				VFMADD231PD(bs[j], s, sums[i*vectors+j])
			}
		}
	}
	advance := func(steps int) {
		ADDQ(U32(8*m.mr*steps), a)
		ADDQ(U32(8*m.nr*steps), b)
	}

	rest := GP64()
	MOVQ(k, rest)
	ANDQ(Imm(uint64(m.unroll-1)), rest)
	shift := map[int]uint64{2: 1, 4: 2}[m.unroll]
	SHRQ(Imm(shift), k)
	JZ(LabelRef(m.name + "rest"))
	Label(m.name + "loop")
	for o := 0; o < 8*m.nr*m.unroll; o += 64 {
		PREFETCHT0(Mem{Base: b, Disp: m.ahead + o})
	}
	for u := range m.unroll {
		step(u)
	}
	advance(m.unroll)
	DECQ(k)
	JNZ(LabelRef(m.name + "loop"))
	Label(m.name + "rest")
	TESTQ(rest, rest)
	JZ(LabelRef(m.name + "add"))
	Label(m.name + "single")
	step(0)
	advance(1)
	DECQ(rest)
	JNZ(LabelRef(m.name + "single"))

	Label(m.name + "add")
	overwrite := Load(Param("overwrite"), GP8())
	TESTB(overwrite, overwrite)
	JNZ(LabelRef(m.name + "overwrite"))
	m.store(c, ldc, sums, true)
	Label(m.name + "overwrite")
	m.store(c, ldc, sums, false)
}

// store ends the kernel with the sums added to the tile, or put there.
func (m microKernel) store(c, ldc Register, sums []VecVirtual, add bool) {
	vectors := m.nr / m.lanes
	for i := range m.mr {
		for j := range vectors {
			at := Mem{Base: c, Disp: 8 * j * m.lanes}
			s := sums[i*vectors+j]
			if add {
				VADDPD(at, s, s)
			}
			VMOVUPD(s, at)
		}
		if i+1 < m.mr {
			ADDQ(ldc, c)
		}
	}
	VZEROUPPER()
	RET()
}
