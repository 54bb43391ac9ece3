package progress

import (
	"io"
	"sync"
	"time"
)

// Watch makes a bar on w and calls show whenever it is due, until stop is called, which removes the
// bar. It is for work that tells how far it is when asked.
func Watch(w io.Writer, what string, show func(*Bar)) (stop func()) {
	ended := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		bar := New(w, what)
		defer bar.Close()
		tick := time.NewTicker(time.Second / 10)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return
			case <-tick.C:
				if bar.Due() {
					show(bar)
				}
			}
		}
	})
	return func() {
		close(ended)
		watching.Wait()
	}
}
