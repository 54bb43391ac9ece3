package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/nats-io/nats.go/jetstream"
)

// takeLease takes the lease of the run. If another owner renews it, it returns that; for one that does not any more it
// waits until the lease has expired.
func (r *run) takeLease(ctx context.Context) (owner *RunState, err error) {
	kv, err := r.js.KeyValue(ctx, runsBucket)
	for seen := uint64(0); err == nil; sleep(ctx, r.gone/20) {
		if _, err = kv.Create(ctx, r.tag, mustMarshal(r.state.Load())); !errors.Is(err, jetstream.ErrKeyExists) {
			return nil, err
		}
		var e jetstream.KeyValueEntry
		switch e, err = kv.Get(ctx, r.tag); {
		case errors.Is(err, jetstream.ErrKeyNotFound): // it has just expired
			err = nil
		case err == nil && seen != 0 && e.Revision() != seen:
			return ownerIn(e), nil
		case err == nil:
			seen = e.Revision()
		}
	}
	return nil, err
}

// ownerIn returns the owner that a lease names.
func ownerIn(e jetstream.KeyValueEntry) *RunState {
	s := &RunState{Owner: "a process"}
	_ = json.Unmarshal(e.Value(), s) // whatever it says, the lease is not ours
	return s
}

// holdLease renews the lease of the run, until another owner has it, after this process hung or was cut off.
func (r *run) holdLease(ctx context.Context, lose context.CancelCauseFunc) {
	for ; ctx.Err() == nil; sleep(ctx, r.gone/4) {
		kv, err := r.js.KeyValue(ctx, runsBucket)
		if err != nil {
			continue
		}
		if e, err := kv.Get(ctx, r.tag); err == nil {
			if o := ownerIn(e); o.Session != "" && o.Session != r.session {
				lose(r.inProgress(o))
				return
			}
		}
		_, _ = kv.Put(ctx, r.tag, mustMarshal(r.state.Load())) // else the next may be in time
	}
}

// member is a worker whose lease an owner sees.
type member struct {
	WorkerState
	foreign bool // has another version of the program
	refuses bool // has refused a job
}

// meet looks which workers there are.
func (r *run) meet(ctx context.Context) error {
	leases, err := leases[WorkerState](ctx, r.js, workersBucket)
	if err != nil {
		return err
	}
	before := r.workers
	r.workers, r.count, r.slots = map[string]*member{}, 0, 0
	for _, w := range leases[:min(len(leases), maxWorkers)] {
		m := before[w.ID]
		if m == nil {
			if m = (&member{foreign: w.Version != r.Version}); m.foreign {
				_ = r.Conn.Publish(toldPrefix+w.ID, fmt.Appendf(nil, // it is logged here, too
					"this worker is gamebots %s, and a run wants %s: it gets no jobs", w.Version, r.Version))
				r.log.Warn("a worker of another version: it gets no jobs", "host", w.Host, "version", w.Version, "want",
					r.Version)
			} else {
				r.log.Info("a worker joined", "host", w.Host, "worker", w.ID, "jobs", w.Slots)
			}
		}
		m.WorkerState = w
		r.workers[w.ID] = m
		if !m.foreign {
			r.count, r.slots = r.count+1, r.slots+min(max(w.Slots, 0), maxSlots)
		}
	}
	for id, m := range before {
		if r.workers[id] == nil && !m.foreign {
			r.log.Info("a worker left", "host", m.Host, "worker", id, "left", r.slots)
		}
	}
	return nil
}

// busy reports whether the lease of a worker lists a job.
func (r *run) busy(place string) bool {
	return r.anyWorker(func(m *member) bool { return slices.Contains(m.Open, place) })
}

func (r *run) anyWorker(is func(*member) bool) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(r.workers)), is)
}

// allIn reports whether a set has all workers of the owner's version.
func (r *run) allIn(set map[string]bool) bool {
	return !r.anyWorker(func(m *member) bool { return !m.foreign && !set[m.ID] })
}
