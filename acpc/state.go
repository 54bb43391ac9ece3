package acpc

import (
	"errors"
	"fmt"
	"math"

	"gamebots/acpc/card"
)

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
	minRaiseTo int32 // of no meaning in limit games
	folded     [MaxPlayers]bool
	finished   bool
	round      uint8
	actor      uint8 // whose turn it is
	numFolded  uint8
	numActing  uint8 // neither folded nor all-in
	numCalled  uint8 // acting players who matched the last bet, its raiser included
	numRaises  uint8 // in this round
	numActions [MaxRounds]uint8
	actions    [MaxRounds][MaxActions]Action
}

// NewState returns the start of a hand, after the blinds and before any card.
// Where the blinds leave nobody able to act the hand is over at once (the
// original server would look for a player forever).
func (g *Game) NewState(handID uint32) State {
	s := State{HandID: handID, game: g}
	for p := range g.NumPlayers {
		s.spent[p] = g.Blind[p]
		s.maxSpent = max(s.maxSpent, g.Blind[p])
		if s.acting(p) {
			s.numActing++
		}
	}
	if g.Betting == NoLimit {
		s.minRaiseTo = max(1, saturate(2*int64(s.maxSpent)))
	}
	if s.numActing == 0 {
		s.finish()
		return s
	}
	s.passTo(int(g.FirstPlayer[0]))
	return s
}

// Game returns the rules that the hand is played by.
func (s *State) Game() *Game { return s.game }

// Round returns the betting round, from 0.
func (s *State) Round() int { return int(s.round) }

// Finished says whether the hand is over.
func (s *State) Finished() bool { return s.finished }

// AtShowdown says whether the hand is over and at least two players show cards.
func (s *State) AtShowdown() bool { return s.finished && int(s.numFolded)+1 < s.game.NumPlayers }

// Actor returns the position whose turn it is, or -1 when the hand is over.
func (s *State) Actor() int {
	if s.finished {
		return -1
	}
	return int(s.actor)
}

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
	for _, k := range s.numActions {
		n += int(k)
	}
	return n
}

// acting says whether a position can still act: not folded and not all-in.
func (s *State) acting(p int) bool { return !s.folded[p] && s.spent[p] < s.game.Stack[p] }

// CanFold says whether the player to act may fold: there is something to call.
func (s *State) CanFold() bool { return !s.finished && s.spent[s.actor] != s.maxSpent }

// RaiseBounds returns the smallest and the largest legal raise of the player
// to act, as Action.Size (both 0 in limit games), and whether a raise is legal.
// After an all-in for less than a full raise the smallest raise does not move,
// so the next raise may add less than the last one; the protocol's document
// says otherwise, the original server does this.
func (s *State) RaiseBounds() (minTo, maxTo int32, ok bool) {
	return s.raiseBounds(s.game.UnderRaise)
}

func (s *State) raiseBounds(underRaise bool) (minTo, maxTo int32, ok bool) {
	if s.finished || s.numRaises >= s.game.MaxRaises[s.round] || s.numActing <= 1 ||
		s.RaiseForbiddenByLength() {
		return 0, 0, false
	}
	if s.game.Betting == Limit {
		return 0, 0, underRaise || s.limitRaiseTo(int(s.actor)) >= s.maxSpent
	}
	minTo, maxTo = s.minRaiseTo, s.game.Stack[s.actor]
	if minTo > maxTo {
		if s.maxSpent >= maxTo {
			return 0, 0, false
		}
		minTo = maxTo // all-in for less than a full raise
	}
	return minTo, maxTo, true
}

// RaiseForbiddenByLength says whether a raise that the number of raises allows
// is not legal because the round is too long (MaxActions), of which the
// original server warns.
func (s *State) RaiseForbiddenByLength() bool {
	return s.numRaises < s.game.MaxRaises[s.round] &&
		int(s.numActions[s.round])+s.game.NumPlayers > MaxActions
}

// Check returns why an action is not legal now, or nil.
func (s *State) Check(a Action) error { return s.check(a, s.game.UnderRaise) }

