// Package judge says how exploitable a player of poker is, or at least how exploitable, and writes report cards of
// bots.
//
// A [Subject] is the player: a strategy as it is played, or a simple player of a game. There are five measures. Two are
// exact, and a [Plan] of [NewPlan] says which of them this machine can take:
//
//   - [Abstract.Evaluate]: values and best responses in the game that the strategy was trained in. With lossless cards
//     and all actions that is the game itself.
//   - [Answer.Exact]: best responses in the game itself, which see all cards; for two players. In a no-limit
//     game they have the raises of the strategy.
//
// The others are lower bounds: a best response wins at least what these players win from the subject.
//
//   - [Answer.Sample]: responses in the game itself to boards drawn at random.
//   - [LBR.Play]: a local best response in the game itself, for two players and any bets.
//   - [Learned.Respond]: responses that are learned in the abstract game, for any number of players.
//
// All results are in chips a hand, and do not depend on the number of threads or on where the work is done. A [Report]
// writes them, in the unit that is asked for.
//
// A [Card] of [NewCard] is all about anybody's poker bot of a game for two, as one HTML page:
//
//	card, err := judge.NewCard(ctx, &judge.Spec{Game: game, Command: command, …})
//	err = card.WriteHTML(file)
//
// A bot is a player of the ACPC's protocol, or an agent that states probabilities (package agent). An agent is
// evaluated exactly in a small game, and by local best responses in others. Both play duplicate matches against a
// ladder of bots, from one that always calls to one that solves flops in play, and AIVAT removes luck from their
// results. The card also has the deals that the bot lost most, and how it behaves: what it does against the rules, how
// long it thinks, and whether it crashes. [Card.WriteJSON] writes it as data. Times are in [Card.WriteText] only, so
// that the page and the data have the same bytes on every machine.
package judge
