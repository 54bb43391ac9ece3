package cfrbrgpu

import (
	"embed"
	"errors"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
	"gamebots/cudalib/pcsgpu"
	"gamebots/cudalib/segmentgpu"
)

// Solver has a game and the tables of a player on a device, and its opponent's regrets. It is used
// by one goroutine at a time.
type Solver struct {
	gpu              *launch.Launcher
	beside           *driver.Stream // another stream than that of gpu, see meanwhile
	forked, joined   *driver.Event
	game             Game
	player, opponent int

	unit   unitBuffers
	rounds []roundBuffers
	parts  []pcsgpu.PartBuffers
	tables
	valueBuffers
	kernels
}

// tables are those of all parts; at says where each part starts.
type tables struct {
	// The player's tables, and its opponent's regrets in the trunk.
	regrets, sums, strategy, trunk driver.Buffer[float32]
	// table has the opponent's probabilities before the last round; choices its actions there.
	table                       driver.Buffer[float32]
	choices                     driver.Buffer[uint32]
	entriesAt, trunkAt, tableAt []int
}

type valueBuffers struct {
	// reach is at the start of rounds, by player, round, hand of the unit and lane.
	reach [2][]driver.Buffer[float32]
	// roots has the values at the start of a round, by round; mean those of the last round.
	roots                 []driver.Buffer[float32]
	mean, values, scratch driver.Buffer[float32]
	valuesAt              []int // the first of each part
}

type kernels struct {
	match       *launch.Kernel[matchParams]
	reachKernel *launch.Kernel[reachParams]
	ends        *launch.Kernel[endsParams]
	pureEnds    *launch.Kernel[pureEndsParams]
	folds       *launch.Kernel[foldsParams]
	respond     *launch.Kernel[respondParams]
	meanKernel  *launch.Kernel[meanParams]
	learn       []*launch.Kernel[learnParams] // kernels in the order of pcsgpu.ActionKernels
}

type roundBuffers struct {
	from driver.Buffer[uint32]
	// By player. Ends are passes in the last round.
	deals, parts, ends [2]driver.Buffer[uint32]
	pays               [2]driver.Buffer[float32]
	tasks              [2]int // ends in all tiles and on all boards
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
		From, Deals, Order      driver.Buffer[uint32]
		Strategy, Before, Reach driver.Buffer[float32]
		Hands, Width, NextWidth uint32
		Apart                   bool
	}
	// passParams are of both kernels for the ends of the last round.
	passParams struct {
		Parts, Passes       driver.Buffer[uint32]
		Pays                driver.Buffer[float32]
		Order, Down         driver.Buffer[uint32]
		Values              driver.Buffer[float32]
		Boards, Hands, Deck uint32
		TwoCards            bool
	}
	endsParams struct {
		Pass         passParams
		Reach, Table driver.Buffer[float32]
	}
	pureEndsParams struct {
		Pass    passParams
		Reach   driver.Buffer[float32]
		Choices driver.Buffer[uint32]
	}
	foldsParams struct {
		Parts, Ends                   driver.Buffer[uint32]
		Pays                          driver.Buffer[float32]
		Order, Cards, Starts, Places  driver.Buffer[uint32]
		Reach, Table, Values, Scratch driver.Buffer[float32]
		NumCards, Hands, Deck         uint32
		TwoCards, Apart               bool
	}
	respondParams struct {
		Sources, Decisions, Next driver.Buffer[uint32]
		Values, After            driver.Buffer[float32]
		Choices                  driver.Buffer[uint32]
		Table, Roots             driver.Buffer[float32]
		Boards, Hands, Columns, NumDecisions, NumValues, NumDeals, Width, RoundWidth,
		NextWidth uint32
	}
	meanParams struct {
		Roots                           driver.Buffer[float32]
		Places                          driver.Buffer[uint32]
		Mean                            driver.Buffer[float32]
		Boards, Hands, UnitHands, Width uint32
		Scale                           float32
	}
	learnParams struct {
		Sources, Decisions, Rows, Starts, Hits, Next, Order driver.Buffer[uint32]
		OwnReach, Values, After                             driver.Buffer[float32]
		Tables                                              tableArgs
		Roots                                               driver.Buffer[float32]
		Sizes                                               sizeArgs
		RegretWeight, SumWeight                             float32
	}
	// tableArgs are what learns. Sums is null in the trunk.
	tableArgs struct{ Regrets, Sums, Strategy driver.Buffer[float32] }
	sizeArgs  struct {
		Boards, Hands, Columns, NumDecisions, NumValues, NumDeals, Used, Width, RoundWidth, NextWidth uint32
	}
)