func (s *State) check(a Action, underRaise bool) error {
	if s.finished {
		return errors.New("action after the end of the hand")
	}
	switch a.Type {
	case Fold:
		if !s.CanFold() {
			return errors.New("fold with nothing to call")
		}
	case Call:
	case Raise:
		minTo, maxTo, ok := s.raiseBounds(underRaise)
		if !ok {
			return errors.New("raise not allowed now")
		}
		if a.Size < minTo || a.Size > maxTo {
			return fmt.Errorf("raise to %d is not from %d to %d", a.Size, minTo, maxTo)
		}
		return nil
	default:
		return fmt.Errorf("%w type %d", ErrUnknownAction, a.Type)
	}
	if a.Size != 0 {
		return errors.New("only a raise has a size")
	}
	return nil
}

// Fix returns the legal action that the original dealer takes an action for:
// where a raise is legal but its size is out of bounds, the nearest bound.
// Whatever else is not legal stays as it is, and ok is false.
func (s *State) Fix(a Action) (fixed Action, ok bool) {
	if minTo, maxTo, ok := s.RaiseBounds(); ok && a.Type == Raise {
		a.Size = min(max(a.Size, minTo), maxTo)
	}
	return a, s.Check(a) == nil
}

// Apply makes an action, which must be legal: check it first with Check.
func (s *State) Apply(a Action) {
	p := int(s.actor)
	s.actions[s.round][s.numActions[s.round]] = a
	s.numActions[s.round]++

	switch a.Type {
	case Fold:
		s.folded[p] = true
		s.numFolded++
		s.numActing--
		s.advance(p)
		return
	case Call:
		s.spent[p] = min(s.maxSpent, s.game.Stack[p])
	case Raise:
		s.raise(p, a.Size)
	}
	if s.acting(p) {
		s.numCalled++
	} else {
		s.numActing--
	}
	s.advance(p)
}

// raise puts a position's chips in and makes everybody else answer.
func (s *State) raise(p int, size int32) {
	if s.game.Betting == NoLimit {
		s.minRaiseTo = max(s.minRaiseTo, saturate(2*int64(size)-int64(s.maxSpent)))
		s.maxSpent = size
	} else {
		// A short stack's raise can lower maxSpent here, where the game has
		// UnderRaise or the hand was read from a text.
		s.maxSpent = s.limitRaiseTo(p)
	}
	s.spent[p] = s.maxSpent
	s.numRaises++
	s.numCalled = 0
}

// limitRaiseTo returns what a position has put in after a raise in a limit game.
func (s *State) limitRaiseTo(p int) int32 {
	to := saturate(int64(s.maxSpent) + int64(s.game.RaiseSize[s.round]))
	return min(to, s.game.Stack[p])
}

// advance ends the round or the hand after p's action, or passes the turn on.
func (s *State) advance(p int) {
	switch {
	case int(s.numFolded)+1 >= s.game.NumPlayers:
		s.finished = true
	case s.numCalled < s.numActing:
		s.passTo(p + 1)
	case s.numActing <= 1:
		s.finish()
	case int(s.round)+1 == s.game.NumRounds:
		s.finished = true
	default:
		s.round++
		s.numCalled, s.numRaises = 0, 0
		s.minRaiseTo = saturate(int64(s.maxSpent) + int64(max(1, s.game.MaxBlind())))
		s.passTo(int(s.game.FirstPlayer[s.round]))
	}
}

// passTo gives the turn to the first acting player at or after p.
func (s *State) passTo(p int) {
	for {
		if p >= s.game.NumPlayers {
			p = 0
		}
		if s.acting(p) {
			s.actor = uint8(p)
			return
		}
		p++
	}
}

// finish ends the hand with the whole board on the table.
func (s *State) finish() {
	s.finished = true
	s.round = uint8(s.game.NumRounds - 1)
}

// saturate keeps sums of chips inside int32: with the largest stacks a bound
// would wrap to a negative number.
func saturate(chips int64) int32 { return int32(min(chips, math.MaxInt32)) }
