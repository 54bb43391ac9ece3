// Package strength has the hands of a deck, and their strengths on full boards: what the hands of a card
// abstraction are compared by.
package strength
