package experiment

import (
	"context"
	"encoding/json"

	"gamebots/acpc"
	"gamebots/bots/grid"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/train"
)

// Run describes a training with its evaluations: all that its curve depends on.
type Run struct {
	Game       string `json:"game"`
	Definition string `json:"definition"` // definition of the game
	Cards      string `json:"cards"`
	Actions    string `json:"actions,omitempty"` // raises, as gamebots train takes them
	// OpponentCards and OpponentActions are those of the opponent in training.
	OpponentCards   string   `json:"opponent_cards,omitempty"`
	OpponentActions string   `json:"opponent_actions,omitempty"`
	Algorithm       string   `json:"algorithm"`
	Seed            uint64   `json:"seed"`
	Evaluated       []uint64 `json:"evaluated"` // the iterations after which it is evaluated, in ascending order
}

// key identifies the run in files.
func (r Run) key() string {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // JSON can represent all fields
	}
	return string(text)
}

// open returns the training, which has done no iteration.
func (r Run) open() (*train.Training, error) {
	game, err := acpc.ParseGame(r.Game, r.Definition)
	if err != nil {
		return nil, err
	}
	spec, err := r.spec(game)
	if err != nil {
		return nil, err
	}
	return train.Open(spec, train.Options{})
}

// spec returns the training of the run's game.
func (r Run) spec(g *acpc.Game) (train.Spec, error) {
	return train.Description{
		Algorithm: r.Algorithm, Cards: r.Cards, Actions: r.Actions,
		OpponentCards: r.OpponentCards, OpponentActions: r.OpponentActions, Seed: r.Seed,
	}.Spec(g)
}

// Kind is the kind of jobs that do a run on one thread, done by [Job]. The spec is a [Run] and
// the result its curve, a list of [checkpoint.Point], both as JSON. But for the seconds in it,
// the result is the same on all machines.
const Kind = "experiment"

// Job does a run.
func Job(ctx context.Context, job grid.Job) ([]byte, error) {
	var r Run
	if err := json.Unmarshal(job.Spec, &r); err != nil {
		return nil, err
	}
	t, err := r.open()
	if err != nil {
		return nil, err
	}
	defer t.Close()
	var curve []checkpoint.Point
	if curve, err = train.Measure(ctx, t, r.Evaluated); err != nil {
		return nil, err
	}
	return json.Marshal(curve)
}
