package spotgpu

import (
	"cmp"
	"embed"
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

// Work is what a traversal does.
type Work struct {
	Purpose
	Player int
	Visits [3]Visit // how decisions are improved, by street
	// Rotates leaves out the rivers that are not in a part, and lets those in it count for all.
	Rotates bool
	Part    int
}

// Visit is how decisions are improved.
type Visit struct {
	Positive, Negative, Floor, Average float32
	Threshold                          uint32 // rounding's of entry 0, for entries of 16 bits
}

// Solver has a spot and its entries on a device. It is used by one goroutine at a time.
type Solver struct {
	gpu     *launch.Launcher
	game    Game
	streets [3]streetBuffers

	regrets, sums entries
	locks, start  driver.Buffer[float32]
	lockOf        driver.Buffer[uint32]

	// starts is what start will be before the next traversal, if it has changed, and sent whether it may be on its way.
	starts        driver.Pinned[float32]
	changed, sent bool
	// Entries are copied through these.
	words  driver.Pinned[uint32]
	scales driver.Pinned[float32]

	tasks driver.Buffer[uint32]
	plans [3][]plan // tasks by street and wave
	last  Work      // work of the last traversal
	left  [2]int    // waves of rivers whose vectors it has left, by the memory that they use

	// Every other wave is passed on a stream of its own: while some kernels wait for memory, others compute.
	streams [2]*driver.Stream
	ready   [2]*driver.Event // what the second stream begins after, and its end

	// Reach is computed of both players or of the other one to improve, or of one for the average strategy.
	down             [3]*launch.Kernel[bettingParams]
	folds, showdowns *launch.Kernel[endParams]
	deals            *launch.Kernel[dealParams]
	up               [3]*launch.Kernel[bettingParams] // kernel by purpose
}

// plan is where the tasks of the kernels are on the boards of a wave. The deals are those of the street before, where
// there are waves.
type plan struct {
	segments, deals  sections
	folds, showdowns [2]sections // ends by the player whose hands are valued
}

// sections are where the tasks on the parts of the rivers begin, and where the last ones end. Before the river they
// are not parted.
type sections []int

// of returns the tasks of a traversal.
func (s sections) of(w Work) Range {
	if w.Rotates && len(s) > 2 {
		return Range{s[w.Part], s[w.Part+1]}
	}
	return Range{s[0], s[len(s)-1]}
}

// entries are floats, or two numbers of 16 bits a word and scales.
type entries struct {
	words  driver.Buffer[uint32]
	scales driver.Buffer[float32]
}

type streetBuffers struct {
	decisions, segments, deals driver.Buffer[uint32]
	folds, showdowns           [2]driver.Buffer[uint32]
	hands, terms               driver.Buffer[uint32]
	starts, places             driver.Buffer[uint32]
	from, maps, orders         driver.Buffer[uint16]
	reach, values              driver.Buffer[float32]

	widest int
}

// The parameters of the kernels of spot.cu.
type (
	bettingParams struct {
		Tasks, Decisions, Segments, Hands, Before driver.Buffer[uint32]
		From                                      driver.Buffer[uint16]
		BeforeReach, Start, Reach, Values         driver.Buffer[float32]
		Regrets                                   driver.Buffer[uint32]
		RegretScales                              driver.Buffer[float32]
		Sums                                      driver.Buffer[uint32]
		SumScales                                 driver.Buffer[float32]
		LockOf                                    driver.Buffer[uint32]
		Locks                                     driver.Buffer[float32]
		NumTasks, Chunks, Player                  uint32
		Follows                                   bool // no street follows that begins with the own reach
		Decay, Positive, Negative, Floor          float32
		Threshold                                 uint32
	}
	endParams struct {
		Tasks, Ends, Hands driver.Buffer[uint32]
		Orders             driver.Buffer[uint16]
		Starts, Places     driver.Buffer[uint32]
		Reach, Values      driver.Buffer[float32]
		Player             uint32
	}
	dealParams struct {
		Tasks, Deals, Hands, Terms driver.Buffer[uint32]
		Maps                       driver.Buffer[uint16]
		NextHands, NextSegments    driver.Buffer[uint32]
		NextValues, Values         driver.Buffer[float32]
		Chunks, Player             uint32
		Part, Parts                uint32 // number the next boards
	}
)

// handThreads is the number of threads of a block at decisions and deals at most.
const handThreads = 64

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
	for i, name := range []string{"improve", "other", "average"} {
		s.down[i] = launch.Find[bettingParams](l, "spot_down_"+name+suffix)
	}
	s.folds, s.showdowns = launch.Find[endParams](l, "spot_folds"), launch.Find[endParams](l, "spot_showdowns")
	s.deals = launch.Find[dealParams](l, "spot_deals")
	for purpose, name := range []string{Improve: "improve", Respond: "respond", Average: "average"} {
		s.up[purpose] = launch.Find[bettingParams](l, "spot_up_"+name+suffix)
	}
	s.regrets, s.sums = newEntries(l, &g), newEntries(l, &g)
	s.locks, s.start = launch.Upload(l, g.Locks), launch.Upload(l, g.Start)
	s.lockOf = launch.Upload(l, g.LockOf)
	s.words, s.scales = launch.AllocPinned[uint32](l, staged), launch.AllocPinned[float32](l, staged/Block)
	s.starts = launch.AllocPinned[float32](l, len(g.Start))
	s.streams = [2]*driver.Stream{l.Stream, launch.Keep(l, d.NewStream)}
	for i := range s.ready {
		s.ready[i] = launch.Keep(l, d.NewEvent)
	}
	s.tasks = launch.Upload(l, launch.Words(s.plan()))
	for k := range g.Streets {
		s.streets[k] = newStreet(l, &g.Streets[k])
	}
	if l.Err == nil {
		copy(s.starts.Data(), g.Start)
	}
	return launch.Finish(l, s)
}

