package belief

import (
	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
)

// Strategy is the player of a trained strategy. It maps raises that the strategy does not know
// to others at random, so a hand is a mixture over all ways in which they were mapped.
type Strategy struct {
	index         *cfr.Index
	probabilities Probabilities
	holes         []card.Set

	hand  uint32
	actor int
	board [acpc.MaxRounds]card.Set // of the rounds whose decisions are known
	// path are the ways of the hand's betting so far, before each action and after the last.
	path    []mixture
	actions []acpc.Action // of the path

	buckets [acpc.MaxRounds][]int32 // by hand, -1 for impossible cards; nil if not looked up
	known   map[int32][][]float64   // the probabilities by action and hand at decisions
}

// mixture is the ways in which the betting of a hand may have been mapped.
type mixture []way

// way is one of them.
type way struct {
	at *betting.Translation // nil where the strategy has no decision: the player calls for the rest of the hand
	// weight is, by hand, the probability of this way and of the player's actions in it.
	weight []float64
}

// Probabilities appends to dst the probabilities of the actions at a decision, for a bucket of
// its round.
type Probabilities func(dst []float64, node int32, bucket int) ([]float64, error)

// NewStrategy returns the player of a strategy of two players.
func NewStrategy(x *cfr.Index, p Probabilities) *Strategy {
	return &Strategy{index: x, probabilities: p, holes: Holes(x.Tree.Game)}
}

// Played returns the probabilities of a policy. play, if not nil, changes the choices of every
// information set to those that are played; they need not sum to one.
func Played(p *cfr.Policy, play func([]cfr.Choice)) Probabilities {
	return func(dst []float64, node int32, bucket int) ([]float64, error) {
		choices, err := p.ChoicesAt(nil, node, bucket)
		if err != nil {
			return dst, err
		}
		if play != nil {
			play(choices)
		}
		return cfr.AppendProbabilities(dst, choices), nil
	}
}

// Choices implements Player.
func (p *Strategy) Choices(s *acpc.State) (Choices, error) {
	if err := p.follow(s); err != nil {
		return Choices{}, err
	}
	c, _, err := p.choices(p.path[len(p.path)-1], s)
	return c, err
}

// follow sets the path to a hand's betting. It keeps what the hand has in common with the
// last.
func (p *Strategy) follow(s *acpc.State) error {
	board := cfr.DealOf(s).Board
	same := p.path != nil && p.hand == s.HandID && p.actor == s.Actor()
	for r, cards := range p.board {
		same = same && (cards == 0 || cards == board[r])
	}
	if !same {
		p.restart(s)
	}
	p.board = board
	// The hand up to each action, to ask for the player's choices there.
	state := s.Game().NewState(s.HandID)
	state.Holes, state.Board = s.Holes, s.Board
	i := 0
	for r := range s.Round() + 1 {
		for _, a := range s.Actions(r) {
			if i == len(p.actions) || p.actions[i] != a {
				p.path, p.actions = p.path[:i+1], append(p.actions[:i], a)
				next, err := p.after(p.path[i], &state, a)
				if err != nil {
					return err
				}
				p.path = append(p.path, next)
			}
			state.Apply(a)
			i++
		}
	}
	p.path, p.actions = p.path[:i+1], p.actions[:i]
	return nil
}

// restart begins a hand.
func (p *Strategy) restart(s *acpc.State) {
	always := make([]float64, len(p.holes))
	for i := range always {
		always[i] = 1
	}
	*p = Strategy{index: p.index, probabilities: p.probabilities, holes: p.holes, hand: s.HandID, actor: s.Actor(), known: map[int32][][]float64{}}
	p.path = []mixture{{{p.index.Tree.NewTranslation(s.HandID), always}}}
}

// after returns the ways after an action in s.
func (p *Strategy) after(m mixture, s *acpc.State, a acpc.Action) (mixture, error) {
	var by [][][]float64 // by way, if the action is the player's
	var chosen int
	if s.Actor() == p.actor {
		c, ways, err := p.choices(m, s)
		if err != nil {
			return nil, err
		}
		for chosen = range c.Actions {
			if c.Actions[chosen] == a {
				by = ways
				break
			}
		}
		if by == nil {
			return nil, cfr.ErrOffTree
		}
	}
	var out mixture
	for i, w := range m {
		weight := w.weight
		if by != nil {
			if by[i][chosen] == nil {
				continue // it does not take this action
			}
			weight = product(weight, by[i][chosen], 1)
		}
		if w.at == nil {
			out = append(out, way{nil, weight})
			continue
		}
		next := w.at.After(a, p.actor)
		if next == nil {
			out = append(out, way{nil, weight})
		}
		for _, n := range next {
			if n.Probability == 1 {
				out = append(out, way{n.Translation, weight})
			} else {
				out = append(out, way{n.Translation, product(weight, nil, n.Probability)})
			}
		}
	}
	return out, nil
}

