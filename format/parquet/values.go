package parquet

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"

	lib "github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

// numbersOf returns the n values of a page or dictionary as numbers, in dst or in the memory of the
// page. exact is false where one of them is an integer that no float64 holds.
func (l *leaf) numbersOf(dst []float64, v encoding.Values, n int) (xs []float64, exact bool) {
	if l.physical == lib.Double {
		return v.Double()[:n], true
	}
	if cap(dst) < n {
		dst = make([]float64, n)
	}
	dst, exact = dst[:n], true
	switch {
	case l.physical == lib.Boolean:
		bits := v.Boolean()
		for i := range dst {
			dst[i] = float64(bits[i/8] >> (i % 8) & 1)
		}
	case l.physical == lib.Float:
		for i, x := range v.Float()[:n] {
			dst[i] = float64(x)
		}
	case l.half:
		bytes, _ := v.FixedLenByteArray()
		for i := range dst {
			dst[i] = half(binary.LittleEndian.Uint16(bytes[2*i:]))
		}
	case l.decimal:
		for i := range dst {
			var ok bool
			dst[i], ok = l.decimalAt(v, i)
			exact = exact && ok
		}
	default:
		exact = l.integersTo(dst, v)
	}
	return dst, exact
}

// integersTo puts the integers of a page or dictionary into dst, and reports whether these are the same numbers.
func (l *leaf) integersTo(dst []float64, v encoding.Values) (exact bool) {
	n := len(dst)
	exact = true
	switch {
	case l.physical == lib.Int32 && l.unsigned:
		for i, x := range v.Uint32()[:n] {
			dst[i] = float64(x)
		}
	case l.physical == lib.Int32:
		for i, x := range v.Int32()[:n] {
			dst[i] = float64(x)
		}
	case l.unsigned:
		for i, x := range v.Uint64()[:n] {
			dst[i] = float64(x)
			exact = exact && holdsUnsigned(x)
		}
	default:
		for i, x := range v.Int64()[:n] {
			dst[i] = float64(x)
			exact = exact && holds(x)
		}
	}
	return exact
}

// holds reports whether a float64 holds x exactly.
func holds(x int64) bool {
	const all = 1 << 53 // up to here a float64 holds all integers
	if -all <= x && x <= all {
		return true
	}
	f := float64(x)
	return f < 1<<63 && int64(f) == x
}

func holdsUnsigned(x uint64) bool {
	f := float64(x)
	return f < 1<<64 && uint64(f) == x
}

// exactAt reports whether a float64 holds value i of a page or dictionary.
func (l *leaf) exactAt(v encoding.Values, i int) bool {
	switch {
	case l.decimal:
		_, ok := l.decimalAt(v, i)
		return ok
	case l.physical != lib.Int64:
		return true
	case l.unsigned:
		return holdsUnsigned(v.Uint64()[i])
	}
	return holds(v.Int64()[i])
}

// half is a number of 16 bits.
func half(bits uint16) float64 {
	const digits, bias = 10, 15
	sign, e, f := 1.0, int(bits>>digits&31), float64(bits&(1<<digits-1))
	if bits>>15 != 0 {
		sign = -1
	}
	switch {
	case e == 31 && f != 0:
		return math.NaN()
	case e == 31:
		return math.Inf(int(sign))
	case e == 0:
		return sign * math.Ldexp(f, 1-bias-digits)
	}
	return sign * math.Ldexp(f+1<<digits, e-bias-digits)
}

// decimalAt is the float64 nearest to decimal i. exact is false for an integer that is another one.
func (l *leaf) decimalAt(v encoding.Values, i int) (x float64, exact bool) {
	const (
		all    = 1 << 53 // up to here a float64 holds all integers
		powers = 22      // and up to here all powers of 10
	)
	if l.physical == lib.Int32 || l.physical == lib.Int64 {
		if u := l.integer(v, i); -all <= u && u <= all && 0 <= l.scale && l.scale <= powers {
			return float64(u) / math.Pow10(l.scale), true // rounds once
		}
	}
	text := l.decimalText(v, i)
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err) // of a number of 10⁵ digits, as only a damaged file has
	}
	if l.scale > 0 {
		return x, true
	}
	back, _ := new(big.Float).SetFloat64(x).Int(nil)
	return x, back.String() == text
}

