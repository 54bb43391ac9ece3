// Package lbr estimates a lower bound of a poker player's exploitability, by a local best
// response: Lisý and Bowling, "Equilibrium approximation quality of current no-limit poker
// bots", AAAI Workshop on Computer Poker and Imperfect Information Games, 2017.
//
//	player := belief.NewStrategy(policy.Index, belief.Played(policy, nil))
//	judge, err := lbr.New(policy.Tree.Game, lbr.Options{Menu: lbr.FC})
//	for deal := range 1000 {
//		outcome, err := judge.Deal(ctx, player, seed, deal)
//		…
//	}
//
// The response knows how the judged player plays, and keeps the exact probability of each
// hand that the player may hold (package belief). It values an action as if both players
// checked or called from then on: a call by its showdown against that range; a raise by the
// pot that it wins from the hands that fold at once, plus a showdown against the others. It
// looks no further. So it needs no abstraction: its cards are exact, and its raises are
// those of a [Menu], which the player's strategy need not know. In rounds in which it may
// not act, it checks and calls.
//
// What it wins on average is at most what a best response wins: a lower bound of
// exploitability. If it wins nothing, that proves nothing.
//
// A deal is played from both positions, and the judged player's actions are drawn for the
// hand that it was dealt. [Outcome] has the chips won, and an estimate with the same
// expectation and less variance, by the corrections of package belief. Before the flop of
// hold'em, showdowns are estimated from boards that are drawn with a fixed seed. This
// affects the response's decisions only: what it wins is still estimated without bias.
package lbr
