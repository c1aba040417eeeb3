// Package pick copies the values of some rows.
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
