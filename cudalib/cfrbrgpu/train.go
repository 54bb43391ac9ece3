package cfrbrgpu

import (
	"errors"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
	"gamebots/cudalib/pcsgpu"
)

// Train begins to train the player on a unit against the response of its opponent. Wait waits for
// the result.
func (s *Solver) Train(u *Unit, update pcsgpu.Update) error {
	return s.gpu.Device.Do(func() error { return errors.Join(s.upload(u), s.respondAll(update), s.learnAll(update)) })
}

// Wait waits until the work that has begun is done.
func (s *Solver) Wait() error { return s.gpu.Device.Do(s.gpu.Stream.Sync) }

func (s *Solver) upload(u *Unit) error {
	errs := []error{
		s.places.Upload(s.gpu.Stream, u.Places), s.down.Upload(s.gpu.Stream, u.Down),
		s.cards.Upload(s.gpu.Stream, &u.CardHits),
	}
	for r := range s.rounds {
		b, order := &s.rounds[r], u.Rivers
		if r < s.game.last() {
			order = u.Orders[r]
		}
		errs = append(errs, b.order.Upload(s.gpu.Stream, order), b.hits.Upload(s.gpu.Stream, &u.Hits[r]))
		if r < len(s.game.Trunk) {
			errs = append(errs, b.sets.Upload(s.gpu.Stream, u.Sets[r]),
				b.trunkHits.Upload(s.gpu.Stream, &u.TrunkHits[r]))
		}
	}
	return errors.Join(errs...)
}

// respondAll lets the opponent respond in all rounds.
func (s *Solver) respondAll(update pcsgpu.Update) error {
	last := s.game.last()
	err := errors.Join(s.descend(s.player, s.strategy, false), s.valueLast(), s.choose(last), s.average())
	for r := last - 1; r >= 0 && err == nil; r-- {
		trunk := r < len(s.game.Trunk)
		if trunk {
			err = s.matchTrunk(r)
		}
		err = errors.Join(err, s.valueFolds(r, s.opponent, s.strategy[r], false))
		if trunk {
			err = errors.Join(err, s.learnTrunk(r, update))
		} else {
			err = errors.Join(err, s.choose(r))
		}
	}
	return err
}

// learnAll trains the player in all rounds.
func (s *Solver) learnAll(update pcsgpu.Update) error {
	last := s.game.last()
	err := errors.Join(s.descend(s.opponent, s.table, true), s.valueAgainstChoices(), s.learnRound(last, update),
		s.average())
	for r := last - 1; r >= 0 && err == nil; r-- {
		err = errors.Join(s.valueFolds(r, s.player, s.table[r], true), s.learnRound(r, update))
	}
	return err
}

// flag returns a bool for a kernel.
func flag(x bool) uint32 {
	if x {
		return 1
	}
	return 0
}

