package limit

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A few guesses are free. The more follow, the rarer they are, of one client.
func TestGuesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Guesses
		start := time.Now()
		for i := range freeGuesses + 1 {
			if retry := g.Guess(t.Context(), "a"); retry != 0 || g.clients["a"].wrong != i+1 {
				t.Errorf("guess %d: %d, retry in %v", i, g.clients["a"].wrong, retry)
			}
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("the first guesses take %v", took)
		}
		for range 1000 { // each sent again as early as it may
			for {
				retry := g.Guess(t.Context(), "a")
				if retry == 0 {
					break
				}
				time.Sleep(retry)
			}
		}
		if rate := 1000 / time.Since(start).Seconds(); rate > 0.2 {
			t.Errorf("%.2f guesses a second", rate)
		}
		before := time.Now()
		g.Guess(t.Context(), "b")
		if took := time.Since(before); took != 0 {
			t.Errorf("another client waits %v", took)
		}
		time.Sleep(forgetAfter + MaxDelay + time.Second)
		g.Guess(t.Context(), "a")
		if number := g.clients["a"].wrong; number != 1 {
			t.Errorf("after a pause it is guess %d", number)
		}
	})
}

// Guesses that come at once are no more than those that come one by one, and only a
// few of them wait.
func TestGuessesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g Guesses
		var mu sync.Mutex
		refused := 0
		var all sync.WaitGroup
		for range 1000 {
			all.Go(func() {
				if retry := g.Guess(t.Context(), "a"); retry > 0 {
					mu.Lock()
					refused++
					mu.Unlock()
				}
			})
		}
		all.Wait()
		if refused < 980 {
			t.Errorf("only %d of 1000 are refused", refused)
		}
	})
}

// Secrets that were right do not count, and clients without number do not fill the
// memory.
func TestGuessesAreForgotten(t *testing.T) {
	var g Guesses
	for range 100 {
		g.Guess(t.Context(), "a")
		if number := g.clients["a"].wrong; number != 1 {
			t.Fatalf("guess %d", number)
		}
		g.Right("a")
	}
	for i := range 3 * maxGuessers {
		g.Guess(t.Context(), fmt.Sprint(i))
	}
	if n := len(g.clients); n > maxGuessers {
		t.Errorf("%d clients are remembered", n)
	}
}
