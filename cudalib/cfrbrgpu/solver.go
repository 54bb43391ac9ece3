package cfrbrgpu

import (
	"errors"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
	"gamebots/cudalib/pcsgpu"
	ptx "gamebots/cudalib/ptx/cfrbr"
)

// Solver has a game and its tables on a device. It is used by one goroutine at a time.
type Solver struct {
	gpu  *launch.Launcher
	game Game

	rounds  []roundBuffers
	players [2]playerBuffers
	places  driver.Buffer[uint32]

	// reach is at the start of rounds, by player, round, hand of the unit and lane.
	reach [2][]driver.Buffer[float32]
	// table has the probabilities of the player that responds, by round.
	table []driver.Buffer[float32]
	// roots has the values at the start of a round, by round; mean those of the last round.
	roots        []driver.Buffer[float32]
	mean, values driver.Buffer[float32]
	scratch      driver.Buffer[float32]
	endBlocks    int

	match       *launch.Kernel[matchParams]
	reachKernel *launch.Kernel[reachParams]
	ends        *launch.Kernel[endsParams]
	respond     *launch.Kernel[respondParams]
	meanKernel  *launch.Kernel[meanParams]
	learn       *launch.Kernel[learnParams]
}

// playerBuffers are of a player, by round: its tables, and its regrets in the trunk where it
// responds.
type playerBuffers struct{ regrets, sums, strategy, trunk []driver.Buffer[float32] }

type roundBuffers struct {
	unitBuffers
	from, next driver.Buffer[uint32]
	// By player.
	paths, lengths, ends, sources, decisions [2]driver.Buffer[uint32]
	pays                                     [2]driver.Buffer[float32]
}

// unitBuffers are what a unit has in a round.
type unitBuffers struct {
	order     driver.Buffer[uint64]
	sets      driver.Buffer[uint32]
	hits      hitBuffers
	trunkHits hitBuffers
}

type hitBuffers struct {
	rows, starts, places driver.Buffer[uint32]
	n                    int
}

// The parameters of the kernels of kernels/cfrbr/cfrbr.cu.
type (
	matchParams struct {
		Decisions                                driver.Buffer[uint32]
		Regrets, Strategy                        driver.Buffer[float32]
		Sets                                     driver.Buffer[uint32]
		NumDecisions, Rows, Columns, Used, Width uint32
	}
	reachParams struct {
		From, Paths, Lengths                    driver.Buffer[uint32]
		Order                                   driver.Buffer[uint64]
		Strategy, Before, Reach                 driver.Buffer[float32]
		Hands, Columns, Width, NextWidth, Apart uint32
	}
	endsParams struct {
		Ends                                                    driver.Buffer[uint32]
		Pays                                                    driver.Buffer[float32]
		Order                                                   driver.Buffer[uint64]
		Reach, Table, Values, Scratch                           driver.Buffer[float32]
		NumEnds, NumValues, Boards, Hands, Columns, Width, Deck uint32
		TwoCards, Apart                                         uint32
	}
	respondParams struct {
		Sources, Decisions, Next                                                    driver.Buffer[uint32]
		Values, After, Table, Roots                                                 driver.Buffer[float32]
		Boards, Hands, Columns, NumDecisions, NumValues, NumDeals, Width, NextWidth uint32
	}
	meanParams struct {
		Roots                           driver.Buffer[float32]
		Places                          driver.Buffer[uint32]
		Mean                            driver.Buffer[float32]
		Boards, Hands, UnitHands, Width uint32
		Scale                           float32
	}
	learnParams struct {
		Sources, Decisions, Rows, Starts, Hits, Next                              driver.Buffer[uint32]
		Order                                                                     driver.Buffer[uint64]
		OwnReach, Values, After, Regrets, Sums, Strategy, Roots                   driver.Buffer[float32]
		Hands, Columns, NumDecisions, NumValues, NumDeals, Used, Width, NextWidth uint32
		RegretWeight, SumWeight                                                   float32
		Floor                                                                     uint32
	}
)

// perBlock is how many threads a block has at most in loops over arrays.
const perBlock = 256

// grid returns a grid for a loop over n elements.
func grid(n int) driver.Grid {
	threads := min((n+launch.Warp-1)/launch.Warp*launch.Warp, perBlock)
	return driver.Grid{Blocks: min((n+threads-1)/threads, 1<<14), Threads: threads}
}

