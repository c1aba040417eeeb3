package table

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"pairrank/data"
	"pairrank/internal/memory"
)

// Comparisons is a file of comparisons between named items.
type Comparisons struct {
	Items, Annotators, Strata, Clusters []string // in order of first appearance
	Covariates                          []string
	Lines                               *data.Comparisons
	X                                   *data.Dense // the covariates of the lines; nil where there are none
	// Of is the line that holds each line of the file, −1 for one that was left out. Outcome is the index of its single
	// outcome: 0 for a win of the left item, 1 of the right one, 2 for a tie; −1 for counts, and lines left out.
	Of      []int32
	Outcome []int8
	// Counts says that the file has counts of outcomes.
	Counts bool
	// Columns says which column is what: ROLE "name", in the order of the file.
	Columns []string
	// Doubts are what is readable but probably not meant: items whose names differ by case, blanks or accents.
	Doubts []string
	// Reading says how outcomes were read, where they do not say so themselves: winners 1 and 0, H and A, scores.
	Reading []string
	// Empty and Unplayed are how many lines count no outcome, or have no score, and were left out.
	Empty, Unplayed int
	Repeats
}

// ComparisonsOptions say which columns are what, by name, by number or by a path in objects of JSON, as
// "results.winner"; "" finds them by name.
type ComparisonsOptions struct {
	Separator                  byte
	Left, Right, Winner, Loser string
	WinsLeft, WinsRight, Ties  string
	Weight, Magnitude          string
	Annotator, Stratum         string
	Outcome                    struct {
		Column string // "" finds it by name, where no winner, counts or scores are
		// Are is what it has: the probability that the left item is better, or its margin over the right one. "" says
		// that by the name of the column, or by values that are no probabilities.
		Are string
		// ScoreLeft and ScoreRight are the columns of scores, and Difference takes their difference as the margin.
		ScoreLeft, ScoreRight string
		Difference            bool
	}
	Covariates []string
	// Cluster has columns whose values together name a cluster.
	Cluster []string
	// CountsApart keeps lines of counts apart that are alike, and Apart all lines, which else are added up.
	CountsApart, Apart bool
	// Rows is where the rows are in an object of JSON that is the whole text, as in "results.results"; "" finds them.
	Rows string
	// Trusted is a column and its value in the lines of people, beside those of a judge.
	Trusted [2]string
	MaxLine int
}

// ReadComparisons reads comparisons from CSV or TSV text with a header, or from JSON, one object a line or a list of
// objects: a file whose name ends in .jsonl, .ndjson or .json, or that begins with an object. It finds the left and the
// right item with a winner (left, right, tie; model_a, model_b, tie (bothbad); an item; 1, 0.5, 0; H, D, A beside home
// and away; 2-1, 1/2-1/2), with counts of wins and ties, with a score of either, of which the higher wins, or with the
// probability or the margin of Outcome, where a probability p is a win of magnitude 2p − 1 that leaves 1 − p; or a
// winner and a loser. Others are a weight, a magnitude, an annotator, a stratum, clusters, who is trusted, and the
// covariates that are asked for; further columns are left out. Comparisons that are alike, also in annotator, stratum,
// cluster, trust and orientation, are added up. Lines that count no outcome, or lack it or a score, are left out. It
// returns a *data.SyntaxError with line and column, and the errors of the file. Cost linear in the length of the text.
func ReadComparisons(path string, o ComparisonsOptions) (*Comparisons, error) {
	return reading(func(l *lines) (*Comparisons, error) { return readComparisons(l, &o) })(openShape(path, o.Separator,
		o.MaxLine))
}

// ReadComparisonsFrom is ReadComparisons of text from a reader; errors call it name.
func ReadComparisonsFrom(r io.Reader, name string, o ComparisonsOptions) (*Comparisons, error) {
	return readComparisons(shapeFrom(r, name, o.Separator, o.MaxLine), &o)
}

// ErrColumns is wrapped by errors of ReadComparisons about the columns of a file.
var ErrColumns = errors.New("columns of no comparisons")

// comparisonReader gathers comparisons.
type comparisonReader struct {
	*lines
	out        Comparisons
	apart      bool               // lines are not added up
	at         [comparedRoles]int // the columns, −1 for none
	covariates []int
	clusters   []int
	trusted    int      // the column, −1 for none
	people     string   // its value
	others     []string // the first other values, and whether people have lines
	anyPeople  bool
	names      [4]dictionary // of items, annotators, strata and clusters
	same       alike         // the lines
	x          []float64
	repeats    repeats
	home       bool         // the left item is at home, so that A is the other one
	reserved   bool         // memory for all lines is set aside
	are        string       // what outcomes are: probabilities, margins, or "" where that is unknown
	difference bool         // of scores is the margin
	beyond     bool         // an outcome is no probability
	reading    map[int]bool // of readings
}

