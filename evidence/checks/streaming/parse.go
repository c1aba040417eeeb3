package main

import (
	"context"
	"fmt"
	"os"

	"pairrank/data"
	"pairrank/format/svmlight"
	"pairrank/internal/parallel"
)

// parseOnly is the first argument of a process that reads files and does nothing else.
const parseOnly = "-parse"

// parseAll reads the files query by query, several at a time, as stream.Sum does, and prints
// the number of rows.
func parseAll(files []string) {
	rows := make([]int, len(files))
	errs := make([]error, len(files))
	parallel.For(len(files), func(_, k int) {
		errs[k] = svmlight.EachQuery(context.Background(), files[k], svmlight.Options{}, func(q data.Query) error {
			rows[k] += len(q.Y)
			return nil
		})
	})
	all := 0
	for k, err := range errs {
		if err != nil {
			fmt.Fprintln(os.Stderr, "streaming:", err)
			os.Exit(1)
		}
		all += rows[k]
	}
	fmt.Println(all)
}
