package resolve

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gamebots/acpc"
	"gamebots/acpc/ranges"
	"gamebots/solvers/evaluate/belief"
	"gamebots/solvers/policy"
	"gamebots/solvers/preflop"
)

// openingRaises are sizes before the flop as in the strategy that comes with the program: two or three big blinds, and
// then the pot.
var openingRaises = [][]preflop.Size{{{To: 2}, {To: 3}}, {{Times: 3}}, {{Times: 3}}, {{Times: 3}}, {{Times: 3}}}

// maxOpenings is how many solutions before the flop are kept, some 100 KB each.
const maxOpenings = 256

// An opening is the betting before the flop, solved because the opponent made a raise that was not in the tree. What
// the player did before the raise is as it was, and the opponent may have made the raise with any hand.
type opening struct {
	hand       uint32
	iterations uint64
	decisions  []preflop.Decision // none if these were too few
	reach      map[string]*[2][]float64
}

// at returns the decision after a line, or nil.
func (o *opening) at(line []preflop.Action) *preflop.Decision {
	i := slices.IndexFunc(o.decisions, func(d preflop.Decision) bool { return slices.Equal(d.Line, line) })
	if i < 0 {
		return nil
	}
	return &o.decisions[i]
}

// open is Answer before the flop.
func (p *NoLimit) open(ctx context.Context, s *acpc.State) (Answer, error) {
	own := s.Actor()
	o, line, err := p.opening(ctx, s, s.NumActions(), own)
	if err != nil {
		return Answer{}, err
	}
	if o == nil || o.at(line) == nil {
		a, err := p.unsolved(ctx, s)
		a.Late = o != nil && o.decisions == nil
		a.Solved = a.Late
		return a, err
	}
	actions, rows, err := p.openedBy(ctx, s, len(line), own)
	a := Answer{Solved: true, Iterations: o.iterations, Added: 1}
	for k, x := range actions {
		taken, legal := s.Fix(p.realOf(x))
		if !legal {
			taken = call
		}
		row := a.Row(taken, len(p.holes))
		for i, c := range p.classes {
			row[i] += rows[k][c]
		}
	}
	return a, err
}

// openable reports whether package preflop has the game.
func (p *NoLimit) openable() bool {
	g, small := p.game, p.game.FirstPlayer[0]
	known := preflop.Game{Stack: p.blinds(g.Stack[0])}
	return g.NumPlayers == 2 && 2*g.Blind[small] == g.Blind[1-small] && g.Stack[0] == g.Stack[1] &&
		known.Check() == nil
}

// opening returns the solution that holds after some actions of the first round, for the player in a position, and the
// actions. It is nil where the blueprint is played.
func (p *NoLimit) opening(
	ctx context.Context, s *acpc.State, count, own int,
) (last *opening, line []preflop.Action, err error) {
	at := p.game.NewState(s.HandID)
	for _, a := range s.Actions(0)[:count] {
		raised := at.Actor() != own && a.Type == acpc.Raise && p.openable()
		line = append(line, p.openedWith(&at, len(line), a))
		at.Apply(a)
		switch {
		case !raised || last == nil && p.blueprint.Index.Tree.Find(&at) >= 0:
		case last == nil || last.decisions != nil && last.at(line) == nil:
			if last, err = p.solveOpening(ctx, s, slices.Clone(line), own); err != nil {
				return nil, nil, err
			}
		}
	}
	return last, line, nil
}

// solveOpening returns the solution after a line that ends with a raise of the opponent.
func (p *NoLimit) solveOpening(
	ctx context.Context, s *acpc.State, line []preflop.Action, own int,
) (o *opening, err error) {
	key := fmt.Sprint(own, line)
	if o := p.openings[key]; o != nil && (o.iterations == p.options.Iterations || o.hand == s.HandID) {
		return o, nil
	}
	g := preflop.Game{Stack: p.blinds(p.game.Stack[0]), Raises: openingRaises, Calls: true, Line: line}
	g.Given = func(at, actions []preflop.Action) (given [][]float64) {
		before := len(at) < len(line) && slices.Equal(at, line[:len(at)])
		if err != nil || !before || p.opener(len(at)) != own {
			return nil
		}
		var played []preflop.Action
		var rows [][]float64
		played, rows, err = p.openedBy(ctx, s, len(at), own)
		for range actions {
			given = append(given, make([]float64, ranges.NumClasses))
		}
		for k, a := range played {
			row := given[nearest(actions, a)]
			for c, x := range rows[k] {
				row[c] += x
			}
		}
		return given
	}
	solution, solveErr := preflop.Solve(ctx, g, 0, int(p.options.Iterations))
	if err = cmp.Or(err, solveErr); err != nil && (solution == nil || ctx.Err() == nil) {
		return nil, err
	}
	o = &opening{hand: s.HandID, iterations: uint64(solution.Iterations), reach: map[string]*[2][]float64{}}
	if o.iterations >= min(minIterations, p.options.Iterations) {
		o.decisions = slices.DeleteFunc(solution.Decisions(), func(d preflop.Decision) bool {
			n := min(len(d.Line), len(line))
			return !slices.Equal(d.Line[:n], line[:n]) // the hand is not there
		})
	}
	if len(p.openings) == maxOpenings {
		clear(p.openings)
	}
	p.openings[key] = o
	return o, nil
}

