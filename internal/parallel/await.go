package parallel

import "context"

// Await returns what work returns, or the cause of the end of ctx as soon as it ends. Work that is
// given up goes on until it returns or the program exits, so nothing of it may be kept, or all of it
// in one step.
func Await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := work()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}
