package server

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// counters are the metrics that a server counts, whether or not it serves them.
type counters struct {
	games, moves, wrongTokens prometheus.Counter

	errors       *prometheus.CounterVec
	acknowledged prometheus.Histogram
}

func newCounters() *counters {
	return &counters{
		games:       prometheus.NewCounter(prometheus.CounterOpts{Name: "hexproto_games_total", Help: "Games that were begun."}),
		moves:       prometheus.NewCounter(prometheus.CounterOpts{Name: "hexproto_moves_total", Help: "Moves that were made."}),
		wrongTokens: prometheus.NewCounter(prometheus.CounterOpts{Name: "hexproto_wrong_tokens_total", Help: "Tokens of no account that clients sent."}),
		errors:      prometheus.NewCounterVec(prometheus.CounterOpts{Name: "hexproto_errors_total", Help: "Messages that were refused, by code."}, []string{"code"}),
		acknowledged: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "hexproto_acknowledge_seconds", Help: "From a move's arrival to its acknowledgement, after it was written down.",
			Buckets: []float64{.0005, .001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 5},
		}),
	}
}

func (c *counters) refused(code string) { c.errors.WithLabelValues(code).Inc() }

// metrics serves the counters, and gauges of the present state.
func (s *Server) metrics() http.Handler {
	r := prometheus.NewRegistry()
	gauge := func(name, help string, value func() int) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, func() float64 {
			s.mu.Lock()
			defer s.mu.Unlock()
			return float64(value())
		})
	}
	r.MustRegister(s.count.games, s.count.moves, s.count.wrongTokens, s.count.errors, s.count.acknowledged,
		gauge("hexproto_connections", "Connections.", func() int { return s.open }),
		gauge("hexproto_accounts", "Accounts.", func() int { return len(s.accounts.byName) }),
		gauge("hexproto_challenges", "Open challenges.", func() int { return len(s.lobby.challenges) }),
		gauge("hexproto_bots_waiting", "Bots of the server that wait for their turn to think.", s.games.turns.Waiting),
		gauge("hexproto_running_games", "Running games.", s.games.running))
	return promhttp.HandlerFor(r, promhttp.HandlerOpts{})
}
