package experiment

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"gamebots/configs"
	"gamebots/solvers/cfr/train"
)

// Plan has the series of an experiment, in the order of its games and algorithms.
type Plan []Series

// Series are the trainings of a game by an algorithm.
type Series struct {
	Game      string // its name
	Algorithm string
	// What a chip is in mb, or 0 for extensive games, whose results are in payoffs.
	mb   float64
	Runs []Run // one a seed; only one if the algorithm makes no random choices
}

// NewPlan returns the plan that settings describe. Errors in them are of type
// [*configs.Error].
func NewPlan(c *configs.Experiment) (Plan, error) {
	x := c.Experiment
	key := func(name string) string { return "experiment." + name }
	if err := configs.ReadMenus(key, &x.Actions, &x.OpponentActions); err != nil {
		return nil, err
	}
	var plan Plan
	for _, name := range x.Games {
		game, err := openGame(name)
		if err == nil && slices.ContainsFunc(plan, func(s Series) bool { return s.Game == game.name }) {
			err = fmt.Errorf("two games have the name %s", game.name)
		}
		if err == nil && game.tree == nil && game.poker.MaxBlind() == 0 {
			err = fmt.Errorf("results are in mb, and %s has no blinds", game.name)
		}
		if err != nil {
			return nil, &configs.Error{Key: key("games"), Err: err}
		}
		for i, t := range c.Trainings {
			for _, text := range t.Algorithms {
				run := Run{
					Game: game.name, Definition: game.definition, Cards: x.Cards, Actions: x.Actions,
					OpponentCards: x.OpponentCards, OpponentActions: x.OpponentActions,
					Algorithm: text, Seed: x.Seed, Evaluated: spaced(t.First, t.Iterations, int(x.Points)),
				}
				spec, err := run.spec(game)
				if e, ok := errors.AsType[*train.Error](err); ok {
					at := key(configs.TrainingKey(string(e.Field)))
					if e.Field == train.FieldAlgorithm {
						at = fmt.Sprintf("training[%d].algorithms", i+1)
					}
					return nil, &configs.Error{Key: at, Err: err}
				}
				if err != nil {
					return nil, err
				}
				s := Series{Game: game.name, Algorithm: text}
				if game.tree == nil {
					s.mb = 1000 / float64(game.poker.MaxBlind())
				}
				seeds := x.Seeds
				if spec.Algorithm.IsVector() {
					seeds = 1
				}
				for range seeds {
					s.Runs = append(s.Runs, run)
					run.Seed++
				}
				plan = append(plan, s)
			}
		}
	}
	return plan, nil
}

// unit returns in which unit the results of a plan are: mb if all games are of poker, or else "", which is chips and
// payoffs.
func (p Plan) unit() string {
	if slices.ContainsFunc(p, func(s Series) bool { return s.mb == 0 }) {
		return ""
	}
	return "mb"
}

// spaced returns up to n numbers from first to last at about equal ratios.
func spaced(first, last uint64, n int) []uint64 {
	first = min(first, last)
	var all []uint64
	for i := range n - 1 {
		x := uint64(math.Round(float64(first) * math.Pow(float64(last)/float64(first), float64(i)/float64(n-1))))
		if len(all) > 0 {
			x = max(x, all[len(all)-1]+1)
		}
		if x >= last {
			break
		}
		all = append(all, x)
	}
	return append(all, last)
}

// Check opens a training of each series, and refuses one that does not fit in memory or whose
// strategies cannot be evaluated.
func (p Plan) Check() error {
	for _, s := range p {
		t, err := s.Runs[0].open()
		if err != nil {
			return fmt.Errorf("%s by %s: %w", s.Game, s.Algorithm, err)
		}
		if !t.CanEvaluate() {
			return fmt.Errorf("%s by %s: the game is too large for exact best responses, or its %s cards have none",
				s.Game, s.Algorithm, t.Cards)
		}
		if err := t.Close(); err != nil {
			return err
		}
	}
	return nil
}

// runs yields all runs, seed by seed, so that an interrupted experiment has about as many of
// each series.
func (p Plan) runs() iter.Seq[Run] {
	return func(yield func(Run) bool) {
		for k, more := 0, true; more; k++ {
			more = false
			for _, s := range p {
				if k < len(s.Runs) {
					more = true
					if !yield(s.Runs[k]) {
						return
					}
				}
			}
		}
	}
}
