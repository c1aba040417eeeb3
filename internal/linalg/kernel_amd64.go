//go:build !noasm

package linalg

import (
	"math"

	"golang.org/x/sys/cpu"
)

//go:generate go -C _asm run . -out ../asm_amd64.s -stubs ../asm_amd64.go -pkg linalg
//go:generate go -C _asm run . -arm64 ../asm_arm64.s

func nativeKernels() []kernel {
	if !cpu.X86.HasAVX2 || !cpu.X86.HasFMA {
		return nil
	}
	avx2 := kernel{
		name: "avx2", mr: 4, nr: 12, micro: micro4x12, packRows: packRowsAVX, packColumns: packColumnsAVX,
		dot: dotAVX, axpy: axpyAVX, dot4: dot4AVX, axpy4: axpy4AVX, symv4: symv4AVX, addRows: addRowsAVX, chains: true,
		dotRows: dotRowsAVX, pairMargins: pairMarginsAVX, pairSigns: pairSignsAVX,
		exp: expAVX, gaussianRow: gaussianRowAVX, sinCos: sinCosAVX, curves: curvesAVX,
	}
	kernels := []kernel{avx2}
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL {
		// Wider registers help where sums stay in them; the other loops wait for memory.
		avx512 := avx2
		avx512.addRows = addRowsAVX512
		avx512.name, avx512.mr, avx512.nr, avx512.micro = "avx512", 8, 24, micro8x24
		kernels = append(kernels, avx512)
	}
	return kernels
}

// lanes is the number of exponentials that the assembly computes at a time. The rest at the end is
// padded.
const lanes = 16

func expAVX(dst, x []float64) {
	n := len(x) / lanes * lanes
	if n > 0 {
		expBlocks(dst[:n], x[:n])
	}
	if n < len(x) {
		var pad [lanes]float64
		copy(pad[:], x[n:])
		expBlocks(pad[:], pad[:])
		copy(dst[n:], pad[:])
	}
}

func gaussianRowAVX(g, yn []float64, xn, gamma float64) {
	n := len(g) / lanes * lanes
	if n > 0 {
		gaussianBlocks(g[:n], yn[:n], xn, gamma)
	}
	if n < len(g) {
		var pad, norms [lanes]float64
		copy(pad[:], g[n:])
		copy(norms[:], yn[n:])
		gaussianBlocks(pad[:], norms[:], xn, gamma)
		copy(g[n:], pad[:])
	}
}

// sinCosLanes is the number of arguments of sinCosBlocks at a time, and sinCosLargest the
// size up to which it reduces them.
const sinCosLanes, sinCosLargest = 8, 1 << 30

func sinCosAVX(sin, cos, x []float64) {
	n := len(x) / sinCosLanes * sinCosLanes
	for i, v := range x[:n] {
		if !(math.Abs(v) <= sinCosLargest) {
			n = i / sinCosLanes * sinCosLanes
			break
		}
	}
	if n > 0 {
		sinCosBlocks(sin[:n], cos[:n], x[:n])
	}
	for ; n < len(x); n += sinCosLanes {
		end := min(n+sinCosLanes, len(x))
		sinCosPadded(sin[n:end], cos[n:end], x[n:end])
	}
}

// sinCosPadded is sinCosAVX of up to sinCosLanes arguments of any size.
func sinCosPadded(sin, cos, x []float64) {
	var from, s, c [sinCosLanes]float64
	for i, v := range x {
		if math.Abs(v) <= sinCosLargest {
			from[i] = v
		}
	}
	sinCosBlocks(s[:], c[:], from[:])
	for i, v := range x {
		if !(math.Abs(v) <= sinCosLargest) {
			s[i], c[i] = math.Sincos(v)
		}
	}
	copy(sin, s[:])
	copy(cos, c[:])
}
