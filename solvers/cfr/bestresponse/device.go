package bestresponse

import (
	"context"
	"errors"
	"sync"

	"gamebots/cudalib"
	"gamebots/cudalib/brgpu"
)

// batchUnits is how many units a device values at once at most: enough that the last of
// them, for which fewer threads are left, take a small part of the time.
const batchUnits = 1024

// ValueOn is [Response.Value] on devices, to the same bits. Threads prepare the boards and
// join the values. The error is a [*cudalib.MemoryError] where a device has too little
// memory free.
func (r *Response) ValueOn(ctx context.Context, devices []*cudalib.Device, parts []int, threads int, take func(part int, values PartValues) error) error {
	if len(parts) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next, ready, finished := make(chan int), make(chan *prepared, 2*batchUnits/len(r.units(&r.boards[0]))), make(chan *prepared, threads)
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
			if err := r.valueBatches(ctx, d, ready, finished); err != nil {
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
					values[player] = r.partValues(player, p.part, p.units, p.values[player])
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

// prepared is a part with its units and, by player, their values.
type prepared struct {
	part   int
	units  []*unit
	values [2][][]float32
}

// valueBatches values parts on a device in batches, until there are no more.
func (r *Response) valueBatches(ctx context.Context, d *cudalib.Device, ready <-chan *prepared, finished chan<- *prepared) (err error) {
	game := r.deviceGame()
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
		var units []brgpu.Unit
		for len(units) < max(1, capacity) {
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
			for _, u := range p.units {
				units = append(units, u.forDevice(game.Rounds))
			}
		}
		if len(batch) == 0 {
			return nil
		}
		if need := int64(len(units)) * boards.UnitBytes(); need > free {
			return &cudalib.MemoryError{Device: d.String(), Need: need, Free: free}
		}
		if err := r.valueBatch(boards, units, batch); err != nil {
			return err
		}
		for _, p := range batch {
			finished <- p
		}
	}
	return nil
}

// valueBatch values the units of some parts.
func (r *Response) valueBatch(boards *brgpu.Boards, units []brgpu.Unit, batch []*prepared) error {
	if err := boards.Upload(units); err != nil {
		return err
	}
	for player := range r.players {
		var values []float32
		if r.players[player].rounds[r.last].width > 0 {
			var err error
			if values, err = boards.Value(player); err != nil {
				return err
			}
		}
		size := len(values) / len(units)
		for _, p := range batch {
			for _, u := range p.units {
				if size == 0 { // the opponent never plays to the last round
					p.values[player] = append(p.values[player], r.unitValues(player, u))
					continue
				}
				p.values[player] = append(p.values[player], values[:size])
				values = values[size:]
			}
		}
	}
	return nil
}

// forDevice returns a unit for the kernels.
func (u *unit) forDevice(rounds int) brgpu.Unit {
	x := brgpu.Unit{Buckets: u.bucket[:rounds], Hands: u.hands, Classes: u.classes}
	for i := range u.rivers {
		x.Rivers = append(x.Rivers, brgpu.River{Count: uint32(u.rivers[i].count), Order: u.rivers[i].order})
	}
	return x
}

// deviceGame returns what the kernels need.
func (r *Response) deviceGame() brgpu.Game {
	g := brgpu.Game{
		Hands: len(r.holes), Cards: r.pair, Deck: len(r.cards), TwoCards: r.game.NumHoleCards == 2, Rounds: r.last,
		Scale: 1 / r.extensions(r.last),
	}
	for p := range r.players {
		rounds := r.players[p].rounds
		var starts []int // of the tables
		player := &g.Players[p]
		for _, round := range rounds[:r.last] {
			starts = append(starts, len(player.Tables))
			player.Tables = append(player.Tables, round.table...)
		}
		player.Last = rounds[r.last].forDevice(rounds[:r.last], starts)
		if r.depth() < r.last {
			before := rounds[r.last-1].forDevice(rounds[:r.last-1], starts)
			player.Before = &before
		}
	}
	return g
}

// forDevice returns a round for the kernels. Starts are the places of the tables of the
// rounds before it.
func (r *round) forDevice(before []*round, starts []int) brgpu.Round {
	x := brgpu.Round{Width: r.width, Columns: r.columns, Slots: r.slots, Table: r.table}
	for _, o := range r.ops {
		x.Ops = append(x.Ops, brgpu.Op{Kind: uint32(o.kind), Mode: uint32(o.mode), Slot: o.slot, Arg: o.arg, Fold: o.fold, Path: o.path})
	}
	for _, pays := range r.pays {
		x.Pays = append(x.Pays, pays...)
	}
	for _, next := range r.next {
		x.Next = append(x.Next, next...)
	}
	for lane := range r.segments {
		var factors []brgpu.Factor // from the last to the first
		at, to := int32(lane), r
		for i := len(before) - 1; i >= 0; i-- {
			from := before[i]
			parent := to.parent[at]
			for k := len(to.path[at]) - 1; k >= 0; k-- {
				index := starts[i] + int(to.path[at][k])*from.width + int(parent)
				factors = append(factors, brgpu.Factor{Round: uint32(i), Index: uint32(index), Stride: uint32(from.columns * from.width)})
			}
			at, to = parent, from
		}
		for i, j := 0, len(factors)-1; i < j; i, j = i+1, j-1 {
			factors[i], factors[j] = factors[j], factors[i]
		}
		x.Reach = append(x.Reach, factors)
	}
	return x
}
