package table

import (
	"bytes"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/npy"
)

// describeSparse is describe of a sparse set that is made dense, with what the other arrays hold.
func describeSparse(t *testing.T, s *data.Set) string {
	t.Helper()
	x, is := s.X.(*data.CSR)
	if !is {
		t.Fatalf("%T is not sparse", s.X)
	}
	data.Check("test", x)
	dense := *s
	m, n := x.Dims()
	d := data.NewDense(m, n, nil)
	for i := range m {
		x.RowTo(d.Row(i), i)
	}
	dense.X = d
	return describe(&dense)
}

// The files of testdata/scipy were written by SciPy 1.10 and NumPy 1.24: scipy.sparse.save_npz of one
// matrix in several forms, and numpy.savez_compressed.
func TestFilesOfSciPy(t *testing.T) {
	const rows = "[1 0 2.5 0 0 0 0 -3 0 4 0 5]"
	const none = " y=[0 0 0 0] q=[] of=[0 0 0 0] names=[]"
	for file, want := range map[string]string{
		"csc": rows + none, "array": rows + none, "unsorted": rows + none,
		"bool": "[1 0 1 0 0 0 0 1 0 1 0 1]" + none,
		"int":  "[1 0 2 0 0 0 0 -3 0 4 0 5]" + none,
	} {
		set, err := ReadSet("testdata/scipy/"+file+".npz", Options{NoLabel: true})
		if err != nil {
			t.Errorf("%s: %v", file, err)
		} else if got := describeSparse(t, set); got != "4×3 "+want {
			t.Errorf("%s: %s, want %s", file, got, want)
		}
	}
	set, err := ReadSet("testdata/scipy/roles.npz", Options{Positive: "tumor"})
	if err != nil {
		t.Fatal(err)
	}
	const roles = `4×3 ` + rows + ` y=[1 0 1 0] q=["7" "8"] of=[0 0 1 1] names=["a" "b" "c"]`
	schema := data.Schema{Label: "y", Positive: "tumor", Negative: "normal", Query: "qid", ID: "id", Group: "group",
		Fold: "fold"}
	if got := describeSparse(t, set); got != roles || !reflect.DeepEqual(*set.Schema, schema) ||
		!slices.Equal(set.IDs, []string{"p1", "p2", "p3", "p4"}) || !slices.Equal(set.Groups.IDs, []string{"1", "2"}) ||
		!slices.Equal(set.Folds.Of(), []int32{0, 1, 0, 1}) {
		t.Errorf("%s, %+v, want %s", got, set, roles)
	}
	set, err = ReadSet("testdata/scipy/dense.npz", Options{})
	const dense = `4×3 ` + rows + ` y=[1 0 1 0] q=["q1" "q2"] of=[0 0 1 1] names=["a" "b" "c"]`
	if err != nil || describe(set) != dense || !slices.Equal(set.IDs, []string{"101", "102", "103", "104"}) {
		t.Errorf("%v, %v, want %s", set, err, dense)
	}
	for file, want := range map[string]string{
		"bsr": `bsr.npz: a sparse matrix of the form "bsr" is not read: .tocsr() of SciPy makes csr of it`,
		"objects": "objects.npz:y.npy: an array of objects: .astype(str) or .astype(float) of NumPy writes texts or " +
			"numbers",
		"csc": "csc.npz: there is no array y of 4 labels: the arrays are data (5), format (), indices (5), indptr (4), " +
			"shape (2)",
	} {
		if _, err := ReadSet("testdata/scipy/"+file+".npz", Options{}); err == nil || !strings.HasSuffix(err.Error(),
			want) {
			t.Errorf("%s: error %v, want %s", file, err, want)
		}
	}
}

// A sparse matrix in any form, with unsorted and repeated places and stored zeros, is the sum of its
// entries, as a dense matrix adds them up.
func TestSparseIsDense(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for range 300 {
		m, n := 1+r.IntN(6), r.IntN(5)
		want := data.NewDense(m, n, nil)
		var triplets [][3]float64
		for range r.IntN(20) {
			if n == 0 {
				break
			}
			e := [3]float64{float64(r.IntN(m)), float64(r.IntN(n)), float64(r.IntN(5) - 2)}
			triplets = append(triplets, e)
			want.Row(int(e[0]))[int(e[1])] += e[2]
		}
		for _, form := range []string{"coo", "csr", "csc"} {
			got, err := sparseOf(arraysOf(form, m, n, triplets))
			if err != nil {
				t.Fatal(err)
			}
			data.Check("test", got)
			dense := data.NewDense(m, n, nil)
			for i := range m {
				got.RowTo(dense.Row(i), i)
			}
			if !slices.Equal(dense.Data, want.Data) || slices.Contains(got.Val, 0) {
				t.Fatalf("%s of %v: %v, want %v", form, triplets, got, want)
			}
		}
	}
}

