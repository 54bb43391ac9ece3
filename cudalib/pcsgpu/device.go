package pcsgpu

import (
	"errors"
	"fmt"
	"slices"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/launch"
	ptx "gamebots/cudalib/ptx/pcs"
)

// device has a share of a game on a device, with its tables.
type device struct {
	gpu  *launch.Launcher
	game *share

	order    driver.Buffer[uint32]
	cards    []cardBuffers // see Batch
	rounds   []roundBuffers
	parts    []partBuffers
	players  [2]playerBuffers
	values   driver.Buffer[float32]
	valuesAt []int // by part
	// The values at the start of the first divided round, for other devices: by player, as they may
	// still be read when the next ones are written.
	given [2]driver.Pinned[float32]

	strategy *launch.Kernel[strategyParams]
	reach    *launch.Kernel[reachParams]
	start    *launch.Kernel[startParams]
	ends     *launch.Kernel[endsParams]
	updates  []*launch.Kernel[updateParams] // by updateKernels
}

// cardBuffers are [Cards].
type cardBuffers struct {
	buckets driver.Buffer[uint32]
	rounds  []hitBuffers
}

// hitBuffers are [Hits] of some buckets.
type hitBuffers struct {
	buckets, starts, hands driver.Buffer[uint32]
	rows                   int
}

type roundBuffers struct {
	from  driver.Buffer[uint32]    // by lane
	deals [2]driver.Buffer[uint32] // by player
	roots driver.Buffer[float32]   // the values at the start, by board, hand and lane
}

type partBuffers struct {
	next               driver.Buffer[uint32]
	sources, decisions [2]driver.Buffer[uint32] // by player
}

// playerBuffers are of all rounds; at says where each part, or round, starts.
type playerBuffers struct {
	regrets, sums, strategy, reach driver.Buffer[float32]
	tableAt, reachAt               []int
	// What this player's values are computed from: the opponent's ends.
	parts, groups driver.Buffer[uint32]
	pays          driver.Buffer[float32]
	tasks         int // of the kernel for ends
}

// The parameters of the kernels of kernels/pcs/pcs.cu.
type (
	strategyParams struct {
		Decisions                             driver.Buffer[uint32]
		Regrets, Strategy                     driver.Buffer[float32]
		NumDecisions, Buckets, Columns, Width uint32
	}
	reachParams struct {
		From, Deals             driver.Buffer[uint32]
		Strategy                driver.Buffer[float32]
		Buckets                 driver.Buffer[uint32]
		Before, Reach           driver.Buffer[float32]
		Hands, Width, NextWidth uint32
	}
	startParams struct {
		Reach        driver.Buffer[float32]
		Hands, Width uint32
	}
	endsParams struct {
		Parts, Groups                           driver.Buffer[uint32]
		Pays                                    driver.Buffer[float32]
		Order, Buckets                          driver.Buffer[uint32]
		Reach, Strategy, Values                 driver.Buffer[float32]
		NumParts, Boards, Hands, Deck, TwoCards uint32
	}
	updateParams struct {
		Sources, Decisions                              driver.Buffer[uint32]
		Rows, Starts, Hits                              driver.Buffer[uint32]
		NextLane                                        driver.Buffer[uint32]
		OwnReach, NextRoots, Values, Roots              driver.Buffer[float32]
		Regrets, Sums, Strategy                         driver.Buffer[float32]
		Hands, Columns, NumDecisions, NumEnds, NumDeals uint32
		Width, RoundWidth, NextWidth                    uint32
		RegretWeight, SumWeight                         float32
		Floor                                           uint32
	}
	// partWords has the layout of the kernel's struct Part.
	partWords struct {
		reach, strategy, values                                                uint64
		tasks, group, groups, pays, columns, width, numValues, round, lanes, _ uint32
	}
	// dealWords has the layout of the kernel's struct Deal.
	dealWords struct {
		table                        uint64
		stride, width, first, length uint32
		path                         [MaxPath]uint32
	}
)

// perBlock is how many threads a block has at most in loops over arrays.
const perBlock = 256

// SizeError is the error for a game with betting rounds that have too many actions for the
// kernels.
type SizeError struct{ Actions int }

func (e *SizeError) Error() string {
	return fmt.Sprintf("a betting round with %d actions does not fit in the shared memory of a GPU: one with fewer raises does", e.Actions)
}

