package jsonrows

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// oracle is encoding/json on the form that ReadBody is for: one field, written "rows"
// without escapes, of numbers alone.
func oracle(text []byte) (rows [][]float64, ok bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	first, err := d.Token()
	if err != nil || first != json.Delim('{') {
		return nil, false
	}
	if key, err := d.Token(); err != nil || key != "rows" || bytes.ContainsRune(text, '\\') {
		return nil, false
	}
	var values [][]*float64
	if d.Decode(&values) != nil || values == nil {
		return nil, false
	}
	if last, err := d.Token(); err != nil || last != json.Delim('}') {
		return nil, false
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, false
	}
	rows = make([][]float64, len(values))
	for i, row := range values {
		if row == nil {
			return nil, false
		}
		for _, v := range row {
			if v == nil {
				return nil, false
			}
			rows[i] = append(rows[i], *v)
		}
	}
	return rows, true
}

// agrees compares ReadBody with the oracle.
func agrees(t *testing.T, text []byte) {
	t.Helper()
	var m Matrix
	got := m.ReadBody(text)
	want, ok := oracle(text)
	if got != ok {
		t.Fatalf("%q: read %v, encoding/json %v", text, got, ok)
	}
	if !ok {
		return
	}
	if len(m.Ends) != len(want) {
		t.Fatalf("%q: %d rows, want %d", text, len(m.Ends), len(want))
	}
	for i, row := range want {
		if len(m.Row(i)) != len(row) {
			t.Fatalf("%q: row %d is %v, want %v", text, i, m.Row(i), row)
		}
		for j, v := range row {
			if math.Float64bits(m.Row(i)[j]) != math.Float64bits(v) {
				t.Fatalf("%q: number %d of row %d is %v, want %v", text, j, i, m.Row(i)[j], v)
			}
		}
	}
}

// bodies are texts of the form and near to it.
var bodies = []string{
	`{"rows":[[1,2.5],[3,4]]}`, `{"rows":[]}`, `{"rows":[[]]}`, `{"rows":[[],[1]]}`,
	" {\n\"rows\"\t:\r[ [ 1 , -2 ] , [ ] ] } \n",
	`{"rows":[[0,-0,0.0,-0.0e0,1e5,1E+5,1e-5,0e999999999999,123456789012345678901234567890]]}`,
	`{"rows":[[4.9e-324,2.2250738585072011e-308,1.7976931348623157e308,1e-400]]}`,
	`{"rows":[[9007199254740993,9007199254740992.5,0.1,0.30000000000000004,1e22,1e23,8.5e-23]]}`,
	`{"rows":[[18446744073709551615,18446744073709551616,9999999999999999999,` +
		`0.00000000000000000001234567890123456789]]}`,
	`{"rows":[[0.000000000000000000000001,0.000000000000000000000000,` +
		`-0.00000000000000000000000000001,1.0000000000000000000000001]]}                                   `,
	// Refused.
	``, `{}`, `{`, `{"rows"}`, `{"rows":}`, `{"rows":null}`, `{"rows":[null]}`, `{"rows":[[null]]}`, `{"rows":[1]}`,
	`{"rows":[[1],]}`, `{"rows":[[1,]]}`,
	`{"rows":[[1]]`, `{"rows":[[1]}`, `{"rows":[[1]]}}`, `{"rows":[[1]]} x`, `{"rows":[[1]],"rows":[[2]]}`,
	`{"rows":[[1]],"ids":["a"]}`,
	`{"Rows":[[1]]}`, `{"\u0072ows":[[1]]}`, `{"rows":[[01]]}`, `{"rows":[[+1]]}`, `{"rows":[[.5]]}`, `{"rows":[[1.]]}`,
	`{"rows":[[1e]]}`, `{"rows":[[1e+]]}`,
	`{"rows":[[-]]}`, `{"rows":[[--1]]}`, `{"rows":[[1e999]]}`, `{"rows":[[-1e400]]}`, `{"rows":[[NaN]]}`,
	`{"rows":[[Infinity]]}`, `{"rows":[["1"]]}`,
	`{"rows":[[1 2]]}`, `{"rows":[[0x10]]}`, `{"rows":[[1_0]]}`, `{"rows":[[true]]}`, `{"rows":[[[1]]]}`,
	`{"rows":[[{}]]}`, `[[1]]`, "{\"rows\":[[1\x00]]}", "\xef\xbb\xbf{\"rows\":[[1]]}",
	`{"rows":[[1]],}`, `{"rows":[[1.5e3.2]]}`, `{"rows":[[00]]}`, `{"rows":[[-01.5]]}`,
	`{"rows":[[12:34]]}`, `{"rows":[[1/2]]}`,
}

