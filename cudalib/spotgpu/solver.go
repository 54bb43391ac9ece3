package spotgpu

import (
	"errors"

	"gamebots/cudalib/driver"
	"gamebots/cudalib/internal/launch"
)

// Purpose is the purpose of a traversal.
type Purpose int

const (
	Improve Purpose = iota // update the entries of a player
	Respond                // value a player's best response to the average strategy
	Average                // value the average strategies for a player
)

// Work is what a traversal does. What follows Player is for Improve.
type Work struct {
	Purpose
	Player                             int
	Positive, Negative, Floor, Average float32
	Threshold                          uint32 // rounding's of entry 0, for entries of 16 bits
}

// Solver has a spot and its entries on a device. It is used by one goroutine at a time.
type Solver struct {
	gpu     *launch.Launcher
	game    Game
	streets []streetBuffers

	regrets, sums entries
	locks, start  driver.Buffer[float32]
	starts        [2]driver.Buffer[float32] // players' parts of start

	down      [2]*launch.Kernel[downParams] // to improve, and for the average strategy
	folds     *launch.Kernel[endParams]
	showdowns *launch.Kernel[endParams]
	deals     *launch.Kernel[dealParams]
	up        [3]*launch.Kernel[upParams] // kernel by purpose
}

// entries are floats, or two numbers of 16 bits a word and scales.
type entries struct {
	words  driver.Buffer[uint32]
	scales driver.Buffer[float32]
}

type streetBuffers struct {
	decisions, segments, deals   driver.Buffer[uint32]
	folds, showdowns             [2]endBuffers
	hands, terms, starts, lockOf driver.Buffer[uint32]
	places                       driver.Buffer[uint32]
	from, maps, orders           driver.Buffer[uint16]
	reach, values                driver.Buffer[float32]

	boards, widest int
}

type endBuffers struct {
	sequences, ends driver.Buffer[uint32]
	groups          int // groups of Side sequences
}

// The parameters of the kernels of spot.cu.
type (
	downParams struct {
		Decisions, Segments, Hands, Before driver.Buffer[uint32]
		From                               driver.Buffer[uint16]
		BeforeReach, Reach                 driver.Buffer[float32]
		Regrets                            driver.Buffer[uint32]
		RegretScales                       driver.Buffer[float32]
		Sums                               driver.Buffer[uint32]
		SumScales                          driver.Buffer[float32]
		LockOf                             driver.Buffer[uint32]
		Locks, Start                       driver.Buffer[float32]
		NumNodes, NumSegments              uint32
		Boards, Chunks, Owner              uint32
		Decay                              float32
		Threshold, Unweighted              uint32
	}
	endParams struct {
		Sequences, Ends, Hands driver.Buffer[uint32]
		Orders                 driver.Buffer[uint16]
		Starts, Places         driver.Buffer[uint32]
		Reach, Values          driver.Buffer[float32]
		Boards, Player         uint32
	}
	dealParams struct {
		Deals, Hands, Terms     driver.Buffer[uint32]
		Maps                    driver.Buffer[uint16]
		NextHands, NextSegments driver.Buffer[uint32]
		NextValues, Values      driver.Buffer[float32]
		Boards, Chunks, Player  uint32
	}
	upParams struct {
		Decisions, Segments, Hands       driver.Buffer[uint32]
		Values                           driver.Buffer[float32]
		Regrets                          driver.Buffer[uint32]
		RegretScales                     driver.Buffer[float32]
		Sums                             driver.Buffer[uint32]
		SumScales                        driver.Buffer[float32]
		LockOf                           driver.Buffer[uint32]
		Locks                            driver.Buffer[float32]
		NumNodes, Boards, Chunks, Player uint32
		Positive, Negative, Floor        float32
		Threshold                        uint32
	}
)

// Threads of blocks at most. At ends there is one for each list and sequence.
const (
	handThreads = 64
	endThreads  = 256
)

