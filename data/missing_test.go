package data

import (
	"errors"
	"fmt"
	"math"
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
