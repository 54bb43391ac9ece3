// Package plan defines the data of the arena's runs: their matches and results.
//
// A [Plan] has the game, the players, the tables and the seat orders of a run. A table
// is a set of players that meet. It plays units: deals of poker or openings of a board
// game, each once in every seat order, so that most of the luck cancels out. No two
// tables have the same cards, so their results are independent.
//
// A [Shard] is n units of one table: the work that a thread or machine takes at a time.
// Its games follow from the plan and the number of the shard alone. Its [Result] has a
// [Tally] and the packed games: of poker the actions only, because the cards are dealt
// again from the seed ([Hands]); of board games the whole records ([BoardGames]).
//
// A [Run] is a stored run, and [Sum] adds the tallies of its shards by table.
//
// In a tally an observation is a unit. For a player at poker that is the mean of its
// chips a hand over all orders of one deal, at board games the mean of its points in
// the two games of an opening. [Score.Mean] and [Score.Uncertainty] follow from the sums.
//
// Plans, shards and results are not changed after they are made, and may be shared.
package plan
