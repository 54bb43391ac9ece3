package engines

import (
	"context"
	"slices"

	"gamebots/internal/parallel"
)

// Queue gives as many turns at a time as it has slots. Those who wait are served round robin by
// account, so that an account with many games waits no less than one with a single
// game. Games with clocks and games without are two lanes that are served alternately:
// no number of accounts without clocks makes a bot lose on time.
//
// Any goroutine may use a Queue.
type Queue[Account comparable] struct {
	state parallel.Guarded[queue[Account]]
}

// queue is the state of a Queue.
type queue[Account comparable] struct {
	slots   int
	free    int
	lanes   [2]lane[Account] // games without clocks, and with
	next    int              // the lane to serve first
	waiting int              // accounts' turns in both lanes
}

// lane is a queue of accounts, each with a queue of its own.
type lane[Account comparable] struct {
	order   []Account // those who wait
	waiting map[Account][]chan float64
}

// NewQueue returns a queue that gives slots turns at a time.
func NewQueue[Account comparable](slots int) *Queue[Account] {
	q := queue[Account]{slots: slots, free: slots}
	for i := range q.lanes {
		q.lanes[i].waiting = map[Account][]chan float64{}
	}
	return &Queue[Account]{parallel.Guard(q)}
}

// Wait waits for a turn, which ends with the call of done. Share is the part of its
// usual time that the turn should take: 1 if nobody waits, less the more accounts do,
// and the more games of the same account. Wait returns the cause of ctx if that is done
// first.
func (q *Queue[Account]) Wait(ctx context.Context, a Account, clocked bool) (share float64, done func(), err error) {
	turn, l := make(chan float64, 1), 0
	if clocked {
		l = 1
	}
	if parallel.Get(&q.state, func(q *queue[Account]) bool { return q.join(a, l, turn) }) {
		return 1, q.release, nil
	}
	select {
	case share := <-turn:
		return share, q.release, nil
	case <-ctx.Done():
	}
	q.state.With(func(q *queue[Account]) { q.leave(a, l, turn) })
	return 0, nil, context.Cause(ctx)
}

// join takes a turn of an account that is free, and reports whether there is one; else the account waits in a lane.
func (q *queue[Account]) join(a Account, lane int, turn chan float64) bool {
	if q.free > 0 {
		q.free--
		return true
	}
	l := &q.lanes[lane]
	if len(l.waiting[a]) == 0 {
		l.order = append(l.order, a)
	}
	l.waiting[a] = append(l.waiting[a], turn)
	q.waiting++
	return false
}

// leave gives a turn up, which may have come at the same moment.
func (q *queue[Account]) leave(a Account, lane int, turn chan float64) {
	l := &q.lanes[lane]
	if i := slices.Index(l.waiting[a], turn); i >= 0 {
		l.remove(a, i)
		q.waiting--
	} else {
		q.giveUp()
	}
}

// Waiting returns how many wait for a turn.
func (q *Queue[Account]) Waiting() int {
	return parallel.Get(&q.state, func(q *queue[Account]) int { return q.waiting })
}

func (q *Queue[Account]) release() { q.state.With((*queue[Account]).giveUp) }

// giveUp gives a turn to the next who waits.
func (q *queue[Account]) giveUp() {
	if len(q.lanes[q.next].order) == 0 {
		q.next = 1 - q.next
	}
	l := &q.lanes[q.next]
	q.next = 1 - q.next
	if len(l.order) == 0 {
		q.free++
		return
	}
	a := l.order[0]
	turn := l.waiting[a][0]
	l.remove(a, 0)
	q.waiting--
	if len(l.waiting[a]) > 0 { // behind the others
		l.order = append(slices.Delete(l.order, 0, 1), a)
	}
	others := 0
	for i := range q.lanes {
		others += len(q.lanes[i].order)
		if own := len(q.lanes[i].waiting[a]); own > 0 {
			others += own - 1
		}
	}
	turn <- float64(q.slots) / float64(q.slots+others)
}

// remove removes one of the waiting games of an account.
func (l *lane[Account]) remove(a Account, i int) {
	l.waiting[a] = slices.Delete(l.waiting[a], i, i+1)
	if len(l.waiting[a]) == 0 {
		delete(l.waiting, a)
		l.order = slices.DeleteFunc(l.order, func(b Account) bool { return a == b })
	}
}
