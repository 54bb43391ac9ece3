package betting

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"gamebots/acpc"
)

// Actions is an action abstraction: the raises of a no-limit game that a betting
// tree has. A raise is a fraction of the pot as it is after calling, or all-in. A
// fraction below the smallest legal raise becomes that raise, one above the stack
// becomes all-in. Folds and calls are always included. The zero Actions has every
// legal raise.
type Actions struct {
	fractions []float64 // of the pot, ascending
	allIn     bool
}

// FCPA is fold, call, pot and all-in, the usual first abstraction. FCA is the smallest:
// fold, call and all-in.
var (
	FCPA = Actions{fractions: []float64{1}, allIn: true}
	FCA  = Actions{allIn: true}
)

// letters are the fractions that may be written as a letter.
var letters = []struct {
	letter   string
	fraction float64
}{{"h", .5}, {"p", 1}}

// ParseActions parses an abstraction: "all", letters as in "fcpa", or a list as
// in "f,c,0.5,1,a". f and c stand for fold and call, h and p for raises of half
// the pot and of the pot, a for all-in, and a number for a fraction of the pot.
func ParseActions(text string) (Actions, error) {
	if text == "all" {
		return Actions{}, nil
	}
	items := strings.Split(text, ",")
	if len(items) == 1 {
		items = strings.Split(text, "")
	}
	var a Actions
	seen := make(map[string]bool)
	for _, item := range items {
		item = strings.TrimSpace(item)
		for _, l := range letters {
			if item == l.letter {
				item = fmt.Sprint(l.fraction)
			}
		}
		if seen[item] {
			return a, fmt.Errorf("actions %q: %q occurs twice", text, item)
		}
		seen[item] = true
		switch item {
		case "f", "c":
		case "a":
			a.allIn = true
		default:
			x, err := strconv.ParseFloat(item, 64)
			if err != nil || !(x > 0) || math.IsInf(x, 0) {
				return a, fmt.Errorf("actions %q: %q is neither one of f, c, h, p, a nor a fraction of the pot such as 0.75", text, item)
			}
			if slices.Contains(a.fractions, x) {
				return a, fmt.Errorf("actions %q: %q occurs twice", text, item)
			}
			a.fractions = append(a.fractions, x)
		}
	}
	if !seen["f"] || !seen["c"] || len(items) < 3 {
		return a, fmt.Errorf("actions %q: want f and c, fold and call, and at least one raise", text)
	}
	slices.Sort(a.fractions)
	return a, nil
}

// All reports whether every legal raise is included.
func (a Actions) All() bool { return !a.allIn && len(a.fractions) == 0 }

// String formats the abstraction for ParseActions. Equal abstractions have equal
// strings.
func (a Actions) String() string {
	if a.All() {
		return "all"
	}
	short, long := "fc", []string{"f", "c"}
	lettered := true
	for _, x := range a.fractions {
		found := false
		for _, l := range letters {
			if l.fraction == x {
				short += l.letter
				found = true
			}
		}
		lettered = lettered && found
		long = append(long, strconv.FormatFloat(x, 'g', -1, 64))
	}
	if a.allIn {
		short, long = short+"a", append(long, "a")
	}
	if lettered {
		return short
	}
	return strings.Join(long, ",")
}

// Meta returns the text that files store for the abstraction: "" for all raises.
func (a Actions) Meta() string {
	if a.All() {
		return ""
	}
	return a.String()
}

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
		last := int32(-1)
		for _, x := range a.fractions {
			if size := min(max(raiseSize(s, x), low), high); size != last {
				if !yield(acpc.Action{Type: acpc.Raise, Size: size}) {
					return
				}
				last = size
			}
		}
		if a.allIn && last != high {
			yield(acpc.Action{Type: acpc.Raise, Size: high})
		}
	}
}

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
	return int32(min(math.Round(float64(s.MaxSpent())+fraction*pot(s)), math.MaxInt32))
}

// potFraction is the inverse of raiseSize.
func potFraction(s *acpc.State, size int32) float64 { return float64(size-s.MaxSpent()) / pot(s) }
