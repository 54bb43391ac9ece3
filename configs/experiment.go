package configs

import (
	"fmt"
	"slices"
)

// Experiment has the settings of an experiment: trainings of which the curves are compared.
// The file experiment.toml explains them.
type Experiment struct {
	Experiment Sweep            `toml:"experiment"`
	Trainings  []SweptTrainings `toml:"training"`
}

// Sweep is the table [experiment]: what all trainings have in common.
type Sweep struct {
	Games   []string `toml:"games"` // names or paths of poker games
	Cards   string   `toml:"cards"`
	Actions string   `toml:"actions"`
	// Those of the opponent against which strategies are trained.
	OpponentCards   string `toml:"opponent_cards"`
	OpponentActions string `toml:"opponent_actions"`
	Seeds           uint64 `toml:"seeds"` // trainings of an algorithm that makes random choices
	Seed            uint64 `toml:"seed"`  // seed of the first of them
	Points          uint64 `toml:"points"`
}

// SweptTrainings is a table [[training]]: algorithms that are trained equally long.
type SweptTrainings struct {
	Algorithms []string `toml:"algorithms"`
	Iterations uint64   `toml:"iterations"`
	First      uint64   `toml:"first"` // iterations of the first evaluation
}

// DefaultExperiment returns the default settings.
func DefaultExperiment() Experiment {
	return Experiment{Experiment: Sweep{Cards: "lossless", Seeds: 10, Seed: 1, Points: 20}}
}

// defaults returns the defaults of a table [[training]].
func (SweptTrainings) defaults() any { return SweptTrainings{First: 10} }

// maxSeeds and maxPoints bound an experiment, so that its results fit into memory.
const (
	maxSeeds  = 10_000
	maxPoints = 1000
)

// Validate returns an [Error] if a value is invalid. It does not know games and algorithms.
func (e *Experiment) Validate() error {
	switch x := e.Experiment; {
	case len(x.Games) == 0:
		return &Error{Key: "experiment.games", Msg: `is needed: the games to train, as in ["kuhn", "leduc"]`}
	case x.Seeds == 0 || x.Seeds > maxSeeds:
		return &Error{Key: "experiment.seeds", Msg: fmt.Sprintf("%d is not from 1 to %d", x.Seeds, maxSeeds)}
	case x.Points == 0 || x.Points > maxPoints:
		return &Error{Key: "experiment.points", Msg: fmt.Sprintf("%d is not from 1 to %d", x.Points, maxPoints)}
	case len(e.Trainings) == 0:
		return &Error{Key: "training", Msg: "is needed: write [[training]], its algorithms and their iterations"}
	}
	if err := noneTwice("experiment.games", e.Experiment.Games); err != nil {
		return err
	}
	var all []string
	for i, t := range e.Trainings {
		key := func(name string) string { return itemKey("training", i, name) }
		switch {
		case len(t.Algorithms) == 0:
			return &Error{Key: key("algorithms"), Msg: `is needed, as in ["external", "cfr+"]`}
		case t.Iterations == 0 || t.Iterations > maxUnits:
			return &Error{Key: key("iterations"), Msg: fmt.Sprintf("%d is not from 1 to %d", t.Iterations, maxUnits)}
		case t.First == 0:
			return &Error{Key: key("first"), Msg: "is 0: nothing has been trained by then"}
		}
		all = append(all, t.Algorithms...)
		if err := noneTwice(key("algorithms"), all); err != nil {
			return err
		}
	}
	return nil
}

// noneTwice returns an error if a list has a text twice.
func noneTwice(key string, list []string) error {
	for i, text := range list {
		if slices.Contains(list[:i], text) {
			return &Error{Key: key, Msg: fmt.Sprintf("%q is there twice", text)}
		}
	}
	return nil
}
