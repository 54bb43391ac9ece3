package pcs

// Local keeps tables in this computer's memory.
type Local struct {
	*Game
	players [2]tables
}

// tables are of a player, by part: regrets, sums of strategies and the strategy by bucket,
// column and lane.
type tables struct{ regrets, sums, strategy [][]float32 }

// NewLocal returns tables of zeros. They take no memory before they are used.
func NewLocal(g *Game) Local { return Local{Game: g} }

// prepare makes the tables unless they are there.
func (l *Local) prepare() {
	if l.players[0].regrets != nil {
		return
	}
	for p := range l.players {
		t := &l.players[p]
		for part := range l.layout.Parts {
			n := l.layout.Entries(part, p)
			t.regrets, t.sums, t.strategy = append(t.regrets, make([]float32, n)), append(t.sums, make([]float32, n)), append(t.strategy, make([]float32, n))
		}
	}
	l.Match() // does not fail
}

// Tables returns the regrets of a player in a part, the sums of its strategies and its current
// strategy.
func (l *Local) Tables(player, part int) (regrets, sums, strategy []float32) {
	l.prepare()
	t := &l.players[player]
	return t.regrets[part], t.sums[part], t.strategy[part]
}

// Match computes the strategies from all regrets.
func (l *Local) Match() error {
	for i := range l.layout.Parts {
		part := &l.layout.Parts[i]
		for p := range l.players {
			t, row := &l.players[p], part.Columns[p]*part.Width
			for at := 0; at < part.Buckets[p]*row; at += row {
				for _, d := range part.Programs[p].Decisions {
					for lane := 0; lane < part.Width; lane += tileLanes {
						first := at + int(d.Column)*part.Width + lane
						MatchTile(t.strategy[i][first:], t.regrets[i][first:], int(d.Actions), part.Width)
					}
				}
			}
		}
	}
	return nil
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
		if total >= 0x1p-126 { // else its inverse may be infinite
			scale, base = 1/total, 0
		}
		for a := range actions {
			strategy[a*width+lane] = float32(max(regrets[a*width+lane], 0)*scale) + base
		}
	}
}

// at returns where a table is.
func (l *Local) at(sums bool, player, part int) *[]float32 {
	l.prepare()
	if sums {
		return &l.players[player].sums[part]
	}
	return &l.players[player].regrets[part]
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
