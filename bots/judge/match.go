package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/acpc/dealer"
	"gamebots/bots/arena"
	"gamebots/bots/arena/ratings"
	"gamebots/bots/poker"
	"gamebots/bots/poker/resolving"
	"gamebots/bots/proc"
	"gamebots/internal/rng"
	"gamebots/solvers/evaluate/aivat"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve"
)

// Match is a match against one of the program's bots.
type Match struct {
	Opponent string
	Estimate ratings.Estimate // the opponent's winnings
	Deals    int              // deals that were played from both positions
	Error    string           // what ended the match early, "" if nothing did

	took     []time.Duration
	warnings []string
	byDeal   []dealt
}

// dealt are the hands of a deal, and what the opponent has won a hand by estimate.
type dealt struct {
	opponent string
	hands    []ratings.Played
	won      float64
}

// opponent is one of the program's bots, a rung of the ladder.
type opponent struct {
	name   string
	share  int // it plays one of so many deals
	player func(seed uint64) (acpc.Player, error)
	known  *aivat.Strategy
}

// solveIterations are those of a solution in play. Their number is fixed, and no device is used: so a match does not
// depend on the machine.
const solveIterations = 100

// ownPatience is how long a bot that solves may take for a decision, on any machine.
const ownPatience = 10 * time.Minute

// ladder returns the bots that a bot plays against: first those that look at no card, then the strategy as it is, and
// then with more and more rounds solved in play. Each of these takes several times longer than the one before, and
// plays fewer deals.
func (c *Card) ladder() (all []opponent, err error) {
	for _, kind := range []policy.Plain{policy.PlainCall, policy.PlainRaise} {
		all = append(all, opponent{"always " + string(kind), 1, func(seed uint64) (acpc.Player, error) {
			return poker.NewOpponent(string(kind), seed)
		}, aivat.PlayedBy(c.Game, func() (belief.Player, error) { return belief.NewPlain(kind), nil })})
	}
	if c.Strategy == nil {
		return all, nil
	}
	all = append(all, opponent{"gamebots", 1, func(seed uint64) (acpc.Player, error) {
		return poker.NewPolicyPlayer(c.Strategy, poker.Style{}, seed), nil
	}, c.Known})
	for share, round := 4, c.Game.NumRounds-1; round > 0; share, round = 4*share, round-1 {
		o := resolving.Options{Options: resolve.Options{
			Iterations: solveIterations, From: round, Threads: c.Means.Threads,
		}}
		p, err := o.Prepare(c.Strategy, c.Means.Memory)
		if errors.As(err, new(*resolve.GameError)) || errors.As(err, new(*policy.SizeError)) {
			break
		}
		if err != nil {
			return nil, err
		}
		name, seen := "gamebots, "+c.Game.RoundNames()[round]+" solved", new(sync.Map)
		player := func(seed uint64) (*solving, error) {
			player, err := resolving.NewHandStrategy(p, poker.Style{}, o)
			return &solving{player, round, seed, seen}, err
		}
		all = append(all, opponent{name, share, func(seed uint64) (acpc.Player, error) { return player(seed) },
			aivat.PlayedBy(p.Tree.Game, func() (belief.Player, error) { return player(0) })})
	}
	return all, nil
}

// solving is a bot that solves rounds. What it has solved in a match is kept for the estimates.
type solving struct {
	belief.Player
	first int // round that it solves
	seed  uint64
	seen  *sync.Map // belief.Choices by betting and board
}

func (p *solving) Choices(ctx context.Context, s *acpc.State) (belief.Choices, error) {
	if s.Round() < p.first {
		return p.Player.Choices(ctx, s)
	}
	key := string(s.AppendBetting(nil)) + fmt.Sprint(s.Board[:s.Game().BoardCards(s.Round())])
	if c, found := p.seen.Load(key); found {
		return c.(belief.Choices), nil
	}
	c, err := p.Player.Choices(ctx, s)
	if err == nil { // it is valid until the next one
		kept := belief.Choices{Actions: slices.Clone(c.Actions)}
		for _, row := range c.Probability {
			kept.Probability = append(kept.Probability, slices.Clone(row))
		}
		p.seen.Store(key, kept)
	}
	return c, err
}

// Act implements [acpc.Player].
func (p *solving) Act(ctx context.Context, m *acpc.MatchState) (acpc.Action, error) {
	c, err := p.Choices(ctx, &m.State)
	if err != nil {
		return acpc.Action{}, err
	}
	g := m.Game()
	hand := slices.Index(belief.Holes(g), card.SetOf(m.Holes[m.Viewer][:g.NumHoleCards]...))
	return poker.DrawBy(p.seed, m, c.Actions, c.Of(hand)), nil
}

// firstDeals is the number of deals of the first part of a match. The next part has as many as all before: so the
// time limit ends a match between two parts, unless the bot is very slow.
const firstDeals = 50

