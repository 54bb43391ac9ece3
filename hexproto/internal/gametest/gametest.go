// Package gametest tests the rules of any board game by random games: playing, undo,
// notation, and the game as text.
package gametest

import (
	"encoding"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// Game is a game in progress. M is a move.
type Game[M comparable] interface {
	// AppendMoves appends the legal moves, none once the game is over.
	AppendMoves([]M) []M
	// Play makes a move. It returns an error for an illegal move, and changes
	// nothing.
	Play(M) error
	// Undo takes back the last move, and reports whether there was one.
	Undo() bool
	// Over reports whether the game has ended.
	Over() bool

	encoding.TextMarshaler
	encoding.TextUnmarshaler
}

// Rules are the rules of a game to be tested.
type Rules[G Game[M], M comparable] struct {
	New    func() G          // the start of a game
	Format func(G, M) string // writes a legal move
	Parse  func(G, string) (M, error)
	Result func(G) string // describes the result so far

	BadMoves []string // texts that are not moves, or not legal as a first move
	BadTexts []string // texts that are not games
}

// Run tests the rules with random games.
func (r Rules[G, M]) Run(t *testing.T, games int) {
	t.Helper()
	t.Run("games", func(t *testing.T) {
		for seed := range games {
			r.game(t, rand.New(rand.NewPCG(uint64(seed), 0)))
		}
	})
	t.Run("bad moves", r.badMoves)
	t.Run("bad texts", r.badTexts)
}

// snapshot describes all that can be observed of a game.
func (r Rules[G, M]) snapshot(t *testing.T, g G) string {
	t.Helper()
	text, err := g.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	moves := ""
	for _, m := range g.AppendMoves(nil) {
		moves += " " + r.Format(g, m)
	}
	return fmt.Sprintf("%s\nover: %v, result: %s\nmoves:%s", text, g.Over(), r.Result(g), moves)
}

// game plays a random game to its end, takes it back, and plays it again.
func (r Rules[G, M]) game(t *testing.T, rng *rand.Rand) {
	g := r.New()
	var played []M
	snapshots := []string{r.snapshot(t, g)}
	for !g.Over() {
		moves := r.legal(t, g)
		if len(moves) == 0 {
			t.Fatalf("no moves, but not over: %s", r.snapshot(t, g))
		}
		m := moves[rng.IntN(len(moves))]
		if err := g.Play(m); err != nil {
			t.Fatalf("legal move: %v in %s", err, snapshots[len(played)])
		}
		played = append(played, m)
		snapshots = append(snapshots, r.snapshot(t, g))
		if i := rng.IntN(len(played)); !slices.Contains(g.AppendMoves(nil), played[i]) {
			r.refused(t, g, played[i])
		}
		r.copied(t, g)
	}
	if moves := g.AppendMoves(nil); len(moves) > 0 {
		t.Fatalf("over, but there are moves: %s", r.snapshot(t, g))
	}
	for _, m := range r.New().AppendMoves(nil) {
		r.refused(t, g, m)
	}
	for i := len(played) - 1; i >= 0; i-- {
		if !g.Undo() {
			t.Fatalf("cannot undo move %d", i+1)
		}
		if now := r.snapshot(t, g); now != snapshots[i] {
			t.Fatalf("undo of move %d: %s\nwas %s", i+1, now, snapshots[i])
		}
	}
	if g.Undo() {
		t.Fatalf("there was a move to undo at the start: %s", r.snapshot(t, g))
	}
	for i, m := range played {
		if err := g.Play(m); err != nil {
			t.Fatalf("played again: move %d: %v", i+1, err)
		}
		if now := r.snapshot(t, g); now != snapshots[i+1] {
			t.Fatalf("played again: %s\nwas %s", now, snapshots[i+1])
		}
	}
}

// legal returns the legal moves, and tests their notation.
func (r Rules[G, M]) legal(t *testing.T, g G) []M {
	t.Helper()
	moves := g.AppendMoves(nil)
	texts := map[string]bool{}
	for _, m := range moves {
		text := r.Format(g, m)
		if texts[text] {
			t.Fatalf("two moves %q in %s", text, r.snapshot(t, g))
		}
		texts[text] = true
		if back, err := r.Parse(g, text); err != nil || back != m {
			t.Fatalf("move %v is %q, which is %v: %v", m, text, back, err)
		}
	}
	return moves
}

// refused tests that a move is refused and changes nothing.
func (r Rules[G, M]) refused(t *testing.T, g G, m M) {
	t.Helper()
	before := r.snapshot(t, g)
	if g.Play(m) == nil {
		t.Fatalf("illegal move %v was played in %s", m, before)
	}
	if after := r.snapshot(t, g); after != before {
		t.Fatalf("a refused move changed %s\nto %s", before, after)
	}
}

// copied tests that a game that is read from its text is the same, also if it is
// read into a used game.
func (r Rules[G, M]) copied(t *testing.T, g G) {
	t.Helper()
	text, err := g.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	other := r.New()
	if err := other.UnmarshalText(text); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	want := r.snapshot(t, g)
	if got := r.snapshot(t, other); got != want {
		t.Fatalf("read back: %s\nwas %s", got, want)
	}
	for other.Undo() {
	}
	if err := other.UnmarshalText(text); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if got := r.snapshot(t, other); got != want {
		t.Fatalf("read back over a game: %s\nwas %s", got, want)
	}
}

func (r Rules[G, M]) badMoves(t *testing.T) {
	g := r.New()
	for _, text := range r.BadMoves {
		if m, err := r.Parse(g, text); err == nil {
			r.refused(t, g, m)
		} else if err.Error() == "" {
			t.Errorf("%q: an error without a text", text)
		}
	}
}

func (r Rules[G, M]) badTexts(t *testing.T) {
	g := r.New()
	if err := g.Play(g.AppendMoves(nil)[0]); err != nil {
		t.Fatal(err)
	}
	before := r.snapshot(t, g)
	for _, text := range r.BadTexts {
		if err := g.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was read as %s", text, r.snapshot(t, g))
		}
		if after := r.snapshot(t, g); after != before {
			t.Fatalf("reading %q changed %s\nto %s", text, before, after)
		}
	}
}
