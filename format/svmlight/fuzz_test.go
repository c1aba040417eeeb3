package svmlight

import (
	"bytes"
	"context"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pairrank/data"
)

// FuzzRead checks that nothing panics, that all ways of reading agree, and that written text reads
// back to the same bytes.
func FuzzRead(f *testing.F) {
	for _, c := range cases {
		f.Add(c.text, c.opts.ZeroBased, int(c.opts.Missing))
	}
	f.Add("1 qid:1 1:0.30000000000000004 2:1e-320 3:123456789012345678901234567890\r\r\n", false, 0)
	f.Add("1 qid:\r #x\n", false, 0)
	f.Add("1 qid:a 1:1 2:0\n2 qid:a\n#c\n0 qid:b 9:1\n1 qid:b 3:nan\n1 qid:a 1:1\n", true, 1)
	f.Fuzz(func(t *testing.T, text string, zeroBased bool, missing int) {
		opts := Options{KeepComments: true, ZeroBased: zeroBased, Storage: StoreCSR, Missing: data.Missing(missing & 1)}
		packed := strings.HasPrefix(text, "\x1f\x8b") || strings.HasPrefix(text, "\x28\xb5\x2f\xfd") ||
			len(text) > 3 && text[1:4] == "\x2a\x4d\x18"
		if !packed {
			checkQueries(t, text, opts)
		}
		first, err := stream(text, opts)
		set, wholeErr := loadText(text, opts, tinySizes, false, t)
		problems, sum, checkErr := Check(strings.NewReader(text), "t", opts, 0)
		if err != nil {
			if packed {
				return
			}
			if wholeErr == nil || wholeErr.Error() != err.Error() {
				t.Fatalf("Reader says\n%v, ReadAll\n%v", err, wholeErr)
			}
			if checkErr == nil && (len(problems) == 0 || problems[0].Error() != err.Error()) {
				t.Fatalf("Reader says\n%v, Check\n%v", err, problems)
			}
			return
		}
		if wholeErr != nil || checkErr != nil || sum.Errors > 0 {
			t.Fatalf("ReadAll says %v, Check %v %v", wholeErr, checkErr, problems)
		}
		var out bytes.Buffer
		w := NewWriter(&out, WriteOptions{ZeroBased: zeroBased})
		if err := w.WriteSet(set); err != nil {
			t.Fatal(err)
		}
		w.Flush()
		opts.ZeroBased = zeroBased
		again, err := ReadAll(context.Background(), bytes.NewReader(out.Bytes()), "t", opts)
		if err != nil {
			t.Fatalf("%v in what was written:\n%q", err, out.String())
		}
		var twice bytes.Buffer
		w = NewWriter(&twice, WriteOptions{ZeroBased: zeroBased})
		w.WriteSet(again)
		w.Flush()
		if !bytes.Equal(out.Bytes(), twice.Bytes()) {
			t.Fatalf("written\n%q, read and written\n%q", out.String(), twice.String())
		}
		if rows := strings.Count(first, "\n"); rows != sum.Rows || rows != len(set.Y) {
			t.Fatalf("%d, %d and %d rows", rows, sum.Rows, len(set.Y))
		}
	})
}

// FuzzNumber compares with strconv.
func FuzzNumber(f *testing.F) {
	for _, s := range []string{"0", "-0", "1.5", "9007199254740993", "1e22", "1e23", "123456789012345678901",
		"0.000001", ".5", "5.", "1e", "1e+", "+", "", "1e999", "4.9e-324", "2.2250738585072011e-308", "1_0",
		"0x1p-2", "infinity",
		"1e99999999999999999999", "0e99999999999999999999", "8.5e22"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.ContainsAny(s, " \t#") {
			return
		}
		got, end, ok := number([]byte(s), 0)
		want, err := strconv.ParseFloat(s, 64)
		// strconv reads more: names, hexadecimal, underscores.
		plain := !strings.ContainsAny(s, "xX_nNiI")
		if (err == nil && plain) != ok {
			t.Fatalf("%q: ok %t, strconv %v", s, ok, err)
		}
		if ok && (end != len(s) || math.Float64bits(got) != math.Float64bits(want)) {
			t.Fatalf("%q: %v up to %d, want %v", s, got, end, want)
		}
	})
}

