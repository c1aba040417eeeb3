package table

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/npy"
)

// archive is an .npz file with the given bytes of arrays, in their order.
func archive(t testing.TB, method uint16, parts ...any) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for k := 0; k < len(parts); k += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: parts[k].(string) + ".npy", Method: method})
		if err != nil {
			t.Fatal(err)
		}
		w.Write(parts[k+1].([]byte))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.npz")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// header returns the header of an array in NumPy's format.
func header(descr string, fortran bool, shape []int) string {
	text := strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), " ", ", "), "[]")
	order := "False"
	if fortran {
		order = "True"
	}
	return fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%s,)}", descr, order, text)
}

// entries are random numbers of a type, as they lie in a file.
func entries(r *rand.Rand, descr string, n int) any {
	switch descr {
	case "<f8":
		return fill(n, r.NormFloat64)
	case "<f4":
		return fill(n, func() float32 { return float32(r.NormFloat64()) })
	case "<i8":
		return fill(n, func() int64 { return r.Int64N(1<<54+1) - 1<<53 })
	}
	return fill(n, func() int32 { return int32(r.Uint32()) })
}

func fill[T any](n int, next func() T) []T {
	out := make([]T, n)
	for k := range out {
		out[k] = next()
	}
	return out
}

// doubles are entries as float64.
func doubles(in any) []float64 {
	switch in := in.(type) {
	case []float32:
		return convert(in)
	case []int64:
		return convert(in)
	case []int32:
		return convert(in)
	}
	return in.([]float64)
}

func convert[T float32 | int64 | int32](in []T) []float64 {
	out := make([]float64, len(in))
	for k, x := range in {
		out[k] = float64(x)
	}
	return out
}

// define is the array by the definition of the format, entry by entry.
func define(shape []int, fortran bool, in any) *npy.Array {
	v := doubles(in)
	a := &npy.Array{Shape: shape, Data: make([]float64, len(v))}
	index := make([]int, len(shape))
	for k := range a.Data { // of row order
		rest := k
		for d := len(shape) - 1; d >= 0; d-- {
			index[d], rest = rest%shape[d], rest/shape[d]
		}
		at := k
		if fortran {
			at = 0
			for d := len(shape) - 1; d >= 0; d-- {
				at = at*shape[d] + index[d]
			}
		}
		a.Data[k] = v[at]
	}
	return a
}

// Arrays are read alike from a file in place, from an archive stored or deflated, and
// from a stream, by any number of threads: shapes of less and more than a run and a tile.
func TestArraysInPlace(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	r := rand.New(rand.NewPCG(5, 5))
	types := []string{"<f8", "<f4", "<i8", "<i4"}
	for k, shape := range [][]int{
		{1}, {3, 2}, {2, 3, 4}, {0, 3}, {3, 0}, {npy.RunEntries}, {npy.RunEntries + 1}, {2*npy.RunEntries + 77},
		{npy.TileRows, 9}, {npy.TileRows + 1, 9}, {2*npy.TileRows + 5, npy.TileColumns}, {2*npy.TileRows + 5,
			2*npy.TileColumns + 1},
		{3, 2*npy.RunEntries + 5}, {700, 130}, {npy.RunEntries + 3, 1}, {1, npy.RunEntries + 3},
	} {
		size := 1
		for _, k := range shape {
			size *= k
		}
		some := types
		if size > npy.RunEntries { // one of the types is enough
			some = types[k%len(types):][:1]
		}
		for _, descr := range some {
			for _, fortran := range []bool{false, true} {
				in := entries(r, descr, size)
				raw := rawNPY(1, header(descr, fortran, shape), in)
				want := define(shape, fortran, in)
				name := fmt.Sprintf("%v of %s, columns first: %v", shape, descr, fortran)
				same := func(what string, got *npy.Array, err error) {
					t.Helper()
					if err != nil || !reflect.DeepEqual(got, want) {
						t.Errorf("%s, %s: other entries, or %v", name, what, err)
					}
				}
				got, err := npy.Read(bytes.NewReader(raw), "a", -1, false, false)
				same("stream", got, err)
				path := file(t, "a.npy", string(raw))
				stored, deflated := archive(t, zip.Store, "X", raw), archive(t, zip.Deflate, "X", raw)
				for _, threads := range []int{1, 3} {
					runtime.GOMAXPROCS(threads)
					got, err = npy.ReadFile(path, false, false)
					same("file", got, err)
					for what, path := range map[string]string{"stored": stored, "deflated": deflated} {
						all, err := npy.ReadArchive(path, false, false, func(string) bool { return false })
						same(what, all["X"], err)
					}
				}
			}
		}
	}
}

