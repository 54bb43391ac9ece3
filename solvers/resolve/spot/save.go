package spot

import (
	"errors"
	"math"
	"math/bits"

	"gamebots/solvers/resolve/spot/internal/layout"
	"gamebots/solvers/strategy"
)

// savedGame is the name of the game in the file of a spot.
const savedGame = "solved spot of no-limit hold'em"

// kept returns the last street that a file has: rivers are solved again, which takes less time than to read them.
func (s *Spot) kept() int { return max(s.first(), layout.Turn) }

// SavedBytes returns the most bytes of the file of [Solver.Save], and of the memory that it takes meanwhile.
func (s *Solver) SavedBytes() int64 { return 4 * int64(newPoints(s.table, s.spot.kept()).size) }

// Save writes a file for [OpenSaved] with the average strategies and what hands win by them, at all decisions
// before the river; a river is written whole. Spots with an offer or lines have no files.
func (s *Solver) Save(path string, exploitability float64) error {
	text, err := s.spot.MarshalText()
	if err != nil {
		return err
	}
	m := strategy.Meta{
		Game: savedGame, GameText: string(text), Algorithm: s.algorithm.Name, Params: map[string]float64{"bits": 32},
		Iterations: s.iterations, Exploitability: &exploitability,
	}
	if s.quantized {
		m.Params["bits"] = 16
	}
	p := newPoints(s.table, s.spot.kept())
	values := make([]float32, p.size)
	for q := range 2 {
		err := s.capture(q, p.all, func(c *capture) { p.fill(s.traversal, values, c, q) })
		if err := errors.Join(err, s.err()); err != nil {
			return err
		}
	}
	return strategy.Write(path, m, uint64(p.size), func(dst []float32, at uint64) error {
		copy(dst, values[at:])
		return nil
	})
}

// fill sets the numbers of a decision that a traversal for a player has found.
func (p *points) fill(s *traversal, values []float32, c *capture, player int) {
	at, actions, own, other := p.at(c.NodeKey)
	opposing := opposing(p.Boards[c.Street][c.Board], player, c.reach[1-player])
	fill := func(to []float32, from []float32) {
		for i := range to {
			worth := p.worth(from[i], opposing[i], c.Street, 0)
			to[i] = p.roundValue((worth + float64(p.spot.Stack)) / p.scale())
		}
	}
	if int(p.Streets[c.Street].Nodes[c.Node].Actor) != player {
		fill(values[at+2*actions*own:][:other], c.value)
		return
	}
	for a := range actions {
		for i, x := range c.sigma[a][:own] {
			values[at+a*own+i] = roundProbability(x)
		}
		fill(values[at+(actions+a)*own:][:own], c.children[a])
	}
}

// points are the decisions of a table's streets up to a last one, on all boards, as a file has them: street
// by street, board by board, node by node. A decision has, over the hands of its actor, the probabilities of the
// actions one after the other, then their values, and last the values over the other player's hands.
// Values are what a hand wins from the root on, in chips.
type points struct {
	*table
	last int
	all  []layout.NodeKey
	from map[layout.NodeKey]int // where the numbers of a decision begin
	size int
}

func newPoints(t *table, last int) *points {
	p := &points{table: t, last: last, from: map[layout.NodeKey]int{}}
	for k := t.First; k <= last; k++ {
		for b := range t.Boards[k] {
			for i := range t.Streets[k].Nodes {
				if t.Streets[k].Nodes[i].Kind == layout.Decision {
					key := layout.NodeKey{Street: k, Board: b, Node: int32(i)}
					p.all, p.from[key] = append(p.all, key), p.size
					_, actions, own, other := p.at(key)
					p.size += 2*actions*own + other
				}
			}
		}
	}
	return p
}

// at returns where the numbers of a decision are, and of how many actions and hands.
func (p *points) at(key layout.NodeKey) (at, actions, own, other int) {
	n, hands := &p.Streets[key.Street].Nodes[key.Node], &p.Boards[key.Street][key.Board].Hands
	return p.from[key], int(n.Actions), len(hands[n.Actor].Holes), len(hands[1-n.Actor].Holes)
}

// scale is what a value is divided by in a file, once it counts from losing the whole stack on. At most a hand wins
// the pot and the other stack.
func (p *points) scale() float64 { return float64(p.spot.Pot + 2*p.spot.Stack) }

// worth returns what a hand wins from a decision on, in chips, from its value in a traversal: opposing is the
// reach of the other player's hands.
func (t *table) worth(value, opposing float32, street, put int) float64 {
	if opposing <= 0 {
		return 0
	}
	return float64(value)/(float64(opposing)*t.Chance(street)) + float64(t.spot.Pot)/2 + float64(put)
}

// value is the inverse of worth from the root on.
func (t *table) value(worth float64, opposing float32, street int) float32 {
	return float32((worth - float64(t.spot.Pot)/2) * float64(opposing) * t.Chance(street))
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
