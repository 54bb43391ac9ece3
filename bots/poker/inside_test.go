package poker

import (
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
)

// outside hides that a player can be shown the hand itself.
type outside struct{ acpc.Player }

// A player that is shown the hand itself plays as one that is shown what its
// position sees, and one whose strategy is in memory as one that reads the file.
func TestInside(t *testing.T) {
	for _, name := range []string{"leduc", "leduc-nolimit", "kuhn"} {
		policy, loaded := trained(t, name, 50), trained(t, name, 50)
		if err := loaded.Load(1 << 30); err != nil {
			t.Fatal(err)
		}
		play := func(players ...acpc.Player) (log []string) {
			m := dealer.Match{Game: policy.Tree.Game, Hands: 500, Seed: 3, Names: []string{"a", "b"}}
			_, err := m.Play(players, func(s *acpc.State) error {
				log = append(log, string(m.AppendHand(nil, s)))
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			return log
		}
		for _, kind := range Opponents() {
			want := play(outside{NewStrategy(policy, Style{}, 1)}, outside{newOpponent(t, kind, 2)})
			got := play(NewStrategy(loaded, Style{}, 1), newOpponent(t, kind, 2))
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("%s against %s, hand %d: inside %s, outside %s", name, kind, i, got[i], want[i])
				}
			}
		}
	}
}
