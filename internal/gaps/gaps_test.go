package gaps

import (
	"errors"
	"slices"
	"testing"

	"pairrank/data"
)

// A value stands for what is missing as the training treats it.
func TestValue(t *testing.T) {
	mixed := &data.Substitutes{By: []data.Missing{data.MissingMin, data.MissingZero, data.MissingError},
		Least: []float64{1, 2, 0}}
	if v, filled := Value(mixed, 0); v != 1 || !filled {
		t.Errorf("a missing value is %v, %v", v, filled)
	}
	if v, filled := Value(mixed, 2); filled {
		t.Errorf("a refused value is %v", v)
	}
}

// The treatment of the training stands where no other one is asked for, and another one is an error, but for refusing.
func TestResolve(t *testing.T) {
	f := &data.Substitutes{By: []data.Missing{data.MissingMean, data.MissingZero, data.MissingError, data.MissingOwn}}
	for _, c := range []struct {
		asked, want []data.Missing
		at          int // the feature that is refused, or -1
	}{
		{[]data.Missing{data.MissingModel, data.MissingModel, data.MissingModel, data.MissingModel}, f.By, -1},
		{[]data.Missing{data.MissingMean, data.MissingError, data.MissingMin, data.MissingZero},
			[]data.Missing{data.MissingMean, data.MissingError, data.MissingMin, data.MissingZero}, -1},
		{[]data.Missing{data.MissingZero, data.MissingZero}, nil, 0},
		{[]data.Missing{data.MissingMean, data.MissingMean}, nil, 1},
	} {
		by := slices.Clone(c.asked)
		err := Resolve(f, by)
		var other *data.OtherTreatmentError
		if errors.As(err, &other) != (c.at >= 0) || c.at >= 0 && other.Feature != c.at {
			t.Errorf("%v: %v", c.asked, err)
		} else if c.at < 0 && !slices.Equal(by, c.want) {
			t.Errorf("%v became %v, want %v", c.asked, by, c.want)
		}
	}
	trained := &data.Substitutes{By: []data.Missing{data.MissingOwn, data.MissingOwn}, Own: []int{0}}
	by := []data.Missing{data.MissingOwn, data.MissingZero}
	var other *data.OtherTreatmentError
	if err := Resolve(trained, by); !errors.As(err, &other) || other.Feature != 1 {
		t.Errorf("zero in the place of a level: %v", err)
	}
	by = []data.Missing{data.MissingModel, data.MissingMean}
	if err := Resolve(nil, by); err != nil || by[0] != data.MissingError || by[1] != data.MissingMean {
		t.Errorf("without a training %v, %v", by, err)
	}
}
