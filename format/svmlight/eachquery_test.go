package svmlight

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/codec"
	"pairrank/internal/memory"
)

// wantedQueries is the oracle: it joins consecutive rows of a Reader with the same qid.
func wantedQueries(text string, opts Options) (queries []data.Query, err error) {
	r := NewReader(strings.NewReader(text), "t", opts)
	first := map[string]int{}
	var rows []Row
	flush := func() {
		if len(rows) == 0 {
			return
		}
		q := data.Query{ID: rows[0].QID, Source: "t", Line: rows[0].Line}
		n := max(opts.Features, opts.MinFeatures)
		for _, row := range rows {
			if len(row.Cols) > 0 {
				n = max(n, int(row.Cols[len(row.Cols)-1])+1)
			}
		}
		x := &data.CSR{Rows: len(rows), Cols: n, Ptr: []int{0}}
		for _, row := range rows {
			for k, v := range row.Vals {
				if v != 0 {
					x.Col, x.Val = append(x.Col, row.Cols[k]), append(x.Val, v)
				}
			}
			x.Ptr = append(x.Ptr, len(x.Val))
			q.Y = append(q.Y, row.Label)
			if opts.KeepComments {
				q.Comments = append(q.Comments, row.Comment)
			}
		}
		q.X = x
		queries, rows = append(queries, q), nil
	}
	for {
		row, err := r.Read()
		switch {
		case err == io.EOF:
			flush()
			return queries, nil
		case err != nil:
			return queries, err
		case !row.HasQID:
			return nil, fmt.Errorf("t:%d:1: row without a qid", row.Line)
		}
		if len(rows) == 0 || rows[0].QID != row.QID {
			flush()
			if line := first[row.QID]; line > 0 {
				return queries, fmt.Errorf("t:%d:%d: the query began in line %d and had ended", row.Line,
					qidColumn(text, row.Line), line)
			}
			first[row.QID] = row.Line
		}
		row.Cols, row.Vals = append([]int32(nil), row.Cols...), append([]float64(nil), row.Vals...)
		rows = append(rows, row)
	}
}

// qidColumn is where the qid of a line stands.
func qidColumn(text string, line int) int {
	return strings.Index(strings.Split(text, "\n")[line-1], "qid:") + 1
}

// gotQueries are copies of what EachQuery emits.
func gotQueries(source *codec.Reader, opts Options, size int) (queries []data.Query, err error) {
	err = eachQuery(context.Background(), source, opts, size, func(q data.Query) error {
		m, _ := q.X.Dims()
		rows := make([]int, m)
		for i := range rows {
			rows[i] = i
		}
		data.Check("test", q.X)
		q.X, q.Y = data.Select(q.X, rows), append([]float64(nil), q.Y...)
		queries = append(queries, q)
		return nil
	})
	return queries, err
}

// nonzeros returns the size of a matrix and the place and value of each non-zero entry.
func nonzeros(x data.Matrix) (list [][3]float64) {
	m, n := x.Dims()
	list = append(list, [3]float64{float64(m), float64(n)})
	for i := range m {
		switch x := x.(type) {
		case *data.CSR:
			cols, vals := x.Row(i)
			for k, j := range cols {
				list = append(list, [3]float64{float64(i), float64(j), vals[k]})
			}
		case *data.Dense:
			for j, v := range x.Row(i) {
				if v != 0 {
					list = append(list, [3]float64{float64(i), float64(j), v})
				}
			}
		}
	}
	return list
}

// checkQueries compares EachQuery, in blocks of some sizes, with the oracle.
func checkQueries(t testing.TB, text string, opts Options) {
	t.Helper()
	want, wantErr := wantedQueries(text, opts)
	for _, size := range []int{16, 64, 1 << 20} {
		source, err := codec.NewReader(strings.NewReader(text), "t")
		if err != nil {
			t.Fatal(err)
		}
		got, err := gotQueries(source, opts, size)
		if (err == nil) != (wantErr == nil) || err != nil && !strings.HasPrefix(err.Error(), wantErr.Error()) {
			t.Fatalf("%q in blocks of %d: error\n%v, want\n%v", text, size, err, wantErr)
		}
		if len(got) > len(want) || err == nil && len(got) < len(want) {
			t.Fatalf("%q in blocks of %d: %d queries, want %d", text, size, len(got), len(want))
		}
		for k, q := range got {
			w := want[k]
			if x, y := nonzeros(q.X), nonzeros(w.X); !reflect.DeepEqual(x, y) {
				t.Fatalf("%q in blocks of %d, query %d: %v, want %v", text, size, k, x, y)
			}
			q.X, w.X = nil, nil
			if !reflect.DeepEqual(q, w) {
				t.Fatalf("%q in blocks of %d: query %+v, want %+v", text, size, q, w)
			}
		}
	}
}

