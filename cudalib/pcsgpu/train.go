package pcsgpu

import (
	"errors"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// Match computes the strategies from all regrets.
func (s *device) Match() error {
	for i := range s.game.Parts {
		part := &s.game.Parts[i]
		for p := range s.players {
			b, buckets := &s.players[p], s.game.Buckets[part.Round][p]
			err := s.strategy.Launch(s.gpu.Stream, launch.Loop(buckets*part.Width), strategyParams{
				Decisions: s.parts[i].Decisions[p], Regrets: b.regrets.Slice(b.tableAt[i], b.regrets.Len()),
				Strategy:     b.strategy.Slice(b.tableAt[i], b.strategy.Len()),
				NumDecisions: uint32(len(part.Programs[p].Decisions)), Buckets: uint32(buckets),
				Columns: uint32(part.Columns[p]), Width: uint32(part.Width),
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *device) upload(b *Batch) error {
	errs := []error{s.order.Upload(s.gpu.Stream, b.Order)}
	for i := range s.cards {
		errs = append(errs, s.cards[i].buckets.Upload(s.gpu.Stream, b.Cards[i].Buckets))
		for r := range s.rounds {
			if s.game.Widths[r] > 0 {
				errs = append(errs, s.cards[i].rounds[r].upload(s.gpu.Stream, &b.Cards[i].Rounds[r]))
			}
		}
		n := len(b.Cards[i].Buckets)
		errs = append(errs, s.orders.Launch(s.gpu.Stream, driver.Grid{
			Blocks: (n + perBlock - 1) / perBlock, Threads: perBlock,
		}, ordersParams{
			Order: s.order, Buckets: s.cards[i].buckets, Up: s.cards[i].up, Down: s.cards[i].down,
			Hands: uint32(s.game.Hands), Batch: uint32(len(b.Order)), Rounds: uint32(len(s.rounds)),
		}))
	}
	return errors.Join(errs...)
}

// descend computes the reach of a player at the start of all rounds.
func (s *device) descend(player int) error {
	b, g := &s.players[player], s.game
	size := g.Boards * g.Hands
	for r := 1; r < len(g.Widths) && g.Widths[r] > 0; r++ {
		err := s.reach.Launch(s.gpu.Stream, driver.Grid{
			Blocks: (size + HandsPerBlock - 1) / HandsPerBlock, Threads: min(g.Widths[r], perBlock),
		}, reachParams{
			From: s.rounds[r].from, Deals: s.rounds[r-1].deals[player], Strategy: b.strategy,
			Buckets: s.cardsOf(player).buckets.Slice((r-1)*size, r*size),
			Before:  b.reach.Slice(b.reachAt[r-1], b.reach.Len()), Reach: b.reach.Slice(b.reachAt[r], b.reach.Len()),
			Hands: uint32(size), Width: uint32(g.Widths[r-1]), NextWidth: uint32(g.Widths[r]),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// value values all ends for a player.
func (s *device) value(player int) error {
	b, other, g := &s.players[player], &s.players[1-player], s.game
	cards := s.cardsOf(1 - player)
	return s.ends.Launch(s.gpu.Stream, driver.Grid{
		Blocks: b.tasks, Threads: launch.Warp, Shared: SumBytes * launch.Warp * (g.Deck + 1),
	}, endsParams{
		Parts: b.parts, Passes: b.passes, Pays: b.pays, Up: cards.up, Down: cards.down, Reach: other.reach,
		Strategy: other.strategy, Values: s.values, Boards: uint32(g.Boards), Hands: uint32(g.Hands),
		Deck: uint32(g.Deck), TwoCards: g.TwoCards,
	})
}

// update updates the strategy of a player in the rounds that are divided, or in those before.
func (s *device) update(player int, divided bool, u Update) error {
	for i := len(s.game.Parts) - 1; i >= 0; i-- {
		if s.game.divides(s.game.Parts[i].Round) == divided {
			if err := s.updatePart(player, i, u); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *device) updatePart(player, i int, u Update) error {
	g, b, to := s.game, &s.players[player], &s.parts[i]
	part := &g.Parts[i]
	program, round, hits := &part.Programs[player], &s.rounds[part.Round], &s.cardsOf(player).rounds[part.Round]
	p := updateParams{
		Program: programArgs{to.Sources[player], to.Decisions[player], hits.Buckets, hits.Starts, hits.Hands, to.Next},
		State: stateArgs{
			OwnReach: b.reach.Slice(b.reachAt[part.Round]+part.First, b.reach.Len()),
			Values:   s.values.Slice(s.valuesAt[i], s.values.Len()),
			Roots:    round.roots.Slice(part.First, round.roots.Len()), NextRoots: round.roots,
			Regrets: b.regrets.Slice(b.tableAt[i], b.regrets.Len()), Sums: b.sums.Slice(b.tableAt[i], b.sums.Len()),
			Strategy: b.strategy.Slice(b.tableAt[i], b.strategy.Len()),
		},
		Sizes: sizeArgs{
			Boards: uint32(g.Boards), Hands: uint32(g.Hands), Columns: uint32(part.Columns[player]),
			NumDecisions: uint32(len(program.Decisions)), NumEnds: uint32(part.Values), NumDeals: uint32(part.Deals),
			Width: uint32(part.Width), RoundWidth: uint32(g.Widths[part.Round]),
		},
		Weights: u,
	}
	if part.Deals > 0 {
		p.State.NextRoots, p.Sizes.NextWidth = s.rounds[part.Round+1].roots, uint32(g.Widths[part.Round+1])
	}
	splits := g.Splits(i, player)
	return s.updates[ActionKernelOf(part)].Launch(s.gpu.Stream, driver.Grid{
		Blocks: hits.N * part.Width / launch.Warp, Threads: splits * launch.Warp,
		Shared: updateBytes(part, player, splits),
	}, p)
}

// give copies the values at the start of the first divided round to this computer's memory, where
// others take them.
func (s *device) give(player int) error {
	n := s.game.givenLen()
	if n == 0 {
		return nil
	}
	return errors.Join(s.rounds[s.game.divided].roots.Slice(0, n).DownloadLater(s.gpu.Stream, s.given[player]),
		s.gpu.Stream.Sync())
}

// take copies what another device gave, which comes so many devices after this one.
func (s *device) take(player, behind int, other *device) error {
	n := s.game.givenLen()
	if n == 0 {
		return nil
	}
	return s.rounds[s.game.divided].roots.Slice(behind*n, (behind+1)*n).Upload(s.gpu.Stream, other.given[player].Data())
}
