package cv

import (
	"errors"
	"fmt"
	"math/rand/v2"
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

// Check refuses what is no method: an unknown kind, folds of another method than kfold, or
// fewer than two of it.
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
	return fmt.Errorf("%q with %d folds is no method: known are lqo, lpo, loo, and kfold with 2 folds or more", string(m.Kind), m.Folds)
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
		return Method{}, fmt.Errorf("kfold needs a whole number of folds from 2 on, as in kfold:10, and %q was given", name)
	}
	meant := ""
	if near := spell.Nearest(kind, []string{string(LeaveQueryOut), string(LeavePairOut), string(LeaveOneOut), "kfold:K"}); near != "" {
		meant = "did you mean " + near + "? "
	}
	return Method{}, fmt.Errorf("unknown method %q: %sknown are lqo, lpo, loo, kfold:K", name, meant)
}

// Groups returns the partition of the m rows into the sets that the method holds out one
// at a time; all rows of a validation set are one. kfold deals the queries, or the rows
// of a single list, into folds by seed. Cost O(m). It returns an error when there are
// fewer of them than folds, when lqo meets a single query, for lpo, which has no groups,
// and for what Check refuses.
func (m Method) Groups(queries *pref.Partition, seed uint64) (*pref.Partition, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	rows := len(queries.Rows)
	switch m.Kind {
	case Validation:
		return pref.OneList(rows), nil
	case LeaveOneOut:
		return pref.Singletons(rows), nil
	case LeaveQueryOut:
		if queries.Len() < 2 {
			return nil, fmt.Errorf("leave-query-out needs at least two queries, and the data has %d", queries.Len())
		}
		return queries, nil
	case KFold:
		if queries.Len() > 1 {
			return deal(queries, m.Folds, seed, "queries")
		}
		return deal(pref.Singletons(rows), m.Folds, seed, "rows")
	}
	return nil, errPairs
}

// errPairs is the error of what holds out groups.
var errPairs = errors.New("lpo holds out pairs of rows, not groups of them: kfold:K does, and of several queries lqo")

// check is Check that lets the method of Validated pass.
func (m Method) check() error {
	if m == (Method{Kind: Validation}) {
		return nil
	}
	return m.Check()
}

// deal shuffles the parts of units and gives each fold every K-th of them.
func deal(units *pref.Partition, folds int, seed uint64, what string) (*pref.Partition, error) {
	if units.Len() < folds {
		return nil, fmt.Errorf("%d folds of %d %s: there are not enough of them", folds, units.Len(), what)
	}
	r := rand.New(rand.NewPCG(seed, 0x6b666f6c64))
	of := make([]int32, len(units.Rows))
	for place, u := range r.Perm(units.Len()) {
		for _, i := range units.Part(u) {
			of[i] = int32(place % folds)
		}
	}
	return pref.NewPartition(of, folds), nil
}