// checkSize returns a [*SizeError] for a game whose parts are too large for a device with some
// bytes of shared memory a block.
func (g *Game) checkSize(shared int) error {
	for i := range g.Parts {
		p := &g.Parts[i]
		for player := range p.Programs {
			program := &p.Programs[player]
			if max(p.Columns[player], program.Values+p.Deals+len(program.Decisions)) > maxNumber || p.updateBytes(player, 1) > shared {
				return &SizeError{p.Columns[0] + p.Columns[1]}
			}
		}
	}
	return nil
}

// newDevice puts a share of a game on a device, with tables of zero.
func newDevice(d *driver.Device, g *share) (*device, error) {
	if err := errors.Join(g.checkSize(d.Info().SharedPerBlock), d.RequireMemory(g.Bytes())); err != nil {
		return nil, err
	}
	s := &device{game: g, gpu: launch.New(d, ptx.Modules, "pcs")}
	s.strategy = launch.Find[strategyParams](s.gpu, "pcs_strategy")
	s.reach = launch.Find[reachParams](s.gpu, "pcs_reach")
	s.start = launch.Find[startParams](s.gpu, "pcs_start")
	s.ends = launch.Find[endsParams](s.gpu, "pcs_ends")
	for _, k := range updateKernels {
		s.updates = append(s.updates, launch.Find[updateParams](s.gpu, k.name))
	}
	size := g.Boards * g.Hands
	s.order = launch.Alloc[uint32](s.gpu, size)
	for player := range g.abstractions() {
		s.cards = append(s.cards, s.cardsFor(player))
	}
	total := 0
	for i := range g.Parts {
		s.parts = append(s.parts, s.part(&g.Parts[i]))
		s.valuesAt = append(s.valuesAt, total)
		total += g.Values(i)
	}
	s.values = launch.Alloc[float32](s.gpu, total)
	for p := range s.players {
		s.players[p] = s.player(p)
	}
	for r := range g.Widths {
		s.rounds = append(s.rounds, s.round(r))
	}
	for p := range s.given {
		s.given[p] = launch.AllocPinned[float32](s.gpu, g.givenLen())
	}
	if s.gpu.Err == nil {
		s.gpu.Err = s.Match()
	}
	if s.gpu.Err != nil {
		return nil, errors.Join(s.gpu.Err, s.Close())
	}
	return s, nil
}

func (s *device) Close() error { return s.gpu.Close() }

func (s *device) part(p *Part) (b partBuffers) {
	b.next = launch.Upload(s.gpu, p.Next)
	for player := range p.Programs {
		program := &p.Programs[player]
		b.sources[player] = launch.Upload(s.gpu, program.packed())
		b.decisions[player] = launch.Upload(s.gpu, launch.Words(program.Decisions))
	}
	return b
}

// cardsFor makes the buffers of a player's card abstraction.
func (s *device) cardsFor(player int) (b cardBuffers) {
	size := s.game.Boards * s.game.Hands
	b.buckets, b.rounds = launch.Alloc[uint32](s.gpu, size*len(s.game.Widths)), make([]hitBuffers, len(s.game.Widths))
	for r := range b.rounds {
		part := slices.IndexFunc(s.game.Parts, func(p Part) bool { return p.Round == r })
		if part < 0 {
			continue
		}
		rows := min(s.game.Parts[part].Buckets[player], size)
		b.rounds[r] = hitBuffers{
			buckets: launch.Alloc[uint32](s.gpu, rows), starts: launch.Alloc[uint32](s.gpu, rows+1), hands: launch.Alloc[uint32](s.gpu, size),
		}
	}
	return b
}

// cardsOf returns the card abstraction of a player.
func (s *device) cardsOf(player int) *cardBuffers { return &s.cards[player%len(s.cards)] }

// round makes the buffers of a round, after those of the players.
func (s *device) round(r int) (b roundBuffers) {
	var from []uint32
	var deals [2][]dealWords
	for i := range s.game.Parts {
		p := &s.game.Parts[i]
		if p.Round != r {
			continue
		}
		from = append(from, p.From...)
		for player, paths := range p.Paths {
			for _, path := range paths {
				d := dealWords{
					table: uint64(s.players[player].tableAt[i]), stride: uint32(p.Columns[player] * p.Width), width: uint32(p.Width), first: uint32(p.First),
				}
				d.length = uint32(copy(d.path[:], path))
				deals[player] = append(deals[player], d)
			}
		}
	}
	b.from, b.roots = launch.Upload(s.gpu, from), launch.Alloc[float32](s.gpu, s.game.roots(r))
	for player := range deals {
		b.deals[player] = launch.Upload(s.gpu, launch.Words(deals[player]))
	}
	return b
}

