package table

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"pairrank/data"
	"pairrank/internal/gaps"
	"pairrank/internal/memory"
)

func readEdges(l *lines, opts EdgesOptions) (*Edges, error) {
	h, err := l.head("no edges: the file is empty")
	if err != nil {
		return nil, err
	}
	if err := l.pickEnds(&h, opts); err != nil {
		return nil, err
	}
	format, err := opts.formatOf(l, h)
	if err != nil {
		return nil, err
	}
	if format == edgesTriplets {
		return readTriplets(l, h, opts)
	}
	n, err := readNamedAfter(l, h, HeaderAuto, true)
	if err != nil {
		return nil, err
	}
	if n.numbered {
		if err := l.checkNumbered(n); err != nil {
			return nil, err
		}
	}
	return n.edges()
}

// checkNumbered refuses a matrix without ids whose rows may have been taken for
// blank lines.
func (l *lines) checkNumbered(n *idMatrix) error {
	at := &data.SyntaxError{File: l.name, Line: l.emptied, Col: 1,
		Msg: "a line of separators alone, in a matrix without ids"}
	if n.x.Cols == 1 {
		at = &data.SyntaxError{File: l.name, Msg: "one number a line: a matrix of one column needs ids"}
	} else if l.emptied == 0 {
		return nil
	}
	return &hinted{at, "write NaN for unobserved values, and give rows and columns ids"}
}

// formatOf distinguishes triplets from a matrix by the first two lines.
func (o EdgesOptions) formatOf(l *lines, h head) (string, error) {
	if o.Format != edgesAuto {
		return o.Format, nil
	}
	row := h.second
	if row == nil {
		row = h.first
	}
	width, over := len(row), len(h.first)
	corner := isCorner(h.first[0]) && width == over && h.second != nil
	switch {
	case isPairHeader(h.first):
		return edgesTriplets, nil
	case max(width, over) > 3, corner && h.first[0].text == "":
		return edgesMatrix, nil
	case width > 1 && (headsColumn(row[1]) || !corner && !numeric(row[1:2])):
		return edgesTriplets, nil // a name where a matrix has a value
	}
	return o.formatByHeader(l, h, width, corner)
}

// formatByHeader is formatOf for lines of at most three fields whose second may be a number. The
// lines have width fields; a header, if any, has as many. corner reports whether the header begins
// like that of a matrix.
func (o EdgesOptions) formatByHeader(l *lines, h head, width int, corner bool) (string, error) {
	over := len(h.first)
	named := over == 3 && headsColumn(h.first[2])
	valued := named && isValueName(h.first[2].text)
	pairs := width == 2 && !o.NoValue
	switch {
	case pairs && (corner || over == 1): // of one column, whose id may stand alone
		return edgesMatrix, nil
	case width != 3:
		return edgesTriplets, nil
	case corner && !valued:
		return edgesMatrix, nil
	case corner || over == 2 || named && !valued:
		return edgesAuto, l.headFault(h, h.first[0],
			`begin the header with "row_id" and "col_id" above triplets, with "id" above a matrix, or say which it is`,
			"this may be the header of a matrix of two columns or that of triplets")
	}
	return edgesTriplets, nil
}

// pickEnds puts the columns of the ends and of the value first, where columns have names and these are among them.
func (l *lines) pickEnds(h *head, opts EdgesOptions) error {
	at := func(is func(name string) bool) int {
		return slices.IndexFunc(h.first, func(f field) bool { return is(strings.ToLower(f.text)) })
	}
	row := at(func(name string) bool { return name == "row_id" || name == "row" })
	col := at(func(name string) bool { return name == "col_id" || name == "col" })
	if !l.named() || row < 0 || col < 0 || opts.Format == edgesMatrix {
		return nil
	}
	columns := []int{row, col}
	value := at(isValueName)
	if value < 0 && len(h.first) == 3 {
		value = 3 - row - col
	}
	switch {
	case value >= 0:
		columns = append(columns, value)
	case len(h.first) > 2 && !opts.NoValue:
		return &hinted{l.fault(field{col: 1}, "no column of values beside the ends of the edges: the columns are %s",
			headerTexts(h.first)), `name the column of values "value"`}
	}
	l.pick(h, columns)
	return nil
}

