package bench

import (
	"math"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/ranges"
	"gamebots/configs"
	"gamebots/solvers/cfr"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/resolve"
	"gamebots/solvers/resolve/spot"
)

// noLimit returns a game that comes with the program as a no-limit game.
func noLimit(name string, stack int32) (*acpc.Game, error) {
	game, err := configs.Game(name)
	if err != nil {
		return nil, err
	}
	game.Name += ", no limit"
	game.Betting = acpc.NoLimit
	for p := range game.NumPlayers {
		game.Stack[p] = stack
	}
	for r := range game.NumRounds {
		game.MaxRaises[r] = math.MaxUint8
	}
	return game, nil
}

// stateOf returns the betting of a hand at the start of a segment.
func stateOf(tree *betting.Tree, segment int) *acpc.State {
	var path []acpc.Action // from the end
	for n := tree.Segments[segment].From; tree.Parent(n) >= 0; n = tree.Parent(n) {
		if tree.Nodes[tree.Parent(n)].Kind == betting.Decision {
			path = append(path, tree.Nodes[n].Action())
		}
	}
	s := tree.Game.NewState(0)
	for _, a := range slices.Backward(path) {
		s.Apply(a)
	}
	return &s
}

// solveSpot solves a river as package resolve does in play, for each player.
func (g rest) solveSpot(way resolver, offers [2][]float64, iterations int) (solved [2][]float32, err error) {
	spent := g.start.MaxSpent()
	base := spot.Spot{Pot: 2 * int(spent), Stack: int(g.start.Game().Stack[0] - spent),
		MinBet: int(g.start.Game().MaxBlind())}
	for _, cards := range g.board.Cards {
		base.Board = slices.AppendSeq(base.Board, cards.All())
	}
	for p := range base.Ranges {
		base.Ranges[p] = new(ranges.Range)
		most := slices.Max(g.Ranges[p])
		for i, hole := range g.Cards.Rounds[0].Hole {
			if hole != 0 {
				base.Ranges[p].Set(hole, g.Ranges[p][i]/most)
			}
		}
		bets, _ := spot.ParseSizes("100,a", false)
		raises, _ := spot.ParseSizes("a", true)
		base.Menu.Bets[p][2], base.Menu.Raises[p][2] = bets, raises
	}
	for p := range solved {
		own := base
		if way.safe {
			own.Offer = resolve.SpotOffer(g.Layout, offers[1-p], 1-p, float64(base.Pot))
			own.Offer.Known, own.Offer.Margin = way.known, way.margin
		}
		solver, err := spot.New(&own, spot.Options{Algorithm: cfr.Algorithms[0], Memory: math.MaxInt64})
		if err != nil {
			return solved, err
		}
		for range iterations {
			solver.Step()
		}
		solved[p] = make([]float32, g.Entries)
		if err := g.read(solved[p], solver, p, 0, nil); err != nil {
			return solved, err
		}
	}
	return solved, nil
}

// read sets the weights of a player from a node on to those of a solver. The node has a line.
func (g rest) read(weights []float32, solver *spot.Solver, player int, node int32, line []spot.Action) error {
	n := &g.Tree.Nodes[node]
	if n.Kind != betting.Decision {
		return nil
	}
	s, err := solver.Solution().Strategy(spot.LineOf(line))
	if err != nil {
		return err
	}
	round := &g.Cards.Rounds[0]
	for a := range int(n.NumActions) {
		if int(n.Actor) == player {
			for i, hole := range s.Hands {
				weights[g.Entry(node)+a*round.Stride+slices.Index(round.Hole, hole)] = float32(s.Probabilities[a][i])
			}
		}
		if err := g.read(weights, solver, player, n.First+int32(a),
			append(slices.Clip(line), s.Actions[a])); err != nil {
			return err
		}
	}
	return nil
}
