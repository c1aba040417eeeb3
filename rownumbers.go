package pairrank

import (
	"fmt"

	"pairrank/data"
)

// RowNumbers says of each feature of a set, m×n, that looks like the numbers of its rows, as other
// programs write them into a table, that it does: its values are whole numbers that ascend
// throughout. Train and Estimate warn of them. The cost is that of data.RowNumbers.
func RowNumbers(set *data.Set) (texts []string) {
	for _, j := range data.RowNumbers(set.X) {
		name := fmt.Sprintf("feature %d", j+1)
		if j < len(set.Names) && set.Names[j] != "" {
			name += fmt.Sprintf(" (%q)", set.Names[j])
		}
		texts = append(texts, name+" is whole-numbered and ascends throughout, as the numbers of rows do: "+
			"new rows go on from there, so nothing learnt from it holds for them")
	}
	return texts
}
