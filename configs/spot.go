package configs

import (
	"embed"
	"fmt"
)

// Spot has a spot of no-limit hold'em, and how it is solved. The file spots/river-bluffs.toml
// explains it.
type Spot struct {
	Spot   SpotStart  `toml:"spot"`
	Ranges SpotRanges `toml:"ranges"`
	Bets   SpotBets   `toml:"bets"`
	Rake   SpotRake   `toml:"rake"`
	Solve  SpotSolve  `toml:"solve"`
}

// SpotStart is the table [spot].
type SpotStart struct {
	Board string `toml:"board"`
	Pot   uint64 `toml:"pot"`
	Stack uint64 `toml:"stack"`
}

// SpotRanges is the table [ranges].
type SpotRanges struct {
	OOP string `toml:"oop"`
	IP  string `toml:"ip"`
}

// SpotBets is the table [bets].
type SpotBets struct {
	Bets       string  `toml:"bets"`
	Raises     string  `toml:"raises"`
	Donks      string  `toml:"donks"` // or [AsBets]
	RaiseCap   uint64  `toml:"raise_cap"`
	AddAllIn   float64 `toml:"add_all_in"`   // pots
	ForceAllIn float64 `toml:"force_all_in"` // pots
	Merge      float64 `toml:"merge"`
}

// AsBets as SpotBets.Donks is for the sizes of SpotBets.Bets; "" is for none.
const AsBets = "as bets"

// SpotRake is the table [rake].
type SpotRake struct {
	Percent float64 `toml:"percent"`
	Cap     float64 `toml:"cap"` // chips
}

// SpotSolve is the table [solve].
type SpotSolve struct {
	Algorithm  string  `toml:"algorithm"`
	Target     float64 `toml:"target"` // exploitability in percent of the pot
	Iterations uint64  `toml:"iterations"`
	Bits       uint64  `toml:"bits"` // bits of an entry
}

// DefaultSpot returns the default settings.
func DefaultSpot() Spot {
	return Spot{
		Ranges: SpotRanges{OOP: "random", IP: "random"},
		Bets:   SpotBets{Bets: "50,100", Raises: "60", Donks: AsBets, AddAllIn: 1, ForceAllIn: .15, Merge: .1},
		Solve:  SpotSolve{Algorithm: "dcfr", Target: .3, Iterations: 1000, Bits: 32},
	}
}

// Validate returns an [Error] if a value is invalid by itself. The notations of cards, ranges
// and bets are those of solvers/resolve/spot.
func (s *Spot) Validate() error {
	for _, x := range []struct {
		key       string
		value     float64
		low, high float64
	}{
		{"bets.raise_cap", float64(s.Bets.RaiseCap), 0, 1000}, {"bets.add_all_in", s.Bets.AddAllIn, 0, 1e6},
		{"bets.force_all_in", s.Bets.ForceAllIn, 0, 1e6},
		{"bets.merge", s.Bets.Merge, 0, 1e6}, {"rake.percent", s.Rake.Percent, 0, 100},
		{"rake.cap", s.Rake.Cap, 0, 1e9},
		{"solve.target", s.Solve.Target, 0, 100}, {"solve.iterations", float64(s.Solve.Iterations), 1, 1e9},
	} {
		if !(x.value >= x.low && x.value <= x.high) {
			return &Error{Key: x.key, Msg: fmt.Sprintf("%g is not from %g to %g", x.value, x.low, x.high)}
		}
	}
	if s.Solve.Bits != 16 && s.Solve.Bits != 32 {
		return &Error{Key: "solve.bits", Msg: fmt.Sprintf("%d is neither 16 nor 32", s.Solve.Bits)}
	}
	return nil
}

//go:embed spots/*.toml
var spots embed.FS

// Spots returns the names of the shipped spots, sorted.
func Spots() []string { return shippedNames(spots, "spots", ".toml") }

// SpotText returns the file of a shipped spot.
func SpotText(name string) string {
	text, err := spots.ReadFile("spots/" + name + ".toml")
	if err != nil {
		panic(err) // the names are those of Spots
	}
	return string(text)
}

// LoadSpot reads a spot: a shipped one by its name, any other by the path of its file, or none for
// "". Overrides and checks are as for [Load].
func LoadSpot(nameOrPath string, overrides []string, check func(*Spot) error) (Spot, error) {
	s := DefaultSpot()
	err := loadShipped(spots, "spots", "spot", nameOrPath, &s, overrides, func() error { return check(&s) })
	return s, err
}
