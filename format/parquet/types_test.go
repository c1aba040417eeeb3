package parquet

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/format/table"
	"pairrank/internal/cellfault"
)

// The files of testdata are by DuckDB: all types of numbers, then what is no number.
func TestTypes(t *testing.T) {
	type formula = func(i float64) float64
	want := []struct {
		name string
		of   formula
	}{
		{"i8", func(i float64) float64 { return i - 3 }},
		{"i16", func(i float64) float64 { return 300 * i }},
		{"i32", func(i float64) float64 { return i*100000 - 7 }},
		{"i64", func(i float64) float64 { return i * 1e10 }},
		{"u8", func(i float64) float64 { return 250 + math.Mod(i, 5) }},
		{"u16", func(i float64) float64 { return 65000 + i }},
		{"u32", func(i float64) float64 { return 2e9 + i }},
		{"u64", func(i float64) float64 { return 1<<53 - 2*i }},
		{"f32", func(i float64) float64 { return i / 4 }},
		{"f64", func(i float64) float64 { return i / 3 }},
		{"d4", func(i float64) float64 { return i * 1.25 }},
		{"d9", func(i float64) float64 { return i * 1.0625 }},
		{"d18", func(i float64) float64 { return i*1000000.5 - 3 }},
		{"d38", func(i float64) float64 { return i*1e20 - 1 }},
		{"flag", func(i float64) float64 {
			if math.Mod(i, 3) == 0 {
				return 1
			}
			return 0
		}},
		{"digits", func(i float64) float64 { return i }},
		{"gap", func(i float64) float64 {
			if i == 4 {
				return 0
			}
			return i / 2
		}},
		{"place.x", func(i float64) float64 { return i }},
		{"place.y.z", func(i float64) float64 {
			if i == 2 {
				return 0
			}
			return 2 * i
		}},
		{"emb[1]", func(i float64) float64 { return i }},
		{"emb[2]", func(i float64) float64 { return 2 * i }},
		{"emb[3]", func(float64) float64 { return 0 }},
		{"bits[1]", func(i float64) float64 { return math.Mod(i+1, 2) }},
		{"bits[2]", func(float64) float64 { return 1 }},
	}
	for _, file := range []string{"testdata/types.parquet", "testdata/types-v2.parquet"} {
		s, err := table.ReadSet(file, table.Options{Missing: data.MissingZero})
		if err != nil {
			t.Fatal(err)
		}
		if m, n := s.X.Dims(); m != 7 || n != len(want) {
			t.Fatalf("%s: %d × %d: %q", file, m, n, s.Names)
		}
		for i := range 7 {
			row := s.X.(*data.Dense).Row(i)
			for j, w := range want {
				if x := w.of(float64(i)); s.Names[j] != w.name || row[j] != x {
					t.Errorf("%s: row %d: %s is %v, want %s %v", file, i, s.Names[j], row[j], w.name, x)
				}
			}
			if s.Y[i] != float64(i%2) || s.IDs[i] != strconv.Itoa(9007199254740993+i) ||
				s.Queries.ID(int(s.Queries.Of()[i])) != "q"+strconv.Itoa(i/3) {
				t.Errorf("%s: row %d: label %v, id %s", file, i, s.Y[i], s.IDs[i])
			}
		}
	}
}

// What is no number names a thing, or is an error that says what it is.
func TestOtherTypes(t *testing.T) {
	const file = "testdata/others.parquet"
	base := table.Options{Only: []string{"x"}}
	s, err := table.ReadSet(file, base)
	if err != nil {
		t.Fatal(err)
	}
	if _, n := s.X.Dims(); n != 1 {
		t.Fatalf("features %q", s.Names)
	}
	for column, want := range map[string][]string{
		"day":    {"2024-01-30", "2024-01-31", "2024-02-01", "2024-02-02"},
		"at":     {"2024-01-31 23:59:58.5", "2024-01-31 23:59:59.5", "2024-02-01 00:00:00.5", "2024-02-01 00:00:01.5"},
		"clock":  {"10:11:12", "10:11:12", "10:11:12", "10:11:12"},
		"colour": {"red", "blue", "red", "blue"},
		"u": {"00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000001",
			"00000000-0000-0000-0000-000000000002", "00000000-0000-0000-0000-000000000003"},
		"large": {"9007199254740993", "9007199254740994", "9007199254740995", "9007199254740996"},
	} {
		opts := base
		opts.ID = column
		s, err := table.ReadSet(file, opts)
		if err != nil {
			t.Errorf("%s: %v", column, err)
		} else if !slices.Equal(s.IDs, want) {
			t.Errorf("%s: %q, want %q", column, s.IDs, want)
		}
	}
	for column, want := range map[string]string{
		"day":       `a date, not a number, in column "day"`,
		"at":        `a date, not a number, in column "at"`,
		"colour":    `row group 1: row 1: not a finite number, in column "colour": "red"`,
		"m.key":     `holds lists of maps, which have no place`,
		"deep":      `holds lists of lists, which have no place`,
		"words":     `holds lists of texts, which have no place`,
		"ragged[1]": `row group 1: column "ragged": row 2 has a list of 2, and the first one has 1 elements`,
		"large": `row group 1: column "large": row 1: 9007199254740993 is an integer that a float64 cannot hold ` +
			`exactly`,
	} {
		opts := table.Options{Only: []string{column}}
		_, err := table.ReadSet(file, opts)
		if err == nil || !strings.HasPrefix(err.Error(), file+": ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", column, err, want)
		}
		var text *table.TextError
		if date := column == "day" || column == "at"; date && (!errors.As(err, &text) ||
			cellfault.Of(text) != cellfault.Date) {
			t.Errorf("%s: no date: %v", column, err)
		}
	}
}

// Missing values are an error that says where, unless something fills them in.
func TestMissing(t *testing.T) {
	opts := table.Options{Only: []string{"gap"}}
	_, err := table.ReadSet("testdata/types.parquet", opts)
	const want = `testdata/types.parquet: row group 1: column "gap": the value of row 5 is missing`
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	opts.MissingIn = map[string]data.Missing{"gap": data.MissingMean}
	s, err := table.ReadSet("testdata/types.parquet", opts)
	if err != nil {
		t.Fatal(err)
	}
	if x := s.X.(*data.Dense).Row(4)[0]; x != (0+.5+1+1.5+2.5+3)/6 {
		t.Errorf("the mean is %v", x)
	}
}
