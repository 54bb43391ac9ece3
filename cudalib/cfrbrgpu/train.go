package cfrbrgpu

import (
	"errors"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
	"gamebots/cudalib/pcsgpu"
	"gamebots/cudalib/segmentgpu"
)

// Train begins to train the player on a unit against the response of its opponent, after what was begun
// before.
func (s *Solver) Train(u *Packed, update pcsgpu.Update) error {
	return s.gpu.Device.Do(func() error {
		return errors.Join(s.unit.upload(s.gpu.Stream, u), s.respondAll(), s.learnAll(update))
	})
}

// respondAll lets the opponent respond in all rounds but the trunk, where it learns while the player does.
func (s *Solver) respondAll() error {
	last, trunk := s.game.last(), len(s.game.Trunk)
	err := errors.Join(s.descend(s.player, s.strategy, false), s.meanwhile(func() error {
		return errors.Join(s.valueLast(), s.choose(last), s.average())
	}, func() error {
		return errors.Join(s.eachRound(trunk, s.matchTrunk), s.valueFolds(s.opponent, s.strategy, false))
	}))
	for r := last - 1; r >= trunk && err == nil; r-- {
		err = s.choose(r)
	}
	return err
}

// learnAll trains the player in all rounds, and the opponent in the trunk.
func (s *Solver) learnAll(update pcsgpu.Update) error {
	last, trunk := s.game.last(), len(s.game.Trunk)
	learn := func(i int) error { return s.learnPart(i, update) }
	return errors.Join(s.descend(s.opponent, s.table, true), s.meanwhile(func() error {
		return errors.Join(s.valueAgainstChoices(), s.eachPart(last, learn), s.average())
	}, func() error {
		return errors.Join(s.eachRound(trunk, func(i int) error { return s.learnTrunk(i, update) }),
			s.valueFolds(s.player, s.table, true))
	}), s.eachRound(last, learn))
}

// meanwhile lets the device do the work of the last round, and small kernels beside it on another stream: they take
// the time of its last blocks, while much of the device is idle.
func (s *Solver) meanwhile(last, beside func() error) error {
	main := s.gpu.Stream
	return errors.Join(s.forked.Record(main), s.beside.Wait(s.forked), last(), beside(), s.joined.Record(s.beside),
		main.Wait(s.joined))
}

// eachRound calls f for the parts of the rounds before one, the last of them first, until it fails.
func (s *Solver) eachRound(before int, f func(part int) error) (err error) {
	for r := before - 1; r >= 0 && err == nil; r-- {
		err = s.eachPart(r, f)
	}
	return err
}

