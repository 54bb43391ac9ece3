package belief

import (
	"context"
	"fmt"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
)

// Strategy is the player of a trained strategy. It maps raises that the strategy does not know
// to others at random, so a hand is a mixture over all ways in which they were mapped.
type Strategy struct {
	// First, if not nil, tells of hands whose first round was not played by the strategy.
	First First

	index         *policy.Index
	probabilities Probabilities
	// other, if not nil, are those of another player, whose hands are then followed, too: of the one in position rival.
	other Probabilities
	rival int
	holes []card.Set
	given *[2][]float64 // what First says of the hand

	hand  uint32
	actor int
	board [acpc.MaxRounds]card.Set // board of the rounds whose decisions are known
	// path are the ways of the hand's betting so far, before each action and after the last.
	path    []mixture
	actions []acpc.Action // actions of the path

	buckets [acpc.MaxRounds][]int // bucket by hand, -1 for impossible cards; nil if not looked up
	known   map[int32][][]float64 // the probabilities by action and hand at decisions
}

// A First returns by position and number of the hand in [Holes] the probability with which two players came to the end
// of the first round of a hand, if the player in a position did not play its strategy there, and otherwise nil. The
// same betting has the same pointer.
type First func(s *acpc.State, position int) (*[2][]float64, error)

// mixture is the ways in which the betting of a hand may have been mapped.
type mixture []way

// way is one of them.
type way struct {
	at *betting.Translation
	// lost is set where the strategy has no decision for the rest of the hand. The player folds or calls as
	// Defends says.
	lost bool
	// weight is, by hand, the probability of this way and of the player's actions in it.
	weight []float64
	other  []float64 // the same of the rival, if its hands are followed
}

// Probabilities appends to dst the probabilities of the actions at a decision, for a bucket of
// its round.
type Probabilities func(dst []float64, node int32, bucket int) ([]float64, error)

// NewStrategy returns the player of a strategy.
func NewStrategy(x *policy.Index, p Probabilities) *Strategy {
	return &Strategy{index: x, probabilities: p, holes: Holes(x.Tree.Game)}
}

// Played returns the probabilities of a policy. play, if not nil, changes the choices of every
// information set to those that are played; they need not sum to one.
func Played(p *policy.Policy, play func([]policy.Choice)) Probabilities {
	return func(dst []float64, node int32, bucket int) ([]float64, error) {
		choices, err := p.ChoicesAt(nil, node, bucket)
		if err != nil {
			return dst, err
		}
		if play != nil {
			play(choices)
		}
		return policy.AppendProbabilities(dst, choices), nil
	}
}

// Choices implements Player.
func (p *Strategy) Choices(_ context.Context, s *acpc.State) (Choices, error) {
	if err := p.follow(s, s.Actor()); err != nil {
		return Choices{}, err
	}
	m := p.path[len(p.path)-1]
	each := make([]Choices, len(m))
	for i, w := range m {
		var err error
		if each[i], err = p.choicesIn(w, s); err != nil {
			return Choices{}, err
		}
	}
	return m.mix(each), nil
}

