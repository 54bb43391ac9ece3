package poker

import (
	"math"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/configs"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"
)

// sixPlayers is no-limit hold'em for six with 20 cards, whose stacks are short.
func sixPlayers(t *testing.T) *acpc.Game {
	t.Helper()
	g, err := acpc.ParseGame("six", `GAMEDEF
nolimit
numPlayers = 6
numRounds = 4
stack = 600 600 600 600 600 600
blind = 50 100 0 0 0 0
firstPlayer = 3 1 1 1
numSuits = 4
numRanks = 5
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
`)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Strategies for six with the raises of the shipped menu, and with pot and all-in only, are
// trained and read back, and play with and against opponents whose raises they do not know;
// nobody errs, and no chips are lost.
func TestSixPlayers(t *testing.T) {
	g := sixPlayers(t)
	menu, err := configs.Actions("six-max")
	if err != nil {
		t.Fatal(err)
	}
	handed, err := configs.Actions("six-handed")
	if err != nil {
		t.Fatal(err)
	}
	handed += "; forgetful, dead money"
	for name, text := range map[string]string{"six-max": menu, "six-handed": handed, "fcpa": "fcpa"} {
		t.Run(name, func(t *testing.T) { testSixPlayers(t, g, text) })
	}
}

func testSixPlayers(t *testing.T, g *acpc.Game, text string) {
	actions, err := train.Actions(g, text)
	if err != nil {
		t.Fatal(err)
	}
	spec := train.Spec{GameSpec: policy.GameSpec{Game: g, Cards: "quick(2,2,2)", Actions: actions}}
	trained := trainedTo(t, spec, 200)
	players := []acpc.Player{newOpponent(t, "random", 1), newOpponent(t, "raise", 2)}
	for seed := range uint64(4) {
		players = append(players, NewPolicyPlayer(trained, Style{}, seed))
	}
	m := dealer.Match{Game: g, Hands: 300, Seed: 1, Names: []string{"a", "b", "c", "d", "e", "f"}}
	hands := 0
	if _, err := m.Play(t.Context(), players, func(s *acpc.State) error {
		sum := 0.0
		for p := range g.NumPlayers {
			sum += s.Value(p)
		}
		if math.Abs(sum) > 1e-6 {
			t.Errorf("%v: values add up to %v", s, sum)
		}
		hands++
		return nil
	}); err != nil || hands != int(m.Hands) {
		t.Errorf("%d hands: %v", hands, err)
	}
	count := players[2].(*PolicyPlayer).Counts()
	if count.Translated == 0 || count.Decisions <= count.Translated {
		t.Errorf("decisions %+v", count)
	}
}
