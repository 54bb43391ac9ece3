package poker

import (
	"context"
	"errors"
	"testing"
	"time"

	"gamebots/acpc"
	"gamebots/configs"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
)

// endless solves until its context ends.
type endless struct{ belief.Player }

func (endless) Resolve(
	ctx context.Context, dst []policy.Choice, _ *acpc.State, _ *Decision,
) ([]policy.Choice, error) {
	<-ctx.Done()
	return dst, context.Cause(ctx)
}

// The end of a match, such as Ctrl-C, ends a solution at the table.
func TestContextEndsSolution(t *testing.T) {
	g, err := configs.Game("leduc")
	if err != nil {
		t.Fatal(err)
	}
	for name, limits := range map[string]TimeLimits{"no limit": {}, "an hour": {Time: time.Hour}} {
		player := &PolicyPlayer{resolving: Resolving{Resolver: endless{}, TimeLimits: limits}}
		ctx, cancel := context.WithCancelCause(t.Context())
		over := errors.New("the match is over")
		time.AfterFunc(10*time.Millisecond, func() { cancel(over) })
		s := g.NewState(0)
		m := s.View(s.Actor())
		if _, err := player.Act(ctx, &m); !errors.Is(err, over) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
