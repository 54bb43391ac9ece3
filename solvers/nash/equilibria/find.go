package equilibria

import (
	"context"
	"errors"
	"fmt"
	"io"

	"gamebots/solvers/nash"
	"gamebots/solvers/nash/game"
)

// Spec says what to find.
type Spec struct {
	Pure      bool // the pure equilibria alone
	Symmetric bool // those of a symmetric game in which both do the same

	// Options are those of a search for all equilibria by package nash.
	Options nash.Options
}

// Answer is what was found.
type Answer interface {
	WriteText(io.Writer) error
	WriteJSON(io.Writer) error
}

// ErrNotSymmetric is returned for a game for which symmetric equilibria are not searched.
var ErrNotSymmetric = errors.New("the game is not symmetric: if two players change places, their payoffs do not")

// Find finds equilibria. With an error it returns what was found before, or nil: the error is that
// of ctx, or says that what was found is not verified.
func Find(ctx context.Context, g *game.Game, s Spec) (Answer, error) {
	switch {
	case s.Symmetric:
		return findSymmetric(ctx, g)
	case s.Pure:
		return newPure(g), nil
	}
	r, err := nash.Solve(ctx, g, s.Options)
	switch {
	case r == nil:
		return nil, err
	case err == nil && !r.Verified:
		err = fmt.Errorf("not verified: %s", r.Problem)
	}
	found := Matrices{Game: g, Result: r}
	if err == nil && r.Degeneracy == nash.Degenerate && r.Stats.Method != nash.LemkeHowson {
		found.Structure, err = r.Structure(ctx)
	}
	return found, err
}
