package judge

import (
	"context"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"gamebots/acpc"
	"gamebots/bots/poker"
	"gamebots/bots/poker/resolving"
	"gamebots/configs"
	"gamebots/internal/rng"
	"gamebots/internal/stats"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/cfrtest"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve"
	"gamebots/solvers/resolve/spot"
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

// The results of matches of three parts spread over the seeds as their standard errors say, whether the agent draws,
// our bot or both. If a bot throws the same coins in all parts, they spread 1.14 to 1.25 times as far.
func TestStandardError(t *testing.T) {
	draws := func(seed uint64) acpc.Player { return undecided(seed) }
	calls := func(seed uint64) acpc.Player {
		p, err := poker.NewOpponent("call", seed)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	for _, game := range []string{"kuhn", "leduc"} {
		g, err := configs.Game(game)
		if err != nil {
			t.Fatal(err)
		}
		own := cfrtest.Trained(t, game, "all", cfr.Algorithms[1], 3)
		all := (&Card{Spec: &Spec{Game: g, Strategy: own}}).opponents()
		for _, test := range []struct {
			agent    func(seed uint64) acpc.Player
			opponent opponent
		}{{draws, all[2]}, {calls, all[0]}, {draws, all[0]}} {
			const seeds = 1000
			var results stats.Sample
			stated := 0.0 // sum of the squares
			c := &Card{Spec: &Spec{Game: g}, agent: test.agent}
			for c.Seed = range uint32(seeds) {
				won := winnings(t, c, &test.opponent)
				results.Add(won.Mean())
				stated += won.Variance() / float64(won.N)
			}
			ratio := math.Sqrt(results.Variance() / (stated / seeds))
			if ratio < .95 || ratio > 1.05 {
				t.Errorf("%s against %s: the results of %d seeds spread %.3f times as far as is stated",
					game, test.opponent.name, seeds, ratio)
			}
		}
	}
}

// winnings plays a match of three parts in this process. It returns the opponent's winnings by deal.
func winnings(t *testing.T, c *Card, o *opponent) (won stats.Sample) {
	for before := 0; before < 3*firstDeals; before += firstDeals {
		var deals [firstDeals]float64
		for seat := range 2 {
			match, bots, err := c.seated(o, seat, before, firstDeals)
			if err != nil {
				t.Fatal(err)
			}
			_, err = match.Play(t.Context(), []acpc.Player{bots[0].Player, bots[1].Player}, func(s *acpc.State) error {
				deals[s.HandID] += s.Value(match.Position(s.HandID, 1-seat)) / 2
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, x := range deals {
			won.Add(x)
		}
	}
	return won
}

// Matches of neighbouring seeds have no part with the same cards, whatever part each is in.
func TestSeedsShareNoDeals(t *testing.T) {
	g, err := configs.Game("kuhn")
	if err != nil {
		t.Fatal(err)
	}
	c := &Card{Spec: &Spec{Game: g}}
	dealt := map[uint32]bool{}
	for c.Seed = range uint32(1000) {
		for _, before := range []int{0, 50, 100, 200} {
			match, _, err := c.seated(&c.opponents()[0], 0, before, firstDeals)
			if err != nil || dealt[match.Seed] {
				t.Fatalf("seed %d deals the cards of another one after %d deals, %v", c.Seed, before, err)
			}
			dealt[match.Seed] = true
		}
	}
}

// Whatever the values of saved boards follow from is in the fingerprint of their file, and nothing else: a new setting
// is one or the other.
func TestPlayedFingerprint(t *testing.T) {
	leduc, err := configs.Game("leduc")
	if err != nil {
		t.Fatal(err)
	}
	// Play is the strategy's style.
	machine := []string{"Play", "Threads", "Memory", "Together", "DeviceFailed", "Keeper"}
	changes := map[string]func(*Played){
		"": func(*Played) {}, "Runouts": func(p *Played) { p.Runouts = 4 }, "Seed": func(p *Played) { p.Seed = 8 },
		"Iterations": func(p *Played) { p.Resolving.Iterations = 6 }, "From": func(p *Played) { p.Resolving.From = 5 },
		"Device": func(p *Played) { p.Resolving.Device = new(resolve.Device) },
		"Bets":   func(p *Played) { p.Resolving.Bets = spot.Sizes{{Kind: spot.PotSize, Value: 1}} },
		"Time":   func(p *Played) { p.Resolving.Time = time.Second },
	}
	seen := map[string]string{}
	for name, change := range changes {
		p := Played{Runouts: 2, Seed: 7, Resolving: resolving.Options{Options: resolve.Options{Iterations: 5}}}
		change(&p)
		how := p.how(leduc, &p.Resolving)
		if other, twice := seen[how]; twice {
			t.Errorf("%q and %q have the fingerprint %q", name, other, how)
		}
		seen[how] = name
	}
	for _, s := range []any{resolve.Options{}, poker.TimeLimits{}} {
		for f := range reflect.TypeOf(s).Fields() {
			if changes[f.Name] == nil == !slices.Contains(machine, f.Name) {
				t.Errorf("is %s a setting of the sample, or of the machine?", f.Name)
			}
		}
	}
}
