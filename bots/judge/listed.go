package judge

import (
	"context"
	"fmt"

	"gamebots/acpc"
	"gamebots/acpc/card"
	"gamebots/solvers/cfr/abstraction"
	"gamebots/solvers/cfr/betting"
	"gamebots/solvers/cfr/publictree"
	"gamebots/solvers/evaluate/belief"
)

// maxQuestions is how many questions an agent is asked at most for an exact value. A fast program answers some ten
// thousand a second, one in Python a thousand.
const maxQuestions = 200_000

// questionsError is the error for a game in which an agent would be asked too much.
type questionsError struct {
	game      string
	questions float64
}

func (e *questionsError) Error() string {
	return fmt.Sprintf("%s would take %.3g questions to the agent, more than %d", e.game, e.questions, maxQuestions)
}

// newListed lays out a game in which an agent can be asked about all hands on all boards. No two of them are taken for
// equal, since nobody says that the agent plays suits alike.
func newListed(s *Subject, memory int64) (*Abstract, error) {
	shape := betting.Actions{}.ShapeOf(s.Game, betting.CountLimit)
	_, boards := abstraction.Count(s.Game, abstraction.None)
	questions := 0.0
	for r, n := range boards {
		questions += float64(shape.Decisions[r]) * n
	}
	if questions > maxQuestions || !shape.Complete {
		return nil, &questionsError{s.Game.Name, questions}
	}
	layout, err := publictree.Prepare(s.Game, betting.Actions{}, abstraction.None, memory)
	return &Abstract{subject: s, layout: layout}, err
}

// ask asks an agent what it does everywhere.
func (a *Abstract) ask(ctx context.Context) ([]float32, error) {
	l := a.layout
	asking := &asking{
		ctx: ctx, player: a.subject.Agent, layout: l, weights: make([]float32, l.Entries), number: map[card.Set]int{},
	}
	for i, hole := range belief.Holes(l.Tree.Game) {
		asking.number[hole] = i
	}
	state := l.Tree.Game.NewState(0)
	return asking.weights, asking.from(l.Tree.AfterDeal(l.Tree.Segments[0].First), &state)
}

// asking is the work of Abstract.ask.
type asking struct {
	ctx     context.Context
	player  belief.Player
	layout  *publictree.Layout
	weights []float32
	number  map[card.Set]int // numbers of hands by their cards
}

// from asks for all decisions from a node on, at which a hand has come to a state.
func (q *asking) from(node int32, s *acpc.State) error {
	n := &q.layout.Tree.Nodes[node]
	if n.Kind != betting.Decision {
		return nil
	}
	round := &q.layout.Cards.Rounds[n.Round]
	for i := range round.Boards {
		if err := q.at(node, s, round, &round.Boards[i]); err != nil {
			return err
		}
	}
	for child := n.First; child < n.First+int32(n.NumActions); child++ {
		next := belief.After(s, q.layout.Tree.Nodes[child].Action())
		if err := q.from(q.layout.Tree.AfterDeal(child), next); err != nil {
			return err
		}
	}
	return nil
}

// at asks for a decision on a board.
func (q *asking) at(node int32, s *acpc.State, round *abstraction.Round, board *abstraction.Board) error {
	at := *s
	place := 0
	for _, dealt := range board.Cards {
		for c := range dealt.All() {
			at.Board[place] = c
			place++
		}
	}
	choices, err := q.player.Choices(q.ctx, &at)
	if err != nil {
		return err
	}
	n := &q.layout.Tree.Nodes[node]
	for k := range int32(n.NumActions) {
		row := choices.Row(q.layout.Tree.Nodes[n.First+k].Action(), len(q.number))
		weights := q.weights[q.layout.Entry(node)+int(k)*round.Stride:]
		for b := board.First; b < board.First+board.Num; b++ {
			weights[b] = float32(row[q.number[round.Hole[b]]])
		}
	}
	return nil
}
