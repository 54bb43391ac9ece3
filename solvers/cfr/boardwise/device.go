package boardwise

import (
	"gamebots/cudalib"
	"gamebots/cudalib/boardwisegpu"
	"gamebots/solvers/cfr"
)

// NewDeviceTrainer returns a trainer on a device that has done no iteration, for an algorithm
// that [Supports] allows. Its results have the bits of one on the CPU. The error is a
// [*cudalib.MemoryError] where the device has too little memory free, and errors.ErrUnsupported
// where the hands of a board are too many for it: as in hold'em with 52 cards.
func NewDeviceTrainer(d *cudalib.Device, g *Game, a cfr.Algorithm) (*Trainer, error) {
	solver, err := boardwisegpu.New(d, g.forDevice(a.Quantized), g.Bytes(a))
	if err != nil {
		return nil, err
	}
	return &Trainer{Game: g, Algorithm: a, machine: &gpu{g, solver, a.Quantized}}, nil
}

// gpu is the machine of a device.
type gpu struct {
	*Game
	solver *boardwisegpu.Solver
	packed bool
}

func (m *gpu) traverse(w work) ([]float32, error) {
	return m.solver.Traverse(boardwisegpu.Work{
		Purpose: boardwisegpu.Purpose(w.purpose), Player: w.player,
		Positive: w.positive, Negative: w.negative, Floor: w.floor, Sum: w.sum, Salt: w.salt,
	})
}

func (m *gpu) entriesOf(sums bool, player, r int) (entries, error) {
	e := newEntries(m.entries(r, player), m.packed)
	return e, m.solver.Download(sums, player, r, e.packed, e.floats)
}

func (m *gpu) close() error { return m.solver.Close() }

// forDevice returns what the kernels need.
func (g *Game) forDevice(packed bool) boardwisegpu.Game {
	to := boardwisegpu.Game{Packed: packed}
	for r, round := range g.rounds {
		b := g.boards[r]
		x := boardwisegpu.Round{
			Width: round.width, Columns: round.counts, Cards: b.cards, List: b.list, Most: b.most,
			Hands: b.hands, Lists: b.lists, Up: b.up, Weight: b.weight, Follow: []uint32{0}, Refined: []uint32{0},
			Next: []uint32{boardwisegpu.None}, From: []uint32{boardwisegpu.None},
		}
		for i, board := range b.boards {
			x.Boards = append(x.Boards, boardwisegpu.Board{Row: uint32(board.row), Rows: uint32(board.rows), Hand: uint32(board.hand), Hands: uint32(board.hands)})
			for range board.rows {
				x.BoardOf = append(x.BoardOf, uint32(i))
			}
		}
		if b.list == 0 {
			x.Lists = []uint32{0}
		}
		for i := range b.positions {
			x.Positions = append(x.Positions, b.forDevice(&b.positions[i]))
		}
		if r > 0 {
			x.Follow, x.Refined = g.boards[r-1].follow, g.boards[r-1].refined
			x.From = round.from(g.rounds[r-1])
		}
		if r < g.last() {
			x.Next = nil
			for _, next := range round.next {
				for _, lane := range next {
					x.Next = append(x.Next, uint32(lane)) // -1 is None
				}
			}
		}
		for p := range round.programs {
			x.Paths[p] = [][]boardwisegpu.Choice{nil}
			if r < g.last() {
				x.Paths[p] = nil
			}
			for _, path := range round.paths[p] {
				x.Paths[p] = append(x.Paths[p], forDevice(path))
			}
			x.Programs[p] = round.programs[p].forDevice()
		}
		to.Rounds = append(to.Rounds, x)
	}
	return to
}

// forDevice returns the places, among the sums of a vector, that a bucket reads.
func (b *boards) forDevice(p *position) (to boardwisegpu.Position) {
	each := b.list + 1
	place := func(card, upTo int) uint16 { return uint16(card*each + upTo) }
	to.Worse, to.NotBetter = place(b.cards, p.worse), place(b.cards, p.notBetter)
	for i, card := range p.cards {
		to.Cards[i] = boardwisegpu.CardPosition{
			Number: uint16(card), Worse: place(card, p.cardWorse[i]), NotBetter: place(card, p.cardNotBetter[i]), All: place(card, b.list),
		}
	}
	return to
}

// from returns, by lane, the lane of the round before and the deal that it follows.
func (r *round) from(before *round) []uint32 {
	from := make([]uint32, r.width)
	for lane := range from {
		from[lane] = boardwisegpu.None
	}
	for deal, next := range before.next {
		for lane, to := range next {
			if to >= 0 {
				from[to] = uint32(lane | deal<<16)
			}
		}
	}
	return from
}

func forDevice(path []choice) (to []boardwisegpu.Choice) {
	for _, c := range path {
		to = append(to, c.forDevice())
	}
	return to
}

func (c choice) forDevice() boardwisegpu.Choice {
	return boardwisegpu.Choice{Column: uint32(c.column), Actions: uint32(c.actions), Action: uint32(c.action)}
}

func (p *program) forDevice() boardwisegpu.Program {
	to := boardwisegpu.Program{Slots: p.slots, Sums: p.sums}
	for _, pays := range p.pays {
		to.Pays = append(to.Pays, pays...)
	}
	for i := range p.passes {
		to.Passes = append(to.Passes, p.passes[i].forDevice())
	}
	return to
}

func (p *pass) forDevice() boardwisegpu.Pass {
	to := boardwisegpu.Pass{
		NumSteps: uint32(len(p.steps)), NumVectors: uint32(len(p.vectors)), NumPath: uint32(len(p.path)), Result: uint32(p.result), Own: p.own.forDevice(),
	}
	for i, s := range p.steps {
		to.Steps[i].Choice = s.choice.forDevice()
		if s.fresh {
			to.Steps[i].Fresh = 1
		}
		for a, slot := range s.slots {
			to.Steps[i].Slots[a] = uint32(slot) // -1 is None
		}
	}
	for i, v := range p.vectors {
		to.Vectors[i] = boardwisegpu.Vector{Slot: uint32(v.slot), Sums: uint32(v.sums)}
		if v.showdown {
			to.Vectors[i].Showdown = 1
		}
	}
	copy(to.Path[:], forDevice(p.path))
	for a, sources := range p.sources {
		to.NumSources[a] = uint32(len(sources))
		for k, from := range sources {
			to.Sources[a][k] = boardwisegpu.Source{Kind: from.kind, Index: uint32(from.index), Pay: uint32(from.pay)}
		}
	}
	return to
}
