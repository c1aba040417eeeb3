package table

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"pairrank/data"
	"pairrank/internal/codec"
)

// ScoreTable is scores of systems on the same items.
type ScoreTable struct {
	Systems, Items []string // in order of first appearance
	// Y has a row for each item and a column for each system: NaN where there is no score, the mean of repeated ones.
	Y *data.Dense
	// Units is the unit of each item, by its number; nil where each item is one. Unit is what one is called: item, or the
	// columns whose values name one together.
	Units []int
	Unit  string
	// Repeats is the mean, over the cells with several scores, of the variance of their mean: the sample variance by how
	// many there are. It is 0 where no cell has several. Repeated is how many cells have.
	Repeats  float64
	Repeated int
	// Columns, Reading and Doubts are as of Comparisons. Empty is how many lines have no score, and were left out.
	Columns, Reading, Doubts []string
	Empty                    int
}

// ScoreTableOptions say which columns are what, by name, by number or by a path in objects of JSON, as
// "results.accuracy"; "" finds them by name.
type ScoreTableOptions struct {
	Separator byte
	// System and Item may be several columns with commas between them, whose values together name a system or an item.
	System, Item, Score, Repeat string
	// Cluster has columns whose values together name the unit of an item.
	Cluster []string
	// Wide says that each column is a system and each line an item, wideSystems, or the other way, wideItems; "" reads a
	// score a line.
	Wide string
	// SystemFromFile makes each file a system of the file's name without folder and endings, or of NAME where it is given
	// as NAME=FILE.
	SystemFromFile bool
	// Rows is as of ComparisonsOptions.
	Rows    string
	MaxLine int
}

// The shapes of wide tables.
const (
	wideSystems = "systems"
	wideItems   = "items"
)

// ErrScoreColumns is wrapped by errors of ReadScoreTable about the columns of a file, ErrRepeatedScore by those about a
// second score of a system on an item.
var (
	ErrScoreColumns  = errors.New("columns of no table of scores")
	ErrRepeatedScore = errors.New("a repeated score")
)

// ReadScoreTable reads a table of scores from files of any container, as ReadComparisons does. A long table has a line
// for each score, with a system, an item and a score; a wide one has a column for each system or item. True and false
// count as 1 and 0, and so do the letters C and I of correct and incorrect answers. It keeps a number and a place for
// each cell, and no line, so that repeats take no memory but a bit each.
// It returns a *data.SyntaxError with line and column, and the errors of the files. Cost linear in the length of the
// text.
func ReadScoreTable(paths []string, o ScoreTableOptions) (*ScoreTable, error) {
	r := newScoreReader(&o)
	if len(paths) == 0 {
		return nil, errors.New("there are no files of scores")
	}
	named := map[string]bool{}
	for _, path := range paths {
		system, path, given := o.systemOf(path)
		if o.SystemFromFile && !given && named[system] {
			return nil, fmt.Errorf("two files are system %q: NAME=FILE gives one another name", system)
		}
		named[system] = true
		read := reading(func(l *lines) (none struct{}, err error) { return none, r.read(l, system) })
		if _, err := read(openShape(path, o.Separator, o.MaxLine)); err != nil {
			return nil, err
		}
	}
	return r.finish()
}

// ReadScoreTableFrom is ReadScoreTable of text from a reader; errors call it name.
func ReadScoreTableFrom(in io.Reader, name string, o ScoreTableOptions) (*ScoreTable, error) {
	r := newScoreReader(&o)
	if err := r.read(shapeFrom(in, name, o.Separator, o.MaxLine), stem(name)); err != nil {
		return nil, err
	}
	return r.finish()
}

// systemOf is the system that a file is, and its path; given says that the name was given.
func (o *ScoreTableOptions) systemOf(path string) (system, file string, given bool) {
	if name, after, is := strings.Cut(path, "="); is && o.SystemFromFile && name != "" {
		if _, err := os.Stat(path); err != nil {
			return name, after, true
		}
	}
	return stem(path), path, false
}

// stem is a file's name without its folder and endings.
func stem(path string) string {
	name := filepath.Base(codec.PlainName(path))
	return strings.TrimSuffix(name, filepath.Ext(name))
}