// follow sets the path to a hand's betting, for the player in a position. It keeps what the
// hand has in common with the last.
func (p *Strategy) follow(s *acpc.State, position int) error {
	board := policy.DealOf(s).Board
	var given *[2][]float64
	if p.First != nil && s.Round() > 0 {
		var err error
		if given, err = p.First(s, position); err != nil {
			return err
		}
	}
	same := p.path != nil && p.hand == s.HandID && p.actor == position && p.given == given
	for r, cards := range p.board {
		same = same && (cards == 0 || cards == board[r])
	}
	if !same {
		p.restart(s.HandID, position, given)
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

// restart begins a hand of the player in a position.
func (p *Strategy) restart(hand uint32, position int, given *[2][]float64) {
	*p = Strategy{
		index: p.index, probabilities: p.probabilities, other: p.other, rival: p.rival, holes: p.holes,
		First: p.First, given: given,
		hand: hand, actor: position, known: map[int32][][]float64{},
	}
	own := policy.FullRange(p.holes)
	other := own
	if given != nil {
		own, other = given[position], given[1-position]
	}
	start := way{at: p.index.Tree.NewTranslation(hand), weight: own}
	if p.other != nil {
		start.other = other
	}
	p.path = []mixture{{start}}
}

// after returns the ways after an action in s.
func (p *Strategy) after(m mixture, s *acpc.State, a acpc.Action) (mixture, error) {
	var out mixture
	known := p.given != nil && s.Round() == 0 // the weights have it already
	for _, w := range m {
		if s.Actor() == p.actor && !known {
			c, err := p.choicesIn(w, s)
			if err != nil {
				return nil, err
			}
			taken := slices.Index(c.Actions, a)
			if taken < 0 {
				continue
			}
			w.weight = product(w.weight, c.Probability[taken])
		}
		if w.lost {
			out = append(out, w)
			continue
		}
		node, _ := w.at.Decision() // an error leaves After without a translation
		next := w.at.After(a, p.actor)
		if len(next) == 0 {
			w.lost = true
			out = append(out, w)
		}
		for _, n := range next {
			after := way{
				at: n.Translation, weight: scaled(w.weight, n.Probability), other: scaled(w.other, n.Probability),
			}
			if p.other != nil && s.Actor() == p.rival && !known {
				expected, err := p.expected(node, n.Node, a)
				if err != nil {
					return nil, err
				}
				after.other = product(after.other, expected)
			}
			out = append(out, after)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%v %w", a, policy.ErrOffTree)
	}
	return out, nil
}

// expected returns by hand the probability with which the rival is expected to come from a
// decision to one of its children, by an action. A raise that it makes with no hand, such as one of
// those that only the opponents of a strategy have, counts as one of any size.
func (p *Strategy) expected(node, child int32, a acpc.Action) ([]float64, error) {
	play, err := p.at(node)
	if err != nil {
		return nil, err
	}
	first := p.index.Tree.Nodes[node].First
	taken := play[child-first]
	if a.Type != acpc.Raise || slices.Max(taken) > 0 {
		return taken, nil
	}
	sum := make([]float64, len(p.holes))
	for k, row := range play {
		if p.index.Tree.Nodes[int(first)+k].Action().Type != acpc.Raise {
			continue
		}
		for i, x := range row {
			sum[i] += x
		}
	}
	return sum, nil
}

// product returns a * b.
func product(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i, x := range a {
		out[i] = x * b[i]
	}
	return out
}

// scaled returns a * x.
func scaled(a []float64, x float64) []float64 {
	if x == 1 {
		return a
	}
	out := make([]float64, len(a))
	for i := range out {
		out[i] = a[i] * x
	}
	return out
}

// choicesIn returns the player's choices in one way, in a state.
func (p *Strategy) choicesIn(w way, s *acpc.State) (c Choices, err error) {
	node, err := w.at.Decision()
	if w.lost || err != nil {
		//lint:ignore nilerr a way without a decision plays by the cards
		return p.defence(s, w.at.Hand().Spent(p.actor)), nil
	}
	probability, err := p.at(node)
	if err != nil {
		return c, err
	}
	first := p.index.Tree.Nodes[node].First
	for a, x := range probability {
		// Two raises of the tree may be the same one here.
		row := c.Row(w.at.Real(p.index.Tree.Nodes[int(first)+a].Action()), len(p.holes))
		for i := range row {
			row[i] += x[i]
		}
	}
	return c, nil
}

// mix returns the choices of the mixture, given those in each of its ways.
func (m mixture) mix(each []Choices) (c Choices) {
	if len(m) == 1 {
		return each[0]
	}
	total := make([]float64, len(m[0].weight))
	for w := range m {
		for i, x := range m[w].weight {
			total[i] += x
		}
		for a, action := range each[w].Actions {
			row := c.Row(action, len(total))
			for i, x := range each[w].Probability[a] {
				row[i] += float64(m[w].weight[i] * x)
			}
		}
	}
	for _, row := range c.Probability {
		for i, x := range total {
			if x > 0 {
				row[i] /= x
			}
		}
	}
	return c
}

// defence returns the choices in a state where the strategy has no decision, after it was ready to put
// some chips into the hand.
func (p *Strategy) defence(s *acpc.State, ready int32) (c Choices) {
	for i, b := range p.bucketsOf(s.Round()) {
		switch {
		case b < 0:
		case Defends(s, ready, p.holes[i]):
			c.Row(call, len(p.holes))[i] = 1
		default:
			c.Row(fold, len(p.holes))[i] = 1
		}
	}
	return c
}

// at returns the probabilities at a decision, by action and hand.
func (p *Strategy) at(node int32) ([][]float64, error) {
	if known, ok := p.known[node]; ok {
		return known, nil
	}
	n := &p.index.Tree.Nodes[node]
	play := p.probabilities
	if int(n.Actor) != p.actor {
		play = p.other
	}
	out := make([][]float64, n.NumActions)
	for a := range out {
		out[a] = make([]float64, len(p.holes))
	}
	err := policy.EachHand(p.bucketsOf(int(n.Round)), func(bucket int) ([]float64, error) {
		return play(nil, node, bucket)
	}, func(hand int, row []float64) {
		for a, x := range row {
			out[a][hand] = x
		}
	})
	if err != nil {
		return nil, err
	}
	p.known[node] = out
	return out, nil
}

// bucketsOf returns the buckets of all hands in a round of the hand.
func (p *Strategy) bucketsOf(round int) []int {
	if p.buckets[round] == nil {
		buckets, board := p.index.OnBoard(round, p.board, p.holes), p.board[0]|p.board[1]|p.board[2]|p.board[3]
		for i, hole := range p.holes {
			if hole&board != 0 { // with the cards of later rounds, too
				buckets[i] = -1
			}
		}
		p.buckets[round] = buckets
	}
	return p.buckets[round]
}

// A Reach follows two players of a hand: with which hands they come to a point of it, if
// one plays a strategy as it is known to, and the other as it is expected to.
type Reach struct{ strategy *Strategy }

// NewReach returns the Reach of the player of a strategy and of an opponent who is expected
// to play the same strategy with other probabilities.
func NewReach(player *Strategy, opponent Probabilities) *Reach {
	followed := *player
	followed.other, followed.path = opponent, nil
	return &Reach{&followed}
}

// At returns by number of the hand in [Holes] the probability of a player's actions up to a decision: of the player of
// the strategy, in position own, and of the opponent in position other. A raise of the opponent that the strategy does
// not know counts as those that it may be mapped to, each with the probability of this mapping, and one that it never
// makes as a raise of any size. Of other players it only matters how their raises are mapped.
func (r *Reach) At(s *acpc.State, own, other int) (reach, others []float64, err error) {
	p := r.strategy
	if p.rival != other {
		p.rival, p.path = other, nil
	}
	if err := p.follow(s, own); err != nil {
		return nil, nil, err
	}
	reach, others = make([]float64, len(p.holes)), make([]float64, len(p.holes))
	for _, w := range p.path[len(p.path)-1] {
		for i := range p.holes {
			reach[i] += w.weight[i]
			others[i] += w.other[i]
		}
	}
	return reach, others, nil
}

// Likeliest returns how the hand of the last call of At was most probably mapped, of the ways
// in which the strategy has a decision; nil without one.
func (r *Reach) Likeliest() (likeliest *betting.Translation) {
	most := -1.0
	for _, w := range r.strategy.path[len(r.strategy.path)-1] {
		if w.lost {
			continue
		}
		if _, err := w.at.Decision(); err != nil {
			continue
		}
		sum := 0.0
		for _, x := range w.weight {
			sum += x
		}
		if sum > most {
			likeliest, most = w.at, sum
		}
	}
	return likeliest
}
