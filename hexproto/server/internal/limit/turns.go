package limit

import (
	"context"
	"slices"

	"gamebots/internal/parallel"
)

// Turns bounds expensive work: some callers at a time, and one of each client. The
// next turn is that of the client whose last one is longest ago. So a client that
// comes rarely waits for a turn that is under way, however many others always ask.
type Turns struct{ state parallel.Guarded[turns] }

// turns are the state of Turns.
type turns struct {
	free    int
	begun   int // number of the last turn that began
	waiting []*turn
	clients map[any]*worker
	active  int // clients that have a turn or wait for one
}

// worker is a client, and when it had its last turn.
type worker struct {
	calls   int // calls with a turn, or waiting for one
	working bool
	last    int // number of its last turn, 0 if that is long ago
}

// turn is a call that waits.
type turn struct {
	worker *worker
	begins chan struct{}
}

// remembered is for how many turns Turns remembers who had them.
const remembered = 1000

// NewTurns returns turns for at most atOnce callers at a time.
func NewTurns(atOnce int) *Turns {
	return &Turns{parallel.Guard(turns{free: atOnce, clients: map[any]*worker{}})}
}

// Clients returns how many clients have a turn or wait for one.
func (q *Turns) Clients() int {
	return parallel.Get(&q.state, func(ts *turns) int { return ts.active })
}

// Take waits for a client's turn. The caller calls done at its end. An error means
// that the context ended first.
func (q *Turns) Take(ctx context.Context, client any) (done func(), err error) {
	t := parallel.Get(&q.state, func(ts *turns) *turn { return ts.join(client) })
	if err := parallel.Wait(ctx, t.begins); err != nil {
		q.state.With(func(ts *turns) {
			if i := slices.Index(ts.waiting, t); i >= 0 {
				ts.waiting = slices.Delete(ts.waiting, i, i+1)
				ts.leave(t.worker)
			} else { // the turn came at the same moment
				ts.end(t.worker)
			}
		})
		return nil, err
	}
	return func() { q.state.With(func(ts *turns) { ts.end(t.worker) }) }, nil
}

// join puts a call of a client among those that wait.
func (ts *turns) join(client any) *turn {
	w := ts.clients[client]
	if w == nil {
		if len(ts.clients) > 2*remembered {
			ts.forget()
		}
		w = &worker{}
		ts.clients[client] = w
	}
	if w.calls++; w.calls == 1 {
		ts.active++
	}
	t := &turn{w, make(chan struct{})}
	ts.waiting = append(ts.waiting, t)
	ts.begin()
	return t
}

// forget forgets the clients that had no turn for long.
func (ts *turns) forget() {
	for client, w := range ts.clients {
		if w.calls == 0 && w.last <= ts.begun-remembered {
			delete(ts.clients, client)
		}
	}
}

// begin begins the turns that there is room for.
func (ts *turns) begin() {
	for ts.free > 0 {
		next := -1
		for i, t := range ts.waiting {
			if !t.worker.working && (next < 0 || t.worker.last < ts.waiting[next].worker.last) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		t := ts.waiting[next]
		ts.waiting = slices.Delete(ts.waiting, next, next+1)
		ts.free--
		ts.begun++
		t.worker.working, t.worker.last = true, ts.begun
		close(t.begins)
	}
}

// end ends the turn of a client.
func (ts *turns) end(w *worker) {
	w.working = false
	ts.free++
	ts.leave(w)
	ts.begin()
}

// leave counts a call of a client less.
func (ts *turns) leave(w *worker) {
	if w.calls--; w.calls == 0 {
		ts.active--
	}
}
