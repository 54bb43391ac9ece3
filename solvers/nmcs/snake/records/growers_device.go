package records

import (
	"context"
	"errors"
	"slices"

	"gamebots/cudalib"
	"gamebots/cudalib/snakegpu"
	"gamebots/solvers/nmcs"
	"gamebots/solvers/nmcs/snake/cube"
	"gamebots/solvers/nmcs/snake/internal/beam"
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
	growth
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
	g := &DeviceGrowers{
		device: d, wide: s.Width, wideSlot: make(chan struct{}, 1), growers: map[int][]Grower{},
		stopped: make(chan struct{}),
	}
	most := 0
	for dimension := min(firstDimension, s.Rules.Dimension); dimension <= s.Rules.Dimension; dimension++ {
		width := min(s.Width, snakegpu.MaxNarrowWidth(dimension-1))
		one := Grower{Width: width, Batch: snakeBatch(dimension), grow: g.grow}
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

// grow makes a beam search; one for a half is batched with others.
func (g *DeviceGrowers) grow(ctx context.Context, x growth) (cube.Sequence, nmcs.Work, error) {
	if !x.rules.Free {
		return g.growWide(ctx, x)
	}
	p, err := x.problem()
	if err != nil {
		return nil, nmcs.Work{}, err
	}
	start := snakegpu.NarrowStart{
		Free: beam.Words32(p.Free), Head: uint32(p.Head), Goal: snakegpu.NoGoal, Salt: p.Salt(),
	}
	if p.Goal != beam.NoGoal {
		start.Goal = uint32(p.Goal)
	}
	if x.turn != (HalfTurn{}) {
		start.Turn = snakegpu.PackTurn(x.turn.Names[:], x.turn.Flips)
	}
	reply := make(chan deviceReply, 1)
	select {
	case g.requests <- deviceRequest{x, start, reply}:
	case <-ctx.Done():
		return nil, nmcs.Work{}, nil
	}
	select {
	case r := <-reply:
		if r.err != nil || r.found == nil || len(r.found) == 0 && p.Goal != beam.NoGoal {
			return nil, r.work, r.err
		}
		return x.completed(slices.Concat(p.Begin, r.found)), r.work, nil
	case <-ctx.Done():
		return nil, nmcs.Work{}, nil
	}
}

// growWide makes a beam search in the whole cube, one at a time.
func (g *DeviceGrowers) growWide(ctx context.Context, x growth) (cube.Sequence, nmcs.Work, error) {
	select {
	case g.wideSlot <- struct{}{}:
	case <-ctx.Done():
		return nil, nmcs.Work{}, nil
	}
	defer func() { <-g.wideSlot }()
	x.width = g.wide
	p, err := x.problem()
	if err != nil {
		return nil, nmcs.Work{}, err
	}
	return beam.RunOnDevice(ctx, g.device, p, nil)
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
		if d := batch[0].rules.Dimension; beams == nil || d != dimension {
			if beams != nil {
				err = beams.Close()
				beams = nil
			}
			if err == nil {
				beams, err = snakegpu.NewNarrowBeams(g.device, d, batch[0].width, 0)
			}
			dimension = d
		}
		batch = g.takeRequests(batch, dimension, beams)
		g.answer(batch, beams, err)
	}
}

// takeRequests appends waiting requests to a batch.
func (g *DeviceGrowers) takeRequests(
	batch []deviceRequest, dimension int, beams *snakegpu.NarrowBeams,
) []deviceRequest {
	for beams != nil && len(batch) < beams.MaxBatch() {
		select {
		case r := <-g.requests:
			if r.rules.Dimension != dimension { // its chain was stopped
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
