// Package selfplay teaches a network Havannah from nothing but the rules, by games that it
// plays against itself (D. Silver et al., A general reinforcement learning algorithm that
// masters chess, shogi, and Go through self-play, 2018).
//
// A [Training] has for each side a pool of games, in which every move is found by a search
// of package gumbel with few evaluations. A quarter of the moves have more evaluations, and
// their positions are recorded: with the policy that the search has improved, and, when the
// game is over, with its result, the cells of the winning structure and the reply. A step
// plays rounds of games of one side until there are enough new positions, and then
// teaches the network a batch of the recorded ones.
//
// [Run] does all of a training in one call: a [Job] is its settings and its files. A [Session] is a
// training with a clock and files, and a [Match] compares a network with the tree search.
//
// # Games
//
// Games of a pool go on together, so that the network evaluates a position of each in one
// batch on a device, or of eight on a thread. They begin with a first stone, all orbits of cells
// being as likely, and up to four random moves; or one goes on as the game before, from a position
// that it leaves for a random move. There is no swap: the network sees stones of the player to
// move and of the other, and who may choose between them chooses by the value. A game ends when
// the search has proved how it ends; the moves to the end follow from the proof, so that the
// winning structure is known. The network sees each position, in games and in batches,
// under a random symmetry of the board.
//
// On a device, searches are those of the Device of package solvers/hexsearch. The threads make
// the moves in half of the games while the device searches in the other half.
//
// # Reproducibility
//
// The parameters after n steps depend on the settings, the seed and the kind of device
// alone, not on the number of threads or on interruptions: a [Training] can be saved after every
// step and goes on with the same bits.
package selfplay
