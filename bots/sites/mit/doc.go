// Package mit plays heads-up no-limit hold'em at the engine of MIT Pokerbots, a contest of January each year, over TCP.
//
// The engine starts a bot with a port as its last argument, and the bot connects to it. The engine sends lines of
// clauses, which spaces separate, and expects an answer to each line. A match has 1000 rounds; in each, both players
// have 400 chips, and the blinds are 1 and 2.
//
//	T29.981   the seconds that the bot's clock has left. It is one clock for the match
//	P0        a round begins. 0 is the button, which has the small blind
//	HAs,Kd    the bot's cards
//	G7        2025: the bot's bounty, a rank
//	F C K R6  an action of either player: fold, call, check, or raise to 6 chips in this round of betting
//	B2c,3d,Th the board so far
//	OQs,Qh    the opponent's cards, at a showdown
//	D-6       the chips that the bot has won: the round is over
//	Y10       2025: who has hit a bounty, the bot and its opponent; # hides the loser's
//	Q         the match is over
//
// The answer to a line is one action, or K if the round is over. Each action is sent once to both players, the own
// ones included. After an all-in the engine still asks for K in every round of betting. An answer that is illegal is
// replaced with a check, or with a fold if there is a bet to call, and so is everything once the clock is at zero.
//
// A game of stacks of 200 big blinds is played in larger chips: a chip of the engine is half a big blind. Years with
// other rules are refused by name, see [VariantError]; in 2025 a player whose bounty is dealt wins more, and its rounds
// are played by the same strategy.
package mit
