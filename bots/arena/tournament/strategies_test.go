package tournament

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"gamebots/acpc"
	"gamebots/solvers/cfr/abstraction/buckets"
	"gamebots/solvers/cfr/abstraction/buckets/cluster"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"
	"gamebots/solvers/strategy"
)

// Strategies for estimates have the buckets that their files leave out.
func TestStrategiesWithBuckets(t *testing.T) {
	folder := t.TempDir()
	game := filepath.Join(folder, "short.game")
	text := "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 2\nblind = 2 1\nraiseSize = 2 2\nfirstPlayer = 2 " +
		"1\nmaxRaises = 1 1\n" +
		"numSuits = 2\nnumRanks = 4\nnumHoleCards = 1\nnumBoardCards = 0 2\nEND GAMEDEF\n"
	if err := os.WriteFile(game, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	g, err := acpc.ParseGame("short", text)
	if err != nil {
		t.Fatal(err)
	}
	table, err := cluster.Build(t.Context(), g,
		buckets.Recipe{Seed: 1, Iterations: 5, Bins: 6, Clusters: 2, Rounds: []buckets.Round{
			{Feature: buckets.Hands}, {Feature: buckets.OCHS, Buckets: 3},
		}}, cluster.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cards, file := filepath.Join(folder, "short.buckets"), filepath.Join(folder, "short.strategy")
	if err := table.Write(cards); err != nil {
		t.Fatal(err)
	}
	trained, err := train.Open(train.Spec{GameSpec: policy.GameSpec{Game: g, Cards: cards}, Seed: 1}, train.Options{})
	if err != nil {
		t.Fatal(err)
	}
	trained.Step()
	if err := trained.Save(file, strategy.Meta{}); err != nil {
		t.Fatal(err)
	}
	p := testPlayers()
	defer p.Close()
	run, err := p.Plan(settings(t,
		fmt.Sprintf("run = {name = \"short\", game = %q}\nplayer = [{name = \"a\", kind = \"strategy\", strategy = "+
			"%q}, {name = \"b\", kind = \"random\"}]\n", game, file)))
	if err != nil {
		t.Fatal(err)
	}
	strategies, done, err := p.Strategies(t.Context(), run, func(player string, err error) { t.Error(player, err) })
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	again := filepath.Join(folder, "again.buckets")
	if err := strategies[0].Buckets.(*buckets.Table).Write(again); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(cards)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(again); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes of buckets, want the %d of the file: %v", len(got), len(want), err)
	}
}