// New puts a spot on a device. The error is a [*driver.MemoryError] where too little memory is
// free.
func New(d *driver.Device, g Game) (*Solver, error) {
	if err := d.RequireMemory(g.Bytes()); err != nil {
		return nil, err
	}
	modules, suffix := []string{"spot"}, ""
	if g.Scales > 0 {
		modules, suffix = []string{"spot", "spot16"}, "_16"
	}
	s := &Solver{gpu: launch.New(d, Modules, modules...), game: g}
	l := s.gpu
	s.down[0], s.down[1] = launch.Find[downParams](l, "spot_down_improve"+suffix),
		launch.Find[downParams](l, "spot_down_average"+suffix)
	s.folds, s.showdowns = launch.Find[endParams](l, "spot_folds"), launch.Find[endParams](l, "spot_showdowns")
	s.deals = launch.Find[dealParams](l, "spot_deals")
	for purpose, name := range []string{Improve: "improve", Respond: "respond", Average: "average"} {
		s.up[purpose] = launch.Find[upParams](l, "spot_up_"+name+suffix)
	}
	s.regrets, s.sums, s.locks = newEntries(l, &g), newEntries(l, &g), launch.Upload(l, g.Locks)
	s.start = launch.Alloc[float32](l, len(g.Start[0])+len(g.Start[1]))
	for k := range g.Streets {
		s.streets = append(s.streets, newStreet(l, &g.Streets[k]))
	}
	if l.Err == nil {
		s.starts[0], s.starts[1] = s.start.Slice(0, len(g.Start[0])), s.start.Slice(len(g.Start[0]), s.start.Len())
		l.Err = errors.Join(s.SetStart(0, g.Start[0]), s.SetStart(1, g.Start[1]))
	}
	if l.Err == nil {
		l.Err = s.clear()
	}
	if l.Err != nil {
		return nil, errors.Join(l.Err, l.Close())
	}
	return s, nil
}

// newEntries makes room for entries.
func newEntries(l *launch.Launcher, g *Game) (e entries) {
	if g.Scales > 0 {
		e.scales = launch.Alloc[float32](l, int(g.Scales))
		e.words = launch.Alloc[uint32](l, int(g.Entries/2))
		return e
	}
	e.words = launch.Alloc[uint32](l, int(g.Entries))
	return e
}

// clear sets the entries as they are at the beginning.
func (s *Solver) clear() error {
	var failed error
	for _, e := range []*entries{&s.regrets, &s.sums} {
		failed = errors.Join(failed, e.words.Zero(s.gpu.Stream))
		if s.game.Scales > 0 {
			failed = errors.Join(failed, e.scales.Zero(s.gpu.Stream))
			continue
		}
		for _, g := range s.game.Given {
			at := e.words.Slice(int(g.At), int(g.At)+len(g.Entries))
			failed = errors.Join(failed, at.Upload(s.gpu.Stream, launch.Words(g.Entries)))
		}
	}
	return failed
}

// newStreet uploads a street and makes room for its vectors.
func newStreet(l *launch.Launcher, g *Street) streetBuffers {
	b := streetBuffers{
		decisions: launch.Upload(l, launch.Words(g.Decisions)), segments: launch.Upload(l, launch.Words(g.Segments)),
		deals: launch.Upload(l, launch.Words(g.Deals)),
		hands: launch.Upload(l, launch.Words(g.Hands)),
		terms: launch.Upload(l, g.Terms), starts: launch.Upload(l, g.Starts),
		places: launch.Upload(l, launch.Words(g.Places)),
		from:   launch.Upload(l, g.From), maps: launch.Upload(l, g.Maps), orders: launch.Upload(l, g.Orders),
		boards: len(g.Hands) / 2,
	}
	for p := range b.folds {
		b.folds[p], b.showdowns[p] = newEnds(l, &g.Folds[p]), newEnds(l, &g.Showdowns[p])
	}
	if len(g.LockOf) > 0 {
		b.lockOf = launch.Upload(l, g.LockOf)
	}
	reach, values := g.vectors()
	b.reach, b.values = launch.Alloc[float32](l, reach), launch.Alloc[float32](l, values)
	for _, h := range g.Hands {
		b.widest = max(b.widest, int(h.Width))
	}
	return b
}

