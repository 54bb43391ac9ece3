package tournament

import (
	"context"
	"fmt"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/bots/arena"
	"gamebots/bots/arena/plan"
)

// playPoker plays a shard of poker, one match for each order of the seats.
func (l *hall) playPoker(ctx context.Context, shard plan.Shard) (*plan.Result, error) {
	n := l.game.NumPlayers
	sheet := &sheet{won: make([]float64, n*shard.Count), n: n}
	for order, seats := range l.plan.Orders {
		sheet.seats = seats
		if err := l.match(ctx, &shard, order, sheet); err != nil {
			return nil, fmt.Errorf("run %s, shard %d, order %d: %w", l.plan.Name, shard.Number, order, err)
		}
	}
	if want := shard.Count * len(l.plan.Orders); sheet.hands != want {
		return nil, fmt.Errorf("run %s, shard %d: %d hands, not %d", l.plan.Name, shard.Number, sheet.hands, want)
	}
	return sheet.result(len(l.plan.Orders)), nil
}

// match plays one order of a shard, in process or at a dealer's.
func (l *hall) match(ctx context.Context, shard *plan.Shard, order int, s *sheet) error {
	m := &dealer.Match{
		Name: fmt.Sprintf("%s.%d.%d", l.plan.Name, shard.Number, order), Game: l.game, GameFile: l.game.Name,
		Hands: uint32(shard.Count), Seed: shard.CardSeed(),
		Limits: dealer.Limits{Start: l.plan.Deals.Start, Response: l.plan.Deals.Response, Hand: l.plan.Deals.Response, PerHand: l.plan.Deals.PerHand},
	}
	bots := make([]arena.Bot, len(s.seats))
	players := make([]dealer.Player, len(s.seats))
	outside := 0 // players
	for seat, at := range s.seats {
		number := l.plan.Tables[shard.Table][at]
		e := l.plan.Players[number]
		m.Names = append(m.Names, e.Name)
		bots[seat].Name = e.Name
		if e.Kind == kindProgram || e.Kind == kindRemote {
			bots[seat].Command, bots[seat].Door = e.Command, l.doors[number]
			outside++
			continue
		}
		player, err := l.player(shard, order, number)
		if err != nil {
			return err
		}
		players[seat], bots[seat].Player = player, player
	}
	if outside == 0 {
		_, err := m.Play(players, func(state *acpc.State) error {
			s.hand(m, state)
			if state.HandID&0xff == 0 {
				return context.Cause(ctx)
			}
			return nil
		})
		return err
	}
	_, err := arena.Host(ctx, m, bots, arena.Results(l.game, nil, func(state *acpc.State, _ []float64) { s.hand(m, state) }))
	return err
}

// sheet is what is written down of a shard.
type sheet struct {
	packer plan.Packer
	seats  []int // of the order that is played
	n      int   // players
	hands  int
	won    []float64 // by deal and player of the table, over all orders
}

// hand writes a finished hand down.
func (s *sheet) hand(m *dealer.Match, state *acpc.State) {
	s.packer.Add(state)
	s.hands++
	values := state.Values()
	won := s.won[int(state.HandID)*s.n:][:s.n]
	for position := range won {
		won[s.seats[m.Seat(state.HandID, position)]] += values[position]
	}
}

// result adds up what was played.
func (s *sheet) result(orders int) *plan.Result {
	r := &plan.Result{Games: s.packer.Games()}
	r.Tally = plan.Tally{Units: len(s.won) / s.n, Games: s.hands, Scores: make([]plan.Score, s.n)}
	for i, x := range s.won {
		r.Tally.Scores[i%s.n].Observe(x / float64(orders))
	}
	return r
}
