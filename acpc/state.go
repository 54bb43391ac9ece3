package acpc

import (
	"errors"
	"fmt"
	"math"

	"gamebots/acpc/card"
)

// State is the state of one hand: cards, bets and the player to act. Copying the value
// copies the hand. Holes[p] are the hole cards of position p and Board the board cards of
// all rounds; dealing or parsing sets them, and no betting rule reads them.
type State struct {
	HandID uint32
	Holes  [MaxPlayers][MaxHoleCards]card.Card
	Board  [MaxBoardCards]card.Card

	game *Game
	bets
	numActions [MaxRounds]uint8
	actions    [MaxRounds][MaxActions]Action
}

// bets is what the past actions of a hand amount to.
type bets struct {
	spent      [MaxPlayers]int32
	maxSpent   int32
	minRaiseTo int32 // unused in limit games
	folded     [MaxPlayers]bool
	finished   bool
	round      uint8
	actor      uint8 // position whose turn it is
	numFolded  uint8
	numActing  uint8 // neither folded nor all-in
	numCalled  uint8 // acting players who matched the last bet, its raiser included
	numRaises  uint8 // raises in this round
	before     int32 // maxSpent at the start of this round
}

// Standing is everything that the legal actions from a state on depend on, and the pots
// they lead to. It is a map key: states of one game with equal Standings have equal
// betting trees below them.
type Standing struct {
	bets
	numActions uint8 // actions in this round
}

// Standing returns the standing of the hand.
func (s *State) Standing() Standing { return Standing{s.bets, s.numActions[s.round]} }

// StandAs gives the hand the game and the standing of another. Its cards and past actions
// stay what they are: it is for walks through betting, in which copies of a whole State
// would take most of the time.
func (s *State) StandAs(t *State) { s.game, s.bets, s.numActions = t.game, t.bets, t.numActions }

// NewState returns the start of a hand, after the blinds and before any card.
// If no player can act after the blinds, the hand is over at once; the original server hangs.
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

// Game returns the game of the hand.
func (s *State) Game() *Game { return s.game }

// Round returns the betting round, from 0.
func (s *State) Round() int { return int(s.round) }

// Finished reports whether the hand is over.
func (s *State) Finished() bool { return s.finished }

// AtShowdown reports whether the hand is over and at least two players show cards.
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

// Bet returns the amount to match in this round, without what was spent in earlier ones.
// Blinds are bets of the first round.
func (s *State) Bet() int32 { return s.maxSpent - s.before }

// InRound returns the part of a player's chips over the whole hand that belongs to the betting of
// this round, in which players name a bet or raise. Blinds belong to it, antes do not.
func (s *State) InRound(total int32) int32 {
	before := s.before
	if s.round == 0 {
		before = s.game.Ante()
	}
	return max(0, total-before)
}

// NumRaises returns the number of bets and raises in this round. Blinds are none.
func (s *State) NumRaises() int { return int(s.numRaises) }

// Folded reports whether a position has folded.
func (s *State) Folded(p int) bool { return s.folded[p] }

// Actions returns the actions of a round; the slice belongs to the state.
func (s *State) Actions(round int) []Action { return s.actions[round][:s.numActions[round]] }

// NumActions returns the number of actions in all rounds.
func (s *State) NumActions() int {
	n := 0
	for _, k := range s.numActions {
		n += int(k)
	}
	return n
}

// acting reports whether a position can still act: not folded and not all-in.
func (s *State) acting(p int) bool { return !s.folded[p] && s.spent[p] < s.game.Stack[p] }

// CanFold reports whether the player to act may fold: there is something to call.
func (s *State) CanFold() bool { return !s.finished && s.spent[s.actor] != s.maxSpent }

// RaiseBounds returns the smallest and the largest legal raise of the player to act, as
// Action.Size (both 0 in limit games), and reports whether a raise is legal. An all-in for
// less than a full raise leaves the smallest raise as it was, so the next raise may add
// less than the last one: so does the original server, unlike the protocol's document.
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

// RaiseForbiddenByLength reports whether a raise that the number of raises allows
// is illegal because the round has too many actions (MaxActions); the original server
// warns of it.
func (s *State) RaiseForbiddenByLength() bool {
	return s.numRaises < s.game.MaxRaises[s.round] &&
		int(s.numActions[s.round])+s.game.NumPlayers > MaxActions
}

// Check returns an error if an action is illegal now.
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

// Fix returns the legal action that the original dealer plays for an action: a raise with
// an illegal size gets the nearest legal one. For any other illegal action ok is false.
func (s *State) Fix(a Action) (fixed Action, ok bool) {
	if minTo, maxTo, ok := s.RaiseBounds(); ok && a.Type == Raise {
		a.Size = min(max(a.Size, minTo), maxTo)
	}
	return a, s.Check(a) == nil
}

// Apply plays an action, which must be legal: see Check.
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

// raise puts in a position's chips and makes all others act again.
func (s *State) raise(p int, size int32) {
	if s.game.Betting == NoLimit {
		s.minRaiseTo = max(s.minRaiseTo, saturate(2*int64(size)-int64(s.maxSpent)))
		s.maxSpent = size
	} else {
		// A short stack's raise lowers maxSpent if the game has UnderRaise or the
		// hand was read from a text.
		s.maxSpent = s.limitRaiseTo(p)
	}
	s.spent[p] = s.maxSpent
	s.numRaises++
	s.numCalled = 0
}

// limitRaiseTo returns the chips that a position has put in after a raise in a limit game.
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
		s.numCalled, s.numRaises, s.before = 0, 0, s.maxSpent
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

// saturate limits a sum of chips from above to an int32, which the largest stacks would overflow.
func saturate(chips int64) int32 { return int32(min(chips, math.MaxInt32)) }