func newEnds(l *launch.Launcher, e *Ends) (b endBuffers) {
	if b.groups = len(e.Sequences) / Side; b.groups > 0 {
		b.sequences, b.ends = launch.Upload(l, launch.Words(e.Sequences)), launch.Upload(l, launch.Words(e.Ends))
	}
	return b
}

// SetStart sets the reach of the first hands of a player at the root.
func (s *Solver) SetStart(player int, reach []float32) error {
	return s.starts[player].Slice(0, len(reach)).Upload(s.gpu.Stream, reach)
}

// Traverse does work, and copies the values of the player's hands at the root. Without values it
// does not wait for the device, whose errors a later call returns.
func (s *Solver) Traverse(w Work, values []float32) error {
	for k := range s.streets {
		if err := s.launchDown(w, k); err != nil {
			return err
		}
	}
	for k := len(s.streets) - 1; k >= 0; k-- {
		if err := errors.Join(
			s.launchEnds(w, k, s.folds, &s.streets[k].folds[w.Player], 1),
			s.launchEnds(w, k, s.showdowns, &s.streets[k].showdowns[w.Player], 3),
			s.launchDeals(w, k),
			s.launchUp(w, k),
		); err != nil {
			return err
		}
	}
	if len(values) == 0 {
		return nil
	}
	at := int(s.game.Streets[0].Hands[w.Player].Values)
	return s.streets[0].values.Slice(at, at+len(values)).Download(s.gpu.Stream, values)
}

// abreast is the number of hands of a thread at decisions.
func (s *Solver) abreast() int {
	if s.game.Scales > 0 {
		return Block
	}
	return Abreast
}

// grid returns a grid of threads for the hands on the boards of a street, so many abreast, at some places,
// and the blocks for the hands of a board.
func (b *streetBuffers) grid(places, abreast int) (g driver.Grid, chunks uint32) {
	threads := (b.widest + abreast - 1) / abreast
	n := (threads + handThreads - 1) / handThreads
	g.Threads = ((threads+n-1)/n + launch.Warp - 1) / launch.Warp * launch.Warp
	g.Blocks = n * b.boards * places
	return g, uint32(n)
}

func (s *Solver) launchDown(w Work, k int) error {
	b, kernel, players := &s.streets[k], s.down[0], 2
	if w.Purpose != Improve {
		kernel, players = s.down[1], 1
	}
	segments := len(s.game.Streets[k].Segments) - 1
	g, chunks := b.grid(players*segments, s.abreast())
	p := downParams{
		Decisions: b.decisions, Segments: b.segments, Hands: b.hands, From: b.from, Reach: b.reach,
		Regrets: s.regrets.words, RegretScales: s.regrets.scales, Sums: s.sums.words, SumScales: s.sums.scales,
		LockOf: b.lockOf, Locks: s.locks, Start: s.start,
		NumNodes: uint32(s.game.Streets[k].Nodes), NumSegments: uint32(segments),
		Boards: uint32(b.boards), Chunks: chunks,
		Owner: uint32(w.Player), Decay: w.Average, Threshold: w.Threshold,
	}
	if s.game.Unweighted {
		p.Unweighted = 1
	}
	if k > 0 {
		p.Before, p.BeforeReach = s.streets[k-1].hands, s.streets[k-1].reach
	}
	return kernel.Launch(s.gpu.Stream, g, p)
}

// launchEnds values ends, whose blocks need room for sums of each hand, and for one of each
// list.
func (s *Solver) launchEnds(w Work, k int, kernel *launch.Kernel[endParams], ends *endBuffers, sums int) error {
	if ends.groups == 0 {
		return nil
	}
	b := &s.streets[k]
	return kernel.Launch(s.gpu.Stream, driver.Grid{Blocks: ends.groups * b.boards, Threads: endThreads,
		Shared: 4 * Side * (sums*b.widest + NumLists)}, endParams{
		Sequences: ends.sequences, Ends: ends.ends, Hands: b.hands, Orders: b.orders, Starts: b.starts,
		Places: b.places, Reach: b.reach, Values: b.values,
		Boards: uint32(b.boards), Player: uint32(w.Player),
	})
}

