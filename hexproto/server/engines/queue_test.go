package engines_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"gamebots/hexproto/server/engines"
)

// thinkers take turns of a second each and record the accounts in the order of their
// turns.
type thinkers struct {
	t     *testing.T
	queue *engines.Queue[string]

	mu    sync.Mutex // several may have a turn at a time
	order []string
	share []float64
}

// start has an account wait for one turn in each of its games.
func (th *thinkers) start(account string, games int, clocked bool) {
	for range games {
		go func() {
			share, done, err := th.queue.Wait(th.t.Context(), account, clocked)
			if err != nil {
				th.t.Error(err)
				return
			}
			th.mu.Lock()
			th.order, th.share = append(th.order, account), append(th.share, share)
			th.mu.Unlock()
			time.Sleep(time.Second)
			done()
		}()
		synctest.Wait()
	}
}

// want checks the order of the turns once all are over.
func (th *thinkers) want(order string) {
	th.t.Helper()
	pass(time.Hour)
	if got := strings.Join(th.order, " "); got != order {
		th.t.Errorf("turns of %s, not %s", got, order)
	}
}

func TestQueueServesAccountsInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := &thinkers{t: t, queue: engines.NewQueue[string](1)}
		th.start("eve", 5, false)
		th.start("ada", 2, false)
		th.start("bob", 1, false)
		if n := th.queue.Waiting(); n != 7 {
			t.Errorf("%d wait", n)
		}
		th.want("eve eve ada bob eve ada eve eve")
	})
}

func TestQueueServesClocksAlternately(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := &thinkers{t: t, queue: engines.NewQueue[string](1)}
		for _, a := range []string{"eve1", "eve2", "eve3", "eve4", "eve5"} {
			th.start(a, 1, false)
		}
		th.start("ada", 2, true)
		th.want("eve1 eve2 ada eve3 ada eve4 eve5")
	})
}

// A turn is shorter the more accounts wait, and the more games of its own.
func TestQueueShares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := &thinkers{t: t, queue: engines.NewQueue[string](1)}
		th.start("eve", 5, false)
		th.start("ada", 1, false)
		th.want("eve eve ada eve eve eve")
		if want := []float64{1, 1. / 5, 1. / 2, 1. / 3, 1. / 2, 1}; !slices.Equal(th.share, want) {
			t.Errorf("shares %v, not %v", th.share, want)
		}
	})
}

func TestQueueSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := &thinkers{t: t, queue: engines.NewQueue[string](3)}
		start := time.Now()
		th.start("ada", 7, false)
		for th.queue.Waiting() > 0 {
			time.Sleep(time.Millisecond)
		}
		if took := time.Since(start).Round(time.Second); took != 2*time.Second {
			t.Errorf("the seventh turn comes after %v", took)
		}
		time.Sleep(time.Hour)
	})
}

// Those who no longer wait get no turn, and lose none of others.
func TestQueueCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		th := &thinkers{t: t, queue: engines.NewQueue[string](1)}
		th.start("ada", 1, false)
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		for range 3 {
			go func() {
				if _, _, err := th.queue.Wait(ctx, "eve", false); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("eve: %v", err)
				}
			}()
		}
		synctest.Wait()
		th.start("bob", 1, true)
		th.start("ada", 1, false)
		th.want("ada ada bob")
		if n := th.queue.Waiting(); n != 0 {
			t.Errorf("%d wait", n)
		}
	})
}
