package extensive

import (
	"fmt"
	"math/big"
)

// Rules are the rules of an extensive game, by its positions. [Build] makes a [Game] of
// them.
type Rules[P any] interface {
	// Start returns the first position.
	Start() P
	// Describe says who moves in a position, or how the game ended there.
	Describe(p P) Turn
	// Next returns the position after an action, by its number in the turn.
	Next(p P, action int) P
}

// A Turn is what a position is to the players.
type Turn struct {
	// Player is who moves, from 0, or Chance.
	Player int
	// Set names what the player knows: positions with the same player and set look alike.
	// It is not used for chance moves.
	Set string
	// Actions are named. A position without actions ends the game.
	Actions []string
	// Probabilities of a chance move's actions.
	Probabilities []*big.Rat
	// Payoffs are paid by player where the game ends.
	Payoffs []*big.Rat
}

// Build lists the positions of a game. It fails with [ErrTooManyNodes], and for rules
// that contradict themselves.
func Build[P any](title string, players []string, rules Rules[P]) (*Game, error) {
	b := builder{
		game: &Game{Title: title, Players: players},
		sets: map[turnKey]int{}, events: map[string]int{}, outcomes: map[string]int{},
	}
	type item struct {
		position P
		parent   int
	}
	for stack := []item{{rules.Start(), None}}; len(stack) > 0; {
		next := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if err := b.game.room(); err != nil {
			return nil, err
		}
		turn := rules.Describe(next.position)
		i, err := b.add(next.parent, &turn)
		if err != nil {
			return nil, fmt.Errorf("position %v: %w", next.position, err)
		}
		for a := len(turn.Actions) - 1; a >= 0; a-- {
			stack = append(stack, item{rules.Next(next.position, a), i})
		}
	}
	b.game.finish()
	return b.game, nil
}

// A builder makes a game. Equal sets, chance moves and outcomes are shared.
type builder struct {
	game     *Game
	sets     map[turnKey]int
	events   map[string]int
	outcomes map[string]int
	key      []byte // scratch for an outcome's key
}

type turnKey struct {
	player int
	set    string
}

// add appends a position.
func (b *builder) add(parent int, turn *Turn) (int, error) {
	g := b.game
	n := Node{Parent: parent, Set: None, Outcome: None}
	if len(turn.Actions) > 0 {
		n.Children = make([]int, 0, len(turn.Actions))
	}
	var err error
	switch {
	case len(turn.Actions) == 0:
		n.Outcome, err = b.outcome(turn.Payoffs)
	case turn.Player == Chance:
		n.Set, err = b.event(turn)
	default:
		n.Set, err = b.set(turn)
	}
	if err != nil {
		return 0, err
	}
	return g.add(n), nil
}

func (b *builder) set(turn *Turn) (int, error) {
	g := b.game
	if turn.Player < 0 || turn.Player >= len(g.Players) {
		return 0, fmt.Errorf("player %d of %d", turn.Player, len(g.Players))
	}
	key := turnKey{turn.Player, turn.Set}
	s := Set{Name: turn.Set, Player: turn.Player, Actions: turn.Actions}
	known, ok := b.sets[key]
	if !ok {
		b.sets[key] = len(g.Sets)
		g.Sets = append(g.Sets, s)
		return b.sets[key], nil
	}
	if !sameSet(&g.Sets[known], &s) {
		return 0, fmt.Errorf("information set %q has other actions elsewhere", turn.Set)
	}
	return known, nil
}

func (b *builder) event(turn *Turn) (int, error) {
	g := b.game
	if len(turn.Probabilities) != len(turn.Actions) {
		return 0, fmt.Errorf("%d probabilities of %d actions", len(turn.Probabilities), len(turn.Actions))
	}
	if err := checkProbabilities(turn.Probabilities); err != nil {
		return 0, err
	}
	key := fmt.Sprintf("%q %v", turn.Actions, turn.Probabilities)
	if known, ok := b.events[key]; ok {
		return known, nil
	}
	b.events[key] = len(g.Sets)
	g.Sets = append(g.Sets, Set{Player: Chance, Actions: turn.Actions, Probabilities: turn.Probabilities})
	return b.events[key], nil
}

func (b *builder) outcome(payoffs []*big.Rat) (int, error) {
	g := b.game
	if len(payoffs) != len(g.Players) {
		return 0, fmt.Errorf("%d payoffs of %d players", len(payoffs), len(g.Players))
	}
	key := b.key[:0]
	for _, x := range payoffs {
		key, _ = x.AppendText(key) // no fraction fails
		key = append(key, ' ')
	}
	b.key = key
	if known, ok := b.outcomes[string(key)]; ok {
		return known, nil
	}
	b.outcomes[string(key)] = len(g.Outcomes)
	g.Outcomes = append(g.Outcomes, Outcome{Payoffs: payoffs})
	return b.outcomes[string(key)], nil
}
