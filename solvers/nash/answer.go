package nash

import (
	"context"
	"fmt"

	"gamebots/solvers/nash/bimatrix"
)

// Find is [Solve] with its answer for people and as JSON. With an error it returns what was found before, or
// nil: the error is that of ctx, or says that what was found is not verified.
func Find(ctx context.Context, g *bimatrix.Game, o Options) (*Found, error) {
	r, err := Solve(ctx, g, o)
	switch {
	case r == nil:
		return nil, err
	case err == nil && !r.Verified:
		err = fmt.Errorf("not verified: %s", r.Problem)
	}
	found := &Found{Game: g, Result: r}
	if err == nil && r.Degeneracy == Degenerate && r.Stats.Method != LemkeHowson {
		found.Structure, err = r.Structure(ctx)
	}
	return found, err
}