func TestEachQueryLanguage(t *testing.T) {
	for _, c := range cases {
		opts := c.opts
		opts.KeepComments = true
		checkQueries(t, c.text, opts)
		// The same text with a qid in each row has queries.
		lines := strings.Split(c.text, "\n")
		for i, line := range lines {
			if label, rest, found := strings.Cut(line, " "); found && !strings.Contains(line, "qid:") &&
				!strings.HasPrefix(line, "#") {
				lines[i] = label + fmt.Sprintf(" qid:%d ", i/2) + rest
			}
		}
		for _, storage := range []Storage{StoreAuto, StoreCSR} {
			opts.Storage = storage
			checkQueries(t, strings.Join(lines, "\n"), opts)
		}
	}
}

// contiguousText writes rows of queries that follow each other, of 1 to 40 rows, with
// densities from none to all.
func contiguousText(queries, features int, seed uint64) string {
	var text strings.Builder
	for q := range queries {
		rows := 1 + (q*7+int(seed))%40
		share := float64(q%5) / 4
		part := randomText(rows, 1+(features*(q%4))/4, func(float64) float64 { return share }, seed+uint64(q))
		for line := range strings.Lines(part) {
			if label, rest, found := strings.Cut(line, " qid:"); found {
				_, rest, _ = strings.Cut(strings.TrimSuffix(rest, "\n"), " ")
				line = fmt.Sprintf("%s qid:q%d %s\n", label, q, rest)
			}
			text.WriteString(line)
		}
	}
	return text.String()
}

func TestEachQueryIsTheReader(t *testing.T) {
	text := contiguousText(60, 40, 1)
	for _, opts := range []Options{{KeepComments: true}, {Storage: StoreDense}, {Storage: StoreCSR, MinFeatures: 70},
		{Features: 40}, {Features: 9, Extra: true}, {Features: 9}} {
		checkQueries(t, text, opts)
	}
	for _, returned := range []string{"1 qid:q3 1:1\n", "\n# c\n1  qid:q59 1:1\n1 qid:q0 2:1\n",
		"1 qid:new 1:1\n0 qid:q59\n"} {
		checkQueries(t, text+returned, Options{})
	}
	checkQueries(t, text+"1 1:1\n", Options{})
	checkQueries(t, text+"1 qid:q59 1:1\n1 qid:q59 1:x\n", Options{})
}

