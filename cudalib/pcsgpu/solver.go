package pcsgpu

import (
	"errors"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
	ptx "gamebots/cudalib/ptx/pcs"
)

// Solver has a game and its tables on a device. It is used by one goroutine at a time.
type Solver struct {
	gpu  *launch.Launcher
	game Game

	order, buckets driver.Buffer[uint32]
	hits           []hitBuffers // by round
	rounds         []roundBuffers
	players        [2]playerBuffers
	values         driver.Buffer[float32]
	valuesAt       []int // by round

	strategy *launch.Kernel[strategyParams]
	reach    *launch.Kernel[reachParams]
	start    *launch.Kernel[startParams]
	ends     *launch.Kernel[endsParams]
	update   *launch.Kernel[updateParams]
}

type hitBuffers struct {
	buckets, starts, hands driver.Buffer[uint32]
	rows                   int
}

type roundBuffers struct {
	from, next driver.Buffer[uint32]
	// By player.
	paths, lengths, columns, decisions [2]driver.Buffer[uint32]
}

// playerBuffers are of all rounds; at says where each starts.
type playerBuffers struct {
	regrets, sums, strategy, reach driver.Buffer[float32]
	tableAt, reachAt               []int
	// What this player's values are computed from: the opponent's ends.
	rounds, groups driver.Buffer[uint32]
	pays           driver.Buffer[float32]
	tasks          int // of the kernel for ends
}

// The parameters of the kernels of kernels/pcs/pcs.cu.
type (
	strategyParams struct {
		Decisions                             driver.Buffer[uint32]
		Regrets, Strategy                     driver.Buffer[float32]
		NumDecisions, Buckets, Columns, Width uint32
	}
	reachParams struct {
		From, Paths, Lengths             driver.Buffer[uint32]
		Strategy                         driver.Buffer[float32]
		Buckets                          driver.Buffer[uint32]
		Before, Reach                    driver.Buffer[float32]
		Hands, Columns, Width, NextWidth uint32
	}
	startParams struct {
		Reach        driver.Buffer[float32]
		Hands, Width uint32
	}
	endsParams struct {
		Rounds, Groups                           driver.Buffer[uint32]
		Pays                                     driver.Buffer[float32]
		Order, Buckets                           driver.Buffer[uint32]
		Reach, Strategy, Values                  driver.Buffer[float32]
		NumRounds, Boards, Hands, Deck, TwoCards uint32
	}
	updateParams struct {
		Sources, Decisions                    driver.Buffer[uint32]
		Rows, Starts, Hits                    driver.Buffer[uint32]
		NextLane                              driver.Buffer[uint32]
		OwnReach, NextValues, Values          driver.Buffer[float32]
		Regrets, Sums, Strategy               driver.Buffer[float32]
		Hands, Columns, NumDecisions, NumEnds uint32
		NumDeals, Slots, Width                uint32
		NextSlots, NextSlot, NextWidth        uint32
		RegretWeight, SumWeight               float32
		Floor                                 uint32
	}
	// roundWords has the layout of the kernel's struct Round.
	roundWords struct {
		reach, strategy, values                              uint64
		tasks, group, groups, pays, columns, width, slots, _ uint32
	}
)

// perBlock is how many threads a block has at most in loops over arrays.
const perBlock = 256

