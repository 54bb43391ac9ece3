package judge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"gamebots/acpc"
	"gamebots/bots/arena/ratings"
	"gamebots/bots/poker"
	"gamebots/configs"
	"gamebots/internal/rng"
	"gamebots/internal/testkit"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/cfrtest"
	"gamebots/solvers/evaluate/aivat"
	"gamebots/solvers/policy"
)

// undecided is an agent that takes all legal actions with the same probability. It draws as [agent.Agent.Seat] does.
type undecided uint64

func (p undecided) Act(ctx context.Context, m *acpc.MatchState) (acpc.Action, error) {
	return p.ActOnState(ctx, &m.State)
}

func (p undecided) ActOnState(_ context.Context, s *acpc.State) (acpc.Action, error) {
	choices := []policy.Choice{{Action: acpc.Action{Type: acpc.Call}, Probability: 1}}
	if s.CanFold() {
		choices = append(choices, policy.Choice{Action: acpc.Action{Type: acpc.Fold}, Probability: 1})
	}
	if _, _, raises := s.RaiseBounds(); raises {
		choices = append(choices, policy.Choice{Action: acpc.Action{Type: acpc.Raise}, Probability: 1})
	}
	stream := rng.Stream(rng.At(rng.At(^uint64(p), uint64(s.HandID)), uint64(s.NumActions())))
	return poker.Draw(choices, stream.Float64()), nil
}