// descend computes the reach of a player at the start of all rounds. Rows of its strategy are
// hands if they are apart.
func (s *Solver) descend(player int, strategy []driver.Buffer[float32], apart bool) error {
	g := &s.game
	for r := 1; r < len(g.Parts); r++ {
		before, b, next := &g.Parts[r-1], &s.rounds[r-1], g.Parts[r].Width
		err := s.reachKernel.Launch(s.gpu.Stream, grid(g.UnitHands*next), reachParams{
			From: s.rounds[r].from, Paths: b.paths[player], Lengths: b.lengths[player], Order: b.order,
			Strategy: strategy[r-1], Before: s.reach[player][r-1], Reach: s.reach[player][r],
			Hands: uint32(g.UnitHands), Columns: uint32(before.Columns[player]), Width: uint32(before.Width),
			NextWidth: uint32(next), Apart: flag(apart),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// passes returns the grid and the parameters of a kernel that values the ends of the last round for
// a player: the sums of a block are in shared memory.
func (s *Solver) passes(player int) (driver.Grid, passParams) {
	g, r := &s.game, s.game.last()
	round, b := &g.Parts[r], &s.rounds[r]
	passes := b.numEnds[player]
	grid := driver.Grid{Blocks: passes * g.Rivers * round.Width / launch.Warp, Threads: launch.Warp,
		Shared: pcsgpu.SumBytes * launch.Warp * (g.Deck + 1)}
	return grid, passParams{
		Passes: b.ends[player], Pays: b.pays[player], Order: b.order, Down: s.down, Values: s.values,
		NumPasses: uint32(passes), NumValues: uint32(round.Values), Boards: uint32(g.Rivers), Hands: uint32(g.Hands),
		Width: uint32(round.Width), Deck: uint32(g.Deck), TwoCards: flag(g.TwoCards),
	}
}

// valueLast values the ends of the last round for the opponent, against the player's strategy.
func (s *Solver) valueLast() error {
	r := s.game.last()
	grid, p := s.passes(s.opponent)
	return s.ends.Launch(s.gpu.Stream, grid, endsParams{
		Pass: p, Reach: s.reach[s.player][r], Table: s.strategy[r], Columns: uint32(s.game.Parts[r].Columns[s.player]),
	})
}

// valueAgainstChoices values the ends of the last round for the player, against the opponent's
// actions.
func (s *Solver) valueAgainstChoices() error {
	grid, p := s.passes(s.player)
	return s.pureEnds.Launch(s.gpu.Stream, grid,
		pureEndsParams{Pass: p, Reach: s.reach[s.opponent][s.game.last()], Choices: s.choices})
}

// foldWarps is how many warps a block of the kernel for folds has.
const foldWarps = 16

// valueFolds values the ends of a round before the last for a player, against the other one's table.
func (s *Solver) valueFolds(r, player int, table driver.Buffer[float32], apart bool) error {
	g, round, b := &s.game, &s.game.Parts[r], &s.rounds[r]
	ends := b.numEnds[player]
	return s.folds.Launch(s.gpu.Stream, driver.Grid{
		Blocks: ends * round.Width / launch.Warp, Threads: foldWarps * launch.Warp,
		Shared: 4 * launch.Warp * (g.Deck + 2),
	}, foldsParams{
		Ends: b.ends[player], Pays: b.pays[player], Order: b.order, Cards: s.cards.Buckets, Starts: s.cards.Starts,
		Places: s.cards.Hands, Reach: s.reach[1-player][r], Table: table, Values: s.values, Scratch: s.scratch,
		NumEnds: uint32(ends), NumCards: uint32(s.cards.N), NumValues: uint32(round.Values), Hands: uint32(g.UnitHands),
		Columns: uint32(round.Columns[1-player]), Width: uint32(round.Width), Deck: uint32(g.Deck),
		TwoCards: flag(g.TwoCards), Apart: flag(apart),
	})
}

// after returns the values of the round after one, and their lanes.
func (s *Solver) after(r int) (values driver.Buffer[float32], width uint32) {
	switch last := s.game.last(); r {
	case last:
		return s.mean, 0 // none, but an address
	case last - 1:
		values = s.mean
	default:
		values = s.roots[r+1]
	}
	return values, uint32(s.game.Parts[r+1].Width)
}

// respondWarps is how many warps a block of the kernel for responses has, and handsAtOnce how many
// hands a warp treats at a time, there and where it learns.
const respondWarps, handsAtOnce = 4, 4

// choose chooses the opponent's actions in a round.
func (s *Solver) choose(r int) error {
	g, round, b := &s.game, &s.game.Parts[r], &s.rounds[r]
	program := &round.Programs[s.opponent]
	boards, hands := g.boards(r)
	after, next := s.after(r)
	p := respondParams{
		Sources: b.sources[s.opponent], Decisions: b.decisions[s.opponent], Next: b.next, Values: s.values,
		After: after, Roots: s.roots[r], Boards: uint32(boards), Hands: uint32(hands),
		Columns: uint32(round.Columns[s.opponent]), NumDecisions: uint32(len(program.Decisions)),
		NumValues: uint32(round.Values), NumDeals: uint32(round.Deals), Width: uint32(round.Width), NextWidth: next,
	}
	if r == g.last() {
		p.Choices = s.choices
	} else {
		p.Table = s.table[r]
	}
	groups := (boards*hands + handsAtOnce - 1) / handsAtOnce * round.Width / launch.Warp
	blocks := (groups + respondWarps - 1) / respondWarps
	return s.respond.Launch(s.gpu.Stream, driver.Grid{
		Blocks: min(blocks, 1<<14), Threads: respondWarps * launch.Warp,
		Shared: 4 * respondWarps * launch.Warp * handsAtOnce * round.Numbers(s.opponent),
	}, p)
}

// average computes the mean values of the last round.
func (s *Solver) average() error {
	g := &s.game
	width := g.Parts[g.last()].Width
	return s.meanKernel.Launch(s.gpu.Stream, grid(g.UnitHands*width), meanParams{
		Roots: s.roots[g.last()], Places: s.places, Mean: s.mean,
		Boards: uint32(g.Rivers), Hands: uint32(g.Hands), UnitHands: uint32(g.UnitHands), Width: uint32(width),
		Scale: g.Scale,
	})
}

// matchTrunk computes the opponent's table in a round of the trunk from its regrets.
func (s *Solver) matchTrunk(r int) error {
	round, b := &s.game.Parts[r], &s.rounds[r]
	lanes := s.game.Trunk[r].Lanes
	return s.match.Launch(s.gpu.Stream, grid(s.game.UnitHands*lanes), matchParams{
		Decisions: b.decisions[s.opponent], Regrets: s.trunk[r], Strategy: s.table[r], Sets: b.sets,
		NumDecisions: uint32(len(round.Programs[s.opponent].Decisions)), Rows: uint32(s.game.UnitHands),
		Columns: uint32(round.Columns[s.opponent]), Used: uint32(lanes), Width: uint32(round.Width),
	})
}

// learnTrunk trains the opponent in a round of the trunk. Its table stays as it is.
func (s *Solver) learnTrunk(r int, update pcsgpu.Update) error {
	t := tableArgs{Regrets: s.trunk[r], Strategy: s.table[r]}
	return s.launchLearn(r, s.opponent, &s.rounds[r].trunkHits, update, t, s.game.Trunk[r].Lanes)
}

// learnRound trains the player in a round.
func (s *Solver) learnRound(r int, update pcsgpu.Update) error {
	t := tableArgs{s.regrets[r], s.sums[r], s.strategy[r]}
	return s.launchLearn(r, s.player, &s.rounds[r].hits, update, t, s.game.Parts[r].Width)
}

// launchLearn trains a player in a round with tables whose regrets have some lanes.
func (s *Solver) launchLearn(r, player int, hits *pcsgpu.HitBuffers, update pcsgpu.Update, t tableArgs,
	used int) error {
	round, b := &s.game.Parts[r], &s.rounds[r]
	boards, hands := s.game.boards(r)
	after, next := s.after(r)
	return s.learn.Launch(s.gpu.Stream, driver.Grid{
		Blocks: hits.N * round.Width / launch.Warp, Threads: launch.Warp,
		Shared: 4 * launch.Warp * (handsAtOnce*round.Numbers(player) + 2*round.Columns[player]),
	}, learnParams{
		Sources: b.sources[player], Decisions: b.decisions[player], Rows: hits.Buckets, Starts: hits.Starts,
		Hits: hits.Hands, Next: b.next, Order: b.order, OwnReach: s.reach[player][r], Values: s.values, After: after,
		Tables: t, Roots: s.roots[r],
		Sizes: sizeArgs{
			Boards: uint32(boards), Hands: uint32(hands), Columns: uint32(round.Columns[player]),
			NumDecisions: uint32(len(round.Programs[player].Decisions)), NumValues: uint32(round.Values),
			NumDeals: uint32(round.Deals), Used: uint32(used), Width: uint32(round.Width), NextWidth: next,
		},
		RegretWeight: update.Regret, SumWeight: update.Sum,
	})
}
