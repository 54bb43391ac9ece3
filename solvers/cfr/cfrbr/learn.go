package cfrbr

import (
	"gamebots/cudalib/pcsgpu"
	"gamebots/solvers/cfr/pcs"
	"gamebots/solvers/internal/tiles"
)

// learner plays a strategy of a player in a round, in a tile of lanes, and adds up what its
// actions gain in each information set, in the order in which hands come.
type learner struct {
	*pcsgpu.Program
	columns  int
	strategy []float32 // by row, column and lane, from the tile's first lane on
	width    int       // of its lanes
	order    []uint64  // with the rows as buckets
	sets     []uint32  // information sets by place in the order; nil if they are the rows
	// reach is the player's, by hand and lane; nil if the strategies are not added up.
	reach []float32

	row    []float32    // of the hand
	hand   []tiles.Tile // the gains of its information set by column, and the reach there
	number []int32      // by information set: what it is in came, from 1, or 0
	came   []uint32     // information sets
	gains  []tiles.Tile // by number in came
}

func (l *learner) begin(place int) {
	entry := l.order[place]
	row := entry >> tiles.BucketBit
	l.row = l.strategy[int(row)*l.columns*l.width:]
	set := uint32(row)
	if l.sets != nil {
		set = l.sets[place]
	}
	if l.number[set] == 0 {
		l.came = append(l.came, set)
		l.gains = append(l.gains, make([]tiles.Tile, l.columns+1)...)
		l.number[set] = int32(len(l.came))
	}
	l.hand = l.gains[int(l.number[set]-1)*(l.columns+1):][:l.columns+1]
	if l.reach != nil {
		reach := &l.hand[l.columns]
		for i, x := range l.reach[int(entry&tiles.HandMask)*l.width:][:tiles.Lanes] {
			reach[i] += x
		}
	}
}

func (l *learner) decide(_ int, d *pcsgpu.Decision, actions []tiles.Tile) (mean tiles.Tile) {
	for a := range actions {
		sigma := (*tiles.Tile)(l.row[(int(d.Column)+a)*l.width:])
		for i, v := range actions[a] {
			mean[i] += float32(sigma[i] * v)
		}
	}
	for a := range actions {
		gain := &l.hand[int(d.Column)+a]
		for i, v := range actions[a] {
			gain[i] += v - mean[i]
		}
	}
	return mean
}

// update changes the regrets, the sums of strategies and the strategy of a player in a round,
// from the tile's first lane on, by what was learned.
func (l *learner) update(regrets, sums, strategy []float32, u pcsgpu.Update) {
	for n, bucket := range l.came {
		gains := l.gains[n*(l.columns+1):][:l.columns+1]
		row := int(bucket) * l.columns * l.width
		for i := range l.Decisions { // one after all that follow it, so that paths are those that were played
			d := &l.Decisions[i]
			played := gains[l.columns]
			for k := range played {
				played[k] *= u.Sum
			}
			for _, column := range d.Path[:d.Length] {
				for k, p := range strategy[row+int(column)*l.width:][:tiles.Lanes] {
					played[k] *= p
				}
			}
			at := row + int(d.Column)*l.width
			for a := range int(d.Actions) {
				first := at + a*l.width
				for k, gain := range gains[int(d.Column)+a] {
					regrets[first+k] += float32(gain * u.Regret)
					sums[first+k] += float32(played[k] * strategy[first+k])
				}
			}
			pcs.MatchTile(strategy[at:], regrets[at:], int(d.Actions), l.width)
		}
	}
}

// updateTrunk changes the regrets of an opponent in a round of the trunk, which are by
// information set, column and a number of lanes, by what was learned in the tile from a lane on.
// Those below zero become zero, as in CFR+.
func (l *learner) updateTrunk(regrets []float32, lanes, lane int, u pcsgpu.Update) {
	for n, set := range l.came {
		for c, gain := range l.gains[n*(l.columns+1):][:l.columns] {
			to := regrets[(int(set)*l.columns+c)*lanes+lane:][:min(tiles.Lanes, lanes-lane)]
			for k := range to {
				to[k] = max(0, to[k]+float32(gain[k]*u.Regret))
			}
		}
	}
}
