// Package policy is what a strategy is, apart from how it is made: the probability of each
// action in each information set of a poker game.
//
// A [GameSpec] names a game with its abstractions. Its [Index] numbers the information sets,
// which are pairs of a decision in the betting tree and a bucket of cards, and their entries,
// one an action. A [Policy] is a strategy in its file (package strategy has the format), over
// the index of its game:
//
//	p, err := policy.Open("leduc.strategy", 1<<30, nil)
//	choices, err := p.Choices(nil, state) // of the player to act, with the cards that it sees
//
// In no-limit games [Policy.Translate] maps raises that the strategy does not know to some that
// it does. [Policy.All] lists all information sets, and [Played] returns the probabilities of a
// strategy that is not played as it is written, but with a style.
//
// The package knows no trainer: package cfr and those below it make strategies.
//
// docs/api.txt lists the names of this package that are kept.
package policy
