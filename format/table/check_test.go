package table

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/cellfault"
)

// checkFile checks the table of a file, checkFrom a text.
func checkFile(path string, opts Options, limit int) (*Checked, error) {
	return Check(opts, limit, func(opts Options) (*data.Set, error) { return ReadSet(path, opts) })
}

func checkFrom(text, name string, opts Options, limit int) (*Checked, error) {
	return Check(opts, limit, func(opts Options) (*data.Set, error) {
		return ReadSetFrom(strings.NewReader(text), name, opts)
	})
}

// found shows what a check finds: the errors by kind, and each column in a line.
func found(c *Checked) (faults, columns []string) {
	for _, of := range c.Faults {
		for _, err := range of.Errors {
			text := err.Error()
			if n := Cells(err); n > 1 {
				text += fmt.Sprintf(" (%d)", n)
			}
			faults = append(faults, text)
		}
		if n := of.Count - len(of.Errors); n > 0 {
			faults = append(faults, fmt.Sprintf("%d more: %v", n, of.Kind))
		}
	}
	for _, c := range c.Columns {
		text := fmt.Sprintf("%s %s %s -%d !%d %d [%v %v]", c.Name, c.Role, c.Type, c.Missing, c.Faults, c.Distinct,
			c.Min, c.Max)
		for _, l := range c.Levels {
			text += fmt.Sprintf(" %s:%d", l.Text, l.Rows)
		}
		columns = append(columns, text)
	}
	return faults, columns
}

func TestCheckListsAll(t *testing.T) {
	text := strings.Join([]string{"name,y,a,b,sex,notes", "u,1,5,x1,m,", "v,0,,2,f,long", "w,1,7", "x,z,9,3,f,",
		"x,,1,?,f,long", `"y,1,2,3,4,5`, "name,y,a,b,sex,notes", ",,,,,", "z,0,\"1,234\",2024-01-31,f,x"}, "\n")
	c, err := checkFrom(text, "t", Options{Ignore: []string{"notes"}}, 2)
	if err != nil {
		t.Fatal(err)
	}
	faults, columns := found(c)
	if want := []string{
		`t:4:5: 3 fields, but the first line has 6: "7"`,
		`t:7:1: the quotes do not end on their line: "\"y,1,2,3,4,5"`,
		`t:8:1: the header stands here again: "name"`,
		`t:9:1: the row has no values`,
		`t:3:5: the value is missing`,
		`t:6:3: the label is missing`,
		`t:6:6: not a number, and not read as a missing value, as NA is, in column "b": "?"`,
		`t:10:5: a number with thousands separators, in column "a": "1,234"`,
		`t:10:13: a date, not a number, in column "b": "2024-01-31"`,
		`t:2:10: not a finite number, in column "sex": "m" (5)`,
		`t:2:7: not a finite number, in column "b": "x1"`,
		`t:5:3: not a finite number: "z"`,
	}; !equalAnyOrder(faults, want) {
		t.Errorf("faults\n%s\nwant\n%s", strings.Join(faults, "\n"), strings.Join(want, "\n"))
	}
	if want := []string{
		"name id text -0 !0 4 [NaN NaN] x:2 u:1 v:1 z:1",
		"y label mixed -1 !1 3 [0 1] z:1",
		"a feature mixed -1 !1 4 [1 9] 1,234:1",
		"b feature mixed -0 !3 5 [2 3] 2024-01-31:1 ?:1 x1:1",
		"sex feature text -0 !5 2 [NaN NaN] f:4 m:1",
		"notes ignored text -2 !0 2 [NaN NaN] long:2 x:1",
	}; !slices.Equal(columns, want) {
		t.Errorf("columns\n%s\nwant\n%s", strings.Join(columns, "\n"), strings.Join(want, "\n"))
	}
	if m, _ := c.Set.X.Dims(); m != 5 || c.Errors() != 12 || c.Lines != 10 {
		t.Errorf("%d rows, %d errors, %d lines", m, c.Errors(), c.Lines)
	}
}

