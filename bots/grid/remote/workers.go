package remote

import (
	"fmt"
	"slices"
	"time"

	"github.com/rs/zerolog"
)

// workers are the workers that an owner knows of.
type workers struct {
	version string
	gone    time.Duration // without a hello
	log     zerolog.Logger
	members map[string]*member // by ID
	total   int                // slots of all
}

type member struct {
	hello
	seen  time.Time
	alien bool // of another version
}

// slots is how many jobs all workers do at a time.
func (r *workers) slots() int { return r.total }

// size is how many workers there are.
func (r *workers) size() int {
	n := 0
	for _, m := range r.members {
		if !m.alien {
			n++
		}
	}
	return n
}

// greet notes a hello and returns what the worker is to be told, if anything.
func (r *workers) greet(h hello, now time.Time) (complaint string) {
	m := r.members[h.ID]
	if h.Bye {
		if m != nil {
			r.drop(m, "a worker left")
		}
		return ""
	}
	if m == nil {
		m = &member{alien: h.Version != r.version}
		r.members[h.ID] = m
		switch {
		case m.alien:
			complaint = fmt.Sprintf("this worker is gamebots %s, and a run wants %s: it gets no jobs", h.Version, r.version)
			r.log.Warn().Str("host", h.Host).Str("version", h.Version).Str("want", r.version).Msg("a worker of another version: it gets no jobs")
		default:
			r.log.Info().Str("host", h.Host).Str("worker", h.ID).Int("jobs", h.Slots).Msg("a worker joined")
		}
	}
	if !m.alien {
		r.total += h.Slots - m.Slots
	}
	m.hello, m.seen = h, now
	return complaint
}

// expire drops who has not been heard of.
func (r *workers) expire(now time.Time) {
	for _, m := range r.members {
		if now.Sub(m.seen) > r.gone {
			r.drop(m, "a worker is silent")
		}
	}
}

func (r *workers) drop(m *member, why string) {
	delete(r.members, m.ID)
	if !m.alien {
		r.total -= m.Slots
		r.log.Info().Str("host", m.Host).Str("worker", m.ID).Int("left", r.total).Msg(why)
	}
}

// excuse takes nobody's silence ill: the server was away.
func (r *workers) excuse(now time.Time) {
	for _, m := range r.members {
		m.seen = now
	}
}

// idle says whether some worker waits for jobs.
func (r *workers) idle() bool {
	for _, m := range r.members {
		if !m.alien && len(m.Busy) < m.Slots {
			return true
		}
	}
	return false
}

// at says whether a worker is alive, and whether it said lately that it does the
// job at a place.
func (r *workers) at(id, place string) (alive, busy bool) {
	m := r.members[id]
	if m == nil {
		return false, false
	}
	return true, slices.Contains(m.Busy, place)
}

// host is where a worker is, for people.
func (r *workers) host(id string) string {
	if m := r.members[id]; m != nil {
		return m.Host
	}
	return "a machine"
}
