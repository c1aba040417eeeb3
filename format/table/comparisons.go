package table

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/internal/spell"
)

// Comparison is comparisons of two items that are alike: a single one, or a line of counts.
type Comparison struct {
	Left, Right        int     // numbers of the items
	Wins, Losses, Ties float64 // of the left item, of the right one, and of neither
	Weight, Magnitude  float64 // 1 where the file has none
	Annotator, Stratum int     // numbers, −1 for none
}

// Comparisons is a file of comparisons between named items.
type Comparisons struct {
	Items, Annotators, Strata []string // in order of first appearance
	Covariates                []string
	Lines                     []Comparison
	X                         *data.Dense // the covariates of the lines; nil where there are none
	// Of is the line that holds each line of the file, and Outcome the index of its single outcome: 0 for
	// a win of the left item, 1 of the right one, 2 for a tie; −1 for counts.
	Of      []int32
	Outcome []int8
	// Counts says that the file has counts of outcomes.
	Counts bool
	// Columns says which column is what: ROLE "name", in the order of the file.
	Columns []string
	// Doubts are what is readable but probably not meant: items whose names differ by case or blanks.
	Doubts []string
}

// ComparisonsOptions say which columns are what, by name or number; "" finds them by name.
type ComparisonsOptions struct {
	Separator                  byte
	Left, Right, Winner, Loser string
	WinsLeft, WinsRight, Ties  string
	Weight, Magnitude          string
	Annotator, Stratum         string
	Covariates                 []string
	MaxLine                    int
}

// The columns of a file of comparisons.
const (
	leftItem role = iota + 100
	rightItem
	winner
	loser
	winsLeft
	winsRight
	ties
	tiesBad
	weight
	magnitude
	annotator
	stratum
	covariate
)

// comparisonNames are the names by which columns are found, in the form of plain, and what they are called.
var comparisonNames = []struct {
	role  role
	noun  string
	names []string
}{
	{leftItem, "left", []string{"left", "model_a", "a", "item_a", "home", "player_a", "player1", "player_1"}},
	{rightItem, "right", []string{"right", "model_b", "b", "item_b", "away", "player_b", "player2", "player_2"}},
	{winner, "winner", []string{"winner", "result", "outcome", "preference"}},
	{loser, "loser", []string{"loser"}},
	{winsLeft, "wins of the left", []string{"wins_a", "wins_left", "left_wins", "home_wins", "win1", "wins1"}},
	{winsRight, "wins of the right", []string{"wins_b", "wins_right", "right_wins", "away_wins", "win2", "wins2"}},
	{ties, "ties", []string{"ties", "draws", "tie", "draw"}},
	{tiesBad, "ties, both bad", []string{"ties_both_bad", "ties_bothbad", "both_bad"}},
	{weight, "weight", []string{"weight"}},
	{magnitude, "magnitude", []string{"magnitude"}},
	{annotator, "annotator", []string{"annotator", "worker", "judge"}},
	{stratum, "stratum", []string{"stratum"}},
}

// ReadComparisons reads comparisons from CSV or TSV text with a header: the columns of the left and
// the right item with a winner (left, right, tie; model_a, model_b, tie (bothbad); an item; 1, 0.5, 0) or with
// counts of wins and ties; or a winner and a loser. Others are a weight, a magnitude, an annotator, a stratum, and the
// covariates that are asked for; further columns are left out. Comparisons that are alike, also in annotator, stratum and
// orientation, are added up. It returns a *SyntaxError with line and column, and the errors of the file.
func ReadComparisons(path string, o ComparisonsOptions) (*Comparisons, error) {
	l, closeText, err := openText(path, o.Separator, o.MaxLine)
	if err != nil {
		return nil, err
	}
	c, err := readComparisons(l, o)
	if err = errors.Join(err, closeText()); err != nil {
		return nil, err
	}
	return c, nil
}

// ReadComparisonsFrom is ReadComparisons of text from a reader; errors call it name.
func ReadComparisonsFrom(r io.Reader, name string, o ComparisonsOptions) (*Comparisons, error) {
	return readComparisons(textFrom(r, name, o.Separator, o.MaxLine), o)
}

// comparisonReader gathers comparisons.
type comparisonReader struct {
	*lines
	out                       Comparisons
	at                        map[role]int // the columns
	covariates                []int
	items, annotators, strata interned
	same                      map[Comparison]int32 // without its counts: the line
	x                         []float64
}

