package jsonrows

import (
	"math"
	"math/big"
	"math/bits"
	"sync"
)

// widest is the largest |e| of the powers 10^e that are kept.
const widest = 80

// power is the first 128 bits of 10^e, the highest of them 1.
type power struct{ high, low uint64 }

// powers are 10^e from e = −widest on.
var powers = sync.OnceValue(func() *[2*widest + 1]power {
	table := new([2*widest + 1]power)
	ten, one := big.NewInt(10), big.NewInt(1)
	for k := range table {
		e := k - widest
		p := new(big.Int).Exp(ten, big.NewInt(int64(max(e, -e))), nil)
		if e < 0 { // 2^n / 10^−e, with 128 bits or one more
			p.Quo(new(big.Int).Lsh(one, uint(p.BitLen()+128)), p)
		}
		if spare := p.BitLen() - 128; spare > 0 {
			p.Rsh(p, uint(spare))
		} else {
			p.Lsh(p, uint(-spare))
		}
		table[k] = power{new(big.Int).Rsh(p, 64).Uint64(), p.Uint64()}
	}
	return table
})

// nearest returns the float64 nearest to w·10^e, ties to even, for w > 0: from the product of w
// with the first 64 bits of 10^e, or with 128 of them where the last bits of that product are all
// 1. It reports false where even these do not decide, or the number is not a normal one.
func (d decimal) nearest(table *[2*widest + 1]power) (float64, bool) {
	if d.e < -widest || d.e > widest {
		return 0, false
	}
	p := &table[d.e+widest]
	zeros := bits.LeadingZeros64(d.w)
	w := d.w << (zeros & 63)
	high, low := bits.Mul64(w, p.high)
	if high&below == below && low+w < w {
		var sure bool
		if high, low, sure = p.more(w, high, low); !sure {
			return 0, false
		}
	}
	return rounded(high, low, d.e, zeros)
}

// below are the bits below the 54 that are kept of a product, and one.
const below = 1<<9 - 1

// more is the product of w with all bits of the power, whose first part is known. It reports false where even these do
// not decide.
func (p *power) more(w, high, low uint64) (allHigh, allLow uint64, sure bool) {
	more, rest := bits.Mul64(w, p.low)
	sum := low + more
	if sum < low {
		high++
	}
	return high, sum, !(high&below == below && sum+1 == 0 && rest+w < w)
}

// rounded is the float64 nearest to a product with 10^e, before which there are zeros.
func rounded(high, low uint64, e, zeros int) (float64, bool) {
	top := high >> 63
	mantissa := high >> (top + 9) // 54 bits
	if low|high&below == 0 && mantissa&3 == 1 {
		return 0, false // half-way between two, as far as one sees
	}
	const bias, log10 = 1023, 217706 // log₂10 = 217706/2^16, near enough for |e| < 400
	// The first of the 53 bits is added to the exponent, and so is the bit by which rounding up makes 54 of them.
	exponent := (log10*e)>>16 + 63 + bias - zeros - int(1^top)
	number := uint64(exponent)<<52 + (mantissa+mantissa&1)>>1
	return math.Float64frombits(number), uint(exponent) < 2045
}
