package cv

import (
	"fmt"
	"strconv"
	"strings"

	"pairrank/internal/spell"
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
