// Package judge says how exploitable a player of poker is, or at least how exploitable.
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
//   - [Local.Play]: a local best response in the game itself, for two players and any bets.
//   - [Learned.Respond]: responses that are learned in the abstract game, for any number of players.
//
// All results are in chips a hand, and do not depend on the number of threads or on where the work is done. A [Report]
// writes them, in the unit that is asked for.
package judge
