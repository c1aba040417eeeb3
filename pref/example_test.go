package pref_test

import (
	"fmt"

	"pairrank/pref"
)

// The defaults of a unit cost: each pair counts once, and tied pairs are out.
func ExampleOptions_Resolved() {
	o, err := pref.Options{Cost: pref.Unit}.Resolved()
	fmt.Println(o.Cost, o.Weight, o.Ties, err)
	// Output: unit pairs exclude <nil>
}
