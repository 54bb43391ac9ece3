package resolve

import (
	"fmt"

	"gamebots/acpc"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve/spot"
)

// The rounds of hold'em that can be solved.
const (
	Flop  = 1
	Turn  = 2
	River = 3
)

// Options say what is solved, and how far.
type Options struct {
	// From is the first round that is solved: Flop, Turn or River.
	From int
	// Iterations is their number for each solution.
	Iterations uint64
	// Threads are for flops and turns; a river is solved by one.
	Threads int
	// Memory is for one solution, in bytes. Of the menus of a round the first is taken with
	// which it is enough, or else the smallest.
	Memory int64
	// Device, if not nil, solves turns, with 32-bit entries and deviceMemory times the memory.
	// If it has less, they are solved by threads.
	Device spot.Device
	// Play, if not nil, changes the solved choices of a hand to those that are played, which
	// need not sum to one.
	Play func([]policy.Choice)
	// Bets, if not nil, are bets and raises that the opponent may make in the first round of
	// a solution in addition to the menu, if the memory is enough.
	Bets spot.Sizes
}

// deviceMemory is how many times more memory a solution on a device may take. An iteration takes
// it less time all the same.
const deviceMemory = 16

// A GameError is the error for a game whose rounds are not solved.
type GameError struct{ Game string }

func (e *GameError) Error() string {
	return fmt.Sprintf("%s is not no-limit hold'em for two players with four rounds", e.Game)
}

// CheckGame returns a [*GameError] if the rounds of a game cannot be solved.
func CheckGame(g *acpc.Game) error {
	holdem := g.NumRounds == 4 && g.NumHoleCards == 2 && g.NumBoardCards == [acpc.MaxRounds]uint8{0, 3, 1, 1} &&
		g.NumSuits == 4 && g.NumRanks == 13 && g.HandRanking == 0
	if !holdem || g.NumPlayers != 2 || g.Betting != acpc.NoLimit || g.FirstPlayer[Flop] != g.FirstPlayer[Turn] || g.FirstPlayer[Turn] != g.FirstPlayer[River] {
		return &GameError{g.Name}
	}
	return nil
}

// menus are the bets and raises of trees by the round that is solved, the richest first.
var menus = [acpc.MaxRounds][]spot.Menu{
	Flop: {
		menu("50,100,a", "100,a", 3),
		menu("100,a", "100,a", 2),
	},
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
