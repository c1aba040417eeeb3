package main

import (
	"fmt"
	"math/bits"

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

// tile is a kernel under construction: its arguments and registers.
type tile struct {
	microKernel
	k, tiles, a, b, c, ldc Register
	rest                   GPVirtual    // terms after those of the unrolled loop
	panel                  GPVirtual    // where the panel of B is read
	next                   GPVirtual    // from there to the line of the next panel that is asked for
	sums                   []VecVirtual // the tile, row by row
	bs, spread             []VecVirtual // a row of the panel of B, entries of A
}

// micro emits one kernel: for every k, nr/lanes loads of B, mr broadcasts of
// A and mr·nr/lanes multiply-adds; the tile of C comes in at the end.
func micro(m microKernel) {
	TEXT(m.name, NOSPLIT, "func(k, tiles int, a, b, c []float64, ldc int, overwrite bool)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s adds to the %d×%d tiles of c, one below the other, its rows ldc apart, the", m.name, m.mr, m.nr),
		fmt.Sprintf("products of the packed panels a (k×%d each) and b (k×%d), or overwrites them.", m.mr, m.nr), m.isa+".")
	t := tile{microKernel: m}
	t.k = Load(Param("k"), GP64())
	t.tiles = Load(Param("tiles"), GP64())
	t.a = Load(Param("a").Base(), GP64())
	t.b = Load(Param("b").Base(), GP64())
	t.c = Load(Param("c").Base(), GP64())
	t.ldc = Load(Param("ldc"), GP64())
	SHLQ(Imm(3), t.ldc)
	part := m.mr * m.unroll
	t.rest, t.panel, t.next = GP64(), GP64(), GP64()
	IMUL3Q(U32(8*m.nr), t.k, t.next)
	MOVQ(t.k, t.rest)
	ANDQ(Imm(uint64(part-1)), t.rest)
	SHRQ(Imm(uint64(bits.Len(uint(part))-1)), t.k)
	t.sums = registersOf(m.mr*m.nr/m.lanes, m.register)
	t.bs, t.spread = registersOf(m.nr/m.lanes, m.register), registersOf(m.broadcasts, m.register)

	Label(m.name + "tile")
	for _, s := range t.sums {
		if m.lanes == 8 {
			VPXORQ(s, s, s)
		} else {
			VXORPD(s, s, s)
		}
	}
	t.loop()
	overwrite := Load(Param("overwrite"), GP8())
	TESTB(overwrite, overwrite)
	JNZ(LabelRef(m.name + "overwrite"))
	t.store(true)
	JMP(LabelRef(m.name + "stored"))
	Label(m.name + "overwrite")
	t.store(false)
	Label(m.name + "stored")
	ADDQ(Imm(64), t.next)
	DECQ(t.tiles)
	JNZ(LabelRef(m.name + "tile"))
	VZEROUPPER()
	RET()
}

// loop runs over k, unrolled, in as many parts as the tile has rows, and over what is
// left. Before each part it asks for a row of the tile of C, which is needed at the end:
// all of them at once would keep the panels of A and B waiting. Each step also asks for a
// line of the next panel of B, another one for every tile, so that it is near when its
// turn comes.
func (t tile) loop() {
	rest, rows, row, steps := GP64(), GP64(), GP64(), GP64()
	MOVQ(t.b, t.panel)
	MOVQ(t.c, row)
	MOVQ(U32(uint32(t.mr)), rows)
	Label(t.name + "part")
	for o := 0; o < 8*t.nr; o += 64 {
		PREFETCHT0(Mem{Base: row, Disp: o})
	}
	ADDQ(t.ldc, row)
	MOVQ(t.k, steps)
	TESTQ(steps, steps)
	JZ(LabelRef(t.name + "next"))
	Label(t.name + "loop")
	for o := 0; o < 8*t.nr*t.unroll; o += 64 {
		PREFETCHT0(Mem{Base: t.panel, Disp: t.ahead + o})
	}
	PREFETCHT1(Mem{Base: t.panel, Index: t.next, Scale: 1})
	for u := range t.unroll {
		t.step(u)
	}
	t.advance(t.unroll)
	DECQ(steps)
	JNZ(LabelRef(t.name + "loop"))
	Label(t.name + "next")
	DECQ(rows)
	JNZ(LabelRef(t.name + "part"))
	MOVQ(t.rest, rest)
	TESTQ(rest, rest)
	JZ(LabelRef(t.name + "end"))
	Label(t.name + "single")
	t.step(0)
	t.advance(1)
	DECQ(rest)
	JNZ(LabelRef(t.name + "single"))
	Label(t.name + "end")
}

// step is the multiplication for the u-th k from where the panels are read.
func (t tile) step(u int) {
	for j, b := range t.bs {
		VMOVUPD(Mem{Base: t.panel, Disp: 8 * (u*t.nr + j*t.lanes)}, b)
	}
	for i := range t.mr {
		s := t.spread[i%len(t.spread)]
		VBROADCASTSD(Mem{Base: t.a, Disp: 8 * (u*t.mr + i)}, s)
		for j, b := range t.bs {
			VFMADD231PD(b, s, t.sums[i*len(t.bs)+j])
		}
	}
}

func (t tile) advance(steps int) {
	ADDQ(U32(8*t.mr*steps), t.a)
	ADDQ(U32(8*t.nr*steps), t.panel)
}

// store adds the sums to the tile, or puts them there, and goes on to the tile below.
func (t tile) store(add bool) {
	for i := range t.mr {
		for j := range t.bs {
			at := Mem{Base: t.c, Disp: 8 * j * t.lanes}
			s := t.sums[i*len(t.bs)+j]
			if add {
				VADDPD(at, s, s)
			}
			VMOVUPD(s, at)
		}
		ADDQ(t.ldc, t.c)
	}
}
