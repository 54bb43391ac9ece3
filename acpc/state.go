package acpc

import (
	"fmt"

	"gamebots/acpc/card"
)

// ActionType is a fold, a call (or check) or a raise (or bet).
type ActionType uint8

const (
	Fold ActionType = iota
	Call
	Raise
)

// Action is what a player does. Size is 0 but for a raise in a no-limit game,
// where it is the total that the player has then put in over the whole hand.
type Action struct {
	Type ActionType
	Size int32
}

// State is the state of one hand: cards, bets and who acts. It is a plain
// value without pointers into other states; copying it copies the hand.
// Holes[p] are the hole cards of position p and Board the board cards of all
// rounds; whoever deals or parses a hand sets them, no betting rule reads them.
type State struct {
	HandID uint32
	Holes  [MaxPlayers][MaxHoleCards]card.Card
	Board  [MaxBoardCards]card.Card

	game       *Game
	spent      [MaxPlayers]int32
	maxSpent   int32
	minRaiseTo int32
	folded     [MaxPlayers]bool
	finished   bool
	round      uint8
	numActions [MaxRounds]uint8
	actions    [MaxRounds][MaxActions]Action
	actor      [MaxRounds][MaxActions]uint8
}

// NewState returns the start of a hand, after the blinds and before any card.
// Where the blinds leave nobody able to act the hand is over at once (the
// original server would look for a player forever).
func (g *Game) NewState(handID uint32) State {
	s := State{HandID: handID, game: g}
	for p := range g.NumPlayers {
		s.spent[p] = g.Blind[p]
		s.maxSpent = max(s.maxSpent, g.Blind[p])
	}
	s.minRaiseTo = max(1, 2*s.maxSpent)
	if s.numActing() == 0 {
		s.finish()
	}
	return s
}

// Game returns the rules that the hand is played by.
func (s *State) Game() *Game { return s.game }

// Round returns the betting round, from 0.
func (s *State) Round() int { return int(s.round) }

// Finished says whether the hand is over.
func (s *State) Finished() bool { return s.finished }

// Spent returns the chips that a position has put in over the whole hand.
func (s *State) Spent(p int) int32 { return s.spent[p] }

// MaxSpent returns the amount to match.
func (s *State) MaxSpent() int32 { return s.maxSpent }

// Folded says whether a position has folded.
func (s *State) Folded(p int) bool { return s.folded[p] }

// Actions returns what was done in a round; the slice belongs to the state.
func (s *State) Actions(round int) []Action { return s.actions[round][:s.numActions[round]] }

// NumActions returns how many actions the hand has seen.
func (s *State) NumActions() int {
	n := 0
	for _, k := range s.numActions[:s.round+1] {
		n += int(k)
	}
	return n
}

// acting says whether a position can still act: not folded and not all-in.
func (s *State) acting(p int) bool { return !s.folded[p] && s.spent[p] < s.game.Stack[p] }

func (s *State) numActing() int {
	n := 0
	for p := range s.game.NumPlayers {
		if s.acting(p) {
			n++
		}
	}
	return n
}

func (s *State) numFolded() int {
	n := 0
	for _, f := range s.folded[:s.game.NumPlayers] {
		if f {
			n++
		}
	}
	return n
}

// numCalled counts the players who matched the last bet of the round, its
// raiser included, and still have chips.
func (s *State) numCalled() int {
	n := 0
	for i := int(s.numActions[s.round]) - 1; i >= 0; i-- {
		a, p := s.actions[s.round][i].Type, int(s.actor[s.round][i])
		if a != Fold && s.spent[p] < s.game.Stack[p] {
			n++
		}
		if a == Raise {
			break
		}
	}
	return n
}

func (s *State) numRaises() int {
	n := 0
	for _, a := range s.Actions(int(s.round)) {
		if a.Type == Raise {
			n++
		}
	}
	return n
}

// Actor returns the position whose turn it is, or -1 when the hand is over.
func (s *State) Actor() int {
	if s.finished {
		return -1
	}
	p := int(s.game.FirstPlayer[s.round])
	if k := s.numActions[s.round]; k > 0 {
		p = int(s.actor[s.round][k-1]) + 1
	}
	for i := range s.game.NumPlayers {
		if q := (p + i) % s.game.NumPlayers; s.acting(q) {
			return q
		}
	}
	return -1
}

// CanFold says whether the player to act may fold: there is something to call.
func (s *State) CanFold() bool {
	p := s.Actor()
	return p >= 0 && s.spent[p] != s.maxSpent && s.spent[p] != s.game.Stack[p]
}

// RaiseBounds returns the smallest and the largest legal raise of the player
// to act, as Action.Size (both 0 in limit games), and whether a raise is legal.
func (s *State) RaiseBounds() (minTo, maxTo int32, ok bool) {
	p := s.Actor()
	if p < 0 || s.numRaises() >= int(s.game.MaxRaises[s.round]) ||
		s.RaiseForbiddenByLength() || s.numActing() <= 1 {
		return 0, 0, false
	}
	if s.game.Betting == Limit {
		return 0, 0, true
	}
	minTo, maxTo = s.minRaiseTo, s.game.Stack[p]
	if minTo > maxTo {
		if s.maxSpent >= maxTo {
			return 0, 0, false
		}
		minTo = maxTo // all-in for less than a full raise
	}
	return minTo, maxTo, true
}

