package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"pairrank/format/svmlight"
	"pairrank/format/table"
	"pairrank/stream"
)

func init() {
	register.DoFn3x1[context.Context, file, func(int64, unit), error](&sumFile{})
	register.DoFn4x1[context.Context, []byte, func(int64) func(*unit) bool, func(unit), error](&mergeUnits{})
	register.Emitter2[int64, unit]()
	register.Emitter1[unit]()
	register.Iter1[unit]()
}

// Input says what to sum, and how to read it.
type Input struct {
	// Files are read by the workers; their sums are merged in this order.
	Files []string
	// Statistics are the options of the sums.
	Statistics stream.Options
	// Reading says how the files are read: its Features, Extra, ZeroBased, Missing (except by means
	// or least values, which need all rows) and MaxLine.
	Reading svmlight.Options
	// Columns say how tables are read, files whose names end in .csv or .tsv. Their rows are not Scattered. Its Missing
	// and MaxLine are those of Reading, and its Names and Features those of Statistics.
	Columns table.Options
	// Scattered says that the rows of a query may stand in several files, and anywhere
	// in a file. The rows of a query are then in the order of the files.
	Scattered bool
	// Buckets is the number of parts into which Scattered divides the queries by a hash of their
	// names; a worker holds the rows of one in memory. 0 is DefaultBuckets. The bits of the sums
	// depend on Buckets, and on nothing else that may differ between runs.
	Buckets int
}

// DefaultBuckets is the number of buckets of scattered queries where none is given.
const DefaultBuckets = 64

// Sum sums all files: a PCollection of one element, which Train takes. It returns an error for
// invalid options, and panics without files.
//
// A worker needs memory for its sums, O(n²) numbers for every fold, and for one query; the merging
// worker holds two sums at a time.
func Sum(s beam.Scope, in Input) (sum beam.PCollection, err error) {
	if len(in.Files) == 0 {
		panic("pipeline: no file to sum")
	}
	s = s.Scope("Sum")
	none, err := stream.New(in.Statistics)
	if err != nil {
		return sum, err
	}
	empty, err := none.AppendBinary(nil)
	if err != nil {
		return sum, err
	}
	files := elements(s, in.Files)
	in.Columns.Names, in.Columns.Features = in.Statistics.Names, len(in.Statistics.Names)
	reading := newReading(in.Reading, in.Columns)
	if in.Scattered && slices.ContainsFunc(in.Files, IsTable) {
		return sum, errors.New("the rows of a query of a table follow each other: only SVMlight text may be scattered")
	}
	var units beam.PCollection
	n := len(in.Files)
	if in.Scattered {
		if n = in.Buckets; n == 0 {
			n = DefaultBuckets
		}
		if n < 0 {
			return sum, fmt.Errorf("the number of buckets is at least 1, not %d", n)
		}
		chunks := beam.ParDo(s, &scatterRows{Reading: reading, Buckets: n}, files)
		units = beam.ParDo(s, &sumBucket{Empty: empty, Files: len(in.Files), Features: in.Reading.Features},
			beam.GroupByKey(s, chunks))
	} else {
		units = beam.ParDo(s, &sumFile{Reading: reading, Empty: empty}, files)
	}
	return beam.ParDo(s, &mergeUnits{Units: n, Empty: empty}, beam.Impulse(s), beam.SideInput{Input: units}), nil
}

// sumFile sums a file. Its fields are exported, as Beam carries no others.
type sumFile struct {
	Reading reading
	Empty   []byte // statistics of no query, with the options
}

// ProcessElement emits one sum for the file.
func (f *sumFile) ProcessElement(ctx context.Context, in file, emit func(int64, unit)) error {
	sum, err := statistics(f.Empty)
	if err != nil {
		return err
	}
	if err := f.Reading.eachQuery(ctx, in.Name, sum.Add); err != nil {
		return say(err)
	}
	emit(in.Index, unit{in.Name, sum})
	return nil
}

// mergeUnits merges Units sums in their order. They are looked up one after the other, so
// that two are in memory at a time.
type mergeUnits struct {
	Units int
	Empty []byte
}

// ProcessElement emits the merged sum for the one element it is called with.
func (m *mergeUnits) ProcessElement(ctx context.Context, _ []byte, units func(int64) func(*unit) bool,
	emit func(unit)) error {
	sum, err := statistics(m.Empty)
	if err != nil {
		return err
	}
	for k := range m.Units {
		if err := ctx.Err(); err != nil {
			return err
		}
		next := units(int64(k))
		var part, again unit
		if !next(&part) {
			return say(fmt.Errorf("the sum of part %d of %d is lost", k+1, m.Units))
		}
		if next(&again) {
			return say(fmt.Errorf("the sum of %s is there twice", part.Name))
		}
		if err := sum.Merge(part.Statistics); err != nil {
			return say(err)
		}
	}
	emit(unit{fmt.Sprintf("%d parts", m.Units), sum})
	return nil
}
