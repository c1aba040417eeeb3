package relation

import (
	"context"
	"errors"
	"math"

	"pairrank/internal/fault"
	"pairrank/relation/kron"
)

// noPairsError is the error of edges that are held out without two labels of a row.
type noPairsError struct{}

func (noPairsError) Error() string {
	return "no two held-out edges of a row have different labels, so there is no error to estimate"
}

// classify gives what kron says its kind and code.
func classify(err error) error {
	var inexact *kron.NotExactError
	var none *kron.NoClosedFormError
	var known *Error
	switch {
	case err == nil, errors.As(err, &known), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &inexact):
		return fault.As(Use, FaultNotExact, err)
	case errors.As(err, &none):
		return fault.As(Use, FaultNoClosedForm, err)
	case errors.Is(err, kron.ErrNotPSD):
		return fault.As(Data, FaultNotPSD, err)
	case errors.Is(err, kron.ErrNumerical):
		return fault.As(Numerical, FaultNumerical, err)
	}
	return err
}

func nans(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = math.NaN()
	}
	return out
}
