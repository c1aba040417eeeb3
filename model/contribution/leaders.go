package contribution

import "pairrank/data"

// Leaders returns, for every query, its rows with the highest and the second highest of m scores,
// counted from 0; among equal scores the earlier row is first. A query of fewer than two rows has
// −1 and −1. nil queries are one list. It costs O(m), and panics when the queries do not have m
// rows.
func Leaders(queries *data.Partition, scores []float64) [][2]int {
	if queries == nil {
		queries = data.OneList(len(scores))
	}
	data.CheckPartition("contribution: queries", queries, len(scores))
	out := make([][2]int, queries.Len())
	for g := range out {
		out[g] = leaders(queries.Part(g), scores)
	}
	return out
}

// leaders returns the leaders of one query.
func leaders(rows []int32, scores []float64) [2]int {
	if len(rows) < 2 {
		return [2]int{-1, -1}
	}
	first, second := -1, -1
	for _, i := range rows {
		switch row := int(i); {
		case first < 0 || scores[row] > scores[first]:
			first, second = row, first
		case second < 0 || scores[row] > scores[second]:
			second = row
		}
	}
	return [2]int{first, second}
}
