package holdout

import (
	"errors"
	"fmt"

	"pairrank/data"
	"pairrank/eval/cv"
)

// MethodSplits returns the test sets of a method over m rows. lqo holds out each query. loo holds out
// each row, and ranks all rows together. kfold deals K folds by seed, of the queries, or of the
// rows of a single list. A validation set is one test set of all rows. Cost O(m). It returns an
// error when there are fewer units than folds, for lqo with a single query, for lpo, which holds
// out pairs, and where Check returns one.
func MethodSplits(m cv.Method, queries *data.Partition, seed uint64) (*Splits, error) {
	if err := check(m); err != nil {
		return nil, err
	}
	rows := len(queries.Rows)
	switch m.Kind {
	case cv.Validation:
		return SplitsOf(data.OneList(rows)), nil
	case cv.LeaveOneOut:
		return SplitsOf(data.Singletons(rows)).Together(), nil
	case cv.LeaveQueryOut:
		if queries.Len() < 2 {
			return nil, fmt.Errorf("leave-query-out needs at least two queries, and the data has %d", queries.Len())
		}
		return SplitsOf(queries), nil
	case cv.KFold:
		if queries.Len() > 1 {
			return folds(queries, nil, m.Folds, seed, "queries")
		}
		return folds(data.Singletons(rows), nil, m.Folds, seed, "rows")
	}
	return nil, errPairs
}

// errPairs is the error of functions that hold out sets of rows.
var errPairs = errors.New("lpo holds out pairs of rows, not groups: use kfold:K, or lqo with several queries")

// check is Method.Check, but accepts the method of Validated.
func check(m cv.Method) error {
	if m == (cv.Method{Kind: cv.Validation}) {
		return nil
	}
	return m.Check()
}

// folds deals the parts of units; event is that of dealBy.
func folds(units *data.Partition, event []bool, folds int, seed uint64, what string) (*Splits, error) {
	fold, err := dealBy(event, units.Len(), folds, seed, 0x6b666f6c64, what)
	if err != nil {
		return nil, err
	}
	of := make([]int32, len(units.Rows))
	for u, k := range fold {
		for _, i := range units.Part(u) {
			of[i] = k
		}
	}
	return SplitsOf(data.NewPartition(of, folds)), nil
}
