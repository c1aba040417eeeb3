package cv

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"pairrank/internal/spell"
	"pairrank/pref"
)

// Method is a way to hold out.
type Method struct {
	Kind Kind
	// Folds is K of kfold:K, else 0.
	Folds int
}

// Kind is the family of a Method.
type Kind string

const (
	LeaveQueryOut Kind = "lqo"
	LeavePairOut  Kind = "lpo"
	LeaveOneOut   Kind = "loo"
	KFold         Kind = "kfold"
	// Validation is the method of Validated. It holds out no rows of the
	// training data, and ParseMethod does not read it.
	Validation Kind = "valid"
)

// Check returns an error for an unknown kind, for folds with a method other than kfold, and for
// fewer than two folds.
func (m Method) Check() error {
	switch m.Kind {
	case LeaveQueryOut, LeavePairOut, LeaveOneOut:
		if m.Folds == 0 {
			return nil
		}
	case KFold:
		if m.Folds >= 2 {
			return nil
		}
	}
	return fmt.Errorf("%q with %d folds is not a method: known are lqo, lpo, loo, and kfold with 2 folds or more",
		string(m.Kind), m.Folds)
}

// String is the name that ParseMethod reads back.
func (m Method) String() string {
	if m.Kind == KFold {
		return "kfold:" + strconv.Itoa(m.Folds)
	}
	return string(m.Kind)
}

// ParseMethod reads lqo, lpo, loo or kfold:K with K ≥ 2. It returns an error that lists
// these for anything else.
func ParseMethod(name string) (Method, error) {
	kind, folds, has := strings.Cut(name, ":")
	switch Kind(kind) {
	case LeaveQueryOut, LeavePairOut, LeaveOneOut:
		if !has {
			return Method{Kind: Kind(kind)}, nil
		}
	case KFold:
		if k, err := strconv.Atoi(folds); has && err == nil && k >= 2 {
			return Method{Kind: KFold, Folds: k}, nil
		}
		return Method{}, fmt.Errorf("kfold needs 2 folds or more, as in kfold:10, not %q",
			name)
	}
	meant := ""
	if near := spell.Nearest(kind, []string{string(LeaveQueryOut), string(LeavePairOut), string(LeaveOneOut),
		"kfold:K"}); near != "" {
		meant = "did you mean " + near + "? "
	}
	return Method{}, fmt.Errorf("unknown method %q: %sknown are lqo, lpo, loo, kfold:K", name, meant)
}

// Splits returns the test sets of the method over m rows. lqo holds out each query. loo holds out
// each row, and ranks all rows together. kfold deals K folds by seed, of the queries, or of the
// rows of a single list. A validation set is one test set of all rows. Cost O(m). It returns an
// error when there are fewer units than folds, for lqo with a single query, for lpo, which holds
// out pairs, and where Check returns one.
func (m Method) Splits(queries *pref.Partition, seed uint64) (*Splits, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	rows := len(queries.Rows)
	switch m.Kind {
	case Validation:
		return SplitsOf(pref.OneList(rows)), nil
	case LeaveOneOut:
		return SplitsOf(pref.Singletons(rows)).Together(), nil
	case LeaveQueryOut:
		if queries.Len() < 2 {
			return nil, fmt.Errorf("leave-query-out needs at least two queries, and the data has %d", queries.Len())
		}
		return SplitsOf(queries), nil
	case KFold:
		if queries.Len() > 1 {
			return folds(queries, m.Folds, seed, "queries")
		}
		return folds(pref.Singletons(rows), m.Folds, seed, "rows")
	}
	return nil, errPairs
}

// errPairs is the error of functions that hold out sets of rows.
var errPairs = errors.New("lpo holds out pairs of rows, not groups: use kfold:K, or lqo with several queries")

// check is Check, but accepts the method of Validated.
func (m Method) check() error {
	if m == (Method{Kind: Validation}) {
		return nil
	}
	return m.Check()
}

// folds deals the parts of units.
func folds(units *pref.Partition, folds int, seed uint64, what string) (*Splits, error) {
	fold, err := Deal(units.Len(), folds, seed, 0x6b666f6c64, what)
	if err != nil {
		return nil, err
	}
	of := make([]int32, len(units.Rows))
	for u, k := range fold {
		for _, i := range units.Part(u) {
			of[i] = k
		}
	}
	return SplitsOf(pref.NewPartition(of, folds)), nil
}
