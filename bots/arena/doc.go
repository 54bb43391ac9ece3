// Package arena plays matches between two bots. Its subpackages play tournaments, and
// store and rate the results.
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
package arena
