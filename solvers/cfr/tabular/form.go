package tabular

import (
	"gamebots/solvers/nash/extensive"
)

// A form is a game in sequence form: what each player wins with a sequence by those of the others. It has only
// what an iteration needs, so one costs a multiplication for each leaf and player.
type form struct {
	*layout
	wins []terms // those of each player
}

// terms are the leaves by the player's sequence that leads to them. Leaves with the same sequences of all
// players are one.
type terms struct {
	start  []int32   // the first term of each sequence, and the end
	wins   []float64 // payoff times the probability of chance
	others []int32   // entries of the others' sequences, players-1 for each term
}

func newForm(l *layout) *form {
	f := &form{layout: l}
	var leaves leaves
	walk(l.Game, func(i int, reached, _ float64, payoffs []float64) {
		if l.Game.Nodes[i].Set != extensive.None || reached == 0 {
			return
		}
		leaves.order = append(leaves.order, int32(len(leaves.reached)))
		leaves.reached = append(leaves.reached, reached)
		leaves.node = append(leaves.node, int32(i))
		leaves.payoffs = append(leaves.payoffs, payoffs)
	})
	for p := range l.players {
		f.wins = append(f.wins, f.terms(&leaves, p))
	}
	return f
}

// leaves are the leaves that chance reaches.
type leaves struct {
	order   []int32 // numbers of the leaves, as they are sorted
	node    []int32
	reached []float64 // the probability of chance
	payoffs [][]float64
}

// sort sorts leaves by a player's sequence, and leaves those with the same as they are.
func (x *leaves) sort(sequences []int32, count int) {
	next := make([]int32, count+1)
	for _, i := range x.node {
		next[sequences[i]+1]++
	}
	for s := range count {
		next[s+1] += next[s]
	}
	order := make([]int32, len(x.order))
	for _, i := range x.order {
		s := sequences[x.node[i]]
		order[next[s]] = i
		next[s]++
	}
	x.order = order
}

// terms returns the terms of a player.
func (f *form) terms(x *leaves, player int) terms {
	for p := f.players - 1; p >= 0; p-- {
		if p != player {
			x.sort(f.Of[p], f.Count[p])
		}
	}
	x.sort(f.Of[player], f.Count[player])
	t := terms{start: make([]int32, f.Count[player]+1)}
	own, others := int32(0), make([]int32, 0, f.players-1)
	for _, i := range x.order {
		win, node := x.reached[i]*x.payoffs[i][player], x.node[i]
		if win == 0 {
			continue
		}
		same := len(t.wins) > int(t.start[own]) && f.Of[player][node] == own
		others = others[:0]
		for p := range f.players {
			if p != player {
				others = append(others, int32(f.offset[p])+f.Of[p][node])
			}
		}
		for k, o := range others {
			same = same && t.others[len(t.others)-len(others)+k] == o
		}
		if same {
			t.wins[len(t.wins)-1] += win
			continue
		}
		for ; own < f.Of[player][node]; own++ {
			t.start[own+1] = int32(len(t.wins))
		}
		t.wins, t.others = append(t.wins, win), append(t.others, others...)
	}
	for ; int(own) < f.Count[player]; own++ {
		t.start[own+1] = int32(len(t.wins))
	}
	return t
}

// value sets values to what a player wins with each sequence where it is the last, by the reach of the
// others' entries. Conversions keep products and sums apart, so that all machines give the same bits.
func (f *form) value(player int, reach, values []float64) {
	t := &f.wins[player]
	others := t.others
	for s := range values {
		sum := 0.0
		first, end := t.start[s], t.start[s+1]
		wins := t.wins[first:end]
		if f.players == 2 {
			for k, o := range others[first:end] {
				sum += float64(wins[k] * reach[o])
			}
		} else {
			n := int32(f.players - 1)
			for k, win := range wins {
				for _, o := range others[(first+int32(k))*n : (first+int32(k)+1)*n] {
					win = float64(win * reach[o])
				}
				sum += win
			}
		}
		values[s] = sum
	}
}

// reach sets the reach of a player's entries under the strategy sigma: the probability of the sequence.
func (f *form) reach(player int, sigma, reach []float64) {
	at := f.offset[player]
	reach[at] = 1
	for _, s := range f.sets[player] {
		before := reach[at+s.parent]
		own := reach[s.first:s.end]
		for a, p := range sigma[s.first:s.end] {
			own[a] = before * p
		}
	}
}

// evaluate returns what each player wins with the strategies sigma, and what a best response gains.
func (f *form) evaluate(sigma []float64) (values, gains []float64) {
	reach := make([]float64, f.entries())
	for p := range f.players {
		f.reach(p, sigma, reach)
	}
	for p := range f.players {
		value := make([]float64, f.Count[p])
		f.value(p, reach, value)
		best := append([]float64(nil), value...)
		for i := len(f.sets[p]) - 1; i >= 0; i-- {
			s := f.sets[p][i]
			mean, most := 0.0, best[s.sequence]
			for a, probability := range sigma[s.first:s.end] {
				mean += float64(probability * value[s.sequence+a])
				most = max(most, best[s.sequence+a])
			}
			value[s.parent] += mean
			best[s.parent] += most
		}
		values, gains = append(values, value[0]), append(gains, max(best[0]-value[0], 0))
	}
	return values, gains
}
