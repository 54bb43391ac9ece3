package aivat

import (
	"errors"
	"fmt"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/internal/memory"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
)

// ErrNotPlayed is the error for a hand with an action that the player's strategy never
// plays.
var ErrNotPlayed = errors.New("not what the strategy plays")

// Estimator estimates the winnings of a player of a known strategy. It may be used by
// several goroutines at once.
type Estimator struct {
	*sides
	game   *acpc.Game
	hands  *hands
	values *exact
	// showdowns, if not nil, takes the place of sides and values.
	showdowns *showdowns
	// otherKnown is set if model is the other player's strategy, not just a guess.
	otherKnown bool
}

// New returns an estimator for a player of a strategy. other is the strategy of the other player,
// or of all others, if otherKnown is set; their actions are then corrected too. Otherwise other
// is a guess, which only serves the value function.
func New(known, other *Strategy, otherKnown bool) (*Estimator, error) {
	g := known.Tree.Game
	if other.Tree.Game.String() != g.String() {
		return nil, fmt.Errorf("%s and %s: want two strategies of one game", g.Name, other.Tree.Game.Name)
	}
	e := &Estimator{game: g, hands: newHands(g), otherKnown: otherKnown}
	if g.NumPlayers == 2 && known.Tree.Shape.Betting.All() && other.Tree.Shape.Betting.All() &&
		known.probability != nil && other.probability != nil {
		e.sides = newSides(known, other)
		if e.exactSize() <= maxExactValues {
			e.values = newExact(e)
			return e, nil
		}
	}
	e.showdowns = newShowdowns(known, other, otherKnown)
	return e, nil
}

// Corrections are the control variates of a hand. Each has the expectation zero; added
// to the chips won they give the estimate.
type Corrections [NumCorrections]float64

// The corrections.
const (
	// Private is the mean result over the hands that the player may have held, minus
	// its result.
	Private = iota
	// Holes is the correction of the other player's hole cards.
	Holes
	// Deal is the correction of the board cards of the second round, followed by those
	// of later rounds.
	Deal
	// Own is the correction of the player's actions in the first round, followed by
	// those of later rounds.
	Own = Deal + acpc.MaxRounds - 1
	// Other is the correction of the others' actions, if their strategy is known.
	Other          = Own + acpc.MaxRounds
	NumCorrections = Other + 1
)

// Sum returns the sum of all corrections.
func (t *Corrections) Sum() float64 {
	sum := 0.0
	for _, x := range t {
		sum += x
	}
	return sum
}

// Estimate returns the corrected winnings of the player in a seat (its position at the
// table) in a finished hand, in chips. All hole cards must be known.
func (e *Estimator) Estimate(s *acpc.State, seat int) (float64, error) {
	c, err := e.Corrections(s, seat)
	if err != nil {
		return 0, err
	}
	return s.Value(seat) + c.Sum(), nil
}

// heldHands are the numbers of the hands that the players hold, by position.
type heldHands [acpc.MaxPlayers]int

// unseen stands for the number of a hand that is not known.
const unseen = -1

// EstimateUnseen returns an estimate as Estimate does, without the hole cards of the player:
// neither the estimate nor whether there is one depends on them. The error wraps
// [ErrNotPlayed] if the strategy plays no hand like that.
func (e *Estimator) EstimateUnseen(s *acpc.State, seat int) (float64, error) {
	held, err := e.held(s, seat)
	if err != nil {
		return 0, err
	}
	held[seat] = unseen
	c, err := e.corrections(s, seat, held, 0)
	return c.Sum(), err
}

// Corrections returns the corrections of a finished hand.
func (e *Estimator) Corrections(s *acpc.State, seat int) (c Corrections, err error) {
	held, err := e.held(s, seat)
	if err != nil {
		return c, err
	}
	if held[seat], err = e.number(s, seat); err != nil {
		return c, err
	}
	var dealt card.Set
	for p := range e.game.NumPlayers {
		hole := e.hands.holes[held[p]]
		if dealt&hole != 0 {
			return c, fmt.Errorf("hand %d: a card was dealt twice", s.HandID)
		}
		dealt |= hole
	}
	return e.corrections(s, seat, held, s.Value(seat))
}

// corrections returns the corrections of what the player in a seat has won in a finished hand,
// given the hands that all hold; that of the player may be unseen.
func (e *Estimator) corrections(s *acpc.State, seat int, held heldHands, won float64) (c Corrections, err error) {
	if e.showdowns != nil {
		c, err = e.showdowns.corrections(s, seat, held, won)
	} else {
		h := e.observe(s, seat, held[seat], held[1-seat])
		err = h.play(won)
		c = h.corrections
	}
	if err != nil {
		return Corrections{}, fmt.Errorf("hand %d: %w", s.HandID, err)
	}
	return c, nil
}

