package pcs

import (
	"gamebots/cudalib/pcsgpu"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/internal/vectors"
)

// Local keeps tables in this computer's memory.
type Local struct {
	*Game
	players [2][]Rows // rows of each part
}

// Rows are what a player has learned in a part, by bucket, column and lane.
type Rows struct {
	Regrets, Sums, Strategy []float32
	program                 *segment.Program
	columns, width          int
}

// NewLocal returns tables of zeros. They take no memory before they are used.
func NewLocal(g *Game) Local { return Local{Game: g} }

// prepare makes the tables unless they are there.
func (l *Local) prepare() {
	if l.players[0] != nil {
		return
	}
	for player := range l.players {
		for i := range l.layout.Parts {
			p, n := &l.layout.Parts[i], 0
			if l.trained[player] {
				n = l.layout.Entries(i, player)
			}
			l.players[player] = append(l.players[player], Rows{
				make([]float32, n), make([]float32, n), make([]float32, n), &p.Programs[player], p.Columns[player],
				p.Width,
			})
		}
	}
	_ = l.Match() // does not fail
}

// Rows returns the tables of a player in a part.
func (l *Local) Rows(player, part int) *Rows {
	l.prepare()
	return &l.players[player][part]
}

// Match computes the strategies from all regrets.
func (l *Local) Match() error {
	for player := range l.players {
		for i := range l.players[player] {
			r := &l.players[player][i]
			for at := 0; at < len(r.Regrets); at += r.columns * r.width {
				for _, d := range r.program.Decisions {
					for lane := 0; lane < r.width; lane += tileLanes {
						first := at + int(d.Column)*r.width + lane
						MatchTile(r.Strategy[first:], r.Regrets[first:], int(d.Actions), r.width)
					}
				}
			}
		}
	}
	return nil
}

// Entry returns the entry of the first column of a bucket, in a lane.
func (r *Rows) Entry(bucket, lane int) int { return bucket*r.columns*r.width + lane }

// Play sets sigma to the strategy from an entry on, in a tile of lanes, by column.
func (r *Rows) Play(entry int, sigma []vectors.Tile) {
	for c := range sigma {
		copy(sigma[c][:], r.Strategy[entry+c*r.width:])
	}
}

// Change changes regrets, sums of strategies and the strategy sigma from an entry on, in a tile of
// lanes. Gains are what the actions of some hands have gained, by column, and the sum of the
// player's reach, for one group of hands after another.
func (r *Rows) Change(entry int, sigma []vectors.Tile, gains [][]vectors.Tile, u pcsgpu.Update) {
	for i := range r.program.Decisions {
		r.change(&r.program.Decisions[i], entry, sigma, gains, &u)
	}
}

func (r *Rows) change(d *segment.Decision, entry int, sigma []vectors.Tile, gains [][]vectors.Tile, u *pcsgpu.Update) {
	played := vectors.Tile{}
	for _, group := range gains {
		for l, x := range group[len(sigma)] {
			played[l] += x
		}
	}
	for l := range played {
		played[l] *= u.Sum
		for _, column := range d.Path {
			played[l] *= sigma[column][l]
		}
	}
	for c := int(d.Column); c < int(d.Column+d.Actions); c++ {
		for l := range tileLanes {
			change := float32(0)
			for _, group := range gains {
				change += group[c][l]
			}
			at := entry + c*r.width + l
			regret := r.Regrets[at] + float32(change*u.Regret)
			if u.Floor {
				regret = max(regret, 0)
			}
			r.Regrets[at] = regret
			r.Sums[at] += float32(played[l] * sigma[c][l])
		}
	}
	at := entry + int(d.Column)*r.width
	MatchTile(r.Strategy[at:], r.Regrets[at:], int(d.Actions), r.width)
}

// MatchTile computes the strategy of a decision in a tile of lanes from its regrets. Those of
// its actions are a width apart.
func MatchTile(strategy, regrets []float32, actions, width int) {
	for lane := range tileLanes {
		total := float32(0)
		for a := range actions {
			total += max(regrets[a*width+lane], 0)
		}
		scale, base := float32(0), 1/float32(actions)
		if total >= vectors.Smallest {
			scale, base = 1/total, 0
		}
		for a := range actions {
			strategy[a*width+lane] = float32(max(regrets[a*width+lane], 0)*scale) + base
		}
	}
}

// at returns where a table is.
func (l *Local) at(sums bool, player, part int) *[]float32 {
	rows := l.Rows(player, part)
	if sums {
		return &rows.Sums
	}
	return &rows.Regrets
}

// Table returns a table, see [Machine].
func (l *Local) Table(sums bool, player, part int) ([]float32, error) {
	return *l.at(sums, player, part), nil
}

// SetTable sets a table.
func (l *Local) SetTable(sums bool, player, part int, values []float32) error {
	*l.at(sums, player, part) = values
	return nil
}

// Close does nothing.
func (l *Local) Close() error { return nil }
