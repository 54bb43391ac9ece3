// Package nim is the game of Nim with up to 16 heaps of up to 15 sticks: its
// rules, its notations, its records, and who wins.
//
//   - [Heaps] is a position, packed four bits a heap into 64 bits: [Pack] and
//     [ParseHeaps] make one.
//   - [Rules] say how is played. They list the legal moves of a position, and
//     know by the XOR rule who wins it: [Rules.Lost], [Rules.Best].
//   - A [Board] is a game in progress: [New] starts one, [Board.Play] and
//     [Board.Undo] move. It is written and read as one line of text.
//   - A [Notation] is one of three ways to write a move.
//
// # Rules
//
// Players take sticks in turn: at least one, at most [Rules.MaxTake] if that is
// set, all from one heap. In normal play who takes the last stick wins; in
// misère play ([Rules.Misere]) who takes it loses. A heap may be empty from the
// start, all of them may not.
//
// # Who wins
//
// Without a limit, a position of normal play is lost for the player to move
// exactly if the XOR of its heaps is 0 (C. Bouton, Nim, a game with a complete
// mathematical theory, 1901). Misère play has the same lost positions as long
// as a heap has two sticks or more; where none has, an odd number of heaps with
// a stick is lost.
//
// With a limit k every heap counts as the rest of its division by k+1, in both
// ways to play, and the rule is then the same. The reason: whoever wins among
// the rests answers a move of t sticks that makes a rest larger with the k+1-t
// sticks that give the rest back; and where a misère player who wins finds all
// rests 0 but sticks left, taking k of a heap leaves the single rest 1.
//
// So the rule is exact for every position that [Heaps] can hold, under all
// rules; the tests hold it against the definition.
//
// Nothing here logs, waits or reads a clock. Boards belong to one goroutine at
// a time; the other types are plain values.
package nim
