package goals_test

import (
	"fmt"

	"pairrank/data"
	"pairrank/internal/goals"
	"pairrank/pref"
)

// Two queries, of three and of two rows, that compare their rows by label.
func ExampleScored() {
	queries := data.NewPartition([]int32{0, 0, 0, 1, 1}, 2)
	goal, err := goals.Scored([]float64{2, 1, 0, 5, 3}, 1, queries, pref.Options{})
	if err != nil {
		panic(err)
	}
	x := []float64{1, 0, 0, 0, 0}
	goal.L.MulTo(x, x, 1)
	fmt.Println(goal.Pairs, "pairs; the first column of L", x)
	fmt.Println("linear term", goal.R)
	fmt.Println("loss of f = 0:", goal.Constant())
	// Output:
	// 4 pairs; the first column of L [2 -1 -1 0 0]
	// linear term [3 0 -3 2 -2]
	// loss of f = 0: 10
}

// Preferences given one by one. The second has magnitude 2 and weight ½.
func ExamplePreferences() {
	goal, err := goals.Preferences(4, []pref.Edge{
		{I: 0, J: 1, Magnitude: 1, Weight: 1},
		{I: 2, J: 3, Magnitude: 2, Weight: 0.5},
	}, pref.Magnitude)
	if err != nil {
		panic(err)
	}
	fmt.Println("linear term", goal.R)
	_, err = goals.Preferences(4, []pref.Edge{{I: 0, J: 1, Magnitude: 1}}, pref.Magnitude)
	fmt.Println(err)
	// Output:
	// linear term [1 -1 1 -1]
	// preference 1 has weight 0: set its Weight, 1 where all count alike, or leave the preference out
}

// Single rows of one list can be held out, with a scaled λ; with several queries only whole ones
// can, unless they weigh by their size.
func ExampleGoal_CanHoldOut() {
	y := []float64{2, 1, 0, 5, 3}
	rows, queries := data.Singletons(5), data.NewPartition([]int32{0, 0, 0, 1, 1}, 2)
	list, err := goals.Scored(y, 1, data.OneList(5), pref.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(list.CanHoldOut(rows), list.LambdaScales(rows)(0))
	several, err := goals.Scored(y, 1, queries, pref.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(several.CanHoldOut(queries), several.LambdaScales(queries) == nil)
	fmt.Println(several.CanHoldOut(rows))
	// Output:
	// <nil> 1.25
	// <nil> true
	// no exact shortcut: holding out part of a query reweights the rest; hold out whole queries, or weight by size
}