// integer is value i of 32 or 64 bits.
func (l *leaf) integer(v encoding.Values, i int) int64 {
	if l.physical == lib.Int32 {
		return int64(v.Int32()[i])
	}
	return v.Int64()[i]
}

// decimalText is decimal i with all its digits.
func (l *leaf) decimalText(v encoding.Values, i int) string {
	var u big.Int
	if l.physical == lib.Int32 || l.physical == lib.Int64 {
		u.SetInt64(l.integer(v, i))
	} else {
		b := l.bytes(v, i)
		u.SetBytes(b) // of two's complement
		if len(b) > 0 && b[0]&0x80 != 0 {
			u.Sub(&u, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
	}
	text := u.String()
	if l.scale <= 0 {
		if l.scale < 0 && text != "0" {
			text += strings.Repeat("0", -l.scale)
		}
		return text
	}
	sign := ""
	if text[0] == '-' {
		sign, text = "-", text[1:]
	}
	if lacking := l.scale + 1 - len(text); lacking > 0 {
		text = strings.Repeat("0", lacking) + text
	}
	at := len(text) - l.scale
	return sign + text[:at] + "." + text[at:]
}

// bytes are value i of texts or bytes, in the memory of the page.
func (l *leaf) bytes(v encoding.Values, i int) []byte {
	if l.physical == lib.ByteArray {
		b, ends := v.ByteArray()
		return b[ends[i]:ends[i+1]]
	}
	b, size := v.FixedLenByteArray()
	return b[i*size : (i+1)*size]
}

// textAt is value i as a CSV file has it.
func (l *leaf) textAt(v encoding.Values, i int) string {
	switch {
	case l.uuid:
		b := l.bytes(v, i)
		return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:16])
	case l.kind == texts:
		return string(l.bytes(v, i))
	case l.kind == dates:
		return l.dateText(v, i)
	case l.kind == truths:
		return strconv.FormatBool(v.Boolean()[i/8]>>(i%8)&1 != 0)
	case l.decimal:
		return l.decimalText(v, i)
	}
	switch {
	case l.physical == lib.Int32 && l.unsigned:
		return strconv.FormatUint(uint64(v.Uint32()[i]), 10)
	case l.physical == lib.Int64 && l.unsigned:
		return strconv.FormatUint(v.Uint64()[i], 10)
	case l.physical == lib.Int32 || l.physical == lib.Int64:
		return strconv.FormatInt(l.integer(v, i), 10)
	}
	return strconv.FormatFloat(l.floatAt(v, i), 'f', -1, 64)
}

// floatAt is value i of 16, 32 or 64 bits that is no integer.
func (l *leaf) floatAt(v encoding.Values, i int) float64 {
	switch {
	case l.half:
		return half(binary.LittleEndian.Uint16(l.bytes(v, i)))
	case l.physical == lib.Float:
		return float64(v.Float()[i])
	}
	return v.Double()[i]
}

// floatBits is the size of a value that is a float, 0 of others.
func (l *leaf) floatBits() int {
	switch {
	case l.half:
		return 16
	case l.physical == lib.Float:
		return 32
	case l.physical == lib.Double:
		return 64
	}
	return 0
}

// missing reports whether value i is NaN.
func (l *leaf) missing(v encoding.Values, i int) bool {
	return l.floatBits() > 0 && math.IsNaN(l.floatAt(v, i))
}

// dateText is value i as in 2024-01-31 or 2024-01-31 23:59:59.5.
func (l *leaf) dateText(v encoding.Values, i int) string {
	const day, secondsOfDay = "2006-01-02", 24 * 60 * 60
	if l.clock == oldMoment {
		const epoch = 2440588 // the Julian day of 1970-01-01
		b := v.Int96()[i]
		nanos := int64(b[1])<<32 | int64(b[0])
		return time.Unix((int64(b[2])-epoch)*secondsOfDay, nanos).UTC().Format(day + " 15:04:05.999999999")
	}
	x := l.integer(v, i)
	if l.tick == 0 {
		return time.Unix(x*secondsOfDay, 0).UTC().Format(day)
	}
	perSecond := int64(time.Second / l.tick)
	seconds, rest := x/perSecond, x%perSecond
	at := time.Unix(seconds, rest*int64(l.tick)).UTC()
	if l.clock == timeOfDay {
		return at.Format("15:04:05.999999999")
	}
	return at.Format(day + " 15:04:05.999999999")
}
