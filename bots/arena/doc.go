// Package arena plays matches between two bots, and defines the data of runs of many: their
// plans and results. Its subpackages play tournaments, and store and rate the results.
//
// A [DuplicateMatch] is a match of two poker bots in which every deal is played
// twice, with the seats exchanged, so that most of the luck of the cards cancels
// out. The bots are programs that connect over TCP, as in a competition:
//
//	match := arena.DuplicateMatch{Game: game, Hands: 1000, Seed: 1,
//		A: arena.Bot{Name: "mine", Command: []string{"./startme.sh"}},
//		B: arena.Bot{Name: "theirs", Command: []string{"./other.sh"}}}
//	outcome, err := match.Play(ctx)
//	fmt.Println(outcome.A.Mean(), outcome.A.Interval95())
//
// Each program has a process group of its own. After its match, or when the context
// ends, it has two seconds to end and two more after SIGTERM. Then it is killed, with
// all that it has started.
//
// A [Series] plays games of two bots at a board game. Every opening is played twice, with
// the seats exchanged. A [Match] is a series whose games are kept in a file, and that ends
// early when its sequential test [SPRT] is decided. [Standing] counts results, with an interval
// over the openings; [gamebots/internal/stats.Elo] is the difference in strength. [Match.WriteText] writes both.
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
package arena
