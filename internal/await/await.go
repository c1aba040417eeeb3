// Package await waits for work that does not look at a context.
package await

import "context"

// Result runs work on another goroutine and returns its result, or at once the error of ctx when
// ctx ends; then work continues and its result is lost. Where ctx never ends, work runs on the caller's goroutine.
func Result[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	if ctx.Done() == nil {
		return work()
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := work()
		done <- outcome{value, err}
	}()
	select {
	case end := <-done:
		return end.value, end.err
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// Error is Result of work that has an error alone.
func Error(ctx context.Context, work func() error) error {
	_, err := Result(ctx, func() (struct{}, error) { return struct{}{}, work() })
	return err
}