// New puts a game on a device, with tables of zero. The error is a [*driver.MemoryError]
// where the device has too little memory free.
func New(d *driver.Device, g Game) (*Solver, error) {
	if err := d.RequireMemory(g.Bytes()); err != nil {
		return nil, err
	}
	s := &Solver{game: g, gpu: launch.New(d, ptx.Modules, "pcs")}
	s.strategy = launch.Find[strategyParams](s.gpu, "pcs_strategy")
	s.reach = launch.Find[reachParams](s.gpu, "pcs_reach")
	s.start = launch.Find[startParams](s.gpu, "pcs_start")
	s.ends = launch.Find[endsParams](s.gpu, "pcs_ends")
	s.update = launch.Find[updateParams](s.gpu, "pcs_update")
	size := g.Boards * g.Hands
	s.order, s.buckets = launch.Alloc[uint32](s.gpu, size), launch.Alloc[uint32](s.gpu, size*len(g.Rounds))
	total := 0
	for r := range g.Rounds {
		round := &g.Rounds[r]
		rows := min(round.Buckets, size)
		s.hits = append(s.hits, hitBuffers{launch.Alloc[uint32](s.gpu, rows), launch.Alloc[uint32](s.gpu, rows+1), launch.Alloc[uint32](s.gpu, size), 0})
		s.rounds = append(s.rounds, s.round(round))
		s.valuesAt = append(s.valuesAt, total)
		total += g.Values(r)
	}
	s.values = launch.Alloc[float32](s.gpu, total)
	for p := range s.players {
		s.players[p] = s.player(p)
	}
	if s.gpu.Err == nil {
		s.gpu.Err = s.Match()
	}
	if s.gpu.Err != nil {
		return nil, errors.Join(s.gpu.Err, s.Close())
	}
	return s, nil
}

// Close frees the device memory.
func (s *Solver) Close() error { return s.gpu.Close() }

func (s *Solver) round(r *Round) (b roundBuffers) {
	b.from, b.next = launch.Upload(s.gpu, r.From), launch.Upload(s.gpu, r.Next)
	for p := range 2 {
		var paths, lengths []uint32
		for _, path := range r.Paths[p] {
			var padded [MaxPath]uint32
			lengths = append(lengths, uint32(copy(padded[:], path)))
			paths = append(paths, padded[:]...)
		}
		b.paths[p], b.lengths[p] = launch.Upload(s.gpu, paths), launch.Upload(s.gpu, lengths)
		program := &r.Programs[p]
		b.columns[p] = launch.Upload(s.gpu, launch.Words(append(program.Columns[:len(program.Columns):len(program.Columns)], program.Root)))
		b.decisions[p] = launch.Upload(s.gpu, launch.Words(program.Decisions))
	}
	return b
}

func (s *Solver) player(p int) (b playerBuffers) {
	var rounds []roundWords
	var groups []group
	var pays []float32
	entries, reach := 0, 0
	for r := range s.game.Rounds {
		round := &s.game.Rounds[r]
		program := &round.Programs[p]
		some := groupsOf(program.Ends)
		b.tableAt, b.reachAt = append(b.tableAt, entries), append(b.reachAt, reach)
		words := roundWords{
			values: uint64(s.valuesAt[r]), tasks: uint32(len(some) * s.game.Boards * round.Width / launch.Warp), group: uint32(len(groups)),
			groups: uint32(len(some)), pays: uint32(len(pays)), columns: uint32(round.Columns[1-p]), width: uint32(round.Width), slots: uint32(program.Values + 1),
			reach: uint64(reach),
		}
		for before := range r { // the opponent's table
			words.strategy += uint64(s.game.Entries(before, 1-p))
		}
		rounds, groups, pays = append(rounds, words), append(groups, some...), append(pays, program.Pays...)
		b.tasks += int(words.tasks)
		entries += s.game.Entries(r, p)
		reach += s.game.Reach(r)
	}
	b.rounds, b.groups, b.pays = launch.Upload(s.gpu, launch.Words(rounds)), launch.Upload(s.gpu, launch.Words(groups)), launch.Upload(s.gpu, pays)
	b.regrets, b.sums, b.strategy = launch.Alloc[float32](s.gpu, entries), launch.Alloc[float32](s.gpu, entries), launch.Alloc[float32](s.gpu, entries)
	b.reach = launch.Alloc[float32](s.gpu, reach)
	if s.gpu.Err == nil {
		hands, width := s.game.Boards*s.game.Hands, s.game.Rounds[0].Width
		s.gpu.Err = errors.Join(b.regrets.Zero(s.gpu.Stream), b.sums.Zero(s.gpu.Stream),
			s.start.Launch(s.gpu.Stream, driver.Grid{Blocks: hands, Threads: min(width, perBlock)}, startParams{b.reach, uint32(hands), uint32(width)}))
	}
	return b
}

// grid returns a grid for a loop over n elements, a multiple of 32.
func grid(n int) driver.Grid {
	threads := min(n, perBlock)
	return driver.Grid{Blocks: min((n+threads-1)/threads, 1<<14), Threads: threads}
}

