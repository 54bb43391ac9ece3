package cfrbr

import (
	"gamebots/cudalib/pcsgpu"
	"gamebots/solvers/cfr/pcs"
	"gamebots/solvers/cfr/segment"
	"gamebots/solvers/internal/vectors"
)

// learner plays a strategy of a player in a round, in a tile of lanes, and adds up what its
// actions gain in each information set, in the order in which hands come.
type learner struct {
	strategy []float32 // probabilities by row, column and lane, from the tile's first lane on
	width    int       // lanes of the strategy
	order    []uint64  // the hands, with rows as buckets
	sets     []uint32  // information sets by place in the order; nil if they are the rows
	// reach is the player's, by hand and lane; nil if the strategies are not added up.
	reach      []float32
	reachWidth int // lanes of the reach

	sigma  []vectors.Tile   // the hand's strategy by column
	number []int32          // place of each information set in came, from 1, or 0
	came   []uint32         // information sets
	gains  [][]vectors.Tile // gains of each set in came by column, and the sum of the reach
}

func (l *learner) play(place int, v *segment.Values) vectors.Tile {
	entry, columns := l.order[place], len(l.sigma)
	row := entry >> vectors.BucketBit
	for c := range l.sigma {
		copy(l.sigma[c][:], l.strategy[(int(row)*columns+c)*l.width:])
	}
	set := uint32(row)
	if l.sets != nil {
		set = l.sets[place]
	}
	if l.number[set] == 0 {
		l.came = append(l.came, set)
		l.gains = append(l.gains, make([]vectors.Tile, columns+1))
		l.number[set] = int32(len(l.came))
	}
	gains := l.gains[l.number[set]-1]
	if l.reach != nil {
		for i, x := range l.reach[int(entry&vectors.HandMask)*l.reachWidth:][:vectors.TileLanes] {
			gains[columns][i] += x
		}
	}
	return v.Mean(l.sigma, gains)
}

// update adds one tile's regrets and strategies, from lane on, to the player's tables of a round.
func (l *learner) update(rows *pcs.Rows, lane int, u pcsgpu.Update) {
	for n, bucket := range l.came {
		entry := rows.Entry(int(bucket), lane)
		rows.Play(entry, l.sigma)
		rows.Change(entry, l.sigma, l.gains[n:n+1], u)
	}
}

// updateTrunk adds one tile's gains, from lane on, to the regrets of an opponent in a round of the
// trunk, which are by information set, column and lane. Regrets below zero become zero, as in CFR+.
func (l *learner) updateTrunk(regrets []float32, lanes, lane int, u pcsgpu.Update) {
	for n, set := range l.came {
		columns := len(l.sigma)
		for c, gain := range l.gains[n][:columns] {
			to := regrets[(int(set)*columns+c)*lanes+lane:][:min(vectors.TileLanes, lanes-lane)]
			for k := range to {
				to[k] = max(0, to[k]+float32(gain[k]*u.Regret))
			}
		}
	}
}