// isPairHeader reports whether a line is the header of triplets or pairs, by its names.
func isPairHeader(first []field) bool {
	if len(first) != 2 && len(first) != 3 {
		return false
	}
	is := func(row, col string) bool {
		return strings.EqualFold(first[0].text, row) && strings.EqualFold(first[1].text, col)
	}
	return is("row_id", "col_id") || is("row", "col")
}

// isValueName reports whether a text is a name that a column of values has in a header.
func isValueName(text string) bool {
	return slices.Contains([]string{"value", "label", "score", "rating", "weight"}, strings.ToLower(text))
}

// headsColumn reports whether a field may be a column name. Text that looks like an unreadable
// number may not.
func headsColumn(f field) bool {
	return !numeric([]field{f}) && !strings.ContainsAny(f.text[:1], "0123456789+-.") &&
		!strings.EqualFold(f.text, "inf") && !strings.EqualFold(f.text, "infinity")
}

// side gathers the ids of one side of a relation.
type side struct {
	dictionary
	lines []int
	last  int32 // that was asked for
}

func (s *side) of(l *lines, f field, what string) (int32, error) {
	if len(s.ids) > 0 && s.ids[s.last] == f.text { // where the edges are sorted
		return s.last, nil
	}
	if k := s.last + 1; int(k) < len(s.ids) && s.ids[k] == f.text { // where they come again in their order
		s.last = k
		return k, nil
	}
	k, known := s.find(f.text)
	if !known {
		if err := l.checkID(f, what); err != nil {
			return 0, err
		}
		k, s.lines = s.add(f.text), append(s.lines, l.line)
	}
	s.last = k
	return k, nil
}

// tripletReader gathers edges from lines.
type tripletReader struct {
	*lines
	opts     EdgesOptions
	headed   bool
	row, col side
	edges    Edges
	reserved bool
}

func readTriplets(l *lines, h head, opts EdgesOptions) (*Edges, error) {
	r := &tripletReader{lines: l, opts: opts}
	r.edges = Edges{Format: edgesTriplets, File: l.name, counted: l.counted, named: l.named()}
	if r.headed = isPairHeader(h.first) || l.named() || len(h.first) == 3 && headsColumn(h.first[2]); !r.headed {
		after := l.line
		l.line = h.line
		if err := r.take(h.first); err != nil {
			return nil, err
		}
		l.line = after
	}
	if h.second != nil {
		if err := r.take(h.second); err != nil {
			return nil, err
		}
		if err := eachLineOf(l, func(_ *lines, fields []field) error { return r.take(fields) }); err != nil {
			return nil, err
		}
	}
	e := &r.edges
	if len(e.Y) == 0 {
		return nil, &data.SyntaxError{File: l.name, Msg: "no edges: there is no line with a value"}
	}
	e.RowID, e.ColID, e.rowLine, e.colLine = r.row.ids, r.col.ids, r.row.lines, r.col.lines
	return e, nil
}

func (r *tripletReader) take(fields []field) error {
	if len(fields) != 3 && (len(fields) != 2 || !r.opts.NoValue) {
		return r.misfit(fields)
	}
	for _, f := range fields[:2] {
		if f.text == "" {
			return r.fault(f, "the id is empty")
		}
	}
	if err := r.checkIDs(fields); err != nil {
		return err
	}
	y := math.NaN()
	if len(fields) == 3 && !gaps.IsMissing(fields[2].text) {
		var err error
		if y, err = r.number(fields[2]); err != nil {
			return err
		}
	}
	i, err := r.row.of(r.lines, fields[0], "a node")
	if err != nil {
		return err
	}
	j, err := r.col.of(r.lines, fields[1], "a node")
	if err != nil {
		return err
	}
	e := &r.edges
	if math.IsNaN(y) && !r.opts.NoValue {
		e.Unobserved++
		return nil
	}
	e.Row, e.Col, e.Y, e.Line = append(e.Row, i), append(e.Col, j), append(e.Y, y), append(e.Line, r.line)
	return cmp.Or(r.ask(), r.reserve())
}

