// Package pick has the numbers of rows, and copies the values of some.
package pick

// Rows is a copy of the values of the given rows, in that order, nil of nil. It panics when a row is not in the values.
func Rows[T any, N int | int32](values []T, rows []N) []T {
	if values == nil {
		return nil
	}
	some := make([]T, len(rows))
	for k, i := range rows {
		some[k] = values[i]
	}
	return some
}

// All are the numbers 0 to n−1, of all rows.
func All[N int | int32](n int) []N {
	all := make([]N, n)
	for i := range all {
		all[i] = N(i)
	}
	return all
}
