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
	p := table[d.e+widest]
	zeros := bits.LeadingZeros64(d.w)
	w := d.w << zeros
	high, low := bits.Mul64(w, p.high)
	const behind = 1<<9 - 1 // bits below the 54 that are kept, and one
	if high&behind == behind && low+w < w {
		more, rest := bits.Mul64(w, p.low)
		sum := low + more
		if sum < low {
			high++
		}
		if high&behind == behind && sum+1 == 0 && rest+w < w {
			return 0, false
		}
		low = sum
	}
	top := high >> 63
	mantissa := high >> (top + 9) // 54 bits
	if low == 0 && high&behind == 0 && mantissa&3 == 1 {
		return 0, false // half-way between two, as far as one sees
	}
	mantissa = (mantissa + mantissa&1) >> 1
	const bias, log10 = 1023, 217706 // log₂10 = 217706/2^16, near enough for |e| < 400
	exponent := (log10*d.e)>>16 + 64 + bias - zeros - int(1^top)
	if mantissa>>53 > 0 {
		mantissa >>= 1
		exponent++
	}
	if exponent < 1 || exponent > 2046 {
		return 0, false
	}
	return math.Float64frombits(uint64(exponent)<<52 | mantissa&(1<<52-1)), true
}
