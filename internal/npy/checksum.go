package npy

import "hash/crc32"

// JoinedSums combines the CRC-32 of parts, which may be computed concurrently, into that of the
// text. A checksum is a polynomial over GF(2) modulo the generator, and a part n bytes before the
// end counts times x^8n (Brown, Adler and Gailly, crc32_combine of zlib).
type JoinedSums struct {
	Sum    uint32
	shifts map[int]uint32 // x^8n by n: most parts have the same length
}

// Add appends a part of n bytes.
func (s *JoinedSums) Add(sum uint32, n int) {
	shift, known := s.shifts[n]
	if !known {
		if s.shifts == nil {
			s.shifts = map[int]uint32{}
		}
		shift = powerOfX(n)
		s.shifts[n] = shift
	}
	s.Sum = timesModulo(shift, s.Sum) ^ sum
}

// unit is the polynomial 1: the bits of a checksum are reflected, the highest is x^0.
const unit = 1 << 31

// powerOfX is x^8n modulo the polynomial of the code, by repeated squaring.
func powerOfX(n int) uint32 {
	power, square := uint32(unit), uint32(unit>>8) // 1 and x^8
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			power = timesModulo(power, square)
		}
		square = timesModulo(square, square)
	}
	return power
}

// timesModulo is a·b modulo the polynomial of the code.
func timesModulo(a, b uint32) uint32 {
	product := uint32(0)
	for ; a != 0; a <<= 1 {
		if a&unit != 0 {
			product ^= b
		}
		carry := b & 1
		b >>= 1
		b ^= crc32.IEEE & -carry
	}
	return product
}
