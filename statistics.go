package pairrank

import (
	"context"

	"pairrank/data"
)

// StatisticsOptions say what Statistics sum. Those of two Statistics that are merged are
// the same.
type StatisticsOptions struct {
	// Learner is what is to be trained: its Regression and Pairs decide what is summed,
	// and the rest of it is zero.
	Learner LeastSquares
	// Normalize is a normalisation that needs no other query: "", data.NormalizeNone or
	// data.NormalizeQueryMinMax.
	Normalize string
	// Threshold is that of Options.
	Threshold *float64
	// Outputs is v, the number of labels of a row; 0 is 1.
	Outputs int
	// Folds is the number of folds into which the queries fall by QueryFold, of which the
	// held-out error of each λ follows exactly; 0 is ten, 1 holds nothing out.
	Folds int
	// Names are those of the features, or nil.
	Names []string
}

// Query is the rows of one query: its X and Y, its ID, and where it is from.
type Query = data.Query

// Statistics are the sums over queries from which RankRLS is trained: see rls.Moments.
type Statistics struct{}

// NewStatistics are those of no query.
func NewStatistics(o StatisticsOptions) (*Statistics, error) { panic("todo") }

// Add adds a query.
func (s *Statistics) Add(q Query) error { panic("todo") }

// Merge adds o, of other queries, to s; o is not changed.
func (s *Statistics) Merge(o *Statistics) error { panic("todo") }

// Subtract forgets the queries of o, all of which are in s.
func (s *Statistics) Subtract(o *Statistics) error { panic("todo") }

// AppendBinary appends the bytes that UnmarshalBinary reads.
func (s *Statistics) AppendBinary(b []byte) ([]byte, error) { panic("todo") }

// UnmarshalBinary reads what AppendBinary wrote.
func (s *Statistics) UnmarshalBinary(b []byte) error { panic("todo") }

// Options are those the statistics were made with.
func (s *Statistics) Options() StatisticsOptions { panic("todo") }

// Rows, Queries and Features are what was added.
func (s *Statistics) Rows() int64   { panic("todo") }
func (s *Statistics) Queries() int  { panic("todo") }
func (s *Statistics) Features() int { panic("todo") }

// Train chooses λ of lambdas (none: the default path) by the folds and trains.
func (s *Statistics) Train(ctx context.Context, lambdas []float64, monitor Monitor) (*Result, error) {
	panic("todo")
}

// Part is a part of the data, such as a file, that is read once, from its first query to its last.
type Part struct {
	// Name is the source of the queries that name none.
	Name string
	// Each calls add with each query, from one goroutine at a time; what add is given is
	// not kept.
	Each func(ctx context.Context, add func(Query) error) error
}

// SumParts reads all parts once, several at a time, on all cores, and merges their
// statistics in the order of the parts.
func SumParts(ctx context.Context, parts []Part, o StatisticsOptions, monitor Monitor) (*Statistics, error) {
	panic("todo")
}

// QueryFold is the fold of a query: the first eight bytes of the SHA-256 of its name, as
// a big-endian number, modulo folds.
func QueryFold(id string, folds int) int { panic("todo") }
