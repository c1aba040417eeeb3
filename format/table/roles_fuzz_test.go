package table

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
)

// FuzzRoles: no text makes the reader of tables panic. What it reads is read again by its own
// schema and names, as the table of a model is, and is the same.
func FuzzRoles(f *testing.F) {
	for _, text := range []string{"y,a\n1,2\n", "sample,diagnosis,g1\np1,tumor,1\np2,normal,2\n", ",a,y\n0,0.5,1\n1,2,0\n",
		"y;a;b\n1;1,5;-2\n0;2,25e3;3\n", "a y\nr1 1 2\nr2 3 4\n", "y,qid,id,a\nTrue,1,u,NA\nFalse,2,v,.\n",
		"gene,p1,p2\nA,1,2\ny,0,1\n", "a,a,y\n1,2,3\n", "y,s\n1,f\n0,m\n0,f\n", "label,2024-01-01\n1,2\n"} {
		f.Add(text, "", "", "", false, uint8(0))
		f.Add(text, "diagnosis", "tumor", "s", false, uint8(2))
		f.Add(text, "2", "1", "1", true, uint8(1))
	}
	f.Fuzz(func(t *testing.T, text, label, positive, factors string, transpose bool, missing uint8) {
		opts := Options{Label: label, Positive: positive, Transpose: transpose, Missing: data.Missing(missing % 4)}
		if factors != "" {
			opts.Factors = []string{factors}
		}
		set, err := read(text, opts)
		if err != nil {
			return
		}
		for _, v := range set.X.(*data.Dense).Data {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("a feature is %v", v)
			}
		}
		if rows, n := set.X.Dims(); rows != len(set.Y) || len(set.Queries.Rows) != rows ||
			set.Names != nil && len(set.Names) != n || set.IDs != nil && len(set.IDs) != rows {
			t.Fatalf("%d×%d with %d labels, %d names and %d ids", rows, n, len(set.Y), len(set.Names), len(set.IDs))
		}
		if len(set.Names) == 0 || slices.Contains(set.Names, "") || set.Schema.Label == "" {
			return // columns without names are found by numbers
		}
		again, err := read(text, Options{Features: len(set.Names), Names: set.Names, Schema: set.Schema,
			Substitutes: set.Substitutes, Transpose: transpose, Missing: opts.Missing, Header: opts.Header})
		if err != nil {
			if strings.Contains(err.Error(), "may both be") || repeatedNames(set) {
				return
			}
			t.Fatalf("%q is not read by its own schema %+v: %v", text, set.Schema, err)
		}
		if describe(again) != describe(set) && !repeatedNames(set) {
			t.Fatalf("%s, want %s", describe(again), describe(set))
		}
	})
}

// repeatedNames reports whether two columns have one name, by which only the first is found.
func repeatedNames(set *data.Set) bool {
	names := slices.Clone(set.Names)
	s := set.Schema
	names = append(names, s.Label, s.Query, s.ID, s.Group, s.Fold)
	names = append(names, s.Ignored...)
	for _, f := range s.Factors {
		names = append(names, f.Column)
	}
	slices.Sort(names)
	for k := 1; k < len(names); k++ {
		if names[k] != "" && names[k] == names[k-1] {
			return true
		}
	}
	return false
}
