package svmlight_test

import (
	"context"
	"fmt"
	"strings"

	"pairrank/format/svmlight"
)

// Read LETOR text; ReadFile does it for a file, plain or compressed, on all cores.
func ExampleReadAll() {
	const text = `2 qid:10 1:0.5 3:0.25 #docid = GX1
0 qid:10 1:0.1 2:1
1 qid:20 2:0.5
`
	set, err := svmlight.ReadAll(context.Background(), strings.NewReader(text), "train.txt",
		svmlight.Options{KeepComments: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, features := set.X.Dims()
	fmt.Println(rows, "rows,", features, "features, labels", set.Y, "queries", set.Queries.IDs)
	fmt.Println("query 10 is rows", set.Queries.Part(0), "and row 0 is document", set.DocID(0))

	_, err = svmlight.ReadAll(context.Background(), strings.NewReader("1 2:3 1:4\n"), "bad.txt", svmlight.Options{})
	fmt.Println(err)
	// Output:
	// 3 rows, 3 features, labels [2 0 1] queries [10 20]
	// query 10 is rows [0 1] and row 0 is document GX1
	// bad.txt:1:7: index 1 after index 2, but indices ascend: "1:4"
}
