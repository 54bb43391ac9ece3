// Package table lets a server of board games offer poker: [Rules] are a poker game as a
// gamebots/hexproto/game.Dealer, and [Bot] brings a poker player to its tables. It is
// here, not beside the other games of the server, because it knows poker, and what plays,
// judges and advises there.
//
// A game is a match of several hands. The button moves with each hand, so that in
// DefaultHands each of two, three, four or six players has every position equally often.
// The score is in chips. As in an ACPC match, every hand begins with full stacks, unless Options.BuyIn
// has seats keep theirs.
//
// # Who sees what
//
// Moves are public, and written as in the ACPC's protocol: "f", "c", "r" or, without a
// limit, "r300". Cards are only in views and records. A seat sees its own hole cards, and
// at a showdown those of all who have not folded. A folded hand is never shown, and
// neither is a card of the board that was not dealt. An analysis is for those who see the
// hand that it is about.
package table
