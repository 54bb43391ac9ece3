package spot

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gamebots/solvers/resolve/spot/internal/layout"
)

// A Menu has the bets and raises of the players. Every player may also check, call and fold.
type Menu struct {
	// Bets are first bets of a street, and Raises are raises, by player and street.
	Bets, Raises [2][layout.NumStreets]Sizes
	// Donks are bets of the player out of position into the player who bet last on the
	// street before. Nil are those of Bets.
	Donks [layout.NumStreets]Sizes
	// RaiseCap is how many bets and raises a street has at most; 0 is no limit.
	RaiseCap int
	// AddAllIn adds all-in where it is at most so many pots, and ForceAllIn makes a bet
	// all-in that would leave at most so many pots behind after a call. 0 is never.
	AddAllIn, ForceAllIn float64
	// Merge drops a bet that is close to a larger one, of x and y pots, where
	// (1+y)/(1+x) < 1+Merge. 0 drops none.
	Merge float64
}

// Sizes are sizes of bets or raises.
type Sizes []Size

// A Size is the size of a bet or raise.
type Size struct {
	Kind  SizeKind
	Value float64
}

// SizeKind is the unit of a Size's value.
type SizeKind uint8

const (
	// PotSize is a part of the pot; that of a raise is added to the bet, of the pot after
	// calling it.
	PotSize SizeKind = iota
	// TimesSize is a multiple of the bet that is raised.
	TimesSize
	// ChipsSize is an amount of chips; of a raise, how many more than the bet.
	ChipsSize
	// GeometricSize is the part of the pot that, bet on so many streets and called on each,
	// is all-in. 0 are the streets that are left. Each raise of the street before takes one off.
	GeometricSize
	// AllInSize is all-in.
	AllInSize
)

// ParseSizes reads sizes that are apart by commas:
//
//	50, 50%    half of the pot
//	2.5x       two and a half times the bet (raises only)
//	120c       120 chips
//	e, 2e      the part of the pot that is all-in after all streets left, or after two
//	a          all-in
//
// The empty text is no size.
func ParseSizes(text string, raises bool) (Sizes, error) {
	sizes := Sizes{}
	for item := range strings.SplitSeq(text, ",") {
		if item = strings.ToLower(strings.TrimSpace(item)); item == "" {
			continue
		}
		s, ok := parseSize(item)
		switch {
		case s.Kind == TimesSize && !raises:
			return nil, fmt.Errorf("%q: only raises are multiples of a bet", item)
		case s.Kind == TimesSize && s.Value > 0 && s.Value <= 1:
			return nil, fmt.Errorf("%q: a raise is to more than 1x the bet", item)
		case !ok:
			return nil, fmt.Errorf("%q is not a size such as 50, 2.5x, 120c, e or a", item)
		}
		sizes = append(sizes, s)
	}
	return sizes, nil
}

// ParseBets reads the sizes of bets or raises of both players. Parts are apart by
// semicolons; each but the first begins with the player and the street that it is for, and a
// later one overrides an earlier one, as in
//
//	50,100; river: 33,75,a; oop turn: 120c
//
// Sizes that are not mentioned are nil.
func ParseBets(text string, raises bool) (all [2][layout.NumStreets]Sizes, err error) {
	for i, part := range strings.Split(text, ";") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		where, list, found := strings.Cut(part, ":")
		switch {
		case !found && i > 0: // would override all before it
			return all, fmt.Errorf("%q after a semicolon needs a player or a street, as in %q", part, "turn: "+part)
		case !found:
			where, list = "", part
		}
		players, streets := []int{0, 1}, []int{layout.Flop, layout.Turn, layout.River}
		for _, word := range strings.Fields(strings.ToLower(where)) {
			switch street := slices.Index(streetNames[:], word); {
			case street >= 0:
				streets = []int{street}
			case word == "oop":
				players = []int{0}
			case word == "ip":
				players = []int{1}
			default:
				return all, fmt.Errorf("%q is neither a player (oop, ip) nor a street (flop, turn, river)", word)
			}
		}
		sizes, err := ParseSizes(list, raises)
		if err != nil {
			return all, err
		}
		for _, p := range players {
			for _, k := range streets {
				all[p][k] = sizes
			}
		}
	}
	return all, nil
}

