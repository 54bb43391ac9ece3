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
	game.NumRanks = 5 // a deck of 20 cards
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
		t.Fatalf("%d bytes, of which %d of the tree and cards, were stated for a training that takes %d: %v",
			small.Bytes, small.IndexBytes, training.Bytes, err)
	}
	if _, err := train.Open(spec("pcs+(512)"), train.Options{Memory: small.Bytes}); err == nil ||
		!strings.Contains(err.Error(), "pcs+(8) needs") {
		t.Errorf("%v does not name a batch that fits", err)
	}
}

// The size of a training by CFR-BR is what it takes: the opponents in the first rounds, too, and on a GPU the values of
// a board's rivers.
func TestSizeOfCFRBR(t *testing.T) {
	game, err := configs.Game("leduc-nolimit")
	if err != nil {
		t.Fatal(err)
	}
	s, err := train.Description{Algorithm: "public-cfr-br", Cards: "sets"}.Spec(game)
	if err != nil {
		t.Fatal(err)
	}
	size, err := s.Size()
	if err != nil {
		t.Fatal(err)
	}
	training, err := train.Open(s, train.Options{})
	if err != nil || training.Bytes != size.Bytes-size.IndexBytes || size.DeviceBytes <= training.Bytes {
		t.Errorf("%+v was stated for a training that takes %d bytes: %v", size, training.Bytes, err)
	}
	// Against an opponent with other raises two trainings have the tables of one player each.
	against, err := train.Description{Algorithm: "public-cfr-br", Cards: "sets", OpponentActions: "0.5,1,a"}.Spec(game)
	if err != nil {
		t.Fatal(err)
	}
	pair, err := train.Open(against, train.Options{})
	if err != nil || pair.Bytes >= 2*training.Bytes {
		t.Errorf("%d bytes for a player each, and %d for both: %v", pair.Bytes, training.Bytes, err)
	}
}

// A description in words is that of the same training, and errors name the part that is wrong.
func TestDescription(t *testing.T) {
	game, err := configs.Game("leduc-nolimit")
	if err != nil {
		t.Fatal(err)
	}
	good := train.Description{Algorithm: "pcs+(8)", Cards: "lossless", Actions: "1,a", OpponentActions: "0.5,1,a",
		OpponentCards: "none", Seed: 3}
	s, err := good.Spec(game)
	if err != nil || s.Algorithm.String() != "pcs+(8)" || s.Cards != "lossless" || s.Opponent != "none" ||
		s.Seed != 3 || s.Actions.Meta() != "fcpa against fchpa" {
		t.Errorf("%+v, %v", s, err)
	}
	for want, change := range map[train.Field]func(d *train.Description){
		train.FieldAlgorithm:       func(d *train.Description) { d.Algorithm = "simplex" },
		train.FieldCards:           func(d *train.Description) { d.Cards = "some" },
		train.FieldActions:         func(d *train.Description) { d.Actions = "q" },
		train.FieldOpponent:        func(d *train.Description) { d.OpponentCards = "some" },
		train.FieldOpponentActions: func(d *train.Description) { d.OpponentActions = "all" },
		train.FieldStorage:         func(d *train.Description) { d.Bits = 16 },
		train.FieldForget:          func(d *train.Description) { d.Forget = "all" },
	} {
		d := good
		change(&d)
		_, err := d.Spec(game)
		if e, ok := errors.AsType[*train.Error](err); !ok || e.Field != want {
			t.Errorf("%s: error %v", want, err)
		}
	}
}

// What a description says beside its algorithm becomes a part of it.
func TestDescribedAlgorithm(t *testing.T) {
	game, err := configs.Game("leduc")
	if err != nil {
		t.Fatal(err)
	}
	for want, d := range map[string]train.Description{
		"dcfr(1.5,0,2)":       {Bits: 32}, // the algorithm of the game
		"dcfr(1.5,0,2)/16":    {Bits: 16},
		"external(8)/16":      {Algorithm: "external(8)", Bits: 16},
		"external(2)":         {Forget: "betting", Algorithm: "external(2)"},
		"linear-external(16)": {Algorithm: "linear-external(16)"},
	} {
		d.Cards = "lossless"
		if s, err := d.Spec(game); err != nil || s.Algorithm.String() != want ||
			s.Actions.IsForgetful() != (d.Forget != "") {
			t.Errorf("%+v: %v, %v; want %s", d, s.Algorithm, err, want)
		}
	}
	if _, err := (train.Description{Cards: "lossless", Bits: 8}).Spec(game); err == nil ||
		err.Error() != "8 is neither 16 nor 32" {
		t.Errorf("8 bits: %v", err)
	}
}

func TestParseTarget(t *testing.T) {
	game, err := configs.Game("holdem-limit-2p")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]float64{"0.25": 0.25, "5mb": 0.005 * float64(game.MaxBlind()), "-1": 0, "mb": 0,
		"NaN": 0, "inf": 0} {
		x, err := train.ParseTarget(game, text)
		if e, ok := errors.AsType[*train.Error](err); x != want || ok != (want == 0) || ok &&
			e.Field != train.FieldTarget {
			t.Errorf("%q: %v, %v; want %v", text, x, err, want)
		}
	}
	clear(game.Blind[:])
	if _, err := train.ParseTarget(game, "5mb"); err == nil {
		t.Error("a game without blinds has no mb")
	}
}
