package jsonrows

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// longs reads numbers of one digit before the point and eight or more behind it, nineteen in all, with a comma behind
// each, up to another one: most numbers in full precision are such. It does what short does, in one loop without calls,
// since instructions are what bounds it.
func (s *scanner) longs(m *Matrix) {
	text, at, values, powers := s.text, s.at, m.Data, s.powers
	for len(text)-at > far {
		t := (*[far]byte)(text[at:])
		minus := (uint64(t[0]^'-') - 1) >> 63
		i := int(minus & 1)
		w := uint64(t[i] - '0')
		if w > 9 || t[i+1] != '.' {
			break
		}
		f := (*[24]byte)(t[i+2 : i+26])
		digits, others := split(binary.LittleEndian.Uint64(f[:]))
		if others != 0 {
			break
		}
		w = w*1e8 + joined(digits)
		count := 8
		if digits, others = split(binary.LittleEndian.Uint64(f[8:])); others == 0 {
			w = w*1e8 + joined(digits)
			count = 16
			if digits, others = split(binary.LittleEndian.Uint64(f[16:])); others == 0 {
				break
			}
		}
		last, k := begin(digits, others)
		if count += k; w >= room[k&7] || f[count] != ',' {
			break
		}
		if w = w*wholeTens[k&7] + last; w == 0 {
			break
		}
		zeros := bits.LeadingZeros64(w)
		high, low := bits.Mul64(w<<(zeros&63), powers[widest-count].high)
		if high&below == below { // the rest of the power may matter
			break
		}
		v, sure := rounded(high, low, -count, zeros)
		if !sure {
			break
		}
		values = append(values, math.Float64frombits(math.Float64bits(v)|minus<<63))
		at += i + 3 + count
	}
	s.at, m.Data = at, values
}
