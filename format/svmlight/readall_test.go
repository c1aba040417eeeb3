package svmlight

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"pairrank/data"
	"pairrank/internal/codec"
)

// tinySizes put a block boundary in every other line.
var tinySizes = sizes{block: 64, portion: 512}

// loadText reads text in blocks of the given sizes, as a file of known size
// when sized.
func loadText(text string, opts Options, sizes sizes, sized bool, t testing.TB) (*data.Set, error) {
	if sized {
		path := filepath.Join(t.TempDir(), "t")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		source, err := codec.Open(path)
		if err != nil {
			return nil, err
		}
		return load(context.Background(), source, opts, sizes, true)
	}
	source, err := codec.NewReader(strings.NewReader(text), "t")
	if err != nil {
		return nil, err
	}
	return load(context.Background(), source, opts, sizes, true)
}

// randomText writes rows with densities that change on the way: dense(f) is the
// share of the features at the fraction f of the rows.
func randomText(rows, features int, dense func(f float64) float64, seed uint64) string {
	random := rand.New(rand.NewPCG(seed, 1))
	var text strings.Builder
	for i := range rows {
		share := dense(float64(i) / float64(rows))
		fmt.Fprintf(&text, "%d qid:q%d", random.IntN(5), random.IntN(rows/4+1))
		for j := range features {
			if random.Float64() < share {
				fmt.Fprintf(&text, " %d:%.6g", j+1, random.NormFloat64())
			}
		}
		if random.IntN(3) == 0 {
			fmt.Fprintf(&text, " #docid = %d", i)
		}
		text.WriteString("\n")
		if random.IntN(50) == 0 {
			text.WriteString("# a comment line\n\n")
		}
	}
	return text.String()
}

// streamSet is the oracle: it assembles the rows of a Reader one by one.
func streamSet(t testing.TB, text string, opts Options) *data.Set {
	t.Helper()
	r := NewReader(strings.NewReader(text), "t", opts)
	set := &data.Set{}
	x := &data.CSR{Cols: max(opts.Features, opts.MinFeatures), Ptr: []int{0}}
	number := map[string]int32{}
	var ids []string
	var of []int32
	for {
		row, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		set.Y = append(set.Y, row.Label)
		if _, known := number[row.QID]; !known {
			number[row.QID] = int32(len(ids))
			ids = append(ids, row.QID)
		}
		of = append(of, number[row.QID])
		set.HasQID = row.HasQID
		if opts.KeepComments {
			set.Comments = append(set.Comments, row.Comment)
		}
		for k, j := range row.Cols {
			x.Cols = max(x.Cols, int(j)+1)
			if row.Vals[k] != 0 {
				x.Col, x.Val = append(x.Col, j), append(x.Val, row.Vals[k])
			}
		}
		x.Rows++
		x.Ptr = append(x.Ptr, len(x.Val))
	}
	set.X, set.Queries = x, data.OneList(len(set.Y))
	if set.HasQID {
		set.Queries = data.NewQueries(of, ids)
	}
	return set
}

// same compares the values of two sets, whatever their storage.
func same(t testing.TB, what string, got, want *data.Set) {
	t.Helper()
	gm, gn := got.X.Dims()
	wm, wn := want.X.Dims()
	if gm != wm || gn != wn {
		t.Fatalf("%s: %d × %d, want %d × %d", what, gm, gn, wm, wn)
	}
	g, w := data.ToDense(got.X), data.ToDense(want.X)
	if !reflect.DeepEqual(g.Data, w.Data) || !reflect.DeepEqual(got.Y, want.Y) || got.HasQID != want.HasQID ||
		!reflect.DeepEqual(got.Queries, want.Queries) || !reflect.DeepEqual(got.Comments, want.Comments) {
		t.Fatalf("%s: the sets differ", what)
	}
}

func TestParallelIsStreaming(t *testing.T) {
	shares := map[string]func(f float64) float64{
		"dense":           func(float64) float64 { return 1 },
		"sparse":          func(float64) float64 { return 0.05 },
		"at the limit":    func(float64) float64 { return DenseFrom },
		"sparse to dense": func(f float64) float64 { return f * f },
		"dense to sparse": func(f float64) float64 { return 1 - f },
		"widening":        func(f float64) float64 { return 0.3 },
		"late dense":      func(f float64) float64 { return map[bool]float64{false: 0.01, true: 1}[f > 0.5] },
	}
	for name, share := range shares {
		text := randomText(300, 20, share, 3)
		if name == "widening" { // features that come one after the other
			var b strings.Builder
			for i := range 300 {
				fmt.Fprintf(&b, "1 qid:%d", i/7)
				for j := 0; j <= i/10; j++ {
					fmt.Fprintf(&b, " %d:%d", j+1, i)
				}
				b.WriteString("\n")
			}
			text = b.String()
		}
		for _, storage := range []Storage{StoreAuto, StoreDense, StoreCSR} {
			opts := Options{Storage: storage, KeepComments: true}
			want := streamSet(t, text, opts)
			for _, size := range []sizes{tinySizes, {block: 1000, portion: 3000}, usualSizes} {
				for _, sized := range []bool{false, true} {
					got, err := loadText(text, opts, size, sized, t)
					if err != nil {
						t.Fatal(err)
					}
					same(t, fmt.Sprintf("%s, %s, %v, sized %t", name, storage, size, sized), got, want)
					checkStorage(t, name, got, storage, want)
				}
			}
		}
	}
}

