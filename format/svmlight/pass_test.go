package svmlight

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pairrank/data"
)

// eachRows puts blocks together, as the rows of one matrix of their form.
type eachRows struct {
	t              *testing.T
	dense          *data.Dense
	csr            *data.CSR
	blocks, begins int
}

func (e *eachRows) take(first int, block *data.Set) error {
	if first == 0 {
		e.dense, e.csr, e.blocks = nil, nil, 0
		e.begins++
	}
	e.blocks++
	switch x := data.Clone(block.X).(type) {
	case *data.Dense:
		if e.dense == nil {
			e.dense = data.NewDense(0, x.Cols, nil)
		}
		if e.csr != nil {
			return nil // the file is read again
		}
		if first != e.dense.Rows {
			e.t.Fatalf("rows from %d on after %d rows", first, e.dense.Rows)
		}
		e.dense = data.NewDense(first+x.Rows, x.Cols, append(e.dense.Data, x.Data...))
	case *data.CSR:
		if e.csr == nil {
			e.csr = &data.CSR{Cols: x.Cols, Ptr: []int{0}}
		}
		for _, end := range x.Ptr[1:] {
			e.csr.Ptr = append(e.csr.Ptr, len(e.csr.Col)+end-x.Ptr[0])
		}
		e.csr.Rows += x.Rows
		e.csr.Col, e.csr.Val = append(e.csr.Col, x.Col...), append(e.csr.Val, x.Val...)
	}
	return nil
}

// Each receives the matrix that ReadFile returns without it, in its form; nothing else of the Set changes.
func TestEachIsTheMatrix(t *testing.T) {
	defer func(rows int) { panelRows = rows }(panelRows)
	panelRows = leastPanel
	again := 0
	for seed, share := range []func(f float64) float64{
		func(float64) float64 { return 0.9 }, func(float64) float64 { return 0.05 },
		func(f float64) float64 { return f }, func(f float64) float64 { return 0.6 - 0.55*f },
		func(f float64) float64 { return 0.1 + 0.2*f }, func(float64) float64 { return 1 },
	} {
		for _, rows := range []int{1, 63, 64, 900} {
			for _, storage := range []Storage{StoreAuto, StoreDense, StoreCSR} {
				text := randomText(rows, 7, share, uint64(seed))
				opts := Options{Features: 7, Storage: storage, KeepComments: true}
				want, err := loadText(text, opts, tinySizes, true, t)
				if err != nil {
					t.Fatal(err)
				}
				path := filepath.Join(t.TempDir(), "t")
				if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
				usual := usualSizes
				usualSizes = tinySizes
				e := &eachRows{t: t}
				opts.Each = e.take
				got, err := ReadFile(context.Background(), path, opts)
				usualSizes = usual
				if err != nil {
					t.Fatal(err)
				}
				again += e.begins - 1
				var x data.Matrix = e.dense
				if _, dense := want.X.(*data.Dense); !dense {
					x = e.csr
				}
				if !reflect.DeepEqual(x, want.X) {
					t.Fatalf("density %d, %d rows, %s: %v, want %v", seed, rows, storage, x, want.X)
				}
				if rows == 900 && e.blocks < 5 {
					t.Errorf("%d rows in %d blocks", rows, e.blocks)
				}
				m, n := got.X.Dims()
				if wm, wn := want.X.Dims(); m != wm || n != wn {
					t.Errorf("%d×%d, want %d×%d", m, n, wm, wn)
				}
				got.X = want.X
				if !reflect.DeepEqual(got, want) {
					t.Errorf("density %d: the rest of the set differs", seed)
				}
			}
		}
	}
	if again == 0 {
		t.Error("no file was read again")
	}
}

// The error is that of ReadFile without Each, whatever was handed on before, and what is missing is filled in.
func TestEachOfMissingValues(t *testing.T) {
	defer func(rows int) { panelRows = rows }(panelRows)
	panelRows = leastPanel
	lines := strings.Repeat("1 1:1 2:2 3:3\n", 300)
	at := func(row int, line string) string {
		all := strings.SplitAfter(lines, "\n")
		all[row] = line
		return strings.Join(all, "")
	}
	mean := &data.Substitutes{By: []data.Missing{data.MissingMean, data.MissingMean, data.MissingError},
		Mean: []float64{7, 8}}
	for _, c := range []struct {
		text    string
		missing data.Missing
	}{
		{at(250, "1 1:nan 2:nan\n"), data.MissingModel}, {at(3, "1 1:nan 3:nan\n"), data.MissingModel},
		{strings.Replace(at(3, "1 3:nan\n"), "2 3:3", "2 3:nan", 1), data.MissingModel},
		{at(250, "1 1:nan\n"), data.MissingMin}, {at(250, "1 1:nan\n"), data.MissingError},
		{at(290, "x\n"), data.MissingModel},
		{at(3, "1 3:nan\n") + "x\n", data.MissingModel},
	} {
		opts := Options{Features: 3, Missing: c.missing, Substitutes: mean}
		want, wantErr := loadText(c.text, opts, tinySizes, false, t)
		e := &eachRows{t: t}
		opts.Each = e.take
		_, err := loadText(c.text, opts, tinySizes, false, t)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Errorf("%v: %v, want %v", c.missing, err, wantErr)
		}
		if err == nil && !reflect.DeepEqual(data.Matrix(e.dense), want.X) {
			t.Errorf("%v: other values", c.missing)
		}
	}
}

// A text that is read once comes as one block, unless its form is known.
func TestEachOfAReader(t *testing.T) {
	text := randomText(3000, 4, func(float64) float64 { return 0.5 }, 1)
	for storage, most := range map[Storage]int{StoreAuto: 1, StoreDense: 3000 / leastPanel} {
		e := &eachRows{t: t}
		if _, err := ReadAll(context.Background(), strings.NewReader(text), "t",
			Options{Features: 4, Storage: storage, Each: e.take}); err != nil {
			t.Fatal(err)
		}
		if e.begins != 1 || e.blocks > most || e.dense == nil || e.dense.Rows != 3000 {
			t.Errorf("%s: %d blocks, %d times", storage, e.blocks, e.begins)
		}
	}
}
