package shutdown

import (
	"slices"
	"sync"
	"time"
)

var (
	mu         sync.Mutex
	inhibitors []*string // what is being done, the latest last
)

// Inhibit says what is being done, such as "writing leduc.strategy", until done is called, more than once if need be.
func Inhibit(what string) (done func()) {
	mu.Lock()
	defer mu.Unlock()
	own := &what
	inhibitors = append(inhibitors, own)
	return func() {
		mu.Lock()
		defer mu.Unlock()
		inhibitors = slices.DeleteFunc(inhibitors, func(other *string) bool { return other == own })
	}
}

// Inhibited returns what was begun last of all that is being done, or "" if the program may end.
func Inhibited() string {
	mu.Lock()
	defer mu.Unlock()
	if len(inhibitors) == 0 {
		return ""
	}
	return *inhibitors[len(inhibitors)-1]
}

// begun is closed by Begin.
var (
	begun = make(chan struct{})
	begin = sync.OnceFunc(func() { close(begun) })
)

// Begin says that the program has been asked to end, for good.
func Begin() { begin() }

// hurry is the longest wait after Begin. Another program that is asked to end, told to and killed takes three.
const hurry = 100 * time.Millisecond

// Wait waits for another program with patience, and reports whether it is done. Patience is short once this program has
// been asked to end.
func Wait(done <-chan struct{}, patience time.Duration) bool {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for asked := begun; ; asked = nil { // once
		select {
		case <-done:
			return true
		case <-timer.C:
			return false
		case <-asked:
			timer.Reset(min(patience, hurry))
		}
	}
}