func readComparisons(l *lines, o ComparisonsOptions) (*Comparisons, error) {
	r := &comparisonReader{lines: l, at: map[role]int{}, same: map[Comparison]int32{}}
	first, err := l.next()
	if err == io.EOF {
		return nil, &SyntaxError{File: l.name, Msg: "no comparisons: the file is empty"}
	}
	if err != nil {
		return nil, err
	}
	if err := r.columns(first, o); err != nil {
		return nil, err
	}
	width := len(first)
	for {
		fields, err := l.next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = l.ask()
		}
		if err == nil && len(fields) != width {
			err = l.fault(fields[len(fields)-1], "%d fields, but the first line has %d", len(fields), width)
		}
		if err == nil {
			err = r.take(fields)
		}
		if err != nil {
			return nil, err
		}
	}
	c := &r.out
	if len(c.Lines) == 0 {
		return nil, &SyntaxError{File: l.name, Msg: "no comparisons: the file has only a header"}
	}
	c.Items, c.Annotators, c.Strata = r.items.ids, r.annotators.ids, r.strata.ids
	if n := len(r.covariates); n > 0 {
		c.X = data.NewDense(len(c.Lines), n, r.x)
	}
	c.Doubts = alike(c.Items)
	return c, nil
}

// columns finds the columns of a header.
func (r *comparisonReader) columns(first []field, o ComparisonsOptions) error {
	h := &heading{count: len(first), at: map[string]int{}}
	for k, f := range slices.Backward(first) {
		h.at[f.text] = k
	}
	given := map[role]string{leftItem: o.Left, rightItem: o.Right, winner: o.Winner, loser: o.Loser, winsLeft: o.WinsLeft,
		winsRight: o.WinsRight, ties: o.Ties, weight: o.Weight, magnitude: o.Magnitude, annotator: o.Annotator,
		stratum: o.Stratum}
	taken := make([]bool, len(first))
	take := func(which string) (int, error) {
		k := h.find(which)
		if k < 0 {
			return 0, r.fault(field{col: 1}, "no column %q: the columns are %s", which, headerTexts(first))
		}
		if taken[k] {
			return 0, r.fault(first[k], "this column has two roles")
		}
		taken[k] = true
		return k, nil
	}
	for _, name := range comparisonNames {
		if which := given[name.role]; which != "" {
			k, err := take(which)
			if err != nil {
				return err
			}
			r.at[name.role] = k
		}
	}
	for _, which := range o.Covariates {
		k, err := take(which)
		if err != nil {
			return err
		}
		r.covariates = append(r.covariates, k)
		r.out.Covariates = append(r.out.Covariates, strings.Clone(first[k].text))
	}
	for _, name := range comparisonNames {
		if _, has := r.at[name.role]; has {
			continue
		}
		for k, f := range first {
			if taken[k] || !slices.Contains(name.names, plain(f.text)) {
				continue
			}
			if at, twice := r.at[name.role]; twice {
				return r.fault(f, "columns %d and %d may both be the %s: the columns are %s", at+1, k+1, name.noun,
					headerTexts(first))
			}
			r.at[name.role], taken[k] = k, true
		}
	}
	for k, f := range first {
		for _, name := range comparisonNames {
			if at, is := r.at[name.role]; is && at == k {
				r.out.Columns = append(r.out.Columns, fmt.Sprintf("%s %q", name.noun, f.text))
			}
		}
	}
	return r.checkColumns(first)
}

// checkColumns refuses columns that say no outcome.
func (r *comparisonReader) checkColumns(first []field) error {
	has := func(k role) bool { _, is := r.at[k]; return is }
	r.out.Counts = has(winsLeft) && has(winsRight)
	switch {
	case has(leftItem) && has(rightItem) && (r.out.Counts || has(winner)):
		return nil
	case has(winner) && has(loser) && !has(leftItem) && !has(rightItem):
		return nil
	}
	return r.fault(field{col: 1}, "the columns are no comparisons, which are left and right with winner or with counts of "+
		"wins, or winner and loser: %s", headerTexts(first))
}

// headerTexts lists the fields of a header.
func headerTexts(fields []field) string {
	return listed(len(fields), ", ", func(k int) string { return quotedID(fields[k].text) })
}

// take reads a line.
func (r *comparisonReader) take(fields []field) error {
	c := Comparison{Weight: 1, Magnitude: 1, Annotator: -1, Stratum: -1}
	left, right, counts, outcome, err := r.outcome(fields)
	if err != nil {
		return err
	}
	for _, side := range []struct {
		f  field
		to *int
	}{{left, &c.Left}, {right, &c.Right}} {
		if side.f.text == "" {
			return r.fault(side.f, "the name of an item is missing")
		}
		*side.to = r.items.place(side.f.text)
	}
	if c.Left == c.Right {
		return r.fault(right, "an item is compared with itself")
	}
	for _, number := range []struct {
		role role
		to   *float64
	}{{weight, &c.Weight}, {magnitude, &c.Magnitude}} {
		if k, is := r.at[number.role]; is {
			if *number.to, err = r.number(fields[k]); err != nil {
				return err
			}
			if !(*number.to > 0) {
				return r.fault(fields[k], "the %s is not above 0", map[role]string{weight: "weight", magnitude: "magnitude"}[number.role])
			}
		}
	}
	for _, name := range []struct {
		role role
		from *interned
		to   *int
	}{{annotator, &r.annotators, &c.Annotator}, {stratum, &r.strata, &c.Stratum}} {
		if k, is := r.at[name.role]; is {
			if fields[k].text == "" {
				return r.fault(fields[k], "the name is missing")
			}
			*name.to = name.from.place(fields[k].text)
		}
	}
	return r.add(c, counts, outcome, fields)
}

