package cfrbrgpu

import (
	"errors"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
	"gamebots/cudalib/pcsgpu"
	"gamebots/cudalib/segments"
)

// Solver has a game and the tables of a player on a device, and its opponent's regrets. It is used
// by one goroutine at a time.
type Solver struct {
	gpu              *launch.Launcher
	game             Game
	player, opponent int

	rounds []roundBuffers
	places driver.Buffer[uint32]
	down   driver.Buffer[uint64] // see Unit
	cards  pcsgpu.HitBuffers
	tables
	valueBuffers
	kernels
}

type tables struct {
	// The player's tables, by round, and its opponent's regrets by round of the trunk.
	regrets, sums, strategy, trunk []driver.Buffer[float32]
	// table has the opponent's probabilities, by round before the last; choices its actions there.
	table   []driver.Buffer[float32]
	choices driver.Buffer[uint32]
}

type valueBuffers struct {
	// reach is at the start of rounds, by player, round, hand of the unit and lane.
	reach [2][]driver.Buffer[float32]
	// roots has the values at the start of a round, by round; mean those of the last round.
	roots                 []driver.Buffer[float32]
	mean, values, scratch driver.Buffer[float32]
}

type kernels struct {
	match       *launch.Kernel[matchParams]
	reachKernel *launch.Kernel[reachParams]
	ends        *launch.Kernel[endsParams]
	pureEnds    *launch.Kernel[pureEndsParams]
	folds       *launch.Kernel[foldsParams]
	respond     *launch.Kernel[respondParams]
	meanKernel  *launch.Kernel[meanParams]
	learn       *launch.Kernel[learnParams]
}

type roundBuffers struct {
	unitBuffers
	from, next driver.Buffer[uint32]
	// By player. Ends are passes in the last round.
	paths, lengths, ends, sources, decisions [2]driver.Buffer[uint32]
	pays                                     [2]driver.Buffer[float32]
	numEnds                                  [2]int
}

// unitBuffers are the buffers of a unit in a round.
type unitBuffers struct {
	order     driver.Buffer[uint64]
	sets      driver.Buffer[uint32]
	hits      pcsgpu.HitBuffers
	trunkHits pcsgpu.HitBuffers
}

// The parameters of the kernels of cfrbr.cu.
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
	// passParams are of both kernels for the ends of the last round.
	passParams struct {
		Passes                                                     driver.Buffer[uint32]
		Pays                                                       driver.Buffer[float32]
		Order, Down                                                driver.Buffer[uint64]
		Values                                                     driver.Buffer[float32]
		NumPasses, NumValues, Boards, Hands, Width, Deck, TwoCards uint32
	}
	endsParams struct {
		Pass         passParams
		Reach, Table driver.Buffer[float32]
		Columns      uint32
	}
	pureEndsParams struct {
		Pass    passParams
		Reach   driver.Buffer[float32]
		Choices driver.Buffer[uint32]
	}
	foldsParams struct {
		Ends                                                                driver.Buffer[uint32]
		Pays                                                                driver.Buffer[float32]
		Order                                                               driver.Buffer[uint64]
		Cards, Starts, Places                                               driver.Buffer[uint32]
		Reach, Table, Values, Scratch                                       driver.Buffer[float32]
		NumEnds, NumCards, NumValues, Hands, Columns, Width, Deck, TwoCards uint32
		Apart                                                               uint32
	}
	respondParams struct {
		Sources, Decisions, Next                                                    driver.Buffer[uint32]
		Values, After                                                               driver.Buffer[float32]
		Choices                                                                     driver.Buffer[uint32]
		Table, Roots                                                                driver.Buffer[float32]
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
		Sources, Decisions, Rows, Starts, Hits, Next driver.Buffer[uint32]
		Order                                        driver.Buffer[uint64]
		OwnReach, Values, After                      driver.Buffer[float32]
		Tables                                       tableArgs
		Roots                                        driver.Buffer[float32]
		Sizes                                        sizeArgs
		RegretWeight, SumWeight                      float32
	}
	// tableArgs are what learns. Sums is null in the trunk.
	tableArgs struct{ Regrets, Sums, Strategy driver.Buffer[float32] }
	sizeArgs  struct {
		Boards, Hands, Columns, NumDecisions, NumValues, NumDeals, Used, Width, NextWidth uint32
	}
)

