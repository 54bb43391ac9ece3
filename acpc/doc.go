// Package acpc holds the rules and the texts of the Annual Computer Poker
// Competition: any poker game with up to 10 players, 4 rounds, 4 suits, 13
// ranks, 3 hole cards and 7 board cards, limit or no-limit.
//
//   - A [Game] is a game definition. [ParseGame] reads one for play; [CheckGame]
//     says how the original server understands it, and warns of what is ignored
//     or goes wrong; [ParseOriginal] reads what that server plays.
//   - A [State] is one hand: whose turn it is, what is legal, what the hand is
//     worth at the end. [Game.NewState] starts one, [State.Check] and
//     [State.Apply] play it.
//   - A [MatchState] is a hand as one player sees it, which is what a dealer
//     sends: [State.View], [MatchState.Append], [Game.ParseMatchState].
//   - A [Shuffler] deals the hands that the original dealer deals from a seed.
//
// The behaviour, the texts and the deals are those of the original server
// (project_acpc_server, protocol version 2.0.0), including what is odd about
// them; the comments name the oddities.
//
// # Differences from the original server
//
// Where the original loses chips, hangs, aborts or overwrites its memory:
//
//   - A limit raise of a stack so short that it lowers the bet is not legal. It
//     is with Game.UnderRaise, and in texts that are read.
//   - A definition of which the original writes a part over another, by more
//     than four raise sizes, is refused by ParseGame; ParseOriginal plays it.
//   - A definition of more than seven board cards is refused by both.
//   - A hand in which nobody can act after the blinds is over at once.
//   - A showdown without any chips in it is worth 0 to all.
//   - Chips past an int32 do not wrap to negative numbers: the smallest no-limit
//     raise, and a bet with a limit raise on it, stay at the largest int32, and
//     pots are counted with 64 bits.
//
// One key of definitions is ours: "handRanking = threeCard" selects the order
// of hands of Rhode Island hold'em. The original ignores it; here a name that
// is none, or a hand of other than three cards, is an error.
//
// Positions count from 0, the first after the button. Amounts are chips: what
// a player has put in counts from the start of the hand, blinds included, and a
// no-limit raise names the total that it is to.
//
// A Game may be shared between goroutines; everything else belongs to one at a
// time. Nothing here logs, waits or reads a clock.
package acpc
