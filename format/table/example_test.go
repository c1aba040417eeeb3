package table_test

import (
	"fmt"
	"strings"

	"pairrank/format/table"
)

// Read rows of CSV text; ReadSet does it for a file, .npy and .npz too.
func ExampleReadSetFrom() {
	const text = `label,qid,price,weight
2,shoes,0.5,3
0,shoes,0.1,4
1,hats,0.7,1
`
	set, err := table.ReadSetFrom(strings.NewReader(text), "train.csv", table.Options{Separator: ','})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("features", set.Names, "labels", set.Y)
	for g := range set.Queries.Len() {
		fmt.Println(set.Queries.ID(g), "is rows", set.Queries.Part(g))
	}
	_, err = table.ReadSetFrom(strings.NewReader("label,price\n1,cheap\n"), "bad.csv", table.Options{})
	fmt.Println(err)
	// Output:
	// features [price weight] labels [2 0 1]
	// shoes is rows [0 1]
	// hats is rows [2]
	// bad.csv:2:3: not a finite number, in column "price": "cheap"
}