// The names that a reader numbers.
const (
	itemNames = iota
	annotatorNames
	stratumNames
	clusterNames
)

func newComparisonReader(l *lines, o *ComparisonsOptions) *comparisonReader {
	return &comparisonReader{lines: l, out: Comparisons{Lines: &data.Comparisons{}}, are: o.Outcome.Are,
		difference: o.Outcome.Difference}
}

func readComparisons(l *lines, o *ComparisonsOptions) (*Comparisons, error) {
	l.wants(o.asked(), comparedNames[:])
	first, err := l.header(o.Rows, "comparisons")
	if err != nil {
		return nil, err
	}
	r := newComparisonReader(l, o)
	if err := columnsFault(r.columns(first, o), ErrColumns); err != nil {
		return nil, err
	}
	return r.rest(len(first), o)
}

// asked are the columns that the options name.
func (o *ComparisonsOptions) asked() []string {
	given := o.given()
	return slices.Concat(given[:], o.Covariates, o.Cluster, o.Trusted[:1])
}

// header is the first row, of what a file holds.
func (l *lines) header(rows, what string) ([]field, error) {
	if err := l.rows(rows); err != nil {
		return nil, err
	}
	first, err := l.next()
	if err == io.EOF {
		err = &data.SyntaxError{File: l.name, Msg: fmt.Sprintf("no %s: the file is empty", what)}
	}
	return first, err
}

// columnsFault is an error about columns, which wraps another.
func columnsFault(err, of error) error {
	var at *data.SyntaxError
	if errors.As(err, &at) && at.Err == nil {
		at.Err = of
	}
	return err
}

// rest reads the lines after the first one, of so many columns.
func (r *comparisonReader) rest(width int, o *ComparisonsOptions) (*Comparisons, error) {
	l := r.lines
	r.sum(o)
	if l.from == nil {
		l.look = r.look
	}
	for {
		fields, err := l.next()
		if err == io.EOF {
			break
		}
		if err == nil && len(fields) != width {
			err = l.fault(fields[len(fields)-1], "%d fields, but the first line has %d", len(fields), width)
		}
		if err == nil {
			err = l.ask()
		}
		if err == nil {
			err = r.take(fields)
		}
		if err == nil && !r.reserved {
			err = r.reserve()
		}
		if err != nil {
			return nil, err
		}
	}
	return r.finish()
}

// sum says whether lines are added up, and equal ones counted where they are.
func (r *comparisonReader) sum(o *ComparisonsOptions) {
	r.apart = len(r.covariates) > 0 || o.Apart || o.CountsApart && r.out.Counts
	r.repeats.counted = !r.apart && !r.repeats.hasFurther && r.at[winner] >= 0
}

// reserve sets memory aside for all lines once their number can be estimated: lists that grow are copied, and what they
// leave is there beside them. Lines that are mostly added up take little.
func (r *comparisonReader) reserve() error {
	const enough, most = 1 << 16, 0.5 // to tell whether lines are alike
	rows := len(r.out.Of)
	if rows < enough {
		return nil
	}
	all := r.lines.foreseen(rows)
	if all == 0 {
		return nil
	}
	r.reserved = true
	err := cmp.Or(reserve(r.lines, &r.out.Of, all), reserve(r.lines, &r.out.Outcome, all), r.repeats.reserve(r.lines, all))
	if share := float64(r.out.Lines.Len()) / float64(rows); err == nil && share > most {
		const bytes = 16 // of a line, about
		if err = memory.Ask(bytes*share*float64(all), memory.Rows(r.lines.line)); err != nil {
			return fmt.Errorf("%s: %w", r.lines.name, err)
		}
		r.out.Lines.Grow(int(share * float64(all)))
	}
	return err
}

// finish returns what all lines say.
func (r *comparisonReader) finish() (*Comparisons, error) {
	c := &r.out
	if err := cmp.Or(r.gather(), r.gathered()); err != nil {
		return nil, err
	}
	if c.Lines.Len() == 0 {
		msg := "no comparisons: the file has only a header"
		if len(c.Of) > 0 {
			msg = "no comparisons: no line has an outcome"
		}
		return nil, &data.SyntaxError{File: r.lines.name, Msg: msg}
	}
	if r.at[graded] >= 0 && r.are == "" && !r.beyond {
		return nil, &data.SyntaxError{File: r.lines.name, Err: ErrColumns, Msg: "all outcomes are from 0 to 1, and may be " +
			"probabilities that the left item is better, or margins of which none is of the right item"}
	}
	if r.trusted >= 0 && !r.anyPeople {
		return nil, &data.SyntaxError{File: r.lines.name, Msg: fmt.Sprintf("no line is trusted: the column of %q has %s",
			r.people, listed(len(r.others), ", ", func(k int) string { return quotedID(r.others[k]) }))}
	}
	c.Items, c.Annotators, c.Strata = r.names[itemNames].ids, r.names[annotatorNames].ids, r.names[stratumNames].ids
	c.Clusters = r.names[clusterNames].ids
	if n := len(r.covariates); n > 0 {
		c.X = data.NewDense(c.Lines.Len(), n, r.x)
	}
	c.Doubts = spellings(c.Items)
	r.reading[byNumbers] = r.reading[byNumbers] || r.reading[byFirst] && !r.reading[bySides]
	for k, text := range readings {
		if r.reading[k] {
			c.Reading = append(c.Reading, text)
		}
	}
	c.Repeats = r.repeats.end(c.Lines)
	read := *c // apart from the reader, whose tables would stay in memory with it
	return &read, nil
}

