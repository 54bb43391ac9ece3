package bestresponse

import (
	"context"
	"errors"
	"slices"
	"sync"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/cudalib"
	"gamebots/cudalib/brgpu"
	"gamebots/internal/parallel"
	"gamebots/solvers/cfr/segment"
)

// batchUnits is how many units a device values at once at most: enough that the last of
// them, for which fewer threads are left, take a small part of the time.
const batchUnits = 1024

// ValueOn is [Response.Value] on devices, to the same bits. Threads prepare the boards and
// join the values. The error is a [*cudalib.MemoryError] where a device has too little
// memory free.
func (r *Response) ValueOn(ctx context.Context, devices []*cudalib.Device, parts []int, threads int,
	take func(part int, values PartValues) error) error {
	if len(parts) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r.listed.Do(func() { r.finals = r.newFinals(threads) })
	finals := r.finals
	game := r.deviceGame(finals)
	next, ready, finished := make(chan int), make(chan *prepared, 2*batchUnits/len(r.units(&r.boards[0]))),
		make(chan *prepared, threads)
	go func() {
		defer close(next)
		for _, part := range parts {
			select {
			case next <- part:
			case <-ctx.Done():
				return
			}
		}
	}()
	var preparing, valuing, finishing sync.WaitGroup
	for range max(1, threads) {
		preparing.Go(func() {
			for part := range next {
				select {
				case ready <- &prepared{part: part, units: r.prepare(part)}:
				case <-ctx.Done():
				}
			}
		})
	}
	for _, d := range devices {
		valuing.Go(func() {
			if err := r.valueBatches(ctx, d, game, finals, ready, finished); err != nil {
				cancel(err)
			}
		})
	}
	var taking sync.Mutex
	for range max(1, threads) {
		finishing.Go(func() {
			for p := range finished {
				var values PartValues
				for player := range values {
					values[player] = r.partValues(player, p.part, p.units[0], p.sums[player])
				}
				taking.Lock()
				if ctx.Err() == nil {
					if err := take(p.part, values); err != nil {
						cancel(err)
					}
				}
				taking.Unlock()
			}
		})
	}
	preparing.Wait()
	close(ready)
	valuing.Wait()
	close(finished)
	finishing.Wait()
	return context.Cause(ctx)
}

// prepared is a part with its units and, by player, the sums of their values.
type prepared struct {
	part  int
	units []*unit
	sums  [2][]float64
}

// finals are the canonical boards of the last round, by number.
type finals struct {
	number map[[acpc.MaxRounds]card.Set]uint32
	orders []uint64 // one board's after the other's
}

func (r *Response) newFinals(threads int) *finals {
	boards := r.canonical()
	f := &finals{number: make(map[[acpc.MaxRounds]card.Set]uint32, len(boards))}
	for i := range boards {
		f.number[r.key(&boards[i])] = uint32(i)
	}
	size := r.finalHands()
	f.orders = make([]uint64, len(boards)*size)
	parallel.For(threads, len(boards), func(_, i int) { copy(f.orders[i*size:], r.order(&boards[i])) })
	return f
}

// valueBatches values parts on a device in batches, until there are no more.
func (r *Response) valueBatches(ctx context.Context, d *cudalib.Device, game brgpu.Game, f *finals,
	ready <-chan *prepared, finished chan<- *prepared) (err error) {
	boards, err := brgpu.New(d, game)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, boards.Close()) }()
	free, _, err := d.Memory()
	if err != nil {
		return err
	}
	capacity := int(min(batchUnits, free*3/4/boards.UnitBytes()))
	for more := true; more; {
		var batch []*prepared
		for units := 0; units < max(1, capacity); {
			var p *prepared
			select {
			case p, more = <-ready:
			case <-ctx.Done():
				return nil
			}
			if !more {
				break
			}
			batch = append(batch, p)
			units += len(p.units)
			if need := int64(units) * boards.UnitBytes(); need > free {
				return &cudalib.MemoryError{Device: d.String(), Need: need, Free: free}
			}
		}
		if len(batch) == 0 {
			return nil
		}
		if err := r.valueBatch(boards, f, batch); err != nil {
			return err
		}
		for _, p := range batch {
			finished <- p
		}
	}
	return nil
}

