package tournament

import (
	"context"
	"fmt"

	"gamebots/acpc"
	"gamebots/acpc/dealer"
	"gamebots/bots/arena"
)

// playPoker plays a shard of poker: one match for each order of the seats.
func (s *session) playPoker(ctx context.Context, shard arena.Shard) (*arena.Result, error) {
	n := s.game.NumPlayers
	r := &handRecorder{won: make([]float64, n*shard.Count), players: n}
	for order, seats := range s.plan.Orders {
		r.seats = seats
		if err := s.match(ctx, &shard, order, r); err != nil {
			return nil, fmt.Errorf("run %s, shard %d, order %d: %w", s.plan.Name, shard.Number, order, err)
		}
	}
	if want := shard.Count * len(s.plan.Orders); r.hands != want {
		return nil, fmt.Errorf("run %s, shard %d: %d hands, not %d", s.plan.Name, shard.Number, r.hands, want)
	}
	return r.result(len(s.plan.Orders)), nil
}

// match plays one order of a shard: in process, or at a dealer if a player is a
// program.
func (s *session) match(ctx context.Context, shard *arena.Shard, order int, r *handRecorder) error {
	m := &dealer.Match{
		Name: fmt.Sprintf("%s.%d.%d", s.plan.Name, shard.Number, order), Game: s.game, GameFile: s.game.Name,
		Hands: uint32(shard.Count), Seed: shard.CardSeed(),
		Limits: dealer.Limits{
			Start: s.plan.Deals.Start, Response: s.plan.Deals.Response, Hand: s.plan.Deals.Response,
			PerHand: s.plan.Deals.PerHand,
		},
	}
	bots := make([]arena.Bot, len(r.seats))
	players := make([]acpc.Player, len(r.seats))
	programs := 0
	for seat, at := range r.seats {
		number := s.plan.Tables[shard.Table][at]
		e := s.plan.Players[number]
		m.Names = append(m.Names, e.Name)
		bots[seat].Name = e.Name
		if e.Kind == kindProgram {
			bots[seat].Command = e.Command
			programs++
			continue
		}
		player, err := s.player(shard, order, number)
		if err != nil {
			return err
		}
		players[seat], bots[seat].Player = player, player
	}
	if programs == 0 {
		_, err := m.Play(ctx, players, func(state *acpc.State) error {
			r.add(m, state)
			return nil
		})
		return err
	}
	results := arena.ResultLog(s.game, nil, func(state *acpc.State, _ []float64) { r.add(m, state) })
	_, err := arena.Host(ctx, m, bots, dealer.Record{Log: results})
	return err
}

// handRecorder records the hands of a shard.
type handRecorder struct {
	packer  arena.Packer
	seats   []int // the order in play
	players int
	hands   int
	won     []float64 // chips over all orders, by deal and player of the table
}

// add records a finished hand.
func (r *handRecorder) add(m *dealer.Match, state *acpc.State) {
	r.packer.Add(state)
	r.hands++
	values := state.Values()
	won := r.won[int(state.HandID)*r.players:][:r.players]
	for position := range won {
		won[r.seats[m.Seat(state.HandID, position)]] += values[position]
	}
}

// result returns the result of the shard.
func (r *handRecorder) result(orders int) *arena.Result {
	result := &arena.Result{Games: r.packer.Games()}
	result.Tally = arena.Tally{Units: len(r.won) / r.players, Games: r.hands, Scores: make([]arena.Score, r.players)}
	for i, x := range r.won {
		result.Tally.Scores[i%r.players].Observe(x / float64(orders))
	}
	return result
}
