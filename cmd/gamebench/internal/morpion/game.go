package morpion

import "gamebots/solvers/nmcs"

const (
	side   = 40 // side of the grid, far more than any known game needs
	points = side * side
	inLine = 5
	first  = (side - 10) / 2 // row and column of the cross
)

// directions are the four directions of lines, as differences of point numbers.
var directions = [4]int{1, side, side + 1, side - 1}

// cross has the rows of the first points.
var cross = [10]string{
	"...####...",
	"...#..#...",
	"...#..#...",
	"####..####",
	"#........#",
	"#........#",
	"####..####",
	"...#..#...",
	"...#..#...",
	"...####...",
}

// Game is a game in progress. Points are numbered row by row. A move encodes the first
// point of its line, the direction of the line, and the index of the new point on it: see
// decode.
type Game struct {
	taken  [points]bool
	lines  [points]uint8 // directions of the lines through a point, as bits
	legal  []nmcs.Move
	played int
}

var (
	_ nmcs.Game[*Game] = (*Game)(nil)
	_ nmcs.MoveCoder   = (*Game)(nil)
)

// New returns a game without moves.
func New() *Game {
	g := &Game{}
	for y, row := range cross {
		for x, c := range row {
			g.taken[(first+y)*side+first+x] = c == '#'
		}
	}
	for p := range points {
		for d := range directions {
			g.appendIfLegal(p, d)
		}
	}
	return g
}

// encode is the inverse of decode.
func encode(start, direction, added int) nmcs.Move {
	return nmcs.Move((start*len(directions)+direction)*inLine + added)
}

// decode returns the line of a move, and the index of its new point on the line.
func decode(m nmcs.Move) (start, direction, added int) {
	line := int(m) / inLine
	return line / len(directions), line % len(directions), int(m) % inLine
}

// fits reports whether a line is on the grid.
func fits(start, direction int) bool {
	x, y := start%side, start/side
	const reach = inLine - 1
	switch direction {
	case 0:
		return x+reach < side
	case 1:
		return y+reach < side
	case 2:
		return x+reach < side && y+reach < side
	}
	return x >= reach && y+reach < side
}

// appendIfLegal appends the move that draws a line, if it is legal.
func (g *Game) appendIfLegal(start, direction int) {
	if start < 0 || start >= points || !fits(start, direction) {
		return
	}
	missing, added := 0, 0
	for i := range inLine {
		p := start + i*directions[direction]
		if g.lines[p]>>direction&1 != 0 {
			return
		}
		if !g.taken[p] {
			missing, added = missing+1, i
		}
	}
	if missing == 1 {
		g.legal = append(g.legal, encode(start, direction, added))
	}
}

// AppendMoves appends the legal moves, oldest first.
func (g *Game) AppendMoves(moves []nmcs.Move) []nmcs.Move { return append(moves, g.legal...) }

// Play makes a legal move.
func (g *Game) Play(m nmcs.Move) {
	start, direction, added := decode(m)
	point := start + added*directions[direction]
	g.taken[point] = true
	for i := range inLine {
		g.lines[start+i*directions[direction]] |= 1 << direction
	}
	g.played++
	kept := g.legal[:0]
	for _, m := range g.legal {
		if g.stillLegal(m, point) {
			kept = append(kept, m)
		}
	}
	g.legal = kept
	for d, step := range directions {
		for i := range inLine {
			g.appendIfLegal(point-i*step, d)
		}
	}
}

// stillLegal reports whether a move is still legal after one that added a point.
func (g *Game) stillLegal(m nmcs.Move, point int) bool {
	start, direction, added := decode(m)
	if start+added*directions[direction] == point {
		return false
	}
	for i := range inLine {
		if g.lines[start+i*directions[direction]]>>direction&1 != 0 {
			return false
		}
	}
	return true
}

// CopyFrom makes the game a copy of another one.
func (g *Game) CopyFrom(from *Game) {
	legal := append(g.legal[:0], from.legal...)
	*g = *from
	g.legal = legal
}

// Score returns the number of moves.
func (g *Game) Score() int { return g.played }

// NumCodes returns the number of possible moves.
func (g *Game) NumCodes() int { return points * len(directions) * inLine }

// Code returns the move itself, which identifies its line and point.
func (g *Game) Code(m nmcs.Move) int { return int(m) }
