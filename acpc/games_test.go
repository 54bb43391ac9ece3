package acpc

import (
	"path/filepath"
	"testing"
)

// shippedGame returns a game of configs/games.
func shippedGame(t *testing.T, name string) *Game {
	t.Helper()
	return readGame(t, filepath.Join("..", "configs", "games", name+".game"))
}

// TestReisSequences counts the betting sequences (states in which a player
// has to act) of the games in Reis 2015, table 2, and their levels. The table
// says 30 levels for variant D; the sequences that it counts have 29.
func TestReisSequences(t *testing.T) {
	for _, want := range []struct {
		game              string
		sequences, levels int
	}{
		{"reis-a", 4, 3},
		{"reis-b", 4, 3},
		{"reis-c", 21285, 21},
		{"reis-d", 616592, 29},
	} {
		t.Run(want.game, func(t *testing.T) {
			s := shippedGame(t, want.game).NewState(0)
			sequences, levels := count(&s)
			if sequences != want.sequences || levels != want.levels {
				t.Errorf("%d sequences in %d levels, want %d in %d",
					sequences, levels, want.sequences, want.levels)
			}
		})
	}
}

// count returns the number of decisions from a state on, and the depth of
// their tree.
func count(s *State) (sequences, levels int) {
	if s.Finished() {
		return 0, 0
	}
	for _, a := range []Action{{Type: Fold}, {Type: Call}, {Type: Raise}} {
		if s.Check(a) != nil {
			continue
		}
		next := *s
		next.Apply(a)
		n, depth := count(&next)
		sequences += n
		levels = max(levels, depth)
	}
	return sequences + 1, levels + 1
}