// eachPart calls f for the parts of a round, until it fails.
func (s *Solver) eachPart(r int, f func(part int) error) error {
	for i := range s.game.Parts {
		if s.game.Parts[i].Round == r {
			if err := f(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// descend computes the reach of a player at the start of all rounds. Rows of its strategy are
// hands if they are apart.
func (s *Solver) descend(player int, strategy driver.Buffer[float32], apart bool) error {
	g := &s.game
	for r := 1; r < len(g.Widths); r++ {
		before := &s.rounds[r-1]
		err := s.reachKernel.Launch(s.gpu.Stream, driver.Grid{
			Blocks:  (g.UnitHands + pcsgpu.HandsPerBlock - 1) / pcsgpu.HandsPerBlock,
			Threads: min(g.Widths[r], perBlock),
		}, reachParams{
			From: s.rounds[r].from, Deals: before.deals[player], Order: s.unit.of(s.unit.rounds[r-1].order),
			Strategy: strategy, Before: s.reach[player][r-1], Reach: s.reach[player][r], Hands: uint32(g.UnitHands),
			Width: uint32(g.Widths[r-1]), NextWidth: uint32(g.Widths[r]), Apart: apart,
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
	g, b := &s.game, &s.rounds[s.game.last()]
	grid := driver.Grid{Blocks: b.tasks[player], Threads: launch.Warp,
		Shared: pcsgpu.SumBytes * launch.Warp * (g.Deck + 1)}
	return grid, passParams{
		Parts: b.parts[player], Passes: b.ends[player], Pays: b.pays[player],
		Order: s.unit.of(s.unit.rounds[g.last()].order), Down: s.unit.of(s.unit.down), Values: s.values,
		Boards: uint32(g.Rivers), Hands: uint32(g.Hands), Deck: uint32(g.Deck),
		TwoCards: g.TwoCards,
	}
}

// valueLast values the ends of the last round for the opponent, against the player's strategy.
func (s *Solver) valueLast() error {
	grid, p := s.passes(s.opponent)
	return s.ends.Launch(s.gpu.Stream, grid, endsParams{p, s.reach[s.player][s.game.last()], s.strategy})
}

// valueAgainstChoices values the ends of the last round for the player, against the opponent's
// actions.
func (s *Solver) valueAgainstChoices() error {
	grid, p := s.passes(s.player)
	return s.pureEnds.Launch(s.gpu.Stream, grid, pureEndsParams{p, s.reach[s.opponent][s.game.last()], s.choices})
}

// foldWarps is how many warps a block of the kernel for folds has.
const foldWarps = 16

// valueFolds values the ends of the rounds before the last for a player, against the other one's table, beside other
// work.
func (s *Solver) valueFolds(player int, table driver.Buffer[float32], apart bool) (err error) {
	g, u := &s.game, &s.unit
	for r := range g.last() {
		b := &s.rounds[r]
		err = errors.Join(err, s.folds.Launch(s.beside, driver.Grid{
			Blocks: b.tasks[player], Threads: foldWarps * launch.Warp, Shared: 4 * launch.Warp * (g.Deck + 2),
		}, foldsParams{
			Parts: b.parts[player], Ends: b.ends[player], Pays: b.pays[player], Order: u.of(u.rounds[r].order),
			Cards: u.of(u.cards.buckets), Starts: u.of(u.cards.starts), Places: u.of(u.cards.hands),
			Reach: s.reach[1-player][r], Table: table, Values: s.values, Scratch: s.scratch,
			NumCards: uint32(u.cards.buckets.n), Hands: uint32(g.UnitHands), Deck: uint32(g.Deck),
			TwoCards: g.TwoCards, Apart: apart,
		}))
	}
	return err
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
	return values, uint32(s.game.Widths[r+1])
}

// A block of the kernel for responses has respondWarps warps at most, fewer where they need more shared
// memory together than respondShared.
const respondWarps, respondShared = 4, 96 << 10

// respondBytes returns the shared memory of a block of the kernel for responses.
func respondBytes(p *segmentgpu.Part, player, warps int) int {
	return 4*warps*launch.Warp*pcsgpu.HitsAtOnce*p.Numbers(player) + pcsgpu.ProgramBytes(p, player)
}

// choose chooses the opponent's actions in a round.
func (s *Solver) choose(r int) error { return s.eachPart(r, s.choosePart) }

func (s *Solver) choosePart(i int) error {
	g, part, b := &s.game, &s.game.Parts[i], &s.parts[i]
	r, program := part.Round, &part.Programs[s.opponent]
	boards, hands := g.boards(r)
	after, next := s.after(r)
	p := respondParams{
		Sources: b.Sources[s.opponent], Decisions: b.Decisions[s.opponent], Next: b.Next,
		Values: s.from(s.values, s.valuesAt, i), After: after, Roots: s.roots[r].Slice(part.First, s.roots[r].Len()),
		Boards: uint32(boards), Hands: uint32(hands), Columns: uint32(part.Columns[s.opponent]),
		NumDecisions: uint32(len(program.Decisions)), NumValues: uint32(part.Values), NumDeals: uint32(part.Deals),
		Width: uint32(part.Width), RoundWidth: uint32(g.Widths[r]), NextWidth: next,
	}
	if r == g.last() {
		p.Choices = s.choices.Slice(boards*hands*part.First, s.choices.Len())
	} else {
		p.Table = s.from(s.table, s.tableAt, i)
	}
	groups := (boards*hands + pcsgpu.HitsAtOnce - 1) / pcsgpu.HitsAtOnce * part.Width / launch.Warp
	warps := respondWarps
	for warps > 1 && respondBytes(part, s.opponent, warps) > respondShared {
		warps /= 2
	}
	return s.respond.Launch(s.gpu.Stream, driver.Grid{
		Blocks: min((groups+warps-1)/warps, 1<<14), Threads: warps * launch.Warp,
		Shared: respondBytes(part, s.opponent, warps),
	}, p)
}

// average computes the mean values of the last round.
func (s *Solver) average() error {
	g := &s.game
	width := g.Widths[g.last()]
	return s.meanKernel.Launch(s.gpu.Stream, launch.Loop(g.UnitHands*width), meanParams{
		Roots: s.roots[g.last()], Places: s.unit.of(s.unit.places), Mean: s.mean,
		Boards: uint32(g.Rivers), Hands: uint32(g.Hands), UnitHands: uint32(g.UnitHands), Width: uint32(width),
		Scale: g.Scale,
	})
}

// matchTrunk computes the opponent's table in a part of the trunk from its regrets.
func (s *Solver) matchTrunk(i int) error {
	part := &s.game.Parts[i]
	return s.matchPart(s.beside, i, s.opponent, s.game.UnitHands, part.Lanes, matchParams{
		Regrets: s.from(s.trunk, s.trunkAt, i), Strategy: s.from(s.table, s.tableAt, i),
		Sets: s.unit.of(s.unit.rounds[part.Round].sets),
	})
}

// learnTrunk trains the opponent in a part of the trunk. Its table stays as it is.
func (s *Solver) learnTrunk(i int, update pcsgpu.Update) error {
	part := &s.game.Parts[i]
	t := tableArgs{Regrets: s.from(s.trunk, s.trunkAt, i), Strategy: s.from(s.table, s.tableAt, i)}
	hits := &s.unit.rounds[part.Round].trunkHits
	return s.launchLearn(s.beside, i, s.opponent, hits, update, t, part.Lanes)
}

// learnPart trains the player in a part.
func (s *Solver) learnPart(i int, update pcsgpu.Update) error {
	part := &s.game.Parts[i]
	t := tableArgs{s.from(s.regrets, s.entriesAt, i), s.from(s.sums, s.entriesAt, i),
		s.from(s.strategy, s.entriesAt, i)}
	return s.launchLearn(s.gpu.Stream, i, s.player, &s.unit.rounds[part.Round].hits, update, t, part.Width)
}

// learnBytes returns the shared memory of a block of the kernel for learning.
func learnBytes(p *segmentgpu.Part, player, warps int) int {
	return 4*launch.Warp*(warps*pcsgpu.HitsAtOnce*p.Numbers(player)+2*p.Columns[player]+1) +
		pcsgpu.ProgramBytes(p, player)
}

// A block of the kernel for learning has learnWarps warps at most, fewer where they need more shared memory
// together than learnShared. A multiprocessor runs learnAtOnce warps of it at once, or fewer.
const learnWarps, learnShared, learnAtOnce = 8, 96 << 10, 16

// warpsToLearn returns how many warps a block of the kernel for learning has: as many as the bucket with the most
// hands needs so that it takes no longer than the whole device. The buckets of a board are very uneven.
func (s *Solver) warpsToLearn(p *segmentgpu.Part, player int, hits *packedHits) int {
	device := learnAtOnce * s.gpu.Device.Info().Multiprocessors
	share, warps := max(pcsgpu.HitsAtOnce, hits.hands.n*p.Width/launch.Warp/device), 1
	for warps < learnWarps && warps*share < hits.most && learnBytes(p, player, 2*warps) <= learnShared {
		warps *= 2
	}
	return warps
}

// launchLearn trains a player in a part with tables whose regrets have some lanes.
func (s *Solver) launchLearn(
	on *driver.Stream, i, player int, hits *packedHits, update pcsgpu.Update, t tableArgs, used int,
) error {
	part, b := &s.game.Parts[i], &s.parts[i]
	r := part.Round
	boards, hands := s.game.boards(r)
	after, next := s.after(r)
	warps := s.warpsToLearn(part, player, hits)
	return s.learn[pcsgpu.ActionKernelOf(part)].Launch(on, driver.Grid{
		Blocks: hits.buckets.n * part.Width / launch.Warp, Threads: warps * launch.Warp,
		Shared: learnBytes(part, player, warps),
	}, learnParams{
		Sources: b.Sources[player], Decisions: b.Decisions[player], Rows: s.unit.of(hits.buckets),
		Starts: s.unit.of(hits.starts), Hits: s.unit.of(hits.hands), Next: b.Next,
		Order:    s.unit.of(s.unit.rounds[r].order),
		OwnReach: s.reach[player][r].Slice(part.First, s.reach[player][r].Len()),
		Values:   s.from(s.values, s.valuesAt, i), After: after, Tables: t,
		Roots: s.roots[r].Slice(part.First, s.roots[r].Len()),
		Sizes: sizeArgs{
			Boards: uint32(boards), Hands: uint32(hands), Columns: uint32(part.Columns[player]),
			NumDecisions: uint32(len(part.Programs[player].Decisions)), NumValues: uint32(part.Values),
			NumDeals: uint32(part.Deals), Used: uint32(used), Width: uint32(part.Width),
			RoundWidth: uint32(s.game.Widths[r]), NextWidth: next,
		},
		RegretWeight: update.Regret, SumWeight: update.Sum,
	})
}
