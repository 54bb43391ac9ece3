// Package arena plays matches between bots and says what they mean.
//
// A [Duel] is a duplicate match of two poker bots: every deal is played twice,
// with the seats exchanged, so that most of the luck of the cards cancels out.
// The bots are processes of their own that connect over TCP, as in a
// competition:
//
//	duel := arena.Duel{Game: game, Hands: 1000, Seed: 1,
//		A: arena.Bot{Name: "mine", Command: []string{"./startme.sh"}},
//		B: arena.Bot{Name: "theirs", Command: []string{"./other.sh"}}}
//	outcome, err := duel.Play(ctx)
//	fmt.Println(outcome.A.Mean(), outcome.A.Interval95())
//
// Bots have a process group of their own. When a match is over, or a duel is
// ended by its context, they have two seconds to end, two more after SIGTERM,
// and are then killed, with all that they have started.
//
// A [Bout] is the same between players in one process, at many more hands a
// second.
//
// A [Series] is a match at a board game: every opening is played twice, with the
// seats exchanged. A [Standing] counts it, with Wilson's interval, Elo, and the
// sequential test [SPRT].
package arena
