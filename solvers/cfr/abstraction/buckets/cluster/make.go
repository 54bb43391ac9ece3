package cluster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"gamebots/acpc"
	"gamebots/cudalib"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/abstraction/buckets"
)

// Job is a table to make of a recipe and to write to a file, which [Make] does.
type Job struct {
	Game    *acpc.Game
	Recipe  buckets.Recipe
	File    string // finished rounds are beside it, in FILE.partial
	Fresh   bool   // ignore rounds that were finished before
	Threads int    // 1 if not set
	Memory  int64  // bytes that may be used
	Device  cudalib.Choice
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
	device, where, err := j.Device.If(j.deviceWorthwhile()).Open()
	if err != nil {
		return nil, err
	}
	if device != nil {
		defer func() { err = errors.Join(err, device.Close()) }()
		o.Device = device
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

// deviceWorthwhile reports whether a GPU is likely to be faster than the CPU, and why it is not.
func (j *Job) deviceWorthwhile() (worthwhile bool, reason string) {
	pairs, g := 0, j.Game
	for i, round := range j.Recipe.Rounds {
		index, err := abstraction.NewSuitIndex(g.NumSuits, g.NumRanks, g.NumHoleCards, g.BoardCards(i))
		if err != nil {
			return false, err.Error()
		}
		pairs += index.Size() * round.Buckets
	}
	return pairs >= minDevicePairs, "there is little to compare"
}