func TestReadBodyIsEncodingJSON(t *testing.T) {
	for _, body := range bodies {
		agrees(t, []byte(body))
	}
	accepted := 0
	for _, body := range bodies {
		if new(Matrix).ReadBody([]byte(body)) {
			accepted++
		}
	}
	if accepted != 10 {
		t.Errorf("%d of the bodies are read, want the first 10", accepted)
	}
}

func FuzzReadBody(f *testing.F) {
	for _, body := range bodies {
		f.Add([]byte(body))
	}
	f.Fuzz(agrees)
}

// readNumber is a number at the end of a text, and twice in a row far from it, where longs and short read what they
// can; all must agree.
func readNumber(t *testing.T, text string) (float64, bool) {
	t.Helper()
	var m, n Matrix
	near := m.ReadRows([]byte("[[" + text + "]]"))
	away := n.ReadRows([]byte("[[" + text + "," + text + "]]" + strings.Repeat(" ", far)))
	if near != away {
		t.Fatalf("%s is read by itself: %v, before other text: %v", text, near, away)
	}
	if !near {
		return 0, false
	}
	for _, v := range n.Data {
		if math.Float64bits(v) != math.Float64bits(m.Data[0]) {
			t.Fatalf("%s is read as %v, and before other text as %v", text, m.Data, n.Data)
		}
	}
	return m.Data[0], len(n.Data) == 2
}

// Every float64 is read back, near the end of a text and before it, from its shortest text and from
// others, and decimals of any length are read as strconv reads them.
func TestNumbersAreThoseOfStrconv(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	check := func(text string) {
		t.Helper()
		want, err := strconv.ParseFloat(text, 64)
		got, ok := readNumber(t, text)
		if ok != (err == nil) || ok && math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%s is read as %v (%v), want %v (%v)", text, got, ok, want, err)
		}
	}
	const count = 40_000
	for range count {
		v := math.Float64frombits(r.Uint64())
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		check(strconv.FormatFloat(v, 'e', -1, 64))
		v = r.NormFloat64() * math.Pow(10, float64(r.IntN(60)-30))
		check(strconv.FormatFloat(v, 'g', -1, 64))
		check(strconv.FormatFloat(v, 'f', r.IntN(25), 64))
		check(fmt.Sprintf("%de%d", r.Uint64()>>r.IntN(64), r.IntN(240)-120))
		check(fmt.Sprintf("%d.%0*d", r.Uint64()>>(40+r.IntN(24)), 1+r.IntN(22), r.Uint64()>>r.IntN(64)))
		// Half-way between two neighbours, and slightly off.
		w := 1<<53 + r.Uint64()>>11
		check(fmt.Sprintf("%d", 2*w+1))
		check(fmt.Sprintf("%d.0000000000000001", w))
	}
}

// Rows of different widths are recognised.
func TestRagged(t *testing.T) {
	var m Matrix
	if !m.ReadRows([]byte(`[[1,2],[3,4],[5]]`)) {
		t.Fatal("not read")
	}
	if got := m.Ragged(2); got != 2 {
		t.Errorf("row %d, want 2", got)
	}
	if got := m.Ragged(1); got != 0 {
		t.Errorf("row %d, want 0", got)
	}
	if !m.ReadRows([]byte(`[[1,2]]`)) || m.Ragged(2) != -1 {
		t.Errorf("%v is ragged", m)
	}
}

// body is a request of 100 rows with 46 features.
func body(digits int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString(`{"rows":[`)
	for i := range 100 {
		b.WriteString(map[bool]string{true: "[", false: ",["}[i == 0])
		for j := range 46 {
			if j > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.FormatFloat(r.Float64(), 'f', digits, 64))
		}
		b.WriteByte(']')
	}
	b.WriteString("]}")
	return []byte(b.String())
}

// Reading allocates nothing once the memory has grown.
func TestReadBodyAllocatesNothing(t *testing.T) {
	text := body(-1)
	var m Matrix
	if n := testing.AllocsPerRun(20, func() {
		if !m.ReadBody(text) {
			t.Fatal("not read")
		}
	}); n > 0 {
		t.Errorf("%v allocations a body", n)
	}
}

func BenchmarkReadBody(b *testing.B) {
	for name, digits := range map[string]int{"digits=6": 6, "digits=17": -1} {
		b.Run("rows=100/features=46/"+name, func(b *testing.B) {
			text := body(digits)
			var m Matrix
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if !m.ReadBody(text) {
					b.Fatal("not read")
				}
			}
		})
	}
}

// BenchmarkEncodingJSON measures the same with encoding/json.
func BenchmarkEncodingJSON(b *testing.B) {
	text := body(-1)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		var request struct{ Rows [][]float64 }
		if err := json.Unmarshal(text, &request); err != nil {
			b.Fatal(err)
		}
	}
}
