package table

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/cellfault"
	"pairrank/internal/npy"
)

// npyOf is a one-dimensional array as a file, of entries of a fixed size.
func npyOf(t *testing.T, descr string, shape []int, entries any) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := npy.WriteHeader(&b, descr, shape); err != nil {
		t.Fatal(err)
	}
	if err := binary.Write(&b, binary.LittleEndian, entries); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A name keeps all its digits, or the file is refused: in every format and type of numbers.
func TestNamesKeepTheirDigits(t *testing.T) {
	const a, b = 1577134800018164904, 1577134800018164905 // one float64
	const refused = "is a number that has lost digits: as a float two names may have become one"
	archive := func(descr string, ids any) string {
		var out bytes.Buffer
		z := zip.NewWriter(&out)
		for _, member := range []struct {
			name string
			text []byte
		}{{"X", npyOf(t, "<f8", []int{2, 1}, []float64{1, 2})},
			{"y", npyOf(t, "<f8", []int{2}, []float64{3, 4})}, {"qid", npyOf(t, descr, []int{2}, ids)}} {
			w, err := z.CreateHeader(&zip.FileHeader{Name: member.name + ".npy", Method: zip.Store})
			if err == nil {
				_, err = w.Write(member.text)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	json := `{"label":1,"%[1]s":%[2]v,"x":1}` + "\n" + `{"label":2,"%[1]s":%[3]v,"x":2}` + "\n"
	two := fmt.Sprint([]string{fmt.Sprint(a), fmt.Sprint(b)})
	for _, c := range []struct{ name, file, text, want string }{
		{"long", "a.npz", archive("<i8", []int64{a, b}), two},
		{"unsigned", "a.npz", archive("<u8", []uint64{math.MaxUint64, 0}), "[18446744073709551615 0]"},
		{"negative", "a.npz", archive("<i8", []int64{-a, 7}), fmt.Sprintf("[-%d 7]", a)},
		{"double", "a.npz", archive("<f8", []float64{a, b}), refused},
		{"small double", "a.npz", archive("<f8", []float64{1<<53 - 1, 0.5}), "[9007199254740991 0.5]"},
		{"single", "a.npz", archive("<f4", []float32{1 << 24, 1<<24 + 2}), refused},
		{"small single", "a.npz", archive("<f4", []float32{1<<24 - 1, 3}), "[16777215 3]"},
		{"csv", "a.csv", fmt.Sprintf("label,qid,x\n1,%d,1\n2,%d,2\n", a, b), two},
		{"csv of floats", "a.csv", "label,qid,x\n1,1.577134800018165e+18,1\n2,1.577134800018165e+18,2\n", refused},
		{"csv of R", "a.csv", "label,qid,x\n1,1e+05,1\n2,2e+05,2\n", "[1e+05 2e+05]"},
		{"json", "a.jsonl", fmt.Sprintf(json, "qid", a, b), two},
		{"json of floats", "a.jsonl", fmt.Sprintf(json, "qid", "1.577134800018165e18", b), refused},
	} {
		s, err := ReadSet(file(t, c.file, c.text), Options{})
		switch got := fmt.Sprint(err); {
		case err == nil && fmt.Sprint(s.Queries.IDs) != c.want:
			t.Errorf("%s: queries %v, want %s", c.name, s.Queries.IDs, c.want)
		case err != nil && (!strings.Contains(got, c.want) || cellfault.Of(err) != cellfault.Digits):
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	for _, name := range []string{"id", "doc_id", "sample"} { // the names of rows
		s, err := ReadSet(file(t, "a.jsonl", fmt.Sprintf(json, name, a, b)), Options{})
		if err != nil || fmt.Sprint(s.IDs) != two {
			t.Errorf("json with %s: %v", name, err)
		}
	}
}

// Features may have the name of an array of their archive.
func TestFeaturesNamedLikeArrays(t *testing.T) {
	arrays := map[string]*npy.Array{"X": {Shape: []int{2, 2}, Data: []float64{1, 2, 3, 4}},
		"y": {Shape: []int{2}, Data: []float64{3, 4}}, "qid": {Shape: []int{2}, Data: []float64{7, 7}},
		"names": {Shape: []int{2}, Strings: []string{"y", "qid"}}}
	var b bytes.Buffer
	if err := npy.WriteArchive(&b, arrays); err != nil {
		t.Fatal(err)
	}
	path := file(t, "a.npz", b.String())
	for want, opts := range map[string]Options{
		`2×2 [1 2 3 4] y=[3 4] q=["7"] of=[0 0] names=["y" "qid"]`: {},
		`2×1 [2 4] y=[3 4] q=["7"] of=[0 0] names=["qid"]`:         {Ignore: []string{"y"}},
		`2×1 [1 3] y=[3 4] q=["7"] of=[0 0] names=["y"]`:           {Only: []string{"y"}},
		`2×2 [2 1 4 3] y=[3 4] q=["7"] of=[0 0] names=["qid" "y"]`: {Features: 2, Names: []string{"qid", "y"},
			Schema: &data.Schema{Label: "y", Query: "qid"}},
	} {
		s, err := ReadSet(path, opts)
		if err != nil || describe(s) != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
