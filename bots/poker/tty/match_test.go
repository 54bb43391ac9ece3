package tty

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/bots/poker"
	"gamebots/bots/poker/resolving"
	"gamebots/configs"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/cfrtest"
	"gamebots/solvers/evaluate/aivat"
	"gamebots/solvers/policy"
	"gamebots/solvers/policy/browse"
)

// trained returns a strategy of a game after some iterations of CFR+.
func trained(t *testing.T, g *acpc.Game) *policy.Policy {
	return cfrtest.Trained(t, g.Name, "all", cfr.Algorithms[1], 100)
}

// A match against a strategy is reviewed, logged, and estimated without luck.
func TestMatch(t *testing.T) {
	const game = "leduc"
	g, err := configs.Game(game)
	if err != nil {
		t.Fatal(err)
	}
	p := trained(t, g)
	review, err := browse.New(p, 1)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	log := filepath.Join(t.TempDir(), "hands.log")
	m := &Match{
		Dealer: dealer.Match{Name: "play", GameFile: game, Game: g, Hands: 100, Seed: 1, Names: Names("Ann", 2)},
		Person: &Person{Out: &out, ReadLine: lines(strings.Split(strings.Repeat("c", 40), ""))},
		Bots:   []acpc.Player{poker.NewPolicyPlayer(p, poker.Style{}, 1)},
		Review: review, Log: log,
	}
	m.Person.Name = m.NameAt
	if err := m.Play(t.Context()); err != nil {
		t.Fatal(err)
	}
	hands, chips := m.Result()
	seen := out.String()
	if hands < 10 || !strings.Contains(seen, "bot1: ") || !strings.Contains(seen, ": the strategy plays ") {
		t.Errorf("%d hands, %s", hands, seen)
	}
	f, err := os.Open(log)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	matches, err := dealer.Replay(log, f, g)
	if err != nil || len(matches) != 1 || int(matches[0].Hands) != hands {
		t.Errorf("the log has %+v: %v", matches, err)
	}
	known, err := resolving.ForAIVAT(p, poker.Style{}, resolving.Options{})
	if err != nil {
		t.Fatal(err)
	}
	estimator, err := aivat.New(known, known, false)
	if err != nil {
		t.Fatal(err)
	}
	e, err := m.Estimate(t.Context(), estimator, 1)
	if err != nil || e.Hands != hands || e.Won.Mean()*float64(hands)+chips > 1e-9 {
		t.Errorf("%+v of %d hands that won %v: %v", e, hands, chips, err)
	}
}
