package limit

import (
	"context"
	"slices"
	"sync"
)

// Turns bounds expensive work: some callers at a time, and one of each client. The
// next turn is that of the client whose last one is longest ago. So a client that
// comes rarely waits for a turn that is under way, however many others always ask.
type Turns struct {
	mu      sync.Mutex
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
func NewTurns(atOnce int) *Turns { return &Turns{free: atOnce, clients: map[any]*worker{}} }

// Clients returns how many clients have a turn or wait for one.
func (q *Turns) Clients() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.active
}

// Take waits for a client's turn. The caller calls done at its end. An error means
// that the context ended first.
func (q *Turns) Take(ctx context.Context, client any) (done func(), err error) {
	t := q.join(client)
	select {
	case <-t.begins:
	case <-ctx.Done():
		q.mu.Lock()
		defer q.mu.Unlock()
		if i := slices.Index(q.waiting, t); i >= 0 {
			q.waiting = slices.Delete(q.waiting, i, i+1)
			q.leave(t.worker)
		} else { // the turn came at the same moment
			q.end(t.worker)
		}
		return nil, ctx.Err()
	}
	return func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.end(t.worker)
	}, nil
}

// join puts a call of a client among those that wait.
func (q *Turns) join(client any) *turn {
	q.mu.Lock()
	defer q.mu.Unlock()
	w := q.clients[client]
	if w == nil {
		if len(q.clients) > 2*remembered {
			q.forget()
		}
		w = &worker{}
		q.clients[client] = w
	}
	if w.calls++; w.calls == 1 {
		q.active++
	}
	t := &turn{w, make(chan struct{})}
	q.waiting = append(q.waiting, t)
	q.begin()
	return t
}

// forget forgets the clients that had no turn for long. The caller holds the lock.
func (q *Turns) forget() {
	for client, w := range q.clients {
		if w.calls == 0 && w.last <= q.begun-remembered {
			delete(q.clients, client)
		}
	}
}

// begin begins the turns that there is room for. The caller holds the lock.
func (q *Turns) begin() {
	for q.free > 0 {
		next := -1
		for i, t := range q.waiting {
			if !t.worker.working && (next < 0 || t.worker.last < q.waiting[next].worker.last) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		t := q.waiting[next]
		q.waiting = slices.Delete(q.waiting, next, next+1)
		q.free--
		q.begun++
		t.worker.working, t.worker.last = true, q.begun
		close(t.begins)
	}
}

// end ends the turn of a client. The caller holds the lock.
func (q *Turns) end(w *worker) {
	w.working = false
	q.free++
	q.leave(w)
	q.begin()
}

// leave counts a call of a client less. The caller holds the lock.
func (q *Turns) leave(w *worker) {
	if w.calls--; w.calls == 0 {
		q.active--
	}
}
