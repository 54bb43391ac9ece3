package lbr

import (
	"fmt"
	"iter"
	"math"
	"strings"

	"gamebots/acpc"
	"gamebots/solvers/cfr/betting"
)

// Menu is the actions that the response chooses from.
type Menu struct {
	actions betting.Actions
	noRaise bool
	many    []float64 // raises of the menu of 56, as parts of the pot
	name    string
}

// FC is the menu of folds and calls.
var FC = Menu{noRaise: true, name: "fc"}

// The 56 raises of Lisý and Bowling: fractions of the pot in a geometric series, and all-in.
const (
	manyName  = "56"
	manyFirst = 0.05
	manyRatio = 1.15
	manyCount = 55
)

// ParseMenu parses "fc"; "56", which has the raises by 0.05 × 1.15^k pots for k from 0 to
// 54 and all-in; or the raises that a betting tree may have, such as "fcpa" (see
// [betting.ParseActions]). In a limit game all menus but fc are the same.
func ParseMenu(text string) (Menu, error) {
	switch text {
	case FC.name:
		return FC, nil
	case manyName:
		m := Menu{name: text}
		items := []string{"f", "c"}
		for k := range manyCount {
			m.many = append(m.many, manyFirst*math.Pow(manyRatio, float64(k)))
			items = append(items, fmt.Sprint(m.many[k]))
		}
		var err error
		m.actions, err = betting.ParseActions(strings.Join(append(items, "a"), ","))
		return m, err
	}
	actions, err := betting.ParseActions(text)
	return Menu{actions: actions, name: text}, err
}

// String returns what ParseMenu parses.
func (m Menu) String() string { return m.name }

// Many returns the raises of the menu as parts of the pot, if it has so many that a player who
// solves better knows them beforehand than one by one.
func (m Menu) Many() []float64 { return m.many }

// raises yields the raises of the player to act.
func (m Menu) raises(s *acpc.State) iter.Seq[acpc.Action] {
	return func(yield func(acpc.Action) bool) {
		if m.noRaise {
			return
		}
		for a := range m.actions.Legal(s) {
			if a.Type == acpc.Raise && !yield(a) {
				return
			}
		}
	}
}
