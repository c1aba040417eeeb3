package data

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestQueries(t *testing.T) {
	q := NewQueries([]int32{0, 1, 0, 2, 1}, []string{"b", "a", "c"})
	want := [][]int32{{0, 2}, {1, 4}, {3}}
	if q.Len() != 3 || q.isContiguous() {
		t.Errorf("%d queries, contiguous %t", q.Len(), q.isContiguous())
	}
	for g, rows := range want {
		if !slices.Equal(q.Part(g), rows) {
			t.Errorf("query %d has rows %v, want %v", g, q.Part(g), rows)
		}
	}
	for _, m := range []int{0, 1, 5} {
		one := OneList(m)
		if one.Len() != 1 || len(one.Part(0)) != m || !one.isContiguous() || one.ID(0) != "" || one.IDs != nil {
			t.Errorf("one list of %d rows: %+v", m, one)
		}
	}
	if !NewQueries([]int32{0, 0, 1}, []string{"a", "b"}).isContiguous() {
		t.Error("rows in sequence are not contiguous")
	}
}

func TestSubset(t *testing.T) {
	d, s := random(5, 3, 0.7, 1)
	for _, x := range []Matrix{d, s} {
		set := &Set{
			X: x, Y: []float64{10, 11, 12, 13, 14},
			Queries: NewQueries([]int32{0, 1, 0, 2, 1}, []string{"b", "a", "c"}), HasQID: true,
			Comments: []string{"docid = A", "", "x", "docid=D inc = 1", "e"}, Names: []string{"p", "q", "r"},
			IDs: []string{"v", "w", "x", "y", "z"}, Groups: NewPartition([]int32{2, 0, 0, 1, 2}, 3),
		}
		sub := set.Subset([]int{4, 0, 1})
		want := NewQueries([]int32{0, 1, 0}, []string{"a", "b"})
		if !slices.Equal(sub.Y, []float64{14, 10, 11}) || !reflect.DeepEqual(sub.Queries, want) || !sub.HasQID ||
			!slices.Equal(sub.Comments, []string{"e", "docid = A", ""}) || len(sub.Names) != 3 ||
			!slices.Equal(ToDense(sub.X).Row(1), d.Row(0)) {
			t.Errorf("%T: %+v", x, sub)
		}
		if !slices.Equal(sub.IDs, []string{"z", "v", "w"}) ||
			!reflect.DeepEqual(sub.Groups, NewPartition([]int32{0, 0, 1}, 2)) {
			t.Errorf("%T: names %v and groups %+v", x, sub.IDs, sub.Groups)
		}
		all := set.Subset([]int{0, 1, 2, 3, 4})
		if !reflect.DeepEqual(all.Queries, set.Queries) || !slices.Equal(all.Y, set.Y) {
			t.Errorf("%T: all rows are another set", x)
		}
		set.HasQID, set.Queries, set.Comments, set.IDs, set.Groups = false, OneList(5), nil, nil, nil
		if sub := set.Subset([]int{2}); sub.Queries.Len() != 1 || sub.Comments != nil || sub.IDs != nil ||
			sub.Groups != nil || len(sub.Queries.Of()) != 1 {
			t.Errorf("%T: %+v", x, sub)
		}
		if sub := set.Subset(nil); len(sub.Y) != 0 || sub.Queries.Len() != 1 {
			t.Errorf("%T: %+v", x, sub)
		}
	}
}

func TestDocID(t *testing.T) {
	for comment, want := range map[string]string{
		"docid = GX000-00-0000000 inc = 1 prob = 0.0246906": "GX000-00-0000000",
		" 7555\tsome text": "7555", "7555": "", "two words\ttext": "", "a=b\ttext": "", "\ttext": "",
		"docid = 40626": "40626", " docid=a": "a", "x docid\t=\tb c": "b",
		"": "", "docid": "", "docid =": "", "nodocid = x": "", "mydocid = x docid = y": "y", "docid x": "",
	} {
		if got := (&Set{Comments: []string{comment}}).DocID(0); got != want {
			t.Errorf("%q: %q, want %q", comment, got, want)
		}
	}
	if got := (&Set{}).DocID(0); got != "" {
		t.Errorf("%q without comments", got)
	}
}

func TestBinarize(t *testing.T) {
	y := []float64{-1, 0, 1, 2, math.Inf(1)}
	Binarize(y, 1)
	if !slices.Equal(y, []float64{0, 0, 1, 1, 1}) {
		t.Errorf("%v", y)
	}
}

