package main

import (
	"archive/zip"
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/format/svmlight"
)

// makeFile makes a file in the work folder: under another name first, so that an
// interrupted run leaves no half of it.
func (m *measurement) makeFile(ctx context.Context, name string) error {
	path := filepath.Join(m.work, name)
	if r, known := recipes[name]; known {
		if err := m.provide(ctx, commandRow{files: r.from}); err != nil {
			return err
		}
		cmd := exec.CommandContext(ctx, m.trees[0].command(), strings.Fields(r.args)...)
		cmd.Dir, cmd.Stderr = m.work, os.Stderr
		return cmd.Run()
	}
	out, err := os.Create(path + ".part")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name())
	buffered := bufio.NewWriterSize(out, 1<<20)
	err = m.write(ctx, buffered, name)
	if err == nil {
		err = buffered.Flush()
	}
	if closed := out.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return os.Rename(out.Name(), path)
}

// write writes the files that pairrank does not make.
func (m *measurement) write(ctx context.Context, w *bufio.Writer, name string) error {
	size := func(prefix string) int {
		n, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(name, prefix), filepath.Ext(name)))
		return n
	}
	switch {
	case sources[name].from != nil:
		return m.unpack(w, name)
	case name == "big.npz":
		return m.archive(ctx, w, "big.txt")
	case strings.HasPrefix(name, "list"):
		return writeList(w, size("list"))
	case strings.HasPrefix(name, "board"):
		return writeBoard(w, size("board"))
	case strings.HasPrefix(name, "nodes"):
		return writeNodes(w, size("nodes"))
	}
	for _, labels := range []string{"edges", "signal", "class", "tenth"} {
		if strings.HasPrefix(name, labels) {
			return writeEdges(w, size(labels), labels)
		}
	}
	return fmt.Errorf("there is no recipe for %s", name)
}

// writeList writes one list: 8 normal features, and grades 0 … 4 that cut their
// weighted sum, with noise of the same size as the sum, at -2, -1, 1 and 2 of its
// standard deviations.
func writeList(w *bufio.Writer, rows int) error {
	random := rand.New(rand.NewPCG(1, 8))
	for range rows {
		var x [8]float64
		score := random.NormFloat64()
		for j := range x {
			x[j] = random.NormFloat64()
			score += x[j] * float64(j+1) / 14.28 // √Σj²: the sum has variance 1
		}
		grade := 0
		for _, cut := range []float64{-2, -1, 1, 2} {
			if score > cut*1.414 {
				grade++
			}
		}
		fmt.Fprintf(w, "%d", grade)
		for j, v := range x {
			fmt.Fprintf(w, " %d:%.4f", j+1, v)
		}
		fmt.Fprintln(w)
	}
	return nil
}

// writeBoard writes ten comparisons for each item, whose strength falls with its number.
func writeBoard(w *bufio.Writer, items int) error {
	random := rand.New(rand.NewPCG(4, uint64(items)))
	fmt.Fprintln(w, "left,right,winner")
	for range 10 * items {
		left := random.IntN(items)
		right, winner := (left+1+random.IntN(items-1))%items, "right"
		if random.Float64() < 1/(1+math.Exp(4*float64(left-right)/float64(items))) {
			winner = "left"
		}
		fmt.Fprintf(w, "item%d,item%d,%s\n", left, right, winner)
	}
	return nil
}

// writeNodes writes a table of nodes with five normal features.
func writeNodes(w *bufio.Writer, p int) error {
	random := rand.New(rand.NewPCG(2, uint64(p)))
	fmt.Fprintln(w, "id\tx0\tx1\tx2\tx3\tx4")
	for i := range p {
		fmt.Fprintf(w, "n%d", i)
		for range 5 {
			fmt.Fprintf(w, "\t%.4f", random.NormFloat64())
		}
		fmt.Fprintln(w)
	}
	return nil
}

// writeEdges writes an edge for every two nodes, in both directions. Its label is normal noise; with signal half of the
// products of their features is added, and class is 1 for the largest tenth of these labels, else 0. Of tenth, every
// tenth edge is there.
func writeEdges(w *bufio.Writer, p int, labels string) error {
	random, features := rand.New(rand.NewPCG(3, uint64(p))), rand.New(rand.NewPCG(2, uint64(p)))
	x := make([][5]float64, p)
	for i := range x {
		for k := range x[i] {
			x[i][k] = features.NormFloat64()
		}
	}
	for i := range p {
		for j := range p {
			y := random.NormFloat64()
			for k, v := range x[i] {
				if labels == "signal" || labels == "class" {
					y += v * x[j][k] / 2
				}
			}
			switch {
			case labels == "class" && y > 1.9:
				y = 1
			case labels == "class":
				y = 0
			case labels == "tenth" && random.IntN(10) > 0:
				continue
			}
			fmt.Fprintf(w, "n%d\tn%d\t%.3f\n", i, j, y)
		}
	}
	return nil
}

// archive writes a file of rows as numpy.savez does: X, y and qid, not compressed.
func (m *measurement) archive(ctx context.Context, w io.Writer, name string) error {
	if err := m.provide(ctx, commandRow{files: []string{name}}); err != nil {
		return err
	}
	set, err := svmlight.ReadFile(ctx, filepath.Join(m.work, name), svmlight.Options{Storage: svmlight.StoreDense})
	if err != nil {
		return err
	}
	x := set.X.(*data.Dense)
	qid := make([]int64, len(set.Y))
	for i, q := range set.Queries.Of() {
		qid[i] = int64(q)
	}
	to := zip.NewWriter(w)
	for _, a := range []struct {
		name, kind, shape string
		values            any
	}{
		{"X.npy", "<f8", fmt.Sprintf("(%d, %d)", x.Rows, x.Cols), x.Data},
		{"y.npy", "<f8", fmt.Sprintf("(%d,)", len(set.Y)), set.Y},
		{"qid.npy", "<i8", fmt.Sprintf("(%d,)", len(qid)), qid},
	} {
		member, err := to.CreateHeader(&zip.FileHeader{Name: a.name, Method: zip.Store})
		if err != nil {
			return err
		}
		if err := writeNPY(member, a.kind, a.shape, a.values); err != nil {
			return err
		}
	}
	return to.Close()
}

// writeNPY writes one array: the header of NumPy's format 1.0, padded to 64 bytes,
// and the numbers.
func writeNPY(w io.Writer, kind, shape string, values any) error {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", kind, shape)
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	var head bytes.Buffer
	head.WriteString("\x93NUMPY\x01\x00")
	_ = binary.Write(&head, binary.LittleEndian, uint16(len(header))) // a Buffer takes everything
	head.WriteString(header)
	if _, err := w.Write(head.Bytes()); err != nil {
		return err
	}
	return binary.Write(w, binary.LittleEndian, values)
}
