package poker

import (
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/policy"
	"gamebots/solvers/resolve/subgame"
)

// knownPart is the part of the deals in which the opponent is taken to play the strategy,
// too. Parts from 0.3 to 0.9 make a strategy about as hard to exploit, and harder than 0
// and 1 do (gamebench resolve).
const knownPart = 0.5

// solution is the last round of a hand as it was solved.
type solution struct {
	hand    uint32
	player  int // for whom
	segment int // of the strategy's tree
	deal    abstraction.Deal
	game    *subgame.Subgame
	weights []float32
}

// solve appends the choices of the player to act in the last round of a hand. It reports
// false where the hand is not in the strategy's tree, or the strategy would not have played
// the cards to here.
func (p *Strategy) solve(dst []policy.Choice, s *acpc.State) ([]policy.Choice, bool, error) {
	node := p.policy.Tree.Find(s)
	if node < 0 {
		return dst, false, nil
	}
	x, err := p.solvedRound(s, node)
	if err != nil {
		return dst, false, err
	}
	dst, possible := x.choices(dst, p.policy.Tree, node, policy.DealOf(s).Hole)
	return dst, possible, nil
}

// solvedRound returns the solution of a hand's last round, in which it has come to a node.
func (p *Strategy) solvedRound(s *acpc.State, node int32) (*solution, error) {
	deal, segment := policy.DealOf(s), p.policy.Tree.SegmentOf(node)
	x := &p.solution
	if x.game == nil || x.hand != s.HandID || x.player != s.Actor() || x.segment != segment || x.deal != deal {
		*x = solution{hand: s.HandID, player: s.Actor(), segment: segment, deal: deal}
		if err := p.solveRound(x); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// choices appends the choices at a node of the strategy's tree with hole cards. It reports
// false if the strategy would not have played them to here.
func (x *solution) choices(dst []policy.Choice, tree *betting.Tree, node int32, hole card.Set) ([]policy.Choice, bool) {
	own := &x.game.Cards.Rounds[0]
	hand, total := slices.Index(own.Hole, hole), float32(0)
	first := node - tree.Segments[x.segment].First
	for a := range int(tree.Nodes[node].NumActions) {
		weight := x.weights[x.game.Entry(first)+a*own.Stride+hand]
		dst = append(dst, policy.Choice{Action: tree.Nodes[int(tree.Nodes[node].First)+a].Action(), Probability: weight})
		total += weight
	}
	return dst, total > 0
}

// solveRound solves a last round so that the opponent wins no more than from the strategy.
func (p *Strategy) solveRound(x *solution) error {
	before := subgame.Before{Policy: p.policy, Segment: x.segment, Board: x.deal.Board, Play: func(player int, choices []policy.Choice) {
		if player == x.player {
			p.style.Apply(choices)
		}
	}}
	game, played, err := before.Subgame()
	if err != nil {
		return err
	}
	_, offers := cfr.NewEvaluator(game.Layout, 1).Values(played, 1-x.player)
	x.game, x.weights = game, game.SolveSafe(x.player, subgame.Offer{Values: offers, Known: knownPart}, p.solving.Iterations)
	return nil
}
