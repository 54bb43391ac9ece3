package acpc

import (
	"math"

	"gamebots/acpc/card"
	"gamebots/acpc/hand"
)

// The limits of the original server (game.h).
const (
	MaxPlayers    = 10
	MaxRounds     = 4
	MaxHoleCards  = 3
	MaxBoardCards = 7
	// MaxActions is the largest number of actions in one round; a raise that
	// could make the round pass it is not legal.
	MaxActions = 64
	// MaxLine is the longest line of the protocol in bytes, its end included;
	// the original's buffers hold one byte more, a terminating zero.
	MaxLine = 4095
	// NoStackLimit is the stack of a game that defines none.
	NoStackLimit = math.MaxInt32
	// NoRaiseLimit is the number of raises a round in a game that defines none.
	NoRaiseLimit = math.MaxUint8
)

// Betting is fixed-limit or no-limit.
type Betting uint8

const (
	Limit Betting = iota
	NoLimit
)

// Game is a game definition: the rules of one poker variant. Only the leading
// NumPlayers or NumRounds items of an array are meaningful. Players are
// positions: 0 is the first after the button. A Game is not changed after it
// is read, and may then be shared between goroutines.
type Game struct {
	// Name is the base name of the game's file without ".game"; no rule depends on
	// it.
	Name          string
	Betting       Betting
	NumPlayers    int
	NumRounds     int
	Stack         [MaxPlayers]int32 // chips at the start of a hand
	Blind         [MaxPlayers]int32 // chips put in before the first action
	RaiseSize     [MaxRounds]int32  // limit games: chips a raise adds
	FirstPlayer   [MaxRounds]uint8  // who acts first, from 0
	MaxRaises     [MaxRounds]uint8  // blinds do not count
	NumSuits      int
	NumRanks      int
	NumHoleCards  int
	NumBoardCards [MaxRounds]uint8 // dealt in each round
	// HandRanking is the order of hands at showdown.
	HandRanking hand.Ranking
	// UnderRaise allows, in a limit game, the raise of a stack so short that it
	// lowers the bet, as the original server does; chips of those who have put
	// in more may vanish. No definition has a key for it: ParseOriginal sets it.
	UnderRaise bool
}

// Deck returns the game's cards in the original dealer's order.
func (g *Game) Deck() []card.Card { return card.Deck(g.NumSuits, g.NumRanks) }

// BoardCards returns the number of board cards in a round (from 0), those of earlier
// rounds included.
func (g *Game) BoardCards(round int) int {
	n := 0
	for _, k := range g.NumBoardCards[:round+1] {
		n += int(k)
	}
	return n
}

// Ante returns the forced bet if it is the same for all players, or 0 if there are blinds.
func (g *Game) Ante() int32 {
	for _, b := range g.Blind[:g.NumPlayers] {
		if b != g.Blind[0] {
			return 0
		}
	}
	return max(0, g.Blind[0])
}

// MaxBlind returns the largest blind or ante; a thousandth of it is a milli-big-blind (mb),
// the unit of results.
func (g *Game) MaxBlind() int32 {
	m := int32(0)
	for _, b := range g.Blind[:g.NumPlayers] {
		m = max(m, b)
	}
	return m
}