// The results of matches of three parts spread over the seeds as their standard errors say, counted and estimated,
// whether the agent draws, our bot or both. If a bot throws the same coins in all parts, they spread 1.14 to 1.25 times
// as far. In hold'em the slow tier has the 500 seeds that it takes to say so.
func TestSpreadMatches(t *testing.T) {
	draws := func(seed uint64) acpc.Player { return undecided(seed) }
	calls := func(seed uint64) acpc.Player {
		p, err := poker.NewOpponent("call", seed)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	type pair struct {
		agent    string
		opponent int
	}
	agents := map[string]func(uint64) acpc.Player{"uniform": draws, "call": calls}
	holdem := 4 // seeds
	if testkit.SlowEnabled() {
		holdem = 125
	}
	for game, test := range map[string]struct {
		seeds, deals int
		pairs        []pair
	}{
		"kuhn":            {250, firstDeals, []pair{{"uniform", 1}, {"call", 2}, {"uniform", 2}}},
		"leduc":           {250, firstDeals, []pair{{"uniform", 0}, {"uniform", 1}, {"call", 2}, {"uniform", 2}}},
		"holdem-limit-2p": {holdem, 4, []pair{{"uniform", 0}, {"uniform", 1}}},
	} {
		g, err := configs.Game(game)
		if err != nil {
			t.Fatal(err)
		}
		c := &Card{Spec: &Spec{Game: g, Means: Means{Threads: 2, Memory: 1 << 30}}}
		if game != "holdem-limit-2p" {
			c.Strategy = cfrtest.Trained(t, game, "all", cfr.Algorithms[1], 3)
			if c.Known, err = aivat.ReadStrategy(c.Strategy, nil); err != nil {
				t.Fatal(err)
			}
		}
		all := ladder(t, c)
		for _, p := range test.pairs {
			o := &all[p.opponent]
			c.agent = agents[p.agent]
			estimator, err := aivat.New(o.known, o.known, false)
			if err != nil {
				t.Fatal(err)
			}
			name := game + ", " + p.agent + " and " + o.name
			testkit.Spread(t, name, test.seeds, func(seed uint64) map[string]testkit.Stated {
				c.Seed = uint32(seed)
				e, err := ratings.EstimateHands(t.Context(), estimator, 2, ratings.Each(played(t, c, o, test.deals)))
				if err != nil {
					t.Fatal(err)
				}
				return map[string]testkit.Stated{
					"chips": testkit.StatedOf(&e.Won), "AIVAT": testkit.StatedOf(&e.Estimated),
				}
			})
		}
	}
}

// A card is the same page and JSON on one thread and on two, with a ladder of a strategy that solves, and its rungs
// have their shares of the deals. The pictures and the worst hands add up to what was won.
func TestLadder(t *testing.T) {
	g, err := configs.Game("leduc")
	if err != nil {
		t.Fatal(err)
	}
	own := cfrtest.Trained(t, "leduc", "all", cfr.Algorithms[1], 30)
	known, err := aivat.ReadStrategy(own, nil)
	if err != nil {
		t.Fatal(err)
	}
	var pages [2]bytes.Buffer
	for i := range pages {
		c := &Card{Spec: &Spec{
			Game: g, Strategy: own, Known: known, Deals: 100, Seed: 5, Patience: time.Minute,
			Means: Means{Threads: 1 + i, Memory: 1 << 30},
		}, agent: func(seed uint64) acpc.Player { return undecided(seed) }, Why: "it is a test"}
		all := ladder(t, c)
		for k := range all {
			if err := c.play(t.Context(), &all[k], time.Hour); err != nil {
				t.Fatal(err)
			}
		}
		var names []string
		for _, m := range c.Matches {
			names = append(names, fmt.Sprint(m.Opponent, " ", m.Deals, m.Error))
			won := 0.0
			for _, d := range m.byDeal {
				won += d.won / float64(len(m.byDeal))
			}
			if math.Abs(won-m.Estimate.Estimated.Mean()) > 1e-9 {
				t.Errorf("%s: %g by deals, %g in all", m.Opponent, won, m.Estimate.Estimated.Mean())
			}
		}
		want := []string{"always call 100", "always raise 100", "gamebots 100", "gamebots, round 2 solved 25"}
		if !slices.Equal(names, want) || c.Cut {
			t.Errorf("%q, want %q; cut: %t", names, want, c.Cut)
		}
		if err := errors.Join(c.WriteHTML(&pages[i]), json.NewEncoder(&pages[i]).Encode(c.JSON())); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(pages[0].Bytes(), pages[1].Bytes()) {
		t.Error("two threads make another page")
	}
	for _, part := range []string{"<polyline", "Worst hands", `"name":"gamebots, round 2 solved","hands":50,`} {
		if !bytes.Contains(pages[0].Bytes(), []byte(part)) {
			t.Errorf("the page has no %q:\n%s", part, pages[0].Bytes())
		}
	}
}

// ladder returns the opponents of a card.
func ladder(t *testing.T, c *Card) []opponent {
	t.Helper()
	all, err := c.ladder()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// played plays a match of three parts in this process. It returns the hands from the opponent's view.
func played(t *testing.T, c *Card, o *opponent, deals int) (hands []ratings.Played) {
	for before := 0; before < 3*deals; before += deals {
		for seat := range 2 {
			match, bots, err := c.seated(o, seat, before, deals)
			if err != nil {
				t.Fatal(err)
			}
			_, err = match.Play(t.Context(), []acpc.Player{bots[0].Player, bots[1].Player}, func(s *acpc.State) error {
				state := *s
				hands = append(hands, ratings.Played{
					State: &state, Position: match.Position(s.HandID, 1-seat), Deal: fmt.Sprint(match.Seed, s.HandID),
				})
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return hands
}

// Matches of neighbouring seeds have no part with the same cards, whatever part each is in.
func TestSeedsShareNoDeals(t *testing.T) {
	g, err := configs.Game("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	c := &Card{Spec: &Spec{Game: g}}
	all := ladder(t, c)
	dealt := map[uint32]bool{}
	for c.Seed = range uint32(1000) {
		for _, before := range []int{0, 50, 100, 200} {
			match, _, err := c.seated(&all[0], 0, before, firstDeals)
			if err != nil || dealt[match.Seed] {
				t.Fatalf("seed %d deals the cards of another one after %d deals, %v", c.Seed, before, err)
			}
			dealt[match.Seed] = true
		}
	}
}

// Warnings that differ in their numbers are one.
func TestWarnings(t *testing.T) {
	c := Card{Matches: []Match{
		{warnings: []string{"raise of 301 increased to 400", "bad state format", "raise of 7 increased to 1200"}},
		{warnings: []string{"raise of 90000 decreased to 20000", "raise of 5 increased to 100"}},
	}}
	want := []Counted{
		{"raise of 301 increased to 400", 3}, {"bad state format", 1}, {"raise of 90000 decreased to 20000", 1},
	}
	if got := c.Conduct(); got.Illegal != 5 || !slices.Equal(got.Warnings, want) {
		t.Errorf("%+v", got)
	}
}