// misfit is the error of a line with too many or too few fields.
func (r *tripletReader) misfit(fields []field) error {
	want := "row, column and value"
	if r.opts.NoValue {
		want = "row, column and perhaps a value"
	}
	switch err := r.fault(fields[0], "number of fields %d, want %s", len(fields), want); len(fields) {
	case 1:
		return &hinted{err, r.separatorHint()}
	case 2:
		return &hinted{err,
			`pairs without values can be predicted, not learnt from; a matrix of one column has a header that ` +
				`begins with "id"`}
	default:
		return err
	}
}

// checkIDs refuses ids that look like values: a matrix of three columns without
// ids, when the format was not said.
func (r *tripletReader) checkIDs(fields []field) error {
	if r.opts.Format != edgesAuto || r.headed {
		return nil
	}
	for _, f := range fields[:2] {
		if (strings.IndexByte(f.text, '.') >= 0 || f.text[0] == '+' || f.text[0] == '-') && numeric(fields) {
			err := r.fault(f,
				"the id is a number with sign or point: the lines may be triplets or a matrix of %d columns without "+
					"ids", len(fields))
			return &hinted{err,
				`say which it is, or write a header that begins with "row_id" and "col_id" above triplets, with ` +
					`"id" above a matrix`}
		}
	}
	return nil
}

// separatorHint is for lines that are all one field.
func (l *lines) separatorHint() string {
	switch {
	case l.named():
		return "edges have the columns row_id, col_id and value"
	case l.sep == '\t':
		return "the fields of this file are separated by tabs, as its name says"
	case l.sep == ',':
		return "the fields of this file are separated by commas, as its name says"
	}
	return "fields are separated by tabs, commas, semicolons or blanks"
}

// reserve allocates for all edges once their number can be estimated.
func (r *tripletReader) reserve() error {
	e := &r.edges
	n := len(e.Y)
	if r.reserved {
		return nil
	}
	all := r.foreseen(n)
	if all <= n {
		return nil
	}
	r.reserved = true
	l := r.lines
	return cmp.Or(reserve(l, &e.Row, all), reserve(l, &e.Col, all), reserve(l, &e.Y, all), reserve(l, &e.Line, all))
}

// edges converts a matrix to edges, row by row.
func (n *idMatrix) edges() (*Edges, error) {
	if err := n.nameColumns(); err != nil {
		return nil, err
	}
	e := &Edges{RowID: n.rows, ColID: n.cols, Format: edgesMatrix, Numbered: n.numbered, File: n.file, rowLine: n.lines,
		counted: n.counted}
	if !n.numbered {
		e.colLine = slices.Repeat([]int{n.line}, len(n.cols))
	}
	for _, y := range n.x.Data {
		if math.IsNaN(y) {
			e.Unobserved++
		}
	}
	size := len(n.x.Data) - e.Unobserved
	if size == 0 {
		return nil, &data.SyntaxError{File: n.file, Msg: "no edges: the matrix has no value"}
	}
	const perEdge = 16
	if err := memory.Ask(perEdge*float64(size), fmt.Sprintf("%d edges", size)); err != nil {
		return nil, fmt.Errorf("%s: %w", n.file, err)
	}
	e.Row, e.Col, e.Y = make([]int32, 0, size), make([]int32, 0, size), make([]float64, 0, size)
	for i := range n.x.Rows {
		for j, y := range n.x.Row(i) {
			if !math.IsNaN(y) {
				e.Row, e.Col, e.Y = append(e.Row, int32(i)), append(e.Col, int32(j)), append(e.Y, y)
			}
		}
	}
	return e, nil
}
