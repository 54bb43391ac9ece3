package poker

import (
	"errors"
	"slices"
	"testing"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/configs"
	"gamebots/internal/memory"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve"
)

// Last rounds that are solved are played legally to the end, and only they are solved.
func TestStrategySolves(t *testing.T) {
	for _, game := range []string{"leduc", "leduc-nolimit"} {
		p := trained(t, game, 20)
		g := p.Tree.Game
		player, err := NewResolving(p, Style{}, 1, Resolving{Options: resolve.Options{Iterations: 20}})
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

// A player without time to solve plays its strategy, and counts these decisions.
func TestStrategyIsLate(t *testing.T) {
	p, err := policy.Open("../../configs/strategies/holdem-nolimit-2p.strategy", memory.Available(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	play := func(player acpc.Player) (hands []string, actions [acpc.MaxRounds]int) {
		m := dealer.Match{Game: p.Tree.Game, Hands: 12, Seed: 1, Names: []string{"a", "b"}}
		_, err := m.Play([]acpc.Player{player, newOpponent(t, "call", 2)}, func(s *acpc.State) error {
			hands = append(hands, string(m.AppendHand(nil, s)))
			for r := resolve.Flop; r <= resolve.River; r++ {
				actions[r] += len(s.Actions(r))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return hands, actions
	}
	want, _ := play(NewStrategy(p, Style{}, 1))
	for from := resolve.Flop; from <= resolve.Turn; from++ {
		late, err := NewResolving(p, Style{},
			1, Resolving{Options: resolve.Options{Iterations: 100, From: from, Threads: 1}, Time: 1})
		if err != nil {
			t.Fatal(err)
		}
		got, actions := play(late)
		if !slices.Equal(got, want) {
			t.Errorf("from round %d on: played %q, and %q without solving", from, got, want)
		}
		all := 0
		for _, n := range actions[from:] {
			all += n
		}
		if c := late.Counts(); all == 0 || c.Late == 0 || c.Late > all || c.Solved > 0 {
			t.Errorf("%+v with %d actions from round %d on", c, all, from)
		}
	}
}

// A strategy may lack the rounds that are solved, but after a solved flop it goes on.
func TestRoundsOfStrategy(t *testing.T) {
	g, err := configs.Game("holdem-nolimit-2p")
	if err != nil {
		t.Fatal(err)
	}
	for from, least := range map[int]int{resolve.Flop: 4, resolve.Turn: 2, resolve.River: 3} {
		o := resolve.Options{Iterations: 100, From: from}
		if err := o.Check(g, least); err != nil {
			t.Errorf("from round %d on, with %d rounds: %v", from, least, err)
		}
		if err := o.Check(g, least-1); !errors.As(err, new(*policy.CutError)) {
			t.Errorf("from round %d on, with %d rounds: error %v", from, least-1, err)
		}
	}
}
