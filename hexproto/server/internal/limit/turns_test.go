package limit

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Each client works once at a time, and waits for one call of each other client at
// most, however many calls that makes.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewTurns(2)
		var working, flood atomic.Int32
		work := func(client string) {
			done, err := q.Take(t.Context(), client)
			if err != nil {
				t.Error(err)
				return
			}
			defer done()
			if n := working.Add(1); n > 2 {
				t.Errorf("%d at a time", n)
			}
			if client == "flood" {
				if n := flood.Add(1); n > 1 {
					t.Errorf("%d of one client at a time", n)
				}
				defer flood.Add(-1)
			}
			time.Sleep(time.Second)
			working.Add(-1)
		}
		for range 100 {
			go work("flood")
		}
		synctest.Wait()
		start := time.Now()
		go work("other")
		work("honest")
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("it waits %v behind a flood", took-time.Second)
		}
		time.Sleep(200 * time.Second)
		synctest.Wait() // for the last ones to have left
		if len(q.clients) > 0 {
			t.Errorf("%d clients are remembered", len(q.clients))
		}
	})
}

// A call that is given up takes no turn.
func TestTurnsGivenUp(t *testing.T) {
	q := NewTurns(1)
	done, err := q.Take(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, client := range []int{1, 2} {
		if _, err := q.Take(ended, client); err == nil {
			t.Error("it has a turn")
		}
	}
	done()
	for _, client := range []int{1, 2} {
		done, err := q.Take(t.Context(), client)
		if err != nil {
			t.Fatal(err)
		}
		done()
	}
}