// Match computes the strategies from all regrets.
func (s *Solver) Match() error {
	for r := range s.game.Rounds {
		round := &s.game.Rounds[r]
		for p := range s.players {
			b := &s.players[p]
			err := s.strategy.Launch(s.gpu.Stream, grid(round.Buckets*round.Width), strategyParams{
				Decisions: s.rounds[r].decisions[p], Regrets: b.regrets.Slice(b.tableAt[r], b.regrets.Len()), Strategy: b.strategy.Slice(b.tableAt[r], b.strategy.Len()),
				NumDecisions: uint32(len(round.Programs[p].Decisions)), Buckets: uint32(round.Buckets), Columns: uint32(round.Columns[p]), Width: uint32(round.Width),
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// Train updates the players in turn on the boards of a batch. It waits for the result.
func (s *Solver) Train(b *Batch, u Update) error {
	return s.gpu.Device.Do(func() error {
		if err := s.upload(b); err != nil {
			return err
		}
		for _, step := range []func() error{
			func() error { return s.descend(0) },
			func() error { return s.descend(1) },
			func() error { return s.train(0, u) },
			func() error { return s.descend(0) },
			func() error { return s.train(1, u) },
			s.gpu.Stream.Sync,
		} {
			if err := step(); err != nil {
				return err
			}
		}
		return nil
	})
}

func (s *Solver) upload(b *Batch) error {
	errs := []error{s.order.Upload(s.gpu.Stream, b.Order), s.buckets.Upload(s.gpu.Stream, b.Buckets)}
	for r := range s.hits {
		from, to := &b.Rounds[r], &s.hits[r]
		to.rows = len(from.Buckets)
		errs = append(errs,
			to.buckets.Slice(0, to.rows).Upload(s.gpu.Stream, from.Buckets),
			to.starts.Slice(0, to.rows+1).Upload(s.gpu.Stream, from.Starts),
			to.hands.Upload(s.gpu.Stream, from.Hands))
	}
	return errors.Join(errs...)
}

// handsPerBlock is how many hands the blocks of the kernel for reach have.
const handsPerBlock = 8

// descend computes the reach of a player at the start of all rounds.
func (s *Solver) descend(player int) error {
	b, g := &s.players[player], &s.game
	size := g.Boards * g.Hands
	for r := 1; r < len(g.Rounds); r++ {
		before, deals := &g.Rounds[r-1], &s.rounds[r-1]
		err := s.reach.Launch(s.gpu.Stream, driver.Grid{Blocks: (size + handsPerBlock - 1) / handsPerBlock, Threads: min(g.Rounds[r].Width, perBlock)}, reachParams{
			From: s.rounds[r].from, Paths: deals.paths[player], Lengths: deals.lengths[player], Strategy: b.strategy.Slice(b.tableAt[r-1], b.strategy.Len()),
			Buckets: s.buckets.Slice((r-1)*size, r*size), Before: b.reach.Slice(b.reachAt[r-1], b.reach.Len()), Reach: b.reach.Slice(b.reachAt[r], b.reach.Len()),
			Hands: uint32(size), Columns: uint32(before.Columns[player]), Width: uint32(before.Width), NextWidth: uint32(g.Rounds[r].Width),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// endWarps is how many warps the blocks of the kernel for ends have, and perWarp how many ends
// a warp has.
const endWarps, perWarp = 4, 1

// group has the layout of the kernel's struct Group.
type group struct {
	length uint32
	ends   [perWarp]End
}

// groupsOf puts ends into groups, those with showdowns apart from those without, as they take
// longer.
func groupsOf(ends []End) (groups []group) {
	for _, showdowns := range []bool{true, false} {
		n := perWarp // of the last group
		for _, e := range ends {
			if showdowns != (e.Showdown != None) {
				continue
			}
			if n == perWarp {
				n = 0
				groups = append(groups, group{})
				for i := range perWarp {
					groups[len(groups)-1].ends[i] = End{Fold: None, Showdown: None}
				}
			}
			g := &groups[len(groups)-1]
			g.ends[n], g.length = e, max(g.length, e.Length)
			n++
		}
	}
	return groups
}

// train values all rounds for a player and updates its strategy.
func (s *Solver) train(player int, u Update) error {
	b, other, g := &s.players[player], &s.players[1-player], &s.game
	twoCards := uint32(0)
	if g.TwoCards {
		twoCards = 1
	}
	err := s.ends.Launch(s.gpu.Stream, driver.Grid{
		Blocks: (b.tasks + endWarps - 1) / endWarps, Threads: endWarps * launch.Warp, Shared: endWarps * perWarp * (g.Deck + 1) * launch.Warp * 4,
	}, endsParams{
		Rounds: b.rounds, Groups: b.groups, Pays: b.pays, Order: s.order, Buckets: s.buckets, Reach: other.reach, Strategy: other.strategy, Values: s.values,
		NumRounds: uint32(len(g.Rounds)), Boards: uint32(g.Boards), Hands: uint32(g.Hands), Deck: uint32(g.Deck), TwoCards: twoCards,
	})
	for r := len(g.Rounds) - 1; r >= 0 && err == nil; r-- {
		err = s.updateRound(player, r, u)
	}
	return err
}

// hitsAtOnce is how many hands the kernel for updates treats at a time.
const hitsAtOnce = 4

func (s *Solver) updateRound(player, r int, u Update) error {
	b, g, hits, to := &s.players[player], &s.game, &s.hits[r], &s.rounds[r]
	round := &g.Rounds[r]
	program := &round.Programs[player]
	p := updateParams{
		Sources: to.columns[player], Decisions: to.decisions[player], Rows: hits.buckets, Starts: hits.starts, Hits: hits.hands, NextLane: to.next,
		OwnReach: b.reach.Slice(b.reachAt[r], b.reach.Len()), NextValues: s.values, Values: s.values.Slice(s.valuesAt[r], s.values.Len()),
		Regrets: b.regrets.Slice(b.tableAt[r], b.regrets.Len()), Sums: b.sums.Slice(b.tableAt[r], b.sums.Len()), Strategy: b.strategy.Slice(b.tableAt[r], b.strategy.Len()),
		Hands: uint32(g.Hands), Columns: uint32(round.Columns[player]), NumDecisions: uint32(len(program.Decisions)), NumEnds: uint32(program.Values),
		NumDeals: uint32(round.Deals), Slots: uint32(program.Values + 1), Width: uint32(round.Width), RegretWeight: u.Regret, SumWeight: u.Sum,
	}
	if u.Floor {
		p.Floor = 1
	}
	if r+1 < len(g.Rounds) {
		next := &g.Rounds[r+1]
		values := next.Programs[player].Values
		p.NextValues = s.values.Slice(s.valuesAt[r+1], s.values.Len())
		p.NextSlots, p.NextSlot, p.NextWidth = uint32(values+1), uint32(values), uint32(next.Width)
	}
	splits := g.Splits(r)
	columns, decisions := round.Columns[player], len(program.Decisions)
	words := launch.Warp*(splits*(hitsAtOnce*(program.Values+round.Deals+decisions)+columns+1)+columns) + columns + 1 + decisions
	return s.update.Launch(s.gpu.Stream, driver.Grid{
		Blocks: hits.rows * round.Width / launch.Warp, Threads: splits * launch.Warp, Shared: 4 * words,
	}, p)
}

// Table is the regrets of a player in a round, or the sums of its strategies, by bucket,
// column and lane.
type Table struct {
	buffer driver.Buffer[float32]
	stream *driver.Stream
}

// Table returns a table.
func (s *Solver) Table(sums bool, player, r int) Table {
	b := &s.players[player]
	from, to := b.tableAt[r], b.tableAt[r]+s.game.Entries(r, player)
	if sums {
		return Table{b.sums.Slice(from, to), s.gpu.Stream}
	}
	return Table{b.regrets.Slice(from, to), s.gpu.Stream}
}

// Download copies the table to an array of its size.
func (t Table) Download(values []float32) error { return t.buffer.Download(t.stream, values) }

// Upload sets the table. After regrets are set, Match computes the strategies.
func (t Table) Upload(values []float32) error { return t.buffer.Upload(t.stream, values) }
