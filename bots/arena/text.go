package arena

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"gamebots/internal/stats"
	"gamebots/internal/usererr"
)

// WriteText writes the result for people.
func (m *Match) WriteText(w io.Writer) error {
	s, test, decided := &m.Score, m.Test, m.decided()
	low, high := s.Interval95()
	fmt.Fprintf(w, "%s against %s, %s: %d won, %d drawn, %d lost\n",
		m.A.Name, m.B.Name, usererr.Counted(s.Games(), "game", "games"), s.Wins, s.Draws, s.Losses)
	fmt.Fprintf(w, "score %.1f%% (95%% interval %.1f%% to %.1f%%), Elo %+.0f (%+.0f to %+.0f)\n",
		100*s.Score(), 100*low, 100*high, stats.Elo(s.Score()), stats.Elo(low), stats.Elo(high))
	for _, name := range slices.Sorted(maps.Keys(m.Faults)) {
		fmt.Fprintf(w, "%s failed in %s\n", name, usererr.Counted(m.Failures(name), "game", "games"))
		for _, reason := range slices.Sorted(maps.Keys(m.Faults[name])) {
			fmt.Fprintf(w, "  in %d: %s\n", m.Faults[name][reason], reason)
		}
	}
	switch decided {
	case "first":
		fmt.Fprintf(w, "SPRT: %+.0f Elo, not %+.0f\n", test.Elo0, test.Elo1)
	case "second":
		fmt.Fprintf(w, "SPRT: %+.0f Elo, not %+.0f\n", test.Elo1, test.Elo0)
	case "open":
		fmt.Fprintf(w, "SPRT: neither %+.0f nor %+.0f Elo is decided yet\n", test.Elo0, test.Elo1)
	}
	return nil
}

// JSON returns the result for JSON.
func (m *Match) JSON() any {
	s, decided := &m.Score, m.decided()
	low, high := s.Interval95()
	failed := map[string]int{}
	for name := range m.Faults {
		failed[name] = m.Failures(name)
	}
	elo := func(score float64) any { // JSON has no infinity
		if e := stats.Elo(score); !math.IsInf(e, 0) {
			return e
		}
		return nil
	}
	return map[string]any{
		"a": m.A.Name, "b": m.B.Name, "games": s.Games(), "wins": s.Wins, "draws": s.Draws, "losses": s.Losses,
		"score": s.Score(), "low": low, "high": high,
		"elo": elo(s.Score()), "elo_low": elo(low), "elo_high": elo(high),
		"sprt": decided, "faults": failed, "reasons": m.Faults,
	}
}

// decided says which of the two differences the test has decided for: "first", "second" or "open", and "" without one.
func (m *Match) decided() string {
	if m.Test == nil {
		return ""
	}
	return map[int]string{1: "second", -1: "first", 0: "open"}[m.tested()]
}
