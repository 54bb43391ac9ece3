package segment

import "gamebots/solvers/internal/vectors"

// Values values the segments of a part for a player, for one hand after another, in a tile of
// lanes.
type Values struct {
	part    *Part
	program *Program
	of      []vectors.Tile // the hand's values by number
}

// NewValues returns the values of a part for a player.
func NewValues(p *Part, player int) *Values {
	return &Values{part: p, program: &p.Programs[player], of: make([]vectors.Tile, p.Numbers(player))}
}

// Ends returns where the values of a hand at its ends are to be set, by number.
func (v *Values) Ends() []vectors.Tile { return v.of[:v.part.Values] }

// Deal sets the values of a hand after deals, in the tile from a lane on, from those in the next
// round by lane of that round.
func (v *Values) Deal(after []float32, lane int) {
	for deal := range v.part.Deals {
		to := &v.of[v.part.Values+deal]
		for l, next := range v.part.Next[deal*v.part.Width+lane:][:vectors.TileLanes] {
			if to[l] = 0; next != None {
				to[l] = after[next]
			}
		}
	}
}

// Mean returns the value of the hand if the player plays with the probabilities sigma, and adds to
// gains by how much each action is better. Both are by column.
func (v *Values) Mean(sigma, gains []vectors.Tile) vectors.Tile {
	first := v.part.Values + v.part.Deals
	for i := range v.program.Decisions {
		d := &v.program.Decisions[i]
		from, to := d.Column, d.Column+d.Actions
		vectors.Decide(&v.of[first+i], v.of, v.program.Columns[from:to], sigma[from:to], gains[from:to])
	}
	return vectors.SumOf(v.of, v.program.Root)
}

// Best returns the value of the hand if the player takes the best actions, the first of equals,
// and sets which they are, by decision.
func (v *Values) Best(chosen [][vectors.TileLanes]uint8) vectors.Tile {
	first := v.part.Values + v.part.Deals
	for i := range v.program.Decisions {
		d := &v.program.Decisions[i]
		best := &v.of[first+i]
		chosen[i] = [vectors.TileLanes]uint8{}
		for a, from := range v.program.Columns[d.Column:][:d.Actions] {
			value := vectors.SumOf(v.of, from)
			if a == 0 {
				*best = value
				continue
			}
			for l, x := range value {
				if x > best[l] {
					best[l], chosen[i][l] = x, uint8(a)
				}
			}
		}
	}
	return vectors.SumOf(v.of, v.program.Root)
}
