// Package nim has the game of Nim with up to 16 heaps of up to 15 sticks: rules,
// notations, records and the theory of who wins.
//
//   - [Heaps] is a position, packed four bits a heap into 64 bits: [Pack] and
//     [ParseHeaps] make one.
//   - [Rules] list the legal moves of a position, and decide by the XOR rule who
//     wins: [Rules.Lost], [Rules.Best].
//   - A [Board] is a game in progress: [New] starts one, [Board.Play] and
//     [Board.Undo] change it. Its record is one line of text.
//   - A [Notation] is one of two notations of moves.
//
// # Rules
//
// Players take sticks in turn: at least one, at most [Rules.MaxTake] if that is set,
// and all from one heap. In normal play the player who takes the last stick wins; in
// misère play ([Rules.Misere]) that player loses. Some but not all heaps may be empty
// at the start.
//
// # Who wins
//
// Without a limit, a position of normal play is lost for the player to move
// if and only if the XOR of its heaps is 0 (C. Bouton, Nim, a game with a complete
// mathematical theory, 1901). Misère play has the same lost positions while some heap
// has at least two sticks; otherwise an odd number of heaps of one stick is lost.
//
// With a limit k each heap counts modulo k+1, in normal and in misère play, and the
// rule is otherwise the same. The reason: if the opponent takes t sticks and so
// increases a remainder, the winning player takes k+1-t sticks from the same heap and
// restores it. If in misère play all remainders are 0 and sticks are left, taking k
// sticks of a heap leaves a single remainder of 1.
//
// The rule is exact for every position that [Heaps] can hold, under all rules; the
// tests compare it with the definition.
package nim