// The forms of a query: dense where a quarter of it is not zero.
func TestEachQueryForms(t *testing.T) {
	const text = "1 qid:a 1:1 2:2\n2 qid:a 1:1\n1 qid:b 8:1\n2 qid:b 1:0 8:2\n3 qid:b 2:1\n"
	for _, c := range []struct {
		storage Storage
		dense   []bool
	}{{StoreAuto, []bool{true, false}}, {StoreDense, []bool{true, true}}, {StoreCSR, []bool{false, false}}} {
		source, err := codec.NewReader(strings.NewReader(text), "t")
		if err != nil {
			t.Fatal(err)
		}
		got, err := gotQueries(source, Options{Storage: c.storage}, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		for k, q := range got {
			if _, dense := q.X.(*data.Dense); dense != c.dense[k] {
				t.Errorf("%s: query %s is a %T", c.storage, q.ID, q.X)
			}
			if x, sparse := q.X.(*data.CSR); sparse && len(x.Val) != data.Stored(x) {
				t.Errorf("%s: query %s stores %d values and has %d", c.storage, q.ID, len(x.Val), data.Stored(x))
			}
		}
	}
}

func TestEachQueryErrors(t *testing.T) {
	read := func(text string, opts Options) error {
		return EachQueryOf(context.Background(), strings.NewReader(text), "t", opts,
			func(data.Query) error { return nil })
	}
	var syntax *data.SyntaxError
	err := read("1 qid:a 1:1\n2 qid:b 1:1\n# c\n2 qid:a 1:1\n", Options{})
	if want := `t:4:3: the query began in line 1 and had ended: reading query by query needs the rows of a query to ` +
		`be contiguous: "qid:a"`; err == nil || err.Error() != want || !errors.Is(err, ErrQueryReturns) ||
		!errors.As(err, &syntax) {
		t.Errorf("error %v, want %s", err, want)
	}
	if err := read("\n1 1:1\n", Options{}); !errors.Is(err, ErrNoQueries) || !errors.As(err, &syntax) ||
		syntax.Line != 2 {
		t.Errorf("error %v", err)
	}
	for _, missing := range []data.Missing{data.MissingMean, data.MissingMin} {
		if err := read("1 qid:1 1:1\n", Options{Missing: missing}); err == nil ||
			!strings.Contains(err.Error(), missing.String()+" of their feature") {
			t.Errorf("%s: error %v", missing, err)
		}
	}
	const limit, columns = 1 << 28, 40_000_000
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(limit))
	err = read(fmt.Sprintf("1 qid:a 1:1\n1 qid:b 1:1\n2 qid:b %d:1\n1 qid:c 1:1\n", columns),
		Options{Storage: StoreDense})
	var lack *memory.Lack
	const begins = `t:2: query "b" needs about 640 MB of memory, but only 2`
	if !errors.As(err, &lack) || !strings.HasPrefix(err.Error(), begins) {
		t.Errorf("error %v", err)
	}
	stop := errors.New("stop")
	emitted := 0
	err = EachQueryOf(context.Background(), strings.NewReader("1 qid:1 1:1\n1 qid:2 1:1\n1 qid:3 1:1\n"), "t",
		Options{}, func(data.Query) error {
			emitted++
			return stop
		})
	if err != stop || emitted != 1 {
		t.Errorf("error %v after %d queries", err, emitted)
	}
	ctx, cancel := context.WithCancel(context.Background())
	err = EachQueryOf(ctx, strings.NewReader(contiguousText(200, 40, 2)), "t", Options{}, func(data.Query) error {
		cancel()
		return ctx.Err()
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// Compressed files are read as plain ones, with their progress.
func TestEachQueryCompressed(t *testing.T) {
	text, dir := contiguousText(60, 40, 3), t.TempDir()
	want, err := wantedQueries(text, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"t", "t.gz", "t.zst"} {
		var packed bytes.Buffer
		w, err := codec.NewWriter(&packed, codec.FormatOf(name))
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, text)
		w.Close()
		content := packed.Bytes()
		path, n, rows := filepath.Join(dir, name), 0, 0
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		var done, total int64
		err = EachQuery(context.Background(), path, Options{Progress: func(d, of int64) { done, total = d, of }},
			func(q data.Query) error {
				if q.Source != path || q.ID != want[n].ID || q.Line != want[n].Line {
					t.Errorf("query %d is %s of %s:%d", n, q.ID, q.Source, q.Line)
				}
				n, rows = n+1, rows+len(q.Y)
				return nil
			})
		if err != nil || n != len(want) || done != int64(len(content)) || total != done {
			t.Errorf("%s: %v, %d queries of %d rows, %d of %d bytes", name, err, n, rows, done, total)
		}
	}
	if err := EachQuery(context.Background(), filepath.Join(dir, "none"), Options{},
		nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// The memory of reading does not grow with the file: 40 MB of text in blocks of 64 kB leave
// less than 4 MB of garbage behind that is not names of queries.
func TestEachQueryReusesMemory(t *testing.T) {
	old := runtime.GOMAXPROCS(2)
	defer runtime.GOMAXPROCS(old)
	part := contiguousText(40, 60, 4)
	var readers []io.Reader
	const parts = 40
	for k := range parts {
		readers = append(readers, strings.NewReader(strings.ReplaceAll(part, " qid:", fmt.Sprintf(" qid:%d.", k))))
	}
	source, err := codec.NewReader(io.MultiReader(readers...), "t")
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	rows := 0
	if err := eachQuery(context.Background(), source, Options{}, 64<<10, func(q data.Query) error {
		rows += len(q.Y)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	const most = 4 << 20 // buffers of four blocks and of two queries, 1600 names and their table
	if size := after.TotalAlloc - before.TotalAlloc; size > most {
		t.Errorf("reading %d rows of %d bytes allocates %d bytes", rows, parts*len(part), size)
	}
}
