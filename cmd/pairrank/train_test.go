package main

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"pairrank/format/svmlight"
	"pairrank/internal/holdout"
	"pairrank/internal/numeral"
	"pairrank/internal/spell"
	"pairrank/model"
)

// sameScores TOLERANCE DATA MODEL… checks that all models score DATA alike, to
// TOLERANCE of the largest score.
func sameScores(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 4 {
		ts.Fatalf("usage: samescores TOLERANCE DATA MODEL MODEL…")
	}
	tolerance, err := strconv.ParseFloat(args[0], 64)
	ts.Check(err)
	var first []float64
	for _, name := range args[2:] {
		m, err := model.ReadFile(ts.MkAbs(name))
		ts.Check(err)
		set, err := svmlight.ReadFile(context.Background(), ts.MkAbs(args[1]), svmlight.Options{})
		ts.Check(err)
		scores, err := m.Score(set)
		ts.Check(err)
		if first == nil {
			first = scores
			continue
		}
		top := math.Abs(slices.MaxFunc(first, func(a, b float64) int {
			return int(math.Copysign(1,
				math.Abs(a)-math.Abs(b)))
		}))
		for i, s := range scores {
			if math.Abs(s-first[i]) > tolerance*top {
				ts.Fatalf("%s scores row %d as %v, %s as %v", name, i+1, s, args[2], first[i])
			}
		}
	}
}

// sameBest TRAIN CV checks that the JSON documents of train and cv choose the
// same λ with the same error.
func sameBest(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: samebest TRAIN.json CV.json")
	}
	var train struct {
		Lambda    float64
		Selection []struct{ Lambda, Error float64 }
	}
	var validation struct {
		Best struct{ Lambda, Error float64 }
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &train))
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[1])), &validation))
	for _, point := range train.Selection {
		if point.Lambda == train.Lambda && point == validation.Best {
			return
		}
	}
	ts.Fatalf("train chooses λ = %v, cv has %+v", train.Lambda, validation.Best)
}

// sameColumns TOLERANCE A B checks that two files of one number a line agree.
func sameColumns(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: samecolumns TOLERANCE A B")
	}
	tolerance, err := strconv.ParseFloat(args[0], 64)
	ts.Check(err)
	a, b := strings.Fields(ts.ReadFile(args[1])), strings.Fields(ts.ReadFile(args[2]))
	if len(a) != len(b) {
		ts.Fatalf("%d and %d numbers", len(a), len(b))
	}
	for i := range a {
		if a[i] == b[i] { // the same text, such as an id
			continue
		}
		x, err := strconv.ParseFloat(a[i], 64)
		ts.Check(err)
		y, err := strconv.ParseFloat(b[i], 64)
		ts.Check(err)
		if math.Abs(x-y) > tolerance*max(1, math.Abs(x)) {
			ts.Fatalf("line %d: %v and %v", i+1, x, y)
		}
	}
}

// TestPower: what is printed of a λ is read back as it is.
func TestPower(t *testing.T) {
	for _, lambda := range append(holdout.Lambdas([]float64{1e-9, 700}, 1), 1, 0.1, 3, 1e-300, 23170.475) {
		text := spell.Power(lambda)
		back, err := numeral.ParseLambdas(text)
		if err != nil || math.Abs(back[0]-lambda) > 1e-5*lambda || strings.Contains(text, "^") && back[0] != lambda {
			t.Errorf("%v is %s, read as %v, %v", lambda, text, back, err)
		}
	}
	if spell.Power(math.Pow(2, 14.5)) != "2^14.5" || spell.Power(0.25) != "2^-2" ||
		spell.Power(23170.475) != "23170.5" {
		t.Errorf("%s, %s, %s", spell.Power(math.Pow(2, 14.5)), spell.Power(0.25), spell.Power(23170.475))
	}
}
