package cfrbrgpu

import (
	"errors"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
	"gamebots/cudalib/pcsgpu"
)

// Train trains each player on a unit against the response of the other. It waits for the
// result.
func (s *Solver) Train(u *Unit, update pcsgpu.Update) error {
	return s.gpu.Device.Do(func() error {
		if err := s.upload(u); err != nil {
			return err
		}
		for player := range 2 {
			t := training{s, player, 1 - player, update}
			if err := errors.Join(t.respondAll(), t.learnAll()); err != nil {
				return err
			}
		}
		return s.gpu.Stream.Sync()
	})
}

func (s *Solver) upload(u *Unit) error {
	errs := []error{s.places.Upload(s.gpu.Stream, u.Places)}
	hits := func(to *hitBuffers, from *pcsgpu.Hits) {
		to.n = len(from.Buckets)
		errs = append(errs, to.rows.Slice(0, to.n).Upload(s.gpu.Stream, from.Buckets),
			to.starts.Slice(0, to.n+1).Upload(s.gpu.Stream, from.Starts), to.places.Upload(s.gpu.Stream, from.Hands))
	}
	for r := range s.rounds {
		b, order := &s.rounds[r], u.Rivers
		if r < s.game.last() {
			order = u.Orders[r]
		}
		errs = append(errs, b.order.Upload(s.gpu.Stream, order))
		hits(&b.hits, &u.Hits[r])
		if r < len(s.game.Trunk) {
			errs = append(errs, b.sets.Upload(s.gpu.Stream, u.Sets[r]))
			hits(&b.trunkHits, &u.TrunkHits[r])
		}
	}
	return errors.Join(errs...)
}

// training is that of a player on the unit that was uploaded last.
type training struct {
	*Solver
	player, opponent int
	update           pcsgpu.Update
}

// respondAll lets the opponent respond in all rounds.
func (t *training) respondAll() error {
	err := t.descend(t.player, t.players[t.player].strategy, false)
	for r := t.game.last(); r >= 0 && err == nil; r-- {
		trunk := r < len(t.game.Trunk)
		if trunk {
			err = t.matchTrunk(r)
		}
		err = errors.Join(err, t.value(r, t.opponent, t.players[t.player].strategy[r], false))
		if trunk {
			err = errors.Join(err, t.learnTrunk(r), t.matchTrunk(r))
		} else {
			err = errors.Join(err, t.choose(r))
		}
		err = errors.Join(err, t.average(r))
	}
	return err
}