// nearest returns which action is another one, or else the largest of its kind that is not larger.
func nearest(actions []preflop.Action, a preflop.Action) (k int) {
	for i, x := range actions {
		if x == a || x.Kind == preflop.Raise && a.Kind == preflop.Raise && x.To <= a.To {
			k = i
		}
	}
	return k
}

// openedBy returns what the player in a position plays at its decision after some actions of the first round, by action
// and class.
func (p *NoLimit) openedBy(
	ctx context.Context, s *acpc.State, count, own int,
) (actions []preflop.Action, rows [][]float64, err error) {
	o, line, err := p.opening(ctx, s, count, own)
	if err != nil {
		return nil, nil, err
	}
	if o != nil && o.at(line) != nil {
		d := o.at(line)
		rows = d.Strategy
		if p.options.Play != nil {
			rows = p.styled(d)
		}
		return d.Actions, rows, nil
	}
	at := p.game.NewState(s.HandID)
	for _, a := range s.Actions(0)[:count] {
		at.Apply(a)
	}
	c, err := belief.NewStrategy(p.blueprint.Index, p.blueprint.Played).Choices(ctx, &at)
	if err != nil {
		return nil, nil, err
	}
	for k, a := range c.Actions {
		actions = append(actions, p.openedWith(&at, count, a))
		rows = append(rows, make([]float64, ranges.NumClasses))
		for i, class := range p.classes {
			rows[k][class] = c.Probability[k][i]
		}
	}
	return actions, rows, nil
}

// styled returns what is played of a solved decision, by action and class.
func (p *NoLimit) styled(d *preflop.Decision) (rows [][]float64) {
	choices := make([]policy.Choice, len(d.Actions))
	for range choices {
		rows = append(rows, make([]float64, ranges.NumClasses))
	}
	for c := range int(ranges.NumClasses) {
		for a := range choices {
			choices[a].Probability = float32(d.Strategy[a][c])
		}
		p.options.Play(choices)
		for a, x := range policy.AppendProbabilities[float64](nil, choices) {
			rows[a][c] = x
		}
	}
	return rows
}

// opened is a [belief.First].
func (p *NoLimit) opened(s *acpc.State, own int) (*[2][]float64, error) {
	ctx := context.Background() // what the player was asked about is solved already
	o, line, err := p.opening(ctx, s, len(s.Actions(0)), own)
	if err != nil || o == nil || o.decisions == nil {
		return nil, err
	}
	key := fmt.Sprint(line)
	if known := o.reach[key]; known != nil {
		return known, nil
	}
	var reach [2][]float64
	for q := range reach {
		reach[q] = policy.FullRange(p.holes)
	}
	for k, a := range line {
		q, d := p.opener(k), o.at(line[:k])
		var actions []preflop.Action
		var rows [][]float64
		switch {
		case q == own:
			if actions, rows, err = p.openedBy(ctx, s, k, own); err != nil {
				return nil, err
			}
		case d != nil:
			actions, rows = d.Actions, d.Strategy
		}
		taken := slices.Index(actions, a)
		if taken < 0 || slices.Max(rows[taken]) == 0 {
			continue // nothing is learned from what should never be done
		}
		for i, c := range p.classes {
			reach[q][i] *= rows[taken][c]
		}
	}
	o.reach[key] = &reach
	return &reach, nil
}

// opener returns the position of the player who acts after some actions of the first round.
func (p *NoLimit) opener(actions int) int { return (int(p.game.FirstPlayer[0]) + actions) % 2 }

// blinds returns chips in big blinds.
func (p *NoLimit) blinds(chips int32) float64 {
	return preflop.Rounded(float64(chips) / float64(p.game.MaxBlind()))
}

// openedWith returns an action in a state of the first round, after some others.
func (p *NoLimit) openedWith(s *acpc.State, actions int, a acpc.Action) preflop.Action {
	switch {
	case a.Type == acpc.Fold:
		return preflop.Action{Kind: preflop.Fold}
	case a.Type == acpc.Raise && a.Size == p.game.Stack[0]:
		return preflop.Action{Kind: preflop.AllIn, To: p.blinds(a.Size)}
	case a.Type == acpc.Raise:
		return preflop.Action{Kind: preflop.Raise, To: p.blinds(a.Size)}
	case actions == 0:
		return preflop.Action{Kind: preflop.Limp}
	case s.CanFold():
		return preflop.Action{Kind: preflop.Call}
	}
	return preflop.Action{Kind: preflop.Check}
}

// realOf is the inverse of openedWith.
func (p *NoLimit) realOf(a preflop.Action) acpc.Action {
	switch a.Kind {
	case preflop.Fold:
		return acpc.Action{Type: acpc.Fold}
	case preflop.Raise, preflop.AllIn:
		return acpc.Action{Type: acpc.Raise, Size: int32(math.Round(a.To * float64(p.game.MaxBlind())))}
	}
	return call
}
