package parallel

import (
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
