package svmlight

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/textline"
)

// cases are texts with the rows they hold, written back canonically, or the
// error they give. Reader and ReadAll run all of them.
var cases = []struct {
	name, text string
	opts       Options
	rows       string // as Writer writes them, with comments
	err        string
}{
	{name: "letor", text: "2 qid:10 1:0.5 3:1 #docid = A1\n0 qid:11 2:-3e2\n",
		rows: "2 qid:10 1:0.5 3:1 #docid = A1\n0 qid:11 2:-300\n"},
	{name: "no qid", text: "1.5 1:2\n-1 2:3", rows: "1.5 1:2\n-1 2:3\n"},
	{name: "crlf, tabs, blanks, comments", text: "# head\r\n\r\n  1\tqid:a \t 1:1\t2:2  \r\n \t\r\n+3 qid:b # x \r\n",
		rows: "1 qid:a 1:1 2:2\n3 qid:b # x \n"},
	{name: "no features", text: "1\n2 # c\n3#d\n", rows: "1\n2 # c\n3 #d\n"},
	{name: "qid text", text: "1 qid:a/b:c 1:1\n2 qid:é 1:1\n1 qid:a/b:c 1:2\n",
		rows: "1 qid:a/b:c 1:1\n2 qid:é 1:1\n1 qid:a/b:c 1:2\n"},
	{name: "comment ends value", text: "1 1:2#c\n", rows: "1 1:2 #c\n"},
	{name: "numbers", text: "1e3 1:.5 2:5. 3:+2 4:1E-2 5:00012 6:1e+2\n",
		rows: "1000 1:0.5 2:5 3:2 4:0.01 5:12 6:100\n"},
	{name: "largest index", text: "1 2147483646:1\n", opts: Options{Storage: StoreCSR}, rows: "1 2147483646:1\n"},
	{name: "zero based", text: "1 0:5 2:1\n", opts: Options{ZeroBased: true}, rows: "1 1:5 3:1\n"},
	{name: "missing zero", text: "1 1:NULL 2:NaN 3: 4:1\n", opts: Options{Missing: data.MissingZero}, rows: "1 4:1\n"},
	{name: "features", text: "1 2:1\n", opts: Options{Features: 2}, rows: "1 2:1\n"},

	{name: "empty", text: "", err: "t: the input is empty"},
	{name: "only comments", text: "# a\n\n", err: "t: no rows: all 2 lines are blank or comments"},
	{name: "unsorted", text: "1 1:1\n1 2:1 1:5\n", err: `t:2:7: index 1 after index 2, but indices ascend: "1:5"`},
	{name: "repeated", text: "1 2:1 2:5\n", err: `t:1:7: index 2 is repeated: "2:5"`},
	{name: "index 0", text: "1 0:1\n", err: `t:1:3: index 0, but indices start at 1: "0:1"`},
	{name: "index too large", text: "1 2147483647:1\n",
		err: `t:1:3: the index is larger than 2147483646: "2147483647:1"`},
	{name: "index far too large", text: "1 99999999999999999999:1\n",
		err: `t:1:3: the index has too many digits: "99999999999999999999:1"`},
	{name: "index not a number", text: "1 x:1\n", err: `t:1:3: the index is not a whole number: "x:1"`},
	{name: "negative index", text: "1 -1:1\n", err: `t:1:3: the index is not a whole number: "-1:1"`},
	{name: "no index", text: "1 :1\n", err: `t:1:3: no index before the colon: ":1"`},
	{name: "no colon", text: "1 12\n", err: `t:1:3: expected index:value: "12"`},
	{name: "value not a number", text: "\n1 1:1 2:1x 3:1\n", err: `t:2:9: the value is not a number: "1x"`},
	{name: "two colons", text: "1 1:1:1\n", err: `t:1:5: the value is not a number: "1:1"`},
	{name: "hexadecimal", text: "1 1:0x10\n", err: `t:1:5: the value is not a number: "0x10"`},
	{name: "underscore", text: "1 1:1_0\n", err: `t:1:5: the value is not a number: "1_0"`},
	{name: "infinite value", text: "1 1:-Inf\n", err: `t:1:5: the value is infinite: "-Inf"`},
	{name: "overflow", text: "1 1:1e309\n", err: `t:1:5: the value is too large for a float64: "1e309"`},
	{name: "infinite with missing allowed", text: "1 1:inf\n", opts: Options{Missing: data.MissingZero},
		err: `t:1:5: the value is infinite: "inf"`},
	{name: "missing", text: "1 1:NULL\n", err: `t:1:3: the value is missing: "1:NULL"`},
	{name: "empty value", text: "1 1: 2:3\n", err: `t:1:3: the value is missing: "1:"`},
	{name: "label missing", text: "nan 1:2\n", opts: Options{Missing: data.MissingZero},
		err: `t:1:1: the label is missing: "nan"`},
	{name: "label not a number", text: "a 1:2\n", err: `t:1:1: the label is not a number: "a"`},
	{name: "no label", text: "1:2 2:3\n", err: `t:1:1: the line must begin with a label: "1:2"`},
	{name: "label infinite", text: "+infinity 1:2\n", err: `t:1:1: the label is infinite: "+infinity"`},
	{name: "qid after feature", text: "1 1:2 qid:3\n", err: `t:1:7: qid after a feature: "qid:3"`},
	{name: "second qid", text: "1 qid:1 qid:2\n", err: `t:1:9: second qid in a row: "qid:2"`},
	{name: "empty qid", text: "1 qid: 1:2\n", err: `t:1:3: qid without a name: "qid:"`},
	{name: "carriage return in a qid", text: "1 qid:1\r2 qid:2\r", err: "t:1:8: " + textline.InnerReturn},
	{name: "carriage return after a value", text: "1 1:2\r0 1:1\r", err: "t:1:6: " + textline.InnerReturn},
	{name: "carriage return in a comment", text: "1 1:2 # a\r0 1:1 # b\r", err: "t:1:10: " + textline.InnerReturn},
	{name: "carriage return after a heading", text: "1 1:2\n# a\r0 1:1\r", err: "t:2:4: " + textline.InnerReturn},
	{name: "qid on some", text: "1 1:2\n\n1 qid:1 1:2\n",
		err: `t:3:3: row with a qid, but the rows before have none: "qid:1"`},
	{name: "qid not on all", text: "1 qid:1 1:2\n1 1:2\n",
		err: `t:2:1: row without a qid, but the rows before have one: "1 1:2"`},
	{name: "first error wins", text: "1 1:1\n2 2:x\n3 qid:3 1:1\n", err: `t:2:5: the value is not a number: "x"`},
	{name: "past the model", text: "1 51:1\n", opts: Options{Features: 46},
		err: `t:1:3: feature index 51 but the model has 46 features: "51:1"`},
	{name: "invalid utf-8", text: "1 1:\xff\n", err: "t:1:5: the value is not a number: \"\ufffd\""},
}