// perBlock is how many threads a block has at most in loops over arrays.
const perBlock = 256

// New puts a game on a device for a player, with tables of zero. The error is a
// [*driver.MemoryError] where the device has too little memory free, and a [*pcsgpu.SizeError] for
// betting rounds with too many actions.
func New(d *driver.Device, g Game, player int) (*Solver, error) {
	if err := errors.Join(g.check(d.Info().SharedPerBlock), d.RequireMemory(g.Bytes(player))); err != nil {
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
	for _, k := range pcsgpu.ActionKernels {
		s.learn = append(s.learn, launch.Find[learnParams](s.gpu, "cfrbr_learn_"+k.Name))
	}
	s.addTables()
	values, width := 0, g.Widths[g.last()]
	s.valuesAt, values = g.starts(g.values)
	s.beside = launch.Keep(s.gpu, d.NewStream)
	s.forked, s.joined = launch.Keep(s.gpu, d.NewEvent), launch.Keep(s.gpu, d.NewEvent)
	s.unit = newUnitBuffers(s.gpu, g.unitWords())
	s.choices = launch.Alloc[uint32](s.gpu, g.Rivers*g.Hands*width)
	s.mean, s.values = s.floats(g.UnitHands*width), s.floats(values)
	s.scratch = s.floats(g.ends() * g.UnitHands * launch.Warp)
	for i := range g.Parts {
		s.parts = append(s.parts, pcsgpu.NewPartBuffers(s.gpu, &g.Parts[i]))
	}
	for r := range g.Widths {
		s.rounds = append(s.rounds, s.round(r))
		boards, hands := g.boards(r)
		s.roots = append(s.roots, s.floats(boards*hands*g.Widths[r]))
		for p := range s.reach {
			s.reach[p] = append(s.reach[p], s.floats(g.UnitHands*g.Widths[r]))
		}
	}
	start := make([]float32, g.UnitHands*g.Widths[0])
	for at := 0; at < len(start); at += g.Widths[0] {
		start[at] = 1
	}
	for p := range s.reach {
		s.gpu.Try(func() error { return s.reach[p][0].Upload(s.gpu.Stream, start) })
	}
	s.gpu.Try(s.Match)
	return launch.Finish(s.gpu, s)
}

// Close waits for what was begun, and frees the device memory.
func (s *Solver) Close() error {
	return errors.Join(s.gpu.Stream.Sync(), s.gpu.Close())
}

func (s *Solver) floats(n int) driver.Buffer[float32] { return launch.Alloc[float32](s.gpu, max(1, n)) }

func (s *Solver) zeros(n int) driver.Buffer[float32] { return launch.Zeros[float32](s.gpu, max(1, n)) }

// addTables makes the tables.
func (s *Solver) addTables() {
	g, entries, trunk, table := &s.game, 0, 0, 0
	s.entriesAt, entries = g.starts(func(i int) int { return g.Entries(i, s.player) })
	s.trunkAt, trunk = g.starts(func(i int) int {
		if !g.inTrunk(i) {
			return 0
		}
		return g.TrunkEntries(i, s.opponent)
	})
	s.tableAt, table = g.starts(func(i int) int {
		if g.Parts[i].Round == g.last() {
			return 0
		}
		return g.table(i, s.opponent)
	})
	// Parts without decisions have no probabilities, but an address.
	s.regrets, s.sums, s.strategy = s.zeros(entries), s.zeros(entries), s.zeros(entries+launch.Warp)
	s.trunk, s.table = s.zeros(trunk), s.zeros(table+launch.Warp)
}

func (s *Solver) round(r int) (b roundBuffers) {
	g := &s.game
	b.from = launch.Upload(s.gpu, segmentgpu.From(g.Parts, r))
	for p := range 2 {
		at := s.tableAt
		if p == s.player {
			at = s.entriesAt
		}
		b.deals[p] = launch.Upload(s.gpu, pcsgpu.Deals(g.Parts, r, p, at))
		s.addEnds(&b, r, p)
	}
	return b
}

// addEnds makes the buffers of the ends of a round for a player.
func (s *Solver) addEnds(b *roundBuffers, r, p int) {
	g, against := &s.game, s.tableAt
	if p == s.opponent {
		against = s.entriesAt
	}
	var parts []pcsgpu.PartWords
	var ends []uint32
	var pays []float32
	passes := 0
	for i := range g.Parts {
		part := &g.Parts[i]
		if part.Round != r {
			continue
		}
		program := &part.Programs[p]
		words, n, boards := program.EndWords(), len(program.Ends), 1
		if r == g.last() {
			some := pcsgpu.PassesOf(program.Ends, part.Programs[1-p].Decisions)
			words, n, boards = launch.Words(some), len(some), g.Rivers
		}
		x := pcsgpu.PartWords{
			Reach: uint64(part.First), Strategy: uint64(against[i]), Values: uint64(s.valuesAt[i]),
			Tasks: uint32(n * boards * part.Width / launch.Warp), Pass: uint32(passes), Passes: uint32(n),
			Pays: uint32(len(pays)), Columns: uint32(part.Columns[1-p]), Width: uint32(part.Width),
			NumValues: uint32(part.Values), Round: uint32(r), RoundWidth: uint32(g.Widths[r]),
		}
		parts, ends, pays = append(parts, x), append(ends, words...), append(pays, program.Pays...)
		passes += n
		b.tasks[p] += int(x.Tasks)
	}
	b.parts[p], b.ends[p], b.pays[p] = launch.Upload(s.gpu, launch.Words(parts)), launch.Upload(s.gpu, ends),
		launch.Upload(s.gpu, pays)
}

// Match computes the player's strategy from all of its regrets.
func (s *Solver) Match() error {
	for i := range s.game.Parts {
		part := &s.game.Parts[i]
		rows, width := s.game.Buckets[part.Round][s.player], part.Width
		if err := s.matchPart(s.gpu.Stream, i, s.player, rows, width, matchParams{
			Regrets: s.from(s.regrets, s.entriesAt, i), Strategy: s.from(s.strategy, s.entriesAt, i),
		}); err != nil {
			return err
		}
	}
	return nil
}

// matchPart computes a player's strategy in a part, of some rows and lanes.
func (s *Solver) matchPart(on *driver.Stream, i, player, rows, lanes int, p matchParams) error {
	part := &s.game.Parts[i]
	p.Decisions, p.NumDecisions = s.parts[i].Decisions[player], uint32(len(part.Programs[player].Decisions))
	p.Rows, p.Columns, p.Used, p.Width = uint32(rows), uint32(part.Columns[player]), uint32(lanes), uint32(part.Width)
	return s.match.Launch(on, launch.Loop(rows*lanes), p)
}

// from returns what an array has from the start of a part on.
func (s *Solver) from(b driver.Buffer[float32], at []int, part int) driver.Buffer[float32] {
	return b.Slice(min(at[part], b.Len()-1), b.Len())
}

// Table is regrets, or sums of strategies: those of the player in a part, by bucket, column and
// lane, or those of its opponent in a part of the trunk, by hand, column and lane.
type Table struct {
	buffer driver.Buffer[float32]
	stream *driver.Stream
}

// Table returns a table of the player.
func (s *Solver) Table(sums bool, part int) Table {
	b, at := s.regrets, s.entriesAt[part]
	if sums {
		b = s.sums
	}
	return Table{b.Slice(at, at+s.game.Entries(part, s.player)), s.gpu.Stream}
}

// TrunkTable returns the regrets of the opponent.
func (s *Solver) TrunkTable(part int) Table {
	at := s.trunkAt[part]
	return Table{s.trunk.Slice(at, at+s.game.TrunkEntries(part, s.opponent)), s.gpu.Stream}
}

// Download copies the table to an array of its size.
func (t Table) Download(values []float32) error { return t.buffer.Download(t.stream, values) }

// Upload sets the table. After regrets are set, Match computes the strategies.
func (t Table) Upload(values []float32) error { return t.buffer.Upload(t.stream, values) }

// Modules are the compiled kernels, NAME.ptx.gz for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
