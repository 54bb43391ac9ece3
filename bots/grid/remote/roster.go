package remote

import (
	"fmt"
	"slices"
	"time"

	"github.com/rs/zerolog"
)

// roster are the workers that an owner knows of.
type roster struct {
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
func (r *roster) slots() int { return r.total }

// size is how many workers there are.
func (r *roster) size() int {
	n := 0
	for _, m := range r.members {
		if !m.alien {
			n++
		}
	}
	return n
}

// greet notes a hello and returns what the worker is to be told, if anything.
func (r *roster) greet(h hello, now time.Time) (complaint string) {
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
func (r *roster) expire(now time.Time) {
	for _, m := range r.members {
		if now.Sub(m.seen) > r.gone {
			r.drop(m, "a worker is silent")
		}
	}
}

func (r *roster) drop(m *member, why string) {
	delete(r.members, m.ID)
	if !m.alien {
		r.total -= m.Slots
		r.log.Info().Str("host", m.Host).Str("worker", m.ID).Int("left", r.total).Msg(why)
	}
}

// excuse takes nobody's silence ill: the server was away.
func (r *roster) excuse(now time.Time) {
	for _, m := range r.members {
		m.seen = now
	}
}

// idle says whether some worker waits for jobs.
func (r *roster) idle() bool {
	for _, m := range r.members {
		if !m.alien && len(m.Busy) < m.Slots {
			return true
		}
	}
	return false
}

// at says whether a worker is alive, and whether it said lately that it does the
// job at a place.
func (r *roster) at(id, place string) (alive, busy bool) {
	m := r.members[id]
	if m == nil {
		return false, false
	}
	return true, slices.Contains(m.Busy, place)
}

// host is where a worker is, for people.
func (r *roster) host(id string) string {
	if m := r.members[id]; m != nil {
		return m.Host
	}
	return "a machine"
}
