package labels

import (
	"context"
	"testing"

	"gamebots/solvers/nash/game"
)

// What is no subtree of the game is refused, and a search that is stopped says so.
func TestSearcherRefuses(t *testing.T) {
	g, err := game.Generate(game.Recipe{Family: "RandomGame", Rows: 9, Cols: 9, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSearcher(g)
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []Subtree{{Order: 2}, {Path: []byte{18}}} {
		if _, err := s.Search(t.Context(), bad); err == nil {
			t.Errorf("%+v is searched", bad)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Search(ctx, Subtree{}); err == nil {
		t.Error("a search that was stopped is whole")
	}
}
