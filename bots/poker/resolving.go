package poker

import (
	"context"
	"time"

	"gamebots/acpc"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
)

// A Resolver solves rounds of a hand in play. Package resolving has one.
type Resolver interface {
	belief.Player
	// Resolve appends the choices of a decision as they are played, and fills in how it was solved.
	// If it was not, the strategy decides, or the cards where it lacks the round: there was too little
	// time, the strategy would not have played the player's cards to here, or the hand is not in its tree.
	Resolve(ctx context.Context, dst []policy.Choice, s *acpc.State, d *Decision) ([]policy.Choice, error)
}

// Resolving says who solves rounds in play, from the First on, and the first one after raises that the strategy lacks.
type Resolving struct {
	Resolver
	First int
	TimeLimits
}

// TimeLimits are how long a player that solves may think.
type TimeLimits struct {
	// Time, if not 0, is how long a hand may be thought about on average: what is left is saved for
	// later hands, and a decision takes at most three fifths of the time in which its context ends.
	// Solutions end early then, and what is played no longer follows from the seed alone.
	Time time.Duration
	// Keeper, if not nil, says it for each decision instead, as where a match has one clock.
	Keeper TimeKeeper
}

// A TimeKeeper says how long decisions that are solved may take.
type TimeKeeper interface {
	// Allow returns how long a decision may take, or 0 if it is not to be solved.
	Allow(s *acpc.State) time.Duration
	// Decided is told how a decision was made that it was asked about.
	Decided(d *Decision)
}

// NewResolving returns a PolicyPlayer some of whose rounds are solved in play.
func NewResolving(p *policy.Policy, style Style, seed uint64, r Resolving) *PolicyPlayer {
	s := NewPolicyPlayer(p, style, seed)
	s.resolving = r
	return s
}

// resolve is Resolve in the time that is left.
func (p *PolicyPlayer) resolve(
	ctx context.Context, dst []policy.Choice, s *acpc.State, d *Decision,
) ([]policy.Choice, error) {
	limit := time.Duration(0)
	if keeper := p.resolving.Keeper; keeper != nil {
		defer keeper.Decided(d)
		if limit = keeper.Allow(s); limit <= 0 {
			return dst, nil
		}
	} else if p.resolving.Time > 0 {
		limit = max(1, p.bank.limit(ctx))
	}
	if limit > 0 {
		limited, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		ctx = limited
	}
	return p.resolving.Resolve(ctx, dst, s, d)
}

// HandStrategy returns the action probabilities of every hand, see [belief.Player]. The player must
// not play meanwhile.
func (p *PolicyPlayer) HandStrategy() belief.Player {
	if p.resolving.Resolver != nil {
		return p.resolving.Resolver
	}
	return belief.NewStrategy(p.policy.Index, belief.Played(p.policy, p.style.Apply))
}

// bank is the time that the hands so far have left.
type bank struct {
	hand  uint32 // the last one, if there was one
	begun bool
	saved time.Duration // may be negative
}

// deal adds the time of a hand, once, and reports whether it is a new one.
func (b *bank) deal(hand uint32, each time.Duration) bool {
	if b.begun && b.hand == hand {
		return false
	}
	b.begun, b.hand = true, hand
	b.saved += each
	return true
}

// limit returns how long a decision may take: half of what is left, so that something is left
// for the rest of the hand, and less if its context ends earlier.
func (b *bank) limit(ctx context.Context) time.Duration {
	limit := b.saved / 2
	if deadline, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(deadline)*3/5) // the rest is for a machine that is busy
	}
	return max(0, limit)
}
