// Package acpc holds the rules and the texts of the Annual Computer Poker
// Competition: any poker game with up to 10 players, 4 rounds, 4 suits, 13
// ranks, 3 hole cards and 7 board cards, limit or no-limit.
//
//   - A [Game] is a game definition. [ParseGame] reads one for play; [CheckGame]
//     reads it as the original server does, with warnings; [ParseOriginal] reads the
//     game that the original server would play.
//   - A [State] is one hand: whose turn it is, which actions are legal, and what each
//     position wins. [Game.NewState] starts one, [State.Check] and [State.Apply] play
//     it.
//   - A [MatchState] is a hand as one player sees it, in the form that a dealer sends:
//     [State.View], [MatchState.Append], [Game.ParseMatchState].
//   - A [Player] decides for one seat.
//   - A [Shuffler] deals the hands that the original dealer deals from a seed.
//
// Behaviour, texts and deals are those of the original server (project_acpc_server,
// protocol version 2.0.0), oddities included; the comments name them.
//
// # Differences from the original server
//
// They are where the original loses chips, hangs, aborts or overwrites its memory:
//
//   - A limit raise of a stack so short that it lowers the bet is illegal, except
//     with Game.UnderRaise and in texts that are parsed.
//   - A definition with more than four raise sizes, which the original writes over
//     other parts of the game, is refused by ParseGame and played by ParseOriginal.
//   - A definition with more than seven board cards is refused by both.
//   - A hand in which no player can act after the blinds is over at once.
//   - A showdown without chips in the pot is worth 0 to all.
//   - Chip counts beyond an int32 do not wrap to negative numbers: the smallest
//     no-limit raise and a limit bet after a raise saturate, and pots have 64 bits.
//
// One key of definitions is an extension: "handRanking = threeCard" selects the hand
// order of Rhode Island hold'em. The original ignores it; here an unknown name, or
// hands of other than three cards, are an error.
//
// Positions count from 0, the first after the button. Amounts are in chips, counted
// from the start of the hand with the blinds; a no-limit raise is to a total.
//
// A Game may be shared between goroutines; no other type is safe for concurrent use.
//
// docs/api.txt lists the names of this package that are kept.
package acpc