// add adds counts to the line of comparisons that are alike, or a new one. Lines with covariates are not alike.
func (r *comparisonReader) add(c Comparison, counts [3]float64, outcome int8, fields []field) error {
	out := &r.out
	at, is := r.same[c]
	if !is || r.covariates != nil {
		at = int32(len(out.Lines))
		if at == math.MaxInt32 {
			return fmt.Errorf("%s: more than %d comparisons", r.name, math.MaxInt32)
		}
		r.same[c] = at
		out.Lines = append(out.Lines, c)
		for _, k := range r.covariates {
			v, err := r.number(fields[k])
			if err != nil {
				return err
			}
			r.x = append(r.x, v)
		}
	}
	l := &out.Lines[at]
	l.Wins, l.Losses, l.Ties = l.Wins+counts[0], l.Losses+counts[1], l.Ties+counts[2]
	out.Of, out.Outcome = append(out.Of, at), append(out.Outcome, outcome)
	return nil
}

// place is the number of a text.
func (n *interned) place(text string) int {
	n.add(text)
	g := n.of[len(n.of)-1]
	n.of = n.of[:0]
	return int(g)
}

// outcome reads the items of a line and what it counts.
func (r *comparisonReader) outcome(fields []field) (left, right field, counts [3]float64, outcome int8, err error) {
	l, sided := r.at[leftItem]
	if !sided {
		return fields[r.at[winner]], fields[r.at[loser]], [3]float64{1}, 0, nil
	}
	left, right = fields[l], fields[r.at[rightItem]]
	if !r.out.Counts {
		outcome, err = r.won(fields[r.at[winner]], left, right)
		if err == nil {
			counts[outcome] = 1
		}
		return left, right, counts, outcome, err
	}
	for _, column := range []struct {
		role role
		to   int
	}{{winsLeft, 0}, {winsRight, 1}, {ties, 2}, {tiesBad, 2}} {
		k, is := r.at[column.role]
		if !is {
			continue
		}
		n, err := r.number(fields[k])
		if err == nil && n < 0 {
			err = r.fault(fields[k], "a count is below 0")
		}
		if err == nil && n != math.Trunc(n) {
			err = r.fault(fields[k], "a count is not whole")
		}
		if err != nil {
			return left, right, counts, -1, err
		}
		counts[column.to] += n
	}
	if counts == ([3]float64{}) {
		return left, right, counts, -1, r.fault(left, "the line counts no outcome")
	}
	return left, right, counts, -1, nil
}

// won reads who won: 0 the left item, 1 the right one, 2 neither.
func (r *comparisonReader) won(f, left, right field) (int8, error) {
	switch f.text {
	case left.text:
		return 0, nil
	case right.text:
		return 1, nil
	}
	switch plain(f.text) {
	case "left", "model_a", "a", "home":
		return 0, nil
	case "right", "model_b", "b", "away":
		return 1, nil
	case "tie", "draw", "tie_(bothbad)", "tie_(both_bad)", "both_bad", "bothbad":
		return 2, nil
	case "":
		return 0, r.fault(f, "the winner is missing")
	}
	if v, err := strconv.ParseFloat(f.text, 64); err == nil {
		switch v {
		case 1:
			return 0, nil
		case 0:
			return 1, nil
		case 0.5:
			return 2, nil
		}
	}
	return 0, r.fault(f, "the winner is neither %s nor %s, nor left, right or tie", quotedID(left.text),
		quotedID(right.text))
}

// alike lists names that differ by case or blanks alone.
func alike(names []string) (texts []string) {
	first := map[string]string{}
	for _, name := range names {
		key := strings.ToLower(strings.Join(strings.Fields(name), " "))
		if one, is := first[key]; is {
			texts = append(texts, fmt.Sprintf("the names %s differ by case or blanks: they are two items",
				spell.List([]string{strconv.Quote(one), strconv.Quote(name)})))
		} else {
			first[key] = name
		}
	}
	return texts
}
