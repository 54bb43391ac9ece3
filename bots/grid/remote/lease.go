package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"gamebots/bots/grid/access"
	"gamebots/bots/grid/status"

	"github.com/nats-io/nats.go/jetstream"
)

// takeLease takes the lease of the run. If another owner renews it, it returns that; for one that does not any more it
// waits until the lease has expired.
func (r *run) takeLease(ctx context.Context) (owner *status.Run, err error) {
	kv, err := r.js.KeyValue(ctx, status.Runs)
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
func ownerIn(e jetstream.KeyValueEntry) *status.Run {
	s := &status.Run{Owner: "a process"}
	_ = json.Unmarshal(e.Value(), s) // whatever it says, the lease is not ours
	return s
}

// holdLease renews the lease of the run, until another owner has it, after this process hung or was cut off.
func (r *run) holdLease(ctx context.Context, lost chan<- error) {
	for ; ctx.Err() == nil; sleep(ctx, r.gone/4) {
		kv, err := r.js.KeyValue(ctx, status.Runs)
		if err != nil {
			continue
		}
		if e, err := kv.Get(ctx, r.tag); err == nil {
			if o := ownerIn(e); o.Session != "" && o.Session != r.session {
				lost <- access.Errorf(access.RunInProgress, "the run %s is going on elsewhere: %s", r.name, o.Owner)
				return
			}
		}
		_, _ = kv.Put(ctx, r.tag, mustMarshal(r.state.Load())) // else the next may be in time
	}
}

// workers are those whose leases an owner sees.
type workers struct {
	version string
	log     *slog.Logger
	tell    func(id, text string)
	all     map[string]*member // workers by ID
	count   int                // workers of the owner's version
	slots   int                // jobs that they do at a time
}

type member struct {
	status.Worker
	foreign bool // has another version of the program
	refuses bool // has refused a job
}

// update notes the leases that there are.
func (w *workers) update(leases []status.Worker) {
	before := w.all
	w.all, w.count, w.slots = map[string]*member{}, 0, 0
	for _, s := range leases[:min(len(leases), maxWorkers)] {
		m := before[s.ID]
		if m == nil {
			m = &member{foreign: s.Version != w.version}
			if m.foreign {
				w.tell(s.ID, fmt.Sprintf("this worker is gamebots %s, and a run wants %s: it gets no jobs",
					s.Version, w.version))
				w.log.Warn("a worker of another version: it gets no jobs", "host", s.Host, "version", s.Version,
					"want", w.version)
			} else {
				w.log.Info("a worker joined", "host", s.Host, "worker", s.ID, "jobs", s.Slots)
			}
		}
		m.Worker = s
		w.all[s.ID] = m
		if !m.foreign {
			w.count, w.slots = w.count+1, w.slots+min(max(s.Slots, 0), maxSlots)
		}
	}
	for id, m := range before {
		if w.all[id] == nil && !m.foreign {
			w.log.Info("a worker left", "host", m.Host, "worker", id, "left", w.slots)
		}
	}
}

// busy reports whether the lease of a worker lists a job.
func (w *workers) busy(place string) bool {
	for _, m := range w.all {
		if slices.Contains(m.Open, place) {
			return true
		}
	}
	return false
}

// refused notes that a worker refuses jobs, and logs that once.
func (w *workers) refused(id, reason string) {
	if m := w.all[id]; m != nil && !m.refuses {
		m.refuses = true
		w.log.Warn("a worker refuses jobs", "error", reason, "host", m.Host, "worker", id)
	}
}

// without reports whether no worker may do a job that only some may.
func (w *workers) without(t *task) bool {
	for id, m := range w.all {
		if !m.foreign && t.allows(id, m.Device) {
			return false
		}
	}
	return len(t.Not) > 0 || t.Device != ""
}

// allows reports whether a worker may do a job.
func (t *task) allows(id, device string) bool {
	return !slices.Contains(t.Not, id) && (t.Device == "" || t.Device == device)
}

// allIn reports whether a set has all workers of the owner's version.
func (w *workers) allIn(set map[string]bool) bool {
	for id, m := range w.all {
		if !m.foreign && !set[id] {
			return false
		}
	}
	return true
}