// arraysOf are the arrays of a sparse matrix with these entries: row, column and value.
func arraysOf(form string, m, n int, triplets [][3]float64) map[string]*npy.Array {
	array := func(values []float64) *npy.Array { return &npy.Array{Shape: []int{len(values)}, Data: values} }
	arrays := map[string]*npy.Array{"format": {Shape: []int{}, Strings: []string{form}},
		"shape": array([]float64{float64(m), float64(n)})}
	of := func(place int) []float64 {
		values := make([]float64, len(triplets))
		for k, e := range triplets {
			values[k] = e[place]
		}
		return values
	}
	if form == "coo" {
		arrays["row"], arrays["col"], arrays["data"] = array(of(0)), array(of(1)), array(of(2))
		return arrays
	}
	major, lines := 0, m
	if form == "csc" {
		major, lines = 1, n
	}
	triplets = slices.Clone(triplets)
	slices.SortStableFunc(triplets, func(a, b [3]float64) int { return int(a[major] - b[major]) })
	pointers := make([]float64, lines+1)
	for _, e := range triplets {
		for k := int(e[major]); k < lines; k++ {
			pointers[k+1]++
		}
	}
	arrays["indptr"], arrays["indices"], arrays["data"] = array(pointers), array(of(1-major)), array(of(2))
	return arrays
}

func TestSparseRefuses(t *testing.T) {
	array := func(values ...float64) *npy.Array { return &npy.Array{Shape: []int{len(values)}, Data: values} }
	for _, c := range []struct {
		name, form string
		change     map[string]*npy.Array
		want       string
	}{
		{"column", "csr", map[string]*npy.Array{"indices": array(0, 3)}, "entry 2 of indices is 3, not in 0 … 2"},
		{"below", "csr", map[string]*npy.Array{"indices": array(-1, 2)}, "entry 1 of indices is -1, not in 0 … 2"},
		{"part", "csr", map[string]*npy.Array{"indices": array(0.5, 2)}, "entry 1 of indices is 0.5, not in 0 … 2"},
		{"few", "csr", map[string]*npy.Array{"indices": array(0)}, "indices has 1 entries, and data has 2"},
		{"pointers", "csr", map[string]*npy.Array{"indptr": array(0, 2)}, "indptr has 2 entries, not 3"},
		{"begin", "csr", map[string]*npy.Array{"indptr": array(1, 1, 2)}, "indptr begins with 1, not 0"},
		{"descent", "csr", map[string]*npy.Array{"indptr": array(0, 2, 1)}, "entry 3 of indptr is 1, not in 2 … 2"},
		{"beyond", "csr", map[string]*npy.Array{"indptr": array(0, 1, 3)}, "entry 3 of indptr is 3, not in 1 … 2"},
		{"row", "coo", map[string]*npy.Array{"row": array(0, 2)}, "entry 2 of row is 2, not in 0 … 1"},
		{"shape", "coo", map[string]*npy.Array{"shape": array(2)},
			"the array shape of a sparse matrix does not have two numbers"},
		{"rows", "coo", map[string]*npy.Array{"shape": array(0, 3)}, "the sparse matrix has 0 rows"},
		{"large", "coo", map[string]*npy.Array{"shape": array(1<<31, 3)}, "a sparse matrix of shape [2.147483648e+09 3]"},
		{"no data", "coo", map[string]*npy.Array{"data": {Strings: []string{}}}, "there is no array data of numbers"},
		{"sum", "coo", map[string]*npy.Array{"data": array(math.MaxFloat64, math.MaxFloat64), "row": array(1, 1),
			"col": array(0, 0)}, "row 2: the values of column 1 add up to more than a float64 holds"},
	} {
		arrays := arraysOf(c.form, 2, 3, [][3]float64{{0, 0, 1}, {1, 2, 3}})
		for name, a := range c.change {
			arrays[name] = a
		}
		if _, err := sparseOf(arrays); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", c.name, err, c.want)
		}
	}
}

// What WriteSet writes as .npz, sparse or dense, is read the same.
func TestArchiveHoldsEverything(t *testing.T) {
	s := sampleSet()
	s.Y, s.IDs = []float64{1, 0, 2}, []string{"u", "v", "w"}
	s.Groups = data.NewQueries([]int32{0, 1, 0}, []string{"g", "h"})
	s.Folds = data.NewQueries([]int32{0, 0, 1}, []string{"1", "2"})
	dense := denseCopy(s)
	sparse := *s
	_, n := s.X.Dims()
	b := newRowsBuilder(3, n, 0)
	for i := range 3 {
		for j, v := range dense.X.(*data.Dense).Row(i) {
			b.add(int32(j), v)
		}
		if err := b.end(); err != nil {
			t.Fatal(err)
		}
	}
	sparse.X = data.Slice(&b.CSR, 0, 3)
	for _, s := range []*data.Set{dense, &sparse} {
		var out bytes.Buffer
		if err := WriteSet(&out, NPZ, s); err != nil {
			t.Fatal(err)
		}
		got, err := ReadSet(file(t, "a.npz", out.String()), Options{})
		if err != nil {
			t.Fatal(err)
		}
		var again bytes.Buffer
		if err := WriteSet(&again, NPZ, got); err != nil || !bytes.Equal(again.Bytes(), out.Bytes()) {
			t.Errorf("written again it has other bytes; %v", err)
		}
		if !slices.Equal(got.IDs, s.IDs) || !reflect.DeepEqual(got.Groups, s.Groups) || !reflect.DeepEqual(got.Folds,
			s.Folds) {
			t.Errorf("%+v", got)
		}
	}
}
