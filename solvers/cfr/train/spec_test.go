package train_test

import (
	"errors"
	"strings"
	"testing"

	"gamebots/configs"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"
)

// The size of a training by public chance sampling counts its batch, and a training that does
// not fit names one that does.
func TestSizeOfBatches(t *testing.T) {
	game, err := configs.Game("holdem-nolimit-2p")
	if err != nil {
		t.Fatal(err)
	}
	game.NumRanks = 5 // of a deck of 20 cards
	actions, err := train.Actions(game, "fca")
	if err != nil {
		t.Fatal(err)
	}
	spec := func(algorithm string) train.Spec {
		a, err := train.ParseAlgorithm(algorithm)
		if err != nil {
			t.Fatal(err)
		}
		return train.Spec{GameSpec: policy.GameSpec{Game: game, Cards: "quick(2,2,2)", Actions: actions}, Algorithm: a}
	}
	large, err := spec("pcs+(512)").Size()
	if err != nil {
		t.Fatal(err)
	}
	small, err := spec("pcs+(8)").Size()
	if err != nil || small.Bytes >= large.Bytes {
		t.Fatalf("%d bytes with batches of 8, %d with those of 512: %v", small.Bytes, large.Bytes, err)
	}
	training, err := train.Open(spec("pcs+(8)"), train.Options{})
	if err != nil || training.Bytes != small.Bytes-small.IndexBytes {
		t.Fatalf("%d bytes, of which %d of the tree and cards, were stated for a training that takes %d: %v", small.Bytes, small.IndexBytes, training.Bytes, err)
	}
	if _, err := train.Open(spec("pcs+(512)"), train.Options{Memory: small.Bytes}); err == nil || !strings.Contains(err.Error(), "pcs+(8) needs") {
		t.Errorf("%v does not name a batch that fits", err)
	}
}

// A description in words is that of the same training, and errors name the part that is wrong.
func TestDescription(t *testing.T) {
	game, err := configs.Game("leduc-nolimit")
	if err != nil {
		t.Fatal(err)
	}
	good := train.Description{Algorithm: "pcs+(8)", Cards: "lossless", Actions: "1,a", OpponentActions: "0.5,1,a", OpponentCards: "none", Seed: 3}
	s, err := good.Spec(game)
	if err != nil || s.Algorithm.String() != "pcs+(8)" || s.Cards != "lossless" || s.Opponent != "none" || s.Seed != 3 || s.Actions.Meta() != "fcpa against fchpa" {
		t.Errorf("%+v, %v", s, err)
	}
	for want, change := range map[train.Field]func(d *train.Description){
		train.FieldAlgorithm:       func(d *train.Description) { d.Algorithm = "simplex" },
		train.FieldCards:           func(d *train.Description) { d.Cards = "some" },
		train.FieldActions:         func(d *train.Description) { d.Actions = "q" },
		train.FieldOpponent:        func(d *train.Description) { d.OpponentCards = "some" },
		train.FieldOpponentActions: func(d *train.Description) { d.OpponentActions = "all" },
	} {
		d := good
		change(&d)
		_, err := d.Spec(game)
		if e, ok := errors.AsType[*train.Error](err); !ok || e.Field != want {
			t.Errorf("%s: error %v", want, err)
		}
	}
}