func (s *Solver) launchDeals(w Work, k int) error {
	n := len(s.game.Streets[k].Deals)
	if n == 0 {
		return nil
	}
	b, next := &s.streets[k], &s.streets[k+1]
	g, chunks := b.grid(n, Abreast)
	return s.deals.Launch(s.gpu.Stream, g, dealParams{
		Deals: b.deals, Hands: b.hands, Terms: b.terms, Maps: b.maps, NextHands: next.hands,
		NextSegments: next.segments,
		NextValues:   next.values, Values: b.values, Boards: uint32(b.boards), Chunks: chunks, Player: uint32(w.Player),
	})
}

func (s *Solver) launchUp(w Work, k int) error {
	b := &s.streets[k]
	g, chunks := b.grid(len(s.game.Streets[k].Segments)-1, s.abreast())
	return s.up[w.Purpose].Launch(s.gpu.Stream, g, upParams{
		Decisions: b.decisions, Segments: b.segments, Hands: b.hands, Values: b.values,
		Regrets: s.regrets.words, RegretScales: s.regrets.scales, Sums: s.sums.words, SumScales: s.sums.scales,
		LockOf: b.lockOf, Locks: s.locks,
		NumNodes: uint32(s.game.Streets[k].Nodes), Boards: uint32(b.boards), Chunks: chunks, Player: uint32(w.Player),
		Positive: w.Positive, Negative: w.Negative, Floor: w.Floor, Threshold: w.Threshold,
	})
}

// Entries are some to read, from the place At on: floats, or numbers of 16 bits, and their scales from ScaleAt on.
type Entries struct {
	At, ScaleAt int64
	Floats      []float32
	Packed      []int16
	Scales      []float32
}

// Regrets and Sums read regrets and sums of strategies.
func (s *Solver) Regrets(to Entries) error { return s.read(&s.regrets, to) }
func (s *Solver) Sums(to Entries) error    { return s.read(&s.sums, to) }

func (s *Solver) read(from *entries, to Entries) error {
	at := int(to.At)
	if s.game.Scales == 0 {
		return from.words.Slice(at, at+len(to.Floats)).Download(s.gpu.Stream, launch.Words(to.Floats))
	}
	scaleAt := int(to.ScaleAt)
	return errors.Join(
		from.words.Slice(at/2, (at+len(to.Packed))/2).Download(s.gpu.Stream, launch.Words(to.Packed)),
		from.scales.Slice(scaleAt, scaleAt+len(to.Scales)).Download(s.gpu.Stream, to.Scales),
	)
}

// Reach copies the reach that the last traversal has left of a player's hands on a board, in a slot of a street.
func (s *Solver) Reach(street, board, player int, slot uint32, to []float32) error {
	h := &s.game.Streets[street].Hands[2*board+player]
	at := int(h.Reach) + int(slot)*int(h.Width)
	return s.streets[street].reach.Slice(at, at+len(to)).Download(s.gpu.Stream, to)
}

// Values copies the values that the last traversal has left of a player's hands on a board, at a node of a street and
// those that follow it.
func (s *Solver) Values(street, board, player int, node uint32, to []float32) error {
	h := &s.game.Streets[street].Hands[2*board+player]
	at := int(h.Values) + int(node)*int(h.Width)
	return s.streets[street].values.Slice(at, at+len(to)).Download(s.gpu.Stream, to)
}

// CopyFrom copies all entries of the solver of as many on the device, whose work must be done.
func (s *Solver) CopyFrom(other *Solver) error {
	var failed error
	for _, e := range [][2]*entries{{&s.regrets, &other.regrets}, {&s.sums, &other.sums}} {
		failed = errors.Join(failed, e[0].words.CopyFrom(s.gpu.Stream, e[1].words))
		if s.game.Scales > 0 {
			failed = errors.Join(failed, e[0].scales.CopyFrom(s.gpu.Stream, e[1].scales))
		}
	}
	return failed
}

// Bytes returns the device memory that the spot takes.
func (s *Solver) Bytes() int64 { return s.game.Bytes() }

// Sync waits until all work is done.
func (s *Solver) Sync() error { return s.gpu.Stream.Sync() }

// Close frees the device memory.
func (s *Solver) Close() error { return s.gpu.Close() }
