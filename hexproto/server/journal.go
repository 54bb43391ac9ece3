package server

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"gamebots/internal/parallel"
)

// journal logs who signs in, and what is refused to whom. What a client does again and again is
// counted, and logged once a period. Of each kind there are at most maxOfAccount lines of an account a period, so that
// none hides another, and maxNoted of clients without one: a flood of them, also from many addresses, writes about
// 40 MB a day.
type journal struct {
	log *slog.Logger

	wake chan struct{}

	mu    sync.Mutex
	fresh []note         // to be logged
	noted map[note]int   // times since the period began
	kinds map[string]int // clients noted, by kind and account
	over  map[string]int // clients left out
}

// note is what a client does.
type note struct {
	kind, code, account, address string
}

// The kinds of notes.
const (
	signedIn   = "signed in"
	refused    = "refused"     // a message, with the code of the error
	cutOff     = "cut off"     // a connection
	turnedAway = "turned away" // a request
)

const (
	journalPeriod = 10 * time.Minute
	maxNoted      = 200
	maxOfAccount  = 10
)

func newJournal(log *slog.Logger) *journal {
	return &journal{
		log: log, wake: make(chan struct{}, 1), noted: map[note]int{}, kinds: map[string]int{}, over: map[string]int{},
	}
}

// note has what a client does logged, unless it has done so before in this period. It does not wait
// for the log.
func (j *journal) note(n note) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.noted[n] > 0 {
		j.noted[n]++
		return
	}
	of, most := n.kind, maxNoted
	if n.account != "" {
		of, most = n.kind+" "+n.account, maxOfAccount
	}
	if j.kinds[of] == most {
		j.over[of]++
		return
	}
	j.kinds[of]++
	j.noted[n] = 1
	j.fresh = append(j.fresh, n)
	parallel.Signal(j.wake)
}

func (n note) write(log *slog.Logger, more ...any) {
	fields := []any{"address", n.address}
	if n.account != "" {
		fields = append(fields, "account", n.account)
	}
	if n.code != "" {
		fields = append(fields, "code", n.code)
	}
	log.Info(n.kind, append(fields, more...)...)
}

// run writes the log until the context ends.
func (j *journal) run(ctx context.Context) {
	tick := time.NewTicker(journalPeriod)
	defer tick.Stop()
	for {
		select {
		case <-j.wake:
			j.writeFresh()
		case <-tick.C:
			j.endPeriod()
		case <-ctx.Done():
			j.endPeriod()
			return
		}
	}
}

func (j *journal) writeFresh() {
	j.mu.Lock()
	fresh := j.fresh
	j.fresh = nil
	j.mu.Unlock()
	for _, n := range fresh {
		n.write(j.log)
	}
}

// endPeriod logs what was counted.
func (j *journal) endPeriod() {
	j.writeFresh()
	j.mu.Lock()
	noted, over := j.noted, j.over
	j.noted, j.kinds, j.over = map[note]int{}, map[string]int{}, map[string]int{}
	j.mu.Unlock()
	for n, times := range noted {
		if times > 1 {
			n.write(j.log, "more", times-1)
		}
	}
	for of, more := range over {
		j.log.Warn("too much to log", "kind", of, "more", more)
	}
}
