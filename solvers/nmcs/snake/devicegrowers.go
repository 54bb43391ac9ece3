package snake

import (
	"context"
	"errors"
	"slices"

	"gamebots/cudalib"
	"gamebots/cudalib/snakegpu"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
)

// DeviceGrowers makes the beam searches of growers for [Halves] on a device: those for
// halves hundreds or more at a time, those in the whole cube one by one.
type DeviceGrowers struct {
	device   *cudalib.Device
	wide     int           // width of beams in the whole cube
	wideSlot chan struct{} // held during one of those
	growers  map[int][]Grower
	requests chan deviceRequest
	stop     context.CancelFunc
	stopped  chan struct{}
}

// snakeBatch returns how many searches a device makes for a snake at the same time. Snakes of high
// dimensions take more searches, which take longer. So a device improves fewer of them at a time:
// each would otherwise have had too few when the time is over.
func snakeBatch(dimension int) int { return 1 << (2 * max(0, dimension-10)) }

// deviceRequest is a request for a beam search.
type deviceRequest struct {
	Settings
	start snakegpu.NarrowStart
	reply chan<- deviceReply
}

type deviceReply struct {
	found []uint8 // edges
	work  nmcs.Work
	err   error
}

// NewDeviceGrowers returns growers whose beam searches a device makes, until it is closed.
// Beams in the whole cube have the width of the settings; those for halves at most what fits
// into a block of the device.
func NewDeviceGrowers(d *cudalib.Device, s Settings) (*DeviceGrowers, error) {
	if err := errors.Join(s.Check(), s.CheckDevice()); err != nil {
		return nil, err
	}
	g := &DeviceGrowers{device: d, wide: s.Width, wideSlot: make(chan struct{}, 1), growers: map[int][]Grower{}, stopped: make(chan struct{})}
	most := 0
	for dimension := min(firstDimension, s.Rules.Dimension); dimension <= s.Rules.Dimension; dimension++ {
		one := Grower{Width: min(s.Width, snakegpu.MaxNarrowWidth(dimension-1)), Batch: snakeBatch(dimension), Beam: g.beam}
		beams, err := snakegpu.NewNarrowBeams(d, dimension-1, one.Width, 0)
		if err != nil {
			return nil, err
		}
		// While some searches are on the device, as many others are being prepared.
		g.growers[dimension] = slices.Repeat([]Grower{one}, max(1, 2*beams.MaxBatch()/one.Batch))
		if err := beams.Close(); err != nil {
			return nil, err
		}
		most = max(most, 2*beams.MaxBatch())
	}
	g.requests = make(chan deviceRequest, most)
	ctx, stop := context.WithCancel(context.Background())
	g.stop = stop
	go g.serve(ctx)
	return g, nil
}

// Of returns the growers for a dimension: the higher it is, the more of the device each of their
// searches needs, the more searches they make at a time, and the fewer they are.
func (g *DeviceGrowers) Of(dimension int) []Grower { return g.growers[dimension] }

// Close frees the memory on the device. No grower may be in use.
func (g *DeviceGrowers) Close() error {
	g.stop()
	<-g.stopped
	return nil
}

// beam makes a beam search; one for a half is batched with others.
func (g *DeviceGrowers) beam(ctx context.Context, s Settings) (cube.Sequence, nmcs.Work, error) {
	if !s.Rules.Free {
		select {
		case g.wideSlot <- struct{}{}:
		case <-ctx.Done():
			return nil, nmcs.Work{}, nil
		}
		defer func() { <-g.wideSlot }()
		s.Width = g.wide
		return DeviceBeam(ctx, g.device, s, nil)
	}
	reply := make(chan deviceReply, 1)
	select {
	case g.requests <- deviceRequest{s, s.narrowStart(), reply}:
	case <-ctx.Done():
		return nil, nmcs.Work{}, nil
	}
	select {
	case r := <-reply:
		if r.err != nil || r.found == nil {
			return nil, r.work, r.err
		}
		return s.whole(r.found), r.work, nil
	case <-ctx.Done():
		return nil, nmcs.Work{}, nil
	}
}