// perBlock is how many threads a block has at most in loops over arrays.
const perBlock = 256

// grid returns a grid for a loop over n elements.
func grid(n int) driver.Grid {
	threads := min((n+launch.Warp-1)/launch.Warp*launch.Warp, perBlock)
	return driver.Grid{Blocks: min((n+threads-1)/threads, 1<<14), Threads: threads}
}

// New puts a game on a device for a player, with tables of zero. The error is a
// [*driver.MemoryError] where the device has too little memory free.
func New(d *driver.Device, g Game, player int) (*Solver, error) {
	if err := d.RequireMemory(g.Bytes(player)); err != nil {
		return nil, err
	}
	s := &Solver{game: g, player: player, opponent: 1 - player, gpu: launch.New(d, Modules, "cfrbr")}
	s.match = launch.Find[matchParams](s.gpu, "cfrbr_match")
	s.reachKernel = launch.Find[reachParams](s.gpu, "cfrbr_reach")
	s.ends = launch.Find[endsParams](s.gpu, "cfrbr_ends")
	s.pureEnds = launch.Find[pureEndsParams](s.gpu, "cfrbr_pure_ends")
	s.folds = launch.Find[foldsParams](s.gpu, "cfrbr_folds")
	s.respond = launch.Find[respondParams](s.gpu, "cfrbr_respond")
	s.meanKernel = launch.Find[meanParams](s.gpu, "cfrbr_mean")
	s.learn = launch.Find[learnParams](s.gpu, "cfrbr_learn")
	values := 0
	for r := range g.Parts {
		values = max(values, g.values(r))
		s.addRound(r)
	}
	last := &g.Parts[g.last()]
	s.places, s.down = launch.Alloc[uint32](s.gpu, g.Rivers*g.UnitHands), launch.Alloc[uint64](s.gpu, g.Rivers*g.Hands)
	s.cards = pcsgpu.NewHitBuffers(s.gpu, g.Deck, 2*g.UnitHands)
	s.choices = launch.Alloc[uint32](s.gpu, g.Rivers*g.Hands*last.Width)
	s.mean, s.values = s.floats(g.UnitHands*last.Width), s.floats(values)
	s.scratch = s.floats(g.ends() * g.UnitHands * launch.Warp)
	start := make([]float32, g.UnitHands*g.Parts[0].Width)
	for at := 0; at < len(start); at += g.Parts[0].Width {
		start[at] = 1
	}
	for p := range s.reach {
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

func (s *Solver) floats(n int) driver.Buffer[float32] { return launch.Alloc[float32](s.gpu, n) }

// zeros makes a buffer of zeros.
func (s *Solver) zeros(n int) driver.Buffer[float32] {
	x := s.floats(n)
	if s.gpu.Err == nil {
		s.gpu.Err = x.Zero(s.gpu.Stream)
	}
	return x
}

// addRound makes the buffers of a round.
func (s *Solver) addRound(r int) {
	g, width := &s.game, s.game.Parts[r].Width
	boards, hands := g.boards(r)
	s.rounds = append(s.rounds, s.round(r))
	s.roots = append(s.roots, s.floats(boards*hands*width))
	for p := range s.reach {
		s.reach[p] = append(s.reach[p], s.floats(g.UnitHands*width))
	}
	n := g.Entries(r, s.player)
	s.regrets, s.sums, s.strategy = append(s.regrets, s.zeros(n)), append(s.sums, s.zeros(n)),
		append(s.strategy, s.floats(n))
	if r < len(g.Trunk) {
		s.trunk = append(s.trunk, s.zeros(g.TrunkEntries(r, s.opponent)))
	}
	if r < g.last() {
		s.table = append(s.table, s.zeros(g.table(r, s.opponent)))
	}
}

func (s *Solver) round(r int) (b roundBuffers) {
	g, round := &s.game, &s.game.Parts[r]
	boards, hands := g.boards(r)
	b.order, b.hits = launch.Alloc[uint64](s.gpu, boards*hands),
		pcsgpu.NewHitBuffers(s.gpu, g.Buckets[r][s.player], boards*hands)
	if r < len(g.Trunk) {
		b.sets, b.trunkHits = launch.Alloc[uint32](s.gpu, hands), pcsgpu.NewHitBuffers(s.gpu, g.Trunk[r].Sets, hands)
	}
	b.from, b.next = launch.Upload(s.gpu, round.From), launch.Upload(s.gpu, round.Next)
	for p := range 2 {
		var paths, lengths []uint32
		for _, path := range round.Paths[p] {
			padded, length := segments.Padded(path)
			paths, lengths = append(paths, padded[:]...), append(lengths, length)
		}
		program := &round.Programs[p]
		b.paths[p], b.lengths[p], b.pays[p] = launch.Upload(s.gpu, paths), launch.Upload(s.gpu, lengths),
			launch.Upload(s.gpu, program.Pays)
		b.decisions[p] = launch.Upload(s.gpu, program.DecisionWords())
		b.sources[p] = launch.Upload(s.gpu, launch.Words(sources(program)))
		ends := program.EndWords()
		b.numEnds[p] = len(program.Ends)
		if r == g.last() {
			passes := pcsgpu.PassesOf(program.Ends, round.Programs[1-p].Decisions)
			b.numEnds[p], ends = len(passes), launch.Words(passes)
		}
		b.ends[p] = launch.Upload(s.gpu, ends)
	}
	return b
}

// sourceWords has the layout of the kernels' struct Sources: how many values a value is the sum of,
// and their numbers.
type sourceWords [1 + segments.MaxActions]uint32

func sources(p *segments.Program) (words []sourceWords) {
	for _, from := range p.Sums() {
		row := sourceWords{uint32(len(from))}
		copy(row[1:], from)
		words = append(words, row)
	}
	return words
}

// Match computes the player's strategy from all of its regrets.
func (s *Solver) Match() error {
	for r := range s.game.Parts {
		round := &s.game.Parts[r]
		err := s.match.Launch(s.gpu.Stream, grid(s.game.Buckets[r][s.player]*round.Width), matchParams{
			Decisions: s.rounds[r].decisions[s.player], Regrets: s.regrets[r], Strategy: s.strategy[r],
			NumDecisions: uint32(len(round.Programs[s.player].Decisions)), Rows: uint32(s.game.Buckets[r][s.player]),
			Columns: uint32(round.Columns[s.player]), Used: uint32(round.Width), Width: uint32(round.Width),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Table is regrets, or sums of strategies: those of the player in a round, by bucket, column and
// lane, or those of its opponent in a round of the trunk, by hand, column and lane.
type Table struct {
	buffer driver.Buffer[float32]
	stream *driver.Stream
}

// Table returns a table of the player.
func (s *Solver) Table(sums bool, r int) Table {
	if sums {
		return Table{s.sums[r], s.gpu.Stream}
	}
	return Table{s.regrets[r], s.gpu.Stream}
}

// TrunkTable returns the regrets of the opponent.
func (s *Solver) TrunkTable(r int) Table { return Table{s.trunk[r], s.gpu.Stream} }

// Download copies the table to an array of its size.
func (t Table) Download(values []float32) error { return t.buffer.Download(t.stream, values) }

// Upload sets the table. After regrets are set, Match computes the strategies.
func (t Table) Upload(values []float32) error { return t.buffer.Upload(t.stream, values) }
