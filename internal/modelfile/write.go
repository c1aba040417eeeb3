package modelfile

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"pairrank/model/training"
)

// Version is the latest version of the format. Version 1 has models of weights and of support rows,
// 2 stumps, 3 pairs of nodes, 4 weights of random features, 5 pairs of nodes with the similarities
// of the training nodes, 6 support rows of a clinical kernel, 7 weights of splines, 8 support rows of a sum of kernels,
// 9 pairs of nodes with a sum of kernels.
const Version = 9

const (
	magic        = "pairrank model "
	checksumLine = "checksum sha256 "
)

// Writer writes the lines of a model; its bufio.Writer remembers the first
// error.
type Writer struct{ *bufio.Writer }

// Write writes a model as text: the first line with the version, the facts, the output of content,
// and the checksum. The caller has checked that it reads back.
func Write(to io.Writer, version int, info *training.Facts, content func(w *Writer)) error {
	sum := sha256.New()
	w := &Writer{bufio.NewWriterSize(io.MultiWriter(to, sum), 1<<16)}
	w.Line(magic + strconv.Itoa(version))
	for _, e := range entries {
		if value := e.put(info); value != "" {
			w.Line(e.key, value)
		}
	}
	for _, f := range info.Further {
		w.Line(strings.TrimRight("fact "+f.Name+" "+f.Value, " "))
	}
	content(w)
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(to, "%s%x\n", checksumLine, sum.Sum(nil))
	return err
}

// Line writes a line of words.
func (w *Writer) Line(parts ...string) {
	w.WriteString(strings.Join(parts, " "))
	w.WriteByte('\n')
}

// Strings writes a JSON string a line.
func (w *Writer) Strings(names []string) {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, name := range names {
		_ = e.Encode(name) // the bufio.Writer keeps the error
	}
}
