package hexsearch

import (
	"math/bits"
	"sync"

	"gamebots/hexproto/havannah"
	"gamebots/solvers/hexnet"
	"gamebots/solvers/playout"
)

// The planes of a cell. Own is the player to move, other the opponent. Values are in units of
// 1/hexnet.Unit.
const (
	// 1 where it is so.
	own   = iota // stone
	other        // stone
	empty

	// 1 where a stone of the player completes a structure.
	ownWins
	otherWins

	// 1/2 where a stone of the player makes one threat, and 1 where it makes more; 0
	// everywhere if one stone completes a structure.
	ownThreat
	otherThreat

	// 1/2 for each edge that the group of a stone touches.
	ownEdges
	otherEdges

	// 1 for a stone whose group has a corner.
	ownCorner
	otherCorner

	last   // 1 for the last stone
	corner // 1 for a corner of the board
	edge   // 1 for a cell between corners
	border // 1/4 for each step to the border
	on     // 1
)

var shapes [havannah.MaxSide + 1]func() *hexnet.Shape

func init() {
	for side := range shapes {
		shapes[side] = sync.OnceValue(func() *hexnet.Shape {
			g, err := havannah.GridOf(side)
			if err != nil {
				panic(err)
			}
			return hexnet.NewShape(side, g.NumCells, g.Near)
		})
	}
}

// ShapeOf returns the shape of the boards of a grid, which all of them share.
func ShapeOf(g *havannah.Grid) *hexnet.Shape { return shapes[g.Side]() }

// An Encoder describes positions of one side. It is used by one goroutine at a time.
type Encoder struct {
	still []uint8 // the planes that no stone changes
	empty []playout.EmptyCell
	pairs []playout.Pair
}

// NewEncoder returns an encoder for boards of a grid.
func NewEncoder(g *havannah.Grid) *Encoder {
	e := &Encoder{still: make([]uint8, g.NumCells*hexnet.Planes)}
	distance := distances(g)
	for cell := range g.NumCells {
		x := e.still[cell*hexnet.Planes:]
		switch b := g.Border(cell); {
		case b == 0:
		case b < 1<<6:
			x[corner] = hexnet.Unit
		default:
			x[edge] = hexnet.Unit
		}
		x[border] = uint8(distance[cell] * hexnet.Unit / 4)
		x[on] = hexnet.Unit
	}
	return e
}

// Still returns the planes that no stone changes. The caller must not change them.
func (e *Encoder) Still() []uint8 { return e.still }

// distances returns the number of steps from each cell to the border.
func distances(g *havannah.Grid) []int {
	all := make([]int, g.NumCells)
	for cell := range all {
		row, col := g.Row(cell), g.Col(cell)
		fromLeft := col - g.FirstCol(row)
		length := min(row+g.Side, g.Rows()) - g.FirstCol(row)
		all[cell] = min(row, g.Rows()-1-row, fromLeft, length-1-fromLeft)
	}
	return all
}

// Append appends the planes of a position that is not over, Planes bytes for each cell.
func (e *Encoder) Append(to []uint8, p *playout.Position) []uint8 {
	first := len(to)
	to = append(to, e.still...)
	planes := to[first:]
	me := p.Turn()
	e.empty = p.EmptyCells(e.empty[:0])
	for cell := range p.Grid().NumCells {
		x := planes[cell*hexnet.Planes:]
		switch {
		case p.HasStone(me, cell):
			x[own] = hexnet.Unit
			x[ownEdges], x[ownCorner] = reach(p.Border(me, cell))
		case p.HasStone(me.Other(), cell):
			x[other] = hexnet.Unit
			x[otherEdges], x[otherCorner] = reach(p.Border(me.Other(), cell))
		}
	}
	for _, c := range e.empty {
		x := planes[int(c.Cell)*hexnet.Planes:]
		x[empty] = hexnet.Unit
		if won, _, _ := p.Probe(me, int(c.Cell)); won != 0 {
			x[ownWins] = hexnet.Unit
		}
		if won, _, _ := p.Probe(me.Other(), int(c.Cell)); won != 0 {
			x[otherWins] = hexnet.Unit
		}
	}
	e.threats(planes, p, me, ownThreat)
	e.threats(planes, p, me.Other(), otherThreat)
	if at := p.Last(); at >= 0 {
		planes[at*hexnet.Planes+last] = hexnet.Unit
	}
	return to
}

// reach returns the planes of the border of a group.
func reach(b havannah.Border) (edges, corner uint8) {
	if b&0x3f != 0 {
		corner = hexnet.Unit
	}
	return uint8(bits.OnesCount16(uint16(b>>6)) * hexnet.Unit / 2), corner
}

// threats sets the plane of a player's threats.
func (e *Encoder) threats(planes []uint8, p *playout.Position, c havannah.Colour, plane int) {
	pairs, ok := p.Pairs(c, e.empty, e.pairs[:0])
	e.pairs = pairs
	if !ok {
		return
	}
	for _, pair := range pairs {
		for _, cell := range pair {
			x := &planes[int(cell)*hexnet.Planes+plane]
			*x = min(*x+hexnet.Unit/2, hexnet.Unit)
		}
	}
}

// Symmetry is a symmetry of a board: the image of each cell.
type Symmetry []int16

var symmetries [havannah.MaxSide + 1]struct {
	sync.Once
	all [havannah.NumSymmetries]Symmetry
}

// Symmetries returns the symmetries of the boards of a grid. All callers share them.
func Symmetries(g *havannah.Grid) *[havannah.NumSymmetries]Symmetry {
	s := &symmetries[g.Side]
	s.Do(func() {
		for i := range s.all {
			for cell := range g.NumCells {
				s.all[i] = append(s.all[i], int16(g.Image(cell, i)))
			}
		}
	})
	return &s.all
}

// Turn moves what is known of each cell, size values each, to the cell's image.
func Turn[T any](to, from []T, s Symmetry, size int) {
	for cell, image := range s {
		copy(to[int(image)*size:][:size], from[cell*size:])
	}
}