// held returns the hands that all but the player in a seat held in a finished hand.
func (e *Estimator) held(s *acpc.State, seat int) (held heldHands, err error) {
	if !s.Finished() || seat < 0 || seat >= e.game.NumPlayers {
		return held, fmt.Errorf("hand %d: it is not finished, or there is no such seat", s.HandID)
	}
	for p := range e.game.NumPlayers {
		if p == seat {
			continue
		}
		if held[p], err = e.number(s, p); err != nil {
			return held, err
		}
	}
	return held, nil
}

// number returns the number of the hand that a position held.
func (e *Estimator) number(s *acpc.State, position int) (int, error) {
	i, ok := e.hands.number[card.SetOf(s.Holes[position][:e.game.NumHoleCards]...)]
	if !ok {
		return 0, fmt.Errorf("hand %d: the hole cards of position %d are not known", s.HandID, position+1)
	}
	return i, nil
}

// Strategy is a strategy as it is played. It does not change after it is made and may be
// shared.
type Strategy struct {
	*policy.Index
	// probability of action a in bucket b of a decision is at
	// Entry[node] + a*buckets + b. It is nil if only played knows them.
	probability []float64
	played      belief.Probabilities
	newPlayer   func() (belief.Player, error) // see PlayedBy
}

// newStrategy returns a strategy of weights in memory. play is as in ReadStrategy.
func newStrategy(x *policy.Index, weights []float32, play func([]policy.Choice)) *Strategy {
	s := &Strategy{Index: x, probability: policy.Played[float64](x, weights, play)}
	s.played = func(dst []float64, node int32, bucket int) ([]float64, error) {
		for a := range int(x.Tree.Nodes[node].NumActions) {
			dst = append(dst, s.of(node, a)[bucket])
		}
		return dst, nil
	}
	return s
}

// ReadStrategy reads a whole policy. play, if not nil, changes the probabilities of every
// information set to those that the player plays; they need not sum to one. An estimate
// is right only for the probabilities that were played.
func ReadStrategy(p *policy.Policy, play func([]policy.Choice)) (*Strategy, error) {
	if p.Tree.Shape.Betting.All() && p.Tree.Game.NumPlayers == 2 { // exact values need a node for each betting sequence
		var err error
		if p, err = p.Full(memory.Available()); err != nil {
			return nil, err
		}
	}
	weights, err := p.Weights()
	if err != nil {
		return nil, err
	}
	return newStrategy(p.Index, weights, play), nil
}

// MaxRead is the number of probabilities of the largest strategy that OpenStrategy reads.
const MaxRead = 8_000_000

// OpenStrategy is ReadStrategy for estimates of few hands. Of a large policy, which must stay
// open, it reads only what they need, when they need it; estimates then value hands by
// showdowns.
func OpenStrategy(p *policy.Policy, play func([]policy.Choice)) (*Strategy, error) {
	if p.Entries <= MaxRead {
		return ReadStrategy(p, play)
	}
	return &Strategy{Index: p.Index, played: belief.Played(p, play)}, nil
}

// PlayedBy returns the strategy of a player that does more than to look into a file, such as
// solving rounds in play. newPlayer makes players that say what they do with each hand; each is
// used by one goroutine at a time. Estimates value hands by showdowns.
func PlayedBy(g *acpc.Game, newPlayer func() (belief.Player, error)) *Strategy {
	return &Strategy{Index: &policy.Index{Tree: &betting.Tree{Game: g}}, newPlayer: newPlayer}
}

// player returns a player of the strategy.
func (s *Strategy) player() (belief.Player, error) {
	if s.newPlayer != nil {
		return s.newPlayer()
	}
	return belief.NewStrategy(s.Index, s.played), nil
}

// of returns the probabilities of an action by bucket.
func (s *Strategy) of(node int32, action int) []float64 {
	stride := s.Buckets.NumBuckets(int(s.Tree.Nodes[node].Round))
	return s.probability[s.Entry(node)+action*stride:][:stride]
}

// bucket returns the bucket of a hand on a board, or -1 for impossible cards.
func (s *Strategy) bucket(round int, board [4]card.Set, hole card.Set) int {
	return s.Buckets.Bucket(round, abstraction.Deal{Board: board, Hole: hole})
}
