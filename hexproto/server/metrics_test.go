package server

import (
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The text is that of Prometheus (version 0.0.4).
func TestMetrics(t *testing.T) {
	defer SetSpace(5000, 7000)()
	s, err := New(Config{Database: filepath.Join(t.TempDir(), "games.db"), Open: true, Loopback: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.count.games.Add(3)
	for _, code := range []string{"no-game", "bad-message", "no-game"} {
		s.count.refused(code)
	}
	for _, after := range []time.Duration{
		time.Millisecond, 1500 * time.Microsecond, 500 * time.Millisecond, time.Minute,
	} {
		s.count.acknowledge(after)
	}
	text := httptest.NewRecorder()
	s.metrics(text, nil)
	const want = `# HELP hexproto_accounts Accounts.
# TYPE hexproto_accounts gauge
hexproto_accounts 0
# HELP hexproto_analysing_accounts Accounts that have an analysis made, or wait for one.
# TYPE hexproto_analysing_accounts gauge
hexproto_analysing_accounts 0
# HELP hexproto_bots_waiting Bots of the server that wait for their turn to think.
# TYPE hexproto_bots_waiting gauge
hexproto_bots_waiting 0
# HELP hexproto_challenges Open challenges.
# TYPE hexproto_challenges gauge
hexproto_challenges 0
# HELP hexproto_connections Connections.
# TYPE hexproto_connections gauge
hexproto_connections 0
# HELP hexproto_connections_without_hello Connections that have not said hello.
# TYPE hexproto_connections_without_hello gauge
hexproto_connections_without_hello 0
# HELP hexproto_free_disk_bytes Free bytes of the disk of the database.
# TYPE hexproto_free_disk_bytes gauge
hexproto_free_disk_bytes 5000
# HELP hexproto_free_memory_bytes Free bytes of memory.
# TYPE hexproto_free_memory_bytes gauge
hexproto_free_memory_bytes 7000
# HELP hexproto_full 1 while disk or memory are nearly full, so that no new games begin.
# TYPE hexproto_full gauge
hexproto_full 0
# HELP hexproto_game_memory_bytes Bytes of memory of the running games.
# TYPE hexproto_game_memory_bytes gauge
hexproto_game_memory_bytes 0
# HELP hexproto_running_games Running games.
# TYPE hexproto_running_games gauge
hexproto_running_games 0
# HELP hexproto_games_total Games that were begun.
# TYPE hexproto_games_total counter
hexproto_games_total 3
# HELP hexproto_moves_total Moves that were made.
# TYPE hexproto_moves_total counter
hexproto_moves_total 0
# HELP hexproto_wrong_tokens_total Tokens of no account that clients sent.
# TYPE hexproto_wrong_tokens_total counter
hexproto_wrong_tokens_total 0
# HELP hexproto_errors_total Messages that were refused, by code.
# TYPE hexproto_errors_total counter
hexproto_errors_total{code="bad-message"} 1
hexproto_errors_total{code="no-game"} 2
# HELP hexproto_acknowledge_seconds From a move's arrival to its acknowledgement, after it was written down.
# TYPE hexproto_acknowledge_seconds histogram
hexproto_acknowledge_seconds_bucket{le="0.0005"} 0
hexproto_acknowledge_seconds_bucket{le="0.001"} 1
hexproto_acknowledge_seconds_bucket{le="0.002"} 2
hexproto_acknowledge_seconds_bucket{le="0.005"} 2
hexproto_acknowledge_seconds_bucket{le="0.01"} 2
hexproto_acknowledge_seconds_bucket{le="0.02"} 2
hexproto_acknowledge_seconds_bucket{le="0.05"} 2
hexproto_acknowledge_seconds_bucket{le="0.1"} 2
hexproto_acknowledge_seconds_bucket{le="0.2"} 2
hexproto_acknowledge_seconds_bucket{le="0.5"} 3
hexproto_acknowledge_seconds_bucket{le="1"} 3
hexproto_acknowledge_seconds_bucket{le="5"} 3
hexproto_acknowledge_seconds_bucket{le="+Inf"} 4
hexproto_acknowledge_seconds_sum 60.5025
hexproto_acknowledge_seconds_count 4
`
	if diff := cmp.Diff(want, text.Body.String()); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}