// valueBatch sums the units of some parts.
func (r *Response) valueBatch(boards *brgpu.Boards, f *finals, batch []*prepared) error {
	parts := make([]brgpu.Part, len(batch))
	for i, p := range batch {
		for _, u := range p.units {
			parts[i].Units = append(parts[i].Units, r.forDevice(u, f))
		}
	}
	if err := boards.Upload(parts); err != nil {
		return err
	}
	for player := range r.players {
		if r.players[player].rounds[r.last].Width == 0 { // the opponent never plays to it
			for _, p := range batch {
				p.sums[player] = r.unitSums(player)
				for _, u := range p.units {
					r.addUnit(p.sums[player], player, u)
				}
			}
			continue
		}
		sums, err := boards.Value(player)
		if err != nil {
			return err
		}
		size := len(sums) / len(batch)
		for i, p := range batch {
			p.sums[player] = sums[i*size:][:size]
		}
	}
	return nil
}

// forDevice returns a unit for the kernels.
func (r *Response) forDevice(u *unit, f *finals) brgpu.Unit {
	x := brgpu.Unit{Count: uint32(u.count), Buckets: u.bucket[:r.last], Hands: u.hands, Classes: u.classes}
	for i := range u.rivers {
		b := &u.rivers[i]
		x.Rivers = append(x.Rivers, brgpu.River{Board: f.number[r.key(&b.canonical)], Renaming: uint32(b.renaming),
			Count: uint32(b.count)})
	}
	return x
}

// deviceGame returns what the kernels need.
func (r *Response) deviceGame(f *finals) brgpu.Game {
	g := brgpu.Game{
		Hands: len(r.holes), Cards: r.pair, Deck: len(r.cards), TwoCards: r.game.NumHoleCards == 2, Rounds: r.last,
		Scale: 1 / r.extensions(r.last), Orders: f.orders, RiverHands: r.finalHands(),
		Renamed: slices.Concat(r.origin...),
	}
	for p := range r.players {
		rounds := r.players[p].rounds
		var starts []int // where each round's table starts
		player := &g.Players[p]
		for _, round := range rounds[:r.last] {
			starts = append(starts, len(player.Tables))
			player.Tables = append(player.Tables, round.table...)
		}
		player.Last = forDevice(rounds, r.last, starts)
		if r.depth() < r.last {
			before := forDevice(rounds, r.last-1, starts)
			player.Before = &before
		}
	}
	return g
}

// forDevice returns a round for the kernels. Starts are the places of the tables of the rounds
// before it.
func forDevice(rounds []*round, number int, starts []int) brgpu.Round {
	r := rounds[number]
	x := brgpu.Round{
		Width: r.Width, Columns: r.columns, Slots: r.slots, Table: r.table, Pays: r.Programs[1-r.opponent].Pays,
		Next:  r.Next,
		Reach: [][]brgpu.Factor{nil},
	}
	for _, o := range r.ops {
		x.Ops = append(x.Ops, brgpu.Op{Kind: uint32(o.kind), Mode: uint32(o.mode), Slot: o.slot, Arg: o.arg,
			Fold: o.fold, Path: o.path})
	}
	for i, from := range rounds[:number] {
		before := x.Reach
		x.Reach = make([][]brgpu.Factor, rounds[i+1].Lanes)
		for k, next := range from.Next {
			if next == segment.None {
				continue
			}
			lane := k % from.Width
			factors := slices.Clip(before[lane])
			for _, column := range from.Paths[from.opponent][k/from.Width] {
				index := starts[i] + int(column)*from.Width + lane
				factors = append(factors,
					brgpu.Factor{Round: uint32(i), Index: uint32(index), Stride: uint32(from.columns * from.Width)})
			}
			x.Reach[next] = factors
		}
	}
	return x
}