func equalAnyOrder(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// Columns whose role is not known are named, all at once.
func TestCheckGoesOnAfterColumns(t *testing.T) {
	c, err := checkFrom("id,sample,y,label,,a\n1,2,3,4,5,x\n", "t", Options{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	faults, columns := found(c)
	if len(faults) != 4 || c.Faults[0].Kind != cellfault.Columns.String() || c.Faults[0].Count != 3 || len(columns) != 6 {
		t.Errorf("%q, %q", faults, columns)
	}
}

// A table that can be read is checked as it is read, and one that cannot has the error of ReadSet
// among those of Check.
func TestCheckAgreesWithReading(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	cells := []string{"1", "0.5", "-2", "", "NA", "x", "True", "2024-01-31", "1,2", `"3"`, `"`, "\xff"}
	for range 3000 {
		var b strings.Builder
		width := 1 + random.IntN(4)
		b.WriteString(strings.Join([]string{"y", "a", "id", "b"}[:width], ",") + "\n")
		for range random.IntN(5) {
			for k := range width {
				if k > 0 {
					b.WriteByte(',')
				}
				b.WriteString(cells[min(random.IntN(3*len(cells))/2, random.IntN(len(cells)))])
			}
			b.WriteByte('\n')
		}
		opts := Options{Missing: data.Missing(random.IntN(2))}
		set, readErr := read(b.String(), opts)
		c, err := checkFrom(b.String(), "t", opts, 0)
		switch {
		case err != nil:
			if readErr == nil || readErr.Error() != err.Error() {
				t.Fatalf("%q: check %v, read %v", b.String(), err, readErr)
			}
		case readErr == nil:
			if c.Errors() > 0 || !reflect.DeepEqual(c.Set.Schema, set.Schema) || !slices.Equal(c.Set.Y, set.Y) {
				t.Fatalf("%q: %v of a table that is read", b.String(), c.Faults)
			}
		default:
			faults, _ := found(c)
			if !slices.ContainsFunc(faults, func(f string) bool { return strings.HasPrefix(f, readErr.Error()) }) {
				t.Fatalf("%q: %q lacks %v", b.String(), faults, readErr)
			}
		}
	}
}

// A check of arrays goes on after missing values.
func TestCheckArrays(t *testing.T) {
	set := &data.Set{X: data.NewDense(3, 2, []float64{1, 0, math.NaN(), 1, 3, math.NaN()}),
		Y: []float64{1, math.NaN(), 1}, Queries: data.OneList(3), Names: []string{"a", "b"}}
	var b strings.Builder
	if err := WriteSet(&b, NPZ, set); err != nil {
		t.Fatal(err)
	}
	path := file(t, "a.npz", b.String())
	c, err := checkFile(path, Options{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	faults, columns := found(c)
	if want := []string{path + `: column "a": the value is missing in row 2`, "1 more: missing values",
		"y of row 2: the label is missing"}; !slices.Equal(faults, want) {
		t.Errorf("faults %q", faults)
	}
	if want := []string{"y label whole -1 !0 1 [1 1]", "a feature whole -1 !0 2 [1 3]",
		"b feature whole -1 !0 2 [0 1]"}; !slices.Equal(columns, want) {
		t.Errorf("columns %q", columns)
	}
}

func TestFormsOfNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"1,234": "a number with thousands separators", "1.234.567,5": "a number with thousands separators",
		"1 234": "a number with thousands separators", "1'234.5": "a number with thousands separators",
		"12,5": "a number with a decimal comma", "12 %": "a percentage, not a plain number",
		"$1,200": "an amount of money, not a plain number", "5,20 €": "an amount of money, not a plain number",
		"<0.5": "a bound, not a number", "5 mg": "a number with a unit",
		"100 Grand": "not a finite number", "31.1.2024": "a date, not a number",
		"12:30": "a time, not a number", "#N/V": "an error of a spreadsheet", "x5": "not a finite number",
		"5-7": "not a finite number",
	} {
		if _, what := formOf(text); what != want {
			t.Errorf("%q: %s, want %s", text, what, want)
		}
	}
}