// minSize and maxSize bound the values of sizes, as they are written.
const (
	minSize = 1e-6
	maxSize = 1e6
)

// units are the letters after values; those of [PotSize] have none.
var units = [...]string{TimesSize: "x", ChipsSize: "c", GeometricSize: "e"}

func parseSize(item string) (s Size, ok bool) {
	switch item {
	case "a":
		return Size{Kind: AllInSize}, true
	case "e":
		return Size{Kind: GeometricSize}, true
	}
	number := strings.TrimSuffix(item, "%")
	for kind, unit := range units {
		if value, found := strings.CutSuffix(item, unit); found && unit != "" {
			s.Kind, number = SizeKind(kind), value
		}
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if err != nil || !(x >= minSize && x <= maxSize) {
		return s, false
	}
	s.Value = x
	switch s.Kind {
	case PotSize:
		s.Value /= 100
		return s, true
	case TimesSize:
		return s, x > 1
	}
	return s, x == math.Trunc(x)
}

// String returns the sizes for ParseSizes.
func (all Sizes) String() string {
	var items []string
	for _, s := range all {
		item := "a"
		switch {
		case s == Size{Kind: GeometricSize}:
			item = "e"
		case s.Kind == PotSize:
			item = strconv.FormatFloat(math.Round(s.Value*1e8)/1e6, 'g', -1, 64)
		case s.Kind != AllInSize:
			item = strconv.FormatFloat(s.Value, 'g', -1, 64) + units[s.Kind]
		}
		items = append(items, item)
	}
	return strings.Join(items, ",")
}

// A bettor is a player who may bet or raise. The bet and the stack are what a player has put in
// on the street, or can, in chips.
type bettor struct {
	street, player int
	pot            int // after the bet so far is called
	bet, step      int // the bet so far, 0 without one, and by how much it was the last raise
	bets           int // number of bets and raises on the street so far
	stack          int // chips of each player at the start of the street
	donk           bool
}

// options returns the bets or raises that the menu allows, ascending, as what the player has
// then put in on the street.
func (m *Menu) options(b bettor) (to []int) {
	if b.stack <= b.bet || m.RaiseCap > 0 && b.bets >= m.RaiseCap {
		return nil
	}
	sizes := m.Bets[b.player][b.street]
	switch {
	case b.bet > 0:
		sizes = m.Raises[b.player][b.street]
	case b.donk && m.Donks[b.street] != nil:
		sizes = m.Donks[b.street]
	}
	pot := float64(b.pot)
	for _, s := range sizes {
		to = append(to, b.amount(s))
	}
	if float64(b.stack-b.bet) <= math.Round(pot*m.AddAllIn) {
		to = append(to, b.stack)
	}
	for i, x := range to {
		x = min(max(x, b.bet+max(1, b.step)), b.stack)
		after := pot + 2*float64(x-b.bet)
		if float64(b.stack-x) <= math.Round(after*m.ForceAllIn) {
			x = b.stack
		}
		to[i] = x
	}
	slices.Sort(to)
	return m.merge(slices.Compact(to), b)
}

// amount returns what the player has put in on the street after a bet or raise of a size.
func (b *bettor) amount(s Size) int {
	switch s.Kind {
	case PotSize:
		return b.bet + int(math.Round(float64(b.pot)*s.Value))
	case TimesSize:
		return int(math.Round(float64(b.bet) * s.Value))
	case ChipsSize:
		return b.bet + int(s.Value)
	case GeometricSize:
		streets := cmp.Or(s.Value, float64(layout.NumStreets-b.street))
		streets = max(1, streets-float64(max(0, b.bets-1)))
		final := float64(b.pot+2*(b.stack-b.bet)) / float64(b.pot)
		return b.bet + int(math.Round(float64(b.pot)*(math.Pow(final, 1/streets)-1)/2))
	}
	return b.stack
}

// merge drops the bets that are close to a larger one that stays.
func (m *Menu) merge(to []int, b bettor) []int {
	if m.Merge == 0 {
		return to
	}
	kept := math.Inf(1)
	var all []int
	for _, x := range slices.Backward(to) {
		pots := 1 + float64(x-b.bet)/float64(b.pot)
		if kept/pots < 1+m.Merge {
			continue
		}
		kept = pots
		all = append(all, x)
	}
	slices.Reverse(all)
	return all
}