// product returns a * b * x, or a * x without b.
func product(a, b []float64, x float64) []float64 {
	out := make([]float64, len(a))
	for i := range out {
		out[i] = a[i] * x
		if b != nil {
			out[i] *= b[i]
		}
	}
	return out
}

// choices returns the player's choices in s, and their probabilities in each way: by way,
// action and hand, nil for actions that a way does not have.
func (p *Strategy) choices(m mixture, s *acpc.State) (Choices, [][][]float64, error) {
	var c Choices
	by := make([][][]float64, len(m))
	add := func(w int, a acpc.Action, x []float64) {
		k := 0
		for k < len(c.Actions) && c.Actions[k] != a {
			k++
		}
		if k == len(c.Actions) {
			c.Actions = append(c.Actions, a)
		}
		for len(by[w]) <= k {
			by[w] = append(by[w], nil)
		}
		if by[w][k] != nil { // two raises of the tree that are the same one here
			sum := make([]float64, len(x))
			for i := range sum {
				sum[i] = x[i] + by[w][k][i]
			}
			x = sum
		}
		by[w][k] = x
	}
	for w := range m {
		at := m[w].at
		var node int32
		err := betting.ErrNoDecision
		if at != nil {
			node, err = at.Decision()
		}
		if err != nil {
			add(w, call, p.possible(s.Round()))
			continue
		}
		probability, err := p.at(node)
		if err != nil {
			return c, nil, err
		}
		for a, x := range probability {
			add(w, at.Real(p.index.Tree.Nodes[int(p.index.Tree.Nodes[node].First)+a].Action()), x)
		}
	}
	for w := range by {
		for len(by[w]) < len(c.Actions) {
			by[w] = append(by[w], nil)
		}
	}
	if len(m) == 1 {
		c.Probability = by[0]
		return c, by, nil
	}
	total := make([]float64, len(p.holes))
	for _, w := range m {
		for i, x := range w.weight {
			total[i] += x
		}
	}
	for k := range c.Actions {
		mean := make([]float64, len(p.holes))
		for w := range m {
			if x := by[w][k]; x != nil {
				for i := range mean {
					mean[i] += m[w].weight[i] * x[i]
				}
			}
		}
		for i, x := range total {
			if x > 0 {
				mean[i] /= x
			}
		}
		c.Probability = append(c.Probability, mean)
	}
	return c, by, nil
}

// possible returns 1 for the hands that are possible in a round, and 0 for the others.
func (p *Strategy) possible(round int) []float64 {
	out := make([]float64, len(p.holes))
	for i, b := range p.bucketsOf(round) {
		if b >= 0 {
			out[i] = 1
		}
	}
	return out
}

// at returns the probabilities at a decision, by action and hand.
func (p *Strategy) at(node int32) ([][]float64, error) {
	if known, ok := p.known[node]; ok {
		return known, nil
	}
	n := &p.index.Tree.Nodes[node]
	out := make([][]float64, n.NumActions)
	for a := range out {
		out[a] = make([]float64, len(p.holes))
	}
	rows := map[int32][]float64{}
	for i, bucket := range p.bucketsOf(int(n.Round)) {
		if bucket < 0 {
			continue
		}
		row, ok := rows[bucket]
		if !ok {
			var err error
			if row, err = p.probabilities(nil, node, int(bucket)); err != nil {
				return nil, err
			}
			rows[bucket] = row
		}
		for a, x := range row {
			out[a][i] = x
		}
	}
	p.known[node] = out
	return out, nil
}

// bucketsOf returns the buckets of all hands in a round of the hand.
func (p *Strategy) bucketsOf(round int) []int32 {
	if p.buckets[round] == nil {
		d := abstraction.Deal{}
		copy(d.Board[:round+1], p.board[:])
		board := p.board[0] | p.board[1] | p.board[2] | p.board[3]
		buckets := make([]int32, len(p.holes))
		for i, hole := range p.holes {
			buckets[i] = -1
			if d.Hole = hole; hole&board == 0 {
				buckets[i] = int32(p.index.Buckets.Bucket(round, d))
			}
		}
		p.buckets[round] = buckets
	}
	return p.buckets[round]
}