// stream reads all rows with a Reader and writes them.
func stream(text string, opts Options) (string, error) {
	r := NewReader(strings.NewReader(text), "t", opts)
	var out strings.Builder
	w := NewWriter(&out, WriteOptions{})
	for {
		row, err := r.Read()
		if err == io.EOF {
			err := w.Flush()
			return out.String(), err
		}
		if err != nil {
			return "", err
		}
		if err := w.writeRow(row, -1); err != nil {
			return "", err
		}
	}
}

// whole reads all rows with ReadAll and writes them.
func whole(text string, opts Options) (string, error) {
	s, err := ReadAll(context.Background(), strings.NewReader(text), "t", opts)
	if err != nil {
		return "", err
	}
	var out strings.Builder
	w := NewWriter(&out, WriteOptions{})
	if err := w.WriteSet(s); err != nil {
		return "", err
	}
	err = w.Flush()
	return out.String(), err
}

func TestLanguage(t *testing.T) {
	for _, c := range cases {
		opts := c.opts
		opts.KeepComments = true
		for way, read := range map[string]func(string, Options) (string, error){"Reader": stream, "ReadAll": whole} {
			got, err := read(c.text, opts)
			if c.err == "" && (err != nil || got != c.rows) {
				t.Errorf("%s, %s: read %q, %v; want %q", c.name, way, got, err, c.rows)
			}
			var syntax *data.SyntaxError
			if c.err != "" && (err == nil || err.Error() != c.err || !errors.As(err, &syntax)) {
				t.Errorf("%s, %s: error\n%v, want\n%s", c.name, way, err, c.err)
			}
		}
	}
}

