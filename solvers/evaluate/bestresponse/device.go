package bestresponse

import (
	"context"
	"errors"
	"slices"
	"sync"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/internal/parallel"
)

// batchUnits is how many units a device values at once at most: enough that the last of
// them, for which fewer threads are left, take a small part of the time.
const batchUnits = 1024

// A Device puts a game on another processor, which values boards of it. Package ondevice has that of a GPU.
type Device func(*Game) (Valuer, error)

// ValueOn is [Response.Value] on devices, to the same bits. Threads prepare the boards and
// join the values.
func (r *Response) ValueOn(ctx context.Context, devices []Device, parts []int, threads int,
	take func(part int, values PartValues) error) error {
	if err := r.forDevices(); err != nil || len(parts) == 0 {
		return err
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

// ErrFollows is the error for a device and a response that follows the strategy in a round that devices value.
var ErrFollows = errors.New("a GPU values only responses that may deviate in both of the last two rounds")

// forDevices returns ErrFollows if devices cannot value the response.
func (r *Response) forDevices() error {
	if r.follow[r.depth()] || r.follow[r.last] {
		return ErrFollows
	}
	return nil
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
func (r *Response) valueBatches(ctx context.Context, d Device, game *Game, f *finals,
	ready <-chan *prepared, finished chan<- *prepared) (err error) {
	boards, err := d(game)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, boards.Close()) }()
	capacity := min(batchUnits, boards.Units())
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
func (r *Response) valueBatch(boards Valuer, f *finals, batch []*prepared) error {
	parts := make([][]Unit, len(batch))
	for i, p := range batch {
		for _, u := range p.units {
			parts[i] = append(parts[i], r.forDevice(u, f))
		}
	}
	if err := boards.Upload(parts); err != nil {
		return err
	}
	for player := range r.rounds {
		if r.rounds[player][r.last].width == 0 { // the opponent never plays to it
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

// forDevice returns a unit for a device.
func (r *Response) forDevice(u *unit, f *finals) Unit {
	x := Unit{Count: uint32(u.count), Buckets: u.bucket[:r.last], Hands: u.hands, Classes: u.classes}
	for i := range u.rivers {
		b := &u.rivers[i]
		x.Rivers = append(x.Rivers, [...]uint32{f.number[r.key(&b.canonical)], uint32(b.renaming), uint32(b.count)})
	}
	return x
}

// deviceGame returns what a device needs.
func (r *Response) deviceGame(f *finals) *Game {
	g := &Game{
		Cards: r.pair, Deck: len(r.cards), TwoCards: r.game.NumHoleCards == 2, Scale: 1 / r.extensions(r.last),
		Orders: f.orders, RiverHands: r.finalHands(), Renamed: slices.Concat(r.origin...),
	}
	for p := range r.rounds {
		for _, round := range r.rounds[p] {
			x := Round{Width: round.width}
			for _, part := range round.parts {
				x.Parts = append(x.Parts, &part.Part)
			}
			g.Rounds[p] = append(g.Rounds[p], x)
		}
	}
	return g
}
