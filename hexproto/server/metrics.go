package server

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"gamebots/internal/parallel"
)

// counters are the metrics that a server counts, whether or not it serves them.
type counters struct {
	games, moves, wrongTokens atomic.Uint64

	errors       parallel.Guarded[map[string]uint64] // messages that were refused, by code
	acknowledged parallel.Guarded[durations]         // from a move's arrival to its acknowledgement
}

func newCounters() *counters { return &counters{errors: parallel.Guard(map[string]uint64{})} }

func (c *counters) refused(code string) { c.errors.With(func(of *map[string]uint64) { (*of)[code]++ }) }

func (c *counters) acknowledge(after time.Duration) {
	c.acknowledged.With(func(d *durations) { d.add(after.Seconds()) })
}

// bounds are the upper bounds of the buckets of durations, in seconds.
var bounds = [...]float64{.0005, .001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 5}

// durations is a histogram of seconds.
type durations struct {
	buckets [len(bounds)]uint64 // each without those before it
	n       uint64
	sum     float64
}

func (d *durations) add(seconds float64) {
	if i, _ := slices.BinarySearch(bounds[:], seconds); i < len(bounds) {
		d.buckets[i]++
	}
	d.n++
	d.sum += seconds
}

// metrics serves the counters, and gauges of the present state, in the text format of Prometheus
// (version 0.0.4). An error of w is that of a reader who has left.
func (s *Server) metrics(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	metric := func(kind, name, help string) { fmt.Fprintf(w, "# HELP %s %s\n# TYPE %[1]s %[3]s\n", name, help, kind) }
	counter := func(name, help string, value uint64) {
		metric("counter", name, help)
		fmt.Fprintf(w, "%s %d\n", name, value)
	}
	gauge := func(name, help string, value int) {
		metric("gauge", name, help)
		fmt.Fprintf(w, "%s %d\n", name, value)
	}

	var accounts, challenges, running, gameMemory int
	s.state.With(func(st *state) {
		accounts, challenges = len(st.accounts.byName), len(st.lobby.challenges)
		running, gameMemory = st.games.running(), st.games.memoryUsed
	})
	connections, newcomers := s.connections.Count()
	gauge("hexproto_accounts", "Accounts.", accounts)
	gauge("hexproto_analysing_accounts", "Accounts that have an analysis made, or wait for one.", s.analysing.Clients())
	gauge("hexproto_bots_waiting", "Bots of the server that wait for their turn to think.", s.turns.Waiting())
	gauge("hexproto_challenges", "Open challenges.", challenges)
	gauge("hexproto_connections", "Connections.", connections)
	gauge("hexproto_connections_without_hello", "Connections that have not said hello.", newcomers)
	gauge("hexproto_free_disk_bytes", "Free bytes of the disk of the database.", int(s.space.disk.Load()))
	gauge("hexproto_free_memory_bytes", "Free bytes of memory.", int(s.space.memory.Load()))
	full := 0
	if s.hasSpace() != nil {
		full = 1
	}
	gauge("hexproto_full", "1 while disk or memory are nearly full, so that no new games begin.", full)
	gauge("hexproto_game_memory_bytes", "Bytes of memory of the running games.", gameMemory)
	gauge("hexproto_running_games", "Running games.", running)

	c := s.count
	counter("hexproto_games_total", "Games that were begun.", c.games.Load())
	counter("hexproto_moves_total", "Moves that were made.", c.moves.Load())
	counter("hexproto_wrong_tokens_total", "Tokens of no account that clients sent.", c.wrongTokens.Load())
	errors := parallel.Get(&c.errors, func(of *map[string]uint64) map[string]uint64 { return maps.Clone(*of) })
	acknowledged := parallel.Get(&c.acknowledged, func(d *durations) durations { return *d })
	metric("counter", "hexproto_errors_total", "Messages that were refused, by code.")
	for _, code := range slices.Sorted(maps.Keys(errors)) {
		fmt.Fprintf(w, "hexproto_errors_total{code=%q} %d\n", code, errors[code])
	}
	const name = "hexproto_acknowledge_seconds"
	metric("histogram", name, "From a move's arrival to its acknowledgement, after it was written down.")
	below := uint64(0)
	for i, bound := range bounds {
		below += acknowledged.buckets[i]
		fmt.Fprintf(w, "%s_bucket{le=\"%v\"} %d\n", name, bound, below)
	}
	fmt.Fprintf(w, "%s_bucket{le=\"+Inf\"} %d\n%[1]s_sum %[3]v\n%[1]s_count %[2]d\n",
		name, acknowledged.n, acknowledged.sum)
}
