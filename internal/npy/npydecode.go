package npy

import (
	"encoding/binary"
	"fmt"
	"math"

	"pairrank/internal/textline"
)

// decodeTo sets dst to the numbers in raw, as many as dst has, up to the first one that
// is refused, and returns how many there are before it.
func decodeTo(dst []float64, raw []byte, descr string, nan bool) (done int) {
	switch descr {
	case "<f8":
		return decodeDoubles(dst, raw, nan)
	case "<f4":
		return decodeSingles(dst, raw, nan)
	case "<i8":
		return decodeLong(dst, raw)
	case "<u8":
		return decodeUnsigned(dst, raw)
	}
	decodeShort(dst, raw, descr)
	return len(dst)
}

// decodeShort is decodeTo of booleans, and of whole numbers that all fit.
func decodeShort(dst []float64, raw []byte, descr string) {
	for k := range dst {
		switch descr {
		case "<i4":
			dst[k] = float64(int32(binary.LittleEndian.Uint32(raw[4*k:])))
		case "<u4":
			dst[k] = float64(binary.LittleEndian.Uint32(raw[4*k:]))
		case "<i2":
			dst[k] = float64(int16(binary.LittleEndian.Uint16(raw[2*k:])))
		case "<u2":
			dst[k] = float64(binary.LittleEndian.Uint16(raw[2*k:]))
		case "|i1":
			dst[k] = float64(int8(raw[k]))
		case "|u1":
			dst[k] = float64(raw[k])
		default: // |b1
			dst[k] = float64(min(raw[k], 1))
		}
	}
}

// decodeUnsigned is decodeTo of <u8.
func decodeUnsigned(dst []float64, raw []byte) int {
	for k := range dst {
		v := binary.LittleEndian.Uint64(raw[8*k:])
		if v > ExactInteger {
			return k
		}
		dst[k] = float64(v)
	}
	return len(dst)
}

// decodeLong is decodeTo of <i8.
func decodeLong(dst []float64, raw []byte) int {
	raw = raw[:8*len(dst)]
	for k := range dst {
		v := int64(binary.LittleEndian.Uint64(raw[8*k:]))
		if v > ExactInteger || v < -ExactInteger {
			return k
		}
		dst[k] = float64(v)
	}
	return len(dst)
}

// ExactInteger bounds the integers that a float64 holds exactly.
const ExactInteger = textline.ExactInteger

// decodeDoubles is decodeTo of <f8.
func decodeDoubles(dst []float64, raw []byte, nan bool) int {
	const exponent = 0x7ff << 52 // all of it is set in NaN and infinities alone
	raw = raw[:8*len(dst)]
	for k := range dst {
		bits := binary.LittleEndian.Uint64(raw[8*k:])
		x := math.Float64frombits(bits)
		if bits&exponent == exponent && (math.IsInf(x, 0) || !nan) {
			return k
		}
		dst[k] = x
	}
	return len(dst)
}

// decodeSingles is decodeTo of <f4.
func decodeSingles(dst []float64, raw []byte, nan bool) int {
	const exponent = 0xff << 23
	raw = raw[:4*len(dst)]
	for k := range dst {
		bits := binary.LittleEndian.Uint32(raw[4*k:])
		x := float64(math.Float32frombits(bits))
		if bits&exponent == exponent && (math.IsInf(x, 0) || !nan) {
			return k
		}
		dst[k] = x
	}
	return len(dst)
}

// entry is the number that b begins with, or why it is refused.
func entry(b []byte, descr string, nan bool) (float64, error) {
	var x [1]float64
	if decodeTo(x[:], b, descr, nan) == 1 {
		return x[0], nil
	}
	switch descr {
	case "<f8":
		x[0] = math.Float64frombits(binary.LittleEndian.Uint64(b))
	case "<f4":
		x[0] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case "<u8":
		return 0, fmt.Errorf("%d is not exact as a float64", binary.LittleEndian.Uint64(b))
	default:
		return 0, fmt.Errorf("%d is not exact as a float64", int64(binary.LittleEndian.Uint64(b)))
	}
	return 0, fmt.Errorf("%v is not a finite number", x[0])
}