// New puts a game on a device, with tables of zero. The error is a [*driver.MemoryError]
// where the device has too little memory free.
func New(d *driver.Device, g Game) (*Solver, error) {
	if err := d.RequireMemory(g.Bytes()); err != nil {
		return nil, err
	}
	s := &Solver{game: g, gpu: launch.New(d, ptx.Modules, "cfrbr")}
	s.match = launch.Find[matchParams](s.gpu, "cfrbr_match")
	s.reachKernel = launch.Find[reachParams](s.gpu, "cfrbr_reach")
	s.ends = launch.Find[endsParams](s.gpu, "cfrbr_ends")
	s.respond = launch.Find[respondParams](s.gpu, "cfrbr_respond")
	s.meanKernel = launch.Find[meanParams](s.gpu, "cfrbr_mean")
	s.learn = launch.Find[learnParams](s.gpu, "cfrbr_learn")
	s.endBlocks = launch.Blocks(s.gpu, s.ends, launch.Warp, s.endsShared())
	floats := func(n int) driver.Buffer[float32] { return launch.Alloc[float32](s.gpu, n) }
	values, hands := 0, 0
	for r := range g.Parts {
		boards, left := g.boards(r)
		width := g.Parts[r].Width
		values, hands = max(values, g.values(r)), max(hands, left)
		s.rounds = append(s.rounds, s.round(r))
		s.table, s.roots = append(s.table, s.zeros(g.table(r))), append(s.roots, floats(boards*left*width))
		for p := range s.players {
			s.reach[p] = append(s.reach[p], floats(g.UnitHands*width))
			s.addTables(p, r)
		}
	}
	s.places = launch.Alloc[uint32](s.gpu, g.Rivers*g.UnitHands)
	s.mean, s.values = floats(g.UnitHands*g.Parts[g.last()].Width), floats(values)
	s.scratch = floats(s.endBlocks * hands * launch.Warp)
	start := make([]float32, g.UnitHands*g.Parts[0].Width)
	for at := 0; at < len(start); at += g.Parts[0].Width {
		start[at] = 1
	}
	for p := range s.players {
		if s.gpu.Err == nil {
			s.gpu.Err = s.reach[p][0].Upload(s.gpu.Stream, start)
		}
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

// endsShared returns the shared memory of a block of the kernel for ends: sums by card.
func (s *Solver) endsShared() int { return 4 * launch.Warp * (s.game.Deck + 1) }

func (s *Solver) round(r int) (b roundBuffers) {
	g, round := &s.game, &s.game.Parts[r]
	boards, hands := g.boards(r)
	words := func(n int) driver.Buffer[uint32] { return launch.Alloc[uint32](s.gpu, n) }
	hits := func(rows int) hitBuffers {
		rows = min(rows, boards*hands)
		return hitBuffers{rows: words(rows), starts: words(rows + 1), places: words(boards * hands)}
	}
	b.order, b.hits = launch.Alloc[uint64](s.gpu, boards*hands), hits(round.Buckets)
	if r < len(g.Trunk) {
		b.sets, b.trunkHits = words(hands), hits(g.Trunk[r].Sets)
	}
	upload := func(list []uint32) driver.Buffer[uint32] {
		if len(list) == 0 {
			return words(1) // a kernel gets an address
		}
		return launch.Upload(s.gpu, list)
	}
	b.from, b.next = upload(round.From), upload(round.Next)
	for p := range 2 {
		var paths, lengths []uint32
		for _, path := range round.Paths[p] {
			var padded [pcsgpu.MaxPath]uint32
			lengths = append(lengths, uint32(copy(padded[:], path)))
			paths = append(paths, padded[:]...)
		}
		program := &round.Programs[p]
		b.paths[p], b.lengths[p], b.pays[p] = upload(paths), upload(lengths), launch.Upload(s.gpu, program.Pays)
		b.ends[p], b.decisions[p] = launch.Upload(s.gpu, launch.Words(program.Ends)), launch.Upload(s.gpu, launch.Words(program.Decisions))
		b.sources[p] = launch.Upload(s.gpu, launch.Words(append(program.Columns[:len(program.Columns):len(program.Columns)], program.Root)))
	}
	return b
}

// addTables adds the tables of a player in a round, with zeros.
func (s *Solver) addTables(player, r int) {
	b, n := &s.players[player], s.game.Entries(r, player)
	b.regrets, b.sums, b.strategy = append(b.regrets, s.zeros(n)), append(b.sums, s.zeros(n)), append(b.strategy, launch.Alloc[float32](s.gpu, n))
	if r < len(s.game.Trunk) {
		b.trunk = append(b.trunk, s.zeros(s.game.TrunkEntries(r, player)))
	}
}

// zeros makes a buffer of zeros.
func (s *Solver) zeros(n int) driver.Buffer[float32] {
	x := launch.Alloc[float32](s.gpu, n)
	if s.gpu.Err == nil {
		s.gpu.Err = x.Zero(s.gpu.Stream)
	}
	return x
}

// Match computes the strategies from all regrets.
func (s *Solver) Match() error {
	for r := range s.game.Parts {
		round := &s.game.Parts[r]
		for p := range s.players {
			b := &s.players[p]
			err := s.match.Launch(s.gpu.Stream, grid(round.Buckets*round.Width), matchParams{
				Decisions: s.rounds[r].decisions[p], Regrets: b.regrets[r], Strategy: b.strategy[r], NumDecisions: uint32(len(round.Programs[p].Decisions)),
				Rows: uint32(round.Buckets), Columns: uint32(round.Columns[p]), Used: uint32(round.Width), Width: uint32(round.Width),
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// Table is regrets, or sums of strategies: those of a player in a round, by bucket, column and
// lane, or those of one that responds, in a round of the trunk, by hand, column and lane.
type Table struct {
	buffer driver.Buffer[float32]
	stream *driver.Stream
}

// Table returns a table of a player that learns.
func (s *Solver) Table(sums bool, player, r int) Table {
	if sums {
		return Table{s.players[player].sums[r], s.gpu.Stream}
	}
	return Table{s.players[player].regrets[r], s.gpu.Stream}
}

// TrunkTable returns the regrets of a player that responds.
func (s *Solver) TrunkTable(player, r int) Table {
	return Table{s.players[player].trunk[r], s.gpu.Stream}
}

// Download copies the table to an array of its size.
func (t Table) Download(values []float32) error { return t.buffer.Download(t.stream, values) }

// Upload sets the table. After regrets are set, Match computes the strategies.
func (t Table) Upload(values []float32) error { return t.buffer.Upload(t.stream, values) }