// newEntries makes entries as they are at the beginning.
func newEntries(l *launch.Launcher, g *Game) (e entries) {
	if g.Scales > 0 {
		e.scales = launch.Zeros[float32](l, int(g.Scales))
		e.words = launch.Zeros[uint32](l, int(g.Entries/2))
		return e
	}
	e.words = launch.Zeros[uint32](l, int(g.Entries))
	for _, x := range g.Given {
		l.Try(func() error {
			return e.words.Slice(int(x.At), int(x.At)+len(x.Entries)).Upload(l.Stream, launch.Words(x.Entries))
		})
	}
	return e
}

// newStreet uploads a street and makes room for its vectors.
func newStreet(l *launch.Launcher, g *Street) streetBuffers {
	b := streetBuffers{
		decisions: launch.Upload(l, launch.Words(g.Decisions)), segments: launch.Upload(l, launch.Words(g.Segments)),
		deals:  launch.Upload(l, launch.Words(g.Deals)),
		hands:  launch.Upload(l, launch.Words(g.Hands)),
		terms:  launch.Upload(l, g.Terms),
		starts: launch.Upload(l, g.Starts), places: launch.Upload(l, launch.Words(g.Places)),
		orders: launch.Upload(l, g.Orders),
		from:   launch.Upload(l, g.From), maps: launch.Upload(l, g.Maps),
		reach: launch.Alloc[float32](l, max(1, g.reach)), values: launch.Alloc[float32](l, max(1, g.values)),
		widest: g.widest(),
	}
	for p := range b.folds {
		b.folds[p] = launch.Upload(l, launch.Words(g.Folds[p]))
		b.showdowns[p] = launch.Upload(l, launch.Words(g.Showdowns[p]))
	}
	return b
}

// plan lists all tasks.
func (s *Solver) plan() (all []Task) {
	river := len(s.plans) - 1
	list := func(k int, boards Range, items int) (found sections) {
		parts := 1
		if k == river {
			parts = s.game.Parts
		}
		for part := range parts {
			found = append(found, len(all))
			for board := boards.First; board < boards.End; board++ {
				for item := 0; item < items && board%parts == part; item++ {
					all = append(all, Task{uint32(board), uint32(item)})
				}
			}
		}
		return append(found, len(all))
	}
	for k := range s.plans {
		g, wave := &s.game.Streets[k], Range{}
		for _, wave.End = range g.waves {
			p := plan{segments: list(k, wave, len(g.Segments)-1), deals: sections{0, 0}}
			for q := range 2 {
				p.folds[q] = list(k, wave, len(g.Folds[q])/Side)
				p.showdowns[q] = list(k, wave, len(g.Showdowns[q])/Side)
			}
			if k > 0 {
				p.deals = list(k-1, g.before(wave), len(s.game.Streets[k-1].Deals))
			}
			s.plans[k] = append(s.plans[k], p)
			wave.First = wave.End
		}
	}
	return all
}

// SetStart sets the reach of the first hands of a player at the root, before the next traversal.
func (s *Solver) SetStart(player int, reach []float32) error {
	if s.sent {
		if err := s.Sync(); err != nil {
			return err
		}
		s.sent = false
	}
	copy(s.starts.Data()[s.game.Streets[s.game.First].Hands[player].From:], reach)
	s.changed = true
	return nil
}

