package acpc

import (
	"fmt"
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

// PositionNames returns what poker players call the positions of the game: BTN has the button, then come SB, BB, UTG,
// HJ and CO. Heads-up the button has the small blind. Where the forced bets are not those of hold'em only the button
// has a name: it acts last in the last round.
func (g *Game) PositionNames() []string {
	n, first := g.NumPlayers, int(g.FirstPlayer[0])
	names := make([]string, n)
	name := func(position int, text string) { names[(position+n)%n] = text }
	if !g.blindsBefore(first) {
		name(int(g.FirstPlayer[g.NumRounds-1])-1, "BTN")
		return names
	}
	for i := range n - 3 { // who acts before the button
		switch left := n - 4 - i; {
		case left == 0:
			name(first+i, "CO")
		case left == 1 && i > 0:
			name(first+i, "HJ")
		case left == 2 && i > 0:
			name(first+i, "LJ")
		case i == 0:
			name(first, "UTG")
		default:
			name(first+i, fmt.Sprintf("UTG+%d", i))
		}
	}
	name(first-1, "BB")
	name(first-2, "SB")
	name(first-min(n, 3), "BTN") // heads-up the small blind
	return names
}

// blindsBefore reports whether the two positions before one have a small and a big blind, and act in the later rounds
// as hold'em has it.
func (g *Game) blindsBefore(first int) bool {
	n := g.NumPlayers
	big, small := (first+n-1)%n, (first+n-2)%n
	next := small // who acts first in later rounds
	if n == 2 {
		next = big
	}
	for p, b := range g.Blind[:n] {
		if (p == big) != (b == g.MaxBlind()) || p != big && p != small && b != 0 {
			return false
		}
	}
	for _, f := range g.FirstPlayer[1:g.NumRounds] {
		if int(f) != next {
			return false
		}
	}
	return true
}

// RoundNames returns what poker players call the rounds: "before the flop", "flop", "turn" and "river", or "round 1"
// and so on in games that deal other boards than hold'em.
func (g *Game) RoundNames() []string {
	names := []string{"before the flop", "flop", "turn", "river"}[:g.NumRounds]
	for r, cards := range [MaxRounds]uint8{0, 3, 1, 1} {
		if r < g.NumRounds && (g.NumBoardCards[r] != cards || g.NumHoleCards < 2) {
			for r := range names {
				names[r] = fmt.Sprintf("round %d", r+1)
			}
			return names
		}
	}
	return names
}

// Offset reports whether another game has the same rules and names the seats from another one on: what is position p
// here is p+by there, counted around the table. Games with "normal" and with "reverse" blinds are an example.
func (g *Game) Offset(other *Game) (by int, same bool) {
	n, rules := g.NumPlayers, other.String()
	for by := range n {
		moved := *g
		for p := range n {
			to := (p + by) % n
			moved.Stack[to], moved.Blind[to] = g.Stack[p], g.Blind[p]
		}
		for r, p := range g.FirstPlayer[:g.NumRounds] {
			moved.FirstPlayer[r] = uint8((int(p) + by) % n)
		}
		if moved.String() == rules {
			return by, true
		}
	}
	return 0, false
}
