package cluster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"gamebots/acpc"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/abstraction/kmeans"
)

// Job is a table to make of a recipe and to write to a file, which [Make] does.
type Job struct {
	Game    *acpc.Game
	Recipe  buckets.Recipe
	File    string // finished rounds are beside it, in FILE.partial
	Fresh   bool   // ignore rounds that were finished before
	Threads int    // 1 if not set
	Memory  int64  // bytes that may be used
	// Open opens a device, if there is one and it is worthwhile, and says in words which one. nil is
	// for the CPU.
	Open func(worthwhile bool) (d kmeans.Device, where string, closeDevice func() error, err error)
	// OnBegin, if not nil, is called before the work, with the device, the memory that it takes at
	// most and the number of rounds that were finished before.
	OnBegin    func(where string, bytes int64, finished int)
	OnProgress func(phase string, part float64) // see [Options]
}

// partial returns the file of the rounds that are finished.
func (j *Job) partial() string { return j.File + ".partial" }

// Make makes a table, from the rounds that were finished before, and writes it. When the context is
// done it returns the context's error, and the same job goes on after the last finished round. The
// error for finished rounds that cannot be read is an [*UnreadableError].
func Make(ctx context.Context, j Job) (table *buckets.Table, err error) {
	need, err := Memory(j.Game, j.Recipe)
	if err == nil {
		err = memory.Enough("the abstraction", need, j.Memory)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", j.Recipe.Name, err)
	}
	o := Options{Threads: j.Threads, OnProgress: j.OnProgress}
	where := "the CPU"
	if j.Open != nil {
		var closeDevice func() error
		if o.Device, where, closeDevice, err = j.Open(deviceWorthwhile(&j.Recipe, j.Game)); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, closeDevice()) }()
	}
	finished := 0
	if !j.Fresh {
		if o.From, err = buckets.OpenUnfinished(j.partial(), j.Game, j.Recipe); err != nil {
			return nil, &UnreadableError{err}
		}
		if o.From != nil {
			finished = o.From.Rounds()
		}
	}
	if j.OnBegin != nil {
		j.OnBegin(where, need, finished)
	}
	o.OnRound = func(t *buckets.Table) error { return t.Write(j.partial()) }
	if table, err = Build(ctx, j.Game, j.Recipe, o); err != nil {
		return nil, err
	}
	if err := table.Write(j.File); err != nil {
		return nil, err
	}
	if err := os.Remove(j.partial()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return table, nil
}

// UnreadableError is the error for finished rounds that cannot be read.
type UnreadableError struct{ Err error }

func (e *UnreadableError) Error() string { return e.Err.Error() }
func (e *UnreadableError) Unwrap() error { return e.Err }

// minDevicePairs is how many pairs of a hand and a centre make a GPU worthwhile: a core
// compares as many in some seconds.
const minDevicePairs = 1e9

// deviceWorthwhile reports whether a GPU makes the buckets of a game sooner than a CPU does.
func deviceWorthwhile(r *buckets.Recipe, g *acpc.Game) bool {
	pairs := 0
	for i, round := range r.Rounds {
		index, err := abstraction.NewSuitIndex(g.NumSuits, g.NumRanks, g.NumHoleCards, g.BoardCards(i))
		if err != nil {
			return false
		}
		pairs += index.Size() * round.Buckets
	}
	return pairs >= minDevicePairs
}
