package betting

import (
	"cmp"
	"fmt"
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
	opponent  *menus // raises of the opponents of the player that is trained, or nil; see Against
	forgetful bool
	deadMoney bool // with forgetful: see DeadMoney
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

// FCPA is fold, call, pot and all-in, the usual first abstraction. FCPA1 has raises of the pot
// only for the first bet of a round. FCA is the smallest: fold, call and all-in.
var (
	FCPA  = everywhere(schedule{potOrAllIn})
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

// Against returns the abstraction of a strategy in which each player has the raises of a, and is
// trained against opponents with other raises: in a tree of its own, see [Actions.Training]. The
// tree of the abstraction is the union of these trees. After a raise that only opponents have, its
// player goes on with the opponents' raises, and all others with those of a. It fails if one of the
// two has every legal raise, forgets betting, or was made by Against.
func (a Actions) Against(opponent Actions) (Actions, error) {
	for _, x := range []Actions{a, opponent} {
		if x.All() || x.forgetful || x.opponent != nil {
			return Actions{},
				fmt.Errorf("actions %q: want a list of raises without forgetful, where opponents have other ones", x)
		}
	}
	a.opponent = opponent.menus
	return a, nil
}

// Training returns the abstraction in which the player in a position is trained: it has no opponent.
func (a Actions) Training(position int) Actions {
	if a.opponent == nil {
		return a
	}
	of := *a.opponent
	of[position] = a.menus[position]
	return Actions{menus: &of}
}

// HasOpponent reports whether the abstraction was made by Against.
func (a Actions) HasOpponent() bool { return a.opponent != nil }

// Forgetful returns an abstraction with the same raises whose information sets forget how
// the betting of earlier rounds went (imperfect recall). They keep an [Entrance]. So a round
// has one segment in the tree for each of these, however many betting sequences lead to it,
// which makes the trees of limit games and of many players far smaller.
func (a Actions) Forgetful() Actions {
	a.forgetful = true
	return a
}

// DeadMoney returns a forgetful abstraction with the same raises that also forgets which of the folded players put in
// how much. It keeps how many quarters of the other players' chips they are together. A round then has one segment for
// all of these, in which the pot is that of the first one, and a trainer has to correct what the folded players lose.
func (a Actions) DeadMoney() Actions {
	a.forgetful, a.deadMoney = true, true
	return a
}

// IsDeadMoney reports whether the abstraction forgets who put in the chips of folded players.
func (a Actions) IsDeadMoney() bool { return a.deadMoney }

// Remembering returns an abstraction with the same raises that forgets nothing.
func (a Actions) Remembering() Actions {
	a.forgetful, a.deadMoney = false, false
	return a
}

// HasFullTree reports whether the tree of [Actions.Remembering] has the same raises in a game. Where dead money is
// forgotten, and raises depend on it, no tree has them that remembers it.
func (a Actions) HasFullTree(g *acpc.Game) bool {
	return !a.deadMoney || a.All() || g.Betting == acpc.Limit
}

// IsForgetful reports whether the abstraction forgets the betting of earlier rounds.
func (a Actions) IsForgetful() bool { return a.forgetful }

// Legal yields the actions at a decision in the order fold, call, raises upwards.
// As in the original server, a player with nothing to call may not fold.
func (a Actions) Legal(s *acpc.State) iter.Seq[acpc.Action] { return a.legal(s, a.treesOf(s)) }

// legal is Legal for a state in some of the trees.
func (a Actions) legal(s *acpc.State, in trees) iter.Seq[acpc.Action] {
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
		sizes, own := make([]int32, 0, 8), treeOf(s.Actor())
		if in&own != 0 {
			sizes = a.menus.appendSizes(sizes, s)
		}
		if a.opponent != nil && in&^own != 0 {
			sizes = a.opponent.appendSizes(sizes, s)
		}
		if a.deadMoney && s.Round() > 0 {
			for i, size := range sizes {
				sizes[i] = max(rung(s.Game(), size, high), low)
			}
		}
		slices.Sort(sizes)
		for _, size := range slices.Compact(sizes) {
			if !yield(acpc.Action{Type: acpc.Raise, Size: size}) {
				return
			}
		}
	}
}

// appendSizes appends the sizes of the raises at a decision where a raise is legal. Two may be the
// same.
func (m *menus) appendSizes(sizes []int32, s *acpc.State) []int32 {
	low, high, _ := s.RaiseBounds()
	for _, x := range m[s.Actor()][s.Round()].after(s.NumRaises()) {
		sizes = append(sizes, min(max(x.of(s), low), high))
	}
	return sizes
}

// trees is a set of the trees in which players are trained, by the position of that player. Where
// an abstraction has no opponent they are all the same one.
type trees uint16

// allTrees returns the trees of all positions of a game.
func allTrees(g *acpc.Game) trees { return 1<<g.NumPlayers - 1 }

// treeOf returns the tree of the player in a position.
func treeOf(position int) trees { return 1 << position }

// after returns those of the trees with a state in which it may go on by an action.
func (a Actions) after(in trees, s *acpc.State, by acpc.Action) trees {
	if a.opponent == nil || by.Type != acpc.Raise || s.Game().Betting == acpc.Limit {
		return in
	}
	own, few := treeOf(s.Actor()), make([]int32, 0, 8)
	if !slices.Contains(a.menus.appendSizes(few, s), by.Size) {
		in &^= own
	}
	if !slices.Contains(a.opponent.appendSizes(few, s), by.Size) {
		in &= own
	}
	return in
}

// treesOf returns the trees that have a hand.
func (a Actions) treesOf(s *acpc.State) trees {
	in := allTrees(s.Game())
	if a.opponent == nil {
		return in
	}
	at := s.Game().NewState(s.HandID)
	for r := range s.Round() + 1 {
		for _, by := range s.Actions(r) {
			in = a.after(in, &at, by)
			at.Apply(by)
		}
	}
	return in
}

// after returns the menu after these raises.
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

// unit is the unit of a size.
type unit uint8

const (
	smallest  unit = iota // the smallest legal raise, without a number
	bigBlinds             // to be put in in this round
	ofBet                 // multiples of the amount to match in this round, or of the big blind where that is 0
	ofPot                 // parts of the pot as it is after calling
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
		return chips(before + x.number*cmp.Or(float64(s.Bet()), blind))
	case ofPot:
		return raiseSize(s, x.number)
	}
	return math.MaxInt32
}

// chips rounds an amount that may be larger than all stacks.
func chips(x float64) int32 { return int32(min(math.Round(x), math.MaxInt32)) }

// pot returns the chips in the middle once the player to act has called.
func pot(s *acpc.State) float64 {
	return float64(s.MaxSpent()-s.Spent(s.Actor())) + float64(s.Pot().Chips())
}

// raiseSize returns the size of a raise by a fraction of the pot, or by chips where the pot is empty.
func raiseSize(s *acpc.State, fraction float64) int32 {
	return chips(float64(s.MaxSpent()) + fraction*max(pot(s), 1))
}

// potFraction is the inverse of raiseSize.
func potFraction(s *acpc.State, size int32) float64 {
	return float64(size-s.MaxSpent()) / max(pot(s), 1)
}

// rung returns the nearest of few sizes, each half as large again as the one before, from the largest blind on, or the
// highest one.
func rung(g *acpc.Game, size, high int32) int32 {
	x := float64(max(1, g.MaxBlind()))
	for x*1.25 < float64(size) {
		x *= 1.5
	}
	if x*1.25 > float64(high) {
		return high
	}
	return int32(math.Round(x))
}