func TestFillMissing(t *testing.T) {
	nan := math.NaN()
	for policy, want := range map[Missing][]float64{
		MissingZero: {0, 2, 0, 5, 4, 0},
		MissingMean: {5, 2, 0, 5, 4, 0},
		MissingMin:  {5, 2, 0, 5, 4, 0},
	} {
		d := NewDense(2, 3, []float64{nan, 2, nan, 5, 4, nan})
		FillMissing(d, policy)
		if !slices.Equal(d.Data, want) {
			t.Errorf("%s: %v, want %v", policy, d.Data, want)
		}
	}
	// Entries left out are zeros: mean (0 + 6)/2, least 0.
	for policy, want := range map[Missing]float64{MissingMean: 3, MissingMin: 0} {
		s := &CSR{Rows: 3, Cols: 1, Ptr: []int{0, 1, 1, 2}, Col: []int32{0, 0}, Val: []float64{nan, 6}}
		FillMissing(s, policy)
		if s.Val[0] != want {
			t.Errorf("%s: %g, want %g", policy, s.Val[0], want)
		}
	}
	for _, p := range []Missing{MissingError, MissingZero, MissingMean, MissingMin} {
		if got, err := ParseMissing(p.String()); got != p || err != nil {
			t.Errorf("%s reads as %s, %v", p, got, err)
		}
	}
	if _, err := ParseMissing("median"); err == nil {
		t.Error("an unknown policy is read")
	}
}

func TestPartitions(t *testing.T) {
	p := Consecutive([]int{0, 2, 2, 5})
	if want := NewPartition([]int32{0, 0, 2, 2, 2}, 3); !reflect.DeepEqual(p, want) || !p.isContiguous() ||
		p.ID(1) != "" {
		t.Errorf("%v, want %v", p, want)
	}
	if q := OneList(5); !Singletons(5).Refines(p) || !p.Refines(q) || q.Refines(p) || q.Len() != 1 ||
		Singletons(5).Len() != 5 {
		t.Error("singletons refine parts, and parts the one list")
	}
	sub := NewPartition([]int32{2, 0, 2, 1}, 3).subset([]int{3, 2, 0})
	if !reflect.DeepEqual(sub, NewPartition([]int32{0, 1, 1}, 2)) {
		t.Errorf("subset %v", sub)
	}
	named := OneList(2)
	named.IDs = []string{"a", "b"}
	for want, bug := range map[string]func(){
		"row 1 is in part 2 of 2":  func() { NewPartition([]int32{0, 2}, 2) },
		"row 0 is in part -1 of 2": func() { NewPartition([]int32{-1}, 2) },
		"do not begin with 0":      func() { Consecutive(nil) },
		"bounds of part 1":         func() { Consecutive([]int{0, 1, 0, 2}) },
		"bounds of part 0":         func() { Consecutive([]int{0, 3, 1, 2}) },
		"q: there is no partition": func() { CheckPartition("q", nil, 2) },
		"did not make":             func() { CheckPartition("q", &Partition{}, 0) },
		"q: a partition of 3 rows": func() { CheckPartition("q", OneList(3), 2) },
		"q: 2 names of 1 parts":    func() { CheckPartition("q", named, 2) },
		"NewPartition did not make": func() {
			CheckPartition("q", &Partition{Rows: []int32{0}, Bounds: []int{0, 1}}, 1)
		},
	} {
		func() {
			defer func() {
				if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), want) {
					t.Errorf("%v, want %q", p, want)
				}
			}()
			bug()
		}()
	}
}

// TestSetWithoutQueries: nil queries are one list.
func TestSetWithoutQueries(t *testing.T) {
	for _, x := range []Matrix{NewDense(2, 1, []float64{1, 3}),
		&CSR{Rows: 2, Cols: 1, Ptr: []int{0, 1, 2}, Col: []int32{0, 0}, Val: []float64{1, 3}}} {
		set := &Set{X: x, Y: []float64{0, 1}}
		norm, err := FitNormalizer(NormalizeQueryMinMax, set)
		if err != nil {
			t.Fatal(err)
		}
		if err := norm.Apply(set); err != nil || x.DotRow(0, []float64{1}) != 0 || x.DotRow(1, []float64{1}) != 1 {
			t.Errorf("%v, %v", x, err)
		}
		if sub := set.Subset([]int{1}); sub.Queries.Len() != 1 {
			t.Errorf("%d queries", sub.Queries.Len())
		}
	}
}

// isContiguous reports whether the rows of every part follow one another, in O(m).
func (p *Partition) isContiguous() bool {
	for g := range p.Len() {
		if !contiguous(p.Part(g)) {
			return false
		}
	}
	return true
}

func contiguous(rows []int32) bool {
	return len(rows) == 0 || int(rows[len(rows)-1]-rows[0]) == len(rows)-1
}