// checkStorage checks that the form depends on the density of the whole only.
func checkStorage(t *testing.T, name string, got *data.Set, storage Storage, want *data.Set) {
	t.Helper()
	_, dense := got.X.(*data.Dense)
	expected := storage == StoreDense || storage == StoreAuto && data.Density(want.X) >= DenseFrom
	if dense != expected {
		t.Errorf("%s, %s: %T at density %g", name, storage, got.X, data.Density(want.X))
	}
}

func TestSameForAnyNumberOfThreads(t *testing.T) {
	text := randomText(2000, 20, func(f float64) float64 { return f }, 9)
	var first *data.Set
	for _, threads := range []int{1, 2, 5} {
		old := runtime.GOMAXPROCS(threads)
		s, err := loadText(text, Options{KeepComments: true}, sizes{block: 500, portion: 2000}, true, t)
		runtime.GOMAXPROCS(old)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = s
		}
		if !reflect.DeepEqual(s, first) {
			t.Errorf("%d threads give another set", threads)
		}
	}
}

func TestErrorsInBlocksHaveGlobalLines(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(randomText(200, 5, func(float64) float64 { return 0.5 }, 1), "\n"), "\n")
	for _, at := range []int{0, 1, 57, 120, len(lines) - 1} {
		for _, bad := range []string{"1 qid:1 2:1 1:1", "1 1:1", "x", "2 qid:7 1:nan"} {
			broken := append([]string(nil), lines...)
			broken[at] = bad
			broken[len(lines)-1] = "not a row" // a later error does not win
			text := strings.Join(broken, "\n")
			_, want := stream(text, Options{})
			for _, size := range []sizes{tinySizes, {block: 300, portion: 1000}, usualSizes} {
				if _, err := loadText(text, Options{}, size, false, t); want == nil ||
					err == nil || err.Error() != want.Error() {
					t.Errorf("line %d, %v: error\n%v, want\n%v", at+1, size, err, want)
				}
			}
		}
	}
}

func TestCompressedAndCutOff(t *testing.T) {
	text := randomText(3000, 30, func(float64) float64 { return 0.8 }, 5)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	io.WriteString(w, text)
	w.Close()
	path := filepath.Join(t.TempDir(), "train.txt")
	os.WriteFile(path, packed.Bytes(), 0o644)
	var last, calls int64
	opts := Options{Progress: func(done, total int64) {
		if total != int64(packed.Len()) || done < last || done > total {
			t.Errorf("progress %d of %d after %d", done, total, last)
		}
		last, calls = done, calls+1
	}}
	s, err := ReadFile(context.Background(), path, opts)
	if err != nil {
		t.Fatal(err)
	}
	if last != int64(packed.Len()) || calls == 0 {
		t.Errorf("progress ends at %d of %d", last, packed.Len())
	}
	same(t, "gzip", s, streamSet(t, text, Options{}))

	os.WriteFile(path, packed.Bytes()[:packed.Len()/2], 0o644)
	if _, err := ReadFile(context.Background(), path, Options{}); !errors.Is(err, io.ErrUnexpectedEOF) ||
		!strings.HasPrefix(err.Error(), path+": ") {
		t.Errorf("error %v for a file that is cut off", err)
	}
}

func TestReadErrorsAndCancel(t *testing.T) {
	broken := io.MultiReader(strings.NewReader("1 1:2\n1 1:"), iotest.ErrReader(errors.New("the disk is gone")))
	if _, err := ReadAll(context.Background(), broken, "t", Options{}); err == nil ||
		err.Error() != "t: the disk is gone" {
		t.Errorf("error %v", err)
	}
	if _, err := ReadFile(context.Background(), filepath.Join(t.TempDir(), "none"), Options{}); !errors.Is(err,
		os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	pipeRead, pipeWrite := io.Pipe()
	go func() {
		pipeWrite.Write([]byte("1 1:2\n1 1:3\n"))
		cancel()
	}()
	if _, err := ReadAll(ctx, pipeRead, "t", Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	pipeWrite.Close()
	ctx, cancel = context.WithCancel(context.Background())
	endless := &rowsForever{}
	opts := Options{Progress: func(done, _ int64) {
		if done > 3<<20 {
			cancel()
		}
	}}
	if _, err := ReadAll(ctx, endless, "t", opts); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

type rowsForever struct{}

func (rowsForever) Read(p []byte) (int, error) {
	const row = "1 1:0.25 2:7\n"
	n := len(p) / len(row) * len(row)
	for k := range n {
		p[k] = row[k%len(row)]
	}
	return n, nil
}

func TestDenseThatDoesNotFit(t *testing.T) {
	old := physicalMemory
	defer func() { physicalMemory = old }()
	physicalMemory = func() float64 { return 1000 }
	text := randomText(100, 20, func(float64) float64 { return 1 }, 1)
	s, err := loadText(text, Options{}, tinySizes, true, t)
	if _, sparse := s.X.(*data.CSR); err != nil || !sparse {
		t.Errorf("auto gives %T, %v", s.X, err)
	}
	for _, size := range []sizes{tinySizes, usualSizes} {
		_, err = loadText(text, Options{Storage: StoreDense}, size, true, t)
		if err == nil || !strings.Contains(err.Error(), "read it sparse") {
			t.Errorf("error %v", err)
		}
	}
	if _, err := loadText("1 2000000000:1\n", Options{Storage: StoreDense}, tinySizes, false, t); err == nil {
		t.Error("a matrix of 16 GB fits in 1000 bytes")
	}
}
