package spot

import (
	"math"
	"math/bits"

	"gamebots/solvers/resolve/spot/internal/layout"
)

// points are the decisions of a table's streets up to a last one, on all boards, as a file has them: street
// by street, board by board, node by node. A decision has, over the hands of its actor, the probabilities of the
// actions one after the other, then their values, and last the values over the other player's hands.
// Values are [Hand.Value].
type points struct {
	*table
	last int
	base [layout.NumStreets][]int // where the numbers of a board begin
	// before is the number of vectors, by player, of the decisions before each node of a street.
	before [layout.NumStreets][][2]int
	put    [layout.NumStreets][][2]int // chips that each player has put in since the root, by node
	size   int
}

func newPoints(t *table, last int) *points {
	p := &points{table: t, last: last}
	p.put[t.First] = make([][2]int, len(t.Streets[t.First].Nodes))
	for k := t.First; k <= last; k++ {
		st := &t.Streets[k]
		var vectors [2]int
		for i := range st.Nodes {
			n := &st.Nodes[i]
			p.before[k] = append(p.before[k], vectors)
			if n.Kind == layout.Decision {
				vectors[n.Actor] += 2 * int(n.Actions)
				vectors[1-n.Actor]++
			}
		}
		for _, b := range t.Boards[k] {
			p.base[k] = append(p.base[k], p.size)
			p.size += vectors[0]*len(b.Hands[0].Holes) + vectors[1]*len(b.Hands[1].Holes)
		}
		p.count(k)
	}
	return p
}

// count counts the chips of a street, which those at its roots are known of.
func (p *points) count(k int) {
	st := &p.Streets[k]
	if k < p.last {
		p.put[k+1] = make([][2]int, len(p.Streets[k+1].Nodes))
	}
	for _, t := range st.Batches {
		roots, base := t.Roots, 0
		for i := t.First; i < t.Last; i++ {
			at := point{put: p.put[k][i]}
			if len(roots) > 0 && i == roots[0] {
				roots, base = roots[1:], at.put[0]
			}
			at.base = base
			switch n := &st.Nodes[i]; n.Kind {
			case layout.Decision:
				for a := n.First; a < n.First+int32(n.Actions); a++ {
					next := at
					next.act(int(n.Actor), p.taken[k][a])
					p.put[k][a] = next.put
				}
			case layout.Deal:
				if k < p.last {
					p.put[k+1][p.Streets[k+1].Root(n.First)] = at.put
				}
			}
		}
	}
}

// decisions returns all points of the streets.
func (p *points) decisions() (all []layout.NodeKey) {
	for k := p.First; k <= p.last; k++ {
		for b := range p.Boards[k] {
			for i := range p.Streets[k].Nodes {
				if p.Streets[k].Nodes[i].Kind == layout.Decision {
					all = append(all, layout.NodeKey{Street: k, Board: b, Node: int32(i)})
				}
			}
		}
	}
	return all
}

// at returns where the numbers of a decision are, and of how many actions and hands.
func (p *points) at(key layout.NodeKey) (at, actions, own, other int) {
	n, hands := &p.Streets[key.Street].Nodes[key.Node], &p.Boards[key.Street][key.Board].Hands
	before := p.before[key.Street][key.Node]
	at = p.base[key.Street][key.Board] + before[0]*len(hands[0].Holes) + before[1]*len(hands[1].Holes)
	return at, int(n.Actions), len(hands[n.Actor].Holes), len(hands[1-n.Actor].Holes)
}

// scale is what a value is divided by in a file, once it counts from losing the whole stack on. At most a hand
// wins the pot with both stacks, one of which it has put in before.
func (p *points) scale() float64 { return float64(p.spot.Pot + 3*p.spot.Stack) }

// worth returns what a hand wins from a decision on, in chips, from its value in a traversal: opposing is the
// reach of the other player's hands.
func (t *table) worth(value, opposing float32, street, put int) float64 {
	if opposing <= 0 {
		return 0
	}
	return float64(value)/(float64(opposing)*t.Chance(street)) + float64(t.spot.Pot)/2 + float64(put)
}

// value is the inverse of worth.
func (t *table) value(worth float64, opposing float32, street, put int) float32 {
	return float32((worth - float64(t.spot.Pot)/2 - float64(put)) * float64(opposing) * t.Chance(street))
}

// roundValue returns a value from 0 to 1 as a file has it: in steps of a ten-thousandth of the pot, as its last
// digits would only fill the file.
func (p *points) roundValue(x float64) float32 {
	steps := float64(uint64(1) << (bits.Len(uint(p.scale()/float64(p.spot.Pot))) + 13))
	return float32(math.Round(min(max(x, 0), 1)*steps) / steps)
}

// roundProbability returns a probability to twelve binary digits: small ones keep as many as large ones.
func roundProbability(x float32) float32 {
	const last = 1 << 12
	return min(1, math.Float32frombits((math.Float32bits(x)+last/2)&^(last-1)))
}
