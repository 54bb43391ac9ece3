package judge

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/bots/arena"
	"gamebots/bots/arena/ratings"
	"gamebots/bots/poker"
	"gamebots/bots/proc"
	"gamebots/internal/rng"
	"gamebots/solvers/evaluate/aivat"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
)

// Match is a match against one of the program's bots.
type Match struct {
	Opponent string
	Estimate ratings.Estimate // the opponent's winnings
	Deals    int              // deals that were played from both positions
	Error    string           // what ended the match early, "" if nothing did

	took     []time.Duration
	warnings []string
}

// opponent is one of the program's bots.
type opponent struct {
	name   string
	player func(seed uint64) (acpc.Player, error)
	known  *aivat.Strategy
}

// opponents returns the bots that a bot plays against.
func (c *Card) opponents() (all []opponent) {
	if c.Strategy != nil {
		all = append(all, opponent{"gamebots", func(seed uint64) (acpc.Player, error) {
			return poker.NewStrategy(c.Strategy, poker.Style{}, seed), nil
		}, c.Known})
	}
	for _, kind := range []policy.Plain{policy.PlainCall, policy.PlainRaise} {
		all = append(all, opponent{"always " + string(kind), func(seed uint64) (acpc.Player, error) {
			return poker.NewOpponent(string(kind), seed)
		}, aivat.PlayedBy(c.Game, func() (belief.Player, error) { return belief.NewPlain(kind), nil })})
	}
	return all
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
	for began := time.Now(); m.Deals < c.Deals && m.Error == ""; {
		deals := min(max(firstDeals, m.Deals), c.Deals-m.Deals)
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
		estimator, err := aivat.New(o.known, o.known, false, c.Means.Threads, nil)
		if err != nil {
			return err
		}
		if m.Estimate, err = ratings.EstimateHands(ctx, estimator, c.Means.Threads, each(hands)); err != nil {
			return err
		}
	}
	c.Matches = append(c.Matches, m)
	return nil
}

func each(hands []ratings.Played) iter.Seq2[ratings.Played, error] {
	return func(yield func(ratings.Played, error) bool) {
		for _, h := range hands {
			if !yield(h, nil) {
				return
			}
		}
	}
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
	cards := uint32(rng.At(uint64(c.Seed), 0)) // so that neighbouring seeds have no deals in common
	return &dealer.Match{
		Name: "judge", Game: c.Game, GameFile: c.Game.Name, Hands: uint32(deals), Seed: cards + uint32(before),
		Names: []string{bots[0].Name, bots[1].Name},
		Limits: dealer.Limits{
			Start: time.Minute, Response: c.Patience, Hand: 10 * c.Patience, PerHand: 10 * c.Patience,
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
