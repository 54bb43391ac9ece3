// Package slumbot plays heads-up no-limit hold'em against Slumbot, over the HTTP interface of
// its site.
//
// A [Match] plays hands by a [sites.Client]. There are two calls, both POST with a JSON object:
//
//	/api/new_hand  {"token": …}               begins a hand; without a token a session, too
//	/api/act       {"token": …, "incr": "c"}  takes an action: k, c, f, or b and chips
//
// Both answer with an object that has the whole hand: token, client_pos (0 is the big blind),
// hole_cards, board and action. At the end of a hand it also has winnings, those of the
// client, and bot_hole_cards, after a fold, too. An object with error_msg is a refusal.
//
// Blinds are 50 and 100, and both players have 20,000 chips in each hand. The action is that
// of both players, a slash between rounds. k checks, c calls, f folds, and b200 bets or raises
// so that the player has put 200 chips into this round.
//
// Answers are not trusted. A hand that goes against the rules, contradicts what was said
// before, or pays other chips than its cards win is a [sites.AnswerError].
package slumbot
