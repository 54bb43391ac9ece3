package extensive

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"gamebots/solvers/nash/bimatrix"
)

// ProfileMagic is what files of [Report.WriteJSON] begin with.
const ProfileMagic = `{"title":`

// A StoredProfile is a profile in a file: one of [Report.WriteJSON], or of another program.
type StoredProfile struct {
	// Source is the name or the file of the game, "" if the file does not say.
	Source     string           `json:"game"`
	Method     string           `json:"method"`
	Iterations uint64           `json:"iterations"`
	Strategies []storedStrategy `json:"strategies"`

	file string
}

// A storedStrategy is the strategy of an information set, which has its number among those of the player, from 1, or
// else its name.
type storedStrategy struct {
	Player        int            `json:"player"` // from 0
	Set           string         `json:"set"`
	Number        int            `json:"number,omitempty"`
	Actions       []string       `json:"actions"`
	Probabilities []storedNumber `json:"probabilities"`
}

// A storedNumber is a fraction or a decimal. In a file it may be a number of JSON instead of a text, too.
type storedNumber string

func (n *storedNumber) UnmarshalJSON(text []byte) error {
	*n = storedNumber(strings.Trim(string(text), `"`))
	return nil
}

func stored(numbers []string) []storedNumber {
	all := make([]storedNumber, len(numbers))
	for i, x := range numbers {
		all[i] = storedNumber(x)
	}
	return all
}

// ReadProfile reads a profile. A file is named in errors.
func ReadProfile(file string, text []byte) (*StoredProfile, error) {
	s := &StoredProfile{file: file}
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("%s is not a profile in JSON: %w", file, err)
	}
	if s.Strategies == nil {
		return nil, fmt.Errorf(`%s is not a profile: it has no "strategies"`, file)
	}
	return s, nil
}

// Of returns the profile as one of a game. Probabilities that add up to almost 1, as decimals do, are divided by their
// sum.
func (s *StoredProfile) Of(g *Game) (Profile, error) {
	type key struct {
		player int
		name   string
	}
	numbered, named, twice := map[[2]int]int{}, map[key]int{}, map[key]bool{}
	for i, set := range g.Sets {
		k := key{set.Player, g.label(i)}
		_, twice[k] = named[k]
		named[k], numbered[[2]int{set.Player, set.Number}] = i, i
	}
	profile := make(Profile, len(g.Sets))
	for _, x := range s.Strategies {
		k := key{x.Player, x.Set}
		fail := func(format string, args ...any) error {
			return fmt.Errorf("%s: player %d, information set %q: %w", s.file, x.Player+1, x.Set,
				fmt.Errorf(format, args...))
		}
		i, ok := numbered[[2]int{x.Player, x.Number}]
		if x.Number == 0 {
			i, ok = named[k]
		}
		switch {
		case !ok || x.Player < 0:
			return nil, fail("the game has none")
		case x.Number == 0 && twice[k]:
			return nil, fail(`several have the name; "number" tells them apart`)
		case profile[i] != nil:
			return nil, fail("it is there twice")
		case x.Actions != nil && !slices.Equal(x.Actions, g.Sets[i].Actions):
			return nil, fail("its actions are %q, those of the game %q", x.Actions, g.Sets[i].Actions)
		case len(x.Probabilities) != len(g.Sets[i].Actions):
			return nil, fail("%d probabilities of %d actions", len(x.Probabilities), len(g.Sets[i].Actions))
		}
		var err error
		if profile[i], err = distribution(x.Probabilities); err != nil {
			return nil, fail("%w", err)
		}
	}
	for i, set := range g.Sets {
		if set.Player != Chance && profile[i] == nil {
			return nil, fmt.Errorf("%s has no strategy for information set %s of %s", s.file, g.SetName(i),
				g.PlayerName(set.Player))
		}
	}
	return profile, nil
}

// distribution returns numbers that add up to almost 1 as probabilities.
func distribution(numbers []storedNumber) ([]*big.Rat, error) {
	sum, all := new(big.Rat), make([]*big.Rat, len(numbers))
	for a, text := range numbers {
		x, err := bimatrix.ParseNumber(string(text))
		if err != nil {
			return nil, fmt.Errorf("%q is not a probability: %w", text, err)
		}
		all[a] = x
		sum.Add(sum, x)
	}
	if off := new(big.Rat).Sub(sum, one); off.Sign() != 0 && off.Abs(off).Cmp(maxError) < 0 {
		for _, x := range all {
			x.Quo(x, sum)
		}
	}
	return all, checkProbabilities(all)
}
