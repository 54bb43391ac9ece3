package train_test

import (
	"strings"
	"testing"

	"gamebots/configs"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/train"
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
		return train.Spec{GameSpec: cfr.GameSpec{Game: game, Cards: "quick(2,2,2)", Actions: actions}, Algorithm: a}
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