// serve answers requests, in batches as large as fit.
func (g *DeviceGrowers) serve(ctx context.Context) {
	defer close(g.stopped)
	var beams *snakegpu.NarrowBeams
	dimension := 0
	defer func() {
		if beams != nil {
			beams.Close()
		}
	}()
	for {
		var batch []deviceRequest
		select {
		case r := <-g.requests:
			batch = append(batch, r)
		case <-ctx.Done():
			return
		}
		var err error
		if d := batch[0].Rules.Dimension; beams == nil || d != dimension {
			if beams != nil {
				err = beams.Close()
				beams = nil
			}
			if err == nil {
				beams, err = snakegpu.NewNarrowBeams(g.device, d, batch[0].Width, 0)
			}
			dimension = d
		}
		batch = g.takeRequests(batch, dimension, beams)
		g.answer(batch, beams, err)
	}
}

// takeRequests appends waiting requests to a batch.
func (g *DeviceGrowers) takeRequests(batch []deviceRequest, dimension int, beams *snakegpu.NarrowBeams) []deviceRequest {
	for beams != nil && len(batch) < beams.MaxBatch() {
		select {
		case r := <-g.requests:
			if r.Rules.Dimension != dimension { // of a chain that was stopped
				r.reply <- deviceReply{}
				continue
			}
			batch = append(batch, r)
		default:
			return batch
		}
	}
	return batch
}

// answer makes the searches of a batch.
func (g *DeviceGrowers) answer(batch []deviceRequest, beams *snakegpu.NarrowBeams, err error) {
	var found [][]uint8
	var rated uint64
	if err == nil {
		// The device takes one search after the other. Long ones at the end would keep a few of
		// its multiprocessors busy while the others wait.
		slices.SortStableFunc(batch, func(x, y deviceRequest) int { return y.edgesLeft() - x.edgesLeft() })
		starts := make([]snakegpu.NarrowStart, len(batch))
		for i, r := range batch {
			starts[i] = r.start
		}
		found, rated, err = beams.Run(starts)
	}
	for i, r := range batch {
		if err != nil {
			r.reply <- deviceReply{err: err}
			continue
		}
		r.reply <- deviceReply{found[i], nmcs.Work{Steps: rated / uint64(len(batch))}, nil}
	}
}

// narrowStart describes to the device what newBeam computes, for valid settings without
// symmetry.
func (s Settings) narrowStart() snakegpu.NarrowStart {
	free := make([]uint64, s.Rules.Words())
	for v := range uint32(s.Rules.Vertices()) {
		free[v>>6] |= 1 << (v & 63)
	}
	s.dropOthers(free)
	begin, _ := s.kept()
	head := uint32(0)
	drop(free, 0)
	for _, m := range begin {
		for i := range s.Rules.Dimension {
			drop(free, head^1<<i)
		}
		head ^= 1 << m
	}
	drop(free, head)
	start := snakegpu.NarrowStart{Free: words32(free), Head: head, Goal: snakegpu.NoGoal, Salt: salt(s.Seed)}
	if at, ok := s.end(); ok {
		start.Goal = uint32(at)
	}
	if s.HalfTurn != (HalfTurn{}) {
		start.Turn = snakegpu.PackTurn(s.HalfTurn.Names[:], s.HalfTurn.Flips)
	}
	return start
}

// whole returns the snake that a narrow beam found a part of, or nil if it found none to the end
// that the settings give.
func (s Settings) whole(found []uint8) cube.Sequence {
	begin, _ := s.kept()
	whole := slices.Concat(begin, found)
	if _, ok := s.end(); !ok {
		return whole
	}
	if len(found) == 0 {
		return nil
	}
	return s.completed(whole)
}

// edgesLeft is about how many edges a beam search adds at most.
func (s Settings) edgesLeft() int {
	if s.Replace == (Window{}) {
		return s.Rules.Vertices() - len(s.Prime)
	}
	return s.Replace.To - s.Replace.From
}
