package table

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"pairrank/data"
)

// ErrNoLabel is wrapped by the *SyntaxError of ReadSet about a table in which neither a name nor
// Options.Label identifies one column of labels.
var ErrNoLabel = errors.New("no column of labels")

// ErrUnnamed is wrapped by the *SyntaxError of ReadSet about a column without a name under a
// header, such as a row index that another program wrote.
var ErrUnnamed = errors.New("a column without a name")

// begin finds the columns from the first line.
func (r *setReader) begin(first []field, header bool) error {
	r.columns, r.ignored = len(first), make([]bool, len(first))
	if err := r.findColumns(first, header); err != nil {
		return err
	}
	if r.label >= 0 && r.label == r.qid {
		return r.fault(first[r.label], "this column is both the label and the query")
	}
	if header {
		r.names = []string{}
	}
	for k, f := range first {
		switch {
		case r.ignored[k]:
			r.set.Schema.Ignored = append(r.set.Schema.Ignored, columnName(first, k, header))
		case k == r.label:
			r.set.Schema.Label = columnName(first, k, header)
		case k == r.qid:
			r.set.Schema.Query = columnName(first, k, header)
		case header && unnamed(f.text):
			return r.columnFault(f, ErrUnnamed, "column %d has no name, like an index that R or pandas wrote", k+1)
		default:
			r.features++
			if header {
				r.names = append(r.names, strings.Clone(f.text))
			}
		}
	}
	if err := r.opts.checkFeatures(r.features); err != nil {
		return r.columnFault(first[0], errors.Unwrap(err), "%s", err)
	}
	return nil
}

// unnamed reports whether a column of a header has no name: an empty one, which R and pandas write
// above a row index, or the one that pandas gives such a column when it reads it.
func unnamed(name string) bool {
	number, is := strings.CutPrefix(name, "Unnamed: ")
	if !is {
		return strings.TrimSpace(name) == ""
	}
	_, err := strconv.Atoi(number)
	return err == nil
}

// columnName returns the name of a column, or its number where it has none.
func columnName(first []field, k int, header bool) string {
	if header && !unnamed(first[k].text) {
		return strings.Clone(first[k].text)
	}
	return strconv.Itoa(k + 1)
}

// columnFault is an error about a field of the first line that wraps another.
func (r *setReader) columnFault(f field, err error, format string, args ...any) error {
	text, msg := data.ClipText(f.text), fmt.Sprintf(format, args...)
	return &SyntaxError{File: r.name, Line: r.line, Col: f.col, Text: text, Msg: msg, Err: err}
}

// findColumns finds the ignored columns and those of queries and labels, −1 where there is none.
func (r *setReader) findColumns(first []field, header bool) (err error) {
	r.label, r.qid, r.set.Schema = -1, -1, &data.Schema{}
	for _, which := range r.opts.Ignore {
		k, err := r.column(which, first, header)
		if err != nil {
			return err
		}
		r.ignored[k] = true
	}
	if r.opts.QID != "" {
		r.qid, err = r.column(r.opts.QID, first, header)
	} else if header {
		r.qid, err = r.named(first, "queries", "qid")
	}
	switch {
	case err != nil || r.opts.NoLabel:
		return err
	case r.opts.Label != "":
		r.label, err = r.column(r.opts.Label, first, header)
	case header:
		r.label, err = r.named(first, "labels", "label", "y")
	}
	for _, k := range []int{r.label, r.qid} {
		if err == nil && k >= 0 && r.ignored[k] {
			return r.fault(first[k], "this column is ignored, but is also the label or the query")
		}
	}
	if err == nil && r.label < 0 {
		err = r.noLabel(first, header)
	}
	return err
}

// noLabel is the error of a table without a known column of labels.
func (r *setReader) noLabel(first []field, header bool) error {
	at, columns := field{col: 1}, quotedFields(first)
	if header {
		return r.columnFault(at, ErrNoLabel, "no column is named label or y: the columns are %s", columns)
	}
	return r.columnFault(at, ErrNoLabel, "there is no header that names the labels: columns 1 … %d begin with %s",
		len(first), columns)
}

// quotedFields is the texts of the first fields.
func quotedFields(fields []field) string {
	const most = 20
	var b strings.Builder
	for k, f := range fields[:min(most, len(fields))] {
		if k > 0 {
			b.WriteString(", ")
		}
		b.WriteString(strconv.Quote(data.ClipText(f.text)))
	}
	if n := len(fields) - most; n > 0 {
		fmt.Fprintf(&b, " and %d more", n)
	}
	return b.String()
}

// named returns the column with one of the names, −1 for none. Two such columns are an error, in
// which what names their content.
func (r *setReader) named(header []field, what string, names ...string) (column int, err error) {
	column = -1
	for k, f := range header {
		for _, name := range names {
			switch {
			case r.ignored[k] || !strings.EqualFold(f.text, name):
			case column < 0:
				column = k
			default:
				return -1, r.columnFault(f, ErrNoLabel, "columns %d and %d may both be the %s: the columns are %s",
					column+1, k+1, what, quotedFields(header))
			}
		}
	}
	return column, nil
}

// column finds a column by name or number.
func (r *setReader) column(which string, first []field, header bool) (int, error) {
	if header {
		for k, f := range first {
			if f.text == which {
				return k, nil
			}
		}
	}
	k, err := strconv.Atoi(which)
	if err != nil || k < 1 || k > len(first) {
		return 0, r.fault(first[0], "no column %q among %d", which, len(first))
	}
	return k - 1, nil
}
