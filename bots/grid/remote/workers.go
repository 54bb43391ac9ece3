package remote

import (
	"fmt"
	"log/slog"
	"slices"
	"time"
)

// workers are the workers that an owner knows of.
type workers struct {
	version string
	gone    time.Duration // a worker that is silent for longer has died
	log     *slog.Logger
	members map[string]*member // members by ID
	total   int                // slots of all members of the owner's version
}

type member struct {
	hello
	seen    time.Time
	foreign bool // has another version of the program
	refuses bool // has refused a job
}

// slots returns how many jobs all workers do at a time.
func (w *workers) slots() int { return w.total }

// size returns the number of workers of the owner's version.
func (w *workers) size() int {
	n := 0
	for _, m := range w.members {
		if !m.foreign {
			n++
		}
	}
	return n
}

// greet notes a hello. It returns a message for a worker of another version, else "".
func (w *workers) greet(h hello, now time.Time) (complaint string) {
	h.Slots = min(max(h.Slots, 0), maxSlots)
	m := w.members[h.ID]
	if h.Bye {
		if m != nil {
			w.drop(m, "a worker left")
		}
		return ""
	}
	if m == nil && len(w.members) >= maxMembers {
		return ""
	}
	if m == nil {
		m = &member{foreign: h.Version != w.version}
		w.members[h.ID] = m
		if m.foreign {
			complaint = fmt.Sprintf("this worker is gamebots %s, and a run wants %s: it gets no jobs",
				h.Version, w.version)
			w.log.Warn("a worker of another version: it gets no jobs", "host", h.Host, "version", h.Version,
				"want", w.version)
		} else {
			w.log.Info("a worker joined", "host", h.Host, "worker", h.ID, "jobs", h.Slots)
		}
	}
	if !m.foreign {
		w.total += h.Slots - m.Slots
	}
	m.hello, m.seen = h, now
	return complaint
}

// expire drops workers that have been silent for too long.
func (w *workers) expire(now time.Time) {
	for _, m := range w.members {
		if now.Sub(m.seen) > w.gone {
			w.drop(m, "a worker is silent")
		}
	}
}

func (w *workers) drop(m *member, reason string) {
	delete(w.members, m.ID)
	if !m.foreign {
		w.total -= m.Slots
		w.log.Info(reason, "host", m.Host, "worker", m.ID, "left", w.total)
	}
}

// excuse restarts the silence of all workers, after the server was away.
func (w *workers) excuse(now time.Time) {
	for _, m := range w.members {
		m.seen = now
	}
}

// idle reports whether some worker waits for jobs.
func (w *workers) idle() bool {
	for _, m := range w.members {
		if !m.foreign && len(m.Busy) < m.Slots {
			return true
		}
	}
	return false
}

// at reports whether a worker is alive, and whether its last hello listed the job with
// a key.
func (w *workers) at(id, key string) (alive, busy bool) {
	m := w.members[id]
	if m == nil {
		return false, false
	}
	return true, slices.Contains(m.Busy, key)
}

// firstRefusal notes that a worker refused a job, and reports whether it is the first.
func (w *workers) firstRefusal(id string) bool {
	m := w.members[id]
	if m == nil || m.refuses {
		return false
	}
	m.refuses = true
	return true
}

// all reports whether a set has all workers of the owner's version.
func (w *workers) all(set map[string]bool) bool {
	for id, m := range w.members {
		if !m.foreign && !set[id] {
			return false
		}
	}
	return true
}

// host returns the host of a worker, for messages.
func (w *workers) host(id string) string {
	if m := w.members[id]; m != nil {
		return m.Host
	}
	return "a machine"
}