// learnAll trains the player in all rounds.
func (t *training) learnAll() error {
	err := t.descend(t.opponent, t.table, true)
	for r := t.game.last(); r >= 0 && err == nil; r-- {
		err = errors.Join(t.value(r, t.player, t.table[r], true), t.learnRound(r), t.average(r))
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
func (t *training) descend(player int, strategy []driver.Buffer[float32], apart bool) error {
	g := &t.game
	for r := 1; r < len(g.Parts); r++ {
		before, b, next := &g.Parts[r-1], &t.rounds[r-1], g.Parts[r].Width
		err := t.reachKernel.Launch(t.gpu.Stream, grid(g.UnitHands*next), reachParams{
			From: t.rounds[r].from, Paths: b.paths[player], Lengths: b.lengths[player], Order: b.order, Strategy: strategy[r-1],
			Before: t.reach[player][r-1], Reach: t.reach[player][r],
			Hands: uint32(g.UnitHands), Columns: uint32(before.Columns[player]), Width: uint32(before.Width), NextWidth: uint32(next), Apart: flag(apart),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// value values the ends of a round for a player, against the other one's table.
func (t *training) value(r, player int, table driver.Buffer[float32], apart bool) error {
	g, round, b := &t.game, &t.game.Parts[r], &t.rounds[r]
	program := &round.Programs[player]
	boards, hands := g.boards(r)
	tasks := boards * len(program.Ends) * round.Width / launch.Warp
	return t.ends.Launch(t.gpu.Stream, driver.Grid{Blocks: min(tasks, t.endBlocks), Threads: launch.Warp, Shared: t.endsShared()}, endsParams{
		Ends: b.ends[player], Pays: b.pays[player], Order: b.order, Reach: t.reach[1-player][r], Table: table, Values: t.values, Scratch: t.scratch,
		NumEnds: uint32(len(program.Ends)), NumValues: uint32(program.Values), Boards: uint32(boards), Hands: uint32(hands),
		Columns: uint32(round.Columns[1-player]), Width: uint32(round.Width), Deck: uint32(g.Deck), TwoCards: flag(g.TwoCards), Apart: flag(apart),
	})
}

// after returns the values of the round after one, and their lanes.
func (t *training) after(r int) (values driver.Buffer[float32], width uint32) {
	switch last := t.game.last(); r {
	case last:
		return t.mean, 0 // none, but an address
	case last - 1:
		values = t.mean
	default:
		values = t.roots[r+1]
	}
	return values, uint32(t.game.Parts[r+1].Width)
}

// numbers returns how many values the program of a player in a round has.
func (t *training) numbers(r, player int) int {
	round := &t.game.Parts[r]
	program := &round.Programs[player]
	return program.Values + round.Deals + len(program.Decisions)
}

// respondWarps is how many warps a block of the kernel for responses has.
const respondWarps = 4

// choose chooses the opponent's actions in a round.
func (t *training) choose(r int) error {
	g, round, b := &t.game, &t.game.Parts[r], &t.rounds[r]
	program := &round.Programs[t.opponent]
	boards, hands := g.boards(r)
	after, next := t.after(r)
	blocks := (boards*hands*round.Width/launch.Warp + respondWarps - 1) / respondWarps
	return t.respond.Launch(t.gpu.Stream, driver.Grid{
		Blocks: min(blocks, 1<<14), Threads: respondWarps * launch.Warp, Shared: 4 * respondWarps * launch.Warp * t.numbers(r, t.opponent),
	}, respondParams{
		Sources: b.sources[t.opponent], Decisions: b.decisions[t.opponent], Next: b.next, Values: t.values, After: after, Table: t.table[r], Roots: t.roots[r],
		Boards: uint32(boards), Hands: uint32(hands), Columns: uint32(round.Columns[t.opponent]), NumDecisions: uint32(len(program.Decisions)),
		NumValues: uint32(program.Values), NumDeals: uint32(round.Deals), Width: uint32(round.Width), NextWidth: next,
	})
}

// average computes the mean values of the last round.
func (t *training) average(r int) error {
	g := &t.game
	if r < g.last() {
		return nil
	}
	width := g.Parts[r].Width
	return t.meanKernel.Launch(t.gpu.Stream, grid(g.UnitHands*width), meanParams{
		Roots: t.roots[r], Places: t.places, Mean: t.mean,
		Boards: uint32(g.Rivers), Hands: uint32(g.Hands), UnitHands: uint32(g.UnitHands), Width: uint32(width), Scale: g.Scale,
	})
}

// matchTrunk computes the opponent's table in a round of the trunk from its regrets.
func (t *training) matchTrunk(r int) error {
	round, b := &t.game.Parts[r], &t.rounds[r]
	lanes := t.game.Trunk[r].Lanes
	return t.match.Launch(t.gpu.Stream, grid(t.game.UnitHands*lanes), matchParams{
		Decisions: b.decisions[t.opponent], Regrets: t.players[t.opponent].trunk[r], Strategy: t.table[r], Sets: b.sets,
		NumDecisions: uint32(len(round.Programs[t.opponent].Decisions)), Rows: uint32(t.game.UnitHands), Columns: uint32(round.Columns[t.opponent]),
		Used: uint32(lanes), Width: uint32(round.Width),
	})
}

// learnTrunk trains the opponent in a round of the trunk.
func (t *training) learnTrunk(r int) error {
	p := learnParams{Regrets: t.players[t.opponent].trunk[r], Strategy: t.table[r], Used: uint32(t.game.Trunk[r].Lanes)}
	return t.launchLearn(r, t.opponent, &t.rounds[r].trunkHits, p)
}

// learnRound trains the player in a round.
func (t *training) learnRound(r int) error {
	b := &t.players[t.player]
	p := learnParams{Regrets: b.regrets[r], Sums: b.sums[r], Strategy: b.strategy[r], Used: uint32(t.game.Parts[r].Width)}
	return t.launchLearn(r, t.player, &t.rounds[r].hits, p)
}

// launchLearn trains a player in a round with the tables of p.
func (t *training) launchLearn(r, player int, hits *hitBuffers, p learnParams) error {
	round, b := &t.game.Parts[r], &t.rounds[r]
	program := &round.Programs[player]
	_, hands := t.game.boards(r)
	p.Sources, p.Decisions, p.Rows, p.Starts, p.Hits, p.Next = b.sources[player], b.decisions[player], hits.rows, hits.starts, hits.places, b.next
	p.Order, p.OwnReach, p.Values, p.Roots = b.order, t.reach[player][r], t.values, t.roots[r]
	p.After, p.NextWidth = t.after(r)
	p.Hands, p.Columns, p.NumDecisions = uint32(hands), uint32(round.Columns[player]), uint32(len(program.Decisions))
	p.NumValues, p.NumDeals, p.Width = uint32(program.Values), uint32(round.Deals), uint32(round.Width)
	p.RegretWeight, p.SumWeight, p.Floor = t.update.Regret, t.update.Sum, flag(t.update.Floor)
	return t.learn.Launch(t.gpu.Stream, driver.Grid{
		Blocks: hits.n * round.Width / launch.Warp, Threads: launch.Warp, Shared: 4 * launch.Warp * (t.numbers(r, player) + 2*round.Columns[player]),
	}, p)
}
