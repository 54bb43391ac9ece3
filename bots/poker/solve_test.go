package poker

import (
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
)

// Last rounds that are solved are played legally to the end, and only they are solved.
func TestStrategySolves(t *testing.T) {
	for _, game := range []string{"leduc", "leduc-nolimit"} {
		policy := trained(t, game, 20)
		g := policy.Tree.Game
		player, err := NewSolver(policy, Style{}, 1, Solving{Iterations: 20})
		if err != nil {
			t.Fatal(err)
		}
		last := 0
		m := dealer.Match{Game: g, Hands: 200, Seed: 3, Names: []string{"a", "b"}}
		_, err = m.Play([]acpc.Player{player, newOpponent(t, "random", 2)}, func(s *acpc.State) error {
			seat := m.Position(s.HandID, 0)
			replayed := g.NewState(s.HandID)
			for r := range s.Round() + 1 {
				for _, a := range s.Actions(r) {
					if r == g.NumRounds-1 && replayed.Actor() == seat {
						last++
					}
					replayed.Apply(a)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if c := player.Counts(); c.Solved == 0 || c.Solved > last || game == "leduc" && c.Solved != last {
			t.Errorf("%s: %+v, with %d decisions in last rounds", game, c, last)
		}
	}
}