// The error names the first entry of the file that is not a number, whichever goroutine finds one
// first, and a changed bit in an archive.
func TestFaultsInPlace(t *testing.T) {
	const m, n = npy.TileRows + 100, 20
	for _, fortran := range []bool{false, true} {
		in := make([]float64, m*n)
		in[m*3+5], in[m*3+4], in[m*n-1] = math.NaN(), math.Inf(1), math.NaN()
		text := header("<f8", fortran, []int{m, n})
		want := fmt.Sprintf("entry %d: +Inf is not a finite number", m*3+5)
		raw := rawNPY(1, text, in)
		_, fromFile := npy.ReadFile(file(t, "a.npy", string(raw)), false, false)
		noName := func(string) bool { return false }
		_, fromStored := npy.ReadArchive(archive(t, zip.Store, "X", raw), false, false, noName)
		_, fromDeflated := npy.ReadArchive(archive(t, zip.Deflate, "X", raw), false, false, noName)
		for _, err := range []error{fromFile, fromStored, fromDeflated} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("columns first: %v: error %v, want %s", fortran, err, want)
			}
		}
		path := archive(t, zip.Store, "X", rawNPY(1, text, make([]float64, m*n)))
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		at := bytes.Index(whole, []byte("NUMPY")) + 10 + len(text)
		for _, k := range []int{0, 1, m - 1, m, m*n/2 + 3, m*n - 1} {
			whole[at+8*k] ^= 1
			if err := os.WriteFile(path, whole, 0o666); err != nil {
				t.Fatal(err)
			}
			if _, err := npy.ReadArchive(path, false, false, func(string) bool { return false }); err == nil ||
				!strings.Contains(err.Error(), "checksum") {
				t.Errorf("columns first: %v: entry %d has changed: %v", fortran, k, err)
			}
			whole[at+8*k] ^= 1
		}
	}
}

// A matrix takes its own size in memory and a little for the work, in whatever order it
// lies in the file and whether it is deflated or not.
func TestArraysTakeTheirSize(t *testing.T) {
	const m, n = 6000, 200
	const work = 2 << 20 // buffers of the workers and of the decompressor
	for _, fortran := range []bool{false, true} {
		raw := rawNPY(1, header("<f8", fortran, []int{m, n}), make([]float64, m*n))
		for _, method := range []uint16{zip.Store, zip.Deflate} {
			path := archive(t, method, "X", raw)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if _, err := npy.ReadArchive(path, false, false, func(string) bool { return false }); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			if taken := after.TotalAlloc - before.TotalAlloc; taken > 8*m*n+work {
				t.Errorf("columns first: %v, method %d: %d bytes for a matrix of %d", fortran, method, taken, 8*m*n)
			}
		}
	}
}

func TestJoinedSums(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 200 {
		text := make([]byte, r.IntN(5000))
		for k := range text {
			text[k] = byte(r.Uint32())
		}
		var all npy.JoinedSums
		for lo := 0; lo < len(text); {
			hi := min(len(text), lo+r.IntN(3)*r.IntN(700))
			all.Add(crc32.ChecksumIEEE(text[lo:hi]), hi-lo)
			lo = hi
		}
		if want := crc32.ChecksumIEEE(text); all.Sum != want {
			t.Fatalf("%d bytes: %x, want %x", len(text), all.Sum, want)
		}
	}
}

// Queries are numbered as their names first appear, whether these are numbers or texts.
func TestQueriesOfArrays(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 200 {
		m := 1 + r.IntN(40)
		numbers, texts := &npy.Array{Shape: []int{m}}, &npy.Array{Shape: []int{m}, Strings: []string{}}
		for range m {
			x := []float64{0, math.Copysign(0, -1), 1, -2.5, 1e15, 7}[r.IntN(6)]
			numbers.Data = append(numbers.Data, x)
			texts.Strings = append(texts.Strings, strconv.FormatFloat(x, 'f', -1, 64))
		}
		var ids []string
		of := make([]int32, m)
		for i, text := range texts.Strings {
			g := 0
			for g < len(ids) && ids[g] != text {
				g++
			}
			if g == len(ids) {
				ids = append(ids, text)
			}
			of[i] = int32(g)
		}
		want := data.NewQueries(of, ids)
		for _, a := range []*npy.Array{numbers, texts} {
			if got, err := queriesOf(a); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%v: %v, %v, want %v", a, got, err, want)
			}
		}
	}
	for _, a := range []*npy.Array{{Shape: []int{3}, Data: []float64{1, 1, math.NaN()}},
		{Shape: []int{3}, Strings: []string{"a", "b", ""}}, {Shape: []int{3}, Strings: []string{"a", "a", "NaN"}}} {
		if _, err := queriesOf(a); err == nil || err.Error() != "qid of row 3: the name of the query is empty" {
			t.Errorf("%v: error %v", a, err)
		}
	}
}

// queriesOf reads an archive with these queries.
func queriesOf(qid *npy.Array) (*data.Partition, error) {
	m := qid.Len()
	set, err := setOf("a", map[string]*npy.Array{"X": {Shape: []int{m, 1}, Data: make([]float64, m)}, "qid": qid,
		"y": {Shape: []int{m}, Data: make([]float64, m)}}, Options{})
	if err != nil {
		return nil, err
	}
	return set.Queries, nil
}

func BenchmarkReadNPZ(b *testing.B) {
	const m, n = 100_000, 46
	r := rand.New(rand.NewPCG(1, 1))
	values := entries(r, "<f8", m*n)
	y := rawNPY(1, header("<f8", false, []int{m}), entries(r, "<f8", m))
	qid := make([]int64, m)
	for i := range qid {
		qid[i] = int64(i / 100)
	}
	for _, c := range []struct {
		name    string
		method  uint16
		fortran bool
	}{{"rows", zip.Store, false}, {"columns", zip.Store, true}, {"deflated", zip.Deflate, false}} {
		b.Run(fmt.Sprintf("m=%d/n=%d/%s", m, n, c.name), func(b *testing.B) {
			path := archive(b, c.method, "X", rawNPY(1, header("<f8", c.fortran, []int{m, n}), values), "y", y, "qid",
				rawNPY(1, header("<i8", false, []int{m}), qid))
			b.SetBytes(8 * m * n)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ReadSet(path, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
