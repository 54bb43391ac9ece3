package limit

import (
	"context"
	"sync"
)

// Turns bounds expensive work: some callers at a time, and one of each client.
// Clients are served in turn, however many calls each of them makes.
type Turns struct {
	slots chan struct{}

	mu      sync.Mutex
	clients map[any]*turn
}

// turn is what the calls of one client wait for.
type turn struct {
	slot  chan struct{}
	calls int
}

// NewTurns returns turns for at most atOnce callers at a time.
func NewTurns(atOnce int) *Turns {
	return &Turns{slots: make(chan struct{}, atOnce), clients: map[any]*turn{}}
}

// Clients returns how many clients have a turn or wait for one.
func (q *Turns) Clients() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.clients)
}

// Take waits for a client's turn. The caller calls done at its end. An error means
// that the context ended first.
func (q *Turns) Take(ctx context.Context, client any) (done func(), err error) {
	q.mu.Lock()
	t := q.clients[client]
	if t == nil {
		t = &turn{slot: make(chan struct{}, 1)}
		q.clients[client] = t
	}
	t.calls++
	q.mu.Unlock()
	leave := func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		if t.calls--; t.calls == 0 {
			delete(q.clients, client)
		}
	}
	select {
	case t.slot <- struct{}{}:
	case <-ctx.Done():
		leave()
		return nil, ctx.Err()
	}
	select {
	case q.slots <- struct{}{}: // channels serve those who wait in their order
	case <-ctx.Done():
		<-t.slot
		leave()
		return nil, ctx.Err()
	}
	return func() { <-q.slots; <-t.slot; leave() }, nil
}
