package experiment

import (
	"context"
	"encoding/json"
	"fmt"

	"gamebots/acpc"
	"gamebots/bots/grid"
	"gamebots/configs"
	"gamebots/solvers/cfr/checkpoint"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/nash/extensive"
	"gamebots/solvers/nash/extensive/games"

	"github.com/zeebo/xxh3"
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
func (r Run) key() string { return r.shortened().text() }

// shortened returns the run without a long definition.
func (r Run) shortened() Run {
	if len(r.Definition) > maxDefinition {
		r.Definition = fmt.Sprintf("%d bytes with the hash %x", len(r.Definition), xxh3.HashString(r.Definition))
	}
	return r
}

// isTree reports whether the game is an extensive game.
func (r Run) isTree() bool {
	return r.Definition == "" || extensive.IsEFG([]byte(r.Definition[:min(len(r.Definition), 64)]))
}

// maxDefinition is the length of definitions that are kept with each result. Of longer ones a hash is.
const maxDefinition = 1 << 14

// text returns the run as JSON.
func (r Run) text() string {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // JSON can represent all fields
	}
	return string(text)
}

// open returns the training, which has done no iteration.
func (r Run) open() (*train.Training, error) {
	game, err := parseGame(r.Game, r.Definition)
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
func (r Run) spec(g *game) (train.Spec, error) {
	d := train.Description{
		Algorithm: r.Algorithm, Cards: r.Cards, Actions: r.Actions,
		OpponentCards: r.OpponentCards, OpponentActions: r.OpponentActions, Seed: r.Seed,
	}
	if g.tree != nil {
		return d.TreeSpec(g.tree)
	}
	return d.Spec(g.poker)
}

// A game is one of poker, or an extensive game.
type game struct {
	name, definition string // "" defines a shipped extensive game
	poker            *acpc.Game
	tree             *train.Tree
}

// openGame opens the game of a name or a file.
func openGame(name string) (*game, error) {
	g, err := games.Open(name)
	if err != nil {
		return nil, err
	}
	if g == nil {
		poker, err := configs.Game(name)
		if err != nil {
			return nil, err
		}
		return &game{name: poker.Name, definition: poker.String(), poker: poker}, nil
	}
	tree := &train.Tree{Game: g, Source: name}
	if shipped, err := games.Named(name); shipped != nil || err != nil {
		return &game{name: name, tree: tree}, err
	}
	return &game{name: tree.Name(), definition: string(g.EFG()), tree: tree}, nil
}

// parseGame returns the game of a definition.
func parseGame(name, definition string) (*game, error) {
	if definition == "" {
		return openGame(name)
	}
	if !(Run{Definition: definition}).isTree() {
		poker, err := acpc.ParseGame(name, definition)
		return &game{name: name, definition: definition, poker: poker}, err
	}
	g, err := extensive.Read(name, []byte(definition))
	return &game{name: name, definition: definition, tree: &train.Tree{Game: g, Source: name}}, err
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
