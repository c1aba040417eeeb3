package data

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
)

func TestSubstitutesOfTheTraining(t *testing.T) {
	nan := math.NaN()
	trained := NewDense(3, 3, []float64{1, nan, nan, 2, 4, nan, 6, 2, nan})
	mean := []Missing{MissingMean, MissingMean, MissingMean}
	f := SubstitutesOf(trained, mean)
	refused := []Missing{MissingError, MissingOwn, MissingError}
	if fmt.Sprint(*f) != "{[mean] [3 3 0] [] [] 4}" || SubstitutesOf(trained, refused) != nil {
		t.Fatalf("substitutes %v", *f)
	}
	mixed := SubstitutesOf(trained, []Missing{MissingMin, MissingZero, MissingError})
	if fmt.Sprint(*mixed) != "{[min zero error] [] [1 2 0] [] 0}" || mixed.Of(1) != MissingZero ||
		mixed.Of(3) != MissingError {
		t.Errorf("substitutes %v", *mixed)
	}
	if v, filled := mixed.Value(0); v != 1 || !filled {
		t.Errorf("a missing value is %v, %v", v, filled)
	}
	if v, filled := mixed.Value(2); filled {
		t.Errorf("a refused value is %v", v)
	}
	scored := NewDense(2, 4, []float64{nan, 5, nan, nan, 7, nan, 1, 2})
	if err := f.Fill(scored, mean); err != nil || fmt.Sprint(scored.Data) != "[3 5 0 NaN 7 3 1 2]" {
		t.Errorf("filled %v, %v", scored.Data, err)
	}
	var unfilled *UnfilledError
	scored = NewDense(2, 2, []float64{1, nan, nan, nan})
	by := []Missing{MissingMin, MissingZero}
	if err := f.Fill(scored, by); !errors.As(err, &unfilled) || unfilled.Feature != 0 || unfilled.By != MissingMin ||
		fmt.Sprint(scored.Data) != "[1 0 NaN 0]" {
		t.Errorf("without least values %v, %v", scored.Data, err)
	}
	if err := (*Substitutes)(nil).Fill(scored, mean[:2]); !errors.As(err, &unfilled) || unfilled.By != MissingMean {
		t.Errorf("without a substitutes %v", err)
	}
}

// The treatment of the training stands where no other one is asked for, and another one is an error, but for refusing.
func TestResolve(t *testing.T) {
	f := &Substitutes{By: []Missing{MissingMean, MissingZero, MissingError, MissingOwn}}
	for _, c := range []struct {
		asked, want []Missing
		at          int // the feature that is refused, or -1
	}{
		{[]Missing{MissingModel, MissingModel, MissingModel, MissingModel}, f.By, -1},
		{[]Missing{MissingMean, MissingError, MissingMin, MissingZero},
			[]Missing{MissingMean, MissingError, MissingMin, MissingZero}, -1},
		{[]Missing{MissingZero, MissingZero}, nil, 0},
		{[]Missing{MissingMean, MissingMean}, nil, 1},
	} {
		by := slices.Clone(c.asked)
		err := f.Resolve(by)
		var other *OtherTreatmentError
		if errors.As(err, &other) != (c.at >= 0) || c.at >= 0 && other.Feature != c.at {
			t.Errorf("%v: %v", c.asked, err)
		} else if c.at < 0 && !slices.Equal(by, c.want) {
			t.Errorf("%v became %v, want %v", c.asked, by, c.want)
		}
	}
	by := []Missing{MissingModel, MissingMean}
	if err := (*Substitutes)(nil).Resolve(by); err != nil || by[0] != MissingError || by[1] != MissingMean {
		t.Errorf("without a training %v, %v", by, err)
	}
}
