package limit

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gamebots/internal/parallel"
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
		if n := q.Clients(); n > 0 {
			t.Errorf("%d clients still wait", n)
		}
	})
}

// A client that comes anew has the next turn, before any of those that always ask.
func TestTurnsOfRareClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := NewTurns(1)
		ctx, cancel := context.WithCancel(t.Context())
		var others sync.WaitGroup
		for i := range 8 {
			for range 2 { // so that one always waits
				others.Go(func() {
					for {
						done, err := q.Take(ctx, i)
						if err != nil {
							return
						}
						time.Sleep(time.Second)
						done()
					}
				})
			}
		}
		time.Sleep(20 * time.Second)
		start := time.Now()
		done, err := q.Take(ctx, "rare")
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("it waits %v", took)
		}
		done()
		cancel()
		others.Wait()
	})
}

// Clients without number do not fill the memory.
func TestTurnsAreForgotten(t *testing.T) {
	q := NewTurns(1)
	for i := range 10 * remembered {
		done, err := q.Take(t.Context(), i)
		if err != nil {
			t.Fatal(err)
		}
		done()
	}
	if n := parallel.Get(&q.state, func(ts *turns) int { return len(ts.clients) }); n > 2*remembered+1 {
		t.Errorf("%d clients are remembered", n)
	}
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