func (s *device) player(p int) (b playerBuffers) {
	var parts []partWords
	var groups []group
	var pays []float32
	reach := 0
	for r := range s.game.Widths {
		b.reachAt = append(b.reachAt, reach)
		reach += s.game.Reach(r)
	}
	entries, opponents := 0, 0
	for i := range s.game.Parts {
		part := &s.game.Parts[i]
		program := &part.Programs[p]
		some := groupsOf(program.Ends)
		words := partWords{
			reach: uint64(b.reachAt[part.Round] + part.First), strategy: uint64(opponents), values: uint64(s.valuesAt[i]),
			tasks: uint32(len(some) * s.game.Boards * part.Width / launch.Warp), group: uint32(len(groups)), groups: uint32(len(some)), pays: uint32(len(pays)),
			columns: uint32(part.Columns[1-p]), width: uint32(part.Width), numValues: uint32(program.Values), round: uint32(part.Round), lanes: uint32(s.game.Widths[part.Round]),
		}
		parts, groups, pays = append(parts, words), append(groups, some...), append(pays, program.Pays...)
		b.tasks += int(words.tasks)
		b.tableAt = append(b.tableAt, entries)
		entries += s.game.Entries(i, p)
		opponents += s.game.Entries(i, 1-p)
	}
	b.parts, b.groups, b.pays = launch.Upload(s.gpu, launch.Words(parts)), launch.Upload(s.gpu, launch.Words(groups)), launch.Upload(s.gpu, pays)
	b.regrets, b.sums, b.strategy = launch.Alloc[float32](s.gpu, entries), launch.Alloc[float32](s.gpu, entries), launch.Alloc[float32](s.gpu, entries)
	b.reach = launch.Alloc[float32](s.gpu, reach)
	if s.gpu.Err == nil {
		hands, width := s.game.Boards*s.game.Hands, s.game.Widths[0]
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
func (s *device) Match() error {
	for i := range s.game.Parts {
		part := &s.game.Parts[i]
		for p := range s.players {
			b := &s.players[p]
			err := s.strategy.Launch(s.gpu.Stream, grid(part.Buckets[p]*part.Width), strategyParams{
				Decisions: s.parts[i].decisions[p], Regrets: b.regrets.Slice(b.tableAt[i], b.regrets.Len()), Strategy: b.strategy.Slice(b.tableAt[i], b.strategy.Len()),
				NumDecisions: uint32(len(part.Programs[p].Decisions)), Buckets: uint32(part.Buckets[p]), Columns: uint32(part.Columns[p]), Width: uint32(part.Width),
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
			if s.game.Widths[r] == 0 {
				continue
			}
			from, to := &b.Cards[i].Rounds[r], &s.cards[i].rounds[r]
			to.rows = len(from.Buckets)
			errs = append(errs,
				to.buckets.Slice(0, to.rows).Upload(s.gpu.Stream, from.Buckets),
				to.starts.Slice(0, to.rows+1).Upload(s.gpu.Stream, from.Starts),
				to.hands.Upload(s.gpu.Stream, from.Hands))
		}
	}
	return errors.Join(errs...)
}

// handsPerBlock is how many hands the blocks of the kernel for reach have.
const handsPerBlock = 8

// descend computes the reach of a player at the start of all rounds.
func (s *device) descend(player int) error {
	b, g := &s.players[player], s.game
	size := g.Boards * g.Hands
	for r := 1; r < len(g.Widths) && g.Widths[r] > 0; r++ {
		err := s.reach.Launch(s.gpu.Stream, driver.Grid{Blocks: (size + handsPerBlock - 1) / handsPerBlock, Threads: min(g.Widths[r], perBlock)}, reachParams{
			From: s.rounds[r].from, Deals: s.rounds[r-1].deals[player], Strategy: b.strategy, Buckets: s.cardsOf(player).buckets.Slice((r-1)*size, r*size),
			Before: b.reach.Slice(b.reachAt[r-1], b.reach.Len()), Reach: b.reach.Slice(b.reachAt[r], b.reach.Len()),
			Hands: uint32(size), Width: uint32(g.Widths[r-1]), NextWidth: uint32(g.Widths[r]),
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

// value values all ends for a player.
func (s *device) value(player int) error {
	b, other, g := &s.players[player], &s.players[1-player], s.game
	twoCards := uint32(0)
	if g.TwoCards {
		twoCards = 1
	}
	return s.ends.Launch(s.gpu.Stream, driver.Grid{
		Blocks: (b.tasks + endWarps - 1) / endWarps, Threads: endWarps * launch.Warp, Shared: endWarps * perWarp * (g.Deck + 1) * launch.Warp * 4,
	}, endsParams{
		Parts: b.parts, Groups: b.groups, Pays: b.pays, Order: s.order, Buckets: s.cardsOf(1 - player).buckets, Reach: other.reach, Strategy: other.strategy, Values: s.values,
		NumParts: uint32(len(g.Parts)), Boards: uint32(g.Boards), Hands: uint32(g.Hands), Deck: uint32(g.Deck), TwoCards: twoCards,
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

// updateKernel is a kernel that updates parts in which no decision, of either player, has more
// actions.
type updateKernel struct {
	name string
	most uint32
}

var updateKernels = []updateKernel{{"pcs_update_few", 3}, {"pcs_update_some", 6}, {"pcs_update_most", MaxActions}}

// updateKernel returns the number of the first kernel that updates the part.
func (p *Part) updateKernel() int {
	most := uint32(0)
	for player := range p.Programs {
		program := &p.Programs[player]
		for _, d := range program.Decisions {
			most = max(most, d.Actions)
		}
		for _, s := range slices.Concat(program.Columns, []Sources{program.Root}) {
			most = max(most, s.N)
		}
	}
	return slices.IndexFunc(updateKernels, func(k updateKernel) bool { return most <= k.most })
}

func (s *device) updatePart(player, i int, u Update) error {
	g, b, to := s.game, &s.players[player], &s.parts[i]
	part := &g.Parts[i]
	program, round, hits := &part.Programs[player], &s.rounds[part.Round], &s.cardsOf(player).rounds[part.Round]
	p := updateParams{
		Sources: to.sources[player], Decisions: to.decisions[player], Rows: hits.buckets, Starts: hits.starts, Hits: hits.hands, NextLane: to.next,
		OwnReach: b.reach.Slice(b.reachAt[part.Round]+part.First, b.reach.Len()), Values: s.values.Slice(s.valuesAt[i], s.values.Len()),
		Roots: round.roots.Slice(part.First, round.roots.Len()), NextRoots: round.roots,
		Regrets: b.regrets.Slice(b.tableAt[i], b.regrets.Len()), Sums: b.sums.Slice(b.tableAt[i], b.sums.Len()), Strategy: b.strategy.Slice(b.tableAt[i], b.strategy.Len()),
		Hands: uint32(g.Hands), Columns: uint32(part.Columns[player]), NumDecisions: uint32(len(program.Decisions)), NumEnds: uint32(program.Values),
		NumDeals: uint32(part.Deals), Width: uint32(part.Width), RoundWidth: uint32(g.Widths[part.Round]), RegretWeight: u.Regret, SumWeight: u.Sum,
	}
	if u.Floor {
		p.Floor = 1
	}
	if part.Deals > 0 {
		p.NextRoots, p.NextWidth = s.rounds[part.Round+1].roots, uint32(g.Widths[part.Round+1])
	}
	splits := g.Splits(i, player)
	return s.updates[part.updateKernel()].Launch(s.gpu.Stream, driver.Grid{
		Blocks: hits.rows * part.Width / launch.Warp, Threads: splits * launch.Warp, Shared: part.updateBytes(player, splits),
	}, p)
}

// table returns where the regrets of a player in a part are, or the sums of its strategies.
func (s *device) table(sums bool, player, part int) driver.Buffer[float32] {
	b := &s.players[player]
	from, to := b.tableAt[part], b.tableAt[part]+s.game.Entries(part, player)
	if sums {
		return b.sums.Slice(from, to)
	}
	return b.regrets.Slice(from, to)
}

// give copies the values at the start of the first divided round to this computer's memory, where
// others take them.
func (s *device) give(player int) error {
	n := s.game.givenLen()
	if n == 0 {
		return nil
	}
	return errors.Join(s.rounds[s.game.divided].roots.Slice(0, n).DownloadLater(s.gpu.Stream, s.given[player]), s.gpu.Stream.Sync())
}

// take copies what another device gave, which comes so many devices after this one.
func (s *device) take(player, behind int, other *device) error {
	n := s.game.givenLen()
	if n == 0 {
		return nil
	}
	return s.rounds[s.game.divided].roots.Slice(behind*n, (behind+1)*n).Upload(s.gpu.Stream, other.given[player].Data())
}
