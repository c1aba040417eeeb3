package data

import "fmt"

// Queries says which rows belong to which query. The rows of a query need not
// be contiguous.
type Queries struct {
	IDs    []string // q names in order of first appearance
	Of     []int32  // row → query, length m
	Bounds []int    // length q+1: the rows of query g, ascending, are Rows[Bounds[g]:Bounds[g+1]]
	Rows   []int32  // length m
}

// NewQueries groups the rows 0 … len(of)-1, where row i belongs to query of[i]
// with the name ids[of[i]], in O(m+q). It keeps of and ids; the caller numbers
// the queries in order of first appearance. It panics when a number is not in
// [0,len(ids)).
func NewQueries(of []int32, ids []string) *Queries {
	q := &Queries{IDs: ids, Of: of, Bounds: make([]int, len(ids)+1), Rows: make([]int32, len(of))}
	for i, g := range of {
		if g < 0 || int(g) >= len(ids) {
			panic(fmt.Sprintf("data: row %d is of query %d, there are %d", i, g, len(ids)))
		}
		q.Bounds[g+1]++
	}
	for g := range ids {
		q.Bounds[g+1] += q.Bounds[g]
	}
	next := append([]int(nil), q.Bounds[:len(ids)]...)
	for i, g := range of {
		q.Rows[next[g]] = int32(i)
		next[g]++
	}
	return q
}

// OneList returns m rows that belong to one query with an empty name.
func OneList(m int) *Queries { return NewQueries(make([]int32, m), []string{""}) }

// Len returns the number of queries q.
func (q *Queries) Len() int { return len(q.IDs) }

// RowsOf returns the rows of query g, ascending: a slice of Rows.
func (q *Queries) RowsOf(g int) []int32 {
	lo, hi := q.Bounds[g], q.Bounds[g+1]
	return q.Rows[lo:hi:hi]
}

// Contiguous reports whether the rows of every query follow one another.
func (q *Queries) Contiguous() bool {
	for g := range q.IDs {
		if rows := q.RowsOf(g); len(rows) > 0 && int(rows[len(rows)-1]-rows[0]) != len(rows)-1 {
			return false
		}
	}
	return true
}

// subset returns the queries of the given rows, numbered anew in order of
// first appearance; queries without a row left are dropped.
func (q *Queries) subset(rows []int) *Queries {
	number := make([]int32, len(q.IDs)) // new number + 1, 0 when not seen yet
	of := make([]int32, len(rows))
	var ids []string
	for k, i := range rows {
		g := q.Of[i]
		if number[g] == 0 {
			ids = append(ids, q.IDs[g])
			number[g] = int32(len(ids))
		}
		of[k] = number[g] - 1
	}
	return NewQueries(of, ids)
}