// RaiseForbiddenByLength says whether the round is so long that only calls and
// folds are left (MaxActions), which the original server warns about.
func (s *State) RaiseForbiddenByLength() bool {
	return int(s.numActions[s.round])+s.game.NumPlayers > MaxActions
}

// Check returns why an action is not legal now, or nil.
func (s *State) Check(a Action) error {
	if s.finished {
		return fmt.Errorf("%v after the end of the hand", a)
	}
	switch a.Type {
	case Fold:
		if !s.CanFold() {
			return fmt.Errorf("fold with nothing to call")
		}
	case Raise:
		minTo, maxTo, ok := s.RaiseBounds()
		if !ok {
			return fmt.Errorf("raise not allowed now")
		}
		if a.Size < minTo || a.Size > maxTo {
			return fmt.Errorf("raise to %d is not from %d to %d", a.Size, minTo, maxTo)
		}
		return nil
	}
	if a.Size != 0 {
		return fmt.Errorf("%v with a size", a)
	}
	return nil
}

// Apply makes a legal action; check it first with Check.
func (s *State) Apply(a Action) {
	p := s.Actor()
	k := s.numActions[s.round]
	s.actions[s.round][k] = a
	s.actor[s.round][k] = uint8(p)
	s.numActions[s.round]++

	stack := s.game.Stack[p]
	switch a.Type {
	case Fold:
		s.folded[p] = true
	case Call:
		s.spent[p] = min(s.maxSpent, stack)
	case Raise:
		if s.game.Betting == NoLimit {
			s.minRaiseTo = int32(max(int64(s.minRaiseTo), 2*int64(a.Size)-int64(s.maxSpent)))
			s.maxSpent = a.Size
		} else {
			// A short stack's raise can lower maxSpent here, as it does in
			// the original server.
			s.maxSpent = int32(min(int64(s.maxSpent)+int64(s.game.RaiseSize[s.round]), int64(stack)))
		}
		s.spent[p] = s.maxSpent
	}
	s.advance()
}

// advance ends the round or the hand where the last action did.
func (s *State) advance() {
	if s.numFolded()+1 >= s.game.NumPlayers {
		s.finished = true
		return
	}
	acting := s.numActing()
	if s.numCalled() < acting {
		return
	}
	if acting <= 1 {
		s.finish()
		return
	}
	if int(s.round)+1 == s.game.NumRounds {
		s.finished = true
		return
	}
	s.round++
	s.minRaiseTo = s.maxSpent + max(1, s.game.MaxBlind())
}

// finish ends the hand with the whole board on the table.
func (s *State) finish() {
	s.finished = true
	s.round = uint8(s.game.NumRounds - 1)
}

// Value returns the chips that a position has won (negative: lost) in a
// finished hand. Ties split a pot exactly, so values may be fractions.
func (s *State) Value(p int) float64 {
	if s.folded[p] {
		return -float64(s.spent[p])
	}
	n := s.game.NumPlayers
	if s.numFolded()+1 == n {
		won := 0.0
		for q := range n {
			if q != p {
				won += float64(s.spent[q])
			}
		}
		return won
	}
	var ranks [MaxPlayers]int
	for q := range n {
		ranks[q] = s.HandRank(q)
	}
	return s.Showdown(p, &ranks)
}

// Showdown returns the chips that a position wins or loses at showdown when
// the hands have the given ranks (larger is better; -1 for a folded hand):
// the pots are taken apart from the smallest contribution up, and each pot is
// split between the best hands in it.
func (s *State) Showdown(p int, ranks *[MaxPlayers]int) float64 {
	spent := s.spent
	value := 0.0
	for spent[p] > 0 {
		size, best := spent[p], ranks[p]
		for q := range s.game.NumPlayers {
			if spent[q] > 0 {
				size = min(size, spent[q])
				best = max(best, ranks[q])
			}
		}
		in, winners := 0, 0
		for q := range s.game.NumPlayers {
			if spent[q] > 0 {
				in++
				if ranks[q] == best {
					winners++
				}
				spent[q] -= size
			}
		}
		if ranks[p] == best {
			value += float64(int64(size)*int64(in-winners)) / float64(winners)
		} else {
			value -= float64(size)
		}
	}
	return value
}

// HandRank returns the rank of a position's hole cards with the whole board,
// larger is better, or -1 when it has folded.
func (s *State) HandRank(p int) int {
	if s.folded[p] {
		return -1
	}
	g := s.game
	set := card.SetOf(s.Holes[p][:g.NumHoleCards]...) | card.SetOf(s.Board[:g.BoardCards(g.NumRounds-1)]...)
	return g.HandRanking.Rank(set)
}
