package poker

import (
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
)

// viewOnly hides that a player is a dealer.StatePlayer.
type viewOnly struct{ acpc.Player }

// A player that is given the whole state plays as one that is given what its
// position sees, and one whose strategy is in memory as one that reads the file.
func TestStatePlayer(t *testing.T) {
	for _, name := range []string{"leduc", "leduc-nolimit", "kuhn"} {
		policy, loaded := trained(t, name, 50), trained(t, name, 50)
		if err := loaded.Load(1 << 30); err != nil {
			t.Fatal(err)
		}
		play := func(players ...acpc.Player) (log []string) {
			m := dealer.Match{Game: policy.Tree.Game, Hands: 500, Seed: 3, Names: []string{"a", "b"}}
			_, err := m.Play(t.Context(), players, func(s *acpc.State) error {
				log = append(log, string(m.AppendHand(nil, s)))
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return log
		}
		for _, kind := range Opponents() {
			want := play(viewOnly{NewPolicyPlayer(policy, Style{}, 1)}, viewOnly{newOpponent(t, kind, 2)})
			got := play(NewPolicyPlayer(loaded, Style{}, 1), newOpponent(t, kind, 2))
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("%s against %s, hand %d: ActOnState plays %s, Act %s", name, kind, i, got[i], want[i])
				}
			}
		}
	}
}