func TestNumberIsExact(t *testing.T) {
	for _, x := range []float64{0.1, 1. / 3, math.Pi, 1e22, 1e23, math.MaxFloat64, math.SmallestNonzeroFloat64, 5e-310,
		1 << 53, 1<<53 + 2} {
		for _, format := range []byte{'g', 'e', 'f'} {
			for digits := -1; digits < 25; digits++ {
				s := strconv.FormatFloat(x, format, digits, 64)
				want, err := strconv.ParseFloat(s, 64)
				got, _, ok := number([]byte(s), 0)
				if ok != (err == nil) || ok && got != want {
					t.Errorf("%s: %v, %t, want %v", s, got, ok, want)
				}
			}
		}
	}
}

func TestWriterRefusesWhatCannotBeRead(t *testing.T) {
	for _, row := range []Row{
		{Label: math.NaN()}, {Label: math.Inf(1)}, {Vals: []float64{math.NaN()}}, {Vals: []float64{math.Inf(-1)}},
		{HasQID: true}, {HasQID: true, QID: "a b"}, {HasQID: true, QID: "a#"}, {HasQID: true, QID: "a\r"},
		{HasQID: true, QID: "a\rb"},
		{Comment: "a\nb"}, {Comment: "a\r"},
	} {
		if err := NewWriter(&bytes.Buffer{}, WriteOptions{}).writeRow(row, -1); err == nil ||
			!utf8.ValidString(err.Error()) {
			t.Errorf("%+v is written", row)
		}
	}
}

func TestWriterZeros(t *testing.T) {
	dense := data.NewDense(2, 3, []float64{0, 0.1, 0, 0, 0, 0})
	sparse := &data.CSR{Rows: 2, Cols: 3, Ptr: []int{0, 1, 1}, Col: []int32{1}, Val: []float64{0.1}}
	explicit := &data.CSR{Rows: 2, Cols: 3, Ptr: []int{0, 2, 3}, Col: []int32{1, 2, 2}, Val: []float64{0.1, 0, 0}}
	for _, c := range []struct {
		opts WriteOptions
		want string
	}{
		{WriteOptions{}, "2 2:0.1 3:0\n1\n"}, // the last feature, which is zero everywhere, is not lost
		{WriteOptions{Zeros: true}, "2 1:0 2:0.1 3:0\n1 1:0 2:0 3:0\n"},
		{WriteOptions{ZeroBased: true}, "2 1:0.1 2:0\n1\n"},
	} {
		for _, x := range []data.Matrix{dense, sparse, explicit} {
			s := &data.Set{X: x, Y: []float64{2, 1}, Queries: data.OneList(2)}
			var out bytes.Buffer
			w := NewWriter(&out, c.opts)
			if err := w.WriteSet(s); err != nil {
				t.Fatal(err)
			}
			w.Flush()
			if out.String() != c.want {
				t.Errorf("%T, %+v: %q, want %q", x, c.opts, out.String(), c.want)
			}
		}
	}
}

// Comment lines stay where they are, whatever the blocks of reading.
func TestNotesStayInPlace(t *testing.T) {
	for _, text := range []string{
		"# head\n#two\n1 1:1\n",
		"#\n1 1:1\n# middle\n0 1:2 # of a row\n#end\n",
		"1 1:1\n" + strings.Repeat("#"+strings.Repeat("x", 30)+"\n", 20) + "2 1:3\n# end\n",
	} {
		set, err := loadText(text, Options{KeepComments: true, KeepNotes: true}, tinySizes, false, t)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		w := NewWriter(&out, WriteOptions{})
		if err := w.WriteSet(set); err != nil {
			t.Fatal(err)
		}
		w.Flush()
		if out.String() != text {
			t.Errorf("%q is written as %q", text, out.String())
		}
		plain, err := loadText(text, Options{}, tinySizes, false, t)
		if err != nil || plain.Notes != nil {
			t.Errorf("%q: comment lines are kept unasked: %v, %v", text, plain.Notes, err)
		}
	}
}
