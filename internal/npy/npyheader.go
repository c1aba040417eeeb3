package npy

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"pairrank/data"
)

// Header is the text before the entries.
type Header struct {
	Descr   string
	fortran bool
	Shape   []int
	count   int
	names   bool // whole numbers of 8 bytes are names: texts, which keep all digits
}

// npyLayout is how an array lies in a file.
type npyLayout struct {
	Header
	start int // byte of the first entry
	item  int // bytes of an entry
}

// isText reports whether the entries are texts.
func (h Header) isText() bool {
	return h.Descr[1] == 'U' || h.Descr[1] == 'S' || h.names && (h.Descr == "<i8" || h.Descr == "<u8")
}

// exact is the number below which names have all whole numbers, 0 where that is as for a float64.
func (h Header) exact() float64 {
	if h.names && h.Descr == "<f4" {
		return ExactFloats[32]
	}
	return 0
}

// columnMajor reports whether the entries are numbers of a matrix, column by column.
func (l npyLayout) columnMajor() bool {
	return l.fortran && len(l.Shape) == 2 && l.count > 0 && !l.isText()
}

// readLayout reads the header of an array of at most limit bytes, −1 if unknown, and refuses an
// array that is cut off or too large for the memory. names says that the entries are names.
func readLayout(in *bufio.Reader, limit int64, names bool) (l npyLayout, err error) {
	if l.Header, l.start, err = readNPYHeader(in); err != nil {
		return l, err
	}
	l.names = names
	if l.item, err = itemSize(l.Descr); err != nil {
		return l, err
	}
	if l.item > 0 && l.count > math.MaxInt/l.item {
		return l, fmt.Errorf("shape %v is too large", l.Shape)
	}
	if limit < 0 {
		return l, nil
	}
	if int64(l.count*l.item) > limit-int64(l.start) {
		return l, io.ErrUnexpectedEOF
	}
	return l, CheckFree(l.Header, l.count)
}

// itemSize returns the bytes of an entry.
func itemSize(descr string) (int, error) {
	switch descr {
	case "<f8", "<i8", "<u8":
		return 8, nil
	case "<f4", "<i4", "<u4":
		return 4, nil
	case "<i2", "<u2":
		return 2, nil
	case "|i1", "|u1", "|b1":
		return 1, nil
	case "|O":
		return 0, errors.New("an array of objects: .astype(str) or .astype(float) of NumPy writes texts or numbers")
	}
	for prefix, width := range map[string]int{"<U": 4, "|S": 1} {
		if k, found := strings.CutPrefix(descr, prefix); found {
			if n, err := strconv.Atoi(k); err == nil && n >= 0 && n <= 1<<20 {
				return width * n, nil
			}
		}
	}
	return 0, unknownType(descr)
}

// unknownType is the error about entries of another type than are read.
func unknownType(descr string) error {
	return fmt.Errorf("type %q is not one of <f8 <f4 <i8 <i4 <i2 |i1 <u8 <u4 <u2 |u1 |b1 <U |S", descr)
}

// maxHeader bounds the text of a header; NumPy itself stops at 10,000 bytes.
const maxHeader = 1 << 16

// readNPYHeader returns the header and the number of its bytes.
func readNPYHeader(in *bufio.Reader) (Header, int, error) {
	var h Header
	var start [8]byte
	if _, err := io.ReadFull(in, start[:]); err != nil {
		return h, 0, err
	}
	if string(start[:6]) != Magic {
		return h, 0, errors.New("not a .npy array")
	}
	width := 4
	switch start[6] {
	case 1:
		width = 2
	case 2, 3:
	default:
		return h, 0, fmt.Errorf("unknown version %d.%d of the format", start[6], start[7])
	}
	var length [4]byte
	if _, err := io.ReadFull(in, length[:width]); err != nil {
		return h, 0, err
	}
	n := int(binary.LittleEndian.Uint32(length[:]))
	if n > maxHeader {
		return h, 0, fmt.Errorf("a header of %d bytes", n)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(in, text); err != nil {
		return h, 0, err
	}
	err := h.parse(string(text))
	return h, 8 + width + n, err
}

// parse reads {'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }.
func (h *Header) parse(text string) error {
	bad := fmt.Errorf("header %q is not understood", data.ClipText(text))
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "{")
	if !ok {
		return bad
	}
	seen := map[string]bool{}
	for {
		rest = strings.TrimLeft(rest, " ,")
		if tail, ended := strings.CutPrefix(rest, "}"); ended {
			if strings.TrimSpace(tail) != "" || len(seen) != 3 {
				return bad
			}
			return h.check()
		}
		if rest == "" {
			return bad
		}
		key, after, ok := pythonString(rest)
		if !ok || seen[key] {
			return bad
		}
		seen[key] = true
		after, ok = strings.CutPrefix(strings.TrimLeft(after, " "), ":")
		if !ok {
			return bad
		}
		after = strings.TrimLeft(after, " ")
		switch key {
		case "descr":
			h.Descr, rest, ok = pythonString(after)
		case "fortran_order":
			if rest, h.fortran = strings.CutPrefix(after, "True"); !h.fortran {
				rest, ok = strings.CutPrefix(after, "False")
			}
		case "shape":
			rest, ok = h.parseShape(after)
		default:
			ok = false
		}
		if !ok {
			return bad
		}
	}
}

// pythonString reads a string without escapes in single or double quotes.
func pythonString(text string) (s, rest string, ok bool) {
	if text == "" || text[0] != '\'' && text[0] != '"' {
		return "", text, false
	}
	end := strings.IndexByte(text[1:], text[0])
	if end < 0 {
		return "", text, false
	}
	return text[1 : 1+end], text[end+2:], true
}

// parseShape reads (), (3,) or (3, 4).
func (h *Header) parseShape(text string) (rest string, ok bool) {
	end := strings.IndexByte(text, ')')
	if end < 0 || text[0] != '(' {
		return text, false
	}
	h.Shape = []int{}
	inner := strings.TrimSuffix(strings.TrimSpace(text[1:end]), ",")
	if inner == "" {
		return text[end+1:], true
	}
	for part := range strings.SplitSeq(inner, ",") {
		k, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(part), "L"))
		if err != nil || k < 0 {
			return text, false
		}
		h.Shape = append(h.Shape, k)
	}
	return text[end+1:], true
}

func (h *Header) check() error {
	if len(h.Descr) < 2 {
		return unknownType(h.Descr)
	}
	h.count = 1
	for _, k := range h.Shape {
		if k > 0 && h.count > math.MaxInt/8/k {
			return fmt.Errorf("shape %v is too large", h.Shape)
		}
		h.count *= k
	}
	return nil
}

// ExactFloats bound the whole numbers that floats of so many bits hold exactly.
var ExactFloats = map[int]float64{16: 1 << 11, 32: 1 << 24, 64: ExactInteger}