// take reads a line.
func (r *comparisonReader) take(fields []field) error {
	var c data.Comparison
	left, right, counts, outcome, err := r.outcome(fields, &c)
	if err != nil {
		return err
	}
	if counts == ([3]float64{}) {
		return r.add(&c, none, fields)
	}
	if c.Left, err = r.name(itemNames, left); err != nil {
		return err
	}
	if c.Right, err = r.name(itemNames, right); err != nil {
		return err
	}
	if c.Left == c.Right {
		return r.fault(right, "an item is compared with itself")
	}
	if c.Weight, err = r.positive(fields, weight, "weight"); err != nil {
		return err
	}
	if c.Magnitude == 0 {
		if c.Magnitude, err = r.positive(fields, magnitude, "magnitude"); err != nil {
			return err
		}
	}
	if c.Annotator, err = r.named(fields, annotator, annotatorNames); err != nil {
		return err
	}
	if c.Stratum, err = r.named(fields, stratum, stratumNames); err != nil {
		return err
	}
	r.repeats.see(fields, c.Left, c.Right, outcome)
	if c.Cluster, err = r.cluster(fields); err != nil {
		return err
	}
	c.Trusted = r.trusted >= 0 && r.isTrusted(fields[r.trusted].text)
	c.Wins, c.Losses, c.Ties = counts[0], counts[1], counts[2]
	return r.add(&c, outcome, fields)
}

// look touches what the names of the items of some lines are found by.
func (r *comparisonReader) look(text []byte, lines []parsedLine, cells []cell) {
	items, left, right := &r.names[itemNames], r.at[leftItem], r.at[rightItem]
	if left < 0 {
		left, right = r.at[winner], r.at[loser]
	}
	rest := unsafe.String(&text[0], len(text))
	for _, line := range lines {
		if line.fields > max(left, right) {
			items.come(cells[left].text(rest))
			items.come(cells[right].text(rest))
		}
		rest, cells = rest[line.size:], cells[line.fields:]
	}
	items.touchAll()
}

// cluster is the number of the cluster that some columns name together, −1 without such columns.
func (r *comparisonReader) cluster(fields []field) (int, error) {
	if len(r.clusters) == 0 {
		return -1, nil
	}
	f := fields[r.clusters[0]]
	if len(r.clusters) > 1 {
		var texts []string
		for _, k := range r.clusters {
			if err := r.checkID(fields[k], "the cluster"); err != nil {
				return 0, err
			}
			texts = append(texts, strconv.Itoa(len(fields[k].text)), fields[k].text)
		}
		f.text = strings.Join(texts, " ")
	}
	return r.name(clusterNames, f)
}

// isTrusted reports whether a text says that people voted.
func (r *comparisonReader) isTrusted(text string) bool {
	const few = 3
	is := text == r.people
	if r.anyPeople = r.anyPeople || is; !is && len(r.others) < few && !slices.Contains(r.others, text) {
		r.others = append(r.others, strings.Clone(text))
	}
	return is
}

// positive reads a number above 0 from the column of a role; without the column it is 1.
func (r *comparisonReader) positive(fields []field, role compared, what string) (float64, error) {
	k := r.at[role]
	if k < 0 {
		return 1, nil
	}
	f := fields[k]
	v, err := r.number(f)
	if err == nil && !(v > 0) {
		err = r.fault(f, "the %s is not above 0", what)
	}
	return v, err
}

// named is the number of the name in the column of a role, −1 without the column.
func (r *comparisonReader) named(fields []field, role compared, kind int) (int, error) {
	if k := r.at[role]; k >= 0 {
		return r.name(kind, fields[k])
	}
	return -1, nil
}

// name is the number of a name of a kind.
func (r *comparisonReader) name(kind int, f field) (int, error) {
	n := &r.names[kind]
	if g, is := n.find(f.text); is {
		return int(g), nil
	}
	what := [...]string{"an item", "the annotator", "the stratum", "the cluster"}[kind]
	if f.text == "" {
		return 0, r.fault(f, "the name of %s is missing", what)
	}
	if err := r.checkID(f, what); err != nil {
		return 0, err
	}
	return int(n.add(f.text)), nil
}