// Traverse does work. It does not wait for the device, whose errors a later call returns.
func (s *Solver) Traverse(w Work) error {
	if s.changed {
		s.changed = false
		if err := s.start.UploadLater(s.gpu.Stream, s.starts); err != nil {
			return err
		}
		s.sent = true
	}
	s.last = w
	river := len(s.plans) - 1
	var errs []error
	for k := range river {
		errs = append(errs, s.launchDown(w, k, s.plans[k][0].segments.of(w), s.gpu.Stream))
	}
	waves := len(s.plans[river])
	if waves > 1 {
		errs = append(errs, s.ready[0].Record(s.gpu.Stream), s.streams[1].Wait(s.ready[0]))
	}
	for wave := range waves {
		errs = append(errs, s.passWave(wave, s.streams[wave%2]))
	}
	if waves > 1 {
		errs = append(errs, s.ready[1].Record(s.streams[1]), s.gpu.Stream.Wait(s.ready[1]))
	}
	for k := river - 1; k >= 0; k-- {
		errs = append(errs, s.launchBack(w, k, &s.plans[k][0], s.gpu.Stream))
	}
	return cmp.Or(errs...) // the others say the same
}

// passWave passes a wave of rivers on a stream.
func (s *Solver) passWave(wave int, on *driver.Stream) error {
	river := len(s.plans) - 1
	p := &s.plans[river][wave]
	s.left[wave%2] = wave
	return errors.Join(s.launchDown(s.last, river, p.segments.of(s.last), on), s.launchBack(s.last, river, p, on))
}

// launchBack values a street, and the deals that lead there.
func (s *Solver) launchBack(w Work, k int, p *plan, on *driver.Stream) error {
	return errors.Join(
		s.launchEnds(k, w.Player, p.folds[w.Player].of(w), false, on),
		s.launchEnds(k, w.Player, p.showdowns[w.Player].of(w), true, on),
		s.launchUp(w, k, p.segments.of(w), on),
		s.launchDeals(w, k-1, p.deals.of(w), on),
	)
}

// taskWords are the words of a task.
const taskWords = 2

func (s *Solver) tasksOf(r Range) driver.Buffer[uint32] {
	return s.tasks.Slice(taskWords*r.First, taskWords*r.End)
}

// abreast is the number of hands of a thread at decisions.
func (s *Solver) abreast() int {
	if s.game.Scales > 0 {
		return AbreastPacked
	}
	return Abreast
}

// grid returns a grid of threads for the hands on the boards of a street, so many abreast, in some tasks,
// and the blocks of a task.
func (b *streetBuffers) grid(tasks, abreast int) (g driver.Grid, chunks uint32) {
	threads := (b.widest + abreast - 1) / abreast
	n := (threads + handThreads - 1) / handThreads
	g.Threads = launch.Whole((threads + n - 1) / n)
	g.Blocks = n * tasks
	return g, uint32(n)
}

// betting returns the parameters of the kernels of the betting for some tasks.
func (s *Solver) betting(w Work, k int, tasks Range) bettingParams {
	b, v := &s.streets[k], &w.Visits[k]
	p := bettingParams{
		Tasks: s.tasksOf(tasks), Decisions: b.decisions, Segments: b.segments, Hands: b.hands, From: b.from,
		Start: s.start, Reach: b.reach, Values: b.values, Regrets: s.regrets.words, RegretScales: s.regrets.scales,
		Sums: s.sums.words, SumScales: s.sums.scales, LockOf: s.lockOf, Locks: s.locks,
		NumTasks: uint32(tasks.len()), Player: uint32(w.Player),
		Follows: k == len(s.streets)-1,
		Decay:   v.Average, Positive: v.Positive, Negative: v.Negative, Floor: v.Floor, Threshold: v.Threshold,
	}
	if k > 0 {
		p.Before, p.BeforeReach = s.streets[k-1].hands, s.streets[k-1].reach
	}
	return p
}

// launchDown computes reach: of both players to improve before the river, and else of the other one only.
func (s *Solver) launchDown(w Work, k int, tasks Range, on *driver.Stream) error {
	if tasks.len() == 0 {
		return nil
	}
	kernel, n, p := s.down[2], tasks.len(), s.betting(w, k, tasks)
	switch {
	case w.Purpose == Improve && !p.Follows:
		kernel, n = s.down[0], 2*n
	case w.Purpose == Improve:
		kernel = s.down[1]
	}
	var g driver.Grid
	g, p.Chunks = s.streets[k].grid(n, s.abreast())
	return kernel.Launch(on, g, p)
}

// endThreads is the number of threads of a block at ends: one for each list and end.
const endThreads = 256

// launchEnds values folds, or ends at which hands are compared. Blocks need room for sums of each hand, and for one of
// each list.
func (s *Solver) launchEnds(k, player int, tasks Range, compared bool, on *driver.Stream) error {
	if tasks.len() == 0 {
		return nil
	}
	b := &s.streets[k]
	kernel, ends, sums := s.folds, b.folds[player], 1
	if compared {
		kernel, ends, sums = s.showdowns, b.showdowns[player], 3
	}
	return kernel.Launch(on, driver.Grid{
		Blocks: tasks.len(), Threads: endThreads, Shared: 4 * Side * (sums*b.widest + NumLists),
	}, endParams{
		Tasks: s.tasksOf(tasks), Ends: ends, Hands: b.hands, Orders: b.orders, Starts: b.starts, Places: b.places,
		Reach: b.reach, Values: b.values, Player: uint32(player),
	})
}

