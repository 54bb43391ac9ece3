package poker

import (
	"context"
	"fmt"
	"strings"

	"gamebots/acpc"
)

// opponents are the plain players, which look at no card.
var opponents = []struct {
	kind string
	new  func(seed uint64) acpc.Player
}{
	{"random", func(seed uint64) acpc.Player {
		rng := acpc.NewMT19937(uint32(seed))
		return playerFunc(func(s *acpc.State) acpc.Action { return random(rng, s) })
	}},
	{"call", func(uint64) acpc.Player { return playerFunc(call) }},
	{"raise", func(uint64) acpc.Player { return raise(false) }},
	{"allin", func(uint64) acpc.Player { return raise(true) }},
	{"fold", func(uint64) acpc.Player { return playerFunc(fold) }},
}

// Opponents returns the kinds that NewOpponent knows.
func Opponents() []string {
	kinds := make([]string, len(opponents))
	for i, o := range opponents {
		kinds[i] = o.kind
	}
	return kinds
}

// NewOpponent returns a player of one of the kinds of Opponents:
//
//   - random folds, calls and raises with weights 6, 47 and 47 of those that
//     are legal, and raises to any legal size; it repeats the original
//     server's example player move by move;
//   - call always calls;
//   - raise raises whenever it may, by the least amount in no-limit games, and
//     calls otherwise;
//   - allin raises as much as it may, and calls otherwise;
//   - fold folds as soon as there is something to call.
//
// Only random uses the seed, and only its low 32 bits.
func NewOpponent(kind string, seed uint64) (acpc.Player, error) {
	for _, o := range opponents {
		if o.kind == kind {
			return o.new(seed), nil
		}
	}
	return nil, fmt.Errorf("opponent %q is not one of %s", kind, strings.Join(Opponents(), ", "))
}

// playerFunc is a player that never fails.
type playerFunc func(*acpc.State) acpc.Action

func (f playerFunc) Act(_ context.Context, s *acpc.MatchState) (acpc.Action, error) {
	return f(&s.State), nil
}

// ActOnState is Act for the dealer's table in process.
func (f playerFunc) ActOnState(_ context.Context, s *acpc.State) (acpc.Action, error) {
	return f(s), nil
}

func call(*acpc.State) acpc.Action { return acpc.Action{Type: acpc.Call} }

// raise returns a player that raises whenever it may, by the least or by all of its chips.
func raise(all bool) playerFunc {
	return func(s *acpc.State) acpc.Action {
		size, most, ok := s.RaiseBounds()
		if !ok {
			return call(s)
		}
		if all {
			size = most
		}
		return acpc.Action{Type: acpc.Raise, Size: size}
	}
}

func fold(s *acpc.State) acpc.Action {
	if s.CanFold() {
		return acpc.Action{Type: acpc.Fold}
	}
	return call(s)
}

// random is the original server's example player. The order of its draws and
// of its floating-point operations is that of the original, so that a match is
// the same game by game.
func random(rng *acpc.MT19937, s *acpc.State) acpc.Action {
	foldWeight, callWeight, raiseWeight := 0.06, 0.47, 0.47
	canFold := s.CanFold()
	if !canFold {
		foldWeight = 0
	}
	minTo, maxTo, canRaise := s.RaiseBounds()
	if !canRaise {
		raiseWeight = 0
	}
	sum := foldWeight + callWeight + raiseWeight

	p := float64(rng.Uint32()) / (1 << 32)
	// A draw of exactly 0 makes the original fold even where it may not, and
	// the dealer turns that into the call that follows here.
	if canFold && p <= foldWeight/sum {
		return acpc.Action{Type: acpc.Fold}
	}
	p -= foldWeight / sum
	if p <= callWeight/sum {
		return acpc.Action{Type: acpc.Call}
	}
	// In limit games both bounds are 0, and the size is drawn all the same.
	size := rng.Uint32() % uint32(maxTo-minTo+1)
	return acpc.Action{Type: acpc.Raise, Size: minTo + int32(size)}
}
