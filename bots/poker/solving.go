package poker

import (
	"context"
	"slices"
	"time"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve"
	"gamebots/solvers/resolve/spot"
)

// Solving says which rounds of a hand are solved in play, for the ranges with which the players
// come there. The cards are no longer in buckets then.
type Solving struct {
	// Iterations are those of a solution. Nothing is solved with 0.
	Iterations int
	// From is the first round that is solved; 0 is the last one.
	From int
	// Time, if not 0, is how long a hand of no-limit hold'em may be thought about on average:
	// what is left is saved for later hands. Longest is the most that a decision may take.
	// Solutions end early then, and what is played no longer follows from the seed alone.
	Time, Longest time.Duration
	// Threads are for flops and turns, and Device, if it is not nil, is for turns. Solutions on a
	// device are not those on threads: they have more bets, and entries of more bits.
	Threads int
	Device  spot.Device
	// Bets are bets of the opponent that trees of no-limit hold'em have in addition.
	Bets spot.Sizes
}

// A SolvingError is the error for rounds that cannot be solved in play.
type SolvingError struct{ Game, Msg string }

func (e *SolvingError) Error() string { return e.Game + ": " + e.Msg }

// maxSolution is the memory for a solution of no-limit hold'em, in bytes. It bounds the time of
// an iteration, too: some tenths of a second of a core.
const maxSolution = 64 << 20

// Check returns an error if rounds cannot be solved in play after a strategy that has the first
// rounds of a game: a [*SolvingError] for other games, and a [*policy.CutError] if the strategy
// lacks rounds that are not solved.
func (o *Solving) Check(g *acpc.Game, rounds int) error {
	nolimit, needs := resolve.CheckGame(g) == nil, g.NumRounds
	if nolimit && o.from(g) > resolve.Flop { // after a flop the strategy goes on
		needs = o.from(g)
	}
	if rounds < needs {
		return &policy.CutError{Game: g.Name, Rounds: rounds, Of: g.NumRounds}
	}
	switch last := g.NumRounds - 1; {
	case o.Iterations == 0 || nolimit:
		return nil
	case g.NumPlayers != 2 || g.NumHoleCards > 2:
		return &SolvingError{g.Name, "only games of two players and at most two hole cards are solved in play"}
	case o.from(g) != last:
		return &SolvingError{g.Name, "only its last round is solved in play; the turn is in no-limit hold'em"}
	case o.Time != 0:
		return &SolvingError{g.Name, "only no-limit hold'em is solved in a given time"}
	}
	return nil
}

// Prepare returns a policy as a Strategy needs it that solves rounds, if that fits in a number
// of bytes of memory. The policy may lack the rounds that are solved, see [Solving.Check].
func (o *Solving) Prepare(p *policy.Policy, budget int64) (*policy.Policy, error) {
	g := p.Tree.Game
	if err := o.Check(g, p.Rounds()); err != nil {
		return nil, err
	}
	if o.Iterations == 0 || resolve.CheckGame(g) == nil {
		return p, nil
	}
	return p.Full(budget)
}

// from returns the first round of a game that is solved, and the number of rounds if none is.
func (o *Solving) from(g *acpc.Game) int {
	switch {
	case o.Iterations == 0:
		return g.NumRounds
	case o.From == 0:
		return g.NumRounds - 1
	}
	return o.From
}

// RoundNamed returns the round that settings name, such as "turn", as [Solving] has it: 0 for "".
func RoundNamed(name string) int { return max(0, slices.Index(betting.RoundNames[:], name)) }

// NewSolver returns a Strategy that solves rounds in play. The policy is that of
// [Solving.Prepare].
func NewSolver(trained *policy.Policy, style Style, seed uint64, o Solving) (*Strategy, error) {
	p := NewStrategy(trained, style, seed)
	p.solving = o
	g := trained.Tree.Game
	if o.Iterations == 0 || resolve.CheckGame(g) != nil {
		return p, nil
	}
	blueprint := resolve.Blueprint{
		Index: p.policy.Index, Rounds: p.policy.Rounds(),
		Played: belief.Played(p.policy, style.Apply), Expected: belief.Played(p.policy, nil),
	}
	var err error
	p.resolver, err = resolve.New(blueprint, resolve.Options{
		From: o.from(g), Iterations: uint64(o.Iterations), Threads: o.Threads, Device: o.Device, Memory: maxSolution, Bets: o.Bets, Play: style.Apply,
	})
	return p, err
}

// solves reports whether a round is solved.
func (p *Strategy) solves(round int) bool {
	return p.solving.Iterations > 0 && round >= p.solving.from(p.policy.Tree.Game)
}

// solved appends the choices of a decision, and fills in how it was solved. Without choices
// there was too little time, the strategy would not have played the player's cards to here, or the
// hand is not in its tree.
func (p *Strategy) solved(dst []policy.Choice, s *acpc.State, d *Decision) ([]policy.Choice, error) {
	if p.resolver == nil {
		choices, possible, err := p.solve(dst, s)
		if possible {
			d.How, d.Iterations = Solved, p.solving.Iterations
		}
		return choices, err
	}
	ctx := context.Background()
	if p.solving.Time > 0 {
		limited, cancel := context.WithTimeout(ctx, p.bank.limit(&p.solving))
		defer cancel()
		ctx = limited
	}
	a, err := p.resolver.Answer(ctx, s)
	if err != nil {
		return dst, err
	}
	if !a.Solved {
		return dst, nil
	}
	if known := s.Round() < p.policy.Rounds(); a.Late && (known || a.Iterations == 0) {
		d.Late = true
		return dst, nil
	}
	total := 0.0
	hand := p.resolver.Hand(card.SetOf(s.Holes[s.Actor()][:2]...))
	for k, x := range a.Of(hand) {
		dst = append(dst, policy.Choice{Action: a.Actions[k], Probability: float32(x)})
		total += x
	}
	if total > 0 {
		d.How, d.Iterations, d.Added = Solved, int(a.Iterations), a.Added
	}
	return dst, nil
}