func (s *Solver) launchDeals(w Work, k int, tasks Range, on *driver.Stream) error {
	if tasks.len() == 0 {
		return nil
	}
	b, next := &s.streets[k], &s.streets[k+1]
	g, chunks := b.grid(tasks.len(), Abreast)
	part, parts := 0, 1
	if w.Rotates && k+1 == len(s.streets)-1 {
		part, parts = w.Part, s.game.Parts
	}
	return s.deals.Launch(on, g, dealParams{
		Tasks: s.tasksOf(tasks), Deals: b.deals, Hands: b.hands, Terms: b.terms, Maps: b.maps, NextHands: next.hands,
		NextSegments: next.segments, NextValues: next.values, Values: b.values,
		Chunks: chunks, Player: uint32(w.Player), Part: uint32(part), Parts: uint32(parts),
	})
}

func (s *Solver) launchUp(w Work, k int, tasks Range, on *driver.Stream) error {
	if tasks.len() == 0 {
		return nil
	}
	var g driver.Grid
	p := s.betting(w, k, tasks)
	g, p.Chunks = s.streets[k].grid(tasks.len(), s.abreast())
	return s.up[w.Purpose].Launch(on, g, p)
}

// Entries are some to read, from the place At on: floats, or numbers of 16 bits, and their scales from ScaleAt on.
type Entries struct {
	At, ScaleAt int64
	Floats      []float32
	Packed      []int16
	Scales      []float32
}

// Read reads some of a table: 0 are the regrets, 1 the sums of strategies.
func (s *Solver) Read(table int, to Entries) error {
	e, at, scaleAt := []*entries{&s.regrets, &s.sums}[table], int(to.At), int(to.ScaleAt)
	if s.game.Scales == 0 {
		return readStaged(s, e.words.Slice(at, at+len(to.Floats)), launch.Words(to.Floats), s.words)
	}
	return errors.Join(
		readStaged(s, e.words.Slice(at/2, (at+len(to.Packed))/2), launch.Words(to.Packed), s.words),
		readStaged(s, e.scales.Slice(scaleAt, scaleAt+len(to.Scales)), to.Scales, s.scales),
	)
}

// staged is how many words are copied at a time.
const staged = 1 << 18

// readStaged copies a buffer to the host through pinned memory. So the device has time for other solvers meanwhile.
func readStaged[T driver.Element](s *Solver, device driver.Buffer[T], host []T, through driver.Pinned[T]) (err error) {
	for len(host) > 0 && err == nil {
		n := min(len(host), through.Len())
		stage := through.Slice(0, n)
		err = errors.Join(device.Slice(0, n).DownloadLater(s.gpu.Stream, stage), s.Sync())
		copy(host, stage.Data()[:n])
		device, host = device.Slice(n, device.Len()), host[n:]
	}
	return err
}

// Reach copies the reach that the last traversal has left of a player's hands on a board, in a slot of a street.
func (s *Solver) Reach(street, board, player int, slot uint32, to []float32) error {
	h := &s.game.Streets[street].Hands[2*board+player]
	at := int(h.Reach) + int(slot)*int(h.Width)
	return s.vector(street, board, &s.streets[street].reach, at, to)
}

// Values copies the values that the last traversal has left of a player's hands on a board, at a node of a street.
func (s *Solver) Values(street, board, player int, node uint32, to []float32) error {
	h := &s.game.Streets[street].Hands[2*board+player]
	at := int(h.Values) + int(node)*int(h.Width)
	return s.vector(street, board, &s.streets[street].values, at, to)
}

// vector copies a vector of a board, whose wave it passes again if another one has taken its place.
func (s *Solver) vector(street, board int, from *driver.Buffer[float32], at int, to []float32) error {
	g := &s.game.Streets[street]
	if wave := g.wave(board); len(g.waves) > 1 && wave != s.left[wave%2] {
		if err := s.passWave(wave, s.gpu.Stream); err != nil {
			return err
		}
	}
	return from.Slice(at, at+len(to)).Download(s.gpu.Stream, to)
}

// Bytes returns the device memory that the spot takes.
func (s *Solver) Bytes() int64 { return s.game.Bytes() }

// Sync waits until all work is done.
func (s *Solver) Sync() error { return s.gpu.Stream.Sync() }

// Close frees the device memory.
func (s *Solver) Close() error { return s.gpu.Close() }

// Modules are the compiled kernels, NAME.ptx.gz for each source NAME.cu.
//
//go:embed *.ptx.gz
var Modules embed.FS