// play plays a match against an opponent, and estimates its result.
func (c *Card) play(ctx context.Context, o *opponent, limit time.Duration) error {
	c.begin("playing against " + o.name)
	m := Match{Opponent: o.name}
	var hands []ratings.Played
	end := time.Now().Add(limit)
	limited, cancel := context.WithDeadline(ctx, end)
	defer cancel()
	want := max(2, c.Deals/o.share)
	for began := time.Now(); m.Deals < want && m.Error == ""; {
		deals := min(max(firstDeals, m.Deals), want-m.Deals)
		if played := time.Since(began); m.Deals > 0 && time.Now().Add(played).After(end) {
			break // the next part takes as long as all before
		}
		for seat := range 2 {
			if err := c.part(limited, o, seat, deals, &m, &hands); err != nil {
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				if limited.Err() == nil {
					m.Error = err.Error()
				} else if m.Deals == 0 && len(hands) == 0 {
					m.Error = fmt.Sprintf("no hand was played within %v", limit.Round(time.Second))
				}
				break
			}
		}
		if limited.Err() != nil {
			break
		}
		if m.Error == "" {
			m.Deals += deals
		}
	}
	if len(hands) > 0 {
		c.begin("estimating the hands against " + o.name)
		estimator, err := aivat.New(o.known, o.known, false)
		if err != nil {
			return err
		}
		if m.Estimate, err = ratings.EstimateHands(ctx, estimator, c.Means.Threads, ratings.Each(hands)); err != nil {
			return err
		}
		m.byDeal = byDeal(o.name, hands, m.Estimate.ByDeal)
	}
	c.Cut = c.Cut || m.Deals < want && m.Error == ""
	c.Matches = append(c.Matches, m)
	return nil
}

// byDeal returns the deals of hands, in the order in which they come first, with what was won in each.
func byDeal(opponent string, hands []ratings.Played, won []float64) (deals []dealt) {
	number := map[string]int{}
	for _, h := range hands {
		i, ok := number[h.Deal]
		if !ok {
			i = len(deals)
			number[h.Deal] = i
			deals = append(deals, dealt{opponent: opponent, won: won[i]})
		}
		deals[i].hands = append(deals[i].hands, h)
	}
	return deals
}

// seated returns a part of a match after some deals, with the bots in their seats. The bots draw by a seed and the
// number of a hand, and each part numbers its hands from 0: so each has a seed of its own.
func (c *Card) seated(o *opponent, seat, before, deals int) (*dealer.Match, []arena.Bot, error) {
	draws := rng.At(uint64(c.Seed), uint64(before))
	player, err := o.player(draws)
	if err != nil {
		return nil, nil, err
	}
	judged := arena.Bot{Name: "judged", Command: c.Command}
	if c.agent != nil {
		judged = arena.Bot{Name: "judged", Player: c.agent(draws)}
	}
	bots := []arena.Bot{judged, {Name: o.name, Player: player}}
	if seat == 1 {
		bots[0], bots[1] = bots[1], bots[0]
	}
	patience := c.Patience
	if o.share > 1 {
		patience = max(patience, ownPatience)
	}
	cards := uint32(rng.At(uint64(c.Seed), 0)) // so that neighbouring seeds have no deals in common
	return &dealer.Match{
		Name: "judge", Game: c.Game, GameFile: c.Game.Name, Hands: uint32(deals), Seed: cards + uint32(before),
		Names: []string{bots[0].Name, bots[1].Name},
		Limits: dealer.Limits{
			Start: time.Minute, Response: patience, Hand: 10 * patience, PerHand: 10 * patience,
		},
	}, bots, nil
}

// part plays some deals with the bot in a seat.
func (c *Card) part(ctx context.Context, o *opponent, seat, deals int, m *Match, hands *[]ratings.Played) error {
	match, bots, err := c.seated(o, seat, m.Deals, deals)
	if err != nil {
		return err
	}
	seen := &proc.Watch{Number: seat}
	results := arena.ResultLog(c.Game, nil, func(s *acpc.State, _ []float64) {
		state := *s
		*hands = append(*hands, ratings.Played{
			State: &state, Position: match.Position(s.HandID, 1-seat), Deal: fmt.Sprint(match.Seed, s.HandID),
		})
	})
	_, err = arena.Host(ctx, match, bots, dealer.Record{Log: results, Messages: seen})
	m.took = append(m.took, seen.Decisions...)
	for _, text := range seen.Warnings {
		if strings.HasPrefix(text, "WARNING") { // an error ends the match, and is told better by err
			m.warnings = append(m.warnings, strings.TrimPrefix(text, "WARNING: "))
		}
	}
	if own := new(dealer.SeatError); errors.As(err, &own) && own.Seat != seat {
		return fmt.Errorf("our own bot failed: %w", err)
	}
	return err
}
