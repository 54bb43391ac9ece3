package betting

import (
	"iter"

	"gamebots/acpc"
)

// Line is one betting sequence of a tree, which a walk through the tree makes longer and shorter: the
// standings before each action and after the last. A walk that reuses a line does not allocate a
// state, which is large, for every node.
type Line struct {
	actions Actions
	states  []acpc.State // without cards and past actions
	in      []trees      // trees that have the sequence up to each state
}

// NewLine returns the sequence without an action in a game's tree of an abstraction.
func NewLine(g *acpc.Game, a Actions) *Line {
	const longest = acpc.MaxRounds*acpc.MaxActions + 1
	l := &Line{actions: a, states: make([]acpc.State, longest), in: make([]trees, longest)}
	l.states[0], l.in[0] = g.NewState(0), allTrees(g)
	return l
}

// State returns the standing after depth actions.
func (l *Line) State(depth int) *acpc.State { return &l.states[depth] }

// Legal is [Actions.Legal] after depth actions.
func (l *Line) Legal(depth int) iter.Seq[acpc.Action] {
	return l.actions.legal(&l.states[depth], l.in[depth])
}

// Play sets the state that follows the one at depth.
func (l *Line) Play(depth int, a acpc.Action) {
	l.in[depth+1] = l.actions.after(l.in[depth], &l.states[depth], a)
	l.states[depth+1].StandAs(&l.states[depth])
	l.states[depth+1].Apply(a)
}

// Entrance has the facts of earlier rounds that a forgetful information set keeps: what every
// player has put in, who has folded, and who raised last in the round before. It is a map key.
type Entrance struct {
	round    int
	standing acpc.Standing
	raiser   int   // -1 if nobody did
	in       trees // on which the raises to come depend
	live     live  // instead of the standing, where dead money is forgotten
}

// live has what the players who have not folded have put in, -1 for the others, and the chips of these in quarters of
// that, rounded down.
type live struct {
	spent    [acpc.MaxPlayers]int32
	quarters int64
}

// Entrance returns the entrance of a round that begins after depth actions. Where nobody
// can act any more, several rounds begin with one state.
func (l *Line) Entrance(depth, round int) Entrance {
	e := l.within(depth, round)
	if l.actions.deadMoney {
		e.standing, e.live = acpc.Standing{}, liveOf(&l.states[depth])
	}
	return e
}

func liveOf(s *acpc.State) (l live) {
	alive, dead := int64(0), int64(0)
	for p := range s.Game().NumPlayers {
		if s.Folded(p) {
			l.spent[p] = -1
			dead += int64(s.Spent(p))
			continue
		}
		l.spent[p] = s.Spent(p)
		alive += int64(s.Spent(p))
	}
	l.quarters = 4 * dead / max(alive, 1) // without blinds nobody may have put anything in
	return l
}

// within returns the entrance of the round with all of the standing, also for a point within the round.
func (l *Line) within(depth, round int) Entrance {
	e := Entrance{round: round, standing: l.states[depth].Standing(), raiser: -1, in: l.in[depth]}
	for i := depth - 1; i >= 0 && l.states[i].Round() == l.states[depth-1].Round(); i-- {
		if l.states[i].MaxSpent() < l.states[i+1].MaxSpent() {
			e.raiser = l.states[i].Actor()
			break
		}
	}
	return e
}
