package table

import (
	"errors"

	"pairrank/data"
	"pairrank/internal/codec"
)

// errAllRows is about rows that cannot be handed on some at a time: what the columns are, or how the features are kept,
// is known after all of them.
var errAllRows = errors.New("all rows are needed")

// readJSONFile reads JSON lines from a file. Where its rows cannot be handed on some at a time, or have a fault, it is
// read again as a whole.
func readJSONFile(path string, opts Options) (*data.Set, error) {
	ended := opts.watchEach()
	set, again, err := readJSONOnce(path, opts, opts.Rows.each != nil && opts.Features > 0)
	if again && !*ended {
		set, _, err = readJSONOnce(path, opts, false)
	}
	return set, err
}

// readJSONOnce reads a file, with some a regular one some rows at a time; again reports that it has to be read again.
func readJSONOnce(path string, opts Options, some bool) (set *data.Set, again bool, err error) {
	r, err := codec.Open(path)
	if err != nil {
		return nil, false, err
	}
	some = some && r.Size() >= 0
	set, err = readJSONLines(newLines(r, path, ',', opts.MaxLine), opts, some)
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, some, err
	}
	return set, false, nil
}

// panels are the objects that are handed on some at a time.
type panels struct {
	some  bool      // they are
	g     *gathered // those that were, nil before the first
	first int       // columns of the first of these
}

// passSome hands the rows on that are gathered, where there are enough.
func (j *objects) passSome() error {
	if !j.some || len(j.vals) < panelValues || len(j.lineOf) < leastPanel {
		return nil
	}
	return j.pass()
}

// pass hands the rows on that are gathered, and forgets them but for what is no feature.
func (j *objects) pass() error {
	if j.g == nil {
		g, err := j.begun()
		if err != nil {
			return err
		}
		if g.passFrom(); g.passing == nil {
			return errAllRows
		}
		j.g, j.first = g, len(j.cols)
	}
	if len(j.cols) > j.first || j.maySparse(j.g) {
		return errAllRows
	}
	if err := j.gather(j.g); err != nil {
		return err
	}
	if err := j.g.pass(j.g.passing.rows + len(j.lineOf)); err != nil {
		return err
	}
	j.lineOf, j.vals, j.slot, j.until, j.others = j.lineOf[:0], j.vals[:0], j.slot[:0], j.until[:0], nil
	j.kept = 0
	for _, c := range j.cols {
		c.texts, c.seen, c.rows = c.texts[:0], 0, 0
	}
	return nil
}

// passed makes the set of objects whose features were handed on.
func (j *objects) passed() (*data.Set, error) {
	if len(j.lineOf) > 0 {
		if err := j.pass(); err != nil {
			return nil, err
		}
	}
	return j.g.finish(j.g.passing.rows)
}