func TestMissingMeanAndMin(t *testing.T) {
	const text = "1 1:2 2:NULL\n1 1: 2:4 3:nan\n1 1:6\n"
	for _, c := range []struct {
		policy data.Missing
		want   []float64 // 3 × 3; an index left out is the value 0
	}{
		{data.MissingMean, []float64{2, 2, 0, 4, 4, 0, 6, 0, 0}},
		{data.MissingMin, []float64{2, 0, 0, 2, 4, 0, 6, 0, 0}},
	} {
		for _, storage := range []Storage{StoreDense, StoreCSR} {
			s, err := ReadAll(context.Background(), strings.NewReader(text), "t",
				Options{Missing: c.policy, Storage: storage})
			if err != nil {
				t.Fatal(err)
			}
			if got := data.ToDense(s.X).Data; !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s, %s: %v, want %v", c.policy, storage, got, c.want)
			}
		}
	}
	row, err := NewReader(strings.NewReader(text), "t", Options{Missing: data.MissingMean}).Read()
	if err != nil || len(row.Vals) != 2 || !math.IsNaN(row.Vals[1]) {
		t.Errorf("Reader gives %v, %v for a value it cannot know", row.Vals, err)
	}
}

func TestFeatureCounts(t *testing.T) {
	for _, c := range []struct {
		opts Options
		want int
	}{{Options{}, 3}, {Options{MinFeatures: 2}, 3}, {Options{MinFeatures: 5}, 5}, {Options{Features: 7},
		7}, {Options{ZeroBased: true}, 4}} {
		for _, storage := range []Storage{StoreAuto, StoreDense, StoreCSR} {
			c.opts.Storage = storage
			s, err := ReadAll(context.Background(), strings.NewReader("1 3:1\n2 1:1\n"), "t", c.opts)
			if err != nil {
				t.Fatal(err)
			}
			if m, n := s.X.Dims(); m != 2 || n != c.want {
				t.Errorf("%+v: %d × %d, want 2 × %d", c.opts, m, n, c.want)
			}
		}
	}
}

func TestReaderRepeatsItsError(t *testing.T) {
	r := NewReader(strings.NewReader("1 1:1\nx\n1 1:1\n"), "t", Options{})
	if _, err := r.Read(); err != nil {
		t.Fatal(err)
	}
	_, first := r.Read()
	if _, second := r.Read(); first == nil || second != first {
		t.Errorf("errors %v, %v", first, second)
	}
}

func TestLongLine(t *testing.T) {
	var text strings.Builder
	text.WriteString("1")
	const features = 400_000 // 4 MB: longer than a block and than the Reader's buffer
	for j := 1; j <= features; j++ {
		fmt.Fprintf(&text, " %d:1", j)
	}
	text.WriteString("\n2 1:7\n")
	want, err := stream(text.String(), Options{})
	if err != nil || want != text.String() {
		t.Fatalf("Reader: %d bytes, %v", len(want), err)
	}
	if got, err := whole(text.String(), Options{}); err != nil || got != want {
		t.Errorf("ReadAll: %d bytes, %v", len(got), err)
	}
}
