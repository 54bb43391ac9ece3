package poker

import (
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/train"
	"gamebots/solvers/policy"
)

// A strategy that is trained against opponents with more raises plays in both positions against
// opponents who make any raise, and translates only raises that the opponent in its training lacks.
func TestAgainstMoreRaises(t *testing.T) {
	g := trained(t, "leduc-nolimit", 1).Tree.Game
	opponents, err := train.Actions(g, "min,0.5,1,2,a")
	if err != nil {
		t.Fatal(err)
	}
	actions, err := betting.FCPA.Against(opponents)
	if err != nil {
		t.Fatal(err)
	}
	spec := train.Spec{GameSpec: policy.GameSpec{Game: g, Cards: "lossless", Actions: actions}}
	if spec.Algorithm, err = train.ParseAlgorithm("pcs+(8)"); err != nil {
		t.Fatal(err)
	}
	p := trainedTo(t, spec, 20*8)
	for _, test := range []struct {
		opponent   string
		translates bool
	}{{"raise", false}, {"random", true}} {
		translated := 0
		for seat := range 2 {
			opponent, err := NewOpponent(test.opponent, 5)
			if err != nil {
				t.Fatal(err)
			}
			player := NewPolicyPlayer(p, Style{}, 9)
			players := []acpc.Player{opponent, opponent}
			players[seat] = playerFunc(func(s *acpc.State) acpc.Action {
				a, err := player.ActOnState(t.Context(), s)
				if err == nil {
					err = s.Check(a)
				}
				if err != nil {
					t.Fatal(err)
				}
				return a
			})
			m := dealer.Match{Game: g, Hands: 1000, Seed: 3, Names: []string{"a", "b"}}
			if _, err := m.Play(t.Context(), players, func(*acpc.State) error { return nil }); err != nil {
				t.Fatal(err)
			}
			counts := player.Counts()
			translated += counts.Translated + counts.Unmapped
		}
		if (translated > 0) != test.translates {
			t.Errorf("%d decisions against %s were translated", translated, test.opponent)
		}
	}
}
