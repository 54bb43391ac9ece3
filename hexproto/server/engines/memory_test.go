package engines_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gamebots/hexproto"
	"gamebots/hexproto/server/engines"
	"gamebots/hexproto/wire"
)

// opened counts the engines that are open.
type opened struct {
	t    *testing.T
	n    atomic.Int32 // timers close engines, too
	fail error
}

func (o *opened) open(context.Context, *wire.Game) (hexproto.Engine, error) {
	if o.fail != nil {
		return nil, o.fail
	}
	o.n.Add(1)
	return &engine{of: o}, nil
}

type engine struct {
	of     *opened
	closed atomic.Bool
}

func (e *engine) Decide(context.Context, *wire.Game, hexproto.Budget) (hexproto.Decision, error) {
	return hexproto.Decision{}, nil
}

func (e *engine) Close() error {
	if e.closed.Swap(true) {
		e.of.t.Error("closed twice")
	}
	e.of.n.Add(-1)
	return nil
}

func memory(t *testing.T, bytes int64) *engines.Memory {
	return engines.NewMemory(bytes, func(err error) { t.Error(err) })
}

// pass lets time pass. What was done in it may be read.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func use(t *testing.T, s *engines.Seat) *engine {
	t.Helper()
	e, err := s.Use(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if e.(*engine).closed.Load() {
		t.Fatal("closed, and in use")
	}
	return e.(*engine)
}

// Engines that rest are closed when others need their memory, those first that have
// rested longest; one in use is never closed.
func TestMemoryIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, all := memory(t, 60), &opened{t: t}
		var seats []*engines.Seat
		var first []*engine
		for range 4 {
			seats = append(seats, m.Seat(10, all.open))
		}
		for _, s := range seats[:3] {
			first = append(first, use(t, s))
			s.Rest()
		}
		if all.n.Load() != 3 || use(t, seats[0]) != first[0] {
			t.Errorf("%d are open", all.n.Load())
		}
		use(t, seats[3])
		if all.n.Load() != 3 || first[0].closed.Load() || !first[1].closed.Load() || first[2].closed.Load() {
			t.Errorf("%d are open: %+v", all.n.Load(), first)
		}
		seats[0].Rest()
		seats[3].Rest()
		if again := use(t, seats[1]); again == first[1] || !first[2].closed.Load() {
			t.Errorf("%+v", first)
		}
		seats[1].Rest()
		for _, s := range seats {
			s.Close()
		}
		if all.n.Load() != 0 {
			t.Errorf("%d are open after all", all.n.Load())
		}
		pass(time.Hour)
	})
}

// An engine that nobody uses is closed after a while, and so is one that is dropped,
// but not while it is in use.
func TestMemoryOfIdleEngines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, all := memory(t, 100), &opened{t: t}
		idle, dropped, used, small := m.Seat(10, all.open), m.Seat(10, all.open), m.Seat(10, all.open), m.Seat(0,
			all.open)
		for _, s := range []*engines.Seat{idle, dropped, used, small} {
			use(t, s)
		}
		idle.Rest()
		dropped.Rest()
		small.Rest()
		dropped.Drop()
		used.Drop()
		small.Drop()
		if all.n.Load() != 3 {
			t.Errorf("%d are open once one is dropped", all.n.Load())
		}
		pass(20 * time.Second)
		use(t, idle)
		pass(20 * time.Second)
		idle.Rest()
		pass(20 * time.Second)
		if all.n.Load() != 3 {
			t.Errorf("%d are open before the time", all.n.Load())
		}
		pass(20 * time.Second)
		if all.n.Load() != 2 {
			t.Errorf("%d are open after the time", all.n.Load())
		}
		used.Rest()
		for _, s := range []*engines.Seat{idle, dropped, used, small} {
			s.Close()
		}
		if all.n.Load() != 0 {
			t.Errorf("%d are open after all", all.n.Load())
		}
		pass(time.Hour)
	})
}

// An engine that does not open takes no memory.
func TestMemoryAfterFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, all := memory(t, 40), &opened{t: t}
		broken := &opened{t: t, fail: errors.New("broken")}
		s, bad := m.Seat(10, all.open), m.Seat(20, broken.open)
		for range 3 {
			if _, err := bad.Use(t.Context(), nil); !errors.Is(err, broken.fail) {
				t.Error(err)
			}
		}
		use(t, s)
		s.Rest()
		other := m.Seat(10, all.open)
		use(t, other)
		if all.n.Load() != 2 {
			t.Errorf("%d are open", all.n.Load())
		}
		other.Rest()
		other.Close()
		s.Close()
		pass(time.Hour)
	})
}
