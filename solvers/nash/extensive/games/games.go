package games

import (
	"fmt"
	"strconv"
	"strings"

	"gamebots/solvers/nash/extensive"
)

// Families lists the shipped games by what their names begin with, with the numbers that may follow: as in
// liars-dice-6.
var Families = []Family{
	{"liars-dice", "sides of a die", 8, func(n int) (*extensive.Game, error) {
		return extensive.Build(fmt.Sprintf("liar's dice with %d sides", n), players, LiarsDice{n})
	}},
	{"goofspiel", "cards", maxCards, func(n int) (*extensive.Game, error) {
		return extensive.Build(fmt.Sprintf("goofspiel with %d cards", n), players, Goofspiel{n})
	}},
}

// A Family has a game for each number from 1 to Most.
type Family struct {
	Name, Number string
	Most         int
	build        func(n int) (*extensive.Game, error)
}

var players = []string{"first", "second"}

// Named returns the shipped game of a name, or nil if no family has it. A number that its family does not have is
// an error.
func Named(name string) (*extensive.Game, error) {
	for _, f := range Families {
		text, ok := strings.CutPrefix(name, f.Name)
		if !ok || text != "" && text[0] != '-' {
			continue
		}
		n, err := strconv.Atoi(strings.TrimPrefix(text, "-"))
		if err != nil || n < 1 || n > f.Most {
			return nil, fmt.Errorf("%s: want %s-N with a number of %s up to %d, as in %s-4", name, f.Name, f.Number,
				f.Most, f.Name)
		}
		return f.build(n)
	}
	return nil, nil
}
