// Package acpc holds the rules and the texts of the Annual Computer Poker
// Competition: any poker game with up to 10 players, 4 rounds, 4 suits, 13
// ranks, 3 hole cards and 7 board cards, limit or no-limit.
//
//   - A [Game] is a game definition, read by [ParseGame]; [CheckGame] also warns
//     of what would be ignored or go wrong.
//   - A [State] is one hand: whose turn it is, what is legal, what the hand is
//     worth at the end. [Game.NewState] starts one, [State.Check] and
//     [State.Apply] play it.
//   - A [MatchState] is a hand as one player sees it, which is what a dealer
//     sends: [State.View], [MatchState.Append], [Game.ParseMatchState].
//   - A [Shuffler] deals the hands that the original dealer deals from a seed.
//
// The behaviour, the texts and the deals are those of the original server
// (project_acpc_server, protocol version 2.0.0), including what is odd about
// them; the comments name the oddities. Three things differ, for the better:
// a definition that would write past the original's arrays is refused, a hand
// in which all are all-in from the blinds is over at once instead of hanging,
// and one without any chips in it is worth 0 instead of aborting. One key is
// ours: "handRanking = threeCard" selects the order of hands of Rhode Island
// hold'em.
//
// Positions count from 0, the first after the button. Amounts are chips: what
// a player has put in counts from the start of the hand, blinds included, and a
// no-limit raise names the total that it is to.
//
// A Game may be shared between goroutines; everything else belongs to one at a
// time. Nothing here logs, waits or reads a clock.
package acpc
