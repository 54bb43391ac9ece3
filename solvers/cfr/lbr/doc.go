// Package lbr estimates from below how exploitable a poker player is, by a local best
// response: Lisý and Bowling, "Equilibrium approximation quality of current no-limit poker
// bots", AAAI Workshop on Computer Poker and Imperfect Information Games 2017.
//
//	player := lbr.NewStrategy(policy, nil)
//	judge, err := lbr.New(policy.Tree.Game, lbr.Options{Menu: lbr.FC})
//	for deal := range 1000 {
//		outcome, err := judge.Deal(player, seed, deal)
//		…
//	}
//
// # What it plays
//
// The response knows how the judged [Player] plays, and keeps the probability of each hand that the
// player may hold, by Bayes' rule. It values an action as if both players checked or called from
// then on: a call by its showdown against that range, and a raise by what is won if the player folds to
// it at once, and else by a showdown against the range that does not fold. It looks no further,
// which is why it needs no abstraction: its own cards and the range are exact, and its raises are those of a
// [Menu] that the player's strategy need not know. In rounds in which it may not act it checks and calls.
//
// What it wins on average is no more than a best response wins, so it is a lower bound of exploitability.
// That it wins nothing proves nothing.
//
// # What an estimate is
//
// A deal is played twice, with the positions exchanged. The judged player's
// actions are drawn for the hand that it was dealt. The response sees none of it, and the range is exactly
// the probability of that hand given all that the response sees. So these replace chance by expectations without bias:
//
//   - A showdown counts as its mean over the range, not by the hand that was dealt.
//   - Every action of the player is corrected by a control variate: the mean, over all of its
//     actions by all hands of the range, of the value that the response would see after it, minus that
//     after the action drawn. The value is that of checking and calling.
//   - The cards of later rounds are corrected in the same way, by the mean over all boards. If the players are all-in, this
//     leaves the exact mean over the boards.
//
// Cards that are dealt before the hand's rest can be enumerated (before the flop in hold'em) are not
// corrected. There the response's own decisions use showdowns on boards that are drawn once for each class
// of hole cards, by a fixed seed. A decision by an estimate is a decision all the same: the
// strategy that the response plays is valued without bias.
//
// Control variates and means over ranges are those of AIVAT, see package aivat.
package lbr
