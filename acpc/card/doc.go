// Package card has playing cards and sets of them.
//
// A [Card] is a small number in the original server's numbering, so that it
// indexes arrays and tables; a [Set] is one machine word that keeps the suits
// apart, so that ranks can be counted by bit operations. A reduced deck has
// the highest ranks of the highest suits: see [Deck].
package card
