package parallel

import (
	"context"
	"iter"
	"time"
)

// Signal sends to a channel with room for one signal, unless one waits there already.
func Signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Wait waits for a value from a channel, or for its close. It returns the cause of the end of ctx if that comes first.
func Wait[T any](ctx context.Context, c <-chan T) error {
	select {
	case <-c:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Every yields after each interval, until done is closed. An interval in which the loop was busy is left out.
func Every(done <-chan struct{}, interval time.Duration) iter.Seq[time.Time] {
	return func(yield func(time.Time) bool) {
		tick := time.NewTicker(interval)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case at := <-tick.C:
				if !yield(at) {
					return
				}
			}
		}
	}
}
