package betting

import (
	"iter"
	"math"
	"slices"

	"gamebots/acpc"
)

// Actions is an action abstraction: the raises of a no-limit game that a betting tree has, by
// player, round and number of raises so far in the round. Folds and calls are always included.
// The zero Actions has every legal raise.
type Actions struct {
	menus     *menus // nil for every raise
	forgetful bool
}

// menus has the menu of every decision: by player, the last for those that are not named, and
// by round. A schedule is nil where none was given.
type menus [acpc.MaxPlayers + 1]playerMenus

type playerMenus [acpc.MaxRounds]schedule

// schedule has menus by the number of raises so far in the round. The last one holds for all
// further raises.
type schedule []menu

// menu is a choice of raises in the order of compareSizes, no two the same.
type menu []size

// FCPA is fold, call, pot and all-in, the usual first abstraction. FCPA2 has raises of the pot
// only for the first bet and the first raise of a round, FCPA1 for the first bet. FCA is the
// smallest: fold, call and all-in.
var (
	FCPA  = everywhere(schedule{potOrAllIn})
	FCPA2 = everywhere(schedule{potOrAllIn, potOrAllIn, {{unit: allIn}}})
	FCPA1 = everywhere(schedule{potOrAllIn, {{unit: allIn}}})
	FCA   = everywhere(schedule{{{unit: allIn}}})
)

var potOrAllIn = menu{{ofPot, 1}, {unit: allIn}}

// everywhere returns the abstraction with the same schedule for all players and rounds.
func everywhere(s schedule) Actions {
	var a Actions
	a.set(allPlayers, allRounds, s)
	return a
}

// All reports whether every legal raise is included.
func (a Actions) All() bool { return a.menus == nil }

// Forgetful returns an abstraction with the same raises whose information sets forget how
// the betting of earlier rounds went (imperfect recall). They keep an [Entrance]. So a round
// has one segment in the tree for each of these, however many betting sequences lead to it,
// which makes the trees of limit games and of many players far smaller.
func (a Actions) Forgetful() Actions {
	a.forgetful = true
	return a
}

// Remembering returns an abstraction with the same raises that forgets nothing.
func (a Actions) Remembering() Actions {
	a.forgetful = false
	return a
}

// IsForgetful reports whether the abstraction forgets the betting of earlier rounds.
func (a Actions) IsForgetful() bool { return a.forgetful }

// Legal yields the actions at a decision in the order fold, call, raises upwards.
// As in the original server, a player with nothing to call may not fold.
func (a Actions) Legal(s *acpc.State) iter.Seq[acpc.Action] {
	return func(yield func(acpc.Action) bool) {
		if s.CanFold() && !yield(acpc.Action{Type: acpc.Fold}) || !yield(acpc.Action{Type: acpc.Call}) {
			return
		}
		low, high, ok := s.RaiseBounds()
		if !ok {
			return
		}
		if a.All() || s.Game().Betting == acpc.Limit {
			for size := int64(low); size <= int64(high); size++ { // high may be the largest int32
				if !yield(acpc.Action{Type: acpc.Raise, Size: int32(size)}) {
					return
				}
			}
			return
		}
		sizes := make([]int32, 0, 8)
		for _, x := range a.menus[s.Actor()][s.Round()].after(s.NumRaises()) {
			sizes = append(sizes, min(max(x.of(s), low), high))
		}
		slices.Sort(sizes)
		for _, size := range slices.Compact(sizes) {
			if !yield(acpc.Action{Type: acpc.Raise, Size: size}) {
				return
			}
		}
	}
}

// after returns the menu after a number of raises.
func (s schedule) after(raises int) menu {
	if len(s) == 0 {
		return nil
	}
	return s[min(raises, len(s)-1)]
}

// size is a size of raises.
type size struct {
	unit   unit
	number float64
}

// unit is what the number of a size counts.
type unit uint8

const (
	smallest  unit = iota // the smallest legal raise, without a number
	bigBlinds             // to be put in in this round
	ofBet                 // multiples of the amount to match in this round, or of the big blind where that is 0
	ofPot                 // of the pot as it is after calling
	allIn                 // without a number
)

// of returns the size of a raise, which may be out of its bounds.
func (x size) of(s *acpc.State) int32 {
	before, blind := float64(s.MaxSpent()-s.Bet()), float64(s.Game().MaxBlind())
	switch x.unit {
	case smallest:
		return 0
	case bigBlinds:
		return chips(before + x.number*blind)
	case ofBet:
		bet := float64(s.Bet())
		if bet == 0 {
			bet = blind
		}
		return chips(before + x.number*bet)
	case ofPot:
		return raiseSize(s, x.number)
	}
	return math.MaxInt32
}

// chips rounds an amount that may be larger than all stacks.
func chips(x float64) int32 { return int32(min(math.Round(x), math.MaxInt32)) }

// pot returns the chips in the middle once the player to act has called.
func pot(s *acpc.State) float64 {
	sum := float64(s.MaxSpent() - s.Spent(s.Actor()))
	for p := range s.Game().NumPlayers {
		sum += float64(s.Spent(p))
	}
	return sum
}

// raiseSize returns the size of a raise by a fraction of the pot.
func raiseSize(s *acpc.State, fraction float64) int32 {
	return chips(float64(s.MaxSpent()) + fraction*pot(s))
}

// potFraction is the inverse of raiseSize.
func potFraction(s *acpc.State, size int32) float64 { return float64(size-s.MaxSpent()) / pot(s) }
