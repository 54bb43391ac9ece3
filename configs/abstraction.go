package configs

import (
	"embed"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Abstraction has the recipe of a card abstraction. The file abstractions/holdem-1000.toml
// explains it.
type Abstraction struct {
	Features Features           `toml:"features"`
	KMeans   KMeans             `toml:"kmeans"`
	Recall   Recall             `toml:"recall"`
	Rounds   []AbstractionRound `toml:"round"`
}

// Features is the table [features].
type Features struct {
	Bins     uint64 `toml:"bins"`     // bins of a histogram
	Clusters uint64 `toml:"clusters"` // clusters of the opponent's hole cards
}

// KMeans is the table [kmeans].
type KMeans struct {
	Seed       uint64 `toml:"seed"`
	Restarts   uint64 `toml:"restarts"`
	Iterations uint64 `toml:"iterations"`
	Sample     uint64 `toml:"sample"` // hands of a round, 0 is all
}

// Recall is the table [recall].
type Recall struct {
	Perfect bool `toml:"perfect"` // a bucket knows those of the rounds before
}

// AbstractionRound is a table [[round]].
type AbstractionRound struct {
	Feature string `toml:"feature"` // one of AbstractionFeatures
	Buckets uint64 `toml:"buckets"`
}

// AbstractionFeatures are what the hands of a round can be compared by.
var AbstractionFeatures = []string{"hands", "histogram", "ochs"}

// DefaultAbstraction returns the default settings.
func DefaultAbstraction() Abstraction {
	return Abstraction{
		Features: Features{Bins: 50, Clusters: 8},
		KMeans:   KMeans{Restarts: 1, Iterations: 50, Sample: 500_000},
	}
}

// maxAbstraction bounds the numbers of a recipe, so that they fit everywhere. Package
// solvers/cfr/abstraction/buckets has tighter bounds.
const maxAbstraction = 1 << 31

// Validate returns an [Error] if a value is invalid. It does not know the game.
func (a *Abstraction) Validate() error {
	if len(a.Rounds) == 0 {
		return &Error{Key: "round", Msg: "is needed: write [[round]] and its feature for each round of the game"}
	}
	for i, r := range a.Rounds {
		switch key := itemKey("round", i, "feature"); {
		case !slices.Contains(AbstractionFeatures, r.Feature):
			return NotOneOf(key, r.Feature, AbstractionFeatures)
		case r.Feature == "hands" && r.Buckets > 0:
			return &Error{Key: itemKey("round", i, "buckets"), Msg: "has no effect: hands are not clustered"}
		case r.Feature != "hands" && (r.Buckets == 0 || r.Buckets > maxAbstraction):
			return &Error{Key: itemKey("round", i, "buckets"),
				Msg: fmt.Sprintf("%d is not a number of buckets", r.Buckets)}
		}
	}
	for _, x := range []struct {
		key        string
		value, low uint64
	}{
		{"features.bins", a.Features.Bins, 2}, {"features.clusters", a.Features.Clusters, 1},
		{"kmeans.restarts", a.KMeans.Restarts, 1}, {"kmeans.iterations", a.KMeans.Iterations, 0},
		{"kmeans.sample", a.KMeans.Sample, 0},
	} {
		if x.value < x.low || x.value > maxAbstraction {
			return &Error{Key: x.key, Msg: fmt.Sprintf("%d is not from %d to %d", x.value, x.low, maxAbstraction)}
		}
	}
	return nil
}

//go:embed abstractions/*.toml
var abstractions embed.FS

// Abstractions returns the names of the shipped recipes, sorted.
func Abstractions() []string { return shippedNames(abstractions, "abstractions", ".toml") }

// LoadAbstraction reads a recipe: a shipped one by its name, any other by the path of its
// file. It returns its name, too. Overrides are as for [Load].
func LoadAbstraction(nameOrPath string, overrides []string) (name string, a Abstraction, err error) {
	a = DefaultAbstraction()
	err = loadShipped(abstractions, "abstractions", "recipe", nameOrPath, &a, overrides)
	return strings.TrimSuffix(filepath.Base(nameOrPath), ".toml"), a, err
}
