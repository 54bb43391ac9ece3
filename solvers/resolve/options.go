package resolve

import (
	"context"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve/spot"
)

// The rounds of hold'em that can be solved.
const (
	Flop  = 1
	Turn  = 2
	River = 3
)

// Options say what is solved, and how far. What follows Play is for no-limit hold'em.
type Options struct {
	// Iterations is their number for each solution. Nothing is solved with 0.
	Iterations uint64
	// From is the first round that is solved; 0 is the last one.
	From int
	// Play, if not nil, changes the solved choices of a hand to those that are played, which
	// need not sum to one.
	Play func([]policy.Choice)
	// Threads are for flops and turns; a river is solved by one.
	Threads int
	// Memory is for one solution, in bytes. Of the menus of a round the first is taken with
	// which it is enough, or else the smallest.
	Memory int64
	// Device, if not nil, solves flops to the end of the hand, and turns with 32-bit entries and
	// deviceMemory times the memory. If it has less, turns are solved by threads. Its solutions are not
	// those of threads: they have more bets, and entries of more bits.
	Device *Device
	// DeviceFailed, if not nil, is told that the device has failed, after which play goes on without it.
	// Otherwise this is a [*DeviceError].
	DeviceFailed func(error)
	// Bets, if not nil, are bets and raises that the opponent may make in the first round of
	// a solution in addition to the menu, if the memory is enough.
	Bets spot.Sizes
}

// deviceMemory is how many times more memory a solution on a device may take. An iteration takes
// it less time all the same.
const deviceMemory = 16

// First returns the first round of a game that is solved, and the number of rounds if none is.
func (o *Options) First(g *acpc.Game) int {
	switch {
	case o.Iterations == 0:
		return g.NumRounds
	case o.From == 0:
		return g.NumRounds - 1
	}
	return o.From
}

// A GameError is the error for rounds of a game that cannot be solved.
type GameError struct{ Game, Msg string }

func (e *GameError) Error() string { return e.Game + ": " + e.Msg }

// NoLimitHoldem reports whether a game is no-limit hold'em, of which flops, turns and rivers are solved with any bets;
// of more than two players turns and rivers to which two are left. Of other games the last round is, with the bets of
// the blueprint. So it is without blinds, where the pot may be empty.
func NoLimitHoldem(g *acpc.Game) bool {
	return g.Betting == acpc.NoLimit && g.MaxBlind() > 0 &&
		g.NumRounds == 4 && g.NumHoleCards == 2 && g.NumBoardCards == [acpc.MaxRounds]uint8{0, 3, 1, 1} &&
		g.NumSuits == 4 && g.NumRanks == 13 && g.HandRanking == 0 &&
		g.FirstPlayer[Flop] == g.FirstPlayer[Turn] && g.FirstPlayer[Turn] == g.FirstPlayer[River]
}

// Check returns an error if the rounds of a game cannot be solved after a blueprint that has the
// first rounds: a [*GameError], or a [*policy.CutError] if it lacks rounds that are not solved.
func (o *Options) Check(g *acpc.Game, rounds int) error {
	nolimit, first, needs := NoLimitHoldem(g), o.First(g), g.NumRounds
	if nolimit && first > Flop && g.NumPlayers == 2 { // after a flop, and with three players, the blueprint goes on
		needs = first
	}
	switch {
	case rounds < needs:
		return &policy.CutError{Game: g.Name, Rounds: rounds, Of: g.NumRounds}
	case nolimit && g.NumPlayers > 2 && first == Flop:
		return &GameError{g.Name, "with more than two players only turns and rivers are solved in play"}
	case o.Iterations == 0 || nolimit:
		return nil
	case g.NumPlayers != 2 || g.NumHoleCards > 2:
		return &GameError{g.Name,
			"only no-limit hold'em and games of two players and at most two hole cards are solved in play"}
	case first != g.NumRounds-1:
		return &GameError{g.Name, "only its last round is solved in play; the turn is in no-limit hold'em"}
	}
	return nil
}

// menus are the bets and raises of trees by the round that is solved, the richest first.
var menus = [acpc.MaxRounds][]spot.Menu{
	Turn: {
		menu("turn: 50,100,a; river: 50,100,a", "turn: 100,a; river: 100,a", 3),
		menu("turn: 100,a; river: 100,a", "turn: 100,a; river: a", 3),
		menu("turn: 100,a; river: 100,a", "a", 2),
	},
	River: {
		menu("33,66,100,200,a", "50,100,a", 4),
		menu("100,a", "a", 3),
	},
}

// menu returns the menu of texts for [spot.ParseBets].
func menu(bets, raises string, cap int) (m spot.Menu) {
	var err error
	if m.Bets, err = spot.ParseBets(bets, false); err != nil {
		panic(err)
	}
	if m.Raises, err = spot.ParseBets(raises, true); err != nil {
		panic(err)
	}
	m.RaiseCap = cap
	return m
}

// A Resolver plays a blueprint, and solves the last rounds of a hand. It is used by one goroutine.
type Resolver interface {
	belief.Player
	// Answer returns what the player does in a state, in which it is to act. Hands that it would
	// not have played to there have no probabilities. Solving may end when the context is done.
	Answer(ctx context.Context, s *acpc.State) (Answer, error)
	// Hand returns the number of hole cards in [belief.Holes].
	Hand(hole card.Set) int
}

// An Answer is what a Resolver does with each hand.
type Answer struct {
	belief.Choices
	// Solved reports whether the choices are solved, and not those of the blueprint. Late
	// reports whether the solution has so few iterations that those of the blueprint are better.
	Solved, Late bool
	// Iterations are those of the solution. Added is the number of bets of the opponent
	// that were put into its tree.
	Iterations uint64
	Added      int
	// Entries are those of the solution, and OnDevice reports whether it was found on a device. Then
	// Exploitability is what best responses win from it on average for the two players, as a part of the
	// pot. The opponent has its choice, see Safety.
	Entries        int64
	OnDevice       bool
	Exploitability float64
}

// New returns the resolver of a policy for its game. The policy is one that [Options.Check] accepts.
func New(p *policy.Policy, o Options) (Resolver, error) {
	if !NoLimitHoldem(p.Tree.Game) {
		return newLastRound(p, o), nil
	}
	return NewNoLimit(Blueprint{
		Index: p.Index, Rounds: p.Rounds(), Played: belief.Played(p, o.Play), Expected: belief.Played(p, nil),
	}, o)
}

// plain is what a resolver plays where nothing is solved.
type plain struct {
	before *belief.Strategy
	holes  []card.Set
	number map[card.Set]int // numbers of holes
}

func newPlain(x *policy.Index, played belief.Probabilities) plain {
	p := plain{belief.NewStrategy(x, played), belief.Holes(x.Tree.Game), map[card.Set]int{}}
	for i, hole := range p.holes {
		p.number[hole] = i
	}
	return p
}

// Hand implements Resolver.
func (p *plain) Hand(hole card.Set) int { return p.number[hole] }

// unsolved returns the answer of the blueprint.
func (p *plain) unsolved(ctx context.Context, s *acpc.State) (Answer, error) {
	c, err := p.before.Choices(ctx, s)
	return Answer{Choices: c}, err
}
