package ondevice

import (
	"errors"
	"slices"

	"gamebots/cudalib"
	"gamebots/cudalib/brgpu"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/evaluate/bestresponse"
)

// Responses returns how package bestresponse uses devices. The error of one with too little memory free is a
// driver.ErrOutOfMemory if the game does not fit, and a [*cudalib.MemoryError] if its responseBoards do not.
func Responses(devices ...*cudalib.Device) (of []bestresponse.Device) {
	for _, d := range devices {
		of = append(of, func(g *bestresponse.Game) (bestresponse.Valuer, error) {
			on, err := brgpu.New(d, responseGame(g))
			if err != nil {
				return nil, err
			}
			free, _, err := d.Memory()
			if err != nil {
				return nil, errors.Join(err, on.Close())
			}
			return &responseBoards{on, d, free}, nil
		})
	}
	return of
}

// responseBoards values units of a game on a device.
type responseBoards struct {
	*brgpu.Valuer
	device *cudalib.Device
	free   int64 // its memory beside the game
}

// Units implements bestresponse.Valuer.
func (b *responseBoards) Units() int { return int(b.free * 3 / 4 / b.UnitBytes()) }

// Upload implements bestresponse.Valuer.
func (b *responseBoards) Upload(batch [][]bestresponse.Unit) error {
	parts, need := make([][]brgpu.Unit, len(batch)), int64(0)
	for i, units := range batch {
		for _, u := range units {
			parts[i] = append(parts[i], brgpu.Unit(u))
		}
		need += int64(len(units)) * b.UnitBytes()
	}
	if need > b.free {
		return &cudalib.MemoryError{Device: b.device.String(), Need: need, Free: b.free}
	}
	return b.Valuer.Upload(parts)
}

// responseGame returns what the kernels need.
func responseGame(g *bestresponse.Game) brgpu.Game {
	last := len(g.Rounds[0]) - 1
	x := brgpu.Game{
		Hands: len(g.Cards), Cards: g.Cards, Deck: g.Deck, TwoCards: g.TwoCards, Rounds: last, Scale: g.Scale,
		Orders: g.Orders, RiverHands: g.RiverHands, Renamed: g.Renamed,
	}
	for p, rounds := range g.Rounds {
		var starts [][]int // where the table of each part starts, by round
		player := &x.Players[p]
		for _, round := range rounds[:last] {
			var at []int
			for _, part := range round.Parts {
				at = append(at, len(player.Tables))
				player.Tables = append(player.Tables, part.Table...)
			}
			starts = append(starts, at)
		}
		player.Last = responseRound(rounds, last, starts)
		if last >= 2 {
			before := responseRound(rounds, last-1, starts)
			player.Before = &before
		}
	}
	return x
}

// responseRound returns a round for the kernels. Starts are the places of the tables of the rounds
// before it.
func responseRound(rounds []bestresponse.Round, number int, starts [][]int) brgpu.Round {
	x := brgpu.Round{Width: rounds[number].Width, Reach: [][]brgpu.Factor{nil}}
	for _, p := range rounds[number].Parts {
		part := brgpu.Part{First: p.First, Width: p.Width, Columns: p.Columns[p.Opponent], Slots: p.Slots,
			Table: p.Table, Pays: p.Programs[1-p.Opponent].Pays, Next: p.Next}
		for _, o := range p.Ops {
			part.Ops = append(part.Ops, brgpu.Op{
				Kind: uint32(o.Kind), Mode: uint32(o.Mode), Slot: o.Slot, Arg: o.Arg, Fold: o.Fold, Way: o.Before,
				Path: o.Path,
			})
		}
		x.Parts = append(x.Parts, part)
	}
	for i := range rounds[:number] {
		before := x.Reach
		x.Reach = make([][]brgpu.Factor, rounds[i+1].Width)
		for k, from := range rounds[i].Parts {
			for j, next := range from.Next {
				if next == segment.None {
					continue
				}
				lane := j % from.Width
				for way, w := range from.After[j/from.Width] {
					factors := slices.Clip(before[from.First+int(w.Before)*from.Width+lane])
					for _, column := range w.Path {
						factors = append(factors, brgpu.Factor{
							Round: uint32(i), Index: uint32(starts[i][k] + int(column)*from.Width + lane),
							Stride: uint32(from.Columns[from.Opponent] * from.Width),
						})
					}
					x.Reach[int(next)+way*int(from.Behind[j])] = factors
				}
			}
		}
	}
	return x
}
