// Package card has playing cards and sets of them.
//
// A [Card] is a small number, in the original server's order, that can index arrays; a
// [Set] is a 64-bit word with 16 bits for each suit, so that ranks can be counted by bit
// operations. A reduced deck has the highest ranks of the highest suits: see [Deck].
package card
