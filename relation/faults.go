package relation

import (
	"context"
	"errors"

	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/holdout"
	"pairrank/internal/kron"
)

// noPairs translates an error of cv about rows to edges: there are no pairs to estimate from.
func noPairs(err error, splits *holdout.Splits) error {
	var none *holdout.NoPairsError
	switch {
	case !errors.As(err, &none):
		return err
	case splits != nil && len(splits.Held()) == 0:
		return fault.As(fault.Data, "", errors.New("no edge is held out"))
	}
	return fault.As(fault.Data, "", noPairsError{none})
}

// noPairsError is a *cv.NoPairsError of edges.
type noPairsError struct{ *holdout.NoPairsError }

func (noPairsError) Error() string {
	return "no two held-out edges of a row have different labels, so there is no error to estimate"
}

// Unwrap returns the error of cv.
func (e noPairsError) Unwrap() error { return e.NoPairsError }

// classify gives errors of kron their kind and code.
func classify(err error) error {
	var inexact *kron.NotExactError
	var none *kron.NoClosedFormError
	var known *fault.Error
	switch {
	case err == nil, errors.As(err, &known), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &inexact):
		return fault.As(fault.Use, codes.FaultEdgesNotExact, err)
	case errors.As(err, &none):
		return fault.As(fault.Use, codes.FaultEdgesNoClosedForm, err)
	case errors.Is(err, kron.ErrNotPSD):
		return fault.As(fault.Data, codes.FaultEdgesNotPSD, err)
	case errors.Is(err, kron.ErrNumerical):
		return fault.As(fault.Numerical, codes.FaultEdgesNumerical, err)
	}
	return err
}
